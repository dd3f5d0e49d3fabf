Feature: Balance
  GET /accounts/balances returns what the account can spend immediately and what is
  blocked for operations in processing.

  @balance.answer
  @GEN-001 @BAL-001 @BAL-002 @BAL-003 @BAL-004 @BAL-005 @BAL-006 @BAL-007 @BAL-008 @BAL-009
  Rule: The answer holds exactly one balance

    Scenario: The balance
      Given an account with exactly R$ 10.00 available
      When the account sends a balance request
      Then it is accepted with 200
      And the answer has:
        | data                            | 1 item     |
        | data[0].eventDate               | a UTC time |
        | data[0].balanceAmount.available | R$ 10.00   |
        | data[0].balanceAmount.blocked   | a number   |

    Scenario: After a payment
      Given an account with R$ 10.00 available
      When the account sends a balance request
      And the account sends a cash-out of R$ 4.00
      And the account sends a balance request
      Then it is accepted with 200
      And available falls by R$ 4.00

    Scenario: An account without money
      Given a new account
      When the account sends a balance request
      Then it is accepted with 200
      And the answer has:
        | data                            | 1 item   |
        | data[0].balanceAmount.available | R$ 0.00  |
        | data[0].balanceAmount.blocked   | R$ 0.00  |

  @balance.overdraft
  @BAL-010 @BAL-011
  Rule: There is no overdraft yet

    Scenario: overdraft is 0
      Given an account with R$ 10.00 available
      When the account sends a balance request
      Then it is accepted with 200
      And the answer has:
        | data[0].balanceAmount.overdraft | R$ 0.00 |

    Scenario: Nothing can be spent beyond what is available
      Given an account with exactly R$ 10.00 available
      When the account sends a cash-out of R$ 10.01
      Then it is refused with 400 PIX_INSUFFICIENT_BALANCE

  @balance.centavos
  @BAL-026
  Rule: Amounts are exact to the centavo

    Scenario Outline: R$ <amount>
      Given an account with exactly R$ <amount> available
      When the account sends a balance request
      Then it is accepted with 200
      And the answer has:
        | data[0].balanceAmount.available | R$ <amount> |

      Examples:
        | amount            |
        | 0.01              |
        | 0.07              |
        | 0.29              |
        | 1.15              |
        | 8.41              |
        | 136.42            |
        | 142.20            |

    Scenario: More than a double can hold to the centavo, where the gateway can hold as much
      Given an account with exactly R$ 90071992547409.93 available, where the gateway can hold as much
      When the account sends a balance request
      Then it is accepted with 200
      And the answer has:
        | data[0].balanceAmount.available | R$ 90071992547409.93 |

  @balance.available
  @BAL-012
  Rule: What is available can be spent at once, and once only

    Scenario: All of it
      Given an account with exactly R$ 10.00 available
      And no fees
      When the account sends a cash-out of R$ 10.00
      Then it is accepted
      And available falls by R$ 10.00

    Scenario: Money of a payment in processing does not pay for another
      Given an account with exactly R$ 10.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 6.00
      When the account sends a cash-out of R$ 4.01
      Then it is refused with 400 PIX_INSUFFICIENT_BALANCE

  @balance.blocked
  @BAL-013 @BAL-014 @BAL-015 @BAL-016 @BAL-017 @BAL-018 @BAL-019 @DICT-045 @DICT-056 @DICT-062
  Rule: What a pending transfer reserves is blocked, and the total stays

    Scenario: Pending, then settled
      Given an account with R$ 10.00 available
      And the key directory holds a fresh e-mail key
      And settlement waits for the bank
      When the account sends a transfer of R$ 6.00
      Then it is accepted
      And available falls by R$ 6.00
      And blocked rises by R$ 6.00
      When the bank confirms it
      Then blocked falls by R$ 6.00
      And available is unchanged

    Scenario: What is blocked pays for nothing
      Given an account with exactly R$ 10.00 available
      And the key directory holds a fresh e-mail key
      And settlement waits for the bank
      And the account has sent a transfer of R$ 6.00
      When the account sends a transfer of R$ 4.01
      Then it is refused with 422

  @balance.received
  @BAL-020 @BAL-021 @IN-072 @COB-060
  Rule: What arrives is available

    Scenario Outline: A paid <kind>
      Given an account
      And the account has sent a <kind> of R$ 6.00
      When somebody pays it
      Then available rises by R$ 6.00
      And blocked is unchanged

      Examples:
        | kind    |
        | cash-in |
        | cob     |

    Scenario Outline: An unpaid <kind>
      Given an account
      When the account sends a <kind> of R$ 6.00
      Then it is accepted
      And available is unchanged
      And blocked is unchanged

      Examples:
        | kind    |
        | cash-in |
        | cob     |

  @balance.standard
  @BAL-022 @BAL-023 @BAL-024 @BAL-025
  Rule: The standard balance shows the same money under other names
    GET /balance is referred to and not laid down: where a gateway offers it, its four
    fields agree with the balance above.

    Scenario: The four fields
      Given an account with R$ 10.00 available
      And settlement waits for the bank
      And the key directory holds a fresh e-mail key
      And the gateway offers the standard balance
      When the account sends a transfer of R$ 3.00
      Then it is accepted
      And blocked rises by R$ 3.00
      When the account sends a standard balance request
      Then it is accepted with 200
      And the answer has:
        | grossBalance   | the available and the blocked balance |
        | blockedBalance | the blocked balance                   |
        | netBalance     | the available balance                 |
        | consultedAt    | a UTC time                            |
