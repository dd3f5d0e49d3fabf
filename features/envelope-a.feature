Feature: The rich error envelope
  The token endpoint and the public endpoints except GET /api/med return every error in
  one envelope, which names the cause for programs (code), for engineers (message) and for
  end users (userMessage).

  Background:
    Given an account with R$ 10.00 available

  @envelope-a.fields
  @GEN-006 @AUTH-008 @TOK-062 @TOK-065 @TOK-066 @OQR-023 @OQR-037 @OQR-045 @IN-059 @LPK-009 @LPK-044
  @LTX-006 @LTX-032 @WHK-043 @ERR-001 @ERR-002 @ERR-003 @ERR-004 @ERR-005 @ERR-007 @ERR-010 @ERR-012
  @ERR-016 @ERR-020
  Rule: Every refusal carries the fields of the envelope

    Scenario Outline: A refused <request>
      When the account sends a <request> whose body is {}
      Then it is refused with 400
      And the answer has:
        | statusCode  | 400                  |
        | timestamp   | the time of the call |
        | path        | the path of the call |
        | method      | "POST"               |
        | code        | a text               |
        | message     | a text or texts      |
        | userMessage | a text               |
        | errorId     | a text               |

      Examples:
        | request              |
        | token request        |
        | cash-out             |
        | QR cash-out          |
        | cash-in              |
        | webhook registration |

    Scenario Outline: A <request> without a token
      When the account sends a <request> under no token
      Then it is refused with 401
      And the answer has:
        | statusCode  | 401                    |
        | timestamp   | the time of the call   |
        | path        | the path of the call   |
        | method      | the method of the call |
        | code        | a text                 |
        | message     | a text or texts        |
        | userMessage | a text                 |
        | errorId     | a text                 |

      Examples:
        | request                  |
        | cash-out                 |
        | QR cash-out              |
        | cash-in                  |
        | transaction list request |
        | key list request         |
        | webhook registration     |
        | webhook list request     |

    Scenario: A resend request without a token
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request under no token
      Then it is refused with 401
      And the answer has:
        | statusCode  | 401                    |
        | timestamp   | the time of the call   |
        | path        | the path of the call   |
        | method      | the method of the call |
        | code        | a text                 |
        | message     | a text or texts        |
        | userMessage | a text                 |
        | errorId     | a text                 |

    Scenario Outline: A <request> for page 0
      When the account sends a <request> with query page 0
      Then it is refused with 400
      And the answer has:
        | statusCode  | 400                  |
        | timestamp   | the time of the call |
        | path        | the path of the call |
        | method      | "GET"                |
        | code        | a text               |
        | message     | a text or texts      |
        | userMessage | a text               |
        | errorId     | a text               |

      Examples:
        | request                  |
        | transaction list request |
        | key list request         |

    Scenario: A resend of an unknown transaction
      When the account sends a resend request with path transactionIdentifier no-such-order
      Then it is refused with 404
      And the answer has:
        | statusCode  | 404                  |
        | timestamp   | the time of the call |
        | path        | the path of the call |
        | method      | "POST"               |
        | code        | a text               |
        | message     | a text or texts      |
        | userMessage | a text               |
        | errorId     | a text               |

    Scenario: A used externalId of a QR cash-out
      Given the account has sent a QR cash-out
      When the account sends it again
      Then it is refused with 409
      And the answer has:
        | statusCode  | 409                  |
        | timestamp   | the time of the call |
        | path        | the path of the call |
        | method      | "POST"               |
        | code        | a text               |
        | message     | a text or texts      |
        | userMessage | a text               |
        | errorId     | a text               |

  @envelope-a.optional-fields
  @ERR-011 @ERR-014 @ERR-015
  Rule: details, error and errorCode are optional and mean what they say

    Scenario Outline: A refused <request>
      When the account sends a <request> whose body is {}
      Then it is refused with 400
      And the answer has:
        | details   | absent or null or an object     |
        | error     | absent or null or "Bad Request" |
        | errorCode | absent or null or the code      |

      Examples:
        | request              |
        | token request        |
        | cash-out             |
        | QR cash-out          |
        | cash-in              |
        | webhook registration |

    Scenario: A refused cash-out for want of money
      Given an account with exactly R$ 10.00 available
      When the account sends a cash-out of R$ 10.01
      Then it is refused with 400
      And the answer has:
        | details   | absent or null or an object     |
        | error     | absent or null or "Bad Request" |
        | errorCode | the code                        |

  @envelope-a.stable-code
  @ERR-006
  Rule: One cause has one code

    Scenario Outline: A <request> refused twice
      When the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      Then both refusals have the same status and code

      Examples:
        | request              |
        | token request        |
        | cash-out             |
        | QR cash-out          |
        | cash-in              |
        | webhook registration |

  @envelope-a.error-id
  @ERR-013
  Rule: Each refusal has an errorId of its own

    Scenario Outline: A <request> refused twice
      When the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      Then both refusals have an errorId of their own

      Examples:
        | request              |
        | token request        |
        | cash-out             |
        | QR cash-out          |
        | cash-in              |
        | webhook registration |

  @envelope-a.validation
  @OUT-015 @OUT-097 @OQR-037 @ERR-008 @ERR-009 @ERR-016 @ERR-017 @ERR-018 @ERR-019
  Rule: An invalid body is an HTTP_ERROR with one message for each invalid field

    Scenario: An empty body
      When the account sends a cash-out whose body is {}
      Then it is refused with 400 HTTP_ERROR
      And the answer has:
        | message | texts |

    Scenario: An empty body of a QR cash-out
      When the account sends a QR cash-out whose body is {}
      Then it is refused with 400 HTTP_ERROR, naming value and qrCode and externalId
      And the answer has:
        | message | texts |

    Scenario Outline: A <request> whose body is <body>, which is JSON and no object
      When the account sends a <request> whose body is <body>
      Then it is refused with 400

      Examples:
        | request              | body |
        | cash-out             | []   |
        | cash-out             | "x"  |
        | QR cash-out          | []   |
        | cash-in              | []   |
        | webhook registration | []   |

    Scenario Outline: A <request> whose body is {"value":, which is not JSON
      When the account sends a <request> whose body is {"value":
      Then it is refused with 400

      Examples:
        | request              |
        | QR cash-out          |
        | webhook registration |

    Scenario: Two invalid fields
      When the account sends a cash-out with:
        | externalId      | absent |
        | details.keyType | "X"    |
      Then it is refused with 400 HTTP_ERROR, naming externalId and keyType
      And the answer has:
        | message | at least 2 texts |

    @open:messages-of-a-field-with-several-faults
    Scenario: One entry for each invalid field
      When the account sends a cash-out with:
        | externalId   | absent |
        | details.name | absent |
      Then it is refused with 400 HTTP_ERROR, naming externalId and name
      And its message should be 2 texts

    Scenario: One invalid field
      When the account sends a cash-out with description a text of 141 characters
      Then it is refused with 400 HTTP_ERROR, naming description
      And the answer has:
        | message | texts |

    @open:refused-webhook-registration
    Scenario: An empty registration
      When the account sends a webhook registration whose body is {}
      Then it is refused with 400
      And the answer has:
        | message | texts |
      And its code should be HTTP_ERROR

    Scenario: The message tells the least amount
      When the account sends a cash-out with value 0
      Then it is refused with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming 0.01
