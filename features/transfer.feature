Feature: Transfer to a key
  POST /dict/pix sends a payment to a key in the directory, in the style of the Central
  Bank's API. The amount is blocked until the transfer settles or leaves the queue.

  Background:
    Given an account with R$ 100.00 available
    And the key directory has a new e-mail key

  @transfer.accepted
  @GEN-001 @GEN-002 @DICT-001 @DICT-009 @DICT-019 @DICT-023 @DICT-036 @DICT-049 @DICT-051 @DICT-052
  @DICT-053 @DICT-054 @DICT-060
  Rule: An accepted transfer is PENDING

    @open:eventDate-of-a-transfer
    Scenario: The response
      When the account sends a transfer of R$ 10.55
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | endToEndId     | a non-empty string |
        | eventDate      | a UTC time         |
        | id             | a number           |
        | payment.amount | R$ 10.55           |
        | type           | "PENDING"          |
      And the response's eventDate should be the time of the request
      And the response's status is recorded for open point "status of a new transfer"

    Scenario: Every pair of a kind of key, an amount, a time in the queue, a text and a list of institutions
      Given an account with R$ 300.00 available
      And no fees
      And the account receives webhooks of every type
      When the account sends a transfer of every shape for every pair of:
        | payment.amount | expiration | description                | ispbDeny                 |
        | 0.01           | absent     | absent                     | absent                   |
        | 0.07           | 3600       | "Pedido de teste"          | ["00000000"]             |
        | 0.29           | 600        | "Pão & café, 50% à vista"  | ["60701191", "70701190"] |
        | 1.15           | 10800      | a string of 100 characters |                          |
        | 2              |            |                            |                          |
        | 10.00          |            |                            |                          |
      Then every request is accepted with 200 or 201 or 202
      And a TRANSFER event of each payment arrives with:
        | data.status | "LIQUIDATED" |
      When the account sends each of them again
      Then every request is accepted with 200 or 201 or 202
      And the available balance stays unchanged
      And the blocked balance is unchanged

    Scenario: Several above R$ 1000.00 at the same instant
      Given an account with R$ 10000.00 available, if the gateway supports that balance
      And no fees
      And no limits
      And the account receives webhooks of every type
      When the account sends concurrent transfers for every pair of:
        | payment.amount | priority |
        | 1000.00        | "NORM"   |
        | 1000.07        | "HIGH"   |
        | 2345.29        |          |
      Then every request is accepted
      And a TRANSFER event of each payment arrives

    Scenario: Three transfers of the same body
      Given settlement waits for the bank
      When the account sends a transfer of R$ 10.07
      And the account sends a transfer of R$ 10.07
      Then the two responses differ in id
      When the account sends a transfer of R$ 10.07
      Then the request is accepted
      And the two responses differ in id
      And the response has:
        | id | different from the first id |
      And the blocked balance rises by R$ 10.07

  @transfer.shapes @shapes
  @DICT-005 @DICT-006 @DICT-009 @DICT-010 @DICT-012 @DICT-014 @DICT-017 @DICT-018 @DICT-022 @DICT-024
  @DICT-039
  Rule: Every kind of key and optional field can be combined

    Scenario Outline: <shape>
      Given the key directory has a new <kind> key at ISPB 60701190
      When the account sends a transfer with:
        | pixKey           | that key      |
        | creditorDocument | <document>    |
        | priority         | <priority>    |
        | description      | <description> |
        | expiration       | <expiration>  |
        | payment.currency | <currency>    |
        | ispbDeny         | <ispbDeny>    |
      Then the request is accepted

      Examples:
        | shape                             | kind   | document      | priority | description       | expiration | currency | ispbDeny     |
        | To a person's CPF                 | CPF    | that document | "HIGH"   | "Pedido de teste" | absent     | "BRL"    | absent       |
        | To a company's CNPJ               | CNPJ   | that document | "HIGH"   | "Pão & café"      | 10800      | "BRL"    | ["00000000"] |
        | To an e-mail                      | e-mail | that document | "NORM"   | absent            | 600        | "BRL"    | absent       |
        | To a phone, without a document    | phone  | absent        | "NORM"   | "Pedido de teste" | absent     | "BRL"    | absent       |
        | To a random key, with no priority | random | that document | absent   | absent            | 60         | "BRL"    | absent       |

  @transfer.blocks
  @BAL-013 @BAL-014 @BAL-015 @BAL-016 @BAL-017 @DICT-045 @DICT-056
  Rule: A pending transfer moves its amount from available to blocked

    Background:
      Given settlement waits for the bank

    Scenario Outline: R$ <amount>, to the centavo
      Given an account with R$ <amount> available
      And no fees
      And settlement waits for the bank
      When the account sends a transfer with payment.amount <amount>
      Then the request is accepted
      And the available balance falls by R$ <amount>
      And the blocked balance rises by R$ <amount>

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
      And settlement waits for the bank
      When the account sends a transfer with payment.amount 90071992547409.93
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "the largest amount"
      And if the request was accepted, the available balance falls by R$ 90071992547409.93
      And if the request was accepted, the blocked balance rises by R$ 90071992547409.93

    Scenario: Blocked money cannot be spent
      Given an account with exactly R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a transfer of R$ 60.00
      When the account sends a transfer of R$ 40.01
      Then the request is rejected with 422

    Scenario: The rest can be spent
      Given no fees
      And the account has sent a transfer of R$ 60.00
      When the account sends a transfer of R$ 40.00
      Then the request is accepted
      And the available balance falls by R$ 40.00
      And the blocked balance rises by R$ 40.00

  @transfer.settled
  @GEN-013 @BAL-018 @BAL-019 @DICT-061 @DICT-062 @EVT-051 @EVT-085
  Rule: A settled transfer is debited from the blocked balance only

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00

    Scenario: The balance
      When the bank confirms the payment
      Then a TRANSFER event arrives
      And the blocked balance falls by R$ 10.00
      And the available balance is unchanged

    Scenario: The event
      When the bank confirms the payment
      Then a TRANSFER event arrives with:
        | data.status | "LIQUIDATED" |
      And the event's type is recorded for open point "subscription that carries TRANSFER"

    Scenario: The transaction list
      When the bank confirms the payment
      Then a TRANSFER event arrives
      And how the payment is listed is recorded for open point "settled transfer in the list of transactions"

    @open:finality-of-a-payment
    Scenario: It stays settled
      When the bank confirms the payment
      Then a TRANSFER event arrives
      When the bank tries to reject the payment with ORDER_REJECTED
      Then the available balance should be unchanged
      And no event should report a different outcome

    Scenario: Four transfers, settled in another order
      When the account sends a transfer of R$ 10.07
      And the account sends a transfer of R$ 20.29
      And the key directory has a new CPF key
      And the account sends a transfer of R$ 30.15
      Then the request is accepted
      And the available balance falls by R$ 60.51
      And the blocked balance rises by R$ 60.51
      When the bank confirms the third payment
      Then the blocked balance falls by R$ 20.29
      And the available balance is unchanged
      When the bank confirms the second payment
      Then the blocked balance falls by R$ 10.07
      And the available balance is unchanged
      When the bank confirms the payment
      Then the blocked balance falls by R$ 30.15
      And the available balance is unchanged
      When the bank confirms the first payment
      Then the blocked balance falls by R$ 10.00
      And the available balance is unchanged

    Scenario: Eleven transfers more, each of them settled
      When the account has sent 11 transfers of R$ 0.29
      And the bank confirms each payment
      Then a TRANSFER event of each payment arrives with:
        | data.status | "LIQUIDATED" |
      And the available balance falls by R$ 3.19
      And the blocked balance falls by R$ 10.00

    Scenario Outline: A transfer of <time> in São Paulo that settles after midnight
      Given an account with R$ 100.00 available
      And it is <time> in São Paulo
      And the key directory has a new e-mail key
      And settlement waits for the bank
      And the account has sent a transfer of R$ 10.07
      When 4 minutes pass
      And the bank confirms the payment
      Then the blocked balance falls by R$ 10.07
      And the available balance is unchanged

      Examples:
        | time  |
        | 23:58 |
        | 20:58 |

  @transfer.rejected
  @DICT-063 @DICT-064
  Rule: A failed transfer is not reported as settled, and its amount should be returned

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00

    @open:money-of-a-payment-that-failed
    Scenario: The balance
      When the bank rejects the payment with ORDER_REJECTED
      Then the available balance should rise by R$ 10.00
      And the blocked balance should fall by R$ 10.00
      And no event reports it as LIQUIDATED

    @open:money-of-a-payment-that-failed @open:finality-of-a-payment
    Scenario: It stays rejected
      When the bank rejects the payment with ORDER_REJECTED
      Then the available balance should rise by R$ 10.00
      When the bank tries to confirm the payment
      Then the available balance should be unchanged
      And no event reports it as LIQUIDATED

  @transfer.idempotency-key
  @DICT-002 @DICT-003 @DICT-004 @DICT-047
  Rule: The header x-idempotency-key is required and must be a UUID

    Scenario: Omitted
      When the account sends a transfer of every shape for every pair of:
        | header x-idempotency-key | payment.amount | description       | expiration | ispbDeny     |
        | wrong: absent            | 0.07           | absent            | absent     | absent       |
        |                          | 10.00          | "Pedido de teste" | 10800      | ["00000000"] |
        |                          | 100.00         |                   |            |              |
      Then every request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |

    Scenario: What is not a UUID, next to every choice
      When the account sends a transfer of every shape for every pair of:
        | header x-idempotency-key                    | payment.amount | description       | expiration |
        | wrong: abc                                  | 0.07           | absent            | absent     |
        | wrong: 12                                   | 10.00          | "Pedido de teste" | 10800      |
        | wrong: 7d9f0335-8dcc-4054-9bf9-0dbd61d3690g |                |                   |            |
        | wrong: 7d9f0335-8dcc-4054-9bf9-0dbd61d3690  |                |                   |            |
      Then every request is rejected with 400 or 422
      And the response's status is recorded for open point "malformed x-idempotency-key"

    @open:x-idempotency-key-of-another-version
    Scenario: A UUID of version 1
      When the account sends a transfer with header x-idempotency-key 2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d
      Then the request should be rejected with 400 or 422

  @transfer.idempotent
  @DICT-055 @DICT-057 @DICT-058 @DICT-059
  Rule: The same x-idempotency-key returns the same transfer and debits nothing more

    Background:
      Given settlement waits for the bank

    Scenario: The same request again
      Given the account has sent a transfer of R$ 10.00
      When the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id             | the first id |
        | payment.amount | R$ 10.00     |
      And the available balance stays unchanged
      And the blocked balance is unchanged
      And the response's status is recorded for open point "status of a repeated transfer"

    Scenario: With another token
      Given the account has sent a transfer of R$ 10.00
      And the account has sent a token request
      When the scenario returns to the first payment
      And the account sends the request again using the returned token
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id | the first id |
      And the available balance stays unchanged

    @open:how-long-an-x-idempotency-key-holds
    Scenario: An hour later, with another token
      Given the account has sent a transfer with:
        | payment.amount | 10.00 |
        | expiration     | 10800 |
      When 60 minutes pass
      And the account sends the request again
      Then the request should be accepted with 200 or 201 or 202
      And the response's id should be the first id
      And the available balance should be unchanged

    Scenario: After the transfer settles
      Given the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00
      And the bank confirms the payment
      And a TRANSFER event arrives
      When the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id   | the first id             |
        | type | "PENDING" or "COMPLETED" |
      And the response's type is recorded for open point "type of a settled transfer, repeated"
      And the available balance is unchanged

    Scenario: After the transfer fails
      Given the account has sent a transfer of R$ 10.00
      And the bank rejects the payment with ORDER_REJECTED
      When the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id   | the first id         |
        | type | "PENDING" or "ERROR" |
      And the available balance does not fall

    @open:how-long-an-x-idempotency-key-holds
    Scenario: After the transfer has left the queue
      Given the account has sent a transfer with:
        | payment.amount | 10.00 |
        | expiration     | 60    |
      When 61 seconds pass
      And the account sends the request again
      Then the request should be accepted with 200 or 201 or 202
      And the response's id should be the first id

    Scenario: A repeated transfer settles once
      Given the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00
      When the account sends the request again
      And the bank confirms the payment
      Then a TRANSFER event arrives
      And the blocked balance falls by R$ 10.00

    Scenario Outline: The same request <count> times concurrently, with priority <priority>
      When the account sends the same transfer of R$ 10.00 in <count> concurrent requests, with:
        | priority         | <priority> |
        | creditorDocument | <document> |
      Then every request is accepted, or rejected with 409
      And all accepted responses have the same id
      And the available balance falls by R$ 10.00
      And the blocked balance rises by R$ 10.00
      When the account sends the request again
      Then the request is accepted
      And the available balance stays unchanged
      And the blocked balance is unchanged

      Examples:
        | count | priority | document      |
        | 8     | "NORM"   | absent        |
        | 8     | "HIGH"   | that document |
        | 2     | "NORM"   | that document |
        | 2     | "HIGH"   | that document |

    Scenario: The same request 12 times more, after another transfer
      Given the account has sent a transfer of R$ 10.07
      And the account has sent a transfer of R$ 0.29
      When the scenario returns to the first payment
      And the account sends the request again 12 times
      Then every request is accepted with 200 or 201 or 202
      And the response has:
        | id             | the first id |
        | payment.amount | R$ 10.07     |
      And the available balance stays unchanged
      And the blocked balance is unchanged

    Scenario: Almost the same x-idempotency-key makes another transfer
      Given no fees
      And the account has sent a transfer of R$ 10.07
      When the account sends a transfer for every pair of:
        | header x-idempotency-key                                               | payment.amount |
        | the account's first x-idempotency-key with a different last character  | 10.07          |
        | the account's first x-idempotency-key with a different first character |                |
      Then every request is accepted
      And the available balance falls by R$ 20.14
      And the blocked balance rises by R$ 20.14
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is accepted
      And the response has:
        | id | the first id |

    Scenario Outline: Other transfers in between: <count>
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And the account has sent a transfer of R$ 10.07
      And the account has sent <count> transfers of R$ 0.07
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id             | the first id |
        | payment.amount | R$ 10.07     |
      And the available balance stays unchanged
      And the blocked balance is unchanged

      Examples:
        | count |
        | 10    |
        | 100   |

    Scenario: After its settlement, a return, and payments of every other kind
      Given an account with R$ 1000.00 available
      And settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.07
      And the bank confirms the payment
      And a TRANSFER event arrives
      And the payee returns R$ 3.29
      And the account has sent a cash-out of R$ 8.41
      And the account has sent a QR cash-out of R$ 1.15
      And the account has sent a cash-in of R$ 10.07
      When the account sends a transfer with pixKey "not a key"
      Then the request is rejected with 400
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response has:
        | id             | the first id             |
        | payment.amount | R$ 10.07                 |
        | type           | "PENDING" or "COMPLETED" |
      And the available balance stays unchanged
      And the blocked balance is unchanged

    Scenario: The second transfer again, and the first
      Given the account has sent a transfer of R$ 10.07
      And the account has sent a transfer of R$ 8.41
      When the account sends the request again
      Then the request is accepted
      And the response has:
        | id             | different from the first id |
        | payment.amount | R$ 8.41                     |
      When the scenario returns to the first payment
      And the account sends the request again
      Then the request is accepted
      And the response has:
        | id             | the first id |
        | payment.amount | R$ 10.07     |
      When the scenario returns to the second payment
      And the bank confirms the payment
      Then the blocked balance falls by R$ 8.41
      And the available balance is unchanged

    Scenario: A repeated request does not extend its time in the queue
      Given the account receives webhooks of every type
      And the account has sent a transfer with:
        | payment.amount | 10.00 |
        | expiration     | 60    |
      When 50 seconds pass
      And the account sends the request again
      Then the request is accepted
      When 20 seconds pass
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED

    Scenario: Another amount with the same x-idempotency-key
      Given the account has sent a transfer of R$ 10.00
      When the account sends the request again with payment.amount 20.00
      Then the request is accepted, or rejected with 400 or 409 or 422
      And if the request was accepted, the response has:
        | id             | the first id |
        | payment.amount | R$ 10.00     |
      And the available balance stays unchanged
      And the blocked balance is unchanged
      And the response's status is recorded for open point "another transfer under a used x-idempotency-key"

    Scenario: Another amount with the x-idempotency-key of a settled transfer
      Given the account receives webhooks of every type
      And the account has sent a transfer of R$ 10.00
      And the bank confirms the payment
      And a TRANSFER event arrives
      When the account sends the request again with payment.amount 20.00
      Then the request is accepted, or rejected with 400 or 409 or 422
      And if the request was accepted, the response has:
        | id             | the first id |
        | payment.amount | R$ 10.00     |
      And the available balance is unchanged
      And the blocked balance is unchanged

    Scenario: Another account uses the same x-idempotency-key
      Given another account with R$ 100.00 available
      And the account has sent a transfer of R$ 10.00
      When the other account sends a transfer with header x-idempotency-key the account's x-idempotency-key
      Then the request is accepted, or rejected with 400 or 409 or 422
      And if the request was accepted, the response has:
        | id | different from the first id |
      And the response's status is recorded for open point "x-idempotency-key of another account"

  @transfer.key
  @GEN-008 @GEN-009 @GEN-010 @DICT-005 @DICT-006 @DICT-007 @DICT-008 @DICT-009 @DICT-010 @DICT-011
  @DICT-012
  Rule: The pixKey is one of five kinds of key

    Scenario Outline: A <kind> key is accepted
      Given the key directory has a new <kind> key
      When the account sends a transfer
      Then the request is accepted

      Examples:
        | kind     |
        | CPF      |
        | CNPJ     |
        | e-mail   |
        | phone    |
        | landline |
        | random   |

    Scenario Outline: A <kind> key that starts with 0 is accepted
      Given the key directory has a new <kind> key that starts with 0
      When the account sends a transfer with creditorDocument that document
      Then the request is accepted

      Examples:
        | kind |
        | CPF  |
        | CNPJ |

    Scenario: Every invalid key, next to every choice
      When the account sends a transfer for every pair of:
        | pixKey                                       | priority | creditorDocument | description       | expiration | payment.amount | ispbDeny     |
        | wrong: "not a key"                           | "HIGH"   | "52998224725"    | absent            | absent     | 0.07           | absent       |
        | wrong: ""                                    | "NORM"   | "11222333000181" | "Pedido de teste" | 10800      | 10.00          | ["00000000"] |
        | wrong: "12345"                               | absent   |                  |                   |            | 100.00         |              |
        | wrong: "1133334444"                          |          |                  |                   |            |                |              |
        | wrong: "+1133334444"                         |          |                  |                   |            |                |              |
        | wrong: "5511987654321"                       |          |                  |                   |            |                |              |
        | wrong: "+55113333444"                        |          |                  |                   |            |                |              |
        | wrong: "+55119876543210"                     |          |                  |                   |            |                |              |
        | wrong: "fulano@de@example.com"               |          |                  |                   |            |                |              |
        | wrong: "52998224725\\n"                      |          |                  |                   |            |                |              |
        | wrong: "fulano@"                             |          |                  |                   |            |                |              |
        | wrong: "7d9f0335-8dcc-4054-9bf9-0dbd61d3690" |          |                  |                   |            |                |              |
        | wrong: absent                                |          |                  |                   |            |                |              |
        | wrong: null                                  |          |                  |                   |            |                |              |
        | wrong: {}                                    |          |                  |                   |            |                |              |
        | wrong: 123                                   |          |                  |                   |            |                |              |
      Then every request is rejected with 400

  @transfer.directory
  @DICT-044 @DICT-046 @DICT-048 @ERR-028
  Rule: A key that is not in the directory is rejected with 422

    Scenario: An unknown key of every kind, next to every choice
      When the account sends a transfer for every pair of:
        | pixKey            | priority | creditorDocument | description       | expiration | payment.amount | ispbDeny     |
        | a random phone    | "HIGH"   | "52998224725"    | absent            | absent     | 0.01           | absent       |
        | a random landline | "NORM"   | "11222333000181" | "Pedido de teste" | 1          | 10.00          | ["00000000"] |
        | a random e-mail   | absent   |                  |                   | 10800      | 100.00         |              |
        | a random UUID     |          |                  |                   |            |                |              |
      Then every request is rejected with 422
      And the response has:
        | statusCode | 422                    |
        | message    | a non-empty string     |
        | error      | "Unprocessable Entity" |

    Scenario: An unknown CPF or CNPJ, next to every choice
      When the account sends a transfer for every pair of:
        | pixKey        | priority | creditorDocument | description       | expiration | payment.amount | ispbDeny     |
        | a random CPF  | "NORM"   | absent           | absent            | absent     | 0.01           | absent       |
        | a random CNPJ |          |                  | "Pedido de teste" | 10800      | 100.00         | ["00000000"] |
      Then every request is rejected with 422
      When the account sends a transfer for every pair of:
        | pixKey        | priority | creditorDocument | description       | expiration |
        | "73194628500" | "HIGH"   | "73194628500"    | absent            | absent     |
        |               | "NORM"   |                  | "Pedido de teste" | 10800      |
      Then every request is rejected with 422

    Scenario Outline: A <kind> key of which one digit is different
      Given the key directory has a new <kind> key
      When the account sends a transfer with:
        | pixKey           | that key with another digit |
        | creditorDocument | absent                      |
      Then the request is rejected with 422
      When the account sends a transfer
      Then the request is accepted

      Examples:
        | kind   |
        | CPF    |
        | CNPJ   |
        | phone  |
        | random |

  @transfer.covered
  @BAL-012 @DICT-045 @DICT-046
  Rule: The balance must cover the amount

    Scenario Outline: The whole balance of R$ <amount>, and not a centavo more
      Given an account with exactly R$ <amount> available
      And no fees
      And no limits
      When the account sends a transfer of R$ <more>
      Then the request is rejected with 422
      When the account sends a transfer of R$ <amount>
      Then the request is accepted

      Examples:
        | amount  | more    |
        | 100.00  | 100.01  |
        | 0.29    | 0.30    |
        | 10.10   | 10.90   |
        | 1234.56 | 1234.99 |

    Scenario: One centavo short, and more, next to every choice
      Given an account with exactly R$ 100.00 available
      And no limits
      When the account sends a transfer of every shape for every pair of:
        | payment.amount | description       | expiration | ispbDeny     |
        | 100.01         | absent            | absent     | absent       |
        | 100.10         | "Pedido de teste" | 10800      | ["00000000"] |
        | 101            |                   |            |              |
        | 1000.00        |                   |            |              |
        | 12345.67       |                   |            |              |
      Then every request is rejected with 422
      And the available balance stays unchanged
      And the blocked balance is unchanged

    Scenario: More than 32 or 64 bits of centavos
      Given an account with exactly R$ 100.00 available
      And no limits
      When the account sends a transfer of every shape for every pair of:
        | payment.amount        |
        | 42949672.97           |
        | 184467440737095516.17 |
      Then every request is rejected with 400 or 422

    Scenario: Concurrent transfers do not overdraw the account
      Given an account with exactly R$ 100.00 available
      And settlement waits for the bank
      When the account sends 8 concurrent transfers of R$ 40.00
      Then at most 2 requests are accepted
      And the others are rejected with 422
      And the available balance falls by R$ 40.00 per accepted request

    Scenario: Concurrent transfers that the balance covers
      Given an account with exactly R$ 100.00 available
      And no fees
      And settlement waits for the bank
      When the account sends 8 concurrent transfers of R$ 1.07
      Then every request is accepted
      And the available balance falls by R$ 8.56
      And the blocked balance rises by R$ 8.56
      When the account sends 2 concurrent transfers of R$ 45.72
      Then every request is accepted
      And the available balance falls by R$ 91.44
      And the blocked balance rises by R$ 91.44

  @transfer.priority
  @GEN-008 @GEN-009 @DICT-008 @DICT-013 @DICT-014 @DICT-016 @DICT-017 @DICT-018 @DICT-019 @DICT-020
  Rule: The priority is HIGH or NORM, and HIGH requires the creditor's document

    Scenario Outline: <priority> with creditorDocument <document> is accepted
      When the account sends a transfer with:
        | priority         | <priority> |
        | creditorDocument | <document> |
      Then the request is accepted

      Examples:
        | priority | document      |
        | "HIGH"   | that document |
        | "NORM"   | that document |
        | "NORM"   | absent        |
        | absent   | that document |

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario: HIGH without a creditorDocument, next to every choice
      When the account sends a transfer of every shape for every pair of:
        | priority | creditorDocument | payment.amount | description       | expiration |
        | "HIGH"   | wrong: absent    | 0.07           | absent            | absent     |
        |          |                  | 10.00          | "Pedido de teste" | 10800      |
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario: Any other priority, next to every choice
      When the account sends a transfer of every shape for every pair of:
        | priority        | creditorDocument | payment.amount | description       | expiration |
        | invalid         | that document    | 0.07           | absent            | absent     |
        | wrong: "LOW"    |                  | 10.00          | "Pedido de teste" | 10800      |
        | wrong: "Norm"   |                  |                |                   |            |
        | wrong: "NORMAL" |                  |                |                   |            |
        | wrong: 1        |                  |                |                   |            |
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario: Every invalid creditorDocument, in every shape that has one
      When the account sends a transfer of every shape whose creditorDocument is invalid
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

    Scenario: Without priority and creditorDocument
      When the account sends a transfer with:
        | priority         | absent |
        | creditorDocument | absent |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "transfer without priority and document"

  @transfer.description
  @DICT-022
  Rule: A description is optional

    Scenario Outline: <value> is accepted
      When the account sends a transfer with description <value>
      Then the request is accepted

      Examples:
        | value       |
        | absent      |
        | "Pedido 12" |

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario: Every invalid description, in every shape that has one
      When the account sends a transfer of every shape whose description is invalid
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

  @transfer.expiration
  @DICT-024 @DICT-025 @DICT-026 @DICT-027 @DICT-028 @DICT-029
  Rule: The expiration is from 1 to 10800 seconds

    Scenario Outline: <value> is accepted
      When the account sends a transfer with expiration <value>
      Then the request is accepted

      Examples:
        | value  |
        | absent |
        | 1      |
        | 600    |
        | 10800  |

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario: Every invalid expiration, next to every choice
      When the account sends a transfer of every shape for every pair of:
        | expiration                  | payment.amount | description       |
        | invalid                     | 0.07           | absent            |
        | wrong: 4294967356           | 10.00          | "Pedido de teste" |
        | wrong: 18446744073709551676 |                |                   |
      Then every request is rejected with 400 or 422
      And every request should be rejected with 400

    @open:values-of-another-type
    Scenario: Another type should not be accepted as a number
      When the account sends a transfer whose expiration is of another type
      Then every request should be rejected with 400

  @transfer.queue
  @DICT-030 @DICT-031 @DICT-064
  Rule: A transfer still queued at its expiration is not settled

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type

    Scenario Outline: Expiration <expiration>, settled after <before> seconds
      Given the account has sent a transfer with:
        | payment.amount | 10.00        |
        | expiration     | <expiration> |
      When <before> seconds pass
      Then the blocked balance is unchanged
      When the bank confirms the payment
      Then a TRANSFER event arrives with:
        | data.status | "LIQUIDATED" |

      Examples:
        | expiration | before |
        | 3600       | 3590   |
        | absent     | 590    |

    Scenario: Three transfers with expirations of their own
      Given the account has sent a transfer with:
        | payment.amount | 10.07 |
        | expiration     | 60    |
      And the account has sent a transfer with:
        | payment.amount | 20.29 |
        | expiration     | 10800 |
      And the account has sent a transfer with:
        | payment.amount | 30.15  |
        | expiration     | absent |
      When 61 seconds pass
      And the bank confirms the third payment
      Then a TRANSFER event arrives with:
        | data.status         | "LIQUIDATED" |
        | data.payment.amount | "30.15"      |
      When 10000 seconds pass
      And the bank confirms the second payment
      And the scenario returns to the second payment
      Then a TRANSFER event arrives with:
        | data.status         | "LIQUIDATED" |
        | data.payment.amount | "20.29"      |
      When the scenario returns to the first payment
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED

    Scenario Outline: A transfer of <time> in São Paulo that expires after midnight
      Given it is <time> in São Paulo
      And the account has sent a transfer with expiration 300
      When 360 seconds pass
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED

      Examples:
        | time  |
        | 23:58 |
        | 20:58 |

    @open:money-of-a-payment-that-failed
    Scenario Outline: Expiration <expiration>, not settled after <after> seconds
      Given the account has sent a transfer with:
        | payment.amount | 10.00        |
        | expiration     | <expiration> |
      When <after> seconds pass
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED
      And the available balance should rise by R$ 10.00
      And the blocked balance should fall by R$ 10.00

      Examples:
        | expiration | after |
        | 3600       | 3601  |
        | 7200       | 7201  |
        | 10800      | 10801 |
        | absent     | 601   |

    Scenario Outline: At noon and at night of <day>, in a week with a leap day
      Given it is noon on <day> of the next leap year in São Paulo
      And the account has sent a transfer with expiration 60
      When 61 seconds pass
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED
      When 10 hours pass
      And the account sends a transfer with:
        | priority   | "NORM" |
        | expiration | absent |
      And 601 seconds pass
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED

      Examples:
        | day         |
        | 24 February |
        | 25 February |
        | 26 February |
        | 27 February |
        | 28 February |
        | 29 February |
        | 1 March     |
        | 31 December |

    Scenario: Expiration 1, not settled after 2 seconds
      Given the account has sent a transfer with expiration 1
      When 2 seconds pass
      And the bank tries to confirm the payment
      Then no event reports it as LIQUIDATED

  @transfer.payment
  @DICT-032 @DICT-033 @DICT-034 @DICT-035 @DICT-036 @DICT-037 @DICT-038 @DICT-053
  Rule: The payment has an amount with at most two decimals

    Scenario Outline: payment.amount <value> is accepted
      When the account sends a transfer with payment.amount <value>
      Then the request is accepted
      And the response has:
        | payment.amount | R$ <amount> |

      Examples:
        | value | amount |
        | 0.01  | 0.01   |
        | 10.55 | 10.55  |
        | 99.07 | 99.07  |
        | 10    | 10.00  |

    Scenario: Every invalid amount, next to every choice, though the balance covers it
      Given an account with R$ 200000.00 available
      And no limits
      When the account sends a transfer of every shape for every pair of:
        | payment.amount    | description       | expiration | ispbDeny     |
        | wrong: 10.555     | absent            | absent     | absent       |
        | wrong: 0.011      | "Pedido de teste" | 10800      | ["00000000"] |
        | wrong: 0.299      |                   |            |              |
        | wrong: 1.2345     |                   |            |              |
        | wrong: 1000.005   |                   |            |              |
        | wrong: 100000.001 |                   |            |              |
        | wrong: "abc"      |                   |            |              |
        | wrong: {}         |                   |            |              |
        | wrong: absent     |                   |            |              |
        | wrong: null       |                   |            |              |
      Then every request is rejected with 400

    @open:status-of-an-amount-of-zero-or-less
    Scenario Outline: payment.amount <value> is rejected: not positive
      When the account sends a transfer with payment.amount <value>
      Then the request is rejected with 400 or 422
      And the request should be rejected with 400

      Examples:
        | value |
        | 0     |
        | -1    |

    Scenario Outline: The same key twice: <values> is not accepted as the invalid one
      Given no fees
      When the account sends a transfer with payment.amount <values>
      Then the request is accepted, or rejected with 400 or 422
      And if the request was accepted, the available balance falls by R$ 1.00

      Examples:
        | values           |
        | 1.00, then -5.00 |
        | -5.00, then 1.00 |
        | 1.00, then 1.019 |
        | 1.019, then 1.00 |

    Scenario: Every invalid payment, in every shape
      When the account sends a transfer of every shape whose payment is invalid
      Then every request is rejected with 400

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario: A currency that is an object
      When the account sends a transfer with payment.currency {}
      Then the request is rejected with 400 or 422
      And the request should be rejected with 400

  @transfer.ispb-deny
  @DICT-039 @DICT-040 @DICT-041 @DICT-042 @DICT-043 @DICT-046
  Rule: A key at a denied institution is rejected with 422

    Background:
      Given the key directory has a new e-mail key at ISPB 60701190

    Scenario: A denied institution, next to every choice
      When the account sends a transfer of every shape for every pair of:
        | ispbDeny                             | payment.amount | description       | expiration |
        | ["60701190"]                         | 0.07           | absent            | absent     |
        | ["00000000", "60701190"]             | 10.00          | "Pedido de teste" | 1          |
        | ["60701190", "18236120", "00416968"] | 100.00         |                   | 10800      |
      Then every request is rejected with 422

    Scenario: An institution whose code starts with 0
      Given the key directory has a new e-mail key at ISPB 00416968
      When the account sends a transfer with ispbDeny ["60701190", "00416968"]
      Then the request is rejected with 422
      When the account sends a transfer with ispbDeny ["60701190"]
      Then the request is accepted
      When the account sends a transfer with ispbDeny ["00416968"]
      Then the request is rejected with 422
      When the account sends a transfer with ispbDeny absent
      Then the request is accepted

    @open:an-empty-list
    Scenario: An empty list should be accepted
      When the account sends a transfer with ispbDeny []
      Then the request should be accepted

    @open:status-of-an-invalid-field-of-a-transfer
    Scenario Outline: <value> is rejected: not a list of strings
      When the account sends a transfer with ispbDeny <value>
      Then the request is rejected with 400 or 422
      And the request should be rejected with 400

      Examples:
        | value            |
        | "12345678"       |
        | [{}]             |
        | ["00000000", {}] |
        | {}               |

    @open:values-of-another-type
    Scenario: A number should not be accepted as a string
      When the account sends a transfer with ispbDeny [1]
      Then the request should be rejected with 400

  @transfer.left-open
  @DICT-018 @DICT-019 @DICT-065
  Rule: Where the specification is silent, the gateway either accepts the transfer or rejects it cleanly

    Scenario: Unusual JSON for a valid transfer: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a transfer in unusual JSON
      Then every request is accepted, or rejected with 400 or 422

    @open:values-of-another-type
    Scenario: No field of a transfer should be accepted in another type
      When the account sends a transfer in wrong types
      Then every request should be rejected with 400

    Scenario: Event and repeated response of a rejected transfer
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer
      When the bank rejects the payment with ORDER_REJECTED
      Then whether an event arrives is recorded for open point "event of a rejected transfer"
      When the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response's type is recorded for open point "type of a rejected transfer, repeated"

    Scenario: Event and repeated response of an expired transfer
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has sent a transfer with expiration 60
      When 61 seconds pass
      Then whether an event arrives is recorded for open point "event of an expired transfer"
      When the account sends the request again
      Then the request is accepted with 200 or 201 or 202
      And the response's type is recorded for open point "type of an expired transfer, repeated"

    Scenario: A used x-idempotency-key with the case swapped
      Given settlement waits for the bank
      And the account has sent a transfer of R$ 10.00
      When the account sends the request again with header x-idempotency-key the account's x-idempotency-key with the case swapped
      Then the request is accepted, or rejected with 400 or 422
      And the change in the available balance is recorded for open point "x-idempotency-key in another case"

    Scenario Outline: <point>
      When the account sends a transfer with <field> <value>
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "<point>"

      Examples:
        | field            | value  | point                       |
        | payment.currency | "USD"  | currency other than BRL     |
        | payment.currency | absent | transfer without a currency |

    Scenario Outline: A transfer of <priority> priority
      Given the account receives webhooks of every type
      When the account sends a transfer with:
        | priority         | "<priority>"  |
        | creditorDocument | that document |
      Then the request is accepted
      And whether it is settled is recorded for open point "<priority> priority settled immediately"

      Examples:
        | priority |
        | HIGH     |
        | NORM     |
