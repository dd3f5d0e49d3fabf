// Package target is the gateway under test as the suite sees it: a black box
// behind a base URL, with the test controls by which it is brought into a state.
package target

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Profile describes a target. Only BaseURL is required, or a Container that gives one.
type Profile struct {
	Name      string // as reports call it; the image or the base URL if empty
	BaseURL   string // http or https; a path prefix and a trailing slash are fine
	TokenPath string // of the token request; /api/auth/token if empty

	// Accounts are accounts that exist and stay, with whatever history they have. They
	// are used where the target has no control to make new ones.
	Accounts []Account

	// Control says where the test controls are; nil for a target without any.
	Control *ControlAccess

	// SandboxScenarios maps the outcome of a payment, CONFIRMED or an errorCode, to the
	// value of X-Sandbox-Scenario with which this target produces it.
	SandboxScenarios map[string]string

	Families []Family // that the target claims; all if empty
	Limits   Limits   // of the accounts, as far as they are known
	Fees     Fees     // likewise

	TLS  TLS
	Sink Sink

	Container *Container // to run for the target; nil for one that runs already

	Header            map[string]string // sent with every request of the API that has none of that name; hidden
	RequestsPerSecond float64           // of the API, at most; 0 for as many as come

	Secrets []string // what else nobody may see

	Deadlines Deadlines
	Zone      string // of days and nights; America/Sao_Paulo if empty
	MaxBody   int64  // how many bytes of an answer's body are read; 1 MiB if 0
}

// ControlAccess is the ways to a target's test controls: an interface at a URL, a
// command, or both. What both have is called at the URL.
type ControlAccess struct {
	URL     string    // empty for none
	Token   string    // sent as a bearer token; empty for none
	Command []string  // a program and its arguments, to which the call's are added; empty for none
	Without []Control // that the target has and that are not to be used

	Directory string // in which the command runs; the current one if empty
}

// Family is a part of the API that a target may offer or not.
type Family string

// The families of the API. The token and the balance belong to none: every target has them.
const (
	Public      Family = "public"       // /api/pix, /api/transactions
	CentralBank Family = "central-bank" // /cob, /pix/.../devolucao, /dict/pix
	MEDFamily   Family = "med"          // /api/med and its events
	Webhooks    Family = "webhooks"     // registration, delivery, resend
)

// TLS is how the target is reached over TLS, and how it learns an account's certificate.
type TLS struct {
	// CA holds certificates in PEM whose issuers are trusted beside those that the
	// system trusts.
	CA []byte

	// Handshake says that an account shows its certificate in the TLS handshake, which
	// the edge passes on, instead of in X-SSL-Client-Cert. It does so with every request:
	// most edges ask whatever the path. The base URL is https then.
	Handshake bool

	// Certificate and Key, in PEM, are shown in handshakes where the account's own is
	// not: what an edge asks of everybody while accounts are known by the header. Nil for
	// none.
	Certificate, Key []byte
}

// Sink is where the target's webhooks are received.
type Sink struct {
	Listen string // host:port; a free port of 127.0.0.1 if empty
	URL    string // https, by which the target reaches Listen; made of Listen if empty; a port 0 is the one listened on

	// Certificate and Key, in PEM, are the sink's own; of a fresh authority if nil.
	Certificate, Key []byte

	Paths []string // the only ones that the target may be given; any if empty
}

// Deadlines are how long the suite waits, at most. A zero one stands for its
// default.
type Deadlines struct {
	Answer  time.Duration // for a whole response of the API
	Webhook time.Duration // for an event that must arrive
	Balance time.Duration // for a balance that must move
	Quiet   time.Duration // for an event that must not arrive; longer if the target's webhooks take longer
	Control time.Duration // for a whole response of a control
}

var defaults = Deadlines{Answer: 10 * time.Second, Webhook: 15 * time.Second, Balance: 10 * time.Second, Quiet: 250 * time.Millisecond, Control: 15 * time.Second}

// Scenario is the time after which a scenario is given up, whatever it waits for: two minutes,
// and in proportion more where a deadline is longer than its default.
func (d Deadlines) Scenario() time.Duration {
	const usual = 2 * time.Minute
	times := max(1, over(d.Answer, defaults.Answer), over(d.Webhook, defaults.Webhook), over(d.Balance, defaults.Balance),
		over(d.Quiet, 10*defaults.Quiet), over(d.Control, defaults.Control))
	return time.Duration(times * float64(usual))
}

func over(d, usual time.Duration) float64 { return float64(d) / float64(usual) }

// Identity is what requests say of the run they belong to, in User-Agent.
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

// withDefaults fills in what p leaves open.
func (p Profile) withDefaults() Profile {
	p.BaseURL = strings.TrimRight(p.BaseURL, "/")
	if p.Control != nil {
		access := *p.Control
		access.URL = strings.TrimRight(access.URL, "/")
		p.Control = &access
	}
	if p.Container != nil {
		p.Name = cmp.Or(p.Name, p.Container.Image) // its base URL is another each time
	}
	p.Name = cmp.Or(p.Name, p.BaseURL)
	p.TokenPath = cmp.Or(p.TokenPath, "/api/auth/token")
	p.Zone = cmp.Or(p.Zone, "America/Sao_Paulo")
	p.MaxBody = cmp.Or(p.MaxBody, 1<<20)
	p.Deadlines = Deadlines{
		Answer:  cmp.Or(p.Deadlines.Answer, defaults.Answer),
		Webhook: cmp.Or(p.Deadlines.Webhook, defaults.Webhook),
		Balance: cmp.Or(p.Deadlines.Balance, defaults.Balance),
		Quiet:   cmp.Or(p.Deadlines.Quiet, defaults.Quiet),
		Control: cmp.Or(p.Deadlines.Control, defaults.Control),
	}
	return p
}

// Hide makes every secret of the profile known to a redactor: those of accounts and of
// controls, private keys, the values of the extra headers, and those that a container is
// given.
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
	from.AddKeys(p.TLS.Key)
	from.AddKeys(p.Sink.Key)
	for name, value := range p.Header {
		from.AddHeaders(name)
		from.Add(value)
	}
}

// hideText makes a secret known that may be one of several lines, each of which may be
// shown by itself, or a private key.
func hideText(from *exchange.Redactor, secret string) {
	from.Add(secret)
	from.AddKeys([]byte(secret))
}

// parseBase checks a base URL; what names it in errors.
func parseBase(what, raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	var secrets *exchange.Redactor
	shown, _, _ := strings.Cut(secrets.Text(raw), "?") // what follows may be a key
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("the %s is %q; expected one such as https://gateway.example or http://127.0.0.1:8080", what, shown)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the %s %q has a query or a fragment, which no path can follow: leave it out", what, shown)
	case u.User != nil:
		return nil, fmt.Errorf("the %s holds a user name, which the API does not know: leave it out", what)
	}
	return u, nil
}
