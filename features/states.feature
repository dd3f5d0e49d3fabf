Feature: States
  Each state against each event and request: the next state, the balance and the webhook. Every
  scenario also has a neighbor, a second payment of the same kind, which must not change and can
  still be settled or paid at the end. Refunds, MED cases and splits are in states-refunds.feature;
  tokens, certificates and registrations are in states-access.feature.

  @states.cash-out
  @OUT-060 @OUT-074 @OUT-075 @OUT-076 @OUT-077 @OQR-040 @OQR-041
  Rule: A cash-out is PENDING until the bank confirms or rejects it
    The specification does not say that CONFIRMED and ERROR are final: leaving them is only a
    warning. Nor does it say when the money of a failed payment is returned.

    Background:
      Given an account with R$ 100.00 available
      And the account receives cash_out webhooks

    Scenario Outline: <kind> <state>, when <event>: <next>
      Given a cash-out of R$ 7.31 that is PENDING
      And a <kind> that is <state>
      When <event>
      Then its state is <next>
      And the available balance <available>
      And the webhook sent is <webhook>
      And nothing else changes
      When the bank confirms the first payment
      Then a CashOut event of the first payment arrives with:
        | status         | "CONFIRMED" |
        | originalAmount | R$ 7.31     |
      And nothing else changes

      Examples:
        | kind        | state     | event                                                    | next      | available     | webhook                 |
        | cash-out    | PENDING   | the bank confirms the payment                            | CONFIRMED | is unchanged  | CashOut CONFIRMED       |
        | cash-out    | PENDING   | the bank rejects the payment with ORDER_REJECTED         | ERROR     | does not fall | CashOut ERROR           |
        | cash-out    | CONFIRMED | the bank tries to confirm the payment                    | CONFIRMED | is unchanged  | none                    |
        | cash-out    | ERROR     | the bank tries to reject the payment with ORDER_REJECTED | ERROR     | does not fall | none                    |
        | cash-out    | PENDING   | the account sends the request again                      | PENDING   | is unchanged  | none                    |
        | cash-out    | PENDING   | a per-transaction limit of R$ 1.00                       | PENDING   | is unchanged  | none                    |
        | cash-out    | PENDING   | a cash-out fee of R$ 0.70                                | PENDING   | is unchanged  | none                    |
        | cash-out    | PENDING   | a MED case is opened against an unknown payment          | PENDING   | is unchanged  | none                    |
        | cash-out    | PENDING   | the account sends a cash-out with value 0                | PENDING   | is unchanged  | none                    |
        | cash-out    | CONFIRMED | the account sends the request again                      | CONFIRMED | is unchanged  | none                    |
        | cash-out    | CONFIRMED | the account sends a resend request                       | CONFIRMED | is unchanged  | CashOut CONFIRMED again |
        | cash-out    | CONFIRMED | a per-transaction limit of R$ 1.00                       | CONFIRMED | is unchanged  | none                    |
        | cash-out    | CONFIRMED | a cash-out fee of R$ 0.70                                | CONFIRMED | is unchanged  | none                    |
        | cash-out    | CONFIRMED | a MED case is opened against an unknown payment          | CONFIRMED | is unchanged  | none                    |
        | cash-out    | CONFIRMED | the account sends a cash-out with value 0                | CONFIRMED | is unchanged  | none                    |
        | cash-out    | ERROR     | the account sends a resend request                       | ERROR     | does not fall | CashOut ERROR           |
        | cash-out    | ERROR     | a per-transaction limit of R$ 1.00                       | ERROR     | does not fall | none                    |
        | cash-out    | ERROR     | a cash-out fee of R$ 0.70                                | ERROR     | does not fall | none                    |
        | cash-out    | ERROR     | a MED case is opened against an unknown payment          | ERROR     | does not fall | none                    |
        | cash-out    | ERROR     | the account sends a cash-out with value 0                | ERROR     | does not fall | none                    |
        | QR cash-out | PENDING   | the bank confirms the payment                            | CONFIRMED | is unchanged  | CashOut CONFIRMED       |
        | QR cash-out | PENDING   | the bank rejects the payment with ORDER_REJECTED         | ERROR     | does not fall | CashOut ERROR           |
        | QR cash-out | CONFIRMED | the bank tries to confirm the payment                    | CONFIRMED | is unchanged  | none                    |
        | QR cash-out | ERROR     | the bank tries to reject the payment with ORDER_REJECTED | ERROR     | does not fall | none                    |
        | QR cash-out | PENDING   | the account sends the request again                      | PENDING   | is unchanged  | none                    |
        | QR cash-out | PENDING   | a per-transaction limit of R$ 1.00                       | PENDING   | is unchanged  | none                    |
        | QR cash-out | PENDING   | a cash-out fee of R$ 0.70                                | PENDING   | is unchanged  | none                    |
        | QR cash-out | PENDING   | a MED case is opened against an unknown payment          | PENDING   | is unchanged  | none                    |
        | QR cash-out | PENDING   | the account sends a QR cash-out with value 0             | PENDING   | is unchanged  | none                    |
        | QR cash-out | CONFIRMED | the account sends the request again                      | CONFIRMED | is unchanged  | none                    |
        | QR cash-out | CONFIRMED | the account sends a resend request                       | CONFIRMED | is unchanged  | CashOut CONFIRMED again |
        | QR cash-out | CONFIRMED | a per-transaction limit of R$ 1.00                       | CONFIRMED | is unchanged  | none                    |
        | QR cash-out | CONFIRMED | a cash-out fee of R$ 0.70                                | CONFIRMED | is unchanged  | none                    |
        | QR cash-out | CONFIRMED | a MED case is opened against an unknown payment          | CONFIRMED | is unchanged  | none                    |
        | QR cash-out | CONFIRMED | the account sends a QR cash-out with value 0             | CONFIRMED | is unchanged  | none                    |
        | QR cash-out | ERROR     | the account sends a resend request                       | ERROR     | does not fall | CashOut ERROR           |
        | QR cash-out | ERROR     | a per-transaction limit of R$ 1.00                       | ERROR     | does not fall | none                    |
        | QR cash-out | ERROR     | a cash-out fee of R$ 0.70                                | ERROR     | does not fall | none                    |
        | QR cash-out | ERROR     | a MED case is opened against an unknown payment          | ERROR     | does not fall | none                    |
        | QR cash-out | ERROR     | the account sends a QR cash-out with value 0             | ERROR     | does not fall | none                    |

    Scenario Outline: <kind> PENDING, when <event>, after much else: <next>
      Given another account with R$ 100.00 available
      And a cash-out of R$ 7.31 that is PENDING
      And a <kind> that is PENDING
      When the account sends the request again
      And a per-transaction limit of R$ 1.00
      And a cash-out fee of R$ 0.70
      And the account sends a <kind> with value 0
      And the other account sends a <kind>
      And the account sends a <kind> of R$ 0.07
      And the scenario returns to the second payment
      And <event>
      Then its state is <next>
      And a CashOut event of the second payment arrives with:
        | status | "<next>" |
      And nothing else changes

      Examples:
        | kind        | event                                            | next      |
        | cash-out    | the bank confirms the payment                    | CONFIRMED |
        | cash-out    | the bank rejects the payment with ORDER_REJECTED | ERROR     |
        | QR cash-out | the bank confirms the payment                    | CONFIRMED |
        | QR cash-out | the bank rejects the payment with ORDER_REJECTED | ERROR     |

    Scenario Outline: <kind> CONFIRMED, when each pair of these happens one after another: CONFIRMED
      Given a cash-out of R$ 7.31 that is PENDING
      And a <kind> that is CONFIRMED
      And a CashOut event of the second payment arrives
      When the account sends the request again
      And the account sends the request again
      And the account sends a resend request
      And the scenario returns to the second payment
      And the account sends the request again
      And the scenario returns to the second payment
      And the bank tries to confirm the payment
      And the scenario returns to the second payment
      And the account sends the request again
      And the scenario returns to the second payment
      And the payee returns R$ 1.00
      And the account sends a resend request
      And the account sends a resend request
      And the scenario returns to the second payment
      And the bank tries to confirm the payment
      And the account sends a resend request
      And the scenario returns to the second payment
      And the payee returns R$ 1.00
      And the bank tries to confirm the payment
      And the bank tries to confirm the payment
      And the payee returns R$ 1.00
      And the payee returns R$ 1.00
      And the scenario returns to the second payment
      And the account sends the request again
      Then its state is CONFIRMED
      And the available balance rises by R$ 4.00
      And nothing else changes

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario Outline: <kind> <state>, when another account sends a <kind>: <state>
      Given another account with R$ 100.00 available
      And a cash-out of R$ 7.31 that is PENDING
      And a <kind> that is <state>
      When the other account sends a <kind>
      Then its state is <state>
      And nothing else changes

      Examples:
        | kind        | state     |
        | cash-out    | PENDING   |
        | cash-out    | CONFIRMED |
        | cash-out    | ERROR     |
        | QR cash-out | PENDING   |
        | QR cash-out | CONFIRMED |
        | QR cash-out | ERROR     |

    @open:finality-of-a-payment @open:what-a-cash-out-blocks
    Scenario Outline: <kind> <state>, when <event>: should not change
      Given a cash-out of R$ 7.31 that is PENDING
      And a <kind> that is <state>
      When <event>
      Then its state should still be <state>
      And the available balance should be unchanged
      And the blocked balance should be unchanged
      And nothing else changes

      Examples:
        | kind        | state     | event                                                    |
        | cash-out    | CONFIRMED | the bank tries to reject the payment with ORDER_REJECTED |
        | cash-out    | ERROR     | the bank tries to confirm the payment                    |
        | QR cash-out | CONFIRMED | the bank tries to reject the payment with ORDER_REJECTED |
        | QR cash-out | ERROR     | the bank tries to confirm the payment                    |

    @open:finality-of-a-payment @open:money-of-a-payment-that-failed
    Scenario Outline: <kind> <state>, a day later: should not change
      Given a <kind> that is <state>
      When 90000 seconds pass
      Then its state should still be <state>
      And the available balance should be unchanged

      Examples:
        | kind        | state     |
        | cash-out    | CONFIRMED |
        | cash-out    | ERROR     |
        | QR cash-out | CONFIRMED |
        | QR cash-out | ERROR     |

  @states.transfer
  @BAL-018 @BAL-019 @DICT-062 @DICT-064
  Rule: A settled transfer releases the blocked amount, and nothing moves after that
    No list has to show a transfer, so the balance and the webhook show its state.

    Background:
      Given an account with R$ 100.00 available
      And the account receives webhooks of every type

    Scenario Outline: <state>, when <event>: available <available>, blocked <blocked>
      Given a transfer of R$ 7.31 that is PENDING
      And a transfer that is <state>
      When <event>
      Then the available balance <available>
      And the blocked balance <blocked>
      And the webhook sent is <webhook>
      And nothing else changes
      When the bank confirms the first payment
      Then the blocked balance falls by R$ 7.31
      And the available balance is unchanged
      And a TRANSFER event of the first payment arrives
      And nothing else changes

      Examples:
        | state     | event                                           | available    | blocked           | webhook  |
        | PENDING   | the bank confirms the payment                   | is unchanged | falls by R$ 10.00 | TRANSFER |
        | COMPLETED | the bank tries to confirm the payment           | is unchanged | is unchanged      | none     |
        | PENDING   | the account sends the request again             | is unchanged | is unchanged      | none     |
        | PENDING   | a cash-out fee of R$ 0.70                       | is unchanged | is unchanged      | none     |
        | PENDING   | the account sends a transfer with pixKey "x"    | is unchanged | is unchanged      | none     |
        | PENDING   | a MED case is opened against an unknown payment | is unchanged | is unchanged      | none     |
        | COMPLETED | the account sends the request again             | is unchanged | is unchanged      | none     |
        | COMPLETED | a cash-out fee of R$ 0.70                       | is unchanged | is unchanged      | none     |
        | COMPLETED | the account sends a transfer with pixKey "x"    | is unchanged | is unchanged      | none     |
        | COMPLETED | a MED case is opened against an unknown payment | is unchanged | is unchanged      | none     |

    Scenario: PENDING, when the bank confirms it after much else: debited once
      Given another account with R$ 100.00 available
      And the key directory has a new e-mail key
      And a transfer of R$ 7.31 that is PENDING
      And a transfer that is PENDING
      When the account sends the request again
      And a cash-out fee of R$ 0.70
      And the account sends a transfer with pixKey "x"
      And the other account sends a transfer
      And the account sends a transfer of R$ 1.07
      And the scenario returns to the second payment
      And the account sends the request again
      And the bank confirms the payment
      Then the available balance falls by R$ 1.07
      And the blocked balance falls by R$ 8.93
      And a TRANSFER event of the second payment arrives
      And nothing else changes

    Scenario: COMPLETED, when each pair of these happens one after another: only what is returned moves
      Given a transfer of R$ 7.31 that is PENDING
      And a transfer that is COMPLETED
      And a TRANSFER event of the second payment arrives
      When the account sends the request again
      And the account sends the request again
      And the scenario returns to the second payment
      And the bank tries to confirm the payment
      And the scenario returns to the second payment
      And the account sends the request again
      And the scenario returns to the second payment
      And the payee returns R$ 1.00
      And the bank tries to confirm the payment
      And the bank tries to confirm the payment
      And the payee returns R$ 1.00
      And the payee returns R$ 1.00
      And the scenario returns to the second payment
      And the account sends the request again
      Then the available balance rises by R$ 3.00
      And the blocked balance is unchanged
      And nothing else changes
      When the bank confirms the first payment
      Then the blocked balance falls by R$ 7.31
      And the available balance is unchanged

    Scenario Outline: <state>, when another account sends a transfer: <state>
      Given another account with R$ 100.00 available
      And a transfer of R$ 7.31 that is PENDING
      And a transfer that is <state>
      When the other account sends a transfer
      Then nothing changes

      Examples:
        | state     |
        | PENDING   |
        | COMPLETED |
        | ERROR     |

    @open:money-of-a-payment-that-failed @open:finality-of-a-payment
    Scenario Outline: <state>, when <event>: available should <available>, blocked should <blocked>
      Given a transfer of R$ 7.31 that is PENDING
      And a transfer that is <state>
      When <event>
      Then the available balance should <available>
      And the blocked balance should <blocked>
      And nothing else changes
      When the bank confirms the first payment
      Then a TRANSFER event of the first payment arrives
      And nothing else changes

      Examples:
        | state     | event                                                    | available        | blocked          |
        | PENDING   | the bank rejects the payment with ORDER_REJECTED         | rise by R$ 10.00 | fall by R$ 10.00 |
        | COMPLETED | the bank tries to reject the payment with ORDER_REJECTED | be unchanged     | be unchanged     |
        | ERROR     | the bank tries to confirm the payment                    | be unchanged     | be unchanged     |
        | ERROR     | the bank tries to reject the payment with ORDER_REJECTED | be unchanged     | be unchanged     |
        | ERROR     | the account sends the request again                      | be unchanged     | be unchanged     |
        | ERROR     | a cash-out fee of R$ 0.70                                | be unchanged     | be unchanged     |
        | ERROR     | the account sends a transfer with pixKey "x"             | be unchanged     | be unchanged     |
        | ERROR     | a MED case is opened against an unknown payment          | be unchanged     | be unchanged     |

    @open:money-of-a-payment-that-failed
    Scenario Outline: <state>, when 601 seconds pass: available should <available>, blocked should <blocked>
      Given a transfer of R$ 7.31 that is COMPLETED
      And a transfer that is <state>
      When 601 seconds pass
      Then the available balance should <available>
      And the blocked balance should <blocked>
      And nothing else changes

      Examples:
        | state   | available        | blocked          |
        | PENDING | rise by R$ 10.00 | fall by R$ 10.00 |
        | ERROR   | be unchanged     | be unchanged     |

    Scenario: COMPLETED, when 601 seconds pass: debited once
      Given a transfer of R$ 7.31 that is COMPLETED
      And a transfer that is COMPLETED
      When 601 seconds pass
      Then the available balance is unchanged
      And the blocked balance is unchanged
      And nothing else changes

  @states.charge
  @COB-046 @COB-058 @COB-060 @COB-061 @COB-062 @COB-063 @COB-064 @COB-065 @COB-066 @COB-067
  Rule: A cob is ATIVA until it is paid, removed or expired, and then does not change

    Background:
      Given an account
      And the account receives webhooks of every type

    Scenario Outline: <state>, when <event>: <next>
      Given a cob of R$ 7.31 that is ATIVA
      And a cob that is <state>
      When <event>
      Then its state is <next>
      And the available balance <available>
      And the webhook sent is <webhook>
      And nothing else changes
      When a payer pays the first charge
      Then the available balance rises by R$ 7.31
      And a RECEIVE event of the first charge arrives
      And nothing else changes

      Examples:
        | state                           | event                                           | next                            | available         | webhook |
        | ATIVA                           | a payer pays the charge                         | CONCLUIDA                       | rises by R$ 10.00 | RECEIVE |
        | ATIVA                           | the receiver removes the charge                 | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | ATIVA                           | the PSP removes the charge                      | REMOVIDA_PELO_PSP               | is unchanged      | none    |
        | ATIVA                           | the account sends the request again             | ATIVA                           | is unchanged      | none    |
        | ATIVA                           | the account sends a cob                         | ATIVA                           | is unchanged      | none    |
        | ATIVA                           | the account sends a cob with valor.original "x" | ATIVA                           | is unchanged      | none    |
        | CONCLUIDA                       | a payer tries to pay the charge                 | CONCLUIDA                       | is unchanged      | none    |
        | CONCLUIDA                       | the receiver tries to remove the charge         | CONCLUIDA                       | is unchanged      | none    |
        | CONCLUIDA                       | the PSP tries to remove the charge              | CONCLUIDA                       | is unchanged      | none    |
        | CONCLUIDA                       | the account sends the request again             | CONCLUIDA                       | is unchanged      | none    |
        | CONCLUIDA                       | the account sends a cob                         | CONCLUIDA                       | is unchanged      | none    |
        | CONCLUIDA                       | the account sends a cob with valor.original "x" | CONCLUIDA                       | is unchanged      | none    |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | a payer tries to pay the charge                 | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the receiver tries to remove the charge         | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the PSP tries to remove the charge              | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the account sends the request again             | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the account sends a cob                         | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the account sends a cob with valor.original "x" | REMOVIDA_PELO_USUARIO_RECEBEDOR | is unchanged      | none    |
        | REMOVIDA_PELO_PSP               | a payer tries to pay the charge                 | REMOVIDA_PELO_PSP               | is unchanged      | none    |
        | REMOVIDA_PELO_PSP               | the receiver tries to remove the charge         | REMOVIDA_PELO_PSP               | is unchanged      | none    |
        | REMOVIDA_PELO_PSP               | the PSP tries to remove the charge              | REMOVIDA_PELO_PSP               | is unchanged      | none    |
        | REMOVIDA_PELO_PSP               | the account sends the request again             | REMOVIDA_PELO_PSP               | is unchanged      | none    |
        | REMOVIDA_PELO_PSP               | the account sends a cob                         | REMOVIDA_PELO_PSP               | is unchanged      | none    |
        | REMOVIDA_PELO_PSP               | the account sends a cob with valor.original "x" | REMOVIDA_PELO_PSP               | is unchanged      | none    |

    Scenario Outline: <state>, when another account sends a cob: <state>
      Given another account
      And a cob of R$ 7.31 that is ATIVA
      And a cob that is <state>
      When the other account sends a cob
      Then its state is <state>
      And nothing else changes

      Examples:
        | state                           |
        | ATIVA                           |
        | CONCLUIDA                       |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_PSP               |

    Scenario Outline: <state>, when 90000 seconds pass: <next>
      Given a cob of R$ 7.31 that is CONCLUIDA
      And a cob that is <state>
      When 90000 seconds pass
      Then its state is <next>
      And the available balance is unchanged
      And the webhook sent is none
      And nothing else changes

      Examples:
        | state                           | next                            |
        | ATIVA                           | REMOVIDA_PELO_PSP               |
        | CONCLUIDA                       | CONCLUIDA                       |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_PSP               | REMOVIDA_PELO_PSP               |

    Scenario Outline: <state>, when all of these happen one after another: unchanged
      Given a cob that is <state>
      When a payer tries to pay the charge
      And the receiver tries to remove the charge
      And the PSP tries to remove the charge
      And the account sends the request again
      And 90000 seconds pass
      And a payer tries to pay the first charge
      And the receiver tries to remove the first charge
      Then its state is <state>
      And the available balance is unchanged
      And nothing else changes

      Examples:
        | state                           |
        | CONCLUIDA                       |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_PSP               |

    Scenario: Expired, when all of these happen one after another: REMOVIDA_PELO_PSP
      Given a cob that is ATIVA
      And 90000 seconds pass
      When the receiver tries to remove the charge
      And the PSP tries to remove the charge
      And a payer tries to pay the charge
      And the account sends the request again
      And 90000 seconds pass
      Then its state is REMOVIDA_PELO_PSP
      And the available balance is unchanged
      And nothing else changes

  @states.cash-in
  @IN-068 @IN-072
  Rule: A cash-in is PENDING until it is paid, and then stays CONFIRMED

    Background:
      Given an account
      And the account receives cash_in webhooks

    Scenario Outline: <state>, when <event>: <next>
      Given a cash-in of R$ 7.31 that is PENDING
      And a cash-in that is <state>
      When <event>
      Then its state is <next>
      And the available balance <available>
      And the webhook sent is <webhook>
      And nothing else changes
      When a payer pays the first charge
      Then the available balance rises by R$ 7.31
      And a cash_in event of the first charge arrives
      And nothing else changes

      Examples:
        | state     | event                                                | next      | available         | webhook       |
        | PENDING   | a payer pays the charge                              | CONFIRMED | rises by R$ 10.00 | cash_in       |
        | CONFIRMED | a payer tries to pay the charge                      | CONFIRMED | is unchanged      | none          |
        | CONFIRMED | the account sends a resend request                   | CONFIRMED | is unchanged      | cash_in again |
        | PENDING   | the account sends the request again                  | PENDING   | is unchanged      | none          |
        | PENDING   | the account sends a cash-in                          | PENDING   | is unchanged      | none          |
        | PENDING   | the account sends a cash-in with transaction.value 0 | PENDING   | is unchanged      | none          |
        | CONFIRMED | the account sends the request again                  | CONFIRMED | is unchanged      | none          |
        | CONFIRMED | the account sends a cash-in                          | CONFIRMED | is unchanged      | none          |
        | CONFIRMED | the account sends a cash-in with transaction.value 0 | CONFIRMED | is unchanged      | none          |

    Scenario Outline: <state>, when another account sends a cash-in: <state>
      Given another account
      And a cash-in of R$ 7.31 that is PENDING
      And a cash-in that is <state>
      When the other account sends a cash-in
      Then its state is <state>
      And nothing else changes

      Examples:
        | state     |
        | PENDING   |
        | CONFIRMED |

    Scenario: CONFIRMED, when 90000 seconds pass: CONFIRMED
      Given a cash-in of R$ 7.31 that is CONFIRMED
      And a cash-in that is CONFIRMED
      When 90000 seconds pass
      Then its state is CONFIRMED
      And the available balance is unchanged
      And nothing else changes

    Scenario: CONFIRMED, when all of these happen one after another: unchanged
      Given a cash-in that is CONFIRMED
      When a payer tries to pay the charge
      And the account sends the request again
      And 90000 seconds pass
      And a payer tries to pay the first charge
      Then the first payment is listed with:
        | status | "Confirmado" |
      And the available balance is unchanged
      And nothing else changes
