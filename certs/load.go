package certs

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// Load reads a client certificate in PEM, and its private key where there is one (nil
// for none, which a certificate shown in X-SSL-Client-Cert does not need). The first
// CERTIFICATE block is the certificate; those that follow are its issuers, which are
// sent along in handshakes. The key may be PKCS #8, PKCS #1 or SEC 1. An error never
// quotes the key.
//
// Unlike one that Issue made, it may happen to have no plus sign in its PEM.
func Load(certificate, key []byte) (*Certificate, error) {
	chain, err := parseCertificates(certificate)
	if err != nil {
		return nil, err
	}
	c := &Certificate{cert: chain[0], pem: encodePEM("CERTIFICATE", chain[0].Raw)}
	for _, issuer := range chain[1:] {
		c.issuers = append(c.issuers, issuer.Raw)
	}
	if key != nil {
		c.key, err = parseKeyOf(c.cert, key)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// FromTLS gives a certificate that serves TLS the forms in which it is written to files.
func FromTLS(c tls.Certificate) (*Certificate, error) {
	signer, ok := c.PrivateKey.(crypto.Signer)
	if !ok || c.Leaf == nil || len(c.Certificate) == 0 {
		return nil, errors.New("expected a certificate with its leaf parsed and a key that can sign")
	}
	return &Certificate{cert: c.Leaf, key: signer, pem: encodePEM("CERTIFICATE", c.Leaf.Raw), issuers: c.Certificate[1:]}, nil
}

// LoadAuthority reads an authority that was written before: its certificate and its
// ECDSA key, both in PEM. An error never quotes the key.
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
		return nil, fmt.Errorf("the authority's key should be ECDSA, as those are that pixcert makes, but is %s", chain[0].PublicKeyAlgorithm)
	case !chain[0].IsCA:
		return nil, fmt.Errorf("the certificate of %q is no authority's (CA:TRUE is missing): give that of the authority", chain[0].Subject.CommonName)
	}
	return &Authority{key: ecdsaKey, cert: chain[0], pem: encodePEM("CERTIFICATE", chain[0].Raw)}, nil
}

// parseCertificates reads every CERTIFICATE block, at least one.
func parseCertificates(text []byte) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	var others []string
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			others = append(others, block.Type)
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("expected a certificate between BEGIN CERTIFICATE and END CERTIFICATE, but what stands there is none: %w", err)
		}
		all = append(all, cert)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("expected a certificate in PEM, -----BEGIN CERTIFICATE-----, but found %s", blocks(others, text))
	}
	return all, nil
}

// blocks says what a text holds instead, without quoting it.
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

// parseKeyOf reads the private key that belongs to a certificate.
func parseKeyOf(cert *x509.Certificate, text []byte) (crypto.Signer, error) {
	key, err := parseKey(text)
	if err != nil {
		return nil, err
	}
	public, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	if !ok || !public.Equal(cert.PublicKey) {
		return nil, fmt.Errorf("the private key does not belong to the certificate of %q: give the key that the certificate was made for", cert.Subject.CommonName)
	}
	return key, nil
}

func parseKey(text []byte) (crypto.Signer, error) {
	var others []string
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
			return nil, errors.New("the private key is encrypted, and nothing here asks for its password: decrypt it (openssl pkey -in KEY -out PLAIN)")
		default:
			others = append(others, block.Type)
			continue
		}
		signer, ok := key.(crypto.Signer)
		if err != nil || !ok {
			return nil, fmt.Errorf("the block %s holds no private key that can sign: expected RSA, ECDSA or Ed25519", block.Type)
		}
		return signer, nil
	}
	return nil, fmt.Errorf("expected a private key in PEM, -----BEGIN PRIVATE KEY-----, but found %s", blocks(others, text))
}
