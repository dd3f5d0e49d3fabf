package target

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// connections are those of a client, apart by the certificate that their handshakes
// have shown: a server knows the client of a connection by it for as long as that
// lasts. Sessions are not resumed either, since one brings its certificate along.
type connections struct {
	tls *tls.Config // without a client certificate beside the profile's

	mu    sync.Mutex
	of    map[string]*transports // by the certificate's DER; "" is a handshake without one
	clock int64                  // counts what was asked for, to tell what was long not
}

// transports are the ways to send under one certificate.
type transports struct {
	kept, fresh *http.Transport
	used        int64
}

const (
	keptIdle   = time.Second
	keptAtMost = 1024
	maxHeader  = 256 << 10 // bytes of an answer's header

	// certificatesAtMost bounds the certificates whose connections are kept: more than
	// are in use at a time, since a scenario has two or three.
	certificatesAtMost = 128
)

// everybody is the key of what the profile has for everybody: no DER.
const everybody = "everybody"

// under gives the transports of a certificate, nil for what the profile has for everybody.
// Those longest unused make room for new ones; requests that run on them come to their end.
func (c *connections) under(certificate *tls.Certificate) *transports {
	key, config := everybody, c.tls
	if certificate != nil {
		key, config = der(certificate), c.tls.Clone()
		config.GetClientCertificate = showing(certificate)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.of[key]
	if t == nil {
		if len(c.of) >= certificatesAtMost {
			c.dropOldest()
		}
		t = newTransports(config)
		if c.of == nil {
			c.of = map[string]*transports{}
		}
		c.of[key] = t
	}
	c.clock++
	t.used = c.clock
	return t
}

func (c *connections) dropOldest() {
	var oldest string
	for key, t := range c.of {
		if first, ok := c.of[oldest]; !ok || t.used < first.used {
			oldest = key
		}
	}
	c.of[oldest].closeIdle()
	delete(c.of, oldest)
}

func (c *connections) closeIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.of {
		t.closeIdle()
	}
}

func newTransports(config *tls.Config) *transports {
	t := &transports{kept: newTransport(config), fresh: newTransport(config)}
	t.fresh.DisableKeepAlives = true
	return t
}

func (t *transports) closeIdle() {
	t.kept.CloseIdleConnections()
	t.fresh.CloseIdleConnections()
}

// newTransport has no proxy, no decompression and HTTP/1.1 alone: what is
// recorded is what went over the wire.
func newTransport(config *tls.Config) *http.Transport {
	var only http.Protocols
	only.SetHTTP1(true)
	return &http.Transport{
		DialContext:            (&net.Dialer{KeepAlive: -1}).DialContext,
		TLSClientConfig:        config.Clone(),
		Protocols:              &only,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    keptAtMost,
		IdleConnTimeout:        keptIdle,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// showing presents the certificate to every server that asks for one. Left to
// itself crypto/tls keeps a certificate back whose issuer the server does not name; what
// the server does with such a one is what is to be found out.
func showing(certificate *tls.Certificate) func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	return func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }
}

// config is what a profile says of its connections. Errors say what is wrong with it.
func (t TLS) config() (config *tls.Config, err error) {
	config = &tls.Config{}
	if len(t.CA) > 0 {
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			config.RootCAs = x509.NewCertPool()
		}
		if !config.RootCAs.AppendCertsFromPEM(t.CA) {
			return nil, errors.New("the profile's CA holds no certificate; expected PEM that begins -----BEGIN CERTIFICATE-----")
		}
	}
	if len(t.Certificate) == 0 && len(t.Key) == 0 {
		return config, nil
	}
	own, err := tls.X509KeyPair(t.Certificate, t.Key)
	if err != nil {
		return nil, fmt.Errorf("the profile's TLS certificate and key cannot be used: %w; expected both in PEM, and that they belong together", err)
	}
	config.GetClientCertificate = showing(&own)
	return config, nil
}

// der is the certificate itself without its issuers; "" of an empty one.
func der(certificate *tls.Certificate) string {
	if len(certificate.Certificate) == 0 {
		return ""
	}
	return string(certificate.Certificate[0])
}

// fingerprint is how evidence names a certificate (exchange.Exchange.ClientCertificate).
func fingerprint(certificate *tls.Certificate) string {
	switch {
	case certificate == nil:
		return ""
	case len(certificate.Certificate) == 0:
		return exchange.NoCertificate
	}
	sum := sha256.Sum256(certificate.Certificate[0])
	return hex.EncodeToString(sum[:])
}
