package world

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

func discard(exchange.Exchange) int { return 0 }

func TestTheLagIsTheTimeUntilAChangeShows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		looks int // until the change shows; 0: it never does
		lag   time.Duration
	}{
		"at once":           {1, 0},
		"at the third look": {3, 2 * pollEvery},
		"never: no lag, but something for the rules": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &World{recorder: recorder{
					Stage: &Stage{Terms: &record.Terms{Deadlines: target.Deadlines{Balance: time.Second}}},
					Judge: judge.New("rule", nil, &record.Terms{}),
				}}
				looked := 0
				took := Probe{w}.untilShown(t.Context(), time.Second, func() bool {
					looked++
					return looked == c.looks
				})
				assert.Equal(t, c.lag, took)
			})
		})
	}
}

func TestCatchUpWaitsFromTheLastAction(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &World{recorder: recorder{Stage: &Stage{Behavior: Behavior{Lag: 100 * time.Millisecond}}}}
		started := time.Now()
		w.acted = started.Add(-50 * time.Millisecond)
		require.NoError(t, w.catchUp(t.Context()))
		assert.Equal(t, 250*time.Millisecond, time.Since(started))
		require.NoError(t, w.catchUp(t.Context()))
		assert.Equal(t, 250*time.Millisecond, time.Since(started), "once is enough")
		w.acted = time.Now()
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, w.catchUp(ended), context.Canceled)
	})
}

// A request acts, and so does a target that sends an event; who looks does not.
func TestWhatActs(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w := New(th.stage, Script{})
	defer w.Close()
	at := time.Now()
	for i, c := range []struct {
		e    exchange.Exchange
		acts bool
	}{
		{exchange.Exchange{Party: exchange.API, Operation: "cash-out", Method: "POST"}, true},
		{exchange.Exchange{Party: exchange.API, Operation: "balance request", Method: "GET"}, false},
		{exchange.Exchange{Party: exchange.Control, Operation: "funds", Method: "PUT"}, true},
		{exchange.Exchange{Party: exchange.Webhook, Method: "POST"}, true},
	} {
		before := w.acted
		c.e.Sent, c.e.Took = at.Add(time.Duration(i)*time.Second), time.Millisecond
		w.keep(c.e, record.Entry{})
		if c.acts {
			assert.Equal(t, c.e.Sent.Add(c.e.Took), w.acted, c.e.Operation)
		} else {
			assert.Equal(t, before, w.acted, c.e.Operation)
		}
	}
}

// How far a target lags behind is measured on a new account, or costs an account of the profile
// a centavo.
func TestMeasureLag(t *testing.T) {
	t.Parallel()
	const lag = 300 * time.Millisecond
	for name, change := range map[string]func(*fake.Gateway) target.Profile{
		"new account":            func(g *fake.Gateway) target.Profile { return g.Profile() },
		"account of the profile": on(1),
	} {
		t.Run(name, func(t *testing.T) {
			th := newTestStage(t, change)
			th.gateway.Lag(lag)
			w := New(th.stage, Script{Rule: "pixcert.lag", Accounts: th.fixed})
			measured, unseen := Probe{w}.MeasureLag(t.Context(), false, false)
			w.Close()
			assert.GreaterOrEqual(t, measured, lag-2*pollEvery)
			assert.Positive(t, unseen)
			if len(th.fixed) > 0 {
				assert.Len(t, th.fixed[0].outstanding, 2, "a payment sent, and one received")
			}
			th.stage.Lag = measured
			_, r := th.play(th.script("Given an account with R$ 10.00 available" + movesMoney))
			assert.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
			th.stage.Claims = func(target.Family) bool { return false }
			w = New(th.stage, Script{Rule: "pixcert.lag", Accounts: th.fixed})
			Probe{w}.MeasureLag(t.Context(), false, false)
			assert.Empty(t, w.Judge.Attempts, "what nobody claims is not sent")
			w.Close()
			prompt := newTestStage(t, change)
			w = New(prompt.stage, Script{Rule: "pixcert.lag", Accounts: prompt.fixed})
			measured, unseen = Probe{w}.MeasureLag(t.Context(), false, false)
			assert.Zero(t, measured)
			assert.Less(t, unseen, lag)
			w.Close()
		})
	}
}

// A registration may be listed late, by a gateway that no other lag can be measured of.
func TestMeasureLagOfRegistrations(t *testing.T) {
	t.Parallel()
	const lag = 300 * time.Millisecond
	th := newTestStage(t)
	th.gateway.Lag(lag)
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		isBalance := r.URL.Path == "/accounts/balances"
		if isBalance {
			fake.Refuse(w, http.StatusNotFound, "HTTP_ERROR")
		}
		return isBalance
	})
	w := New(th.stage, Script{Rule: "pixcert.lag"})
	th.stage.Lag, _ = Probe{w}.MeasureLag(t.Context(), false, false)
	w.Close()
	assert.GreaterOrEqual(t, th.stage.Lag, lag-2*pollEvery)
	th.passes("Given an account\nAnd the account has sent a webhook registration\nWhen the account sends a webhook list request\nThen the last registration is listed as it was sent")
}

// MED cases may be listed late, where nothing else lags.
func TestMeasureLagOfCases(t *testing.T) {
	t.Parallel()
	const lag = 300 * time.Millisecond
	th := newTestStage(t)
	var first time.Time
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/med" {
			return false
		}
		if first.IsZero() {
			first = time.Now()
		}
		data := `{"id": 5}`
		if time.Since(first) < lag {
			data = ""
		}
		_, _ = fmt.Fprintf(w, `{"data": [%s], "metadata": {"total": 1}}`, data)
		return true
	})
	w := New(th.stage, Script{Rule: "pixcert.lag"})
	measured, _ := Probe{w}.MeasureLag(t.Context(), false, true)
	w.Close()
	assert.GreaterOrEqual(t, measured, lag-2*pollEvery)
}

// A list may show how a payment ended later than its webhook does.
func TestMeasureLagOfEnds(t *testing.T) {
	t.Parallel()
	const lag = time.Second // of which a busy machine takes some
	th := newTestStage(t)
	th.gateway.ListsEndsAfter(lag)
	w := New(th.stage, Script{Rule: "pixcert.lag"})
	measured, _ := Probe{w}.MeasureLag(t.Context(), true, false)
	w.Close()
	assert.GreaterOrEqual(t, measured, lag/2)
}

// A balance that lags now and then, which nobody could measure, is not what sentences compare with.
func TestSentencesCompareWithABalanceThatIsExplained(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Lag(300 * time.Millisecond)
	th.passes("Given an account with R$ 10.00 available\nAnd the account has R$ 1.00 available" + movesMoney)
}

// A lag that the run could not measure, because what it read came late, shows as a balance that has not
// moved. Sentences do not compare with it, in whichever part of the balance it shows.
func TestSentencesCompareWithABalanceThatHasMoved(t *testing.T) {
	t.Parallel()
	const scenario = "Given an account with R$ 10.00 available" + movesMoney + `
	When the account sends a cash-out of R$ 2.00
	Then the request is accepted
	When the account sends a cash-out of R$ 100.00
	Then the request is rejected with 400
	And the available balance is unchanged`
	th := newTestStage(t)
	th.gateway.Lag(300 * time.Millisecond)
	w, _ := th.play(th.script(scenario))
	require.Equal(t, money.Centavos(9_00), w.Judge.Before.Available, "it may have been read too early")
	th.stage.Unseen = 300 * time.Millisecond
	w, r := th.play(th.script(scenario))
	require.Equal(t, money.Centavos(7_00), w.Judge.Before.Available)
	require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
}

// What an account receives may be in the list before its balance shows it.
func TestMeasureLagOfCredits(t *testing.T) {
	t.Parallel()
	const trail = 300 * time.Millisecond
	for name, c := range map[string]struct {
		status  string
		without []target.Control
		lags    bool
	}{
		"listed":       {"Confirmado", nil, true},
		"not ended":    {"Pendente", nil, false},
		"nobody pays":  {"Confirmado", []target.Control{target.Payments}, false},
		"of no effect": {"Error", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTestStage(t, on(1, c.without...))
			th.gateway.Trail(trail)
			th.gateway.Receive(c.status)
			w := New(th.stage, Script{Rule: "pixcert.lag", Accounts: th.fixed})
			defer w.Close()
			measured, _ := Probe{w}.MeasureLag(t.Context(), false, false)
			if c.lags {
				assert.GreaterOrEqual(t, measured, trail-2*pollEvery)
			} else {
				assert.Zero(t, measured)
			}
		})
	}
}

func TestALagThatCannotBeMeasured(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Spoil(func(w http.ResponseWriter, _ *http.Request) bool { fake.Refuse(w, 500, "INTERNAL"); return true })
	w := New(th.stage, Script{})
	defer w.Close()
	measured, _ := Probe{w}.MeasureLag(t.Context(), false, false)
	assert.Zero(t, measured)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	measured, _ = Probe{w}.MeasureLag(ended, false, false)
	assert.Zero(t, measured)
	require.NoError(t, Probe{w}.SettleIn(ended, nil), "it says nothing of the credentials")
}

// --- what breaks, and what takes too long ---

// A connection that breaks under a request shows nothing, and is worth another try.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	breaks := func(method, path string) {
		th.gateway.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == method && r.URL.Path == path {
				fake.Break()
			}
			return false
		})
	}
	breaks("POST", "/api/pix/cash-out")
	const funded = "Given an account with R$ 10.00 available\nAnd the account has a token\n"
	_, r := th.play(th.script(funded + "When the account sends a cash-out\nThen the request is accepted"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.True(t, r.Spoiled)
	_, r = th.play(th.script(funded + "When the account sends 3 concurrent cash-outs of R$ 1.00\nThen every request is accepted"))
	assert.NotEqual(t, verdict.Pass, r.Verdict)
}

// What could be read before a When, and cannot be before the next, is a failure.
func TestABalanceThatCanNoLongerBeRead(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	reads := 0
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/accounts/balances" {
			if reads++; reads > 2 {
				fake.Refuse(w, 500, "INTERNAL")
				return true
			}
		}
		return false
	})
	const when = "\nWhen the account sends a cash-out of R$ 1.00\nThen the available balance falls by R$ 1.00"
	_, r := th.play(th.script("Given an account with R$ 10.00 available" + when + when))
	assert.Equal(t, verdict.Fail, r.Verdict)
	assert.Contains(t, r.Finding.Expected, "earlier requests returned")
	_, r = th.play(th.script("Given an account with R$ 10.00 available" + when))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict, "it never could")
}

// A scenario that takes too long blames nobody, whatever it waits for.
func TestAScenarioThatTakesTooLong(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	for _, lines := range []string{
		"When the account sends a cash-out of R$ 1.00\nThen the request is accepted",
		"And the account has sent a cash-out of R$ 1.00",
		"When the account sends a MED list request\nThen the request is accepted",
		"And the account receives cash_out webhooks\nWhen the account sends a cash-in\nThen no event arrives",
		"And 3 seconds pass",
	} {
		s := th.script("Given an account with R$ 10.00 available\nAnd the account has a token\n" + lines)
		w := New(th.stage, s)
		for i := range s.Steps[:2] {
			require.Equal(t, verdict.Pass, w.Do(t.Context(), i).Verdict)
		}
		limited, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
			switch r.URL.Path {
			case "/api/pix/cash-out":
				_, _ = io.ReadAll(r.Body) // else the server does not notice that the client has gone
				<-r.Context().Done()
			case "/api/med":
				fake.Refuse(w, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
				return true
			case "/api/pix/cash-in":
				cancel()
			}
			return false
		})
		if lines == "And 3 seconds pass" {
			cancel()
		}
		r := verdict.Pass
		says := ""
		for i := 2; i < len(s.Steps) && r == verdict.Pass; i++ {
			result := w.Do(limited, i)
			if r = result.Verdict; result.Finding != nil {
				says = result.Finding.Got
			}
		}
		cancel()
		w.Close()
		assert.Equal(t, verdict.CouldNotTest, r, lines)
		assert.Regexp(t, `^the scenario took longer than \d+m\d+s`, says, lines) // longer than 2m0s next to others
	}
}

// A request that the target wants later is sent again when it says so.
func TestThrottledRequestsAreSentAgain(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	refused := 0
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/med" || refused > 0 {
			return false
		}
		refused++
		w.Header().Set("Retry-After", "1")
		fake.Refuse(w, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
		return true
	})
	w, sent := th.passes("Given an account\nWhen the account sends a MED list request\nThen the request is accepted")
	require.Len(t, sent, 1)
	assert.Len(t, w.Judge.Looks, 2, "a token, and the one that was refused")
}

// Where the judge looks while a step does not hold.
func TestLooks(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.stage.Terms.Deadlines.Webhook = 100 * time.Millisecond
	th.gateway.Calls()
	for lines, call := range map[string]string{
		"Given an account\nWhen the account sends a cob\nThen the charge is ATIVA":                                                                   `GET /accounts/\d+/charges/Tt\w+`,
		"Given an account\nAnd the account has received R$ 1.00 through a cob\nWhen the account sends a refund\nThen the refund is EM_PROCESSAMENTO": `GET /accounts/\d+/refunds/D7+`,
		"Given an account\nWhen the account sends a split cash-in\nThen the account keeps R$ 9.00":                                                   `GET /accounts/\d+/splits\?transactionId=charge-.*`,
	} {
		th.passes(lines)
		calls := th.gateway.Calls()
		assert.Regexp(t, call, calls[len(calls)-1])
	}
	_, r := th.play(th.script("Given an account\nWhen the account sends a cob\nThen the charge is CONCLUIDA"))
	assert.Equal(t, verdict.Fail, r.Verdict)
	assert.Greater(t, len(th.gateway.Calls()), 2, "it is looked at again")
	th.passes("Given an account with R$ 5.00 available\nAnd settlement waits for the bank\nWhen the account sends a cash-out\nThen the payment is listed once\nAnd the available balance falls by R$ 1.00")
	_, r = th.play(th.script("Given an account with R$ 5.00 available\nAnd settlement waits for the bank\nWhen the account sends a cash-out\nThen the available balance stays unchanged"))
	assert.Equal(t, verdict.Fail, r.Verdict)
	th.passes("Given an account\nWhen the account sends a webhook registration with url \"http://127.0.0.1\"\nThen the request is rejected with 400")
}

// The longer the answers, the longer the time between two looks: what a scenario keeps of them
// while its patience lasts is bounded.
func TestLongAnswersAreLookedAtLessOften(t *testing.T) {
	t.Parallel()
	w := &World{recorder: recorder{Judge: judge.New("rule", nil, &record.Terms{})}}
	assert.Equal(t, pollEvery, w.pause())
	for size, pause := range map[int]time.Duration{1000: pollEvery, 100 << 10: 7 * pollEvery, 1 << 20: 65 * pollEvery} {
		w.Judge.Exchanges = []*exchange.Exchange{{ResponseBody: make([]byte, size)}}
		assert.Equal(t, pause, w.pause())
	}
}

// A scenario with too many long answers keeps no more of them, and cannot be judged.
func TestLongAnswersAreBounded(t *testing.T) {
	t.Parallel()
	w := &World{recorder: recorder{Judge: judge.New("rule", nil, &record.Terms{}), Record: &record.Record{}}}
	body := bytes.Repeat([]byte("a"), 1<<20)
	for i := range 2 * mostLong / len(body) {
		kept := exchange.Exchange{Party: exchange.API, Status: 200, ResponseBody: body}
		w.bound(&kept)
		w.stop(t.Context(), nil)
		if fits := i < mostLong/len(body); fits {
			assert.Equal(t, 200, kept.Status)
			assert.Nil(t, w.Judge.Obstacle(0))
		} else {
			assert.Zero(t, kept.Status)
			assert.Empty(t, kept.ResponseBody)
			assert.Equal(t, record.Unable, w.Judge.Obstacle(0).Kind)
		}
	}
	assert.Len(t, w.Record.Entries, 1, "it is said once")
	short := exchange.Exchange{Party: exchange.API, Status: 200, ResponseBody: body[:long]}
	w.bound(&short)
	assert.Equal(t, 200, short.Status)
}
