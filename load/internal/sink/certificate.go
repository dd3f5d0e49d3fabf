package sink

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"slices"
	"time"
)

// makeCertificate generates a certificate for the host of the public URL and the listener's
// address, and the CA that signs it.
func makeCertificate(host string, addr net.Addr) (certificate tls.Certificate, authority []byte, err error) {
	failed := func(err error) (tls.Certificate, []byte, error) {
		return tls.Certificate{}, nil, fmt.Errorf("generate the webhook listener's certificate: %w", err)
	}
	const lifetime = 30 * 24 * time.Hour
	now := time.Now()
	issuer := &x509.Certificate{
		SerialNumber:          big.NewInt(now.UnixNano()),
		Subject:               pkix.Name{CommonName: "pixcert load webhooks"},
		NotBefore:             now.Add(-time.Hour), // clocks differ
		NotAfter:              now.Add(lifetime),
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}
	issuerKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return failed(err)
	}
	issuerDER, err := x509.CreateCertificate(rand.Reader, issuer, issuer, issuerKey.Public(), issuerKey)
	if err != nil {
		return failed(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return failed(err)
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano() + 1),
		Subject:      pkix.Name{CommonName: "pixcert load webhooks listener"},
		NotBefore:    issuer.NotBefore,
		NotAfter:     issuer.NotAfter,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	leaf.DNSNames, leaf.IPAddresses = names(host, addr)
	der, err := x509.CreateCertificate(rand.Reader, leaf, issuer, key.Public(), issuerKey)
	if err != nil {
		return failed(err)
	}
	authority = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: issuerDER})
	return tls.Certificate{Certificate: [][]byte{der, issuerDER}, PrivateKey: key}, authority, nil
}

// names are the host names and addresses of the listener.
func names(host string, addr net.Addr) (dns []string, ips []net.IP) {
	dns = []string{"localhost"}
	ips = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() && !tcp.IP.IsLoopback() {
		ips = append(ips, tcp.IP)
	}
	if ip := net.ParseIP(host); ip != nil {
		return dns, append(ips, ip)
	}
	if !slices.Contains(dns, host) {
		dns = append(dns, host)
	}
	return dns, ips
}
