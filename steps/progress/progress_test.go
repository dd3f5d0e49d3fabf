package progress

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// play shows a small run of a target that is nearly right, each step of which
// takes 30 ms.
func play(opts Options) string {
	var out bytes.Buffer
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	opts.Now = func() time.Time {
		now = now.Add(30 * time.Millisecond)
		return now
	}
	p := New(&out, opts)
	p.Plan(Plan{Subject: verdict.Subject{Target: "http://localhost:8080"}, RunID: "01jqz8m2c7", Settings: verdict.Settings{Seed: 4711, Concurrency: 2, Selection: "@cash-out.*"},
		Features: 1, Rules: 5, Scenarios: 6, Reach: verdict.Reach{Rules: 5, Whole: 4},
		Unlocks: []verdict.Unlock{{Means: []string{"control clock", "control limits"}, Effort: "a clock of each account", Rules: []string{"cash-out.night-limit"}, Scenarios: 1}}})
	run := &verdict.Run{ID: "01jqz8m2c7", Families: []string{"public"}, Subject: verdict.Subject{Arguments: []string{"--url", "http://localhost:8080"}, Target: "http://localhost:8080"}, Settings: verdict.Settings{Seed: 4711, Concurrency: 2}, Took: 1234 * time.Millisecond,
		Rules: []verdict.Rule{
			{Name: "cash-out.covers-fee", Title: "The balance must cover the amount and the fee"},
			{Name: "cash-out.value-bounds", Title: "The value is at least 0.01 with at most two decimals"},
			{Name: "cash-out.night-limit", Title: "Between 20:00 and 06:00 the night limit applies"},
			{Name: "cash-out.answer", Title: "The answer is 201 with the four fields"},
			{Name: "cash-out.retry", Title: "A failed payment can be sent again"},
		},
		Scenarios: []verdict.Scenario{
			{Rule: "cash-out.covers-fee", Name: "To the cent", Verdict: verdict.Pass},
			{Rule: "cash-out.covers-fee", Name: "One cent short", Verdict: verdict.Fail, Finding: &verdict.Finding{
				Expected: "status 400 with code PIX_INSUFFICIENT_BALANCE", Got: "status 201\nwith \x1b[2Jstatus \u202ePENDING",
				Hint: "is the fee added before the comparison?", Exchange: -1}},
			{Rule: "cash-out.night-limit", Name: "At eight", Verdict: verdict.CouldNotTest, Missing: []string{"clock", "limits"}},
			{Rule: "cash-out.value-bounds", Name: `"10" is refused`, Verdict: verdict.SuiteError, Finding: &verdict.Finding{Got: "no port is free", Exchange: -1}},
			{Rule: "cash-out.answer", Name: "Created", Verdict: verdict.Warning},
			{Rule: "cash-out.retry", Name: "Once", Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{Got: "no payment has failed", Exchange: -1}},
		},
	}
	p.Started(run.Scenarios[0].Rule, run.Scenarios[0].Name)
	p.Again(run.Scenarios[1].Rule, run.Scenarios[1].Name, true)
	for i, s := range run.Scenarios {
		if i+1 < len(run.Scenarios) {
			p.Started(run.Scenarios[i+1].Rule, run.Scenarios[i+1].Name)
		}
		p.Finished(s)
	}
	p.Done(run, "report")
	return out.String()
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]Options{
		"plain":      {},
		"portuguese": {Terminal: true, Width: 60, Language: translation.Portuguese, Titles: map[string]string{"cash-out.covers-fee": "O saldo deve cobrir o valor e a tarifa"}},
		"terminal":   {Terminal: true, Colour: true, Width: 60},
		"no-color":   {Terminal: true, Width: 60},
		"quiet":      {Terminal: true, Width: 60, Quiet: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Control characters are written out, so that a golden file is readable.
			got := strings.NewReplacer("\x1b", "<esc>", "\r", "<cr>").Replace(play(opts))
			path := filepath.Join("testdata", name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

func TestKnownFailures(t *testing.T) {
	t.Parallel()
	known := func(name, reason string) verdict.Scenario {
		return verdict.Scenario{Rule: "cash-out.covers-fee", Name: name, Verdict: verdict.KnownFailure, Known: &verdict.Known{Reason: reason}}
	}
	run := &verdict.Run{
		Rules:     []verdict.Rule{{Name: "cash-out.covers-fee"}},
		Scenarios: []verdict.Scenario{known("a", "rounded\x1b[2J"), known("b", "rounded\x1b[2J"), known("c", "slow")},
		Additions: verdict.Additions{Baseline: &verdict.Baseline{File: "known.yaml", Changed: []string{"a.b/Two"}, Untested: []string{"a.b/Three"}}},
		Settings:  verdict.Settings{Shard: verdict.Shard{Index: 1, Of: 4}}, Lacks: []verdict.Shard{{Index: 2, Of: 4}},
	}
	text := newPaint(Options{}).summary(run, "", screen{})
	for _, part := range []string{
		"? Incomplete\n  Shard 1/4\n  Shard 2/4 is missing\n  1 of 1 rule fails only as the baseline lists.", "  cash-out.covers-fee  2 failures: rounded\\x1b[2J\n", "  cash-out.covers-fee  1 failure: slow\n",
		"Failing differently than in known.yaml\n    a.b/Two\n", "In known.yaml, but not decided by this run: 1 scenario\n",
	} {
		assert.Contains(t, text, part)
	}
	run.Lacks = nil
	assert.Contains(t, newPaint(Options{}).summary(run, "", screen{}), "~ No new failures\n")
	more := *run
	more.Scenarios = append(slices.Clone(run.Scenarios), verdict.Scenario{Rule: "a.b", Name: "c", Verdict: verdict.CouldNotTest, Missing: []string{"clock"}})
	assert.Contains(t, newPaint(Options{}).quiet(&more), "\n  Not in the baseline: could not test a.b (1 scenario): missing controls: clock\n")
	for i := range 30 {
		run.Baseline.Fixed = append(run.Baseline.Fixed, fmt.Sprint("a.b/", i))
	}
	text = newPaint(Options{}).summary(run, "", screen{})
	assert.Contains(t, text, "✗ Baseline is out of date\n")
	assert.Contains(t, text, "Fixed: remove from known.yaml\n    a.b/0\n")
	assert.Contains(t, text, "and 10 more, in the report")

	run.Baseline.WithoutReason = []int{7, 19}
	assert.Contains(t, newPaint(Options{}).summary(run, "", screen{}), "\n\n  Note: 2 entries in known.yaml have no reason: lines 7, 19\n")

	run.Baseline.Expired = []string{"a.b/Four (line 3: slow)"}
	assert.Contains(t, newPaint(Options{}).summary(run, "", screen{}), "Expired: fix, or renew in known.yaml\n    a.b/Four (line 3: slow)\n")
	quiet := newPaint(Options{}).quiet(run)
	assert.Contains(t, quiet, "✗ Baseline is out of date\n  1 of 1 rule fails only as the baseline lists.\n  Fixed: a.b/0\n")
	assert.Contains(t, quiet, "\n  Expired: a.b/Four (line 3: slow)\n")
}

// A long list of selected rules ends with a whole name.
func TestSelectionsAreCutBetweenNames(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("cash-out.rule-%02d", i))
	}
	assert.Equal(t, strings.Join(names[:12], ", ")+" and 18 more", newPaint(Options{}).selected(strings.Join(names, ", ")))
	assert.Equal(t, "a.b, c.d", newPaint(Options{}).selected("a.b, c.d"))
	assert.Equal(t, "@a and not @b", newPaint(Options{}).selected("@a and not @b"))
}

// The command for one rule repeats no shard: its rule may be in another one.
func TestOneRuleIsRepeatedWithoutItsShard(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{Settings: verdict.Settings{Seed: 7, Concurrency: 4, Shard: verdict.Shard{Index: 1, Of: 4}}, Additions: verdict.Additions{Baseline: &verdict.Baseline{File: "known.yaml"}},
		Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{{Rule: "a.b", Verdict: verdict.Fail}}}
	assert.Contains(t, newPaint(Options{}).summary(run, "", screen{}), "pixcert certify --rule a.b --baseline known.yaml --seed 7 --concurrency 4\n")
}

// A run that ended early says so with its verdict, and that its verdicts are incomplete.
func TestARunThatEndedEarly(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{
		Rules:     []verdict.Rule{{Name: "a.b"}},
		Scenarios: []verdict.Scenario{{Rule: "a.b", Verdict: verdict.Pass}, {Rule: "a.b", Verdict: verdict.NotRun}},
		Ended:     &verdict.Ended{Reason: "interrupt signal received at 14:03:07 UTC"},
	}
	const line = "○ Ended early: interrupt signal received at 14:03:07 UTC; 1 scenario did not run\n"
	for quiet, want := range map[bool]string{true: line, false: "\n\n" + line + "  The results above cover only what ran before that"} {
		var out bytes.Buffer
		New(&out, Options{Quiet: quiet}).Done(run, "")
		assert.Contains(t, out.String(), want)
	}
	run.Ended.Decided, run.Scenarios[0].Verdict, run.Strict = true, verdict.Fail, true
	var out bytes.Buffer
	New(&out, Options{}).Done(run, "")
	assert.Contains(t, out.String(), "✗ Does not conform: interrupt")
	assert.Contains(t, out.String(), "Warnings count as failures (--strict)")
	assert.NotContains(t, out.String(), "The results above")
}

func TestPlainOutputHasNoControlCharacters(t *testing.T) {
	t.Parallel()
	for _, r := range play(Options{}) {
		if r < ' ' && r != '\n' || r == 0x7f || r == '\u202e' {
			t.Fatalf("%U is in the plain output", r)
		}
	}
}

func TestTheLiveLineFitsTheTerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := New(&out, Options{Terminal: true, Width: 40})
	p.Plan(Plan{Scenarios: 1})
	out.Reset()
	p.Started("a.rule", strings.Repeat("日本", 100)+"\x1b[31m\n")
	drawn := strings.TrimPrefix(out.String(), "\r\x1b[K")
	assert.NotContains(t, drawn, "\x1b")
	assert.NotContains(t, drawn, "\n")
	assert.True(t, strings.HasSuffix(drawn, "…"), drawn)
}

func TestTheLiveLineIsDrawnTwentyTimesASecond(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Now()
	p := New(&out, Options{Terminal: true, Now: func() time.Time { return now }})
	p.Plan(Plan{Scenarios: 2000})
	for i := range 2000 { // in two seconds
		now = now.Add(time.Millisecond)
		p.Finished(verdict.Scenario{Rule: "a.rule", Name: fmt.Sprint(i), Verdict: verdict.Pass})
	}
	assert.InDelta(t, 40, strings.Count(out.String(), "\r"), 2)
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := New(&out, Options{})
	p.Plan(Plan{Scenarios: 500})
	long := strings.Repeat("x", 1<<20)
	run := &verdict.Run{}
	for i := range 500 {
		s := verdict.Scenario{Rule: fmt.Sprintf("a.rule-%d", i%50), Name: fmt.Sprint(i), Verdict: verdict.Fail,
			Finding: &verdict.Finding{Expected: strings.Repeat("a", i%20), Got: long, Exchange: -1}}
		p.Finished(s)
		run.Scenarios = append(run.Scenarios, s)
	}
	p.Done(run, "")
	assert.Equal(t, faultsShown, strings.Count(out.String(), "    rule      a.rule"))
	assert.Contains(t, out.String(), "12 more in the report")
	assert.Contains(t, out.String(), "24 more failures, including a.rule-")
	assert.Less(t, out.Len(), 20_000)
	assert.Contains(t, out.String(), "100 %  500 of 500 scenarios: 500 fail")
}

// A short run has two lines about its progress; a long one no more than ten, and none sooner than 5 s after another.
func TestLinesAboutProgress(t *testing.T) {
	t.Parallel()
	for each, want := range map[time.Duration]string{
		10 * time.Millisecond:  "10 %, 100 %",
		100 * time.Millisecond: "10 %, 60 %, 100 %",
		time.Second:            "10 %, 20 %, 30 %, 40 %, 50 %, 60 %, 70 %, 80 %, 90 %, 100 %",
	} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		p := New(&out, Options{Now: func() time.Time { return now }})
		p.Plan(Plan{Scenarios: 100})
		out.Reset()
		for i := range 100 {
			now = now.Add(each)
			p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint(i), Verdict: verdict.Pass})
		}
		var lines []string
		for line := range strings.Lines(out.String()) {
			lines = append(lines, strings.TrimSpace(line[:5]))
		}
		assert.Equal(t, want, strings.Join(lines, ", "), "%v", each)
	}
}

// What cannot be tested is no part of the progress: it takes no time.
func TestProgressCountsOnlyWhatRuns(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := New(&out, Options{Now: func() time.Time { return now }})
	p.Plan(Plan{Scenarios: 1000})
	out.Reset()
	for i := range 900 {
		p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint("lacks ", i), Verdict: verdict.CouldNotTest, Missing: []string{"clock"}})
	}
	assert.Empty(t, out.String())
	for i := range 100 {
		now = now.Add(time.Second)
		p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint(i), Verdict: verdict.Pass, ExchangeCount: 3})
	}
	assert.True(t, strings.HasPrefix(out.String(), " 10 %  10 of 100 scenarios: 10 pass\n"), out.String())
	assert.Contains(t, out.String(), "100 %  100 of 100 scenarios: 100 pass\n")
}

func TestAllMethodsMayBeCalledAtOnce(t *testing.T) {
	t.Parallel()
	for _, opts := range []Options{{}, {Terminal: true, Colour: true}} {
		var out bytes.Buffer
		p := New(&out, opts)
		p.Plan(Plan{Scenarios: 320})
		var wg sync.WaitGroup
		for g := range 32 {
			wg.Go(func() {
				for i := range 10 {
					name := fmt.Sprintf("%d-%d", g, i)
					p.Started("a.rule", name)
					p.Finished(verdict.Scenario{Rule: "a.rule", Name: name, Verdict: verdict.Pass})
				}
			})
		}
		wg.Wait()
		assert.Empty(t, p.(*progress).running)
		assert.Equal(t, 320, p.(*progress).counts[verdict.Pass])
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestABrokenPipeDoesNotEndTheRun(t *testing.T) {
	t.Parallel()
	p := New(broken{}, Options{Terminal: true})
	p.Plan(Plan{Scenarios: 1})
	p.Finished(verdict.Scenario{Verdict: verdict.Fail})
	p.Done(&verdict.Run{}, "report")
}

func TestAFileIsNotATerminal(t *testing.T) {
	t.Parallel()
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer func() { assert.NoError(t, f.Close()) }()
	assert.Equal(t, Options{}, Detect(f, func(string) string { return "" }))
}

func TestNoColorAndDumbTerminals(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]Options{
		"":           {Terminal: true, Colour: true, Width: 100},
		"NO_COLOR=1": {Terminal: true, Width: 100},
		"NO_COLOR=":  {Terminal: true, Colour: true, Width: 100},
		"TERM=dumb":  {},
		"TERM=xterm": {Terminal: true, Colour: true, Width: 100},
	} {
		name, value, _ := strings.Cut(env, "=")
		getenv := func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
		assert.Equal(t, want, optionsFor(100, 0, getenv), env)
	}
}

func TestSecretsInKnownPlacesAreNotShown(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := New(&out, Options{})
	p.Plan(Plan{Subject: verdict.Subject{Target: "https://user:hunter22@gateway.example"}, Scenarios: 1})
	p.Finished(verdict.Scenario{Rule: "a.rule", Verdict: verdict.Fail,
		Finding: &verdict.Finding{Got: `{"access_token":"eyJhbGciOi"}`, Exchange: -1}})
	p.Done(&verdict.Run{Subject: verdict.Subject{Target: "https://user:hunter22@gateway.example", Arguments: []string{"--url", "https://user:hunter22@gateway.example"}}, Rules: []verdict.Rule{{Name: "a.rule"}},
		Scenarios: []verdict.Scenario{{Rule: "a.rule", Verdict: verdict.Fail}}}, "")
	assert.NotContains(t, out.String(), "hunter22")
	assert.NotContains(t, out.String(), "eyJhbGciOi")
}

// Why rules could not be tested is said once for all of them, however many they are. What a precondition got says
// little without what it expected.
func TestWhyRulesCouldNotBeTested(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{Controls: []string{"med"}, Additions: verdict.Additions{Baseline: &verdict.Baseline{File: "known.yaml"}}, Advice: verdict.Advice{Unlocks: []verdict.Unlock{{Means: []string{"control clock"}}}}}
	add := func(rule string, missing []string, finding verdict.Finding, known *verdict.Known) {
		run.Rules = append(run.Rules, verdict.Rule{Name: rule})
		run.Scenarios = append(run.Scenarios, verdict.Scenario{Rule: rule, Name: "One", Verdict: verdict.CouldNotTest, Missing: missing, Finding: &finding, Known: known})
	}
	for i := range 221 {
		add(fmt.Sprintf("med.rule-%d", i), []string{"med"}, verdict.Finding{Got: "the control med does not work: GET /meds: 404"}, nil)
	}
	add("resend.no-url", nil, verdict.Finding{Expected: "a CashOut event at its URL within 15s", Got: "none", Hint: "no webhook has arrived; " + verdict.Precondition}, nil)
	add("cash-out.night", []string{"clock", "limits"}, verdict.Finding{Got: "the target does not offer them"}, nil)
	add("cob.expired", []string{"clock"}, verdict.Finding{Got: "the target does not offer them"}, nil)
	add("refund.done", []string{"refunds"}, verdict.Finding{Got: "the target does not offer them"}, &verdict.Known{})
	text := newPaint(Options{}).summary(run, "", screen{})
	assert.Contains(t, text, `
  Could not be tested
    1 rule, as known.yaml says
    221 rules: the control med does not work: GET /meds: 404
      med.rule-0, med.rule-1, med.rule-2, med.rule-3 and 217 more
    1 rule: expected a CashOut event at its URL within 15s, got none
      resend.no-url
    2 rules: missing controls (clock for 2, limits for 1)
  To test more, add (cheapest first):
`)
	assert.Less(t, strings.Count(text, "\n"), 25)
}

// A rule may fail although no scenario of it fails: then the message that breaks it is named.
func TestHowARuleFails(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{Rules: []verdict.Rule{{Name: "contract.cash-out", Title: "Cash-out responses"}}, Scenarios: []verdict.Scenario{
		{Rule: "contract.cash-out", Name: "Accepted", Verdict: verdict.Pass},
		{Rule: "contract.cash-out", Name: "201", Via: "cash-out.value/One", Verdict: verdict.Fail, Finding: &verdict.Finding{
			Expected: "a response that matches openapi.yaml", Got: "201 without status", Hint: `the response to POST /x in the scenario "One" of cash-out.value breaks this rule`, Exchange: -1}},
	}}
	text := newPaint(Options{}).summary(run, "", screen{})
	assert.Contains(t, text, "\n    fails     the response to POST /x in the scenario \"One\" of cash-out.value breaks this rule\n")
	assert.NotContains(t, text, "in passing")
}

// The verdict is the last thing on the screen.
func TestTheVerdictComesLast(t *testing.T) {
	t.Parallel()
	text := play(Options{})
	assert.Greater(t, strings.Index(text, "✗ Does not conform"), strings.Index(text, "pixcert certify --url"))
	run := &verdict.Run{Course: verdict.Course{Outages: []verdict.Outage{
		{From: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 1, 12, 0, 12, 0, time.UTC)},
		{Party: exchange.Control, From: time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)},
	}}, Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{{Rule: "a.b", Verdict: verdict.Pass}}}
	assert.Equal(t, `
  outage  from 12:00:00 to 12:00:12 UTC (12.0 s), the gateway did not respond
  outage  from 13:00:00 UTC on, the test controls did not respond

  seed    0

✓ Conforms
  The only rule passes.
  1 scenario in 0.0 s: 1 pass
`, newPaint(Options{}).summary(run, "", screen{}))
}

// A slow run says how long it still takes.
func TestWhatIsLeftOfASlowRun(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		p := New(&out, Options{Terminal: terminal, Width: 120, Now: func() time.Time { return now }})
		p.Plan(Plan{Scenarios: 1200, Settings: verdict.Settings{Concurrency: 24}})
		for i := range 200 {
			p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint(i), Verdict: verdict.CouldNotTest})
		}
		for i := range 100 {
			now = now.Add(time.Second)
			p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint("ran ", i), Verdict: verdict.Pass, ExchangeCount: 1})
		}
		assert.Contains(t, out.String(), "about 15 min left", "what takes no time says nothing about the rest")
	}
	fast := remaining{scenarios: 1000, ran: 500}
	assert.Zero(t, fast.time(5*time.Second))
	assert.Zero(t, (&remaining{scenarios: 1000, ran: 990}).time(time.Minute), "a run that is nearly done")
}

// A quick run on a slow target has one scenario of each rule that can be tested. Where it has more, it takes seconds.
func TestWhatIsLeftOfAQuickRun(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		p := New(&out, Options{Terminal: terminal, Width: 120, Quick: true, Now: func() time.Time { return now }})
		p.Plan(Plan{Scenarios: 2000, Settings: verdict.Settings{Concurrency: 24}, Reach: verdict.Reach{Rules: 250, Whole: 150, Part: 50}})
		out.Reset()
		for i := range 300 {
			p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint(i), Verdict: verdict.CouldNotTest})
		}
		for i := range 200 {
			now = now.Add(time.Second)
			p.Finished(verdict.Scenario{Rule: "a.b", Name: fmt.Sprint("ran ", i), Verdict: verdict.Pass, ExchangeCount: 1})
		}
		assert.Contains(t, out.String(), "about 2 min left")
		assert.Contains(t, out.String(), map[bool]string{true: "✓ 100  100/200 ", false: " 50 %  100 of 200 scenarios: 100 pass; about 2 min left\n"}[terminal])
		assert.NotContains(t, out.String(), "100 %", "more may run")
	}
}

// A note says why a run takes long or could not test something: a quiet run prints it, too.
func TestNotesOfAQuietRun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := New(&out, Options{Quiet: true, Terminal: true})
	p.Waiting("another run")
	p.Note("the target returns 429\x1b[2J")
	assert.Equal(t, "Note: the target returns 429\\x1b[2J\n", out.String())
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `"`+strings.Repeat("A", 100)+`…" and "B"`, short(`"`+strings.Repeat("A", 9000)+`" and "B"`), "an image")
}

// On accounts of the profile, few scenarios run at a time, however many could.
func TestHowManyRunAtATime(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "24 at a time", newPaint(Options{}).atATime(Plan{Settings: verdict.Settings{Concurrency: 24}}))
	assert.Equal(t, "1 at a time", newPaint(Options{}).atATime(Plan{Settings: verdict.Settings{Concurrency: 1}, Accounts: 2}))
	assert.Equal(t, "one scenario at a time per account, up to 24 that change nothing", newPaint(Options{}).atATime(Plan{Settings: verdict.Settings{Concurrency: 24}, Accounts: 1}))
}

// What exploring found is shown with its steps, once, whichever rules it breaks.
func TestFindingsAreShownWithTheirSteps(t *testing.T) {
	t.Parallel()
	steps := []verdict.Step{{Keyword: "Given", Text: "an account"}, {Keyword: "When", Text: "these happen at once:", Table: [][]string{{"a \x1b[2J", "b"}}}}
	for range 2 * stepsShown {
		steps = append(steps, verdict.Step{Keyword: "And", Text: "so on"})
	}
	failed := func(expected string) *verdict.Finding {
		return &verdict.Finding{Expected: expected, Got: "500", Exchange: -1}
	}
	run := &verdict.Run{
		Rules: []verdict.Rule{
			{Name: "found.1", Title: "refund: is sent", File: "found/1.feature", Own: true, Found: true},
			{Name: "contract.refund", Title: "Refunds follow the contract"},
		},
		Scenarios: []verdict.Scenario{
			{Rule: "found.1", Name: "refund: is sent", Line: 7, Verdict: verdict.Fail, Finding: failed("201"), Steps: steps},
			{Rule: "contract.refund", Name: "id is missing", Verdict: verdict.Fail, Via: "found.1/refund: is sent", Finding: failed("an id"), Steps: steps},
		},
		Subject: verdict.Subject{Arguments: []string{"--reference", "--report", "again"}},
	}
	text := newPaint(Options{}).summary(run, "explored", screen{})
	assert.Contains(t, text, "    rule      found.1: refund: is sent\n    found     found/1.feature:7\n    steps     Given an account\n              When these happen at once:\n                | a \\x1b[2J | b |\n")
	assert.Equal(t, 1, strings.Count(text, "Given an account"))
	assert.Contains(t, text, "              … 63 more lines\n")
	assert.NotContains(t, text, "scenario  refund: is sent", "its rule has the same name")
	assert.Contains(t, text, "--reference --report again --rule ")
	assert.NotContains(t, text, "explored-rerun", "the run names where its repetition writes to")

	run.Scenarios[0].Verdict = verdict.Pass
	text = newPaint(Options{}).summary(run, "explored", screen{})
	assert.Contains(t, text, "    rule      contract.refund: Refunds follow the contract\n    steps     Given an account\n")
	assert.Contains(t, text, "--rule found.1 ", "which repeats it")
}

type state string

func (s state) String() string { return string(s) }

func TestStatus(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	show := func(opts Options, after ...time.Duration) string {
		var out bytes.Buffer
		opts.Now = func() time.Time { return now }
		s := NewStatus(&out, opts)
		for i, d := range after {
			now = now.Add(d)
			s.Show(state(fmt.Sprint("walk ", i)))
		}
		s.Clear()
		return out.String()
	}
	assert.Equal(t, "walk 1\nwalk 3\n", show(Options{}, time.Second, 9*time.Second, 5*time.Second, 5*time.Second))
	assert.Equal(t, "\r\x1b[Kwalk 0\r\x1b[Kwalk…\r\x1b[K", strings.Replace(show(Options{Terminal: true, Width: 7}, 0, time.Second), "walk 1", "walk…", 1))
	assert.Empty(t, show(Options{Quiet: true, Terminal: true}, time.Minute))
}

// Whatever the height of the terminal, its last screen has the first causes, as long as they fit, and the outcome.
func TestTheLastScreenHasTheFirstCausesAndTheOutcome(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{Subject: verdict.Subject{Arguments: []string{"--reference"}}}
	for i := range 12 {
		rule := verdict.Rule{Name: fmt.Sprintf("a.rule-%c", 'a'+i), Title: "A payment is debited once"}
		run.Rules = append(run.Rules, rule, verdict.Rule{Name: rule.Name + "-warned"})
		run.Scenarios = append(run.Scenarios, verdict.Scenario{
			Rule: rule.Name, Name: "One", Verdict: verdict.Fail, Steps: make([]verdict.Step, i+1),
			Finding: &verdict.Finding{Expected: strings.Repeat("e", i+1), Got: "a long text that does not fit into one row of the terminal", Exchange: -1},
		}, verdict.Scenario{Rule: rule.Name + "-warned", Name: "One", Verdict: verdict.Warning})
	}
	for height := 8; height < 120; height++ {
		on := screen{width: 60, height: height}
		lines := strings.Split(strings.TrimSuffix(newPaint(Options{}).summary(run, "report", on), "\n"), "\n")
		last, rows := len(lines), 1 // the prompt
		for last > 0 && rows+on.rows(lines[last-1]) <= height {
			last--
			rows += on.rows(lines[last])
		}
		text := strings.Join(lines[last:], "\n")
		assert.Contains(t, text, "✗ Expected e, got a long text", height)
		assert.Contains(t, text, "✗ Does not conform", height)
		assert.Contains(t, text, "24 scenarios in", height)
		all := strings.Count(text, "✗ Expected e")
		more := 0
		if _, err := fmt.Sscanf(text[max(0, strings.Index(text, " more in the report")-3):], "%d more", &more); err == nil || all < 12 {
			assert.Equal(t, 12, all+more, "%d rows:\n%s", height, text)
		}
	}
}
