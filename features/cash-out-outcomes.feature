Feature: Outcomes of cash-outs
  The settling bank confirms or rejects a pending payment, and the gateway reports the
  outcome by webhook.
  Rules about the order are in cash-out.feature, rules about limits in
  cash-out-limits.feature.

  Background:
    Given an account with R$ 100.00 available
    And the account receives cash_out webhooks

  @cash-out.confirmed
  @GEN-013 @GEN-014 @OUT-058 @OUT-060 @OUT-074 @OUT-076 @EVT-023 @EVT-024 @EVT-088
  Rule: A settled payment is CONFIRMED

    Scenario: The bank confirms a payment
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | status       | "CONFIRMED" |
        | errorCode    | null        |
        | errorMessage | null        |

    Scenario: The transaction list shows the outcome
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms the payment
      Then the payment is listed with:
        | status | "Confirmado" |

    Scenario: A payment that settles without delay
      When the account sends a cash-out
      Then the request is accepted
      And a CashOut event arrives with:
        | status | "CONFIRMED" |

    Scenario Outline: Three <kind>s, settled in another order
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a <kind> of R$ 10.07
      And the account has sent a <kind> of R$ 20.29
      And the account has sent a <kind> of R$ 30.15
      When the bank confirms the second payment
      And the scenario returns to the second payment
      Then a CashOut event arrives with:
        | status         | "CONFIRMED" |
        | originalAmount | R$ 20.29    |
      And its state is CONFIRMED
      When the scenario returns to the first payment
      Then its state is PENDING
      When the bank rejects the payment with BLOCKED_ACCOUNT
      Then a CashOut event arrives with:
        | status         | "ERROR"           |
        | errorCode      | "BLOCKED_ACCOUNT" |
        | originalAmount | R$ 10.07          |
      And its state is ERROR
      When the scenario returns to the third payment
      Then its state is PENDING
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | status         | "CONFIRMED" |
        | errorCode      | null        |
        | originalAmount | R$ 30.15    |
      And its state is CONFIRMED
      When the scenario returns to the second payment
      Then its state is CONFIRMED

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario: Two payments of the same amount, of which one settles
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.07
      And the account has sent a cash-out of R$ 10.07
      When the bank confirms the first payment
      And the scenario returns to the first payment
      Then a CashOut event arrives with:
        | status        | "CONFIRMED"             |
        | transactionId | the first transactionId |
      When the scenario returns to the second payment
      Then its state is PENDING
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | status        | "CONFIRMED"                            |
        | transactionId | different from the first transactionId |

    Scenario Outline: A payment of <time> in São Paulo that settles <later> later
      Given it is <time> in São Paulo
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 10.07
      When <later> pass
      And the bank confirms the payment
      Then a CashOut event arrives with:
        | status | "CONFIRMED" |
      And its state is CONFIRMED

      Examples:
        | time  | later     |
        | 23:58 | 4 minutes |
        | 20:58 | 4 minutes |

    Scenario: A payment that waits for the bank for more than a day, and may have expired by then
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.07
      When 25 hours pass
      And the bank tries to confirm the payment
      Then a CashOut event arrives with:
        | status | "CONFIRMED" or "ERROR" |

    Scenario Outline: Twelve <kind>s, each of them confirmed
      Given settlement waits for the bank
      And the account has sent 12 <kind>s of R$ 0.29
      When the bank confirms each payment
      Then a CashOut event of each payment arrives with:
        | status         | "CONFIRMED" |
        | errorCode      | null        |
        | originalAmount | R$ 0.29     |
      And the account's transaction list contains exactly the matching payments for every filter

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    @open:finality-of-a-payment
    Scenario: It stays CONFIRMED
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms the payment
      Then a CashOut event arrives
      When the bank tries to reject the payment with ORDER_REJECTED
      Then no event should report a different outcome

  @cash-out.error
  @GEN-013 @GEN-014 @OUT-059 @OUT-060 @OUT-075 @OUT-077 @OUT-101 @EVT-025 @EVT-026 @EVT-036 @EVT-037
  @EVT-038 @EVT-039 @EVT-040 @EVT-041 @EVT-042 @EVT-043 @EVT-088
  Rule: A payment that the bank rejects is ERROR, with one of seven codes

    Background:
      Given settlement waits for the bank

    Scenario Outline: Rejected with <errorCode>
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with <errorCode>
      Then a CashOut event arrives with:
        | status       | "ERROR"            |
        | errorCode    | "<errorCode>"      |
        | errorMessage | a non-empty string |

      Examples:
        | errorCode          |
        | TAX_ID_MISMATCH    |
        | INVALID_TAX_ID     |
        | BLOCKED_ACCOUNT    |
        | ACCOUNT_CLOSED     |
        | ORDER_REJECTED     |
        | PAYMENT_EXPIRED    |
        | SETTLEMENT_TIMEOUT |

    Scenario Outline: Twelve <kind>s, each of them rejected
      Given the account has sent 12 <kind>s of R$ 0.29
      When the bank rejects each payment with SETTLEMENT_TIMEOUT
      Then a CashOut event of each payment arrives with:
        | status         | "ERROR"              |
        | errorCode      | "SETTLEMENT_TIMEOUT" |
        | originalAmount | R$ 0.29              |
      And the account's transaction list contains exactly the matching payments for every filter

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario: No more comes back than was taken, although the fee is higher by then
      Given no fees
      And a cash-out fee of R$ 0.50
      When the account sends a cash-out of R$ 10.00
      And a cash-out fee of R$ 2.00
      And the bank rejects the payment with ORDER_REJECTED
      Then the available balance does not rise

    Scenario: Two payments, rejected for different reasons
      Given the account has sent a cash-out of R$ 10.07
      And the account has sent a cash-out of R$ 8.41
      When the bank rejects the second payment with SETTLEMENT_TIMEOUT
      Then a CashOut event arrives with:
        | status    | "ERROR"              |
        | errorCode | "SETTLEMENT_TIMEOUT" |
      When the scenario returns to the first payment
      Then its state is PENDING
      When the bank rejects the payment with ACCOUNT_CLOSED
      Then a CashOut event arrives with:
        | status    | "ERROR"          |
        | errorCode | "ACCOUNT_CLOSED" |

    Scenario: The transaction list shows the outcome
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with ORDER_REJECTED
      Then the payment is listed with:
        | status | "Error" |

    @open:finality-of-a-payment
    Scenario: It stays ERROR
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives
      When the bank tries to confirm the payment
      Then no event should report a different outcome

    @open:money-of-a-payment-that-failed
    Scenario: The amount should be returned
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives
      And the available balance should rise by R$ 10.00

  @cash-out.retry
  @EVT-044
  Rule: A payment that expired or timed out can be sent again

    Background:
      Given settlement waits for the bank

    Scenario Outline: After <errorCode>
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects the payment with <errorCode>
      Then a CashOut event arrives
      When the account sends a cash-out of R$ 10.00
      Then the request is accepted

      Examples:
        | errorCode          |
        | PAYMENT_EXPIRED    |
        | SETTLEMENT_TIMEOUT |

    @open:finality-of-a-payment
    Scenario: The second attempt is a payment of its own
      Given the account has sent a cash-out of R$ 10.07
      And the bank rejects the payment with SETTLEMENT_TIMEOUT
      And a CashOut event arrives
      And the account has sent a cash-out of R$ 10.07
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | status        | "CONFIRMED"                            |
        | errorCode     | null                                   |
        | transactionId | different from the first transactionId |
      And its state is CONFIRMED
      When the scenario returns to the first payment
      Then its state should still be ERROR

  @cash-out.holder-check
  @OUT-036 @EVT-036 @EVT-038 @EVT-039
  Rule: The settling bank checks the document against the key's holder

    Scenario Outline: Twelve payments to a key for <holder>, next to every choice
      Given the key directory has a new key for <holder>
      When the account sends a cash-out for every pair of:
        | details.key | details.keyType | value | description       | details.name              |
        | that key    | "EMAIL"         | 0.01  | absent            | "Al"                      |
        |             |                 | 0.07  | "Pedido de teste" | "Padaria São João & Cia." |
        |             |                 | 0.29  |                   |                           |
        |             |                 | 1.15  |                   |                           |
        |             |                 | 2     |                   |                           |
        |             |                 | 10.00 |                   |                           |
      Then every request is accepted
      And a CashOut event of each payment arrives with:
        | status    | "<status>"  |
        | errorCode | <errorCode> |
      And the account's transaction list contains exactly the matching payments for every filter

      Examples:
        | holder            | status    | errorCode         |
        | another document  | ERROR     | "TAX_ID_MISMATCH" |
        | the same document | CONFIRMED | null              |
        | a blocked account | ERROR     | "BLOCKED_ACCOUNT" |
        | a closed account  | ERROR     | "ACCOUNT_CLOSED"  |

  @cash-out.tax-id
  @EVT-037
  Rule: A document with wrong check digits is rejected, or the payment fails with INVALID_TAX_ID

    Scenario Outline: Document <document>
      When the account sends a cash-out with details.document "<document>"
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "wrong check digits"
      And if the request was accepted, a CashOut event arrives with:
        | status    | "ERROR"          |
        | errorCode | "INVALID_TAX_ID" |

      Examples:
        | document       |
        | 52998224726    |
        | 11111111111    |
        | 11222333000182 |
