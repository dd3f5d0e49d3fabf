package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"

	"github.com/pixcert/pixcert/reference/sandbox"
)

// edgeFlags select what terminates TLS in front of the reference: itself, or trusted proxies.
type edgeFlags struct {
	MTLS       bool           `name:"mtls" help:"Serve the API over mutual TLS; ignore X-SSL-Client-Cert."`
	TLSCert    string         `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"Use this server certificate with --mtls (PEM; default: generated)."`
	TLSKey     string         `name:"tls-key" type:"existingfile" placeholder:"FILE" help:"Use this private key with --tls-cert (PEM)."`
	TrustProxy []netip.Prefix `name:"trust-proxy" placeholder:"CIDR" help:"Trust X-SSL-Client-Cert from these addresses (default: localhost)."`
}

func (f *edgeFlags) valid() error {
	var errs []error
	if (f.TLSCert == "") != (f.TLSKey == "") {
		errs = append(errs, errors.New("--tls-cert requires --tls-key, and vice versa; pass both"))
	}
	if f.TLSCert != "" && !f.MTLS {
		errs = append(errs, errors.New("--tls-cert requires --mtls; add --mtls, or terminate TLS at a proxy"))
	}
	if f.MTLS && len(f.TrustProxy) > 0 {
		errs = append(errs, errors.New("--trust-proxy does not work with --mtls, which ignores X-SSL-Client-Cert; remove one of them"))
	}
	return errors.Join(errs...)
}

// edge returns what the flags select.
func (f *edgeFlags) edge() (sandbox.Edge, error) {
	selected := sandbox.Edge{MTLS: f.MTLS, Proxies: f.TrustProxy}
	if err := f.valid(); err != nil || f.TLSCert == "" {
		return selected, err
	}
	own, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		return selected, fmt.Errorf("--tls-cert %s, --tls-key %s: expected a certificate and its key: %w", f.TLSCert, f.TLSKey, err)
	}
	selected.Certificate = &own
	return selected, nil
}
