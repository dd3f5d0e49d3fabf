package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// TestARunAccountsForEveryPaymentWhenTheGatewayIsKilled: in the middle of the run, the
// gateway's process is killed and restarted with its data.
func TestARunAccountsForEveryPaymentWhenTheGatewayIsKilled(t *testing.T) {
	alone(t)
	rate, duration := 200, 10*time.Second
	if *full {
		rate, duration = 500, 40*time.Second
	}
	reference := reftest.StartDurable(t)
	r := start(t, plan{
		Gateway: options{
			"url": reference.URL, "controls": options{"url": reference.ControlURL}, "accounts": 4,
			"repeats": 0.01,
			"late":    "1m", "drain": "30s", // interrupted deliveries are repeated when their lease ends, after 20 s
		},
		Scenario: arrivals(rate, duration),
		Mark:     int64(rate) * int64(duration/time.Second) / 2,
	})
	r.marked(t)
	reference.Kill()
	down := time.Now()
	reference.Restart()
	outage := time.Since(down)

	report, _ := r.result(t, duration+3*time.Minute)
	c := report.Ledger.Counts
	require.NotZero(t, c.PaymentsRefused+c.PaymentsNoResponse, "the outage is seen")
	assert.Equal(t, c.PaymentsSent, c.PaymentsRefused+c.PaymentsNotCreated+c.PaymentsConfirmed+c.PaymentsFailed, "%+v; the run printed:\n%s", c, &r.output)
	assert.Zero(t, c.PaymentsUnsettled+c.PaymentsVanished+c.PaymentsUnknown)
	assert.Zero(t, c.WebhooksLost, "every event arrived in the end")
	assert.Zero(t, c.DoubleDebits)
	assert.Zero(t, c.MoneyDrift)
	for _, account := range report.Ledger.Accounts {
		assert.True(t, account.Audited, "account %d", account.Account)
	}

	const title = "The reference, killed in the middle of a run and restarted"
	found.add(t, title, fmt.Sprintf("%d payments, down for %v", c.PaymentsSent, outage.Round(time.Millisecond)),
		fmt.Sprintf("%d refused, %d confirmed, %d failed, %d not created (%d without a response)", c.PaymentsRefused, c.PaymentsConfirmed, c.PaymentsFailed, c.PaymentsNotCreated, c.PaymentsNoResponse),
		aim{"all accounted for", !t.Failed()})
	found.add(t, title, "webhooks and money", fmt.Sprintf("%d lost, %d duplicate, drift %d centavos", c.WebhooksLost, c.WebhooksDuplicate, c.MoneyDrift),
		aim{"none lost, no drift", c.WebhooksLost == 0 && c.MoneyDrift == 0})
}
