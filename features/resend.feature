Feature: Resending the webhook of a transaction
  POST /api/resend-webhook/{transactionIdentifier} sends a transaction's event again, to the
  registered URL or to the URL in the request.

  Background:
    Given an account with R$ 100.00 available
    And settlement waits for the bank
    And the account receives cash_out webhooks
    And the account has sent a cash-out of R$ 10.00
    And the bank confirms the payment
    And a CashOut event arrives

  @resend.answer
  @GEN-001 @GEN-006 @RSD-001 @RSD-006 @RSD-014 @RSD-015 @RSD-016 @RSD-017 @RSD-018 @RSD-019
  Rule: The response reports the destination's response

    Scenario: The response
      When the account sends a resend request
      Then the request is accepted with 200
      And the response has:
        | message      | a non-empty string      |
        | webhookLogId | a number                |
        | sentAt       | the time of the request |
        | statusCode   | 200                     |

    Scenario Outline: A resend of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a resend request
      Then the request is accepted with 200
      And the response has:
        | sentAt | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 31 December |

    Scenario Outline: A destination that <responds>
      Given the webhook endpoint <responds>
      When the account sends a resend request
      Then the request is accepted with 200
      And the response has:
        | statusCode | <status> |
      When the account sends a resend request with url a new URL
      Then the request is accepted with 200
      And the response has:
        | statusCode | 200 |

      Examples:
        | responds                     | status |
        | returns 201                  | 201    |
        | returns 202                  | 202    |
        | returns 204 after a second   | 204    |
        | returns 202 compressed       | 202    |
        | returns 200 as HTML          | 200    |
        | returns 200 with a long body | 200    |
        | returns 200 in chunks        | 200    |

    Scenario Outline: A destination that fails: it <responds>
      Given the webhook endpoint <responds>
      When the account sends a resend request
      Then the request is accepted with 200, or rejected with 500 or 502 or 503 or 504
      And if the request was accepted, the response has:
        | statusCode | <status> |
      And the response's status is recorded for open point "resend to a destination that fails"

      Examples:
        | responds                        | status |
        | returns 500                     | 500    |
        | returns 404                     | 404    |
        | returns 410                     | 410    |
        | returns 503 after a second      | 503    |
        | redirects to a new URL with 302 | 302    |
        | redirects to a new URL with 307 | 307    |

    Scenario: Each of twelve resends has its own log entry
      When the account sends 12 concurrent resend requests
      Then every request is accepted
      When the account sends a resend request
      Then the request is accepted
      And the two responses differ in webhookLogId

  @resend.same-event
  @RSD-006 @RSD-020 @RSD-021
  Rule: The event of the transaction is delivered again

    Scenario: To the registered URL
      When the account sends a resend request
      Then the request is accepted
      And the CashOut event arrives again
      And the event has:
        | event         | "CashOut"               |
        | status        | "CONFIRMED"             |
        | transactionId | the first transactionId |

    Scenario Outline: A <request> that was <ended>, by each identifier, to each URL, three times
      Given a cash-out fee of R$ 0.29
      And the account has sent a <request> of R$ 10.07
      And the bank <decides>
      And a CashOut event of the second payment arrives
      When the account sends a resend request for every pair of:
        | path transactionIdentifier  | url       |
        | the account's externalId    | absent    |
        | the endToEndId of the event | a new URL |
      Then every request is accepted
      When the account sends a resend request with path transactionIdentifier the account's externalId
      Then the request is accepted
      And the CashOut event of the second payment arrives again
      And the event has:
        | status         | "<status>"          |
        | externalId     | the externalId sent |
        | originalAmount | R$ 10.07            |
        | feeAmount      | <fee>               |

      Examples:
        | request     | ended     | decides                                 | status    | fee      |
        | cash-out    | confirmed | confirms the payment                    | CONFIRMED | R$ 0.29  |
        | QR cash-out | confirmed | confirms the payment                    | CONFIRMED | R$ 0.29  |
        | cash-out    | rejected  | rejects the payment with ORDER_REJECTED | ERROR     | a number |

    Scenario: A cash-in, by each identifier, to each URL, three times
      Given the account receives cash_in webhooks
      And the account has received R$ 10.07 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      And a cash_in event arrives
      When the account sends a resend request for every pair of:
        | path transactionIdentifier           | url       |
        | the account's transaction.externalId | absent    |
        | its endToEndId                       | a new URL |
      Then every request is accepted
      When the account sends a resend request with path transactionIdentifier its endToEndId
      Then the request is accepted
      And the cash_in event arrives again

    Scenario: A cob, a transfer and a refund, to each URL, three times, if the gateway resends them
      Given the account receives webhooks of every type
      And the key directory has a new e-mail key
      And the account has sent a transfer of R$ 8.41
      And the bank confirms the payment
      And a TRANSFER event of the second payment arrives
      When the account sends a resend request for every pair of:
        | path transactionIdentifier  | url       |
        | the endToEndId of the event | absent    |
        |                             | a new URL |
      Then every request is accepted, or rejected with 404
      When the account has received R$ 10.07 through a cob
      Then a RECEIVE event arrives
      When the account sends a resend request for every pair of:
        | path transactionIdentifier | url       |
        | its endToEndId             | absent    |
        |                            | a new URL |
      Then every request is accepted, or rejected with 404
      When the account sends a refund of R$ 4.29
      Then the request is accepted
      And a REFUND event arrives
      When the account sends a resend request for every pair of:
        | path transactionIdentifier | url       |
        | the rtrId returned         | absent    |
        |                            | a new URL |
      Then every request is accepted, or rejected with 400 or 404

    Scenario: A resend moves no money
      Given the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then the request is accepted
      And the available balance is unchanged
      And the payment is listed as before
      When 1 hours pass
      And the account sends a resend request
      And the account sends a resend request
      Then the request is accepted
      And the available balance is unchanged
      And the payment is listed as before

    Scenario: Each of three payments, in another order
      Given the account has sent a QR cash-out of R$ 2.07
      And the bank rejects the payment with ACCOUNT_CLOSED
      And a CashOut event of the second payment arrives
      And the account has sent a cash-out of R$ 3.29
      And the bank confirms the payment
      And a CashOut event of the third payment arrives
      When the account sends a resend request with path transactionIdentifier the account's second externalId
      Then the request is accepted
      And the CashOut event of the second payment arrives again
      And the event has:
        | status     | "ERROR"             |
        | externalId | the externalId sent |
        | errorCode  | "ACCOUNT_CLOSED"    |
      When the account sends a resend request with path transactionIdentifier the account's first externalId
      Then the request is accepted
      And the CashOut event of the first payment arrives again
      And the event has:
        | status     | "CONFIRMED"         |
        | externalId | the externalId sent |
        | errorCode  | null                |
      When the account sends a resend request with path transactionIdentifier the account's third externalId
      Then the request is accepted
      And the CashOut event of the third payment arrives again
      When the account sends a resend request with path transactionIdentifier the account's first externalId
      Then the request is accepted
      And the CashOut event of the first payment arrives again

    Scenario: After the fee has changed and the money was returned in part
      Given a cash-out fee of R$ 0.50
      And the account has sent a cash-out of R$ 5.00
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      And a cash-out fee of R$ 0.75
      And the payee returns R$ 2.00
      When the account sends a resend request
      Then the request is accepted
      And the CashOut event of the second payment arrives again
      And the event has:
        | status         | "CONFIRMED" |
        | originalAmount | R$ 5.00     |
        | feeAmount      | R$ 0.50     |
        | finalAmount    | R$ 5.50     |

    Scenario: A day later
      When 25 hours pass
      And the account sends a resend request
      Then the request is accepted
      And the CashOut event arrives again

    Scenario: A received payment, before and after a refund
      Given the account receives cash_in webhooks
      And the account receives refund_in webhooks
      And the account has received R$ 10.00 through a cob
      And a RECEIVE event arrives
      When the account sends a resend request with path transactionIdentifier its endToEndId
      Then the request is accepted, or rejected with 404
      And if the request was accepted, the RECEIVE event arrives again
      When the account sends a refund of R$ 4.00
      Then the request is accepted
      And a REFUND event arrives
      When the account sends a resend request with path transactionIdentifier its endToEndId
      Then the request is accepted, or rejected with 404
      And if the request was accepted, the RECEIVE event arrives again
      And if the request was accepted, the response has:
        | statusCode | 200 |

    @open:headers-of-a-resent-webhook
    Scenario: With the custom headers
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks with header X-Pixcert-Secret "abc 123"
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And a CashOut event arrives
      When the account sends a resend request
      Then the request is accepted
      And the CashOut event should arrive again with header X-Pixcert-Secret "abc 123"

  @resend.identifier
  @RSD-002 @RSD-003 @RSD-004 @RSD-023
  Rule: A resend accepts the externalId and the endToEndId, and should accept the numeric id

    Scenario: By its externalId
      When the account sends a resend request with path transactionIdentifier the account's externalId
      Then the request is accepted
      And the CashOut event arrives again

    Scenario: By its endToEndId
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then the request is accepted
      And the CashOut event arrives again

    Scenario: The first of five payments, more than a month later
      Given the account has sent a cash-out of R$ 1.00
      And the account has sent a QR cash-out of R$ 2.00
      And the account has sent a cash-out of R$ 3.00
      And the account has sent a cash-out of R$ 4.00
      When the account sends a resend request with path transactionIdentifier the account's first externalId
      Then the request is accepted
      And the CashOut event of the first payment arrives again
      When 35 days pass
      And the account sends a resend request with path transactionIdentifier the account's first externalId
      Then the request is accepted
      And the CashOut event of the first payment arrives again

    Scenario Outline: An externalId that is <externalId>
      Given the account has sent a cash-out with externalId <externalId>
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      When the account sends a resend request with path transactionIdentifier the account's externalId
      Then the request is accepted
      And the CashOut event of the second payment arrives again

      Examples:
        | externalId                                               |
        | a random string of 20 letters and digits starting with E |
        | a random string of 20 letters and digits starting with D |
        | a random string of 32 letters and digits starting with E |
        | a random string of 32 letters and digits starting with D |

    Scenario Outline: An externalId with <mark>, if the gateway accepts it
      Given the account has sent a cash-out with externalId a random string of 30 characters with <mark>, if the gateway accepts it
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      When the account sends a resend request with path transactionIdentifier the account's externalId
      Then the request is accepted
      And the CashOut event of the second payment arrives again

      Examples:
        | mark      |
        | a space   |
        | an accent |
        | a dot     |

    @open:an-externalId-with-a-slash
    Scenario: An externalId with a slash, if the gateway accepts it
      Given the account has sent a cash-out with externalId a random string of 30 characters with a slash, if the gateway accepts it
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      When the account sends a resend request with path transactionIdentifier the account's externalId
      Then the request should be accepted

    Scenario: A QR cash-out, by each of them
      Given the account has sent a QR cash-out of R$ 2.07
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then the request is accepted
      And the CashOut event of the second payment arrives again
      When the account sends a resend request with path transactionIdentifier the account's second externalId
      Then the request is accepted
      And the CashOut event of the second payment arrives again
      When the account sends a resend request with path transactionIdentifier the account's first externalId
      Then the request is accepted
      And the CashOut event of the first payment arrives again
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then the request is accepted
      And the CashOut event of the first payment arrives again

    Scenario: A cash-in, by each of them
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      And the account has received R$ 9.00 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      And a cash_in event arrives
      When the account sends a resend request with path transactionIdentifier its endToEndId
      Then the request is accepted
      And the cash_in event of the second charge arrives again
      When the account sends a resend request with path transactionIdentifier the account's transaction.externalId
      Then the request is accepted
      And the cash_in event of the second charge arrives again
      When the account sends a resend request with path transactionIdentifier the account's first transaction.externalId
      Then the request is accepted
      And the cash_in event of the first charge arrives again

    Scenario: A cob, by its endToEndId
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cob
      And a RECEIVE event arrives
      And the account has received R$ 9.00 through a cob
      And a RECEIVE event of the second charge arrives
      When the account sends a resend request with path transactionIdentifier its endToEndId
      Then the request is accepted, or rejected with 404
      And if the request was accepted, the RECEIVE event of the second charge arrives again
      And no cash_out event arrives

    Scenario: A transfer, by the endToEndId of its event
      Given the key directory has a new e-mail key
      And the account has sent a transfer of R$ 8.41
      And the bank confirms the payment
      And a TRANSFER event of the second payment arrives
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then the request is accepted, or rejected with 404
      And if the request was accepted, the TRANSFER event of the second payment arrives again

    @open:resend-by-the-number-of-a-MED-case
    Scenario: By its numeric id, as returned in a MED case
      Given a new account with R$ 100.00 available
      And the account receives webhooks of every type
      And the account has received R$ 10.00 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      And a cash_in event arrives
      And a MED case is opened against the payment
      And the account has sent a MED list request
      When the account sends a resend request with path transactionIdentifier the data[0].originalTransactionId returned
      Then the request is accepted, or rejected with 404
      And the request should be accepted
      And the response's status is recorded for open point "resend by the number of a MED case"

    Scenario: By its transactionId
      When the account sends a resend request with path transactionIdentifier the transactionId returned
      Then the request is accepted, or rejected with 400 or 404
      And the response's status is recorded for open point "resend by the transactionId"

    Scenario: An endToEndId of another transaction
      When the account sends a resend request with path transactionIdentifier a random end-to-end id
      Then the request is rejected with 404

  @resend.temporary-url
  @GEN-002 @RSD-008 @RSD-009 @RSD-010 @RSD-011 @RSD-012
  Rule: A URL in the request is used once

    Scenario: The event goes to that URL and not to the registered one
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And the payment is listed with:
        | status | "Confirmado" |
      And the account receives cash_out webhooks
      When the account sends a resend request with url a new URL
      Then the request is accepted
      And the CashOut event arrives at that URL
      And no event arrives

    Scenario: Resends to different URLs at the same instant
      Given the account has sent a QR cash-out of R$ 2.00
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      When the account sends concurrent resend requests for every pair of:
        | path transactionIdentifier      | url                |
        | the account's first externalId  | a new URL          |
        | the account's second externalId | a URL with a query |
      Then every request is accepted

    Scenario: Later resends and events go to the registered URL
      Given the account has sent a QR cash-out of R$ 2.00
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      And the account has sent a resend request with:
        | path transactionIdentifier | the account's first externalId |
        | url                        | a new URL                      |
      When the account sends a resend request with path transactionIdentifier the account's second externalId
      Then the request is accepted
      And the CashOut event of the second payment arrives again
      And no event arrives at that URL
      When the account sends a cash-out of R$ 3.00
      And the bank confirms the payment
      Then a CashOut event of the third payment arrives
      And no event arrives at that URL

    Scenario: A URL that was used twice
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And a CashOut event arrives
      And the account has sent a resend request with url a new URL
      And the account has sent a resend request with url the account's url
      And the account has sent a resend request with url the account's url
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      When the account sends a cash-out
      Then a CashOut event arrives
      And no event arrives at that URL

    Scenario: Each resend goes to the URL of its own request
      Given the account has sent a QR cash-out of R$ 2.00
      And the bank confirms the payment
      And a CashOut event of the second payment arrives
      And the account has sent a resend request with:
        | path transactionIdentifier | the account's first externalId |
        | url                        | a new URL                      |
      When the account sends a resend request with:
        | path transactionIdentifier | the account's second externalId |
        | url                        | a URL with a query              |
      Then the request is accepted
      And the response has:
        | statusCode | 200 |
      And the CashOut event arrives at that URL
      And the event's request includes the URL's query string

    Scenario: A cash-in
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      And a cash_in event arrives
      When the account sends a resend request with:
        | path transactionIdentifier | its endToEndId                 |
        | url                        | a URL with repeated parameters |
      Then the request is accepted
      And the cash_in event arrives at that URL

    Scenario: No registration is needed
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request with url a URL with an escaped path
      Then the request is accepted
      And the CashOut event arrives at that URL
      When the account sends a resend request with url a URL with capitals
      Then the request is accepted
      And the CashOut event arrives at that URL

    Scenario: The body is optional
      When the account sends a resend request whose body is {}
      Then the request is accepted
      And the CashOut event arrives again

  @resend.registered-url
  @RSD-013
  Rule: Without a URL, the resend goes to the URL registered for the transaction's event type

    Scenario: A URL of another type receives nothing
      Given the account receives cash_in webhooks
      When the account sends a resend request
      Then the request is accepted
      And the CashOut event arrives again
      And no cash_in event arrives

    Scenario: A cash-in, to the URL for cash_in
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      And a cash_in event arrives
      When the account sends a resend request
      Then the request is accepted
      And the cash_in event arrives again
      And no cash_out event arrives

    Scenario: A refund, to the URL for refund_in
      Given the account receives cash_in webhooks
      And the account receives refund_in webhooks
      And the account has received R$ 10.00 through a cob
      And the account has sent a refund of R$ 4.00
      And a REFUND event arrives
      When the account sends a resend request with path transactionIdentifier the rtrId returned
      Then the request is accepted, or rejected with 400 or 404
      And if the request was accepted, the refund_in event arrives again

  @resend.no-url
  @RSD-022
  Rule: Without any URL, the resend is rejected with 400

    Scenario: Nothing is registered
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then the request is rejected with 400

    Scenario: Only another type is registered
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_in webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then the request is rejected with 400
      And no cash_in event arrives

    Scenario: Still after a resend to a URL in the request
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And the payment is listed with:
        | status | "Confirmado" |
      And the account has sent a resend request with url a new URL
      When the account sends a resend request
      Then the request is rejected with 400
      When the account sends a resend request with url a new URL
      Then the request is accepted
      When the account sends a resend request
      Then the request is rejected with 400

    Scenario Outline: A received payment: only the URL for <other>
      Given a new account with R$ 100.00 available
      And the account receives <other> webhooks
      And the account has received R$ 10.00 through a cash-in
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then the request is rejected with 400
      And no <other> event arrives

      Examples:
        | other     |
        | cash_out  |
        | refund_in |

  @resend.unknown
  @RSD-005 @RSD-023 @RSD-024
  Rule: An unknown transaction, or another account's, returns 404

    Scenario: Unknown
      When the account sends a resend request with path transactionIdentifier no-such-order
      Then the request is rejected with 404

    Scenario Outline: Nearly an identifier: <identifier>
      When the account sends a resend request with path transactionIdentifier <identifier>
      Then the request is rejected with 404

      Examples:
        | identifier                                          |
        | the account's externalId without the last character |
        | the account's externalId plus one letter            |
        | the account's externalId with the case swapped      |

    Scenario Outline: Nearly an endToEndId: <identifier>
      Given the account has received R$ 10.00 through a cob
      When the account sends a resend request with path transactionIdentifier <identifier>
      Then the request is rejected with 400 or 404

      Examples:
        | identifier                                   |
        | its endToEndId with the case swapped         |
        | its endToEndId without the last character    |
        | its endToEndId plus one letter               |
        | its endToEndId with X as the first character |

    Scenario: Another account's payment with the same externalId
      Given another new account with R$ 100.00 available
      And a new account with R$ 100.00 available
      And the other account has sent a cash-out of R$ 1.29
      And the account receives cash_out webhooks
      And the account has sent a cash-out with:
        | value      | 3.07                           |
        | externalId | the other account's externalId |
      And a CashOut event arrives
      When the account sends a resend request with path transactionIdentifier the account's externalId
      Then the request is accepted
      And the CashOut event arrives again
      And the event has:
        | originalAmount | R$ 3.07 |

    Scenario Outline: Another account's received payment, a <charge>
      Given another account
      And the other account receives cash_in webhooks
      And the account has received R$ 10.00 through a <charge>
      When the other account sends a resend request with path transactionIdentifier its endToEndId
      Then the request is rejected with 404
      And no event arrives at the other account
      When the other account sends a resend request with:
        | path transactionIdentifier | its endToEndId |
        | url                        | a new URL      |
      Then the request is rejected with 404
      And no event arrives at that URL

      Examples:
        | charge  |
        | cash-in |
        | cob     |

    Scenario: Another account's
      Given another account
      And the other account receives cash_out webhooks
      When the other account sends a resend request with path transactionIdentifier the account's externalId
      Then the request is rejected with 404
      And no event arrives at the other account

    Scenario: Another account's, by its endToEndId
      Given another account
      And the other account receives cash_out webhooks
      When the other account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then the request is rejected with 404

    Scenario: Another account's refund, by its rtrId
      Given the account receives refund_in webhooks
      And the account has received R$ 10.00 through a cob
      And the account has sent a refund of R$ 4.00
      And another account
      When the other account sends a resend request with:
        | path transactionIdentifier | the rtrId returned |
        | url                        | a new URL          |
      Then the request is rejected with 400 or 404
      And no event arrives at that URL

  @resend.rate-limit
  @RSD-025 @RSD-026 @RSD-027 @RSD-028
  Rule: 60 resends per minute are accepted, and at most one more

    Background:
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And a CashOut event arrives

    Scenario: 60 resends
      When the account sends 60 concurrent resend requests
      Then every request is accepted

    Scenario: 60 resends to a destination that fails
      Given the webhook endpoint returns 500
      When the account sends 40 concurrent resend requests
      Then every request is accepted, or rejected with 400 or 500 or 502 or 503 or 504
      When the account sends 20 concurrent resend requests
      Then every request is accepted, or rejected with 400 or 500 or 502 or 503 or 504

    Scenario: 62 resends
      When the account sends 62 concurrent resend requests
      Then 60 or 61 requests are accepted
      And the others are rejected with 429
      And the others have:
        | statusCode  | 429                                     |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |

    Scenario: A limit of 2 requests per minute
      Given a limit of 2 requests per minute
      When the account sends 8 concurrent resend requests
      Then 2 or 3 requests are accepted
      And the others are rejected with 429

    Scenario: Resends are accepted again after a minute
      Given the account sends 62 concurrent resend requests
      When 61 seconds pass
      And the account sends a resend request
      Then the request is accepted

    Scenario: The limit is the same in the next minute
      Given the account sends 62 concurrent resend requests
      When 61 seconds pass
      And the account sends 62 concurrent resend requests
      Then 60 or 61 requests are accepted
      And the others are rejected with 429

  @resend.left-open
  @RSD-004 @RSD-023 @RSD-029
  Rule: Where the specification is silent, the gateway either resends the event or rejects the request

    Scenario: A destination that cannot be reached
      When the account sends a resend request with url "https://127.0.0.1:9/nobody"
      Then the request is accepted, or rejected with 400 or 403 or 404 or 408 or 409 or 422 or 424 or 500 or 502 or 503 or 504
      And the response's status is recorded for open point "resend to a destination that cannot be reached"

    Scenario: A URL that is not HTTPS
      When the account sends a resend request with url "http://127.0.0.1:9/nobody"
      Then the request is accepted, or rejected with 400 or 403 or 404 or 408 or 409 or 422 or 424 or 500 or 502 or 503 or 504
      And the response's status is recorded for open point "resend to a URL that is not HTTPS"

    Scenario: A number as URL
      When the account sends a resend request with url 1
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "resend to a number"

    Scenario: A word as URL
      When the account sends a resend request with url "x"
      Then the request is accepted, or rejected with 400 or 403 or 404 or 408 or 409 or 422 or 424 or 500 or 502 or 503 or 504
      And the response's status is recorded for open point "resend to a malformed URL"

    Scenario: The format of the endToEndId
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then the request is accepted
      And the event's endToEndId is recorded for open point "endToEndId that a resend accepts"

    Scenario: Rejected resends and the limit
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks
      And the account sends 60 concurrent resend requests
      And every request is rejected with 404
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request
      Then the request is accepted, or rejected with 429
      And the response's status is recorded for open point "resend after 60 that were rejected"

    Scenario: The code of a rejected resend
      When the account sends a resend request with path transactionIdentifier no-such-order
      Then the request is rejected with 404
      And the response's code is recorded for open point "resend of an unknown transaction"

    Scenario: A pending payment
      Given the account has sent a cash-out of R$ 10.00
      When the account sends a resend request
      Then the request is accepted, or rejected with 400 or 404 or 409 or 422
      And the response's status is recorded for open point "resend of a pending payment"
