Feature: Money
  How each operation changes the available and the blocked balance, to the centavo. The
  total balance is their sum.

  @money.outgoing
  @OUT-099 @OUT-100 @OUT-101 @OUT-102 @OQR-046 @OQR-047 @OQR-048 @EVT-021
  Rule: A payment is debited once, and its fee at most once

    @open:when-the-fee-of-a-cash-out-is-taken @open:what-a-cash-out-blocks
    Scenario Outline: A <kind> of R$ <amount> with a fee of R$ <fee>, confirmed
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And a cash-out fee of R$ <fee>
      And the account receives cash_out webhooks
      When the account sends a <kind> of R$ <amount>
      And the bank confirms the payment
      Then a CashOut event arrives
      And the available balance falls by R$ <amount> to R$ <sum>
      And the available balance should fall by R$ <sum>
      And the blocked balance should be unchanged

      Examples:
        | kind        | amount | fee  | sum    |
        | cash-out    | 0.29   | 0.00 | 0.29   |
        | cash-out    | 0.29   | 0.07 | 0.36   |
        | cash-out    | 1.15   | 8.41 | 9.56   |
        | cash-out    | 136.42 | 0.29 | 136.71 |
        | cash-out    | 142.20 | 1.15 | 143.35 |
        | cash-out    | 0.01   | 0.50 | 0.51   |
        | QR cash-out | 1.15   | 0.00 | 1.15   |
        | QR cash-out | 0.29   | 0.07 | 0.36   |
        | QR cash-out | 8.41   | 1.15 | 9.56   |
        | QR cash-out | 142.20 | 0.01 | 142.21 |
        | QR cash-out | 0.01   | 0.20 | 0.21   |

    @open:money-of-a-payment-that-failed
    Scenario Outline: A <kind> of R$ <amount> with a fee of R$ <fee>, rejected
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And a cash-out fee of R$ <fee>
      And the account receives cash_out webhooks
      When the account sends a <kind> of R$ <amount>
      And the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives
      And the available balance should be unchanged
      And the blocked balance should be unchanged

      Examples:
        | kind        | amount | fee  |
        | cash-out    | 8.41   | 1.15 |
        | QR cash-out | 8.41   | 1.15 |

    Scenario: The fee is the one in force when the cash-out was sent
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And a cash-out fee of R$ 0.50
      And the account receives cash_out webhooks
      When the account sends a cash-out of R$ 10.00
      And a cash-out fee of R$ 0.70
      And the bank confirms the payment
      Then a CashOut event arrives with:
        | feeAmount   | R$ 0.50  |
        | finalAmount | R$ 10.50 |

    Scenario Outline: Ten <kind>s of R$ <amount> fall by R$ <sum>
      Given an account with R$ 1000.00 available
      And no fees
      When the account has sent 10 <kind>s of R$ <amount>
      Then the available balance falls by R$ <sum>

      Examples:
        | kind        | amount | sum   |
        | cash-out    | 0.07   | 0.70  |
        | cash-out    | 8.41   | 84.10 |
        | QR cash-out | 0.29   | 2.90  |

    @open:when-the-fee-of-a-cash-out-is-taken
    Scenario: The fee counts for each payment, and not for a rejected request
      Given an account with exactly R$ 30.00 available
      And a cash-out fee of R$ 0.50
      And the account receives cash_out webhooks
      When the account sends a cash-out of R$ 9.50
      Then a CashOut event arrives
      And the available balance should fall by R$ 10.00
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      When the account sends a cash-out with details.name absent
      Then the request is rejected with 400
      When the account sends a cash-out of R$ 30.01
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE
      When the account sends a cash-out of R$ 19.50
      Then the request is accepted
      When the account sends a cash-out of R$ 0.51
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE

  @money.transfer
  @BAL-015 @EVT-085
  Rule: A transfer moves its amount from available to blocked, and settlement debits it from blocked

    Scenario Outline: R$ <amount>
      Given an account with R$ <amount> available
      And settlement waits for the bank
      And the key directory has a new e-mail key
      And the account receives webhooks of every type
      And no fees
      And no limits
      When the account sends a transfer with payment.amount <amount>
      And the bank confirms the payment
      Then a TRANSFER event arrives
      And the available balance falls by R$ <amount>
      And the blocked balance is unchanged

      Examples:
        | amount        |
        | 0.07          |
        | 136.42        |
        | 142.20        |
        | 9999999999.99 |

    Scenario: The total is unchanged while the transfer is pending
      Given an account with R$ 100.00 available
      And settlement waits for the bank
      And the key directory has a new e-mail key
      When the account sends a transfer of R$ 8.41
      Then the request is accepted
      And the available balance falls by R$ 8.41
      And the blocked balance rises by R$ 8.41

  @money.incoming
  @BAL-020
  Rule: A received payment is available, less its fee

    Scenario Outline: A <kind> of R$ <amount>
      Given an account
      And the account has sent a <kind> of R$ <amount>
      When a payer pays the charge
      Then the available balance rises by R$ <amount>
      And the blocked balance is unchanged

      Examples:
        | kind    | amount       |
        | cash-in | 0.01         |
        | cash-in | 0.29         |
        | cash-in | 1.15         |
        | cash-in | 142.20       |
        | cob     | 0.07         |
        | cob     | 1.15         |
        | cob     | 8.41         |
        | cob     | 136.42       |
        | cash-in | 12345678.90  |
        | cob     | 999999999.99 |

    Scenario Outline: A <kind> of R$ <amount> with a fee of R$ <fee>
      Given an account
      And a cash-in fee of R$ <fee>
      And the account has sent a <kind> of R$ <amount>
      When a payer pays the charge
      Then the available balance rises by R$ <net> to R$ <amount>

      Examples:
        | kind    | amount | fee  | net  |
        | cash-in | 8.41   | 1.15 | 7.26 |
        | cash-in | 0.36   | 0.07 | 0.29 |
        | cob     | 8.41   | 1.15 | 7.26 |

  @money.returned
  @BAL-027
  Rule: Returned money is available

    Scenario Outline: R$ <amount> returned from a <kind>
      Given an account with R$ 1000.00 available
      And the key directory has a new e-mail key
      And the account receives webhooks of every type
      And the account has sent a <kind> of R$ <amount>
      And a <payload> event arrives
      When the payee returns R$ <amount>
      Then the available balance rises by R$ <amount>
      And the blocked balance is unchanged

      Examples:
        | kind        | amount | payload  |
        | cash-out    | 0.01   | CashOut  |
        | cash-out    | 8.41   | CashOut  |
        | cash-out    | 142.20 | CashOut  |
        | QR cash-out | 0.29   | CashOut  |
        | transfer    | 136.42 | TRANSFER |

    Scenario Outline: A <kind> returned in three parts
      Given an account with R$ 1000.00 available
      And the key directory has a new e-mail key
      And the account receives webhooks of every type
      And the account has sent a <kind> of R$ 10.00
      And a <payload> event arrives
      When the payee returns R$ 3.29
      Then the available balance rises by R$ 3.29
      And the blocked balance is unchanged
      When the payee returns R$ 3.29
      Then the available balance rises by R$ 3.29
      And the blocked balance is unchanged
      When the account sends a <kind> of R$ 0.07
      Then the request is accepted
      When the scenario returns to the first payment
      And a <payload> event arrives
      And the payee returns R$ 3.42
      Then the available balance rises by R$ 3.42

      Examples:
        | kind        | payload  |
        | cash-out    | CashOut  |
        | QR cash-out | CashOut  |
        | transfer    | TRANSFER |

    Scenario: Returns of two payments
      Given an account with R$ 1000.00 available
      And the account receives webhooks of every type
      And the account has sent a cash-out of R$ 10.07
      And a CashOut event arrives
      And the account has sent a QR cash-out of R$ 20.29
      And a CashOut event arrives
      When the payee returns R$ 20.29
      Then the available balance rises by R$ 20.29
      When the scenario returns to the first payment
      And a CashOut event arrives
      And the payee returns R$ 10.07
      Then the available balance rises by R$ 10.07

  @money.refund
  @DEV-057 @DEV-058
  Rule: A refund never increases the balance and should debit its valor

    @open:money-of-a-refund
    Scenario Outline: A refund of R$ <amount> out of R$ 142.20
      Given an account with R$ 100.00 available
      And the account has received R$ 142.20 through a cob
      And refunds wait for the bank
      When the account sends a refund of R$ <amount>
      And the bank confirms the refund
      Then the available balance does not rise
      And the available balance should fall by R$ <amount>
      And the blocked balance should be unchanged

      Examples:
        | amount |
        | 0.07   |
        | 1.15   |
        | 136.42 |
        | 142.20 |

  @money.refused
  @DICT-046
  Rule: A rejected request moves no money

    Scenario Outline: A <kind> above the balance
      Given an account with exactly R$ 10.00 available
      And the key directory has a new e-mail key
      And no limits
      When the account sends a <kind> of R$ 10.01
      Then the request is rejected with 400 or 422
      And the available balance is unchanged
      And the blocked balance is unchanged

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |
        | transfer    |
