package world

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Whether a gateway counts the resends of each account, or those of a client with many, is left open; that each
// account has too few is a fault.
func TestResendsOfAllAccounts(t *testing.T) {
	t.Parallel()
	const burst = `Given an account with R$ 5.00 available
		And the account receives cash_out webhooks
		And the account has sent a cash-out of R$ 1.00
		And a CashOut event arrives
		When the account sends 60 concurrent resend requests
		Then every request is accepted`
	tooMany := strings.NewReplacer("60 concurrent", "62 concurrent", "every request is accepted", "60 or 61 requests are accepted").Replace(burst)
	const used = `Given an account
		When the account sends 60 concurrent resend requests
		Then every request is rejected with 404
		When the account sends a resend request with path transactionIdentifier "nobody"
		Then the request is rejected with 404 or 429`
	one := strings.NewReplacer("60 concurrent resend requests", "a resend request", "every request", "the request").Replace(burst)

	// limiting refuses what is beyond the limit in a minute, of each account or of all. Its minutes end when the
	// test says so, or with the first refusal.
	limiting := func(limit int, ofEach, endsMinute bool) (th *testStage, endMinute func()) {
		th = newTestStage(t)
		th.stage.resends.minute = time.Hour
		var mu sync.Mutex
		sent := map[string]int{}
		endMinute = func() {
			clear(sent)
			th.stage.resends.locked(func() { th.stage.resends.sent = nil })
		}
		th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/resend-webhook/") {
				return false
			}
			mu.Lock()
			defer mu.Unlock()
			of := "all"
			if ofEach {
				of = r.Header.Get("Authorization")
			}
			sent[of]++
			if sent[of] <= limit {
				return false
			}
			w.Header().Set("Retry-After", "1")
			fake.Refuse(w, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
			if endsMinute {
				go func() {
					assert.Eventually(t, func() (isPaced bool) {
						th.stage.resends.locked(func() { isPaced = th.stage.resends.isPaced() })
						return isPaced
					}, 10*time.Second, time.Millisecond)
					mu.Lock()
					defer mu.Unlock()
					endMinute()
				}()
			}
			return true
		})
		return th, endMinute
	}
	play := func(th *testStage, text string, attempt int) verdict.Verdict {
		s := th.script(text)
		s.Throttled, s.Attempt, s.RealTime = text != one, attempt, text != one && attempt > 0
		_, r := th.play(s)
		return r.Verdict
	}

	th, endMinute := limiting(60, false, true)
	assert.Equal(t, verdict.Pass, play(th, burst, 0))
	w, _ := th.passes(one)
	assert.Equal(t, record.Throttled, w.Judge.Looks[len(w.Judge.Looks)-1].Role, "sent again")
	endMinute()
	assert.Equal(t, verdict.Pass, play(th, burst, 0), "alone in its minute")

	th, endMinute = limiting(30, true, false)
	assert.Equal(t, verdict.Pass, play(th, one, 0))
	assert.Equal(t, verdict.CouldNotTest, play(th, burst, 0), "others may show how it counts")
	assert.False(t, th.stage.resends.isPaced())
	assert.Equal(t, verdict.CouldNotTest, play(th, burst, 1), "it may be refused for those of the other accounts")
	for _, want := range []verdict.Verdict{verdict.CouldNotTest, verdict.Fail} {
		assert.True(t, th.stage.resends.isPaced())
		endMinute()
		assert.Equal(t, want, play(th, burst, 1), "alone; another run may disturb one minute")
	}
	assert.Equal(t, verdict.Fail, play(th, burst, 1), "an account has too few, alone or not")

	th, _ = limiting(60, false, false)
	later := burst + "\n" + strings.Replace(burst[strings.Index(burst, "When"):], "When", "When 61 seconds pass\nAnd", 1)
	assert.Equal(t, verdict.CouldNotTest, play(th, later, 0), "the gateway may count in real time")
	th, _ = limiting(60, true, false)
	for range 3 {
		assert.Equal(t, verdict.Pass, play(th, burst, 0))
	}
	assert.Equal(t, verdict.CouldNotTest, play(th, later, 0), "of each account, too")
	assert.Empty(t, th.stage.resends.tooFew)

	th, _ = limiting(60, true, false)
	th.stage.resends.noteTooFew(anyone())
	assert.Equal(t, verdict.Pass, play(th, burst, 0))
	assert.Empty(t, th.stage.resends.tooFew, "an account alone has enough")

	th, endMinute = limiting(60, false, false)
	th.passes(one)
	th.stage.resends.sent = nil
	assert.Equal(t, verdict.CouldNotTest, play(th, burst, 0), "another run may have sent some")
	endMinute()
	assert.Equal(t, verdict.Pass, play(th, burst, 1))

	th, _ = limiting(60, true, false)
	assert.Equal(t, verdict.Pass, play(th, used, 1), "alone, it may be refused for those that were rejected")
	for range 3 {
		assert.Equal(t, verdict.Pass, play(th, burst, 0))
		assert.Equal(t, verdict.Pass, play(th, tooMany, 0))
	}
	assert.False(t, th.stage.resends.together, "what is refused rightly says nothing")
	assert.False(t, th.stage.resends.mayExplain(exchange.Exchange{Sent: time.Now()}, api.RequestsPerMinute), "more were accepted than together could have been")
}

// anyone is a period of an account.
func anyone() period { return period{account: new(actor)} }

func never(t *testing.T) func(bool) { return func(bool) { t.Error("nothing had to wait") } }

// An account that was alone and had too few may have been disturbed, which shows if another has enough.
func TestTooFewIsForgotten(t *testing.T) {
	t.Parallel()
	first, second, third := anyone(), anyone(), anyone()
	var l sharedLimit
	assert.False(t, l.noteTooFew(first))
	assert.True(t, l.noteTooFew(second))
	l.sent = []sentResend{{time.Now(), third}}
	l.noteEnough(&turn{of: second})
	assert.True(t, l.isKnown(), "it was not alone")
	l.sent[0].of.since = 7
	l.noteEnough(&turn{of: l.sent[0].of})
	assert.True(t, l.isKnown(), "after the clock moved")
	l.sent[0].of = third
	l.noteEnough(&turn{of: third})
	assert.False(t, l.isKnown())
	assert.False(t, l.noteTooFew(first))
}

// A burst is alone only if no other resend comes between it and its responses.
func TestAResendThatComesBetween(t *testing.T) {
	t.Parallel()
	var l sharedLimit
	burst, other := &turn{60, true, false, anyone()}, &turn{1, false, false, anyone()}
	require.NoError(t, l.await(t.Context(), burst, never(t)))
	assert.True(t, l.isAlone(burst))
	require.NoError(t, l.await(t.Context(), other, never(t)))
	assert.False(t, l.isAlone(burst))
}

// A repeated scenario that has moved the clock waits for real: a gateway may count in real time.
func TestResendsAfterTheClockMoved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, began, of := sharedLimit{apart: true}, time.Now(), anyone()
		later := period{of.account, 7}
		require.NoError(t, l.await(t.Context(), &turn{62, true, true, of}, never(t)))
		require.NoError(t, l.await(t.Context(), &turn{1, true, false, later}, never(t)))
		assert.Zero(t, time.Since(began), "the first time")
		assert.True(t, l.isUndecided(&turn{1, true, false, later}))
		announced := 0
		require.NoError(t, l.await(t.Context(), &turn{1, true, true, later}, func(paced bool) {
			assert.False(t, paced, "it waits for no other account")
			announced++
		}))
		assert.Equal(t, 1, announced)
		assert.Equal(t, safeMinute, time.Since(began).Truncate(time.Second))
		assert.False(t, l.isUndecided(&turn{1, true, true, later}))
	})
}

// Only the first time, the clock is moved.
func TestARepeatWaitsForReal(t *testing.T) {
	t.Parallel()
	for attempt, moves := range []bool{true, false} {
		th := newTestStage(t)
		said := 0
		th.stage.Waiting = func(string) { said++ }
		s := th.script("Given an account\nWhen 1 seconds pass")
		s.Throttled, s.Attempt, s.RealTime = true, attempt, attempt > 0
		began := time.Now()
		_, r := th.play(s)
		require.Equal(t, verdict.Pass, r.Verdict)
		assert.Equal(t, moves, strings.Contains(strings.Join(th.gateway.Calls(), " "), "/clock"))
		assert.True(t, moves || time.Since(began) >= time.Second)
		assert.Equal(t, attempt, said, "that it waits")

		s = th.script("Given an account\nWhen 601 seconds pass")
		s.Throttled, s.Attempt, s.RealTime = true, attempt, attempt > 0
		_, r = th.play(s)
		require.Equal(t, verdict.Pass, r.Verdict)
		assert.Contains(t, strings.Join(th.gateway.Calls(), " "), "/clock", "too long to wait for")
	}
}

// Once resends may count together, they wait for their turn: no more than 60 in a minute, and some alone.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		announced := 0
		var l sharedLimit
		says := func(paced bool) {
			assert.True(t, paced)
			announced++
		}
		began := time.Now()
		awaits := func(resends int, alone bool) time.Duration {
			turn := &turn{resends, alone, false, anyone()}
			assert.NoError(t, l.await(t.Context(), turn, says))
			assert.True(t, l.isAlone(turn) || !alone || !l.together)
			return time.Since(began).Round(time.Second)
		}
		refused := func() bool { return l.mayExplain(exchange.Exchange{Sent: time.Now()}, api.RequestsPerMinute) }
		assert.Zero(t, awaits(62, true))
		assert.False(t, refused(), "with 62 in a minute, none of another account")
		assert.Zero(t, awaits(30, true), "nothing waits as long as none was refused that should not be")
		assert.True(t, refused())
		assert.Equal(t, 70*time.Second, awaits(1, false))
		assert.False(t, refused(), "what is paced is not refused for that of others")

		var alone, next time.Duration
		var turns sync.WaitGroup
		turns.Go(func() { alone = awaits(62, true) })
		synctest.Wait()
		turns.Go(func() { next = awaits(1, false) })
		turns.Wait()
		assert.Equal(t, 140*time.Second, alone)
		assert.Equal(t, 70*time.Second, next, "before what has to be alone")

		ended, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, l.await(ended, &turn{62, true, false, anyone()}, says), context.Canceled)
		assert.Empty(t, l.queue)
		assert.Equal(t, 3, announced, "for each turn that had to wait")
	})
}

// A scenario that has to wait for its turn has the time for it; others have not.
func TestTimeToWaitForTurns(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	resend := th.script("Given an account\nWhen the account sends a resend request")
	usual := th.stage.timeLimit(resend)
	bursts := resend
	bursts.Throttled = true
	assert.Equal(t, mostWaiting, th.stage.timeLimit(bursts), "bursts are sent one after the other")
	th.stage.resends.apart = true
	assert.Equal(t, usual, th.stage.timeLimit(bursts))
	th.stage.resends.together, th.stage.resends.apart = true, false
	assert.Equal(t, mostWaiting, th.stage.timeLimit(resend))
	assert.Equal(t, usual, th.stage.timeLimit(th.script("Given an account\nWhen the account sends a cash-out")))
	th.stage.Terms.Deadlines.Webhook = time.Hour
	assert.Greater(t, th.stage.timeLimit(resend), mostWaiting, "not less than usual")
}
