package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/measure"
	"github.com/pixcert/pixcert/load/reftest"
)

// recordDay is the average rate of the record day of PIX, 2025-12-05: 313.3 million
// payments.
const recordDay = 3626

// rates is how many rates are tried at most.
const rates = 6

// TestTheRecordDay sends cash-outs at the rate of the record day for a minute, each of them
// settled and its webhook delivered, with generator, reference and sink on this machine.
// Where that does not hold, the rate falls until it does.
func TestTheRecordDay(t *testing.T) {
	needsMeasure(t)
	rate := recordDay
	for range rates {
		held, carried := day(t, rate)
		if held {
			return
		}
		rate = max(min(rate*9/10, carried), 1)
	}
}

// day is that long at a rate: whether it held, and how many payments a second were
// confirmed until the last webhook had come. A rate holds when every arrival was sent, and
// on time, every payment was confirmed and its webhook came, and no money is missing. At
// any rate no money may be.
func day(t *testing.T, rate int) (held bool, carried int) {
	duration := *dayFor
	reference := reftest.Start(t)
	defer reference.Stop()
	r := start(t, plan{
		Gateway: options{
			"url": reference.URL, "controls": options{"url": reference.ControlURL}, "accounts": 8, "balance": "100000000.00",
			"repeats": 0, "drain": "30s", "httpMetrics": false,
		},
		Scenario: arrivals(rate, duration),
	})
	report, _ := r.result(t, duration+3*time.Minute)
	generator := r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()
	gateway := cpu(t, reference.PID())

	c := report.Ledger.Counts
	held = c.WebhooksLost == 0 && c.MoneyDrift == 0 && report.Dropped == 0 && c.PaymentsConfirmed == c.PaymentsSent && report.Validity.Valid
	assert.Zero(t, c.MoneyDrift, "centavos, at %d a second", rate)
	assert.Zero(t, c.DoubleDebits, "at %d a second", rate)
	carried = int(float64(c.PaymentsConfirmed) / report.Ended.Sub(report.Started).Seconds())

	add := func(what, figure string, a aim) {
		found.add(t, fmt.Sprintf("The record day: cash-outs for %v, settled, delivered and matched on this machine", duration), what, figure, a)
	}
	reached := aim{text: fmt.Sprintf("%d a second", recordDay), met: rate == recordDay}
	figure := fmt.Sprintf("held: %d confirmed a second, to the end of the last webhook", carried)
	if !held {
		reached.met = false
		figure = fmt.Sprintf("not held: %d confirmed a second, %d dropped, %d webhooks lost", carried, report.Dropped, c.WebhooksLost)
		for _, reason := range report.Validity.Reasons {
			figure += ", " + reason.Figure
		}
	}
	add(fmt.Sprintf("%d a second", rate), figure, reached)
	if !held {
		return false, carried
	}
	each := func(d time.Duration) string {
		return fmt.Sprintf("%d µs (%.0f%%)", int64(d/time.Microsecond)/max(c.PaymentsSent, 1), 100*d.Seconds()/(generator+gateway).Seconds())
	}
	add("cash-out to its answer, p99", quantile(report.Operations["cash-out"].Send, 0.99).String(), aim{})
	add("answer to its webhook, p50 and p99", fmt.Sprint(quantile(report.Delivery.Acceptance, 0.5), " ", quantile(report.Delivery.Acceptance, 0.99)), aim{})
	add("CPU a payment, k6 and the reference", each(generator)+", "+each(gateway), aim{})
	return true, carried
}

func quantile(h *measure.Histogram, q float64) time.Duration {
	if h == nil {
		return 0
	}
	d, _ := h.Quantile(q)
	return d.Round(100 * time.Microsecond)
}
