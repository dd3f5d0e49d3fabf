package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// recordDay is the average rate of the record day of PIX, 2025-12-05: 313.3 million
// payments.
const recordDay = 3626

// rates is the maximum number of rates to try.
const rates = 6

// TestTheRecordDay sends cash-outs at the rate of the record day for a minute, with
// generator, reference and sink on this machine. Each must be settled and its webhook delivered. If that fails, the rate is reduced
// until it succeeds.
func TestTheRecordDay(t *testing.T) {
	needsMeasure(t)
	rate := recordDay
	for range rates {
		held, carried := day(t, rate)
		if held {
			break
		}
		rate = max(min(rate*9/10, carried), 1)
	}
}

// day runs one rate, and returns whether it passed
// and how many payments per second were confirmed until the last webhook arrived. A rate passes
// if every arrival was sent on time, every payment was confirmed, its webhook arrived and no money is missing. No money may be
// missing at any rate.
func day(t *testing.T, rate int) (held bool, carried int) {
	duration := *dayFor
	reference := reftest.Start(t)
	defer reference.Kill()
	r := start(t, plan{
		Gateway: options{
			"url": reference.URL, "controls": options{"url": reference.ControlURL}, "accounts": 8, "balance": "100000000.00",
			"repeats": 0, "drain": "30s",
		},
		Scenario: arrivals(rate, duration),
	})
	report, _ := r.result(t, duration+3*time.Minute)
	generator := r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()
	gateway := cpu(t, reference.PID())

	c := report.Ledger.Counts
	held = c.WebhooksLost == 0 && c.MoneyDrift == 0 && report.Dropped == 0 && c.PaymentsConfirmed == c.PaymentsSent && len(report.Reasons) == 0
	assert.Zero(t, c.MoneyDrift, "centavos, at %d/s", rate)
	assert.Zero(t, c.DoubleDebits, "at %d/s", rate)
	carried = int(float64(c.PaymentsConfirmed) / report.Ended.Sub(report.Started).Seconds())

	title := fmt.Sprintf("The record day: cash-outs for %v, settled, delivered and matched on this machine", duration)
	add := func(what, figure string, a aim) { found.add(t, title, what, figure, a) }
	reached := aim{text: fmt.Sprintf("%d/s", recordDay), met: rate == recordDay}
	figure := fmt.Sprintf("passed: %d/s confirmed, until the last webhook", carried)
	if !held {
		reached.met = false
		figure = fmt.Sprintf("failed: %d/s confirmed, %d dropped, %d webhooks lost", carried, report.Dropped, c.WebhooksLost)
		for _, reason := range report.Reasons {
			figure += ", " + string(reason.Figure)
		}
	}
	add(fmt.Sprintf("%d/s", rate), figure, reached)
	if !held {
		return false, carried
	}
	each := func(d time.Duration) string {
		return fmt.Sprintf("%d µs (%.0f%%)", int64(d/time.Microsecond)/max(c.PaymentsSent, 1), 100*d.Seconds()/(generator+gateway).Seconds())
	}
	add("cash-out to response, p99", milliseconds(report, "pix_req_duration", "p(99)"), aim{})
	add("response to webhook, p50 and p99", milliseconds(report, "pix_webhook_duration", "med")+" "+milliseconds(report, "pix_webhook_duration", "p(99)"), aim{})
	add("CPU per payment, k6 and the reference", each(generator)+", "+each(gateway), aim{})
	return true, carried
}

func milliseconds(report result.Result, metric, of string) string {
	return fmt.Sprintf("%.1f ms", report.Metrics[metric].Values[of])
}
