package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// it is the last request of a sentence, which Then sentences speak of.
func (s *scenario) it() (*attempt, error) {
	if len(s.attempts) == 0 {
		return nil, fmt.Errorf("the scenario has sent nothing")
	}
	return s.attempts[len(s.attempts)-1], nil
}

// is judges the last answer: "it is accepted", "it should be refused with 400 CODE".
// What should be, and is not, is a warning.
func (s *scenario) is(ctx context.Context, must, clause string) error {
	t, err := s.it()
	if err != nil {
		return err
	}
	e, err := parseExpectation(clause)
	if err != nil {
		return err
	}
	finding := e.judge(t)
	switch {
	case finding == nil:
		if e.mayRefuse() && !t.accepted() {
			return s.leftNothing(ctx, t)
		}
		return nil
	case must == "should be" && t.status() != 0 && t.status() < 500:
		s.warn(*finding)
		return nil
	default:
		return &failure{Finding: *finding}
	}
}

// leftNothing: a refusal moves no money, lists no transaction and registers nothing.
func (s *scenario) leftNothing(ctx context.Context, t *attempt) error {
	err := s.tracesOf(ctx, t)
	var f *failure
	if errors.As(err, &f) && t.status() >= 500 { // what a gateway keeps of an order that it could not carry out is left open
		s.warn(f.Finding)
		return nil
	}
	return err
}

// tracesOf looks for what a refused request has left behind.
func (s *scenario) tracesOf(ctx context.Context, t *attempt) error {
	if t.op.id == "registerWebhook" {
		return s.registeredNothing(ctx, t)
	}
	if t.op.makes == payment || t.op.makes == refund && s.aloneInWhen(t) {
		if err := s.movedNothing(ctx, t); err != nil {
			return err
		}
	}
	if t.op.makes == payment || t.op.makes == charge {
		return s.listedNothing(ctx, t)
	}
	return nil
}

// aloneInWhen: nothing but the request has been done since the When began. What becomes
// of an earlier refund, and when its money moves, is left open.
func (s *scenario) aloneInWhen(t *attempt) bool {
	return !slices.ContainsFunc(s.result.Exchanges[:t.index], func(e exchange.Exchange) bool {
		return e.Sent.After(s.since) && e.Method != http.MethodGet && e.Party != exchange.Webhook && e.Operation != "token request"
	})
}

// answerHas holds the fields of the last answer against a table of phrases, or those of
// every refusal among several answers: "the others have:".
func (s *scenario) answerHas(ctx context.Context, whose string, table *godog.Table) error {
	if whose == "others have" {
		return s.othersHave(ctx, table)
	}
	t, err := s.it()
	if err != nil {
		return err
	}
	if t.answer == nil {
		return s.fail(t, "a JSON body", t.summary(), "")
	}
	return s.has(ctx, t, t.answer, table)
}

// has holds the fields of value, which came with the attempt t, against a table.
func (s *scenario) has(ctx context.Context, t *attempt, value any, table *godog.Table) error {
	for _, row := range pairs(table) {
		field, phrase := row[0], row[1]
		ok, err := s.fieldIs(ctx, t, value, field, phrase)
		if err != nil {
			return err
		}
		if !ok {
			v, present := lookup(value, field)
			return s.fail(t, fmt.Sprintf("%s to be %s", field, phrase), found{v, present}.String(), "")
		}
	}
	return nil
}

// fieldIs tells whether a field is what a phrase says, or one of the phrases that "or"
// joins.
func (s *scenario) fieldIs(ctx context.Context, t *attempt, value any, field, phrases string) (bool, error) {
	v, present := lookup(value, field)
	for _, phrase := range strings.Split(phrases, " or ") {
		holds, err := s.phrase(ctx, t, phrase)
		if err != nil {
			return false, err
		}
		if holds(found{v, present}) {
			return true, nil
		}
	}
	return false, nil
}

// phrase finds the meaning of a phrase, also of those that speak of the scenario.
func (s *scenario) phrase(ctx context.Context, t *attempt, phrase string) (func(found) bool, error) {
	if f, ok := shape(phrase); ok {
		return f, nil
	}
	switch phrase {
	case "the path of the call":
		return func(f found) bool { return isPath(f.value, t.path(s)) }, nil
	case "the time of the call":
		return func(f found) bool { return isNear(f.value, t.exchange.Sent) }, nil
	case "the method of the call":
		return func(f found) bool { return f.value == t.op.method }, nil
	case "the code":
		return func(f found) bool { return f.value == t.code() }, nil
	case "the available balance", "the blocked balance", "the available and the blocked balance":
		b, err := s.balanceOf(ctx, t.actor)
		if err != nil {
			return nil, err
		}
		want := map[string]centavos{
			"the available balance":                 b.available,
			"the blocked balance":                   b.blocked,
			"the available and the blocked balance": b.available + b.blocked,
		}[phrase]
		return func(f found) bool { got, ok := amountOf(f.value); return ok && got == want }, nil
	}
	for _, p := range phrasesOfAnswers {
		if m := p.form.FindStringSubmatch(phrase); m != nil {
			return p.means(ctx, s, t, m)
		}
	}
	return nil, fmt.Errorf("%q is no phrase for a value", phrase)
}

// answerPhrase is a phrase that speaks of the scenario: of what was sent, answered, or
// stands beside.
type answerPhrase struct {
	form  *regexp.Regexp
	means func(ctx context.Context, s *scenario, t *attempt, m []string) (func(found) bool, error)
}

// phrasesOfAnswers are those phrases; the first that matches counts.
var phrasesOfAnswers = []answerPhrase{
	{exactly(`another than the first (\S+)`), func(_ context.Context, s *scenario, _ *attempt, m []string) (func(found) bool, error) {
		same, err := s.firstAnswered(m[1])
		return func(f found) bool { return f.present && !same(f) }, err
	}},
	{exactly(`the first (\S+)`), func(_ context.Context, s *scenario, _ *attempt, m []string) (func(found) bool, error) {
		return s.firstAnswered(m[1])
	}},
	{exactly(`the (\S+) sent`), func(_ context.Context, _ *scenario, t *attempt, m []string) (func(found) bool, error) {
		return sameAsSent(t, m[1])
	}},
	{exactly(`(the \S+ of the event|the \S+ answered|its endToEndId)`), func(ctx context.Context, s *scenario, _ *attempt, m []string) (func(found) bool, error) {
		want, _, err := s.phrased(ctx, m[1])
		return func(f found) bool { return f.present && f.value == want }, err
	}},
	{exactly(`(\d+) seconds after (\S+)`), func(_ context.Context, _ *scenario, t *attempt, m []string) (func(found) bool, error) {
		from, _ := lookup(t.answer, m[2])
		return func(f found) bool { return isAfter(f.value, from, time.Duration(atoi(m[1]))*time.Second) }, nil
	}},
	{exactly(`a picture of the (\S+)`), func(_ context.Context, _ *scenario, t *attempt, m []string) (func(found) bool, error) {
		code, _ := lookup(t.answer, m[1])
		return func(f found) bool { return isPictureOf(f.value, fmt.Sprint(code)) }, nil
	}},
	{exactly(`the (\S+)`), func(_ context.Context, _ *scenario, t *attempt, m []string) (func(found) bool, error) {
		beside, ok := lookup(t.answer, m[1])
		return func(f found) bool { return ok && f.present && equal(f.value, beside) }, nil
	}},
}

// isAfter: a UTC time that long after another, give or take a few seconds.
func isAfter(v, from any, by time.Duration) bool {
	if !isUTC(v) || !isUTC(from) {
		return false
	}
	later, _ := time.Parse(time.RFC3339Nano, v.(string))
	earlier, _ := time.Parse(time.RFC3339Nano, from.(string))
	return (later.Sub(earlier) - by).Abs() <= 5*time.Second
}

// isNear: a UTC time within half an hour, so that clocks may differ and zones may not.
func isNear(v any, sent time.Time) bool {
	if !isUTC(v) {
		return false
	}
	at, err := time.Parse(time.RFC3339Nano, v.(string))
	return err == nil && at.Sub(sent).Abs() < 30*time.Minute
}

// isPath: the path of the request, escaped or not, whatever prefix the base URL or a
// query puts around it.
func isPath(v any, path string) bool {
	p, _ := v.(string)
	p, _, _ = strings.Cut(p, "?")
	plain, err := url.PathUnescape(path)
	return strings.HasSuffix(p, path) || err == nil && strings.HasSuffix(p, plain)
}

// firstAnswered: the value of a field in the first accepted answer that has it.
func (s *scenario) firstAnswered(field string) (func(found) bool, error) {
	for _, t := range s.attempts {
		if v, ok := lookup(t.answer, field); ok && t.accepted() {
			return func(f found) bool { return f.present && equal(f.value, v) }, nil
		}
	}
	return nil, &unable{reason: "no accepted answer of this scenario has a " + field}
}

func sameAsSent(t *attempt, field string) (func(found) bool, error) {
	raw, ok := t.sent(field)
	if !ok && field == "chave" && t.actor.pixKey == "" {
		return nil, unknownKey
	}
	if !ok {
		return nil, fmt.Errorf("the %s has no field %s", t.op.noun, field)
	}
	sent, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return func(f found) bool { return f.present && equal(f.value, sent) }, nil
}

// fieldShould: "its message should be 2 texts"; otherwise a warning.
func (s *scenario) fieldShould(ctx context.Context, field, phrase string) error {
	t, err := s.it()
	if err != nil {
		return err
	}
	want := phrase
	if _, ok := shape(phrase); !ok && phrase == strings.ToUpper(phrase) {
		want = fmt.Sprintf("%q", phrase) // a code, written bare
	}
	ok, err := s.fieldIs(ctx, t, t.answer, field, want)
	if err != nil || ok {
		return err
	}
	v, present := lookup(t.answer, field)
	s.warn(verdict.Finding{
		Expected: fmt.Sprintf("%s to be %s, preferably", field, phrase),
		Came:     found{v, present}.String(),
		Exchange: t.index,
	})
	return nil
}

func (s *scenario) codeIsNoneOf(table *godog.Table) error {
	t, err := s.it()
	if err != nil {
		return err
	}
	for _, row := range table.Rows {
		if t.code() == row.Cells[0].Value {
			return s.fail(t, "a code other than "+t.code(), t.summary(), "")
		}
	}
	return nil
}

// comparisons are what a sentence can say of the last two refusals.
var comparisons = map[string]func(a, b *attempt) bool{
	"have the same status and code": func(a, b *attempt) bool {
		return a.status() == b.status() && a.code() == b.code()
	},
	"have the same status, code, messages and details": func(a, b *attempt) bool {
		return a.status() == b.status() && sameFields(a, b, "code", "message", "userMessage", "details")
	},
	"have an errorId of their own": func(a, b *attempt) bool {
		x, _ := lookup(a.answer, "errorId")
		y, _ := lookup(b.answer, "errorId")
		return x != nil && y != nil && !equal(x, y)
	},
}

func sameFields(a, b *attempt, fields ...string) bool {
	for _, field := range fields {
		x, inA := lookup(a.answer, field)
		y, inB := lookup(b.answer, field)
		if inA != inB || !equal(x, y) {
			return false
		}
	}
	return true
}

func (s *scenario) bothRefusals(comparison string) error {
	compare, ok := comparisons[comparison]
	if !ok || len(s.attempts) < 2 {
		return fmt.Errorf("cannot compare: both refusals %s", comparison)
	}
	a, b := s.attempts[len(s.attempts)-2], s.attempts[len(s.attempts)-1]
	for _, t := range []*attempt{a, b} {
		if t.status() < 400 {
			return s.fail(t, "two refusals", t.summary(), "")
		}
	}
	if !compare(a, b) {
		return s.fail(b, "two refusals that "+comparison,
			fmt.Sprintf("%d %s and %d %s", a.status(), a.exchange.ResponseBody, b.status(), b.exchange.ResponseBody), "")
	}
	return nil
}

// bothDiffer: the last two answers, or events, differ in a field that identifies.
func (s *scenario) bothDiffer(what, field string) error {
	if what == "events" {
		return s.eventsDiffer(field)
	}
	if len(s.attempts) < 2 {
		return fmt.Errorf("the scenario has sent fewer than two requests")
	}
	a, b := s.attempts[len(s.attempts)-2], s.attempts[len(s.attempts)-1]
	x, _ := lookup(a.answer, field)
	y, present := lookup(b.answer, field)
	if !present || equal(x, y) {
		return s.fail(b, "another "+field+" than that of the answer before", found{y, present}.String(), "")
	}
	return nil
}
