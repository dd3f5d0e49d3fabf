Feature: Outcomes of cash-outs
  The settling bank confirms or rejects a pending payment, and the gateway reports the
  outcome by webhook.

  Background:
    Given an account with R$ 100.00 available
    And the account receives cash_out webhooks

  @cash-out.confirmed
  @GEN-013 @GEN-014 @OUT-058 @OUT-060 @OUT-074 @OUT-076 @EVT-023 @EVT-024 @EVT-088
  Rule: A settled payment is CONFIRMED

    Scenario: The bank confirms
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms it
      Then a CashOut event arrives with:
        | status       | "CONFIRMED" |
        | errorCode    | null        |
        | errorMessage | null        |

    Scenario: The list tells it too
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms it
      Then the payment is listed with:
        | status | "Confirmado" |

    Scenario: Settled at once
      When the account sends a cash-out
      Then it is accepted
      And a CashOut event arrives with:
        | status | "CONFIRMED" |

    @open:finality-of-a-payment
    Scenario: It stays CONFIRMED
      Given settlement waits for the bank
      And the account has sent a cash-out of R$ 10.00
      When the bank confirms it
      Then a CashOut event arrives
      When the bank tries to reject it with ORDER_REJECTED
      Then no other outcome should follow

  @cash-out.error
  @GEN-013 @GEN-014 @OUT-059 @OUT-060 @OUT-075 @OUT-077 @OUT-101 @EVT-025 @EVT-026 @EVT-036 @EVT-037
  @EVT-038 @EVT-039 @EVT-040 @EVT-041 @EVT-042 @EVT-043 @EVT-088
  Rule: A payment that the bank rejects is ERROR, with one of seven codes

    Background:
      Given settlement waits for the bank

    Scenario Outline: <errorCode>
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects it with <errorCode>
      Then a CashOut event arrives with:
        | status       | "ERROR"       |
        | errorCode    | "<errorCode>" |
        | errorMessage | a text        |

      Examples:
        | errorCode          |
        | TAX_ID_MISMATCH    |
        | INVALID_TAX_ID     |
        | BLOCKED_ACCOUNT    |
        | ACCOUNT_CLOSED     |
        | ORDER_REJECTED     |
        | PAYMENT_EXPIRED    |
        | SETTLEMENT_TIMEOUT |

    Scenario: The list tells it too
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects it with ORDER_REJECTED
      Then the payment is listed with:
        | status | "Error" |

    @open:finality-of-a-payment
    Scenario: It stays ERROR
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects it with ORDER_REJECTED
      Then a CashOut event arrives
      When the bank tries to confirm it
      Then no other outcome should follow

    @open:money-of-a-payment-that-failed
    Scenario: The money comes back
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects it with ORDER_REJECTED
      Then a CashOut event arrives
      And available should rise by R$ 10.00

  @cash-out.retry
  @EVT-044
  Rule: After an expiry or a time-out the payment may be sent anew

    Background:
      Given settlement waits for the bank

    Scenario Outline: After <errorCode>
      Given the account has sent a cash-out of R$ 10.00
      When the bank rejects it with <errorCode>
      Then a CashOut event arrives
      When the account sends a cash-out of R$ 10.00
      Then it is accepted

      Examples:
        | errorCode          |
        | PAYMENT_EXPIRED    |
        | SETTLEMENT_TIMEOUT |

  @cash-out.holder-check
  @OUT-036 @EVT-036 @EVT-038 @EVT-039
  Rule: The settling bank checks the document against the holder of the key

    Scenario: The key belongs to somebody else
      Given the key directory holds a fresh key for another document
      When the account sends a cash-out with details.key that key
      Then it is accepted
      And a CashOut event arrives with:
        | status    | "ERROR"           |
        | errorCode | "TAX_ID_MISMATCH" |

    Scenario: The key belongs to the holder of the document
      Given the key directory holds a fresh key for the same document
      When the account sends a cash-out with details.key that key
      Then it is accepted
      And a CashOut event arrives with:
        | status | "CONFIRMED" |

    Scenario: The holder's account is blocked
      Given the key directory holds a fresh key for a blocked account
      When the account sends a cash-out with details.key that key
      Then it is accepted
      And a CashOut event arrives with:
        | status    | "ERROR"           |
        | errorCode | "BLOCKED_ACCOUNT" |

    Scenario: The holder's account is closed
      Given the key directory holds a fresh key for a closed account
      When the account sends a cash-out with details.key that key
      Then it is accepted
      And a CashOut event arrives with:
        | status    | "ERROR"          |
        | errorCode | "ACCOUNT_CLOSED" |

  @cash-out.tax-id
  @EVT-037
  Rule: A document with wrong check digits is refused, or ends as INVALID_TAX_ID

    Scenario Outline: <document>
      When the account sends a cash-out with details.document "<document>"
      Then it is accepted, or refused with 400
      And its status is noted as "wrong check digits"
      And if it was accepted, a CashOut event arrives with:
        | status    | "ERROR"          |
        | errorCode | "INVALID_TAX_ID" |

      Examples:
        | document       |
        | 52998224726    |
        | 11111111111    |
        | 11222333000182 |
