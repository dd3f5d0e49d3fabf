Feature: Events
  An account can subscribe to seven types of event. Besides CashOut, the specification
  defines three payloads: TRANSFER, RECEIVE and REFUND, each in an envelope with a type
  and data.

  Background:
    Given an account with R$ 100.00 available
    And the account receives webhooks of every type

  @events.subscriptions
  @GEN-013 @IN-069 @EVT-001 @EVT-002 @EVT-003 @EVT-004 @EVT-005 @EVT-006 @EVT-007 @EVT-086 @EVT-089
  Rule: Each type of event tells what it is named for

    Scenario: cash_in, of a cash-in
      When the account has been paid R$ 10.00 for a cash-in
      Then a cash_in event arrives

    Scenario: cash_in, of a cob
      When the account has been paid R$ 10.00 for a cob
      Then a RECEIVE event arrives

    Scenario: cash_out
      When the account sends a cash-out
      Then it is accepted
      And a cash_out event arrives

    Scenario: refund_in, of a payment that the account gives back
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund of R$ 4.00
      Then it is accepted
      And a refund_in event arrives

    Scenario: refund_out, of a payment that comes back
      Given the account has sent a cash-out of R$ 10.00
      And a CashOut event arrives
      When the payee gives R$ 4.00 back
      Then a refund_out event arrives
      And available rises by R$ 4.00
      And the event's shape is noted as "payload of a refund_out event"

    Scenario: med_created, med_accepted
      Given the account has been paid R$ 10.00 for a cob
      When a MED case is opened against the payment
      Then a med_created event arrives
      When the case becomes RECEIVED
      And the case becomes APPROVED
      Then a med_accepted event arrives

    Scenario: med_rejected
      Given the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment
      And the case becomes RECEIVED
      When the case becomes REJECTED
      Then a med_rejected event arrives

  @events.every-url
  @WHK-039 @EVT-008
  Rule: An event of any type goes to every active URL, with its custom headers

    Scenario: Two URLs for cash_in
      Given a new account
      And the account receives cash_in webhooks with header X-Pixcert-Secret "one"
      And the account receives cash_in webhooks with header X-Pixcert-Secret "two"
      When the account has been paid R$ 10.00 for a cash-in
      Then a cash_in event arrives with header X-Pixcert-Secret "one"
      And a cash_in event arrives at the last URL with header X-Pixcert-Secret "two"

    Scenario: Two URLs for med_created
      Given a new account
      And the account has been paid R$ 10.00 for a cob
      And the account receives med_created webhooks with header X-Pixcert-Secret "one"
      And the account receives med_created webhooks with header X-Pixcert-Secret "two"
      When a MED case is opened against the payment
      Then a med_created event arrives with header X-Pixcert-Secret "one"
      And a med_created event arrives at the last URL with header X-Pixcert-Secret "two"

  @events.transfer
  @GEN-007 @DICT-061 @EVT-046 @EVT-047 @EVT-048 @EVT-049 @EVT-050 @EVT-051 @EVT-052 @EVT-053
  @EVT-054 @EVT-055 @EVT-056 @EVT-057 @EVT-058 @EVT-059 @EVT-060 @EVT-085 @VER-001
  Rule: A TRANSFER event tells of a transfer to a key

    Background:
      Given settlement waits for the bank
      And the key directory holds a fresh e-mail key at 60701190

    @open:remittanceInformation-of-a-transfer
    Scenario: A settled transfer
      Given the account has sent a transfer with:
        | payment.amount | 8.41        |
        | description    | "Pedido 12" |
      When the bank confirms it
      Then a TRANSFER event arrives with:
        | type                           | "TRANSFER"                 |
        | data                           | an object                  |
        | data.id                        | the first id               |
        | data.txId                      | null or a string           |
        | data.pixKey                    | the pixKey sent            |
        | data.status                    | "LIQUIDATED"               |
        | data.payment.amount            | "8.41"                     |
        | data.payment.currency          | "BRL"                      |
        | data.endToEndId                | a text                     |
        | data.creditDebitType           | "DEBIT"                    |
        | data.idempotencyKey            | the x-idempotency-key sent |
        | data.creditorAccount.name      | present                    |
        | data.creditorAccount.document  | masked                     |
        | data.creditorAccount.ispb      | "60701190"                 |
        | data.remittanceInformation     | a string                   |
      And the event's shape is noted as "fields of a V2 envelope"
      And the event should hold:
        | data.remittanceInformation | "Pedido 12" |
      And the event's data.endToEndId is noted as "endToEndId of a settled transfer"

  @events.receive
  @GEN-007 @COB-059 @DEV-002 @EVT-061 @EVT-062 @EVT-063 @EVT-064 @EVT-065 @EVT-066 @EVT-067 @EVT-068
  @EVT-069 @EVT-086 @VER-001
  Rule: A RECEIVE event tells of a paid charge

    Scenario: A paid cob
      Given the account has sent a cob of R$ 8.41
      When somebody pays it
      Then a RECEIVE event arrives with:
        | type                        | "RECEIVE"    |
        | data                        | an object    |
        | data.id                     | present      |
        | data.txId                   | the txid sent |
        | data.status                 | "LIQUIDATED" |
        | data.payment.amount         | "8.41"       |
        | data.payment.currency       | "BRL"        |
        | data.endToEndId             | a text       |
        | data.debtorAccount.name     | present      |
        | data.debtorAccount.document | masked       |

    Scenario: Its endToEndId serves for a refund
      Given the account has sent a cob of R$ 8.41
      And somebody pays it
      And a RECEIVE event arrives
      When the account sends a refund with:
        | path e2eid | the endToEndId of the event |
        | valor      | "8.41"                      |
      Then it is accepted

  @events.refund
  @DEV-049 @DEV-052 @EVT-070 @EVT-071 @EVT-072 @EVT-073 @EVT-074 @EVT-075 @EVT-076 @EVT-077 @EVT-078
  @EVT-079 @EVT-080 @EVT-081 @EVT-082 @EVT-083 @EVT-084 @EVT-087 @VER-001
  Rule: A REFUND event tells of a payment that was given back

    @open:what-a-REFUND-event-repeats
    Scenario: A refund of a cob
      Given the account has been paid R$ 10.00 for a cob
      And refunds wait for the bank
      And the account has sent a refund with:
        | valor     | "8.41"      |
        | descricao | "Devolvido" |
      When the refund succeeds
      Then a REFUND event arrives with:
        | type                              | "REFUND"            |
        | data                              | an object           |
        | data.id                           | present             |
        | data.txId                         | null or present     |
        | data.status                       | "REFUNDED"          |
        | data.payment.amount               | a text              |
        | data.payment.currency             | present             |
        | data.endToEndId                   | present             |
        | data.creditDebitType              | "DEBIT" or "CREDIT" |
        | data.refunds                      | at least 1 item     |
        | data.refunds[0].status            | "LIQUIDATED"        |
        | data.refunds[0].payment.amount    | R$ 8.41             |
        | data.refunds[0].payment.currency  | present             |
        | data.refunds[0].endToEndId        | present             |
        | data.refunds[0].eventDate         | a UTC time          |
        | data.refunds[0].information       | present             |
      And the event should hold:
        | data.endToEndId             | its endToEndId      |
        | data.refunds[0].endToEndId  | the rtrId answered  |
        | data.refunds[0].information | "Devolvido"         |
      And the event's data.creditDebitType is noted as "creditDebitType of a refund"

  @events.once-settled
  @IN-067 @EVT-011
  Rule: Nothing is reported as settled before it is

    Scenario: A pending transfer
      Given settlement waits for the bank
      And the key directory holds a fresh e-mail key
      When the account sends a transfer of R$ 10.00
      Then it is accepted
      And no event reports it as LIQUIDATED

    Scenario: A refund in processing
      Given the account has been paid R$ 10.00 for a cob
      And refunds wait for the bank
      When the account sends a refund of R$ 10.00
      Then it is accepted
      And it is noted as "event of a refund in processing" whether an event arrives

    Scenario: A pending cash-out
      Given settlement waits for the bank
      When the account sends a cash-out
      Then it is accepted
      And nothing arrives

    Scenario: An unpaid cash-in
      When the account sends a cash-in
      Then it is accepted
      And nothing arrives for cash_in

  @events.left-open
  @BAL-027 @DICT-063 @EVT-003
  Rule: Money that comes back is booked, whatever event the specification leaves open

    Scenario: A payment that is sent back, of a transfer
      Given the key directory holds a fresh e-mail key
      And the account has sent a transfer of R$ 10.00
      And a TRANSFER event arrives
      When the payee gives R$ 4.00 back
      Then available rises by R$ 4.00
      And it is noted as "event of a returned transfer" whether an event arrives

    Scenario: A rejected transfer
      Given settlement waits for the bank
      And the key directory holds a fresh e-mail key
      And the account has sent a transfer of R$ 10.00
      When the bank rejects it with ORDER_REJECTED
      Then no event reports it as LIQUIDATED
      And it is noted as "event of a rejected transfer" whether an event arrives

    Scenario: A refund of a cash-in, where it is taken
      Given the account has been paid R$ 10.00 for a cash-in
      When the account sends a refund of R$ 4.00
      Then it is accepted, or refused with 400 or 404 or 422
      And if it was accepted, a refund_in event arrives
      And it is noted as "event of a refunded cash-in" whether an event arrives
