package target

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
)

// connections are those of a client, separated by the certificate presented in their handshakes: it
// identifies the client for as long as a connection lasts. Sessions are not resumed either, because
// they keep the certificate.
type connections struct {
	tls     *tls.Config // without a client certificate except the profile's
	proxies *proxies
	dialer  *dialer
	found   func(*conn) // something unsolicited was received

	mu    sync.Mutex
	of    map[string]*transports // by the certificate's DER; "" is a handshake without one
	clock int64                  // counts uses, to find the least recently used
}

type transports struct {
	kept, fresh *http.Transport
	used        int64
}

const (
	keptIdle   = time.Second
	keptAtMost = 1024
	maxHeader  = 24 << 10 // bytes of the header of a response: half as much again as Node.js accepts by default
	readBuffer = 16 << 10 // of a connection, which may be new for each request

	// certificatesAtMost limits the certificates whose connections are kept: more than are in use
	// at once, because a scenario has two or three.
	certificatesAtMost = 128
)

// everybody is the key for the certificate of the profile's TLS.
const everybody = "everybody"

// under returns the transports of a certificate, nil for that of the profile's TLS. The least
// recently used make room for new ones; their running requests finish.
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
		t = c.newTransports(config)
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

func (c *connections) newTransports(config *tls.Config) *transports {
	t := &transports{kept: c.newTransport(config), fresh: c.newTransport(config)}
	t.fresh.DisableKeepAlives = true
	return t
}

func (t *transports) closeIdle() {
	t.kept.CloseIdleConnections()
	t.fresh.CloseIdleConnections()
}

// newTransport has no decompression and only HTTP/1.1: the record shows what was sent and received.
func (c *connections) newTransport(config *tls.Config) *http.Transport {
	var only http.Protocols
	only.SetHTTP1(true)
	t := &http.Transport{
		DialContext:            checked(c.dialer.open, c.found),
		TLSClientConfig:        config.Clone(),
		Protocols:              &only,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    keptAtMost,
		IdleConnTimeout:        keptIdle,
		MaxResponseHeaderBytes: maxHeader,
		ReadBufferSize:         readBuffer,
	}
	c.proxies.apply(t)
	return t
}

// showing presents the certificate to every server that requests one. By default, crypto/tls omits
// a certificate whose issuer the server does not list; the suite tests what the server does with
// it.
func showing(certificate *tls.Certificate) func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	return func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }
}

// config returns the TLS configuration of a profile. Errors say what is wrong with it.
func (t TLS) config() (config *tls.Config, err error) {
	config = certs.Restricted(&tls.Config{})
	if len(t.CA) > 0 {
		if config.RootCAs, err = x509.SystemCertPool(); err != nil {
			config.RootCAs = x509.NewCertPool()
		}
		if !config.RootCAs.AppendCertsFromPEM(t.CA) {
			return nil, errors.New("tls.ca: expected PEM that begins with -----BEGIN CERTIFICATE-----, got no certificate")
		}
	}
	if len(t.Certificate) == 0 && len(t.Key) == 0 {
		return config, nil
	}
	own, err := tls.X509KeyPair(t.Certificate, t.Key)
	if err != nil {
		return nil, fmt.Errorf("tls.certificate and tls.key: expected a matching pair in PEM: %w", err)
	}
	config.GetClientCertificate = showing(&own)
	return config, nil
}

// der returns the certificate without its issuers; "" for an empty one.
func der(certificate *tls.Certificate) string {
	if len(certificate.Certificate) == 0 {
		return ""
	}
	return string(certificate.Certificate[0])
}

// fingerprint identifies a certificate in evidence (exchange.Exchange.ClientCertificate).
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
