Feature: States
  Each state against each event: which events change a payment, a transfer, a charge, a
  refund or a MED case, and which do not. A final state and its money do not change.

  @states.cash-out
  @OUT-060 @OUT-074 @OUT-075 @OUT-076 @OUT-077 @OQR-040 @OQR-041
  Rule: A cash-out is PENDING until the bank confirms or rejects it
    The specification does not say that CONFIRMED and ERROR are final: leaving them is only a
    warning.

    Scenario Outline: <kind> <state>, when <event>: becomes <next>
      Given an account with R$ 100.00 available
      And a <kind> that is <state>
      When <event>
      Then its state is <next>

      Examples:
        | kind        | state   | event                                            | next      |
        | cash-out    | PENDING | the bank confirms the payment                    | CONFIRMED |
        | cash-out    | PENDING | the bank rejects the payment with ORDER_REJECTED | ERROR     |
        | QR cash-out | PENDING | the bank confirms the payment                    | CONFIRMED |
        | QR cash-out | PENDING | the bank rejects the payment with ORDER_REJECTED | ERROR     |

    @open:finality-of-a-payment @open:what-a-cash-out-blocks
    Scenario Outline: <kind> <state>, when <event>: should not change
      Given an account with R$ 100.00 available
      And a <kind> that is <state>
      When <event>
      Then its state should still be <state>
      And the available balance should be unchanged
      And the blocked balance should be unchanged

      Examples:
        | kind        | state     | event                                                    |
        | cash-out    | CONFIRMED | the bank tries to reject the payment with ORDER_REJECTED |
        | cash-out    | ERROR     | the bank tries to confirm the payment                    |
        | QR cash-out | CONFIRMED | the bank tries to reject the payment with ORDER_REJECTED |
        | QR cash-out | ERROR     | the bank tries to confirm the payment                    |

    Scenario Outline: <kind> CONFIRMED, when the bank confirms it again: debited once
      Given an account with R$ 100.00 available
      And a <kind> that is CONFIRMED
      When the bank tries to confirm the payment
      Then its state is CONFIRMED
      And the available balance is unchanged

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario Outline: <kind> ERROR, when the bank rejects it again: nothing is debited
      Given an account with R$ 100.00 available
      And a <kind> that is ERROR
      When the bank tries to reject the payment with ORDER_REJECTED
      Then its state is ERROR
      And the available balance does not fall

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario Outline: <kind> <state>, when <event>: neither it nor its neighbor changes
      Given an account with R$ 100.00 available
      And another account with R$ 100.00 available
      And the account receives webhooks of every type
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 7.31
      And a <kind> that is <state>
      And a CashOut event arrives
      When <event>
      Then the available balance <available>
      When the scenario returns to the second payment
      Then its state is <state>
      When the scenario returns to the first payment
      Then its state is PENDING
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | status         | "CONFIRMED" |
        | originalAmount | R$ 7.31     |
      And its state is CONFIRMED
      When the scenario returns to the second payment
      Then its state is <state>

      Examples:
        | kind        | state     | event                                           | available     |
        | cash-out    | CONFIRMED | the account sends the request again             | is unchanged  |
        | cash-out    | CONFIRMED | the account sends a resend request              | is unchanged  |
        | cash-out    | CONFIRMED | a cash-out fee of R$ 0.70                       | is unchanged  |
        | cash-out    | CONFIRMED | the account sends a cash-out with value 0       | is unchanged  |
        | cash-out    | CONFIRMED | the other account sends a cash-out              | is unchanged  |
        | cash-out    | CONFIRMED | a MED case is opened against an unknown payment | is unchanged  |
        | cash-out    | ERROR     | the account sends a resend request              | does not fall |
        | cash-out    | ERROR     | a per-transaction limit of R$ 1.00              | does not fall |
        | QR cash-out | CONFIRMED | the account sends the request again             | is unchanged  |
        | QR cash-out | CONFIRMED | the account sends a resend request              | is unchanged  |
        | QR cash-out | ERROR     | the account sends a resend request              | does not fall |

    Scenario Outline: <kind> PENDING, when <event>: it stays PENDING, and then settles
      Given an account with R$ 100.00 available
      And another account with R$ 100.00 available
      And the account receives webhooks of every type
      And settlement waits for the bank
      And the account has sent a cash-out of R$ 7.31
      And a <kind> that is PENDING
      When <event>
      Then the available balance is unchanged
      When the scenario returns to the first payment
      Then its state is PENDING
      When the bank rejects the payment with ACCOUNT_CLOSED
      Then a CashOut event arrives with:
        | status    | "ERROR"          |
        | errorCode | "ACCOUNT_CLOSED" |
      When the scenario returns to the second payment
      Then its state is PENDING
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | status         | "CONFIRMED" |
        | originalAmount | R$ 10.00    |
      And its state is CONFIRMED

      Examples:
        | kind        | event                                    |
        | cash-out    | the account sends the request again      |
        | cash-out    | the other account sends a cash-out       |
        | cash-out    | a per-transaction limit of R$ 1.00       |
        | cash-out    | the account sends a webhook list request |
        | QR cash-out | the account sends the request again      |
        | QR cash-out | the other account sends a QR cash-out    |

  @states.transfer
  @BAL-018 @BAL-019 @DICT-062 @DICT-064
  Rule: A settled transfer releases the blocked amount, and nothing moves after that

    @open:money-of-a-payment-that-failed @open:finality-of-a-payment
    Scenario Outline: <state>, when <event>: available should <available>, blocked should <blocked>
      Given an account with R$ 100.00 available
      And a transfer that is <state>
      When <event>
      Then the available balance should <available>
      And the blocked balance should <blocked>

      Examples:
        | state     | event                                                    | available        | blocked          |
        | PENDING   | the bank rejects the payment with ORDER_REJECTED         | rise by R$ 10.00 | fall by R$ 10.00 |
        | PENDING   | 601 seconds pass                                         | rise by R$ 10.00 | fall by R$ 10.00 |
        | CONFIRMED | the bank tries to reject the payment with ORDER_REJECTED | be unchanged     | be unchanged     |
        | ERROR     | the bank tries to confirm the payment                    | be unchanged     | be unchanged     |
        | ERROR     | the bank tries to reject the payment with ORDER_REJECTED | be unchanged     | be unchanged     |
        | ERROR     | 601 seconds pass                                         | be unchanged     | be unchanged     |

    Scenario Outline: CONFIRMED, when <event>: debited once
      Given an account with R$ 100.00 available
      And a transfer that is CONFIRMED
      When <event>
      Then the available balance is unchanged
      And the blocked balance is unchanged

      Examples:
        | event                                 |
        | the bank tries to confirm the payment |
        | 601 seconds pass                      |

    Scenario: PENDING, when the bank confirms the payment: the blocked amount is released
      Given an account with R$ 100.00 available
      And a transfer that is PENDING
      When the bank confirms the payment
      Then the blocked balance falls by R$ 10.00
      And the available balance is unchanged

    Scenario Outline: <state>, when <event>: no money moves, and its neighbor settles
      Given an account with R$ 100.00 available
      And another account with R$ 100.00 available
      And the account receives webhooks of every type
      And the key directory has a new e-mail key
      And settlement waits for the bank
      And the account has sent a transfer of R$ 7.31
      And a transfer that is <state>
      When <event>
      Then the available balance is unchanged
      And the blocked balance is unchanged
      When the bank confirms the first payment
      Then the blocked balance falls by R$ 7.31
      And the available balance is unchanged

      Examples:
        | state     | event                                           |
        | PENDING   | the account sends the request again             |
        | PENDING   | a cash-out fee of R$ 0.70                       |
        | PENDING   | the account sends a transfer with pixKey "x"    |
        | PENDING   | a MED case is opened against an unknown payment |
        | CONFIRMED | the account sends the request again             |
        | CONFIRMED | the account sends a transfer with pixKey "x"    |

  @states.charge
  @COB-046 @COB-058 @COB-060 @COB-061 @COB-062 @COB-063 @COB-064 @COB-065 @COB-066 @COB-067
  Rule: A cob is ATIVA until it is paid, removed or expired, and then does not change

    Scenario Outline: <state>, when <event>: <next>
      Given an account
      And a cob that is <state>
      When <event>
      Then its state is <next>
      And the available balance is unchanged

      Examples:
        | state                           | event                                   | next                            |
        | ATIVA                           | the receiver removes the charge         | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | ATIVA                           | the PSP removes the charge              | REMOVIDA_PELO_PSP               |
        | ATIVA                           | 90000 seconds pass                      | REMOVIDA_PELO_PSP               |
        | CONCLUIDA                       | a payer tries to pay the charge         | CONCLUIDA                       |
        | CONCLUIDA                       | the receiver tries to remove the charge | CONCLUIDA                       |
        | CONCLUIDA                       | the PSP tries to remove the charge      | CONCLUIDA                       |
        | CONCLUIDA                       | 90000 seconds pass                      | CONCLUIDA                       |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | a payer tries to pay the charge         | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the receiver tries to remove the charge | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the PSP tries to remove the charge      | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | 90000 seconds pass                      | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_PSP               | a payer tries to pay the charge         | REMOVIDA_PELO_PSP               |
        | REMOVIDA_PELO_PSP               | the receiver tries to remove the charge | REMOVIDA_PELO_PSP               |
        | REMOVIDA_PELO_PSP               | the PSP tries to remove the charge      | REMOVIDA_PELO_PSP               |
        | REMOVIDA_PELO_PSP               | 90000 seconds pass                      | REMOVIDA_PELO_PSP               |

    Scenario Outline: <state>, when all of these happen one after another: unchanged
      Given an account
      And a cob that is <state>
      When a payer tries to pay the charge
      And the receiver tries to remove the charge
      And the PSP tries to remove the charge
      And the account sends the request again
      And 90000 seconds pass
      And a payer tries to pay the first charge
      And the receiver tries to remove the first charge
      Then the first charge is <state>
      And the available balance is unchanged

      Examples:
        | state                           |
        | CONCLUIDA                       |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_PSP               |

    Scenario: Expired, when all of these happen one after another: REMOVIDA_PELO_PSP
      Given an account
      And a cob that is ATIVA
      And 90000 seconds pass
      When the receiver tries to remove the charge
      And the PSP tries to remove the charge
      And a payer tries to pay the charge
      And the account sends the request again
      And 90000 seconds pass
      Then the first charge is REMOVIDA_PELO_PSP
      And the available balance is unchanged

    Scenario: ATIVA, when the same request is sent again: ATIVA
      Given an account
      And a cob that is ATIVA
      When the account sends the request again
      Then the first charge is ATIVA

    Scenario: ATIVA, when a payer pays the charge: CONCLUIDA
      Given an account
      And a cob that is ATIVA
      When a payer pays the charge
      Then its state is CONCLUIDA
      And the available balance rises by R$ 10.00

  @states.cash-in
  @IN-068 @IN-072
  Rule: A cash-in is PENDING until it is paid, and then stays CONFIRMED

    Scenario: PENDING, when a payer pays the charge: CONFIRMED
      Given an account
      And a cash-in that is PENDING
      When a payer pays the charge
      Then its state is CONFIRMED
      And the available balance rises by R$ 10.00

    Scenario Outline: CONFIRMED, when <event>: unchanged
      Given an account
      And a cash-in that is CONFIRMED
      When <event>
      Then its state is CONFIRMED
      And the available balance is unchanged

      Examples:
        | event                           |
        | a payer tries to pay the charge |
        | 90000 seconds pass              |

    Scenario: CONFIRMED, when all of these happen one after another: unchanged
      Given an account
      And a cash-in that is CONFIRMED
      When a payer tries to pay the charge
      And the account sends the request again
      And 90000 seconds pass
      And a payer tries to pay the first charge
      Then the first payment is listed with:
        | status | "Confirmado" |
      And the available balance is unchanged

  @states.refund
  @DEV-033 @DEV-051 @DEV-053 @DEV-055 @DEV-056
  Rule: A refund is EM_PROCESSAMENTO until it succeeds or fails, and then does not change

    Scenario Outline: <state>, when <event>: <next>
      Given an account
      And a refund that is <state>
      When <event>
      Then its state is <next>

      Examples:
        | state            | event                                | next          |
        | EM_PROCESSAMENTO | the bank confirms the refund         | DEVOLVIDO     |
        | EM_PROCESSAMENTO | the bank rejects the refund          | NAO_REALIZADO |
        | DEVOLVIDO        | the bank tries to confirm the refund | DEVOLVIDO     |
        | DEVOLVIDO        | the bank tries to reject the refund  | DEVOLVIDO     |
        | NAO_REALIZADO    | the bank tries to confirm the refund | NAO_REALIZADO |
        | NAO_REALIZADO    | the bank tries to reject the refund  | NAO_REALIZADO |

    Scenario Outline: <state>, when <event>: no money moves
      Given an account
      And a refund that is <state>
      When <event>
      Then the available balance is unchanged
      And the blocked balance is unchanged

      Examples:
        | state         | event                                |
        | DEVOLVIDO     | the bank tries to confirm the refund |
        | DEVOLVIDO     | the bank tries to reject the refund  |
        | NAO_REALIZADO | the bank tries to confirm the refund |
        | NAO_REALIZADO | the bank tries to reject the refund  |

    Scenario Outline: <state>, when all of these happen one after another: unchanged
      Given an account
      And a refund that is <state>
      When the bank tries to confirm the refund
      And the bank tries to reject the refund
      And the account sends the request again
      And the account sends a refund of R$ 10.01
      And 91 days pass
      And the bank tries to <event> the first refund
      Then the first refund is <state>
      And the available balance is unchanged

      Examples:
        | state         | event   |
        | DEVOLVIDO     | reject  |
        | NAO_REALIZADO | confirm |

  @states.med
  @MED-035
  Rule: A MED case is always in one of four states

    Scenario Outline: <state>, when the bank tries to move the case to <next>
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case that is <state>
      When the bank tries to move the case to <next>
      And the account sends a MED list request
      Then the request is accepted
      And each item has:
        | status | "OPEN" or "RECEIVED" or "CANCELLED" or "ANALYZED" |
      And the response's data[0].status is recorded for open point "MED case <state>, then <next>"

      Examples:
        | state     | next      |
        | OPEN      | RECEIVED  |
        | OPEN      | CANCELLED |
        | OPEN      | APPROVED  |
        | RECEIVED  | OPEN      |
        | RECEIVED  | CANCELLED |
        | RECEIVED  | APPROVED  |
        | RECEIVED  | REJECTED  |
        | CANCELLED | OPEN      |
        | CANCELLED | RECEIVED  |
        | CANCELLED | APPROVED  |
        | APPROVED  | OPEN      |
        | APPROVED  | RECEIVED  |
        | APPROVED  | CANCELLED |
        | APPROVED  | REJECTED  |
