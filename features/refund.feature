Feature: Refund of a received PIX (devolução)
  PUT /pix/{e2eid}/devolucao/{id} refunds all or part of a received payment.

  Background:
    Given an account with R$ 100.00 available
    And the account has received R$ 10.00 through a cob

  @refund.accepted
  @GEN-001 @GEN-002 @GEN-006 @DEV-001 @DEV-002 @DEV-009 @DEV-012 @DEV-015 @DEV-024 @DEV-025 @DEV-026
  @DEV-027 @DEV-030 @DEV-031 @DEV-032 @DEV-034 @DEV-035 @DEV-050
  Rule: An accepted refund is EM_PROCESSAMENTO

    Background:
      Given refunds wait for the bank

    Scenario: The response
      When the account sends a refund with:
        | valor     | "1.00"      |
        | natureza  | "ORIGINAL"  |
        | descricao | "Devolução" |
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id                  | the id sent                |
        | rtrId               | 32 characters              |
        | valor               | "1.00"                     |
        | natureza            | "ORIGINAL"                 |
        | descricao           | "Devolução"                |
        | horario             | an object                  |
        | horario.solicitacao | the time of the request    |
        | status              | "EM_PROCESSAMENTO"         |
        | motivo              | absent or null or a string |
      And the response's status is recorded for open point "status of a new refund"

    Scenario Outline: The response of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      And the account has received R$ 10.00 through a cob
      When the account sends a refund
      Then the request is accepted
      And the response has:
        | horario.solicitacao | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 30 December |
        | 31 December |

    Scenario: The second and third refund, after the first succeeded
      Given the account has received R$ 2000.00 through a cob
      When the account sends a refund of R$ 1.05
      Then the request is accepted
      And the response has:
        | valor | "1.05" |
      When the bank confirms the refund
      And the account sends a refund with:
        | valor     | "1234.50"              |
        | descricao | "Pão & café \"2\" <3>" |
      Then the request is accepted
      And the response has:
        | valor     | "1234.50"                      |
        | descricao | "Pão & café \"2\" <3>"         |
        | status    | "EM_PROCESSAMENTO"             |
        | rtrId     | different from the first rtrId |
      When the account sends a refund of R$ 0.07
      Then the request is accepted
      And the response has:
        | valor  | "0.07"                         |
        | status | "EM_PROCESSAMENTO"             |
        | rtrId  | different from the first rtrId |
      When the bank confirms the third refund
      Then the third refund is DEVOLVIDO
      And the second refund is EM_PROCESSAMENTO

    Scenario Outline: After a MED case of the payment that was <ended>
      Given the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      And the bank moves the case to <ended>
      When the account sends a refund of R$ 10.00
      Then the request is accepted
      When the bank confirms the refund
      Then the refund is DEVOLVIDO
      And the charge is CONCLUIDA

      Examples:
        | ended     |
        | REJECTED  |
        | CANCELLED |

    Scenario: Each refund has its own rtrId
      When the account sends a refund of R$ 1.00
      And the account sends a refund of R$ 1.00
      Then the request is accepted
      And the two responses differ in rtrId

  @refund.natureza
  @DEV-014 @DEV-015 @DEV-017 @DEV-018 @DEV-019 @DEV-020
  Rule: The natureza is optional, and ORIGINAL or RETIRADA

    Scenario: Omitted
      When the account sends a refund with natureza absent
      Then the request is accepted
      And the response has:
        | natureza | absent or null or "ORIGINAL" |
      And the response's natureza is recorded for open point "natureza that was left out"

    Scenario: ORIGINAL
      When the account sends a refund with natureza "ORIGINAL"
      Then the request is accepted
      And the response has:
        | natureza | "ORIGINAL" |

    Scenario: RETIRADA, of a payment without a withdrawal
      When the account sends a refund with natureza "RETIRADA"
      Then the request is accepted, or rejected with 400 or 422
      And the response has:
        | natureza | absent or null or "RETIRADA" |
      And the response's status is recorded for open point "RETIRADA of an ordinary payment"

    @open:refund-beyond-the-bounds-of-a-field
    Scenario Outline: <value> is rejected
      When the account sends a refund of every shape with natureza <value>
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

      Examples:
        | value             |
        | "MED_OPERACIONAL" |
        | "MED_FRAUDE"      |

    @open:refund-beyond-the-bounds-of-a-field
    Scenario Outline: <value> is rejected, though there is a MED case
      Given a MED case is opened against the payment
      When the account sends a refund with natureza <value>
      Then the request is rejected with 400 or 422
      And the request should be rejected with 400

      Examples:
        | value             |
        | "MED_OPERACIONAL" |
        | "MED_FRAUDE"      |

    @open:refund-beyond-the-bounds-of-a-field
    Scenario: Every invalid natureza, in every shape that has one
      When the account sends a refund of every shape whose natureza is invalid
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

  @refund.shapes @shapes
  @DEV-012 @DEV-014 @DEV-015 @DEV-021 @DEV-022
  Rule: Every optional field can be left out or sent

    Scenario Outline: <shape>
      When the account sends a refund with:
        | valor     | "<valor>"   |
        | natureza  | <natureza>  |
        | descricao | <descricao> |
      Then the request is accepted

      Examples:
        | shape                    | valor | natureza   | descricao                  |
        | Only what is required    | 0.07  | absent     | absent                     |
        | ORIGINAL, without a text | 1.15  | "ORIGINAL" | absent                     |
        | With the longest text    | 0.29  | absent     | a string of 140 characters |
        | With both                | 1.00  | "ORIGINAL" | "Pão & café"               |

  @refund.e2eid
  @DEV-003 @DEV-004 @DEV-005 @DEV-045 @DEV-046 @DEV-047 @ERR-026
  Rule: The e2eid has exactly 32 letters and digits and names a received PIX

    Scenario: An e2eid without its last character
      When the account sends a refund with path e2eid its endToEndId without the last character
      Then the request is rejected with 400 or 404
      And the response's status is recorded for open point "malformed e2eid"

    Scenario: Nearly its e2eid, next to every natureza, text and valor
      When the account sends a refund for every pair of:
        | path e2eid                                                                | natureza   | descricao    | valor   |
        | wrong: its endToEndId without the last character                          | absent     | absent       | "0.01"  |
        | wrong: its endToEndId plus one letter                                     | "ORIGINAL" | "Pão & café" | "10.00" |
        | wrong: its endToEndId with a hyphen as the last character                 |            |              |         |
        | wrong: its endToEndId with X as the first character                       |            |              |         |
        | wrong: its endToEndId with a space after it                               |            |              |         |
        | wrong: its endToEndId with the case swapped                               |            |              |         |
        | wrong: the endToEndId of the first charge with a different last character |            |              |         |
      Then every request is rejected with 400 or 404
      When the account sends a refund of R$ 10.00
      Then the request is accepted

    Scenario: An unknown payment
      When the account sends a refund with path e2eid a random end-to-end id
      Then the request is rejected with 404
      And the response has:
        | statusCode | 404                |
        | message    | a non-empty string |
        | error      | "Not Found"        |

    Scenario: A payment that was sent
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 10.00
      And the bank confirms the payment
      And a CashOut event arrives
      When the account sends a refund with path e2eid the endToEndId of the event
      Then the request is rejected with 404

    Scenario: A transfer that was sent
      Given settlement waits for the bank
      And the key directory has a new e-mail key
      And the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00
      And the bank confirms the payment
      And a TRANSFER event arrives
      When the account sends a refund with path e2eid the endToEndId of the event
      Then the request is rejected with 404

    Scenario: A payment that another account received, after one of its own
      Given another account
      And the other account has sent a cob of R$ 10.00
      And a payer pays the charge
      When the other account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "4.00"                             |
      Then the request is rejected with 404
      When the account sends a refund with:
        | path e2eid | the endToEndId of the second charge |
        | valor      | "4.00"                              |
      Then the request is rejected with 404

    Scenario: A payment that another account received
      Given another account
      When the other account sends a refund with path e2eid its endToEndId
      Then the request is rejected with 404

  @refund.id
  @DEV-006 @DEV-007 @DEV-008 @DEV-009 @DEV-024
  Rule: The client chooses the id, which has 1 to 35 characters

    Scenario: One character is accepted
      Given a new account
      And the account has received R$ 10.00 through a cob
      When the account sends a refund with path id A
      Then the request is accepted
      And the response has:
        | id | the id sent |

    Scenario: 35 characters are accepted
      When the account sends a refund with path id a random string of 35 letters and digits
      Then the request is accepted
      And the response has:
        | id | the id sent |

    Scenario: Ids of 35 characters that differ in the last are two refunds
      Given the account has sent a refund with:
        | path id | a random string of 35 letters and digits |
        | valor   | "4.00"                                   |
      When the account sends a refund with:
        | path id | the id of the first refund with a different last character |
        | valor   | "4.00"                                                     |
      Then the request is accepted
      And the response has:
        | id    | the id sent                    |
        | rtrId | different from the first rtrId |
      When the account sends a refund of R$ 2.01
      Then the request is rejected with 400

    Scenario: Ids that a careless comparison takes for one are as many refunds
      Given a new account
      And the account has received R$ 1.00 through a cob
      When the account sends a refund for every pair of:
        | path id                             | valor  |
        | 1                                   | "0.10" |
        | 01                                  |        |
        | 1e0                                 |        |
        | 0x1                                 |        |
        | null                                |        |
        | constructor                         |        |
        | 12345678901234567890123456789012340 |        |
        | 12345678901234567890123456789012345 |        |
      Then every request is accepted
      When the account sends a refund of R$ 0.21
      Then the request is rejected with 400
      When the account sends a refund of R$ 0.20
      Then the request is accepted

    @open:refund-beyond-the-bounds-of-a-field
    Scenario: 36 characters are rejected
      When the account sends a refund with path id a random string of 36 letters and digits
      Then the request is rejected with 400 or 404 or 422
      And the request should be rejected with 400
      And the response's status is recorded for open point "refund beyond the bounds of a field"

  @refund.valor
  @DEV-010 @DEV-011 @DEV-013 @DEV-041
  Rule: The valor has exactly two decimals

    Scenario: Every invalid valor, in every shape
      When the account sends a refund of every shape whose valor is invalid
      Then every request is rejected with 400

    Scenario Outline: The same key twice: <values> is not accepted as the invalid one
      When the account sends a refund with valor <values>
      Then the request is accepted, or rejected with 400 or 422
      And if the request was accepted, the response has:
        | valor | "1.00" |

      Examples:
        | values               |
        | "1.00", then "-5.00" |
        | "-5.00", then "1.00" |
        | "1.00", then "1.019" |
        | "1.019", then "1.00" |

    Scenario: A negative valor is rejected
      When the account sends a refund with valor "-1.00"
      Then the request is rejected with 400 or 422

    @open:values-of-another-type
    Scenario: A number should not be accepted as a string
      When the account sends a refund with valor 1.00
      Then the request should be rejected with 400

    Scenario: A refund of 0.00 is rejected
      When the account sends a refund with valor "0.00"
      Then the request is rejected with 400 or 422

  @refund.descricao
  @DEV-021 @DEV-022 @DEV-023
  Rule: A descricao is optional and has at most 140 characters

    Scenario: Omitted
      When the account sends a refund with descricao absent
      Then the request is accepted

    Scenario: 140 characters
      When the account sends a refund with descricao a string of 140 characters
      Then the request is accepted

    @open:refund-beyond-the-bounds-of-a-field
    Scenario: Every invalid descricao, in every shape that has one
      When the account sends a refund of every shape whose descricao is invalid
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

    Scenario: 141 characters with natureza RETIRADA
      When the account sends a refund with:
        | natureza  | "RETIRADA"                 |
        | descricao | a string of 141 characters |
      Then the request is rejected with 400 or 422

  @refund.sum
  @DEV-035 @DEV-036 @DEV-037 @DEV-038 @DEV-039 @DEV-040
  Rule: The refunds of a payment must not exceed its amount

    Scenario: The whole amount
      When the account sends a refund of R$ 10.00
      Then the request is accepted

    Scenario: The whole amount, though a fee was kept from it
      Given an account with R$ 100.00 available
      And a cash-in fee of R$ 0.50
      And the account has received R$ 10.00 through a cob
      When the account sends a refund of R$ 10.00
      Then the request is accepted

    Scenario: One centavo more
      When the account sends a refund of R$ 10.01
      Then the request is rejected with 400
      And the available balance is unchanged

    Scenario: In two parts, one centavo too many, the first still in processing
      Given refunds wait for the bank
      And the account has sent a refund of R$ 4.00
      When the account sends a refund of R$ 6.01
      Then the request is rejected with 400

    Scenario: A part and twelve more with every pair of fields, up to the last centavo, of which the first is still known
      Given refunds wait for the bank
      And the account has received R$ 0.97 through a cob
      And the account has sent a refund of R$ 0.07
      When the account sends a refund for every pair of:
        | valor  | natureza   | descricao                  |
        | "0.07" | absent     | absent                     |
        |        | "ORIGINAL" | "x"                        |
        |        |            | "Pão & café \"2\" <3>"     |
        |        |            | a string of 140 characters |
        |        |            | "0.07"                     |
        |        |            | "<script>"                 |
      Then every request is accepted
      When the account sends a refund of R$ 0.07
      Then the request is rejected with 400
      When the bank confirms the first refund
      Then the first refund is DEVOLVIDO
      When the account sends a refund of R$ 0.06
      Then the request is accepted
      And the refund is EM_PROCESSAMENTO
      When the account sends a refund of R$ 0.01
      Then the request is rejected with 400

    Scenario Outline: R$ <amount> in three parts, up to the last centavo and one more
      Given the account has received R$ <amount> through a cob
      And the account has sent a refund of R$ <first>
      And the account has sent a refund of R$ <second>
      When the account sends a refund of R$ <over>
      Then the request is rejected with 400
      When the account sends a refund of R$ <rest>
      Then the request is accepted
      When the account sends a refund of R$ 0.01
      Then the request is rejected with 400

      Examples:
        | amount | first  | second | rest | over |
        | 0.30   | 0.10   | 0.10   | 0.10 | 0.11 |
        | 0.03   | 0.01   | 0.01   | 0.01 | 0.02 |
        | 10.00  | 3.33   | 3.33   | 3.34 | 3.35 |
        | 142.20 | 136.42 | 5.49   | 0.29 | 0.30 |

    Scenario: Three parts still in processing, up to the last centavo and one more
      Given refunds wait for the bank
      And the account has sent a refund of R$ 4.00
      And the account has sent a refund of R$ 5.00
      And the account has sent a refund of R$ 0.99
      When the account sends a refund of R$ 0.02
      Then the request is rejected with 400
      When the bank confirms the second refund
      And the account sends a refund of R$ 0.02
      Then the request is rejected with 400
      When the account sends a refund of R$ 0.01
      Then the request is accepted
      When the bank confirms the first refund
      And the account sends a refund of R$ 0.01
      Then the request is rejected with 400

    Scenario: A rejected refund does not use up the amount
      Given the account has sent a refund of R$ 4.00
      When the account sends a refund of R$ 6.01
      Then the request is rejected with 400
      When the account sends a refund of R$ 6.01
      Then the request is rejected with 400
      When the account sends a refund with valor "6.0"
      Then the request is rejected with 400
      When the account sends a refund of R$ 6.00
      Then the request is accepted
      When the account sends a refund of R$ 0.01
      Then the request is rejected with 400

    Scenario: Each of two payments of one payer has its own amount
      Given the account has received R$ 8.00 through a cob
      And the account has sent a refund of R$ 3.00
      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "10.01"                            |
      Then the request is rejected with 400
      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "10.00"                            |
      Then the request is accepted
      When the account sends a refund of R$ 5.01
      Then the request is rejected with 400
      When the account sends a refund of R$ 5.00
      Then the request is accepted
      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "0.01"                             |
      Then the request is rejected with 400

    Scenario: After failed refunds, the amount and no more
      Given refunds wait for the bank
      And the account has sent a refund of R$ 3.00
      And the bank rejects the refund
      And the account has sent a refund of R$ 3.00
      And the bank rejects the refund
      And the bank tries to reject the first refund
      When the account sends a refund of R$ 10.01
      Then the request is rejected with 400
      When the account sends a refund of R$ 4.00
      Then the request is accepted
      When the account sends a refund of R$ 6.01
      Then the request is rejected with 400

    Scenario: One that fails after one that succeeded
      Given refunds wait for the bank
      And the account has sent a refund of R$ 6.00
      And the bank confirms the refund
      And the account has sent a refund of R$ 4.00
      And the bank rejects the refund
      When the account sends a refund of R$ 4.01
      Then the request is rejected with 400

    Scenario: Up to the amount after a part, day by day
      Given the account has sent a refund of R$ 1.00
      And 30 days pass
      And the account has sent a refund of R$ 2.00
      And 30 days pass
      When the account sends a refund of R$ 7.01
      Then the request is rejected with 400
      When the account sends a refund of R$ 7.00
      Then the request is accepted

    Scenario: Different parts at the same instant, and then the rest
      When the account sends concurrent refunds for every pair of:
        | valor  | descricao   |
        | "0.07" | absent      |
        | "0.29" | "Devolução" |
        | "1.15" |             |
      Then every request is accepted
      When the account sends a refund of R$ 6.99
      Then the request is rejected with 400
      When the account sends a refund of R$ 6.98
      Then the request is accepted

    Scenario: Twelve concurrent parts of ten
      When the account sends 12 concurrent refunds of R$ 1.00
      Then at most 10 requests are accepted
      And the others are rejected with 400

    Scenario: Concurrent refunds of the rest
      Given the account has sent a refund of R$ 4.00
      When the account sends 8 concurrent refunds of R$ 6.00
      Then one request is accepted
      And the others are rejected with 400
      When the account sends a refund of R$ 0.01
      Then the request is rejected with 400

    Scenario: Concurrent refunds do not exceed the amount
      When the account sends 8 concurrent refunds of R$ 4.00
      Then at most 2 requests are accepted
      And the others are rejected with 400

  @refund.same-id
  @DEV-061 @DEV-062
  Rule: A repeated refund request refunds nothing more

    Scenario: The same request again
      When the account sends a refund of R$ 4.00
      And the account sends the request again
      Then the request is accepted, or rejected with 400 or 409
      And the available balance falls by R$ 0.00 to R$ 4.00
      And the response's status is recorded for open point "status of a repeated refund"
      When the account sends a refund of R$ 6.00
      Then the request is accepted

    Scenario: The same request 8 times concurrently
      When the account sends the same refund of R$ 4.00 in 8 concurrent requests
      Then every request is accepted, or rejected with 400 or 409
      And all accepted responses have the same rtrId
      When the account sends a refund of R$ 6.00
      Then the request is accepted

    Scenario: The first request again, after another refund
      Given the account has sent a refund of R$ 4.00
      And the account has sent a refund of R$ 1.00
      And 5 days pass
      When the account sends a refund with:
        | path id | the id of the first refund |
        | valor   | "4.00"                     |
      Then the request is accepted, or rejected with 400 or 409
      And if the request was accepted, the response has:
        | rtrId | the first rtrId |
      When the account sends a refund of R$ 5.01
      Then the request is rejected with 400
      When the account sends a refund of R$ 5.00
      Then the request is accepted

    Scenario Outline: The same request after the bank <result> it
      Given refunds wait for the bank
      And the account has sent a refund of R$ 4.00
      And the bank <result> the refund
      When the account sends the request again
      Then the request is accepted, or rejected with 400 or 409
      And if the request was accepted, the response has:
        | rtrId | the first rtrId |
      And the first refund is <state>
      When the account sends a refund of R$ 6.00
      Then the request is accepted

      Examples:
        | result   | state         |
        | confirms | DEVOLVIDO     |
        | rejects  | NAO_REALIZADO |

    Scenario: The same id for another payment takes nothing from the first
      Given the account has received R$ 8.00 through a cob
      And the account has sent a refund of R$ 4.00
      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | path id    | the id of the first refund         |
        | valor      | "4.00"                             |
      Then the request is accepted, or rejected with 400 or 409
      When the account sends a refund of R$ 4.01
      Then the request is rejected with 400
      When the account sends a refund of R$ 4.00
      Then the request is accepted
      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "6.00"                             |
      Then the request is accepted

  @refund.deadline
  @DEV-042 @DEV-043 @DEV-044 @DEV-048 @ERR-028
  Rule: A refund is accepted up to 88 days after receipt, and rejected after 91

    Scenario: 88 days
      When 88 days pass
      And the account sends a refund of R$ 1.00
      Then the request is accepted

    Scenario: 91 days
      When 91 days pass
      And the account sends a refund of R$ 1.00
      Then the request is rejected with 422
      And the response has:
        | statusCode | 422                    |
        | message    | a non-empty string     |
        | error      | "Unprocessable Entity" |

    Scenario Outline: <days> days from <day> of a leap year
      Given it is noon on <day> of the next leap year in São Paulo
      And the account has received R$ 10.00 through a cob
      When <days> days pass
      And the account sends a refund of R$ 1.00
      Then the request is <outcome>

      Examples:
        | day         | days | outcome           |
        | 30 January  | 88   | accepted          |
        | 1 February  | 91   | rejected with 422 |
        | 31 December | 88   | accepted          |
        | 1 December  | 91   | rejected with 422 |

    Scenario: Counted from receipt, for each payment, if the gateway accepts a charge that lasts a week
      Given the account has sent a refund of R$ 1.00
      And the account has sent a cob, if the gateway accepts it, with:
        | valor.original       | "8.00" |
        | calendario.expiracao | 604800 |
      And 6 days pass
      And a payer pays the charge
      When 86 days pass
      And the account sends a refund with:
        | path e2eid | the endToEndId of the second charge |
        | valor      | "7.00"                              |
      Then the request is accepted
      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "1.00"                             |
      Then the request is rejected with 422
      When 5 days pass
      And the account sends a refund with:
        | path e2eid | the endToEndId of the second charge |
        | valor      | "1.00"                              |
      Then the request is rejected with 422

    @open:the-89-days-of-a-refund
    Scenario: 88 days and 23 hours
      When 2135 hours pass
      And the account sends a refund of R$ 1.00
      Then the request should be accepted

    @open:the-89-days-of-a-refund
    Scenario: 90 days and 1 hour
      When 2161 hours pass
      And the account sends a refund of R$ 1.00
      Then the request should be rejected with 422

  @refund.done
  @GEN-013 @DEV-049 @DEV-051 @DEV-052 @DEV-057 @EVT-087
  Rule: A successful refund is DEVOLVIDO and sends a REFUND event

    Background:
      Given refunds wait for the bank
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 4.00

    Scenario: The state
      When the bank confirms the refund
      Then the refund is DEVOLVIDO

    Scenario: The event
      When the bank confirms the refund
      Then a REFUND event arrives
      And the event's type is recorded for open point "subscription that carries REFUND"

    Scenario: Three refunds, confirmed in another order
      Given the account has sent a refund of R$ 1.00
      And the account has sent a refund of R$ 0.07
      When the bank confirms the second refund
      Then the second refund is DEVOLVIDO
      And a REFUND event of the second refund arrives
      And the first refund is EM_PROCESSAMENTO
      And the third refund is EM_PROCESSAMENTO
      When the bank rejects the first refund
      Then the first refund is NAO_REALIZADO
      And the third refund is EM_PROCESSAMENTO
      When the bank confirms the third refund
      Then the third refund is DEVOLVIDO
      And a REFUND event of the third refund arrives
      And the first refund is NAO_REALIZADO
      And the second refund is DEVOLVIDO

    Scenario: The transaction list
      When the bank confirms the refund
      Then how the refund is listed is recorded for open point "refund in the list of transactions"

  @refund.failed
  @DEV-053 @DEV-054
  Rule: A failed refund is NAO_REALIZADO

    Background:
      Given refunds wait for the bank
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 6.00

    Scenario: The state
      When the bank rejects the refund
      Then the refund is NAO_REALIZADO
      And no event reports it as REFUNDED

    Scenario: A repeated request may return the motivo
      When the bank rejects the refund
      And the account sends the request again
      Then the request is accepted, or rejected with 400 or 409
      And the response has:
        | motivo | absent or null or a string |

    Scenario: Its amount is given back once, however often its request is repeated
      When the bank rejects the refund
      And the account sends the request again
      And the account sends the request again
      And the account sends 5 concurrent refunds of R$ 4.00
      Then at most 2 requests are accepted
      And the others are rejected with 400

    @open:refund-after-a-failed-one
    Scenario: Its amount can be refunded again
      When the bank rejects the refund
      And the account sends a refund of R$ 10.00
      Then the request should be accepted
      And the response's status is recorded for open point "refund after a failed one"

  @refund.money
  @DEV-057 @DEV-058 @DEV-059
  Rule: A refund does not increase the balance

    Background:
      Given refunds wait for the bank

    @open:money-of-a-refund
    Scenario: After the refund succeeds
      When the account sends a refund of R$ 4.00
      And the bank confirms the refund
      Then the available balance does not rise
      And the available balance should fall by R$ 4.00
      And the blocked balance should be unchanged

    @open:money-of-a-refund
    Scenario: After the refund fails
      When the account sends a refund of R$ 4.00
      And the bank rejects the refund
      Then the available balance should be unchanged
      And the blocked balance should be unchanged

    @open:money-of-a-refund
    Scenario: After two refunds of the whole amount
      When the account sends a refund of R$ 4.00
      And the bank confirms the refund
      And the account sends a refund of R$ 6.00
      And the bank confirms the refund
      Then the available balance does not rise
      And the available balance should fall by R$ 10.00
      And the blocked balance should be unchanged

    @open:money-of-a-refund
    Scenario: After three refunds of the whole amount, the last of which fails
      When the account sends a refund of R$ 4.00
      And the bank confirms the refund
      And the account sends a refund of R$ 5.93
      And the bank confirms the refund
      And the account sends a refund of R$ 0.07
      And the bank rejects the refund
      Then the available balance does not rise
      And the available balance should fall by R$ 9.93
      And the blocked balance should be unchanged

  @refund.cash-in
  @DEV-060
  Rule: The payment of a cash-in should be refundable too

    @open:refund-of-a-cash-in
    Scenario: A partial refund
      Given the account has received R$ 10.00 through a cash-in
      When the account sends a refund of R$ 4.00
      Then the request should be accepted
      And the response's status is recorded for open point "refund of a cash-in"

  @refund.left-open
  @DEV-063
  Rule: Where the specification is silent, the gateway either accepts the refund or rejects it cleanly

    Scenario: Unusual JSON for a valid refund: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a refund in unusual JSON
      Then every request is accepted, or rejected with 400 or 422

    @open:values-of-another-type
    Scenario: No field of a refund should be accepted in another type
      When the account sends a refund in wrong types
      Then every request should be rejected with 400

    Scenario: A refund above the available balance
      Given the account has R$ 1.00 available
      When the account sends a refund of R$ 10.00
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "refund above the balance"

    Scenario: The same id for another amount
      Given the account has sent a refund of R$ 4.00
      When the account sends the request again with valor "2.00"
      Then the request is accepted, or rejected with 400 or 409 or 422
      And the response's status is recorded for open point "another refund under a used id"

    Scenario: The same id for another payment
      Given a new account
      And the account has received R$ 10.00 through a cob
      And the account has sent a refund with:
        | path id | A      |
        | valor   | "1.00" |
      And the account has received R$ 10.00 through a cob
      When the account sends a refund with:
        | path id | A      |
        | valor   | "1.00" |
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "refund id used for another payment"

    Scenario: The other fields of horario
      When the account sends a refund of R$ 1.00
      Then the request is accepted
      And the response's horario is recorded for open point "fields of horario"
