package run_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// liar answers some requests itself.
type liar struct {
	gateway.Sender
	lies   atomic.Bool
	answer func(*gateway.Request) string // the body of a success; empty: the gateway answers
}

func (l *liar) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	if l.lies.Load() {
		if body := l.answer(r); body != "" {
			now := time.Now()
			return &gateway.Exchange{Request: r, Status: 201, Body: []byte(body), Timing: gateway.Timing{Start: now, End: now}}
		}
	}
	return l.Sender.Send(ctx, r)
}

// Each rule is asked about; it holds with the reference, and is found broken where a gateway
// breaks only that one.
func TestTheRulesOfTheAPIUnderLoad(t *testing.T) {
	t.Parallel()
	g := reftest.Start(t)
	of := func(o gateway.Operation, contains, body string) func(*gateway.Request) string {
		return func(r *gateway.Request) string {
			if r.Operation == o && strings.Contains(r.Path+string(r.Body)+r.Bearer, contains) {
				return body
			}
			return ""
		}
	}
	for name, c := range map[string]struct {
		answer func(*gateway.Request) string
		broken []string
	}{
		"none":    {of("none", "", ""), nil},
		"repeats": {of(gateway.CashOut, "", `{"transactionId": "another", "status": "PENDING"}`), []string{"repeat", "repeat later", "balance", "transaction limit", "daily limit", "night limit"}},
		"balance": {of(gateway.CashOut, ":100000000000", `{"transactionId": "too much", "status": "PENDING"}`), []string{"balance"}},
		"token":   {of(gateway.ReadBalance, "", `{"data": []}`), []string{"token"}},
		"list":    {of(gateway.Transactions, "", `{"data": [], "metadata": {"total": 0, "hasNext": false}}`), []string{"list"}},
		"refund":  {of(gateway.Refund, "", `{"rtrId": "D0000000020261124000000000000001", "status": "EM_PROCESSAMENTO"}`), []string{"refund"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, n := against(t, g, func(c *run.Config) { c.Rules = 1 })
			l := &liar{Sender: n.Unmeasured, answer: c.answer}
			n.Unmeasured = l
			require.NoError(t, r.Prepare(t.Context(), n))
			l.lies.Store(true)
			charge := r.CashIn(t.Context(), call(r, n, 0), nil)
			paid, err := r.Pay(t.Context(), call(r, n, 0), charge)
			require.NoError(t, err)
			for range 12 {
				r.CashOut(t.Context(), call(r, n, 0), nil)
			}
			for range 4 {
				r.Refund(t.Context(), call(r, n, 0), paid, max(charge.Amount/10, 1))
			}
			require.Eventually(t, func() bool {
				for _, rule := range r.Rules() {
					if rule.Asked == 0 {
						return false
					}
				}
				return true
			}, time.Minute, 10*time.Millisecond, "every rule is asked about")
			if c.broken == nil {
				res := r.Close(t.Context())
				counts := res.Ledger.Counts
				assert.Zero(t, counts.MoneyDrift+counts.DoubleDebits+counts.PaymentsVanished+counts.PaymentsUnknown)
				assert.EqualValues(t, 17, res.Operations["cash-out"].Count+res.Operations["refund"].Count+res.Operations["cash-in"].Count, "questions are not measured")
			}
			var broken []string
			for _, rule := range r.Rules() {
				assert.NoError(t, result.CheckThreshold("pix_rules_broken{rule:"+rule.Name+"}", nil, nil, nil), "a threshold can be on it")
				if rule.Broken > 0 {
					broken = append(broken, rule.Name)
					assert.NotEmpty(t, rule.Examples)
				}
			}
			assert.Equal(t, c.broken, broken)
		})
	}
}
