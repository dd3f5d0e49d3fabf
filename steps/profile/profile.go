// Package profile reads profiles: YAML files that describe a target.
package profile

import (
	"encoding/json"
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
	return read(&source{file: file, getenv: getenv})
}

// Outline reads a profile without its credentials: variables that are not set and files that
// cannot be read are taken for right. What it returns is good for a plan, not for a run.
func Outline(file string, getenv func(string) (string, bool)) (p target.Profile, notes []string, err error) {
	return read(&source{file: file, getenv: getenv, outline: true})
}

func read(s *source) (p target.Profile, notes []string, err error) {
	s.places, s.wrong, s.assumed = map[string]place{}, map[string]bool{}, map[string]bool{}
	if !s.read() {
		return target.Profile{}, nil, s.mistakes.sorted()
	}
	rules, err := compiled()
	if err == nil {
		err = rules.check(s)
	}
	if err != nil {
		return target.Profile{}, nil, err
	}
	r := reader{source: s}
	if err := r.decode(); err != nil {
		return target.Profile{}, nil, err
	}
	p = r.profile()
	if len(s.mistakes) > 0 {
		return target.Profile{}, nil, s.mistakes.sorted()
	}
	if len(s.absent) > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: assumed to be right, as they are not here: %s", s.file, strings.Join(s.absent, ", ")))
	}
	return p, r.notes, nil
}

// document is a profile in the shape of its schema.
type document struct {
	Name      string          `json:"name"`
	URL       string          `json:"url"`
	Image     *image          `json:"image"`
	TokenPath string          `json:"tokenPath"`
	Families  []target.Family `json:"families"`
	Accounts  []account       `json:"accounts"`
	TLS       struct {
		CA                string `json:"ca"`
		ClientCertificate string `json:"clientCertificate"`
		Certificate       string `json:"certificate"`
		Key               string `json:"key"`
	} `json:"tls"`
	Controls *struct {
		URL     string           `json:"url"`
		Token   string           `json:"token"`
		Command []string         `json:"command"`
		Without []target.Control `json:"without"`
	} `json:"controls"`
	SandboxScenarios map[string]string `json:"sandboxScenarios"`
	Limits           struct {
		PerTransaction string `json:"perTransaction"`
		Daily          string `json:"daily"`
		Night          string `json:"night"`
	} `json:"limits"`
	Fees struct {
		CashOut string `json:"cashOut"`
		CashIn  string `json:"cashIn"`
	} `json:"fees"`
	Deadlines struct {
		Answer  string `json:"answer"`
		Webhook string `json:"webhook"`
		Balance string `json:"balance"`
		Quiet   string `json:"quiet"`
		Control string `json:"control"`
	} `json:"deadlines"`
	Sink struct {
		Listen      string   `json:"listen"`
		URL         string   `json:"url"`
		Certificate string   `json:"certificate"`
		Key         string   `json:"key"`
		Paths       []string `json:"paths"`
	} `json:"sink"`
	Headers           map[string]string `json:"headers"`
	RequestsPerSecond float64           `json:"requestsPerSecond"`
}

type account struct {
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Certificate  string `json:"certificate"`
	Key          string `json:"key"`
	ID           any    `json:"id"` // a whole number, or a text of its digits
	Name         string `json:"name"`
	PixKey       string `json:"pixKey"`
	Document     string `json:"document"`
	ISPB         string `json:"ispb"`
}

// reader makes a target's profile of a source, and notes what the schema cannot see.
type reader struct {
	*source
	document
	notes []string
}

// decode gives what is right in the source the shape of a document.
func (r *reader) decode() error {
	text, err := json.Marshal(r.right(r.said, nil))
	if err == nil {
		err = json.Unmarshal(text, &r.document)
	}
	if err != nil {
		return fmt.Errorf("reading a profile that its schema allows: %w", err)
	}
	return nil
}

// right is what was said without what is wrong, in the place of which nothing stands:
// one mistake must not hide others.
func (r *reader) right(said any, p path) any {
	if r.wrong[p.key()] {
		return nil
	}
	switch said := said.(type) {
	case map[string]any:
		right := map[string]any{}
		for name, value := range said {
			right[name] = r.right(value, p.below(name))
		}
		return right
	case []any:
		right := make([]any, len(said))
		for i, value := range said {
			right[i] = r.right(value, p.below(strconv.Itoa(i)))
		}
		return right
	default:
		return said
	}
}

func (r *reader) profile() target.Profile {
	p := target.Profile{
		Name: r.Name, BaseURL: r.url(r.URL, at("url")), TokenPath: r.TokenPath, Families: r.Families,
		SandboxScenarios: r.SandboxScenarios, Header: r.headers(), RequestsPerSecond: r.RequestsPerSecond,
		Limits: target.Limits{
			PerTransaction: r.limit(r.Limits.PerTransaction, at("limits", "perTransaction")),
			Daily:          r.limit(r.Limits.Daily, at("limits", "daily")),
			Night:          r.limit(r.Limits.Night, at("limits", "night")),
		},
		Fees: target.Fees{
			CashOut: r.amount(r.Fees.CashOut, at("fees", "cashOut")),
			CashIn:  r.amount(r.Fees.CashIn, at("fees", "cashIn")),
		},
		Deadlines: target.Deadlines{
			Answer:  r.duration(r.Deadlines.Answer, at("deadlines", "answer")),
			Webhook: r.duration(r.Deadlines.Webhook, at("deadlines", "webhook")),
			Balance: r.duration(r.Deadlines.Balance, at("deadlines", "balance")),
			Quiet:   r.duration(r.Deadlines.Quiet, at("deadlines", "quiet")),
			Control: r.duration(r.Deadlines.Control, at("deadlines", "control")),
		},
	}
	p.TLS = r.tls()
	p.Accounts = r.accounts()
	p.Control = r.controls()
	p.Sink = r.sink()
	p.Container = r.container()
	p.Secrets = r.secrets()
	return p
}

// tls reads how the target is reached. A handshake needs TLS.
func (r *reader) tls() target.TLS {
	t := target.TLS{Handshake: r.TLS.ClientCertificate == "handshake"}
	t.CA = r.authorities(r.TLS.CA, at("tls", "ca"))
	t.Certificate, t.Key = r.pair(r.TLS.Certificate, r.TLS.Key, at("tls"))
	handshake := at("tls", "clientCertificate")
	switch {
	case t.Handshake && strings.HasPrefix(r.URL, "http:"):
		r.mistake(handshake, "expected header, as the url begins with http: and has no handshake, found handshake; give an https url, or write header")
	case t.Handshake && !r.given(at("url")) && r.Image != nil:
		r.mistake(handshake, "expected header, as an image without a url is reached by http, found handshake; add url: https://localhost:8443, with the port inside the container, or write header")
	}
	return t
}

// accounts reads the accounts. Each has its own credentials, and what the rest of the
// profile needs of it.
func (r *reader) accounts() []target.Account {
	var all []target.Account
	first := map[string]int{}
	for i, a := range r.Accounts {
		p := at("accounts", i)
		t := target.Account{
			AccountID: r.id(a.ID, p.below("id")), ClientID: a.ClientID, ClientSecret: a.ClientSecret,
			Name: a.Name, Document: a.Document, ISPB: a.ISPB, PixKey: a.PixKey,
		}
		if r.assumed[p.below("id").key()] {
			t.AccountID = int64(i + 1)
		}
		t.Certificate, t.Key = r.pair(a.Certificate, a.Key, p)
		all = append(all, t)
		if j, twice := first[a.ClientID]; twice && a.ClientID != "" {
			r.mistake(p.below("clientId"), "expected a clientId of its own, found that of accounts[%d]; remove one of the two accounts", j)
		} else {
			first[a.ClientID] = i
		}
		if r.TLS.ClientCertificate == "handshake" && !r.given(p.below("key")) {
			r.lacks(p, "key", "expected the certificate's private key, as tls.clientCertificate is handshake, found none; add key: certs/account-%d.key", i+1)
		}
		if r.given(at("controls")) && !r.given(p.below("id")) {
			r.lacks(p, "id", "expected the account's id, by which the controls know it, found none; add id: %d", 93+i)
		}
		secretKey := p.below("clientSecret").key()
		if secret := r.places[secretKey]; secret.put == nil && !r.assumed[secretKey] {
			r.note(secret, "the secret stands in the profile, which is often shared; ${VAR} takes it from the environment, file:PATH from a file")
		}
	}
	return all
}

// id is an account's number, 0 for none.
func (r *reader) id(said any, p path) int64 {
	if number, ok := said.(float64); ok {
		return int64(number) // whole and below 2^53, says the schema
	}
	text, ok := said.(string)
	id, err := strconv.ParseInt(text, 10, 64)
	if ok && err != nil {
		r.mistake(p, "expected a whole number above zero, found %q", shown(r.places[p.key()].written))
	}
	return id
}

func (r *reader) note(where place, text string) {
	r.notes = append(r.notes, Mistake{File: r.file, Line: where.line, Field: where.field, Text: text}.String())
}

func (r *reader) controls() *target.ControlAccess {
	if r.Controls == nil {
		return nil
	}
	// The controls of an image may be those that a port of its container serves.
	if alone := !r.given(at("controls", "url")) && !r.given(at("image")); alone && r.given(at("controls", "token")) {
		r.lacks(at("controls"), "url", "expected this field beside token, found none; add url: https://controls.acme.example")
	} else if alone && !r.given(at("controls", "command")) {
		r.mistake(at("controls"), "expected url, command or both, found neither; say how the controls are called, or remove the field")
	}
	access := &target.ControlAccess{
		URL: r.url(r.Controls.URL, at("controls", "url")), Token: r.Controls.Token,
		Command: r.Controls.Command, Without: r.Controls.Without,
	}
	if len(access.Command) > 0 {
		access.Directory = r.directory()
	}
	return access
}

// secrets are the arguments of commands, headers, and what a container's environment holds,
// that variables or files were put into: what else would they hold?
func (r *reader) secrets() []string {
	var all []string
	if r.Controls != nil {
		all = r.hidden(all, at("controls", "command"), r.Controls.Command)
	}
	if r.Image != nil {
		all = r.hidden(all, at("image", "command"), r.Image.Command)
		for name, value := range r.Image.Env {
			all = r.hiddenValue(all, at("image", "env", name), value)
		}
	}
	for name, value := range r.Headers {
		all = r.hiddenValue(all, at("headers", name), value)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (r *reader) hidden(all []string, p path, values []string) []string {
	for i, value := range values {
		all = r.hiddenValue(all, p.below(strconv.Itoa(i)), value)
	}
	return all
}

// hiddenValue adds to all what was put into the value at p, which may be shown by itself,
// and the value.
func (r *reader) hiddenValue(all []string, p path, value string) []string {
	if put := r.places[p.key()].put; put != nil {
		all = append(append(all, put...), value)
	}
	return all
}

// sink reads where webhooks are received. Its certificate is for the host of its URL.
func (r *reader) sink() target.Sink {
	t := target.Sink{Listen: r.Sink.Listen, URL: r.url(r.Sink.URL, at("sink", "url")), Paths: r.Sink.Paths}
	t.Certificate, t.Key = r.pair(r.Sink.Certificate, r.Sink.Key, at("sink"))
	host, port, err := net.SplitHostPort(t.Listen)
	if number, invalid := strconv.ParseUint(port, 10, 16); t.Listen != "" && (err != nil || invalid != nil || t.URL != "" && number == 0) {
		r.mistake(at("sink", "listen"), "expected host:port, with a port of its own where there is a url, found %q; such as 127.0.0.1:9443", shown(r.places[at("sink", "listen").key()].written))
	}
	if u, err := url.Parse(t.URL); err == nil && t.URL != "" {
		host = u.Hostname()
	}
	r.isFor(t.Certificate, host, at("sink", "certificate"))
	return t
}

// ownHeaders are those that the suite sends or leaves out on purpose: a header that
// always comes would make verdicts false.
var ownHeaders = []string{
	"Authorization", "X-SSL-Client-Cert", "X-Sandbox-Scenario", "Content-Type",
	"Content-Length", "Transfer-Encoding", "Connection",
}

func (r *reader) headers() map[string]string {
	spelled := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		p := at("headers", name)
		own := slices.ContainsFunc(ownHeaders, func(h string) bool { return strings.EqualFold(h, name) })
		other, twice := spelled[strings.ToLower(name)]
		switch {
		case own:
			r.misnamed(p, "expected a header that the API does not use, found one that the suite itself sends or leaves out; remove it")
		case twice:
			r.misnamed(p, "expected each header once, found it as %s already; remove one of the two", other)
		}
		spelled[strings.ToLower(name)] = name
	}
	return r.Headers
}

// url is a URL that can be parsed.
func (r *reader) url(text string, p path) string {
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		r.mistake(p, "expected a URL such as https://gateway.example:8443, without a user or a query, found one that cannot be used: %q", shown(r.places[p.key()].written))
	}
	return text
}

// duration is a time to wait; none is 0.
func (r *reader) duration(text string, p path) time.Duration {
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		r.mistake(p, "expected a duration above zero, such as 10s, found %q", shown(r.places[p.key()].written))
	}
	return d
}

// amount is an amount in reais with two decimals; what the schema let pass for the sake
// of a variable is looked at again.
func (r *reader) amount(text string, p path) string {
	if strings.Contains(text, "${") {
		r.mistake(p, "expected an amount in reais with two decimals, found %q", shown(r.places[p.key()].written))
	}
	return text
}

// limit is nil for a limit that is not known, and a nil amount for none.
func (r *reader) limit(text string, p path) *target.Limit {
	var limit target.Limit
	switch text = r.amount(text, p); text {
	case "":
		return nil
	case "none":
	default:
		limit = &text
	}
	return &limit
}
