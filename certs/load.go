package certs

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// Load reads a client certificate and its private key, both in PEM. The key is optional (nil):
// a certificate sent in X-SSL-Client-Cert does not need it. The first CERTIFICATE block is the
// certificate; further blocks are its issuers, which handshakes include. The key may be PKCS #8,
// PKCS #1 or SEC 1. Errors never quote the key.
//
// Unlike a certificate from Issue, its PEM may not contain a plus sign.
func Load(certificate, key []byte) (*Certificate, error) {
	chain, err := parseCertificates(certificate)
	if err != nil {
		return nil, err
	}
	c := loaded(chain[0])
	for _, issuer := range chain[1:] {
		c.issuers = append(c.issuers, issuer.Raw)
	}
	if key != nil {
		c.key, err = parseKeyOf(chain[0], key)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// FromTLS converts a TLS server certificate, so that it can be written to files.
func FromTLS(c tls.Certificate) (*Certificate, error) {
	signer, ok := c.PrivateKey.(crypto.Signer)
	if !ok || c.Leaf == nil || len(c.Certificate) == 0 {
		return nil, errors.New("expected a certificate with a parsed leaf and a signing key")
	}
	of := loaded(c.Leaf)
	of.key, of.issuers = signer, c.Certificate[1:]
	return of, nil
}

// LoadAuthority reads an authority's certificate and ECDSA key, both in PEM. Errors never quote
// the key.
func LoadAuthority(certificate, key []byte) (*Authority, error) {
	chain, err := parseCertificates(certificate)
	if err != nil {
		return nil, err
	}
	signer, err := parseKeyOf(chain[0], key)
	if err != nil {
		return nil, err
	}
	ecdsaKey, ok := signer.(*ecdsa.PrivateKey)
	switch {
	case !ok:
		return nil, fmt.Errorf("expected an ECDSA key of the authority, as pixcert creates, got %s", chain[0].PublicKeyAlgorithm)
	case !chain[0].IsCA:
		return nil, fmt.Errorf("the certificate of %q is not an authority's (CA:TRUE is missing); use the authority's certificate", chain[0].Subject.CommonName)
	}
	return &Authority{key: ecdsaKey, cert: chain[0], pem: encodePEM("CERTIFICATE", chain[0].Raw)}, nil
}

// parseCertificates reads all CERTIFICATE blocks; at least one is required.
func parseCertificates(text []byte) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	var others []string
	text = withoutMark(text)
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			others = append(others, block.Type)
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("invalid certificate between BEGIN CERTIFICATE and END CERTIFICATE: %w", err)
		}
		all = append(all, cert)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("expected a PEM certificate (-----BEGIN CERTIFICATE-----), got %s", blocks(others, text))
	}
	return all, nil
}

// blocks describes the content of a text without quoting it.
func blocks(types []string, text []byte) string {
	switch {
	case len(types) > 0:
		return "only " + strings.Join(types, ", ")
	case len(text) == 0:
		return "nothing"
	default:
		return fmt.Sprintf("%d bytes without a PEM block", len(text))
	}
}

// parseKeyOf reads the private key of a certificate.
func parseKeyOf(cert *x509.Certificate, text []byte) (crypto.Signer, error) {
	key, err := parseKey(text)
	if err != nil {
		return nil, err
	}
	public, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	if !ok || !public.Equal(cert.PublicKey) {
		return nil, fmt.Errorf("the private key does not match the certificate of %q; use the key that the certificate was issued for", cert.Subject.CommonName)
	}
	return key, nil
}

// withoutMark removes the byte order mark that some editors write, and that hides the first block.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

func parseKey(text []byte) (crypto.Signer, error) {
	var others []string
	text = withoutMark(text)
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		var key any
		var err error
		switch block.Type {
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "EC PRIVATE KEY":
			key, err = x509.ParseECPrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("the private key is encrypted; decrypt it (openssl pkey -in KEY -out PLAIN)")
		default:
			others = append(others, block.Type)
			continue
		}
		signer, ok := key.(crypto.Signer)
		if err != nil || !ok {
			return nil, fmt.Errorf("expected an RSA, ECDSA or Ed25519 private key, got an unusable %s block", block.Type)
		}
		return signer, nil
	}
	return nil, fmt.Errorf("expected a PEM private key (-----BEGIN PRIVATE KEY-----), got %s", blocks(others, text))
}
