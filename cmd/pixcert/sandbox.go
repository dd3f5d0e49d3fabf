package main

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

// sandboxAccount is an account of a served gateway, with the files that its client needs.
type sandboxAccount struct {
	store.NewAccount
	directory string
	keyFile   string // PEM; empty if the private key is not here
	fresh     bool   // its clientId was generated now
}

// The files of an account's client.
const (
	certificateFile = "client.pem"
	privateKeyFile  = "client-key.pem"
	headerFile      = "client-cert.header" // X-SSL-Client-Cert: ..., for curl -H @FILE
	credentialsFile = "credentials.json"   // the body of the token request
	secretFile      = "client-secret"      // for the profile
)

func (a sandboxAccount) file(name string) string { return filepath.Join(a.directory, name) }

// credentials is the content of credentialsFile.
type credentials struct {
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

// renewBefore is how long before its end a generated certificate is replaced.
const renewBefore = 30 * 24 * time.Hour

// keepAccount completes a declared account with the credentials and the certificate in its
// directory, generates those that are missing, and writes the files of its client.
func keepAccount(declared seedfile.Account, directory string) (sandboxAccount, error) {
	account, err := keptAccount(declared, directory)
	if err != nil {
		return sandboxAccount{}, fmt.Errorf("account %s: %w", declared.Name, err)
	}
	return account, nil
}

func keptAccount(declared seedfile.Account, directory string) (sandboxAccount, error) {
	directory, err := filepath.Abs(directory)
	if err != nil {
		return sandboxAccount{}, err
	}
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return sandboxAccount{}, err
	}
	a := sandboxAccount{NewAccount: declared.NewAccount, directory: directory}
	if err := a.complete(); err != nil {
		return sandboxAccount{}, err
	}
	certificate, err := a.certificate(declared)
	if err != nil {
		return sandboxAccount{}, err
	}
	a.Fingerprint = certificate.Fingerprint()
	body, err := json.Marshal(credentials{a.ClientID, a.Secret})
	if err != nil {
		return sandboxAccount{}, err
	}
	files := map[string][]byte{
		certificateFile: certificate.PEM(),
		headerFile:      []byte("X-SSL-Client-Cert: " + certs.Header(certificate.PEM()) + "\n"),
		credentialsFile: body,
		secretFile:      []byte(a.Secret),
	}
	if key := certificate.KeyPEM(); key != nil {
		files[privateKeyFile], a.keyFile = key, a.file(privateKeyFile)
	}
	for name, content := range files {
		if err := writePrivate(a.file(name), content); err != nil {
			return sandboxAccount{}, err
		}
	}
	return a, nil
}

// complete sets the credentials that are not declared: those of an earlier start, or new ones.
func (a *sandboxAccount) complete() error {
	var kept credentials
	content, err := os.ReadFile(a.file(credentialsFile))
	if err == nil {
		err = json.Unmarshal(content, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: expected clientId and clientSecret in JSON: %w; remove the file to get new credentials", a.file(credentialsFile), err)
	}
	a.fresh = cmp.Or(a.ClientID, kept.ClientID) == ""
	a.ClientID = cmp.Or(a.ClientID, kept.ClientID, pix.NewUUID())
	a.Secret = cmp.Or(a.Secret, kept.ClientSecret, store.NewSecret())
	return nil
}

// certificate returns the declared certificate, the one of an earlier start, or a new one.
func (a *sandboxAccount) certificate(declared seedfile.Account) (*certs.Certificate, error) {
	if declared.Certificate != nil {
		return declared.Certificate, nil
	}
	kept, err := seedfile.ReadCertificate(a.file(certificateFile), a.file(privateKeyFile))
	switch {
	case err == nil && time.Until(kept.X509().NotAfter) > renewBefore:
		return kept, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; remove %s to get a new certificate", err, a.file(certificateFile))
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

// sandbox is what serve writes for the clients of its gateway.
type sandbox struct {
	accounts  []sandboxAccount
	directory []pix.DirectoryEntry
	profile   string // file
}

// newSandbox completes the declared accounts with the files in directory.
func newSandbox(directory string, declared seedfile.Declaration) (*sandbox, error) {
	box := &sandbox{directory: declared.Directory, profile: filepath.Join(directory, "pixcert.yaml")}
	for _, d := range declared.Accounts {
		account, err := keepAccount(d, filepath.Join(directory, "accounts", d.Name))
		if err != nil {
			return nil, err
		}
		box.accounts = append(box.accounts, account)
	}
	return box, nil
}

func (b *sandbox) seed() store.Seed {
	seed := store.Seed{Directory: b.directory}
	for _, a := range b.accounts {
		seed.Accounts = append(seed.Accounts, a.NewAccount)
	}
	return seed
}

// lost says which accounts are new although the data contains one with their id: the files of that one are gone.
func (b *sandbox) lost(accounts []pix.Account) (notes []string) {
	for i, a := range b.accounts {
		if a.fresh && accounts[i].ID != a.ID {
			notes = append(notes, fmt.Sprintf("%s had no credentials, so account %d, %s, is new; account %d keeps its data, "+
				"and accepts only its old credentials and certificate: restore the directory to use it again",
				a.directory, accounts[i].ID, a.Name, a.ID))
		}
	}
	return notes
}

// writeProfile writes a profile of the gateway, which selects it and its accounts in other commands.
func (b *sandbox) writeProfile(c *serveCmd, gateway *reference.Gateway) error {
	var text strings.Builder
	fmt.Fprintf(&text, "name: the reference\nurl: %s\n", gateway.URL())
	if c.Edge.MTLS {
		fmt.Fprint(&text, "tls:\n  clientCertificate: handshake\n")
	}
	if c.Edge.ca != "" {
		fmt.Fprintf(&text, "  ca: %s\n", filepath.Base(c.Edge.ca)) // in the profile's directory
	}
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(&text, "controls:\n  url: %s\n", gateway.ControlsURL())
		if c.ControlToken != "" {
			fmt.Fprintln(&text, "  token: ${PIXCERT_CONTROL_TOKEN}")
		}
	}
	b.writeAccounts(&text, gateway.Accounts())
	return writePrivate(b.profile, []byte(text.String()))
}

// share lets every user read what clients need: not the data, nor the key of the authority.
func (b *sandbox) share() error {
	directory := filepath.Dir(b.profile)
	err := errors.Join(letRead(directory), letRead(b.profile))
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

func (b *sandbox) writeAccounts(text *strings.Builder, accounts []pix.Account) {
	fmt.Fprintln(text, "accounts:")
	for i, a := range b.accounts {
		path := func(name string) string { return filepath.ToSlash(filepath.Join("accounts", a.Name, name)) }
		fmt.Fprintf(text, "  - id: %d\n    clientId: %s\n    clientSecret: file:%s\n    certificate: %s\n",
			accounts[i].ID, a.ClientID, path(secretFile), path(certificateFile))
		if a.keyFile != "" {
			fmt.Fprintf(text, "    key: %s\n", path(privateKeyFile))
		}
		fmt.Fprintf(text, "    name: %q\n    document: %q\n    ispb: %q\n    pixKey: %q\n",
			accounts[i].Name, accounts[i].Document, accounts[i].ISPB, accounts[i].PixKey)
	}
}
