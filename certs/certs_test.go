package certs_test

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

func authority(t testing.TB) *certs.Authority {
	t.Helper()
	a, err := certs.NewAuthority()
	require.NoError(t, err)
	return a
}

func TestIssueKeyTypes(t *testing.T) {
	t.Parallel()
	a := authority(t)
	for name, test := range map[string]struct {
		key   certs.KeyType
		check func(t *testing.T, public any)
	}{
		"ECDSA": {certs.ECDSA, func(t *testing.T, public any) {
			assert.IsType(t, &ecdsa.PublicKey{}, public)
		}},
		"RSA": {certs.RSA, func(t *testing.T, public any) {
			require.IsType(t, &rsa.PublicKey{}, public)
			assert.Equal(t, 2048, public.(*rsa.PublicKey).N.BitLen())
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := a.Issue(certs.Client{Name: "an account", Key: test.key})
			require.NoError(t, err)
			test.check(t, c.X509().PublicKey)
			assert.Equal(t, "an account", c.X509().Subject.CommonName)
			_, err = c.X509().Verify(x509.VerifyOptions{
				Roots: a.Pool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
			})
			assert.NoError(t, err, "the authority vouches for it")
		})
	}
}

func TestIssueValidity(t *testing.T) {
	t.Parallel()
	a := authority(t)
	day := 23 * time.Hour // a day may be an hour short
	for name, test := range map[string]struct {
		validity        certs.Validity
		before, expired bool // how now lies to the dates
	}{
		"valid":         {certs.Valid, false, false},
		"expired":       {certs.Expired, false, true},
		"not yet valid": {certs.NotYetValid, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := a.Issue(certs.Client{Validity: test.validity})
			require.NoError(t, err)
			now, cert := time.Now(), c.X509()
			assert.True(t, cert.NotBefore.Before(cert.NotAfter))
			assert.Equal(t, test.before, now.Before(cert.NotBefore))
			assert.Equal(t, test.expired, now.After(cert.NotAfter))
			assert.Greater(t, now.Sub(cert.NotBefore).Abs(), day, "clocks differ by less than a day")
			assert.Greater(t, now.Sub(cert.NotAfter).Abs(), day, "clocks differ by less than a day")
		})
	}
}

func TestCertificateForms(t *testing.T) {
	t.Parallel()
	c, err := authority(t).Issue(certs.Client{})
	require.NoError(t, err)

	block, rest := pem.Decode(c.PEM())
	require.NotNil(t, block)
	assert.Empty(t, rest, "one block")
	assert.Equal(t, "CERTIFICATE", block.Type)
	assert.Equal(t, c.X509().Raw, block.Bytes)
	assert.NotContains(t, string(c.PEM()), "\r")

	sum := sha256.Sum256(block.Bytes)
	assert.Equal(t, hex.EncodeToString(sum[:]), c.Fingerprint())

	_, err = tls.X509KeyPair(c.PEM(), c.KeyPEM())
	assert.NoError(t, err, "certificate and key belong together")
}

func TestConcurrentIssues(t *testing.T) {
	t.Parallel()
	a := authority(t)
	var mu sync.Mutex
	seen := map[string]bool{}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 25 {
				c, err := a.Issue(certs.Client{Name: "one of many"})
				if !assert.NoError(t, err) {
					return
				}
				assert.Contains(t, string(c.PEM()), "+")
				mu.Lock()
				seen[c.Fingerprint()] = true
				mu.Unlock()
			}
		})
	}
	group.Wait()
	assert.Len(t, seen, 16*25, "each certificate is another")
}

func TestMutualTLS(t *testing.T) {
	t.Parallel()
	a := authority(t)
	server, err := a.IssueServer("127.0.0.1", "hooks.example")
	require.NoError(t, err)
	assert.NoError(t, server.Leaf.VerifyHostname("127.0.0.1"))
	assert.NoError(t, server.Leaf.VerifyHostname("hooks.example"))
	assert.Error(t, server.Leaf.VerifyHostname("other.example"))
	client, err := a.Issue(certs.Client{Name: "payer"})
	require.NoError(t, err)

	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(r.TLS.PeerCertificates[0].Subject.CommonName))
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{server}, ClientCAs: a.Pool(), ClientAuth: tls.RequireAndVerifyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)

	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.Pool(), Certificates: []tls.Certificate{client.TLS()}}}
	t.Cleanup(transport.CloseIdleConnections)
	response, err := (&http.Client{Transport: transport}).Get(s.URL)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusOK, response.StatusCode)
}

func TestIssueServerWithoutHost(t *testing.T) {
	t.Parallel()
	_, err := authority(t).IssueServer()
	assert.ErrorContains(t, err, "at least one host")
}

func TestAuthoritiesDoNotTrustEachOther(t *testing.T) {
	t.Parallel()
	c, err := authority(t).Issue(certs.Client{})
	require.NoError(t, err)
	_, err = c.X509().Verify(x509.VerifyOptions{
		Roots: authority(t).Pool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	assert.Error(t, err)
}

func BenchmarkIssue(b *testing.B) {
	a := authority(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Issue(certs.Client{Name: "payer"}); err != nil {
			b.Fatal(err)
		}
	}
}

func parse(t *testing.T, der []byte) *x509.Certificate {
	t.Helper()
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return cert
}
