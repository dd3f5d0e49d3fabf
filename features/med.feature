Feature: MED cases
  GET /api/med lists the cases of the special refund mechanism (MED), in which the payer's
  bank contests a payment that the account received.

  Background:
    Given an account
    And the account has received R$ 10.00 through a cob

  @med.list
  @GEN-001 @MED-001 @MED-002 @MED-015 @MED-022 @MED-023 @MED-024 @MED-026 @MED-029
  Rule: The list returns a page of data with metadata

    Scenario: Without parameters
      When the account sends a MED list request
      Then the request is accepted with 200
      And the response has:
        | data                | an array |
        | metadata.total      | a number |
        | metadata.page       | 1        |
        | metadata.pageSize   | 20       |
        | metadata.totalPages | a number |
      And the metadata is consistent

    Scenario: Page 2 without a pageSize
      When the account sends a MED list request with query page 2
      Then the request is accepted, or rejected with 400
      And if the request was accepted, the response has:
        | metadata.pageSize | 20 |

    Scenario: With a case
      Given a MED case is opened against the payment
      When the account sends a MED list request
      Then the request is accepted with 200
      And the list contains the case
      And the metadata is consistent

  @med.case
  @MED-009 @MED-033 @MED-034 @MED-035 @MED-036 @MED-037 @MED-038 @MED-039 @MED-042 @MED-043 @MED-044
  @MED-045 @MED-046 @MED-047 @MED-048 @MED-049 @MED-050 @MED-051 @MED-052 @MED-053 @MED-054 @MED-055
  @MED-056 @MED-057 @MED-058 @MED-059
  Rule: A case reports who contests which payment and why

    Background:
      Given a MED case is opened against the payment

    Scenario: The fields of a case
      When the account sends a MED list request
      Then the request is accepted
      And each item has:
        | id                  | a number                                          |
        | endToEnd            | a non-empty string                                |
        | status              | "OPEN" or "RECEIVED" or "CANCELLED" or "ANALYZED" |
        | reason              | "REFUND_REQUEST" or "REFUND_CANCELLATION"         |
        | cause               | null or a string                                  |
        | description         | null or a string                                  |
        | analysisResult      | null or "APPROVED" or "REJECTED"                  |
        | analysisDetails     | null or a string                                  |
        | requestingBank.ispb | present                                           |
        | requestingBank.name | present                                           |
        | contestedBank.ispb  | present                                           |
        | contestedBank.name  | present                                           |
        | isReconciled        | a boolean                                         |
        | createdAt           | a UTC time                                        |
        | updatedAt           | a UTC time                                        |
      And the response's data[0].cause is recorded for open point "cause of a MED case"

    Scenario: The contested payment
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      When the account sends a MED list request
      Then the request is accepted
      And the response has:
        | data[0].endToEnd              | its endToEndId    |
        | data[0].isReconciled          | true              |
        | data[0].originalTransactionId | a number          |
        | data[0].originalTransaction   | null or an object |
      And the response's data[0].originalTransaction is recorded for open point "originalTransaction of a MED case"
      And if data[0].originalTransaction is not null, the response has:
        | data[0].originalTransaction.amount          | R$ 10.00           |
        | data[0].originalTransaction.type            | a non-empty string |
        | data[0].originalTransaction.transactionType | a non-empty string |
        | data[0].originalTransaction.name            | present            |
        | data[0].originalTransaction.document        | masked             |
        | data[0].originalTransaction.dateTime        | a UTC time         |

    Scenario: Three cases, each of its own payment
      Given the account has sent a cob of R$ 142.20
      And a company pays the charge
      And a MED case is opened against the payment
      And a MED case is opened against an unknown payment
      When the account sends a MED list request with query pageSize 100
      Then the request is accepted
      And the first case is listed with:
        | endToEnd              | the endToEndId of the first charge |
        | isReconciled          | true                               |
        | originalTransactionId | a number                           |
      And if its originalTransaction is not null, the first case is listed with:
        | originalTransaction.amount   | R$ 10.00 |
        | originalTransaction.document | masked   |
      And the second case is listed with:
        | endToEnd              | the endToEndId of the second charge |
        | isReconciled          | true                                |
        | originalTransactionId | a number                            |
      And if its originalTransaction is not null, the second case is listed with:
        | originalTransaction.amount   | R$ 142.20 |
        | originalTransaction.document | masked    |
      And the third case is listed with:
        | isReconciled          | false |
        | originalTransactionId | null  |

    Scenario: A payment that is not the last
      Given the account has received R$ 8.41 through a cob
      And the account has received R$ 0.07 through a cob
      And a MED case is opened against the second payment
      When the account sends a MED list request with query pageSize 100
      Then the second case is listed with:
        | endToEnd     | the endToEndId of the second charge |
        | isReconciled | true                                |
      And if its originalTransaction is not null, the second case is listed with:
        | originalTransaction.amount | R$ 8.41 |
      And if its originalTransaction is not null, the first case is listed with:
        | originalTransaction.amount | R$ 10.00 |

    Scenario: Two cases of a payment that was refunded
      Given a MED case is opened against the payment
      And the account has sent a refund of R$ 10.00
      When the account sends a MED list request with query pageSize 100
      Then the first case is listed with:
        | endToEnd     | the endToEndId of the first charge |
        | isReconciled | true                               |
      And if its originalTransaction is not null, the first case is listed with:
        | originalTransaction.amount | R$ 10.00 |
      And the second case is listed with:
        | endToEnd     | the endToEndId of the first charge |
        | isReconciled | true                               |
      And if its originalTransaction is not null, the second case is listed with:
        | originalTransaction.amount | R$ 10.00 |

    Scenario: A payment of which a part was refunded before
      Given refunds wait for the bank
      And the account has received R$ 8.41 through a cob
      And the account has sent a refund of R$ 3.00
      And the bank confirms the refund
      And a MED case is opened against the payment
      When the account sends a MED list request with query pageSize 100
      Then the second case is listed with:
        | endToEnd     | the endToEndId of the second charge |
        | isReconciled | true                                |
      And if its originalTransaction is not null, the second case is listed with:
        | originalTransaction.amount | R$ 8.41 |

    Scenario: An unknown payment
      Given a MED case is opened against an unknown payment
      When the account sends a MED list request with query isReconciled false
      Then the request is accepted
      And each item has:
        | isReconciled          | false |
        | originalTransactionId | null  |

  @med.analysis
  @MED-040 @MED-041
  Rule: A case has no result before its analysis ends

    Background:
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment

    Scenario: Open
      When the account sends a MED list request
      Then the request is accepted
      And the response has:
        | data[0].status         | "OPEN" or "RECEIVED" |
        | data[0].analysisResult | null                 |
      And the response's data[0].status is recorded for open point "state of a new MED case"

    Scenario: Received
      Given the bank moves the case to RECEIVED
      When the account sends a MED list request
      Then the request is accepted
      And the response has:
        | data[0].status         | "RECEIVED" |
        | data[0].analysisResult | null       |

    @open:result-of-an-analyzed-case
    Scenario Outline: Analyzed and <result>
      Given the bank moves the case to RECEIVED
      And the bank moves the case to <result>
      When the account sends a MED list request
      Then the request is accepted
      And the response has:
        | data[0].status         | "ANALYZED"         |
        | data[0].analysisResult | null or "<result>" |
      And the response's data[0].analysisResult should be "<result>"

      Examples:
        | result   |
        | APPROVED |
        | REJECTED |

    Scenario: Three cases, analyzed in another order
      Given the account has received R$ 8.41 through a cob
      And a MED case is opened against the payment
      And a MED case is opened against the first payment
      And the bank moves the second case to RECEIVED
      And the bank moves the second case to APPROVED
      And the bank moves the third case to RECEIVED
      When the account sends a MED list request with query pageSize 100
      Then the first case is listed with:
        | status         | "OPEN" or "RECEIVED" |
        | analysisResult | null                 |
      And the second case is listed with:
        | status         | "ANALYZED"         |
        | analysisResult | null or "APPROVED" |
      And the third case is listed with:
        | status         | "RECEIVED" |
        | analysisResult | null       |
      When the bank moves the third case to REJECTED
      And the bank moves the first case to CANCELLED
      And the account sends a MED list request with query pageSize 50
      Then the first case is listed with:
        | status | "CANCELLED" |
      And the second case is listed with:
        | status         | "ANALYZED"         |
        | analysisResult | null or "APPROVED" |
      And the third case is listed with:
        | status         | "ANALYZED"         |
        | analysisResult | null or "REJECTED" |

  @med.status-filter
  @MED-003 @MED-004 @MED-005 @MED-006 @MED-029
  Rule: status filters by state

    Background:
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      And a MED case is opened against the payment
      And the bank moves the case to CANCELLED
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      And the bank moves the case to APPROVED

    Scenario Outline: Status <status>
      When the account sends a MED list request with query status <status>
      Then the request is accepted
      And each item has:
        | status | "<status>" |
      And the response has:
        | metadata.total | 1 or 2 |
      And the metadata is consistent

      Examples:
        | status    |
        | RECEIVED  |
        | CANCELLED |
        | ANALYZED  |

    Scenario: Status OPEN
      When the account sends a MED list request with query status OPEN
      Then the request is accepted
      And each item, if any, has:
        | status | "OPEN" |
      And the metadata is consistent

  @med.reconciled-filter
  @MED-008 @MED-009
  Rule: isReconciled filters by whether the case is linked to one of the account's payments

    Background:
      Given a MED case is opened against the payment
      And a MED case is opened against an unknown payment

    Scenario Outline: isReconciled <value>
      When the account sends a MED list request with query isReconciled <value>
      Then the request is accepted
      And each item has:
        | isReconciled | <value> |

      Examples:
        | value |
        | true  |
        | false |

  @med.date-filter
  @MED-010 @MED-011
  Rule: startDate and endDate filter by opening time

    Background:
      Given a MED case is opened against the payment

    Scenario: Opened between the two
      When 2 hours pass
      And the account sends a MED list request with:
        | query startDate | 3 hours ago |
        | query endDate   | 1 hour ago  |
      Then the request is accepted
      And the list contains the case

    Scenario: Opened before startDate
      When 2 hours pass
      And the account sends a MED list request with:
        | query startDate | 1 hour ago |
        | query endDate   | now        |
      Then the request is accepted
      And the list does not contain the case

    Scenario: Over the end of a year
      Given it is noon on 31 December of the next leap year in São Paulo
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      When 2 days pass
      And the account sends a MED list request with:
        | query startDate | the date 3 days ago |
        | query endDate   | today's date        |
      Then the request is accepted
      And the list contains the case

    Scenario: Opened after endDate
      When the account sends a MED list request with:
        | query startDate | 2 hours ago |
        | query endDate   | 1 hour ago  |
      Then the request is accepted
      And the list does not contain the case

    Scenario: Dates without a time
      When the account sends a MED list request with:
        | query startDate | the date 2 days ago      |
        | query endDate   | the date 2 days from now |
      Then the request is accepted
      And the list contains the case

  @med.pages
  @MED-014 @MED-015 @MED-018 @MED-025 @MED-026 @MED-027 @MED-028 @MED-029
  Rule: Pages are numbered from 1 and have at most pageSize cases

    Background:
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And a MED case is opened against the payment
      And a MED case is opened against the payment

    Scenario: The first of two pages
      When the account sends a MED list request with query pageSize 2
      Then the request is accepted
      And the response has:
        | data              | 2 items |
        | metadata.total    | 3       |
        | metadata.page     | 1       |
        | metadata.pageSize | 2       |
      And the metadata is consistent

    Scenario: The second of two pages
      When the account sends a MED list request with:
        | query page     | 2 |
        | query pageSize | 2 |
      Then the request is accepted
      And the response has:
        | data              | 1 item |
        | metadata.page     | 2      |
        | metadata.pageSize | 2      |
      And the metadata is consistent

    Scenario: Three pages of one case each
      When the account sends a MED list request with query pageSize 1
      Then the request is accepted
      And the response has:
        | data                | 1 item |
        | metadata.totalPages | 3      |
      And the metadata is consistent

    Scenario: Twelve cases, on twelve pages
      Given a new account
      And 12 MED cases are opened against unknown payments
      When the account sends a MED list request
      Then the request is accepted
      And the response has:
        | data                | 12 items |
        | metadata.total      | 12       |
        | metadata.totalPages | 1        |
      When the account pages through a MED list request, 1 items per page
      Then no item appears twice
      And 12 items are returned

    Scenario: No case appears on two pages
      When the account pages through a MED list request, 2 items per page
      Then no item appears twice
      And 3 items are returned

  @med.parameters
  @MED-007 @MED-012 @MED-013 @MED-014 @MED-016 @MED-017 @MED-018 @MED-019 @MED-020 @MED-021 @MED-032
  @ERR-034
  Rule: An invalid parameter is rejected with 400

    Scenario Outline: <parameter> <value> is accepted
      When the account sends a MED list request with query <parameter> <value>
      Then the request is accepted

      Examples:
        | parameter | value |
        | page      | 1     |
        | pageSize  | 1     |
        | pageSize  | 100   |

    Scenario: The rejection
      When the account sends a MED list request with query status FOO
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |

    Scenario: Every pair of valid values, eight at the same instant
      When the account sends concurrent MED list requests for every pair of:
        | query status | query isReconciled | query page | query pageSize | query startDate     | query endDate            |
        | absent       | absent             | absent     | absent         | absent              | absent                   |
        | OPEN         | true               | 1          | 1              | 3 days ago          | now                      |
        | RECEIVED     | false              |            | 7              | the date 6 days ago | the date 2 days from now |
        | CANCELLED    |                    |            | 100            |                     |                          |
        | ANALYZED     |                    |            |                |                     |                          |
      Then every request is accepted

    Scenario: One wrong value, next to every other value
      When the account sends a MED list request for every pair of:
        | query status       | query isReconciled | query page | query pageSize | query startDate     | query endDate            |
        | absent             | absent             | absent     | absent         | absent              | absent                   |
        | OPEN               | true               | 1          | 1              | 3 days ago          | now                      |
        | CANCELLED          | false              | 2          | 100            | the date 6 days ago | the date 2 days from now |
        | wrong: FOO         |                    | wrong: 0   | wrong: 0       | wrong: foo          | wrong: foo               |
        | wrong: Pendente    |                    | wrong: -1  | wrong: -1      | wrong: 2026-13-01   | wrong: 2026-13-01        |
        | wrong: APPROVED    |                    |            | wrong: 101     | wrong: 2026-02-30   | wrong: 2026-02-30        |
        | wrong: OPEN2       |                    |            | wrong: 1000    |                     |                          |
        | wrong: *           |                    |            |                |                     |                          |
        | wrong: constructor |                    |            |                |                     |                          |
        | wrong: OPEN,FOO    |                    |            |                |                     |                          |
      Then every request is rejected with 400

    Scenario: A page size beyond 32 and 64 bits, next to a page and a status
      When the account sends a MED list request for every pair of:
        | query pageSize              | query page | query status |
        | 1                           | absent     | absent       |
        | wrong: 4294967297           | 2          | OPEN         |
        | wrong: 18446744073709551617 |            |              |
      Then every request is rejected with 400

    Scenario: A malformed date, next to the other one and a status
      When the account sends a MED list request for every pair of:
        | query startDate             | query endDate               | query status |
        | absent                      | absent                      | absent       |
        | 3 days ago                  | now                         | OPEN         |
        | wrong: 2026-00-10           | wrong: 2026-00-10           |              |
        | wrong: 2026-03-00           | wrong: 2026-03-00           |              |
        | wrong: 2026-04-31           | wrong: 2026-04-31           |              |
        | wrong: 2027-02-29           | wrong: 2027-02-29           |              |
        | wrong: 2100-02-29           | wrong: 2100-02-29           |              |
        | wrong: 2026-03-01x          | wrong: 2026-03-01x          |              |
        | wrong: 01/03/2026           | wrong: 01/03/2026           |              |
        | wrong: 2026-03-01T25:00:00Z | wrong: 2026-03-01T25:00:00Z |              |
        | wrong: 2026-03-01T12:60:00Z | wrong: 2026-03-01T12:60:00Z |              |
      Then every request is rejected with 400

    @open:a-malformed-parameter-of-the-MED-list
    Scenario Outline: A malformed <parameter>
      When the account sends a MED list request with query <parameter> <value>
      Then the request is accepted, or rejected with 400
      And the request should be rejected with 400

      Examples:
        | parameter    | value |
        | isReconciled | maybe |
        | page         | abc   |
        | pageSize     | abc   |

  @med.matching
  @MED-003 @MED-004 @MED-005 @MED-006 @MED-008 @MED-009 @MED-010 @MED-011 @MED-025 @MED-029
  Rule: The list contains exactly the account's cases that match all filters, on every page

    Background:
      Given another account

    Scenario: Cases of several days and states
      Given a new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      And the bank moves the case to CANCELLED
      And a MED case is opened against an unknown payment
      And the bank moves the case to RECEIVED
      And 4 days pass
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      And the bank moves the case to REJECTED
      And 2 minutes pass
      And a MED case is opened against an unknown payment
      And the bank moves the case to RECEIVED
      And the bank moves the case to APPROVED
      And a MED case is opened against the payment
      Then the account's MED list contains exactly the matching cases for every pair of filters

    Scenario: While cases are opened and moved
      Given a MED case is opened against the payment
      Then the account's MED list contains exactly the matching cases for every filter
      When the bank moves the case to RECEIVED
      And a MED case is opened against an unknown payment
      Then the account's MED list contains exactly the matching cases for every filter

    Scenario: Another account's cases
      Given a MED case is opened against the payment
      Then the other account's MED list contains exactly the matching cases for every filter

  @med.own-account
  @AUTH-011
  Rule: An account sees only its own cases

    Scenario: Another account's case
      Given a new account
      And another new account
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      When the other account sends a MED list request
      Then the request is accepted
      And the response has:
        | data | empty |

    Scenario: Another account's case of an unknown payment
      Given a new account
      And another new account
      And a MED case is opened against an unknown payment
      When the other account sends a MED list request
      Then the request is accepted
      And the response has:
        | data | empty |

  @med.events
  @EVT-005 @EVT-006 @EVT-007
  Rule: The gateway sends an event when a case is opened, accepted or rejected

    Background:
      Given the account receives webhooks of every type

    Scenario: Opened
      When a MED case is opened against the payment
      Then a med_created event arrives
      And no med_accepted event arrives
      And no med_rejected event arrives
      And the event's shape is recorded for open point "payload of a med_created event"

    Scenario: Accepted
      Given a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      When the bank moves the case to APPROVED
      Then a med_accepted event arrives
      And no med_rejected event arrives
      And the event's shape is recorded for open point "payload of a med_accepted event"

    Scenario: Rejected
      Given a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      When the bank moves the case to REJECTED
      Then a med_rejected event arrives
      And no med_accepted event arrives
      And the event's shape is recorded for open point "payload of a med_rejected event"

    Scenario Outline: Two cases, both <first>
      When a MED case is opened against the payment
      Then a med_created event arrives
      When the account sends a MED list request
      And a MED case is opened against the payment
      Then the med_created event arrives again
      When the bank moves the second case to RECEIVED
      And the bank moves the second case to <first>
      Then a <event> event arrives
      When the account sends a MED list request
      And the bank moves the first case to RECEIVED
      And the bank moves the first case to <first>
      Then the <event> event arrives again
      And no <other> event arrives

      Examples:
        | first    | event        | other        |
        | APPROVED | med_accepted | med_rejected |
        | REJECTED | med_rejected | med_accepted |

    Scenario: One case rejected, another one accepted
      Given a MED case is opened against the payment
      And a MED case is opened against the payment
      When the bank moves the second case to RECEIVED
      And the bank moves the second case to REJECTED
      Then a med_rejected event arrives
      And no med_accepted event arrives
      When the bank moves the first case to RECEIVED
      And the bank moves the first case to APPROVED
      Then a med_accepted event arrives

    Scenario: Cancelled
      Given a MED case is opened against the payment
      And a med_created event arrives
      And the bank moves the case to RECEIVED
      When the bank moves the case to CANCELLED
      Then no med_accepted event arrives
      And no med_rejected event arrives

  @med.left-open
  @MED-030
  Rule: Where the specification is silent, the gateway either returns the list or rejects the request with 400 or 429

    Scenario: An empty list
      Given a new account
      When the account sends a MED list request with query status CANCELLED
      Then the request is accepted
      And the response's metadata.totalPages is recorded for open point "totalPages of an empty MED list"

    Scenario: A page beyond the last
      When the account sends a MED list request with query page 9999
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "page beyond the last of the MED list"

    Scenario: What a case does to the balance
      When a MED case is opened against the payment
      And the account sends a MED list request
      Then the request is accepted
      And the change in the available balance is recorded for open point "money of a MED case"

    Scenario: More requests than the limit allows
      Given a limit of 2 requests per minute
      When the account sends 8 concurrent MED list requests
      Then every request is accepted, or rejected with 429
      And the response's status is recorded for open point "MED list requests above the limit"
