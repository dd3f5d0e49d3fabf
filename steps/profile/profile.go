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

// Read reads a profile from a YAML file. Variables are looked up with getenv
// (os.LookupEnv); paths are relative to the file. Notes are sentences on what is
// allowed but unwise. An error is Mistakes, all of them, unless the suite itself is at
// fault.
func Read(file string, getenv func(string) (string, bool)) (p target.Profile, notes []string, err error) {
	return (&reader{file: file, getenv: getenv}).result()
}

// Outline reads a profile without its credentials: variables that are not set and files that
// cannot be read are assumed to be right. What it returns is good for a plan, not for a run.
func Outline(file string, getenv func(string) (string, bool)) (p target.Profile, notes []string, err error) {
	return (&reader{file: file, getenv: getenv, outline: true}).result()
}

func (r *reader) result() (p target.Profile, notes []string, err error) {
	r.schema, r.places, r.wrong, r.assumed = compiled(), map[string]place{}, map[string]bool{}, map[string]bool{}
	if r.read() {
		if err := r.check(); err != nil {
			return target.Profile{}, nil, err
		}
		p = r.profile()
	}
	if len(r.mistakes) > 0 {
		return target.Profile{}, nil, r.mistakes.sorted()
	}
	if len(r.absent) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: assumed to be right, as they are not here: %s", r.file, strings.Join(r.absent, ", ")))
	}
	return p, r.notes, nil
}

// profile makes a target's profile of the fields, and notes what the schema cannot see.
func (r *reader) profile() target.Profile {
	return target.Profile{
		Name: r.text("name"), BaseURL: r.url("url"), TokenPath: r.text("tokenPath"), Families: texts[target.Family](r.value("families")),
		SandboxScenarios: r.pairs("sandboxScenarios"), Header: r.headers(), RequestsPerSecond: r.number("requestsPerSecond"),
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
		Accounts: r.accounts(), // before tls, which says whether they need keys
		TLS:      r.tls(), Control: r.controls(), Sink: r.sink(), Container: r.container(),
		Secrets: r.secrets(),
	}
}

// tls reads how the target is reached. A handshake needs TLS.
func (r *reader) tls() target.TLS {
	const clientCertificate = "tls.clientCertificate"
	t := target.TLS{CA: r.authorities("tls.ca"), Handshake: r.text(clientCertificate) == "handshake"}
	t.Certificate, t.Key = r.pair("tls")
	switch {
	case t.Handshake && strings.HasPrefix(r.text("url"), "http:"):
		r.mistake(clientCertificate, "expected header, as the url begins with http: and has no handshake, found handshake; give an https url, or write header")
	case t.Handshake && !r.given("url") && r.value("image") != nil:
		r.mistake(clientCertificate, "expected header, as an image without a url is reached by http, found handshake; add url: https://localhost:8443, with the port inside the container, or write header")
	}
	return t
}

// accounts reads the accounts. Each has its own credentials, and what the rest of the
// profile needs of it.
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
			r.mistake(account+".clientId", "expected a clientId of its own, found that of accounts[%d]; remove one of the two accounts", j)
		} else {
			first[t.ClientID] = i
		}
		if r.text("tls.clientCertificate") == "handshake" && !r.given(account+".key") {
			r.lacks(account, "key", "expected the certificate's private key, as tls.clientCertificate is handshake, found none; add key: certs/account-%d.key", i+1)
		}
		if r.given("controls") && !r.given(account+".id") {
			r.lacks(account, "id", "expected the account's id, by which the controls know it, found none; add id: %d", 93+i)
		}
		if secret := account + ".clientSecret"; r.places[secret].put == nil && !r.assumed[secret] {
			r.note(secret, "the secret stands in the profile, which is often shared; ${VAR} takes it from the environment, file:PATH from a file")
		}
	}
	return all
}

// id is an account's number, 0 for none.
func (r *reader) id(field string) int64 {
	text, ok := r.value(field).(string)
	if !ok {
		return int64(r.number(field)) // whole and below 2^53, says the schema
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.mistake(field, "expected a whole number above zero, found %q", r.written(field))
	}
	return id
}

func (r *reader) controls() *target.ControlAccess {
	if r.value("controls") == nil {
		return nil
	}
	// The controls of an image may be those that a port of its container serves.
	if alone := !r.given("controls.url") && !r.given("image"); alone && r.given("controls.token") {
		r.lacks("controls", "url", "expected this field beside token, found none; add url: https://controls.acme.example")
	} else if alone && !r.given("controls.command") {
		r.mistake("controls", "expected url, command or both, found neither; say how the controls are called, or remove the field")
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

// secrets are the arguments of commands, headers, and what a container's environment holds,
// that variables or files were put into: what else would they hold? What was put in may be
// shown by itself.
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

// sink reads where webhooks are received. Its certificate is for the host of its URL.
func (r *reader) sink() target.Sink {
	t := target.Sink{Listen: r.text("sink.listen"), URL: r.url("sink.url"), Paths: texts[string](r.value("sink.paths"))}
	t.Certificate, t.Key = r.pair("sink")
	host, port, err := net.SplitHostPort(t.Listen)
	if number, invalid := strconv.ParseUint(port, 10, 16); t.Listen != "" && (err != nil || invalid != nil || t.URL != "" && number == 0) {
		r.mistake("sink.listen", "expected host:port, with a port of its own where there is a url, found %q; such as 127.0.0.1:9443", r.written("sink.listen"))
	}
	if u, err := url.Parse(t.URL); err == nil && t.URL != "" {
		host = u.Hostname()
	}
	r.isFor(t.Certificate, host, "sink.certificate")
	return t
}

// ownHeaders are those that the suite sends or leaves out on purpose: a header that
// always comes would make verdicts false.
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
			r.misnamed("headers."+name, "expected a header that the API does not use, found one that the suite itself sends or leaves out; remove it")
		case twice:
			r.misnamed("headers."+name, "expected each header once, found it as %s already; remove one of the two", other)
		}
		spelled[strings.ToLower(name)] = name
	}
	return headers
}

// url is a URL that can be parsed.
func (r *reader) url(field string) string {
	text := r.text(field)
	u, err := url.Parse(text)
	if text != "" && (err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil) {
		r.mistake(field, "expected a URL such as https://gateway.example:8443, without a user or a query, found one that cannot be used: %q", r.written(field))
	}
	return text
}

// duration is a time to wait; none is 0.
func (r *reader) duration(field string) time.Duration {
	text := r.text(field)
	d, err := time.ParseDuration(text)
	if text != "" && (err != nil || d <= 0) {
		r.mistake(field, "expected a duration above zero, such as 10s, found %q", r.written(field))
	}
	return d
}

// amount is an amount in reais with two decimals; what the schema let pass for the sake
// of a variable is looked at again.
func (r *reader) amount(field string) string {
	text := r.text(field)
	if strings.Contains(text, "${") {
		r.mistake(field, "expected an amount in reais with two decimals, found %q", r.written(field))
	}
	return text
}

// limit is nil for a limit that is not known, and a nil amount for none.
func (r *reader) limit(field string) *target.Limit {
	var limit target.Limit
	switch text := r.amount(field); text {
	case "":
		return nil
	case "none":
	default:
		limit = &text
	}
	return &limit
}
