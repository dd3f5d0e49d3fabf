Feature: The client certificate behind an edge
  A proxy that terminates TLS sets X-SSL-Client-Cert to the client certificate of the
  handshake and discards any value that the client sent. A certificate is not secret: if the
  proxy passed the header through, a client could send another account's certificate.

  Background:
    Given clients present their certificate in the TLS handshake
    And an account
    And another account
    And the other account has a token

  @client-certificate.not-smuggled
  @TOK-035
  Rule: The certificate of the TLS handshake counts, not a header that the client sends

    Scenario: The certificate of the handshake
      When the account sends a token request
      Then the request is accepted with 201

    @open:a-certificate-header-of-a-client
    Scenario: The client sends another account's certificate in the header
      When the account requests its own token with its own certificate in the handshake and the other account's in X-SSL-Client-Cert
      Then the request should be accepted with 201

    Scenario Outline: Requesting another account's token: its certificate in <header>, <shown> certificate in the handshake
      When the account requests the other account's token with <shown> certificate in the handshake and the other account's in <header>
      Then no token is returned

      Examples:
        | shown   | header                                  |
        | its own | X-SSL-Client-Cert                       |
        | its own | x-ssl-client-cert                       |
        | its own | X_SSL_Client_Cert                       |
        | its own | X-SSL_CLIENT-CERT                       |
        | its own | X-SSL-Client-Cert and X_SSL_Client_Cert |
        | its own | X-SSL-Client-Cert twice                 |
        | its own | X-SSL-Client-Cert before its own        |
        | its own | X-SSL-Client-Cert after its own         |
        | no      | X-SSL-Client-Cert                       |
        | no      | x-ssl-client-cert                       |
        | no      | X_SSL_Client_Cert                       |
        | no      | X-SSL-Client-Cert and X_SSL_Client_Cert |
        | no      | X-SSL-Client-Cert twice                 |
