Feature: Events
  An account can subscribe to seven types of event. Besides CashOut, the specification
  defines three payloads: TRANSFER, RECEIVE and REFUND, each in an envelope with a type
  and data.
  Where and how often they arrive is in delivery.feature.

  Background:
    Given an account with R$ 100.00 available
    And the account receives webhooks of every type

  @events.subscriptions
  @GEN-013 @IN-069 @EVT-001 @EVT-002 @EVT-003 @EVT-004 @EVT-005 @EVT-006 @EVT-007 @EVT-086 @EVT-089
  Rule: Each event type reports what its name says

    Scenario: cash_in, for a cash-in
      When the account has received R$ 10.00 through a cash-in
      Then a cash_in event arrives

    Scenario: cash_in, for a cob
      When the account has received R$ 10.00 through a cob
      Then a RECEIVE event arrives

    Scenario: cash_out
      When the account sends a cash-out
      Then the request is accepted
      And a cash_out event arrives

    Scenario: refund_in, for a refund that the account sends
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund of R$ 4.00
      Then the request is accepted
      And a refund_in event arrives

    Scenario: refund_out, for a payment that the payee returns
      Given the account has sent a cash-out of R$ 10.00
      And a CashOut event arrives
      When the payee returns R$ 4.00
      Then a refund_out event arrives
      And the available balance rises by R$ 4.00
      And the event's shape is recorded for open point "payload of a refund_out event"

    Scenario: med_created and med_accepted
      Given the account has received R$ 10.00 through a cob
      When a MED case is opened against the payment
      Then a med_created event arrives
      When the bank moves the case to RECEIVED
      And the bank moves the case to APPROVED
      Then a med_accepted event arrives

    Scenario: med_rejected
      Given the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      When the bank moves the case to REJECTED
      Then a med_rejected event arrives

    Scenario: refund_out, for each of two returns of one payment
      Given the account has sent a cash-out of R$ 10.00
      And a CashOut event arrives
      When the payee returns R$ 4.00
      Then a refund_out event arrives
      And the available balance rises by R$ 4.00
      When the payee returns R$ 6.00
      Then the refund_out event arrives again
      And the available balance rises by R$ 6.00

    Scenario: refund_in, for each of two refunds of one payment
      Given the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      And the account has sent a refund of R$ 4.00
      And the bank confirms the refund
      And a refund_in event arrives
      And the account has sent a refund of R$ 3.00
      When the bank confirms the refund
      Then the refund_in event arrives again

    Scenario: med_created, med_rejected and med_accepted, for the cases of two payments
      Given the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And a med_created event arrives
      And the bank moves the case to RECEIVED
      When the bank moves the case to REJECTED
      Then a med_rejected event arrives
      When the account has received R$ 8.00 through a cash-in
      And a MED case is opened against the payment
      Then the med_created event arrives again
      When the bank moves the case to RECEIVED
      And the bank moves the case to APPROVED
      Then a med_accepted event arrives

    Scenario: cash_in, for a second payment after a refund of the first
      Given the account has received R$ 9.00 through a cob
      And a cash_in event arrives
      And the account has sent a refund of R$ 9.00
      And a refund_in event arrives
      When the account has received R$ 7.00 through a cash-in
      Then the cash_in event arrives again

    Scenario: cash_in, for two charges of which the second is paid first
      Given the account has sent a cash-in of R$ 8.00
      And the account has sent a cash-in of R$ 9.00
      When a payer pays the second charge
      Then a cash_in event of the second charge arrives
      When another payer pays the first charge
      Then a cash_in event of the first charge arrives

    Scenario: One URL for three types
      Given a new account with R$ 100.00 available
      And the account receives refund_in webhooks
      And the account receives cash_in webhooks at the same URL
      And the account receives cash_out webhooks at the same URL
      When the account has received R$ 10.00 through a cob
      Then a RECEIVE event arrives
      When the account sends a refund of R$ 4.00
      Then a REFUND event arrives
      When the account sends a cash-out
      Then a CashOut event arrives

    Scenario: refund_in, at every URL
      Given a new account with R$ 100.00 available
      And the account receives refund_in webhooks at 3 URLs
      And the account has received R$ 10.00 through a cob
      When the account sends a refund of R$ 4.00
      Then a refund_in event arrives at each URL

    Scenario: refund_out, at every URL
      Given a new account with R$ 100.00 available
      And the account receives cash_out webhooks
      And the account receives refund_out webhooks at 3 URLs
      And the account has sent a cash-out of R$ 10.00
      And a CashOut event arrives
      When the payee returns R$ 4.00
      Then a refund_out event arrives at each URL

    Scenario: med_accepted, at every URL
      Given a new account
      And the account receives med_accepted webhooks at 3 URLs
      And the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And the bank moves the case to RECEIVED
      When the bank moves the case to APPROVED
      Then a med_accepted event arrives at each URL

  @events.every-url
  @WHK-039 @EVT-008
  Rule: cash_in and med_created events reach every active URL, with its custom headers

    Scenario: Two URLs for cash_in
      Given a new account
      And the account receives cash_in webhooks with header X-Pixcert-Secret "one"
      And the account receives cash_in webhooks with header X-Pixcert-Secret "two"
      When the account has received R$ 10.00 through a cash-in
      Then a cash_in event arrives with header X-Pixcert-Secret "one"
      And a cash_in event arrives at the last URL with header X-Pixcert-Secret "two"

    Scenario: Two URLs for med_created
      Given a new account
      And the account has received R$ 10.00 through a cob
      And the account receives med_created webhooks with header X-Pixcert-Secret "one"
      And the account receives med_created webhooks with header X-Pixcert-Secret "two"
      When a MED case is opened against the payment
      Then a med_created event arrives with header X-Pixcert-Secret "one"
      And a med_created event arrives at the last URL with header X-Pixcert-Secret "two"

  @events.transfer
  @GEN-007 @DICT-061 @EVT-046 @EVT-047 @EVT-048 @EVT-049 @EVT-050 @EVT-051 @EVT-052 @EVT-053
  @EVT-054 @EVT-055 @EVT-056 @EVT-057 @EVT-058 @EVT-059 @EVT-060 @EVT-085 @VER-001
  Rule: A TRANSFER event reports a settled transfer

    Background:
      Given settlement waits for the bank
      And the key directory has a new e-mail key at ISPB 60701190

    @open:remittanceInformation-of-a-transfer
    Scenario: A settled transfer
      Given the account has sent a transfer with:
        | payment.amount | 8.41        |
        | description    | "Pedido 12" |
      When the bank confirms the payment
      Then a TRANSFER event arrives with:
        | type                          | "TRANSFER"                 |
        | data                          | an object                  |
        | data.id                       | the first id               |
        | data.txId                     | null or a string           |
        | data.pixKey                   | the pixKey sent            |
        | data.status                   | "LIQUIDATED"               |
        | data.payment.amount           | "8.41"                     |
        | data.payment.currency         | "BRL"                      |
        | data.endToEndId               | a non-empty string         |
        | data.creditDebitType          | "DEBIT"                    |
        | data.idempotencyKey           | the x-idempotency-key sent |
        | data.creditorAccount.name     | present                    |
        | data.creditorAccount.document | masked                     |
        | data.creditorAccount.ispb     | "60701190"                 |
        | data.remittanceInformation    | a string                   |
      And the event's shape is recorded for open point "fields of a V2 envelope"
      And the event should have:
        | data.remittanceInformation | "Pedido 12" |
      And the event's data.endToEndId is recorded for open point "endToEndId of a settled transfer"

    Scenario Outline: A transfer of R$ <amount> to a <kind> key
      Given an account with R$ <amount> available
      And no limits
      And settlement waits for the bank
      And the account receives webhooks of every type
      And the key directory has a new <kind> key
      And the account has sent a transfer of R$ <amount>
      When the bank confirms the payment
      Then a TRANSFER event arrives with:
        | data.pixKey                   | the pixKey sent |
        | data.payment.amount           | "<amount>"      |
        | data.creditorAccount.document | masked          |

      Examples:
        | kind   | amount      |
        | CPF    | 0.07        |
        | CNPJ   | 1234.56     |
        | phone  | 10000000.07 |
        | random | 8.41        |

    Scenario: To an institution whose code starts with 0
      Given the key directory has a new e-mail key at ISPB 00416968
      And the account has sent a transfer
      When the bank confirms the payment
      Then a TRANSFER event arrives with:
        | data.creditorAccount.ispb | "00416968" |

    Scenario: Three transfers to one key, settled in another order
      Given the account has sent a transfer of R$ 10.07
      And the account has sent a transfer of R$ 20.29
      And the account has sent a transfer of R$ 30.15
      When the bank confirms the second payment
      And the scenario returns to the second payment
      Then a TRANSFER event arrives with:
        | data.idempotencyKey | the x-idempotency-key sent |
        | data.payment.amount | "20.29"                    |
      When the scenario returns to the first payment
      And the bank confirms the payment
      Then a TRANSFER event arrives with:
        | data.id             | the first id               |
        | data.idempotencyKey | the x-idempotency-key sent |
        | data.payment.amount | "10.07"                    |
      When the scenario returns to the third payment
      And the bank confirms the payment
      Then a TRANSFER event arrives with:
        | data.idempotencyKey | the x-idempotency-key sent |
        | data.payment.amount | "30.15"                    |

  @events.receive
  @GEN-007 @COB-059 @DEV-002 @EVT-061 @EVT-062 @EVT-063 @EVT-064 @EVT-065 @EVT-066 @EVT-067 @EVT-068
  @EVT-069 @EVT-086 @VER-001
  Rule: A RECEIVE event reports a paid charge

    Scenario: A paid cob
      Given the account has sent a cob of R$ 8.41
      When a payer pays the charge
      Then a RECEIVE event arrives with:
        | type                        | "RECEIVE"          |
        | data                        | an object          |
        | data.id                     | present            |
        | data.txId                   | the txid sent      |
        | data.status                 | "LIQUIDATED"       |
        | data.payment.amount         | "8.41"             |
        | data.payment.currency       | "BRL"              |
        | data.endToEndId             | a non-empty string |
        | data.debtorAccount.name     | present            |
        | data.debtorAccount.document | masked             |

    Scenario: The second and then the first of two charges
      Given the account has sent a cob of R$ 8.41
      And the account has sent a cob of R$ 1000.07
      When a company pays the second charge
      Then a RECEIVE event of the second charge arrives with:
        | data.txId                   | the txid of the second charge       |
        | data.payment.amount         | "1000.07"                           |
        | data.endToEndId             | the endToEndId of the second charge |
        | data.debtorAccount.document | masked                              |
      When a payer pays the first charge
      Then a RECEIVE event of the first charge arrives with:
        | data.txId           | the txid of the first charge       |
        | data.payment.amount | "8.41"                             |
        | data.endToEndId     | the endToEndId of the first charge |

    Scenario: The seventh of seven charges of one amount
      Given the account has received R$ 8.41 through a cob
      And the account has received R$ 8.41 through a cob
      And the account has received R$ 8.41 through a cob
      And the account has received R$ 8.41 through a cob
      And the account has received R$ 8.41 through a cob
      And the account has received R$ 8.41 through a cob
      And the account has sent a cob of R$ 8.41
      When a payer pays the charge
      Then a RECEIVE event arrives with:
        | data.txId | the txid sent |
      And a RECEIVE event of the 6th charge arrives
      And a RECEIVE event of the 5th charge arrives

    Scenario: Its endToEndId can be refunded
      Given the account has sent a cob of R$ 8.41
      And a payer pays the charge
      And a RECEIVE event arrives
      When the account sends a refund with:
        | path e2eid | the endToEndId of the event |
        | valor      | "8.41"                      |
      Then the request is accepted

    Scenario Outline: An amount of R$ <amount>
      Given the account has sent a cob of R$ <amount>
      When a payer pays the charge
      Then a RECEIVE event arrives with:
        | data.payment.amount | <string> |

      Examples:
        | amount      | string                          |
        | 0.01        | "0.01"                          |
        | 0.29        | "0.29"                          |
        | 1000.00     | "1000.00" or "1000.0" or "1000" |
        | 10000000.07 | "10000000.07"                   |

  @events.refund
  @DEV-049 @DEV-052 @EVT-070 @EVT-071 @EVT-072 @EVT-073 @EVT-074 @EVT-075 @EVT-076 @EVT-077 @EVT-078
  @EVT-079 @EVT-080 @EVT-081 @EVT-082 @EVT-083 @EVT-084 @EVT-087 @VER-001
  Rule: A REFUND event reports a refund

    @open:what-a-REFUND-event-repeats
    Scenario: A refund of a cob
      Given the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      And the account has sent a refund with:
        | valor     | "8.41"      |
        | descricao | "Devolvido" |
      When the bank confirms the refund
      Then a REFUND event arrives with:
        | type                             | "REFUND"            |
        | data                             | an object           |
        | data.id                          | present             |
        | data.txId                        | null or present     |
        | data.status                      | "REFUNDED"          |
        | data.payment.amount              | a non-empty string  |
        | data.payment.currency            | present             |
        | data.endToEndId                  | present             |
        | data.creditDebitType             | "DEBIT" or "CREDIT" |
        | data.refunds                     | at least 1 item     |
        | data.refunds[0].status           | "LIQUIDATED"        |
        | data.refunds[0].payment.amount   | R$ 8.41             |
        | data.refunds[0].payment.currency | present             |
        | data.refunds[0].endToEndId       | present             |
        | data.refunds[0].eventDate        | a UTC time          |
        | data.refunds[0].information      | present             |
      And the event should have:
        | data.endToEndId             | its endToEndId     |
        | data.refunds[0].endToEndId  | the rtrId returned |
        | data.refunds[0].information | "Devolvido"        |
      And the event's data.creditDebitType is recorded for open point "creditDebitType of a refund"

    Scenario: A refund on an account with fees
      Given a cash-in fee of R$ 0.50
      And a cash-out fee of R$ 0.29
      And the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      And the account has sent a refund of R$ 8.41
      When the bank confirms the refund
      Then a REFUND event arrives with:
        | data.endToEndId                | present |
        | data.refunds[0].endToEndId     | present |
        | data.refunds[0].payment.amount | R$ 8.41 |

    Scenario: Each of three refunds of one payment
      Given the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      And the account has sent a refund of R$ 5.00
      When the bank confirms the refund
      Then a REFUND event arrives with:
        | data.refunds | an item whose payment.amount is R$ 5.00 |
      When the account sends a refund of R$ 3.07
      And the bank confirms the refund
      Then the REFUND event arrives again with:
        | data.refunds | an item whose payment.amount is R$ 3.07 |
      When the account sends a refund of R$ 1.93
      And the bank confirms the refund
      Then the REFUND event arrives again with:
        | data.refunds | an item whose payment.amount is R$ 1.93 |

    Scenario: Three refunds of a cob
      Given the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      And the account has sent a refund of R$ 1.00
      And the bank confirms the refund
      And a REFUND event arrives
      And the account has sent a refund of R$ 2.15
      And the account has sent a refund of R$ 0.07
      When the bank confirms the third refund
      Then a REFUND event of the third refund arrives
      When the bank confirms the second refund
      Then a REFUND event of the second refund arrives

  @events.once-settled
  @IN-067 @EVT-011
  Rule: A payment is not reported as settled before it settles

    Scenario: A pending transfer
      Given settlement waits for the bank
      And the key directory has a new e-mail key
      When the account sends a transfer of R$ 10.00
      Then the request is accepted
      And no event reports it as LIQUIDATED

    Scenario: A refund in processing
      Given the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      When the account sends a refund of R$ 10.00
      Then the request is accepted
      And whether an event arrives is recorded for open point "event of a refund in processing"

    Scenario: A pending cash-out
      Given settlement waits for the bank
      When the account sends a cash-out
      Then the request is accepted
      And no event arrives

    Scenario: An unpaid cash-in
      When the account sends a cash-in
      Then the request is accepted
      And no cash_in event arrives

  @events.rejected
  @DICT-063 @EVT-011
  Rule: A rejected request sends no event

    Scenario Outline: A <kind> whose <field> is <value>, in every shape
      When the account sends a <kind> of every shape with <field> <value>
      Then every request is rejected with 400
      And no event arrives

      Examples:
        | kind        | field            | value        |
        | cash-out    | details.document | "5299822472" |
        | QR cash-out | value            | 1.001        |
        | cash-in     | payer.document   | absent       |
        | cob         | valor.original   | "10.0"       |

    Scenario Outline: A <kind> above the balance
      Given an account with exactly R$ 10.00 available
      And the account receives webhooks of every type
      And no limits
      When the account sends a <kind> of R$ 10.01
      Then the request is rejected with 400
      And no event arrives

      Examples:
        | kind        |
        | cash-out    |
        | QR cash-out |

    Scenario: A transfer whose creditorDocument is too short, in every shape
      Given the key directory has a new e-mail key
      When the account sends a transfer of every shape with creditorDocument "5299822472"
      Then every request is rejected with 400 or 422
      And no event reports it as LIQUIDATED

    Scenario: A transfer above the balance
      Given an account with exactly R$ 10.00 available
      And the account receives webhooks of every type
      And the key directory has a new e-mail key
      And no limits
      When the account sends a transfer of R$ 10.01
      Then the request is rejected with 422
      And no event reports it as LIQUIDATED

    Scenario: A refund whose valor has one decimal, in every shape
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund of every shape with valor "1.0"
      Then every request is rejected with 400
      And no event reports it as REFUNDED

  @events.left-open
  @BAL-027 @DICT-063 @EVT-003
  Rule: Returned money is credited, with or without an event

    Scenario: A transfer that the payee returns
      Given the key directory has a new e-mail key
      And the account has sent a transfer of R$ 10.00
      And a TRANSFER event arrives
      When the payee returns R$ 4.00
      Then the available balance rises by R$ 4.00
      And whether an event arrives is recorded for open point "event of a returned transfer"

    Scenario: A rejected transfer
      Given settlement waits for the bank
      And the key directory has a new e-mail key
      And the account has sent a transfer of R$ 10.00
      When the bank rejects the payment with ORDER_REJECTED
      Then no event reports it as LIQUIDATED
      And whether an event arrives is recorded for open point "event of a rejected transfer"

    Scenario: A refund of a cash-in, if the gateway accepts it
      Given the account has received R$ 10.00 through a cash-in
      When the account sends a refund of R$ 4.00
      Then the request is accepted, or rejected with 400 or 404 or 422
      And if the request was accepted, a refund_in event arrives
      And whether an event arrives is recorded for open point "event of a refunded cash-in"
