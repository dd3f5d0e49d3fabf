Feature: Access token
  POST /api/auth/token issues a bearer token for a registered client certificate and the
  credentials of the account to which it belongs.

  Background:
    Given an account

  @token.issued
  @GEN-001 @GEN-002 @AUTH-001 @TOK-001 @TOK-005 @TOK-016 @TOK-017 @TOK-018 @TOK-019 @TOK-020
  @TOK-021 @TOK-030 @TOK-035
  Rule: A registered certificate and the credentials of its account give a token

    Scenario: The answer
      When the account sends a token request
      Then it is accepted with 201
      And the answer has:
        | access_token | a JWT    |
        | token_type   | "Bearer" |
        | expires_in   | 1800     |

    Scenario Outline: <kind> certificate
      Given the account also has <kind> certificate
      When the account presents that certificate
      Then it is accepted with 201

      Examples:
        | kind      |
        | an ECDSA  |
        | an RSA    |

  @token.opens-endpoints
  @AUTH-002 @TOK-022
  Rule: The token opens the other endpoints

    Scenario Outline: <request>
      When the account sends a token request
      And the account sends a <request> under the token of that answer
      Then it is accepted

      Examples:
        | request              |
        | balance request      |
        | webhook list request |

    Scenario: Again and again
      When the account sends a token request
      And the account sends a balance request under the token of that answer
      And the account sends a balance request under the token of that answer
      Then it is accepted

  @token.lifetime
  @TOK-023 @TOK-024 @TOK-025
  Rule: The token lasts 1800 seconds

    Scenario: It still opens endpoints shortly before
      Given the account holds a token
      When 1790 seconds pass
      And the account sends a balance request under its first token
      Then it is accepted

    Scenario: It opens nothing afterwards
      Given the account holds a token
      When 1801 seconds pass
      And the account sends a balance request under its first token
      Then it is refused with 401

    Scenario: Using it does not prolong it
      Given the account holds a token
      When 1000 seconds pass
      And the account sends a balance request under its first token
      Then it is accepted
      When 801 seconds pass
      And the account sends a balance request under its first token
      Then it is refused with 401

    Scenario: A new token can be had afterwards
      Given the account holds a token
      When 1801 seconds pass
      And the account sends a token request
      Then it is accepted with 201
      When the account sends a balance request under the token of that answer
      Then it is accepted

  @token.certificate-required
  @TOK-002 @TOK-003 @TOK-004 @TOK-059 @VER-004
  Rule: X-SSL-Client-Cert carries the client certificate and is mandatory

    Scenario: Without the header
      When the account presents no certificate
      Then it is refused with 400 PUB_CERT_HEADER_MISSING

  @token.certificate-encoding
  @TOK-005 @TOK-006 @TOK-007 @TOK-008
  Rule: The certificate is URL-encoded, with each plus sign as %2B

    Scenario: Plus signs as %2B
      When the account presents its certificate as "as the specification asks"
      Then it is accepted with 201

    Scenario: Plus signs as %20
      When the account presents its certificate as "plus as %20"
      Then it is refused with 400 PUB_CERT_MALFORMED_PEM

  @token.certificate-pem
  @TOK-027 @TOK-036 @TOK-037 @VER-004
  Rule: The certificate is valid PEM

    Scenario Outline: <form>
      When the account presents its certificate as "<form>"
      Then it is refused with 400 PUB_CERT_MALFORMED_PEM

      Examples:
        | form                      |
        | truncated                 |
        | not PEM                   |
        | garbage in the armour     |
        | base64 without the armour |

  @token.certificate-not-yet-valid
  @TOK-028 @TOK-041 @TOK-042 @VER-004
  Rule: The notBefore date of the certificate is not in the future

    Scenario: Valid from tomorrow
      Given the account also has a not yet valid certificate
      When the account presents that certificate
      Then it is refused with 401 PUB_CERT_NOT_YET_VALID

    Scenario: Valid since yesterday
      Given the account also has a valid certificate
      When the account presents that certificate
      Then it is accepted with 201

  @token.certificate-expired
  @TOK-028 @TOK-043 @TOK-044 @VER-004
  Rule: The notAfter date of the certificate has not passed

    Scenario: Expired yesterday
      Given the account also has an expired certificate
      When the account presents that certificate
      Then it is refused with 401 PUB_CERT_EXPIRED

    Scenario: Valid for some time yet
      Given the account also has a valid certificate
      When the account presents that certificate
      Then it is accepted with 201

  @token.certificate-registered
  @TOK-029 @TOK-030 @TOK-045 @TOK-046 @TOK-058 @TOK-059 @VER-004
  Rule: The certificate's fingerprint is registered

    Scenario: Never registered
      Given a certificate that was never registered
      When the account presents that certificate
      Then it is refused with 401 PUB_CERT_NOT_REGISTERED

    Scenario: Registered a moment ago
      Given the account also has a valid certificate
      When the account presents that certificate
      Then it is accepted with 201

  @token.certificate-revoked
  @TOK-032 @TOK-033 @VER-005
  Rule: A revoked certificate is reported like one that was never registered

    Scenario: Revoked
      Given the account also has a valid certificate
      When that certificate is revoked
      And the account presents that certificate
      Then it is refused with 401 PUB_CERT_NOT_REGISTERED

    Scenario: The other certificates of the account stay good
      Given the account also has a valid certificate
      When that certificate is revoked
      And the account sends a token request
      Then it is accepted with 201

    Scenario: Beside one that was never registered
      Given the account also has a revoked certificate
      When the account presents that certificate
      And the account presents a certificate that was never registered
      Then both refusals have the same status and code

  @token.certificate-account
  @TOK-031 @TOK-051 @TOK-052 @TOK-059 @VER-004
  Rule: The certificate belongs to the account of the clientId

    Scenario: The certificate of another account
      Given another account
      When the account presents the other account's certificate
      Then it is refused with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT

  @token.body
  @TOK-010 @TOK-011 @TOK-012 @TOK-013 @TOK-014 @TOK-015 @TOK-038 @TOK-039 @TOK-040 @TOK-063 @VER-004
  Rule: The body holds a clientId that is a UUID of version 4 and a clientSecret

    Scenario Outline: <field> <value>
      When the account sends a token request with <field> <value>
      Then it is refused with 400 PUB_REQUEST_BODY_INVALID
      And the answer has:
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
        | clientSecret | absent                                 |
        | clientSecret | null                                   |
        | clientSecret | 123                                    |
        | clientSecret | {}                                     |

    Scenario: An empty object
      When the account sends a token request whose body is {}
      Then it is refused with 400 PUB_REQUEST_BODY_INVALID
      And the answer has:
        | details.violations | not empty |

  @token.credentials
  @TOK-034 @TOK-047 @TOK-048 @TOK-049 @TOK-050 @VER-004
  Rule: An unknown clientId and a wrong clientSecret are refused alike

    Scenario: A wrong clientSecret
      When the account sends a token request with clientSecret "not-the-secret"
      Then it is refused with 401 PUB_INVALID_CREDENTIALS

    Scenario Outline: <nearly> is wrong
      When the account sends a token request with clientSecret <nearly>
      Then it is refused with 401 PUB_INVALID_CREDENTIALS

      Examples:
        | nearly                                  |
        | its clientSecret in the other case      |
        | the first half of its clientSecret      |
        | its clientSecret and one letter more    |

    Scenario: An unknown clientId
      When the account sends a token request with clientId a fresh UUID
      Then it is refused with 401 PUB_INVALID_CREDENTIALS

    Scenario: Nothing tells which of the two it was
      When the account sends a token request with clientSecret "not-the-secret"
      And the account sends a token request with clientId a fresh UUID
      Then both refusals have the same status, code, messages and details

  @token.upstream-error
  @TOK-053 @TOK-054 @VER-004
  Rule: An upstream answer that is not understood gives 502

    Scenario: Upstream authentication answers nonsense
      When upstream authentication answers nonsense
      And the account sends a token request
      Then it is refused with 502 PUB_AUTH_UPSTREAM_ERROR

  @token.upstream-unavailable
  @TOK-055 @TOK-056 @TOK-057 @VER-004
  Rule: An upstream that cannot be reached gives 503, and a retry succeeds once it is back

    Scenario: Upstream authentication is unreachable
      When upstream authentication is unreachable
      And the account sends a token request
      Then it is refused with 503 PUB_AUTH_UPSTREAM_UNAVAILABLE
      When upstream authentication is back
      And the account sends a token request
      Then it is accepted with 201

  @token.codes
  @TOK-058 @TOK-059 @TOK-060 @TOK-061 @VER-004
  Rule: Each code has one cause, and retired codes do not come back
    PUB_CERT_MALFORMED_PEM is for what cannot be parsed, PUB_INVALID_CREDENTIALS for
    the clientId and the clientSecret, PUB_INVALID_CERTIFICATE and
    PUB_TOKEN_GENERATION_FAILED for nothing any more.

    Scenario Outline: <certificate> certificate that parses
      Given the account also has <certificate> certificate
      When the account presents that certificate
      Then it is refused with 401
      And the code is none of:
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
      When the account presents its certificate as "not PEM"
      Then it is refused with 400
      And the code is none of:
        | PUB_INVALID_CREDENTIALS     |
        | PUB_INVALID_CERTIFICATE     |
        | PUB_TOKEN_GENERATION_FAILED |

    Scenario Outline: Upstream authentication <fault>
      When upstream authentication <fault>
      And the account sends a token request
      Then it is refused with <status>
      And the code is none of:
        | PUB_TOKEN_GENERATION_FAILED |
        | PUB_INVALID_CREDENTIALS     |

      Examples:
        | fault            | status |
        | answers nonsense | 502    |
        | is unreachable   | 503    |

  @token.error-envelope
  @TOK-062 @TOK-064 @TOK-065 @TOK-066
  Rule: Refusals use the rich envelope

    Scenario: Without a certificate
      When the account presents no certificate
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

    Scenario Outline: A hint, where there is one, is a text: certificate <form>
      When the account presents its certificate as "<form>"
      Then it is refused with 400
      And the answer has:
        | details.hint | absent or null or a text |

      Examples:
        | form        |
        | not PEM     |
        | plus as %20 |

  @token.left-open
  @TOK-038 @TOK-067
  Rule: Where the specification is silent, a request is either served or refused cleanly

    Scenario Outline: A certificate written as "<form>"
      When the account presents its certificate as "<form>"
      Then it is accepted with 201, or refused with 400 PUB_CERT_MALFORMED_PEM
      And its status is noted as "certificate with <form>"

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
      When the account presents that certificate
      Then it is refused with 401 PUB_CERT_EXPIRED or PUB_CERT_NOT_REGISTERED
      And its code is noted as "expired and not registered"

    Scenario: A certificate that is expired and revoked
      Given the account also has an expired certificate
      When that certificate is revoked
      And the account presents that certificate
      Then it is refused with 401 PUB_CERT_EXPIRED or PUB_CERT_NOT_REGISTERED
      And its code is noted as "expired and revoked"

    Scenario: Another account's certificate with a wrong secret
      Given another account
      When the other account sends a token request with:
        | clientId     | the account's clientId |
        | clientSecret | "not-the-secret"       |
      Then it is refused with 401 PUB_INVALID_CREDENTIALS, or refused with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT
      And its code is noted as "foreign certificate and wrong secret"

    Scenario: No certificate and an invalid body
      When the account sends a token request with:
        | certificate | absent |
        | clientId    | absent |
      Then it is refused with 400 PUB_CERT_HEADER_MISSING or PUB_REQUEST_BODY_INVALID
      And its code is noted as "no certificate and an invalid body"

    Scenario: A body that is not JSON
      When the account sends a token request whose body is {"clientId":
      Then it is refused with 400
      And its code is noted as "token request that is not JSON"

    Scenario: A content type other than JSON
      When the account sends a token request with header Content-Type text/plain
      Then it is accepted, or refused with 400 or 415
      And its status is noted as "token request of another content type"

    @open:several-tokens-at-once
    Scenario: A second token beside the first
      Given the account holds a token
      When the account sends a token request
      And the account sends a balance request under its first token
      Then it should be accepted
