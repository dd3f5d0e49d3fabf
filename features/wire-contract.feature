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
