package steps

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/target"
)

// families are those of the API, in the order of its specification. What belongs to
// none, the token and the balance, every target has.
var families = []target.Family{target.Public, target.CentralBank, target.MEDFamily, target.Webhooks}

// ofControls are the families that a control is for; the others serve any.
var ofControls = map[target.Control]target.Family{
	target.Splits:  target.Public,
	target.Charges: target.CentralBank,
	target.Refunds: target.CentralBank,
	target.MED:     target.MEDFamily,
}

// usedBy lists the families that a step makes use of, which speaks the sentence: of the
// requests that it names, of the controls that it needs, and its own.
func (s *sentence) usedBy(step string) []target.Family {
	used := slices.Clone(s.uses)
	for _, word := range s.pattern.FindStringSubmatch(step)[1:] {
		if i := slices.IndexFunc(operations, func(op operation) bool { return op.noun == word }); i >= 0 {
			used = append(used, operations[i].family)
		}
	}
	if strings.Contains(step, "MED case") || strings.Contains(step, "med_") {
		used = append(used, target.MEDFamily)
	}
	for _, control := range s.needsFor(step) {
		used = append(used, ofControls[control])
	}
	return slices.DeleteFunc(used, func(f target.Family) bool { return f == "" })
}

// claims says whether the target offers a family.
func (o offer) claims(f target.Family) bool {
	return f == "" || len(o.families) == 0 || slices.Contains(o.families, f)
}

// unclaimed lists the families that a scenario is about and that the target does not
// claim: it is not applicable then, whatever else is missing.
func (o offer) unclaimed(p *planned) []string {
	var names []string
	for _, f := range families {
		if slices.Contains(p.families, f) && !o.claims(f) {
			names = append(names, string(f))
		}
	}
	return names
}

// claimedOnly are the names of the families where the profile says which it claims.
func (r *run) claimedOnly() []string {
	if len(r.profile.Families) == 0 {
		return nil
	}
	return r.offered.claimed()
}

// claimed are the names of the families that the target claims.
func (o offer) claimed() []string {
	var names []string
	for _, f := range families {
		if o.claims(f) {
			names = append(names, string(f))
		}
	}
	return names
}
