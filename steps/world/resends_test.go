package world

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

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
	one := strings.NewReplacer("60 concurrent resend requests", "a resend request", "every request", "the request").Replace(burst)

	// limiting refuses what is beyond the limit, of each account or of all.
	limiting := func(limit int, ofEach bool) *testStage {
		th := newTestStage(t)
		var mu sync.Mutex
		accepted := map[string]int{}
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
			accepted[of]++
			refuses := accepted[of] > limit
			if refuses {
				accepted[of] = limit - 1 // room for the next
				w.Header().Set("Retry-After", "1")
				fake.Refuse(w, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
			}
			return refuses
		})
		return th
	}
	play := func(th *testStage, text string, attempt int) verdict.Verdict {
		s := th.script(text)
		s.Throttled, s.Attempt = text == burst, attempt
		_, r := th.play(s)
		return r.Verdict
	}

	th := limiting(60, false)
	assert.Equal(t, verdict.Pass, play(th, burst, 0))
	w, _ := th.passes(one)
	assert.Equal(t, record.Throttled, w.Judge.Looks[len(w.Judge.Looks)-1].Role, "sent again")
	assert.True(t, th.stage.resends.together.Load(), "it was its account's first")
	assert.Equal(t, verdict.NotApplicable, play(th, burst, 0))

	th = limiting(30, true)
	assert.Equal(t, verdict.Fail, play(th, burst, 0))
	assert.Equal(t, verdict.CouldNotTest, play(th, burst, 0), "with the other's, 60 have been accepted")
	assert.Equal(t, verdict.Fail, play(th, burst, 1))
}
