// Package certificate makes certificates, each with a new key.
package certificate

import (
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

// New makes a self-signed certificate from a template without times and serial number.
func New(template x509.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot generate a key: %w", err)
	}
	now := time.Now()
	template.NotBefore, template.NotAfter = now.Add(-validBefore), now.Add(validAfter)
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cannot generate a certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

// PEM is a certificate as text.
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
