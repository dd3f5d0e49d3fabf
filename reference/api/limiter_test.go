package api

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

func TestWindow(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	var calls window
	for _, step := range []struct {
		after time.Duration // since the start
		limit int
		wait  time.Duration // 0: let in
	}{
		{0, 2, 0},
		{20 * time.Second, 2, 0},
		{30 * time.Second, 2, 30 * time.Second},
		{59 * time.Second, 2, time.Second},
		{60 * time.Second, 2, 0}, // the first has left, what was refused never came in
		{61 * time.Second, 2, 19 * time.Second},
		{61 * time.Second, 3, 0},
		{62 * time.Second, 1, 59 * time.Second}, // of a lowered limit the last call counts
		{62 * time.Second, 0, time.Minute},
		{-time.Hour, 1, 0},                                // set back: what lies ahead does not count
		{24 * time.Hour, 1, 0},                            // moved on
		{24*time.Hour + time.Second, 1, 59 * time.Second}, // and counting again
	} {
		var wait time.Duration
		calls, wait = calls.admit(start.Add(step.after), step.limit)
		assert.Equal(t, step.wait, wait, "after %s, limit %d", step.after, step.limit)
	}
}

func TestLimiterLetsInAsManyAsTheLimitInParallel(t *testing.T) {
	t.Parallel()
	var l limiter
	var admitted atomic.Int64
	var calls sync.WaitGroup
	for i := range 200 {
		calls.Go(func() {
			if l.admit(caller{account: int64(i % 2)}, 60, time.Now) == 0 {
				admitted.Add(1)
			}
		})
	}
	calls.Wait()
	assert.EqualValues(t, 120, admitted.Load(), "60 of each account")
}

func TestLimiterForgetsWhoStaysAway(t *testing.T) {
	t.Parallel()
	var l limiter
	for i := range 1000 {
		l.admit(caller{account: int64(i)}, 1, time.Now)
	}
	l.turned = l.turned.Add(-windowLength)
	assert.Positive(t, l.admit(caller{account: 1}, 1, time.Now), "the generation before counts")
	l.turned = l.turned.Add(-windowLength)
	l.admit(caller{account: 1}, 1, time.Now)
	assert.Len(t, l.previous, 1)
	assert.Len(t, l.recent, 1)
	l.turned = l.turned.Add(-2 * windowLength)
	assert.Zero(t, l.admit(caller{account: 1}, 1, time.Now), "nothing is left after two")
}

func TestLimitedOperation(t *testing.T) {
	t.Parallel()
	a := api{store: new(store.Store)}
	served := 0
	serve := func(operation string, account pix.Account) (*httptest.ResponseRecorder, error) {
		w := httptest.NewRecorder()
		h := a.limited(operation, func(http.ResponseWriter, *http.Request, pix.Account) error { served++; return nil })
		return w, h(w, nil, account)
	}
	two := 2
	account := pix.Account{ID: 1}
	account.Limits.RequestsPerMinute = &two
	for range two {
		_, err := serve("listMeds", account)
		require.NoError(t, err)
	}
	w, err := serve("listMeds", account)
	p, ok := err.(*problem)
	require.True(t, ok, "%v", err)
	assert.Equal(t, http.StatusTooManyRequests, p.status)
	assert.NotEmpty(t, p.userMessage)
	assert.Contains(t, []string{"60", "59"}, w.Header().Get("Retry-After"))
	assert.Equal(t, two, served)

	for name, other := range map[string]func(*pix.Account) string{
		"another operation":  func(*pix.Account) string { return "resendWebhook" },
		"another account":    func(a *pix.Account) string { a.ID = 2; return "listMeds" },
		"a minute later":     func(a *pix.Account) string { a.ClockOffset = windowLength; return "listMeds" },
		"a limit taken away": func(a *pix.Account) string { a.Limits.RequestsPerMinute = nil; return "listMeds" },
	} {
		changed := account
		operation := other(&changed)
		_, err := serve(operation, changed)
		assert.NoError(t, err, name)
	}
}
