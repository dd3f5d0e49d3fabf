package certs_test

import (
	"crypto/tls"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

// handshake connects a client to a server and returns the client's error.
func handshake(t *testing.T, client, server *tls.Config) error {
	t.Helper()
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		_ = tls.Server(there, server).HandshakeContext(t.Context()) // the client's error says the same
	}()
	defer here.Close()
	return tls.Client(here, client).HandshakeContext(t.Context())
}

func TestRestricted(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	own, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	server := &tls.Config{Certificates: []tls.Certificate{own}}
	client := &tls.Config{InsecureSkipVerify: true}
	for name, c := range map[string]struct {
		other *tls.Config
		ok    bool
	}{
		"TLS 1.3":                {&tls.Config{MinVersion: tls.VersionTLS13}, true},
		"TLS 1.2":                {&tls.Config{MaxVersion: tls.VersionTLS12}, true},
		"TLS 1.2, AES-GCM":       {&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}, true},
		"TLS 1.2, CBC":           {&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}}, false},
		"TLS 1.2, CBC, 256 bits": {&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA}}, false},
		"TLS 1.1":                {&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, false},
	} {
		of := c.other.Clone()
		of.InsecureSkipVerify = true
		require.Equal(t, c.ok, handshake(t, of, certs.Restricted(server)) == nil, "a client with %s", name)
		of = c.other.Clone()
		of.Certificates = server.Certificates
		require.Equal(t, c.ok, handshake(t, certs.Restricted(client), of) == nil, "a server with %s", name)
	}
	named := certs.Restricted(&tls.Config{CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}})
	require.Len(t, named.CipherSuites, 1)
}
