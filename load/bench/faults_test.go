package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// TestFaultsOfWebhooksAreCountedExactly: a gateway loses, duplicates, delays and corrupts one
// webhook in a thousand each, and debits one repeat twice. The delay is far above the limit
// for late webhooks, so that a noisy machine can deliver the others in time.
func TestFaultsOfWebhooksAreCountedExactly(t *testing.T) {
	alone(t)
	oneIn, sent, late := int64(500), 3000, 8*time.Second
	if *full {
		oneIn, sent, late = 1000, 24_000, 30*time.Second
	}
	delay := late + 4*time.Second
	reference := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{
		Upstream:   reference.URL,
		Deliveries: faulty.OneIn(oneIn, faulty.Lose, faulty.Double, faulty.Delay, faulty.Alter, faulty.Truncate),
		Repeats:    faulty.At(map[int64]faulty.Fault{5: faulty.DebitTwice}),
		Delay:      delay,
	})

	r := start(t, plan{
		Gateway: options{
			"url": proxy.URL, "controls": options{"url": reference.ControlURL}, "accounts": 4,
			"repeats": 0.01, "late": late.String(), "drain": (2 * delay).String(),
		},
		Scenario: payments(sent),
	})
	report, status := r.result(t, 5*time.Minute)
	counts, injected := report.Ledger.Counts, proxy.Injected()
	require.Zero(t, injected.Broken)
	require.EqualValues(t, sent, injected.Payments)
	require.EqualValues(t, int64(sent)/oneIn, injected.Lost)
	require.EqualValues(t, 1, injected.DebitedTwice)

	type numbers struct{ Payments, Repeats, Lost, Doubled, Delayed, Malformed, DebitedTwice, Drift int64 }
	in, out := numbers{
		injected.Payments, injected.Repeats, injected.Lost, injected.Doubled, injected.Delayed,
		injected.Altered + injected.Truncated, injected.DebitedTwice, injected.DebitedCentavos,
	}, numbers{
		counts.PaymentsSent, counts.RepeatsSent, counts.WebhooksLost, counts.WebhooksDuplicate, counts.WebhooksLate,
		counts.WebhooksMalformed, counts.DoubleDebits, counts.MoneyDrift,
	}
	assert.Equal(t, in, out, "what was injected and what was reported; the run printed:\n%s", &r.output)
	assert.Equal(t, counts.PaymentsSent, counts.PaymentsConfirmed, "every payment is found confirmed")
	assert.NotZero(t, status, "a run with missing money does not pass")

	const title = "Faults, injected and reported"
	tell := func(n numbers) string {
		return fmt.Sprintf("%d lost, %d duplicate, %d late, %d corrupted, %d debited twice, drift %d centavos", n.Lost, n.Doubled, n.Delayed, n.Malformed, n.DebitedTwice, n.Drift)
	}
	found.add(t, title, fmt.Sprintf("injected into %d payments", in.Payments), tell(in), aim{})
	found.add(t, title, "reported", tell(out), aim{"the same", in == out})
}

// TestAnswersThatAreCutOffAreCountedExactly: connections end before the gateway receives a
// payment, or after it accepted it.
func TestAnswersThatAreCutOffAreCountedExactly(t *testing.T) {
	alone(t)
	reference := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{
		Upstream: reference.URL,
		Payments: faulty.OneIn(200, faulty.CutBefore, faulty.CutAfter),
	})

	r := start(t, plan{
		Gateway: options{
			"url": proxy.URL, "controls": options{"url": reference.ControlURL}, "accounts": 4,
			"repeats": 0, "drain": "8s",
		},
		Scenario: payments(2000),
	})
	report, _ := r.result(t, 2*time.Minute)
	counts, injected := report.Ledger.Counts, proxy.Injected()
	require.Zero(t, injected.Broken)
	require.EqualValues(t, 10, injected.CutBefore)

	type numbers struct{ Sent, NoResponse, NotCreated, Confirmed, Lost, Drift int64 }
	assert.Equal(t, numbers{
		injected.Payments, injected.CutBefore + injected.CutAfter, injected.CutBefore, injected.Payments - injected.CutBefore, 0, 0,
	}, numbers{
		counts.PaymentsSent, counts.PaymentsNoResponse, counts.PaymentsNotCreated, counts.PaymentsConfirmed, counts.WebhooksLost, counts.MoneyDrift,
	}, "what was injected and what was reported; the run printed:\n%s", &r.output)
}
