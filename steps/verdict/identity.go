package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Kinds are all kinds of findings.
var Kinds = []Kind{Rejection, Movement, Field, Listing, Event, Other}

// Directions are all directions.
var Directions = []Direction{Falls, Rises, Stays}

// Identity is what a failure is: equal for the same failure in two runs, in whichever words it is reported.
type Identity struct {
	Operation string    // that the finding is about; empty for none, or if its exchange was not kept
	About     About     // always has a kind; the status of a breach of the contract is that of the response
	Field     string    // without indexes: data[].status
	Texts     Signature // of the kind Other only, about which nothing else is known
}

// Identity is that of a failing scenario; of the kind Other if it has no finding.
func (s Scenario) Identity() Identity {
	if s.Finding == nil {
		return Identity{About: About{Kind: Other}}
	}
	f := s.Finding
	about, field := f.About, index.ReplaceAllString(cut(f.Field), "[]")
	switch about.Kind = cmp.Or(about.Kind, Other); {
	case about.Kind != Other:
	case field == "data":
		about.Kind = Listing
	case field != "":
		about.Kind = Field
	}
	about.Code, about.Variant, about.RightCode = cut(about.Code), Typical(about.Variant), false
	if e := s.Subject(); e != nil && e.Party == exchange.API && s.ofContract() && about.Kind == Field {
		about.Status = e.Status
	}
	return IdentityOf(s.Operation(), about, field, f.Expected, f.Got)
}

// IdentityOf is the identity of a failure that was written down.
func IdentityOf(operation string, about About, field, expected, got string) Identity {
	i := Identity{Operation: operation, About: about, Field: field}
	if about.Kind == Other {
		i.Texts = SignatureOf("", expected, got)
		if i.Texts.IsMisfit() {
			i.Operation = ""
		}
	}
	return i
}

// Matches reports whether two failures are the same. An unknown operation matches any: a run may have had no room to
// keep the exchange that shows it. Then the status of the response is unknown, too.
func (a Identity) Matches(b Identity) bool {
	if a.Operation == "" || b.Operation == "" {
		a.Operation, b.Operation = "", ""
		if a.About.Kind == Field && b.About.Kind == Field {
			a.About.Status, b.About.Status = 0, 0
		}
	}
	return a == b
}

// IsTyped reports whether the finding of a failing scenario says what it is. Reports of earlier versions have texts
// only.
func (s Scenario) IsTyped() bool { return s.Finding != nil && s.Finding.About.Kind != "" }

// FailsLike reports whether two failures are the same, apart from how much is wrong. If the report of one has texts
// only, those are compared.
func (s Scenario) FailsLike(other Scenario) bool {
	if !s.IsTyped() || !other.IsTyped() {
		return s.Signature().Matches(other.Signature())
	}
	a := s.Identity()
	return a.Matches(other.Identity()) && !s.Values().Contradicts(other.Values())
}

// Values are what the texts of a finding quote: what was received, and events. They tell failures of one kind apart,
// like [Amounts].
type Values struct {
	got    string // a value as it was received, or the states and codes that it quotes; without ids, amounts and times
	events string // what was expected and what arrived, by name
}

var (
	events   = regexp.MustCompile(`\b((cash|refund)_(in|out)|med_[a-z]+)\b`)
	arrivals = regexp.MustCompile(`\b((cash|refund)_(in|out)|med_[a-z]+|[A-Z]+_?[A-Z]{2,})\b`) // and their states
	scalar   = regexp.MustCompile(`^("[^"]*"|(R\$ )?-?\d[\d.]*|absent|null|true|false)(, (a (string|number|boolean)|not a string))?$`)
	quoted   = regexp.MustCompile(`"[^"]*"`)
)

// ValuesOf are those of a finding of a kind.
func ValuesOf(kind Kind, expected, got string) Values {
	switch kind {
	case Event:
		wanted := slices.Compact(slices.Sorted(slices.Values(events.FindAllString(expected, -1))))
		return Values{events: strings.Join(wanted, " ") + "\n" + strings.Join(arrivals.FindAllString(got, -1), " ")}
	case Field, Listing:
		if one := scalar.FindStringSubmatch(got); one != nil {
			return Values{got: Typical(one[1])}
		}
		var codes []string
		for _, text := range quoted.FindAllString(cut(got), -1) {
			if code.MatchString(text) {
				codes = append(codes, text)
			}
		}
		return Values{got: strings.Join(codes, " ")}
	}
	return Values{}
}

// Values are those of a failing scenario.
func (s Scenario) Values() Values {
	if s.Finding == nil {
		return Values{}
	}
	return ValuesOf(s.Identity().About.Kind, s.Finding.Expected, s.Finding.Got)
}

// Contradicts reports whether another value was received, or another event.
func (a Values) Contradicts(b Values) bool {
	return a.got != "" && b.got != "" && a.got != b.got || a.events != b.events
}
