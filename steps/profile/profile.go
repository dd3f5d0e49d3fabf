// Package profile reads profiles: YAML files that describe a target.
package profile

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/target"
)

// Read reads a profile from a YAML file. It looks variables up with getenv (os.LookupEnv); paths
// are relative to the file. Notes describe what is allowed but unwise. An error is Errors, with all
// of them, unless pixcert itself has a bug. The caller replaces the values of some fields, such as url
// or image with all in it: if their variables and files are not available, they are empty.
func Read(file string, getenv func(string) (string, bool), replaced ...string) (p target.Profile, notes []string, err error) {
	r := newReader(file, getenv)
	r.replaced = replaced
	return r.result()
}

// Outline reads a profile without its credentials: variables and files that are not available are
// assumed to be correct. The result suffices for a plan, not for a run.
func Outline(file string, getenv func(string) (string, bool), replaced ...string) (p target.Profile, notes []string, err error) {
	r := newReader(file, getenv)
	r.outline, r.replaced = true, replaced
	return r.result()
}

// reader makes a target's profile of the fields of a file.
type reader struct{ source }

func newReader(file string, getenv func(string) (string, bool)) *reader {
	return &reader{source{fields: fields{file: file, places: map[string]place{}, assumed: map[string]bool{}, wrong: map[string]bool{}}, getenv: getenv}}
}

func (r *reader) result() (p target.Profile, notes []string, err error) {
	if r.read() {
		if err := (checker{compiled(), &r.fields}).check(); err != nil {
			return target.Profile{}, nil, err
		}
		p = r.profile()
	}
	if len(r.errs) > 0 {
		return target.Profile{}, nil, r.errs.sorted()
	}
	if len(r.absent) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: not available here, assumed correct: %s", r.file, strings.Join(r.absent, ", ")))
	}
	return p, r.notes, nil
}

// profile builds a target's profile from the fields, and reports errors that the schema cannot
// express.
func (r *reader) profile() target.Profile {
	return target.Profile{
		Name: r.text("name"), BaseURL: r.url("url"), TokenPath: r.text("tokenPath"), Families: texts[target.Family](r.value("families")),
		SandboxScenarios: r.pairs("sandboxScenarios"), Header: r.headers(), RequestsPerSecond: r.number("requestsPerSecond"), Proxy: r.proxy(),
		Limits: target.Limits{
			PerTransaction: r.limit("limits.perTransaction"),
			Daily:          r.limit("limits.daily"),
			Night:          r.limit("limits.night"),
		},
		Fees: target.Fees{CashOut: r.amount("fees.cashOut"), CashIn: r.amount("fees.cashIn")},
		Deadlines: target.Deadlines{
			Answer:  r.duration("deadlines.answer"),
			Webhook: r.duration("deadlines.webhook"),
			Balance: r.duration("deadlines.balance"),
			Quiet:   r.duration("deadlines.quiet"),
			Control: r.duration("deadlines.control"),
		},
		Accounts: r.accounts(), // before tls, because accounts need keys for a handshake
		TLS:      r.tls(), Control: r.controls(), Sink: r.sink(), Container: r.container(),
		Secrets: r.secrets(),
	}
}

// tls reads the TLS settings. A handshake requires TLS.
func (r *reader) tls() target.TLS {
	const clientCertificate = "tls.clientCertificate"
	t := target.TLS{CA: r.authorities("tls.ca"), Handshake: r.text(clientCertificate) == "handshake"}
	t.Certificate, t.Key = r.pair("tls")
	switch {
	case t.Handshake && strings.HasPrefix(r.text("url"), "http:"):
		r.fieldError(clientCertificate, "handshake requires TLS, but url begins with http:; use an https URL, or set clientCertificate: header")
	case t.Handshake && !r.given("url") && r.value("image") != nil:
		r.fieldError(clientCertificate, "handshake requires TLS, but an image without url is reached over http; add url: https://localhost:8443, with the port inside the container, or set clientCertificate: header")
	}
	return t
}

// accounts reads the accounts. Each must have its own credentials.
func (r *reader) accounts() []target.Account {
	var all []target.Account
	first := map[string]int{}
	for i := range r.items("accounts") {
		account := fmt.Sprintf("accounts[%d]", i)
		text := func(name string) string { return r.text(account + "." + name) }
		t := target.Account{
			AccountID: r.id(account + ".id"), ClientID: text("clientId"), ClientSecret: text("clientSecret"),
			Name: text("name"), Document: text("document"), ISPB: text("ispb"), PixKey: text("pixKey"),
		}
		t.Shared, _ = r.value(account + ".shared").(bool)
		if r.assumed[account+".id"] {
			t.AccountID = int64(i + 1)
		}
		t.Certificate, t.Key = r.pair(account)
		all = append(all, t)
		if j, twice := first[t.ClientID]; twice && t.ClientID != "" {
			r.fieldError(account+".clientId", "duplicate of accounts[%d].clientId; remove one of the two accounts", j)
		} else {
			first[t.ClientID] = i
		}
		if r.text("tls.clientCertificate") == "handshake" && !r.given(account+".key") {
			r.missing(account, "key", "required because tls.clientCertificate is handshake; add key: certs/account-%d.key", i+1)
		}
		if r.given("controls") && !r.given(account+".id") {
			r.missing(account, "id", "required because the test controls identify accounts by it; add id: %d", 93+i)
		}
		if secret := account + ".clientSecret"; r.places[secret].put == nil && !r.assumed[secret] {
			r.note(secret, "this secret is in plain text, and profiles are often shared; use ${NAME} or file:PATH")
		}
	}
	return all
}

// id is an account's id, 0 for none.
func (r *reader) id(field string) int64 {
	text, ok := r.value(field).(string)
	if !ok {
		return int64(r.number(field)) // the schema requires a whole number below 2^53
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fieldError(field, "expected a whole number above zero, got %q", r.written(field))
	}
	return id
}

func (r *reader) controls() *target.ControlAccess {
	if r.value("controls") == nil {
		return nil
	}
	// A port of the image's container may serve the controls.
	if alone := !r.given("controls.url") && !r.given("image"); alone && r.given("controls.token") {
		r.missing("controls", "url", "required with token; add url: https://controls.acme.example")
	} else if alone && !r.given("controls.command") {
		r.fieldError("controls", "expected url, command or both, got neither; add one, or remove controls")
	}
	access := &target.ControlAccess{
		URL: r.url("controls.url"), Token: r.text("controls.token"),
		Command: texts[string](r.value("controls.command")), Without: texts[target.Control](r.value("controls.without")),
	}
	if len(access.Command) > 0 {
		access.Directory = r.directory()
	}
	return access
}

// secrets are the arguments, headers and container variables that contain values of variables or
// files: such values are usually secret. The inserted values count separately too.
func (r *reader) secrets() []string {
	var all []string
	for field, at := range r.places {
		isHidden := func(parent string) bool { return strings.HasPrefix(field, parent) }
		if at.put != nil && slices.ContainsFunc([]string{"controls.command[", "image.command[", "image.env.", "headers."}, isHidden) {
			value, _ := at.value.(string)
			all = append(append(all, at.put...), value)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sink reads where pixcert receives webhooks. Its certificate must be for the host of its URL.
func (r *reader) sink() target.Sink {
	t := target.Sink{Listen: r.text("sink.listen"), URL: r.url("sink.url"), Paths: texts[string](r.value("sink.paths"))}
	t.Certificate, t.Key = r.pair("sink")
	host, port, err := net.SplitHostPort(t.Listen)
	if number, invalid := strconv.ParseUint(port, 10, 16); t.Listen != "" && (err != nil || invalid != nil || t.URL != "" && number == 0) {
		r.fieldError("sink.listen", "expected host:port such as 127.0.0.1:9443, with a port above 0 if url is set, got %q", r.written("sink.listen"))
	}
	if u, err := url.Parse(t.URL); err == nil && t.URL != "" {
		host = u.Hostname()
	}
	r.isFor(t.Certificate, host, "sink.certificate")
	return t
}

// ownHeaders are headers that pixcert sets or omits on purpose: sending them always would falsify
// verdicts.
var ownHeaders = []string{
	"Authorization", "X-SSL-Client-Cert", "X-Sandbox-Scenario", "Content-Type",
	"Content-Length", "Transfer-Encoding", "Connection",
}

func (r *reader) headers() map[string]string {
	headers := r.pairs("headers")
	spelled := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		own := slices.ContainsFunc(ownHeaders, func(h string) bool { return strings.EqualFold(h, name) })
		other, twice := spelled[strings.ToLower(name)]
		switch {
		case own:
			r.nameError("headers."+name, "reserved: pixcert sets or omits this header itself; remove it")
		case twice:
			r.nameError("headers."+name, "duplicate of %s; remove one of the two", other)
		}
		spelled[strings.ToLower(name)] = name
	}
	return headers
}

// proxy returns the proxy, which may contain a password.
func (r *reader) proxy() string {
	const field = "proxy"
	text := r.text(field)
	if u, err := url.Parse(text); err == nil && u.User != nil && r.places[field].put == nil {
		r.note(field, "this secret is in plain text, and profiles are often shared; use ${NAME} or file:PATH")
	}
	return text
}

func (r *reader) url(field string) string {
	text := r.text(field)
	u, err := url.Parse(text)
	if text != "" && (err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		r.fieldError(field, "expected a URL such as https://gateway.example:8443, without user, query or fragment, got %q", r.written(field))
	}
	return text
}

// duration returns a waiting time; 0 if not set.
func (r *reader) duration(field string) time.Duration {
	text := r.text(field)
	d, err := time.ParseDuration(text)
	if text != "" && (err != nil || d <= 0) {
		r.fieldError(field, "expected a duration above zero, such as 10s, got %q", r.written(field))
	}
	return d
}

// amount returns an amount in reais with two decimals. The schema accepts any value with a
// variable, so it is checked again.
func (r *reader) amount(field string) string {
	text := r.text(field)
	if strings.Contains(text, "${") {
		r.fieldError(field, "expected an amount in reais with two decimals, got %q", r.written(field))
	}
	return text
}

// limit returns nil for an unknown limit, and a nil amount for none.
func (r *reader) limit(field string) *target.Limit {
	var limit target.Limit
	if r.text("limits") == "none" {
		return &limit
	}
	switch text := r.amount(field); text {
	case "":
		return nil
	case "none":
	default:
		limit = &text
	}
	return &limit
}
