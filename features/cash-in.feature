Feature: Cash-in by a dynamic QR Code
  POST /api/pix/cash-in creates a charge: a BR Code that anyone can pay until it expires.

  Background:
    Given an account

  @cash-in.accepted
  @GEN-001 @GEN-002 @GEN-006 @BAL-021 @IN-001 @IN-051 @IN-052 @IN-053 @IN-054 @IN-055 @IN-056
  @IN-057 @IN-058 @IN-066
  Rule: A new charge is PENDING and has a BR Code

    Scenario: The response
      When the account sends a cash-in
      Then the request is accepted with 201
      And the response has:
        | transactionId  | a non-empty string              |
        | externalId     | the transaction.externalId sent |
        | status         | "PENDING"                       |
        | generateTime   | the time of the request         |
        | correlationId  | a UUID                          |
        | pixCode        | an EMV code                     |
        | expirationDate | a UTC time                      |

    Scenario: Each charge has its own ids and BR Code
      When the account sends a cash-in
      And the account sends a cash-in
      Then the request is accepted
      And the two responses differ in transactionId
      And the two responses differ in pixCode

    Scenario: An externalId with a space, if the gateway accepts it
      When the account sends a cash-in with transaction.externalId a random string of 30 characters with a space
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the response has:
        | externalId | the transaction.externalId sent |

    Scenario: Creating a charge moves no money
      When the account sends a cash-in of R$ 10.00
      Then the request is accepted
      And the available balance is unchanged
      And the blocked balance is unchanged

    Scenario: The charge is listed
      Given the account has sent a cash-in of R$ 10.00
      Then the payment is listed with:
        | status         | "Pendente" |
        | operationType  | "Pix in"   |
        | movementType   | "CREDIT"   |
        | originalAmount | R$ 10.00   |

    Scenario Outline: The response of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a cash-in
      Then the request is accepted
      And the response has:
        | generateTime | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 30 December |
        | 31 December |

    Scenario: Every pair of optional fields, eight at the same instant; the charges before and after them are paid
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 7.31
      When the account sends concurrent cash-ins for every pair of:
        | transaction.value | transaction.externalId                         | transaction.description    | transaction.expirationTime | transaction.generateQrCode | payer.fullName             | payer.document   | additionalInfo | splits                         |
        | 10.00             | a random string of 14 digits                   | "x"                        | absent                     | absent                     | "Fulano de Tal"            | "52998224725"    | absent         | absent                         |
        | 12.3              | a random string of 30 characters with a hyphen | "Pão & café \"2\" <3>"     | 86400                      | true                       | a string of 100 characters | "11222333000181" | {}             | R$ 3.00                        |
        | 1000.00           | a random string of 35 letters and digits       | a string of 140 characters | 604800                     | false                      |                            | "00000000191"    | {"a": "b"}     | 10%, 20%, 5% and 1%, immediate |
        | 1234.56           |                                                |                            |                            |                            |                            | "00000000000191" | 10 pairs       |                                |
      Then every request is accepted with 201
      When the account sends a cash-in of R$ 8.00
      Then the request is accepted
      When a company pays the charge
      Then a cash_in event arrives
      And the available balance rises by R$ 8.00
      And the payment is listed with:
        | status         | "Confirmado" |
        | originalAmount | R$ 8.00      |
      And the first payment is listed with:
        | status         | "Pendente" |
        | originalAmount | R$ 7.31    |
      When another payer pays the first charge
      Then a cash_in event of the first charge arrives
      And the available balance rises by R$ 7.31
      And the first payment is listed with:
        | status | "Confirmado" |

  @cash-in.code
  @IN-077
  Rule: The pixCode is a BR Code with a correct CRC

    @open:the-amount-in-a-pixCode
    Scenario Outline: R$ <amount>
      When the account sends a cash-in of R$ <amount>
      Then the request is accepted
      And the response has:
        | pixCode | a BR Code |
      And the response's pixCode should be a BR Code of R$ <amount>

      Examples:
        | amount   |
        | 0.01     |
        | 0.07     |
        | 1.15     |
        | 142.20   |
        | 1000.00  |
        | 12345.67 |

  @cash-in.shapes @shapes
  @IN-010 @IN-018 @IN-029 @IN-030 @IN-037 @IN-041 @IN-042 @IN-045 @IN-050
  Rule: Every kind of payer and optional field can be combined

    Scenario Outline: <shape>
      When the account sends a cash-in with:
        | transaction.value          | <value>       |
        | transaction.description    | <description> |
        | transaction.expirationTime | <expires>     |
        | transaction.generateQrCode | <qrCode>      |
        | payer.fullName             | <name>        |
        | payer.document             | <document>    |
        | additionalInfo             | <info>        |
        | splits                     | <splits>      |
      Then the request is accepted

      Examples:
        | shape                           | value  | description                | expires | qrCode | name                       | document         | info       | splits                         |
        | Only what is required           | 1.00   | "x"                        | absent  | absent | "Fulano de Tal"            | "52998224725"    | absent     | absent                         |
        | By a company, with an image     | 142.20 | "Pão & café"               | 172800  | true   | "Padaria São João Ltda."   | "11222333000181" | {"a": "b"} | absent                         |
        | By a CPF with a leading zero    | 0.29   | "Pedido de teste"          | 604800  | false  | "José D'Ávila"             | "01234567890"    | 10 pairs   | absent                         |
        | With a split                    | 10.00  | a string of 140 characters | absent  | absent | a string of 100 characters | "52998224725"    | absent     | R$ 3.00                        |
        | By a company, with three splits | 10.00  | "Pedido de teste"          | 86400   | absent | "Padaria São João Ltda."   | "11222333000181" | {"a": "b"} | R$ 3.00, R$ 1.00 and R$ 0.07   |
        | With an immediate share         | 10.00  | "x"                        | absent  | absent | "Fulano de Tal"            | "52998224725"    | absent     | R$ 1.00, immediate             |
        | With shares in percent          | 10.00  | "Pedido de teste"          | absent  | true   | "Fulano de Tal"            | "52998224725"    | absent     | 10%, 20%, 5% and 1%, immediate |

  @cash-in.transaction
  @IN-002 @IN-003
  Rule: The transaction is required

    Scenario: Every invalid transaction, in every shape
      When the account sends a cash-in of every shape whose transaction is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming transaction

  @cash-in.value
  @IN-004 @IN-005 @IN-006 @IN-007 @IN-008 @IN-009
  Rule: The value is at least 0.01, with at most two decimals

    Scenario Outline: <value> is accepted
      When the account sends a cash-in with transaction.value <value>
      Then the request is accepted

      Examples:
        | value |
        | 0.01  |
        | 1.23  |
        | 10    |
        | 0.1   |

    Scenario: Every invalid value, in every shape
      When the account sends a cash-in of every shape whose transaction.value is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming value

    Scenario Outline: The same key twice: <values> is not accepted as the invalid one
      When the account sends a cash-in with transaction.value <values>
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the payment is listed with:
        | originalAmount | R$ 1.00 |

      Examples:
        | values           |
        | 1.00, then -5.00 |
        | -5.00, then 1.00 |
        | 1.00, then 1.019 |
        | 1.019, then 1.00 |

  @cash-in.description
  @IN-010 @IN-011 @IN-012 @IN-013
  Rule: The description is required and has 1 to 140 characters

    Scenario Outline: <description> is accepted
      When the account sends a cash-in with transaction.description <description>
      Then the request is accepted

      Examples:
        | description                |
        | "x"                        |
        | a string of 140 characters |

    Scenario: Every invalid description, in every shape
      When the account sends a cash-in of every shape whose transaction.description is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming description

  @cash-in.external-id
  @IN-014 @IN-015
  Rule: The externalId is required and must not be empty

    Scenario: Every invalid externalId, in every shape
      When the account sends a cash-in of every shape whose transaction.externalId is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming externalId

  @cash-in.duplicate-external-id
  @IN-016 @IN-017
  Rule: A used externalId is rejected and creates no second charge

    Scenario: The same request again
      Given the account has sent a cash-in of R$ 10.00
      When the account sends the request again
      Then the request is rejected with 400 or 409
      And the response has:
        | details | absent or null or an object |
      And the response's code is recorded for open point "code of a repeated cash-in"
      And the payment is listed once

    Scenario: The same request 8 times concurrently
      When the account sends the same cash-in of R$ 10.00 in 8 concurrent requests
      Then one request is accepted
      And the others are rejected with 400 or 409
      And the payment is listed once

    Scenario: Another account can use the same externalId
      Given another account
      And the account has sent a cash-in
      When the other account sends a cash-in with transaction.externalId the account's transaction.externalId
      Then the request is accepted

    Scenario: After other charges, after a payment and after 40 days
      Given the account has sent a cash-in of R$ 10.00
      And the account has sent a cash-in of R$ 20.00
      And a payer pays the second charge
      And the account has sent a cash-in of R$ 0.07
      And the account has sent a cash-in of R$ 0.07
      When the account sends a cash-in with transaction.externalId the transaction.externalId of the first charge
      Then the request is rejected with 400 or 409
      When the account sends a cash-in with transaction.externalId the transaction.externalId of the second charge
      Then the request is rejected with 400 or 409
      When 40 days pass
      And the account sends a cash-in with transaction.externalId the transaction.externalId of the second charge
      Then the request is rejected with 400 or 409

    Scenario: A rejected repeat does not change the charge
      Given the account has sent a cash-in with:
        | transaction.value          | 10.00  |
        | transaction.expirationTime | 604800 |
      When the account sends the request again with:
        | transaction.value          | 99.00 |
        | transaction.expirationTime | 86400 |
      Then the request is rejected with 400 or 409
      When 3 days pass
      And a payer tries to pay the first charge
      Then the available balance rises by R$ 10.00
      And the first payment is listed with:
        | status         | "Confirmado" |
        | originalAmount | R$ 10.00     |

  @cash-in.expiration-time
  @IN-019 @IN-020 @IN-021 @IN-022 @IN-023 @IN-025
  Rule: The expirationTime is from 30 to 604800 seconds

    Scenario: 604800 is accepted
      When the account sends a cash-in with transaction.expirationTime 604800
      Then the request is accepted
      And the response has:
        | expirationDate | 604800 seconds after generateTime |

    Scenario: 30 is accepted if it is the provider's minimum
      Given the PIX provider's minimum expirationTime is 30 seconds
      When the account sends a cash-in with transaction.expirationTime 30
      Then the request is accepted
      And the response has:
        | expirationDate | 30 seconds after generateTime |

    Scenario: 604801 is rejected, whatever the provider's minimum
      Given the PIX provider's minimum expirationTime is 300 seconds
      When the account sends a cash-in of every shape with transaction.expirationTime 604801
      Then every request is rejected with 400

    Scenario: 30 is accepted, unless the provider's minimum is higher
      When the account sends a cash-in with transaction.expirationTime 30
      Then the request is accepted, or rejected with 400
      And the response's code is recorded for open point "the shortest expirationTime"

    Scenario: Every invalid expirationTime, in every shape that has one
      When the account sends a cash-in of every shape whose transaction.expirationTime is invalid
      Then every request is rejected with 400, naming expirationTime

  @cash-in.expiration-date
  @IN-018 @IN-024 @IN-025
  Rule: The charge expires after expirationTime seconds, by default after a day

    Scenario: 172800 seconds
      When the account sends a cash-in with transaction.expirationTime 172800
      Then the request is accepted
      And the response has:
        | expirationDate | 172800 seconds after generateTime |

    Scenario Outline: <seconds> seconds
      Given the PIX provider's minimum expirationTime is 30 seconds
      When the account sends a cash-in with transaction.expirationTime <seconds>
      Then the request is accepted
      And the response has:
        | expirationDate | <seconds> seconds after generateTime |

      Examples:
        | seconds |
        | 89      |
        | 3631    |
        | 100019  |

    Scenario Outline: <seconds> seconds from <day>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a cash-in with transaction.expirationTime <seconds>
      Then the request is accepted
      And the response has:
        | expirationDate | <seconds> seconds after generateTime |

      Examples:
        | day         | seconds |
        | 28 February | 86400   |
        | 28 February | 604800  |
        | 29 April    | 259200  |
        | 31 December | 172800  |

    Scenario: By default
      When the account sends a cash-in with transaction.expirationTime absent
      Then the request is accepted
      And the response has:
        | expirationDate | 86400 seconds after generateTime |

  @cash-in.provider-minimum
  @IN-026 @IN-027 @IN-028
  Rule: An expirationTime below the provider's minimum is rejected

    Background:
      Given the PIX provider's minimum expirationTime is 300 seconds

    Scenario: One second below the provider's minimum
      When the account sends a cash-in with transaction.expirationTime 299
      Then the request is rejected with 400
      And the response has:
        | errorCode | "PROVIDER_EXPIRATION_BELOW_MINIMUM"                 |
        | code      | "PROVIDER_EXPIRATION_BELOW_MINIMUM" or "HTTP_ERROR" |
      And the response's code is recorded for open point "code of an expirationTime below the provider's"

    Scenario: One second below the provider's minimum, in every shape
      When the account sends a cash-in of every shape with transaction.expirationTime 299
      Then every request is rejected with 400

    Scenario: Exactly the provider's minimum
      When the account sends a cash-in with transaction.expirationTime 300
      Then the request is accepted

  @cash-in.qr-code-image
  @IN-029 @IN-030 @IN-031 @IN-032 @IN-033 @IN-034
  Rule: The QR Code image is returned only on request

    Scenario Outline: generateQrCode <value>
      When the account sends a cash-in with transaction.generateQrCode <value>
      Then the request is accepted
      And the response has:
        | qrCodeImage | absent or null |
      And the response's qrCodeImage is recorded for open point "qrCodeImage that was not requested"

      Examples:
        | value  |
        | absent |
        | false  |

    @open:what-qrCodeImage-shows
    Scenario: generateQrCode true
      When the account sends a cash-in with transaction.generateQrCode true
      Then the request is accepted
      And the response has:
        | qrCodeImage | a Base64 image |
      And the response's qrCodeImage should be a QR Code of the pixCode

    @open:what-qrCodeImage-shows
    Scenario: generateQrCode true, for a second and a third charge
      Given the account has sent a cash-in with transaction.generateQrCode true
      When the account sends a cash-in with transaction.generateQrCode true
      Then the request is accepted
      And the response has:
        | qrCodeImage | a Base64 image |
      And the response's qrCodeImage should be a QR Code of the pixCode
      When the account sends a cash-in with transaction.generateQrCode absent
      Then the request is accepted
      And the response has:
        | qrCodeImage | absent or null |

    Scenario: Every invalid generateQrCode, in every shape that has one
      When the account sends a cash-in of every shape whose transaction.generateQrCode is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming generateQrCode

  @cash-in.payer
  @GEN-008 @GEN-009 @IN-035 @IN-036 @IN-037 @IN-038 @IN-039 @IN-040 @IN-041 @IN-042 @IN-043 @IN-044
  Rule: The payer's name and document are required

    Scenario: Every invalid payer, in every shape
      When the account sends a cash-in of every shape whose payer is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming payer

    Scenario Outline: payer.<field> <value> is accepted
      When the account sends a cash-in with payer.<field> <value>
      Then the request is accepted

      Examples:
        | field    | value                      |
        | fullName | a string of 100 characters |
        | document | "52998224725"              |
        | document | "11222333000181"           |
        | document | "00000000191"              |
        | document | "00000000000191"           |

    Scenario Outline: Every invalid <field>, in every shape
      When the account sends a cash-in of every shape whose payer.<field> is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming <field>

      Examples:
        | field    |
        | fullName |
        | document |

    Scenario: Another payer pays the charge
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 10.00
      When another payer pays the charge
      Then a cash_in event arrives
      And the payment is listed with:
        | status | "Confirmado" |

  @cash-in.additional-info
  @IN-045 @IN-046 @IN-047 @IN-048 @IN-049
  Rule: additionalInfo has at most 10 pairs

    Scenario Outline: <value> is accepted
      When the account sends a cash-in with additionalInfo <value>
      Then the request is accepted

      Examples:
        | value                                        |
        | absent                                       |
        | {}                                           |
        | {"a": "b"}                                   |
        | {"constructor": "a", "length": "", "1": "b"} |
        | 10 pairs                                     |

    Scenario Outline: <value> is rejected
      When the account sends a cash-in of every shape with additionalInfo <value>
      Then every request is rejected with 400 HTTP_ERROR, naming additionalInfo

      Examples:
        | value                       |
        | 11 pairs                    |
        | {"a": {"b": "c"}}           |
        | {"a": "b", "c": {"d": "e"}} |
        | "x"                         |

    @open:values-of-another-type
    Scenario: A number should not be accepted as a string
      When the account sends a cash-in with additionalInfo {"a": 1}
      Then the request should be rejected with 400 HTTP_ERROR, naming additionalInfo

  @cash-in.paid
  @GEN-013 @GEN-014 @IN-068 @IN-069 @IN-070 @IN-071 @IN-072 @IN-073 @IN-074 @IN-076 @EVT-001
  @EVT-089
  Rule: A paid charge is CONFIRMED and its amount is available

    Background:
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 10.00

    Scenario: The balance
      When a payer pays the charge
      Then the available balance rises by R$ 10.00
      And the blocked balance is unchanged

    Scenario: The transaction list
      When a payer pays the charge
      Then the payment is listed with:
        | status        | "Confirmado"       |
        | operationType | "Pix in"           |
        | movementType  | "CREDIT"           |
        | endToEndId    | a non-empty string |
        | processedAt   | a UTC time         |

    @open:payload-of-a-cash_in-event
    Scenario: The event
      When a payer pays the charge
      Then a cash_in event arrives
      And the event should have:
        | status       | "CONFIRMED" |
        | errorCode    | null        |
        | errorMessage | null        |
      And the event's shape is recorded for open point "payload of a cash_in event"

    Scenario: Two equal charges, paid by the same payer
      When a payer tries to pay the charge
      Then a cash_in event arrives
      And the available balance rises by R$ 10.00
      When the account sends a cash-in of R$ 10.00
      Then the request is accepted
      And the two responses differ in pixCode
      When a payer tries to pay the charge
      Then the cash_in event arrives again
      And the available balance rises by R$ 10.00

    Scenario: A charge of 45 seconds
      Given the PIX provider's minimum expirationTime is 30 seconds
      And the account has sent a cash-in with:
        | transaction.value          | 20.00 |
        | transaction.expirationTime | 45    |
      When 20 seconds pass
      And a payer tries to pay the charge
      Then the available balance rises by R$ 20.00
      And a cash_in event arrives

    Scenario: Paid on another day
      Given the account has sent a cash-in with transaction.expirationTime 604800
      And 3 days pass
      When a payer pays the charge
      Then a cash_in event arrives
      And the payment is listed with:
        | status | "Confirmado" |

    Scenario: Three charges, paid in another order
      Given the account has sent a cash-in of R$ 136.42
      And the account has sent a cash-in of R$ 1000.00
      When a payer tries to pay the third charge
      Then the available balance rises by R$ 1000.00
      And the first payment is listed with:
        | status         | "Pendente" |
        | originalAmount | R$ 10.00   |
      And the second payment is listed with:
        | status         | "Pendente" |
        | originalAmount | R$ 136.42  |
      When a company tries to pay the first charge
      Then the available balance rises by R$ 10.00
      And the second payment is listed with:
        | status | "Pendente" |
      When another payer tries to pay the second charge
      Then the available balance rises by R$ 136.42
      And the first payment is listed with:
        | status               | "Confirmado"                       |
        | originalAmount       | R$ 10.00                           |
        | endToEndId           | the endToEndId of the first charge |
        | counterpart.document | masked                             |
      And the second payment is listed with:
        | status         | "Confirmado"                        |
        | originalAmount | R$ 136.42                           |
        | endToEndId     | the endToEndId of the second charge |
      And the third payment is listed with:
        | status         | "Confirmado"                       |
        | originalAmount | R$ 1000.00                         |
        | endToEndId     | the endToEndId of the third charge |

  @cash-in.paid-once
  @IN-075 @IN-076
  Rule: A charge can be paid only once

    Background:
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 10.00
      And a payer pays the charge
      And a cash_in event arrives

    Scenario: A second payment
      When a payer tries to pay the charge
      Then the available balance stays unchanged
      And the payment is listed once

    Scenario: Four concurrent payments
      Given the account has sent a cash-in of R$ 10.00
      When a payer pays the charge 4 times concurrently
      Then the available balance rises by R$ 10.00
      And the payment is listed once
      When a payer tries to pay the charge
      Then the available balance stays unchanged

    Scenario: Expiry does not affect a paid charge
      When 86401 seconds pass
      Then the available balance is unchanged
      And the payment is listed with:
        | status | "Confirmado" |

    Scenario: A later charge and a later payment change nothing
      Given the account has sent a cash-in of R$ 20.00
      And a payer pays the charge
      And 3 days pass
      When a payer tries to pay the first charge
      And the account sends a cash-in of R$ 5.00
      And a payer tries to pay the second charge
      Then the available balance is unchanged
      And the first payment is listed with:
        | status         | "Confirmado" |
        | originalAmount | R$ 10.00     |
      And the second payment is listed with:
        | status         | "Confirmado" |
        | originalAmount | R$ 20.00     |

    Scenario: It stays CONFIRMED after a refund, if the gateway accepts one
      Given the account has received R$ 10.00 through a cash-in
      When the account sends a refund of R$ 4.00
      And the account sends a refund of R$ 6.00
      Then the request is accepted, or rejected with 400 or 404 or 422
      And the second payment is listed with:
        | status         | "Confirmado" |
        | originalAmount | R$ 10.00     |
      When a payer tries to pay the second charge
      Then the available balance does not rise

  @cash-in.unpaid
  @IN-067 @IN-076
  Rule: An unpaid charge stays PENDING until it expires

    Scenario: 10 seconds before expiry
      Given the account receives cash_in webhooks
      And the account has sent a cash-in with transaction.expirationTime 172800
      When 172790 seconds pass
      Then the payment is listed with:
        | status | "Pendente" |
      And no cash_in event arrives

    Scenario: Paid 10 seconds before expiry
      Given the account has sent a cash-in with:
        | transaction.value          | 10.00  |
        | transaction.expirationTime | 172800 |
      When 172790 seconds pass
      And a payer tries to pay the charge
      Then the available balance rises by R$ 10.00

    Scenario Outline: <seconds> seconds, paid shortly before expiry
      Given the PIX provider's minimum expirationTime is 30 seconds
      And the account has sent a cash-in with:
        | transaction.value          | 10.00     |
        | transaction.expirationTime | <seconds> |
      When <passed> seconds pass
      And a payer tries to pay the charge
      Then the available balance rises by R$ 10.00

      Examples:
        | seconds | passed |
        | 300     | 270    |
        | 604800  | 604790 |

    Scenario: One charge expires before another
      Given the account has sent a cash-in with:
        | transaction.value          | 20.00  |
        | transaction.expirationTime | 604800 |
      And the account has sent a cash-in with:
        | transaction.value          | 10.00 |
        | transaction.expirationTime | 86400 |
      When 86401 seconds pass
      Then the first payment is listed with:
        | status | "Pendente" |
      When a payer tries to pay the first charge
      Then the available balance rises by R$ 20.00
      And the first payment is listed with:
        | status | "Confirmado" |
      And the second payment is listed with:
        | status | "Pendente" or "Error" |

    Scenario: 1 second after expiry
      Given the account has sent a cash-in with transaction.expirationTime 172800
      When 172801 seconds pass
      Then the available balance is unchanged
      And the payment is listed with:
        | status | "Pendente" or "Error" |
      And the payment's status is recorded for open point "status of an expired cash-in"

    @open:payment-of-an-expired-charge
    Scenario: A payment 1 second after expiry should fail
      Given the account has sent a cash-in with transaction.expirationTime 172800
      When 172801 seconds pass
      And a payer tries to pay the charge
      Then the available balance should be unchanged

  @cash-in.provider-failure
  @IN-062 @IN-063
  Rule: A request that cannot reach the PIX provider returns 500 HTTP_ERROR

    Scenario: The provider is unreachable
      Given the PIX provider is unreachable
      When the account sends a cash-in
      Then the request is rejected with 500 HTTP_ERROR

    Scenario: The provider is reachable again
      Given the PIX provider is unreachable
      When the account sends a cash-in
      Then the request is rejected with 500 HTTP_ERROR
      When the PIX provider is reachable again
      And the account sends a cash-in
      Then the request is accepted

  @cash-in.unauthorized
  @AUTH-024 @AUTH-025 @IN-061
  Rule: A 401 has code HTTP_ERROR

    Scenario Outline: Using <token>
      When the account sends a cash-in using <token>
      Then the request is rejected with 401 HTTP_ERROR

      Examples:
        | token           |
        | no token        |
        | a garbage token |

  @cash-in.validation
  @IN-002 @IN-010 @IN-035 @IN-059 @IN-060 @ERR-008 @ERR-009 @ERR-017
  Rule: An invalid body returns HTTP_ERROR with one message per invalid field

    Scenario: An empty body
      When the account sends a cash-in whose body is {}
      Then the request is rejected with 400 HTTP_ERROR, naming transaction and payer
      And the response has:
        | message | a list of strings |

    Scenario: Two invalid fields
      When the account sends a cash-in with:
        | transaction.description | absent |
        | payer.document          | "12"   |
      Then the request is rejected with 400 HTTP_ERROR, naming description and document
      And the response has:
        | message | at least 2 strings |

    Scenario: A body that is not JSON
      When the account sends a cash-in whose body is {"transaction":
      Then the request is rejected with 400

  @cash-in.sandbox-scenario
  @IN-064 @IN-065
  Rule: X-Sandbox-Scenario is optional and does not change the response

    Scenario: Omitted
      When the account sends a cash-in with header X-Sandbox-Scenario absent
      Then the request is accepted with 201

    Scenario Outline: The value that requests <outcome> for a cash-out
      When the account sends a cash-in requesting sandbox outcome <outcome>
      Then the request is accepted with 201, or rejected with 400
      And the response's status is recorded for open point "sandbox scenario of a cash-out in a cash-in"
      And if the request was accepted, the response has:
        | status | "PENDING" |

      Examples:
        | outcome            |
        | CONFIRMED          |
        | TAX_ID_MISMATCH    |
        | INVALID_TAX_ID     |
        | BLOCKED_ACCOUNT    |
        | ACCOUNT_CLOSED     |
        | ORDER_REJECTED     |
        | PAYMENT_EXPIRED    |
        | SETTLEMENT_TIMEOUT |

  @cash-in.left-open
  @IN-078
  Rule: Where the specification is silent, the gateway either creates the charge or rejects it cleanly

    Scenario Outline: <point>
      When the account sends a cash-in with <field> <value>
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "<point>"

      Examples:
        | field                      | value            | point                                 |
        | transaction.expirationTime | 60.5             | expirationTime with a fraction        |
        | transaction.value          | 1.230            | charge of three decimals, the last 0  |
        | payer.document             | "52998224726"    | payer with wrong check digits         |
        | payer.document             | "12ABC34501DE35" | alphanumeric CNPJ                     |
        | header X-Sandbox-Scenario  | no-such-scenario | unknown sandbox scenario of a cash-in |

    Scenario: Unusual JSON for a valid cash-in: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a cash-in in unusual JSON
      Then every request is accepted, or rejected with 400

    @open:values-of-another-type
    Scenario: No field of a cash-in should be accepted in another type
      When the account sends a cash-in in wrong types
      Then every request should be rejected with 400
      When the account sends a cash-in whose transaction.generateQrCode is of another type
      Then every request should be rejected with 400

    Scenario: Unusual JSON for a valid split cash-in: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a split cash-in in unusual JSON
      Then every request is accepted, or rejected with 400

    @open:values-of-another-type
    Scenario: No field of a split cash-in should be accepted in another type
      When the account sends a split cash-in in wrong types
      Then every request should be rejected with 400
      When the account sends a split cash-in whose splits[0].immediate is of another type
      Then every request should be rejected with 400

    Scenario: The externalId of a charge that has expired
      Given the account has sent a cash-in of R$ 10.00
      When 40 days pass
      And the account sends the request again
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "externalId of an expired cash-in"

    Scenario: An externalId that a cash-out has used
      Given an account with R$ 100.00 available
      And the account has sent a cash-out of R$ 10.00
      When the account sends a cash-in with transaction.externalId the account's externalId
      Then the request is accepted, or rejected with 400 or 409
      And the response's status is recorded for open point "externalId of another operation"
