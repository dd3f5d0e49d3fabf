package certs

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"time"
)

// Client says which client certificate to issue. The zero value is a valid ECDSA
// certificate.
type Client struct {
	Name     string // the subject's common name; "client" when empty
	Key      KeyType
	Validity Validity
}

// KeyType is the kind of key that a certificate is made for.
type KeyType int

const (
	// ECDSA is a P-256 key, which costs microseconds.
	ECDSA KeyType = iota
	// RSA is a key of 2048 bits, which costs about a tenth of a second.
	RSA
)

// Validity places the dates of a certificate around now.
type Validity int

const (
	// Valid is since yesterday, for a year.
	Valid Validity = iota
	// Expired is a certificate whose notAfter was yesterday.
	Expired
	// NotYetValid is a certificate whose notBefore is tomorrow.
	NotYetValid
)

// dates gives notBefore and notAfter. A day is far from now whatever the clocks.
func (v Validity) dates(now time.Time) (notBefore, notAfter time.Time) {
	switch v {
	case Expired:
		return now.AddDate(0, 0, -8), now.AddDate(0, 0, -1)
	case NotYetValid:
		return now.AddDate(0, 0, 1), now.AddDate(1, 0, 0)
	default:
		return now.AddDate(0, 0, -1), now.AddDate(1, 0, 0)
	}
}

// Certificate is a client certificate with its private key. It never changes.
type Certificate struct {
	cert    *x509.Certificate
	key     crypto.Signer // nil where the certificate was loaded without one
	pem     []byte
	issuers [][]byte // DER, sent along in handshakes
}

// Issue makes a client certificate. Its PEM always contains a plus sign: without one
// a certificate cannot show that somebody encodes plus signs wrongly, and about one
// in ten thousand has none.
func (a *Authority) Issue(c Client) (*Certificate, error) {
	m, err := a.mouldFor(c)
	if err != nil {
		return nil, fmt.Errorf("making the client certificate %q: %w", c.name(), err)
	}
	der, text, err := withPlus(func() ([]byte, error) { return m.cast(a.key) })
	if err != nil {
		return nil, fmt.Errorf("signing the client certificate %q: %w", c.name(), err)
	}
	cert, err := x509.ParseCertificate(der)
	return &Certificate{cert: cert, key: m.key, pem: text}, err
}

// withPlus signs until the number of plus signs in the PEM is no multiple of four. Who
// reads spaces in their place may skip them, and what is left after skipping four
// characters is base64 again.
func withPlus(sign func() ([]byte, error)) (der, text []byte, err error) {
	for {
		if der, err = sign(); err != nil {
			return nil, nil, err
		}
		if text = encodePEM("CERTIFICATE", der); bytes.Count(text, []byte("+"))%4 != 0 {
			return der, text, nil
		}
	}
}

func (c Client) name() string { return cmp.Or(c.Name, "client") }

// PEM is the certificate: one CERTIFICATE block, lines ended by LF.
func (c *Certificate) PEM() []byte { return bytes.Clone(c.pem) }

// KeyPEM is the private key: one PKCS #8 PRIVATE KEY block, lines ended by LF; nil for
// a certificate that was loaded without one.
func (c *Certificate) KeyPEM() []byte {
	if c.key == nil {
		return nil
	}
	return encodeKey(c.key)
}

func encodeKey(key crypto.Signer) []byte {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err) // no key is made or loaded here that PKCS #8 cannot hold
	}
	return encodePEM("PRIVATE KEY", der)
}

// Fingerprint is the SHA-256 of the DER, in lower-case hex: how a registry knows the
// certificate (Authentication, certificate validation 3).
func (c *Certificate) Fingerprint() string {
	sum := sha256.Sum256(c.cert.Raw)
	return hex.EncodeToString(sum[:])
}

// X509 is the certificate as crypto/x509 sees it. Do not change it.
func (c *Certificate) X509() *x509.Certificate { return c.cert }

// TLS is the certificate for the client's side of a mutual TLS connection, which needs
// its private key.
func (c *Certificate) TLS() tls.Certificate {
	chain := append([][]byte{c.cert.Raw}, c.issuers...)
	return tls.Certificate{Certificate: chain, PrivateKey: c.key, Leaf: c.cert}
}

func newKey(t KeyType) (crypto.Signer, error) {
	if t == RSA {
		return rsa.GenerateKey(rand.Reader, 2048)
	}
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

func encodePEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
