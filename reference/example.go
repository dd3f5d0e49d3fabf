package reference

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// exampleFunds is what the example account starts with.
const exampleFunds pix.Centavos = 1000_00

// Example is an account to try the gateway with. The three files belong to its client
// certificate.
type Example struct {
	AccountID    int64
	ClientID     string
	ClientSecret string

	CertificateFile string // PEM
	KeyFile         string // PEM
	HeaderFile      string // X-SSL-Client-Cert: ..., as curl -H @file reads it
}

// Example makes an account with R$ 1000.00 and writes its client certificate into dir,
// which is made where it does not exist. Each call makes another account and replaces
// the files, since a secret is told only once.
func (g *Gateway) Example(ctx context.Context, dir string) (Example, error) {
	e, err := g.example(ctx, dir)
	if err != nil {
		return Example{}, fmt.Errorf("cannot make the example account: %w", err)
	}
	return e, nil
}

func (g *Gateway) example(ctx context.Context, dir string) (Example, error) {
	authority, err := certs.NewAuthority()
	if err != nil {
		return Example{}, err
	}
	certificate, err := authority.Issue(certs.Client{Name: "pixcert example"})
	if err != nil {
		return Example{}, err
	}
	account, secret, err := g.store.CreateAccount(ctx, store.NewAccount{
		Name: "pixcert example", Fingerprint: certificate.Fingerprint(),
	})
	if err != nil {
		return Example{}, err
	}
	if _, err := g.store.SetBalance(ctx, account.ID, exampleFunds); err != nil {
		return Example{}, err
	}
	e := Example{AccountID: account.ID, ClientID: account.ClientID, ClientSecret: secret}
	if err := e.write(dir, certificate); err != nil {
		return Example{}, err
	}
	return e, nil
}

// write puts the certificate, its key and the ready header into dir.
func (e *Example) write(dir string, certificate *certs.Certificate) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	e.CertificateFile = filepath.Join(dir, "client.pem")
	e.KeyFile = filepath.Join(dir, "client-key.pem")
	e.HeaderFile = filepath.Join(dir, "client-cert.header")
	for path, content := range map[string][]byte{
		e.CertificateFile: certificate.PEM(),
		e.KeyFile:         certificate.KeyPEM(),
		e.HeaderFile:      []byte("X-SSL-Client-Cert: " + certs.Header(certificate.PEM()) + "\n"),
	} {
		if err := writePrivate(path, content); err != nil {
			return err
		}
	}
	return nil
}

// writePrivate writes a file that only its owner can read. One that is there is removed:
// it would keep its mode.
func writePrivate(path string, content []byte) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}
