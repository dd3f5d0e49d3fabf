Feature: The wire contract
  Every answer of every scenario is held against openapi.yaml; what does not match is
  reported here, under the operation that gave it, so that one wrong field fails one
  rule. Unknown fields are allowed everywhere.

  Background:
    Given an account with R$ 10.00 available

  @contract.token
  Rule: Answers of POST /api/auth/token

    Scenario: Accepted and refused
      When the account sends a token request
      And the account sends a token request whose body is {}
      Then the answers match the contract

  @contract.balances
  Rule: Answers of GET /accounts/balances

    Scenario: Accepted and refused
      When the account sends a balance request
      And the account sends a balance request under no token
      Then the answers match the contract

  @contract.cash-out
  Rule: Answers of POST /api/pix/cash-out

    Scenario: Accepted and refused
      When the account sends a cash-out
      And the account sends a cash-out whose body is {}
      And the account sends a cash-out of R$ 10.01
      Then the answers match the contract

  @contract.qr-cash-out
  Rule: Answers of POST /api/pix/cash-out-qrcode

    Scenario: Accepted and refused
      When the account sends a QR cash-out
      And the account sends it again
      And the account sends a QR cash-out whose body is {}
      And the account sends a QR cash-out of R$ 10.01
      Then the answers match the contract

  @contract.cash-in
  Rule: Answers of POST /api/pix/cash-in

    Scenario: Accepted and refused
      When the account sends a cash-in
      And the account sends a cash-in with transaction.generateQrCode true
      And the account sends it again
      And the account sends a cash-in whose body is {}
      Then the answers match the contract

  @contract.transfer
  Rule: Answers of POST /dict/pix

    Scenario: Accepted and refused
      Given the key directory holds a fresh e-mail key
      When the account sends a transfer
      And the account sends it again
      And the account sends a transfer whose body is {}
      And the account sends a transfer of R$ 10.01
      Then the answers match the contract

  @contract.cob
  Rule: Answers of PUT /cob/{txid}

    Scenario: Accepted and refused
      When the account sends a cob
      And the account sends it again
      And the account sends a cob whose body is {}
      Then the answers match the contract

  @contract.refund
  Rule: Answers of PUT /pix/{e2eid}/devolucao/{id}

    Scenario: Accepted and refused
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund
      And the account sends a refund of R$ 99.00
      And the account sends a refund with path e2eid a fresh end-to-end id
      And the account sends a refund whose body is {}
      Then the answers match the contract

  @contract.med-list
  Rule: Answers of GET /api/med

    Scenario: Accepted and refused
      Given the account has been paid R$ 10.00 for a cob
      And a MED case is opened against the payment
      And a MED case is opened against an unknown payment
      When the account sends a MED list request
      And the account sends a MED list request with query page 0
      Then the answers match the contract

  @contract.transaction-list
  Rule: Answers of GET /api/transactions

    Scenario: Accepted and refused
      Given the account has sent a cash-out
      And the account has sent a cash-in
      When the account sends a transaction list request
      And the account sends a transaction list request with query page 0
      Then the answers match the contract

  @contract.key-list
  Rule: Answers of GET /api/pix/transactions/pix-key/{pixKey}

    Scenario: Accepted and refused
      Given the account has sent a cash-out
      When the account sends a key list request
      And the account sends a key list request with query page 0
      Then the answers match the contract

  @contract.resend
  Rule: Answers of POST /api/resend-webhook/{transactionIdentifier}

    Scenario: Accepted and refused
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request
      And the account sends a resend request with path transactionIdentifier no-such-order
      Then the answers match the contract

  @contract.register-webhook
  Rule: Answers of POST /api/webhooks

    Scenario: Accepted and refused
      When the account sends a webhook registration
      And the account sends a webhook registration whose body is {}
      Then the answers match the contract

  @contract.list-webhooks
  Rule: Answers of GET /api/webhooks

    Scenario: Accepted and refused
      Given the account has sent a webhook registration
      When the account sends a webhook list request
      And the account sends a webhook list request under no token
      Then the answers match the contract

  @contract.cash-out-event
  Rule: CashOut events

    Scenario: Confirmed
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      When the bank confirms it
      Then a CashOut event arrives
      And the events match the contract

    Scenario: Rejected
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      When the bank rejects it with ORDER_REJECTED
      Then a CashOut event arrives
      And the events match the contract

  @contract.transfer-event
  Rule: TRANSFER events

    Scenario: Settled
      Given settlement waits for the bank
      And the key directory holds a fresh e-mail key
      And the account receives webhooks of every type
      And the account has sent a transfer
      When the bank confirms it
      Then a TRANSFER event arrives
      And the events match the contract

  @contract.receive-event
  Rule: RECEIVE events

    Scenario: A paid cob
      Given the account receives webhooks of every type
      And the account has sent a cob
      When somebody pays it
      Then a RECEIVE event arrives
      And the events match the contract

  @contract.refund-event
  Rule: REFUND events

    Scenario: A refund that succeeded
      Given the account has been paid R$ 10.00 for a cob
      And refunds wait for the bank
      And the account receives webhooks of every type
      And the account has sent a refund
      When the refund succeeds
      Then a REFUND event arrives
      And the events match the contract
