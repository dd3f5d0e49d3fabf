// Package certificate makes certificates, each with a new key.
package certificate

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	validBefore = time.Hour           // clocks differ
	validAfter  = 30 * 24 * time.Hour // a soak test may last for days
)

// New makes a certificate from a template without times and serial number, signed by its issuer or by itself.
func New(template x509.Certificate, issuer *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot generate a key: %w", err)
	}
	now := time.Now()
	template.NotBefore, template.NotAfter = now.Add(-validBefore), now.Add(validAfter)
	made := tls.Certificate{PrivateKey: key}
	parent, signer := &template, crypto.PrivateKey(key)
	if issuer != nil {
		parent, signer, made.Certificate = issuer.Leaf, issuer.PrivateKey, issuer.Certificate
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, parent, key.Public(), signer)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot generate a certificate: %w", err)
	}
	made.Certificate = append([][]byte{der}, made.Certificate...)
	made.Leaf, err = x509.ParseCertificate(der)
	return made, err
}

// PEM is a certificate as text, without its issuer.
func PEM(c tls.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Leaf.Raw})
}

// Restricted is the configuration with TLS 1.2 or later, and without the cipher suites of TLS 1.2 that use CBC: with
// those, timing can reveal what was encrypted (Lucky Thirteen). Suites that the configuration names remain.
func Restricted(config *tls.Config) *tls.Config {
	config = config.Clone()
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	if config.CipherSuites != nil {
		return config
	}
	for _, suite := range tls.CipherSuites() {
		if slices.Contains(suite.SupportedVersions, tls.VersionTLS12) && !strings.Contains(suite.Name, "_CBC_") {
			config.CipherSuites = append(config.CipherSuites, suite.ID)
		}
	}
	return config
}
