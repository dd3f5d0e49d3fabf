package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Runs keep their locks in the user's cache directory. The tests use a temporary one instead.
func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "pixcert-test")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(cache)
		os.Exit(code)
	}))
}

// watcher is a progress that records its calls.
type watcher struct {
	mu       sync.Mutex
	started  []string
	failing  []string
	finished []verdict.Scenario
	notes    []string
	plan     progress.Plan

	onStart   func()
	onWaiting func()
}

func (p *watcher) Waiting(what string) {
	if p.onWaiting != nil {
		p.onWaiting()
	}
	p.Note(what)
}

func (p *watcher) Plan(plan progress.Plan) { p.plan = plan }

func (p *watcher) Note(text string) { p.locked(func() { p.notes = append(p.notes, text) }) }

func (p *watcher) Started(rule, scenario string) {
	p.locked(func() { p.started = append(p.started, rule+"/"+scenario) })
	if p.onStart != nil {
		p.onStart()
	}
}

func (p *watcher) Again(rule, scenario string, failing bool) {
	if failing {
		p.locked(func() { p.failing = append(p.failing, rule+"/"+scenario) })
	}
}

func (p *watcher) Finished(s verdict.Scenario) {
	p.locked(func() { p.finished = append(p.finished, s) })
}

func (p *watcher) Done(*verdict.Run, string) {}

func (p *watcher) locked(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
}

// verdicts returns the verdicts of a run by scenario.
func verdicts(r *verdict.Run) map[string]verdict.Verdict {
	all := map[string]verdict.Verdict{}
	for _, s := range r.Scenarios {
		all[s.ID()] = s.Verdict
	}
	return all
}

// judgedAgain writes the evidence of a run, reads it back and judges it without the gateway. It
// checks that the evidence contains none of the hidden texts.
func judgedAgain(t *testing.T, e *Evidence, secrets *exchange.Redactor, hidden ...string) *verdict.Run {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, e.Write(&file, secrets))
	read, err := ReadEvidence(&file)
	require.NoError(t, err)
	for _, r := range read.Records {
		for _, entry := range r.Entries {
			if entry.Exchange != nil {
				text := string(entry.Exchange.Body) + string(entry.Exchange.ResponseBody) + entry.Exchange.Header.Get("Authorization")
				for _, secret := range hidden {
					require.NotContains(t, text, secret)
				}
			}
		}
	}
	again, err := read.Judge()
	require.NoError(t, err)
	return again
}

var rules = []string{"balance.answer", "@balance.overdraft", "balance.centavos", "cash-out.debit", "resend.unknown"}

func TestCertify(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	g.Deliver(2)
	evidence, secrets, shown := &Evidence{}, &exchange.Redactor{}, &watcher{}
	var mu sync.Mutex
	exchanges := map[string]int{}
	result, err := Certify(t.Context(), Options{
		Target: g.Profile(), Rules: rules, Evidence: evidence, Secrets: secrets, Progress: shown, Seed: 3, Concurrency: 8, Version: "1.2.3", Subject: verdict.Subject{Arguments: []string{"--url", "x"}},
		Recorder: func(scenario string, e exchange.Exchange) {
			mu.Lock()
			defer mu.Unlock()
			exchanges[scenario]++
		},
	})
	require.NoError(t, err)
	for id, v := range verdicts(result) {
		assert.Contains(t, []verdict.Verdict{verdict.Pass, verdict.Warning}, v, "%s", id)
	}
	assert.Len(t, result.Rules, len(rules))
	assert.Equal(t, "balance.answer", result.Rules[0].Name, "in the order of the features")
	assert.Equal(t, len(result.Scenarios), len(shown.finished))
	assert.Equal(t, len(result.Scenarios), shown.plan.Scenarios)
	assert.Equal(t, int64(3), result.Seed)
	assert.Equal(t, strings.ReplaceAll(strings.Join(rules, ", "), "@", ""), result.Selection)
	for _, s := range result.Scenarios {
		if s.Verdict == verdict.Pass {
			assert.Empty(t, s.Exchanges)
		} else {
			assert.Len(t, s.Exchanges, s.ExchangeCount)
		}
		assert.GreaterOrEqual(t, exchanges[s.ID()], s.ExchangeCount)
		assert.Positive(t, s.ExchangeCount, s.ID())
	}
	again := judgedAgain(t, evidence, secrets, "Secret-of-account-", "ey"+"JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIi")
	assert.Equal(t, verdicts(result), verdicts(again))
	for i, s := range again.Scenarios {
		assert.Equal(t, result.Scenarios[i].Steps, s.Steps)
	}
}

// With Options.Whole, a run keeps every exchange whole.
func TestWholeExchanges(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Scenarios: []string{"balance.overdraft/The overdraft field"}, Whole: true})
	require.NoError(t, err)
	require.Len(t, result.Scenarios, 1)
	assert.Equal(t, "balance.overdraft", result.Selection)
	assert.Len(t, result.Scenarios[0].Exchanges, result.Scenarios[0].ExchangeCount)
	assert.Positive(t, result.Seed, "one is drawn")
}

// An exchange after the last step is checked against the contract, and changes no step's verdict.
func TestExchangesAfterTheLastStep(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	evidence := &Evidence{}
	_, err := Certify(t.Context(), Options{Target: g.Profile(), Scenarios: []string{"balance.overdraft/The overdraft field"}, Evidence: evidence})
	require.NoError(t, err)
	rec := ofScenarios(evidence)[0]
	all, err := embeddedFeatures()
	require.NoError(t, err)
	selected, err := all.Select(catalogue.Filter{Rules: []string{"balance.overdraft"}})
	require.NoError(t, err)
	late := exchange.Exchange{Party: exchange.Webhook, Body: []byte("{}")}
	for _, step := range []int{len(selected[0].Steps) - 1, len(selected[0].Steps)} {
		rec.Entries = append(rec.Entries, record.Entry{Step: step, Exchange: &late})
	}
	result, j, err := judgeRecord(selected[0], rec, &evidence.Terms)
	require.NoError(t, err)
	assert.Len(t, j.Events, 2)
	assert.Equal(t, verdict.Pass, result.Verdict)
}

// A fault of the target fails the rules about it, with the exchange that shows it. A breach of the
// contract fails the rule of the operation.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.UserAgent(), "rule=balance.overdraft") {
			return false
		}
		switch r.URL.Path {
		case "/accounts/balances":
			_, _ = w.Write([]byte(`{"data":[{"balanceAmount":{"available":10.00,"blocked":0,"overdraft":5}}]}`))
		case "/api/pix/cash-out":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"code":"PIX_INSUFFICIENT_BALANCE","statusCode":"four hundred"}`))
		default:
			return false
		}
		return true
	})
	evidence := &Evidence{}
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"balance.overdraft", "contract.cash-out"}, Evidence: evidence})
	require.NoError(t, err)
	failed := 0
	for _, s := range result.Scenarios {
		switch {
		case s.Via != "":
			assert.Equal(t, "contract.cash-out", s.Rule)
			assert.Regexp(t, `^the response to POST \S+ in the scenario ".+" of \S+ breaks this rule$`, s.Finding.Hint)
			failed++
		case s.ID() == "balance.overdraft/The overdraft field":
			assert.Equal(t, verdict.Fail, s.Verdict)
			assert.Equal(t, "balance request", s.Exchanges[s.Finding.Exchange].Operation)
			failed++
		}
	}
	assert.GreaterOrEqual(t, failed, 2)
	assert.Equal(t, verdict.DoesNotConform, result.Outcome())
	assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
}

// Each scenario runs in one shard, and a breach of the contract is found in whichever shard meets
// it, even if the scenarios of the operation's own rule are in others.
func TestShards(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/pix/cash-out" || !strings.Contains(r.UserAgent(), "rule=balance.overdraft") {
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"code":"PIX_INSUFFICIENT_BALANCE","statusCode":"four hundred"}`))
		return true
	})
	options := Options{Target: g.Profile(), Rules: []string{"balance.answer", "balance.overdraft", "contract.cash-out"}, Once: true}
	seen, found, known := map[string]int{}, 0, 0
	options.Known = func(s verdict.Scenario) verdict.Scenario {
		if s.Via != "" {
			known++
		}
		return s
	}
	var sizes []int
	for i := range 3 {
		options.Shard = verdict.Shard{Index: i + 1, Of: 3}
		shown, evidence := &watcher{}, &Evidence{}
		options.Progress, options.Evidence = shown, evidence
		result, err := Certify(t.Context(), options)
		require.NoError(t, err)
		assert.Equal(t, options.Shard, result.Shard)
		assert.Equal(t, options.Shard, shown.plan.Shard)
		sizes = append(sizes, shown.plan.Scenarios)
		for _, s := range result.Scenarios {
			if s.Via == "" {
				seen[s.ID()]++
			} else {
				found++
			}
		}
		assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
	}
	whole, err := embeddedFeatures()
	require.NoError(t, err)
	selected, err := whole.Select(catalogue.Filter{Rules: options.Rules})
	require.NoError(t, err)
	for _, s := range selected {
		assert.Equal(t, 1, seen[s.ID()], s.ID())
	}
	assert.Len(t, seen, len(selected))
	assert.LessOrEqual(t, slices.Max(sizes)-slices.Min(sizes), 1)
	assert.Positive(t, found)
	assert.Equal(t, found, known, "a breach may be known, too")

	options.Shard = verdict.Shard{Index: 99, Of: 99}
	_, err = Certify(t.Context(), options)
	require.ErrorContains(t, err, "shard 99/99 is empty: only")
}

// A scenario that fails once is repeated to measure how often it fails, and fails however often it
// passes then.
func TestAFaultThatIsSeenOnce(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	var once sync.Once
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		wrong := false
		if r.URL.Path == "/api/pix/cash-out" && strings.Contains(r.UserAgent(), "rule=balance.overdraft") {
			once.Do(func() { wrong = true })
		}
		if wrong {
			fake.Refuse(w, 500, "INTERNAL")
		}
		return wrong
	})
	evidence, shown := &Evidence{}, &watcher{}
	options := Options{Target: g.Profile(), Rules: []string{"balance.overdraft"}, Concurrency: 1, Evidence: evidence, Progress: shown}
	result, err := Certify(t.Context(), options)
	require.NoError(t, err)
	assert.Equal(t, verdict.DoesNotConform, result.Outcome())
	assert.Len(t, shown.failing, 3, "it is failing after each attempt but the last")
	failed := result.Results()[0].Scenarios
	failed = slices.DeleteFunc(failed, func(s verdict.Scenario) bool { return s.Verdict == verdict.Pass })
	require.Len(t, failed, 1)
	assert.Equal(t, "in 1 of 4 attempts", failed[0].Frequency())
	right := failed[0].Right
	require.NotNil(t, right)
	assert.Less(t, right.Status, 500)
	assert.Equal(t, "cash-out", right.Operation)
	assert.Len(t, ofScenarios(evidence), 2+3)
	again := judgedAgain(t, evidence, &exchange.Redactor{})
	assert.Equal(t, verdicts(result), verdicts(again))
	assert.Equal(t, "in 1 of 4 attempts", again.Scenarios[slices.IndexFunc(again.Scenarios, func(s verdict.Scenario) bool { return s.Verdict == verdict.Fail })].Frequency())
}

// What is wrong before the first scenario is not forgotten, and is none to run again.
func TestAFaultOfTheSetUp(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	var once sync.Once
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		wrong := false
		if r.URL.Path == "/accounts/balances" && r.Header.Get("Authorization") != "" {
			once.Do(func() { wrong = true })
		}
		if wrong {
			fake.Refuse(w, 500, "INTERNAL")
		}
		return wrong
	})
	evidence := &Evidence{}
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"balance.answer"}, Concurrency: 1, Evidence: evidence})
	require.NoError(t, err)
	again := judgedAgain(t, evidence, &exchange.Redactor{})
	assert.Equal(t, verdicts(result), verdicts(again))
	assert.Equal(t, result.Outcome(), again.Outcome())
	failed := result.Failed()
	require.Len(t, failed, 1)
	assert.Equal(t, failed[0].Finding, again.Failed()[0].Finding)
	assert.Equal(t, "the response to GET /accounts/balances, before the first scenario, breaks this rule", failed[0].Finding.Hint)
	assert.Equal(t, "every valid balance request to be accepted with 200", failed[0].Finding.Expected)
	for _, id := range result.Rerun(failed) {
		assert.True(t, strings.HasPrefix(id, "balance.answer/"), id)
	}
}

// A scenario that a broken connection spoils is repeated at the end.
func TestSpoiledScenariosAreRepeated(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	var broken sync.Once
	g.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/pix/cash-out" && strings.Contains(r.UserAgent(), "rule=balance.overdraft") {
			broken.Do(fake.Break)
		}
		return false
	})
	evidence, shown := &Evidence{}, &watcher{}
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"balance.overdraft"}, Concurrency: 1, Evidence: evidence, Progress: shown})
	require.NoError(t, err)
	assert.Equal(t, verdict.Conforms, result.Outcome())
	assert.Len(t, shown.started, 3, "two scenarios, one of them twice")
	attempts := map[int]int{}
	for _, r := range ofScenarios(evidence) {
		attempts[r.Attempt]++
	}
	assert.Equal(t, map[int]int{0: 2, 1: 1}, attempts)
	assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
}

// A violation of a rule that other shards test is found again by the scenario that showed it.
func TestViolationsOfRulesElsewhere(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	for _, elsewhere := range [][]string{nil, {"contract.register-webhook"}} {
		result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"webhook.registered"}, Elsewhere: elsewhere})
		require.NoError(t, err)
		violated := slices.ContainsFunc(result.Scenarios, func(s verdict.Scenario) bool { return s.Rule == "contract.register-webhook" })
		assert.Equal(t, elsewhere != nil, violated, "%v", verdicts(result)) // the fake's responses lack a field
		var shown []verdict.Scenario
		for _, s := range result.Scenarios {
			if s.Via != "" {
				shown = append(shown, s)
			}
		}
		assert.Empty(t, result.Elsewhere(nil))
		if violated {
			assert.Equal(t, []string{"contract.register-webhook"}, result.Elsewhere(shown[:1]))
		}
	}
}

// finishing calls a function whenever a scenario has finished.
type finishing struct {
	*watcher
	then func()
}

func (f *finishing) Finished(verdict.Scenario) { f.then() }

// A strict run fails for a warning; so does judging its evidence again.
func TestStrict(t *testing.T) {
	t.Parallel()
	s := verdict.Scenario{Rule: "a.b", Verdict: verdict.Warning, Warnings: []verdict.Finding{{Expected: "x", Got: "y", Hint: "z", Exchange: 2}}}
	strict := s.Strictly()
	assert.Equal(t, verdict.Fail, strict.Verdict)
	assert.Equal(t, &verdict.Finding{Expected: "x", Got: "y", Hint: "z; a warning, which fails the rule with --strict", Exchange: 2}, strict.Finding)
	assert.Equal(t, verdict.Warning, s.Verdict)
	s.Verdict = verdict.CouldNotTest
	assert.Equal(t, verdict.CouldNotTest, s.Strictly().Verdict)
}

// The suite waits for a target whose reads lag.
func TestALaggingTargetConforms(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	g.Lag(200 * time.Millisecond)
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"balance.overdraft", "balance.centavos"}})
	require.NoError(t, err)
	assert.Equal(t, verdict.Conforms, result.Outcome())
}

// A run that is too short to read again what it has made says so.
func TestARunShorterThanTheDeadlineOfItsReplicas(t *testing.T) {
	t.Parallel()
	p := fake.New(t).Profile()
	p.Deadlines.Balance = time.Minute
	shown := &watcher{}
	_, err := Certify(t.Context(), Options{Target: p, Rules: []string{"cash-out.debit"}, Progress: shown})
	require.NoError(t, err)
	require.Len(t, shown.notes, 1)
	assert.Regexp(t, `^the balances and payments of \d+ scenarios? were not checked a second time, because the run ended less than deadlines\.balance \(1 min 0 s\) after (it|them)$`, shown.notes[0])
}

func TestForesee(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	forecast, err := Foresee(t.Context(), Options{Target: g.Profile(), Rules: []string{"balance.overdraft"}}, false)
	require.NoError(t, err)
	assert.Contains(t, forecast.Controls, "funds")
	assert.False(t, forecast.Offline)
	forecast, err = Foresee(t.Context(), Options{Target: target.Profile{BaseURL: "http://127.0.0.1:1"}, Rules: []string{"balance.overdraft"}}, true)
	require.NoError(t, err)
	assert.Empty(t, forecast.Controls)
	assert.True(t, forecast.Offline)
	_, err = Foresee(t.Context(), Options{Rules: []string{"no.such-rule"}}, true)
	require.Error(t, err)
	_, err = Foresee(t.Context(), Options{Target: target.Profile{BaseURL: "nonsense"}}, false)
	require.Error(t, err)
}

// controlledBy is a profile of a gateway some of whose controls are answered by a function instead.
func controlledBy(t *testing.T, g *fake.Gateway, answer func(w http.ResponseWriter, r *http.Request) bool) target.Profile {
	p := g.Profile()
	controls, err := url.Parse(p.Control.URL)
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(controls)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answer(w, r) {
			forward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	access := *p.Control
	access.URL, p.Control = proxy.URL, &access
	return p
}

// A gateway that confirms what the bank rejects, or before the bank has decided, fails, although its control
// settlement shows almost the same as one that does nothing.
func TestFaultsLikeThoseOfAControl(t *testing.T) {
	t.Parallel()
	for rule, answers := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"cash-out.error": func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/settlements") {
				body, _ := io.ReadAll(r.Body)
				body = bytes.Replace(body, []byte(`"ERROR"`), []byte(`"CONFIRMED"`), 1)
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			return false
		},
		"events.once-settled": func(w http.ResponseWriter, r *http.Request) bool { // what the bank decides comes too late
			setsMode := strings.HasSuffix(r.URL.Path, "/settlement")
			if setsMode {
				w.WriteHeader(http.StatusNoContent)
			}
			return setsMode
		},
	} {
		p := controlledBy(t, fake.New(t), answers)
		p.Deadlines.Webhook = 500 * time.Millisecond
		p.Deadlines.Quiet = 3 * time.Second // a busy machine delivers the wrong event later than the double's usual 50 ms
		shown := &watcher{}
		result, err := Certify(t.Context(), Options{Target: p, Rules: []string{rule}, Progress: shown})
		require.NoError(t, err)
		assert.Equal(t, verdict.DoesNotConform, result.Outcome(), rule)
		assert.NotContains(t, strings.Join(shown.notes, "\n"), "does not work", rule)
	}
}

// A gateway that shows balances without their centavos fails: what can be spent is what the control funds has set.
func TestAFaultLikeThatOfTheControlFunds(t *testing.T) {
	t.Parallel()
	p := fake.New(t).Profile()
	base, err := url.Parse(p.BaseURL)
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(base)
	centavos := regexp.MustCompile(`("available": ?\d+\.)\d+`)
	forward.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		body = centavos.ReplaceAll(body, []byte("${1}00"))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", fmt.Sprint(len(body)))
		return err
	}
	proxy := httptest.NewServer(forward)
	t.Cleanup(proxy.Close)
	p.BaseURL, p.Deadlines.Balance = proxy.URL, 100*time.Millisecond
	shown := &watcher{}
	result, err := Certify(t.Context(), Options{Target: p, Rules: []string{"balance.centavos"}, Progress: shown})
	require.NoError(t, err)
	assert.Equal(t, verdict.DoesNotConform, result.Outcome())
	assert.NotContains(t, strings.Join(shown.notes, "\n"), "does not work")
}

// If a control does not work, the scenarios that depend on it could not be tested; they do not fail.
func TestControlsThatDoNotWork(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	twice := controlledBy(t, g, func(w http.ResponseWriter, r *http.Request) bool {
		creates := r.Method == http.MethodPost && r.URL.Path == "/accounts"
		if creates {
			_, _ = w.Write([]byte(`{"accountId": 7, "clientId": "5b1f0c3e-7a3b-4b7e-9d52-0c8a7f1e2d34", "clientSecret": "s", "pixKey": "5b1f0c3e-7a3b-4b7e-9d52-0c8a7f1e2d35"}`))
		}
		return creates
	})
	idle := func(g *fake.Gateway, about string) target.Profile {
		return controlledBy(t, g, func(w http.ResponseWriter, r *http.Request) bool {
			isAbout := strings.Contains(r.URL.Path, about)
			if isAbout {
				w.WriteHeader(http.StatusNoContent)
			}
			return isAbout
		})
	}
	poor := idle(g, "/balance")
	off := func(set, is string) target.Profile { // the control sets another balance than it is told
		return controlledBy(t, g, func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/balance") {
				body, _ := io.ReadAll(r.Body)
				body = bytes.ReplaceAll(body, []byte(set), []byte(is))
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			return false
		})
	}
	lagging := fake.New(t)
	lagging.Lag(300 * time.Millisecond)
	still := fake.New(t)
	still.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/transactions" {
			return false
		}
		_, _ = fmt.Fprintf(w, `{"data": [{"createdAt": %q}]}`, time.Now().UTC().Format(time.RFC3339))
		return true
	})
	for _, c := range []struct {
		profile    target.Profile
		rule, note string
	}{
		{twice, "balance.overdraft", "it returned the account with clientId 5b1f0c3e-7a3b-4b7e-9d52-0c8a7f1e2d34 again instead of a new one"},
		{poor, "balance.available", "the control funds does not work: it set the balance of a new account to R$ 12.34, but the balance is still R$ 0.00 and a cash-out was rejected with PIX_INSUFFICIENT_BALANCE"},
		{poor, "cash-out.debit", "the control funds does not work: it set the balance of a new account to R$ 12.34, but the balance is still R$ 0.00 and a cash-out was rejected with PIX_INSUFFICIENT_BALANCE"},
		{off("12.34", "12.33"), "balance.available", "the control funds does not work: it set the balance of a new account to R$ 12.34, but the balance is R$ 12.33 and a cash-out of R$ 12.34 was rejected with PIX_INSUFFICIENT_BALANCE"},
		{off("12.34", "12.35"), "balance.available", "the control funds does not work: it set the balance of a new account to R$ 12.34, but the balance is R$ 12.35 and a cash-out of R$ 12.35 was accepted"},
		{idle(g, "/settlement"), "cash-out.confirmed", "the control settlement does not work: in the mode manual, a payment was confirmed that nobody had settled"},
		{idle(lagging, "/settlement"), "cash-out.confirmed", "the control settlement does not work: in the mode manual, a payment was confirmed that nobody had settled"},
		{still.Profile(), "token.lifetime", "the control clock does not work: it was advanced by 40m0s, but a 30-minute token was still accepted and a payment was created at"},
	} {
		shown := &watcher{}
		result, err := Certify(t.Context(), Options{Target: c.profile, Rules: []string{c.rule}, Progress: shown})
		require.NoError(t, err)
		assert.Equal(t, verdict.Incomplete, result.Outcome())
		require.NotEmpty(t, shown.notes)
		assert.Contains(t, shown.notes[0], c.note)
		_, why, _ := strings.Cut(c.note, ": ")
		for _, s := range result.Scenarios {
			assert.Equal(t, verdict.CouldNotTest, s.Verdict, s.Name)
			assert.Contains(t, s.Finding.Got, why)
		}
	}
}

// Posts that are not about this run, at its URLs and at others, are counted and change no verdict.
func TestStrangersAreCounted(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	sent := 0
	g.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
		var registration struct{ URL string }
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.URL.Path != "/api/webhooks" || err != nil || json.Unmarshal(body, &registration) != nil || registration.URL == "" {
			return false
		}
		g.Send(registration.URL, `{"event":"CashOut","status":"CONFIRMED","externalId":"order-of-another-run"}`)
		g.Send(registration.URL+"/nobody", `{}`)
		sent += 2
		return false
	})
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"resend.unknown", "cash-out.debit"}, Concurrency: 1})
	require.NoError(t, err)
	assert.Equal(t, verdict.Conforms, result.Outcome())
	assert.Positive(t, sent)
	assert.Equal(t, sent, result.Webhooks.Strangers)
	var out bytes.Buffer
	progress.New(&out, progress.Options{}).Done(result, "")
	assert.Contains(t, out.String(), fmt.Sprintf("ignored %d webhooks that match no payment of this run", sent))
}
