package baseline

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/steps/verdict"
)

// untested is what need not be tested: scenarios of some rules, because of missing controls or for another reason.
type untested struct {
	Controls []string       `yaml:"controls,omitempty,flow"` // that the scenarios miss, all or some of them
	Because  string         `yaml:"because,omitempty"`       // otherwise
	Rules    map[string]int `yaml:"rules"`                   // how many scenarios at most
	Reason   string         `yaml:"reason,omitempty"`
	Owner    string         `yaml:"owner,omitempty"`
	Expires  string         `yaml:"expires,omitempty"`

	line int
}

// accepts reports whether the entry lists why a scenario of its rules could not be tested.
func (u untested) accepts(s verdict.Scenario) bool {
	_, listed := u.Rules[s.Rule]
	switch {
	case !listed || s.Verdict != verdict.CouldNotTest || s.Blocked() || s.Spoiled: // spoiled: it may fail next time
		return false
	case len(u.Controls) > 0:
		return len(s.Missing) > 0 && !slices.ContainsFunc(s.Missing, func(c string) bool { return !slices.Contains(u.Controls, c) })
	}
	return len(s.Missing) == 0 && verdict.Typical(u.Because) == verdict.Typical(s.WhyUntested())
}

func (u untested) known() verdict.Known {
	return verdict.Known{Reason: cmp.Or(u.Reason, before), Owner: u.Owner, Expires: u.Expires}
}

// before is the reason to accept what an entry lists without one.
const before = "could not be tested before, either"

// acceptUntested marks what could not be tested as known, unless there is more of it in a rule than an entry lists.
func (b *Baseline) acceptUntested(run *verdict.Run, today string) {
	for _, u := range b.untested {
		of := map[string][]int{} // scenarios, by rule
		for i, s := range run.Scenarios {
			if (u.Expires == "" || u.Expires >= today) && s.Known == nil && u.accepts(s) {
				of[s.Rule] = append(of[s.Rule], i)
			}
		}
		for rule, scenarios := range of {
			if len(scenarios) > u.Rules[rule] {
				continue
			}
			for _, i := range scenarios {
				known := u.known()
				run.Scenarios[i].Known = &known
			}
		}
	}
}

const untestedHead = `
# What cannot be tested: because of missing controls, or for another reason. The run is incomplete if
# more scenarios of a rule cannot be tested than listed here, or for another reason.
`

func writeUntested(w io.Writer, all []untested) error {
	if len(all) == 0 {
		return nil
	}
	if _, err := io.WriteString(w, untestedHead); err != nil {
		return err
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	return errors.Join(encoder.Encode(map[string][]untested{"untested": all}), encoder.Close())
}

// untestedOf lists what could not be tested in runs, unless a failure is the reason: one entry for the same missing
// controls, or for the same other reason. What an earlier baseline accepted keeps its reason, owner and expiry.
func untestedOf(runs []*verdict.Run) (all []untested) {
	type group struct{ rule, because string } // which is empty if controls are missing
	var groups []group
	of := map[group]untested{}
	for _, run := range runs {
		counts := map[group]int{}
		for _, s := range listable(run) {
			if s.Verdict != verdict.CouldNotTest || s.Blocked() || s.Spoiled || run.Ended != nil && len(s.Missing) == 0 {
				continue
			}
			g := group{rule: s.Rule}
			if len(s.Missing) == 0 {
				g.because = s.WhyUntested()
			}
			u, known := of[g]
			if !known {
				groups, u = append(groups, g), untested{Because: g.because, Rules: map[string]int{}}
			}
			u.Controls = slices.Sorted(slices.Values(union(u.Controls, s.Missing)))
			if k := s.Known; k != nil {
				u.Reason, u.Owner, u.Expires = strings.TrimPrefix(k.Reason, before), k.Owner, k.Expires
			}
			counts[g]++
			u.Rules[s.Rule] = max(u.Rules[s.Rule], counts[g])
			of[g] = u
		}
	}
	for _, g := range groups {
		u := of[g]
		i := slices.IndexFunc(all, func(other untested) bool {
			return slices.Equal(other.Controls, u.Controls) && other.Because == u.Because && other.known() == u.known()
		})
		if i < 0 {
			all = append(all, u)
			continue
		}
		all[i].Rules[g.rule] = u.Rules[g.rule]
	}
	return all
}

// untested reads an entry.
func (p *problems) untested(node *yaml.Node) untested {
	u := untested{line: node.Line}
	before := len(p.all)
	texts := map[string]*string{"because": &u.Because, "reason": &u.Reason, "owner": &u.Owner, "expires": &u.Expires}
	fields := slices.Concat(slices.Collect(maps.Keys(texts)), []string{"controls", "rules"})
	p.members(node, "an entry", fields, func(name string, value *yaml.Node) bool {
		switch {
		case texts[name] != nil:
			*texts[name] = p.text(name, value)
		case name == "controls":
			u.Controls = p.texts(name, value)
		case name != "rules":
			return false
		case value.Decode(&u.Rules) != nil:
			p.add(value.Line, "rules: expected the number of scenarios by rule, as pixcert baseline prints it")
		}
		if _, err := time.Parse(time.DateOnly, u.Expires); name == "expires" && u.Expires != "" && err != nil {
			p.add(value.Line, "expires: expected a date such as 2026-12-31, got %s", value.Value)
		}
		return true
	})
	switch {
	case node.Kind != yaml.MappingNode || len(p.all) > before:
	case len(u.Rules) == 0:
		p.add(node.Line, "rules: expected the number of scenarios by rule, got none; remove the entry if all can be tested")
	case (len(u.Controls) == 0) == (u.Because == ""):
		p.add(node.Line, "expected controls or because; keep the one that pixcert baseline prints")
	}
	return u
}
