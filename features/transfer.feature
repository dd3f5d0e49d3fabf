Feature: Transfer to a key
  POST /dict/pix pays a key of the directory, in the style of the Central Bank's API. The
  amount is blocked until the transfer settles or leaves the queue.

  Background:
    Given an account with R$ 100.00 available
    And the key directory holds a fresh e-mail key

  @transfer.accepted
  @GEN-001 @GEN-002 @DICT-001 @DICT-009 @DICT-019 @DICT-023 @DICT-036 @DICT-049 @DICT-051 @DICT-052
  @DICT-053 @DICT-054 @DICT-060
  Rule: An accepted transfer is PENDING

    @open:eventDate-of-a-transfer
    Scenario: The answer
      When the account sends a transfer of R$ 10.55
      Then it is accepted with 200 or 201 or 202
      And the answer has:
        | endToEndId     | a text               |
        | eventDate      | a UTC time           |
        | id             | a number             |
        | payment.amount | R$ 10.55             |
        | type           | "PENDING"            |
      And its eventDate should be the time of the call
      And its status is noted as "status of a new transfer"

    Scenario: Each x-idempotency-key makes a transfer of its own
      Given settlement waits for the bank
      When the account sends a transfer of R$ 10.00
      And the account sends a transfer of R$ 10.00
      Then it is accepted
      And both answers differ in id
      And blocked rises by R$ 20.00

  @transfer.blocks
  @BAL-013 @BAL-014 @BAL-015 @BAL-016 @BAL-017 @DICT-045 @DICT-056
  Rule: The amount of a pending transfer moves from available to blocked

    Background:
      Given settlement waits for the bank

    Scenario Outline: R$ <amount>, to the centavo
      Given an account with R$ <amount> available
      And no fees
      And settlement waits for the bank
      When the account sends a transfer with payment.amount <amount>
      Then it is accepted
      And available falls by R$ <amount>
      And blocked rises by R$ <amount>

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
      And settlement waits for the bank
      When the account sends a transfer with payment.amount 90071992547409.93
      Then it is accepted, or refused with 400 or 422
      And its status is noted as "the largest amount"
      And if it was accepted, available falls by R$ 90071992547409.93
      And if it was accepted, blocked rises by R$ 90071992547409.93

    Scenario: Blocked money pays for nothing else
      Given an account with exactly R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a transfer of R$ 60.00
      When the account sends a transfer of R$ 40.01
      Then it is refused with 422

    Scenario: The rest does
      Given no fees
      And the account has sent a transfer of R$ 60.00
      When the account sends a transfer of R$ 40.00
      Then it is accepted
      And available falls by R$ 40.00
      And blocked rises by R$ 40.00

  @transfer.settled
  @GEN-013 @BAL-018 @BAL-019 @DICT-061 @DICT-062 @EVT-051 @EVT-085
  Rule: When a transfer settles, blocked falls and available does not

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00

    Scenario: The money
      When the bank confirms it
      Then a TRANSFER event arrives
      And blocked falls by R$ 10.00
      And available is unchanged

    Scenario: The event
      When the bank confirms it
      Then a TRANSFER event arrives with:
        | data.status | "LIQUIDATED" |
      And the event's type is noted as "subscription that carries TRANSFER"

    Scenario: The list
      When the bank confirms it
      Then a TRANSFER event arrives
      And the payment is noted as "settled transfer in the list of transactions"

    @open:finality-of-a-payment
    Scenario: It stays settled
      When the bank confirms it
      Then a TRANSFER event arrives
      When the bank tries to reject it with ORDER_REJECTED
      Then available should be unchanged
      And no other outcome should follow

  @transfer.rejected
  @DICT-063 @DICT-064
  Rule: A transfer that fails is not reported as settled, and its money should come back

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00

    @open:money-of-a-payment-that-failed
    Scenario: The money
      When the bank rejects it with ORDER_REJECTED
      Then available should rise by R$ 10.00
      And blocked should fall by R$ 10.00
      And no event reports it as LIQUIDATED

    @open:money-of-a-payment-that-failed @open:finality-of-a-payment
    Scenario: It stays rejected
      When the bank rejects it with ORDER_REJECTED
      Then available should rise by R$ 10.00
      When the bank tries to confirm it
      Then available should be unchanged
      And no event reports it as LIQUIDATED

  @transfer.idempotency-key
  @DICT-002 @DICT-003 @DICT-004 @DICT-047
  Rule: The header x-idempotency-key is required, and is a UUID

    Scenario: Without it
      When the account sends a transfer with header x-idempotency-key absent
      Then it is refused with 400
      And the answer has:
        | statusCode | 400           |
        | message    | a text        |
        | error      | "Bad Request" |

    Scenario Outline: <value>
      When the account sends a transfer with header x-idempotency-key <value>
      Then it is refused with 400 or 422
      And its status is noted as "malformed x-idempotency-key"

      Examples:
        | value                                |
        | abc                                  |
        | 7d9f0335-8dcc-4054-9bf9-0dbd61d3690g |

    @open:x-idempotency-key-of-another-version
    Scenario: A UUID of version 1
      When the account sends a transfer with header x-idempotency-key 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d
      Then it should be refused with 400 or 422

  @transfer.idempotent
  @DICT-055 @DICT-057 @DICT-058 @DICT-059
  Rule: The same x-idempotency-key returns the same transfer and debits nothing again

    Background:
      Given settlement waits for the bank

    Scenario: The same request again
      Given the account has sent a transfer of R$ 10.00
      When the account sends it again
      Then it is accepted with 200 or 201 or 202
      And the answer has:
        | id             | the first id |
        | payment.amount | R$ 10.00     |
      And available stays unchanged
      And blocked is unchanged
      And its status is noted as "status of a repeated transfer"

    @open:how-long-an-x-idempotency-key-holds
    Scenario: An hour later and under another token
      Given the account has sent a transfer with:
        | payment.amount | 10.00 |
        | expiration     | 10800 |
      When 60 minutes pass
      And the account sends it again
      Then it should be accepted with 200 or 201 or 202
      And its id should be the first id
      And available should be unchanged

    Scenario: Once it is settled
      Given the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00
      And the bank confirms it
      And a TRANSFER event arrives
      When the account sends it again
      Then it is accepted with 200 or 201 or 202
      And the answer has:
        | id   | the first id               |
        | type | "PENDING" or "COMPLETED"   |
      And its type is noted as "type of a settled transfer, repeated"
      And available is unchanged

    Scenario: Once it has failed
      Given the account has sent a transfer of R$ 10.00
      And the bank rejects it with ORDER_REJECTED
      When the account sends it again
      Then it is accepted with 200 or 201 or 202
      And the answer has:
        | id   | the first id         |
        | type | "PENDING" or "ERROR" |
      And available does not fall

    Scenario: A repeat changes nothing at settlement
      Given the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00
      When the account sends it again
      And the bank confirms it
      Then a TRANSFER event arrives
      And blocked falls by R$ 10.00

    Scenario: Many times at once
      When the account sends the same transfer of R$ 10.00 8 times at once
      Then each is accepted, or refused with 409
      And all accepted answers have the same id
      And available falls by R$ 10.00
      And blocked rises by R$ 10.00
      When the account sends it again
      Then it is accepted
      And available stays unchanged
      And blocked is unchanged

    Scenario: Another request under the same key
      Given the account has sent a transfer of R$ 10.00
      When the account sends it again with payment.amount 20.00
      Then it is accepted, or refused with 400 or 409 or 422
      And the answer has:
        | id             | absent or the first id |
        | payment.amount | absent or R$ 10.00     |
      And available stays unchanged
      And blocked is unchanged
      And its status is noted as "another transfer under a used x-idempotency-key"

    Scenario: Another account may use the same key
      Given another account with R$ 100.00 available
      And the account has sent a transfer of R$ 10.00
      When the other account sends a transfer with header x-idempotency-key the x-idempotency-key of the account
      Then it is accepted, or refused with 409
      And the answer has:
        | id | absent or another than the first id |
      And its status is noted as "x-idempotency-key of another account"

  @transfer.key
  @GEN-008 @GEN-009 @GEN-010 @DICT-005 @DICT-006 @DICT-007 @DICT-008 @DICT-009 @DICT-010 @DICT-011
  @DICT-012
  Rule: The pixKey is a key of one of five kinds

    Scenario Outline: A <kind> key is accepted
      Given the key directory holds a fresh <kind> key
      When the account sends a transfer
      Then it is accepted

      Examples:
        | kind   |
        | CPF    |
        | CNPJ   |
        | e-mail |
        | phone  |
        | random |

    Scenario Outline: <value> is refused
      When the account sends a transfer with pixKey <value>
      Then it is refused with 400

      Examples:
        | value        |
        | "not a key"  |
        | ""           |
        | "12345"      |
        | "1133334444" |
        | "+1133334444" |
        | "5511987654321" |
        | "fulano@"    |
        | "7d9f0335-8dcc-4054-9bf9-0dbd61d3690" |
        | absent       |
        | null         |
        | {}           |

    Scenario: A number is refused
      When the account sends a transfer with pixKey 123
      Then it is refused with 400

  @transfer.directory
  @DICT-044 @DICT-046 @DICT-048 @ERR-028
  Rule: A key that the directory does not hold is refused with 422

    Scenario Outline: A fresh <kind>
      When the account sends a transfer with pixKey a fresh <kind>
      Then it is refused with 422
      And the answer has:
        | statusCode | 422                    |
        | message    | a text                 |
        | error      | "Unprocessable Entity" |

      Examples:
        | kind   |
        | UUID   |
        | e-mail |

  @transfer.covered
  @BAL-012 @DICT-045 @DICT-046
  Rule: The balance must cover the amount

    Scenario: All of it
      Given an account with exactly R$ 100.00 available
      And no fees
      When the account sends a transfer of R$ 100.00
      Then it is accepted

    Scenario: One centavo short
      Given an account with exactly R$ 100.00 available
      When the account sends a transfer of R$ 100.01
      Then it is refused with 422
      And available stays unchanged
      And blocked is unchanged

    Scenario: Transfers at once do not overdraw
      Given an account with exactly R$ 100.00 available
      And settlement waits for the bank
      When the account sends 8 transfers of R$ 40.00 at once
      Then at most 2 are accepted
      And the others are refused with 422
      And available falls by R$ 40.00 for each accepted

  @transfer.priority
  @GEN-008 @GEN-009 @DICT-008 @DICT-013 @DICT-014 @DICT-016 @DICT-017 @DICT-018 @DICT-019 @DICT-020
  Rule: The priority is HIGH, which needs the creditor's document, or NORM

    Scenario Outline: <priority> with creditorDocument <document> is accepted
      When the account sends a transfer with:
        | priority         | <priority> |
        | creditorDocument | <document> |
      Then it is accepted

      Examples:
        | priority | document      |
        | "HIGH"   | that document |
        | "NORM"   | that document |
        | "NORM"   | absent        |
        | absent   | that document |

    Scenario Outline: <priority> with creditorDocument <document> is refused
      When the account sends a transfer with:
        | priority         | <priority> |
        | creditorDocument | <document> |
      Then it is refused with 400

      Examples:
        | priority | document       |
        | "HIGH"   | absent         |
        | "LOW"    | that document  |
        | "high"   | that document  |
        | 1        | that document  |
        | "HIGH"   | "12"           |
        | "HIGH"   | "529982247250" |
        | "HIGH"   | {}             |

    Scenario: A company's document
      Given the key directory holds a fresh CNPJ key
      When the account sends a transfer with:
        | priority         | "HIGH"        |
        | creditorDocument | that document |
      Then it is accepted

    Scenario: Neither of them
      When the account sends a transfer with:
        | priority         | absent |
        | creditorDocument | absent |
      Then it is accepted, or refused with 400
      And its status is noted as "transfer without priority and document"

  @transfer.description
  @DICT-022
  Rule: A description is optional

    Scenario Outline: <value> is accepted
      When the account sends a transfer with description <value>
      Then it is accepted

      Examples:
        | value       |
        | absent      |
        | "Pedido 12" |

    Scenario: An object is refused
      When the account sends a transfer with description {}
      Then it is refused with 400

  @transfer.expiration
  @DICT-024 @DICT-025 @DICT-026 @DICT-027 @DICT-028 @DICT-029
  Rule: The expiration is from 1 to 10800 seconds

    Scenario Outline: <value> is accepted
      When the account sends a transfer with expiration <value>
      Then it is accepted

      Examples:
        | value  |
        | absent |
        | 1      |
        | 600    |
        | 10800  |

    Scenario Outline: <value> is refused
      When the account sends a transfer with expiration <value>
      Then it is refused with 400

      Examples:
        | value |
        | 0     |
        | -1    |
        | 10801 |
        | "abc" |
        | {}    |

    @open:values-of-another-type
    Scenario: A text is no number, whatever a lax reader makes of it
      When the account sends a transfer with expiration "600"
      Then it should be refused with 400

  @transfer.queue
  @DICT-030 @DICT-031 @DICT-064
  Rule: A transfer that is still queued at its expiration is cancelled

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type

    Scenario Outline: Shortly before <expiration> it is still in the queue
      Given the account has sent a transfer with:
        | payment.amount | 10.00        |
        | expiration     | <expiration> |
      When <before> seconds pass
      Then blocked is unchanged
      When the bank confirms it
      Then a TRANSFER event arrives with:
        | data.status | "LIQUIDATED" |

      Examples:
        | expiration | before |
        | 3600       | 3590   |
        | absent     | 590    |

    @open:money-of-a-payment-that-failed
    Scenario Outline: Shortly after <expiration> it has left the queue
      Given the account has sent a transfer with:
        | payment.amount | 10.00        |
        | expiration     | <expiration> |
      When <after> seconds pass
      And the bank tries to confirm it
      Then no event reports it as LIQUIDATED
      And available should rise by R$ 10.00
      And blocked should fall by R$ 10.00

      Examples:
        | expiration | after |
        | 1          | 2     |
        | 3600       | 3601  |
        | absent     | 601   |

  @transfer.payment
  @DICT-032 @DICT-033 @DICT-034 @DICT-035 @DICT-036 @DICT-037 @DICT-038 @DICT-053
  Rule: The payment is a currency and an amount with at most two decimals

    Scenario Outline: payment.amount <value> is accepted
      When the account sends a transfer with payment.amount <value>
      Then it is accepted
      And the answer has:
        | payment.amount | R$ <amount> |

      Examples:
        | value | amount |
        | 0.01  | 0.01   |
        | 10.55 | 10.55  |
        | 10    | 10.00  |

    Scenario Outline: payment.amount <value> is refused
      When the account sends a transfer with payment.amount <value>
      Then it is refused with 400

      Examples:
        | value  |
        | 10.555 |
        | "abc"  |
        | {}     |
        | absent |
        | null   |

    @open:status-of-an-amount-of-zero-or-less
    Scenario Outline: payment.amount <value> is no amount to pay
      When the account sends a transfer with payment.amount <value>
      Then it is refused with 400 or 422
      And it should be refused with 400

      Examples:
        | value |
        | 0     |
        | -1    |

    @open:values-of-another-type
    Scenario: A text is no number, whatever a lax reader makes of it
      When the account sends a transfer with payment.amount "10.00"
      Then it should be refused with 400

    Scenario Outline: payment <value> is refused
      When the account sends a transfer with payment <value>
      Then it is refused with 400

      Examples:
        | value  |
        | absent |
        | null   |
        | 10     |
        | "x"    |

    Scenario: A currency that is no text
      When the account sends a transfer with payment.currency {}
      Then it is refused with 400

  @transfer.ispb-deny
  @DICT-039 @DICT-040 @DICT-041 @DICT-042 @DICT-043 @DICT-046
  Rule: A key of a denied institution is refused with 422

    Background:
      Given the key directory holds a fresh e-mail key at 60701190

    Scenario Outline: <value> is refused
      When the account sends a transfer with ispbDeny <value>
      Then it is refused with 422

      Examples:
        | value                    |
        | ["60701190"]             |
        | ["00000000", "60701190"] |

    Scenario Outline: <value> is accepted
      When the account sends a transfer with ispbDeny <value>
      Then it is accepted

      Examples:
        | value                    |
        | absent                   |
        | []                       |
        | ["00000000"]             |
        | ["00000000", "18236120"] |

    Scenario Outline: <value> is no list of texts
      When the account sends a transfer with ispbDeny <value>
      Then it is refused with 400

      Examples:
        | value      |
        | "12345678" |
        | [{}]       |
        | {}         |

    @open:values-of-another-type
    Scenario: A number is no text, whatever a lax reader makes of it
      When the account sends a transfer with ispbDeny [1]
      Then it should be refused with 400

  @transfer.left-open
  @DICT-018 @DICT-019 @DICT-065
  Rule: Where the specification is silent, a transfer is either taken or refused cleanly

    @open:values-of-another-type
    Scenario: A currency that is a number
      When the account sends a transfer with payment.currency 1
      Then it should be refused with 400

    Scenario: What a rejected transfer tells
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer
      When the bank rejects it with ORDER_REJECTED
      Then it is noted as "event of a rejected transfer" whether an event arrives
      When the account sends it again
      Then it is accepted with 200 or 201 or 202
      And its type is noted as "type of a rejected transfer, repeated"

    Scenario: What an expired transfer tells
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer with expiration 60
      When 61 seconds pass
      Then it is noted as "event of an expired transfer" whether an event arrives
      When the account sends it again
      Then it is accepted with 200 or 201 or 202
      And its type is noted as "type of an expired transfer, repeated"

    Scenario Outline: <point>
      When the account sends a transfer with <field> <value>
      Then it is accepted, or refused with 400 or 422
      And its status is noted as "<point>"

      Examples:
        | field            | value  | point                          |
        | payment.currency | "USD"  | currency other than BRL        |
        | payment.currency | absent | transfer without a currency    |

    Scenario Outline: A transfer of <priority> priority
      Given the account receives webhooks of every type
      When the account sends a transfer with:
        | priority         | "<priority>"  |
        | creditorDocument | that document |
      Then it is accepted
      And it is noted as "<priority> priority settled at once" whether it is settled

      Examples:
        | priority |
        | HIGH     |
        | NORM     |
