Feature: Cash-out to a QR Code
  POST /api/pix/cash-out-qrcode pays a BR Code, the copy-and-paste text of a PIX QR Code.

  Background:
    Given an account with R$ 100.00 available

  @qr-cash-out.accepted
  @GEN-001 @GEN-002 @GEN-006 @OQR-001 @OQR-029 @OQR-030 @OQR-031 @OQR-032 @OQR-033 @OQR-034 @OQR-035
  @OQR-036
  Rule: An accepted QR cash-out is a payment

    @open:transactionId-of-a-QR-cash-out @open:status-of-a-new-QR-cash-out
    Scenario: The response
      When the account sends a QR cash-out
      Then the request is accepted with 201
      And the response has:
        | transactionId | a non-empty string                  |
        | externalId    | the externalId sent                 |
        | status        | "PENDING" or "CONFIRMED" or "ERROR" |
        | generateTime  | the time of the request             |
      And the response's transactionId should be a UUID
      And the response's status should be "PENDING"

    Scenario Outline: The response of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a QR cash-out
      Then the request is accepted
      And the response has:
        | generateTime | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 30 December |
        | 31 December |

    Scenario: Every pair of an amount, a code, an externalId, a text, a name and a document
      Given an account with R$ 300.00 available
      And no fees
      And no limits
      And the account receives cash_out webhooks
      When the account sends a QR cash-out for every pair of:
        | value | qrCode                                | externalId                                     | description                | name                       | document         |
        | 0.01  | a static code                         | a random string of 35 letters and digits       | absent                     | absent                     | absent           |
        | 0.07  | a static code of 250 characters       | a random string of 14 digits                   | "Pedido de teste"          | "Fulano de Tal"            | "52998224725"    |
        | 0.29  | a static code whose CRC starts with 0 | a random string of 30 characters with a hyphen | "Pão & café, 50% à vista"  | "Padaria São João Ltda."   | "11222333000181" |
        | 1.15  |                                       |                                                | a string of 140 characters | a string of 100 characters | "01234567890"    |
        | 2     |                                       |                                                |                            |                            |                  |
        | 10.00 |                                       |                                                |                            |                            |                  |
      Then every request is accepted with 201
      And a CashOut event of each payment arrives at each URL
      And the account's transaction list contains exactly the matching payments for every filter
      When the account sends each of them again
      Then every request is rejected with 409
      And the available balance stays unchanged

    Scenario: Three payments of one static code
      Given the account has sent a QR cash-out of R$ 1.07
      When the account sends a QR cash-out with:
        | value  | 1.07                 |
        | qrCode | the account's qrCode |
      Then the request is accepted
      And the two responses differ in transactionId
      When the account sends a QR cash-out with:
        | value  | 2.29                 |
        | qrCode | the account's qrCode |
      Then the request is accepted
      And the response has:
        | transactionId | different from the first transactionId |

    Scenario: Payments of one static code and of others at the same instant
      Given no fees
      And the account receives cash_out webhooks
      And the account has sent a QR cash-out of R$ 1.07
      When the account sends concurrent QR cash-outs for every pair of:
        | qrCode                     | value |
        | the account's first qrCode | 1.07  |
        | a static code              | 2.29  |
        |                            | 0.41  |
      Then every request is accepted with 201
      And a CashOut event of each payment arrives
      And the account's transaction list contains exactly the matching payments for every filter
      And the available balance falls by R$ 7.54

    Scenario: The response has no fields of a charge
      When the account sends a QR cash-out
      Then the request is accepted with 201
      And the response has:
        | correlationId  | absent or null |
        | pixCode        | absent or null |
        | expirationDate | absent or null |
        | qrCodeImage    | absent or null |

  @qr-cash-out.debit
  @OQR-046 @OQR-047
  Rule: An accepted QR cash-out debits the available balance once

    Background:
      Given settlement waits for the bank

    Scenario: While it is pending
      When the account sends a QR cash-out of R$ 10.00
      Then the request is accepted
      And the available balance falls by R$ 10.00

    @open:when-the-fee-of-a-cash-out-is-taken @open:what-a-cash-out-blocks
    Scenario: Once it is confirmed, with a fee
      Given the account receives cash_out webhooks
      And a cash-out fee of R$ 0.50
      When the account sends a QR cash-out of R$ 10.00
      And the bank confirms the payment
      Then a CashOut event arrives
      And the available balance falls by R$ 10.00 to R$ 10.50
      And the available balance should fall by R$ 10.50
      And the blocked balance should be unchanged

  @qr-cash-out.shapes @shapes
  @OQR-006 @OQR-025 @OQR-026 @OQR-027
  Rule: Every kind of code and optional field can be combined

    Scenario Outline: <shape>
      When the account sends a QR cash-out with:
        | value       | <value>       |
        | qrCode      | <qrCode>      |
        | description | <description> |
        | name        | <name>        |
        | document    | <document>    |
      Then the request is accepted

      Examples:
        | shape                                 | value | qrCode                                     | description       | name                     | document         |
        | A static code without an amount       | 1.00  | a static code                              | "Pedido de teste" | "Fulano de Tal"          | "52998224725"    |
        | A static code with an amount          | 10.07 | a static code of R$ 10.07                  | absent            | absent                   | absent           |
        | A code with a txid, to a company      | 1.15  | a static code with a txid of 25 characters | "Pão & café"      | "Padaria São João Ltda." | "11222333000181" |
        | A code with an amount, for a document | 0.29  | a static code of R$ 0.29                   | absent            | absent                   | "01234567890"    |
        | A reusable code, with a description   | 1.00  | a static code marked as reusable           | "Pedido de teste" | absent                   | absent           |

  @qr-cash-out.value
  @OQR-002 @OQR-003 @OQR-004 @OQR-005 @OQR-006 @OQR-007
  Rule: The value is at least 0.01, with at most two decimals

    Scenario Outline: <value> is accepted
      When the account sends a QR cash-out with value <value>
      Then the request is accepted
      And the available balance falls by R$ <amount>

      Examples:
        | value | amount |
        | 0.01  | 0.01   |
        | 1.15  | 1.15   |
        | 10    | 10.00  |

    Scenario: Every invalid value, next to every choice, though the balance covers it
      Given an account with R$ 200000.00 available
      And no limits
      When the account sends a QR cash-out of every shape for every pair of:
        | value           | description       | name            | document         |
        | invalid         | absent            | absent          | absent           |
        | wrong: 0.299    | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        | wrong: 123.456  |                   |                 | "11222333000181" |
        | wrong: 1000.005 |                   |                 |                  |
      Then every request is rejected with 400, naming value

    Scenario Outline: The same key twice: <values> is not accepted as the invalid one
      Given no fees
      When the account sends a QR cash-out with value <values>
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the available balance falls by R$ 1.00

      Examples:
        | values           |
        | 1.00, then -5.00 |
        | -5.00, then 1.00 |
        | 1.00, then 1.019 |
        | 1.019, then 1.00 |

  @qr-cash-out.embedded-amount
  @OQR-006 @OQR-008 @OQR-009 @OQR-010 @OQR-011
  Rule: The value equals the amount in the code, if it has one

    Scenario Outline: A <kind> code of R$ <amount> and a value of <value>
      When the account sends a QR cash-out with:
        | qrCode | a <kind> code of R$ <amount> |
        | value  | <value>                      |
      Then the request is accepted

      Examples:
        | kind   | amount | value |
        | static | 10.00  | 10.00 |
        | static | 10.00  | 10    |
        | static | 0.07   | 0.07  |
        | static | 8.41   | 8.41  |
        | static | 0.01   | 0.01  |
        | static | 10.50  | 10.5  |
        | static | 2      | 2.00  |

    Scenario Outline: A code of R$ <amount>, as long as an amount may be
      Given an account with R$ <amount> available, if the gateway supports that balance
      And no fees
      And no limits
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ <amount> |
        | value  | <amount>                     |
      Then the request is accepted

      Examples:
        | amount        |
        | 1234.56       |
        | 12345678.90   |
        | 9999999999.99 |

    Scenario Outline: A code of R$ <amount> and a value of <value>
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ <amount> |
        | value  | <value>                      |
      Then the request is rejected with 400
      And the response's code is recorded for open point "amount other than the code's"

      Examples:
        | amount | value |
        | 1.15   | 1.14  |
        | 8.41   | 8.40  |
        | 0.29   | 0.30  |
        | 2      | 2.01  |
        | 2      | 0.02  |
        | 10.50  | 10.05 |

    Scenario: Another amount than the code's, next to every choice
      When the account sends a QR cash-out for every pair of:
        | qrCode                     | value | description       | name            | document         |
        | a static code of R$ 10.00  | 10.01 | absent            | absent          | absent           |
        | a dynamic code of R$ 10.00 | 9.99  | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        |                            | 10.10 |                   |                 | "11222333000181" |
        |                            | 1     |                   |                 |                  |
        |                            | 0.01  |                   |                 |                  |
      Then every request is rejected with 400
      When the account sends a QR cash-out for every pair of:
        | qrCode                   | value | description       | name            | document         |
        | a static code of R$ 0.07 | 0.08  | absent            | absent          | absent           |
        |                          | 0.06  | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        |                          | 0.7   |                   |                 | "11222333000181" |
        |                          | 7     |                   |                 |                  |
      Then every request is rejected with 400

    Scenario: Two codes, each with its own amount
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ 10.07 |
        | value  | 10.07                     |
      Then the request is accepted
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ 20.29 |
        | value  | 10.07                     |
      Then the request is rejected with 400
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ 20.29 |
        | value  | 20.29                     |
      Then the request is accepted
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ 10.07 |
        | value  | 20.29                     |
      Then the request is rejected with 400

    Scenario: A static code without an amount accepts any value
      When the account sends a QR cash-out with:
        | qrCode | a static code |
        | value  | 1.23          |
      Then the request is accepted
      And the available balance falls by R$ 1.23

    Scenario Outline: A dynamic code whose URL does not respond: <code>
      When the account sends a QR cash-out with:
        | qrCode | <code>  |
        | value  | <value> |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "dynamic code whose URL does not respond"

      Examples:
        | code                       | value |
        | a dynamic code of R$ 10.00 | 10.00 |
        | a dynamic code             | 1.23  |

    Scenario: A dynamic code of another account's charge
      Given another account
      And the other account has sent a cash-in of R$ 10.00
      When the account sends a QR cash-out with:
        | qrCode | the pixCode returned |
        | value  | 10.00                |
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "code of another account's charge"

  @qr-cash-out.code
  @OQR-012 @OQR-013 @OQR-015 @OQR-016 @OQR-017 @OQR-018 @OQR-019
  Rule: The code is a BR Code of 50 to 500 characters that starts with 000201

    Scenario Outline: A published code is accepted: <which>
      Given an account with R$ 200.00 available
      When the account sends a QR cash-out with:
        | qrCode | "<code>" |
        | value  | <value>  |
      Then the request is accepted

      Examples:
        | which                   | value | code                                                                                                                                                                 |
        | static                  | 1.00  | 00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D                            |
        | an amount without cents | 198   | 00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381 |

    Scenario: Every way to write a code that the BR Code manual permits, next to every choice
      Given no fees
      When the account sends a QR cash-out for every pair of:
        | qrCode                                         | value | description       | name            | document         |
        | a static code with its GUI in capitals         | 0.07  | absent            | absent          | absent           |
        | a static code with its account in template 51  | 1.15  | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        | a static code with accounts of other schemes   | 2     |                   |                 | "11222333000181" |
        | a static code with its fields in another order |       |                   |                 |                  |
        | a static code marked as reusable               |       |                   |                 |                  |
        | a static code with a merchant category         |       |                   |                 |                  |
        | a static code with a postal code               |       |                   |                 |                  |
        | a static code with a name in another language  |       |                   |                 |                  |
        | a static code with a note for the payer        |       |                   |                 |                  |
        | a static code with a note for the payee        |       |                   |                 |                  |
        | a static code with a name of 25 characters     |       |                   |                 |                  |
        | a static code with a city of 15 characters     |       |                   |                 |                  |
        | a static code with a txid of 25 characters     |       |                   |                 |                  |
        | a static code with a phone key                 |       |                   |                 |                  |
        | a static code with a CPF key                   |       |                   |                 |                  |
        | a static code with a random key                |       |                   |                 |                  |
        | a static code with 6304 in its key             |       |                   |                 |                  |
        | a static code with 6304 in its name            |       |                   |                 |                  |
        | a static code whose CRC starts with 0          |       |                   |                 |                  |
      Then every request is accepted

    @open:an-amount-of-zero-in-a-code
    Scenario: An amount of 0.00, which leaves the amount to the payer
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ 0.00 |
        | value  | 1.23                     |
      Then the request should be accepted

    @open:a-name-beyond-ASCII-in-a-code
    Scenario: A name with non-ASCII letters, each counted as one character
      When the account sends a QR cash-out with qrCode a static code for São João
      Then the request should be accepted

    @open:an-amount-of-one-decimal-in-a-code
    Scenario: An amount with one decimal
      When the account sends a QR cash-out with:
        | qrCode | a static code of R$ 10.5 |
        | value  | 10.50                    |
      Then the request should be accepted

    Scenario: The published dynamic code, whose URL does not respond
      When the account sends a QR cash-out with qrCode "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4"
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "dynamic code whose URL does not respond"

    Scenario: A code of 500 characters is accepted
      When the account sends a QR cash-out with qrCode a static code of 500 characters
      Then the request is accepted

    Scenario: A code of 50 characters
      When the account sends a QR cash-out with qrCode a static code of 50 characters
      Then the request is accepted, or rejected with 400
      And the response's code is recorded for open point "code of 50 characters"

    Scenario: Every broken code, next to every choice
      When the account sends a QR cash-out for every pair of:
        | qrCode                                                 | value | description       | name            | document         |
        | a static code without its CRC                          | 1.00  | absent            | absent          | absent           |
        | a static code with an empty CRC                        | 0.07  | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        | a static code with a CRC of three digits               |       |                   |                 | "11222333000181" |
        | a static code with a CRC of five digits                |       |                   |                 |                  |
        | a static code with a wrong CRC                         |       |                   |                 |                  |
        | a dynamic code with a wrong CRC                        |       |                   |                 |                  |
        | a static code with a CRC that only ends right          |       |                   |                 |                  |
        | a static code with another CRC that is the same number |       |                   |                 |                  |
        | a static code with text after its CRC                  |       |                   |                 |                  |
        | a static code with a field after its CRC               |       |                   |                 |                  |
        | a static code with a changed amount                    |       |                   |                 |                  |
        | a static code with a field longer than the code        |       |                   |                 |                  |
        | a static code with a field shorter than its value      |       |                   |                 |                  |
        | a static code with a key longer than its template      |       |                   |                 |                  |
        | a static code with a length that is not a number       |       |                   |                 |                  |
        | a static code with the GUI of another scheme           |       |                   |                 |                  |
        | a static code with a GUI that only starts right        |       |                   |                 |                  |
        | a static code without a key                            |       |                   |                 |                  |
        | a static code without a name                           |       |                   |                 |                  |
        | a static code without a city                           |       |                   |                 |                  |
        | a static code without a currency                       |       |                   |                 |                  |
        | a static code in US dollars                            |       |                   |                 |                  |
        | a static code with an amount that is not a number      |       |                   |                 |                  |
        | a static code with a comma in its amount               |       |                   |                 |                  |
        | a static code with a negative amount                   |       |                   |                 |                  |
        | a static code with a space before it                   |       |                   |                 |                  |
        | a static code cut in half                              |       |                   |                 |                  |
        | a static code of 49 characters                         |       |                   |                 |                  |
        | a static code of 501 characters                        |       |                   |                 |                  |
        | a static code that starts with 000202                  |       |                   |                 |                  |
        | a static code that starts with XX0201                  |       |                   |                 |                  |
        | 000201 followed by 60 letters                          |       |                   |                 |                  |
        | ""                                                     |       |                   |                 |                  |
        | 123                                                    |       |                   |                 |                  |
      Then every request is rejected with 400

    Scenario Outline: A missing code, or one that is not a string, is named in the error: <value>
      When the account sends a QR cash-out of every shape with qrCode <value>
      Then every request is rejected with 400, naming qrCode

      Examples:
        | value  |
        | absent |
        | null   |
        | {}     |

  @qr-cash-out.external-id
  @OQR-020 @OQR-021
  Rule: The externalId is required

    Scenario: Every invalid externalId, next to every choice
      When the account sends a QR cash-out of every shape for every pair of:
        | externalId | description       | name            | document         |
        | invalid    | absent            | absent          | absent           |
        |            | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        |            |                   |                 | "11222333000181" |
      Then every request is rejected with 400, naming externalId

  @qr-cash-out.duplicate-external-id
  @OQR-022 @OQR-023 @OQR-024
  Rule: A used externalId is rejected with 409 and moves no money

    Scenario: The same request again
      Given the account has sent a QR cash-out of R$ 10.00
      When the account sends the request again
      Then the request is rejected with 409
      And the response has:
        | details | absent or null or an object |
      And the available balance stays unchanged
      And the response's code is recorded for open point "code of a repeated QR cash-out"

    Scenario Outline: The same request <count> times concurrently
      When the account sends the same QR cash-out of R$ 10.00 in <count> concurrent requests
      Then one request is accepted
      And the others are rejected with 409
      And the available balance falls by R$ 10.00
      And the payment is listed once
      When the account sends the request again
      Then the request is rejected with 409
      And the available balance stays unchanged

      Examples:
        | count |
        | 2     |
        | 8     |

    Scenario: 12 times more, and in every shape
      Given the account has sent a QR cash-out of R$ 10.00
      When the account sends the request again 12 times
      Then every request is rejected with 409
      When the account sends a QR cash-out of every shape with externalId the account's externalId
      Then every request is rejected with 400 or 409
      And the available balance stays unchanged

    Scenario: Almost the same externalId is no duplicate
      Given no fees
      And the account has sent a QR cash-out of R$ 1.07
      When the account sends a QR cash-out for every pair of:
        | externalId                                                      | value |
        | the account's first externalId with the case swapped            | 1.07  |
        | the account's first externalId plus one letter                  |       |
        | the account's first externalId without the last character       |       |
        | the account's first externalId with a different first character |       |
        | the account's first externalId with a different last character  |       |
      Then every request is accepted
      And the account's transaction list contains exactly the matching payments for every filter
      When the account sends each of them again
      Then every request is rejected with 409

    Scenario: Another account can use the same externalId
      Given another account with R$ 100.00 available
      And the account has sent a QR cash-out of R$ 10.00
      When the other account sends a QR cash-out with externalId the account's externalId
      Then the request is accepted

    Scenario Outline: After <count> other payments
      Given an account with R$ 1000.00 available
      And no limits
      And the account has sent a QR cash-out of R$ 10.07
      And the account has sent <count> QR cash-outs of R$ 0.07
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is rejected with 409
      And the available balance stays unchanged
      And the payment is listed once

      Examples:
        | count |
        | 10    |
        | 100   |

    Scenario: After a settlement, a return, and payments of other kinds
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And the key directory has a new e-mail key
      And the account has sent a QR cash-out of R$ 10.07
      And the bank confirms the payment
      And a CashOut event arrives
      And the payee returns R$ 3.29
      And the account has sent a cash-out of R$ 8.41
      And the account has sent a transfer of R$ 1.15
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is rejected with 409
      And the available balance stays unchanged
      And the payment is listed with:
        | status         | "Confirmado" |
        | originalAmount | R$ 10.07     |

  @qr-cash-out.optional-fields
  @GEN-008 @GEN-009 @OQR-025 @OQR-026 @OQR-027 @OQR-028
  Rule: Description, name and document are optional

    Scenario Outline: <field> <value> is accepted
      When the account sends a QR cash-out of every shape with <field> <value>
      Then every request is accepted

      Examples:
        | field       | value                      |
        | description | absent                     |
        | description | a string of 140 characters |
        | name        | absent                     |
        | document    | absent                     |

    Scenario: Every invalid document, next to every choice
      When the account sends a QR cash-out of every shape for every pair of:
        | document | description       | name            |
        | invalid  | absent            | absent          |
        |          | "Pedido de teste" | "Fulano de Tal" |
      Then every request is rejected with 400, naming document

    Scenario Outline: Every invalid <field>, in every shape that has one
      When the account sends a QR cash-out of every shape whose <field> is invalid
      Then every request is rejected with 400, naming <field>

      Examples:
        | field       |
        | description |
        | name        |

  @qr-cash-out.covers-fee
  @OQR-038
  Rule: The balance must cover the payment

    Scenario Outline: R$ <balance> covers R$ <amount> and a fee of R$ <fee>
      Given an account with exactly R$ <balance> available
      And no limits
      And a cash-out fee of R$ <fee>
      When the account sends a QR cash-out of R$ <more>
      Then the request is rejected with 400
      When the account sends a QR cash-out of R$ <amount>
      Then the request is accepted

      Examples:
        | balance | fee  | amount | more   |
        | 100.00  | 0.50 | 99.50  | 100.01 |
        | 0.30    | 0.20 | 0.10   | 0.31   |
        | 0.51    | 0.50 | 0.01   | 0.52   |
        | 10.10   | 0.00 | 10.10  | 10.90  |

    @open:a-QR-cash-out-whose-fee-is-not-covered
    Scenario: The balance should cover the fee
      Given an account with exactly R$ 100.00 available
      And a cash-out fee of R$ 0.50
      When the account sends a QR cash-out of R$ 99.51
      Then the request should be rejected with 400

    Scenario: One centavo short
      Given an account with exactly R$ 100.00 available
      When the account sends a QR cash-out of R$ 100.01
      Then the request is rejected with 400
      And the available balance stays unchanged
      And the response's code is recorded for open point "code of a QR cash-out above the balance"

    Scenario: Above the balance, next to every choice
      Given an account with exactly R$ 100.00 available
      And no limits
      When the account sends a QR cash-out for every pair of:
        | value       | qrCode                          | description       | name            | document         |
        | 100.01      | a static code                   | absent            | absent          | absent           |
        | 100.10      | a static code of 250 characters | "Pedido de teste" | "Fulano de Tal" | "52998224725"    |
        | 101         |                                 |                   |                 | "11222333000181" |
        | 1000.00     |                                 |                   |                 |                  |
        | 42949672.97 |                                 |                   |                 |                  |
      Then every request is rejected with 400

    Scenario: Concurrent QR cash-outs that the balance covers
      Given an account with exactly R$ 100.00 available
      And no fees
      When the account sends 8 concurrent QR cash-outs of R$ 1.07
      Then every request is accepted
      And the available balance falls by R$ 8.56
      When the account sends 2 concurrent QR cash-outs of R$ 45.72
      Then every request is accepted
      And the available balance falls by R$ 91.44

    Scenario: Concurrent QR cash-outs do not overdraw the account
      Given an account with exactly R$ 100.00 available
      When the account sends 8 concurrent QR cash-outs of R$ 40.00
      Then at most 2 requests are accepted
      And the others are rejected with 400
      And the available balance falls by R$ 40.00 per accepted request

  @qr-cash-out.outcome
  @OQR-040 @OQR-041 @OQR-042 @EVT-040 @EVT-088
  Rule: A CashOut event reports whether the bank confirmed or rejected the payment

    Background:
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a QR cash-out of R$ 10.00

    Scenario: Confirmed
      When the bank confirms the payment
      Then a CashOut event arrives with:
        | event          | "CashOut"               |
        | status         | "CONFIRMED"             |
        | movementType   | "DEBIT"                 |
        | transactionId  | the first transactionId |
        | externalId     | the externalId sent     |
        | endToEndId     | a non-empty string      |
        | originalAmount | R$ 10.00                |
        | errorCode      | null                    |
        | errorMessage   | null                    |
      And the payment is listed with:
        | status | "Confirmado" |

    Scenario: Rejected
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives with:
        | event        | "CashOut"          |
        | status       | "ERROR"            |
        | errorCode    | "ORDER_REJECTED"   |
        | errorMessage | a non-empty string |
      And the payment is listed with:
        | status | "Error" |

    Scenario: Rejected, for a request without optional fields
      Given the account has sent a QR cash-out with:
        | description | absent |
        | name        | absent |
        | document    | absent |
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event of the second payment arrives with:
        | status    | "ERROR"          |
        | errorCode | "ORDER_REJECTED" |

  @qr-cash-out.provider-failure
  @OQR-039
  Rule: A request that cannot reach the PIX provider returns 500

    Scenario: The provider is unreachable
      Given the PIX provider is unreachable
      When the account sends a QR cash-out of R$ 10.00
      Then the request is rejected with 500
      And the response has:
        | statusCode | 500                |
        | code       | a non-empty string |
        | errorId    | a non-empty string |

    Scenario: The provider is reachable again
      Given the PIX provider is unreachable
      When the account sends a QR cash-out of R$ 10.00
      Then the request is rejected with 500
      When the PIX provider is reachable again
      And the account sends a QR cash-out of R$ 10.00
      Then the request is accepted

  @qr-cash-out.sandbox-scenario
  @OQR-043 @OQR-044
  Rule: X-Sandbox-Scenario is optional and selects the outcome of the payment

    Scenario: Omitted
      When the account sends a QR cash-out with header X-Sandbox-Scenario absent
      Then the request is accepted with 201

    Scenario Outline: A supported outcome: <outcome>
      Given the account receives cash_out webhooks
      When the account sends a QR cash-out requesting sandbox outcome <outcome>
      Then the request is accepted with 201
      And the response has:
        | status | "PENDING" or "CONFIRMED" or "ERROR" |
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

  @qr-cash-out.left-open
  @OQR-038 @OQR-050
  Rule: Where the specification is silent, the gateway either accepts the QR cash-out or rejects it cleanly

    Scenario Outline: <point>
      When the account sends a QR cash-out with <field> <value>
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "<point>"

      Examples:
        | field                     | value                      | point                                     |
        | description               | a string of 141 characters | long description of a QR cash-out         |
        | header X-Sandbox-Scenario | no-such-scenario           | unknown sandbox scenario of a QR cash-out |
        | qrCode                    | the code of its own charge | code of the payer's own charge            |

    Scenario: Unusual JSON for a valid QR cash-out: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a QR cash-out in unusual JSON
      Then every request is accepted, or rejected with 400

    @open:values-of-another-type
    Scenario: No field of a QR cash-out should be accepted in another type
      When the account sends a QR cash-out in wrong types
      Then every request should be rejected with 400

    Scenario: The externalId of a rejected QR cash-out
      Given an account with exactly R$ 100.00 available
      When the account sends a QR cash-out of R$ 100.01
      Then the request is rejected with 400
      When the account sends the request again with value 1.00
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "externalId of a rejected QR cash-out"

    Scenario: An externalId that a cash-out has used
      Given the account has sent a cash-out of R$ 10.00
      When the account sends a QR cash-out with externalId the account's externalId
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "externalId of another operation"
