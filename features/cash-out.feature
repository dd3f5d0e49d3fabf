Feature: Cash-out to a PIX key
  POST /api/pix/cash-out sends a payment to a PIX key. The gateway reports the outcome
  later, by webhook. Rules about limits are in cash-out-limits.feature, rules about outcomes
  in cash-out-outcomes.feature.

  Background:
    Given an account with R$ 100.00 available

  @cash-out.accepted
  @GEN-001 @GEN-002 @GEN-006 @OUT-001 @OUT-051 @OUT-052 @OUT-053 @OUT-054 @OUT-055 @OUT-056 @OUT-057
  @OUT-073
  Rule: An accepted cash-out is PENDING

    Scenario: The response
      When the account sends a cash-out
      Then the request is accepted with 201
      And the response has:
        | transactionId | a UUID                  |
        | externalId    | the externalId sent     |
        | status        | "PENDING"               |
        | generateTime  | the time of the request |

    Scenario Outline: The response of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a cash-out
      Then the request is accepted
      And the response has:
        | generateTime | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 30 December |
        | 31 December |

    Scenario: Every pair of a kind of key, an amount, an externalId, a text and a name
      Given an account with R$ 300.00 available
      And no fees
      And no limits
      And the account receives cash_out webhooks
      When the account sends a cash-out of every shape for every pair of:
        | value | externalId                                          | description                | details.name                 |
        | 0.01  | a random string of 35 letters and digits            | absent                     | "Al"                         |
        | 0.07  | a random string of 14 digits                        | "Pedido de teste"          | "Conceição D'Ávila & Filhos" |
        | 0.29  | a random string of 30 characters with a hyphen      | "Pão & café, 50% à vista"  | a string of 100 characters   |
        | 1.15  | a random string of 30 characters with an underscore | a string of 140 characters |                              |
        | 2     |                                                     |                            |                              |
        | 10.00 |                                                     |                            |                              |
      Then every request is accepted with 201
      And a CashOut event of each payment arrives at each URL
      And the account's transaction list contains exactly the matching payments for every filter
      When the account sends each of them again
      Then every request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the available balance stays unchanged

    Scenario Outline: Several <kind>s above R$ 1000.00 at the same instant
      Given an account with R$ 10000.00 available, if the gateway supports that balance
      And no fees
      And no limits
      And the account receives cash_out webhooks
      When the account sends concurrent <kind>s for every pair of:
        | value   | description       |
        | 1000.00 | absent            |
        | 1000.07 | "Pedido de teste" |
        | 2345.29 |                   |
      Then every request is accepted
      And a CashOut event of each payment arrives at each URL
      And the account's transaction list contains exactly the matching payments for every filter

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario: Three payments of the same amount to the same key
      Given the account has sent a cash-out of R$ 1.07
      When the account sends a cash-out with:
        | value            | 1.07                           |
        | details.key      | the account's details.key      |
        | details.keyType  | the account's details.keyType  |
        | details.document | the account's details.document |
      Then the request is accepted
      And the response has:
        | transactionId | different from the first transactionId |
      When the account sends a cash-out with:
        | value            | 1.07                           |
        | details.key      | the account's details.key      |
        | details.keyType  | the account's details.keyType  |
        | details.document | the account's details.document |
      Then the request is accepted
      And the two responses differ in transactionId

    Scenario: It is listed as pending
      Given settlement waits for the bank
      When the account sends a cash-out
      Then the request is accepted
      And the payment is listed with:
        | status        | "Pendente" |
        | operationType | "Pix out"  |
        | movementType  | "DEBIT"    |

    Scenario: The response has no fields of a charge
      When the account sends a cash-out
      Then the request is accepted with 201
      And the response has:
        | correlationId  | absent or null |
        | pixCode        | absent or null |
        | expirationDate | absent or null |
        | qrCodeImage    | absent or null |

  @cash-out.shapes @shapes
  @OUT-013 @OUT-020 @OUT-021 @OUT-022 @OUT-023 @OUT-026 @OUT-033 @OUT-034 @OUT-037 @OUT-038 @OUT-042
  @OUT-043 @OUT-047 @OUT-048
  Rule: Every kind of key, document and text can be combined

    Scenario Outline: <shape>
      When the account sends a cash-out with:
        | details.keyType  | "<keyType>"   |
        | details.key      | <key>         |
        | details.document | "<document>"  |
        | details.name     | <name>        |
        | description      | <description> |
      Then the request is accepted

      Examples:
        | shape                               | keyType  | key                                | document       | name                       | description                |
        | To a person's CPF                   | DOCUMENT | "52998224725"                      | 52998224725    | "Fulano de Tal"            | "Pedido de teste"          |
        | To a CPF with a leading zero        | DOCUMENT | "01234567890"                      | 01234567890    | "José D'Ávila"             | absent                     |
        | To a company's CNPJ                 | DOCUMENT | "11222333000181"                   | 11222333000181 | "Padaria São João Ltda."   | "Pão & café"               |
        | To an e-mail                        | EMAIL    | a random e-mail                    | 52998224725    | "Fulano de Tal"            | "Pedido de teste"          |
        | To a company's e-mail               | EMAIL    | a random e-mail                    | 11222333000181 | a string of 100 characters | absent                     |
        | To a landline                       | PHONE    | "1133334444"                       | 52998224725    | "Fulano de Tal"            | a string of 140 characters |
        | To a company's mobile phone         | PHONE    | "11987654321"                      | 11222333000181 | "Padaria São João Ltda."   | "Pedido de teste"          |
        | To a random key                     | RANDOM   | a random UUID                      | 52998224725    | "Fulano de Tal"            | absent                     |
        | To a random key without its hyphens | RANDOM   | "7d9f03358dcc40549bf90dbd61d36906" | 11222333000181 | "Padaria São João Ltda."   | "Pedido de teste"          |

  @cash-out.debit
  @OUT-099 @OUT-100
  Rule: An accepted cash-out debits the available balance once

    Scenario: While it is pending
      Given settlement waits for the bank
      When the account sends a cash-out of R$ 10.00
      Then the request is accepted
      And the available balance falls by R$ 10.00

    @open:what-a-cash-out-blocks
    Scenario: Once it is confirmed
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      When the account sends a cash-out of R$ 10.00
      And the bank confirms the payment
      Then a CashOut event arrives
      And the available balance falls by R$ 10.00
      And the blocked balance should be unchanged

    @open:when-the-fee-of-a-cash-out-is-taken @open:what-a-cash-out-blocks
    Scenario: With a fee, taken at creation or at settlement
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And a cash-out fee of R$ 0.50
      When the account sends a cash-out of R$ 10.00
      And the bank confirms the payment
      Then a CashOut event arrives
      And the available balance falls by R$ 10.00 to R$ 10.50
      And the available balance should fall by R$ 10.50
      And the blocked balance should be unchanged

    Scenario Outline: R$ <amount>, to the centavo
      Given an account with R$ <amount> available
      And no fees
      And no limits
      When the account sends a cash-out with value <amount>
      Then the request is accepted
      And the available balance falls by R$ <amount>

      Examples:
        | amount        |
        | 0.07          |
        | 0.29          |
        | 8.41          |
        | 142.20        |
        | 9999999999.99 |

    Scenario: An amount beyond the precision of a double, if the gateway supports it
      Given an account with R$ 90071992547409.93 available, if the gateway supports that balance
      And no fees
      And no limits
      When the account sends a cash-out with value 90071992547409.93
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "the largest amount"
      And if the request was accepted, the available balance falls by R$ 90071992547409.93

  @cash-out.value
  @OUT-002 @OUT-003 @OUT-004 @OUT-005 @OUT-006 @OUT-007 @OUT-008 @OUT-091 @OUT-092
  Rule: The value is at least 0.01, with at most two decimals

    Scenario Outline: <value> is accepted
      When the account sends a cash-out with value <value>
      Then the request is accepted
      And the available balance falls by R$ <amount>

      Examples:
        | value | amount |
        | 0.01  | 0.01   |
        | 0.1   | 0.10   |
        | 1.23  | 1.23   |
        | 10    | 10.00  |

    Scenario Outline: <value> is rejected
      When the account sends a cash-out with value <value>
      Then the request is rejected with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming value
      And the response's code is recorded for open point "amount outside the bounds"

      Examples:
        | value |
        | 0     |
        | 0.00  |
        | -0.01 |
        | 0.001 |
        | 0.009 |
        | 1.234 |

    Scenario: Every invalid value, next to every choice, though the balance covers it
      Given an account with R$ 5000.00 available
      When the account sends a cash-out of every shape for every pair of:
        | value           | externalId                               | description       | details.name    |
        | invalid         | a random string of 35 letters and digits | absent            | "Al"            |
        | wrong: 0.299    | a random string of 14 digits             | "Pedido de teste" | "Fulano de Tal" |
        | wrong: 10.001   |                                          |                   |                 |
        | wrong: 123.456  |                                          |                   |                 |
        | wrong: 1000.005 |                                          |                   |                 |
      Then every request is rejected with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming value

    Scenario Outline: The same key twice: <values> is not accepted as the invalid one
      Given no fees
      When the account sends a cash-out with value <values>
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the available balance falls by R$ 1.00

      Examples:
        | values           |
        | 1.00, then -5.00 |
        | -5.00, then 1.00 |
        | 1.00, then 1.019 |
        | 1.019, then 1.00 |

  @cash-out.external-id
  @OUT-009 @OUT-010
  Rule: The externalId is required

    Scenario: Every invalid externalId, next to every choice
      When the account sends a cash-out of every shape for every pair of:
        | externalId | value | description       | details.name    |
        | invalid    | 0.07  | absent            | "Al"            |
        |            | 10    | "Pedido de teste" | "Fulano de Tal" |
      Then every request is rejected with 400 HTTP_ERROR, naming externalId

  @cash-out.duplicate-external-id
  @OUT-011 @OUT-012 @OUT-063 @OUT-064 @OUT-065 @OUT-066 @OUT-067 @OUT-068 @OUT-069 @OUT-070
  Rule: A used externalId is rejected with 400 and moves no money

    Scenario: The same request again
      Given the account has sent a cash-out of R$ 10.00
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.externalId            | the externalId sent     |
        | details.existingTransactionId | the first transactionId |
      And the available balance stays unchanged

    Scenario: Another amount with the same externalId
      Given the account has sent a cash-out of R$ 10.00
      When the account sends the request again with value 2.00
      Then the request is rejected with 400
      And the response's code is recorded for open point "another order under a used externalId"

    Scenario Outline: The same request <count> times concurrently, to a <keyType> key
      When the account sends the same cash-out of R$ 10.00 in <count> concurrent requests, with:
        | details.keyType  | "<keyType>"   |
        | details.key      | <key>         |
        | details.document | "52998224725" |
      Then one request is accepted
      And the others are rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the available balance falls by R$ 10.00
      And the payment is listed once
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the available balance stays unchanged

      Examples:
        | count | keyType  | key             |
        | 8     | EMAIL    | a random e-mail |
        | 2     | DOCUMENT | "52998224725"   |
        | 2     | RANDOM   | a random UUID   |

    Scenario: 12 times more, and in every shape
      Given the account has sent a cash-out of R$ 10.00
      When the account sends the request again 12 times
      Then every request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.externalId            | the externalId sent     |
        | details.existingTransactionId | the first transactionId |
      When the account sends a cash-out of every shape with externalId the account's externalId
      Then every request is rejected with 400
      And the available balance stays unchanged

    Scenario Outline: The same request <later> later
      Given the account has sent a cash-out of R$ 10.00
      When <later> pass
      And the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the available balance stays unchanged

      Examples:
        | later      |
        | 60 minutes |
        | 13 hours   |
        | 3 days     |
        | 40 days    |

    Scenario: Almost the same externalId is no duplicate
      Given no fees
      And the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 1.07
      When the account sends a cash-out for every pair of:
        | externalId                                                      | value |
        | the account's first externalId with the case swapped            | 1.07  |
        | the account's first externalId plus one letter                  |       |
        | the account's first externalId without the last character       |       |
        | the account's first externalId with a different first character |       |
        | the account's first externalId with a different last character  |       |
      Then every request is accepted
      And a CashOut event of each payment arrives at each URL
      And the account's transaction list contains exactly the matching payments for every filter
      When the account sends each of them again
      Then every request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.existingTransactionId | the first transactionId |

    Scenario: An externalId that differs in an accent is no duplicate, if the gateway accepts such ids
      Given the account receives cash_out webhooks
      And the account has sent a cash-out with externalId a random string of 30 characters with an accent, if the gateway accepts it
      When the account sends a cash-out with externalId the account's externalId with its accent removed
      Then the request is accepted
      And a CashOut event of each payment arrives at each URL
      And the account's transaction list contains exactly the matching payments for every filter

    Scenario Outline: An externalId <how> is no duplicate, if the gateway accepts such ids
      Given the account has sent a cash-out of R$ 1.07
      When the account sends a cash-out with externalId the account's externalId <how>
      Then the request is accepted, or rejected with 400
      And the code is not one of:
        | PIX_DUPLICATE_EXTERNAL_ID |
      And if the request was accepted, the response has:
        | externalId | the externalId sent |
      And the account's transaction list contains exactly the matching payments for every filter

      Examples:
        | how                    |
        | with a space before it |
        | with a space after it  |

    Scenario: A long externalId that begins as another is not a duplicate either, if the gateway accepts it
      When the account sends a cash-out with externalId a random string of 60 letters and digits
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "an externalId of 60 characters"
      When the account sends a cash-out with externalId the account's externalId plus one letter
      Then the request is accepted, or rejected with 400
      And the code is not one of:
        | PIX_DUPLICATE_EXTERNAL_ID |

    Scenario: A long externalId is listed as it was sent, if the gateway accepts it
      Given the account has sent a cash-out with externalId a random string of 60 letters and digits, if the gateway accepts it
      Then the account's transaction list contains exactly the matching payments for every filter

    Scenario: Another account with the same certificate can use the same externalId
      Given another account with R$ 100.00 available
      And the account also has a valid certificate
      And the other account also has that certificate
      And the account requests a token with that certificate
      And the other account requests a token with that certificate
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a cash-out with externalId the account's externalId
      Then the request is accepted

    Scenario: Another account can use the same externalId
      Given another account with R$ 100.00 available
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a cash-out with externalId the account's externalId
      Then the request is accepted

    Scenario Outline: After <count> other payments
      Given an account with R$ 1000.00 available
      And no limits
      And the account has sent a cash-out of R$ 10.07
      And the account has sent <count> cash-outs of R$ 0.07
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.externalId            | the externalId sent     |
        | details.existingTransactionId | the first transactionId |
      And the available balance stays unchanged
      And the payment is listed once

      Examples:
        | count |
        | 10    |
        | 100   |

    Scenario: After payments of every other kind, a settlement, a return and a rejection
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the key directory has a new e-mail key
      And the account has sent a cash-out of R$ 10.07
      And the bank confirms the payment
      And a CashOut event arrives
      And the payee returns R$ 3.29
      And the account has sent a QR cash-out of R$ 8.41
      And the account has sent a transfer of R$ 1.15
      And the account has sent a cash-in of R$ 10.07
      And the account has sent a cash-out of R$ 10.07
      And the bank rejects the payment with ORDER_REJECTED
      And a CashOut event arrives
      When the account sends a cash-out with value 0
      Then the request is rejected with 400
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.externalId            | the externalId sent     |
        | details.existingTransactionId | the first transactionId |
      And the available balance stays unchanged
      And the payment is listed with:
        | transactionId | the first transactionId |
        | status        | "Confirmado"            |

    Scenario: Each account's own payment is named
      Given another account with R$ 100.00 available
      And the account has sent a cash-out of R$ 10.00
      And the other account has sent a cash-out with externalId the account's externalId
      When the other account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.existingTransactionId | different from the first transactionId |
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.existingTransactionId | the first transactionId |
      And the available balance stays unchanged

  @cash-out.description
  @OUT-013 @OUT-014 @OUT-015
  Rule: A description is optional and has at most 140 characters

    Scenario Outline: <description> is accepted
      When the account sends a cash-out with description <description>
      Then the request is accepted

      Examples:
        | description                |
        | absent                     |
        | a string of 140 characters |

    Scenario: Every invalid description, next to every choice
      When the account sends a cash-out of every shape for every pair of:
        | description | value | details.name    |
        | invalid     | 0.07  | "Al"            |
        |             | 10    | "Fulano de Tal" |
      Then every request is rejected with 400 HTTP_ERROR, naming description

  @cash-out.details
  @OUT-016 @OUT-017
  Rule: The details of the destination are required

    Scenario: Every invalid value, next to every choice
      When the account sends a cash-out for every pair of:
        | details | value  | description       |
        | invalid | 0.07   | absent            |
        |         | 10     | "Pedido de teste" |
        |         | 100.00 |                   |
      Then every request is rejected with 400 HTTP_ERROR, naming details

    Scenario: An empty object
      When the account sends a cash-out with details {}
      Then the request is rejected with 400 HTTP_ERROR, naming keyType and name and document

  @cash-out.key-type
  @OUT-019 @OUT-020 @OUT-021 @OUT-022 @OUT-023 @OUT-024 @OUT-037 @OUT-098
  Rule: The keyType is DOCUMENT, EMAIL, PHONE or RANDOM, and is required

    Scenario: Each of the four is accepted, in every shape
      When the account sends a cash-out of every shape with value 0.07
      Then every request is accepted

    Scenario: Every invalid keyType, next to every choice
      When the account sends a cash-out of every shape for every pair of:
        | details.keyType | value | description       |
        | invalid         | 0.07  | absent            |
        | wrong: "CPF"    | 10    | "Pedido de teste" |
        | wrong: "CNPJ"   |       |                   |
        | wrong: "EVP"    |       |                   |
        | wrong: "Email"  |       |                   |
        | wrong: 1        |       |                   |
      Then every request is rejected with 400 HTTP_ERROR, naming keyType

    Scenario: The message lists the four values
      When the account sends a cash-out with details.keyType "X"
      Then the request is rejected with 400 HTTP_ERROR, naming EMAIL and PHONE and DOCUMENT and RANDOM

  @cash-out.key
  @GEN-008 @GEN-009 @GEN-010 @OUT-018 @OUT-020 @OUT-021 @OUT-022 @OUT-023 @OUT-037 @OUT-038 @OUT-039
  @OUT-040 @OUT-041 @OUT-042 @OUT-043 @OUT-044 @OUT-045 @OUT-046 @OUT-047 @OUT-048 @OUT-049 @OUT-093
  @OUT-094
  Rule: The key has the format of its keyType

    Scenario Outline: <keyType> <key> is accepted
      When the account sends a cash-out with:
        | details.keyType  | "<keyType>"  |
        | details.key      | "<key>"      |
        | details.document | "<document>" |
      Then the request is accepted

      Examples:
        | keyType  | key                                  | document       |
        | DOCUMENT | 01234567890                          | 01234567890    |
        | DOCUMENT | 00123456000149                       | 00123456000149 |
        | EMAIL    | fulano.de.tal@example.com            | 52998224725    |
        | EMAIL    | contas@padaria-sao-joao.example.com  | 00000000000191 |
        | EMAIL    | fulano_1@pao-de-acucar.example.com   | 00123456000149 |
        | PHONE    | 11987900081                          | 01234567890    |
        | PHONE    | 1133334444                           | 52998224725    |
        | PHONE    | 11987654374                          | 52998224725    |
        | RANDOM   | 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d | 52998224725    |
        | RANDOM   | 7d9f03358dcc40549bf90dbd61d36906     | 52998224725    |

    @open:code-of-a-key-that-does-not-fit-its-keyType
    Scenario Outline: A <keyType> key in another format, next to every choice
      When the account sends a cash-out for every pair of:
        | details.keyType | details.key | details.document | value | description       |
        | "<keyType>"     | <key 1>     | "52998224725"    | 0.07  | absent            |
        |                 | <key 2>     | "11222333000181" | 10    | "Pedido de teste" |
        |                 | <key 3>     |                  |       |                   |
        |                 | <key 4>     |                  |       |                   |
        |                 | <key 5>     |                  |       |                   |
        |                 | <key 6>     |                  |       |                   |
        |                 | <key 7>     |                  |       |                   |
        |                 | <key 8>     |                  |       |                   |
        |                 | <key 9>     |                  |       |                   |
      Then every request is rejected with 400 PIX_INVALID_PIX_KEY or HTTP_ERROR, naming key
      And every request should be rejected with 400 PIX_INVALID_PIX_KEY

      Examples:
        | keyType  | key 1            | key 2                                 | key 3                                  | key 4                             | key 5             | key 6            | key 7                                  | key 8                | key 9                                   |
        | DOCUMENT | "529.982.247-25" | "11.222.333/0001-81"                  | "5299822472"                           | "529982247250"                    | "112223330001810" | "1122233300018"  | "7d9f0335-8dcc-4054-9bf9-0dbd61d36906" | "fulano@example.com" | "+5511987654321"                        |
        | EMAIL    | "fulano@"        | "fulano.example.com"                  | "52998224725"                          | "11222333000181"                  | "11987654321"     | "@example.com"   | "7d9f0335-8dcc-4054-9bf9-0dbd61d36906" | "fulano"             | "fulano@@example.com"                   |
        | PHONE    | "119876543"      | "119876543210"                        | "+5511987654321"                       | "5511987654321"                   | "(11)98765-4321"  | "11 987654321"   | "7d9f0335-8dcc-4054-9bf9-0dbd61d36906" | "fulano@example.com" | "11222333000181"                        |
        | RANDOM   | "abc"            | "7d9f0335-8dcc-4054-9bf9-0dbd61d3690" | "7d9f0335-8dcc-4054-9bf9-0dbd61d3690g" | "7d9f03358dcc40549bf90dbd61d3690" | "52998224725"     | "11222333000181" | "11987654321"                          | "fulano@example.com" | "7d9f0335-8dcc-4054-9bf9-0dbd61d369060" |

    Scenario Outline: <keyType> <key> is rejected: not only what the format allows
      When the account sends a cash-out of every shape with:
        | details.keyType | "<keyType>" |
        | details.key     | <key>       |
      Then every request is rejected with 400 PIX_INVALID_PIX_KEY or HTTP_ERROR, naming key

      Examples:
        | keyType  | key                                       |
        | DOCUMENT | " 52998224725"                            |
        | DOCUMENT | "11222333000181 "                         |
        | DOCUMENT | "52998224725\\n"                          |
        | DOCUMENT | "٥٢٩٩٨٢٢٤٧٢٥"                             |
        | PHONE    | "551133334444"                            |
        | PHONE    | "11987654321\\n"                          |
        | PHONE    | "１１９８７６５４３２１"                             |
        | EMAIL    | "fulano@de@example.com"                   |
        | EMAIL    | "fulano de tal@example.com"               |
        | RANDOM   | "7d9f-03358dcc-40549bf90dbd61-d36906"     |
        | RANDOM   | "7d9f0335-8dcc-4054-9bf9-0dbd61d36906\\n" |
        | PHONE    | "11987654321 "                            |
        | RANDOM   | "7d9f0335-8dcc-4054-9bf9-0dbd61d36906 "   |
        | EMAIL    | "\ud800"                                  |
        | DOCUMENT | "\ud800"                                  |

    Scenario: Every invalid value, in every shape
      When the account sends a cash-out of every shape whose details.key is invalid
      Then every request is rejected with 400 PIX_INVALID_PIX_KEY or HTTP_ERROR, naming key

  @cash-out.no-lookup
  @OUT-050
  Rule: The gateway accepts a key without looking it up

    Scenario Outline: A <keyType> key that nobody holds
      When the account sends a cash-out with:
        | details.keyType | "<keyType>"    |
        | details.key     | a random <key> |
      Then the request is accepted

      Examples:
        | keyType | key    |
        | RANDOM  | UUID   |
        | EMAIL   | e-mail |

  @cash-out.name
  @OUT-025 @OUT-026 @OUT-027 @OUT-028
  Rule: The payee's name is required and has at most 100 characters

    Scenario: 100 characters are accepted, in every shape
      When the account sends a cash-out of every shape with details.name a string of 100 characters
      Then every request is accepted

    Scenario: Every invalid name, next to every choice
      When the account sends a cash-out of every shape for every pair of:
        | details.name | value | description       |
        | invalid      | 0.07  | absent            |
        |              | 10    | "Pedido de teste" |
      Then every request is rejected with 400 HTTP_ERROR, naming name

    Scenario: A name other than the key holder's is accepted
      Given the account receives cash_out webhooks
      And the key directory has a new key for the same document
      When the account sends a cash-out with:
        | details.key  | that key         |
        | details.name | "Ninguém de Tal" |
      Then the request is accepted
      And a CashOut event arrives with:
        | status | "CONFIRMED" |

  @cash-out.document
  @GEN-008 @GEN-009 @OUT-029 @OUT-030 @OUT-031 @OUT-032 @OUT-033 @OUT-034 @OUT-035
  Rule: The CPF or CNPJ of the key's holder is required for every keyType

    Scenario Outline: <document> is accepted
      When the account sends a cash-out with details.document "<document>"
      Then the request is accepted

      Examples:
        | document       |
        | 01234567890    |
        | 00123456000149 |

    Scenario: Every invalid document, next to every choice
      When the account sends a cash-out of every shape for every pair of:
        | details.document | value | description       | details.name    |
        | invalid          | 0.07  | absent            | "Al"            |
        |                  | 10    | "Pedido de teste" | "Fulano de Tal" |
      Then every request is rejected with 400 HTTP_ERROR, naming document

    Scenario: A key that was paid before still needs its holder's document
      Given the account has sent a cash-out with details.name "Fulano de Tal"
      When the account sends a cash-out with:
        | details.key      | the account's details.key |
        | details.document | absent                    |
      Then the request is rejected with 400 HTTP_ERROR, naming document

  @cash-out.covers-fee
  @OUT-061 @OUT-062 @OUT-078 @OUT-079
  Rule: The balance must cover the amount and the fee

    Scenario Outline: R$ <balance> covers R$ <amount> and a fee of R$ <fee>, and not a centavo more
      Given an account with exactly R$ <balance> available
      And no limits
      And a cash-out fee of R$ <fee>
      When the account sends a cash-out of R$ <more>
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE
      And the available balance is unchanged
      When the account sends a cash-out of R$ <amount>
      Then the request is accepted

      Examples:
        | balance | fee  | amount  | more    |
        | 100.00  | 0.50 | 99.50   | 99.51   |
        | 0.30    | 0.20 | 0.10    | 0.11    |
        | 0.80    | 0.70 | 0.10    | 0.11    |
        | 0.51    | 0.50 | 0.01    | 0.02    |
        | 10.10   | 0.00 | 10.10   | 10.90   |
        | 1235.71 | 1.15 | 1234.56 | 1234.99 |

    Scenario: Above the balance, next to every choice
      Given an account with exactly R$ 100.00 available
      And no limits
      When the account sends a cash-out of every shape for every pair of:
        | value       | externalId                               | description       | details.name    |
        | 100.01      | a random string of 35 letters and digits | absent            | "Al"            |
        | 100.10      | a random string of 14 digits             | "Pedido de teste" | "Fulano de Tal" |
        | 101         |                                          |                   |                 |
        | 1000.00     |                                          |                   |                 |
        | 42949672.97 |                                          |                   |                 |
      Then every request is rejected with 400 PIX_INSUFFICIENT_BALANCE
      And the available balance stays unchanged

    Scenario: 64 bits of centavos, and one more
      Given an account with exactly R$ 100.00 available
      And no limits
      When the account sends a cash-out of every shape with value 184467440737095516.17
      Then every request is rejected with 400

    Scenario: Concurrent cash-outs that the balance covers
      Given an account with exactly R$ 100.00 available
      And no fees
      When the account sends 8 concurrent cash-outs of R$ 1.07
      Then every request is accepted
      And the available balance falls by R$ 8.56
      When the account sends 2 concurrent cash-outs of R$ 45.72
      Then every request is accepted
      And the available balance falls by R$ 91.44

    @open:when-the-fee-of-a-cash-out-is-taken
    Scenario: The fee in force when each payment is sent
      Given an account with exactly R$ 30.00 available
      And a cash-out fee of R$ 0.50
      And the account receives cash_out webhooks
      When the account sends a cash-out of R$ 9.50
      Then a CashOut event arrives
      And the available balance should fall by R$ 10.00
      Given a cash-out fee of R$ 2.00
      When the account sends a cash-out of R$ 18.51
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE
      When the account sends a cash-out of R$ 18.00
      Then the request is accepted
      When the account sends a cash-out of R$ 0.51
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE

    Scenario: Concurrent cash-outs do not overdraw the account
      Given an account with exactly R$ 100.00 available
      When the account sends 8 concurrent cash-outs of R$ 40.00
      Then at most 2 requests are accepted
      And the others are rejected with 400 PIX_INSUFFICIENT_BALANCE
      And the available balance falls by R$ 40.00 per accepted request

    Scenario: Payments of every kind at the same instant do not overdraw the account
      Given an account with exactly R$ 100.00 available
      And settlement waits for the bank
      And the key directory has a new e-mail key
      When these happen at once:
        | the account sends a cash-out of R$ 60.00    |
        | the account sends a QR cash-out of R$ 60.00 |
        | the account sends a transfer of R$ 60.00    |
      Then the outcome is possible one at a time

  @cash-out.business-codes
  @OUT-078 @OUT-079 @OUT-080 @OUT-081 @OUT-083 @OUT-084 @OUT-086 @OUT-087 @OUT-096 @ERR-015
  Rule: A business error returns its code as code and as errorCode

    Scenario: PIX_INSUFFICIENT_BALANCE
      Given an account with exactly R$ 100.00 available
      When the account sends a cash-out of R$ 100.01
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE
      And the response has:
        | errorCode | "PIX_INSUFFICIENT_BALANCE" |

    Scenario: PIX_DUPLICATE_EXTERNAL_ID
      Given the account has sent a cash-out of R$ 1.00
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | errorCode | "PIX_DUPLICATE_EXTERNAL_ID" |

    Scenario Outline: <code>
      Given no limits
      And it is <time> in São Paulo
      And a <limit> limit of R$ 5.00
      When the account sends a cash-out of R$ 5.01
      Then the request is rejected with 400 <code>
      And the response has:
        | errorCode | "<code>" |

      Examples:
        | code                           | limit           | time  |
        | PIX_TRANSACTION_LIMIT_EXCEEDED | per-transaction | 12:00 |
        | PIX_DAILY_LIMIT_EXCEEDED       | daily           | 12:00 |
        | PIX_NIGHT_LIMIT_EXCEEDED       | night           | 22:00 |

  @cash-out.sandbox-scenario
  @OUT-071 @OUT-072
  Rule: X-Sandbox-Scenario is optional and selects the outcome of the payment

    Scenario: Omitted
      When the account sends a cash-out with header X-Sandbox-Scenario absent
      Then the request is accepted with 201

    Scenario: An unknown value
      When the account sends a cash-out with header X-Sandbox-Scenario pixcert-unknown
      Then the request is accepted with 201, or rejected with 400
      And the response's status is recorded for open point "unknown sandbox scenario"

    Scenario Outline: A supported outcome: <outcome>
      Given the account receives cash_out webhooks
      When the account sends a cash-out requesting sandbox outcome <outcome>
      Then the request is accepted with 201
      And the response has:
        | status | "PENDING" |
      And a CashOut event arrives with:
        | status    | "<status>"  |
        | errorCode | <errorCode> |

      Examples:
        | outcome            | status    | errorCode            |
        | CONFIRMED          | CONFIRMED | null                 |
        | TAX_ID_MISMATCH    | ERROR     | "TAX_ID_MISMATCH"    |
        | INVALID_TAX_ID     | ERROR     | "INVALID_TAX_ID"     |
        | BLOCKED_ACCOUNT    | ERROR     | "BLOCKED_ACCOUNT"    |
        | ACCOUNT_CLOSED     | ERROR     | "ACCOUNT_CLOSED"     |
        | ORDER_REJECTED     | ERROR     | "ORDER_REJECTED"     |
        | PAYMENT_EXPIRED    | ERROR     | "PAYMENT_EXPIRED"    |
        | SETTLEMENT_TIMEOUT | ERROR     | "SETTLEMENT_TIMEOUT" |

  @cash-out.left-open
  @OUT-103 @ERR-016
  Rule: Where the specification is silent, the gateway either accepts the cash-out or rejects it cleanly

    Scenario Outline: <field> <value>
      When the account sends a cash-out with <field> <value>
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "<point>"

      Examples:
        | field        | value                               | point                         |
        | value        | 1.230                               | a zero as third decimal       |
        | value        | 1e1                                 | a value with an exponent      |
        | externalId   | ""                                  | an empty externalId           |
        | description  | null                                | null for an optional field    |
        | description  | ""                                  | an empty description          |
        | description  | a string of 140 accented characters | length in characters or bytes |
        | unknownField | "x"                                 | unknown fields                |
        | details.key  | "FULANO@EXAMPLE.COM"                | an e-mail key in upper case   |

    Scenario: Unusual JSON for a valid cash-out: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a cash-out in unusual JSON
      Then every request is accepted, or rejected with 400

    @open:values-of-another-type
    Scenario: No field of a cash-out should be accepted in another type
      When the account sends a cash-out in wrong types
      Then every request should be rejected with 400

    Scenario: A body that is not JSON
      When the account sends a cash-out whose body is {"value": 1.00,
      Then the request is rejected with 400
      And the response's code is recorded for open point "body that is not JSON"

    Scenario: A content type other than JSON
      When the account sends a cash-out with header Content-Type text/plain
      Then the request is accepted, or rejected with 400 or 415
      And the response's status is recorded for open point "request of another content type"

    @open:a-parameter-of-the-content-type
    Scenario: A content type with a charset
      When the account sends a cash-out with header Content-Type application/json; charset=utf-8
      Then the request should be accepted
