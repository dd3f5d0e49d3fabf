Feature: Lists of transactions
  GET /api/transactions lists the account's transactions, GET
  /api/pix/transactions/pix-key/{pixKey} those of one key. Both filter and page in the
  same way.

  Background:
    Given an account with R$ 100.00 available

  @lists.answer
  @GEN-001 @LPK-001 @LPK-008 @LPK-011 @LPK-034 @LPK-035 @LPK-036 @LPK-037 @LPK-038 @LPK-039 @LTX-001
  @LTX-004 @LTX-005 @LTX-027 @LTX-028 @LTX-029
  Rule: A list comes in pages of data and metadata

    Scenario Outline: The answer of a <list>
      Given the gateway lists what was sent in a <list>
      And the account has sent a cash-out of R$ 10.00
      When the account sends a <list>
      Then it is accepted with 200
      And the answer has:
        | data                 | an array  |
        | metadata.page        | 1         |
        | metadata.size        | 20        |
        | metadata.total       | a number  |
        | metadata.totalPages  | a number  |
        | metadata.hasNext     | a boolean |
        | metadata.hasPrevious | false     |
      And the list holds the payment
      And the metadata adds up

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario Outline: An account without transactions: <list>
      Given a new account
      When the account sends a <list>
      Then it is accepted with 200
      And the answer has:
        | data             | empty |
        | metadata.total   | 0     |
        | metadata.hasNext | false |

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

  @lists.size
  @LPK-012 @LPK-013 @LPK-014 @LTX-002 @LTX-003
  Rule: A page holds 20 transactions by default, and at most 100 or, by key, 1000

    Scenario Outline: size <size> of a <list> is accepted
      When the account sends a <list> with query size <size>
      Then it is accepted
      And the answer has:
        | metadata.size | <size> |

      Examples:
        | list                     | size |
        | transaction list request | 1    |
        | transaction list request | 100  |
        | key list request         | 1    |
        | key list request         | 1000 |

    Scenario Outline: size <size> of a <list> is refused
      When the account sends a <list> with query size <size>
      Then it is refused with 400

      Examples:
        | list                     | size |
        | transaction list request | 101  |
        | transaction list request | abc  |
        | key list request         | 1001 |
        | key list request         | abc  |

  @lists.page
  @LPK-009 @LPK-010 @LPK-039 @LPK-040 @LPK-041 @LTX-006 @LTX-029 @LTX-030
  Rule: Pages are counted from 1

    Scenario Outline: page <page> of a <list> is refused
      When the account sends a <list> with query page <page>
      Then it is refused with 400
      And the answer has:
        | statusCode | 400             |
        | code       | a text          |
        | message    | a text or texts |
        | errorId    | a text          |

      Examples:
        | list                     | page |
        | transaction list request | 0    |
        | transaction list request | abc  |
        | key list request         | 0    |
        | key list request         | abc  |

    Scenario Outline: Page <page> of a <list>
      Given a new account with R$ 100.00 available
      And the gateway lists what was sent in a <list>
      And the account has sent 3 cash-outs of R$ 1.00 to one key
      When the account sends a <list> with:
        | query page | <page> |
        | query size | 1      |
      Then it is accepted
      And the answer has:
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
        | key list request         | 1    | true  | false  |
        | key list request         | 2    | true  | true   |
        | key list request         | 3    | false | true   |

    Scenario Outline: Each transaction of a <list> stands on one page
      Given a new account with R$ 100.00 available
      And the gateway lists what was sent in a <list>
      And settlement waits for the bank
      And the account has sent 5 cash-outs of R$ 1.00 to one key
      And the payment is listed once
      When the account walks the pages of the <list> by 2
      Then each item came once
      And 5 items came

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario Outline: None is missed while new payments arrive: <list>
      Given a new account with R$ 100.00 available
      And the gateway lists what was sent in a <list>
      And settlement waits for the bank
      And the account has sent 5 cash-outs of R$ 1.00 to one key
      And the payment is listed once
      When the account walks the pages of the <list> by 2, sending a cash-out after each
      Then none of the first 5 payments is missed

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

  @lists.status
  @LPK-015 @LPK-016 @LPK-017 @LTX-014 @LTX-015 @LTX-016
  Rule: status keeps the transactions in that state

    Background:
      Given a new account with R$ 100.00 available
      And settlement waits for the bank
      And the account has sent a cash-out
      And the bank rejects it with ORDER_REJECTED
      And the payment is listed with:
        | status | "Error" |
      And the account has sent a cash-out with details.key the payee's
      And the bank confirms it
      And the payment is listed with:
        | status | "Confirmado" |
      And the account has sent a cash-out with details.key the payee's
      And the payment is listed once

    Scenario Outline: <status> in a <list>
      Given the gateway lists what was sent in a <list>
      When the account sends a <list> with query status <status>
      Then it is accepted
      And the list holds the <which> payment
      And each item has:
        | status | "<label>" |
      And the answer has:
        | metadata.total | 1 |

      Examples:
        | list                     | status    | which  | label      |
        | transaction list request | PENDING   | third  | Pendente   |
        | transaction list request | CONFIRMED | second | Confirmado |
        | transaction list request | ERROR     | first  | Error      |
        | key list request         | PENDING   | third  | Pendente   |
        | key list request         | CONFIRMED | second | Confirmado |
        | key list request         | ERROR     | first  | Error      |

  @lists.type
  @LPK-020 @LPK-021 @LPK-022 @LTX-018 @LTX-019 @LTX-021 @LTX-036 @LTX-055 @LTX-056 @LTX-058 @LTX-059
  @LTX-060 @LTX-061
  Rule: type keeps the transactions of that kind

    Background:
      Given settlement waits for the bank
      And the account receives webhooks of every type
      And the account has been paid R$ 10.00 for a cash-in
      And the account has sent a cash-out of R$ 5.00
      And the bank confirms it
      And a CashOut event arrives
      And the payee gives R$ 2.00 back
      And a refund_out event arrives

    Scenario Outline: <type>
      When the account sends a transaction list request with query type <type>
      Then it is accepted
      And the answer has:
        | data | at least 1 item |
      And each item has:
        | operationType | "<label>"    |
        | movementType  | "<movement>" |

      Examples:
        | type       | label      | movement |
        | PAYMENT    | Pix in     | CREDIT   |
        | WITHDRAW   | Pix out    | DEBIT    |
        | REFUND_OUT | Refund out | CREDIT   |

    Scenario Outline: <type> by key
      When the account sends a key list request with:
        | path pixKey | <key>  |
        | query type  | <type> |
      Then it is accepted
      And each item, if any, has:
        | operationType | "<label>"    |
        | movementType  | "<movement>" |

      Examples:
        | type       | key             | label      | movement |
        | PAYMENT    | the account's   | Pix in     | CREDIT   |
        | WITHDRAW   | the payee's     | Pix out    | DEBIT    |
        | REFUND_IN  | the account's   | Refund in  | DEBIT    |
        | REFUND_OUT | the payee's     | Refund out | CREDIT   |

  @lists.refund-in
  @LPK-021 @LTX-020 @LTX-057 @LTX-062
  Rule: A refund that the account pays is a DEBIT

    Scenario: In the list
      Given the account has been paid R$ 10.00 for a cob
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 4.00
      And a refund_in event arrives
      When the account sends a transaction list request with query type REFUND_IN
      Then it is accepted
      And each item, if any, has:
        | operationType | "Refund in" |
        | movementType  | "DEBIT"     |

    Scenario: By the key that received
      Given the account has been paid R$ 10.00 for a cob
      And the account receives webhooks of every type
      And the account has sent a refund of R$ 4.00
      And a refund_in event arrives
      When the account sends a key list request with:
        | path pixKey | the account's |
        | query type  | REFUND_IN     |
      Then it is accepted
      And each item, if any, has:
        | operationType | "Refund in" |
        | movementType  | "DEBIT"     |

  @lists.enums
  @LPK-018 @LPK-023 @LTX-017 @LTX-022
  Rule: A value outside its enum is refused with 400

    Scenario Outline: <parameter> <value> of a <list>
      When the account sends a <list> with query <parameter> <value>
      Then it is refused with 400

      Examples:
        | list                     | parameter | value    |
        | transaction list request | status    | FOO      |
        | transaction list request | status    | Pendente |
        | transaction list request | type      | FOO      |
        | transaction list request | type      | Pix in   |
        | key list request         | status    | FOO      |
        | key list request         | status    | Pendente |
        | key list request         | type      | FOO      |
        | key list request         | type      | Pix in   |

  @lists.dates
  @LPK-026 @LPK-027 @LPK-028 @LTX-012 @LTX-013 @LTX-023
  Rule: startDate and endDate keep the transactions made between them

    Background:
      Given the account has sent a cash-out of R$ 10.00

    Scenario Outline: Between, in a <list>
      Given the gateway lists what was sent in a <list>
      When 2 hours pass
      And the account sends a <list> with:
        | query startDate | 3 hours ago |
        | query endDate   | 1 hour ago  |
      Then it is accepted
      And the list holds the payment

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario Outline: Dates without a time, in a <list>
      Given the gateway lists what was sent in a <list>
      When 3 days pass
      And the account sends a <list> with:
        | query startDate | the date 6 days ago |
        | query endDate   | the date 1 day ago  |
      Then it is accepted
      And the list holds the payment

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario Outline: Before startDate, in a <list>
      When 2 hours pass
      And the account sends a <list> with:
        | query startDate | 1 hour ago |
        | query endDate   | now        |
      Then it is accepted
      And the list does not hold the payment

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario Outline: After endDate, in a <list>
      When the account sends a <list> with:
        | query startDate | 2 hours ago |
        | query endDate   | 1 hour ago  |
      Then it is accepted
      And the list does not hold the payment

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario Outline: <parameter> <value> of a <list> is refused
      When the account sends a <list> with query <parameter> <value>
      Then it is refused with 400

      Examples:
        | list                     | parameter | value      |
        | transaction list request | startDate | foo        |
        | transaction list request | endDate   | foo        |
        | transaction list request | startDate | 2026-13-01 |
        | key list request         | startDate | foo        |
        | key list request         | endDate   | foo        |
        | key list request         | startDate | 2026-13-01 |

  @lists.interval
  @LPK-029 @LPK-030 @LPK-031 @LPK-032 @LTX-013 @LTX-024 @LTX-025 @LTX-026
  Rule: The interval is at most 31 days, counted in one way

    Scenario Outline: <start> to now, in a <list>
      When the account sends a <list> with:
        | query startDate | <start> |
        | query endDate   | now     |
      Then it is accepted

      Examples:
        | list                     | start                |
        | transaction list request | 30 days ago          |
        | key list request         | 30 days ago          |

    Scenario Outline: <start> to now is too long for a <list>
      When the account sends a <list> with:
        | query startDate | <start> |
        | query endDate   | now     |
      Then it is refused with 400

      Examples:
        | list                     | start       |
        | transaction list request | 33 days ago |
        | key list request         | 33 days ago |

    Scenario Outline: Exactly <days> days, in a <list>
      When the account sends a <list> with:
        | query startDate | <days> days ago |
        | query endDate   | now             |
      Then it is accepted, or refused with 400
      And its status is noted as "the 31 days of a <list>":
        | 31 times 24 hours                   | <hours>   |
        | 31 dates, the first and last of them | <dates>   |
        | 31 dates between the first and last  | <between> |

      Examples:
        | list                     | days | hours | dates | between |
        | transaction list request | 31   | 200   | 400   | 200     |
        | transaction list request | 32   | 400   | 400   | 200     |
        | key list request         | 31   | 200   | 400   | 200     |
        | key list request         | 32   | 400   | 400   | 200     |

    Scenario Outline: 40 days ago and no endDate, in a <list>
      When the account sends a <list> with query startDate 40 days ago
      Then it is refused with 400

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

  @lists.default-window
  @LPK-024 @LPK-025 @LTX-007 @LTX-008
  Rule: By default a list reaches back 31 days, by key 30, and up to now

    Scenario Outline: A payment of <days> ago in a <list>
      Given the gateway lists what was sent in a <list>
      And it is 14:00 in São Paulo
      And the account has sent a cash-out of R$ 10.00
      When <hours> hours pass
      And the account sends a <list>
      Then it is accepted
      And the list <holds> the payment

      Examples:
        | list                     | days      | hours | holds         |
        | transaction list request | 30.5 days | 732   | holds         |
        | transaction list request | 33 days   | 792   | does not hold |
        | key list request         | 29 days   | 696   | holds         |
        | key list request         | 30.5 days | 732   | does not hold |

    Scenario Outline: A payment of now in a <list>
      Given the gateway lists what was sent in a <list>
      And the account has sent a cash-out of R$ 10.00
      When the account sends a <list> with query startDate 1 hour ago
      Then it is accepted
      And the list holds the payment

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

  @lists.own-account
  @AUTH-011 @LTX-031
  Rule: An account sees its own transactions alone

    Scenario: Another account's cash-out
      Given a new account with R$ 100.00 available
      And another new account
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a transaction list request
      Then it is accepted
      And the answer has:
        | data | empty |

    Scenario: Another account's cash-out, by its externalId
      Given another account
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a transaction list request with query externalId the externalId of the account
      Then it is accepted
      And the answer has:
        | data | empty |

    Scenario: Another account's cash-out, by its key
      Given another account
      And the account has sent a cash-out of R$ 10.00
      When the other account sends a key list request with path pixKey the details.key of the account
      Then it is accepted
      And the answer has:
        | data | empty |

  @lists.external-id
  @LTX-009 @LTX-010
  Rule: externalId finds the one transaction

    Scenario: One of three
      Given the account has sent 3 cash-outs of R$ 1.00 to one key
      When the account sends a transaction list request with query externalId the externalId of the account
      Then it is accepted
      And the answer has:
        | data           | 1 item |
        | metadata.total | 1      |
      And the list holds the third payment

    Scenario: None
      Given the account has sent a cash-out of R$ 10.00
      When the account sends a transaction list request with query externalId no-such-order
      Then it is accepted
      And the answer has:
        | data           | empty |
        | metadata.total | 0     |

  @lists.end-to-end-id
  @LTX-011
  Rule: endToEndId finds the one transaction

    Background:
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent 2 cash-outs of R$ 1.00 to one key
      And the bank confirms it
      And a CashOut event arrives

    Scenario: One of two
      When the account sends a transaction list request with query endToEndId the endToEndId of the event
      Then it is accepted
      And the answer has:
        | data           | 1 item |
        | metadata.total | 1      |
      And the list holds the second payment

    Scenario: None
      When the account sends a transaction list request with query endToEndId a fresh end-to-end id
      Then it is accepted
      And the answer has:
        | data | empty |

  @lists.pix-key
  @GEN-010 @LPK-001 @LPK-002 @LPK-003 @LPK-004 @LPK-005 @LPK-006 @LPK-007
  Rule: A list by key takes keys of five kinds and holds their transactions alone

    Scenario Outline: <kind>
      When the account sends a key list request with path pixKey <key>
      Then it is accepted

      Examples:
        | kind   | key                                  |
        | CPF    | 52998224725                          |
        | CNPJ   | 11222333000181                       |
        | phone  | +5511987654321                       |
        | e-mail | fulano@example.com                   |
        | random | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |

    Scenario: Two keys
      Given the gateway lists what was sent in a key list request
      And the account has sent a cash-out with details.key a fresh e-mail
      And the account has sent a cash-out with details.key a fresh e-mail
      When the account sends a key list request
      Then it is accepted
      And the list holds the second payment
      And the list does not hold the first payment

    Scenario: A key finds what was sent to it, or what was received at it
      Given the account has been paid R$ 10.00 for a cash-in
      And the account has sent a cash-out of R$ 5.00
      And the payment is listed once
      When the account sends a key list request with path pixKey the account's
      And the account sends a key list request with path pixKey the payee's
      Then one of the two is not empty

    Scenario: What a key finds
      Given a new account
      And the account has been paid R$ 10.00 for a cash-in
      And the payment is listed once
      When the account sends a key list request with path pixKey the account's
      Then it is accepted
      And its metadata.total is noted as "total of a list by the receiver's own key"

    Scenario: The key of a paid charge
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      When the account sends a key list request with path pixKey the account's
      Then it is accepted
      And its data is noted as "list by the receiver's own key"

  @lists.cap
  @LPK-033
  Rule: A list by key holds at most 1000 transactions in all

    Scenario: After 1001 payments
      Given a new account with R$ 2000.00 available
      And no limits
      And the account has sent 1001 cash-outs of R$ 1.00 to one key
      When the account walks the pages of the key list request by 500
      Then at most 1000 items came
      And the total of the pages is noted as "total beyond 1000 transactions"

  @lists.left-open
  @LPK-009 @LPK-045 @LTX-006 @LTX-063
  Rule: Where the specification is silent, a list is either returned or refused with 400

    Scenario Outline: <point>
      When the account sends a <list> with query <parameter> <value>
      Then it is accepted, or refused with 400
      And its status is noted as "<point>"

      Examples:
        | list                     | parameter | value        | point                              |
        | transaction list request | size      | 0            | list of size 0                     |
        | transaction list request | size      | -1           | list of negative size              |
        | transaction list request | page      | 9999         | page beyond the last               |
        | transaction list request | status    | pending      | filter value in small letters      |
        | transaction list request | endDate   | 60 days ago  | old endDate alone                  |
        | transaction list request | startDate | 1 day ahead  | startDate after endDate            |

    Scenario Outline: The code of a refused <list>
      When the account sends a <list> with query page 0
      Then it is refused with 400
      And its code is noted as "refused list of transactions"

      Examples:
        | list                     |
        | transaction list request |
        | key list request         |

    Scenario: A malformed key
      When the account sends a key list request with path pixKey not-a-key
      Then it is accepted, or refused with 400
      And its status is noted as "list by a malformed key"

    Scenario Outline: A payment at <time> in São Paulo, in the list of that day
      Given a new account with R$ 100.00 available
      And it is <time> in São Paulo
      And the account has sent a cash-out of R$ 10.00
      When the account sends a transaction list request with:
        | query startDate | the date 0 days ago |
        | query endDate   | the date 0 days ago |
      Then it is accepted
      And its metadata.total is noted as "the list of one date":
        | its whole day in São Paulo | <São Paulo> |
        | its whole day in UTC       | <UTC>       |
        | its first instant          | <instant>   |

      Examples:
        | time  | São Paulo | UTC | instant |
        | 12:00 | 1         | 1   | 0       |
        | 23:30 | 1         | 0   | 0       |

    Scenario: A list without transactions
      Given a new account
      When the account sends a transaction list request
      Then it is accepted
      And its metadata.totalPages is noted as "totalPages of an empty list"

    Scenario: The order
      Given a new account with R$ 100.00 available
      And the account has sent 3 cash-outs of R$ 1.00 to one key
      When the account sends a transaction list request
      Then it is accepted
      And the order of the payments is noted as "order of a list"
