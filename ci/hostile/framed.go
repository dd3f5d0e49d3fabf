package hostile

import (
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// framed are gateways that misbehave below the bodies: in TLS, HTTP and its headers.
func framed() map[string]Gateway {
	return map[string]Gateway{
		"a late second response": api("sends a second response on a connection that is idle", func(a *Answer) {
			a.whole(a.Body)
			if a.Pause(20 * time.Millisecond) {
				a.whole([]byte(`{"access_token":"not yours"}`))
			}
		}),
		"responses before requests": {
			Does: "sends a response on each new connection, before any request",
			API:  Config{Greeting: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n" + `{"access_token":"not yours"}`},
		},
		"HTTP/2 without negotiation": api("answers with frames of HTTP/2", func(a *Answer) {
			a.Write("\x00\x00\x00\x04\x00\x00\x00\x00\x00" + "\x00\x00\x08\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01")
		}),
		"a compressed bomb": both("sends 1 GB of zeros, compressed to 1 MB", 100, func(a *Answer) {
			a.Header = append(a.Header, "Content-Encoding: gzip\r\n"...)
			a.kept(bomb())
		}),
		"redirects elsewhere": {
			Does: "redirects to files, scripts, metadata services and itself",
			API:  Config{After: 40, Spoil: redirects()}, // a target that redirects from the start is not judged
		},
		"a certificate with dangerous names": {
			Does: "has a TLS certificate for names with escape sequences and commands of CI systems",
			API:  Config{TLS: &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return dangerousCertificate() }}},
		},
	}
}

// bomb is compressed in members of 10 MB, which gzip readers concatenate.
var bomb = sync.OnceValue(func() []byte {
	var member bytes.Buffer
	w := gzip.NewWriter(&member)
	_, _ = w.Write(bytes.Repeat([]byte{0}, 10<<20))
	_ = w.Close()
	return bytes.Repeat(member.Bytes(), 100)
})

// Stolen is a path that only a client that follows redirects requests.
const Stolen = "/stolen"

func redirects() func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		n := int(turn.Add(1))
		to := []string{"file:///etc/passwd", "http://" + a.Conn.LocalAddr().String() + Stolen, "//169.254.169.254/latest/meta-data", "javascript:alert(1)",
			"http://[::1", "\x1b]0;owned\x07", "data:application/json,{}", strings.Repeat("../", 5000)}
		status := []string{"301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect", "300 Choose", "201 Created"}
		a.Status = status[n%len(status)]
		a.Header = append(a.Header, "Location: "+to[n%len(to)]+"\r\nRefresh: 0; url="+Stolen+"\r\n"...)
		a.kept(a.Body)
	}
}

// dangerousCertificate returns a certificate that names no host of the proxy.
var dangerousCertificate = sync.OnceValues(func() (*tls.Certificate, error) {
	const names = "\x1b]0;owned\x07\x1b[2J\n::error::owned\n##vso[task.complete]"
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: names, Organization: []string{names}}, DNSNames: []string{names, strings.Repeat("a", 60_000)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
})
