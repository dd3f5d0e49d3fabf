Feature: The simple error envelope
  The Central-Bank-compatible endpoints and the MED list return every error with a
  statusCode, a single message and the reason phrase.

  Background:
    Given an account with R$ 10.00 available

  @envelope-b.fields
  @AUTH-007 @DICT-044 @DICT-047 @DICT-048 @COB-009 @COB-055 @COB-056 @DEV-045 @DEV-047 @MED-016
  @MED-032 @ERR-021 @ERR-022 @ERR-023 @ERR-024 @ERR-025 @ERR-026 @ERR-027 @ERR-028 @ERR-030 @ERR-031
  @ERR-032 @ERR-033 @ERR-034
  Rule: Every error has statusCode, message and error

    Scenario Outline: A balance request using <token>
      When the account sends a balance request using <token>
      Then the request is rejected with 401
      And the response has:
        | statusCode | 401                |
        | message    | a non-empty string |
        | error      | "Unauthorized"     |

      Examples:
        | token                                |
        | no token                             |
        | a garbage token                      |
        | its token with a different signature |

    Scenario Outline: A <request> whose body is {}
      When the account sends a <request> whose body is {}
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |

      Examples:
        | request  |
        | transfer |
        | cob      |

    Scenario Outline: A <request> whose body is []: valid JSON but not an object
      When the account sends a <request> whose body is []
      Then the request is rejected with 400
      And the response has:
        | message | a non-empty string |

      Examples:
        | request  |
        | transfer |
        | cob      |

    Scenario Outline: A <request> whose body is {"valor": and not valid JSON
      When the account sends a <request> whose body is {"valor":
      Then the request is rejected with 400
      And the response has:
        | message | a non-empty string |

      Examples:
        | request  |
        | transfer |
        | cob      |

    Scenario: A refund whose body is {}
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund whose body is {}
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |

    Scenario: A MED list request for page 0
      When the account sends a MED list request with query page 0
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |

    Scenario: A refund of an unknown payment
      When the account sends a refund
      Then the request is rejected with 404
      And the response has:
        | statusCode | 404                |
        | message    | a non-empty string |
        | error      | "Not Found"        |

    Scenario: A used txid
      Given the account has sent a cob
      When the account sends the request again
      Then the request is rejected with 409
      And the response has:
        | statusCode | 409                |
        | message    | a non-empty string |
        | error      | "Conflict"         |

    Scenario: A transfer to an unknown key
      When the account sends a transfer with pixKey a random UUID
      Then the request is rejected with 422
      And the response has:
        | statusCode | 422                    |
        | message    | a non-empty string     |
        | error      | "Unprocessable Entity" |

  @envelope-b.one-message
  @ERR-022
  Rule: The message is a single string, even with several errors

    Scenario: A cob with two invalid fields
      When the account sends a cob with:
        | valor.original     | "10"                       |
        | solicitacaoPagador | a string of 141 characters |
      Then the request is rejected with 400
      And the response has:
        | message | a non-empty string |

    Scenario: A transfer with two invalid fields
      When the account sends a transfer with:
        | priority   | "LOW" |
        | expiration | 0     |
      Then the request is rejected with 400
      And the response has:
        | message | a non-empty string |

  @envelope-b.left-open
  @AUTH-012
  Rule: A 401 may have additional fields

    Scenario: A balance request without a token
      When the account sends a balance request using no token
      Then the request is rejected with 401
      And the response's fields are recorded for open point "fields of the simple envelope"
