Feature: The simple error envelope
  The Central-Bank-compatible endpoints and the MED list return every error with a
  statusCode, a single message and the reason phrase.
  The other endpoints are in envelope-a.feature.

  Background:
    Given an account with R$ 10.00 available

  @envelope-b.fields
  @AUTH-007 @DICT-044 @DICT-047 @DICT-048 @COB-009 @COB-055 @COB-056 @DEV-045 @DEV-047 @MED-016
  @MED-032 @ERR-021 @ERR-022 @ERR-023 @ERR-024 @ERR-025 @ERR-026 @ERR-027 @ERR-028 @ERR-030 @ERR-031
  @ERR-032 @ERR-033 @ERR-034
  Rule: Every error has statusCode, message and error

    Scenario Outline: The account <does>
      Given the account has sent a balance request
      When the account <does>
      Then the request is rejected with <status>
      And the response has:
        | statusCode | <status>           |
        | message    | a non-empty string |
        | error      | "<reason>"         |

      Examples:
        | does                                                               | status | reason               |
        | sends a balance request using no token                             | 401    | Unauthorized         |
        | sends a balance request using its token with a different signature | 401    | Unauthorized         |
        | sends a transfer using a garbage token                             | 401    | Unauthorized         |
        | sends a refund using a garbage token                               | 401    | Unauthorized         |
        | sends a balance request using a garbage token                      | 401    | Unauthorized         |
        | sends a balance request using its token with a later expiry        | 401    | Unauthorized         |
        | sends a cob using its token with a later expiry                    | 401    | Unauthorized         |
        | sends a MED list request using a garbage token                     | 401    | Unauthorized         |
        | sends a transfer whose body is {}                                  | 400    | Bad Request          |
        | sends a cob whose body is {}                                       | 400    | Bad Request          |
        | sends a MED list request with query page 0                         | 400    | Bad Request          |
        | sends a refund                                                     | 404    | Not Found            |
        | sends a transfer with pixKey a random UUID                         | 422    | Unprocessable Entity |
        | sends a transfer with header x-idempotency-key absent              | 400    | Bad Request          |
        | sends a transfer with pixKey "not a key"                           | 400    | Bad Request          |
        | sends a transfer with payment.amount 10.001                        | 400    | Bad Request          |
        | sends a cob with path txid short                                   | 400    | Bad Request          |
        | sends a cob with devedor.cpf "123"                                 | 400    | Bad Request          |
        | sends a MED list request with query status CLOSED                  | 400    | Bad Request          |
        | sends a MED list request with query pageSize 101                   | 400    | Bad Request          |
        | sends a MED list request with query startDate yesterday            | 400    | Bad Request          |

    Scenario Outline: A <request> whose body is <body>
      When the account sends a <request> whose body is <body>
      Then the request is rejected with 400
      And the response has:
        | message | a non-empty string |

      Examples:
        | request  | body      |
        | transfer | []        |
        | transfer | {"valor": |
        | cob      | []        |
        | cob      | {"valor": |

    Scenario: A refund whose body is {}
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund whose body is {}
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |

    Scenario: A used txid
      Given the account has sent a cob
      When the account sends the request again
      Then the request is rejected with 409
      And the response has:
        | statusCode | 409                |
        | message    | a non-empty string |
        | error      | "Conflict"         |

    Scenario Outline: A <request> after its token has expired
      Given the account has a token
      When 1801 seconds pass
      And the account sends a <request> using its first token
      Then the request is rejected with 401
      And the response has:
        | statusCode | 401                |
        | message    | a non-empty string |
        | error      | "Unauthorized"     |

      Examples:
        | request          |
        | cob              |
        | MED list request |
        | transfer         |

    Scenario: Refunds of a received payment, one after the other
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund of R$ 10.01
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |
      When the account sends a refund of R$ 6.00
      Then the request is accepted
      When the account sends a refund of R$ 4.01
      Then the request is rejected with 400
      And the response has:
        | statusCode | 400                |
        | message    | a non-empty string |
        | error      | "Bad Request"      |
      When 91 days pass
      And the account sends a refund of R$ 1.00
      Then the request is rejected with 422
      And the response has:
        | statusCode | 422                    |
        | message    | a non-empty string     |
        | error      | "Unprocessable Entity" |

    Scenario: A transfer above the balance
      Given an account with exactly R$ 10.00 available
      And the key directory has a new e-mail key
      When the account sends a transfer of R$ 10.01
      Then the request is rejected with 422
      And the response has:
        | statusCode | 422                    |
        | message    | a non-empty string     |
        | error      | "Unprocessable Entity" |

    Scenario: A transfer to a denied institution
      Given the key directory has a new e-mail key at ISPB 60701190
      When the account sends a transfer with ispbDeny ["00000000","60701190"]
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
      Then the request is rejected with 400 or 422
      And the response has:
        | message | a non-empty string |

    Scenario: A transfer with many invalid fields, first, nested and last
      When the account sends a transfer with:
        | pixKey         | absent |
        | payment.amount | "x"    |
        | ispbDeny       | "x"    |
      Then the request is rejected with 400 or 422
      And the response has:
        | message | a non-empty string |

    Scenario: A refund with two invalid fields
      Given the account has received R$ 10.00 through a cob
      When the account sends a refund with:
        | valor     | "10"                       |
        | descricao | a string of 141 characters |
      Then the request is rejected with 400 or 422
      And the response has:
        | message | a non-empty string |

    Scenario: A MED list request with two invalid parameters
      When the account sends a MED list request with:
        | query page     | 0   |
        | query pageSize | 101 |
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
