Feature: Cash-out to a PIX key
  POST /api/pix/cash-out orders a payment to a PIX key. The gateway reports its outcome
  later, by webhook. The rules on limits are in cash-out-limits.feature, those on outcomes
  in cash-out-outcomes.feature.

  Background:
    Given an account with R$ 100.00 available

  @cash-out.accepted
  @GEN-001 @GEN-002 @GEN-006 @OUT-001 @OUT-051 @OUT-052 @OUT-053 @OUT-054 @OUT-055 @OUT-056 @OUT-057
  @OUT-073
  Rule: An accepted order is a pending payment

    Scenario: The answer
      When the account sends a cash-out
      Then it is accepted with 201
      And the answer has:
        | transactionId | a UUID               |
        | externalId    | the externalId sent  |
        | status        | "PENDING"            |
        | generateTime  | the time of the call |

    Scenario: Each payment has a transactionId of its own
      When the account sends a cash-out
      And the account sends a cash-out
      Then it is accepted
      And both answers differ in transactionId

    Scenario: It is listed as pending
      Given settlement waits for the bank
      When the account sends a cash-out
      Then it is accepted
      And the payment is listed with:
        | status        | "Pendente" |
        | operationType | "Pix out"  |
        | movementType  | "DEBIT"    |

    Scenario: Nothing of a charge is in it
      When the account sends a cash-out
      Then it is accepted with 201
      And the answer has:
        | correlationId  | absent or null |
        | pixCode        | absent or null |
        | expirationDate | absent or null |
        | qrCodeImage    | absent or null |

  @cash-out.debit
  @OUT-099 @OUT-100
  Rule: An accepted order takes its amount from what is available, once

    Scenario: While it is pending
      Given settlement waits for the bank
      When the account sends a cash-out of R$ 10.00
      Then it is accepted
      And available falls by R$ 10.00

    @open:what-a-cash-out-blocks
    Scenario: Once it is confirmed
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      When the account sends a cash-out of R$ 10.00
      And the bank confirms it
      Then a CashOut event arrives
      And available falls by R$ 10.00
      And blocked should be unchanged

    @open:when-the-fee-of-a-cash-out-is-taken @open:what-a-cash-out-blocks
    Scenario: With a fee, at creation or at settlement
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And a cash-out fee of R$ 0.50
      When the account sends a cash-out of R$ 10.00
      And the bank confirms it
      Then a CashOut event arrives
      And available falls by R$ 10.00 to R$ 10.50
      And available should fall by R$ 10.50
      And blocked should be unchanged

    Scenario Outline: R$ <amount>, to the centavo
      Given an account with R$ <amount> available
      And no fees
      And no limits
      When the account sends a cash-out with value <amount>
      Then it is accepted
      And available falls by R$ <amount>

      Examples:
        | amount            |
        | 0.01              |
        | 0.07              |
        | 0.29              |
        | 1.15              |
        | 8.41              |
        | 136.42            |
        | 142.20            |
        | 9999999999.99     |

    Scenario: More than a double can hold to the centavo, where the gateway takes as much
      Given an account with R$ 90071992547409.93 available, where the gateway can hold as much
      And no fees
      And no limits
      When the account sends a cash-out with value 90071992547409.93
      Then it is accepted, or refused with 400
      And its status is noted as "the largest amount"
      And if it was accepted, available falls by R$ 90071992547409.93

  @cash-out.value
  @OUT-002 @OUT-003 @OUT-004 @OUT-005 @OUT-006 @OUT-007 @OUT-008 @OUT-091 @OUT-092
  Rule: The value is at least 0.01, with at most two decimals

    Scenario Outline: <value> is accepted
      When the account sends a cash-out with value <value>
      Then it is accepted
      And available falls by R$ <amount>

      Examples:
        | value | amount |
        | 0.01  | 0.01   |
        | 0.1   | 0.10   |
        | 1.23  | 1.23   |
        | 10    | 10.00  |

    Scenario Outline: <value> is refused
      When the account sends a cash-out with value <value>
      Then it is refused with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming value
      And its code is noted as "amount outside the bounds"

      Examples:
        | value |
        | 0     |
        | 0.00  |
        | -1    |
        | -0.01 |
        | 0.001 |
        | 0.009 |
        | 1.234 |

    Scenario Outline: <value> is refused, being no number
      When the account sends a cash-out with value <value>
      Then it is refused with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming value

      Examples:
        | value  |
        | absent |
        | null   |
        | {}     |
        | "abc"  |

    @open:values-of-another-type
    Scenario Outline: <value> is no number either, whatever a lax reader makes of it
      When the account sends a cash-out with value <value>
      Then it should be refused with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming value

      Examples:
        | value  |
        | "1.00" |
        | true   |
        | [1.00] |

  @cash-out.external-id
  @OUT-009 @OUT-010
  Rule: The externalId is required

    Scenario Outline: <value>
      When the account sends a cash-out with externalId <value>
      Then it is refused with 400 HTTP_ERROR, naming externalId

      Examples:
        | value  |
        | absent |
        | null   |
        | {}     |

    @open:values-of-another-type
    Scenario Outline: <value> is no text, whatever a lax reader makes of it
      When the account sends a cash-out with externalId <value>
      Then it should be refused with 400 HTTP_ERROR, naming externalId

      Examples:
        | value |
        | 123   |
        | ["a"] |

  @cash-out.duplicate-external-id
  @OUT-011 @OUT-012 @OUT-063 @OUT-064 @OUT-065 @OUT-066 @OUT-067 @OUT-068 @OUT-069 @OUT-070
  Rule: A used externalId is refused with 400 and moves no money

    Scenario: The same order again
      Given the account has sent a cash-out of R$ 10.00
      When the account sends it again
      Then it is refused with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the answer has:
        | details.externalId            | the externalId sent     |
        | details.existingTransactionId | the first transactionId |
      And available stays unchanged

    Scenario: It is listed once
      Given the account has sent a cash-out of R$ 10.00
      When the account sends it again
      Then it is refused with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the payment is listed once

    Scenario: The same order again, an hour later and under another token
      Given the account has sent a cash-out of R$ 10.00
      When 60 minutes pass
      And the account sends it again
      Then it is refused with 400 PIX_DUPLICATE_EXTERNAL_ID

    Scenario: Another order under the same externalId
      Given the account has sent a cash-out of R$ 10.00
      When the account sends it again with value 2.00
      Then it is refused with 400
      And its code is noted as "another order under a used externalId"

    Scenario: The same order many times at once
      When the account sends the same cash-out of R$ 10.00 8 times at once
      Then one is accepted
      And the others are refused with 400 PIX_DUPLICATE_EXTERNAL_ID
      And available falls by R$ 10.00
      And the payment is listed once
      When the account sends it again
      Then it is refused with 400 PIX_DUPLICATE_EXTERNAL_ID
      And available stays unchanged

    Scenario: Another account may use the same externalId
      Given another account with R$ 100.00 available
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a cash-out with externalId the externalId of the account
      Then it is accepted

  @cash-out.description
  @OUT-013 @OUT-014 @OUT-015
  Rule: A description is optional and has at most 140 characters

    Scenario Outline: <description> is accepted
      When the account sends a cash-out with description <description>
      Then it is accepted

      Examples:
        | description              |
        | absent                   |
        | a text of 140 characters |

    Scenario Outline: <description> is refused
      When the account sends a cash-out with description <description>
      Then it is refused with 400 HTTP_ERROR, naming description

      Examples:
        | description              |
        | a text of 141 characters |
        | {}                       |

  @cash-out.details
  @OUT-016 @OUT-017
  Rule: The details of the destination are required

    Scenario Outline: <value>
      When the account sends a cash-out with details <value>
      Then it is refused with 400 HTTP_ERROR, naming details

      Examples:
        | value  |
        | absent |
        | null   |
        | "x"    |
        | []     |

    Scenario: An empty object
      When the account sends a cash-out with details {}
      Then it is refused with 400 HTTP_ERROR, naming keyType and name and document

  @cash-out.key-type
  @OUT-019 @OUT-020 @OUT-021 @OUT-022 @OUT-023 @OUT-024 @OUT-037 @OUT-098
  Rule: The keyType is DOCUMENT, EMAIL, PHONE or RANDOM, and is required

    Scenario Outline: <keyType> is accepted
      When the account sends a cash-out with:
        | details.keyType  | "<keyType>"   |
        | details.key      | "<key>"       |
        | details.document | "52998224725" |
      Then it is accepted

      Examples:
        | keyType  | key                                  |
        | DOCUMENT | 52998224725                          |
        | EMAIL    | fulano@example.com                   |
        | PHONE    | 11987654321                          |
        | RANDOM   | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |

    Scenario Outline: <keyType> is refused
      When the account sends a cash-out with details.keyType <keyType>
      Then it is refused with 400 HTTP_ERROR, naming keyType

      Examples:
        | keyType |
        | absent  |
        | null    |
        | ""      |
        | "CPF"   |
        | "CNPJ"  |
        | "EVP"   |
        | "X"     |
        | 1       |

    Scenario: The message lists the four
      When the account sends a cash-out with details.keyType "X"
      Then it is refused with 400 HTTP_ERROR, naming EMAIL and PHONE and DOCUMENT and RANDOM

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
      Then it is accepted

      Examples:
        | keyType  | key                                  | document       |
        | DOCUMENT | 52998224725                          | 52998224725    |
        | DOCUMENT | 11222333000181                       | 11222333000181 |
        | EMAIL    | fulano.de.tal@example.com            | 52998224725    |
        | PHONE    | 1133334444                           | 52998224725    |
        | PHONE    | 11987654321                          | 52998224725    |
        | RANDOM   | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 | 52998224725    |
        | RANDOM   | 7d9f03358dcc40549bf90dbd61d36906     | 52998224725    |

    @open:code-of-a-key-that-does-not-fit-its-keyType
    Scenario Outline: <keyType> <key> is refused
      When the account sends a cash-out with:
        | details.keyType | "<keyType>" |
        | details.key     | "<key>"     |
      Then it is refused with 400 PIX_INVALID_PIX_KEY or HTTP_ERROR, naming key
      And its code should be PIX_INVALID_PIX_KEY

      Examples:
        | keyType  | key                                   |
        | DOCUMENT | 529.982.247-25                        |
        | DOCUMENT | 5299822472                            |
        | DOCUMENT | 529982247250                          |
        | DOCUMENT | 112223330001810                       |
        | EMAIL    | fulano@                               |
        | EMAIL    | fulano.example.com                    |
        | EMAIL    | 52998224725                           |
        | PHONE    | 119876543                             |
        | PHONE    | 119876543210                          |
        | PHONE    | +5511987654321                        |
        | RANDOM   | abc                                   |
        | RANDOM   | 7d9f0335-8dcc-4054-9bf9-0dbd61d3690   |
        | RANDOM   | 7d9f0335-8dcc-4054-9bf9-0dbd61d3690g  |

    Scenario Outline: <key> is no key
      When the account sends a cash-out with details.key <key>
      Then it is refused with 400 PIX_INVALID_PIX_KEY or HTTP_ERROR, naming key

      Examples:
        | key    |
        | absent |
        | null   |
        | {}     |

  @cash-out.no-lookup
  @OUT-050
  Rule: The key is not looked up when the order is taken

    Scenario Outline: A <keyType> key that nobody holds
      When the account sends a cash-out with:
        | details.keyType | "<keyType>"     |
        | details.key     | a fresh <key>   |
      Then it is accepted

      Examples:
        | keyType | key    |
        | RANDOM  | UUID   |
        | EMAIL   | e-mail |

  @cash-out.name
  @OUT-025 @OUT-026 @OUT-027 @OUT-028
  Rule: The name of the payee is required and has at most 100 characters

    Scenario: 100 characters are accepted
      When the account sends a cash-out with details.name a text of 100 characters
      Then it is accepted

    Scenario Outline: <name> is refused
      When the account sends a cash-out with details.name <name>
      Then it is refused with 400 HTTP_ERROR, naming name

      Examples:
        | name                     |
        | a text of 101 characters |
        | absent                   |
        | null                     |
        | {}                       |

    Scenario: It is for information only
      Given the account receives cash_out webhooks
      And the key directory holds a fresh key for the same document
      When the account sends a cash-out with:
        | details.key  | that key         |
        | details.name | "Ninguém de Tal" |
      Then it is accepted
      And a CashOut event arrives with:
        | status | "CONFIRMED" |

  @cash-out.document
  @GEN-008 @GEN-009 @OUT-029 @OUT-030 @OUT-031 @OUT-032 @OUT-033 @OUT-034 @OUT-035
  Rule: The CPF or CNPJ of the key's holder is required for every keyType

    Scenario Outline: <document> is accepted
      When the account sends a cash-out with details.document "<document>"
      Then it is accepted

      Examples:
        | document       |
        | 52998224725    |
        | 11222333000181 |

    Scenario Outline: <document> is refused
      When the account sends a cash-out with details.document <document>
      Then it is refused with 400 HTTP_ERROR, naming document

      Examples:
        | document          |
        | null              |
        | {}                |
        | ""                |
        | "5299822472"      |
        | "529982247250"    |
        | "1122233300018"   |
        | "112223330001810" |

    Scenario Outline: It may not be left out for <keyType>
      When the account sends a cash-out with:
        | details.keyType  | "<keyType>" |
        | details.key      | "<key>"     |
        | details.document | absent      |
      Then it is refused with 400 HTTP_ERROR, naming document

      Examples:
        | keyType  | key                                  |
        | DOCUMENT | 52998224725                          |
        | EMAIL    | fulano@example.com                   |
        | PHONE    | 11987654321                          |
        | RANDOM   | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |

  @cash-out.covers-fee
  @OUT-061 @OUT-062 @OUT-078 @OUT-079
  Rule: The balance must cover the amount and the fee

    Scenario: Exactly covered
      Given an account with exactly R$ 100.00 available
      And a cash-out fee of R$ 0.50
      When the account sends a cash-out of R$ 99.50
      Then it is accepted

    Scenario: One centavo short
      Given an account with exactly R$ 100.00 available
      And a cash-out fee of R$ 0.50
      When the account sends a cash-out of R$ 99.51
      Then it is refused with 400 PIX_INSUFFICIENT_BALANCE
      And available is unchanged

    Scenario: Far beyond the balance
      Given an account with exactly R$ 100.00 available
      And no limits
      When the account sends a cash-out of R$ 5000.00
      Then it is refused with 400 PIX_INSUFFICIENT_BALANCE
      And available stays unchanged

    Scenario: Orders at once do not overdraw
      Given an account with exactly R$ 100.00 available
      When the account sends 8 cash-outs of R$ 40.00 at once
      Then at most 2 are accepted
      And the others are refused with 400 PIX_INSUFFICIENT_BALANCE
      And available falls by R$ 40.00 for each accepted

  @cash-out.business-codes
  @OUT-078 @OUT-079 @OUT-080 @OUT-081 @OUT-083 @OUT-084 @OUT-086 @OUT-087 @OUT-096 @ERR-015
  Rule: A business refusal carries its code twice, as code and as errorCode

    Scenario: PIX_INSUFFICIENT_BALANCE
      Given an account with exactly R$ 100.00 available
      When the account sends a cash-out of R$ 100.01
      Then it is refused with 400 PIX_INSUFFICIENT_BALANCE
      And the answer has:
        | errorCode | "PIX_INSUFFICIENT_BALANCE" |

    Scenario: PIX_DUPLICATE_EXTERNAL_ID
      Given the account has sent a cash-out of R$ 1.00
      When the account sends it again
      Then it is refused with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the answer has:
        | errorCode | "PIX_DUPLICATE_EXTERNAL_ID" |

    Scenario Outline: <code>
      Given no limits
      And it is <time> in São Paulo
      And a <limit> limit of R$ 5.00
      When the account sends a cash-out of R$ 5.01
      Then it is refused with 400 <code>
      And the answer has:
        | errorCode | "<code>" |

      Examples:
        | code                           | limit           | time  |
        | PIX_TRANSACTION_LIMIT_EXCEEDED | per-transaction | 12:00 |
        | PIX_DAILY_LIMIT_EXCEEDED       | daily           | 12:00 |
        | PIX_NIGHT_LIMIT_EXCEEDED       | night           | 22:00 |

  @cash-out.sandbox-scenario
  @OUT-071 @OUT-072
  Rule: The header X-Sandbox-Scenario is optional, and brings about what it says

    Scenario: Left out
      When the account sends a cash-out with header X-Sandbox-Scenario absent
      Then it is accepted with 201

    Scenario: A value that the gateway does not know
      When the account sends a cash-out with header X-Sandbox-Scenario pixcert-unknown
      Then it is accepted with 201, or refused with 400
      And its status is noted as "unknown sandbox scenario"

    Scenario Outline: An outcome that the sandbox knows: <outcome>
      Given the account receives cash_out webhooks
      When the account sends a cash-out that the sandbox brings to <outcome>
      Then it is accepted with 201
      And the answer has:
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
  Rule: Where the specification is silent, an order is either taken or refused cleanly

    Scenario Outline: <field> <value>
      When the account sends a cash-out with <field> <value>
      Then it is accepted, or refused with 400
      And its status is noted as "<point>"

      Examples:
        | field               | value                                    | point                         |
        | value               | 1.230                                    | a zero as third decimal       |
        | value               | 1e1                                      | a value with an exponent      |
        | externalId          | ""                                       | an empty externalId           |
        | description         | null                                     | null for an optional field    |
        | description         | ""                                       | an empty description          |
        | description         | a text of 140 accented characters        | length in characters or bytes |
        | unknownField        | "x"                                      | unknown fields                |
        | details.key         | "FULANO@EXAMPLE.COM"                     | an e-mail key in capitals     |

    Scenario: A body that is not JSON
      When the account sends a cash-out whose body is {"value": 1.00,
      Then it is refused with 400
      And its code is noted as "body that is not JSON"

    Scenario: A content type other than JSON
      When the account sends a cash-out with header Content-Type text/plain
      Then it is accepted, or refused with 400 or 415
      And its status is noted as "request of another content type"

    @open:a-parameter-of-the-content-type
    Scenario: A parameter of the content type
      When the account sends a cash-out with header Content-Type application/json; charset=utf-8
      Then it should be accepted
