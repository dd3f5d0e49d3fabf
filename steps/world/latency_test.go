package world

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

func TestSilence(t *testing.T) {
	t.Parallel()
	const floor = 100 * time.Millisecond
	var l Latencies
	assert.Equal(t, floor, l.silence(floor))
	l.add(20 * time.Millisecond)
	assert.Equal(t, floor, l.silence(floor))
	for range 999 {
		l.add(80 * time.Millisecond)
	}
	assert.Equal(t, 160*time.Millisecond, l.silence(floor), "twice the 99th percentile")
	l.add(3 * time.Second)
	assert.Equal(t, 3*time.Second, l.silence(floor), "the slowest")
	assert.Equal(t, verdict.Webhooks{Count: 1001, P99: 80 * time.Millisecond, Slowest: 3 * time.Second, Silence: 3 * time.Second}, l.Summary(floor))
}

// "Nothing arrives" waits as long as the target's webhooks take, and the record says how long. One
// slow webhook makes nobody wait longer for what must not arrive than for what must.
func TestNothingArrivesWaitsForSlowWebhooks(t *testing.T) {
	t.Parallel()
	for slowest, least := range map[time.Duration]time.Duration{400 * time.Millisecond: 800 * time.Millisecond, 5 * time.Second: time.Second} {
		th := newTestStage(t)
		th.stage.Terms.Deadlines.Webhook = time.Second
		th.stage.Latencies.add(slowest)
		w, r := th.play(th.script("Given an account with R$ 10.00 available\nAnd the account receives cash_in webhooks\nWhen the account sends a cash-out\nThen no cash_in event arrives"))
		require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
		var waited time.Duration
		for _, e := range w.Record.Entries {
			if e.Fact != nil && e.Fact.Kind == record.Quiet {
				waited = e.Fact.For
			}
		}
		assert.Equal(t, least, waited)
		assert.GreaterOrEqual(t, w.Record.Took+time.Since(w.Record.Started), waited)
	}
}

// The latency of a webhook counts from what caused it.
func TestTheLatencyOfWebhooks(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	began := time.Now()
	th.passes("Given an account with R$ 10.00 available\nAnd the account receives cash_out webhooks\nWhen the account sends a cash-out\nThen a CashOut event arrives")
	s := th.stage.Latencies.Summary(0)
	assert.Equal(t, 1, s.Count)
	assert.Less(t, s.Slowest, time.Since(began))
}

// A scenario has more time at a slow target, within bounds.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	limit := func() time.Duration { return New(th.stage, th.script("Given an account")).TimeLimit }
	assert.Equal(t, 2*time.Minute, limit())
	w, _ := th.play(th.script("Given an account with R$ 10.00 available\nAnd the account receives cash_out webhooks\nWhen the account sends a cash-out\nThen a CashOut event arrives"))
	requests := 0
	for _, e := range w.Judge.Exchanges {
		if e.Party != exchange.Webhook {
			requests++
		}
	}
	assert.Equal(t, requests, th.stage.Responses.count, "API and controls")
	for took, want := range map[time.Duration]time.Duration{
		20 * time.Millisecond:  2 * time.Minute,
		250 * time.Millisecond: 5 * time.Minute,
		9 * time.Second:        10 * time.Minute,
	} {
		th.stage.Responses = Responses{}
		th.stage.Responses.add(took / 2)
		th.stage.Responses.add(3 * took / 2)
		assert.Equal(t, want, limit(), "responses of %v on average", took)
	}
	th.stage.Responses = Responses{}
	th.stage.Terms.Deadlines.Webhook = 30 * time.Second // twice its default
	assert.Equal(t, 4*time.Minute, limit(), "a raised deadline counts, too")
}
