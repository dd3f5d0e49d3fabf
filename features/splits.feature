Feature: Splits of a cash-in
  A cash-in can have up to ten splits, each of which pays a part of the amount to another
  recipient. The account keeps the rest.

  Background:
    Given an account

  @splits.count
  @IN-050 @SPL-001 @SPL-002 @SPL-003 @SPL-049
  Rule: A cash-in has at most 10 splits

    Scenario Outline: <splits> is accepted
      When the account sends a cash-in with:
        | splits | <splits> |
      Then the request is accepted

      Examples:
        | splits               |
        | absent               |
        | 1 split of R$ 0.01   |
        | 10 splits of R$ 0.01 |

    @open:an-empty-list
    Scenario: An empty list should be accepted
      When the account sends a cash-in with splits []
      Then the request should be accepted

    Scenario Outline: <splits> is rejected
      When the account sends a cash-in with:
        | splits | <splits> |
      Then the request is rejected with 400 HTTP_ERROR, naming splits
      And the response has:
        | message | a list of strings |

      Examples:
        | splits               |
        | 11 splits of R$ 0.01 |
        | {}                   |
        | "x"                  |

  @splits.sum
  @SPL-004 @SPL-005 @SPL-006 @SPL-007 @SPL-008
  Rule: The splits must not exceed the amount

    Scenario Outline: <splits> of R$ 10.00 is accepted, though there is a fee
      Given a cash-in fee of R$ 0.50
      When the account sends a cash-in with:
        | transaction.value | 10.00    |
        | splits            | <splits> |
      Then the request is accepted

      Examples:
        | splits              |
        | R$ 4.00 and R$ 6.00 |
        | 60% and 40%         |
        | R$ 10.00            |

    Scenario Outline: <splits> of R$ <amount> is accepted
      When the account sends a cash-in with:
        | transaction.value | <amount> |
        | splits            | <splits> |
      Then the request is accepted

      Examples:
        | amount | splits                   |
        | 10.00  | R$ 4.00 and R$ 6.00      |
        | 10.00  | 60% and 40%              |
        | 10.00  | 100%                     |
        | 10.00  | 50% and R$ 5.00          |
        | 0.29   | R$ 0.07 and R$ 0.22      |
        | 0.30   | R$ 0.10 and R$ 0.20      |
        | 142.20 | R$ 136.42 and R$ 5.78    |
        | 1.00   | 10 splits of R$ 0.10     |
        | 10.00  | R$ 2.50, 50% and R$ 2.50 |
        | 100.00 | 33%, 33% and 34%         |

    Scenario Outline: <splits> of R$ <amount> is rejected
      When the account sends a cash-in with:
        | transaction.value | <amount> |
        | splits            | <splits> |
      Then the request is rejected with 400

      Examples:
        | amount | splits                       |
        | 10.00  | R$ 4.00 and R$ 6.01          |
        | 10.00  | R$ 10.01                     |
        | 10.00  | 60% and 41%                  |
        | 10.00  | 101%                         |
        | 10.00  | 50% and R$ 5.01              |
        | 0.29   | R$ 0.07 and R$ 0.23          |
        | 0.30   | R$ 0.10, R$ 0.10 and R$ 0.11 |
        | 1.00   | 10 splits of R$ 0.11         |
        | 10.00  | R$ 2.50, 50% and R$ 2.51     |
        | 10.00  | R$ 2.51, R$ 2.50 and 50%     |
        | 100.00 | 10%, 30%, 30% and 31%        |

  @splits.pix-key
  @GEN-010 @SPL-009 @SPL-011 @SPL-012 @SPL-013 @SPL-014 @SPL-015 @SPL-016 @SPL-017 @SPL-018
  Rule: A split has a key of one of five types

    Scenario Outline: <type> is accepted
      When the account sends a split cash-in with:
        | splits[0].pixKeyType | "<type>"     |
        | splits[0].pixKey     | "<key>"      |
        | splits[0].document   | "<document>" |
      Then the request is accepted

      Examples:
        | type   | key                                  | document       |
        | EMAIL  | fulano@example.com                   | 52998224725    |
        | CPF    | 52998224725                          | 52998224725    |
        | CNPJ   | 11222333000181                       | 11222333000181 |
        | RANDOM | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 | 52998224725    |

    Scenario: PHONE is accepted in at least one of two formats, with or without +55
      When the account sends a split cash-in with:
        | splits[0].pixKeyType | "PHONE"       |
        | splits[0].pixKey     | "11987654321" |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "phone of a split without +55"
      When the account sends a split cash-in with:
        | splits[0].pixKeyType | "PHONE"          |
        | splits[0].pixKey     | "+5511987654321" |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "phone of a split with +55"
      And at least one of the two requests is accepted

    Scenario Outline: pixKeyType <value> is rejected
      When the account sends a cash-in of every shape with splits[each].pixKeyType <value>
      Then every request is rejected with 400 HTTP_ERROR, naming pixKeyType

      Examples:
        | value      |
        | "DOCUMENT" |
        | "EVP"      |
        | 1          |

    Scenario: Every invalid pixKeyType, in every split
      When the account sends a cash-in of every shape whose splits[each].pixKeyType is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming pixKeyType

    Scenario: Every invalid pixKey, in every split
      When the account sends a cash-in of every shape whose splits[each].pixKey is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming pixKey

    Scenario: A well-formed key of 256 characters is rejected
      When the account sends a split cash-in with splits[0].pixKey a key of 256 characters
      Then the request is rejected with 400 HTTP_ERROR, naming pixKey

    Scenario: A well-formed key of 255 characters
      When the account sends a split cash-in with splits[0].pixKey a key of 255 characters
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "key of 255 characters"

  @splits.recipient
  @GEN-008 @GEN-009 @SPL-019 @SPL-020 @SPL-021 @SPL-022 @SPL-023 @SPL-024 @SPL-025
  Rule: A split names its recipient

    Scenario Outline: <field> <value> is accepted
      When the account sends a split cash-in with splits[0].<field> <value>
      Then the request is accepted

      Examples:
        | field    | value                      |
        | name     | a string of 255 characters |
        | document | "52998224725"              |
        | document | "11222333000181"           |

    Scenario: A document with punctuation is rejected
      When the account sends a cash-in of every shape with splits[each].document "529.982.247-25"
      Then every request is rejected with 400 HTTP_ERROR, naming document

    Scenario Outline: Every invalid <field>, in every split
      When the account sends a cash-in of every shape whose splits[each].<field> is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming <field>

      Examples:
        | field    |
        | name     |
        | document |

    Scenario Outline: A recipient with the phone <key> and no name is rejected
      When the account sends a split cash-in with:
        | splits[0].pixKeyType | "PHONE" |
        | splits[0].pixKey     | "<key>" |
        | splits[0].name       | absent  |
      Then the request is rejected with 400

      Examples:
        | key            |
        | 11987654321    |
        | +5511987654321 |

    Scenario Outline: <document>, with leading zeros, is accepted
      When the account sends a split cash-in with:
        | splits[0].pixKeyType | "<type>"     |
        | splits[0].pixKey     | "<document>" |
        | splits[0].document   | "<document>" |
      Then the request is accepted

      Examples:
        | type | document       |
        | CPF  | 00000000191    |
        | CNPJ | 00000000000191 |

  @splits.value
  @SPL-026 @SPL-027 @SPL-028 @SPL-029 @SPL-030 @SPL-031 @SPL-032 @SPL-033 @SPL-034 @SPL-035 @SPL-036
  @SPL-037
  Rule: A split is a fixed amount or a percentage, of at least 0.01

    Scenario Outline: <type> <value> is accepted
      When the account sends a split cash-in with:
        | splits[0].type  | "<type>" |
        | splits[0].value | <value>  |
      Then the request is accepted

      Examples:
        | type       | value |
        | FIXED      | 0.01  |
        | FIXED      | 1.23  |
        | PERCENTAGE | 0.01  |
        | PERCENTAGE | 10    |

    Scenario Outline: A fixed amount of <value> in the <nth> of two splits is rejected: <splits>
      When the account sends a cash-in with:
        | transaction.value | 10.00    |
        | splits            | <splits> |
        | <field>           | <value>  |
      Then the request is rejected with 400, naming value

      Examples:
        | splits                         | nth    | field           | value |
        | R$ 1.00 and R$ 2.00            | first  | splits[0].value | 1.001 |
        | R$ 1.00 and R$ 2.00            | second | splits[1].value | 1.001 |
        | R$ 1.00 and R$ 2.00            | first  | splits[0].value | 0.019 |
        | R$ 1.00 and R$ 2.00            | second | splits[1].value | 0.019 |
        | R$ 1.00 and R$ 2.00            | second | splits[1].value | 1e-3  |
        | R$ 1.00 and R$ 2.00, immediate | first  | splits[0].value | 1.001 |
        | R$ 1.00 and R$ 2.00, immediate | second | splits[1].value | 1.999 |

    Scenario Outline: A percentage with a third decimal, <value>
      When the account sends a split cash-in with:
        | splits[0].type  | "PERCENTAGE" |
        | splits[0].value | <value>      |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "percentage of a split with a third decimal"

      Examples:
        | value  |
        | 0.019  |
        | 33.333 |

    Scenario: Every invalid value, in every split
      When the account sends a cash-in of every shape whose splits[each].value is invalid
      Then every request is rejected with 400, naming value

    Scenario: Every invalid type, in every split
      When the account sends a cash-in of every shape whose splits[each].type is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming type

  @splits.immediate
  @SPL-041 @SPL-042 @SPL-043 @SPL-044 @SPL-046
  Rule: An immediate split is paid right after the payment

    Scenario: immediate true
      Given the account has sent a split cash-in with splits[0].immediate true
      When a payer pays the charge
      Then the splits are PAID

    Scenario Outline: immediate <value>
      Given a new account
      And the account receives cash_in webhooks
      And the account has sent a split cash-in with splits[0].immediate <value>
      And a payer pays the charge
      And a cash_in event arrives
      When a payer tries to pay the charge
      Then the available balance stays unchanged
      And the splits are PENDING

      Examples:
        | value  |
        | absent |
        | false  |

    Scenario Outline: Of three splits, immediate is <value> only in the <n>
      Given a new account
      And the account receives cash_in webhooks
      And the account has sent a cash-in with:
        | transaction.value     | 10.00                                   |
        | splits                | R$ 1.00, R$ 2.00 and R$ 3.00, immediate |
        | splits[<i>].immediate | <value>                                 |
      When a payer pays the charge
      Then a cash_in event arrives
      And the splits are <states>
      And the available balance rises by R$ 4.00 to R$ <most>

      Examples:
        | n      | i | value  | states                 | most |
        | first  | 0 | false  | PENDING, PAID and PAID | 5.00 |
        | second | 1 | absent | PAID, PENDING and PAID | 6.00 |
        | third  | 2 | false  | PAID, PAID and PENDING | 7.00 |

    Scenario: immediate true, on the third day of the charge
      Given the account has sent a cash-in with:
        | transaction.value          | 10.00                          |
        | transaction.expirationTime | 604800                         |
        | splits                     | R$ 3.00 and R$ 2.00, immediate |
      When 3 days pass
      Then the splits are PENDING
      And the available balance is unchanged
      When a payer pays the charge
      Then the splits are PAID
      And the available balance rises by R$ 5.00

    Scenario: immediate false, 8 days later
      Given a new account
      And the account has sent a split cash-in with splits[0].immediate false
      When a payer pays the charge
      And 8 days pass
      Then the splits are recorded for open point "splits after eight days"

    Scenario: Every invalid value of immediate, in every split
      When the account sends a cash-in of every shape whose splits[each].immediate is invalid
      Then every request is rejected with 400 HTTP_ERROR, naming immediate

  @splits.unpaid
  @SPL-047
  Rule: Nothing is split before the charge is paid

    Scenario: An unpaid charge
      When the account sends a cash-in with splits R$ 0.40 and R$ 0.60, immediate
      Then the request is accepted
      And the splits are PENDING
      And the available balance is unchanged

    Scenario: A charge that expires
      Given the account has sent a cash-in with:
        | transaction.value   | 10.00                          |
        | splits              | R$ 3.00 and R$ 2.00, immediate |
        | splits[1].immediate | false                          |
      When 8 days pass
      Then the splits are PENDING
      And the available balance is unchanged

  @splits.division
  @SPL-038 @SPL-039 @SPL-040 @SPL-046 @SPL-048
  Rule: The payment is split to the centavo and the account keeps the rest
    A percentage applies to the gross amount, before any fee. A value of 10 means 10 %.

    Scenario Outline: <splits> of R$ <amount>
      Given the account has sent a cash-in with:
        | transaction.value | <amount>            |
        | splits            | <splits>, immediate |
      When a payer pays the charge
      Then the split amounts are <parts>
      And the account keeps R$ <left>
      And the available balance rises by R$ <left>

      Examples:
        | amount   | splits              | parts                     | left     |
        | 10.00    | R$ 3.00             | R$ 3.00                   | 7.00     |
        | 10.00    | R$ 1.50             | R$ 1.50                   | 8.50     |
        | 100.00   | 10%                 | R$ 10.00                  | 90.00    |
        | 10.00    | 60% and 40%         | R$ 6.00 and R$ 4.00       | 0.00     |
        | 10.00    | 50% and R$ 5.00     | R$ 5.00 and R$ 5.00       | 0.00     |
        | 0.29     | R$ 0.07 and R$ 0.22 | R$ 0.07 and R$ 0.22       | 0.00     |
        | 142.20   | R$ 136.42           | R$ 136.42                 | 5.78     |
        | 8.41     | 100%                | R$ 8.41                   | 0.00     |
        | 0.70     | 10%                 | R$ 0.07                   | 0.63     |
        | 4.35     | 60%                 | R$ 2.61                   | 1.74     |
        | 12345.60 | R$ 1000.55 and 10%  | R$ 1000.55 and R$ 1234.56 | 10110.49 |

    Scenario Outline: <count> splits of R$ <amount>
      Given the account has sent a cash-in with:
        | transaction.value | <amount>            |
        | splits            | <splits>, immediate |
      When a payer pays the charge
      Then the split amounts are <parts>
      And the splits are PAID
      And the account keeps R$ <left>
      And the available balance rises by R$ <left>

      Examples:
        | count | amount  | splits                                         | parts                                                                                                | left   |
        | 3     | 0.29    | R$ 0.07, R$ 0.21 and R$ 0.01                   | R$ 0.07, R$ 0.21 and R$ 0.01                                                                         | 0.00   |
        | 3     | 100.00  | 7%, 29% and 57%                                | R$ 7.00, R$ 29.00 and R$ 57.00                                                                       | 7.00   |
        | 3     | 200.00  | 10%, R$ 0.07 and 29%                           | R$ 20.00, R$ 0.07 and R$ 58.00                                                                       | 121.93 |
        | 10    | 1000.00 | 1%, 2%, 3%, 4%, 5%, 6%, 7%, 8%, 9% and R$ 1.15 | R$ 10.00, R$ 20.00, R$ 30.00, R$ 40.00, R$ 50.00, R$ 60.00, R$ 70.00, R$ 80.00, R$ 90.00 and R$ 1.15 | 548.85 |

    Scenario: Two splits to one key, if the gateway accepts them
      When the account sends a cash-in with:
        | transaction.value    | 10.00                |
        | splits               | R$ 1.00 and R$ 2.00  |
        | splits[0].pixKey     | "fulano@example.com" |
        | splits[0].document   | "52998224725"        |
        | splits[1].pixKeyType | "EMAIL"              |
        | splits[1].pixKey     | "fulano@example.com" |
        | splits[1].document   | "52998224725"        |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "two splits to one key"
      And if the request was accepted, the account keeps R$ 7.00

    Scenario: Payment of one charge does not split another
      Given the account has sent a cash-in with:
        | transaction.value | 10.00                          |
        | splits            | R$ 3.00 and R$ 2.00, immediate |
      And the account has sent a cash-in with:
        | transaction.value | 20.00                      |
        | splits            | 10% and R$ 1.15, immediate |
      And the account has sent a cash-in of R$ 0.29
      When a payer pays the second charge
      Then the split amounts of the second charge are R$ 2.00 and R$ 1.15
      And the splits of the second charge are PAID
      And the available balance rises by R$ 16.85
      And the splits of the first charge are PENDING
      When a payer pays the third charge
      Then the available balance rises by R$ 0.29
      And the splits of the first charge are PENDING
      When a payer pays the first charge
      Then the split amounts of the first charge are R$ 3.00 and R$ 2.00
      And the splits of the first charge are PAID
      And the available balance rises by R$ 5.00

    Scenario: A charge is split only once
      Given the account has sent a cash-in with:
        | transaction.value | 10.00                          |
        | splits            | R$ 3.00 and R$ 1.15, immediate |
      When a payer pays the charge 4 times concurrently
      Then the available balance rises by R$ 5.85
      And the splits are PAID
      When a payer tries to pay the charge
      Then the available balance stays unchanged
      And the split amounts are R$ 3.00 and R$ 1.15

    Scenario: A rejected repeat does not change the splits
      Given the account has sent a cash-in with:
        | transaction.value | 10.00                          |
        | splits            | R$ 3.00 and R$ 1.15, immediate |
      When the account sends the request again with splits R$ 6.00, immediate
      Then the request is rejected with 400 or 409
      When a payer pays the first charge
      Then the split amounts of the first charge are R$ 3.00 and R$ 1.15
      And the available balance rises by R$ 5.85

    Scenario Outline: With a fee of R$ <fee>, <splits> of R$ <amount>
      Given a cash-in fee of R$ <fee>
      And the account has sent a cash-in with:
        | transaction.value | <amount>            |
        | splits            | <splits>, immediate |
      When a payer pays the charge
      Then the split amounts are <parts>

      Examples:
        | fee  | amount | splits  | parts    |
        | 1.00 | 100.00 | 10%     | R$ 10.00 |
        | 0.50 | 10.00  | R$ 3.00 | R$ 3.00  |

    Scenario: With a fee that changes before the payment
      Given a cash-in fee of R$ 0.50
      And the account has sent a cash-in with:
        | transaction.value | 100.00                          |
        | splits            | 10%, 29% and R$ 1.15, immediate |
      And a cash-in fee of R$ 2.00
      When a payer pays the charge
      Then the split amounts are R$ 10.00, R$ 29.00 and R$ 1.15

    Scenario Outline: Rounding neither creates nor loses a centavo: <splits> of R$ <amount>
      Given the account has sent a cash-in with:
        | transaction.value | <amount>            |
        | splits            | <splits>, immediate |
      When a payer pays the charge
      Then the splits and the account's share add up to R$ <amount>
      And the splits are recorded for open point "rounding of <splits> of R$ <amount>"

      Examples:
        | amount | splits                    |
        | 0.01   | 50% and 50%               |
        | 10.00  | 33.33%, 33.33% and 33.34% |
        | 1.15   | 33.33%, 33.33% and 33.34% |
        | 0.07   | 10%                       |
