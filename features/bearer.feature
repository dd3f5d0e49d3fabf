Feature: Bearer token
  Every endpoint except the token endpoint requires Authorization: Bearer <token> and
  answers 401 when the token is missing, invalid or expired.

  Background:
    Given an account with R$ 10.00 available

  @bearer.required
  @AUTH-010 @AUTH-012 @AUTH-015 @AUTH-018 @AUTH-021 @AUTH-024 @AUTH-027 @AUTH-030 @AUTH-033
  @AUTH-036 @AUTH-039 @AUTH-042 @AUTH-045 @AUTH-048
  Rule: Without a token nothing is served

    Scenario Outline: A <request> without Authorization
      When the account sends a <request> under no token
      Then it is refused with 401

      Examples:
        | request                  |
        | balance request          |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | cob                      |
        | MED list request         |
        | transaction list request |
        | key list request         |
        | webhook registration     |
        | webhook list request     |

    Scenario: A transfer without Authorization
      Given the key directory holds a fresh e-mail key
      When the account sends a transfer under no token
      Then it is refused with 401

    Scenario: A refund without Authorization
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund under no token
      Then it is refused with 401

    Scenario: A resend request without Authorization
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request under no token
      Then it is refused with 401

    Scenario: A webhook registration without Authorization registers nothing
      Given a new account
      When the account sends a webhook registration under no token
      And the account sends a webhook list request
      Then it is accepted
      And the answer has:
        | webhooks | empty |

    Scenario Outline: A <request> without Authorization makes nothing
      Given a new account with R$ 10.00 available
      When the account sends a <request> under no token
      And the account sends a transaction list request with query type <type>
      Then it is accepted
      And the answer has:
        | data | empty |
      And available is unchanged

      Examples:
        | request     | type     |
        | cash-out    | WITHDRAW |
        | QR cash-out | WITHDRAW |

    Scenario: A cash-in without Authorization makes nothing
      Given a new account
      When the account sends a cash-in under no token
      And the account sends a transaction list request
      Then it is accepted
      And the answer has:
        | data | empty |

  @bearer.scheme
  @AUTH-002 @AUTH-003
  Rule: The scheme is Bearer

    Scenario: Bearer
      When the account sends a balance request under its token
      Then it is accepted

    Scenario Outline: A <request> under <token>
      When the account sends a <request> under <token>
      Then it is refused with 401

      Examples:
        | request                  | token                         |
        | balance request          | its token without a scheme    |
        | balance request          | its token in the scheme Basic |
        | cash-out                 | its token without a scheme    |
        | cash-out                 | its token in the scheme Basic |
        | QR cash-out              | its token without a scheme    |
        | QR cash-out              | its token in the scheme Basic |
        | cash-in                  | its token without a scheme    |
        | cash-in                  | its token in the scheme Basic |
        | cob                      | its token without a scheme    |
        | cob                      | its token in the scheme Basic |
        | MED list request         | its token without a scheme    |
        | MED list request         | its token in the scheme Basic |
        | transaction list request | its token without a scheme    |
        | transaction list request | its token in the scheme Basic |
        | key list request         | its token without a scheme    |
        | key list request         | its token in the scheme Basic |
        | webhook registration     | its token without a scheme    |
        | webhook registration     | its token in the scheme Basic |
        | webhook list request     | its token without a scheme    |
        | webhook list request     | its token in the scheme Basic |

    Scenario Outline: A transfer under <token>
      Given the key directory holds a fresh e-mail key
      When the account sends a transfer under <token>
      Then it is refused with 401

      Examples:
        | token                         |
        | its token without a scheme    |
        | its token in the scheme Basic |

    Scenario Outline: A refund under <token>
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund under <token>
      Then it is refused with 401

      Examples:
        | token                         |
        | its token without a scheme    |
        | its token in the scheme Basic |

    Scenario Outline: A resend request under <token>
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request under <token>
      Then it is refused with 401

      Examples:
        | token                         |
        | its token without a scheme    |
        | its token in the scheme Basic |

  @bearer.genuine
  @AUTH-004 @AUTH-005 @AUTH-006 @AUTH-013 @AUTH-016 @AUTH-019 @AUTH-022 @AUTH-025 @AUTH-028
  @AUTH-031 @AUTH-034 @AUTH-037 @AUTH-040 @AUTH-043 @AUTH-046 @AUTH-049
  Rule: A token that the gateway did not issue is invalid

    Scenario Outline: A <request> under <token>
      When the account sends a <request> under <token>
      Then it is refused with 401

      Examples:
        | request                  | token                            |
        | balance request          | a garbage token                  |
        | balance request          | its token with another signature |
        | balance request          | its token with a later expiry    |
        | balance request          | its token without signature      |
        | cash-out                 | a garbage token                  |
        | cash-out                 | its token with another signature |
        | cash-out                 | its token with a later expiry    |
        | cash-out                 | its token without signature      |
        | QR cash-out              | a garbage token                  |
        | QR cash-out              | its token with another signature |
        | QR cash-out              | its token with a later expiry    |
        | QR cash-out              | its token without signature      |
        | cash-in                  | a garbage token                  |
        | cash-in                  | its token with another signature |
        | cash-in                  | its token with a later expiry    |
        | cash-in                  | its token without signature      |
        | cob                      | a garbage token                  |
        | cob                      | its token with another signature |
        | cob                      | its token with a later expiry    |
        | cob                      | its token without signature      |
        | MED list request         | a garbage token                  |
        | MED list request         | its token with another signature |
        | MED list request         | its token with a later expiry    |
        | MED list request         | its token without signature      |
        | transaction list request | a garbage token                  |
        | transaction list request | its token with another signature |
        | transaction list request | its token with a later expiry    |
        | transaction list request | its token without signature      |
        | key list request         | a garbage token                  |
        | key list request         | its token with another signature |
        | key list request         | its token with a later expiry    |
        | key list request         | its token without signature      |
        | webhook registration     | a garbage token                  |
        | webhook registration     | its token with another signature |
        | webhook registration     | its token with a later expiry    |
        | webhook registration     | its token without signature      |
        | webhook list request     | a garbage token                  |
        | webhook list request     | its token with another signature |
        | webhook list request     | its token with a later expiry    |
        | webhook list request     | its token without signature      |

    Scenario Outline: A transfer under <token>
      Given the key directory holds a fresh e-mail key
      When the account sends a transfer under <token>
      Then it is refused with 401

      Examples:
        | token                            |
        | a garbage token                  |
        | its token with another signature |
        | its token with a later expiry    |
        | its token without signature      |

    Scenario Outline: A refund under <token>
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund under <token>
      Then it is refused with 401

      Examples:
        | token                            |
        | a garbage token                  |
        | its token with another signature |
        | its token with a later expiry    |
        | its token without signature      |

    Scenario Outline: A resend request under <token>
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request under <token>
      Then it is refused with 401

      Examples:
        | token                            |
        | a garbage token                  |
        | its token with another signature |
        | its token with a later expiry    |
        | its token without signature      |

  @bearer.expiry
  @AUTH-014 @AUTH-017 @AUTH-020 @AUTH-023 @AUTH-026 @AUTH-029 @AUTH-032 @AUTH-035 @AUTH-038
  @AUTH-041 @AUTH-044 @AUTH-047 @AUTH-050 @TOK-024
  Rule: A token older than 1800 seconds is expired

    Scenario Outline: A <request> after 1801 seconds
      Given the account holds a token
      When 1801 seconds pass
      And the account sends a <request> under its first token
      Then it is refused with 401

      Examples:
        | request                  |
        | balance request          |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | cob                      |
        | MED list request         |
        | transaction list request |
        | key list request         |
        | webhook registration     |
        | webhook list request     |

    Scenario: A transfer after 1801 seconds
      Given the key directory holds a fresh e-mail key
      And the account holds a token
      When 1801 seconds pass
      And the account sends a transfer under its first token
      Then it is refused with 401

    Scenario: A refund after 1801 seconds
      Given the account has been paid R$ 10.00 for a cob
      And the account holds a token
      When 1801 seconds pass
      And the account sends a refund under its first token
      Then it is refused with 401

    Scenario: A resend request after 1801 seconds
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      And the account holds a token
      When 1801 seconds pass
      And the account sends a resend request under its first token
      Then it is refused with 401

  @bearer.own-account
  @AUTH-011 @LTX-031 @WHK-058
  Rule: A token acts for the account of its clientId alone

    Scenario: Each token shows the balance of its own account
      Given an account with exactly R$ 10.00 available
      And another account with exactly R$ 3.00 available
      When the account sends a balance request
      Then it is accepted
      And the answer has:
        | data[0].balanceAmount.available | R$ 10.00 |
      When the other account sends a balance request
      Then it is accepted
      And the answer has:
        | data[0].balanceAmount.available | R$ 3.00 |

    Scenario: A cash-out debits its own account
      Given another account with exactly R$ 3.00 available
      When the account sends a cash-out of R$ 2.00
      Then it is accepted
      And available falls by R$ 2.00
      When the other account sends a balance request
      Then it is accepted
      And the answer has:
        | data[0].balanceAmount.available | R$ 3.00 |

    Scenario: A charge belongs to its own account
      Given a new account
      And another new account
      And the account has sent a cash-in of R$ 10.00
      When the other account sends a transaction list request
      Then it is accepted
      And the answer has:
        | data | empty |

    Scenario: What was sent to a key is listed to its own account alone
      Given another account
      And the account has sent a cash-out
      When the other account sends a key list request
      Then it is accepted
      And the answer has:
        | data | empty |

    Scenario: Webhooks are listed to their own account alone
      Given a new account
      And another new account
      And the account receives cash_out webhooks
      When the other account sends a webhook list request
      Then it is accepted
      And the answer has:
        | webhooks | empty |

  @bearer.envelope
  @AUTH-007 @AUTH-008 @AUTH-009 @ERR-020 @ERR-025
  Rule: A 401 comes in the envelope of the endpoint's family

    Scenario Outline: A public endpoint answers in the rich envelope: <request>
      When the account sends a <request> under no token
      Then it is refused with 401
      And the answer has:
        | statusCode  | 401             |
        | code        | a text          |
        | message     | a text or texts |
        | userMessage | a text          |
        | errorId     | a text          |

      Examples:
        | request                  |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | transaction list request |
        | key list request         |
        | webhook registration     |
        | webhook list request     |

    Scenario Outline: A Central-Bank-compatible endpoint and the MED list answer in the simple one: <request>
      When the account sends a <request> under no token
      Then it is refused with 401
      And the answer has:
        | statusCode | 401            |
        | message    | a text         |
        | error      | "Unauthorized" |

      Examples:
        | request          |
        | balance request  |
        | cob              |
        | MED list request |

    Scenario: A transfer
      Given the key directory holds a fresh e-mail key
      When the account sends a transfer under no token
      Then it is refused with 401
      And the answer has:
        | statusCode | 401            |
        | message    | a text         |
        | error      | "Unauthorized" |

    Scenario: A refund
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund under no token
      Then it is refused with 401
      And the answer has:
        | statusCode | 401            |
        | message    | a text         |
        | error      | "Unauthorized" |

    Scenario: A resend request
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request under no token
      Then it is refused with 401
      And the answer has:
        | statusCode  | 401             |
        | code        | a text          |
        | message     | a text or texts |
        | userMessage | a text          |
        | errorId     | a text          |
