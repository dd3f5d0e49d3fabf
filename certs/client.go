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
	"sync"
	"time"
)

// Client describes the client certificate to issue. The zero value is a valid ECDSA
// certificate.
type Client struct {
	Name     string // the subject's common name; "client" when empty
	Key      KeyType
	Validity Validity
}

// KeyType is the kind of key of a certificate.
type KeyType int

const (
	// ECDSA is a P-256 key, which costs microseconds.
	ECDSA KeyType = iota
	// RSA is a key of 2048 bits, which costs about a tenth of a second once in a process.
	RSA
)

// Validity selects the dates of a certificate relative to now.
type Validity int

const (
	// Valid: from yesterday, for a year.
	Valid Validity = iota
	// Expired: notAfter was yesterday.
	Expired
	// NotYetValid: notBefore is tomorrow.
	NotYetValid
)

// dates returns notBefore and notAfter. A day is more than clocks differ.
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

// Certificate is a client certificate with its private key. It is immutable.
type Certificate struct {
	der     []byte
	parsed  func() *x509.Certificate
	key     crypto.Signer // nil if the certificate was loaded without one
	pem     []byte
	issuers [][]byte // DER, sent along in handshakes
}

// Issue issues a client certificate. Its PEM always contains a plus sign, because a
// certificate without one (about one in ten thousand) does not reveal wrong encoding of plus
// signs.
func (a *Authority) Issue(c Client) (*Certificate, error) {
	m, err := a.prototypeFor(c)
	if err != nil {
		return nil, fmt.Errorf("creating the client certificate %q: %w", c.name(), err)
	}
	der, text, err := withPlus(func() ([]byte, error) { return m.issue(a.key) })
	if err != nil {
		return nil, fmt.Errorf("signing the client certificate %q: %w", c.name(), err)
	}
	// Most are only sent, and parsing one costs as much as signing it.
	parsed := sync.OnceValue(func() *x509.Certificate {
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			panic(err) // it differs from its prototype in serial number and signature
		}
		return cert
	})
	return &Certificate{der: der, parsed: parsed, key: m.key, pem: text}, nil
}

// loaded encodes a parsed certificate as it is sent and written.
func loaded(cert *x509.Certificate) *Certificate {
	return &Certificate{
		der: cert.Raw, parsed: func() *x509.Certificate { return cert }, pem: encodePEM("CERTIFICATE", cert.Raw),
	}
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

// PEM is the certificate: one CERTIFICATE block, with LF line endings.
func (c *Certificate) PEM() []byte { return bytes.Clone(c.pem) }

// KeyPEM is the private key: one PKCS #8 PRIVATE KEY block, with LF line endings; nil if the
// certificate was loaded without one.
func (c *Certificate) KeyPEM() []byte {
	if c.key == nil {
		return nil
	}
	return encodeKey(c.key)
}

func encodeKey(key crypto.Signer) []byte {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err) // PKCS #8 supports every key that is created or loaded here
	}
	return encodePEM("PRIVATE KEY", der)
}

// Fingerprint is the SHA-256 of the DER, in lower-case hex, by which a registry identifies
// the certificate (Authentication, certificate validation 3).
func (c *Certificate) Fingerprint() string {
	sum := sha256.Sum256(c.der)
	return hex.EncodeToString(sum[:])
}

// X509 is the parsed certificate. Do not modify it.
func (c *Certificate) X509() *x509.Certificate { return c.parsed() }

// TLS is the certificate for the client's side of a mutual TLS connection, which needs
// its private key.
func (c *Certificate) TLS() tls.Certificate {
	chain := append([][]byte{c.der}, c.issuers...)
	return tls.Certificate{Certificate: chain, PrivateKey: c.key, Leaf: c.parsed()}
}

// rsaKey is the one RSA key of a process, which may have thousands of authorities: it need not
// be secret, and certificates differ by their serial numbers.
var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newKey(t KeyType) (crypto.Signer, error) {
	if t == RSA {
		return rsaKey()
	}
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

func encodePEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
