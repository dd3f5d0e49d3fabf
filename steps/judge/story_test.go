package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A story is a scenario with what was recorded of it. Each test below judges its last step and
// compares what that came to, in words.
type story struct {
	steps   string // one a line: "When the account sends a cash-out"; rows of a table start with a bar
	rule    string // "cash-out.rule" unless it matters
	terms   func(*record.Terms)
	entries []record.Entry // those of no step are of the last one
	want    string
}

// tell judges each story of a table.
func tell(t *testing.T, stories map[string]story) {
	t.Helper()
	for name, s := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := s.judged(t)
			assert.Equal(t, s.want, said(r))
			if r.Verdict == verdict.Fail {
				assertTyped(t, *r.Finding)
			}
		})
	}
}

// assertTyped: a finding says as values what its texts say of the movement of a balance, and of the answer to a request.
func assertTyped(t *testing.T, f verdict.Finding) {
	t.Helper()
	texts := verdict.AboutTexts(f.Expected, f.Got)
	isMovement := texts.Kind == verdict.Movement
	assert.Equal(t, isMovement, f.About.Kind == verdict.Movement)
	isOutcome := strings.HasPrefix(f.Expected, "accepted") || strings.HasPrefix(f.Expected, "rejected")
	if isMovement || isOutcome && texts.Kind == verdict.Rejection {
		texts.RightCode = false                 // which is worded in another way today
		if strings.HasPrefix(texts.Code, "(") { // a note on the response, such as that it broke off
			texts.Code = ""
		}
		assert.Equal(t, texts, f.About)
	}
}

// began is when every story begins; an entry is a second after the one before it.
var began = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// judged judges every step of a story, as a run does, and returns what the last one came to.
func (s story) judged(t *testing.T) Result {
	t.Helper()
	j, entries := s.begin(t)
	var r Result
	for i := range j.Steps {
		for _, e := range entries {
			if e.Step == i {
				j.Add(e)
			}
		}
		again := j.Judge(i)
		assert.NotRegexp(t, `map\[|<nil>`, said(again), "values are written as JSON")
		if r = j.Judge(i); !assert.Equal(t, said(again), said(r), "judging is idempotent") || r.Verdict != verdict.Pass {
			return r
		}
	}
	return r
}

// begin reads the steps, and puts the entries into their order and time.
func (s story) begin(t *testing.T) (*Scenario, []record.Entry) {
	t.Helper()
	terms := &record.Terms{
		BasePath: "/gw", TokenPath: "/oauth/token", FeesControl: true,
		Deadlines: target.Deadlines{Webhook: 10 * time.Second, Balance: 5 * time.Second, Quiet: 2 * time.Second},
	}
	if s.terms != nil {
		s.terms(terms)
	}
	steps := stepsOf(t, s.steps)
	entries := make([]record.Entry, len(s.entries))
	for n, e := range s.entries {
		if e.Step == ofLast {
			e.Step = len(steps) - 1
		}
		at := began.Add(time.Duration(n) * time.Second)
		if e.Exchange != nil && e.Exchange.Sent.IsZero() && e.Exchange.Err != unsent {
			e.Exchange.Sent = at
		}
		if e.Fact != nil && e.Fact.At.IsZero() {
			e.Fact.At = at
		}
		entries[n] = e
	}
	return New(cmp.Or(s.rule, "cash-out.rule"), steps, terms), entries
}

func stepsOf(t *testing.T, text string) []language.Step {
	t.Helper()
	var steps []catalogue.Step
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSpace(line)
		if cells, isRow := strings.CutPrefix(line, "|"); isRow {
			last := &steps[len(steps)-1]
			var row []string
			for cell := range strings.SplitSeq(strings.TrimSuffix(cells, "|"), "|") {
				row = append(row, strings.TrimSpace(cell))
			}
			last.Table = append(last.Table, row)
			continue
		}
		keyword, rest, _ := strings.Cut(line, " ")
		types := map[string]catalogue.StepType{"Given": catalogue.Context, "When": catalogue.Action, "Then": catalogue.Outcome}
		require.Contains(t, types, keyword)
		steps = append(steps, catalogue.Step{Keyword: keyword, Text: rest, Type: types[keyword]})
	}
	var all []language.Step
	for _, step := range steps {
		read, err := language.Read(step)
		require.NoError(t, err)
		all = append(all, read)
	}
	return all
}

// How results begin that say nothing of the target.
const (
	couldNot  = "could not test: expected a target that can be brought into the state that this scenario requires, got "
	noRequest = "could not test: expected a request that this step refers to, got none recorded [-1]"
)

// said is a result in words.
func said(r Result) string {
	var words []string
	add := func(form string, args ...any) { words = append(words, fmt.Sprintf(form, args...)) }
	finding := func(f *verdict.Finding) string {
		return fmt.Sprintf("expected %s, got %s [%d]", f.Expected, f.Got, f.Exchange)
	}
	switch {
	case r.Verdict == "":
	case r.Finding == nil:
		add("%s", r.Verdict)
	default:
		add("%s: %s", r.Verdict, finding(r.Finding))
	}
	for _, w := range r.Warnings {
		add("warning: %s", finding(&w))
	}
	for _, o := range r.Observations {
		add("noted: %s", o.Value)
	}
	if r.Missing != "" {
		add("missing: %s", r.Missing)
	}
	if r.Spoiled {
		add("spoiled")
	}
	if r.Unproven {
		add("unproven")
	}
	if r.Look != nil {
		add("look: %s for %v", r.Look.At, r.Look.Patience)
	}
	return strings.Join(words, "; ")
}

// --- entries ---

// ofLast is the step of an entry that belongs to the last one.
const ofLast = -1

// paths are where requests go whose path has parameters.
var paths = map[string]string{
	"cob": "/cob/t7d1234567890123456789012", "refund": "/pix/E607011902026030110000000000001/devolucao/devolucao01",
	"list-by-key request": "/api/pix/transactions/pix-key/a%40b.example",
}

// sent is a request of a step with its response.
func sent(step int, noun, body string, status int, answer string) record.Entry {
	e := &exchange.Exchange{
		Party: exchange.API, Operation: noun, Method: http.MethodPost, Status: status,
		Body: []byte(body), ResponseBody: []byte(answer), ResponseHeader: http.Header{"Content-Type": {"application/json"}},
	}
	if op := api.Named(noun); op != nil {
		e.Method, e.URL = op.Method, "https://gw.example/gw"+cmp.Or(paths[noun], op.Path, "/oauth/token")
	}
	if body != "" {
		e.Header = http.Header{"Content-Type": {"application/json"}}
	}
	if status == 0 {
		e.Err, e.ResponseBody = answer, nil
	}
	return record.Entry{Step: step, Exchange: e}
}

// looked is a request that the judge asked for in the last step.
func looked(noun string, status int, answer string) record.Entry {
	return as(record.Look, sent(ofLast, noun, "", status, answer))
}

func as(role record.Role, e record.Entry) record.Entry {
	e.Role = role
	return e
}

// atOnce are requests that a step sent beside each other.
func atOnce(entries ...record.Entry) []record.Entry {
	for i := range entries {
		entries[i].AtOnce = true
	}
	return entries
}

func inVariant(name string, e record.Entry) record.Entry {
	e.Variant = name
	return e
}

func byOther(e record.Entry) record.Entry {
	e.Account = language.TheOther
	return e
}

// unsent is why a request was not sent.
const unsent = "not sent: the target had stopped responding"

// called is a call of a control.
func called(control target.Control, answer string) record.Entry {
	return record.Entry{Step: ofLast, Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(control), Status: 200, ResponseBody: []byte(answer)}}
}

// openedCase is what the world records of a MED case with an id.
func openedCase(step int, id, endToEndID string) []record.Entry {
	return list(nil, control(step, target.MED, http.MethodPost, "/meds", 201, `{"endToEnd":"`+endToEndID+`"}`, `{"id":`+id+`}`),
		fact(step, record.Fact{Kind: record.Opening, Text: id, Of: endToEndID}))
}

// movedCase is what it records of a case that was moved to a state.
func movedCase(step int, id, status, result string) []record.Entry {
	return list(nil, control(step, target.MED, http.MethodPatch, "/meds/"+id, 200, `{"status":"`+status+`","analysisResult":"`+result+`"}`, ``),
		fact(step, record.Fact{Kind: record.CaseMoved, Text: id, Of: status}))
}

// came is an event that arrived at a URL while the last step was carried out.
func came(url, body string) record.Entry {
	return record.Entry{Step: ofLast, Exchange: &exchange.Exchange{Party: exchange.Webhook, Method: http.MethodPost, URL: url, Body: []byte(body), Status: 200, Header: http.Header{}}}
}

func with(header, value string, e record.Entry) record.Entry {
	e.Exchange.Header.Add(header, value)
	return e
}

// during puts an entry into a step.
func during(step int, e record.Entry) record.Entry {
	e.Step = step
	return e
}

func fact(step int, f record.Fact) record.Entry { return record.Entry{Step: step, Fact: &f} }

func stopped(o record.Obstacle) record.Entry { return record.Entry{Step: ofLast, Obstacle: &o} }

// opened is an account of the profile, which has a history.
func openedFixed() record.Entry { return fact(0, record.Fact{Kind: record.Opened, Yes: true}) }

func subscribed(eventType, url string) record.Entry {
	return fact(0, record.Fact{Kind: record.Subscribed, Text: eventType, Of: url})
}

func silence() record.Entry {
	return fact(ofLast, record.Fact{Kind: record.Quiet, For: 2 * time.Second})
}

// balance is the response to a balance request.
func balance(available, blocked string) string {
	return fmt.Sprintf(`{"data":[{"balanceAmount":{"available":%s,"blocked":%s}}]}`, available, blocked)
}

// before is the balance by which the sentences of a When are measured.
func before(step int, available, blocked string) record.Entry {
	return as(record.Before, sent(step, "balance request", "", 200, balance(available, blocked)))
}

func list(entries []record.Entry, more ...record.Entry) []record.Entry {
	return append(entries, more...)
}
