Feature: Lists of transactions
  GET /api/transactions lists the account's transactions, and
  GET /api/pix/transactions/pix-key/{pixKey} those of one key. Both use the same filters and
  paging.
  How they show each transaction is in listed.feature.

  Background:
    Given an account with R$ 100.00 available

  @lists.answer
  @GEN-001 @LPK-001 @LPK-008 @LPK-011 @LPK-034 @LPK-035 @LPK-036 @LPK-037 @LPK-038 @LPK-039 @LTX-001
  @LTX-004 @LTX-005 @LTX-027 @LTX-028 @LTX-029
  Rule: A list returns a page of data with metadata

    Scenario Outline: The response to a <list>
      Given the gateway returns sent payments for a <list>
      And the account has sent a cash-out of R$ 10.00
      When the account sends a <list>
      Then the request is accepted with 200
      And the response has:
        | data                 | an array  |
        | metadata.page        | 1         |
        | metadata.size        | 20        |
        | metadata.total       | a number  |
        | metadata.totalPages  | a number  |
        | metadata.hasNext     | a boolean |
        | metadata.hasPrevious | false     |
      And the list contains the payment
      And the metadata is consistent

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: An account without transactions: <list>
      Given a new account
      When the account sends a <list>
      Then the request is accepted with 200
      And the response has:
        | data             | empty |
        | metadata.total   | 0     |
        | metadata.hasNext | false |

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

  @lists.size
  @LPK-012 @LPK-013 @LPK-014 @LTX-002 @LTX-003
  Rule: A page has 20 transactions by default and at most 100, or 1000 by key

    Scenario Outline: size <size> of a <list> is accepted
      When the account sends a <list> with query size <size>
      Then the request is accepted
      And the response has:
        | metadata.size | <size> |

      Examples:
        | list                     | size |
        | transaction list request | 1    |
        | transaction list request | 100  |
        | list-by-key request      | 1    |
        | list-by-key request      | 1000 |

    Scenario Outline: A size that is too large or no number, next to every page and status: <list>
      When the account sends a <list> for every pair of:
        | query size        | query page | query status |
        | 1                 | absent     | absent       |
        | wrong: <too many> | 1          | CONFIRMED    |
        | wrong: abc        | 2          |              |
      Then every request is rejected with 400

      Examples:
        | list                     | too many |
        | transaction list request | 101      |
        | list-by-key request      | 1001     |

  @lists.page
  @LPK-009 @LPK-010 @LPK-039 @LPK-040 @LPK-041 @LTX-006 @LTX-029 @LTX-030
  Rule: Pages are numbered from 1

    Scenario Outline: page <page> of a <list> is rejected
      When the account sends a <list> with query page <page>
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                                     |
        | code       | a non-empty string                      |
        | message    | a non-empty string or a list of strings |
        | errorId    | a non-empty string                      |

      Examples:
        | list                     | page |
        | transaction list request | 0    |
        | transaction list request | abc  |
        | list-by-key request      | 0    |
        | list-by-key request      | abc  |

    Scenario Outline: Page <page> of a <list>
      Given a new account with R$ 100.00 available
      And the gateway returns sent payments for a <list>
      And the account has sent 3 cash-outs of R$ 1.00 to one key
      When the account sends a <list> with:
        | query page | <page> |
        | query size | 1      |
      Then the request is accepted
      And the response has:
        | data                 | 1 item   |
        | metadata.page        | <page>   |
        | metadata.size        | 1        |
        | metadata.total       | 3        |
        | metadata.totalPages  | 3        |
        | metadata.hasNext     | <next>   |
        | metadata.hasPrevious | <before> |

      Examples:
        | list                     | page | next  | before |
        | transaction list request | 1    | true  | false  |
        | transaction list request | 2    | true  | true   |
        | transaction list request | 3    | false | true   |
        | list-by-key request      | 1    | true  | false  |
        | list-by-key request      | 2    | true  | true   |
        | list-by-key request      | 3    | false | true   |

    Scenario: 101 transactions on one page of a list-by-key request
      Given a new account with R$ 100.00 available
      And the gateway returns sent payments for a list-by-key request
      And no fees
      And no limits
      And the account has sent 101 cash-outs of R$ 0.07 to one key
      And the payment is listed once
      When the account sends a list-by-key request with query size 1000
      Then the request is accepted
      And the response has:
        | data                | 101 items |
        | metadata.total      | 101       |
        | metadata.totalPages | 1         |

    Scenario Outline: No transaction of a <list> appears on two of twelve pages
      Given a new account with R$ 100.00 available
      And the gateway returns sent payments for a <list>
      And settlement waits for the bank
      And the account has sent 12 cash-outs of R$ 1.00 to one key
      And the payment is listed once
      When the account pages through a <list>, 1 items per page
      Then no item appears twice
      And 12 items are returned

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: No transaction is missing while new payments are sent: <list>
      Given a new account with R$ 100.00 available
      And the gateway returns sent payments for a <list>
      And settlement waits for the bank
      And the account has sent 5 cash-outs of R$ 1.00 to one key
      And the payment is listed once
      When the account pages through a <list>, 2 items per page, sending a cash-out after each page
      Then none of the first 5 payments is missing

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

  @lists.status
  @LPK-015 @LPK-016 @LPK-017 @LTX-014 @LTX-015 @LTX-016
  Rule: status filters by state

    Background:
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out
      And the bank rejects the payment with ORDER_REJECTED
      And the payment is listed with:
        | status | "Error" |
      And the account has sent a cash-out with details.key the payee's key
      And the bank confirms the payment
      And the payment is listed with:
        | status | "Confirmado" |
      And the account has sent a cash-out with details.key the payee's key
      And the payment is listed once

    Scenario Outline: A <list> for status <status>
      Given the gateway returns sent payments for a <list>
      When the account sends a <list> with query status <status>
      Then the request is accepted
      And the list contains the <which> payment
      And each item has:
        | status | "<label>" |
      And the response has:
        | metadata.total | 1 |

      Examples:
        | list                     | status    | which  | label      |
        | transaction list request | PENDING   | third  | Pendente   |
        | transaction list request | CONFIRMED | second | Confirmado |
        | transaction list request | ERROR     | first  | Error      |
        | list-by-key request      | PENDING   | third  | Pendente   |
        | list-by-key request      | CONFIRMED | second | Confirmado |
        | list-by-key request      | ERROR     | first  | Error      |

  @lists.type
  @LPK-020 @LPK-021 @LPK-022 @LTX-018 @LTX-019 @LTX-021 @LTX-036 @LTX-055 @LTX-056 @LTX-058 @LTX-059
  @LTX-060 @LTX-061
  Rule: type filters by kind of transaction

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has received R$ 10.00 through a cash-in
      And the account has sent a cash-out of R$ 5.00
      And the bank confirms the payment
      And a CashOut event arrives
      And the payee returns R$ 2.00
      And a refund_out event arrives
      And the payee returns R$ 1.00
      And the refund_out event arrives again

    Scenario Outline: Type <type>
      When the account sends a transaction list request with query type <type>
      Then the request is accepted
      And the response has:
        | data | at least 1 item |
      And each item has:
        | operationType | "<label>"    |
        | movementType  | "<movement>" |

      Examples:
        | type       | label      | movement |
        | PAYMENT    | Pix in     | CREDIT   |
        | WITHDRAW   | Pix out    | DEBIT    |
        | REFUND_OUT | Refund out | CREDIT   |

    Scenario Outline: Type <type>, by key
      When the account sends a list-by-key request with:
        | path pixKey | <key>  |
        | query type  | <type> |
      Then the request is accepted
      And each item, if any, has:
        | operationType | "<label>"    |
        | movementType  | "<movement>" |

      Examples:
        | type       | key               | label      | movement |
        | PAYMENT    | the account's key | Pix in     | CREDIT   |
        | WITHDRAW   | the payee's key   | Pix out    | DEBIT    |
        | REFUND_IN  | the account's key | Refund in  | DEBIT    |
        | REFUND_OUT | the payee's key   | Refund out | CREDIT   |

  @lists.refund-in
  @LPK-021 @LTX-020 @LTX-057 @LTX-062
  Rule: A refund that the account sends is a DEBIT

    Scenario: In the transaction list
      Given the account has received R$ 10.00 through a cob
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 4.00
      And a refund_in event arrives
      When the account sends a transaction list request with query type REFUND_IN
      Then the request is accepted
      And each item, if any, has:
        | operationType | "Refund in" |
        | movementType  | "DEBIT"     |

    Scenario: In the list by key
      Given the account has received R$ 10.00 through a cob
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 4.00
      And a refund_in event arrives
      When the account sends a list-by-key request with:
        | path pixKey | the account's key |
        | query type  | REFUND_IN         |
      Then the request is accepted
      And each item, if any, has:
        | operationType | "Refund in" |
        | movementType  | "DEBIT"     |

  @lists.enums
  @LPK-018 @LPK-023 @LTX-017 @LTX-022
  Rule: An unknown status or type is rejected with 400

    Scenario Outline: An unknown status or type of a <list>, next to every other and every page
      When the account sends a <list> for every pair of:
        | query status      | query type    | query page | query externalId |
        | absent            | absent        | absent     | absent           |
        | CONFIRMED         | WITHDRAW      | 2          | no-such-order    |
        | wrong: FOO        | wrong: FOO    |            |                  |
        | wrong: Pendente   | wrong: Pix in |            |                  |
        | wrong: Confirmado |               |            |                  |
      Then every request is rejected with 400

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

  @lists.combined
  @LPK-009 @LPK-010 @LPK-013 @LPK-014 @LPK-018 @LPK-023 @LPK-028 @LPK-031 @LTX-002 @LTX-003 @LTX-006 @LTX-009
  @LTX-011 @LTX-017 @LTX-022 @LTX-023 @LTX-025
  Rule: Filters, dates and pages can be combined; one wrong value among them is rejected with 400

    Scenario: Every pair of values of a transaction list request, eight at the same instant
      Given the account has sent a cash-out of R$ 1.00
      When the account sends concurrent transaction list requests for every pair of:
        | query status | query type | query externalId         | query endToEndId       | query page | query size | query startDate      | query endDate |
        | absent       | absent     | absent                   | absent                 | absent     | absent     | absent               | absent        |
        | PENDING      | PAYMENT    | the account's externalId | a random end-to-end id | 1          | 1          | 3 days ago           | now           |
        | CONFIRMED    | WITHDRAW   | no-such-order            |                        |            | 7          | the date 29 days ago | today's date  |
        | ERROR        | REFUND_IN  |                          |                        |            | 100        |                      |               |
        |              | REFUND_OUT |                          |                        |            |            |                      |               |
      Then every request is accepted

    Scenario: Every pair of values of a list-by-key request, eight at the same instant
      Given the account has sent a cash-out of R$ 1.00
      When the account sends concurrent list-by-key requests for every pair of:
        | path pixKey                          | query status | query type | query page | query size | query startDate      | query endDate |
        | the payee's key                      | absent       | absent     | absent     | absent     | absent               | absent        |
        | 52998224725                          | PENDING      | PAYMENT    | 1          | 1          | 3 days ago           | now           |
        | 11222333000181                       | CONFIRMED    | WITHDRAW   |            | 7          | the date 29 days ago | today's date  |
        | +5511987654321                       | ERROR        | REFUND_IN  |            | 1000       |                      |               |
        | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |              | REFUND_OUT |            |            |                      |               |
      Then every request is accepted

    Scenario: One wrong value of a transaction list request, next to every other value
      When the account sends a transaction list request for every pair of:
        | query status         | query type         | query externalId | query endToEndId       | query page  | query size                  | query startDate             | query endDate               |
        | absent               | absent             | absent           | absent                 | absent      | absent                      | absent                      | absent                      |
        | PENDING              | PAYMENT            | no-such-order    | a random end-to-end id | 1           | 1                           | 3 days ago                  | now                         |
        | CONFIRMED            | WITHDRAW           |                  |                        | 2           | 100                         | the date 29 days ago        | today's date                |
        | ERROR                | REFUND_IN          |                  |                        | 1000        |                             |                             |                             |
        | wrong: FOO           | REFUND_OUT         |                  |                        | wrong: 0    | wrong: 101                  | wrong: foo                  | wrong: foo                  |
        | wrong: Pendente      | wrong: FOO         |                  |                        | wrong: -1   | wrong: 1000                 | wrong: 2026-13-01           | wrong: 2026-13-01           |
        | wrong: CONFIRMED2    | wrong: Pix in      |                  |                        | wrong: abc  | wrong: abc                  | wrong: 2026-02-30           | wrong: 2026-02-30           |
        | wrong: *             | wrong: CASH_OUT    |                  |                        | wrong: 1.5  | wrong: 99999999999999999999 | wrong: the date 34 days ago |                             |
        | wrong: constructor   | wrong: constructor |                  |                        | wrong: 1abc | wrong: 18446744073709551617 | wrong: 2026-02-29           | wrong: 2026-02-29           |
        | wrong: CONFIRMED,FOO | wrong: PAYMENT,FOO |                  |                        | wrong: abc1 | wrong: 4294967396           | wrong: 2026-03-01T25:00:00Z | wrong: 2026-03-01T25:00:00Z |
        | wrong: CONFIRME      | wrong: WITHDRAWAL  |                  |                        |             | wrong: 20.5                 | wrong: 2026-00-10           | wrong: 2026-00-10           |
      Then every request is rejected with 400

    Scenario: One wrong value of a list-by-key request, next to every other value
      When the account sends a list-by-key request for every pair of:
        | path pixKey                          | query status         | query type         | query page  | query size                  | query startDate             | query endDate               |
        | 52998224725                          | absent               | absent             | absent      | absent                      | absent                      | absent                      |
        | 11222333000181                       | PENDING              | PAYMENT            | 1           | 1                           | 3 days ago                  | now                         |
        | +5511987654321                       | CONFIRMED            | WITHDRAW           | 2           | 1000                        | the date 29 days ago        | today's date                |
        | payee@example.com                    | ERROR                | REFUND_IN          | 1000        | wrong: 1001                 | wrong: foo                  | wrong: foo                  |
        | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 | wrong: FOO           | REFUND_OUT         | wrong: 0    | wrong: abc                  | wrong: 2026-13-01           | wrong: 2026-13-01           |
        |                                      | wrong: Pendente      | wrong: FOO         | wrong: -1   | wrong: 99999999999999999999 | wrong: 2026-02-30           | wrong: 2026-02-30           |
        |                                      | wrong: CONFIRMED2    | wrong: Pix in      | wrong: abc  |                             | wrong: the date 34 days ago |                             |
        |                                      | wrong: *             | wrong: CASH_OUT    | wrong: 1.5  | wrong: 18446744073709551617 | wrong: 2026-02-29           | wrong: 2026-02-29           |
        |                                      | wrong: constructor   | wrong: constructor | wrong: 1abc | wrong: 4294968296           | wrong: 2026-03-01T25:00:00Z | wrong: 2026-03-01T25:00:00Z |
        |                                      | wrong: CONFIRMED,FOO | wrong: PAYMENT,FOO | wrong: abc1 | wrong: 20.5                 | wrong: 2026-00-10           | wrong: 2026-00-10           |
        |                                      | wrong: CONFIRME      | wrong: WITHDRAWAL  |             | wrong: 20abc                |                             |                             |
      Then every request is rejected with 400

  @lists.dates
  @LPK-026 @LPK-027 @LPK-028 @LTX-012 @LTX-013 @LTX-023
  Rule: startDate and endDate filter by creation time

    Background:
      Given the account has sent a cash-out of R$ 10.00

    Scenario Outline: Created between the two: <list>
      Given the gateway returns sent payments for a <list>
      When 2 hours pass
      And the account sends a <list> with:
        | query startDate | 3 hours ago |
        | query endDate   | 1 hour ago  |
      Then the request is accepted
      And the list contains the payment

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: Dates without a time: <list>
      Given the gateway returns sent payments for a <list>
      When 3 days pass
      And the account sends a <list> with:
        | query startDate | the date 6 days ago |
        | query endDate   | the date 1 day ago  |
      Then the request is accepted
      And the list contains the payment

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: Dates without a time, at the end of a month or year: a payment of <day>, <list>
      Given it is noon on <day> of the next leap year in São Paulo
      And the gateway returns sent payments for a <list>
      And the account has sent a cash-out of R$ 10.00
      When 3 days pass
      And the account sends a <list> with:
        | query startDate | the date 3 days ago |
        | query endDate   | the date 2 days ago |
      Then the request is accepted
      And the list contains the payment

      Examples:
        | list                     | day         |
        | transaction list request | 28 February |
        | transaction list request | 29 February |
        | transaction list request | 30 April    |
        | transaction list request | 31 December |
        | list-by-key request      | 28 February |
        | list-by-key request      | 29 February |
        | list-by-key request      | 30 April    |
        | list-by-key request      | 31 December |

    Scenario Outline: Created before startDate: <list>
      When 2 hours pass
      And the account sends a <list> with:
        | query startDate | 1 hour ago |
        | query endDate   | now        |
      Then the request is accepted
      And the list does not contain the payment

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: Created after endDate: <list>
      When the account sends a <list> with:
        | query startDate | 2 hours ago |
        | query endDate   | 1 hour ago  |
      Then the request is accepted
      And the list does not contain the payment

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: A time with an offset from UTC, if the gateway accepts one: <list>
      Given a new account with R$ 100.00 available
      And the gateway returns sent payments for a <list>
      And the account has sent a cash-out of R$ 10.00
      When 12 hours pass
      And the account sends a <list> with:
        | query startDate | 13 hours ago at UTC+05:30 |
        | query endDate   | 11 hours ago at UTC-03:00 |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "a date filter with an offset from UTC"
      And if the request was accepted, the response has:
        | data | 1 item |
      When the account sends a <list> with:
        | query startDate | 11 hours ago at UTC-03:00 |
        | query endDate   | now                       |
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the response has:
        | data | empty |

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: A malformed date of a <list>, next to every page and status
      When the account sends a <list> for every pair of:
        | query startDate             | query endDate               | query page | query status |
        | absent                      | absent                      | absent     | absent       |
        | 3 days ago                  | now                         | 2          | CONFIRMED    |
        | wrong: foo                  | wrong: foo                  |            |              |
        | wrong: 2026-13-01           | wrong: 2026-13-01           |            |              |
        | wrong: 2026-00-10           | wrong: 2026-00-10           |            |              |
        | wrong: 2026-03-00           | wrong: 2026-03-00           |            |              |
        | wrong: 2026-04-31           | wrong: 2026-04-31           |            |              |
        | wrong: 2027-02-29           | wrong: 2027-02-29           |            |              |
        | wrong: 2100-02-29           | wrong: 2100-02-29           |            |              |
        | wrong: 2026-03-01x          | wrong: 2026-03-01x          |            |              |
        | wrong: 01/03/2026           | wrong: 01/03/2026           |            |              |
        | wrong: 2026-03-01T25:00:00Z | wrong: 2026-03-01T25:00:00Z |            |              |
        | wrong: 2026-03-01T12:60:00Z | wrong: 2026-03-01T12:60:00Z |            |              |
      Then every request is rejected with 400

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

  @lists.interval
  @LPK-029 @LPK-030 @LPK-031 @LPK-032 @LTX-013 @LTX-024 @LTX-025 @LTX-026
  Rule: The interval is at most 31 days, counted consistently

    Scenario Outline: From <start> to now: <list>
      When the account sends a <list> with:
        | query startDate | <start> |
        | query endDate   | now     |
      Then the request is accepted

      Examples:
        | list                     | start       |
        | transaction list request | 30 days ago |
        | list-by-key request      | 30 days ago |

    Scenario Outline: 30 days that end on <day> of a leap year: <list>
      Given it is noon on <day> of the next leap year in São Paulo
      When the account sends a <list> with:
        | query startDate | 30 days ago |
        | query endDate   | now         |
      Then the request is accepted
      When the account sends a <list> with:
        | query startDate | the date 30 days ago |
        | query endDate   | today's date         |
      Then the request is accepted

      Examples:
        | list                     | day        |
        | transaction list request | 10 January |
        | transaction list request | 2 March    |
        | list-by-key request      | 10 January |
        | list-by-key request      | 2 March    |

    Scenario Outline: More than 31 days, over the end of a year and over February: <list>
      When the account sends a <list> for every pair of:
        | query startDate      | query endDate        | query status |
        | 2024-12-15           | 2025-01-20           | absent       |
        | 2024-12-15T12:00:00Z | 2025-02-01T12:00:00Z | CONFIRMED    |
        | 2024-01-10           |                      |              |
      Then every request is rejected with 400
      When the account sends a <list> for every pair of:
        | query startDate      | query endDate        | query status |
        | 2025-02-01           | 2025-03-06           | absent       |
        | 2025-01-30T12:00:00Z | 2025-03-31T12:00:00Z | CONFIRMED    |
        | 2024-02-20           |                      |              |
      Then every request is rejected with 400

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario Outline: From <start> to now is rejected: <list>
      When the account sends a <list> with:
        | query startDate | <start> |
        | query endDate   | now     |
      Then the request is rejected with 400

      Examples:
        | list                     | start       |
        | transaction list request | 33 days ago |
        | list-by-key request      | 33 days ago |

    Scenario Outline: Exactly <days> days: <list>
      When the account sends a <list> with:
        | query startDate | <days> days ago |
        | query endDate   | now             |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "the 31 days of a <list>":
        | 31 times 24 hours                    | <hours>   |
        | 31 dates, the first and last of them | <dates>   |
        | 31 dates between the first and last  | <between> |

      Examples:
        | list                     | days | hours | dates | between |
        | transaction list request | 31   | 200   | 400   | 200     |
        | transaction list request | 32   | 400   | 400   | 200     |
        | list-by-key request      | 31   | 200   | 400   | 200     |
        | list-by-key request      | 32   | 400   | 400   | 200     |

    Scenario Outline: From 40 days ago, without an endDate: <list>
      When the account sends a <list> with query startDate 40 days ago
      Then the request is rejected with 400

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

  @lists.default-window
  @LPK-024 @LPK-025 @LTX-007 @LTX-008
  Rule: By default a list covers the last 31 days, or 30 by key

    Scenario Outline: A payment made <days> ago: <list>
      Given the gateway returns sent payments for a <list>
      And it is noon on 2 February of the next leap year in São Paulo
      And the account has sent a cash-out of R$ 10.00
      When <hours> hours pass
      And the account sends a <list>
      Then the request is accepted
      And the list <contains> the payment

      Examples:
        | list                     | days      | hours | contains         |
        | transaction list request | 30.2 days | 724   | contains         |
        | transaction list request | 33 days   | 792   | does not contain |
        | list-by-key request      | 29 days   | 698   | contains         |
        | list-by-key request      | 30.5 days | 734   | does not contain |

    Scenario Outline: A payment made just after midnight in <zone>, the night after <day>: <list>
      Given the gateway returns sent payments for a <list>
      And it is noon on <day> of the next leap year in São Paulo
      When <minutes> minutes pass
      And the account sends a cash-out of R$ 10.00
      And the account sends a <list>
      Then the request is accepted
      And the list contains the payment

      Examples:
        | list                     | day         | zone      | minutes |
        | transaction list request | 30 April    | UTC       | 550     |
        | transaction list request | 31 December | UTC       | 550     |
        | transaction list request | 30 April    | São Paulo | 730     |
        | transaction list request | 31 December | São Paulo | 730     |
        | list-by-key request      | 30 April    | UTC       | 550     |
        | list-by-key request      | 31 December | São Paulo | 730     |

    Scenario Outline: A payment made just now: <list>
      Given the gateway returns sent payments for a <list>
      And the account has sent a cash-out of R$ 10.00
      When the account sends a <list> with query startDate 1 hour ago
      Then the request is accepted
      And the list contains the payment

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

  @lists.own-account
  @AUTH-011 @LTX-031
  Rule: An account sees only its own transactions

    Scenario: Another account's cash-out
      Given a new account with R$ 100.00 available
      And another new account
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a transaction list request
      Then the request is accepted
      And the response has:
        | data | empty |

    Scenario Outline: Two accounts at the same instant, each with its own payments to one key: <list>
      Given a new account with R$ 100.00 available
      And another new account with R$ 100.00 available
      And the account has sent a cash-out with details.key the payee's key
      And the other account has sent a cash-out with details.key the payee's key
      When the account sends concurrent <list>s for every pair of:
        | account           | query page | query size |
        | the account       | absent     | absent     |
        | the other account | 1          | 7          |
        |                   |            | 20         |
      Then every request is accepted

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario: Another account's cash-out, by its externalId
      Given another account
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a transaction list request with query externalId the account's externalId
      Then the request is accepted
      And the response has:
        | data | empty |

    Scenario: Another account's cash-out, by its key
      Given another account
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a list-by-key request with path pixKey the account's details.key
      Then the request is accepted
      And the response has:
        | data | empty |

  @lists.external-id
  @LTX-009 @LTX-010
  Rule: externalId finds one transaction

    Scenario: One of three payments
      Given the account has sent 3 cash-outs of R$ 1.00 to one key
      When the account sends a transaction list request with query externalId the account's externalId
      Then the request is accepted
      And the response has:
        | data           | 1 item |
        | metadata.total | 1      |
      And the list contains the third payment

    Scenario: Nearly its externalId finds nothing, next to every status, type and date
      Given the account has sent a cash-out with externalId a random string of 20 letters and digits
      And the payment is listed once
      When the account sends a transaction list request for every pair of:
        | query externalId                                    | query status | query type | query startDate | query page |
        | the account's externalId with the case swapped      | absent       | absent     | absent          | absent     |
        | the account's externalId without the last character | PENDING      | WITHDRAW   | 3 days ago      | 1          |
        | the account's externalId plus one letter            | CONFIRMED    |            |                 |            |
        | null                                                |              |            |                 |            |
        | constructor                                         |              |            |                 |            |
      Then every request is accepted
      When the account sends a transaction list request for every pair of:
        | query externalId | query type |
        | %                | absent     |
        | _                | WITHDRAW   |
        | *                |            |
        | .*               |            |
        | ' OR '1'='1      |            |
      Then every request is accepted, or rejected with 400

    Scenario: No match
      Given the account has sent a cash-out of R$ 10.00
      When the account sends a transaction list request with query externalId no-such-order
      Then the request is accepted
      And the response has:
        | data           | empty |
        | metadata.total | 0     |

  @lists.end-to-end-id
  @LTX-011
  Rule: endToEndId finds one transaction

    Background:
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent 2 cash-outs of R$ 1.00 to one key
      And the bank confirms the payment
      And a CashOut event arrives

    Scenario: One of two payments
      When the account sends a transaction list request with query endToEndId the endToEndId of the event
      Then the request is accepted
      And the response has:
        | data           | 1 item |
        | metadata.total | 1      |
      And the list contains the second payment

    Scenario: Nearly its endToEndId finds nothing, next to every status and type
      Given the account has received R$ 1.00 through a cash-in
      And the payment is listed once
      When the account sends a transaction list request for every pair of:
        | query endToEndId                                                   | query status | query type |
        | its endToEndId with the case swapped                               | absent       | absent     |
        | the endToEndId of the first charge with a different last character | CONFIRMED    | PAYMENT    |
      Then every request is accepted
      When the account sends a transaction list request with query endToEndId its endToEndId without the last character
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the response has:
        | data | empty |

    Scenario: No match
      When the account sends a transaction list request with query endToEndId a random end-to-end id
      Then the request is accepted
      And the response has:
        | data | empty |

  @lists.pix-key
  @GEN-010 @LPK-001 @LPK-002 @LPK-003 @LPK-004 @LPK-005 @LPK-006 @LPK-007
  Rule: A list by key accepts five kinds of key and returns only the transactions of the key

    Scenario Outline: A <kind> key
      When the account sends a list-by-key request with path pixKey <key>
      Then the request is accepted

      Examples:
        | kind               | key                                  |
        | CPF                | 52998224725                          |
        | CNPJ               | 11222333000181                       |
        | phone              | +5511987654321                       |
        | e-mail             | fulano@example.com                   |
        | plus-tagged e-mail | fulano+pix@example.com               |
        | random             | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |

    Scenario: Two keys
      Given the gateway returns sent payments for a list-by-key request
      And the account has sent a cash-out with details.key a random e-mail
      And the account has sent a cash-out with details.key a random e-mail
      When the account sends a list-by-key request
      Then the request is accepted
      And the list contains the second payment
      And the list does not contain the first payment

    Scenario Outline: A <keyType> key that is nearly <another>
      Given a new account with R$ 10.00 available
      And the gateway returns sent payments for a list-by-key request
      And the account has sent a cash-out with:
        | details.keyType | "<keyType>" |
        | details.key     | "<key>"     |
      When the account sends a list-by-key request with path pixKey <another>
      Then the request is accepted
      And the response has:
        | metadata.total | 0 |

      Examples:
        | keyType  | key                    | another                |
        | EMAIL    | joaoxsilva@example.com | joao_silva@example.com |
        | EMAIL    | joao@example.com.br    | joao@example.com       |
        | DOCUMENT | 52998224725108         | 52998224725            |
        | PHONE    | 11987654374            | +5521987654374         |

    Scenario: A key finds payments sent to it or received at it
      Given the account has received R$ 10.00 through a cash-in
      And the account has sent a cash-out of R$ 5.00
      And the payment is listed once
      When the account sends a list-by-key request with path pixKey the account's key
      And the account sends a list-by-key request with path pixKey the payee's key
      Then at least one of the two lists is not empty

    Scenario: A cash-in received at the key
      Given a new account
      And the account has received R$ 10.00 through a cash-in
      And the payment is listed once
      When the account sends a list-by-key request with path pixKey the account's key
      Then the request is accepted
      And the response's metadata.total is recorded for open point "total of a list by the receiver's own key"

    Scenario: A cob received at the key
      Given a new account
      And the account has received R$ 10.00 through a cob
      When the account sends a list-by-key request with path pixKey the account's key
      Then the request is accepted
      And the response's data is recorded for open point "list by the receiver's own key"

  @lists.matching
  @LPK-007 @LPK-015 @LPK-016 @LPK-017 @LPK-020 @LPK-026 @LPK-027 @LPK-038 @LPK-039 @LPK-040 @LPK-041
  @LTX-009 @LTX-010 @LTX-011 @LTX-014 @LTX-015 @LTX-016 @LTX-018 @LTX-019 @LTX-029 @LTX-030 @LTX-031
  Rule: A list contains exactly the account's transactions that match all filters, on every page

    Background:
      Given another account with R$ 100.00 available
      And settlement waits for the bank

    Scenario: Payments of several days, types and states
      Given the other account has sent a cash-out of R$ 1.00
      And the account has sent a cash-out of R$ 10.00
      And the bank rejects the payment with ORDER_REJECTED
      And the account has received R$ 2.00 through a cash-in
      And 4 days pass
      And the account has sent a cash-out of R$ 20.00
      And the bank confirms the payment
      And 2 minutes pass
      And the account has received R$ 30.00 through a cash-in
      And 2 minutes pass
      And the account has sent a cash-in of R$ 40.00
      And the account has sent a cash-out of R$ 5.00
      Then the account's transaction list contains exactly the matching payments for every pair of filters

    Scenario: Payments to two keys on several days
      Given the gateway returns sent payments for a list-by-key request
      And the account has sent a cash-out of R$ 1.00
      And the account has received R$ 2.00 through a cash-in
      And the account has sent a cash-out of R$ 3.00
      And the bank rejects the payment with ORDER_REJECTED
      And 4 days pass
      And the account has sent a cash-out with details.key the payee's key
      And the bank confirms the payment
      And the other account has sent a cash-out with details.key the payee's key
      And 2 minutes pass
      And the account has sent a cash-out with details.key the payee's key
      And the bank confirms the payment
      And the account has sent a cash-out with details.key the payee's key
      And the account has sent a cash-out of R$ 4.00
      And the other account has sent a cash-out of R$ 5.00
      Then the account's list by key contains exactly the matching payments for every pair of filters

    Scenario: Several payments of each type and state
      Given the account has sent a cash-out of R$ 1.00
      And the bank confirms the payment
      And the account has sent a cash-out of R$ 2.00
      And the bank rejects the payment with ORDER_REJECTED
      And the account has sent a cash-out of R$ 3.00
      And the bank confirms the payment
      And the account has sent a cash-out of R$ 4.00
      And the bank rejects the payment with ORDER_REJECTED
      And the account has sent a cash-out of R$ 5.00
      And the account has sent a cash-out of R$ 6.00
      And the account has received R$ 7.00 through a cash-in
      And the account has sent a cash-in of R$ 8.00
      And the account has received R$ 9.00 through a cash-in
      And the account has sent a cash-in of R$ 10.00
      Then the account's transaction list contains exactly the matching payments for every pair of filters

    Scenario: Payments that were refunded in part and as a whole
      Given the account has received R$ 9.00 through a cob
      And the account has sent a refund of R$ 4.00
      And the account has received R$ 5.00 through a cash-in
      And the account has sent a refund of R$ 5.00
      And the account has received R$ 7.00 through a cob
      Then the account's transaction list contains exactly the matching payments for every pair of filters

    Scenario: Payments that came back in part, and against which there is a case
      Given the account receives cash_out webhooks
      And the account has sent a cash-out of R$ 6.00
      And the bank confirms the payment
      And a CashOut event arrives
      And the payee returns R$ 2.00
      And the account has received R$ 9.00 through a cob
      And a MED case is opened against the payment
      And the account has sent a cash-out of R$ 3.00
      Then the account's transaction list contains exactly the matching payments for every pair of filters

    Scenario: While payments arrive and settle
      Given the account has sent a cash-out of R$ 10.00
      Then the account's transaction list contains exactly the matching payments for every filter
      When the account sends a cash-in of R$ 2.00
      And the account sends a cash-out of R$ 3.00
      Then the account's transaction list contains exactly the matching payments for every filter
      When the bank rejects the first payment with ORDER_REJECTED
      Then the account's transaction list contains exactly the matching payments for every filter
      When the bank confirms the second payment
      And a payer pays the charge
      Then the account's transaction list contains exactly the matching payments for every filter

    Scenario: Another account's payments to the same keys
      Given the gateway returns sent payments for a list-by-key request
      And the account has sent a cash-out of R$ 1.00
      And the other account has sent a cash-out with details.key the payee's key
      And the other account has sent a cash-in of R$ 7.00
      And a payer pays the charge
      And the account has received R$ 7.00 through a cash-in
      Then the account's transaction list contains exactly the matching payments for every pair of filters
      And the other account's transaction list contains exactly the matching payments for every pair of filters

    Scenario: Another account's payments to the same keys, in lists by key
      Given the gateway returns sent payments for a list-by-key request
      And the account has sent a cash-out of R$ 1.00
      And the other account has sent a cash-out with details.key the payee's key
      And the other account has sent a cash-in of R$ 7.00
      And a payer pays the charge
      And the account has received R$ 7.00 through a cash-in
      Then the account's list by key contains exactly the matching payments for every filter
      And the other account's list by key contains exactly the matching payments for every filter

    Scenario: Payments of which money was returned
      Given the account receives webhooks of every type
      And the account has sent a cash-out of R$ 10.00
      And the account has sent a cash-out of R$ 20.00
      And the bank confirms the payment
      And a CashOut event arrives
      And the payee returns R$ 2.00
      And a refund_out event arrives
      Then the account's transaction list contains exactly the matching payments for every pair of filters

    Scenario Outline: Ids with <mark>
      Given the account has sent a cash-out with externalId a random string of 30 characters with <mark>, if the gateway accepts it
      And the account has sent a cash-out with externalId a random string of 30 characters with <mark>, if the gateway accepts it
      Then the account's transaction list contains exactly the matching payments for every filter

      Examples:
        | mark          |
        | a hyphen      |
        | an underscore |
        | a plus        |

  @lists.cap
  @LPK-033
  Rule: A list by key returns at most 1000 transactions in total

    Scenario: After 1001 payments
      Given a new account with R$ 2000.00 available
      And no limits
      And the account has sent 1001 cash-outs of R$ 1.00 to one key
      When the account pages through a list-by-key request, 500 items per page
      Then at most 1000 items are returned
      And the total number of items is recorded for open point "total beyond 1000 transactions"

  @lists.left-open
  @LPK-009 @LPK-045 @LTX-006 @LTX-063
  Rule: Where the specification is silent, the gateway either returns the list or rejects the request with 400

    Scenario Outline: <point>
      When the account sends a <list> with query <parameter> <value>
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "<point>"

      Examples:
        | list                     | parameter | value          | point                           |
        | transaction list request | size      | 0              | list with size 0                |
        | transaction list request | size      | -1             | list with a negative size       |
        | transaction list request | page      | 9999           | page beyond the last            |
        | transaction list request | status    | pending        | filter value in lower case      |
        | transaction list request | endDate   | 60 days ago    | old endDate without a startDate |
        | transaction list request | startDate | 1 day from now | startDate after endDate         |

    Scenario Outline: The code of a rejected <list>
      When the account sends a <list> with query page 0
      Then the request is rejected with 400
      And the response's code is recorded for open point "rejected list of transactions"

      Examples:
        | list                     |
        | transaction list request |
        | list-by-key request      |

    Scenario: A malformed key
      When the account sends a list-by-key request with path pixKey not-a-key
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "list by a malformed key"

    Scenario Outline: A payment at <time> in São Paulo, with that date as startDate and endDate
      Given a new account with R$ 100.00 available
      And it is <time> in São Paulo
      And the account has sent a cash-out of R$ 10.00
      When the account sends a transaction list request with:
        | query startDate | today's date |
        | query endDate   | today's date |
      Then the request is accepted
      And the response's metadata.total is recorded for open point "the list of one date":
        | its whole day in São Paulo | <São Paulo> |
        | its whole day in UTC       | <UTC>       |
        | its first instant          | <instant>   |

      Examples:
        | time  | São Paulo | UTC | instant |
        | 12:00 | 1         | 1   | 0       |
        | 23:30 | 1         | 0   | 0       |

    Scenario: A payment made 740 hours ago, by default
      Given a new account with R$ 100.00 available
      And it is noon on 2 February of the next leap year in São Paulo
      And the account has sent a cash-out of R$ 10.00
      When 740 hours pass
      And the account sends a transaction list request
      Then the request is accepted
      And the response's metadata.total is recorded for open point "the default window of a list"

    Scenario: An empty list
      Given a new account
      When the account sends a transaction list request
      Then the request is accepted
      And the response's metadata.totalPages is recorded for open point "totalPages of an empty list"

    Scenario: The order of the transactions
      Given a new account with R$ 100.00 available
      And the account has sent 3 cash-outs of R$ 1.00 to one key
      When the account sends a transaction list request
      Then the request is accepted
      And the order of the payments is recorded for open point "order of a list"
