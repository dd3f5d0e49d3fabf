Feature: Webhook delivery
  The gateway delivers each event to every active URL that the account registered for its
  type.
  What they say is in events.feature.

  Background:
    Given an account with R$ 100.00 available

  @delivery.every-url
  @WHK-039 @EVT-002
  Rule: An event is delivered to every active URL of its type

    Scenario: Three URLs
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks at 3 URLs
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives at each URL

    Scenario Outline: A receiver that <responds>, and the next event
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks at 3 URLs
      And the second webhook endpoint <responds>
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives at each URL
      When the account sends a QR cash-out
      Then a CashOut event of each payment arrives at each URL

      Examples:
        | responds                   |
        | returns 202                |
        | returns 204                |
        | returns 200 after a second |
        | returns 200 compressed     |
        | returns 200 as HTML        |
        | returns 201 in chunks      |

    Scenario Outline: <event>, at three URLs, each of which <responds>
      Given a new account with R$ 100.00 available
      And no fees
      And the key directory has a new e-mail key
      And the account receives <type> webhooks at 3 URLs
      And the webhook endpoint <responds>
      When <happening>
      Then a <event> event arrives at each URL
      And the available balance <moves>

      Examples:
        | event    | type     | responds                        | happening                                           | moves             |
        | CashOut  | cash_out | returns 500                     | the account sends a cash-out of R$ 8.41             | falls by R$ 8.41  |
        | TRANSFER | cash_out | returns 200 after three seconds | the account sends a transfer of R$ 8.41             | falls by R$ 8.41  |
        | TRANSFER | cash_out | returns 500                     | the account sends a transfer of R$ 8.41             | falls by R$ 8.41  |
        | cash_in  | cash_in  | returns 200 after three seconds | the account has received R$ 10.00 through a cash-in | rises by R$ 10.00 |
        | cash_in  | cash_in  | returns 404                     | the account has received R$ 10.00 through a cash-in | rises by R$ 10.00 |
        | RECEIVE  | cash_in  | returns 500                     | the account has received R$ 10.00 through a cob     | rises by R$ 10.00 |

    Scenario: A refund and a return, at URLs that all fail
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives webhooks of every type
      And the webhook endpoint returns 500
      And the account has received R$ 10.00 through a cob
      When the account sends a refund of R$ 4.00
      Then a refund_in event arrives
      And its state is DEVOLVIDO
      When the account sends a cash-out of R$ 8.41
      And the bank confirms the payment
      Then a CashOut event arrives
      When the payee returns R$ 2.00
      Then a refund_out event arrives
      And the available balance rises by R$ 2.00

    Scenario Outline: A failing URL does not block the others: the <failing> <fails>
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks at 3 URLs
      And the <failing> webhook endpoint <fails>
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives at each URL
      When the <failing> webhook endpoint returns 200
      And the account sends a QR cash-out
      Then the request is accepted
      And a CashOut event of each payment arrives at each URL that has not failed
      When the account sends a webhook list request
      Then the request is accepted

      Examples:
        | failing | fails                           |
        | first   | redirects to a new URL with 308 |
        | second  | redirects to a new URL with 301 |
        | first   | returns 500                     |
        | second  | returns 404                     |
        | third   | returns 503                     |
        | first   | returns 410                     |
        | second  | redirects to a new URL with 302 |
        | third   | redirects to a new URL with 307 |
        | first   | returns 500 after a second      |

    Scenario: Every payment at every URL, also at one registered later
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks at 2 URLs
      And the account has sent a cash-out of R$ 1.00
      And the account has sent a QR cash-out of R$ 2.07
      And the account has sent a cash-out of R$ 3.29
      When the account sends a cash-out of R$ 4.10
      Then the request is accepted
      And a CashOut event of each payment arrives at each URL
      When the account sends a webhook registration
      And the account sends a cash-out of R$ 5.00
      Then the request is accepted
      And a CashOut event arrives at each URL

    Scenario: A URL registered while the payment is pending
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      And the account receives cash_out webhooks
      When the bank confirms the payment
      Then a CashOut event arrives at each URL

    Scenario: One URL for several event types
      Given a new account with R$ 100.00 available
      And the account receives cash_in webhooks with header X-Pixcert-Secret "in"
      And the account receives cash_out webhooks at the same URL with header X-Pixcert-Secret "out"
      And the account receives refund_in webhooks at the same URL with header X-Pixcert-Secret "refund"
      When the account sends a cash-out
      Then a CashOut event arrives at each URL with its headers
      When the account has received R$ 10.00 through a cob
      Then a cash_in event arrives at each URL with its headers

    Scenario: A URL with a query string
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with url a URL with a query
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives
      And the event's request includes the URL's query string

    Scenario Outline: <event>, at URLs with capitals, an escaped path and <what>: each is called as it was registered
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with:
        | eventType | "<event>"           |
        | url       | a URL with capitals |
      And the account has sent a webhook registration with:
        | eventType | "<event>"                  |
        | url       | a URL with an escaped path |
      And the account has sent a webhook registration with:
        | eventType | "<event>"         |
        | url       | a URL with <what> |
      When <happening>
      Then a <event> event arrives at each URL

      Examples:
        | event    | what                | happening                                       |
        | cash_out | repeated parameters | the account sends a cash-out                    |
        | cash_out | a trailing slash    | the account sends a QR cash-out                 |
        | cash_in  | repeated parameters | the account has received R$ 10.00 through a cob |

    Scenario: Both events of a received PIX, at URLs with capitals and an escaped path
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with:
        | eventType | "cash_in"           |
        | url       | a URL with capitals |
      And the account has sent a webhook registration with:
        | eventType | "cash_in"                  |
        | url       | a URL with an escaped path |
      When the account has received R$ 10.00 through a cob
      Then a cash_in event arrives at each URL
      And a RECEIVE event arrives at each URL

    Scenario Outline: A payment settles, whatever its receiver returns: it <responds>
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the webhook endpoint <responds>
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms the payment
      Then a CashOut event arrives
      And its state is CONFIRMED

      Examples:
        | responds    |
        | returns 204 |
        | returns 404 |
        | returns 500 |

    Scenario Outline: A transfer settles, whatever its receiver returns: it <responds>
      Given no fees
      And settlement waits for the bank
      And the key directory has a new e-mail key
      And the account receives cash_out webhooks
      And the webhook endpoint <responds>
      And the account has sent a transfer of R$ 10.00
      When the bank confirms the payment
      And the account sends a transfer of R$ 5.00
      And the bank confirms the payment
      Then a TRANSFER event of the first payment arrives
      And the blocked balance falls by R$ 10.00

      Examples:
        | responds            |
        | returns 204         |
        | returns 500         |
        | returns 200 as HTML |

    Scenario: A rejected payment, at every URL
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks at 3 URLs
      And the account has sent a cash-out
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives at each URL

    Scenario: A URL that another account registered before
      Given another new account
      And a new account with R$ 100.00 available
      And the other account has sent a webhook registration
      And the account has sent a webhook registration with url the other account's url
      When the account sends a cash-out
      Then a CashOut event arrives at each URL

  @delivery.own-type
  @WHK-040
  Rule: An event is not delivered to URLs of other types

    Scenario Outline: A URL for <other>
      Given the account receives <other> webhooks
      And the account receives cash_out webhooks
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives
      And no <other> event arrives

      Examples:
        | other        |
        | cash_in      |
        | refund_in    |
        | refund_out   |
        | med_created  |
        | med_accepted |
        | med_rejected |

    Scenario Outline: A <request>, with a URL for every type
      Given the account receives webhooks of every type
      And the key directory has a new e-mail key
      When the account sends a <request>
      Then the request is accepted
      And a cash_out event arrives
      And no event arrives at URLs for other event types

      Examples:
        | request     |
        | QR cash-out |
        | transfer    |

    Scenario Outline: A case that is <result>, with a URL for <other> only
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And the account receives <other> webhooks
      And the bank moves the case to RECEIVED
      When the bank moves the case to <result>
      Then no event arrives

      Examples:
        | result   | other        |
        | REJECTED | med_accepted |
        | APPROVED | med_rejected |

    Scenario Outline: A paid <charge>, with a URL for every type
      Given the account receives webhooks of every type
      When the account has received R$ 10.00 through a <charge>
      Then a cash_in event arrives
      And no event arrives at URLs for other event types

      Examples:
        | charge  |
        | cash-in |
        | cob     |

  @delivery.own-account
  @EVT-091
  Rule: An event is not delivered to other accounts

    Scenario: A cash_out event
      Given another account
      And the other account receives cash_out webhooks
      And the account receives cash_out webhooks
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives
      And no event arrives at the other account

    Scenario: Another account with the same certificate, which alone has a URL
      Given another account
      And the account also has a valid certificate
      And the other account also has that certificate
      And the other account receives cash_out webhooks
      When the account sends a cash-out
      Then the request is accepted
      And no event arrives at the other account

    Scenario Outline: A <event> event
      Given another account
      And the other account receives <event> webhooks
      And the account receives <event> webhooks
      And the account has received R$ 10.00 through a <charge>
      When <happening>
      Then a <event> event arrives
      And no event arrives at the other account

      Examples:
        | event       | charge  | happening                                |
        | cash_in     | cash-in | the account sends a balance request      |
        | med_created | cob     | a MED case is opened against the payment |
        | refund_in   | cob     | the account sends a refund of R$ 4.00    |

  @delivery.custom-headers
  @WHK-034 @EVT-008
  Rule: Each event carries the custom headers of its URL

    Scenario: One header
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks with header X-Pixcert-Secret "abc 123"
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives with header X-Pixcert-Secret "abc 123"

    Scenario: Two URLs with different headers
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks with header X-Pixcert-Secret "one"
      And the account receives cash_out webhooks with header X-Pixcert-Secret "two"
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives with header X-Pixcert-Secret "one"
      And a CashOut event arrives at the last URL with header X-Pixcert-Secret "two"

    Scenario: Two accounts with the same URL
      Given a new account with R$ 100.00 available
      And another new account with R$ 100.00 available
      And the account receives cash_out webhooks with header X-Pixcert-Secret "ours"
      And the other account has sent a webhook registration with:
        | url     | the account's url                                     |
        | headers | [{"key":"X-Pixcert-Secret","value":"pixcert-theirs"}] |
      When the account sends a cash-out
      Then a CashOut event arrives with header X-Pixcert-Secret "ours"
      And no event has a header containing "pixcert-theirs"

    Scenario: Two accounts with the same URL, the other one first
      Given a new account with R$ 100.00 available
      And another new account with R$ 100.00 available
      And the other account has sent a webhook registration with headers [{"key":"X-Pixcert-Secret","value":"pixcert-theirs"}]
      And the account has sent a webhook registration with:
        | url     | the other account's url                     |
        | headers | [{"key":"X-Pixcert-Secret","value":"ours"}] |
      When the account sends a cash-out
      Then a CashOut event arrives with header X-Pixcert-Secret "ours"
      And no event has a header containing "pixcert-theirs"

    Scenario: Five, none and two headers at three URLs, of every payment
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with headers a list of 5
      And the account has sent a webhook registration with headers []
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-1","value":"a: b; c: \"d\", e/f?g&h+i%20:"},{"key":"x-pixcert-lower","value":"== ~!@#$^*()"}]
      When the account sends a cash-out
      Then a CashOut event of each payment arrives at each URL with its headers
      When the account sends a QR cash-out
      Then a CashOut event of each payment arrives at each URL with its headers

    Scenario Outline: An update of the <which> of three URLs, before and after a payment
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"1"}]
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"2"},{"key":"X-Pixcert-B","value":"2"}]
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"3"},{"key":"X-Pixcert-B","value":"3"}]
      When the account sends a cash-out
      Then a CashOut event arrives at each URL with its headers
      When the account sends a webhook registration with:
        | url     | the account's <which> url                                                             |
        | headers | [{"key":"X-Pixcert-B","value":"new"},{"key":"X-Pixcert-C","value":"one more header"}] |
      And the account sends a cash-out
      Then a CashOut event arrives at each URL with its headers
      When the account sends a webhook registration with:
        | url     | the account's <which> url |
        | headers | []                        |
      And the account sends a QR cash-out
      Then a CashOut event arrives at each URL with its headers

      Examples:
        | which  |
        | first  |
        | second |
        | third  |

    Scenario: Headers replaced while the payment is pending
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks with header X-Pixcert-Secret "old"
      And the account has sent a cash-out
      And the account receives cash_out webhooks at the same URL with header X-Pixcert-Secret "new"
      When the bank confirms the payment
      Then a CashOut event arrives at each URL with its headers

    Scenario: A cash_in event at two URLs, one of them updated
      Given a new account
      And the account receives cash_in webhooks with header X-Pixcert-Secret "one"
      And the account receives cash_in webhooks with header X-Pixcert-Secret "two"
      And the account receives cash_in webhooks at the same URL with header X-Pixcert-Other "three"
      When the account has received R$ 10.00 through a cash-in
      Then a cash_in event arrives at each URL with its headers

  @delivery.json
  @EVT-009
  Rule: An event is an HTTP request with a JSON body

    Scenario: A CashOut event
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives with:
        | event | "CashOut" |

  @delivery.cash-out-payload
  @GEN-006 @OUT-058 @OUT-059 @EVT-010 @EVT-011 @EVT-012 @EVT-013 @EVT-014 @EVT-015 @EVT-016 @EVT-017
  @EVT-022 @EVT-023 @EVT-024 @EVT-025 @EVT-026 @EVT-035 @EVT-040
  Rule: A CashOut event identifies the payment and reports its outcome

    Scenario: A confirmed payment
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | event           | "CashOut"               |
        | status          | "CONFIRMED"             |
        | transactionType | a non-empty string      |
        | movementType    | "DEBIT"                 |
        | transactionId   | the first transactionId |
        | externalId      | the externalId sent     |
        | endToEndId      | a non-empty string      |
        | pixKey          | the details.key sent    |
        | processingDate  | the time of the request |
        | errorCode       | null                    |
        | errorMessage    | null                    |
        | metadata        | an object               |

    Scenario: A rejected payment
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives with:
        | event           | "CashOut"               |
        | status          | "ERROR"                 |
        | transactionType | a non-empty string      |
        | movementType    | "DEBIT"                 |
        | transactionId   | the first transactionId |
        | externalId      | the externalId sent     |
        | errorCode       | "ORDER_REJECTED"        |
        | errorMessage    | a non-empty string      |
        | processingDate  | the time of the request |
        | metadata        | an object               |

    Scenario: Each payment has its own end-to-end id
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then a CashOut event arrives
      When the account sends a cash-out
      Then a CashOut event arrives
      And the two events differ in endToEndId

    Scenario: Three payments that the bank decides in another order
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 1.29
      And the account has sent a QR cash-out of R$ 2.00
      And the account has sent a cash-out of R$ 3.07
      When the bank confirms the third payment
      Then a CashOut event of the third payment arrives with:
        | status         | "CONFIRMED"          |
        | externalId     | the externalId sent  |
        | pixKey         | the details.key sent |
        | originalAmount | R$ 3.07              |
        | errorCode      | null                 |
      When the bank rejects the second payment with ACCOUNT_CLOSED
      Then a CashOut event of the second payment arrives with:
        | status         | "ERROR"             |
        | externalId     | the externalId sent |
        | originalAmount | R$ 2.00             |
        | errorCode      | "ACCOUNT_CLOSED"    |
        | errorMessage   | a non-empty string  |
      When the bank confirms the first payment
      Then a CashOut event of the first payment arrives with:
        | status         | "CONFIRMED"             |
        | transactionId  | the first transactionId |
        | externalId     | the externalId sent     |
        | pixKey         | the details.key sent    |
        | originalAmount | R$ 1.29                 |
        | errorCode      | null                    |
        | errorMessage   | null                    |

    Scenario: Each of seven payments has an event of its own
      Given the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 1.07
      And the account has sent 5 cash-outs of R$ 2.29
      When the account sends a cash-out of R$ 3.41
      Then a CashOut event arrives with:
        | transactionId  | the transactionId returned |
        | externalId     | the externalId sent        |
        | originalAmount | R$ 3.41                    |
        | pixKey         | the details.key sent       |
      When the scenario returns to the first payment
      Then a CashOut event arrives with:
        | transactionId  | the first transactionId |
        | externalId     | the externalId sent     |
        | originalAmount | R$ 1.07                 |
        | pixKey         | the details.key sent    |
      When the scenario returns to the third payment
      Then a CashOut event arrives with:
        | externalId     | the externalId sent |
        | originalAmount | R$ 2.29             |

    Scenario Outline: A payment of <time> in São Paulo has a time in UTC
      Given the account receives cash_out webhooks
      And it is <time> in São Paulo
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives with:
        | processingDate | a UTC time |
      And the payment is listed with:
        | createdAt | the time of the request |

      Examples:
        | time  |
        | 22:30 |
        | 05:30 |

    Scenario: An externalId with an accent, if the gateway accepts it
      Given the account receives cash_out webhooks
      When the account sends a cash-out with externalId a random string of 20 characters with an accent
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "an externalId beyond letters and digits"
      And if the request was accepted, the response has:
        | externalId | the externalId sent |
      And if the request was accepted, a CashOut event arrives with:
        | externalId | the externalId sent |

  @delivery.cash-out-amounts
  @EVT-018 @EVT-019 @EVT-020 @EVT-021
  Rule: The final amount of a CashOut event is the original amount plus the fee

    Scenario Outline: R$ <amount> with a fee of R$ <fee>
      Given settlement waits for the bank
      And a cash-out fee of R$ <fee>
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ <amount>
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | originalAmount | R$ <amount> |
        | feeAmount      | R$ <fee>    |
        | finalAmount    | R$ <final>  |

      Examples:
        | amount | fee  | final |
        | 10.00  | 0.00 | 10.00 |
        | 10.00  | 0.50 | 10.50 |
        | 0.10   | 0.20 | 0.30  |
        | 0.29   | 0.07 | 0.36  |
        | 8.41   | 1.15 | 9.56  |
        | 0.01   | 0.01 | 0.02  |
        | 64.10  | 1.01 | 65.11 |
        | 33.33  | 0.34 | 33.67 |

    Scenario Outline: R$ <amount>, above a thousand
      Given a new account with R$ 5000.00 available
      And no limits
      And the account receives cash_out webhooks
      When the account sends a cash-out of R$ <amount>
      Then a CashOut event arrives with:
        | originalAmount | R$ <amount> |

      Examples:
        | amount  |
        | 1234.56 |
        | 1000.01 |

    Scenario: Four payments with one fee
      Given a cash-out fee of R$ 0.55
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 1.00
      And the account has sent a QR cash-out of R$ 2.00
      And the account has sent a cash-out of R$ 3.10
      When the account sends a cash-out of R$ 4.20
      Then a CashOut event of the second payment arrives with:
        | feeAmount   | R$ 0.55 |
        | finalAmount | R$ 2.55 |
      And a CashOut event of the third payment arrives with:
        | feeAmount   | R$ 0.55 |
        | finalAmount | R$ 3.65 |
      And a CashOut event arrives with:
        | feeAmount   | R$ 0.55 |
        | finalAmount | R$ 4.75 |

    Scenario: A fee that changes while the payment is pending
      Given settlement waits for the bank
      And a cash-out fee of R$ 0.50
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And a cash-out fee of R$ 0.75
      And the account has sent a QR cash-out of R$ 2.00
      When the bank confirms the second payment
      Then a CashOut event of the second payment arrives with:
        | feeAmount   | R$ 0.75 |
        | finalAmount | R$ 2.75 |
      When the bank confirms the first payment
      Then a CashOut event of the first payment arrives with:
        | feeAmount   | R$ 0.50  |
        | finalAmount | R$ 10.50 |

    Scenario Outline: A large <kind> of R$ <amount> with a fee of R$ <fee>
      Given an account with R$ 99999999.00 available
      And no limits
      And settlement waits for the bank
      And a cash-out fee of R$ <fee>
      And the account receives cash_out webhooks
      And the account has sent a <kind> of R$ <amount>
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | originalAmount | R$ <amount> |
        | feeAmount      | R$ <fee>    |
        | finalAmount    | R$ <final>  |
      And the payment is listed with:
        | originalAmount | R$ <amount> |
        | feeAmount      | R$ <fee>    |
        | finalAmount    | R$ <final>  |

      Examples:
        | kind        | amount      | fee  | final       |
        | cash-out    | 1234.56     | 1.15 | 1235.71     |
        | cash-out    | 21474836.49 | 0.07 | 21474836.56 |
        | QR cash-out | 1234.07     | 0.29 | 1234.36     |

    @open:when-the-fee-of-a-cash-out-is-taken
    Scenario: Four payments at four fees, settled in another order
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And a cash-out fee of R$ 0.29
      When the account sends a cash-out of R$ 10.07
      And a cash-out fee of R$ 1.15
      And the account sends a QR cash-out of R$ 20.01
      And a cash-out fee of R$ 0.41
      And the account sends a cash-out of R$ 30.41
      And a cash-out fee of R$ 0.07
      And the account sends a cash-out of R$ 5.22
      And a cash-out fee of R$ 0.00
      And the bank confirms the third payment
      And the bank confirms the payment
      And the bank confirms the second payment
      And the bank confirms the first payment
      Then a CashOut event arrives with:
        | originalAmount | R$ 5.22 |
        | feeAmount      | R$ 0.07 |
        | finalAmount    | R$ 5.29 |
      And the available balance falls by R$ 65.71 to R$ 67.63
      And the available balance should fall by R$ 67.63
      When the scenario returns to the first payment
      Then a CashOut event arrives with:
        | originalAmount | R$ 10.07 |
        | feeAmount      | R$ 0.29  |
        | finalAmount    | R$ 10.36 |
      When the scenario returns to the second payment
      Then a CashOut event arrives with:
        | originalAmount | R$ 20.01 |
        | feeAmount      | R$ 1.15  |
        | finalAmount    | R$ 21.16 |
      When the scenario returns to the third payment
      Then a CashOut event arrives with:
        | originalAmount | R$ 30.41 |
        | feeAmount      | R$ 0.41  |
        | finalAmount    | R$ 30.82 |
      And the available balance is unchanged

  @delivery.cash-out-counterpart
  @EVT-027 @EVT-028 @EVT-029 @EVT-030 @EVT-031 @EVT-032 @EVT-033 @EVT-034
  Rule: A CashOut event names the counterpart and its bank

    Scenario: The counterpart of a confirmed payment
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | counterpart                    | an object       |
        | counterpart.name               | not empty       |
        | counterpart.document           | not empty       |
        | counterpart.bank.bankISPB      | present         |
        | counterpart.bank.bankName      | present         |
        | counterpart.bank.bankCode      | present         |
        | counterpart.bank.accountBranch | null or present |
        | counterpart.bank.accountNumber | null or present |

    Scenario: A company, by its CNPJ
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out with details.document "11222333000181"
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | counterpart.name     | not empty |
        | counterpart.document | not empty |

  @delivery.left-open
  @EVT-088 @EVT-090
  Rule: Where the specification is silent, the event still arrives

    @open:method-of-a-notification
    Scenario: HTTP method and headers of an event
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives
      And the event's method is recorded for open point "method of a notification"
      And the event should be a POST
      And the event's headers are recorded for open point "headers of a notification"

    Scenario: A payment on each of five days
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 1.00
      And 24 hours pass
      And the account has sent a QR cash-out of R$ 2.00
      And 24 hours pass
      And the account has sent a cash-out of R$ 3.00
      And 24 hours pass
      And the account has sent a cash-out of R$ 4.00
      When 24 hours pass
      And the account sends a cash-out of R$ 5.00
      Then a CashOut event of each payment arrives at each URL

    Scenario: Two accounts' payments in turn, at one URL
      Given a new account with R$ 100.00 available
      And another new account with R$ 100.00 available
      And the account receives cash_out webhooks
      And the other account has sent a webhook registration with url the account's url
      When the other account sends a cash-out
      Then a CashOut event of the first payment arrives
      When the other account sends a cash-out
      Then a CashOut event of the second payment arrives
      When the account sends a cash-out
      Then a CashOut event of the third payment arrives
      When the other account sends a cash-out
      Then a CashOut event arrives

    Scenario: A webhook endpoint that fails for a while
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      And the bank confirms the payment
      And a CashOut event arrives
      And the webhook endpoint returns 500
      And the account has sent a cash-out
      When the bank confirms the payment
      Then a CashOut event arrives
      When the webhook endpoint returns 200
      And 15 minutes pass
      And 15 minutes pass
      Then whether the event arrives again is recorded for open point "retry after a failed delivery"

    Scenario: A rejected payment sent again
      Given the key directory has a new key for a closed account
      And the account receives cash_out webhooks
      And the account has sent a cash-out with details.key that key
      And a CashOut event arrives
      When the account sends a cash-out with details.key that key
      Then the request is accepted
      And a CashOut event arrives
      And the event's errorCode is recorded for open point "errorCode of a payment sent again"

    @open:finalAmount-of-a-rejected-cash-out
    Scenario: The amounts of a rejected payment
      Given settlement waits for the bank
      And a cash-out fee of R$ 0.50
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives
      And the event should have:
        | originalAmount | R$ 10.00             |
        | finalAmount    | R$ 10.50 or R$ 10.00 |
      And the event's finalAmount is recorded for open point "finalAmount of a rejected cash-out"
