Feature: The simple error envelope
  Central-Bank-compatible endpoints refuse with a status, one message and the reason
  phrase.

  Background:
    Given an account

  @envelope-b.fields
  Rule: Every refusal carries statusCode, message and error

    Scenario Outline: A balance request under <token>
      When the account sends a balance request under <token>
      Then it is refused with 401
      And the answer has:
        | statusCode | 401            |
        | message    | a text         |
        | error      | "Unauthorized" |

      Examples:
        | token                            |
        | no token                         |
        | a garbage token                  |
        | its token with another signature |

  @envelope-b.left-open
  Rule: What stands beside the three fields is noted

    Scenario: A balance request without a token
      When the account sends a balance request under no token
      Then it is refused with 401
      And its fields are noted as "fields of the simple envelope"
