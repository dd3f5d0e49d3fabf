Feature: Balance
  GET /accounts/balances returns the available balance, which the account can spend
  immediately, and the blocked balance of operations in processing.

  @balance.answer
  @GEN-001 @BAL-001 @BAL-002 @BAL-003 @BAL-004 @BAL-005 @BAL-006 @BAL-007 @BAL-008 @BAL-009
  Rule: The response contains exactly one balance

    Scenario: The balance
      Given an account with exactly R$ 10.00 available
      When the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data                            | 1 item     |
        | data[0].eventDate               | a UTC time |
        | data[0].balanceAmount.available | R$ 10.00   |
        | data[0].balanceAmount.blocked   | a number   |

    Scenario: After a payment
      Given an account with R$ 10.00 available
      When the account sends a balance request
      And the account sends a cash-out of R$ 4.00
      And the account sends a balance request
      Then the request is accepted with 200
      And the available balance falls by R$ 4.00

    Scenario: An account without money
      Given a new account
      When the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data                            | 1 item  |
        | data[0].balanceAmount.available | R$ 0.00 |
        | data[0].balanceAmount.blocked   | R$ 0.00 |

    Scenario Outline: R$ <amount>
      Given an account with exactly R$ <amount> available, if the gateway supports that balance
      When the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data                            | 1 item      |
        | data[0].balanceAmount.available | R$ <amount> |

      Examples:
        | amount      |
        | 1234.07     |
        | 21474836.49 |

    Scenario: On each of 35 days
      Given an account with R$ 100.00 available
      When the account sends a balance request
      And the account sends a cash-out of R$ 1.07 on each of 35 days
      And the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data | 1 item |

  @balance.overdraft
  @BAL-010 @BAL-011
  Rule: The overdraft is 0

    Scenario: The overdraft field
      Given an account with R$ 10.00 available
      When the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data[0].balanceAmount.overdraft | R$ 0.00 |

    Scenario: A payment above the available balance is rejected
      Given an account with exactly R$ 10.00 available
      When the account sends a cash-out of R$ 10.01
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE

  @balance.centavos
  @BAL-026
  Rule: Amounts are exact to the centavo

    Scenario Outline: R$ <amount>
      Given an account with exactly R$ <amount> available
      When the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data[0].balanceAmount.available | R$ <amount> |

      Examples:
        | amount |
        | 0.07   |
        | 0.29   |
        | 8.41   |
        | 142.20 |

    Scenario: An amount beyond the precision of a double, if the gateway supports it
      Given an account with exactly R$ 90071992547409.93 available, if the gateway supports that balance
      When the account sends a balance request
      Then the request is accepted with 200
      And the response has:
        | data[0].balanceAmount.available | R$ 90071992547409.93 |

  @balance.available
  @BAL-012
  Rule: The available balance can be spent immediately, and only once

    Scenario: The whole balance
      Given an account with exactly R$ 10.00 available
      And no fees
      When the account sends a cash-out of R$ 10.00
      Then the request is accepted
      And the available balance falls by R$ 10.00

    Scenario: The amount of a pending payment cannot be spent again
      Given an account with exactly R$ 10.00 available
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 6.00
      When the account sends a cash-out of R$ 4.01
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE

  @balance.blocked
  @BAL-013 @BAL-014 @BAL-015 @BAL-016 @BAL-017 @BAL-018 @BAL-019 @DICT-045 @DICT-056 @DICT-062
  Rule: A pending transfer blocks its amount and leaves the total unchanged

    Scenario: Pending, then settled
      Given an account with R$ 10.00 available
      And the key directory has a new e-mail key
      And settlement waits for the bank
      When the account sends a transfer of R$ 6.00
      Then the request is accepted
      And the available balance falls by R$ 6.00
      And the blocked balance rises by R$ 6.00
      When the bank confirms the payment
      Then the blocked balance falls by R$ 6.00
      And the available balance is unchanged

    Scenario Outline: Money that a transfer has blocked does not cover a <kind>
      Given an account with exactly R$ 10.00 available
      And the key directory has a new e-mail key
      And settlement waits for the bank
      And the account has sent a transfer of R$ 3.00
      And the account has sent a transfer of R$ 3.00
      When the account sends a <kind> of every shape with <amount> 4.01
      Then every request is rejected with <status>

      Examples:
        | kind        | amount         | status                       |
        | cash-out    | value          | 400 PIX_INSUFFICIENT_BALANCE |
        | QR cash-out | value          | 400                          |
        | transfer    | payment.amount | 422                          |

    Scenario: Twelve transfers and twelve cash-outs of odd centavos
      Given an account with R$ 100.00 available
      And no fees
      And the key directory has a new e-mail key
      And settlement waits for the bank
      When the account has sent 12 transfers of R$ 1.07
      Then the available balance falls by R$ 12.84
      And the blocked balance rises by R$ 12.84
      When the account has sent 12 cash-outs of R$ 0.29
      Then the available balance falls by R$ 3.48

    Scenario: Transfers beside other payments
      Given an account with R$ 100.00 available
      And no fees
      And settlement waits for the bank
      And the account receives webhooks of every type
      And the key directory has a new e-mail key
      When the account sends a transfer of R$ 10.07
      Then the request is accepted
      And the blocked balance rises by R$ 10.07
      When the account sends a cash-out of R$ 8.41
      Then the request is accepted
      And the available balance falls by R$ 8.41
      When the bank confirms the payment
      Then a CashOut event arrives
      And the available balance is unchanged
      When the payee returns R$ 4.15
      Then the available balance rises by R$ 4.15
      And the blocked balance is unchanged
      When the account has received R$ 6.29 through a cash-in
      Then the available balance rises by R$ 6.29
      And the blocked balance is unchanged
      When the bank confirms the first payment
      Then the blocked balance falls by R$ 10.07
      And the available balance is unchanged

  @balance.received
  @BAL-020 @BAL-021 @IN-072 @COB-060
  Rule: Received money is available

    Scenario Outline: A paid <kind>
      Given an account
      And the account has sent a <kind> of R$ 6.00
      When a payer pays the charge
      Then the available balance rises by R$ 6.00
      And the blocked balance is unchanged

      Examples:
        | kind    |
        | cash-in |
        | cob     |

    Scenario: Three payments of one payer, to two accounts
      Given an account
      And another account
      And the other account has sent a cash-in of R$ 1234.07
      And a payer pays the charge
      And the account has sent a cash-in of R$ 1234.07
      When a payer pays the charge
      Then the available balance rises by R$ 1234.07
      And the account has sent a cob of R$ 1000.29
      When a payer pays the charge
      Then the available balance rises by R$ 1000.29
      And the blocked balance is unchanged

    Scenario: A paid cash-in with a fee and a split
      Given an account
      And a cash-in fee of R$ 0.50
      And the account has sent a cash-in with:
        | transaction.value | 10.00              |
        | splits            | R$ 1.00, immediate |
      When a payer pays the charge
      Then the available balance rises by R$ 8.50 to R$ 9.00

    Scenario Outline: An unpaid <kind>
      Given an account
      When the account sends a <kind> of R$ 6.00
      Then the request is accepted
      And the available balance is unchanged
      And the blocked balance is unchanged

      Examples:
        | kind    |
        | cash-in |
        | cob     |

  @balance.standard
  @BAL-022 @BAL-023 @BAL-024 @BAL-025
  Rule: GET /balance reports the same balance under other names
    The specification mentions GET /balance without defining it. If a gateway offers it, its
    fields must agree with GET /accounts/balances.

    Scenario: The four fields
      Given an account with R$ 10.00 available
      And settlement waits for the bank
      And the key directory has a new e-mail key
      And the gateway supports GET /balance
      When the account sends a transfer of R$ 3.00
      Then the request is accepted
      And the blocked balance rises by R$ 3.00
      When the account sends a standard balance request
      Then the request is accepted with 200
      And the response has:
        | grossBalance   | the available plus the blocked balance |
        | blockedBalance | the blocked balance                    |
        | netBalance     | the available balance                  |
        | consultedAt    | a UTC time                             |

    Scenario: Three transfers, of which one has settled
      Given an account with R$ 100.00 available
      And settlement waits for the bank
      And the key directory has a new e-mail key
      And the gateway supports GET /balance
      And the account has sent a transfer of R$ 3.07
      And the account has sent a transfer of R$ 4.29
      And the account has sent a transfer of R$ 5.41
      When the bank confirms the second payment
      Then the blocked balance falls by R$ 4.29
      When the account sends a standard balance request
      Then the request is accepted with 200
      And the response has:
        | grossBalance   | the available plus the blocked balance |
        | blockedBalance | the blocked balance                    |
        | netBalance     | the available balance                  |
        | consultedAt    | a UTC time                             |
