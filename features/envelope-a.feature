Feature: The rich error envelope
  The token endpoint and the public endpoints except GET /api/med return every error in
  the same envelope, with a code for programs, a message for engineers and a userMessage for
  end users.
  The other endpoints are in envelope-b.feature.

  Background:
    Given an account with R$ 10.00 available

  @envelope-a.fields
  @GEN-006 @AUTH-008 @TOK-062 @TOK-065 @TOK-066 @OQR-023 @OQR-037 @OQR-045 @IN-059 @LPK-009 @LPK-044
  @LTX-006 @LTX-032 @WHK-043 @ERR-001 @ERR-002 @ERR-003 @ERR-004 @ERR-005 @ERR-007 @ERR-010 @ERR-012
  @ERR-016 @ERR-020
  Rule: Every error has the fields of the envelope

    Scenario Outline: The account <does>
      When the account <does>
      Then the request is rejected with <status>
      And the response has:
        | statusCode  | <status>                                |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
        | details     | absent or null or an object             |
        | error       | absent or null or "<reason>"            |
        | errorCode   | absent or null or the code              |

      Examples:
        | does                                                                 | status | reason       |
        | sends a token request whose body is {}                               | 400    | Bad Request  |
        | sends a cash-out whose body is {}                                    | 400    | Bad Request  |
        | sends a QR cash-out whose body is {}                                 | 400    | Bad Request  |
        | sends a cash-in whose body is {}                                     | 400    | Bad Request  |
        | sends a webhook registration whose body is {}                        | 400    | Bad Request  |
        | sends a cash-out using no token                                      | 401    | Unauthorized |
        | sends a QR cash-out using no token                                   | 401    | Unauthorized |
        | sends a cash-in using no token                                       | 401    | Unauthorized |
        | sends a transaction list request using no token                      | 401    | Unauthorized |
        | sends a list-by-key request using no token                           | 401    | Unauthorized |
        | sends a webhook registration using no token                          | 401    | Unauthorized |
        | sends a webhook list request using no token                          | 401    | Unauthorized |
        | sends a transaction list request with query page 0                   | 400    | Bad Request  |
        | sends a list-by-key request with query page 0                        | 400    | Bad Request  |
        | sends a resend request with path transactionIdentifier no-such-order | 404    | Not Found    |
        | sends a token request with clientSecret "wrong"                      | 401    | Unauthorized |
        | sends a cash-out with details.key "not a key"                        | 400    | Bad Request  |
        | sends a QR cash-out with qrCode a static code with a wrong CRC       | 400    | Bad Request  |
        | sends a QR cash-out with qrCode a static code of R$ 9.00             | 400    | Bad Request  |
        | sends a cash-in with splits 11 splits of R$ 0.01                     | 400    | Bad Request  |
        | sends a transaction list request with query status PAID              | 400    | Bad Request  |
        | sends a transaction list request with query endDate yesterday        | 400    | Bad Request  |
        | sends a list-by-key request with query type PIX                      | 400    | Bad Request  |
        | sends a list-by-key request with query page -1                       | 400    | Bad Request  |
        | sends a webhook registration with url "http://hooks.example/pix"     | 400    | Bad Request  |
        | sends a webhook registration with headers a list of 6                | 400    | Bad Request  |

    Scenario: A resend request without a token
      Given the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      When the account sends a resend request using no token
      Then the request is rejected with 401
      And the response has:
        | statusCode  | 401                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |

    Scenario: A used externalId of a QR cash-out
      Given the account has sent a QR cash-out
      When the account sends the request again
      Then the request is rejected with 409
      And the response has:
        | statusCode  | 409                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | "POST"                                  |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |

    Scenario Outline: A <request> using <token>
      Given another account
      And the account has sent a balance request
      When the account sends a <request> using <token>
      Then the request is rejected with 401
      And the response has:
        | statusCode  | 401                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
        | details     | absent or null or an object             |
        | error       | absent or null or "Unauthorized"        |
        | errorCode   | absent or null or the code              |

      Examples:
        | request                  | token                                     |
        | cash-out                 | a garbage token                           |
        | QR cash-out              | its token with a later expiry             |
        | cash-in                  | its token in the Basic scheme             |
        | transaction list request | its token with the other account's claims |
        | list-by-key request      | a garbage token                           |
        | webhook registration     | its token with a later expiry             |
        | webhook list request     | its token in the Basic scheme             |

    Scenario Outline: A <request> after its token has expired
      Given the account has a token
      When 1801 seconds pass
      And the account sends a <request> using its first token
      Then the request is rejected with 401
      And the response has:
        | statusCode  | 401                                     |
        | timestamp   | a UTC time                              |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
        | details     | absent or null or an object             |
        | error       | absent or null or "Unauthorized"        |
        | errorCode   | absent or null or the code              |

      Examples:
        | request              |
        | list-by-key request  |
        | webhook list request |

    Scenario Outline: A <request> of a removed account
      Given the account has a token
      When the account is removed
      And the account sends a <request> using its first token
      Then the request is rejected with 404
      And the response has:
        | statusCode  | 404                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
        | details     | absent or null or an object             |
        | error       | absent or null or "Not Found"           |
        | errorCode   | absent or null or the code              |

      Examples:
        | request              |
        | webhook registration |
        | webhook list request |

    Scenario: The fourth URL, and a resend without any
      Given a new account with R$ 10.00 available
      And the account receives cash_in webhooks at 3 URLs
      When the account sends a webhook registration with eventType "cash_in"
      Then the request is rejected with 400
      And the response has:
        | statusCode  | 400                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
        | details     | absent or null or an object             |
        | error       | absent or null or "Bad Request"         |
        | errorCode   | absent or null or the code              |
      When the account sends a cash-out
      Then the request is accepted
      And the payment is listed with:
        | status | "Confirmado" |
      When the account sends a resend request
      Then the request is rejected with 400
      And the response has:
        | statusCode  | 400                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | the request method                      |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |
        | details     | absent or null or an object             |
        | error       | absent or null or "Bad Request"         |
        | errorCode   | absent or null or the code              |

    Scenario: Each time a used externalId is sent again
      Given the account has sent a cash-out
      And the account has sent a QR cash-out
      And the account has sent a cash-in
      When the account sends a cash-out with externalId the account's first externalId
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | statusCode                    | 400                                     |
        | timestamp                     | the time of the request                 |
        | path                          | the request path                        |
        | method                        | the request method                      |
        | code                          | a non-empty string                      |
        | message                       | a non-empty string or a list of strings |
        | userMessage                   | a non-empty string                      |
        | errorId                       | a non-empty string                      |
        | error                         | absent or null or "Bad Request"         |
        | errorCode                     | absent or null or the code              |
        | details.externalId            | the externalId sent                     |
        | details.existingTransactionId | the first transactionId                 |
      When the account sends a cash-out with externalId the account's first externalId
      Then the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID
      And the response has:
        | details.externalId            | the externalId sent     |
        | details.existingTransactionId | the first transactionId |
      And the two rejections have different errorIds

  @envelope-a.optional-fields
  @ERR-011 @ERR-014 @ERR-015
  Rule: details, error and errorCode are optional: an object, the reason phrase and the code

    Scenario Outline: A rejected <request>
      When the account sends a <request> whose body is {}
      Then the request is rejected with 400
      And the response has:
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

    Scenario: A cash-out above the balance
      Given an account with exactly R$ 10.00 available
      When the account sends a cash-out of R$ 10.01
      Then the request is rejected with 400
      And the response has:
        | details   | absent or null or an object     |
        | error     | absent or null or "Bad Request" |
        | errorCode | the code                        |

    Scenario Outline: A cash-out with a key that is not of the type <keyType>, to <document>
      When the account sends a cash-out with:
        | details.keyType  | "<keyType>"  |
        | details.key      | "none"       |
        | details.document | "<document>" |
      Then the request is rejected with 400
      And the response has:
        | details   | absent or null or an object     |
        | error     | absent or null or "Bad Request" |
        | errorCode | absent or null or the code      |

      Examples:
        | keyType  | document       |
        | DOCUMENT | 11222333000181 |
        | EMAIL    | 11222333000181 |
        | RANDOM   | 11222333000181 |

  @envelope-a.stable-code
  @ERR-006
  Rule: The same error always has the same code

    Scenario Outline: A <request> rejected twice
      When the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      Then the two rejections have the same status and code

      Examples:
        | request              |
        | token request        |
        | cash-out             |
        | QR cash-out          |
        | cash-in              |
        | webhook registration |

  @envelope-a.error-id
  @ERR-013
  Rule: Each error has its own errorId

    Scenario Outline: A <request> rejected five times
      When the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      And the account sends a <request> whose body is {}
      Then the two rejections have different errorIds

      Examples:
        | request              |
        | token request        |
        | cash-out             |
        | QR cash-out          |
        | cash-in              |
        | webhook registration |

    Scenario: Over different endpoints and errors
      When the account sends a cash-out whose body is {}
      And the account sends a cash-in whose body is {}
      Then the two rejections have different errorIds
      When the account sends a QR cash-out whose body is {}
      And the account sends a webhook registration whose body is {}
      Then the two rejections have different errorIds
      When the account sends a transaction list request using no token
      And the account sends a webhook list request using no token
      Then the two rejections have different errorIds
      When the account sends a webhook list request using no token
      And the account sends a webhook list request using no token
      Then the two rejections have different errorIds

  @envelope-a.validation
  @OUT-015 @OUT-097 @OQR-037 @ERR-008 @ERR-009 @ERR-016 @ERR-017 @ERR-018 @ERR-019
  Rule: An invalid body returns HTTP_ERROR with one message per invalid field

    Scenario: An empty body
      When the account sends a cash-out whose body is {}
      Then the request is rejected with 400 HTTP_ERROR
      And the response has:
        | message | a list of strings |

    Scenario: An empty body of a QR cash-out
      When the account sends a QR cash-out whose body is {}
      Then the request is rejected with 400 HTTP_ERROR, naming value and qrCode and externalId
      And the response has:
        | message | a list of strings |

    Scenario Outline: A <request> whose body is <body>: valid JSON but not an object
      When the account sends a <request> whose body is <body>
      Then the request is rejected with 400

      Examples:
        | request              | body |
        | cash-out             | []   |
        | cash-out             | "x"  |
        | QR cash-out          | []   |
        | cash-in              | []   |
        | webhook registration | []   |

    Scenario Outline: A <request> whose body is {"value": and not valid JSON
      When the account sends a <request> whose body is {"value":
      Then the request is rejected with 400

      Examples:
        | request              |
        | QR cash-out          |
        | webhook registration |

    Scenario: Two invalid fields
      When the account sends a cash-out with:
        | externalId      | absent |
        | details.keyType | "X"    |
      Then the request is rejected with 400 HTTP_ERROR, naming externalId and keyType
      And the response has:
        | message | at least 2 strings |

    @open:messages-of-a-field-with-several-faults
    Scenario: One message per invalid field
      When the account sends a cash-out with:
        | externalId   | absent |
        | details.name | absent |
      Then the request is rejected with 400 HTTP_ERROR, naming externalId and name
      And the response's message should be 2 strings

    @open:refused-webhook-registration
    Scenario: An empty registration
      When the account sends a webhook registration whose body is {}
      Then the request is rejected with 400
      And the response has:
        | message | a list of strings |
      And the response's code should be HTTP_ERROR

    Scenario: The message states the minimum amount
      When the account sends a cash-out with value 0
      Then the request is rejected with 400 PIX_INVALID_AMOUNT or HTTP_ERROR, naming 0.01

    Scenario: Invalid fields of a token request
      When the account sends a token request with:
        | clientId     | absent |
        | clientSecret | absent |
      Then the request is rejected with 400 PUB_REQUEST_BODY_INVALID
      And the response has:
        | message            | at least 2 strings or a non-empty string |
        | details.violations | not empty                                |

    Scenario: Invalid fields of a cash-out, first, nested and last
      When the account sends a cash-out with:
        | value            | "x"                        |
        | externalId       | absent                     |
        | description      | a string of 141 characters |
        | details.name     | absent                     |
        | details.document | absent                     |
      Then the request is rejected with 400 HTTP_ERROR, naming value and externalId and description and name and document
      And the response has:
        | message | at least 5 strings |

    Scenario: Invalid fields of a QR cash-out
      When the account sends a QR cash-out with:
        | value      | absent |
        | externalId | absent |
      Then the request is rejected with 400 HTTP_ERROR, naming value and externalId
      And the response has:
        | message | at least 2 strings |

    Scenario: Invalid fields of a cash-in, in both of its objects
      When the account sends a cash-in with:
        | transaction.description    | ""     |
        | transaction.externalId     | absent |
        | transaction.expirationTime | 29     |
        | payer.fullName             | absent |
        | payer.document             | absent |
      Then the request is rejected with 400 HTTP_ERROR, naming description and externalId and expirationTime and fullName and document
      And the response has:
        | message | at least 5 strings |

    Scenario Outline: Only <field> of a <request> is invalid: <value>
      When the account sends a <request> with <field> <value>
      Then the request is rejected with <status>, naming <name>
      And the response has:
        | message | a list of strings |

      Examples:
        | request              | field                      | value                      | status         | name           |
        | cash-out             | externalId                 | absent                     | 400 HTTP_ERROR | externalId     |
        | cash-out             | details.name               | absent                     | 400 HTTP_ERROR | name           |
        | cash-out             | details.document           | "12"                       | 400 HTTP_ERROR | document       |
        | cash-out             | description                | a string of 141 characters | 400 HTTP_ERROR | description    |
        | cash-out             | details.keyType            | "X"                        | 400 HTTP_ERROR | keyType        |
        | QR cash-out          | externalId                 | absent                     | 400 HTTP_ERROR | externalId     |
        | QR cash-out          | qrCode                     | absent                     | 400 HTTP_ERROR | qrCode         |
        | cash-in              | payer.fullName             | absent                     | 400 HTTP_ERROR | fullName       |
        | cash-in              | transaction.description    | ""                         | 400 HTTP_ERROR | description    |
        | cash-in              | transaction.expirationTime | 29                         | 400 HTTP_ERROR | expirationTime |
        | split cash-in        | splits[0].type             | "X"                        | 400 HTTP_ERROR | type           |
        | webhook registration | url                        | absent                     | 400            | url            |
        | webhook registration | eventType                  | absent                     | 400            | eventType      |
        | webhook registration | eventType                  | "foo"                      | 400            | eventType      |
        | webhook registration | headers                    | "x"                        | 400            | headers        |

    Scenario: Invalid splits, the first and the last of three
      When the account sends a cash-in with splits [{"pixKeyType":"EMAIL","name":"Fulano de Tal","document":"52998224725","type":"FIXED","value":0.10},{"pixKey":"a@payee.example","pixKeyType":"EMAIL","name":"Fulano de Tal","document":"52998224725","type":"FIXED","value":0.10},{"pixKeyType":"EMAIL","name":"Fulano de Tal","document":"52998224725","type":"FIXED","value":0.10}]
      Then the request is rejected with 400 HTTP_ERROR, naming pixKey
      And the response has:
        | message | at least 2 strings |
