package verdict

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
)

// headline says what happened, with figures: "A cash-out of R$ 10.00 debited R$ 20.00".
func (s *symptom) headline(in translation.Language) string {
	if s.finding.Expected+s.finding.Got == "" {
		return s.rule.Title
	}
	tell := tellings[s.about.Kind]
	switch {
	case notJSON.MatchString(s.finding.Expected):
		return in.Sayf("An event was not JSON: %s", s.finding.Got)
	case tell == nil:
		tell = telling.other
	}
	return capital(tell(telling{s, in}))
}

// telling is a symptom as a headline tells it, in a language. Steps are cited in English, as features have them.
type telling struct {
	*symptom
	in translation.Language
}

var tellings = map[Kind]func(telling) string{
	Movement:  telling.movement,
	Rejection: telling.outcome,
	Event:     telling.event,
	Field:     telling.wrongField,
}

// movement: "a cash-out of R$ 10.00 debited R$ 20.00".
func (s telling) movement() string {
	moved, _, _ := strings.Cut(s.finding.Got, ", from ")
	wanted, by := amount.FindAllString(s.finding.Expected, -1), cmp.Or(amount.FindString(moved), s.in.Say("nothing"))
	moves := cmp.Or(unlessStays(s.about.Got), s.about.Expected)
	subject := s.in.Request(s.request())
	if s.field == "blocked" || moves != Falls && moves != Rises || subject == "" || len(wanted) > 1 || s.about.Got != s.about.Expected && s.about.Got != Stays {
		part, want, _ := strings.Cut(s.finding.Expected, " ")
		return s.circumstance() + s.in.Sayf("%s %s; expected %s", s.in.Recorded(part), s.in.Recorded(strings.Replace(moved, "unchanged", "was unchanged", 1)), s.in.Recorded(want))
	}
	want := strings.Join(wanted, "")
	if amount.FindString(moved) != "" && (want == "" || strings.HasSuffix(s.request(), " of "+want)) {
		if moves == Rises {
			return s.in.Sayf("%s credited %s", subject, by)
		}
		return s.in.Sayf("%s debited %s", subject, by)
	}
	want = cmp.Or(want, s.in.Say("an amount"))
	if moves == Rises {
		return s.in.Sayf("%s credited %s instead of %s", subject, by, want)
	}
	return s.in.Sayf("%s debited %s instead of %s", subject, by, want)
}

func unlessStays(d Direction) Direction {
	if d == Stays {
		return ""
	}
	return d
}

// outcome: "a cash-out with value 0.001 was accepted with 201; expected rejected with 400".
func (s telling) outcome() string {
	got, want := strings.TrimPrefix(s.finding.Got, s.about.Variant+": "), s.in.Recorded(s.finding.Expected)
	subject := s.in.Request(indefinite(s.on))
	if request := s.request(); strings.Contains(request, s.on) || strings.HasPrefix(request, "the ") { // "the request again"
		subject = s.in.Request(request)
	}
	if s.about.Variant != "" {
		subject = s.in.Sayf("%s, %s,", s.in.Request(indefinite(s.on)), s.about.Variant)
	}
	if s.about.Status/100 == 2 {
		return s.in.Sayf("%s was accepted with %s; expected %s", subject, s.in.Recorded(got), want)
	}
	return s.in.Sayf("%s was rejected with %s; expected %s", subject, got, want)
}

// event: "no cash_out event arrived within 2s".
func (s telling) event() string {
	what, deadline, found := strings.Cut(s.finding.Expected, " within ")
	if !found {
		return s.other()
	}
	what, _, _ = strings.Cut(what, " at ")
	if s.finding.Got != "none" {
		return s.circumstance() + s.in.Sayf("expected %s within %s, got %s", s.in.Recorded(what), deadline, s.in.Recorded(s.finding.Got))
	}
	_, noun, _ := strings.Cut(what, " ")
	return s.circumstance() + s.in.Sayf("no %s arrived within %s", s.in.Recorded(noun), deadline)
}

// wrongField: "`originalAmount` in a CashOut event was -10.00; expected R$ 10.00".
func (s telling) wrongField() string {
	_, want, found := strings.Cut(s.finding.Expected, " to be ")
	if s.on == "" || !found || s.isContract() {
		return s.other()
	}
	where := s.circumstance()
	if strings.Contains(s.request(), s.on) {
		where = ""
	}
	field := strings.ReplaceAll(s.field, "[…]", "[]")
	return where + s.in.Sayf("`%s` in %s was %s; expected %s", field, s.response(), s.in.Recorded(s.finding.Got), s.in.Recorded(want))
}

func (s telling) other() string {
	if s.isContract() && s.on != "" {
		return s.in.Sayf("%s breaks the contract: %s", s.response(), s.in.Recorded(s.finding.Got))
	}
	where := s.circumstance()
	if s.on != "" && s.about.Kind != Listing {
		where = s.in.Recorded(s.on) + ": "
	}
	return where + s.in.Sayf("expected %s, got %s", cmp.Or(s.in.Recorded(s.finding.Expected), s.in.Say("something else")), s.in.Recorded(s.finding.Got))
}

// response is what the finding is about: "the response to a cash-out".
func (s telling) response() string {
	e, request := s.Subject(), s.request()
	switch {
	case e == nil || e.Party != exchange.API:
		return s.in.Request(indefinite(s.on))
	case s.Via == "" && strings.Contains(request, s.on):
		return s.in.Sayf("the response to %s", s.in.Request(request))
	}
	return s.in.Sayf("the response to %s", s.in.Request(indefinite(s.on)))
}

// circumstance is what was done last: "when the bank confirms the payment, ".
func (s telling) circumstance() string {
	if action := s.action(); action != "" {
		return s.in.Sayf("when %s, ", action)
	}
	return ""
}

// order is the last request that may have changed something; empty for none.
func (s *symptom) order() string {
	for _, act := range slices.Backward(s.acts) {
		if !slices.Contains(controls, act) {
			return act
		}
	}
	return ""
}

// request is what the scenario sent last, as a noun: "a cash-out of R$ 10.00". Of a failure that another scenario found, only the
// operation is known.
func (s *symptom) request() string {
	if order := s.order(); s.Via != "" && order != "" {
		return indefinite(order)
	}
	_, sent, _ := strings.Cut(s.action(), " sends ")
	return sent
}

// action is the last one, unless it is too long for a headline.
func (s *symptom) action() string {
	const longest = 100
	action, _, _ := strings.Cut(s.LastAction(), " for every ")
	if len(action) > longest {
		return ""
	}
	return action
}

// capital makes the first letter one, unless it is that of a name in backticks.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// indefinite is a noun with its article; "a request" for none.
func indefinite(noun string) string {
	switch {
	case noun == "":
		return "a request"
	case strings.ContainsRune("aeiouAEIO", rune(noun[0])):
		return "an " + noun
	}
	return "a " + noun
}
