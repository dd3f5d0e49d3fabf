Feature: Webhook registration
  POST /api/webhooks registers a URL for one event type, and GET /api/webhooks lists the
  account's registrations.

  Background:
    Given an account

  @webhook.registered
  @GEN-001 @GEN-002 @WHK-001 @WHK-027 @WHK-028 @WHK-029
  Rule: A registration returns success and a message

    Scenario: The response
      When the account sends a webhook registration
      Then the request is accepted with 200
      And the response has:
        | success | true     |
        | message | a string |

  @webhook.shapes @shapes
  @WHK-007 @WHK-008 @WHK-009 @WHK-010 @WHK-011 @WHK-012 @WHK-013 @WHK-015 @WHK-019
  Rule: Every event type, URL and number of headers can be combined

    Background:
      Given a new account

    Scenario Outline: <eventType>, <shape>
      When the account sends a webhook registration with:
        | eventType | "<eventType>" |
        | headers   | <headers>     |
      Then the request is accepted

      Examples:
        | shape           | eventType    | headers                                                                                |
        | without headers | cash_in      | absent                                                                                 |
        | one header      | cash_out     | [{"key":"X-Pixcert-A","value":"1"}]                                                    |
        | no headers      | refund_in    | []                                                                                     |
        | two headers     | refund_out   | [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"AbC xYz=/+,;:\"2\""}] |
        | five headers    | med_created  | a list of 5                                                                            |
        | without headers | med_accepted | absent                                                                                 |

    Scenario Outline: <eventType>, a URL with a query, <shape>
      When the account sends a webhook registration with:
        | eventType | "<eventType>"      |
        | url       | a URL with a query |
        | headers   | <headers>          |
      Then the request is accepted

      Examples:
        | shape           | eventType    | headers                             |
        | one header      | med_rejected | [{"key":"X-Pixcert-A","value":"1"}] |
        | without headers | cash_out     | absent                              |

    Scenario: One URL for every event type, and others, at the same instant
      Given the account has sent a webhook registration
      When the account sends concurrent webhook registrations for every pair of:
        | eventType      | url                     |
        | "cash_in"      | the account's first url |
        | "cash_out"     | a new URL               |
        | "refund_in"    |                         |
        | "refund_out"   |                         |
        | "med_created"  |                         |
        | "med_accepted" |                         |
        | "med_rejected" |                         |
      Then every request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      And the response has:
        | webhooks | 14 items |
        | total    | 14       |

    Scenario: Three URLs of one type at the same instant, each with its own headers
      When the account sends concurrent webhook registrations for every pair of:
        | url       | headers                             |
        | a new URL | [{"key":"X-Pixcert-A","value":"1"}] |
        |           | [{"key":"X-Pixcert-B","value":"2"}] |
        |           | a list of 5                         |
      Then every request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      And the response has:
        | webhooks | 3 items |
        | total    | 3       |

    Scenario: The same registration twice at the same instant
      Given the account has sent a webhook registration
      When the account sends concurrent webhook registrations for every pair of:
        | eventType   | url                     | header Accept    |
        | "cash_in"   | the account's first url | application/json |
        | "refund_in" |                         | */*              |
      Then every request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      And the response has:
        | webhooks | 3 items |
        | total    | 3       |

  @webhook.url
  @WHK-002 @WHK-003 @WHK-004 @WHK-005
  Rule: The URL must be an HTTPS URL

    Scenario: A URL that is not an HTTPS URL, next to every event type and headers
      Given a new account
      When the account sends a webhook registration for every pair of:
        | url                                | eventType    | headers                             |
        | a URL with a query                 | "cash_in"    | absent                              |
        | wrong: "http://hooks.example/pix"  | "cash_out"   | []                                  |
        | wrong: "HTTP://hooks.example/pix"  | "refund_in"  | [{"key":"X-Pixcert-A","value":"1"}] |
        | wrong: "http://localhost/pix"      |              |                                     |
        | wrong: "https://?pix"              |              |                                     |
        | wrong: "//hooks.example/pix"       | "refund_out" | a list of 5                         |
        | wrong: "hooks.example/pix"         |              |                                     |
        | wrong: "https"                     |              |                                     |
        | wrong: "/pix?u=https://a.example/" |              |                                     |
        | wrong: ""                          |              |                                     |
      Then every request is rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |

    Scenario: Every invalid url, in every shape
      When the account sends a webhook registration of every shape whose url is invalid
      Then every request is rejected with 400

    Scenario: A rejected URL is not listed
      Given a new account
      When the account sends a webhook registration with url "http://hooks.example/pix"
      Then the request is rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |

  @webhook.event-type
  @WHK-006 @WHK-007 @WHK-008 @WHK-009 @WHK-010 @WHK-011 @WHK-012 @WHK-013 @WHK-014 @WHK-053
  Rule: The eventType is one of seven values

    Scenario Outline: <eventType> is accepted
      Given a new account
      When the account sends a webhook registration with eventType "<eventType>"
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks         | 1 item        |
        | webhooks[0].type | "<eventType>" |

      Examples:
        | eventType    |
        | cash_in      |
        | cash_out     |
        | refund_in    |
        | refund_out   |
        | med_created  |
        | med_accepted |
        | med_rejected |

    Scenario: Any other eventType is rejected, next to every URL and headers
      When the account sends a webhook registration for every pair of:
        | eventType            | url                        | headers                             |
        | "cash_out"           | a URL with a query         | absent                              |
        | invalid              | a URL with an escaped path | [{"key":"X-Pixcert-A","value":"1"}] |
        | wrong: "CashOut"     |                            | a list of 5                         |
        | wrong: "TRANSFER"    |                            |                                     |
        | wrong: "Cash_in"     |                            |                                     |
        | wrong: "cash-out"    |                            |                                     |
        | wrong: "cash"        |                            |                                     |
        | wrong: "med_updated" |                            |                                     |
      Then every request is rejected with 400

    @open:values-of-another-type
    Scenario: A list should not be accepted as a string
      When the account sends a webhook registration with eventType ["cash_out"]
      Then the request should be rejected with 400

  @webhook.headers
  @WHK-015 @WHK-016 @WHK-017 @WHK-018
  Rule: A custom header has a key and a value

    Scenario Outline: <headers> is accepted
      Given a new account
      When the account sends a webhook registration with headers <headers>
      Then the request is accepted

      Examples:
        | headers                             |
        | absent                              |
        | []                                  |
        | [{"key":"X-Pixcert-A","value":"1"}] |

    Scenario: A header without a key or a value, in any place, next to every event type and URL
      When the account sends a webhook registration for every pair of:
        | headers                                                                                            | eventType   | url                         |
        | absent                                                                                             | "cash_in"   | a URL with a query          |
        | wrong: "X-Pixcert-A"                                                                               | "cash_out"  | a URL with a trailing slash |
        | wrong: ["X-Pixcert-A"]                                                                             | "refund_in" |                             |
        | wrong: [{"value":"1"}]                                                                             |             |                             |
        | wrong: [{"key":"X-Pixcert-A"}]                                                                     |             |                             |
        | wrong: [{"key":{},"value":"1"}]                                                                    |             |                             |
        | wrong: [{"key":"X-Pixcert-A","value":{}}]                                                          |             |                             |
        | wrong: [{"key":"X-Pixcert-A"},{"key":"X-Pixcert-B","value":"2"},{"key":"X-Pixcert-C","value":"3"}] |             |                             |
        | wrong: [{"key":"X-Pixcert-A","value":"1"},{"value":"2"},{"key":"X-Pixcert-C","value":"3"}]         |             |                             |
        | wrong: [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"2"},"X-Pixcert-C"]         |             |                             |
        | wrong: [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":{}}]                        |             |                             |
      Then every request is rejected with 400

    Scenario Outline: Every invalid <part> of a header, in every shape that has one
      When the account sends a webhook registration of every shape whose headers[each].<part> is invalid
      Then every request is rejected with 400

      Examples:
        | part  |
        | key   |
        | value |

    @open:values-of-another-type
    Scenario Outline: <headers> should not be accepted
      When the account sends a webhook registration with headers <headers>
      Then the request should be rejected with 400

      Examples:
        | headers                                                             |
        | {"X-Pixcert-A":"1"}                                                 |
        | [{"key":1,"value":"1"}]                                             |
        | [{"key":"X-Pixcert-A","value":1}]                                   |
        | [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":2}] |

  @webhook.header-count
  @WHK-019 @WHK-020
  Rule: A registration has at most five custom headers

    Scenario: Five are accepted
      Given a new account
      When the account sends a webhook registration with headers a list of 5
      Then the request is accepted

    Scenario: Six are rejected, in every shape
      When the account sends a webhook registration of every shape with headers a list of 6
      Then every request is rejected with 400

    Scenario: Six are rejected as an update too, and the five remain
      Given a new account with R$ 10.00 available
      And the account has sent a webhook registration with headers a list of 5
      When the account sends the request again with headers a list of 6
      Then the request is rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      When the account sends a cash-out
      Then a CashOut event arrives at each URL with its headers

  @webhook.blocked-headers
  @WHK-021 @WHK-022 @WHK-023 @WHK-024 @WHK-025 @WHK-026
  Rule: Transport headers cannot be overridden

    Scenario Outline: Header <name>
      Given a new account with R$ 10.00 available
      When the account sends a webhook registration with headers [{"key":"<name>","value":"pixcert-marker"}]
      Then the request is accepted, or rejected with 400 or 422
      And the response's status is recorded for open point "transport header"
      When the account sends a cash-out
      Then a CashOut event arrives at each URL
      And no event has a header containing "pixcert-marker"

      Examples:
        | name              |
        | host              |
        | content-length    |
        | connection        |
        | transfer-encoding |
        | content-type      |
        | user-agent        |

    Scenario Outline: <place> of several, in another case: <name>
      Given a new account with R$ 10.00 available
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-Valid","value":"1"}]
      When the account sends the request again with headers <headers>
      Then the request is accepted, or rejected with 400 or 422
      When the account sends a cash-out
      Then a CashOut event arrives at each URL
      And no event has a header containing "pixcert-marker"

      Examples:
        | place  | name              | headers                                                                                                                    |
        | first  | Host              | [{"key":"Host","value":"pixcert-marker"},{"key":"X-Pixcert-B","value":"2"}]                                                |
        | second | Content-Type      | [{"key":"X-Pixcert-A","value":"1"},{"key":"Content-Type","value":"pixcert-marker"},{"key":"X-Pixcert-C","value":"3"}]      |
        | second | USER-AGENT        | [{"key":"X-Pixcert-A","value":"1"},{"key":"USER-AGENT","value":"pixcert-marker"},{"key":"X-Pixcert-C","value":"3"}]        |
        | last   | User-Agent        | [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"2"},{"key":"User-Agent","value":"pixcert-marker"}]        |
        | last   | content-type      | [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"2"},{"key":"content-type","value":"pixcert-marker"}]      |
        | last   | Transfer-Encoding | [{"key":"X-Pixcert-A","value":"1"},{"key":"X-Pixcert-B","value":"2"},{"key":"Transfer-Encoding","value":"pixcert-marker"}] |

    Scenario: Names that are nearly blocked are custom headers
      Given a new account with R$ 10.00 available
      And the account has sent a webhook registration with headers [{"key":"X-Host","value":"1"},{"key":"Hostname","value":"2"},{"key":"X-Content-Type","value":"3"},{"key":"X-User-Agent","value":"4"},{"key":"X-Connection","value":"5"}]
      And the account has sent a webhook registration with headers [{"key":"x-content-length","value":"6"},{"key":"X-TRANSFER-ENCODING","value":"7"},{"key":"Authorization","value":"Basic cGl4Y2VydA=="}]
      When the account sends a cash-out
      Then a CashOut event arrives at each URL with its headers

  @webhook.limit
  @WHK-030 @WHK-031 @WHK-032 @WHK-037 @WHK-050 @WHK-051
  Rule: Each event type has at most three active URLs

    Background:
      Given a new account

    Scenario: The fourth URL is rejected
      Given the account receives cash_out webhooks at 3 URLs
      When the account sends a webhook registration with eventType "cash_out"
      Then the request is rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | 3 items |
        | total    | 3       |

    Scenario: The third URL is accepted
      Given the account receives cash_out webhooks at 2 URLs
      When the account sends a webhook registration with eventType "cash_out"
      Then the request is accepted

    Scenario: Concurrent registrations do not exceed the limit
      When the account sends 8 concurrent webhook registrations
      Then at most 3 requests are accepted
      And the others are rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | 1 item or 2 items or 3 items |

    Scenario: Concurrent registrations for the last place
      Given the account receives cash_out webhooks at 2 URLs
      When the account sends 8 concurrent webhook registrations
      Then at most one request is accepted
      And the others are rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | 2 items or 3 items |

    Scenario: Each event type has its own limit
      Given the account receives cash_in webhooks at 3 URLs
      When the account sends a webhook registration with eventType "cash_out"
      Then the request is accepted

    Scenario: A registered URL can be registered again
      Given the account receives cash_out webhooks at 3 URLs
      When the account sends the request again
      Then the request is accepted

    Scenario Outline: Next to three URLs for <other>, three of any form for <eventType>, and no fourth
      Given the account receives <other> webhooks at 3 URLs
      When the account sends a webhook registration with:
        | eventType | "<eventType>"              |
        | url       | a URL with an escaped path |
      Then the request is accepted
      When the account sends a webhook registration with:
        | eventType | "<eventType>"       |
        | url       | a URL with capitals |
        | headers   | a list of 5         |
      Then the request is accepted
      When the account sends a webhook registration with:
        | eventType | "<eventType>"                  |
        | url       | a URL with repeated parameters |
      Then the request is accepted
      When the account sends a webhook registration with:
        | eventType | "<eventType>"               |
        | url       | a URL with a trailing slash |
      Then the request is rejected with 400
      When the account sends a webhook registration with:
        | eventType | "<eventType>"                       |
        | url       | the account's 5th url               |
        | headers   | [{"key":"X-Pixcert-A","value":"1"}] |
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | total | 6 |
      And each registration is listed as it was last sent

      Examples:
        | eventType    | other     |
        | cash_in      | cash_out  |
        | cash_out     | cash_in   |
        | refund_in    | cash_in   |
        | refund_out   | refund_in |
        | med_created  | cash_out  |
        | med_accepted | cash_out  |
        | med_rejected | cash_out  |

    Scenario: Updates neither use up the limit nor make room
      Given the account receives cash_out webhooks at 3 URLs
      When the account sends a webhook registration with url the account's first url
      Then the request is accepted
      When the account sends a webhook registration with url the account's second url
      Then the request is accepted
      When the account sends a webhook registration with url the account's third url
      Then the request is accepted
      When the account sends a webhook registration
      Then the request is rejected with 400
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

    Scenario: Two updates of one URL leave room for two more
      Given the account receives cash_out webhooks
      And the account receives cash_out webhooks at the same URL
      And the account receives cash_out webhooks at the same URL
      When the account sends a webhook registration
      Then the request is accepted
      When the account sends a webhook registration
      Then the request is accepted
      When the account sends a webhook registration
      Then the request is rejected with 400

    Scenario: Another account's URLs do not count
      Given another new account
      And the other account receives cash_out webhooks at 3 URLs
      And the account receives cash_out webhooks at 2 URLs
      When the account sends a webhook registration with url the other account's first url
      Then the request is accepted
      When the account sends a webhook registration with url the other account's second url
      Then the request is rejected with 400
      When the other account sends a webhook registration with url the other account's second url
      Then the request is accepted
      When the other account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

  @webhook.update
  @WHK-033 @WHK-034 @WHK-036 @WHK-038 @WHK-050
  Rule: Registering a URL again updates it and leaves the others unchanged

    Background:
      Given a new account

    Scenario: Its headers are replaced
      Given the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"}]
      When the account sends the request again with headers [{"key":"X-Pixcert-B","value":"2"}]
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | 1 item |
      And the last registration is listed as it was sent

    Scenario: Twelve updates of the second of three
      Given the account receives cash_out webhooks at 3 URLs
      When the account sends a webhook registration for every pair of:
        | url                      | headers                                                               |
        | the account's second url | absent                                                                |
        |                          | [{"key":"X-Pixcert-A","value":"1"}]                                   |
        |                          | []                                                                    |
        |                          | a list of 5                                                           |
        |                          | [{"key":"X-Pixcert-A","value":"2"}]                                   |
        |                          | a list of 2                                                           |
        |                          | [{"key":"X-Pixcert-B","value":"1"}]                                   |
        |                          | a list of 4                                                           |
        |                          | [{"key":"X-Pixcert-B","value":"2"}]                                   |
        |                          | a list of 1                                                           |
        |                          | a list of 3                                                           |
        |                          | [{"key":"x-pixcert-b","value":"1"},{"key":"X-Pixcert-C","value":"x"}] |
      Then every request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | total | 3 |
      And each registration is listed as it was last sent

    Scenario: The same URL for another event type is a separate registration
      Given the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"}]
      When the account sends the request again with:
        | eventType | "cash_in"                           |
        | headers   | [{"key":"X-Pixcert-B","value":"2"}] |
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | 2 items |
        | total    | 2       |
      And the first registration is listed as it was sent
      And the last registration is listed as it was sent

    Scenario Outline: The <which> of three
      Given the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"}]
      And the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"2"},{"key":"X-Pixcert-B","value":"x"}]
      And the account has sent a webhook registration with headers a list of 5
      When the account sends a webhook registration with:
        | url     | the account's <which> url             |
        | headers | [{"key":"X-Pixcert-C","value":"new"}] |
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      When the account sends a webhook registration with:
        | url     | the account's <which> url |
        | headers | []                        |
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

      Examples:
        | which  |
        | first  |
        | second |
        | third  |

    Scenario: URLs that differ only in the query are separate registrations
      Given the account has sent a webhook registration with url a URL with a query
      And the account has sent a webhook registration with url the account's first url plus one letter
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

    Scenario: A removed account's registration of the same URL
      Given another new account
      And the account has sent a webhook registration
      And the other account has sent a webhook registration with url the account's url
      And the other account has sent a webhook registration
      When the account is removed
      And the other account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

  @webhook.list
  @GEN-001 @GEN-006 @WHK-044 @WHK-045 @WHK-046 @WHK-047 @WHK-048 @WHK-049 @WHK-050 @WHK-051 @WHK-052
  @WHK-053 @WHK-054 @WHK-055 @WHK-056 @WHK-057
  Rule: The list shows the account's registrations

    Background:
      Given a new account

    Scenario: No registrations
      When the account sends a webhook list request
      Then the request is accepted with 200
      And the response has:
        | accountId | a number |
        | webhooks  | empty    |
        | total     | 0        |

    Scenario: Before and after a registration of a URL with a query
      When the account sends a webhook list request
      And the account sends a webhook registration with url a URL with a query
      And the account sends a webhook list request
      Then the request is accepted with 200
      And the response has:
        | webhooks | 1 item |
      And the last registration is listed as it was sent

    Scenario Outline: A URL of <length> characters, if the gateway accepts it
      Given a new account with R$ 10.00 available
      And the account has sent a webhook registration with url a URL of <length> characters, if the gateway accepts it
      When the account sends a webhook list request
      Then the request is accepted
      And the last registration is listed as it was sent
      When the account sends a cash-out
      Then a CashOut event arrives at each URL

      Examples:
        | length |
        | 300    |
        | 2000   |

    Scenario: One registration
      Given the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"}]
      When the account sends a webhook list request
      Then the request is accepted with 200
      And the response has:
        | accountId             | a number                |
        | total                 | 1                       |
        | webhooks              | 1 item                  |
        | webhooks[0].id        | a number                |
        | webhooks[0].isActive  | true                    |
        | webhooks[0].createdAt | the time of the request |
        | webhooks[0].headers   | an object               |
      And the last registration is listed as it was sent

    Scenario Outline: A registration of <day>
      Given it is noon on <day> of the next leap year in São Paulo
      And the account has sent a webhook registration
      When the account sends a webhook list request
      Then the request is accepted with 200
      And the response has:
        | webhooks[0].createdAt | the time of the request |

      Examples:
        | day         |
        | 29 February |
        | 31 December |

    Scenario: One URL for every event type
      Given the account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"1"}]
      When the account sends a webhook registration for every pair of:
        | url                     | eventType      | headers                             |
        | the account's first url | "cash_in"      | [{"key":"X-Pixcert-A","value":"2"}] |
        |                         | "refund_in"    |                                     |
        |                         | "refund_out"   |                                     |
        |                         | "med_created"  |                                     |
        |                         | "med_accepted" |                                     |
        |                         | "med_rejected" |                                     |
      Then every request is accepted
      When the account sends a webhook registration with:
        | url       | the account's first url             |
        | eventType | "refund_out"                        |
        | headers   | [{"key":"X-Pixcert-B","value":"9"}] |
      Then the request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And the response has:
        | total | 7 |
      And each registration is listed as it was last sent

    Scenario: Twenty-one registrations of all types
      When the account sends a webhook registration for every pair of:
        | eventType      | url                         | headers                                              |
        | "cash_in"      | a URL with a query          | absent                                               |
        | "cash_out"     | a URL with a trailing slash | [{"key":"X-Pixcert-A","value":"AbC xYz=/+,;:\"1\""}] |
        | "refund_in"    | a URL with capitals         |                                                      |
        | "refund_out"   |                             |                                                      |
        | "med_accepted" |                             |                                                      |
        | "med_rejected" |                             |                                                      |
        | "med_created"  |                             |                                                      |
      Then every request is accepted
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

  @webhook.own-account
  @AUTH-011 @WHK-058
  Rule: An account sees only its own registrations

    Scenario: Another account's list
      Given a new account
      And another new account
      And the account has sent a webhook registration
      When the other account sends a webhook list request
      Then the request is accepted
      And the response has:
        | webhooks | empty |
        | total    | 0     |

    Scenario: Another account can register the same URL
      Given a new account
      And another new account
      And the account has sent a webhook registration
      When the other account sends a webhook registration with url the account's url
      Then the request is accepted

    Scenario: Another account's registration of the same URL is unchanged
      Given a new account
      And another new account
      And the other account has sent a webhook registration with headers [{"key":"X-Pixcert-A","value":"theirs"}]
      And the account has sent a webhook registration with:
        | url     | the other account's url                |
        | headers | [{"key":"X-Pixcert-A","value":"ours"}] |
      When the account sends the request again with headers [{"key":"X-Pixcert-B","value":"new"}]
      Then the request is accepted
      When the other account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent
      When the account sends a webhook list request
      Then the request is accepted
      And each registration is listed as it was last sent

  @webhook.account-not-found
  @WHK-041 @WHK-059
  Rule: A removed account returns 404

    Scenario Outline: A <request>
      Given the account has a token
      When the account is removed
      And the account sends a <request> using its first token
      Then the request is rejected with 404

      Examples:
        | request              |
        | webhook registration |
        | webhook list request |

    Scenario: An account that had registered and listed webhooks
      Given a new account
      And the account has a token
      And the account has sent a webhook registration
      And the account has sent a webhook list request
      When the account is removed
      And the account sends a webhook list request using its first token
      Then the request is rejected with 404
      When the account sends a webhook registration using its first token
      Then the request is rejected with 404
      When the account sends the request again with url the account's first url
      Then the request is rejected with 404

  @webhook.left-open
  @WHK-005 @WHK-060
  Rule: Where the specification is silent, the gateway either accepts the registration or rejects it cleanly

    Scenario Outline: <field> <value>
      Given a new account
      When the account sends a webhook registration with <field> <value>
      Then the request is accepted, or rejected with 400
      And the response's status is recorded for open point "<point>"

      Examples:
        | field        | value                                | point                                    |
        | headers      | null                                 | null headers of a webhook                |
        | headers      | [{"key":"HOST","value":"x.example"}] | blocked header names in upper case       |
        | unknownField | "x"                                  | unknown fields of a webhook registration |

    Scenario: Unusual JSON for a valid webhook registration: unknown fields, repeated keys, lone surrogates
      Given a new account
      When the account sends a webhook registration in unusual JSON
      Then every request is accepted, or rejected with 400

    @open:values-of-another-type
    Scenario: No field of a webhook registration should be accepted in another type
      Given a new account
      When the account sends a webhook registration in wrong types
      Then every request should be rejected with 400

    Scenario: The version of a registration
      Given a new account
      And the account has sent a webhook registration
      When the account sends a webhook list request
      Then the request is accepted
      And the response's webhooks[0].version is recorded for open point "version of a registration"
      And the response's webhooks[0].schemaVersion is recorded for open point "schemaVersion of a registration"

    Scenario: The version of an updated registration
      Given a new account
      And the account has sent a webhook registration
      And the account has sent a webhook list request
      And the account sends a webhook registration with url the account's url
      When the account sends a webhook list request
      Then the request is accepted
      And the response's webhooks[0].version is recorded for open point "version of an updated registration"

    Scenario: The code of a rejected registration
      When the account sends a webhook registration with url "foo"
      Then the request is rejected with 400
      And the response's code is recorded for open point "refused webhook registration"
