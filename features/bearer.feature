Feature: Bearer token
  Every endpoint but the token endpoint asks for Authorization: Bearer <token>, and
  answers 401 when the token is missing, invalid or expired.

  Background:
    Given an account with R$ 10.00 available

  @bearer.required
  Rule: Without a token nothing is served

    Scenario Outline: A <request> without Authorization
      When the account sends a <request> under no token
      Then it is refused with 401

      Examples:
        | request              |
        | balance request      |
        | cash-out             |
        | webhook registration |
        | webhook list request |

    Scenario: A webhook registration without Authorization registers nothing
      When the account sends a webhook registration under no token
      And the account sends a webhook list request
      Then it is accepted
      And the answer has:
        | webhooks | empty |

  @bearer.scheme
  Rule: The scheme is Bearer

    Scenario: Bearer
      When the account sends a balance request under its token
      Then it is accepted

    Scenario Outline: <token>
      When the account sends a balance request under <token>
      Then it is refused with 401

      Examples:
        | token                         |
        | its token without a scheme    |
        | its token in the scheme Basic |

  @bearer.genuine
  Rule: A token that the gateway did not issue is invalid

    Scenario Outline: A <request> under <token>
      When the account sends a <request> under <token>
      Then it is refused with 401

      Examples:
        | request              | token                                |
        | balance request      | a garbage token                      |
        | balance request      | its token with another signature     |
        | balance request      | its token with a later expiry        |
        | balance request      | its token without signature          |
        | cash-out             | a garbage token                      |
        | cash-out             | its token with another signature     |
        | cash-out             | its token with a later expiry        |
        | cash-out             | its token without signature          |
        | webhook registration | a garbage token                      |
        | webhook registration | its token with another signature     |
        | webhook registration | its token with a later expiry        |
        | webhook registration | its token without signature          |
        | webhook list request | a garbage token                      |
        | webhook list request | its token with another signature     |
        | webhook list request | its token with a later expiry        |
        | webhook list request | its token without signature          |

  @bearer.expiry
  Rule: A token older than 1800 seconds is expired

    Scenario Outline: A <request> after 1801 seconds
      Given the account holds a token
      When 1801 seconds pass
      And the account sends a <request> under its first token
      Then it is refused with 401

      Examples:
        | request              |
        | balance request      |
        | cash-out             |
        | webhook registration |
        | webhook list request |

  @bearer.own-account
  Rule: A token acts for the account of its clientId alone

    Scenario: Each token shows the balance of its own account
      Given another account with R$ 3.00 available
      When the account sends a balance request
      Then it is accepted
      And the answer has:
        | data[0].balanceAmount.available | R$ 10.00 |
      When the other account sends a balance request
      Then it is accepted
      And the answer has:
        | data[0].balanceAmount.available | R$ 3.00 |

    Scenario: A cash-out debits its own account
      Given another account with R$ 3.00 available
      When the account sends a cash-out of R$ 2.00
      Then it is accepted
      And available falls by R$ 2.00
      When the other account sends a balance request
      Then it is accepted
      And the answer has:
        | data[0].balanceAmount.available | R$ 3.00 |

  @bearer.envelope
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
        | request              |
        | cash-out             |
        | webhook registration |
        | webhook list request |

    Scenario: A Central-Bank-compatible endpoint answers in the simple envelope
      When the account sends a balance request under no token
      Then it is refused with 401
      And the answer has:
        | statusCode | 401            |
        | message    | a text         |
        | error      | "Unauthorized" |
