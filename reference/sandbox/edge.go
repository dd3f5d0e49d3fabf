package sandbox

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

// Edge selects what terminates TLS in front of the gateway: itself, or trusted proxies.
type Edge struct {
	MTLS        bool
	Certificate *tls.Certificate // with MTLS; nil to generate one
	Proxies     []netip.Prefix
}

// configure makes the gateway serve with the edge, and writes the files that clients need into directory. ca is the
// file of the generated authority; empty if there is none.
func (e Edge) configure(cfg *reference.Config, directory string) (ca string, err error) {
	cfg.Proxies, cfg.MutualTLS = e.Proxies, e.Certificate
	if !e.MTLS || e.Certificate != nil {
		return "", nil
	}
	hosts := certs.Hosts(cfg.Listen)
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return "", err
	}
	ca = filepath.Join(directory, "ca.pem")
	authority, err := keepAuthority(ca, filepath.Join(directory, "ca-key.pem"))
	if err != nil {
		return "", err
	}
	return ca, certifyEdge(cfg, authority, hosts...)
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

// EnableTLS makes a gateway serve its API over mutual TLS, with a certificate for hosts from a
// new authority. It returns the authority's certificate in PEM.
func EnableTLS(cfg *reference.Config, hosts ...string) (ca []byte, err error) {
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
