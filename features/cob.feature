Feature: Immediate charge (cob)
  PUT /cob/{txid} creates a charge in the style of the Central Bank's API. The client chooses
  the txid. The charge is ATIVA until it is paid, removed or expired.

  Background:
    Given an account

  @cob.created
  @GEN-001 @GEN-002 @GEN-006 @GEN-008 @GEN-009 @BAL-021 @COB-001 @COB-014 @COB-015 @COB-018 @COB-036
  @COB-037 @COB-038 @COB-039 @COB-040 @COB-041 @COB-042 @COB-043 @COB-044 @COB-045 @COB-047 @COB-048
  @COB-049 @COB-050 @COB-051 @COB-052 @COB-053 @COB-054 @COB-057 @COB-068
  Rule: A new charge is ATIVA and echoes the request

    @open:content-of-a-location
    Scenario: The response
      When the account sends a cob
      Then the request is accepted with 200 or 201
      And the response has:
        | calendario.criacao        | the time of the request       |
        | calendario.expiracao      | the calendario.expiracao sent |
        | txid                      | the txid sent                 |
        | revisao                   | 0                             |
        | loc.id                    | a number                      |
        | loc.location              | a non-empty string            |
        | loc.tipoCob               | "cob"                         |
        | location                  | the loc.location              |
        | status                    | "ATIVA"                       |
        | devedor.cpf               | the devedor.cpf sent          |
        | devedor.nome              | the devedor.nome sent         |
        | valor.original            | the valor.original sent       |
        | valor.modalidadeAlteracao | a number                      |
        | chave                     | the chave sent                |
        | solicitacaoPagador        | the solicitacaoPagador sent   |
        | infoAdicionais[0].nome    | "Pedido"                      |
        | infoAdicionais[0].valor   | "maçã"                        |
      And the response's status is recorded for open point "status of a new cob"
      And the response's loc.location should be a BR Code of R$ 1.00

    Scenario: Any number of seconds as it was sent, next to every debtor, if the gateway accepts it
      When the account sends a cob for every pair of:
        | calendario.expiracao | devedor                                                | valor.original |
        | 43200                | absent                                                 | "0.01"         |
        | 86400                | {"cpf": "52998224725", "nome": "Fulano de Tal"}        | "1234.50"      |
        | 604800               | {"cnpj": "11222333000181", "nome": "Padaria São João"} |                |
      Then every request is accepted, or rejected with 400 or 422

    Scenario Outline: The response of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a cob
      Then the request is accepted
      And the response has:
        | calendario.criacao | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 30 December |
        | 31 December |

    Scenario: Every pair of debtor, amount and texts as it was sent, eight at the same instant; the charges before and after them are paid
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 7.31
      When the account sends concurrent cobs for every pair of:
        | devedor                                                | valor.original | chave             | solicitacaoPagador         | infoAdicionais                                                                             |
        | absent                                                 | "0.01"         | absent            | absent                     | absent                                                                                     |
        | {"cpf": "52998224725", "nome": "Fulano de Tal"}        | "8.41"         | the account's key | "Pão & café \"2\" <3>"     | [{"nome": "Pedido", "valor": "maçã"}]                                                      |
        | {"cpf": "00000000191", "nome": "José D'Ávila & Filho"} | "142.20"       |                   | a string of 140 characters | [{"nome": "Endereço de entrega, com número", "valor": "007"}, {"nome": "2", "valor": "x"}] |
        | {"cnpj": "11222333000181", "nome": "Padaria São João"} | "1000.07"      |                   |                            | [{"nome": "c", "valor": "d"}, {"nome": "b", "valor": "e"}, {"nome": "a", "valor": "f"}]    |
      Then every request is accepted
      When the account sends a cob of R$ 8.00
      Then the request is accepted
      When a company pays the charge
      Then a RECEIVE event arrives
      And the charge is CONCLUIDA
      And the first charge is ATIVA
      When another payer pays the first charge
      Then a RECEIVE event of the first charge arrives
      And the first charge is CONCLUIDA
      And the available balance rises by R$ 7.31

    Scenario: The chave as it was sent, if the gateway accepts it
      When the account sends a cob with chave "Fulano.deTal@Example.com"
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the response has:
        | chave | "Fulano.deTal@Example.com" |

    Scenario: Creating a charge moves no money and sends no event
      Given the account receives webhooks of every type
      When the account sends a cob of R$ 10.00
      Then the request is accepted
      And the available balance is unchanged
      And the blocked balance is unchanged
      And no event arrives

    Scenario: Each charge has its own location
      When the account sends a cob
      And the account sends a cob
      Then the request is accepted
      And the two responses differ in location

  @cob.shapes @shapes
  @COB-012 @COB-013 @COB-014 @COB-015 @COB-028 @COB-029 @COB-032 @COB-035
  Rule: Every kind of debtor and optional field can be combined

    Scenario Outline: <shape>
      When the account sends a cob with:
        | calendario.expiracao      | <expiracao> |
        | devedor                   | <devedor>   |
        | valor.original            | "<valor>"   |
        | valor.modalidadeAlteracao | <modality>  |
        | chave                     | <chave>     |
        | solicitacaoPagador        | <request>   |
        | infoAdicionais            | <info>      |
      Then the request is accepted

      Examples:
        | shape                         | expiracao | devedor                                                | valor  | modality | chave             | request                    | info                                                       |
        | For a person                  | 3600      | {"cpf": "52998224725", "nome": "Fulano de Tal"}        | 1.00   | 0        | the account's key | "Pão de açúcar"            | [{"nome": "Pedido", "valor": "maçã"}]                      |
        | For a company                 | 3600      | {"cnpj": "11222333000181", "nome": "Padaria São João"} | 142.20 | 0        | the account's key | a string of 140 characters | absent                                                     |
        | For a company, with details   | 3600      | {"cnpj": "11222333000181", "nome": "Padaria São João"} | 142.20 | 0        | the account's key | a string of 140 characters | [{"nome": "1", "valor": "a"}, {"nome": "2", "valor": "b"}] |
        | For a CPF with a leading zero | 3600      | {"cpf": "01234567890", "nome": "José D'Ávila"}         | 0.29   | 0        | absent            | absent                     | [{"nome": "1", "valor": "a"}, {"nome": "2", "valor": "b"}] |
        | Without a debtor              | 3600      | absent                                                 | 8.41   | 0        | the account's key | "Pedido de teste"          | absent                                                     |

  @cob.txid
  @COB-002 @COB-003 @COB-004 @COB-005 @COB-006 @COB-007 @COB-039
  Rule: The txid has 26 to 35 letters and digits

    Scenario Outline: <txid> is accepted
      When the account sends a cob with path txid <txid>
      Then the request is accepted
      And the response has:
        | txid | the txid sent |

      Examples:
        | txid                                     |
        | a random string of 26 letters and digits |
        | a random string of 35 letters and digits |

    Scenario: Any other txid is rejected, next to every debtor and amount
      When the account sends a cob for every pair of:
        | path txid                                                       | devedor                                                | valor.original |
        | a random string of 30 letters and digits                        | absent                                                 | "0.01"         |
        | wrong: a random string of 25 letters and digits                 | {"cpf": "52998224725", "nome": "Fulano de Tal"}        | "1234.50"      |
        | wrong: a random string of 36 letters and digits                 | {"cnpj": "11222333000181", "nome": "Padaria São João"} |                |
        | wrong: a random string of 30 characters with a hyphen           |                                                        |                |
        | wrong: a random string of 30 characters with an underscore      |                                                        |                |
        | wrong: a random string of 30 characters with a dot              |                                                        |                |
        | wrong: a random string of 30 characters with a space            |                                                        |                |
        | wrong: a random string of 30 characters with an accent          |                                                        |                |
        | wrong: a random string of 30 characters with a plus             |                                                        |                |
        | wrong: a random string of 30 letters and digits and a line feed |                                                        |                |
        | wrong: a random UUID                                            |                                                        |                |
      Then every request is rejected with 400

  @cob.duplicate-txid
  @COB-008 @COB-009 @COB-010 @COB-056 @ERR-027
  Rule: A used txid is rejected with 409

    Scenario: The same request again
      Given the account has sent a cob
      When the account sends the request again
      Then the request is rejected with 409
      And the response has:
        | statusCode | 409                |
        | message    | a non-empty string |
        | error      | "Conflict"         |

    Scenario: Any other charge with the same txid, which changes nothing
      Given the account has sent a cob of R$ 10.00
      When the account sends a cob for every pair of:
        | path txid                    | valor.original | devedor                                                | solicitacaoPagador |
        | the txid of the first charge | "10.00"        | absent                                                 | absent             |
        |                              | "0.01"         | {"cpf": "01234567890", "nome": "José D'Ávila"}         | "Outro pedido"     |
        |                              | "1234.50"      | {"cnpj": "11222333000181", "nome": "Padaria São João"} |                    |
      Then every request is rejected with 409
      When a payer pays the first charge
      Then the available balance rises by R$ 10.00

    Scenario: The same request 8 times concurrently
      When the account sends the same cob of R$ 10.00 in 8 concurrent requests
      Then one request is accepted
      And the others are rejected with 409

    Scenario: After the charge is paid
      Given the account has sent a cob
      And a payer pays the charge
      When the account sends the request again
      Then the request is rejected with 409

    Scenario: After the charge is removed
      Given the account has sent a cob
      And the receiver removes the charge
      When the account sends the request again
      Then the request is rejected with 409
      And the charge is REMOVIDA_PELO_USUARIO_RECEBEDOR

    Scenario: After the charge has expired
      Given the account has sent a cob with calendario.expiracao 3600
      And 3601 seconds pass
      When the account sends the request again
      Then the request is rejected with 409

    Scenario: After other charges and after 40 days
      Given the account has sent a cob of R$ 10.00
      And the account has sent a cob of R$ 20.00
      And a payer pays the second charge
      And the account has sent a cob of R$ 0.07
      And the account has sent a cob of R$ 0.07
      When the account sends a cob with path txid the txid of the first charge
      Then the request is rejected with 409
      When the account sends a cob with path txid the txid of the second charge
      Then the request is rejected with 409
      When 40 days pass
      And the account sends a cob with path txid the txid of the first charge
      Then the request is rejected with 409
      When the account sends a cob with path txid the txid of the second charge
      Then the request is rejected with 409

    Scenario: A rejected repeat does not change the amount
      Given the account has sent a cob of R$ 10.00
      When the account sends the request again with valor.original "99.00"
      Then the request is rejected with 409
      And the first charge is ATIVA
      When a payer pays the first charge
      Then the available balance rises by R$ 10.00
      And the first charge is CONCLUIDA

    Scenario: A rejected repeat does not prolong the charge
      Given the account has sent a cob with calendario.expiracao 3600
      When the account sends the request again with calendario.expiracao 86400
      Then the request is rejected with 400 or 409 or 422
      When 3601 seconds pass
      Then the first charge is REMOVIDA_PELO_PSP

    Scenario: A txid of 35 characters that differs in the last is another one
      Given the account has sent a cob with:
        | path txid      | a random string of 35 letters and digits |
        | valor.original | "10.00"                                  |
      When the account sends a cob with:
        | path txid      | the txid of the first charge with a different last character |
        | valor.original | "20.00"                                                      |
      Then the request is accepted
      And the response has:
        | txid | the txid sent |
      When a payer pays the second charge
      Then the available balance rises by R$ 20.00
      And the first charge is ATIVA

  @cob.calendario
  @COB-011 @COB-012
  Rule: The calendario is required and its expiracao is a number

    Scenario: Every invalid calendario, in every shape
      When the account sends a cob of every shape whose calendario is invalid
      Then every request is rejected with 400

    Scenario Outline: expiracao <value> is rejected
      When the account sends a cob with calendario.expiracao <value>
      Then the request is rejected with 400

      Examples:
        | value |
        | "abc" |
        | {}    |

  @cob.devedor
  @GEN-008 @GEN-009 @COB-013 @COB-014 @COB-016 @COB-017
  Rule: The debtor is optional and has a CPF of 11 or a CNPJ of 14 digits

    Scenario: Without a debtor
      When the account sends a cob with devedor absent
      Then the request is accepted

    Scenario Outline: Every invalid <field>, in every shape that has one
      When the account sends a cob of every shape whose <field> is invalid
      Then every request is rejected with 400

      Examples:
        | field        |
        | devedor.cpf  |
        | devedor.cnpj |

    Scenario Outline: <devedor> is rejected
      When the account sends a cob with devedor <devedor>
      Then the request is rejected with 400

      Examples:
        | devedor                   |
        | "x"                       |
        | {"cpf": "123"}            |
        | {"cnpj": "123"}           |
        | {"cnpj": "1122233300018"} |

  @cob.valor
  @COB-019 @COB-020 @COB-021 @COB-022 @COB-023 @COB-024 @COB-025 @COB-026 @COB-027 @COB-028 @COB-049
  Rule: The original value has exactly two decimals

    Scenario Outline: <value> is accepted
      When the account sends a cob with valor.original "<value>"
      Then the request is accepted
      And the response has:
        | valor.original | "<value>" |

      Examples:
        | value         |
        | 10.00         |
        | 0.01          |
        | 0.07          |
        | 0.29          |
        | 1.15          |
        | 8.41          |
        | 136.42        |
        | 142.20        |
        | 21474836.48   |
        | 999999999.99  |
        | 9999999999.99 |

    Scenario: Every invalid amount, in every shape
      When the account sends a cob of every shape whose valor.original is invalid
      Then every request is rejected with 400

    @open:status-of-an-amount-of-zero-or-less
    Scenario: A negative amount is rejected
      When the account sends a cob with valor.original "-1.00"
      Then the request is rejected with 400 or 422
      And the request should be rejected with 400

    Scenario Outline: The same key twice: <values> is not accepted as the invalid one
      When the account sends a cob with valor.original <values>
      Then the request is accepted, or rejected with 400 or 422
      And if the request was accepted, the response has:
        | valor.original | "1.00" |

      Examples:
        | values               |
        | "1.00", then "-5.00" |
        | "-5.00", then "1.00" |
        | "1.00", then "1.019" |
        | "1.019", then "1.00" |

    Scenario: Every invalid valor, in every shape
      When the account sends a cob of every shape whose valor is invalid
      Then every request is rejected with 400

    @open:values-of-another-type
    Scenario: modalidadeAlteracao is a number
      When the account sends a cob with valor.modalidadeAlteracao 0
      Then the request is accepted
      And the response has:
        | valor.modalidadeAlteracao | 0 |
      When the account sends a cob with valor.modalidadeAlteracao "0"
      Then the request should be rejected with 400

  @cob.texts
  @COB-029 @COB-030 @COB-031 @COB-032 @COB-033 @COB-034 @COB-035 @COB-036
  Rule: chave, solicitacaoPagador and infoAdicionais are optional, with the types and lengths specified

    Scenario Outline: <field> <value> is accepted
      When the account sends a cob with <field> <value>
      Then the request is accepted

      Examples:
        | field              | value                      |
        | chave              | absent                     |
        | solicitacaoPagador | absent                     |
        | solicitacaoPagador | "Pão   de açúcar"          |
        | solicitacaoPagador | a string of 140 characters |
        | infoAdicionais     | absent                     |

    @open:a-chave-of-77-characters @open:an-empty-list
    Scenario Outline: <field> <value> should be accepted
      When the account sends a cob with <field> <value>
      Then the request should be accepted

      Examples:
        | field          | value                  |
        | chave          | a key of 77 characters |
        | chave          | "+5511987654374"       |
        | chave          | "52998224725"          |
        | infoAdicionais | []                     |

    Scenario: A chave of 78 characters is rejected
      When the account sends a cob of every shape with chave a key of 78 characters
      Then every request is rejected with 400

    Scenario Outline: Every invalid <field>, in every shape that has one
      When the account sends a cob of every shape whose <field> is invalid
      Then every request is rejected with 400

      Examples:
        | field              |
        | chave              |
        | solicitacaoPagador |
        | infoAdicionais     |

    @open:values-of-another-type
    Scenario Outline: infoAdicionais <value> should be rejected
      When the account sends a cob with infoAdicionais <value>
      Then the request should be rejected with 400

      Examples:
        | value                                                             |
        | [{"nome": "Pedido", "valor": {}}]                                 |
        | [{"nome": "Pedido", "valor": "7"}, {"nome": "Mesa", "valor": {}}] |

    Scenario Outline: <several> infoAdicionais are returned
      When the account sends a cob with infoAdicionais <list>
      Then the request is accepted
      And the response has:
        | infoAdicionais | the infoAdicionais sent |

      Examples:
        | several              | list                                                                                                                                                                                                                                                                                                                                                            |
        | Two of the same name | [{"nome": "Mesa", "valor": "7"}, {"nome": "Mesa", "valor": "8"}]                                                                                                                                                                                                                                                                                                |
        | Twelve               | [{"nome": "1", "valor": "l"}, {"nome": "2", "valor": "k"}, {"nome": "3", "valor": "j"}, {"nome": "4", "valor": "i"}, {"nome": "5", "valor": "h"}, {"nome": "6", "valor": "g"}, {"nome": "7", "valor": "f"}, {"nome": "8", "valor": "e"}, {"nome": "9", "valor": "d"}, {"nome": "10", "valor": "c"}, {"nome": "11", "valor": "b"}, {"nome": "12", "valor": "a"}] |

    Scenario: Three infoAdicionais, returned in their order
      When the account sends a cob with infoAdicionais [{"nome": "Pedido", "valor": "007"}, {"nome": "Endereço de entrega, com número", "valor": "São João & <2>"}, {"nome": "Caixa", "valor": "2.50"}]
      Then the request is accepted
      And the response has:
        | infoAdicionais          | 3 items                           |
        | infoAdicionais[0].nome  | "Pedido"                          |
        | infoAdicionais[0].valor | "007"                             |
        | infoAdicionais[1].nome  | "Endereço de entrega, com número" |
        | infoAdicionais[1].valor | "São João & <2>"                  |
        | infoAdicionais[2].nome  | "Caixa"                           |
        | infoAdicionais[2].valor | "2.50"                            |

    Scenario Outline: <value> is rejected in item <n> of 3
      When the account sends a cob with:
        | infoAdicionais            | [{"nome": "a", "valor": "b"}, {"nome": "c", "valor": "d"}, {"nome": "e", "valor": "f"}] |
        | infoAdicionais[<i>].valor | <value>                                                                                 |
      Then the request is rejected with 400

      Examples:
        | n | i | value |
        | 2 | 1 | {}    |
        | 3 | 2 | []    |

  @cob.paid
  @GEN-013 @COB-058 @COB-059 @COB-060 @EVT-086
  Rule: A paid charge is CONCLUIDA and its amount is available

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 10.00

    Scenario: The balance, of one of two accounts with the same certificate
      Given another account
      And the account also has a valid certificate
      And the other account also has that certificate
      When a payer pays the charge
      Then the available balance rises by R$ 10.00

    Scenario: The balance
      When a payer pays the charge
      Then the available balance rises by R$ 10.00
      And the blocked balance is unchanged

    Scenario: The state
      When a payer pays the charge
      Then the charge is CONCLUIDA

    Scenario: The event
      When a payer pays the charge
      Then a RECEIVE event arrives
      And the event's type is recorded for open point "subscription that carries RECEIVE"

    Scenario Outline: A charge of an hour that is created at <time> in São Paulo
      Given it is <time> in São Paulo
      And the account has sent a cob with:
        | valor.original       | "10.07" |
        | calendario.expiracao | 3600    |
      When 15 minutes pass
      Then the charge is ATIVA
      When a payer pays the charge
      Then the charge is CONCLUIDA
      And the available balance rises by R$ 10.07

      Examples:
        | time  |
        | 20:50 |
        | 23:50 |

    Scenario: 45 seconds, if the gateway accepts it
      When the account sends a cob with:
        | valor.original       | "10.00" |
        | calendario.expiracao | 45      |
      Then the request is accepted, or rejected with 400 or 422
      When 20 seconds pass
      And a payer tries to pay the charge
      Then if the request was accepted, the available balance rises by R$ 10.00

    Scenario: Without a debtor
      Given the account has sent a cob with:
        | valor.original | "20.00" |
        | devedor        | absent  |
      When a payer pays the charge
      Then a RECEIVE event arrives
      And the available balance rises by R$ 20.00

    Scenario: The transaction list
      When a payer pays the charge
      Then how the payment is listed is recorded for open point "paid cob in the list of transactions"

    Scenario: Three charges, paid in another order
      Given the account has sent a cob of R$ 136.42
      And the account has sent a cob of R$ 0.07
      When a payer tries to pay the second charge
      Then a RECEIVE event of the second charge arrives with:
        | data.txId           | the txid of the second charge       |
        | data.payment.amount | "136.42"                            |
        | data.endToEndId     | the endToEndId of the second charge |
      And the available balance rises by R$ 136.42
      And the first charge is ATIVA
      And the third charge is ATIVA
      When a company tries to pay the first charge
      Then a RECEIVE event of the first charge arrives with:
        | data.txId                   | the txid of the first charge       |
        | data.payment.amount         | "10.00" or "10.0" or "10"          |
        | data.endToEndId             | the endToEndId of the first charge |
        | data.debtorAccount.document | masked                             |
      And the available balance rises by R$ 10.00
      And the first charge is CONCLUIDA
      And the second charge is CONCLUIDA
      And the third charge is ATIVA
      When another payer tries to pay the third charge
      Then a RECEIVE event of the third charge arrives with:
        | data.txId           | the txid of the third charge       |
        | data.payment.amount | "0.07"                             |
        | data.endToEndId     | the endToEndId of the third charge |
      And the available balance rises by R$ 0.07
      And the third charge is CONCLUIDA

  @cob.paid-once
  @COB-064
  Rule: CONCLUIDA is final

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 10.00
      And a payer pays the charge
      And a RECEIVE event arrives

    Scenario: A second payment
      When a payer tries to pay the charge
      Then the available balance stays unchanged
      And the charge is CONCLUIDA

    Scenario: Four concurrent payments
      Given the account has sent a cob of R$ 10.00
      When a payer pays the charge 4 times concurrently
      Then the available balance rises by R$ 10.00
      When a payer tries to pay the charge
      Then the available balance stays unchanged

    Scenario: A charge that is paid and refunded
      Given the account has sent a refund of R$ 4.00
      And the account has sent a refund of R$ 6.00
      When a payer tries to pay the charge
      And the receiver tries to remove the charge
      Then the available balance does not rise
      And the charge is CONCLUIDA

  @cob.ended
  @COB-061 @COB-063 @COB-066 @COB-067
  Rule: A charge removed by the receiver or the PSP cannot be paid

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob of R$ 10.00

    Scenario Outline: <who> removes the charge
      When <who> removes the charge
      Then the charge is <state>
      When a payer tries to pay the charge
      Then the available balance is unchanged
      And the charge is <state>
      And no event reports it as LIQUIDATED

      Examples:
        | who          | state                           |
        | the receiver | REMOVIDA_PELO_USUARIO_RECEBEDOR |
        | the PSP      | REMOVIDA_PELO_PSP               |

    Scenario: The other charges can still be paid
      Given the account has sent a cob of R$ 20.00
      And the account has sent a cob of R$ 30.00
      When a payer tries to pay the third charge
      And the receiver removes the second charge
      Then the second charge is REMOVIDA_PELO_USUARIO_RECEBEDOR
      And the first charge is ATIVA
      And the available balance rises by R$ 30.00
      When a payer tries to pay the second charge
      And a payer tries to pay the first charge
      Then the available balance rises by R$ 10.00
      And the first charge is CONCLUIDA
      And the second charge is REMOVIDA_PELO_USUARIO_RECEBEDOR
      And the third charge is CONCLUIDA

  @cob.expired
  @COB-062 @COB-067
  Rule: An expired charge is REMOVIDA_PELO_PSP and cannot be paid

    Background:
      Given the account receives webhooks of every type
      And the account has sent a cob with:
        | valor.original       | "10.00" |
        | calendario.expiracao | 3600    |

    Scenario: 172800 seconds, if the gateway accepts that
      Given the account has sent a cob, if the gateway accepts it, with:
        | valor.original       | "10.00" |
        | calendario.expiracao | 172800  |
      When 172790 seconds pass
      Then the charge is ATIVA
      When 11 seconds pass
      Then the charge is REMOVIDA_PELO_PSP
      When a payer tries to pay the charge
      Then the available balance is unchanged

    Scenario: 10 seconds before expiry
      When 3590 seconds pass
      Then the charge is ATIVA
      When a payer tries to pay the charge
      Then the available balance rises by R$ 10.00

    Scenario Outline: Over midnight, and once the clock is set back: <minutes> minutes after noon on <day>
      Given it is noon on <day> of the next leap year in São Paulo
      And <minutes> minutes pass
      And the account has sent a cob with calendario.expiracao 3600
      When 3590 seconds pass
      Then the charge is ATIVA
      When 11 seconds pass
      Then the charge is REMOVIDA_PELO_PSP
      When it is noon on <day> of the next leap year in São Paulo
      And a payer tries to pay the charge
      Then the charge is REMOVIDA_PELO_PSP
      And the available balance is unchanged

      Examples:
        | day         | minutes |
        | 26 February | 710     |
        | 28 February | 530     |
        | 31 December | 530     |
        | 31 December | 710     |

    Scenario: 1 second after expiry
      When 3601 seconds pass
      Then the charge is REMOVIDA_PELO_PSP
      When a payer tries to pay the charge
      Then the available balance is unchanged
      And no event reports it as LIQUIDATED

    Scenario: A charge with a later expiry, if the gateway accepts it
      Given the account has sent a cob, if the gateway accepts it, with:
        | valor.original       | "20.00" |
        | calendario.expiracao | 7200    |
      When 3601 seconds pass
      Then the first charge is REMOVIDA_PELO_PSP
      And the second charge is ATIVA
      When a payer tries to pay the first charge
      And a payer tries to pay the second charge
      Then the available balance rises by R$ 20.00
      And the second charge is CONCLUIDA
      When 3600 seconds pass
      Then the first charge is REMOVIDA_PELO_PSP
      And the second charge is CONCLUIDA
      And the available balance is unchanged

  @cob.left-open
  @COB-069
  Rule: Where the specification is silent, the gateway either creates the charge or rejects it cleanly

    Scenario Outline: <point>
      When the account sends a cob with <field> <value>
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "<point>"

      Examples:
        | field                     | value                                                              | point                          |
        | valor.modalidadeAlteracao | absent                                                             | modalidadeAlteracao left out   |
        | valor.modalidadeAlteracao | 1                                                                  | modalidadeAlteracao 1          |
        | valor.modalidadeAlteracao | 2                                                                  | modalidadeAlteracao 2          |
        | devedor                   | {"cpf": "52998224725"}                                             | debtor without a name          |
        | devedor                   | {"cpf": "52998224725", "cnpj": "11222333000181", "nome": "Fulano"} | debtor with a CPF and a CNPJ   |
        | devedor.cpf               | "52998224726"                                                      | debtor with wrong check digits |

    Scenario Outline: <point>
      When the account sends a cob with <field> <value>
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "<point>"

      Examples:
        | field                | value      | point              |
        | calendario           | {}         | expiracao left out |
        | calendario.expiracao | 0          | expiracao 0        |
        | calendario.expiracao | -1         | negative expiracao |
        | calendario.expiracao | 2147483648 | huge expiracao     |

    Scenario: A cob of R$ 0.00
      When the account sends a cob with valor.original "0.00"
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "cob of R$ 0.00"

    Scenario: Unusual JSON for a valid cob: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a cob in unusual JSON
      Then every request is accepted, or rejected with 400

    @open:values-of-another-type
    Scenario: No field of a cob should be accepted in another type
      When the account sends a cob in wrong types
      Then every request should be rejected with 400

    Scenario: Another account's txid
      Given another account
      And the account has sent a cob
      When the other account sends a cob with path txid the account's txid
      Then the request is accepted, or rejected with 409
      And the response's status is recorded for open point "txid of another account"

    Scenario: A used txid with the case swapped
      Given the account has sent a cob
      When the account sends the request again with path txid the account's txid with the case swapped
      Then the request is accepted, or rejected with 409
      And the response's status is recorded for open point "txid with the case swapped"

    Scenario: A payer pays a different amount
      Given the account has sent a cob with:
        | valor.original            | "10.00" |
        | valor.modalidadeAlteracao | 1       |
      When a payer tries to pay R$ 12.00 for the charge
      Then the change in the available balance is recorded for open point "payment of another amount"
