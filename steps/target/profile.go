// Package target is the gateway under test as a black box: a base URL, and test controls to set up
// its state.
package target

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Profile describes a target. Only BaseURL is required, or a Container.
type Profile struct {
	Name      string // in reports; the image or the base URL if empty
	BaseURL   string // http or https, with an optional path prefix and trailing slash
	TokenPath string // of the token request; /api/auth/token if empty

	// Accounts are existing accounts, with or without a history. They are used if the target has no
	// control to create accounts.
	Accounts []Account

	// Control says how to reach the test controls; nil for a target without any.
	Control *ControlAccess

	// SandboxScenarios maps the outcome of a payment, CONFIRMED or an errorCode, to the value of
	// X-Sandbox-Scenario that produces it.
	SandboxScenarios map[string]string

	Families []Family // that the target claims; all if empty
	Limits   Limits   // of the accounts, as far as they are known
	Fees     Fees     // likewise

	TLS  TLS
	Sink Sink

	Container *Container // to start; nil if the target is already running

	Header            map[string]string // sent with every API request that does not set it; secret
	RequestsPerSecond float64           // limit for API requests; 0 for unlimited

	// Proxy is the URL of the HTTP proxy for the API and the controls. If empty, HTTP_PROXY and
	// HTTPS_PROXY name it; NoProxy means none. NO_PROXY and loopback addresses are exceptions.
	Proxy string

	Secrets []string // additional secrets

	Deadlines Deadlines
	maxBody   int64 // how many bytes of a response's body are read, of a page of a list longerPage times as many; 1 MiB if 0
}

// ControlAccess says how to reach a target's test controls: a URL, a command, or both. The URL
// takes precedence.
type ControlAccess struct {
	URL     string    // empty for none
	Token   string    // sent as a bearer token; empty for none
	Command []string  // a program and its arguments; empty for none
	Without []Control // controls that must not be used

	Directory string // working directory of the command; the current one if empty
}

// Family is an optional part of the API.
type Family string

// The families of the API. Tokens and balances belong to none: every target has them.
const (
	Public      Family = "public"       // /api/pix, /api/transactions
	CentralBank Family = "central-bank" // /cob, /pix/.../devolucao, /dict/pix
	MEDFamily   Family = "med"          // /api/med and its events
	Webhooks    Family = "webhooks"     // registration, delivery, resend
)

// TLS describes TLS connections, and how the target learns an account's certificate.
type TLS struct {
	// CA contains additional trusted authorities in PEM.
	CA []byte

	// Handshake: accounts present their certificate in the TLS handshake instead of
	// X-SSL-Client-Cert, with every request, because most edges require it for all paths. The base
	// URL must be https.
	Handshake bool

	// Certificate and Key, in PEM, are presented in handshakes that do not present an account's
	// certificate: an edge may require one from every client. Nil for none.
	Certificate, Key []byte
}

// Sink is where pixcert receives the target's webhooks.
type Sink struct {
	Listen string // host:port; a free port of 127.0.0.1 if empty
	URL    string // https URL at which the target reaches Listen; derived from Listen if empty; port 0 means the port of Listen

	// Certificate and Key, in PEM; from a new authority if nil.
	Certificate, Key []byte

	Paths []string // the only paths that may be registered; any if empty
}

// Deadlines are maximum waiting times. Zero means the default.
type Deadlines struct {
	Answer  time.Duration // for a complete response of the API
	Webhook time.Duration // for an event that must arrive
	Balance time.Duration // for a balance that must change
	Quiet   time.Duration // before concluding that no event arrives; longer if the target's webhooks are slower
	Control time.Duration // for a complete response of a control
}

var defaults = Deadlines{Answer: 10 * time.Second, Webhook: 15 * time.Second, Balance: 10 * time.Second, Quiet: 250 * time.Millisecond, Control: 15 * time.Second}

// Scenario is the time limit of a scenario at a target that is not slow: two minutes, and
// proportionally more if a deadline is longer than its default.
func (d Deadlines) Scenario() time.Duration {
	const usual = 2 * time.Minute
	times := max(1, over(d.Answer, defaults.Answer), over(d.Webhook, defaults.Webhook), over(d.Balance, defaults.Balance),
		over(d.Quiet, 10*defaults.Quiet), over(d.Control, defaults.Control))
	return time.Duration(times * float64(usual))
}

func over(d, usual time.Duration) float64 { return float64(d) / float64(usual) }

// Identity identifies the run in User-Agent.
type Identity struct {
	Version string // of pixcert
	RunID   string
}

func (id Identity) agent(rule string) string {
	agent := "pixcert/" + id.Version + " run=" + id.RunID
	if rule != "" {
		agent += " rule=" + rule
	}
	return agent
}

func (p Profile) withDefaults() Profile {
	p.BaseURL = strings.TrimRight(p.BaseURL, "/")
	if p.Control != nil {
		access := *p.Control
		access.URL = strings.TrimRight(access.URL, "/")
		p.Control = &access
	}
	if p.Container != nil {
		p.Name = cmp.Or(p.Name, p.Container.Image) // the base URL differs each time
	}
	p.Name = cmp.Or(p.Name, p.BaseURL)
	p.TokenPath = cmp.Or(p.TokenPath, "/api/auth/token")
	p.maxBody = cmp.Or(p.maxBody, 1<<20)
	p.Deadlines = Deadlines{
		Answer:  cmp.Or(p.Deadlines.Answer, defaults.Answer),
		Webhook: cmp.Or(p.Deadlines.Webhook, defaults.Webhook),
		Balance: cmp.Or(p.Deadlines.Balance, defaults.Balance),
		Quiet:   cmp.Or(p.Deadlines.Quiet, defaults.Quiet),
		Control: cmp.Or(p.Deadlines.Control, defaults.Control),
	}
	return p
}

// Hide adds every secret of the profile to a redactor: accounts, controls, private keys, header
// values, and secrets of the container.
func (p Profile) Hide(from *exchange.Redactor) {
	for _, secret := range p.Secrets {
		hideText(from, secret)
	}
	if p.Container != nil {
		p.Container.hide(from)
	}
	if p.Control != nil {
		from.Add(p.Control.Token)
	}
	for _, account := range p.Accounts {
		from.Add(account.ClientSecret)
		from.AddKeys(account.Key)
	}
	environment := httpproxy.FromEnvironment()
	hideProxies(from, p.Proxy, environment.HTTPProxy, environment.HTTPSProxy)
	from.AddKeys(p.TLS.Key)
	from.AddKeys(p.Sink.Key)
	for name, value := range p.Header {
		from.AddHeaders(name)
		from.Add(value)
	}
}

// hideText adds a secret that may have several lines, each of which may occur alone, or may be a
// private key.
func hideText(from *exchange.Redactor, secret string) {
	from.Add(secret)
	from.AddKeys([]byte(secret))
}

// parseBase parses a base URL; what names it in errors.
func parseBase(what, raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	var secrets *exchange.Redactor
	shown, _, _ := strings.Cut(secrets.Text(raw), "?") // the rest may be a key
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("%s: expected a URL such as https://gateway.example or http://127.0.0.1:8080, got %q", what, shown)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s %q: remove the query or fragment: pixcert appends paths to the URL", what, shown)
	case u.User != nil:
		return nil, fmt.Errorf("%s: remove the user name: the API does not use one", what)
	}
	return u, nil
}
