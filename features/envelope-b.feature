Feature: The simple error envelope
  The Central-Bank-compatible endpoints and the MED list return every error with a status,
  one message and the reason phrase.

  Background:
    Given an account with R$ 10.00 available

  @envelope-b.fields
  @AUTH-007 @DICT-044 @DICT-047 @DICT-048 @COB-009 @COB-055 @COB-056 @DEV-045 @DEV-047 @MED-016
  @MED-032 @ERR-021 @ERR-022 @ERR-023 @ERR-024 @ERR-025 @ERR-026 @ERR-027 @ERR-028 @ERR-030 @ERR-031
  @ERR-032 @ERR-033 @ERR-034
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

    Scenario Outline: A <request> whose body is {}
      When the account sends a <request> whose body is {}
      Then it is refused with 400
      And the answer has:
        | statusCode | 400           |
        | message    | a text        |
        | error      | "Bad Request" |

      Examples:
        | request  |
        | transfer |
        | cob      |

    Scenario Outline: A <request> whose body is [], which is JSON and no object
      When the account sends a <request> whose body is []
      Then it is refused with 400
      And the answer has:
        | message | a text |

      Examples:
        | request  |
        | transfer |
        | cob      |

    Scenario Outline: A <request> whose body is {"valor":, which is not JSON
      When the account sends a <request> whose body is {"valor":
      Then it is refused with 400
      And the answer has:
        | message | a text |

      Examples:
        | request  |
        | transfer |
        | cob      |

    Scenario: A refund whose body is {}
      Given the account has been paid R$ 10.00 for a cob
      When the account sends a refund whose body is {}
      Then it is refused with 400
      And the answer has:
        | statusCode | 400           |
        | message    | a text        |
        | error      | "Bad Request" |

    Scenario: A MED list request for page 0
      When the account sends a MED list request with query page 0
      Then it is refused with 400
      And the answer has:
        | statusCode | 400           |
        | message    | a text        |
        | error      | "Bad Request" |

    Scenario: A refund of an unknown payment
      When the account sends a refund
      Then it is refused with 404
      And the answer has:
        | statusCode | 404         |
        | message    | a text      |
        | error      | "Not Found" |

    Scenario: A used txid
      Given the account has sent a cob
      When the account sends it again
      Then it is refused with 409
      And the answer has:
        | statusCode | 409        |
        | message    | a text     |
        | error      | "Conflict" |

    Scenario: A transfer to an unknown key
      When the account sends a transfer with pixKey a fresh UUID
      Then it is refused with 422
      And the answer has:
        | statusCode | 422                    |
        | message    | a text                 |
        | error      | "Unprocessable Entity" |

  @envelope-b.one-message
  @ERR-022
  Rule: The message is one text, however many faults there are

    Scenario: A cob with two faults
      When the account sends a cob with:
        | valor.original     | "10"                     |
        | solicitacaoPagador | a text of 141 characters |
      Then it is refused with 400
      And the answer has:
        | message | a text |

    Scenario: A transfer with two faults
      When the account sends a transfer with:
        | priority   | "LOW" |
        | expiration | 0     |
      Then it is refused with 400
      And the answer has:
        | message | a text |

  @envelope-b.left-open
  @AUTH-012
  Rule: A simple 401 is a 401, whatever stands beside its three fields

    Scenario: A balance request without a token
      When the account sends a balance request under no token
      Then it is refused with 401
      And its fields are noted as "fields of the simple envelope"
