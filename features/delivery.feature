Feature: Webhook delivery
  The gateway sends an event to every active URL that the account registered for it.

  Background:
    Given an account with R$ 100.00 available

  @delivery.every-url
  @WHK-039 @EVT-002
  Rule: An event goes to every active URL of its type

    Scenario: Three URLs
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks at 3 URLs
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives at each URL

    Scenario: A URL that fails does not hold up the others
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks at 3 URLs
      And the first receiver answers 500
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives at each URL

    Scenario: A URL with a query
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with url a URL with a query
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives
      And the query of the URL has arrived

    Scenario: One URL
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives at each URL

  @delivery.own-type
  @WHK-040
  Rule: An event goes to no URL of another type

    Scenario Outline: A URL for <other> stays quiet
      Given the account receives <other> webhooks
      And the account receives cash_out webhooks
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives
      And nothing arrives for <other>

      Examples:
        | other        |
        | cash_in      |
        | refund_in    |
        | refund_out   |
        | med_created  |
        | med_accepted |
        | med_rejected |

  @delivery.own-account
  @EVT-091
  Rule: An event goes to no other account

    Scenario: Another account's URL stays quiet
      Given another account
      And the other account receives cash_out webhooks
      And the account receives cash_out webhooks
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives
      And nothing arrives at the other account

    Scenario Outline: <event> stays with its own account
      Given another account
      And the other account receives <event> webhooks
      And the account receives <event> webhooks
      And the account has been paid R$ 10.00 for a <charge>
      When <happening>
      Then a <event> event arrives
      And nothing arrives at the other account

      Examples:
        | event       | charge  | happening                                      |
        | cash_in     | cash-in | the account sends a balance request      |
        | med_created | cob     | a MED case is opened against the payment |
        | refund_in   | cob     | the account sends a refund of R$ 4.00    |

  @delivery.custom-headers
  @WHK-034 @EVT-008
  Rule: The custom headers travel with each event

    Scenario: One header
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks with header X-Pixcert-Secret "abc 123"
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives with header X-Pixcert-Secret "abc 123"

    Scenario: Two headers
      Given a new account with R$ 100.00 available
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"2"}]
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives with header X-Pixcert-A "1"
      And a CashOut event arrives with header X-Pixcert-B "2"

    Scenario: Each URL has its own
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks with header X-Pixcert-Secret "one"
      And the account receives cash_out webhooks with header X-Pixcert-Secret "two"
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives with header X-Pixcert-Secret "one"
      And a CashOut event arrives at the last URL with header X-Pixcert-Secret "two"

    Scenario: Headers given anew
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks with header X-Pixcert-Secret "old"
      And the account receives cash_out webhooks at the same URL with header X-Pixcert-Secret "new"
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives with header X-Pixcert-Secret "new"

  @delivery.json
  @EVT-009
  Rule: An event is an HTTP request with a JSON body

    Scenario: The request
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives with:
        | event | "CashOut" |

  @delivery.cash-out-payload
  @GEN-006 @OUT-058 @OUT-059 @EVT-010 @EVT-011 @EVT-012 @EVT-013 @EVT-014 @EVT-015 @EVT-016 @EVT-017
  @EVT-022 @EVT-023 @EVT-024 @EVT-025 @EVT-026 @EVT-035 @EVT-040
  Rule: The CashOut event tells which payment it is about and what became of it

    Scenario: A confirmed payment
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms it
      Then a CashOut event arrives with:
        | event           | "CashOut"               |
        | status          | "CONFIRMED"             |
        | transactionType | a text                  |
        | movementType    | "DEBIT"                 |
        | transactionId   | the first transactionId |
        | externalId      | the externalId sent     |
        | endToEndId      | a text                  |
        | pixKey          | the details.key sent    |
        | processingDate  | the time of the call    |
        | errorCode       | null                    |
        | errorMessage    | null                    |
        | metadata        | an object               |

    Scenario: A rejected payment
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank rejects it with ORDER_REJECTED
      Then a CashOut event arrives with:
        | event           | "CashOut"               |
        | status          | "ERROR"                 |
        | transactionType | a text                  |
        | movementType    | "DEBIT"                 |
        | transactionId   | the first transactionId |
        | externalId      | the externalId sent     |
        | errorCode       | "ORDER_REJECTED"        |
        | errorMessage    | a text                  |
        | processingDate  | the time of the call    |
        | metadata        | an object               |

    Scenario: Each payment has an end-to-end id of its own
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then a CashOut event arrives
      When the account sends a cash-out
      Then a CashOut event arrives
      And both events differ in endToEndId

  @delivery.cash-out-amounts
  @EVT-018 @EVT-019 @EVT-020 @EVT-021
  Rule: The final amount of a CashOut event is the original amount and the fee

    Scenario Outline: R$ <amount> with a fee of R$ <fee>
      Given settlement waits for the bank
      And a cash-out fee of R$ <fee>
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ <amount>
      When the bank confirms it
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

  @delivery.cash-out-counterpart
  @EVT-027 @EVT-028 @EVT-029 @EVT-030 @EVT-031 @EVT-032 @EVT-033 @EVT-034
  Rule: A CashOut event names the counterpart and its bank

    Scenario: The counterpart of a confirmed payment
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms it
      Then a CashOut event arrives with:
        | counterpart                    | an object                  |
        | counterpart.name               | not empty                  |
        | counterpart.document           | not empty                  |
        | counterpart.bank.bankISPB      | present                    |
        | counterpart.bank.bankName      | present                    |
        | counterpart.bank.bankCode      | present                    |
        | counterpart.bank.accountBranch | null or present            |
        | counterpart.bank.accountNumber | null or present            |

  @delivery.left-open
  @EVT-088 @EVT-090
  Rule: An event arrives, in whatever way the specification leaves open

    @open:method-of-a-notification
    Scenario: Method and headers of a notification
      Given the account receives cash_out webhooks
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives
      And the event's method is noted as "method of a notification"
      And the event should be a POST
      And the event's headers are noted as "headers of a notification"

    Scenario: A receiver that fails for a while
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the receiver answers 500
      And the account has sent a cash-out
      When the bank confirms it
      Then a CashOut event arrives
      When the receiver answers 200
      And 15 minutes pass
      And 15 minutes pass
      Then it is noted as "retry after a failed delivery" whether the event arrives again

    Scenario: A rejected payment sent anew
      Given the key directory holds a fresh key for a closed account
      And the account receives cash_out webhooks
      And the account has sent a cash-out with details.key that key
      And a CashOut event arrives
      When the account sends a cash-out with details.key that key
      Then it is accepted
      And a CashOut event arrives
      And the event's errorCode is noted as "errorCode of a payment sent anew"

    @open:finalAmount-of-a-rejected-cash-out
    Scenario: The amounts of a rejected payment
      Given settlement waits for the bank
      And a cash-out fee of R$ 0.50
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      When the bank rejects it with ORDER_REJECTED
      Then a CashOut event arrives
      And the event should hold:
        | originalAmount | R$ 10.00             |
        | finalAmount    | R$ 10.50 or R$ 10.00 |
      And the event's finalAmount is noted as "finalAmount of a rejected cash-out"
