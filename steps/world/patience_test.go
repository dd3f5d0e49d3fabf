package world

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// waitedInVain makes the stage know that a gateway never shows something.
func waitedInVain(s *Stage, at judge.Subject) {
	for range maxLongWaits {
		s.waits.begin(at).end(true)
	}
}

// Once some events have never come, a scenario does not wait to the deadline of its own. It still fails only if the
// event has not come by then.
func TestTheRestOfThePatiencePassesWhileOthersRun(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Deliver(0)
	th.stage.Terms.Deadlines.Webhook = time.Hour
	waitedInVain(th.stage, judge.Deliveries)
	w := New(th.stage, th.script(receives+"When the account sends a cash-out of R$ 1.00\nThen a CashOut event arrives"))
	r := playOn(t.Context(), w)
	require.Equal(t, verdict.Fail, r.Verdict)
	require.True(t, Misses(r))
	require.False(t, r.Unproven, "unless the event comes")
	require.Contains(t, r.Finding.Expected, "within 1h")
	require.Greater(t, time.Until(w.Overdue()), time.Minute/2)
	w.StayOpen()
	w.Close()

	last := len(w.Steps) - 1
	require.False(t, w.CameLate(last))
	event, err := json.Marshal(map[string]string{"event": "CashOut", "status": "CONFIRMED", "transactionId": jsonvalue.Text(w.Judge.It().Answer, "transactionId")})
	require.NoError(t, err)
	th.gateway.Send(w.mail.opened[0].URL(), string(event))
	require.True(t, w.CameLate(last))
	require.True(t, w.Record.Unproven)
	require.Equal(t, time.Hour, th.stage.terms().Deadlines.Webhook, "it came in time")
	require.Equal(t, time.Hour, w.inPlace(judge.Result{Verdict: verdict.Fail, Look: &judge.Look{At: judge.Deliveries, Patience: time.Hour}}, th.stage.waits.begin(judge.Deliveries)), "this gateway only takes longer than usual")
}

// A balance that is wrong for less than the deadline may only lag.
func TestAWrongBalanceProvesLessIfItIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inVain, proven bool }{{false, false}, {true, false}, {false, true}} {
		th := newTestStage(t)
		th.stage.Terms.Deadlines.Balance = 2 * leastLook
		if c.inVain {
			waitedInVain(th.stage, judge.Balance)
		}
		script := th.script("Given an account with R$ 10.00 available\nWhen the account sends a cash-out of R$ 1.00\nThen the available balance falls by R$ 2.00")
		script.Proven = c.proven
		w, inVain := New(th.stage, script), c.inVain || c.proven
		began := time.Now()
		r := playOn(t.Context(), w)
		require.Equal(t, verdict.Fail, r.Verdict)
		require.Equal(t, inVain, r.Unproven)
		require.Equal(t, inVain, w.Record.Unproven)
		if !inVain {
			require.GreaterOrEqual(t, time.Since(began), 2*leastLook)
		}
	}
}

// What takes long at a gateway is waited for that long.
func TestUsualTimes(t *testing.T) {
	t.Parallel()
	var all lookWaits
	require.Equal(t, leastLook, all.begin(judge.Balance).usually())
	for at, took := range map[judge.Subject]time.Duration{judge.Balance: 3 * time.Second, judge.List: 9 * time.Second} {
		for _, took := range []time.Duration{took, time.Second} {
			wait := all.begin(at)
			wait.looked = time.Now().Add(-took)
			wait.found()
		}
	}
	require.InDelta(t, usualTimes*3*time.Second, all.begin(judge.Balance).usually(), float64(time.Second))
}

// Few waits last longer than usual. Those that find something make room for others; those in vain do not.
func TestFewWaitsLastLongerThanUsual(t *testing.T) {
	t.Parallel()
	var all lookWaits
	begin := func() *lookWait {
		wait := all.begin(judge.Balance)
		wait.began = wait.began.Add(-2 * time.Second)
		return wait
	}
	last := func(wait *lookWait) time.Duration { return wait.until(time.Second, time.Minute) }
	require.Equal(t, time.Second, all.begin(judge.Balance).until(time.Second, time.Minute), "it has not lasted so long")
	require.Equal(t, 5*time.Second, begin().until(10*time.Second, 5*time.Second), "the deadline is sooner")

	var long []*lookWait
	for range maxLongWaits {
		long = append(long, begin())
		require.Equal(t, time.Minute, last(long[len(long)-1]))
		require.Equal(t, time.Minute, last(long[len(long)-1]), "it has a place")
	}
	one := begin()
	require.Equal(t, time.Second, last(one))
	long[0].found()
	require.Equal(t, time.Minute, last(one))
	for _, wait := range append(long[1:], one) {
		require.False(t, wait.isHopeless())
		wait.end(true)
	}
	require.True(t, one.isHopeless())
	require.Equal(t, time.Second, last(begin()))
	require.Equal(t, time.Minute, all.begin(judge.List).until(0, time.Minute), "of another kind")
	require.False(t, all.begin(returned).isHopeless())
	for range maxLongWaits {
		all.begin(explained).end(true)
	}
	require.True(t, all.begin(returned).isHopeless(), "nothing explains the balances")
}
