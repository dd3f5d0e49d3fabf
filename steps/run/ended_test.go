package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// If the target stops responding, or a proxy responds for it, the run ends and says so. No rule fails
// for it, also when the evidence is judged again.
func TestATargetThatStopsResponding(t *testing.T) {
	t.Parallel()
	for name, stops := range map[string]struct {
		does func(http.ResponseWriter)
		said string
	}{
		"at all":         {func(http.ResponseWriter) { fake.Break() }, ""},
		"behind a proxy": {func(w http.ResponseWriter) { http.Error(w, "no healthy upstream", http.StatusServiceUnavailable) }, "; requests then got 503, as from a proxy whose gateway is down"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := fake.New(t)
			shown := &watcher{}
			g.Spoil(func(w http.ResponseWriter, _ *http.Request) bool {
				judged := 0
				if shown.locked(func() { judged = len(shown.finished) }); judged == 0 {
					return false
				}
				stops.does(w)
				return true
			})
			profile := g.Profile()
			profile.Deadlines.Answer = 100 * time.Millisecond
			evidence := &Evidence{}
			result, err := Certify(t.Context(), Options{Target: profile, Rules: []string{"balance.centavos", "balance.overdraft", "cash-out.debit"}, Concurrency: 2, Evidence: evidence, Progress: shown})
			require.NoError(t, err)
			assert.Equal(t, verdict.EndedEarly, result.Outcome())
			assert.Regexp(t, `^the target stopped responding at \d\d:\d\d:\d\d UTC, after \d+ requests`+stops.said+`$`, result.Ended.Reason)
			notRun := 0
			for _, s := range result.Scenarios {
				assert.NotEqual(t, verdict.Fail, s.Verdict, "%s: %+v", s.ID(), s.Finding)
				if s.ExchangeCount == 0 {
					notRun++
					assert.Equal(t, verdict.NotRun, s.Verdict)
					assert.Contains(t, s.Finding.Got, "stopped responding")
				}
			}
			assert.Positive(t, notRun)
			assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
		})
	}
}

// A target that stops responding before anything is judged leaves no result.
func TestATargetThatStopsRespondingAtOnce(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	answered := false
	g.Spoil(func(http.ResponseWriter, *http.Request) bool {
		if answered {
			fake.Break()
		}
		answered = true // by which the run begins
		return false
	})
	profile := g.Profile()
	profile.Deadlines.Answer = 100 * time.Millisecond
	_, err := Certify(t.Context(), Options{Target: profile, Rules: []string{"balance.centavos"}, Concurrency: 2})
	require.ErrorContains(t, err, "the target stopped responding at ")
	require.ErrorContains(t, err, "before any scenario was judged")
}

// With FailFast, the first failure ends the run; the other scenarios are reported as not run.
func TestFailFast(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/accounts/balances" && strings.Contains(r.UserAgent(), "rule=balance") {
			_, _ = w.Write([]byte(`{"data":[{"balanceAmount":{"available":10.00,"blocked":0,"overdraft":5}}]}`))
			return true
		}
		return false
	})
	shown := &watcher{}
	result, err := Certify(t.Context(), Options{Target: g.Profile(), Rules: []string{"balance.overdraft", "balance.centavos"}, Concurrency: 1, FailFast: true, Progress: shown})
	require.NoError(t, err)
	assert.Equal(t, verdict.DoesNotConform, result.Outcome())
	assert.True(t, result.Ended.Decided)
	assert.Contains(t, result.Ended.Reason, "first failure (--fail-fast)")
	count := map[verdict.Verdict]int{}
	for _, s := range result.Scenarios {
		count[s.Verdict]++
	}
	assert.Equal(t, 1, count[verdict.Fail])
	assert.Positive(t, count[verdict.NotRun])
	failed := slices.IndexFunc(result.Scenarios, func(s verdict.Scenario) bool { return s.Verdict == verdict.Fail })
	assert.Equal(t, "in all 4 attempts", result.Scenarios[failed].Frequency(), "it is repeated nevertheless")
	assert.Equal(t, len(shown.finished)+count[verdict.NotRun], len(result.Scenarios))
}

// A breach of the wire contract is a failure too, although the scenario that shows it passes.
func TestFailFastAtABreach(t *testing.T) {
	t.Parallel()
	p := fake.New(t).Profile()
	gateway, err := url.Parse(p.BaseURL)
	require.NoError(t, err)
	wrong := httputil.NewSingleHostReverseProxy(gateway)
	wrong.ModifyResponse = func(r *http.Response) error {
		if !strings.Contains(r.Request.UserAgent(), "rule=balance.centavos") {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		body = bytes.ReplaceAll(body, []byte(`"overdraft":0`), []byte(`"overdraft":"0"`))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return err
	}
	proxy := httptest.NewServer(wrong)
	defer proxy.Close()
	p.BaseURL = proxy.URL
	result, err := Certify(t.Context(), Options{
		Target: p, Tags: "@balance.centavos or @contract.balances", Concurrency: 1, FailFast: true,
		Seed: 1, // balances first: the fake fails the rule's own scenario
	})
	require.NoError(t, err)
	assert.Equal(t, verdict.DoesNotConform, result.Outcome())
	require.NotNil(t, result.Ended)
	assert.True(t, result.Ended.Decided)
	assert.Equal(t, verdict.NotRun, verdicts(result)["contract.balances/Accepted and rejected"])
	assert.Equal(t, 1, result.Summary().Violations[verdict.Fail], "the breach: %v", verdicts(result))
	assert.Positive(t, result.Summary().Scenarios[verdict.NotRun])
}

// FailFast ignores known failures, of scenarios and of the wire contract.
func TestFailFastIgnoresKnownFailures(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/accounts/balances" && strings.Contains(r.UserAgent(), "rule=balance") {
			_, _ = w.Write([]byte(`{"data":[{"balanceAmount":{"available":10.00,"blocked":0,"overdraft":5}}]}`))
			return true
		}
		return false
	})
	result, err := Certify(t.Context(), Options{
		Target: g.Profile(), Rules: []string{"balance.overdraft", "contract.balances"}, Concurrency: 1, FailFast: true,
		Known: func(s verdict.Scenario) verdict.Scenario {
			if s.Verdict == verdict.Fail {
				s.Verdict, s.Known = verdict.KnownFailure, &verdict.Known{}
			}
			return s
		},
	})
	require.NoError(t, err)
	assert.Nil(t, result.Ended)
	count := result.Summary().Scenarios
	assert.Greater(t, count[verdict.KnownFailure], 1, "the overdraft, and a body that breaks the contract: %v", verdicts(result))
	assert.Zero(t, count[verdict.NotRun])
	for _, s := range result.Scenarios {
		assert.Empty(t, s.Attempts, "%s: a known failure is not repeated", s.ID())
	}
}

// An interruption after everything was judged does not change the result.
func TestAnInterruptionThatComesTooLate(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	shown := &finishing{watcher: &watcher{}, then: interrupt}
	result, err := Certify(ctx, Options{Target: fake.New(t).Profile(), Scenarios: []string{"balance.overdraft/The overdraft field"}, Progress: shown})
	require.NoError(t, err)
	assert.Nil(t, result.Ended)
	assert.Equal(t, verdict.Conforms, result.Outcome())
}

// Only failures of scenarios that were running when the target stopped responding are withdrawn.
func TestCutOff(t *testing.T) {
	t.Parallel()
	last := time.Date(2026, 3, 1, 14, 3, 7, 0, time.UTC)
	ended := &verdict.Ended{Reason: "the target stopped responding", At: last, Silent: exchange.API}
	of := func(v verdict.Verdict, party exchange.Party, end time.Duration) verdict.Scenario {
		return verdict.Scenario{
			Verdict: v, Started: last.Add(-time.Minute), Took: time.Minute + end, Finding: &verdict.Finding{Got: "nothing"},
			Exchanges: []exchange.Exchange{{Party: party}}, Steps: []verdict.Step{{Verdict: verdict.Pass}, {Verdict: v}},
		}
	}
	unanswered := of(verdict.Fail, exchange.API, -time.Second)
	unanswered.Exchanges[0].Err = "no response"
	got := cutOff([]verdict.Scenario{
		of(verdict.Fail, exchange.API, time.Second), of(verdict.Fail, exchange.API, -time.Second),
		of(verdict.Fail, exchange.Control, time.Second), of(verdict.Warning, exchange.API, time.Second), unanswered,
	}, ended)
	assert.Equal(t, verdict.CouldNotTest, got[4].Verdict, "it lacked a response just before")
	assert.Equal(t, verdict.CouldNotTest, got[0].Verdict)
	assert.Equal(t, verdict.CouldNotTest, got[0].Steps[1].Verdict)
	assert.Equal(t, verdict.Fail, got[1].Verdict)
	assert.Equal(t, verdict.Fail, got[2].Verdict, "it did not speak to the silent party")
	assert.Equal(t, verdict.Warning, got[3].Verdict)
	assert.Equal(t, verdict.Fail, cutOff([]verdict.Scenario{of(verdict.Fail, exchange.API, time.Second)}, nil)[0].Verdict)
}

// A run that is interrupted while what failed is repeated says so. The failure still decides the outcome.
func TestAnInterruptionOfTheRepeats(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancelCause(t.Context())
	var asked atomic.Int64
	g := fake.New(t)
	g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/accounts/balances" || !strings.Contains(r.UserAgent(), "rule=balance") {
			return false
		}
		if asked.Add(1) > 1 {
			interrupt(errors.New("--timeout 5s ended"))
		}
		_, _ = w.Write([]byte(`{"data":[{"balanceAmount":{"available":10.00,"blocked":0,"overdraft":5}}]}`))
		return true
	})
	result, err := Certify(ctx, Options{Target: g.Profile(), Scenarios: []string{"balance.overdraft/The overdraft field"}})
	require.NoError(t, err)
	assert.Equal(t, verdict.EndedEarly, result.Outcome(), "the controls that the failure depends on were not verified again")
	require.NotNil(t, result.Ended)
	assert.Regexp(t, `^--timeout 5s ended at \d\d:\d\d:\d\d UTC, when what failed was being repeated$`, result.Ended.Reason)
	assert.False(t, result.Ended.Decided)
}

// An interrupted run ends at once, says so, and leaves the accounts of the profile as they were.
func TestInterruption(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]func(*fake.Gateway) target.Profile{
		"new accounts":            (*fake.Gateway).Profile,
		"accounts of the profile": func(g *fake.Gateway) target.Profile { return g.Fixed(1, 500_00) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := fake.New(t)
			ctx, cancel := context.WithCancel(t.Context())
			p := profile(g)
			once := sync.OnceFunc(func() { g.Calls() })
			shown := &watcher{}
			g.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/api/pix/cash-out" && len(shown.started) > 0 {
					once()
					cancel()
				}
				return false
			})
			result, err := Certify(ctx, Options{Target: p, Rules: []string{"cash-out.debit"}, Concurrency: 1, Progress: shown})
			require.ErrorIs(t, err, context.Canceled)
			assert.ErrorContains(t, err, "the run was interrupted before any scenario was judged")
			assert.Nil(t, result)
			for _, s := range shown.finished {
				assert.Zero(t, s.ExchangeCount, "only what was skipped by the plan has a result")
			}
			assert.Len(t, shown.started, 1, "no other scenario begins")
			if len(p.Accounts) > 0 {
				assert.Contains(t, strings.Join(g.Calls(), "; "), `{"mode":"automatic"}`)
			}
		})
	}
}

// The verdicts from before an interruption are kept and can be judged again; the other scenarios are
// listed as not run.
func TestAnInterruptedRunKeepsItsVerdicts(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	ctx, interrupt := context.WithCancelCause(t.Context())
	shown := &watcher{}
	g.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
		shown.locked(func() {
			if len(shown.finished) > 0 && shown.finished[0].ExchangeCount > 0 {
				interrupt(errors.New("interrupt signal received"))
			}
		})
		return false
	})
	evidence := &Evidence{}
	result, err := Certify(ctx, Options{Target: g.Profile(), Rules: []string{"balance.centavos", "balance.overdraft"}, Concurrency: 1, Progress: shown, Evidence: evidence})
	require.NoError(t, err)
	assert.Equal(t, verdict.EndedEarly, result.Outcome())
	assert.Equal(t, 2, result.Outcome().ExitStatus())
	assert.Contains(t, result.Ended.Reason, "interrupt signal received at ")
	assert.Equal(t, verdict.Counts{verdict.Pass: 1, verdict.NotRun: shown.plan.Scenarios - 1}, result.Summary().Scenarios)
	assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
}

// Wrong credentials end the run before the first scenario.
func TestWrongCredentialsEndTheRun(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	profile := g.Fixed(1, 500_00)
	profile.Accounts[0].ClientSecret = "a-wrong-secret"
	shown := &watcher{}
	_, err := Certify(t.Context(), Options{Target: profile, Rules: []string{"balance.overdraft"}, Progress: shown})
	require.ErrorContains(t, err, "accounts[0] in the profile: the target refuses the credentials: 401")
	require.ErrorContains(t, err, "check clientId, clientSecret and certificate")
	assert.Empty(t, shown.started)
	assert.Empty(t, shown.finished)
}

func TestAControlThatFailsEndsTheRun(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]func(*fake.Gateway) target.Profile{
		"new accounts":            (*fake.Gateway).Profile,
		"accounts of the profile": func(g *fake.Gateway) target.Profile { return g.Fixed(1, 500_00) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/controls" {
					_, _ = w.Write([]byte(`{"protocol":1,"controls":["accounts","funds","fees","limits","settlement"]}`))
					return
				}
				fake.Refuse(w, http.StatusInternalServerError, "no database")
			}))
			defer broken.Close()
			p := profile(fake.New(t))
			p.Control = &target.ControlAccess{URL: broken.URL}
			if len(p.Accounts) > 0 {
				p.Control.Without = []target.Control{target.Accounts}
			}
			shown := &watcher{}
			_, err := Certify(t.Context(), Options{Target: p, Rules: []string{"cash-out.debit"}, Progress: shown})
			require.ErrorContains(t, err, "expected 2xx, got 500: no database; fix the control")
			assert.Empty(t, shown.started)
		})
	}
}

func TestARunThatCannotStart(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	fixed := g.Fixed(1, 500_00)
	for says, change := range map[string]func(*Options){
		"no scenario \"balance.overdraft/x\"": func(o *Options) { o.Scenarios = []string{"balance.overdraft/x"} },
		"no.such-rule":                        func(o *Options) { o.Rules = []string{"no.such-rule"} },
		"accounts[0].certificate":             func(o *Options) { o.Target = fixed; o.Target.Accounts = []target.Account{{Certificate: []byte("x")}} },
		"has the clientId of another":         func(o *Options) { o.Target = fixed; o.Target.Accounts = slices.Repeat(fixed.Accounts, 2) },
		"sink.certificate":                    func(o *Options) { o.Target.Sink.Certificate = []byte("x") },
		"opening the webhook sink":            func(o *Options) { o.Target.Sink.Listen = "256.0.0.1:1" },
		"connection refused":                  func(o *Options) { o.Target.BaseURL = "http://127.0.0.1:1" },
	} {
		options := Options{Target: g.Profile(), Rules: []string{"balance.overdraft"}}
		change(&options)
		_, err := Certify(t.Context(), options)
		assert.ErrorContains(t, err, says)
	}
}
