package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
)

// edgeFlags select what terminates TLS in front of the reference: itself, or trusted proxies.
type edgeFlags struct {
	MTLS       bool           `name:"mtls" help:"Serve the API over mutual TLS; ignore X-SSL-Client-Cert."`
	TLSCert    string         `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"Use this server certificate with --mtls (PEM; default: generated)."`
	TLSKey     string         `name:"tls-key" type:"existingfile" placeholder:"FILE" help:"Use this private key with --tls-cert (PEM)."`
	TrustProxy []netip.Prefix `name:"trust-proxy" placeholder:"CIDR" help:"Trust X-SSL-Client-Cert from these addresses (default: localhost)."`

	ca string // file of the generated authority; empty with --tls-cert
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

// configure applies the flags to the gateway's configuration and writes the files that clients
// need into directory.
func (f *edgeFlags) configure(cfg *reference.Config, directory string) error {
	cfg.Proxies = f.TrustProxy
	switch {
	case !f.MTLS:
		return nil
	case f.TLSCert != "":
		own, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
		if err != nil {
			return fmt.Errorf("--tls-cert %s, --tls-key %s: expected a certificate and its key: %w", f.TLSCert, f.TLSKey, err)
		}
		cfg.MutualTLS = &own
		return nil
	}
	hosts := certs.Hosts(cfg.Listen)
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	f.ca = filepath.Join(directory, "ca.pem")
	authority, err := keepAuthority(f.ca, filepath.Join(directory, "ca-key.pem"))
	if err != nil {
		return err
	}
	return certifyEdge(cfg, authority, hosts...)
}

// keepAuthority reads an authority from its files, or creates it if there are none.
func keepAuthority(certificate, key string) (*certs.Authority, error) {
	text, err := os.ReadFile(certificate)
	var keyText []byte
	if err == nil {
		keyText, err = os.ReadFile(key)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return newAuthority(certificate, key)
	}
	if err != nil {
		return nil, err
	}
	authority, err := certs.LoadAuthority(text, keyText)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the file to get a new authority", certificate, err)
	}
	if time.Until(authority.X509().NotAfter) < renewBefore {
		return newAuthority(certificate, key)
	}
	return authority, nil
}

func newAuthority(certificate, key string) (*certs.Authority, error) {
	authority, err := certs.NewAuthority()
	if err != nil {
		return nil, err
	}
	return authority, errors.Join(writePrivate(key, authority.KeyPEM()), writePrivate(certificate, authority.PEM()))
}

// enableTLS makes a gateway serve its API over mutual TLS, with a certificate for hosts from a
// new authority. It returns the authority's certificate in PEM.
func enableTLS(cfg *reference.Config, hosts ...string) (ca []byte, err error) {
	authority, err := certs.NewAuthority()
	if err != nil {
		return nil, err
	}
	return authority.PEM(), certifyEdge(cfg, authority, hosts...)
}

// certifyEdge makes a gateway serve its API over mutual TLS, with a certificate from an authority.
func certifyEdge(cfg *reference.Config, authority *certs.Authority, hosts ...string) error {
	own, err := authority.IssueServer(hosts...)
	if err != nil {
		return err
	}
	cfg.MutualTLS = &own
	return nil
}
