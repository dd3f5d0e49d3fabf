Feature: Resending the webhook of a transaction
  POST /api/resend-webhook/{transactionIdentifier} sends the event of a transaction again,
  to the registered URL or to one given in the request.

  Background:
    Given an account with R$ 100.00 available
    And settlement waits for the bank
    And the account receives cash_out webhooks
    And the account has sent a cash-out of R$ 10.00
    And the bank confirms it
    And a CashOut event arrives

  @resend.answer
  @GEN-001 @GEN-006 @RSD-001 @RSD-006 @RSD-014 @RSD-015 @RSD-016 @RSD-017 @RSD-018 @RSD-019
  Rule: The answer tells what the destination said

    Scenario: The answer
      When the account sends a resend request
      Then it is accepted with 200
      And the answer has:
        | message      | a text               |
        | webhookLogId | a number             |
        | sentAt       | the time of the call |
        | statusCode   | 200                  |

    Scenario: A destination that answers 202
      Given the receiver answers 202
      When the account sends a resend request
      Then it is accepted with 200
      And the answer has:
        | statusCode | 202 |

    Scenario Outline: A destination that fails with <status>
      Given the receiver answers <status>
      When the account sends a resend request
      Then it is accepted with 200, or refused with 500 or 502 or 503 or 504
      And if it was accepted, the answer has:
        | statusCode | <status> |
      And its status is noted as "resend to a destination that fails"

      Examples:
        | status |
        | 500    |
        | 404    |

    Scenario: Each resend is logged by itself
      When the account sends a resend request
      And the account sends a resend request
      Then it is accepted
      And both answers differ in webhookLogId

  @resend.same-event
  @RSD-006 @RSD-020 @RSD-021
  Rule: The event of the transaction is delivered again

    Scenario: To the registered URL
      When the account sends a resend request
      Then it is accepted
      And the CashOut event arrives again
      And the event holds:
        | event         | "CashOut"               |
        | status        | "CONFIRMED"             |
        | transactionId | the first transactionId |

    Scenario: It changes nothing
      Given the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then it is accepted
      And available is unchanged
      And the payment is listed as before

    @open:headers-of-a-resent-webhook
    Scenario: With the custom headers
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks with header X-Pixcert-Secret "abc 123"
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And a CashOut event arrives
      When the account sends a resend request
      Then it is accepted
      And the CashOut event should arrive again with header X-Pixcert-Secret "abc 123"

  @resend.identifier
  @RSD-002 @RSD-003 @RSD-004 @RSD-023
  Rule: The transaction is named by its externalId or its endToEndId, and should be by its id

    Scenario: By its externalId
      When the account sends a resend request with path transactionIdentifier the externalId of the account
      Then it is accepted
      And the CashOut event arrives again

    Scenario: By its endToEndId
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then it is accepted
      And the CashOut event arrives again

    @open:resend-by-the-number-of-a-MED-case
    Scenario: By its numeric id, as a MED case tells it
      Given a new account with R$ 100.00 available
      And the account receives webhooks of every type
      And the account has been paid R$ 10.00 for a cash-in
      And a cash_in event arrives
      And a MED case is opened against the payment
      And the account has sent a MED list request
      When the account sends a resend request with path transactionIdentifier the data[0].originalTransactionId answered
      Then it is accepted, or refused with 404
      And it should be accepted
      And its status is noted as "resend by the number of a MED case"

    Scenario: By its transactionId
      When the account sends a resend request with path transactionIdentifier the transactionId answered
      Then it is accepted, or refused with 400 or 404
      And its status is noted as "resend by the transactionId"

    Scenario: An endToEndId of another transaction
      When the account sends a resend request with path transactionIdentifier a fresh end-to-end id
      Then it is refused with 404

  @resend.temporary-url
  @GEN-002 @RSD-008 @RSD-009 @RSD-010 @RSD-011 @RSD-012
  Rule: A URL in the request is used for this time alone

    Scenario: It receives the event, and the registered one does not
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And the payment is listed with:
        | status | "Confirmado" |
      And the account receives cash_out webhooks
      When the account sends a resend request with url a fresh URL
      Then it is accepted
      And the CashOut event arrives at that URL
      And nothing arrives

    Scenario: It is not kept
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And a CashOut event arrives
      When the account sends a resend request with url a fresh URL
      Then it is accepted
      When the account sends a webhook list request
      Then it is accepted
      And the answer has:
        | webhooks | 1 item |
        | total    | 1      |
      And the last registration is listed as it was sent

    Scenario: The next time the registered URL is used again
      Given the account has sent a resend request with url a fresh URL
      When the account sends a resend request
      Then it is accepted
      And the CashOut event arrives again

    Scenario: It needs no registration
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request with url a fresh URL
      Then it is accepted
      And the CashOut event arrives at that URL

    Scenario: The body is optional
      When the account sends a resend request whose body is {}
      Then it is accepted
      And the CashOut event arrives again

  @resend.registered-url
  @RSD-013
  Rule: Without a URL the one for the transaction's own type of event is used

    Scenario: Another type stays quiet
      Given the account receives cash_in webhooks
      When the account sends a resend request
      Then it is accepted
      And the CashOut event arrives again
      And nothing arrives for cash_in

    Scenario: A cash-in, by the URL for cash_in
      Given the account receives cash_in webhooks
      And the account has been paid R$ 10.00 for a cash-in
      And a cash_in event arrives
      When the account sends a resend request
      Then it is accepted
      And the cash_in event arrives again
      And nothing arrives for cash_out

  @resend.no-url
  @RSD-022
  Rule: Without any URL it is refused with 400

    Scenario: Nothing is registered
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then it is refused with 400

    Scenario: Only another type is registered
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_in webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then it is refused with 400
      And nothing arrives for cash_in

  @resend.unknown
  @RSD-023 @RSD-024
  Rule: An unknown transaction is a 404, another account's too

    Scenario: Unknown
      When the account sends a resend request with path transactionIdentifier no-such-order
      Then it is refused with 404

    Scenario: Another account's
      Given another account
      And the other account receives cash_out webhooks
      When the other account sends a resend request with path transactionIdentifier the externalId of the account
      Then it is refused with 404
      And nothing arrives at the other account

    Scenario: Another account's, by its endToEndId
      Given another account
      And the other account receives cash_out webhooks
      When the other account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then it is refused with 404

  @resend.rate-limit
  @RSD-025 @RSD-026 @RSD-027 @RSD-028
  Rule: 60 resends a minute are accepted, and at most one more

    Background:
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And a CashOut event arrives

    Scenario: 60 pass
      When the account sends 60 resend requests at once
      Then each is accepted

    Scenario: 62 do not
      When the account sends 62 resend requests at once
      Then 60 or 61 are accepted
      And the others are refused with 429
      And the others have:
        | statusCode  | 429             |
        | code        | a text          |
        | message     | a text or texts |
        | userMessage | a text          |
        | errorId     | a text          |

    Scenario: A smaller limit
      Given a limit of 2 requests a minute
      When the account sends 8 resend requests at once
      Then 2 or 3 are accepted
      And the others are refused with 429

    Scenario: After a minute they pass again
      Given the account sends 62 resend requests at once
      When 61 seconds pass
      And the account sends a resend request
      Then it is accepted

  @resend.left-open
  @RSD-004 @RSD-023 @RSD-029
  Rule: Where the specification is silent, a resend is either made or refused

    Scenario: A destination that cannot be reached
      When the account sends a resend request with url "https://127.0.0.1:9/nobody"
      Then it is accepted, or refused with 400 or 403 or 404 or 408 or 409 or 422 or 424 or 500 or 502 or 503 or 504
      And its status is noted as "resend to a destination that cannot be reached"

    Scenario: A URL that is not HTTPS
      When the account sends a resend request with url "http://127.0.0.1:9/nobody"
      Then it is accepted, or refused with 400 or 403 or 404 or 408 or 409 or 422 or 424 or 500 or 502 or 503 or 504
      And its status is noted as "resend to a URL that is not HTTPS"

    Scenario: A number for a URL
      When the account sends a resend request with url 1
      Then it is accepted, or refused with 400 or 422
      And its status is noted as "resend to a number"

    Scenario: A word for a URL
      When the account sends a resend request with url "x"
      Then it is accepted, or refused with 400 or 403 or 404 or 408 or 409 or 422 or 424 or 500 or 502 or 503 or 504
      And its status is noted as "resend to a URL that is none"

    Scenario: The form of an endToEndId
      When the account sends a resend request with path transactionIdentifier the endToEndId of the event
      Then it is accepted
      And the event's endToEndId is noted as "endToEndId that a resend takes"

    Scenario: Refused calls and the limit
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks
      And the account sends 60 resend requests at once
      And each is refused with 404
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request
      Then it is accepted, or refused with 429
      And its status is noted as "resend after 60 that were refused"

    Scenario: The code of a refused resend
      When the account sends a resend request with path transactionIdentifier no-such-order
      Then it is refused with 404
      And its code is noted as "resend of an unknown transaction"

    Scenario: A payment that is pending
      Given the account has sent a cash-out of R$ 10.00
      When the account sends a resend request
      Then it is accepted, or refused with 400 or 404 or 409 or 422
      And its status is noted as "resend of a pending payment"
