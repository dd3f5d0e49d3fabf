package steps

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/target"
)

// offer is what a target has for the suite beyond its API: controls, and what its
// profile tells.
type offer struct {
	controls map[target.Control]bool
	accounts int             // of the profile
	unnamed  bool            // the controls do not know one of these accounts by an id
	address  bool            // the same webhook URLs in every run
	paths    int             // of the profile's sink; 0 for any
	families []target.Family // that it claims; all if empty
	fees     target.Fees     // of the accounts; an empty one is unknown
	limits   target.Limits   // of the accounts; nil is unknown
	way      way             // in which accounts show their certificates
	sandbox  map[string]bool // the outcomes that the target's sandbox brings about
}

// offerOf is what a target with those controls has, as its profile describes it.
func offerOf(profile target.Profile, controls map[target.Control]bool) offer {
	o := offer{
		controls: controls, accounts: len(profile.Accounts), address: isFixedAddress(profile.Sink), paths: len(profile.Sink.Paths),
		way: wayOf(profile), families: profile.Families, fees: profile.Fees, limits: profile.Limits, sandbox: map[string]bool{},
	}
	for outcome := range profile.SandboxScenarios {
		o.sandbox[outcome] = true
	}
	o.unnamed = slices.ContainsFunc(profile.Accounts, func(a target.Account) bool { return a.AccountID == 0 }) && len(controls) > 0
	if o.fixed() && o.unnamed {
		o.controls = maps.Clone(controls)
		maps.DeleteFunc(o.controls, func(c target.Control, _ bool) bool { return c != target.Directory })
	}
	return o
}

// isFixedAddress: a sink's URL, or the address that it is made of, names a port or leaves it
// to a proxy; port 0 is another in every run.
func isFixedAddress(sink target.Sink) bool {
	if u, err := url.Parse(sink.URL); sink.URL != "" && err == nil {
		return u.Port() != "0"
	}
	_, port, err := net.SplitHostPort(sink.Listen)
	return err == nil && port != "" && port != "0"
}

// fixed says that the scenarios run on the profile's accounts, since new ones cannot be
// made.
func (o offer) fixed() bool { return o.accounts > 0 && !o.controls[target.Accounts] }

// want is something that a scenario cannot do without: a control, or what a profile
// tells in its stead.
type want struct {
	control target.Control
	words   []string // of the sentence that wants it
	told    func(o offer, words []string) bool
}

// suffices says whether a scenario that applies can be carried out.
func (o offer) suffices(p *planned) bool { return len(o.lacks(p)) == 0 && o.hint(p) == "" }

// lacks lists the controls for want of which a scenario cannot be carried out.
func (o offer) lacks(p *planned) []target.Control {
	var lacking []target.Control
	lack := func(control target.Control) {
		if !o.controls[control] && !slices.Contains(lacking, control) {
			lacking = append(lacking, control)
		}
	}
	for _, control := range p.needs {
		if control != target.Settlement || !o.stages(p) {
			lack(control)
		}
	}
	for _, w := range p.wants {
		if !w.told(o, w.words) {
			lack(w.control)
		}
	}
	if p.accounts > o.accounts {
		lack(target.Accounts)
	}
	if p.funded && !o.fixed() {
		lack(target.Funds) // a new account has no money
	}
	return lacking
}

// hint is what the profile should tell for a scenario to be carried out; empty when it
// tells enough. On accounts that stay, webhook URLs must stay too: the API has no way to
// remove one and takes three of each type.
func (o offer) hint(p *planned) string {
	paths := p.mailboxes
	if o.fixed() && p.mailboxes > 0 {
		paths = len(places) * o.accounts
	}
	switch {
	case o.paths > 0 && o.paths < paths:
		return fmt.Sprintf("the profile's sink.paths are %d: give at least %d", o.paths, paths)
	case !o.fixed():
		return ""
	case len(p.missing) > 0 && o.unnamed:
		return "give each account of the profile the id by which the test controls know it"
	case p.receives && !o.address:
		return "webhook URLs of an account that stays are registered for good: give the profile a sink.listen with a port of its own, or a sink.url"
	}
	return ""
}

// outside says why a scenario does not apply to the target, whatever is missing; empty
// if it does.
func (o offer) outside(p *planned) string {
	if families := o.unclaimed(p); len(families) > 0 {
		return "a profile that does not claim " + strings.Join(families, ", ")
	}
	for _, s := range p.speaks {
		if s.way != "" && s.way != o.way {
			return fmt.Sprintf("certificates that are shown in %s, by the profile", o.way)
		}
	}
	for _, outcome := range p.brings {
		if !o.sandbox[outcome] {
			return "a profile without a sandbox scenario for " + outcome
		}
	}
	return ""
}

// accountsIn is how many accounts a step speaks of that gives one.
func (s *sentence) accountsIn(step string) int {
	switch {
	case !s.opens:
		return 0
	case strings.HasPrefix(step, "another "):
		return 2
	default:
		return 1
	}
}
