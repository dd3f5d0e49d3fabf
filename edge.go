package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
)

// edgeFlags say who ends TLS before the reference: itself, or proxies that it believes.
type edgeFlags struct {
	MTLS       bool           `name:"mtls" help:"Serve the API over TLS and take each client's certificate from the handshake; what a client sends in X-SSL-Client-Cert is dropped."`
	TLSCert    string         `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"Certificate of the API under --mtls, in PEM; one of an authority of its own by default."`
	TLSKey     string         `name:"tls-key" type:"existingfile" placeholder:"FILE" help:"Key of that certificate, in PEM."`
	TrustProxy []netip.Prefix `name:"trust-proxy" placeholder:"CIDR" help:"Whom to believe X-SSL-Client-Cert: the proxies that end TLS before the API. This machine alone by default."`

	ca      string // file of the authority of its own; empty under --tls-cert
	profile string // file with a profile to certify by
}

func (f *edgeFlags) valid() error {
	var errs []error
	if (f.TLSCert == "") != (f.TLSKey == "") {
		errs = append(errs, errors.New("--tls-cert and --tls-key belong together: give both, or neither"))
	}
	if f.TLSCert != "" && !f.MTLS {
		errs = append(errs, errors.New("--tls-cert is given without --mtls: add it, or let a proxy end TLS"))
	}
	if f.MTLS && len(f.TrustProxy) > 0 {
		errs = append(errs, errors.New("--trust-proxy is given beside --mtls, under which nobody is believed a header: leave one out"))
	}
	return errors.Join(errs...)
}

// configure has the gateway end TLS if that was asked for; directory takes the files
// that its clients need.
func (f *edgeFlags) configure(cfg *reference.Config, directory string) error {
	cfg.Proxies = f.TrustProxy
	switch {
	case !f.MTLS:
		return nil
	case f.TLSCert != "":
		own, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
		if err != nil {
			return fmt.Errorf("--tls-cert and --tls-key cannot be used: %w", err)
		}
		cfg.MutualTLS = &own
		return nil
	}
	hosts := []string{"127.0.0.1", "::1", "localhost"}
	if host, _, err := net.SplitHostPort(cfg.Listen); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	ca, err := endTLS(cfg, hosts...)
	if err != nil {
		return err
	}
	f.ca = filepath.Join(directory, "ca.pem")
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	return os.WriteFile(f.ca, ca, 0o644)
}

// endTLS has a gateway serve its API over mutual TLS, under a certificate for the hosts
// by a fresh authority, whose own it returns in PEM.
func endTLS(cfg *reference.Config, hosts ...string) (ca []byte, err error) {
	authority, err := certs.NewAuthority()
	if err != nil {
		return nil, err
	}
	own, err := authority.IssueServer(hosts...)
	if err != nil {
		return nil, err
	}
	cfg.MutualTLS = &own
	return authority.PEM(), nil
}

// curl are the flags that a client of curl needs in addition.
func (f *edgeFlags) curl() string {
	if f.ca == "" {
		return ""
	}
	return " --cacert " + shellQuote(f.ca)
}

// shellQuote quotes a word for a POSIX shell.
func shellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// writeProfile writes a profile of the gateway: how certificates are shown does not fit
// into flags of certify.
func (f *edgeFlags) writeProfile(gateway *reference.Gateway, controlToken bool, directory string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "name: the reference behind mutual TLS\nurl: %s\ntls:\n  clientCertificate: handshake\n", gateway.URL())
	if f.ca != "" {
		fmt.Fprintf(&text, "  ca: %s\n", filepath.Base(f.ca)) // beside the profile
	}
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(&text, "controls:\n  url: %s\n", gateway.ControlsURL())
		if controlToken {
			fmt.Fprintln(&text, "  token: ${PIXCERT_CONTROL_TOKEN}")
		}
	}
	f.profile = filepath.Join(directory, "profile.yaml")
	return os.WriteFile(f.profile, []byte(text.String()), 0o644)
}

// greeting says what is other under --mtls.
func (f *edgeFlags) greeting() string {
	if !f.MTLS {
		return ""
	}
	var text strings.Builder
	if f.ca != "" {
		fmt.Fprintf(&text, "authority      %s\n", f.ca)
	}
	fmt.Fprintf(&text, "profile        %s\n", f.profile)
	fmt.Fprintln(&text, "\nThe client certificate is taken from the TLS handshake; X-SSL-Client-Cert is dropped.")
	return text.String()
}

// certifyArguments are those by which certify finds the gateway.
func (c *serveCmd) certifyArguments(gateway *reference.Gateway) string {
	if c.Edge.MTLS {
		return shellQuote(c.Edge.profile)
	}
	arguments := "--url " + gateway.URL() + " --control-url " + gateway.ControlsURL()
	if c.ControlToken != "" {
		arguments += ` --control-token "$PIXCERT_CONTROL_TOKEN"`
	}
	return arguments
}
