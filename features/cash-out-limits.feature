Feature: Limits of cash-outs
  A limit applies to each payment, to the total of a day and to each payment at night. The
  specification does not say whether days and nights are those of São Paulo or of UTC: a
  gateway may choose, but only once.

  Background:
    Given an account with R$ 1000.00 available

  @cash-out.own-limits
  @OUT-080 @OUT-083 @OUT-086
  Rule: The account's limits are enforced
    Which of several limits a refusal names is left open.

    Scenario Outline: One centavo above its <limit> limit
      Given the account has a <limit> limit of its own
      When the account sends a cash-out of a centavo more than that
      Then it is refused with 400 PIX_TRANSACTION_LIMIT_EXCEEDED or PIX_DAILY_LIMIT_EXCEEDED or PIX_NIGHT_LIMIT_EXCEEDED
      And available is unchanged

      Examples:
        | limit           |
        | per-transaction |
        | daily           |

    Scenario: One centavo above its night limit
      Given it is 22:00 in São Paulo
      And the account has a night limit of its own
      When the account sends a cash-out of a centavo more than that
      Then it is refused with 400 PIX_TRANSACTION_LIMIT_EXCEEDED or PIX_DAILY_LIMIT_EXCEEDED or PIX_NIGHT_LIMIT_EXCEEDED
      And available is unchanged

  @cash-out.transaction-limit
  @OUT-080 @OUT-081 @OUT-082
  Rule: A payment stays within the per-transaction limit

    Background:
      Given no limits
      And it is 12:00 in São Paulo

    Scenario: Above it
      Given a per-transaction limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is refused with 400 PIX_TRANSACTION_LIMIT_EXCEEDED
      And available is unchanged

    Scenario: Below it
      Given no fees
      And a per-transaction limit of R$ 100.00
      When the account sends a cash-out of R$ 99.99
      Then it is accepted

    @open:the-limit-itself
    Scenario: Exactly at it
      Given no fees
      And a per-transaction limit of R$ 100.00
      When the account sends a cash-out of R$ 100.00
      Then it should be accepted

  @cash-out.daily-limit
  @OUT-083 @OUT-084 @OUT-085
  Rule: The payments of a day together stay within the daily limit

    Background:
      Given a new account with R$ 1000.00 available
      And no limits
      And it is 12:00 in São Paulo

    Scenario: One payment above it
      Given a daily limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is refused with 400 PIX_DAILY_LIMIT_EXCEEDED
      And available is unchanged

    Scenario: Two payments, each below it and together above it
      Given a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a cash-out of R$ 40.01
      Then it is refused with 400 PIX_DAILY_LIMIT_EXCEEDED
      And available is unchanged

    Scenario: Two payments, together below it
      Given no fees
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a cash-out of R$ 39.99
      Then it is accepted

    @open:the-limit-itself
    Scenario: Exactly at it
      Given no fees
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a cash-out of R$ 40.00
      Then it should be accepted

    Scenario: A refused payment does not count
      Given no fees
      And a daily limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is refused with 400 PIX_DAILY_LIMIT_EXCEEDED
      When the account sends a cash-out of R$ 99.99
      Then it is accepted

    Scenario Outline: R$ 60.00 at <time>, and again <later> later
      Given it is <time> in São Paulo
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When <later> pass
      And the account sends a cash-out of R$ 60.00
      Then it is accepted, or refused with 400 PIX_DAILY_LIMIT_EXCEEDED
      And its status is noted as "the day of a limit":
        | midnight in São Paulo | <São Paulo> |
        | midnight in UTC       | <UTC>       |
        | the last 24 hours     | <24 hours>  |

      Examples:
        | time  | later      | São Paulo | UTC | 24 hours |
        | 12:00 | 8 hours    | 400       | 400 | 400      |
        | 20:30 | 60 minutes | 400       | 201 | 400      |
        | 23:30 | 60 minutes | 201       | 400 | 400      |
        | 12:00 | 23 hours   | 201       | 201 | 400      |

    Scenario: Two days later it starts anew
      Given a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When 48 hours pass
      And the account sends a cash-out of R$ 60.00
      Then it is accepted

    Scenario: Payments at once do not exceed it
      Given a daily limit of R$ 100.00
      When the account sends 8 cash-outs of R$ 40.00 at once
      Then at most 2 are accepted
      And the others are refused with 400 PIX_DAILY_LIMIT_EXCEEDED
      And available falls by R$ 40.00 for each accepted

  @cash-out.night-limit
  @OUT-086 @OUT-087 @OUT-088 @OUT-089 @OUT-090
  Rule: Between 20:00 and 06:00, of São Paulo or of UTC, a reduced limit applies

    Background:
      Given no limits
      And it is 12:00 in São Paulo

    Scenario: Above it at night
      Given it is 22:00 in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is refused with 400 PIX_NIGHT_LIMIT_EXCEEDED
      And available is unchanged

    Scenario: Below it at night
      Given no fees
      And it is 22:00 in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 99.99
      Then it is accepted

    @open:the-limit-itself
    Scenario: Exactly at it at night
      Given no fees
      And it is 22:00 in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.00
      Then it should be accepted

    Scenario: Above it by day
      Given a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is accepted

    Scenario Outline: <time> in São Paulo is night there and in UTC
      Given it is <time> in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is refused with 400 PIX_NIGHT_LIMIT_EXCEEDED

      Examples:
        | time  |
        | 20:01 |
        | 23:59 |
        | 00:01 |
        | 02:59 |

    Scenario Outline: <time> in São Paulo is day there and in UTC
      Given it is <time> in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is accepted

      Examples:
        | time  |
        | 06:01 |
        | 16:59 |

    Scenario Outline: <time> in São Paulo is night either there or in UTC
      Given it is <time> in São Paulo
      And a night limit of R$ 100.00
      When the account sends a cash-out of R$ 100.01
      Then it is accepted, or refused with 400 PIX_NIGHT_LIMIT_EXCEEDED
      And its status is noted as "the zone of the night":
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
  Rule: The limits should bound cash-outs to a QR Code too
    Which limits bound them is not said outright: to take more is a warning.

    Background:
      Given no limits
      And it is 12:00 in São Paulo

    @open:the-limits-of-a-QR-cash-out
    Scenario: Above the limit of a payment
      Given a per-transaction limit of R$ 50.00
      When the account sends a QR cash-out of R$ 50.01
      Then it should be refused with 400

    Scenario: Within it
      Given no fees
      And a per-transaction limit of R$ 50.00
      When the account sends a QR cash-out of R$ 49.99
      Then it is accepted

    @open:the-limits-of-a-QR-cash-out
    Scenario: Together with cash-outs to a key above the limit of a day
      Given a new account with R$ 1000.00 available
      And a daily limit of R$ 100.00
      And the account has sent a cash-out of R$ 60.00
      When the account sends a QR cash-out of R$ 40.01
      Then it should be refused with 400
