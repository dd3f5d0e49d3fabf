// Package setup writes what a first run against a gateway needs: a profile, the
// certificates, and a page on what the gateway's operator has to register.
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
)

// Setup says what to write.
type Setup struct {
	Directory string // where; made if it is not there
	URL       string // base URL of the gateway
	Accounts  int    // for how many accounts; 0 where the controls make them
	Sink      string // host:port on which webhooks are received
	SinkURL   string // https URL by which the gateway reaches it; https://Sink if empty
	Controls  string // base URL of the test controls; empty for none
	Force     bool   // write over what is there; certificates stay nevertheless
}

// The names of what is written, below Setup.Directory.
const (
	ProfileFile  = "pixcert.yaml"
	SchemaFile   = "pixcert-profile.schema.json"
	RegisterFile = "REGISTER.md"
	certificates = "certs"
)

//go:embed pixcert.yaml.tmpl REGISTER.md.tmpl
var templates embed.FS

// Write writes everything and returns the paths of the files that it wrote, in the order
// of their names.
//
// A certificate that is there stays, with its key: it may be registered already. So a
// second Setup with more accounts adds theirs. The certificate of the sink is issued
// anew for another host, by the same authority. Everything else that is there is an
// error, all of it at once, unless Force.
func (s Setup) Write() ([]string, error) {
	if err := s.inTheWay(); err != nil {
		return nil, err
	}
	w := &writer{directory: s.Directory}
	if err := os.MkdirAll(w.path(certificates), 0o755); err != nil {
		return nil, fmt.Errorf("making the directory of the certificates: %w", err)
	}
	p, err := s.page(w)
	if err != nil {
		return w.written, err
	}
	w.render(ProfileFile, p)
	w.render(RegisterFile, p)
	w.write(SchemaFile, profile.Schema, 0o644)
	slices.Sort(w.written)
	return w.written, w.err
}

// inTheWay lists the files that are there and would be lost.
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
	return fmt.Errorf("%s: already there: %s; choose another directory, or write over them with --force (certificates and keys stay)",
		cmp.Or(s.Directory, "."), strings.Join(there, ", "))
}

// page is what the templates tell.
type page struct {
	Setup
	Schema    string
	Profile   string
	Authority certificate
	Clients   []certificate
	Reached   string // the URL of the sink
	Wanted    []control
}

// certificate is one as it is told of to people.
type certificate struct {
	Number      int
	File, Key   string // relative to the profile
	Fingerprint string // SHA-256 in lower-case hex
	PEM         string
}

func (s Setup) page(w *writer) (*page, error) {
	p := &page{Setup: s, Schema: SchemaFile, Profile: ProfileFile, Reached: cmp.Or(s.SinkURL, "https://"+s.Sink), Wanted: controls}
	authority, err := w.authority()
	if err != nil {
		return nil, err
	}
	p.Authority = described(0, "ca", authority.PEM())
	if err := w.sink(authority, s.hosts()); err != nil {
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

// hosts are those by which the sink is called.
func (s Setup) hosts() []string {
	hosts := []string{"127.0.0.1", "::1", "localhost"}
	var called []string
	if u, err := url.Parse(s.SinkURL); err == nil {
		called = append(called, u.Hostname())
	}
	if host, _, err := net.SplitHostPort(s.Sink); err == nil {
		called = append(called, host)
	}
	for _, host := range called {
		if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
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

// write writes a file anew, so that one that was there keeps neither its content nor
// its permissions.
func (w *writer) write(name string, content []byte, mode fs.FileMode) {
	if w.err != nil {
		return
	}
	at := w.path(name)
	if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.err = fmt.Errorf("writing over %s: %w", at, err)
		return
	}
	if err := os.WriteFile(at, content, mode); err != nil {
		w.err = fmt.Errorf("writing: %w", err)
		return
	}
	w.written = append(w.written, at)
}

func (w *writer) render(name string, p *page) {
	if w.err != nil {
		return
	}
	var text bytes.Buffer
	parsed, err := template.New(name+".tmpl").Funcs(template.FuncMap{"yaml": quoted}).ParseFS(templates, name+".tmpl")
	if err == nil {
		err = parsed.Execute(&text, p)
	}
	if err != nil {
		w.err = fmt.Errorf("writing %s: %w", name, err)
		return
	}
	w.write(name, text.Bytes(), 0o644)
}

// quoted writes a text as YAML between quotes; a ${ in it is no variable.
func quoted(s string) string { return strconv.Quote(strings.ReplaceAll(s, "${", "$${")) }

// load reads a certificate and its key, nil where both are missing.
func (w *writer) load(name string) (cert, key []byte, err error) {
	certFile, keyFile := w.path(certificates+"/"+name+".pem"), w.path(certificates+"/"+name+".key")
	cert, certErr := os.ReadFile(certFile)
	key, keyErr := os.ReadFile(keyFile)
	switch {
	case errors.Is(certErr, fs.ErrNotExist) && errors.Is(keyErr, fs.ErrNotExist):
		return nil, nil, nil
	case certErr != nil || keyErr != nil:
		return nil, nil, fmt.Errorf("expected %s and %s, both or neither: %w; restore what is missing, or move the other away", certFile, keyFile, cmp.Or(certErr, keyErr))
	default:
		return cert, key, nil
	}
}

func (w *writer) keep(name string, cert, key []byte) {
	w.write(certificates+"/"+name+".key", key, 0o600)
	w.write(certificates+"/"+name+".pem", cert, 0o644)
}

func (w *writer) authority() (*certs.Authority, error) {
	cert, key, err := w.load("ca")
	if err != nil {
		return nil, err
	}
	if cert != nil {
		authority, err := certs.LoadAuthority(cert, key)
		if err != nil {
			return nil, fmt.Errorf("reading the authority %s: %w", w.path(certificates+"/ca.pem"), err)
		}
		return authority, nil
	}
	authority, err := certs.NewAuthority()
	if err == nil {
		w.keep("ca", authority.PEM(), authority.KeyPEM())
	}
	return authority, err
}

// client is the certificate of an account: the one that is there, or a new one.
func (w *writer) client(authority *certs.Authority, name string) ([]byte, error) {
	cert, key, err := w.load(name)
	if err != nil {
		return nil, err
	}
	if cert != nil {
		loaded, err := certs.Load(cert, key)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", w.path(certificates+"/"+name+".pem"), err)
		}
		return loaded.PEM(), nil
	}
	issued, err := authority.Issue(certs.Client{Name: "pixcert " + name})
	if err != nil {
		return nil, err
	}
	w.keep(name, issued.PEM(), issued.KeyPEM())
	return issued.PEM(), nil
}

// sink issues the certificate of the sink, unless there is one of this authority for all
// the hosts.
func (w *writer) sink(authority *certs.Authority, hosts []string) error {
	cert, key, err := w.load("sink")
	if err != nil {
		return err
	}
	if cert != nil {
		loaded, err := certs.Load(cert, key)
		if err == nil && !slices.ContainsFunc(hosts, func(host string) bool { return loaded.X509().VerifyHostname(host) != nil }) &&
			loaded.X509().CheckSignatureFrom(authority.X509()) == nil {
			return nil
		}
	}
	issued, err := authority.IssueServer(hosts...)
	if err != nil {
		return err
	}
	loaded, err := certs.FromTLS(issued)
	if err != nil {
		return err
	}
	w.keep("sink", loaded.PEM(), loaded.KeyPEM())
	return nil
}
