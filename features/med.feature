Feature: MED cases
  GET /api/med lists the cases of the special refund mechanism, in which the payer's bank
  contests a payment that the account received.

  Background:
    Given an account
    And the account has been paid R$ 10.00 for a cob

  @med.list
  @GEN-001 @MED-001 @MED-002 @MED-015 @MED-022 @MED-023 @MED-024 @MED-026 @MED-029
  Rule: The list comes in pages of data and metadata

    Scenario: Without parameters
      When the account sends a MED list request
      Then it is accepted with 200
      And the answer has:
        | data                | an array |
        | metadata.total      | a number |
        | metadata.page       | 1        |
        | metadata.pageSize   | 20       |
        | metadata.totalPages | a number |
      And the metadata adds up

    Scenario: A case
      Given a MED case is opened against the payment
      When the account sends a MED list request
      Then it is accepted with 200
      And the list holds the case
      And the metadata adds up

  @med.case
  @MED-009 @MED-033 @MED-034 @MED-035 @MED-036 @MED-037 @MED-038 @MED-039 @MED-042 @MED-043 @MED-044
  @MED-045 @MED-046 @MED-047 @MED-048 @MED-049 @MED-050 @MED-051 @MED-052 @MED-053 @MED-054 @MED-055
  @MED-056 @MED-057 @MED-058 @MED-059
  Rule: A case tells who contests which payment, and why

    Background:
      Given a MED case is opened against the payment

    Scenario: Its fields
      When the account sends a MED list request
      Then it is accepted
      And each item has:
        | id                  | a number                                          |
        | endToEnd            | a text                                            |
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
      And its data[0].cause is noted as "cause of a MED case"

    Scenario: The contested payment
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment
      When the account sends a MED list request
      Then it is accepted
      And the answer has:
        | data[0].endToEnd                            | its endToEndId |
        | data[0].isReconciled                        | true           |
        | data[0].originalTransactionId               | a number       |
        | data[0].originalTransaction                 | an object      |
        | data[0].originalTransaction.amount          | R$ 10.00       |
        | data[0].originalTransaction.type            | a text         |
        | data[0].originalTransaction.transactionType | a text         |
        | data[0].originalTransaction.name            | present        |
        | data[0].originalTransaction.document        | masked         |
        | data[0].originalTransaction.dateTime        | a UTC time     |

    Scenario: A payment that the gateway does not know
      Given a MED case is opened against an unknown payment
      When the account sends a MED list request with query isReconciled false
      Then it is accepted
      And each item has:
        | isReconciled          | false |
        | originalTransactionId | null  |

  @med.analysis
  @MED-040 @MED-041
  Rule: There is no result before the analysis has ended

    Background:
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment

    Scenario: Open
      When the account sends a MED list request
      Then it is accepted
      And the answer has:
        | data[0].status         | "OPEN" or "RECEIVED" |
        | data[0].analysisResult | null                 |
      And its data[0].status is noted as "state of a new MED case"

    Scenario: Received
      Given the case becomes RECEIVED
      When the account sends a MED list request
      Then it is accepted
      And the answer has:
        | data[0].status         | "RECEIVED" |
        | data[0].analysisResult | null       |

    @open:result-of-an-analyzed-case
    Scenario Outline: Analyzed and <result>
      Given the case becomes RECEIVED
      And the case becomes <result>
      When the account sends a MED list request
      Then it is accepted
      And the answer has:
        | data[0].status         | "ANALYZED"         |
        | data[0].analysisResult | null or "<result>" |
      And its data[0].analysisResult should be "<result>"

      Examples:
        | result   |
        | APPROVED |
        | REJECTED |

  @med.status-filter
  @MED-003 @MED-004 @MED-005 @MED-006 @MED-029
  Rule: status keeps the cases in that state

    Background:
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment
      And a MED case is opened against the payment
      And the case becomes RECEIVED
      And a MED case is opened against the payment
      And the case becomes CANCELLED
      And a MED case is opened against the payment
      And the case becomes RECEIVED
      And the case becomes APPROVED

    Scenario Outline: <status>
      When the account sends a MED list request with query status <status>
      Then it is accepted
      And each item has:
        | status | "<status>" |
      And the answer has:
        | metadata.total | 1 or 2 |
      And the metadata adds up

      Examples:
        | status    |
        | RECEIVED  |
        | CANCELLED |
        | ANALYZED  |

    Scenario: OPEN
      When the account sends a MED list request with query status OPEN
      Then it is accepted
      And each item, if any, has:
        | status | "OPEN" |
      And the metadata adds up

  @med.reconciled-filter
  @MED-008 @MED-009
  Rule: isReconciled keeps the cases that are, or are not, tied to a payment of the account

    Background:
      Given a MED case is opened against the payment
      And a MED case is opened against an unknown payment

    Scenario Outline: <value>
      When the account sends a MED list request with query isReconciled <value>
      Then it is accepted
      And each item has:
        | isReconciled | <value> |

      Examples:
        | value |
        | true  |
        | false |

  @med.date-filter
  @MED-010 @MED-011
  Rule: startDate and endDate keep the cases opened between them

    Background:
      Given a MED case is opened against the payment

    Scenario: Opened in that time
      When 2 hours pass
      And the account sends a MED list request with:
        | query startDate | 3 hours ago |
        | query endDate   | 1 hour ago  |
      Then it is accepted
      And the list holds the case

    Scenario: Opened before startDate
      When 2 hours pass
      And the account sends a MED list request with:
        | query startDate | 1 hour ago |
        | query endDate   | now        |
      Then it is accepted
      And the list does not hold the case

    Scenario: Opened after endDate
      When the account sends a MED list request with:
        | query startDate | 2 hours ago |
        | query endDate   | 1 hour ago  |
      Then it is accepted
      And the list does not hold the case

    Scenario: Dates without a time
      When the account sends a MED list request with:
        | query startDate | the date 2 days ago   |
        | query endDate   | the date 2 days ahead |
      Then it is accepted
      And the list holds the case

  @med.pages
  @MED-014 @MED-015 @MED-018 @MED-025 @MED-027 @MED-028 @MED-029
  Rule: Pages are counted from 1 and hold at most pageSize cases

    Background:
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment
      And a MED case is opened against the payment
      And a MED case is opened against the payment

    Scenario: The first of two
      When the account sends a MED list request with query pageSize 2
      Then it is accepted
      And the answer has:
        | data              | 2 items |
        | metadata.total    | 3       |
        | metadata.page     | 1       |
        | metadata.pageSize | 2       |
      And the metadata adds up

    Scenario: The second of two
      When the account sends a MED list request with:
        | query page     | 2 |
        | query pageSize | 2 |
      Then it is accepted
      And the answer has:
        | data              | 1 item |
        | metadata.page     | 2      |
        | metadata.pageSize | 2      |
      And the metadata adds up

    Scenario: Three pages of one
      When the account sends a MED list request with query pageSize 1
      Then it is accepted
      And the answer has:
        | data                | 1 item |
        | metadata.totalPages | 3      |
      And the metadata adds up

    Scenario: Each case stands on one page
      When the account walks the pages of the MED list request by 2
      Then each item came once
      And 3 items came

  @med.parameters
  @MED-007 @MED-012 @MED-013 @MED-014 @MED-016 @MED-017 @MED-018 @MED-019 @MED-020 @MED-021 @MED-032
  @ERR-034
  Rule: A parameter outside its bounds is refused with 400

    Scenario Outline: <parameter> <value> is accepted
      When the account sends a MED list request with query <parameter> <value>
      Then it is accepted

      Examples:
        | parameter | value |
        | page      | 1     |
        | pageSize  | 1     |
        | pageSize  | 100   |

    Scenario Outline: <parameter> <value> is refused
      When the account sends a MED list request with query <parameter> <value>
      Then it is refused with 400
      And the answer has:
        | statusCode | 400           |
        | message    | a text        |
        | error      | "Bad Request" |

      Examples:
        | parameter | value    |
        | status    | FOO      |
        | status    | Pendente |
        | startDate | foo      |
        | endDate   | foo      |
        | startDate | 2026-13-01 |
        | page      | 0        |
        | page      | -1       |
        | pageSize  | 0        |
        | pageSize  | 101      |

    @open:a-malformed-parameter-of-the-MED-list
    Scenario Outline: A malformed <parameter>
      When the account sends a MED list request with query <parameter> <value>
      Then it is accepted, or refused with 400
      And it should be refused with 400

      Examples:
        | parameter    | value |
        | isReconciled | maybe |
        | page         | abc   |
        | pageSize     | abc   |

  @med.own-account
  @AUTH-011
  Rule: An account sees its own cases alone

    Scenario: Another account's case
      Given a new account
      And another new account
      And the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment
      When the other account sends a MED list request
      Then it is accepted
      And the answer has:
        | data | empty |

  @med.events
  @EVT-005 @EVT-006 @EVT-007
  Rule: The account is told when a case is opened, accepted or rejected

    Background:
      Given the account receives webhooks of every type

    Scenario: Opened
      When a MED case is opened against the payment
      Then a med_created event arrives
      And nothing arrives for med_accepted
      And nothing arrives for med_rejected
      And the event's shape is noted as "payload of a med_created event"

    Scenario: Accepted
      Given a MED case is opened against the payment
      And the case becomes RECEIVED
      When the case becomes APPROVED
      Then a med_accepted event arrives
      And nothing arrives for med_rejected
      And the event's shape is noted as "payload of a med_accepted event"

    Scenario: Rejected
      Given a MED case is opened against the payment
      And the case becomes RECEIVED
      When the case becomes REJECTED
      Then a med_rejected event arrives
      And nothing arrives for med_accepted
      And the event's shape is noted as "payload of a med_rejected event"

  @med.left-open
  @MED-030
  Rule: Where the specification is silent, a list is either returned or refused with 400 or 429

    Scenario: A list without cases
      Given a new account
      When the account sends a MED list request with query status CANCELLED
      Then it is accepted
      And its metadata.totalPages is noted as "totalPages of an empty MED list"

    Scenario: A page beyond the last
      When the account sends a MED list request with query page 9999
      Then it is accepted, or refused with 400
      And its status is noted as "page beyond the last of the MED list"

    Scenario: More requests than the account may make
      Given a limit of 2 requests a minute
      When the account sends 8 MED list requests at once
      Then each is accepted, or refused with 429
      And its status is noted as "MED lists beyond the limit"
