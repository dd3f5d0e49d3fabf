package gateway

import (
	"crypto/x509"
	"crypto/x509/pkix"

	"github.com/pixcert/pixcert/load/internal/certificate"
)

// newCertificate generates a self-signed client certificate, as PEM. Its key is discarded:
// the API requires the certificate, but no proof of possession.
func newCertificate(name string) (string, error) {
	made, err := certificate.New(x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, nil)
	if err != nil {
		return "", err
	}
	return string(certificate.PEM(made)), nil
}
