package sink

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net"
	"slices"

	"github.com/pixcert/pixcert/load/internal/certificate"
)

// makeCertificate generates a certificate for the host of the public URL and the listener's
// address, and the CA that signs it.
func makeCertificate(host string, addr net.Addr) (listener tls.Certificate, authority []byte, err error) {
	issuer, err := certificate.New(x509.Certificate{
		Subject:               pkix.Name{CommonName: "pixcert load webhooks"},
		KeyUsage:              x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}, nil)
	if err == nil {
		leaf := x509.Certificate{
			Subject:     pkix.Name{CommonName: "pixcert load webhooks listener"},
			KeyUsage:    x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		leaf.DNSNames, leaf.IPAddresses = names(host, addr)
		listener, err = certificate.New(leaf, &issuer)
	}
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("generate the webhook listener's certificate: %w", err)
	}
	return listener, certificate.PEM(issuer), nil
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
