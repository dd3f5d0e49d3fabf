package verdict

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
)

// jsonSchema is the number of verdict.json's shape. It grows when a member is
// removed, renamed or changes its meaning; a new member leaves it as it is.
const jsonSchema = 1

// jsonReport is verdict.json. Times are RFC 3339 in UTC, durations milliseconds
// with a fraction, verdicts and the outcome the words of Verdict and Outcome.
// Everything is in the order of the features, whatever the order of the run.
type jsonReport struct {
	Schema          int               `json:"schema"`
	Pixcert         string            `json:"pixcert"` // version
	RunID           string            `json:"runId"`
	Target          string            `json:"target"`
	Arguments       []string          `json:"arguments"` // of the command, that name the target; none for the bundled reference
	Seed            int64             `json:"seed"`
	Concurrency     int               `json:"concurrency"`
	Selection       string            `json:"selection"` // empty for everything
	Controls        []string          `json:"controls"`  // that the target has
	Started         time.Time         `json:"started"`
	TookMs          float64           `json:"tookMs"`
	Outcome         Outcome           `json:"outcome"`
	ExitStatus      int               `json:"exitStatus"`
	Counts          jsonCounts        `json:"counts"`
	Families        []string          `json:"families,omitempty"` // that the profile claims; absent for all
	Reach           Reach             `json:"reach"`              // how far the rules were judged
	MissingControls []jsonMissing     `json:"missingControls"`
	Unlocks         []Unlock          `json:"unlocks"` // what would let more be tested, each beside those before it
	Features        []jsonFeature     `json:"features"`
	Observations    []jsonObservation `json:"observations"`
}

type jsonCounts struct {
	Rules     jsonVerdicts `json:"rules"`
	Scenarios jsonVerdicts `json:"scenarios"`
	Exchanges int          `json:"exchanges"`
}

type jsonVerdicts struct {
	Total         int `json:"total"`
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Warning       int `json:"warning"`
	NotApplicable int `json:"notApplicable"`
	CouldNotTest  int `json:"couldNotTest"`
	SuiteError    int `json:"suiteError"`
}

type jsonMissing struct {
	Control string   `json:"control"`
	Rules   []string `json:"rules"` // that could not be tested, or not wholly
}

type jsonFeature struct {
	Name  string     `json:"name"`
	File  string     `json:"file"`
	Rules []jsonRule `json:"rules"`
}

type jsonRule struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"`
	Verdict   Verdict        `json:"verdict"`
	Scenarios []jsonScenario `json:"scenarios"`
}

type jsonScenario struct {
	ID              string         `json:"id"` // as pixcert replay takes it
	Name            string         `json:"name"`
	Line            int            `json:"line"`
	Via             string         `json:"via,omitempty"` // rule/scenario that met a breach of the wire contract
	Verdict         Verdict        `json:"verdict"`
	Started         time.Time      `json:"started"`
	TookMs          float64        `json:"tookMs"`
	Finding         *jsonFinding   `json:"finding,omitempty"`
	Warnings        []jsonFinding  `json:"warnings,omitempty"`
	MissingControls []string       `json:"missingControls,omitempty"`
	Steps           []jsonStep     `json:"steps"`
	ExchangeCount   int            `json:"exchangeCount"`
	LeftOut         int            `json:"exchangesLeftOut,omitempty"` // for want of room in the run
	Exchanges       []jsonExchange `json:"exchanges,omitempty"`        // of what is not a pass
}

type jsonFinding struct {
	Expected string `json:"expected"`
	Came     string `json:"came"`
	Hint     string `json:"hint,omitempty"`
	Exchange *int   `json:"exchange,omitempty"` // index into exchanges
}

type jsonStep struct {
	Keyword string     `json:"keyword"`
	Text    string     `json:"text"`
	Table   [][]string `json:"table,omitempty"`
	Verdict Verdict    `json:"verdict,omitempty"` // absent when it was not reached
}

type jsonExchange struct {
	Party     exchange.Party `json:"party"`
	Step      int            `json:"step"` // index into steps
	Operation string         `json:"operation"`
	Method    string         `json:"method"`
	URL       string         `json:"url"`
	Handshake string         `json:"clientCertificate,omitempty"` // shown in the TLS handshake: its SHA-256, or "none"
	Headers   http.Header    `json:"headers"`
	Body      *jsonBody      `json:"body,omitempty"`
	Program   []string       `json:"program,omitempty"`    // that was run instead of sending a request
	Exit      *int           `json:"exitStatus,omitempty"` // of the program; -1 when it did not end by itself
	Response  *jsonResponse  `json:"response,omitempty"`   // absent when none came
	Error     string         `json:"error,omitempty"`
	Sent      time.Time      `json:"sent"`
	TookMs    float64        `json:"tookMs"`
}

type jsonResponse struct {
	Status    int         `json:"status"`
	Headers   http.Header `json:"headers"`
	Body      *jsonBody   `json:"body,omitempty"`
	Truncated bool        `json:"truncated,omitempty"` // longer than the suite reads
}

// jsonBody is a body as text when that is UTF-8, else as base64. Of a long one
// the beginning is kept and cut is true; bytes is its whole length.
type jsonBody struct {
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
	Bytes  int     `json:"bytes"`
	Cut    bool    `json:"cut,omitempty"`
}

type jsonObservation struct {
	Point     string     `json:"point"`
	Question  string     `json:"question"`
	Permitted string     `json:"permitted"`
	Seen      []jsonSeen `json:"seen"` // empty when no scenario came to it
}

type jsonSeen struct {
	Value     string   `json:"value"`
	Scenarios []string `json:"scenarios"` // rule/scenario
}

func writeJSON(w io.Writer, run *Run) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(run.json())
}

func (r *Run) json() jsonReport {
	summary := r.Summary()
	report := jsonReport{
		Schema:          jsonSchema,
		Pixcert:         r.Version,
		RunID:           r.ID,
		Target:          r.Target,
		Arguments:       append([]string{}, r.Arguments...),
		Seed:            r.Seed,
		Concurrency:     r.Concurrency,
		Selection:       r.Selection,
		Controls:        append([]string{}, r.Controls...),
		Started:         r.Started.UTC(),
		TookMs:          milliseconds(r.Took),
		Outcome:         r.Outcome(),
		ExitStatus:      r.Outcome().ExitStatus(),
		Counts:          jsonCounts{Rules: summary.Rules.json(), Scenarios: summary.Scenarios.json()},
		Families:        r.Families,
		Reach:           r.Reach(),
		MissingControls: []jsonMissing{},
		Unlocks:         append([]Unlock{}, r.Unlocks...),
		Features:        []jsonFeature{},
		Observations:    []jsonObservation{},
	}
	for _, s := range r.Scenarios {
		report.Counts.Exchanges += s.ExchangeCount
	}
	missing := r.MissingControls()
	for _, control := range slices.Sorted(maps.Keys(missing)) {
		report.MissingControls = append(report.MissingControls, jsonMissing{control, missing[control]})
	}
	for _, feature := range r.features() {
		wire := jsonFeature{Name: feature.Name, File: feature.File}
		for _, rule := range feature.Rules {
			wire.Rules = append(wire.Rules, rule.json())
		}
		report.Features = append(report.Features, wire)
	}
	for _, o := range r.Observations() {
		wire := jsonObservation{o.Name, o.Question, o.Permitted, []jsonSeen{}}
		for _, seen := range o.Seen {
			wire.Seen = append(wire.Seen, jsonSeen(seen))
		}
		report.Observations = append(report.Observations, wire)
	}
	return report
}

func (c Counts) json() jsonVerdicts {
	return jsonVerdicts{c.Total(), c[Pass], c[Fail], c[Warning], c[NotApplicable], c[CouldNotTest], c[SuiteError]}
}

func (r RuleResult) json() jsonRule {
	rule := jsonRule{Name: r.Name, Title: r.Title, Verdict: r.Verdict, Scenarios: []jsonScenario{}}
	for _, s := range r.Scenarios {
		rule.Scenarios = append(rule.Scenarios, s.json())
	}
	return rule
}

func (s Scenario) json() jsonScenario {
	wire := jsonScenario{
		ID: s.Slug(), Name: s.Name, Line: s.Line, Via: s.Via, Verdict: s.Verdict, Started: s.Started.UTC(), TookMs: milliseconds(s.Took),
		MissingControls: s.Missing, Steps: []jsonStep{}, ExchangeCount: s.ExchangeCount, LeftOut: s.LeftOut,
	}
	if s.Finding != nil {
		finding := s.Finding.json()
		wire.Finding = &finding
	}
	for _, w := range s.Warnings {
		wire.Warnings = append(wire.Warnings, w.json())
	}
	for _, step := range s.Steps {
		wire.Steps = append(wire.Steps, jsonStep(step))
	}
	if s.Verdict != Pass {
		for _, e := range s.Exchanges {
			wire.Exchanges = append(wire.Exchanges, exchangeJSON(e))
		}
	}
	return wire
}

func (f Finding) json() jsonFinding {
	wire := jsonFinding{Expected: f.Expected, Came: f.Came, Hint: f.Hint}
	if f.Exchange >= 0 {
		wire.Exchange = &f.Exchange
	}
	return wire
}

func exchangeJSON(e exchange.Exchange) jsonExchange {
	sent, came := leftOut(e)
	wire := jsonExchange{
		Party: e.Party, Step: e.Step, Operation: e.Operation, Method: e.Method, URL: e.URL, Handshake: e.ClientCertificate, Headers: e.Header,
		Body: bodyJSON(e.Body, sent), Error: e.Err, Sent: e.Sent.UTC(), TookMs: milliseconds(e.Took),
	}
	if len(e.Program) > 0 {
		wire.Program, wire.Exit = e.Program, &e.Exit
	}
	if e.Status != 0 {
		wire.Response = &jsonResponse{e.Status, e.ResponseHeader, bodyJSON(e.ResponseBody, came), e.Truncated}
	}
	return wire
}

// leftOut is how many bytes of the request's body and of the response's were not kept:
// of the one that the target sent.
func leftOut(e exchange.Exchange) (sent, came int) {
	if e.Party == exchange.Webhook {
		return e.LeftOut, 0
	}
	return 0, e.LeftOut
}

// jsonBodyKept bounds a body in bytes: a target that answers a megabyte to
// everything must not make a report that nothing can read.
const jsonBodyKept = 16 << 10

// bodyJSON is a body of which leftOut more bytes were not kept.
func bodyJSON(body []byte, leftOut int) *jsonBody {
	if len(body) == 0 {
		return nil
	}
	kept := beginning(body, jsonBodyKept)
	wire := &jsonBody{Bytes: len(body) + leftOut, Cut: len(kept) < len(body)+leftOut}
	if text := string(kept); utf8.ValidString(text) {
		wire.Text = &text
	} else {
		wire.Base64 = kept
	}
	return wire
}

// beginning is at most n bytes of body, without half a character at their end.
func beginning(body []byte, n int) []byte {
	if len(body) <= n {
		return body
	}
	end := n
	for end > n-utf8.UTFMax && !utf8.RuneStart(body[end]) {
		end--
	}
	return body[:end]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
