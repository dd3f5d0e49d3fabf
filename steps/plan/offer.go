package plan

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// Offer is what a target offers beyond its API: controls, and settings in its profile.
type Offer struct {
	Controls map[target.Control]bool // that work for the accounts that scenarios use
	has      map[target.Control]bool // all controls of the target
	profile  target.Profile
	unnamed  bool // an account of the profile has no id for the controls
}

// OfferOf returns the offer of a target with these controls and this profile.
func OfferOf(profile target.Profile, controls map[target.Control]bool) Offer {
	o := Offer{Controls: controls, has: controls, profile: profile}
	o.unnamed = slices.ContainsFunc(profile.Accounts, func(a target.Account) bool { return a.AccountID == 0 }) && len(controls) > 0
	if o.Fixed() && o.unnamed {
		o.Controls = maps.Clone(controls)
		maps.DeleteFunc(o.Controls, func(c target.Control, _ bool) bool { return c != target.Directory })
	}
	return o
}

// Fixed reports whether scenarios use the profile's accounts, because no control creates new ones.
func (o Offer) Fixed() bool { return len(o.profile.Accounts) > 0 && !o.Controls[target.Accounts] }

func (s *Scenario) meet(o Offer) {
	s.Outside = o.outside(s)
	s.isGiven = s.funded && !o.Fixed()
	s.Staged = !o.Controls[target.Settlement] && slices.Contains(s.Needs, target.Settlement) && o.stages(s)
	lacking := o.lacks(s)
	for _, control := range lacking {
		s.Missing = append(s.Missing, string(control))
	}
	s.Hint = o.hint(s, lacking)
}

// suffices reports whether a scenario that applies can run.
func (o Offer) suffices(s *Scenario) bool { return len(o.lacks(s)) == 0 && o.hint(s, nil) == "" }

// lacks lists the controls that a scenario needs and the offer lacks.
func (o Offer) lacks(s *Scenario) []target.Control {
	var lacking []target.Control
	lack := func(control target.Control) {
		if !o.Controls[control] {
			lacking = including(lacking, control)
		}
	}
	for _, control := range s.Needs {
		if control != target.Settlement || !o.stages(s) {
			lack(control)
		}
	}
	for _, w := range s.wants {
		if !o.states(w) {
			lack(w.Control)
		}
	}
	if s.Accounts > len(o.profile.Accounts) {
		lack(target.Accounts)
	}
	if s.funded && !o.Fixed() || s.rich { // not s.isGiven, which is that of another offer
		lack(target.Funds) // a new account has no money, and one of the profile only some
	}
	return lacking
}

// states reports whether the profile has the setting that replaces a control.
func (o Offer) states(w language.Want) bool {
	fees, limits := o.profile.Fees, o.profile.Limits
	known := fees.CashOut != "" && fees.CashIn != ""
	switch w.Or {
	case language.FeesStated:
		return known
	case language.NoFeesStated:
		return known && money.OrZero(fees.CashOut) == 0 && money.OrZero(fees.CashIn) == 0
	case language.NoLimitsStated:
		for _, name := range target.AmountLimits {
			if limit := *limits.Named(name); limit == nil || *limit != nil {
				return false
			}
		}
		return true
	default:
		limit := *limits.Named(string(w.Limit))
		return limit != nil && *limit != nil
	}
}

// places is the number of webhook URLs of an account in the profile: one for each type of event,
// and one for resends.
const places = 8

// MayRegister reports whether webhook URLs may be registered: never one that changes from run to run on an existing
// account, from which it could not be removed.
func (o Offer) MayRegister() bool { return !o.Fixed() || isFixedAddress(o.profile.Sink) }

// hint says what to add to the profile so that a scenario can run; empty for nothing. On existing
// accounts every run uses the same webhook URLs: the API cannot remove one, and accepts three of
// each type.
func (o Offer) hint(s *Scenario, lacking []target.Control) string {
	paths, needed := len(o.profile.Sink.Paths), s.Mailboxes
	if o.Fixed() && needed > 0 {
		needed = places * len(o.profile.Accounts)
	}
	switch {
	case paths > 0 && paths < needed:
		return fmt.Sprintf("sink.paths in the profile lists %d paths: list at least %d", paths, needed)
	case !o.Fixed():
		return ""
	case len(lacking) > 0 && o.unnamed:
		return "add the id of each account to the profile: the test controls identify accounts by it"
	case s.registers && !o.MayRegister():
		return "set sink.listen (with a fixed port) or sink.url in the profile: a webhook URL of an existing account cannot be removed"
	case s.needsKey && slices.ContainsFunc(o.profile.Accounts[:min(s.Accounts, len(o.profile.Accounts))], func(a target.Account) bool { return a.PixKey == "" }):
		return "set accounts[].pixKey in the profile: this scenario sends a PIX key of the account"
	}
	return ""
}

// isFixedAddress reports whether the address of a sink has a fixed port, or leaves it to a proxy;
// port 0 differs in every run.
func isFixedAddress(sink target.Sink) bool {
	if u, err := url.Parse(sink.URL); sink.URL != "" && err == nil {
		return u.Port() != "0"
	}
	_, port, err := net.SplitHostPort(sink.Listen)
	return err == nil && port != "" && port != "0"
}

// outside says why a scenario does not apply to the target, regardless of missing controls; empty
// if it does.
func (o Offer) outside(s *Scenario) string {
	var unclaimed []string
	for _, f := range families {
		if slices.Contains(s.families, f) && !o.Claims(f) {
			unclaimed = append(unclaimed, string(f))
		}
	}
	if len(unclaimed) > 0 {
		return "a profile without the families " + strings.Join(unclaimed, ", ")
	}
	way := language.InHeader
	if o.profile.TLS.Handshake {
		way = language.InHandshake
	}
	for _, step := range s.Steps {
		if step.Effects.Way != "" && step.Effects.Way != way {
			return fmt.Sprintf("a profile whose accounts present certificates in %s", way)
		}
	}
	for _, outcome := range s.sandbox {
		if o.profile.SandboxScenarios[outcome] == "" {
			return "a profile without a sandbox scenario for " + outcome
		}
	}
	return ""
}

// --- families ---

// families are the families of the API, in the order of the specification. Tokens and balances
// belong to none: every target offers them.
var families = []target.Family{target.Public, target.CentralBank, target.MEDFamily, target.Webhooks}

// ofControls are the families of a control; other controls serve any family.
var ofControls = map[target.Control]target.Family{
	target.Splits:  target.Public,
	target.Charges: target.CentralBank,
	target.Refunds: target.CentralBank,
	target.MED:     target.MEDFamily,
}

// familiesOf returns the families that a step uses directly, or through its requests and controls.
func familiesOf(e language.Effects) []target.Family {
	all := slices.Clone(e.Families)
	for _, op := range e.Requests {
		all = append(all, op.Family)
	}
	for _, control := range e.Controls {
		all = append(all, ofControls[control])
	}
	return slices.DeleteFunc(all, func(f target.Family) bool { return f == "" })
}

// Claims reports whether the target offers a family.
func (o Offer) Claims(f target.Family) bool {
	return f == "" || len(o.profile.Families) == 0 || slices.Contains(o.profile.Families, f)
}

// Lacks returns the families that the target does not offer.
func (o Offer) Lacks() []target.Family {
	return slices.DeleteFunc(slices.Clone(families), o.Claims)
}

// Claimed returns the families that the target offers.
func (o Offer) Claimed() []string {
	var names []string
	for _, f := range families {
		if o.Claims(f) {
			names = append(names, string(f))
		}
	}
	return names
}
