package world

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// After the last step the balance is read until what was sent explains it, and of money that
// nothing explains until patience ends.
func TestTheMoneyIsLookedAtAfterTheLastStep(t *testing.T) {
	t.Parallel()
	newAccount := func(g *fake.Gateway) target.Profile { return g.Profile() }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		on   func(*fake.Gateway) target.Profile
		ctx  context.Context
		left string // of R$ 100.00, or of the R$ 500.00 of the profile's, after a cash-out of R$ 10.00
		got  []string
	}{
		"explained":                          {newAccount, t.Context(), "90.00", nil},
		"taken twice":                        {newAccount, t.Context(), "80.00", []string{"fell by R$ 20.00, from R$ 100.00 to R$ 80.00"}},
		"explained, on the profile's":        {on(1), t.Context(), "490.00", nil},
		"taken twice, on the profile's":      {on(1), t.Context(), "480.00", []string{"fell by R$ 20.00, from R$ 500.00 to R$ 480.00"}},
		"interrupted while it might recover": {newAccount, ended, "80.00", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTestStage(t, c.on)
			th.stage.Terms.Deadlines.Balance = 3 * pollEvery
			w := New(th.stage, th.script("Given an account with R$ 100.00 available\nWhen the account sends a cash-out of R$ 10.00"))
			defer w.Close()
			playOn(t.Context(), w)
			assert.NoError(t, w.controls().SetBalance(t.Context(), w.the().id, c.left))
			w.LookBack(c.ctx)
			var got []string
			for _, met := range w.Judge.Breaches() {
				if met.Rule == "money.outgoing" {
					got = append(got, met.Got)
				}
			}
			assert.Equal(t, c.got, got)
		})
	}
}

// Of an account on which something earlier may still move money, nothing is said.
func TestTheMoneyOfAnUnsettledAccountIsNotLookedAt(t *testing.T) {
	t.Parallel()
	for name, stir := range map[string]func(*FixedAccount){
		"unsettled":       func(a *FixedAccount) { a.unsettled = true },
		"moved by others": func(a *FixedAccount) { a.movedByOthers = true },
	} {
		th := newTestStage(t, on(1))
		stir(th.fixed[0])
		w := New(th.stage, th.script("Given an account with R$ 100.00 available\nWhen the account sends a cash-out of R$ 10.00"))
		w.JudgesMoney = false
		playOn(t.Context(), w)
		assert.Nil(t, w.Judge.FinalLook(language.TheAccount), name)
		w.Close()
	}
}

// Long after a scenario its money and its payments are looked at once more, but not before a replica
// must have caught up.
func TestLookAgain(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w, _ := th.passes("Given an account with R$ 5.00 available\nAnd the account receives cash_out webhooks\nWhen the account sends a cash-out of R$ 1.00\nThen a CashOut event arrives")
	require.Equal(t, "listTransactions", w.Lasting())
	w.LookBack(t.Context())
	looks := len(w.Judge.Looks)
	w.CatchUp = 10 * time.Second
	assert.False(t, w.LookAgain(t.Context()))
	assert.Len(t, w.Judge.Looks, looks, "too early")
	w.acted = time.Now().Add(-time.Minute)
	for _, e := range w.Judge.Exchanges {
		e.Sent = e.Sent.Add(-time.Minute)
	}
	said := func() (all []string) {
		for _, met := range w.Judge.Breaches() {
			all = append(all, met.Rule+": "+met.Got)
		}
		return all
	}
	const wrong = "money.outgoing: R$ 5.00 in one of several"
	require.NotContains(t, said(), wrong)
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/accounts/balances" {
			_, _ = w.Write([]byte(`{"data":[{"balanceAmount":{"available":5.00,"blocked":0.00,"overdraft":0},"eventDate":"2026-03-01T10:00:00Z"}]}`))
		}
		return r.URL.Path == "/accounts/balances"
	})
	assert.True(t, w.LookAgain(t.Context()))
	assert.Len(t, w.Judge.Looks, looks+7, "a token, a balance and five lists")
	assert.Contains(t, said(), wrong)
	for _, rule := range []string{"answer", "external-id", "end-to-end-id", "status", "type"} {
		assert.NotContains(t, strings.Join(said(), "\n"), "lists."+rule)
	}
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		isList := strings.HasPrefix(r.URL.Path, "/api/transactions") || strings.HasPrefix(r.URL.Path, "/api/pix/transactions")
		if isList {
			_, _ = w.Write([]byte(`{"data":[],"metadata":{"page":1,"size":20,"total":0,"totalPages":0,"hasNext":false,"hasPrevious":false}}`))
		}
		return isList
	})
	w.CatchUp = 0
	w.LookAgain(t.Context())
	for _, rule := range []string{"answer", "external-id", "end-to-end-id", "status", "type"} {
		assert.Contains(t, strings.Join(said(), "\n"), "lists."+rule)
	}
	nothing, _ := th.passes("Given an account")
	assert.Empty(t, nothing.Lasting())
}

// On an account of the profile whatever arrives is recorded, also what no step waits for.
func TestEventsThatNobodyAwaits(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.passes("Given an account\nAnd the account receives cash_out webhooks")
	w := New(th.stage, th.script("Given an account with R$ 5.00 available\nWhen the account sends a cash-out of R$ 1.00\nThen the request is accepted"))
	require.Equal(t, verdict.Pass, playOn(t.Context(), w).Verdict)
	w.awaitWebhooks(t.Context(), func() bool { return len(w.Judge.Events) > 0 })
	w.Close()
	assert.Len(t, w.Judge.Events, 1)
}

// A gateway may give back the money of what has failed later. It is no doing of the next request.
func TestMoneyThatComesBackLate(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	var looks atomic.Int32
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "balance") || looks.Add(1) > 1 {
			return false
		}
		_, _ = io.WriteString(w, `{"data":[{"balanceAmount":{"available":4.00,"blocked":0,"overdraft":0}}]}`)
		return true
	})
	th.passes(`Given an account with R$ 5.00 available
		And settlement waits for the bank
		And the account has sent a cash-out of R$ 1.00
		And the bank rejects the payment with ORDER_REJECTED
		When the account sends a cash-out with value 0
		Then the request is rejected with 400`)
	assert.Greater(t, looks.Load(), int32(2), "until it is back, and once more after the request")
}
