// Package setup writes the files for a first run against a gateway: a profile, certificates, and a
// checklist for the gateway's operator.
package setup

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/wording"
)

// Setup describes what to write.
type Setup struct {
	Directory string               // created if it does not exist
	URL       string               // base URL of the gateway
	Accounts  int                  // number of accounts; 0 if test controls create them
	Sink      string               // host:port that receives webhooks
	SinkURL   string               // https URL at which the gateway reaches it; https://Sink if empty
	Controls  string               // base URL of the test controls; empty for none
	Language  translation.Language // of REGISTER.md; English if empty
	Force     bool                 // overwrite existing files, except certificates
}

// File names, relative to Setup.Directory.
const (
	ProfileFile  = "pixcert.yaml"
	SchemaFile   = "pixcert-profile.schema.json"
	RegisterFile = "REGISTER.md"
	certificates = "certs"
)

//go:embed pixcert.yaml.tmpl REGISTER.md.tmpl REGISTER.pt.md.tmpl
var templates embed.FS

// Write writes all files and returns their sorted paths.
//
// Existing certificates and keys are kept, because they may already be registered; a later Setup
// with more accounts adds certificates. The certificate of the sink is replaced if its hosts
// change. Other existing files are errors, all reported at once, unless Force is set.
func (s Setup) Write() ([]string, error) {
	if err := s.inTheWay(); err != nil {
		return nil, err
	}
	w := &writer{directory: s.Directory}
	if err := os.MkdirAll(w.path(certificates), 0o755); err != nil {
		return nil, fmt.Errorf("creating the certificate directory: %w", err)
	}
	p, err := s.page(w)
	if err != nil {
		return w.written, err
	}
	w.render(ProfileFile, ProfileFile+".tmpl", p)
	w.render(RegisterFile, s.checklist(), p)
	w.write(SchemaFile, profile.Schema, 0o644)
	slices.Sort(w.written)
	return w.written, w.err
}

// inTheWay returns an error for existing files that would be overwritten.
func (s Setup) inTheWay() error {
	if s.Force {
		return nil
	}
	var there []string
	for _, name := range []string{ProfileFile, RegisterFile, SchemaFile} {
		if _, err := os.Lstat(filepath.Join(s.Directory, name)); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, name)
		}
	}
	if there == nil {
		return nil
	}
	return fmt.Errorf("%s already contains %s; choose another directory, or overwrite with --force (certificates and keys are kept)",
		cmp.Or(s.Directory, "."), strings.Join(there, ", "))
}

// checklist is the template of REGISTER.md.
func (s Setup) checklist() string {
	if s.Language == translation.Portuguese {
		return "REGISTER.pt.md.tmpl"
	}
	return "REGISTER.md.tmpl"
}

// reached is the URL at which the gateway sends webhooks.
func (s Setup) reached() string { return cmp.Or(s.SinkURL, "https://"+s.Sink) }

// Unreachable says why the gateway cannot reach the webhook URL in REGISTER.md, and what to do; empty if it may.
func (s Setup) Unreachable() string {
	gateway, err := url.Parse(s.URL)
	if err != nil || isLocal(gateway.Hostname()) {
		return ""
	}
	sink, err := url.Parse(s.reached())
	if err != nil || !isLocal(sink.Hostname()) {
		return ""
	}
	return fmt.Sprintf("%s asks the operator of %s to send webhooks to %s, which is the gateway's own machine; pass --public-sink-url with an https URL that reaches this machine",
		RegisterFile, gateway.Hostname(), s.reached())
}

// isLocal reports whether a host is the machine that uses it.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

type page struct {
	Setup
	Schema    string
	Profile   string
	Authority certificate
	Clients   []certificate
	Reached   string // the URL of the sink
	Wanted    []control
}

// certificate is the data of a certificate in the templates.
type certificate struct {
	Number      int
	File, Key   string // relative to the profile
	Fingerprint string // SHA-256 in lower-case hex
	PEM         string
}

func (s Setup) page(w *writer) (*page, error) {
	p := &page{Setup: s, Schema: SchemaFile, Profile: ProfileFile, Reached: s.reached(), Wanted: controls}
	authority, err := w.authority()
	if err != nil {
		return nil, err
	}
	p.Authority = described(0, "ca", authority.PEM())
	if err := w.sink(authority, certs.Hosts(s.SinkURL, s.Sink)); err != nil {
		return nil, err
	}
	for i := range s.Accounts {
		name := "account-" + strconv.Itoa(i+1)
		issued, err := w.client(authority, name)
		if err != nil {
			return nil, err
		}
		p.Clients = append(p.Clients, described(i+1, name, issued))
	}
	return p, w.err
}

func described(number int, name string, text []byte) certificate {
	block, _ := pem.Decode(text)
	sum := sha256.Sum256(block.Bytes)
	return certificate{
		Number: number, File: certificates + "/" + name + ".pem", Key: certificates + "/" + name + ".key",
		Fingerprint: hex.EncodeToString(sum[:]), PEM: string(text),
	}
}

// writer writes files below a directory until the first error.
type writer struct {
	directory string
	written   []string
	err       error
}

func (w *writer) path(name string) string {
	return filepath.Join(w.directory, filepath.FromSlash(name))
}

// write replaces a file, so that it keeps neither content nor permissions.
func (w *writer) write(name string, content []byte, mode fs.FileMode) {
	if w.err != nil {
		return
	}
	at := w.path(name)
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.err = fmt.Errorf("overwriting %s: %w", at, err)
		return
	}
	if err := os.WriteFile(at, content, mode); err != nil {
		w.err = fmt.Errorf("writing: %w", err)
		return
	}
	w.written = append(w.written, at)
}

// functions of the templates.
var functions = template.FuncMap{
	"yaml":   quoted,
	"count":  func(of []certificate) string { return wording.Count(len(of), "account") },
	"contas": func(of []certificate) string { return wording.Count(len(of), "conta") },
}

func (w *writer) render(name, from string, p *page) {
	if w.err != nil {
		return
	}
	var text bytes.Buffer
	parsed, err := template.New(from).Funcs(functions).ParseFS(templates, from)
	if err == nil {
		err = parsed.Execute(&text, p)
	}
	if err != nil {
		w.err = fmt.Errorf("writing %s: %w", name, err)
		return
	}
	w.write(name, text.Bytes(), 0o644)
}

// quoted quotes a string for YAML; ${ is literal.
func quoted(s string) string { return strconv.Quote(strings.ReplaceAll(s, "${", "$${")) }

// pair is a certificate with its key, in PEM.
type pair interface {
	PEM() []byte
	KeyPEM() []byte
}

// certificate returns the existing certificate with this name if it fits, or a new one.
func (w *writer) certificate(name string, fits func(cert, key []byte) bool, issue func() (pair, error)) (cert, key []byte, err error) {
	certFile, keyFile := certificates+"/"+name+".pem", certificates+"/"+name+".key"
	cert, certErr := os.ReadFile(w.path(certFile))
	key, keyErr := os.ReadFile(w.path(keyFile))
	missing := errors.Is(certErr, fs.ErrNotExist) && errors.Is(keyErr, fs.ErrNotExist)
	switch err := cmp.Or(certErr, keyErr); {
	case err != nil && !missing:
		return nil, nil, fmt.Errorf("expected %s and %s, both or neither: %w; restore the missing file, or remove the other", w.path(certFile), w.path(keyFile), err)
	case !missing && fits(cert, key):
		return cert, key, nil
	}
	issued, err := issue()
	if err != nil {
		return nil, nil, err
	}
	w.write(keyFile, issued.KeyPEM(), 0o600)
	w.write(certFile, issued.PEM(), 0o644)
	return issued.PEM(), issued.KeyPEM(), nil
}

// anyPair keeps what exists, because it may already be registered.
func anyPair(_, _ []byte) bool { return true }

func (w *writer) authority() (*certs.Authority, error) {
	cert, key, err := w.certificate("ca", anyPair, func() (pair, error) { return certs.NewAuthority() })
	if err != nil {
		return nil, err
	}
	authority, err := certs.LoadAuthority(cert, key)
	if err != nil {
		return nil, fmt.Errorf("reading the authority %s: %w", w.path(certificates+"/ca.pem"), err)
	}
	return authority, nil
}

func (w *writer) client(authority *certs.Authority, name string) ([]byte, error) {
	cert, key, err := w.certificate(name, anyPair, func() (pair, error) { return authority.Issue(certs.Client{Name: "pixcert " + name}) })
	if err != nil {
		return nil, err
	}
	loaded, err := certs.Load(cert, key)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", w.path(certificates+"/"+name+".pem"), err)
	}
	return loaded.PEM(), nil
}

// sink issues the certificate of the sink, unless one from this authority covers all hosts.
func (w *writer) sink(authority *certs.Authority, hosts []string) error {
	fits := func(cert, key []byte) bool {
		loaded, err := certs.Load(cert, key)
		return err == nil && loaded.X509().CheckSignatureFrom(authority.X509()) == nil &&
			!slices.ContainsFunc(hosts, func(host string) bool { return loaded.X509().VerifyHostname(host) != nil })
	}
	_, _, err := w.certificate("sink", fits, func() (pair, error) {
		issued, err := authority.IssueServer(hosts...)
		if err != nil {
			return nil, err
		}
		return certs.FromTLS(issued)
	})
	return err
}
