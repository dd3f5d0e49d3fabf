package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/shell"
)

// edgeFlags select what terminates TLS in front of the reference: itself, or trusted proxies.
type edgeFlags struct {
	MTLS       bool           `name:"mtls" help:"Serve the API over mutual TLS; ignore X-SSL-Client-Cert."`
	TLSCert    string         `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"Use this server certificate with --mtls (PEM; default: generated)."`
	TLSKey     string         `name:"tls-key" type:"existingfile" placeholder:"FILE" help:"Use this private key with --tls-cert (PEM)."`
	TrustProxy []netip.Prefix `name:"trust-proxy" placeholder:"CIDR" help:"Trust X-SSL-Client-Cert from these addresses (default: localhost)."`

	ca      string // file of the generated authority; empty with --tls-cert
	profile string // file of a profile for this gateway
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
	ca, err := enableTLS(cfg, hosts...)
	if err != nil {
		return err
	}
	f.ca = filepath.Join(directory, "ca.pem")
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	return os.WriteFile(f.ca, ca, 0o600)
}

// enableTLS makes a gateway serve its API over mutual TLS, with a certificate for hosts from a
// new authority. It returns the authority's certificate in PEM.
func enableTLS(cfg *reference.Config, hosts ...string) (ca []byte, err error) {
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

// tokenRequest returns the curl command that requests a token for the example account.
func (f *edgeFlags) tokenRequest(gateway *reference.Gateway, example reference.Example) string {
	words := []string{"curl", "-sS", "-X", "POST", gateway.URL() + "/api/auth/token"}
	if f.MTLS {
		words = append(words, "--cert", example.CertificateFile, "--key", example.KeyFile)
	} else {
		words = append(words, "-H", "@"+example.HeaderFile)
	}
	if f.ca != "" {
		words = append(words, "--cacert", f.ca)
	}
	body := fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, example.ClientID, example.ClientSecret)
	return shell.Command(append(words, "-H", "Content-Type: application/json", "-d", body)...)
}

// writeProfile writes a profile of the gateway: certify has no flag for certificates in the
// handshake.
func (f *edgeFlags) writeProfile(gateway *reference.Gateway, controlToken bool, directory string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "name: the reference behind mutual TLS\nurl: %s\ntls:\n  clientCertificate: handshake\n", gateway.URL())
	if f.ca != "" {
		fmt.Fprintf(&text, "  ca: %s\n", filepath.Base(f.ca)) // in the profile's directory
	}
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(&text, "controls:\n  url: %s\n", gateway.ControlsURL())
		if controlToken {
			fmt.Fprintln(&text, "  token: ${PIXCERT_CONTROL_TOKEN}")
		}
	}
	f.profile = filepath.Join(directory, "profile.yaml")
	return os.WriteFile(f.profile, []byte(text.String()), 0o600)
}

// startText is what serve prints with --mtls.
func (f *edgeFlags) startText() string {
	if !f.MTLS {
		return ""
	}
	var text strings.Builder
	if f.ca != "" {
		fmt.Fprintf(&text, "authority      %s\n", f.ca)
	}
	fmt.Fprintf(&text, "profile        %s\n", f.profile)
	fmt.Fprintln(&text, "\nClients authenticate with their certificate in the TLS handshake; X-SSL-Client-Cert is ignored.")
	return text.String()
}

func (c *serveCmd) certifyCommand(gateway *reference.Gateway) string {
	if c.Edge.MTLS {
		return shell.Command("pixcert", "certify", c.Edge.profile)
	}
	command := shell.Command("pixcert", "certify", "--url", gateway.URL(), "--control-url", gateway.ControlsURL())
	if c.ControlToken != "" {
		command += " --control-token " + shell.Word(shell.Part{Variable: "PIXCERT_CONTROL_TOKEN"})
	}
	return command
}
