Feature: Cash-in by a dynamic QR Code
  POST /api/pix/cash-in creates a charge: a BR Code that anyone can pay until it expires.

  Background:
    Given an account

  @cash-in.accepted
  @GEN-001 @GEN-002 @GEN-006 @BAL-021 @IN-001 @IN-051 @IN-052 @IN-053 @IN-054 @IN-055 @IN-056
  @IN-057 @IN-058 @IN-066
  Rule: An accepted charge is a pending payment with a code to pay it by

    Scenario: The answer
      When the account sends a cash-in
      Then it is accepted with 201
      And the answer has:
        | transactionId  | a text                               |
        | externalId     | the transaction.externalId sent      |
        | status         | "PENDING"                            |
        | generateTime   | the time of the call                 |
        | correlationId  | a UUID                               |
        | pixCode        | an EMV code                          |
        | expirationDate | a UTC time                           |

    Scenario: Each charge has ids and a code of its own
      When the account sends a cash-in
      And the account sends a cash-in
      Then it is accepted
      And both answers differ in transactionId
      And both answers differ in correlationId
      And both answers differ in pixCode

    Scenario: It moves no money
      When the account sends a cash-in of R$ 10.00
      Then it is accepted
      And available is unchanged
      And blocked is unchanged

    Scenario: It is listed
      Given the account has sent a cash-in of R$ 10.00
      Then the payment is listed with:
        | status         | "Pendente" |
        | operationType  | "Pix in"   |
        | movementType   | "CREDIT"   |
        | originalAmount | R$ 10.00   |

  @cash-in.code
  @IN-077
  Rule: The code is a BR Code with a right CRC, and names no other amount

    Scenario Outline: R$ <amount>
      When the account sends a cash-in of R$ <amount>
      Then it is accepted
      And the answer has:
        | pixCode | a BR Code of R$ <amount> |

      Examples:
        | amount |
        | 0.01   |
        | 0.07   |
        | 1.15   |
        | 142.20 |

  @cash-in.transaction
  @IN-002 @IN-003
  Rule: The transaction is required

    Scenario Outline: <value>
      When the account sends a cash-in with transaction <value>
      Then it is refused with 400 HTTP_ERROR, naming transaction

      Examples:
        | value  |
        | absent |
        | null   |
        | "x"    |
        | []     |

  @cash-in.value
  @IN-004 @IN-005 @IN-006 @IN-007 @IN-008 @IN-009
  Rule: The value is at least 0.01, with at most two decimals

    Scenario Outline: <value> is accepted
      When the account sends a cash-in with transaction.value <value>
      Then it is accepted

      Examples:
        | value |
        | 0.01  |
        | 1.23  |
        | 10    |
        | 0.1   |

    Scenario Outline: <value> is refused
      When the account sends a cash-in with transaction.value <value>
      Then it is refused with 400 HTTP_ERROR, naming value

      Examples:
        | value  |
        | 0      |
        | -1     |
        | 0.001  |
        | 1.234  |
        | absent |
        | null   |
        | {}     |
        | "abc"  |

    @open:values-of-another-type
    Scenario: A text is no number, whatever a lax reader makes of it
      When the account sends a cash-in with transaction.value "10.00"
      Then it should be refused with 400 HTTP_ERROR, naming value

  @cash-in.description
  @IN-010 @IN-011 @IN-012 @IN-013
  Rule: The description is required, not empty, and has at most 140 characters

    Scenario Outline: <description> is accepted
      When the account sends a cash-in with transaction.description <description>
      Then it is accepted

      Examples:
        | description              |
        | "x"                      |
        | a text of 140 characters |

    Scenario Outline: <description> is refused
      When the account sends a cash-in with transaction.description <description>
      Then it is refused with 400 HTTP_ERROR, naming description

      Examples:
        | description              |
        | ""                       |
        | a text of 141 characters |
        | absent                   |
        | null                     |
        | {}                       |

  @cash-in.external-id
  @IN-014 @IN-015
  Rule: The externalId is required and not empty

    Scenario Outline: <value>
      When the account sends a cash-in with transaction.externalId <value>
      Then it is refused with 400 HTTP_ERROR, naming externalId

      Examples:
        | value  |
        | absent |
        | null   |
        | ""     |
        | {}     |

  @cash-in.duplicate-external-id
  @IN-016 @IN-017
  Rule: A used externalId is refused and makes no second charge

    Scenario: The same charge again
      Given the account has sent a cash-in of R$ 10.00
      When the account sends it again
      Then it is refused with 400 or 409
      And the answer has:
        | details | absent or null or an object |
      And its code is noted as "code of a repeated cash-in"
      And the payment is listed once

    Scenario: The same charge many times at once
      When the account sends the same cash-in of R$ 10.00 8 times at once
      Then one is accepted
      And the others are refused with 400 or 409
      And the payment is listed once

    Scenario: Another account may use the same externalId
      Given another account
      And the account has sent a cash-in
      When the other account sends a cash-in with transaction.externalId the transaction.externalId of the account
      Then it is accepted

  @cash-in.expiration-time
  @IN-019 @IN-020 @IN-021 @IN-022 @IN-023 @IN-025
  Rule: The expirationTime is from 30 to 604800 seconds

    Scenario: 604800 is accepted
      When the account sends a cash-in with transaction.expirationTime 604800
      Then it is accepted
      And the answer has:
        | expirationDate | 604800 seconds after generateTime |

    Scenario: 30 is accepted where the provider wants no more
      Given the provider's least expirationTime is 30 seconds
      When the account sends a cash-in with transaction.expirationTime 30
      Then it is accepted
      And the answer has:
        | expirationDate | 30 seconds after generateTime |

    Scenario: 30 is accepted, unless the provider wants more
      When the account sends a cash-in with transaction.expirationTime 30
      Then it is accepted, or refused with 400
      And its code is noted as "the shortest expirationTime"

    Scenario Outline: <value> is refused
      When the account sends a cash-in with transaction.expirationTime <value>
      Then it is refused with 400, naming expirationTime

      Examples:
        | value  |
        | 29     |
        | 0      |
        | -1     |
        | 604801 |
        | "abc"  |
        | {}     |

    @open:values-of-another-type
    Scenario: A text is no number, whatever a lax reader makes of it
      When the account sends a cash-in with transaction.expirationTime "3600"
      Then it should be refused with 400, naming expirationTime

  @cash-in.expiration-date
  @IN-018 @IN-024 @IN-025
  Rule: The charge expires expirationTime seconds after it was made, by default a day

    Scenario: 172800 seconds
      When the account sends a cash-in with transaction.expirationTime 172800
      Then it is accepted
      And the answer has:
        | expirationDate | 172800 seconds after generateTime |

    Scenario: By default
      When the account sends a cash-in with transaction.expirationTime absent
      Then it is accepted
      And the answer has:
        | expirationDate | 86400 seconds after generateTime |

  @cash-in.provider-minimum
  @IN-026 @IN-027 @IN-028
  Rule: A provider may want a longer expirationTime

    Background:
      Given the provider's least expirationTime is 300 seconds

    Scenario: Below the provider's minimum
      When the account sends a cash-in with transaction.expirationTime 299
      Then it is refused with 400
      And the answer has:
        | errorCode | "PROVIDER_EXPIRATION_BELOW_MINIMUM"                  |
        | code      | "PROVIDER_EXPIRATION_BELOW_MINIMUM" or "HTTP_ERROR" |
      And its code is noted as "code of an expirationTime below the provider's"

    Scenario: The provider's minimum
      When the account sends a cash-in with transaction.expirationTime 300
      Then it is accepted

  @cash-in.qr-code-image
  @IN-029 @IN-030 @IN-031 @IN-032 @IN-033 @IN-034
  Rule: An image of the QR Code comes when it is asked for

    Scenario Outline: generateQrCode <value>
      When the account sends a cash-in with transaction.generateQrCode <value>
      Then it is accepted
      And the answer has:
        | qrCodeImage | absent |

      Examples:
        | value  |
        | absent |
        | false  |

    @open:what-qrCodeImage-shows
    Scenario: generateQrCode true
      When the account sends a cash-in with transaction.generateQrCode true
      Then it is accepted
      And the answer has:
        | qrCodeImage | an image in Base64 |
      And its qrCodeImage should be a picture of the pixCode

    Scenario Outline: <value> is refused
      When the account sends a cash-in with transaction.generateQrCode <value>
      Then it is refused with 400 HTTP_ERROR, naming generateQrCode

      Examples:
        | value |
        | "yes" |
        | {}    |

  @cash-in.payer
  @GEN-008 @GEN-009 @IN-035 @IN-036 @IN-037 @IN-038 @IN-039 @IN-040 @IN-041 @IN-042 @IN-043 @IN-044
  Rule: The payer's name and document are required

    Scenario Outline: payer <value> is refused
      When the account sends a cash-in with payer <value>
      Then it is refused with 400 HTTP_ERROR, naming payer

      Examples:
        | value  |
        | absent |
        | null   |
        | "x"    |

    Scenario Outline: payer.<field> <value> is accepted
      When the account sends a cash-in with payer.<field> <value>
      Then it is accepted

      Examples:
        | field    | value                    |
        | fullName | a text of 100 characters |
        | document | "52998224725"            |
        | document | "11222333000181"         |

    Scenario Outline: payer.<field> <value> is refused
      When the account sends a cash-in with payer.<field> <value>
      Then it is refused with 400 HTTP_ERROR, naming <field>

      Examples:
        | field    | value                    |
        | fullName | a text of 101 characters |
        | fullName | absent                   |
        | fullName | null                     |
        | fullName | {}                       |
        | document | absent                   |
        | document | null                     |
        | document | {}                       |
        | document | "5299822472"             |
        | document | "529982247250"           |
        | document | "1122233300018"          |
        | document | "112223330001810"        |

    Scenario: Somebody else may pay
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 10.00
      When somebody else pays it
      Then a cash_in event arrives
      And the payment is listed with:
        | status | "Confirmado" |

  @cash-in.additional-info
  @IN-045 @IN-046 @IN-047 @IN-048 @IN-049
  Rule: additionalInfo holds at most 10 pairs

    Scenario Outline: <value> is accepted
      When the account sends a cash-in with additionalInfo <value>
      Then it is accepted

      Examples:
        | value        |
        | absent       |
        | {}           |
        | {"a": "b"}   |
        | 10 pairs     |

    Scenario Outline: <value> is refused
      When the account sends a cash-in with additionalInfo <value>
      Then it is refused with 400 HTTP_ERROR, naming additionalInfo

      Examples:
        | value             |
        | 11 pairs          |
        | {"a": {"b": "c"}} |
        | "x"               |

    @open:values-of-another-type
    Scenario: A number is no text, whatever a lax reader makes of it
      When the account sends a cash-in with additionalInfo {"a": 1}
      Then it should be refused with 400 HTTP_ERROR, naming additionalInfo

  @cash-in.paid
  @GEN-013 @GEN-014 @IN-068 @IN-069 @IN-070 @IN-071 @IN-072 @IN-073 @IN-074 @IN-076 @EVT-001
  @EVT-089
  Rule: A paid charge is CONFIRMED, and its amount is available

    Background:
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 10.00

    Scenario: The money
      When somebody pays it
      Then available rises by R$ 10.00
      And blocked is unchanged

    Scenario: The list
      When somebody pays it
      Then the payment is listed with:
        | status        | "Confirmado" |
        | operationType | "Pix in"     |
        | movementType  | "CREDIT"     |
        | endToEndId    | a text       |
        | processedAt   | a UTC time   |

    @open:payload-of-a-cash_in-event
    Scenario: The notification
      When somebody pays it
      Then a cash_in event arrives
      And the event should hold:
        | status       | "CONFIRMED" |
        | errorCode    | null        |
        | errorMessage | null        |
      And the event's shape is noted as "payload of a cash_in event"

  @cash-in.paid-once
  @IN-075 @IN-076
  Rule: A charge is paid once

    Background:
      Given the account receives cash_in webhooks
      And the account has sent a cash-in of R$ 10.00
      And somebody pays it
      And a cash_in event arrives

    Scenario: A second payment
      When somebody tries to pay it
      Then available stays unchanged
      And the payment is listed once

    Scenario: Four payments at once
      Given the account has sent a cash-in of R$ 10.00
      When somebody pays it 4 times at once
      Then available rises by R$ 10.00
      And the payment is listed once
      When somebody tries to pay it
      Then available stays unchanged

    Scenario: Its expiry changes nothing
      When 86401 seconds pass
      Then available is unchanged
      And the payment is listed with:
        | status | "Confirmado" |

  @cash-in.unpaid
  @IN-067 @IN-076
  Rule: An unpaid charge stays PENDING for as long as it lives

    Scenario: Shortly before its expiry
      Given the account receives cash_in webhooks
      And the account has sent a cash-in with transaction.expirationTime 172800
      When 172790 seconds pass
      Then the payment is listed with:
        | status | "Pendente" |
      And nothing arrives for cash_in

    Scenario: Paid shortly before its expiry
      Given the account has sent a cash-in with:
        | transaction.value          | 10.00 |
        | transaction.expirationTime | 172800  |
      When 172790 seconds pass
      And somebody pays it
      Then available rises by R$ 10.00

    Scenario: After its expiry
      Given the account has sent a cash-in with transaction.expirationTime 172800
      When 172801 seconds pass
      Then available is unchanged
      And the payment is listed with:
        | status | "Pendente" or "Error" |
      And the payment's status is noted as "status of an expired cash-in"

    @open:payment-of-an-expired-charge
    Scenario: It should not be paid after its expiry
      Given the account has sent a cash-in with transaction.expirationTime 172800
      When 172801 seconds pass
      And somebody tries to pay it
      Then available should be unchanged

  @cash-in.provider-failure
  @IN-062 @IN-063
  Rule: A failure to reach the PIX provider is a 500 HTTP_ERROR

    Scenario: The provider is unreachable
      Given the PIX provider is unreachable
      When the account sends a cash-in
      Then it is refused with 500 HTTP_ERROR

    Scenario: The provider is back
      Given the PIX provider is unreachable
      When the account sends a cash-in
      Then it is refused with 500 HTTP_ERROR
      When the PIX provider is back
      And the account sends a cash-in
      Then it is accepted

  @cash-in.unauthorized
  @AUTH-024 @AUTH-025 @IN-061
  Rule: A 401 has the code HTTP_ERROR

    Scenario Outline: Under <token>
      When the account sends a cash-in under <token>
      Then it is refused with 401 HTTP_ERROR

      Examples:
        | token           |
        | no token        |
        | a garbage token |

  @cash-in.validation
  @IN-002 @IN-010 @IN-035 @IN-059 @IN-060 @ERR-008 @ERR-009 @ERR-017
  Rule: An invalid body is an HTTP_ERROR with one message for each invalid field

    Scenario: An empty body
      When the account sends a cash-in whose body is {}
      Then it is refused with 400 HTTP_ERROR, naming transaction and payer
      And the answer has:
        | message | texts |

    Scenario: Two invalid fields
      When the account sends a cash-in with:
        | transaction.description | absent |
        | payer.document          | "12"   |
      Then it is refused with 400 HTTP_ERROR, naming description and document
      And the answer has:
        | message | at least 2 texts |

    Scenario: A body that is not JSON
      When the account sends a cash-in whose body is {"transaction":
      Then it is refused with 400

  @cash-in.sandbox-scenario
  @IN-064 @IN-065
  Rule: The header X-Sandbox-Scenario is optional, and leaves the answer as it is

    Scenario: Left out
      When the account sends a cash-in with header X-Sandbox-Scenario absent
      Then it is accepted with 201

    Scenario Outline: The value that brings cash-outs to <outcome>
      When the account sends a cash-in that the sandbox brings to <outcome>
      Then it is accepted with 201
      And the answer has:
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
  Rule: Where the specification is silent, a charge is either made or refused cleanly

    Scenario Outline: <point>
      When the account sends a cash-in with <field> <value>
      Then it is accepted, or refused with 400
      And its status is noted as "<point>"

      Examples:
        | field                      | value            | point                                 |
        | transaction.expirationTime | 60.5             | expirationTime with a fraction        |
        | transaction.value          | 1.230            | charge of three decimals, the last 0  |
        | payer.document             | "52998224726"    | payer with wrong check digits         |
        | payer.document             | "12ABC34501DE35" | alphanumeric CNPJ                     |
        | header X-Sandbox-Scenario  | no-such-scenario | unknown sandbox scenario of a cash-in |

    Scenario: An externalId that a cash-out has used
      Given an account with R$ 100.00 available
      And the account has sent a cash-out of R$ 10.00
      When the account sends a cash-in with transaction.externalId the externalId of the account
      Then it is accepted, or refused with 400 or 409
      And its status is noted as "externalId of another operation"
