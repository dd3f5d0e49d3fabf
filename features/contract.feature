Feature: The wire contract
  pixcert checks every response of every scenario against openapi.yaml. Violations are
  reported here, under the operation that returned them, so that one wrong field fails one
  rule. Unknown fields are allowed everywhere.

  Background:
    Given an account with R$ 10.00 available

  @contract.token
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @TOK-017 @TOK-019 @TOK-020 @TOK-021 @TOK-062 @TOK-064 @TOK-065
  @TOK-066
  Rule: Responses of POST /api/auth/token match the contract

    Scenario: Accepted and rejected
      When the account sends a token request
      And the account sends a token request whose body is {}
      Then the responses match the contract

  @contract.balances
  @GEN-003 @GEN-004 @GEN-005 @GEN-006 @AUTH-007 @BAL-005 @BAL-006 @BAL-007 @BAL-008 @BAL-009
  @BAL-010 @BAL-011 @ERR-030
  Rule: Responses of GET /accounts/balances match the contract

    Scenario: Accepted and rejected
      When the account sends a balance request
      And the account sends a balance request using no token
      Then the responses match the contract

  @contract.cash-out
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @OUT-052 @OUT-053 @OUT-055 @OUT-056 @OUT-095 @OUT-096
  Rule: Responses of POST /api/pix/cash-out match the contract

    Scenario: Accepted and rejected
      When the account sends a cash-out
      And the account sends a cash-out whose body is {}
      And the account sends a cash-out of R$ 10.01
      Then the responses match the contract

  @contract.qr-cash-out
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @OQR-030 @OQR-033 @OQR-035 @OQR-045
  Rule: Responses of POST /api/pix/cash-out-qrcode match the contract

    Scenario: Accepted and rejected
      When the account sends a QR cash-out
      And the account sends the request again
      And the account sends a QR cash-out whose body is {}
      And the account sends a QR cash-out of R$ 10.01
      Then the responses match the contract

  @contract.cash-in
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @IN-052 @IN-054 @IN-055 @IN-056 @IN-057 @IN-058 @IN-061
  @IN-063 @SPL-049
  Rule: Responses of POST /api/pix/cash-in match the contract

    Scenario: Accepted and rejected
      When the account sends a cash-in
      And the account sends a cash-in with transaction.generateQrCode true
      And the account sends the request again
      And the account sends a cash-in whose body is {}
      Then the responses match the contract

  @contract.transfer
  @GEN-003 @GEN-004 @GEN-005 @GEN-006 @DICT-047 @DICT-048 @DICT-049 @DICT-051 @DICT-052 @DICT-055
  @ERR-031
  Rule: Responses of POST /dict/pix match the contract

    Scenario: Accepted and rejected
      Given the key directory has a new e-mail key
      When the account sends a transfer
      And the account sends the request again
      And the account sends a transfer whose body is {}
      And the account sends a transfer of R$ 10.01
      Then the responses match the contract

  @contract.cob
  @GEN-003 @GEN-004 @GEN-005 @GEN-012 @COB-037 @COB-038 @COB-040 @COB-041 @COB-043 @COB-046 @COB-049
  @COB-050 @COB-053 @COB-054 @COB-055 @COB-056 @ERR-032
  Rule: Responses of PUT /cob/{txid} match the contract

    Scenario: Accepted and rejected
      When the account sends a cob
      And the account sends the request again
      And the account sends a cob whose body is {}
      Then the responses match the contract

  @contract.refund
  @GEN-003 @GEN-004 @GEN-005 @GEN-012 @DEV-025 @DEV-026 @DEV-027 @DEV-028 @DEV-029 @DEV-030 @DEV-031
  @DEV-033 @DEV-034 @DEV-047 @DEV-048 @DEV-054 @ERR-033
  Rule: Responses of PUT /pix/{e2eid}/devolucao/{id} match the contract

    Scenario: Accepted and rejected
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund
      And the account sends a refund of R$ 99.00
      And the account sends a refund with path e2eid a random end-to-end id
      And the account sends a refund whose body is {}
      Then the responses match the contract

  @contract.med-list
  @GEN-003 @GEN-004 @GEN-005 @GEN-006 @GEN-011 @MED-024 @MED-026 @MED-028 @MED-030 @MED-032 @MED-033
  @MED-035 @MED-036 @MED-037 @MED-038 @MED-039 @MED-040 @MED-042 @MED-043 @MED-044 @MED-045 @MED-046
  @MED-047 @MED-048 @MED-049 @MED-050 @MED-051 @MED-052 @MED-053 @MED-054 @MED-056 @MED-057 @MED-058
  @MED-059 @ERR-034
  Rule: Responses of GET /api/med match the contract

    Scenario: Accepted and rejected
      Given the account has received R$ 10.00 through a cob
      And a MED case is opened against the payment
      And a MED case is opened against an unknown payment
      When the account sends a MED list request
      And the account sends a MED list request with query page 0
      Then the responses match the contract

  @contract.transaction-list
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @LTX-028 @LTX-032 @LTX-035 @LTX-036 @LTX-037 @LTX-038 @LTX-039
  @LTX-040 @LTX-041 @LTX-042 @LTX-043 @LTX-044 @LTX-045 @LTX-046 @LTX-047 @LTX-048 @LTX-049 @LTX-050
  @LTX-051 @LTX-059 @LTX-060 @LTX-061 @LTX-062
  Rule: Responses of GET /api/transactions match the contract

    Scenario: Accepted and rejected
      Given the account has sent a cash-out
      And the account has sent a cash-in
      When the account sends a transaction list request
      And the account sends a transaction list request with query page 0
      Then the responses match the contract

  @contract.key-list
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @LPK-035 @LPK-036 @LPK-037 @LPK-038 @LPK-040 @LPK-041 @LPK-042
  @LPK-043 @LPK-044
  Rule: Responses of GET /api/pix/transactions/pix-key/{pixKey} match the contract

    Scenario: Accepted and rejected
      Given the account has sent a cash-out
      When the account sends a list-by-key request
      And the account sends a list-by-key request with query page 0
      Then the responses match the contract

  @contract.resend
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @RSD-015 @RSD-016 @RSD-017 @RSD-028
  Rule: Responses of POST /api/resend-webhook/{transactionIdentifier} match the contract

    Scenario: Accepted and rejected
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request
      And the account sends a resend request with path transactionIdentifier no-such-order
      Then the responses match the contract

  @contract.register-webhook
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @WHK-028 @WHK-029 @WHK-043
  Rule: Responses of POST /api/webhooks match the contract

    Scenario: Accepted and rejected
      When the account sends a webhook registration
      And the account sends a webhook registration whose body is {}
      Then the responses match the contract

  @contract.list-webhooks
  @GEN-003 @GEN-004 @GEN-005 @GEN-011 @WHK-047 @WHK-048 @WHK-049 @WHK-052 @WHK-053 @WHK-055 @WHK-056
  @WHK-057
  Rule: Responses of GET /api/webhooks match the contract

    Scenario: Accepted and rejected
      Given the account has sent a webhook registration
      When the account sends a webhook list request
      And the account sends a webhook list request using no token
      Then the responses match the contract

  @contract.cash-out-event
  @GEN-005 @EVT-010 @EVT-011 @EVT-012 @EVT-013 @EVT-016 @EVT-019 @EVT-020 @EVT-022 @EVT-023 @EVT-024
  @EVT-025 @EVT-026 @EVT-027 @EVT-028 @EVT-029 @EVT-030 @EVT-031 @EVT-032 @EVT-033 @EVT-034 @EVT-035
  @EVT-043
  Rule: CashOut events match the contract

    Scenario: Confirmed
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      When the bank confirms the payment
      Then a CashOut event arrives
      And the events match the contract

    Scenario: Rejected
      Given settlement waits for the bank
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      When the bank rejects the payment with ORDER_REJECTED
      Then a CashOut event arrives
      And the events match the contract

  @contract.transfer-event
  @EVT-046 @EVT-047 @EVT-048 @EVT-049 @EVT-052 @EVT-053 @EVT-054 @EVT-055 @EVT-057 @EVT-058 @EVT-060
  @VER-001
  Rule: TRANSFER events match the contract

    Scenario: Settled
      Given settlement waits for the bank
      And the key directory has a new e-mail key
      And the account receives webhooks of every type
      And the account has sent a transfer
      When the bank confirms the payment
      Then a TRANSFER event arrives
      And the events match the contract

  @contract.receive-event
  @EVT-061 @EVT-062 @EVT-064 @EVT-065 @EVT-066 @EVT-067 @EVT-068 @EVT-069 @VER-001
  Rule: RECEIVE events match the contract

    Scenario: A paid cob
      Given the account receives webhooks of every type
      And the account has sent a cob
      When a payer pays the charge
      Then a RECEIVE event arrives
      And the events match the contract

  @contract.refund-event
  @GEN-005 @GEN-006 @EVT-070 @EVT-071 @EVT-072 @EVT-074 @EVT-075 @EVT-076 @EVT-077 @EVT-078 @EVT-079
  @EVT-080 @EVT-081 @EVT-083 @VER-001
  Rule: REFUND events match the contract

    Scenario: A refund that succeeded
      Given the account has received R$ 10.00 through a cob
      And refunds wait for the bank
      And the account receives webhooks of every type
      And the account has sent a refund
      When the bank confirms the refund
      Then a REFUND event arrives
      And the events match the contract
