Feature: Immediate charge (cob)
  PUT /cob/{txid} creates a Central-Bank-style charge under an id that the client chooses.
  It is ATIVA until it is paid or removed, or expires.

  Background:
    Given an account

  @cob.created
  @GEN-001 @GEN-002 @GEN-006 @GEN-008 @GEN-009 @BAL-021 @COB-001 @COB-014 @COB-015 @COB-018 @COB-036
  @COB-037 @COB-038 @COB-039 @COB-040 @COB-041 @COB-042 @COB-043 @COB-044 @COB-045 @COB-047 @COB-048
  @COB-049 @COB-050 @COB-051 @COB-052 @COB-053 @COB-054 @COB-057 @COB-068
  Rule: A new charge is ATIVA and echoes what was asked for

    @open:content-of-a-location
    Scenario: The answer
      When the account sends a cob
      Then it is accepted with 200 or 201
      And the answer has:
        | calendario.criacao      | the time of the call          |
        | calendario.expiracao    | the calendario.expiracao sent |
        | txid                    | the txid sent                 |
        | revisao                 | 0                             |
        | loc.id                  | a number                      |
        | loc.location            | a text                        |
        | loc.tipoCob             | "cob"                         |
        | location                | the loc.location              |
        | status                  | "ATIVA"                       |
        | devedor.cpf             | the devedor.cpf sent          |
        | devedor.nome            | the devedor.nome sent         |
        | valor.original          | the valor.original sent       |
        | valor.modalidadeAlteracao | a number                    |
        | chave                   | the chave sent                |
        | solicitacaoPagador      | the solicitacaoPagador sent   |
        | infoAdicionais[0].nome  | "Pedido"                      |
        | infoAdicionais[0].valor | "maçã"                        |
      And its status is noted as "status of a new cob"
      And its loc.location should be a BR Code of R$ 1.00

    Scenario: A company as debtor
      When the account sends a cob with devedor {"cnpj": "11222333000181", "nome": "Empresa de Tal"}
      Then it is accepted
      And the answer has:
        | devedor.cnpj | "11222333000181" |
        | devedor.nome | "Empresa de Tal" |

    Scenario: It moves no money and tells nobody
      Given the account receives webhooks of every type
      When the account sends a cob of R$ 10.00
      Then it is accepted
      And available is unchanged
      And blocked is unchanged
      And nothing arrives

    Scenario: Each charge has a location of its own
      When the account sends a cob
      And the account sends a cob
      Then it is accepted
      And both answers differ in location

  @cob.txid
  @COB-002 @COB-003 @COB-004 @COB-005 @COB-006 @COB-007 @COB-039
  Rule: The txid has 26 to 35 letters and digits

    Scenario Outline: <txid> is accepted
      When the account sends a cob with path txid <txid>
      Then it is accepted
      And the answer has:
        | txid | the txid sent |

      Examples:
        | txid                                      |
        | a fresh text of 26 letters and digits     |
        | a fresh text of 35 letters and digits     |

    Scenario Outline: <txid> is refused
      When the account sends a cob with path txid <txid>
      Then it is refused with 400

      Examples:
        | txid                                           |
        | a fresh text of 25 letters and digits          |
        | a fresh text of 36 letters and digits          |
        | a fresh text of 30 characters with a hyphen    |
        | a fresh text of 30 characters with an underscore |
        | a fresh text of 30 characters with a dot       |

  @cob.duplicate-txid
  @COB-008 @COB-009 @COB-010 @COB-056 @ERR-027
  Rule: A txid is used once: any repeat is refused with 409

    Scenario: The same charge again
      Given the account has sent a cob
      When the account sends it again
      Then it is refused with 409
      And the answer has:
        | statusCode | 409        |
        | message    | a text     |
        | error      | "Conflict" |

    Scenario: Another charge under the same txid
      Given the account has sent a cob
      When the account sends it again with valor.original "2.00"
      Then it is refused with 409

    Scenario: The same charge many times at once
      When the account sends the same cob of R$ 10.00 8 times at once
      Then one is accepted
      And the others are refused with 409

    Scenario: Once it is paid
      Given the account has sent a cob
      And somebody pays it
      When the account sends it again
      Then it is refused with 409

    Scenario: Once it is removed
      Given the account has sent a cob
      And the receiver ends it
      When the account sends it again
      Then it is refused with 409

    Scenario: Once it has expired
      Given the account has sent a cob with calendario.expiracao 3600
      And 3601 seconds pass
      When the account sends it again
      Then it is refused with 409

  @cob.calendario
  @COB-011 @COB-012
  Rule: The calendario is required, and its expiracao counts seconds

    Scenario Outline: calendario <value> is refused
      When the account sends a cob with calendario <value>
      Then it is refused with 400

      Examples:
        | value  |
        | absent |
        | null   |
        | "x"    |
        | []     |

    Scenario Outline: expiracao <value> is refused
      When the account sends a cob with calendario.expiracao <value>
      Then it is refused with 400

      Examples:
        | value |
        | "abc" |
        | {}    |

    @open:values-of-another-type
    Scenario: A text is no number, whatever a lax reader makes of it
      When the account sends a cob with calendario.expiracao "3600"
      Then it should be refused with 400

  @cob.devedor
  @GEN-008 @GEN-009 @COB-013 @COB-014 @COB-016 @COB-017
  Rule: The debtor is optional, a CPF of 11 or a CNPJ of 14 digits

    Scenario: Without a debtor
      When the account sends a cob with devedor absent
      Then it is accepted

    Scenario Outline: <devedor> is refused
      When the account sends a cob with devedor <devedor>
      Then it is refused with 400

      Examples:
        | devedor                                            |
        | {"cpf": "123", "nome": "Fulano de Tal"}            |
        | {"cpf": "5299822472", "nome": "Fulano de Tal"}     |
        | {"cpf": "529982247250", "nome": "Fulano de Tal"}   |
        | {"cnpj": "123", "nome": "Empresa de Tal"}          |
        | {"cnpj": "1122233300018", "nome": "Empresa de Tal"} |
        | {"cnpj": "112223330001810", "nome": "Empresa de Tal"} |
        | "x"                                                |

  @cob.valor
  @COB-019 @COB-020 @COB-021 @COB-022 @COB-023 @COB-024 @COB-025 @COB-026 @COB-027 @COB-028 @COB-049
  Rule: The original value has exactly two decimals

    Scenario Outline: <value> is accepted
      When the account sends a cob with valor.original "<value>"
      Then it is accepted
      And the answer has:
        | valor.original | "<value>" |

      Examples:
        | value             |
        | 10.00             |
        | 0.01              |
        | 0.07              |
        | 0.29              |
        | 1.15              |
        | 8.41              |
        | 136.42            |
        | 142.20            |

    Scenario Outline: <value> is refused
      When the account sends a cob with valor.original <value>
      Then it is refused with 400

      Examples:
        | value    |
        | "10"     |
        | "10.0"   |
        | "10.000" |
        | "10,00"  |
        | "abc"    |
        | ""       |
        | absent   |
        | null     |

    @open:status-of-an-amount-of-zero-or-less
    Scenario: A negative value is no amount to charge
      When the account sends a cob with valor.original "-1.00"
      Then it is refused with 400 or 422
      And it should be refused with 400

    @open:values-of-another-type
    Scenario: A number is no text, whatever a lax reader makes of it
      When the account sends a cob with valor.original 10.00
      Then it should be refused with 400

    Scenario Outline: valor <value> is refused
      When the account sends a cob with valor <value>
      Then it is refused with 400

      Examples:
        | value   |
        | absent  |
        | null    |
        | "10.00" |

    @open:values-of-another-type
    Scenario: modalidadeAlteracao is a number
      When the account sends a cob with valor.modalidadeAlteracao 0
      Then it is accepted
      And the answer has:
        | valor.modalidadeAlteracao | 0 |
      When the account sends a cob with valor.modalidadeAlteracao "0"
      Then it should be refused with 400

  @cob.texts
  @COB-029 @COB-030 @COB-031 @COB-032 @COB-033 @COB-034 @COB-035 @COB-036
  Rule: Chave, solicitacaoPagador and infoAdicionais are optional and bounded

    Scenario Outline: <field> <value> is accepted
      When the account sends a cob with <field> <value>
      Then it is accepted

      Examples:
        | field              | value                     |
        | chave              | absent                    |
        | solicitacaoPagador | absent                    |
        | solicitacaoPagador | a text of 140 characters  |
        | infoAdicionais     | absent                    |

    @open:a-chave-of-77-characters @open:an-empty-list
    Scenario Outline: <field> <value> should be accepted
      When the account sends a cob with <field> <value>
      Then it should be accepted

      Examples:
        | field          | value                  |
        | chave          | a key of 77 characters |
        | infoAdicionais | []                     |

    Scenario Outline: <field> <value> is refused
      When the account sends a cob with <field> <value>
      Then it is refused with 400

      Examples:
        | field              | value                    |
        | chave              | a key of 78 characters   |
        | chave              | {}                       |
        | solicitacaoPagador | a text of 141 characters |
        | solicitacaoPagador | {}                       |
        | infoAdicionais     | {}                       |
        | infoAdicionais     | "x"                      |

  @cob.paid
  @GEN-013 @COB-058 @COB-059 @COB-060 @EVT-086
  Rule: A paid charge is CONCLUIDA, and its amount is available

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 10.00

    Scenario: The money
      When somebody pays it
      Then available rises by R$ 10.00
      And blocked is unchanged

    Scenario: The state
      When somebody pays it
      Then the charge is CONCLUIDA

    Scenario: The notification
      When somebody pays it
      Then a RECEIVE event arrives
      And the event's type is noted as "subscription that carries RECEIVE"

    Scenario: The list
      When somebody pays it
      Then the payment is noted as "paid cob in the list of transactions"

  @cob.paid-once
  @COB-064 @COB-065
  Rule: CONCLUIDA is final

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 10.00
      And somebody pays it
      And a RECEIVE event arrives

    Scenario: A second payment
      When somebody tries to pay it
      Then available stays unchanged
      And the charge is CONCLUIDA

    Scenario: Four payments at once
      Given the account has sent a cob of R$ 10.00
      When somebody pays it 4 times at once
      Then available rises by R$ 10.00
      When somebody tries to pay it
      Then available stays unchanged

    Scenario: Its expiry
      When 90000 seconds pass
      Then the charge is CONCLUIDA
      And available is unchanged

  @cob.ended
  @COB-061 @COB-063 @COB-066 @COB-067
  Rule: The receiver or the PSP may remove a charge, which can then not be paid

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 10.00

    Scenario Outline: <who> removes it
      When <who> ends it
      Then the charge is <state>
      When somebody tries to pay it
      Then available is unchanged
      And the charge is <state>
      And no event reports it as LIQUIDATED

      Examples:
        | who          | state                           |
        | the receiver | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | the PSP      | REMOVIDA_PELO_PSP               |

  @cob.expired
  @COB-062 @COB-067
  Rule: An expired charge is REMOVIDA_PELO_PSP, and can then not be paid

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob with:
        | valor.original       | "10.00" |
        | calendario.expiracao | 3600    |

    Scenario: Shortly before
      When 3590 seconds pass
      Then the charge is ATIVA
      When somebody pays it
      Then available rises by R$ 10.00

    Scenario: Shortly after
      When 3601 seconds pass
      Then the charge is REMOVIDA_PELO_PSP
      When somebody tries to pay it
      Then available is unchanged
      And no event reports it as LIQUIDATED

  @cob.left-open
  @COB-069
  Rule: Where the specification is silent, a charge is either made or refused cleanly

    Scenario Outline: <point>
      When the account sends a cob with <field> <value>
      Then it is accepted, or refused with 400
      And its status is noted as "<point>"

      Examples:
        | field                     | value                                                               | point                                    |
        | calendario                | {}                                                                  | expiracao left out                       |
        | calendario.expiracao      | 0                                                                   | expiracao 0                              |
        | calendario.expiracao      | -1                                                                  | negative expiracao                       |
        | calendario.expiracao      | 2147483648                                                          | huge expiracao                           |
        | valor.original            | "0.00"                                                              | cob of R$ 0.00                           |
        | valor.modalidadeAlteracao | absent                                                              | modalidadeAlteracao left out             |
        | valor.modalidadeAlteracao | 1                                                                   | modalidadeAlteracao 1                    |
        | valor.modalidadeAlteracao | 2                                                                   | modalidadeAlteracao 2                    |
        | devedor                   | {"cpf": "52998224725"}                                              | debtor without a name                    |
        | devedor                   | {"cpf": "52998224725", "cnpj": "11222333000181", "nome": "Fulano"}  | debtor with a CPF and a CNPJ             |
        | devedor.cpf               | "52998224726"                                                       | debtor with wrong check digits           |

    Scenario: A txid that another account has used
      Given another account
      And the account has sent a cob
      When the other account sends a cob with path txid the txid of the account
      Then it is accepted, or refused with 409
      And its status is noted as "txid of another account"

    Scenario: A txid in other capitals
      Given the account has sent a cob
      When the account sends it again with path txid the txid of the account in the other case
      Then it is accepted, or refused with 409
      And its status is noted as "txid in the other case"

    Scenario: An amount that the payer changes
      Given the account has sent a cob with:
        | valor.original            | "10.00" |
        | valor.modalidadeAlteracao | 1       |
      When somebody tries to pay R$ 12.00 for it
      Then the movement of available is noted as "payment of another amount"
