// Package sandbox is what developers of clients use of the reference: a served gateway with an example account, its
// first commands, events caused by others, and a receiver of webhooks.
package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/seedfile"
	"github.com/pixcert/pixcert/reference/store"
)

// Account is an account of a served gateway, with the files that its client needs.
type Account struct {
	store.NewAccount
	directory string
	keyFile   string // PEM; empty if the private key is not here
	fresh     bool   // its clientId was generated now
}

// The files of an account's client.
const (
	CertificateFile = "client.pem"
	privateKeyFile  = "client-key.pem"
	HeaderFile      = "client-cert.header" // X-SSL-Client-Cert: ..., for curl -H @FILE
	CredentialsFile = "credentials.json"   // the body of the token request
	secretFile      = "client-secret"      // for the profile
)

// File is the path of one of its files.
func (a Account) File(name string) string { return filepath.Join(a.directory, name) }

// Credentials is the content of CredentialsFile: the body of a token request.
type Credentials struct {
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

// renewBefore is how long before its end a generated certificate is replaced.
const renewBefore = 30 * 24 * time.Hour

// keepAccount completes a declared account with the credentials and the certificate in its
// directory, generates those that are missing, and writes the files of its client.
func keepAccount(declared seedfile.Account, directory string) (Account, error) {
	account, err := keptAccount(declared, directory)
	if err != nil {
		return Account{}, fmt.Errorf("account %s: %w", declared.Name, err)
	}
	return account, nil
}

func keptAccount(declared seedfile.Account, directory string) (Account, error) {
	directory, err := filepath.Abs(directory)
	if err != nil {
		return Account{}, err
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return Account{}, err
	}
	a := Account{NewAccount: declared.NewAccount, directory: directory}
	if err := a.complete(); err != nil {
		return Account{}, err
	}
	certificate, err := a.certificate(declared)
	if err != nil {
		return Account{}, err
	}
	a.Fingerprint = certificate.Fingerprint()
	body, err := json.Marshal(Credentials{a.ClientID, a.Secret})
	if err != nil {
		return Account{}, err
	}
	files := map[string][]byte{
		CertificateFile: certificate.PEM(),
		HeaderFile:      []byte("X-SSL-Client-Cert: " + certs.Header(certificate.PEM()) + "\n"),
		CredentialsFile: body,
		secretFile:      []byte(a.Secret),
	}
	if key := certificate.KeyPEM(); key != nil {
		files[privateKeyFile], a.keyFile = key, a.File(privateKeyFile)
	}
	for name, content := range files {
		if err := writePrivate(a.File(name), content); err != nil {
			return Account{}, err
		}
	}
	return a, nil
}

// complete sets the credentials that are not declared: those of an earlier start, or new ones.
func (a *Account) complete() error {
	var kept Credentials
	content, err := os.ReadFile(a.File(CredentialsFile))
	if err == nil {
		err = json.Unmarshal(content, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: expected clientId and clientSecret in JSON: %w; remove the file to get new credentials", a.File(CredentialsFile), err)
	}
	a.fresh = cmp.Or(a.ClientID, kept.ClientID) == ""
	a.ClientID = cmp.Or(a.ClientID, kept.ClientID, pix.NewUUID())
	a.Secret = cmp.Or(a.Secret, kept.ClientSecret, store.NewSecret())
	return nil
}

// certificate returns the declared certificate, the one of an earlier start, or a new one.
func (a *Account) certificate(declared seedfile.Account) (*certs.Certificate, error) {
	if declared.Certificate != nil {
		return declared.Certificate, nil
	}
	kept, err := seedfile.ReadCertificate(a.File(CertificateFile), a.File(privateKeyFile))
	switch {
	case err == nil && time.Until(kept.X509().NotAfter) > renewBefore:
		return kept, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; remove %s to get a new certificate", err, a.File(CertificateFile))
	}
	authority, err := certs.NewAuthority()
	if err != nil {
		return nil, err
	}
	return authority.Issue(certs.Client{Name: "pixcert " + a.Name})
}

// writePrivate replaces a file by one that only its owner can read.
func writePrivate(path string, content []byte) error {
	temporary := path + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// Sandbox is what serve writes for the clients of its gateway.
type Sandbox struct {
	Accounts  []Account
	Profile   string // file
	directory []pix.DirectoryEntry
}

// New completes the declared accounts with the files in directory.
func New(directory string, declared seedfile.Declaration) (*Sandbox, error) {
	box := &Sandbox{directory: declared.Directory, Profile: filepath.Join(directory, "pixcert.yaml")}
	for _, d := range declared.Accounts {
		account, err := keepAccount(d, filepath.Join(directory, "accounts", d.Name))
		if err != nil {
			return nil, err
		}
		box.Accounts = append(box.Accounts, account)
	}
	return box, nil
}

// Seed is what the gateway starts with.
func (b *Sandbox) Seed() store.Seed {
	seed := store.Seed{Directory: b.directory}
	for _, a := range b.Accounts {
		seed.Accounts = append(seed.Accounts, a.NewAccount)
	}
	return seed
}

// Lost says which accounts are new although the data contains one with their id: the files of that one are gone.
func (b *Sandbox) Lost(accounts []pix.Account) (notes []string) {
	for i, a := range b.Accounts {
		if a.fresh && accounts[i].ID != a.ID {
			notes = append(notes, fmt.Sprintf("%s had no credentials, so account %d, %s, is new; account %d keeps its data, "+
				"and accepts only its old credentials and certificate: restore the directory to use it again",
				a.directory, accounts[i].ID, a.Name, a.ID))
		}
	}
	return notes
}

// Access is how clients reach a gateway.
type Access struct {
	MTLS         bool   // clients authenticate in the TLS handshake
	CA           string // file of a generated authority; empty if there is none
	ControlToken bool   // the test controls require a token
}

// WriteProfile writes a profile of the gateway, which selects it and its accounts in other commands.
func (b *Sandbox) WriteProfile(gateway *reference.Gateway, access Access) error {
	var text strings.Builder
	fmt.Fprintf(&text, "name: the reference\nurl: %s\n", gateway.URL())
	if access.MTLS {
		fmt.Fprint(&text, "tls:\n  clientCertificate: handshake\n")
	}
	if access.CA != "" {
		fmt.Fprintf(&text, "  ca: %s\n", filepath.Base(access.CA)) // in the profile's directory
	}
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(&text, "controls:\n  url: %s\n", gateway.ControlsURL())
		if access.ControlToken {
			fmt.Fprintln(&text, "  token: ${PIXCERT_CONTROL_TOKEN}")
		}
	}
	b.writeAccounts(&text, gateway.Accounts())
	return writePrivate(b.Profile, []byte(text.String()))
}

// share lets every user read what clients need: not the data, nor the key of the authority.
func (b *Sandbox) share() error {
	directory := filepath.Dir(b.Profile)
	err := errors.Join(letRead(directory), letRead(b.Profile))
	if missing := letRead(filepath.Join(directory, "ca.pem")); !errors.Is(missing, fs.ErrNotExist) { // only with --mtls
		err = errors.Join(err, missing)
	}
	return errors.Join(err, filepath.WalkDir(filepath.Join(directory, "accounts"), func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, letRead(path))
	}))
}

// letRead lets every user read a file or list a directory. A directory that somebody else has made may allow it already.
func letRead(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	mode := info.Mode() | 0o444
	if info.IsDir() {
		mode |= 0o111
	}
	if mode == info.Mode() {
		return nil
	}
	return os.Chmod(path, mode)
}

func (b *Sandbox) writeAccounts(text *strings.Builder, accounts []pix.Account) {
	fmt.Fprintln(text, "accounts:")
	for i, a := range b.Accounts {
		path := func(name string) string { return filepath.ToSlash(filepath.Join("accounts", a.Name, name)) }
		fmt.Fprintf(text, "  - id: %d\n    clientId: %s\n    clientSecret: file:%s\n    certificate: %s\n",
			accounts[i].ID, a.ClientID, path(secretFile), path(CertificateFile))
		if a.keyFile != "" {
			fmt.Fprintf(text, "    key: %s\n", path(privateKeyFile))
		}
		fmt.Fprintf(text, "    name: %q\n    document: %q\n    ispb: %q\n    pixKey: %q\n",
			accounts[i].Name, accounts[i].Document, accounts[i].ISPB, accounts[i].PixKey)
	}
}
