Feature: States of tokens, certificates and registrations
  Each state against each event and request. Another account must not change.
  Payments and charges are in states.feature; refunds, MED cases and splits are in
  states-refunds.feature.

  @states.token
  @TOK-022 @TOK-023 @TOK-024
  Rule: A token is valid for 1800 seconds, used or not, on every endpoint
    Whether a newer token or a revoked certificate invalidates a token is left open.

    Background:
      Given an account with R$ 100.00 available
      And the account has a token

    Scenario Outline: <state>, when the account sends a <request>: accepted
      Given <state>
      When the account sends a <request> using its first token
      Then the request is accepted

      Examples:
        | state                                            | request                  |
        | the account has a token                          | balance request          |
        | the account has a token                          | cash-out                 |
        | the account has a token                          | cob                      |
        | the account has a token                          | MED list request         |
        | the account has a token                          | transaction list request |
        | the account has sent a cob using its first token | balance request          |
        | the account has sent a cob using its first token | cash-out                 |
        | the account has sent a cob using its first token | cob                      |
        | the account has sent a cob using its first token | MED list request         |
        | the account has sent a cob using its first token | transaction list request |
        | 1700 seconds pass                                | balance request          |
        | 1700 seconds pass                                | cash-out                 |
        | 1700 seconds pass                                | cob                      |
        | 1700 seconds pass                                | MED list request         |
        | 1700 seconds pass                                | transaction list request |

    Scenario Outline: <state>, when the account sends a <request>: rejected
      Given <state>
      When the account sends a <request> using its first token
      Then the request is rejected with <status>

      Examples:
        | state                  | request                  | status     |
        | 1801 seconds pass      | balance request          | 401        |
        | 1801 seconds pass      | cash-out                 | 401        |
        | 1801 seconds pass      | cob                      | 401        |
        | 1801 seconds pass      | MED list request         | 401        |
        | 1801 seconds pass      | transaction list request | 401        |
        | the account is removed | balance request          | 401 or 404 |
        | the account is removed | cob                      | 401 or 404 |
        | the account is removed | MED list request         | 401 or 404 |
        | the account is removed | transaction list request | 401 or 404 |

  @states.certificate
  @TOK-028 @TOK-029 @TOK-030 @TOK-031 @TOK-032 @TOK-041 @TOK-042 @TOK-043 @TOK-044 @TOK-045 @TOK-046
  @TOK-051 @TOK-052
  Rule: A certificate does not depend on other certificates

    Background:
      Given an account
      And another account

    Scenario Outline: <state>, when <event>: <outcome>
      Given <state>
      When <event>
      And the account requests a token with the first added certificate
      Then the request is <outcome>
      When the account sends a token request
      Then the request is accepted with 201
      When the other account sends a token request
      Then the request is accepted with 201

      Examples:
        | state                                            | event                                                         | outcome                                               |
        | the account also has a valid certificate         | the account sends a token request                             | accepted with 201                                     |
        | the account also has a valid certificate         | the account requests a token with the first added certificate | accepted with 201                                     |
        | the account also has a valid certificate         | the account requests a token with no certificate              | accepted with 201                                     |
        | the account also has a valid certificate         | the account also has a valid certificate                      | accepted with 201                                     |
        | the account also has a valid certificate         | the other account also has a valid certificate                | accepted with 201                                     |
        | the account also has an expired certificate      | the account sends a token request                             | rejected with 401 PUB_CERT_EXPIRED                    |
        | the account also has an expired certificate      | the account requests a token with the first added certificate | rejected with 401 PUB_CERT_EXPIRED                    |
        | the account also has an expired certificate      | the account requests a token with no certificate              | rejected with 401 PUB_CERT_EXPIRED                    |
        | the account also has an expired certificate      | the account also has a valid certificate                      | rejected with 401 PUB_CERT_EXPIRED                    |
        | the account also has an expired certificate      | the other account also has a valid certificate                | rejected with 401 PUB_CERT_EXPIRED                    |
        | the account also has a not yet valid certificate | the account sends a token request                             | rejected with 401 PUB_CERT_NOT_YET_VALID              |
        | the account also has a not yet valid certificate | the account requests a token with the first added certificate | rejected with 401 PUB_CERT_NOT_YET_VALID              |
        | the account also has a not yet valid certificate | the account requests a token with no certificate              | rejected with 401 PUB_CERT_NOT_YET_VALID              |
        | the account also has a not yet valid certificate | the account also has a valid certificate                      | rejected with 401 PUB_CERT_NOT_YET_VALID              |
        | the account also has a not yet valid certificate | the other account also has a valid certificate                | rejected with 401 PUB_CERT_NOT_YET_VALID              |
        | the account also has a revoked certificate       | the account sends a token request                             | rejected with 401 PUB_CERT_NOT_REGISTERED             |
        | the account also has a revoked certificate       | the account requests a token with the first added certificate | rejected with 401 PUB_CERT_NOT_REGISTERED             |
        | the account also has a revoked certificate       | the account requests a token with no certificate              | rejected with 401 PUB_CERT_NOT_REGISTERED             |
        | the account also has a revoked certificate       | the account also has a valid certificate                      | rejected with 401 PUB_CERT_NOT_REGISTERED             |
        | the account also has a revoked certificate       | the other account also has a valid certificate                | rejected with 401 PUB_CERT_NOT_REGISTERED             |
        | the other account also has a valid certificate   | the account sends a token request                             | rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT |
        | the other account also has a valid certificate   | the account requests a token with the first added certificate | rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT |
        | the other account also has a valid certificate   | the account requests a token with no certificate              | rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT |
        | the other account also has a valid certificate   | the account also has a valid certificate                      | rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT |
        | the other account also has a valid certificate   | the other account also has a valid certificate                | rejected with 403 PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT |

  @states.registration
  @WHK-030 @WHK-031 @WHK-032 @WHK-033 @WHK-036 @WHK-037 @WHK-038 @WHK-058
  Rule: A registration stays as it was last sent

    Scenario Outline: <count> URLs, when <event>: <outcome>
      Given a new account
      And another new account
      And the other account receives cash_out webhooks at 2 URLs
      And the account receives cash_out webhooks at <count> URLs
      When <event>
      Then the request is <outcome>
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      When the other account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

      Examples:
        | count | event                                                                           | outcome           |
        | 1     | the account sends a webhook registration                                        | accepted          |
        | 1     | the account sends a webhook registration with url the account's first url       | accepted          |
        | 1     | the account sends a webhook registration with url the other account's first url | accepted          |
        | 1     | the account sends a webhook registration with eventType "cash_in"               | accepted          |
        | 1     | the account sends a webhook registration with eventType "x"                     | rejected with 400 |
        | 1     | the account sends a webhook registration using no token                         | rejected with 401 |
        | 1     | the other account sends a webhook registration with url the account's first url | accepted          |
        | 2     | the account sends a webhook registration                                        | accepted          |
        | 2     | the account sends a webhook registration with url the account's first url       | accepted          |
        | 2     | the account sends a webhook registration with url the other account's first url | accepted          |
        | 2     | the account sends a webhook registration with eventType "cash_in"               | accepted          |
        | 2     | the account sends a webhook registration with eventType "x"                     | rejected with 400 |
        | 2     | the account sends a webhook registration using no token                         | rejected with 401 |
        | 2     | the other account sends a webhook registration with url the account's first url | accepted          |
        | 3     | the account sends a webhook registration                                        | rejected with 400 |
        | 3     | the account sends a webhook registration with url the account's first url       | accepted          |
        | 3     | the account sends a webhook registration with url the other account's first url | rejected with 400 |
        | 3     | the account sends a webhook registration with eventType "cash_in"               | accepted          |
        | 3     | the account sends a webhook registration with eventType "x"                     | rejected with 400 |
        | 3     | the account sends a webhook registration using no token                         | rejected with 401 |
        | 3     | the other account sends a webhook registration with url the account's first url | accepted          |
