Feature: Bearer token
  Every endpoint except the token endpoint requires Authorization: Bearer <token> and
  returns 401 when the token is missing, invalid or expired.

  Background:
    Given an account with R$ 10.00 available

  @bearer.required
  @AUTH-010 @AUTH-012 @AUTH-015 @AUTH-018 @AUTH-021 @AUTH-024 @AUTH-027 @AUTH-030 @AUTH-033
  @AUTH-036 @AUTH-039 @AUTH-042 @AUTH-045 @AUTH-048
  Rule: A request without a token is rejected

    Scenario Outline: A <request> without Authorization
      When the account sends a <request> using no token
      Then the request is rejected with 401

      Examples:
        | request                  |
        | balance request          |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | cob                      |
        | transfer                 |
        | MED list request         |
        | transaction list request |
        | list-by-key request      |
        | webhook registration     |
        | webhook list request     |

    Scenario: A refund and a resend request without Authorization
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cob
      And a cash_in event arrives
      When the account sends a refund using no token
      Then the request is rejected with 401
      When the account sends a resend request using no token
      Then the request is rejected with 401
      And the available balance is unchanged

    Scenario: Without Authorization, nothing is paid, charged or registered
      Given a new account with R$ 10.00 available
      When the account sends a cash-out using no token
      And the account sends a QR cash-out using no token
      And the account sends a cash-in using no token
      And the account sends a webhook registration using no token
      And the account sends a transaction list request
      Then the request is accepted
      And the response has:
        | data | empty |
      And the available balance is unchanged
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |

  @bearer.scheme
  @AUTH-002 @AUTH-003
  Rule: The token must be sent in the Bearer scheme

    Scenario: A token in the Bearer scheme
      When the account sends a balance request using its token
      Then the request is accepted

    Scenario Outline: A <request> with its token in another scheme
      When the account sends a <request> for every pair of:
        | token                         | header Accept    |
        | its token without a scheme    | absent           |
        | its token in the Basic scheme | application/json |
      Then every request is rejected with 401

      Examples:
        | request                  |
        | balance request          |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | cob                      |
        | transfer                 |
        | MED list request         |
        | transaction list request |
        | list-by-key request      |
        | webhook registration     |
        | webhook list request     |

    Scenario Outline: A refund and a resend request using <token>
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cob
      And a cash_in event arrives
      When the account sends a refund using <token>
      Then the request is rejected with 401
      When the account sends a resend request using <token>
      Then the request is rejected with 401

      Examples:
        | token                         |
        | its token without a scheme    |
        | its token in the Basic scheme |

  @bearer.genuine
  @AUTH-004 @AUTH-005 @AUTH-006 @AUTH-013 @AUTH-016 @AUTH-019 @AUTH-022 @AUTH-025 @AUTH-028
  @AUTH-031 @AUTH-034 @AUTH-037 @AUTH-040 @AUTH-043 @AUTH-046 @AUTH-049
  Rule: A token that the gateway did not issue is rejected

    Scenario Outline: A <request> with a forged token, after its own was accepted
      Given another account
      And the account has sent a balance request
      When the account sends a <request> for every pair of:
        | token                                             | header Accept    | header X-Sandbox-Scenario |
        | every wrong token                                 | absent           | absent                    |
        | its token with a different start of its signature | application/json | success                   |
        | its token with a different end of its signature   |                  |                           |
        | its token with the other account's claims         |                  |                           |
      Then every request is rejected with 401

      Examples:
        | request                  |
        | balance request          |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | cob                      |
        | transfer                 |
        | MED list request         |
        | transaction list request |
        | list-by-key request      |
        | webhook registration     |
        | webhook list request     |

    Scenario Outline: A refund and a resend request using <token>
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cob
      And a cash_in event arrives
      When the account sends a refund using <token>
      Then the request is rejected with 401
      When the account sends a resend request using <token>
      Then the request is rejected with 401

      Examples:
        | token                                |
        | a garbage token                      |
        | its token with a different signature |
        | its token with a later expiry        |
        | its token without a signature        |

  @bearer.expiry
  @AUTH-014 @AUTH-017 @AUTH-020 @AUTH-023 @AUTH-026 @AUTH-029 @AUTH-032 @AUTH-035 @AUTH-038
  @AUTH-041 @AUTH-044 @AUTH-047 @AUTH-050 @TOK-024
  Rule: A token expires after 1800 seconds

    Scenario Outline: A <request>, until the token expires and with the next one
      Given the account has a token
      When the account sends a <request> using its first token
      Then the request is accepted
      When 1790 seconds pass
      And the account sends a <request> using its first token
      Then the request is accepted
      When 11 seconds pass
      And the account sends a <request> using its first token
      Then the request is rejected with 401
      When the account sends a <request>
      Then the request is accepted

      Examples:
        | request                  |
        | balance request          |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | cob                      |
        | MED list request         |
        | transaction list request |
        | list-by-key request      |
        | webhook registration     |
        | webhook list request     |

    Scenario: A refund and a resend request, before and after the token expires
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cob
      And a cash_in event arrives
      And the account has a token
      When the account sends a refund using its first token
      Then the request is accepted
      When 1801 seconds pass
      And the account sends a refund using its first token
      Then the request is rejected with 401
      When the account sends a resend request for every pair of:
        | token           | path transactionIdentifier | url       |
        | its first token | its endToEndId             | a new URL |
      Then every request is rejected with 401
      And no event arrives at that URL

    Scenario: A transfer that was accepted, again after 1801 seconds
      Given the key directory has a new e-mail key
      And settlement waits for the bank
      And the account receives webhooks of every type
      And the account has a token
      When the account sends a transfer using its first token
      Then the request is accepted
      When the bank confirms the payment
      Then a TRANSFER event arrives
      When 1801 seconds pass
      And the account sends the request again
      Then the request is rejected with 401

    Scenario: A webhook registration, again after 1801 seconds
      Given a new account
      And the account has a token
      When the account sends a webhook registration using its first token
      Then the request is accepted
      When 1801 seconds pass
      And the account sends the request again with headers [{"key":"X-Pixcert-A","value":"1"}]
      Then the request is rejected with 401
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

  @bearer.every-request
  @AUTH-010 @AUTH-012 @AUTH-013 @AUTH-014 @AUTH-015 @AUTH-016 @AUTH-017 @AUTH-018 @AUTH-019 @AUTH-020
  @AUTH-021 @AUTH-022 @AUTH-023 @AUTH-024 @AUTH-025 @AUTH-026 @AUTH-027 @AUTH-028 @AUTH-029 @AUTH-030
  @AUTH-031 @AUTH-032 @AUTH-033 @AUTH-034 @AUTH-035 @AUTH-036 @AUTH-037 @AUTH-038 @AUTH-039 @AUTH-040
  @AUTH-041 @AUTH-042 @AUTH-043 @AUTH-044 @AUTH-045 @AUTH-046 @AUTH-047
  Rule: The token is checked whatever else a request has, and a request with a wrong one leaves nothing behind

    Scenario Outline: A <request> with a wrong token, next to every choice
      Given an account with R$ 1000.00 available
      When the account sends a <request> of every shape for every pair of:
        | token             |
        | every wrong token |
      Then every request is rejected with 401
      When the account sends each of them again
      Then every request is accepted

      Examples:
        | request     |
        | cash-out    |
        | QR cash-out |
        | cash-in     |
        | cob         |
        | transfer    |

    Scenario: A refund with a wrong token, next to every choice
      Given the account has received R$ 100.00 through a cob
      When the account sends a refund of every shape for every pair of:
        | token             |
        | every wrong token |
      Then every request is rejected with 401
      When the account sends each of them again
      Then every request is accepted

    Scenario: A refund of the whole amount with a wrong token
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund for every pair of:
        | token             | valor   |
        | every wrong token | "10.00" |
      Then every request is rejected with 401
      When the account sends a refund of R$ 10.00
      Then the request is accepted

    Scenario Outline: A <request> that was accepted, again with a wrong token
      Given an account with R$ 100.00 available
      And the account has sent a <request>
      When the account sends the request again using no token
      Then the request is rejected with 401
      When the account sends the request again using a garbage token
      Then the request is rejected with 401
      When the account sends the request again using its token with a different signature
      Then the request is rejected with 401
      And the available balance stays unchanged

      Examples:
        | request     |
        | cash-out    |
        | QR cash-out |
        | cash-in     |
        | cob         |

    Scenario: A transfer that was accepted, again with a wrong token
      Given the key directory has a new e-mail key
      And the account has sent a transfer of R$ 1.00
      When the account sends the request again using no token
      Then the request is rejected with 401
      When the account sends the request again using its token with a different signature
      Then the request is rejected with 401
      And the available balance stays unchanged

    Scenario: A refund that was accepted, again with a wrong token
      Given the account has received R$ 10.00 through a cob
      And the account has sent a refund of R$ 4.00
      When the account sends the request again using no token
      Then the request is rejected with 401
      When the account sends the request again using its token with a different signature
      Then the request is rejected with 401
      And the available balance stays unchanged

    Scenario: A resend request with a wrong token, by each identifier and to each URL
      Given the account receives cash_in webhooks
      And the account has received R$ 10.00 through a cash-in
      And a cash_in event arrives
      When the account sends a resend request for every pair of:
        | token             | path transactionIdentifier           | url       |
        | every wrong token | its endToEndId                       | absent    |
        |                   | the account's transaction.externalId | a new URL |
        |                   | no-such-order                        |           |
      Then every request is rejected with 401
      And no event arrives at that URL

    Scenario: A webhook registration with a wrong token, next to every choice
      Given a new account
      When the account sends a webhook registration of every shape for every pair of:
        | token             |
        | every wrong token |
      Then every request is rejected with 401
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |

    Scenario Outline: A <request> of every shape after 1801 seconds
      Given an account with R$ 100.00 available
      And the account has a token
      When 1801 seconds pass
      And the account sends a <request> of every shape using its first token
      Then every request is rejected with 401
      When the account sends each of them again
      Then every request is accepted

      Examples:
        | request     |
        | cash-out    |
        | QR cash-out |
        | cash-in     |
        | cob         |
        | transfer    |

    Scenario: A refund of every shape after 1801 seconds
      Given the account has received R$ 10.00 through a cob
      And the account has a token
      When 1801 seconds pass
      And the account sends a refund of every shape using its first token
      Then every request is rejected with 401
      When the account sends each of them again
      Then every request is accepted

    Scenario: A webhook registration of every shape after 1801 seconds
      Given a new account
      And the account has a token
      When 1801 seconds pass
      And the account sends a webhook registration of every shape using its first token
      Then every request is rejected with 401
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |

    Scenario: A transaction list request with a wrong token, next to every filter
      When the account sends a transaction list request for every pair of:
        | token             | query status | query type | query externalId | query endToEndId       | query page | query size | query startDate     | query endDate |
        | every wrong token | absent       | absent     | absent           | absent                 | absent     | absent     | absent              | absent        |
        |                   | PENDING      | PAYMENT    | no-such-order    | a random end-to-end id | 1          | 1          | 3 days ago          | now           |
        |                   | CONFIRMED    | WITHDRAW   |                  |                        | 2          | 20         | the date 6 days ago | today's date  |
        |                   | ERROR        | REFUND_IN  |                  |                        | 1000       | 100        |                     |               |
        |                   |              | REFUND_OUT |                  |                        |            |            |                     |               |
      Then every request is rejected with 401

    Scenario: A list-by-key request with a wrong token, next to every filter
      When the account sends a list-by-key request for every pair of:
        | token             | path pixKey                          | query status | query type | query page | query size | query startDate     | query endDate |
        | every wrong token | 52998224725                          | absent       | absent     | absent     | absent     | absent              | absent        |
        |                   | 11222333000181                       | PENDING      | PAYMENT    | 1          | 1          | 3 days ago          | now           |
        |                   | +5511987654321                       | CONFIRMED    | WITHDRAW   | 2          | 20         | the date 6 days ago | today's date  |
        |                   | payee@example.com                    | ERROR        | REFUND_IN  | 1000       | 1000       |                     |               |
        |                   | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |              | REFUND_OUT |            |            |                     |               |
      Then every request is rejected with 401

    Scenario: A MED list request with a wrong token, next to every filter
      When the account sends a MED list request for every pair of:
        | token             | query status | query isReconciled | query page | query pageSize | query startDate     | query endDate |
        | every wrong token | absent       | absent             | absent     | absent         | absent              | absent        |
        |                   | OPEN         | true               | 1          | 1              | 3 days ago          | now           |
        |                   | RECEIVED     | false              | 2          | 20             | the date 6 days ago | today's date  |
        |                   | CANCELLED    |                    | 1000       | 100            |                     |               |
        |                   | ANALYZED     |                    |            |                |                     |               |
      Then every request is rejected with 401

    Scenario: A transaction list request after 1801 seconds, next to every filter
      Given the account has a token
      When 1801 seconds pass
      And the account sends a transaction list request for every pair of:
        | token           | query status | query type | query externalId | query endToEndId       | query page | query size | query startDate     | query endDate |
        | its first token | absent       | absent     | absent           | absent                 | absent     | absent     | absent              | absent        |
        |                 | PENDING      | PAYMENT    | no-such-order    | a random end-to-end id | 1          | 1          | 3 days ago          | now           |
        |                 | CONFIRMED    | WITHDRAW   |                  |                        | 2          | 20         | the date 6 days ago | today's date  |
        |                 | ERROR        | REFUND_IN  |                  |                        | 1000       | 100        |                     |               |
        |                 |              | REFUND_OUT |                  |                        |            |            |                     |               |
      Then every request is rejected with 401

    Scenario: A list-by-key request after 1801 seconds, next to every filter
      Given the account has a token
      When 1801 seconds pass
      And the account sends a list-by-key request for every pair of:
        | token           | path pixKey                          | query status | query type | query page | query size | query startDate     | query endDate |
        | its first token | 52998224725                          | absent       | absent     | absent     | absent     | absent              | absent        |
        |                 | 11222333000181                       | PENDING      | PAYMENT    | 1          | 1          | 3 days ago          | now           |
        |                 | +5511987654321                       | CONFIRMED    | WITHDRAW   | 2          | 20         | the date 6 days ago | today's date  |
        |                 | payee@example.com                    | ERROR        | REFUND_IN  | 1000       | 1000       |                     |               |
        |                 | 7d9f0335-8dcc-4054-9bf9-0dbd61d36906 |              | REFUND_OUT |            |            |                     |               |
      Then every request is rejected with 401

    Scenario: A MED list request after 1801 seconds, next to every filter
      Given the account has a token
      When 1801 seconds pass
      And the account sends a MED list request for every pair of:
        | token           | query status | query isReconciled | query page | query pageSize | query startDate     | query endDate |
        | its first token | absent       | absent             | absent     | absent         | absent              | absent        |
        |                 | OPEN         | true               | 1          | 1              | 3 days ago          | now           |
        |                 | RECEIVED     | false              | 2          | 20             | the date 6 days ago | today's date  |
        |                 | CANCELLED    |                    | 1000       | 100            |                     |               |
        |                 | ANALYZED     |                    |            |                |                     |               |
      Then every request is rejected with 401

  @bearer.own-account
  @AUTH-011 @LTX-031 @WHK-058
  Rule: A token gives access only to the account of its clientId

    Scenario: Each token returns the balance of its own account
      Given an account with exactly R$ 10.00 available
      And another account with exactly R$ 3.00 available
      When the account sends a balance request
      Then the request is accepted
      And the response has:
        | data[0].balanceAmount.available | R$ 10.00 |
      When the other account sends a balance request
      Then the request is accepted
      And the response has:
        | data[0].balanceAmount.available | R$ 3.00 |

    Scenario: A cash-out debits its own account
      Given another account with exactly R$ 3.00 available
      When the account sends a cash-out of R$ 2.00
      Then the request is accepted
      And the available balance falls by R$ 2.00
      When the other account sends a balance request
      Then the request is accepted
      And the response has:
        | data[0].balanceAmount.available | R$ 3.00 |

    Scenario: One account's charge is not listed for another
      Given a new account
      And another new account
      And the account has sent a cash-in of R$ 10.00
      When the other account sends a transaction list request
      Then the request is accepted
      And the response has:
        | data | empty |

    Scenario: One account's payments to a key are not listed for another
      Given another account
      And the account has sent a cash-out
      When the other account sends a list-by-key request
      Then the request is accepted
      And the response has:
        | data | empty |

    Scenario: One account's webhooks are not listed for another
      Given a new account
      And another new account
      And the account receives cash_out webhooks
      When the other account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |

    Scenario Outline: Parameters that name another account change nothing: a <request>
      Given a new account with exactly R$ 10.00 available
      And another new account with R$ 100.00 available
      And the other account has sent a webhook registration
      And the other account has sent a cash-out
      And the other account has sent a webhook list request
      When the account sends a <request> with:
        | query accountId     | the accountId returned |
        | query account       | the accountId returned |
        | header X-Account-Id | the accountId returned |
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "parameters that name another account"
      And if the request was accepted, the response has:
        | <field> | <value> |

      Examples:
        | request                  | field                           | value    |
        | balance request          | data[0].balanceAmount.available | R$ 10.00 |
        | transaction list request | data                            | empty    |
        | list-by-key request      | data                            | empty    |
        | webhook list request     | webhooks                        | empty    |

    Scenario: Two accounts in turn
      Given a new account with R$ 10.00 available
      And another new account with R$ 10.00 available
      And the account has sent a cash-out of R$ 2.00
      And the other account has sent a cash-out of R$ 3.00
      When the account sends a webhook registration
      Then the request is accepted
      When the other account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |
      When the other account sends a webhook registration
      Then the request is accepted
      When the other account sends a transaction list request with query externalId the account's externalId
      Then the request is accepted
      And the response has:
        | data | empty |
      When the account sends a transaction list request with query externalId the other account's externalId
      Then the request is accepted
      And the response has:
        | data | empty |
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

    Scenario: A removed account's token
      Given the account has a token
      And the account has sent a balance request
      When the account is removed
      And the account sends a balance request using its first token
      Then the request is rejected with 401 or 404
      When the account sends a cash-in using its first token
      Then the request is rejected with 401 or 404
      When the account sends a cob using its first token
      Then the request is rejected with 401 or 404
      When the account sends a MED list request using its first token
      Then the request is rejected with 401 or 404
      When the account sends a transaction list request using its first token
      Then the request is rejected with 401 or 404
      When the account sends a list-by-key request using its first token
      Then the request is rejected with 401 or 404
      When the account sends a webhook registration using its first token
      Then the request is rejected with 401 or 404
      When the account sends a webhook list request using its first token
      Then the request is rejected with 401 or 404
      When the account sends a token request
      Then the request is rejected with 401 or 403 or 404

  @bearer.envelope
  @AUTH-007 @AUTH-008 @AUTH-009 @ERR-020 @ERR-025
  Rule: A 401 uses the error envelope of its endpoint

    Scenario Outline: A public endpoint returns the rich envelope: <request>
      When the account sends a <request> using no token
      Then the request is rejected with 401
      And the response has:
        | statusCode  | 401                                     |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |

      Examples:
        | request                  |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | transaction list request |
        | list-by-key request      |
        | webhook registration     |
        | webhook list request     |

    Scenario Outline: The Central-Bank-compatible endpoints and the MED list return the simple envelope: <request>
      When the account sends a <request> using no token
      Then the request is rejected with 401
      And the response has:
        | statusCode | 401                |
        | message    | a non-empty string |
        | error      | "Unauthorized"     |

      Examples:
        | request          |
        | balance request  |
        | cob              |
        | MED list request |

    Scenario: A transfer
      Given the key directory has a new e-mail key
      When the account sends a transfer using no token
      Then the request is rejected with 401
      And the response has:
        | statusCode | 401                |
        | message    | a non-empty string |
        | error      | "Unauthorized"     |

    Scenario: A refund
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund using no token
      Then the request is rejected with 401
      And the response has:
        | statusCode | 401                |
        | message    | a non-empty string |
        | error      | "Unauthorized"     |

    Scenario: A resend request
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request using no token
      Then the request is rejected with 401
      And the response has:
        | statusCode  | 401                                     |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
