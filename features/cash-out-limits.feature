Feature: Limits of cash-outs
  Limits apply to each payment, to the daily total and to each payment at night. The
  specification does not say whether day and night follow São Paulo or UTC: a gateway may
  use either, consistently.
  Rules about the order are in cash-out.feature, rules about outcomes in
  cash-out-outcomes.feature.

  Background:
    Given an account with R$ 1000.00 available

  @cash-out.own-limits
  @OUT-080 @OUT-083 @OUT-086
  Rule: The account's limits are enforced
    If a payment exceeds several limits, the specification does not say which one the error
    names.

    Scenario Outline: One centavo above the <limit> limit
      Given the account has a <limit> limit
      When the account sends a cash-out one centavo above that limit
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED or PIX_DAILY_LIMIT_EXCEEDED or PIX_NIGHT_LIMIT_EXCEEDED
      And the available balance is unchanged

      Examples:
        | limit           |
        | per-transaction |
        | daily           |

    Scenario: One centavo above the night limit
      Given it is 22:00 in São Paulo
      And the account has a night limit
      When the account sends a cash-out one centavo above that limit
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED or PIX_DAILY_LIMIT_EXCEEDED or PIX_NIGHT_LIMIT_EXCEEDED
      And the available balance is unchanged

  @cash-out.transaction-limit
  @OUT-080 @OUT-081 @OUT-082
  Rule: A payment must not exceed the per-transaction limit

    Background:
      Given no limits
      And it is 12:00 in São Paulo

    Scenario: Above and below the limit, next to every choice
      Given no fees
      And a per-transaction limit of R$ 5.00
      When the account sends a cash-out of every shape for every pair of:
        | value  | description       | details.name    |
        | 5.01   | absent            | "Al"            |
        | 5.10   | "Pedido de teste" | "Fulano de Tal" |
        | 6      |                   |                 |
        | 500.00 |                   |                 |
      Then every request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      When the account sends a cash-out of every shape with value 4.99
      Then every request is accepted

    @open:the-limit-itself
    Scenario: Exactly at the limit
      Given no fees
      And a per-transaction limit of R$ 100.00
      When the account sends a cash-out of R$ 100.00
      Then the request should be accepted

    Scenario: A limit that changes
      Given no fees
      And a per-transaction limit of R$ 100.00
      And the account has sent a cash-out of R$ 99.99
      And a per-transaction limit of R$ 50.00
      When the account sends a cash-out with:
        | value            | 50.01                          |
        | details.key      | the account's details.key      |
        | details.keyType  | the account's details.keyType  |
        | details.document | the account's details.document |
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 99.99
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 49.99
      Then the request is accepted
      Given a per-transaction limit of R$ 200.00
      When the account sends a cash-out of R$ 199.99
      Then the request is accepted
      When the account sends a cash-out of R$ 200.01
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      Given no limits
      When the account sends a cash-out of R$ 200.01
      Then the request is accepted

    Scenario: Each account has its own limits
      Given no fees
      And another account with R$ 1000.00 available
      And a per-transaction limit of R$ 5.00
      When the other account sends a cash-out of R$ 5.01
      Then the request is accepted
      When the account sends a cash-out of R$ 5.01
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED

  @cash-out.daily-limit
  @OUT-083 @OUT-084 @OUT-085
  Rule: The payments of a day must not exceed the daily limit

    Background:
      Given a new account with R$ 1000.00 available
      And no limits
      And it is 12:00 in São Paulo

    Scenario: One payment above the limit
      Given a daily limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      And the available balance is unchanged

    Scenario: Two payments, each below the limit, together above it
      Given a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a cash-out of R$ 40.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      And the available balance is unchanged

    Scenario: A second payment that exceeds the limit, next to every choice
      Given no fees
      And a daily limit of R$ 6.00
      And the account has sent a cash-out of R$ 5.07
      When the account sends a cash-out of every shape for every pair of:
        | value  | description       | details.name    |
        | 0.94   | absent            | "Al"            |
        | 1      | "Pedido de teste" | "Fulano de Tal" |
        | 5.99   |                   |                 |
        | 500.00 |                   |                 |
      Then every request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of every shape with value 0.10
      Then every request is accepted

    @open:the-limit-itself
    Scenario: Exactly at the limit
      Given no fees
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a cash-out of R$ 40.00
      Then the request should be accepted

    Scenario: A rejected payment does not count
      Given no fees
      And a daily limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 99.99
      Then the request is accepted

    Scenario: What was rejected for another reason does not count
      Given a new account with exactly R$ 1000.00 available
      And no fees
      And no limits
      And it is 12:00 in São Paulo
      And a daily limit of R$ 1500.00
      When the account sends a cash-out of R$ 1200.00
      Then the request is rejected with 400 PIX_INSUFFICIENT_BALANCE
      When the account sends a cash-out with:
        | value       | 900.00 |
        | details.key | "none" |
      Then the request is rejected with 400
      When the account sends a cash-out of R$ 900.00
      Then the request is accepted
      When the account sends the request again
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      When the account sends a cash-out of R$ 90.00
      Then the request is accepted

    Scenario Outline: R$ 60.00 at <time>, and again <later> later
      Given it is <time> in São Paulo
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When <later> pass
      And the account sends a cash-out of R$ 60.00
      Then the request is accepted, or rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      And the response's status is recorded for open point "the day of a limit":
        | midnight in São Paulo | <São Paulo> |
        | midnight in UTC       | <UTC>       |
        | the last 24 hours     | <24 hours>  |

      Examples:
        | time  | later      | São Paulo | UTC | 24 hours |
        | 12:00 | 8 hours    | 400       | 400 | 400      |
        | 20:30 | 60 minutes | 400       | 201 | 400      |
        | 23:30 | 60 minutes | 201       | 400 | 400      |
        | 12:00 | 23 hours   | 201       | 201 | 400      |

    Scenario: A payment of two days ago that is rejected leaves no more for today
      Given no fees
      And settlement waits for the bank
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When 48 hours pass
      And the account sends a cash-out of R$ 60.00
      Then the request is accepted
      When the bank tries to reject the first payment with ORDER_REJECTED
      Then the available balance does not fall
      When the account sends a cash-out of R$ 60.00
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED

    Scenario Outline: The total of <day> has reset two days later
      Given it is noon on <day> of the next leap year in São Paulo
      And a daily limit of R$ 6.00
      And the account has sent a cash-out of R$ 4.00
      When the account sends a cash-out of R$ 2.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When 48 hours pass
      And the account sends a cash-out of R$ 4.00
      Then the request is accepted
      When the account sends a cash-out of R$ 2.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED

      Examples:
        | day         |
        | 27 February |
        | 28 February |
        | 30 April    |
        | 31 December |

    Scenario: The third and the eleventh payment count as the first does
      Given no fees
      And a daily limit of R$ 1.20
      And the account has sent 11 cash-outs of R$ 0.10
      When the account sends a cash-out of R$ 0.11
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 0.09
      Then the request is accepted
      When the account sends a cash-out of R$ 0.02
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED

    Scenario: A day on which the limit changes
      Given no fees
      And the key directory has a new e-mail key
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.07
      When the account sends the request again
      Then the request is rejected with 400
      When the account sends a cash-out with value 0.001
      Then the request is rejected with 400
      When the account sends a cash-out of R$ 39.94
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 39.92
      Then the request is accepted
      Given a daily limit of R$ 50.00
      When the account sends a cash-out of R$ 0.02
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      Given a daily limit of R$ 150.00
      When the account sends a cash-out of R$ 50.02
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 50.00
      Then the request is accepted
      When 72 hours pass
      And the account sends a cash-out of R$ 149.99
      Then the request is accepted
      When the account sends a cash-out of R$ 0.02
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED

    Scenario: Each of 40 days begins with a total of its own
      Given an account with R$ 10000.00 available
      And no fees
      And a daily limit of R$ 100.00
      When the account sends a cash-out of R$ 60.00 on each of 40 days
      Then the available balance falls by R$ 2400.00
      When the account sends a cash-out of R$ 40.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED

    Scenario: Settled and pending payments count
      Given no fees
      And settlement waits for the bank
      And the account receives cash_out webhooks
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 30.00
      And the bank confirms the payment
      And a CashOut event arrives
      And the account has sent a cash-out of R$ 30.00
      When the account sends a cash-out of R$ 40.01
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 39.99
      Then the request is accepted

    Scenario: Each account has its own total
      Given no fees
      And another account with R$ 1000.00 available
      And a daily limit of R$ 10.00
      And the other account has sent a cash-out of R$ 9.00
      When the account sends a cash-out of R$ 9.99
      Then the request is accepted
      When the other account sends a cash-out of R$ 9.00
      Then the request is accepted
      When the account sends a cash-out of R$ 0.02
      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED

    Scenario: Concurrent payments do not exceed the limit
      Given a daily limit of R$ 100.00
      When the account sends 8 concurrent cash-outs of R$ 40.00
      Then at most 2 requests are accepted
      And the others are rejected with 400 PIX_DAILY_LIMIT_EXCEEDED
      And the available balance falls by R$ 40.00 per accepted request

  @cash-out.night-limit
  @OUT-086 @OUT-087 @OUT-088 @OUT-089 @OUT-090
  Rule: A reduced limit applies between 20:00 and 06:00, in São Paulo or in UTC

    Background:
      Given no limits
      And it is 12:00 in São Paulo

    Scenario: Above the limit at night
      Given it is 22:00 in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then the request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED
      And the available balance is unchanged

    @open:the-limit-itself
    Scenario: Exactly at the limit at night
      Given no fees
      And it is 22:00 in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.00
      Then the request should be accepted

    Scenario Outline: The night of <day>, in a week with a leap day and the end of a month
      Given no fees
      And it is noon on <day> of the next leap year in São Paulo
      And a night limit of R$ 5.00
      When the account sends a cash-out of R$ 5.01
      Then the request is accepted
      When 10 hours pass
      And the account sends a cash-out of every shape for every pair of:
        | value | description       |
        | 5.01  | absent            |
        | 5.10  | "Pedido de teste" |
      Then every request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 4.99
      Then the request is accepted
      When 4 hours pass
      And the account sends a cash-out of R$ 5.01
      Then the request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED
      When 8 hours pass
      And the account sends a cash-out of R$ 5.01
      Then the request is accepted

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

    Scenario: Through a day and a night, with changes of both limits
      Given no fees
      And a per-transaction limit of R$ 80.00
      And a night limit of R$ 50.00
      When the account sends a cash-out of R$ 79.99
      Then the request is accepted
      When the account sends a cash-out of R$ 80.01
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      When it is 22:00 in São Paulo
      And the account sends a cash-out of R$ 50.01
      Then the request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 49.99
      Then the request is accepted
      Given a night limit of R$ 20.00
      When the account sends a cash-out of R$ 20.01
      Then the request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 19.99
      Then the request is accepted
      Given a per-transaction limit of R$ 10.00
      When the account sends a cash-out of R$ 10.01
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      When 14 hours pass
      And the account sends a cash-out of R$ 10.01
      Then the request is rejected with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      Given a per-transaction limit of R$ 80.00
      When the account sends a cash-out of R$ 20.01
      Then the request is accepted
      When 12 hours pass
      And the account sends a cash-out of R$ 20.01
      Then the request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED

    Scenario Outline: <time> in São Paulo is night in both zones
      Given it is <time> in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then the request is rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED

      Examples:
        | time  |
        | 20:01 |
        | 23:59 |
        | 00:01 |
        | 02:59 |

    Scenario Outline: <time> in São Paulo is day in both zones
      Given it is <time> in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then the request is accepted

      Examples:
        | time  |
        | 06:01 |
        | 16:59 |

    Scenario Outline: <time> in São Paulo is night in only one zone
      Given it is <time> in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then the request is accepted, or rejected with 400 PIX_NIGHT_LIMIT_EXCEEDED
      And the response's status is recorded for open point "the zone of the night":
        | São Paulo | <São Paulo> |
        | UTC       | <UTC>       |

      Examples:
        | time  | São Paulo | UTC |
        | 03:01 | 400       | 201 |
        | 05:59 | 400       | 201 |
        | 17:01 | 201       | 400 |
        | 19:59 | 201       | 400 |

  @cash-out.limits-of-qr
  @OQR-049
  Rule: The limits should apply to QR cash-outs too
    The specification does not say which limits apply to QR cash-outs: exceeding them is only
    a warning.

    Background:
      Given no limits
      And it is 12:00 in São Paulo

    @open:the-limits-of-a-QR-cash-out
    Scenario: Above the per-transaction limit
      Given a per-transaction limit of R$ 50.00
      When the account sends a QR cash-out of R$ 50.01
      Then the request should be rejected with 400

    Scenario: Below the per-transaction limit
      Given no fees
      And a per-transaction limit of R$ 50.00
      When the account sends a QR cash-out of R$ 49.99
      Then the request is accepted

    @open:the-limits-of-a-QR-cash-out
    Scenario: Above the daily limit, together with a cash-out to a key
      Given a new account with R$ 1000.00 available
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a QR cash-out of R$ 40.01
      Then the request should be rejected with 400
