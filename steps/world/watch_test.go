package world

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A payment that is not listed at first is allowed to come late, but not to go away again.
func TestAListThatWasWrongIsWatched(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lacks   func(read int64) bool
		watched int
		wrong   bool // a breach is found
	}{
		"it lags":                    {func(read int64) bool { return read == 1 }, watches, false},
		"every third lacks it":       {func(read int64) bool { return read%3 == 1 }, watches, true},
		"it is right the first time": {func(int64) bool { return false }, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTestStage(t)
			var reads atomic.Int64
			th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/api/transactions" || !c.lacks(reads.Add(1)) {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				_, err := w.Write([]byte(`{"data":[],"metadata":{"total":0,"page":1,"size":20,"totalPages":0,"hasNext":false,"hasPrevious":false}}`))
				assert.NoError(t, err)
				return true
			})
			w, r := th.play(th.script("Given an account with R$ 5.00 available\nWhen the account sends a cash-out\nThen the payment is listed once"))
			require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
			watched := 0
			for _, look := range w.Judge.Looks {
				if look.Role == record.Watched {
					watched++
				}
			}
			assert.Equal(t, c.watched, watched)
			wrong := slices.ContainsFunc(w.Judge.Breaches(), func(m judge.Met) bool { return m.Rule == "lists.external-id" })
			assert.Equal(t, c.wrong, wrong)
		})
	}
}

// So is a balance, which must not come and go either.
func TestABalanceThatWasWrongIsWatched(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stale func(read int64) bool
		wrong bool
	}{
		"it lags":              {func(read int64) bool { return read == 1 }, false},
		"every third is stale": {func(read int64) bool { return read%3 == 1 }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTestStage(t)
			var paid atomic.Bool
			var reads atomic.Int64
			th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
				paid.Store(paid.Load() || r.URL.Path == "/api/pix/cash-out")
				if r.URL.Path != "/accounts/balances" || !paid.Load() || !c.stale(reads.Add(1)) {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				_, err := w.Write([]byte(`{"data":[{"balanceAmount":{"available":5.00,"blocked":0.00,"overdraft":0.00}}]}`))
				assert.NoError(t, err)
				return true
			})
			w, r := th.play(th.script("Given an account with R$ 5.00 available\nWhen the account sends a cash-out of R$ 1.00\nThen the available balance falls by R$ 1.00"))
			require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
			wrong := slices.ContainsFunc(w.Judge.Breaches(), func(m judge.Met) bool { return m.Expected == "the balance to stay what it is while nothing moves it" })
			assert.Equal(t, c.wrong, wrong)
		})
	}
}
