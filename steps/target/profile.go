// Package target is the gateway under test as the suite sees it: a black box
// behind a base URL, with the test controls by which it is brought into a state.
package target

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Profile describes a target. Only BaseURL is required.
type Profile struct {
	Name      string // as reports call it; the base URL if empty
	BaseURL   string // http or https; a path prefix and a trailing slash are fine
	TokenPath string // of the token request; /api/auth/token if empty

	// Control says where the test controls are; nil for a target without any.
	Control *ControlAccess

	// CA holds certificates in PEM whose issuers are trusted beside those that
	// the system trusts.
	CA []byte

	Deadlines Deadlines
	Zone      string // of days and nights; America/Sao_Paulo if empty
	MaxBody   int64  // how many bytes of an answer's body are read; 1 MiB if 0

	// SandboxScenarios maps the outcome of a payment to the value of
	// X-Sandbox-Scenario with which this target produces it.
	SandboxScenarios map[string]string
}

// ControlAccess is the way to a target's test controls.
type ControlAccess struct {
	URL   string
	Token string // sent as a bearer token; empty for none
}

// Deadlines are how long the suite waits, at most. A zero one stands for its
// default.
type Deadlines struct {
	Answer  time.Duration // for a whole answer of the API: 10 s
	Webhook time.Duration // for an event that has to come: 15 s
	Balance time.Duration // for a balance that has to move: 10 s
	Quiet   time.Duration // for an event that must not come: 250 ms
	Control time.Duration // for a whole answer of a control: 15 s
}

// Identity is what requests say of the run they belong to, in User-Agent.
type Identity struct {
	Version string // of pixcert
	RunID   string
}

// withDefaults fills in what p leaves open.
func (p Profile) withDefaults() Profile {
	p.BaseURL = strings.TrimRight(p.BaseURL, "/")
	if p.Control != nil {
		p.Control = &ControlAccess{URL: strings.TrimRight(p.Control.URL, "/"), Token: p.Control.Token}
	}
	p.Name = cmp.Or(p.Name, p.BaseURL)
	p.TokenPath = cmp.Or(p.TokenPath, "/api/auth/token")
	p.Zone = cmp.Or(p.Zone, "America/Sao_Paulo")
	p.MaxBody = cmp.Or(p.MaxBody, 1<<20)
	p.Deadlines = Deadlines{
		Answer:  cmp.Or(p.Deadlines.Answer, 10*time.Second),
		Webhook: cmp.Or(p.Deadlines.Webhook, 15*time.Second),
		Balance: cmp.Or(p.Deadlines.Balance, 10*time.Second),
		Quiet:   cmp.Or(p.Deadlines.Quiet, 250*time.Millisecond),
		Control: cmp.Or(p.Deadlines.Control, 15*time.Second),
	}
	return p
}

// parseBase checks a base URL; what names it in errors.
func parseBase(what, raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, fmt.Errorf("the %s is %q; expected one such as https://gateway.example or http://127.0.0.1:8080", what, raw)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the %s %q has a query or a fragment, which no path can follow: leave it out", what, raw)
	case u.User != nil:
		return nil, fmt.Errorf("the %s holds a user name, which the API does not know: leave it out", what)
	}
	return u, nil
}
