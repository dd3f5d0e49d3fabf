Feature: The client certificate behind an edge
  A proxy that terminates TLS sets X-SSL-Client-Cert to the client certificate of the
  handshake and discards any value that the client sent. A certificate is no secret, so a
  client could otherwise send somebody else's.

  Background:
    Given certificates are shown in the TLS handshake
    And an account
    And another account
    And the other account holds a token

  @client-certificate.not-smuggled
  @TOK-035
  Rule: The certificate that counts is that of the handshake, whatever a client sends in the header

    Scenario: The certificate of the handshake
      When the account sends a token request
      Then it is accepted with 201

    @open:a-certificate-header-of-a-client
    Scenario: Another certificate in the header takes nothing from the handshake's
      When the account asks for its own token, showing its own certificate, with the other account's in X-SSL-Client-Cert
      Then it should be accepted with 201

    Scenario Outline: Another account's token: its certificate in <header>, <shown> certificate in the handshake
      When the account asks for the other account's token, showing <shown> certificate, with the other account's in <header>
      Then no token is given

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
