// Package certs is a certificate authority for tests. It issues client certificates
// (valid, expired and not yet valid) and encodes them for X-SSL-Client-Cert, both as the
// specification requires and in the wrong ways that occur in practice.
//
// "Never registered", "revoked" and "another account's" are not properties of a certificate
// but of the gateway's registry, which identifies certificates by fingerprint: issue an
// ordinary certificate and do not register it, revoke it, or register it with another account.
package certs

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Authority is a certificate authority that only its Pool trusts. It is safe for concurrent use.
type Authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pem  []byte

	prototypes sync.Map // of Client to func() (*prototype, error)
}

// NewAuthority creates an authority with a new ECDSA P-256 key, valid for ten years.
func NewAuthority() (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("creating the key of the test authority: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject:               subject("pixcert test authority"),
		NotBefore:             now.AddDate(0, -1, 0), // before that of any certificate it issues
		NotAfter:              now.AddDate(10, 0, 0),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	cert, err := sign(template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("signing the certificate of the test authority: %w", err)
	}
	return &Authority{key: key, cert: cert, pem: encodePEM("CERTIFICATE", cert.Raw)}, nil
}

// KeyPEM is the authority's private key: one PKCS #8 PRIVATE KEY block. It can sign
// certificates that the authority's pool trusts.
func (a *Authority) KeyPEM() []byte { return encodeKey(a.key) }

// PEM is the authority's certificate: one CERTIFICATE block, with LF line endings.
func (a *Authority) PEM() []byte { return append([]byte(nil), a.pem...) }

// X509 is the parsed certificate of the authority. Do not modify it.
func (a *Authority) X509() *x509.Certificate { return a.cert }

// Pool is a pool that trusts only this authority.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// Hosts are the names of this machine's loopback and the hosts of some addresses (host:port or a
// URL), for a server certificate.
func Hosts(addresses ...string) []string {
	hosts := []string{"127.0.0.1", "::1", "localhost"}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			u = &url.URL{Host: address}
		}
		host := u.Hostname()
		if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// IssueServer issues a TLS server certificate for the hosts, each a DNS name or an
// IP address, valid since yesterday and for a year.
func (a *Authority) IssueServer(hosts ...string) (tls.Certificate, error) {
	if len(hosts) == 0 {
		return tls.Certificate{}, errors.New("expected at least one host or IP address for a server certificate, got none")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("creating a server key: %w", err)
	}
	notBefore, notAfter := Valid.dates(time.Now())
	template := &x509.Certificate{
		Subject:     subject(hosts[0]),
		NotBefore:   notBefore,
		NotAfter:    notAfter,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	cert, err := sign(template, a.cert, key.Public(), a.key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("signing the server certificate for %v: %w", hosts, err)
	}
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key, Leaf: cert}, nil
}

func subject(name string) pkix.Name {
	return pkix.Name{CommonName: name, Organization: []string{"pixcert"}}
}

// sign signs a copy of the template with a new serial number.
func sign(template, parent *x509.Certificate, public crypto.PublicKey, key *ecdsa.PrivateKey) (*x509.Certificate, error) {
	numbered := *template
	numbered.SerialNumber = new(big.Int).SetBytes(newSerial())
	der, err := x509.CreateCertificate(rand.Reader, &numbered, parent, public, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}
