Feature: States of refunds, MED cases and splits
  Each state against each event and request. Every scenario also has a neighbor of the same kind,
  which must not change.
  Payments and charges are in states.feature; tokens, certificates and registrations are in
  states-access.feature.

  @states.refund
  @DEV-033 @DEV-051 @DEV-053 @DEV-055 @DEV-056
  Rule: A refund is EM_PROCESSAMENTO until it succeeds or fails, and then does not change
    The specification does not say when the money of a refund moves.

    Background:
      Given an account
      And the account receives webhooks of every type

    Scenario Outline: <state>, when <event>: <next>
      Given a refund of R$ 7.31 that is EM_PROCESSAMENTO
      And a refund that is <state>
      When <event>
      Then its state is <next>
      And the webhook sent is <webhook>
      And nothing else changes
      When the bank confirms the first refund
      Then a REFUND event of the first refund arrives
      And nothing else changes

      Examples:
        | state            | event                                  | next             | webhook |
        | EM_PROCESSAMENTO | the bank confirms the refund           | DEVOLVIDO        | REFUND  |
        | EM_PROCESSAMENTO | the bank rejects the refund            | NAO_REALIZADO    | none    |
        | EM_PROCESSAMENTO | the account sends the request again    | EM_PROCESSAMENTO | none    |
        | EM_PROCESSAMENTO | the account sends a refund of R$ 10.01 | EM_PROCESSAMENTO | none    |
        | EM_PROCESSAMENTO | a payer tries to pay the charge        | EM_PROCESSAMENTO | none    |
        | EM_PROCESSAMENTO | the account sends a cob                | EM_PROCESSAMENTO | none    |
        | DEVOLVIDO        | the bank tries to confirm the refund   | DEVOLVIDO        | none    |
        | DEVOLVIDO        | the bank tries to reject the refund    | DEVOLVIDO        | none    |
        | DEVOLVIDO        | the account sends the request again    | DEVOLVIDO        | none    |
        | DEVOLVIDO        | the account sends a refund of R$ 10.01 | DEVOLVIDO        | none    |
        | DEVOLVIDO        | a payer tries to pay the charge        | DEVOLVIDO        | none    |
        | DEVOLVIDO        | the account sends a cob                | DEVOLVIDO        | none    |
        | NAO_REALIZADO    | the bank tries to confirm the refund   | NAO_REALIZADO    | none    |
        | NAO_REALIZADO    | the bank tries to reject the refund    | NAO_REALIZADO    | none    |
        | NAO_REALIZADO    | the account sends the request again    | NAO_REALIZADO    | none    |
        | NAO_REALIZADO    | the account sends a refund of R$ 10.01 | NAO_REALIZADO    | none    |
        | NAO_REALIZADO    | a payer tries to pay the charge        | NAO_REALIZADO    | none    |
        | NAO_REALIZADO    | the account sends a cob                | NAO_REALIZADO    | none    |

    Scenario Outline: <state>, when another account sends a cob: <state>
      Given another account
      And a refund of R$ 7.31 that is EM_PROCESSAMENTO
      And a refund that is <state>
      When the other account sends a cob
      Then its state is <state>
      And nothing else changes

      Examples:
        | state            |
        | EM_PROCESSAMENTO |
        | DEVOLVIDO        |
        | NAO_REALIZADO    |

    Scenario Outline: <state>, when <event>: available <available>
      Given a refund of R$ 7.31 that is <state>
      And a refund that is <state>
      When <event>
      Then its state is <state>
      And the available balance <available>
      And nothing else changes

      Examples:
        | state         | event                                | available     |
        | DEVOLVIDO     | the bank tries to confirm the refund | does not rise |
        | DEVOLVIDO     | the bank tries to reject the refund  | does not rise |
        | DEVOLVIDO     | 91 days pass                         | does not rise |
        | NAO_REALIZADO | the bank tries to confirm the refund | does not fall |
        | NAO_REALIZADO | the bank tries to reject the refund  | does not fall |
        | NAO_REALIZADO | 91 days pass                         | does not fall |

    Scenario Outline: <state>, when all of these happen one after another: available <available>
      Given a refund that is <state>
      When the bank tries to confirm the refund
      And the bank tries to reject the refund
      And the account sends the request again
      And the account sends a refund of R$ 10.01
      And 91 days pass
      And the bank tries to <event> the first refund
      Then its state is <state>
      And the available balance <available>
      And nothing else changes

      Examples:
        | state         | event   | available     |
        | DEVOLVIDO     | reject  | does not rise |
        | NAO_REALIZADO | confirm | does not fall |

  @states.med
  @MED-035
  Rule: A MED case is always in one of four states
    The specification does not say how a case moves from state to state.

    Scenario Outline: <state>, when the bank tries to move the case to <next>
      Given a new account
      And the account receives webhooks of every type
      And the account has received R$ 10.00 through a cob
      And a MED case that is <state>
      When the bank tries to move the case to <next>
      And the account sends a MED list request
      Then the request is accepted
      And each item has:
        | status | "OPEN" or "RECEIVED" or "CANCELLED" or "ANALYZED" |
      And the response's data[0].status is recorded for open point "MED case <state>, then <next>"
      And nothing else changes

      Examples:
        | state     | next      |
        | OPEN      | RECEIVED  |
        | OPEN      | CANCELLED |
        | OPEN      | APPROVED  |
        | OPEN      | REJECTED  |
        | RECEIVED  | OPEN      |
        | RECEIVED  | CANCELLED |
        | RECEIVED  | APPROVED  |
        | RECEIVED  | REJECTED  |
        | CANCELLED | OPEN      |
        | CANCELLED | RECEIVED  |
        | CANCELLED | APPROVED  |
        | CANCELLED | REJECTED  |
        | APPROVED  | OPEN      |
        | APPROVED  | RECEIVED  |
        | APPROVED  | CANCELLED |
        | APPROVED  | REJECTED  |
        | REJECTED  | OPEN      |
        | REJECTED  | RECEIVED  |
        | REJECTED  | CANCELLED |
        | REJECTED  | APPROVED  |

    Scenario Outline: <state>, when <event>: unchanged
      Given an account
      And the account receives webhooks of every type
      And the account has received R$ 7.31 through a cob
      And a MED case that is RECEIVED
      And the account has received R$ 10.00 through a cob
      And a MED case that is <state>
      When <event>
      Then nothing else changes

      Examples:
        | state     | event                                           |
        | OPEN      | the bank moves the first case to CANCELLED      |
        | OPEN      | a MED case is opened against an unknown payment |
        | OPEN      | a payer tries to pay the charge                 |
        | RECEIVED  | the bank moves the first case to CANCELLED      |
        | RECEIVED  | a MED case is opened against an unknown payment |
        | RECEIVED  | a payer tries to pay the charge                 |
        | CANCELLED | the bank moves the first case to CANCELLED      |
        | CANCELLED | a MED case is opened against an unknown payment |
        | CANCELLED | a payer tries to pay the charge                 |
        | APPROVED  | the bank moves the first case to CANCELLED      |
        | APPROVED  | a MED case is opened against an unknown payment |
        | APPROVED  | a payer tries to pay the charge                 |
        | REJECTED  | the bank moves the first case to CANCELLED      |
        | REJECTED  | a MED case is opened against an unknown payment |
        | REJECTED  | a payer tries to pay the charge                 |

    Scenario Outline: <state>, when its neighbor is <result>: unchanged
      Given an account
      And the account receives webhooks of every type
      And the account has received R$ 7.31 through a cob
      And a MED case that is RECEIVED
      And the account has received R$ 10.00 through a cob
      And a MED case that is <state>
      When the bank moves the first case to <result>
      Then nothing else changes

      Examples:
        | state     | result   |
        | OPEN      | APPROVED |
        | OPEN      | REJECTED |
        | RECEIVED  | APPROVED |
        | RECEIVED  | REJECTED |
        | CANCELLED | APPROVED |
        | CANCELLED | REJECTED |
        | APPROVED  | APPROVED |
        | APPROVED  | REJECTED |
        | REJECTED  | APPROVED |
        | REJECTED  | REJECTED |

  @states.splits
  @SPL-044 @SPL-046 @SPL-047 @SPL-048
  Rule: A split is PENDING until its charge is paid, and is paid once
    The specification does not say when a split is paid that is not immediate.

    Background:
      Given an account
      And the account receives cash_in webhooks

    Scenario Outline: <state>, when <event>: <next>
      Given a split cash-in of R$ 7.31 that is PENDING
      And a split cash-in that is <state>
      When <event>
      Then the splits of the second charge are <next>
      And the split amounts of the second charge are R$ 1.00
      And the splits of the first charge are PENDING
      And the available balance <available>
      And the webhook sent is <webhook>
      And nothing else changes
      When a payer pays the first charge
      Then the splits of the first charge are PAID
      And the splits of the second charge are <next>
      And the available balance rises by R$ 6.31
      And a cash_in event of the first charge arrives
      And nothing else changes

      Examples:
        | state   | event                                                              | next    | available        | webhook |
        | PENDING | a payer pays the charge                                            | PAID    | rises by R$ 9.00 | cash_in |
        | PAID    | a payer tries to pay the charge                                    | PAID    | does not rise    | none    |
        | PENDING | the account sends the request again                                | PENDING | is unchanged     | none    |
        | PENDING | the account sends the request again with splits R$ 6.00, immediate | PENDING | is unchanged     | none    |
        | PENDING | the account sends a split cash-in                                  | PENDING | is unchanged     | none    |
        | PAID    | the account sends the request again                                | PAID    | does not rise    | none    |
        | PAID    | the account sends the request again with splits R$ 6.00, immediate | PAID    | does not rise    | none    |
        | PAID    | the account sends a split cash-in                                  | PAID    | does not rise    | none    |

    Scenario Outline: <state>, when another account sends a split cash-in: <state>
      Given another account
      And a split cash-in of R$ 7.31 that is PENDING
      And a split cash-in that is <state>
      When the other account sends a split cash-in
      Then the splits of the second charge are <state>
      And nothing else changes

      Examples:
        | state   |
        | PENDING |
        | PAID    |

    Scenario: PAID, when 90000 seconds pass: PAID
      Given a split cash-in of R$ 7.31 that is PAID
      And a split cash-in that is PAID
      When 90000 seconds pass
      Then the splits of the second charge are PAID
      And the splits of the first charge are PAID
      And the available balance does not rise
      And nothing else changes
