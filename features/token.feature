Feature: Access token
  POST /api/auth/token issues a bearer token to a client with a registered certificate and
  the credentials of the account that the certificate belongs to.

  Background:
    Given an account

  @token.issued
  @GEN-001 @GEN-002 @AUTH-001 @TOK-001 @TOK-005 @TOK-016 @TOK-017 @TOK-018 @TOK-019 @TOK-020
  @TOK-021 @TOK-030 @TOK-035
  Rule: A registered certificate and its account's credentials get a token

    Scenario: The response
      When the account sends a token request
      Then the request is accepted with 201
      And the response has:
        | access_token | a JWT    |
        | token_type   | "Bearer" |
        | expires_in   | 1800     |

    Scenario Outline: <kind> certificate
      Given the account also has <kind> certificate
      When the account requests a token with that certificate
      Then the request is accepted with 201

      Examples:
        | kind     |
        | an ECDSA |
        | an RSA   |

    Scenario Outline: <several> requests at once
      When the account sends <several> concurrent token requests
      Then every request is accepted with 201
      When the account sends a token request
      Then the request is accepted with 201
      And the response has:
        | access_token | a JWT |
      When the account sends a balance request using the returned token
      Then the request is accepted

      Examples:
        | several |
        | 2       |
        | 8       |

    Scenario: Two accounts at the same instant
      Given another account
      When the account sends concurrent token requests for every pair of:
        | account           | header Accept    |
        | the account       | application/json |
        | the other account | */*              |
      Then every request is accepted with 201

  @token.opens-endpoints
  @AUTH-002 @TOK-022
  Rule: The token authorizes requests to the other endpoints

    Scenario Outline: A <request>
      When the account sends a token request
      And the account sends a <request> using the returned token
      Then the request is accepted

      Examples:
        | request              |
        | balance request      |
        | webhook list request |

    Scenario: The same token twice
      When the account sends a token request
      And the account sends a balance request using the returned token
      And the account sends a balance request using the returned token
      Then the request is accepted

  @token.lifetime
  @TOK-023 @TOK-024 @TOK-025
  Rule: The token is valid for 1800 seconds

    Scenario: Accepted after 1790 seconds
      Given the account has a token
      When 1790 seconds pass
      And the account sends a balance request using its first token
      Then the request is accepted

    Scenario: Accepted by every endpoint after 1775 seconds
      Given an account with R$ 100.00 available
      And no fees
      And the key directory has a new e-mail key
      And the account has received R$ 10.00 through a cob
      And the account receives cash_out webhooks
      And the account has sent a cash-out
      And a CashOut event arrives
      And the account has a token
      When 1775 seconds pass
      And the account sends a resend request using its first token
      Then the request is accepted
      When the account sends a cash-out using its first token
      Then the request is accepted
      When the account sends a QR cash-out using its first token
      Then the request is accepted
      When the account sends a transfer using its first token
      Then the request is accepted
      When the account sends a cash-in using its first token
      Then the request is accepted
      When the account sends a cob using its first token
      Then the request is accepted
      When the account sends a refund using its first token
      Then the request is accepted
      When the account sends a MED list request using its first token
      Then the request is accepted
      When the account sends a transaction list request using its first token
      Then the request is accepted
      When the account sends a list-by-key request using its first token
      Then the request is accepted
      When the account sends a webhook registration using its first token
      Then the request is accepted
      When the account sends a webhook list request using its first token
      Then the request is accepted

    Scenario: Using the token does not extend its lifetime
      Given the account has a token
      When 1000 seconds pass
      And the account sends a balance request using its first token
      Then the request is accepted
      When 801 seconds pass
      And the account sends a balance request using its first token
      Then the request is rejected with 401

    Scenario: Each token has its own lifetime
      Given the account has a token
      When 1000 seconds pass
      And the account sends a token request
      Then the request is accepted with 201
      And the response has:
        | expires_in | 1800 |
      When 801 seconds pass
      And the account sends a balance request using its first token
      Then the request is rejected with 401
      When 985 seconds pass
      And the account sends a balance request using the returned token
      Then the request is accepted
      When 16 seconds pass
      And the account sends a balance request using the returned token
      Then the request is rejected with 401

    Scenario: A token requested just before the last one expires is valid for 1800 seconds
      Given the account has a token
      And the account has sent a balance request
      When 1795 seconds pass
      And the account sends a token request
      Then the request is accepted with 201
      When 1790 seconds pass
      And the account sends a balance request using the returned token
      Then the request is accepted

    Scenario: Rejected token requests do not end it
      Given the account has a token
      When the account sends a balance request using its first token
      And the account sends a token request with clientSecret its clientSecret plus one letter
      Then the request is rejected with 401
      When the account requests a token with no certificate
      Then the request is rejected with 400
      When the account sends a token request with clientId "not-a-uuid"
      Then the request is rejected with 400
      When the account sends a balance request using its first token
      Then the request is accepted
      When 1790 seconds pass
      And the account sends a balance request using its first token
      Then the request is accepted

    Scenario Outline: Midnight does not end it: requested at <time>
      Given it is <time> in São Paulo
      And the account has a token
      When 20 minutes pass
      And the account sends a balance request using its first token
      Then the request is accepted

      Examples:
        | time  |
        | 20:50 |
        | 23:50 |

    Scenario: An expired token stays expired
      Given the account has a token
      When the account sends a balance request using its first token
      Then the request is accepted
      When 1801 seconds pass
      And the account sends a balance request using its first token
      Then the request is rejected with 401
      When the account sends a token request using its first token
      Then the request is accepted with 201
      When the account sends a token request
      And the account sends a balance request using its first token
      Then the request is rejected with 401
      When the account sends a balance request using the returned token
      Then the request is accepted
      When 2 days pass
      And the account sends a balance request using its first token
      Then the request is rejected with 401

  @token.certificate-required
  @TOK-002 @TOK-003 @TOK-004 @TOK-059 @VER-004
  Rule: The client certificate is required

    Scenario: Without a certificate
      When the account requests a token with no certificate
      Then the request is rejected with 400 PUB_CERT_HEADER_MISSING

  @token.certificate-encoding
  @TOK-005 @TOK-006 @TOK-007 @TOK-008
  Rule: The certificate is URL-encoded, with each plus sign as %2B

    Scenario: Plus signs as %2B
      When the account requests a token with its certificate in the form "as the specification asks"
      Then the request is accepted with 201

    Scenario: Plus signs as %20
      When the account requests a token with its certificate in the form "plus as %20"
      Then the request is rejected with 400 PUB_CERT_MALFORMED_PEM

  @token.certificate-pem
  @TOK-027 @TOK-036 @TOK-037 @VER-004
  Rule: The certificate must be valid PEM

    Scenario Outline: A certificate in the form "<form>"
      When the account requests a token with its certificate in the form "<form>"
      Then the request is rejected with 400 PUB_CERT_MALFORMED_PEM

      Examples:
        | form                      |
        | truncated                 |
        | not PEM                   |
        | garbage in the armour     |
        | base64 without the armour |

  @token.certificate-not-yet-valid
  @TOK-028 @TOK-041 @TOK-042 @VER-004
  Rule: The certificate's notBefore date must not be in the future

    Scenario: Valid from tomorrow
      Given the account also has a not yet valid certificate
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_NOT_YET_VALID

    Scenario: Valid since yesterday
      Given the account also has a valid certificate
      When the account requests a token with that certificate
      Then the request is accepted with 201

    Scenario: Valid from tomorrow, of an account that has used another one
      Given the account has sent a token request
      And the account also has a not yet valid certificate
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_NOT_YET_VALID
      When the account sends a token request
      Then the request is accepted with 201

  @token.certificate-expired
  @TOK-028 @TOK-043 @TOK-044 @VER-004
  Rule: The certificate's notAfter date must not have passed

    Scenario: Expired yesterday
      Given the account also has an expired certificate
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_EXPIRED

    Scenario: Still valid
      Given the account also has a valid certificate
      When the account requests a token with that certificate
      Then the request is accepted with 201

    Scenario: Expired yesterday, of an account that has used another one
      Given the account has sent a token request
      And the account also has an expired certificate
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_EXPIRED
      When the account sends a token request
      Then the request is accepted with 201
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_EXPIRED

  @token.certificate-registered
  @TOK-029 @TOK-030 @TOK-045 @TOK-046 @TOK-058 @TOK-059 @VER-004
  Rule: The certificate's fingerprint must be registered

    Scenario: Never registered
      Given a certificate that was never registered
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_NOT_REGISTERED

    Scenario: Just registered
      Given the account also has a valid certificate
      When the account requests a token with that certificate
      Then the request is accepted with 201

    Scenario: The earlier ones stay registered
      Given the account has sent a token request
      And the account also has a valid certificate
      And the account also has a valid certificate
      When the account sends a token request
      Then the request is accepted with 201
      When the account requests a token with the first added certificate
      Then the request is accepted with 201
      When the account requests a token with the second added certificate
      Then the request is accepted with 201

    Scenario: A certificate of two accounts, revoked for one of them
      Given another account
      And the account also has a valid certificate
      And the other account also has that certificate
      When the account requests a token with that certificate
      Then the request is accepted with 201
      When that certificate is revoked
      And the other account requests a token with that certificate
      Then the request is accepted with 201
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_NOT_REGISTERED, or rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT

  @token.certificate-revoked
  @TOK-032 @TOK-033 @VER-005
  Rule: A revoked certificate returns the same error as an unregistered one

    Scenario: Revoked
      Given the account also has a valid certificate
      When that certificate is revoked
      And the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_NOT_REGISTERED

    Scenario: The account's other certificates stay valid
      Given the account also has a valid certificate
      When that certificate is revoked
      And the account sends a token request
      Then the request is accepted with 201

    Scenario: One of three certificates that were all in use
      Given the account also has a valid certificate
      And the account also has a valid certificate
      When the account requests a token with the first added certificate
      Then the request is accepted with 201
      When the account requests a token with the second added certificate
      Then the request is accepted with 201
      When the first added certificate is revoked
      And the account requests a token with the first added certificate
      Then the request is rejected with 401 PUB_CERT_NOT_REGISTERED
      When the account requests a token with the second added certificate
      Then the request is accepted with 201
      When the account sends a token request
      Then the request is accepted with 201
      When the second added certificate is revoked
      And the account requests a token with the second added certificate
      Then the request is rejected with 401 PUB_CERT_NOT_REGISTERED
      When the account sends a token request
      Then the request is accepted with 201

    Scenario: Another account's certificate, before and after it is revoked
      Given another account
      And the other account also has a valid certificate
      When the other account requests a token with that certificate
      Then the request is accepted with 201
      When the account requests a token with that certificate
      Then the request is rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT
      When that certificate is revoked
      And the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_NOT_REGISTERED
      When the account sends a token request
      Then the request is accepted with 201

    Scenario: A revoked and an unregistered certificate
      Given the account also has a revoked certificate
      When the account requests a token with that certificate
      And the account requests a token with a certificate that was never registered
      Then the two rejections have the same status and code

  @token.certificate-account
  @TOK-031 @TOK-051 @TOK-052 @TOK-059 @VER-004
  Rule: The certificate must belong to the account of the clientId

    Scenario: Another account's certificate
      Given another account
      When the account requests a token with the other account's certificate
      Then the request is rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT

    Scenario: A certificate of two accounts
      Given another account
      And the account also has a valid certificate
      And the other account also has that certificate
      When the account requests a token with that certificate
      Then the request is accepted with 201
      When the other account requests a token with that certificate
      Then the request is accepted with 201

    Scenario: Another account's certificate, after both accounts have used their own
      Given another account
      When the other account sends a token request
      Then the request is accepted with 201
      When the account sends a token request
      Then the request is accepted with 201
      When the account requests a token with the other account's certificate
      Then the request is rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT
      When the account sends a token request
      Then the request is accepted with 201

  @token.body
  @TOK-010 @TOK-011 @TOK-012 @TOK-013 @TOK-014 @TOK-015 @TOK-038 @TOK-039 @TOK-040 @TOK-063 @VER-004
  Rule: The clientId must be a UUID of version 4, and the clientSecret is required

    Scenario Outline: <field> <value> is rejected
      When the account sends a token request with <field> <value>
      Then the request is rejected with 400 PUB_REQUEST_BODY_INVALID
      And the response has:
        | details.violations | not empty |

      Examples:
        | field        | value                                  |
        | clientId     | absent                                 |
        | clientId     | null                                   |
        | clientId     | 123                                    |
        | clientId     | ["abc"]                                |
        | clientId     | "abc"                                  |
        | clientId     | ""                                     |
        | clientId     | "6ba7b810-9dad-11d1-80b4-00c04fd430c8" |
        | clientId     | "c4a760a8-dbcf-5254-a0d9-6a4474bd1b62" |
        | clientId     | "6BA7B810-9DAD-11D1-80B4-00C04FD430C8" |
        | clientId     | "00000000-0000-0000-0000-000000000000" |
        | clientSecret | absent                                 |
        | clientSecret | null                                   |
        | clientSecret | 123                                    |
        | clientSecret | {}                                     |

    Scenario Outline: Every invalid <field>
      When the account sends a token request whose <field> is invalid
      Then every request is rejected with 400 PUB_REQUEST_BODY_INVALID

      Examples:
        | field        |
        | clientId     |
        | clientSecret |

    Scenario Outline: The body <body>
      When the account sends a token request whose body is <body>
      Then the request is rejected with 400 PUB_REQUEST_BODY_INVALID
      And the response has:
        | details.violations | not empty |

      Examples:
        | body |
        | {}   |
        | []   |

  @token.credentials
  @TOK-034 @TOK-047 @TOK-048 @TOK-049 @TOK-050 @VER-004
  Rule: An unknown clientId and a wrong clientSecret return the same error

    Scenario: A wrong clientSecret
      When the account sends a token request with clientSecret "not-the-secret"
      Then the request is rejected with 401 PUB_INVALID_CREDENTIALS

    Scenario Outline: <nearly> is rejected, after the right one
      Given the account has sent a token request
      When the account sends a token request with clientSecret <nearly>
      Then the request is rejected with 401 PUB_INVALID_CREDENTIALS

      Examples:
        | nearly                                 |
        | its clientSecret with the case swapped |
        | the first half of its clientSecret     |
        | the second half of its clientSecret    |
        | its clientSecret plus one letter       |

    Scenario: After the right one, twelve wrong ones get the same error, and then the right one a token
      Given the account has sent a token request
      When the account sends a token request with clientSecret "not-the-secret"
      And the account sends the request again 12 times
      Then every request is rejected with 401 PUB_INVALID_CREDENTIALS
      When the account sends a token request with clientId a random UUID
      And the account sends a token request with clientSecret "not-the-secret"
      Then the two rejections have the same status, code, messages and details
      When the account sends a token request
      Then the request is accepted with 201

    Scenario Outline: At the same instant as the right one: <wrong>
      When the account sends concurrent token requests for every pair of:
        | clientSecret     | header Accept         |
        | <wrong>          | application/json      |
        | its clientSecret | */*                   |
        |                  | application/*         |
        |                  | application/json, */* |
      Then 4 requests are accepted
      And the others are rejected with 401 PUB_INVALID_CREDENTIALS

      Examples:
        | wrong                                  |
        | "not-the-secret"                       |
        | its clientSecret with the case swapped |
        | its clientSecret plus one letter       |

    Scenario: After the right one, a wrong clientSecret and another account's are rejected
      Given another account
      And the other account has sent a token request
      And the account has sent a token request
      When the account sends a token request with clientSecret "not-the-secret"
      Then the request is rejected with 401 PUB_INVALID_CREDENTIALS
      When the account sends a token request with clientSecret the other account's clientSecret
      Then the request is rejected with 401 PUB_INVALID_CREDENTIALS
      When the account sends a token request with clientSecret its clientSecret plus one letter
      And the account sends a token request with clientSecret "not-the-secret-either"
      Then the two rejections have the same status, code, messages and details
      When the account sends a token request
      Then the request is accepted with 201

    Scenario: An unknown clientId
      When the account sends a token request with clientId a random UUID
      Then the request is rejected with 401 PUB_INVALID_CREDENTIALS

    Scenario: The two errors are identical
      When the account sends a token request with clientSecret "not-the-secret"
      And the account sends a token request with clientId a random UUID
      Then the two rejections have the same status, code, messages and details

  @token.upstream-error
  @TOK-053 @TOK-054 @VER-004
  Rule: An invalid upstream response returns 502

    Scenario: Upstream authentication returns an invalid response
      When upstream authentication returns an invalid response
      And the account sends a token request
      Then the request is rejected with 502 PUB_AUTH_UPSTREAM_ERROR
      When upstream authentication is reachable again
      And the account sends a token request
      Then the request is accepted with 201

  @token.upstream-unavailable
  @TOK-053 @TOK-054 @TOK-055 @TOK-056 @TOK-057 @VER-004
  Rule: An unreachable upstream returns 503, and a retry succeeds once it is reachable

    Scenario: Upstream authentication is unreachable
      When upstream authentication is unreachable
      And the account sends a token request
      Then the request is rejected with 503 PUB_AUTH_UPSTREAM_UNAVAILABLE
      When upstream authentication is reachable again
      And the account sends a token request
      Then the request is accepted with 201

    Scenario: Each fault has its own status, after any other
      When upstream authentication is unreachable
      And the account sends a token request
      Then the request is rejected with 503 PUB_AUTH_UPSTREAM_UNAVAILABLE
      When upstream authentication returns an invalid response
      And the account sends a token request
      Then the request is rejected with 502 PUB_AUTH_UPSTREAM_ERROR
      When upstream authentication is unreachable
      And the account sends a token request
      Then the request is rejected with 503 PUB_AUTH_UPSTREAM_UNAVAILABLE
      When upstream authentication is reachable again
      And the account sends a token request
      Then the request is accepted with 201
      When upstream authentication returns an invalid response
      And the account sends a token request
      Then the request is rejected with 502 PUB_AUTH_UPSTREAM_ERROR

  @token.codes
  @TOK-058 @TOK-059 @TOK-060 @TOK-061 @VER-004
  Rule: Each error has its own code, and retired codes are not returned
    PUB_CERT_MALFORMED_PEM is only for a certificate that cannot be parsed and
    PUB_INVALID_CREDENTIALS only for a wrong clientId or clientSecret.
    PUB_INVALID_CERTIFICATE and PUB_TOKEN_GENERATION_FAILED are retired.

    Scenario Outline: <certificate> certificate
      Given the account also has <certificate> certificate
      When the account requests a token with that certificate
      Then the request is rejected with 401
      And the code is not one of:
        | PUB_CERT_MALFORMED_PEM      |
        | PUB_INVALID_CREDENTIALS     |
        | PUB_INVALID_CERTIFICATE     |
        | PUB_TOKEN_GENERATION_FAILED |

      Examples:
        | certificate     |
        | an expired      |
        | a not yet valid |
        | a revoked       |

    Scenario: A certificate that does not parse
      When the account requests a token with its certificate in the form "not PEM"
      Then the request is rejected with 400
      And the code is not one of:
        | PUB_INVALID_CREDENTIALS     |
        | PUB_INVALID_CERTIFICATE     |
        | PUB_TOKEN_GENERATION_FAILED |

    Scenario Outline: Upstream authentication <fault>
      When upstream authentication <fault>
      And the account sends a token request
      Then the request is rejected with <status>
      And the code is not one of:
        | PUB_TOKEN_GENERATION_FAILED |
        | PUB_INVALID_CREDENTIALS     |

      Examples:
        | fault                       | status |
        | returns an invalid response | 502    |
        | is unreachable              | 503    |

  @token.error-envelope
  @TOK-062 @TOK-064 @TOK-065 @TOK-066
  Rule: Errors use the rich envelope

    Scenario: Without a certificate
      When the account requests a token with no certificate
      Then the request is rejected with 400
      And the response has:
        | statusCode  | 400                                     |
        | timestamp   | the time of the request                 |
        | path        | the request path                        |
        | method      | "POST"                                  |
        | code        | a non-empty string                      |
        | message     | a non-empty string or a list of strings |
        | userMessage | a non-empty string                      |
        | errorId     | a non-empty string                      |

    Scenario Outline: A hint, if there is one, is a string: certificate <form>
      When the account requests a token with its certificate in the form "<form>"
      Then the request is rejected with 400
      And the response has:
        | details.hint | absent or null or a non-empty string |

      Examples:
        | form        |
        | not PEM     |
        | plus as %20 |

  @token.left-open
  @TOK-038 @TOK-067
  Rule: Where the specification is silent, the gateway either issues a token or rejects the request cleanly

    Scenario Outline: A certificate in the form "<form>"
      When the account requests a token with its certificate in the form "<form>"
      Then the request is accepted with 201, or rejected with 400 PUB_CERT_MALFORMED_PEM
      And the response's status is recorded for open point "certificate with <form>"

      Examples:
        | form              |
        | plus left literal |
        | small escapes     |
        | space as plus     |
        | a chain           |
        | CRLF              |
        | raw newlines      |

    Scenario: An expired certificate that was never registered
      Given an expired certificate that was never registered
      When the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_EXPIRED or PUB_CERT_NOT_REGISTERED
      And the response's code is recorded for open point "expired and not registered"

    Scenario: A certificate that is expired and revoked
      Given the account also has an expired certificate
      When that certificate is revoked
      And the account requests a token with that certificate
      Then the request is rejected with 401 PUB_CERT_EXPIRED or PUB_CERT_NOT_REGISTERED
      And the response's code is recorded for open point "expired and revoked"

    Scenario: Another account's certificate with a wrong secret
      Given another account
      When the other account sends a token request with:
        | clientId     | the account's clientId |
        | clientSecret | "not-the-secret"       |
      Then the request is rejected with 401 PUB_INVALID_CREDENTIALS, or rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT
      And the response's code is recorded for open point "foreign certificate and wrong secret"

    Scenario: No certificate and an invalid body
      When the account sends a token request with:
        | certificate | absent |
        | clientId    | absent |
      Then the request is rejected with 400 PUB_CERT_HEADER_MISSING or PUB_REQUEST_BODY_INVALID
      And the response's code is recorded for open point "no certificate and an invalid body"

    Scenario: Unusual JSON for a valid token request: unknown fields, repeated keys, exponents, lone surrogates
      When the account sends a token request in unusual JSON
      Then every request is accepted, or rejected with 400 or 401

    Scenario: A body that is not JSON
      When the account sends a token request whose body is {"clientId":
      Then the request is rejected with 400
      And the response's code is recorded for open point "token request that is not JSON"

    Scenario: A content type other than JSON
      When the account sends a token request with header Content-Type text/plain
      Then the request is accepted, or rejected with 400 or 415
      And the response's status is recorded for open point "token request of another content type"

    @open:several-tokens-at-once
    Scenario: A second token while the first is valid
      Given the account has a token
      When the account sends a token request
      And the account sends a balance request using its first token
      Then the request should be accepted
