Feature: Refund of a received PIX (devolução)
  PUT /pix/{e2eid}/devolucao/{id} refunds all or part of a received payment.

  Background:
    Given an account with R$ 100.00 available
    And the account has been paid R$ 10.00 for a cob

  @refund.accepted
  @GEN-001 @GEN-002 @GEN-006 @DEV-001 @DEV-002 @DEV-009 @DEV-012 @DEV-015 @DEV-024 @DEV-025 @DEV-026
  @DEV-027 @DEV-030 @DEV-031 @DEV-032 @DEV-034 @DEV-035 @DEV-050
  Rule: An accepted refund is EM_PROCESSAMENTO

    Background:
      Given refunds wait for the bank

    Scenario: The answer
      When the account sends a refund with:
        | valor     | "1.00"     |
        | natureza  | "ORIGINAL" |
        | descricao | "Devolução" |
      Then it is accepted with 200 or 201 or 202
      And the answer has:
        | id                  | the id sent          |
        | rtrId               | 32 characters        |
        | valor               | "1.00"               |
        | natureza            | "ORIGINAL"           |
        | descricao           | "Devolução"          |
        | horario             | an object            |
        | horario.solicitacao | the time of the call |
        | status              | "EM_PROCESSAMENTO"   |
        | motivo              | absent or null or a string |
      And its status is noted as "status of a new refund"

    Scenario: Each refund has an rtrId of its own
      When the account sends a refund of R$ 1.00
      And the account sends a refund of R$ 1.00
      Then it is accepted
      And both answers differ in rtrId

  @refund.natureza
  @DEV-014 @DEV-015 @DEV-017 @DEV-018 @DEV-019 @DEV-020
  Rule: The natureza is ORIGINAL or RETIRADA, and optional

    Scenario: Left out
      When the account sends a refund with natureza absent
      Then it is accepted
      And the answer has:
        | natureza | absent or "ORIGINAL" |

    Scenario: ORIGINAL
      When the account sends a refund with natureza "ORIGINAL"
      Then it is accepted
      And the answer has:
        | natureza | "ORIGINAL" |

    Scenario: RETIRADA, of a payment without a withdrawal
      When the account sends a refund with natureza "RETIRADA"
      Then it is accepted, or refused with 400 or 422
      And the answer has:
        | natureza | absent or "RETIRADA" |
      And its status is noted as "RETIRADA of an ordinary payment"

    @open:refund-beyond-the-bounds-of-a-field
    Scenario Outline: <value> is refused
      When the account sends a refund with natureza <value>
      Then it is refused with 400 or 422
      And it should be refused with 400

      Examples:
        | value             |
        | "MED_OPERACIONAL" |
        | "MED_FRAUDE"      |
        | "X"               |
        | ""                |
        | {}                |

  @refund.e2eid
  @DEV-003 @DEV-004 @DEV-005 @DEV-045 @DEV-046 @DEV-047 @ERR-026
  Rule: The e2eid has exactly 32 letters and digits and names a received PIX

    Scenario Outline: <value> is refused
      When the account sends a refund with path e2eid <value>
      Then it is refused with 400 or 404
      And its status is noted as "malformed e2eid"

      Examples:
        | value                                                |
        | its endToEndId without the last character            |
        | its endToEndId and one letter more                   |
        | its endToEndId with a hyphen for the last character  |

    Scenario: An unknown payment
      When the account sends a refund with path e2eid a fresh end-to-end id
      Then it is refused with 404
      And the answer has:
        | statusCode | 404         |
        | message    | a text      |
        | error      | "Not Found" |

    Scenario: A payment that was sent
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms it
      And a CashOut event arrives
      When the account sends a refund with path e2eid the endToEndId of the event
      Then it is refused with 404

    Scenario: A payment that another account received
      Given another account
      When the other account sends a refund with path e2eid its endToEndId
      Then it is refused with 404

  @refund.id
  @DEV-006 @DEV-007 @DEV-008 @DEV-009 @DEV-024
  Rule: The client chooses the id, of 1 to 35 characters

    Scenario: One character is accepted
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      When the account sends a refund with path id A
      Then it is accepted
      And the answer has:
        | id | the id sent |

    Scenario: 35 characters are accepted
      When the account sends a refund with path id a fresh text of 35 letters and digits
      Then it is accepted
      And the answer has:
        | id | the id sent |

    @open:refund-beyond-the-bounds-of-a-field
    Scenario: 36 characters are refused
      When the account sends a refund with path id a fresh text of 36 letters and digits
      Then it is refused with 400 or 404 or 422
      And it should be refused with 400
      And its status is noted as "refund beyond the bounds of a field"

  @refund.valor
  @DEV-010 @DEV-011 @DEV-013 @DEV-041
  Rule: The valor has exactly two decimals

    Scenario Outline: <value> is refused
      When the account sends a refund with valor <value>
      Then it is refused with 400

      Examples:
        | value   |
        | "1"     |
        | "1.0"   |
        | "1.000" |
        | "1,00"  |
        | "abc"   |
        | ""      |
        | "-1.00" |
        | absent  |
        | null    |

    @open:values-of-another-type
    Scenario: A number is no text, whatever a lax reader makes of it
      When the account sends a refund with valor 1.00
      Then it should be refused with 400

    Scenario: A refund of nothing is refused
      When the account sends a refund with valor "0.00"
      Then it is refused with 400 or 422

  @refund.descricao
  @DEV-021 @DEV-022 @DEV-023
  Rule: A descricao is optional and has at most 140 characters

    Scenario: Left out
      When the account sends a refund with descricao absent
      Then it is accepted

    Scenario: 140 characters
      When the account sends a refund with descricao a text of 140 characters
      Then it is accepted

    @open:refund-beyond-the-bounds-of-a-field
    Scenario Outline: <value> is refused
      When the account sends a refund with descricao <value>
      Then it is refused with 400 or 422
      And it should be refused with 400

      Examples:
        | value                    |
        | a text of 141 characters |
        | {}                       |

  @refund.sum
  @DEV-035 @DEV-036 @DEV-037 @DEV-038 @DEV-039 @DEV-040
  Rule: The refunds of a payment do not exceed its amount

    Scenario: All of it
      When the account sends a refund of R$ 10.00
      Then it is accepted

    Scenario: One centavo more
      When the account sends a refund of R$ 10.01
      Then it is refused with 400
      And available is unchanged

    Scenario: In two parts
      Given the account has sent a refund of R$ 4.00
      When the account sends a refund of R$ 6.00
      Then it is accepted

    Scenario: In two parts, one centavo too many
      Given the account has sent a refund of R$ 4.00
      When the account sends a refund of R$ 6.01
      Then it is refused with 400

    Scenario: In two parts, the first of them still in processing, one centavo too many
      Given refunds wait for the bank
      And the account has sent a refund of R$ 4.00
      When the account sends a refund of R$ 6.01
      Then it is refused with 400

    Scenario: In centavos that floating point breaks
      Given the account has sent a refund of R$ 8.41
      And the account has sent a refund of R$ 1.15
      And the account has sent a refund of R$ 0.29
      And the account has sent a refund of R$ 0.07
      And the account has sent a refund of R$ 0.08
      When the account sends a refund of R$ 0.01
      Then it is refused with 400

    Scenario: Refunds at once do not exceed it together
      When the account sends 8 refunds of R$ 4.00 at once
      Then at most 2 are accepted
      And the others are refused with 400

  @refund.same-id
  @DEV-061 @DEV-062
  Rule: A refund that is asked for again takes nothing more from the payment

    Scenario: The same request again
      When the account sends a refund of R$ 4.00
      And the account sends it again
      Then it is accepted, or refused with 400 or 409
      And available falls by R$ 0.00 to R$ 4.00
      And its status is noted as "status of a repeated refund"
      When the account sends a refund of R$ 6.00
      Then it is accepted

    Scenario: The same request many times at once
      When the account sends the same refund of R$ 4.00 8 times at once
      Then each is accepted, or refused with 400 or 409
      And all accepted answers have the same rtrId
      When the account sends a refund of R$ 6.00
      Then it is accepted

  @refund.deadline
  @DEV-042 @DEV-043 @DEV-044 @DEV-048 @ERR-028
  Rule: A refund may be requested up to 89 days after receipt, give or take a day

    Scenario: 88 days
      When 88 days pass
      And the account sends a refund of R$ 1.00
      Then it is accepted

    Scenario: 91 days
      When 91 days pass
      And the account sends a refund of R$ 1.00
      Then it is refused with 422
      And the answer has:
        | statusCode | 422                    |
        | message    | a text                 |
        | error      | "Unprocessable Entity" |

    @open:the-89-days-of-a-refund
    Scenario: Shortly before 89 days
      When 2135 hours pass
      And the account sends a refund of R$ 1.00
      Then it should be accepted

    @open:the-89-days-of-a-refund
    Scenario: Shortly after 90 days
      When 2161 hours pass
      And the account sends a refund of R$ 1.00
      Then it should be refused with 422

  @refund.done
  @GEN-013 @DEV-049 @DEV-051 @DEV-052 @DEV-055 @DEV-057 @EVT-087
  Rule: A refund that succeeds is DEVOLVIDO, and a REFUND event follows

    Background:
      Given refunds wait for the bank
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 4.00

    Scenario: The state
      When the refund succeeds
      Then the refund is DEVOLVIDO

    Scenario: The event
      When the refund succeeds
      Then a REFUND event arrives
      And the event's type is noted as "subscription that carries REFUND"

    Scenario: It stays DEVOLVIDO
      When the refund succeeds
      Then a REFUND event arrives
      When somebody tries to make the refund fail
      Then the refund is DEVOLVIDO
      And available does not rise

    Scenario: The list
      When the refund succeeds
      Then the refund is noted as "refund in the list of transactions"

  @refund.failed
  @DEV-053 @DEV-054 @DEV-056
  Rule: A refund that fails is NAO_REALIZADO

    Background:
      Given refunds wait for the bank
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 6.00

    Scenario: The state
      When the refund fails
      Then the refund is NAO_REALIZADO
      And no event reports it as REFUNDED

    Scenario: It stays NAO_REALIZADO
      When the refund fails
      Then the refund is NAO_REALIZADO
      When somebody tries to make the refund succeed
      Then the refund is NAO_REALIZADO
      And no event reports it as REFUNDED

    Scenario: Asked for again, it may tell why
      When the refund fails
      And the account sends it again
      Then it is accepted, or refused with 400 or 409
      And the answer has:
        | motivo | absent or null or a string |

    @open:refund-after-a-failed-one
    Scenario: It gives its part of the payment back
      When the refund fails
      And the account sends a refund of R$ 10.00
      Then it should be accepted
      And its status is noted as "refund after a failed one"

  @refund.money
  @DEV-057 @DEV-058 @DEV-059
  Rule: A refund leaves the account with no more than before

    Background:
      Given refunds wait for the bank

    @open:money-of-a-refund
    Scenario: Once it is carried out
      When the account sends a refund of R$ 4.00
      And the refund succeeds
      Then available does not rise
      And available should fall by R$ 4.00
      And blocked should be unchanged

    @open:money-of-a-refund
    Scenario: Once it has failed
      When the account sends a refund of R$ 4.00
      And the refund fails
      Then available should be unchanged
      And blocked should be unchanged

  @refund.cash-in
  @DEV-060
  Rule: The payment of a cash-in should be refundable too

    @open:refund-of-a-cash-in
    Scenario: A part of it
      Given the account has been paid R$ 10.00 for a cash-in
      When the account sends a refund of R$ 4.00
      Then it should be accepted
      And its status is noted as "refund of a cash-in"

  @refund.left-open
  @DEV-063
  Rule: Where the specification is silent, a refund is either taken or refused cleanly

    Scenario: More than is available
      Given the account has R$ 1.00 available
      When the account sends a refund of R$ 10.00
      Then it is accepted, or refused with 400 or 422
      And its status is noted as "refund beyond the balance"

    Scenario: The same id for another amount
      Given the account has sent a refund of R$ 4.00
      When the account sends it again with valor "2.00"
      Then it is accepted, or refused with 400 or 409 or 422
      And its status is noted as "another refund under a used id"

    Scenario: The same id for another payment
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And the account has sent a refund with:
        | path id | A      |
        | valor   | "1.00" |
      And the account has been paid R$ 10.00 for a cob
      When the account sends a refund with:
        | path id | A      |
        | valor   | "1.00" |
      Then it is accepted, or refused with 400 or 409
      And its status is noted as "refund id used for another payment"

    Scenario: What else horario tells
      When the account sends a refund of R$ 1.00
      Then it is accepted
      And its horario is noted as "fields of horario"
