Feature: States
  Each state against each event: what moves a payment, a transfer, a charge, a refund or a
  MED case, and what does not. Once finished, each keeps its state and its money.

  @states.cash-out
  @OUT-060 @OUT-074 @OUT-075 @OUT-076 @OUT-077 @OQR-040 @OQR-041
  Rule: A cash-out is PENDING until the bank confirms or rejects it
    That CONFIRMED and ERROR are final is not said outright: to leave them is a warning.

    Scenario Outline: <kind> <state>, and <event>: <next>
      Given an account with R$ 100.00 available
      And a <kind> that is <state>
      When <event>
      Then it has become <next>

      Examples:
        | kind        | state   | event                                  | next      |
        | cash-out    | PENDING | the bank confirms it                   | CONFIRMED |
        | cash-out    | PENDING | the bank rejects it with ORDER_REJECTED | ERROR    |
        | QR cash-out | PENDING | the bank confirms it                   | CONFIRMED |
        | QR cash-out | PENDING | the bank rejects it with ORDER_REJECTED | ERROR    |

    @open:finality-of-a-payment @open:what-a-cash-out-blocks
    Scenario Outline: <kind> <state>, and <event>: it stays
      Given an account with R$ 100.00 available
      And a <kind> that is <state>
      When <event>
      Then it should have stayed <state>
      And available should be unchanged
      And blocked should be unchanged

      Examples:
        | kind        | state     | event                                          |
        | cash-out    | CONFIRMED | the bank tries to reject it with ORDER_REJECTED |
        | cash-out    | ERROR     | the bank tries to confirm it                   |
        | QR cash-out | CONFIRMED | the bank tries to reject it with ORDER_REJECTED |
        | QR cash-out | ERROR     | the bank tries to confirm it                   |

    Scenario Outline: <kind> CONFIRMED, and the bank confirms it again: it is paid once
      Given an account with R$ 100.00 available
      And a <kind> that is CONFIRMED
      When the bank tries to confirm it
      Then it has become CONFIRMED
      And available is unchanged

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario Outline: <kind> ERROR, and the bank rejects it again: it takes nothing
      Given an account with R$ 100.00 available
      And a <kind> that is ERROR
      When the bank tries to reject it with ORDER_REJECTED
      Then it has become ERROR
      And available does not fall

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

  @states.transfer
  @BAL-018 @BAL-019 @DICT-062 @DICT-064
  Rule: What a transfer has blocked is freed when it settles, and moves no more

    @open:money-of-a-payment-that-failed @open:finality-of-a-payment
    Scenario Outline: <state>, and <event>: available should <available>, blocked should <blocked>
      Given an account with R$ 100.00 available
      And a transfer that is <state>
      When <event>
      Then available should <available>
      And blocked should <blocked>

      Examples:
        | state     | event                                           | available        | blocked          |
        | PENDING   | the bank rejects it with ORDER_REJECTED         | rise by R$ 10.00 | fall by R$ 10.00 |
        | PENDING   | 601 seconds pass                                | rise by R$ 10.00 | fall by R$ 10.00 |
        | CONFIRMED | the bank tries to reject it with ORDER_REJECTED | be unchanged     | be unchanged     |
        | ERROR     | the bank tries to confirm it                    | be unchanged     | be unchanged     |
        | ERROR     | the bank tries to reject it with ORDER_REJECTED | be unchanged     | be unchanged     |
        | ERROR     | 601 seconds pass                                | be unchanged     | be unchanged     |

    Scenario Outline: CONFIRMED, and <event>: it is paid once
      Given an account with R$ 100.00 available
      And a transfer that is CONFIRMED
      When <event>
      Then available is unchanged
      And blocked is unchanged

      Examples:
        | event                        |
        | the bank tries to confirm it |
        | 601 seconds pass             |

    Scenario: A settled transfer frees what was blocked
      Given an account with R$ 100.00 available
      And a transfer that is PENDING
      When the bank confirms it
      Then blocked falls by R$ 10.00
      And available is unchanged

  @states.charge
  @COB-046 @COB-058 @COB-060 @COB-061 @COB-062 @COB-063 @COB-064 @COB-065 @COB-066 @COB-067
  Rule: A cob is ATIVA until it is paid, removed or expired; then it stays what it is

    Scenario Outline: <state>, and <event>: <next>
      Given an account
      And a cob that is <state>
      When <event>
      Then it has become <next>
      And available is unchanged

      Examples:
        | state                           | event                          | next                            |
        | ATIVA                           | the receiver ends it           | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | ATIVA                           | the PSP ends it                | REMOVIDA_PELO_PSP               |
        | ATIVA                           | 90000 seconds pass             | REMOVIDA_PELO_PSP               |
        | CONCLUIDA                       | somebody tries to pay it       | CONCLUIDA                       |
        | CONCLUIDA                       | the receiver tries to end it   | CONCLUIDA                       |
        | CONCLUIDA                       | the PSP tries to end it        | CONCLUIDA                       |
        | CONCLUIDA                       | 90000 seconds pass             | CONCLUIDA                       |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | somebody tries to pay it       | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the receiver tries to end it   | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | the PSP tries to end it        | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_USUARIO_RECEBEDOR | 90000 seconds pass             | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | REMOVIDA_PELO_PSP               | somebody tries to pay it       | REMOVIDA_PELO_PSP               |
        | REMOVIDA_PELO_PSP               | the receiver tries to end it   | REMOVIDA_PELO_PSP               |
        | REMOVIDA_PELO_PSP               | the PSP tries to end it        | REMOVIDA_PELO_PSP               |
        | REMOVIDA_PELO_PSP               | 90000 seconds pass             | REMOVIDA_PELO_PSP               |

    Scenario: ATIVA, and somebody pays it: CONCLUIDA
      Given an account
      And a cob that is ATIVA
      When somebody pays it
      Then it has become CONCLUIDA
      And available rises by R$ 10.00

  @states.cash-in
  @IN-068 @IN-072
  Rule: A cash-in is PENDING until it is paid; then it stays CONFIRMED

    Scenario: PENDING, and somebody pays it: CONFIRMED
      Given an account
      And a cash-in that is PENDING
      When somebody pays it
      Then it has become CONFIRMED
      And available rises by R$ 10.00

    Scenario Outline: CONFIRMED, and <event>: it stays
      Given an account
      And a cash-in that is CONFIRMED
      When <event>
      Then it has become CONFIRMED
      And available is unchanged

      Examples:
        | event                    |
        | somebody tries to pay it |
        | 90000 seconds pass       |

  @states.refund
  @DEV-033 @DEV-051 @DEV-053 @DEV-055 @DEV-056
  Rule: A refund is EM_PROCESSAMENTO until it succeeds or fails; then it stays what it is

    Scenario Outline: <state>, and <event>: <next>
      Given an account
      And a refund that is <state>
      When <event>
      Then it has become <next>

      Examples:
        | state            | event                                    | next             |
        | EM_PROCESSAMENTO | the refund succeeds                      | DEVOLVIDO        |
        | EM_PROCESSAMENTO | the refund fails                         | NAO_REALIZADO    |
        | DEVOLVIDO        | somebody tries to make the refund succeed | DEVOLVIDO       |
        | DEVOLVIDO        | somebody tries to make the refund fail   | DEVOLVIDO        |
        | NAO_REALIZADO    | somebody tries to make the refund succeed | NAO_REALIZADO   |
        | NAO_REALIZADO    | somebody tries to make the refund fail   | NAO_REALIZADO    |

    Scenario Outline: <state>, and <event>: the money stays
      Given an account
      And a refund that is <state>
      When <event>
      Then available is unchanged
      And blocked is unchanged

      Examples:
        | state         | event                                    |
        | DEVOLVIDO     | somebody tries to make the refund succeed |
        | DEVOLVIDO     | somebody tries to make the refund fail   |
        | NAO_REALIZADO | somebody tries to make the refund succeed |
        | NAO_REALIZADO | somebody tries to make the refund fail   |

  @states.med
  @MED-035
  Rule: A MED case is in one of four states, however it moves

    Scenario Outline: <state>, and an attempt at <next>
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And a MED case that is <state>
      When somebody tries to move the case to <next>
      And the account sends a MED list request
      Then it is accepted
      And each item has:
        | status | "OPEN" or "RECEIVED" or "CANCELLED" or "ANALYZED" |
      And its data[0].status is noted as "MED case <state>, then <next>"

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
