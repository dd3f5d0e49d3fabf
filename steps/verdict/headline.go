package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
)

// headline says what happened, with figures: "A cash-out of R$ 10.00 debited R$ 20.00".
func (s *symptom) headline() string {
	if s.finding.Expected+s.finding.Got == "" {
		return s.rule.Title
	}
	tell := tellings[s.about.Kind]
	switch {
	case notJSON.MatchString(s.finding.Expected):
		return "An event was not JSON: " + s.finding.Got
	case tell == nil:
		tell = tellOther
	}
	return capital(tell(s))
}

var tellings = map[Kind]func(*symptom) string{
	Movement:  tellMovement,
	Rejection: tellOutcome,
	Event:     tellEvent,
	Field:     tellField,
}

// tellMovement: "a cash-out of R$ 10.00 debited R$ 20.00".
func tellMovement(s *symptom) string {
	moved, _, _ := strings.Cut(s.finding.Got, ", from ")
	wanted, by := amount.FindAllString(s.finding.Expected, -1), cmp.Or(amount.FindString(moved), "nothing")
	verb := map[Direction]string{Falls: "debited", Rises: "credited"}[cmp.Or(unlessStays(s.about.Got), s.about.Expected)]
	subject := s.request()
	if s.field == "blocked" || verb == "" || subject == "" || len(wanted) > 1 || s.about.Got != s.about.Expected && s.about.Got != Stays {
		part, want, _ := strings.Cut(s.finding.Expected, " ")
		return fmt.Sprintf("%s%s %s; expected %s", s.circumstance(), part, strings.Replace(moved, "unchanged", "was unchanged", 1), want)
	}
	told := subject + " " + verb + " " + by
	if want := strings.Join(wanted, ""); want != "" && !strings.HasSuffix(subject, " of "+want) || by == "nothing" {
		told += " instead of " + cmp.Or(want, "an amount")
	}
	return told
}

func unlessStays(d Direction) Direction {
	if d == Stays {
		return ""
	}
	return d
}

// tellOutcome: "a cash-out with value 0.001 was accepted with 201; expected rejected with 400".
func tellOutcome(s *symptom) string {
	got := strings.TrimPrefix(s.finding.Got, s.about.Variant+": ")
	outcome := "was rejected with "
	if s.about.Status/100 == 2 {
		outcome = "was accepted with "
	}
	subject := cmp.Or(s.request(), indefinite(s.on))
	if s.about.Variant != "" {
		subject = indefinite(s.on) + ", " + s.about.Variant + ","
	}
	return fmt.Sprintf("%s %s%s; expected %s", subject, outcome, got, s.finding.Expected)
}

// tellEvent: "no cash_out event arrived within 2s".
func tellEvent(s *symptom) string {
	what, deadline, found := strings.Cut(s.finding.Expected, " within ")
	if !found {
		return tellOther(s)
	}
	what, _, _ = strings.Cut(what, " at ")
	if s.finding.Got != "none" {
		return fmt.Sprintf("%sexpected %s within %s, got %s", s.circumstance(), what, deadline, s.finding.Got)
	}
	_, noun, _ := strings.Cut(what, " ")
	return fmt.Sprintf("%sno %s arrived within %s", s.circumstance(), noun, deadline)
}

// tellField: "`originalAmount` in a CashOut event was -10.00; expected R$ 10.00".
func tellField(s *symptom) string {
	_, want, found := strings.Cut(s.finding.Expected, " to be ")
	if s.on == "" || !found || s.isContract() {
		return tellOther(s)
	}
	where := s.circumstance()
	if strings.Contains(s.request(), s.on) {
		where = ""
	}
	field := strings.ReplaceAll(s.field, "[…]", "[]")
	return fmt.Sprintf("%s`%s` in %s was %s; expected %s", where, field, s.response(), s.finding.Got, want)
}

func tellOther(s *symptom) string {
	if s.isContract() && s.on != "" {
		return fmt.Sprintf("%s breaks the contract: %s", s.response(), s.finding.Got)
	}
	where := s.circumstance()
	if s.on != "" && s.about.Kind != Listing {
		where = s.on + ": "
	}
	return fmt.Sprintf("%sexpected %s, got %s", where, cmp.Or(s.finding.Expected, "something else"), s.finding.Got)
}

// response is what the finding is about: "the response to a cash-out".
func (s *symptom) response() string {
	e, request := s.Subject(), s.request()
	switch {
	case e == nil || e.Party != exchange.API:
		return indefinite(s.on)
	case s.Via == "" && strings.Contains(request, s.on):
		return "the response to " + request
	}
	return "the response to " + indefinite(s.on)
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

// circumstance is what was done last: "when the bank confirms the payment, ".
func (s *symptom) circumstance() string {
	if action := s.action(); action != "" {
		return "when " + action + ", "
	}
	return ""
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
