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

// ofTrends is how many bytes k6 keeps of each request, with room to grow: eight values of http_req_*.
const ofTrends = 2 * 8 * 8

// TestALongRunHoldsItsMemory: over the second half of a long run, the resident memory of k6 grows by no more than k6's
// own Trends, which keep every value of http_req_*.
func TestALongRunHoldsItsMemory(t *testing.T) {
	needsMeasure(t)
	g := startTarget(t, faulty.Config{Accounts: 4, Balance: 1 << 50, Webhooks: true})
	const rate = 500
	r := start(t, plan{
		Gateway: options{
			"url": g.URL, "accounts": g.Credentials, "webhooks": options{"listen": reftest.FreeAddress(t)},
			"repeats": 0, "drain": "20s",
		},
		Scenario: arrivals(rate, *memory),
	})
	samples := r.watch(t, time.Second)
	report, _ := r.result(t, time.Minute)
	c := report.Ledger.Counts
	steady := float64(c.PaymentsConfirmed) >= rate*memory.Seconds()*0.95 // otherwise its memory is that of a backlog

	half := samples[len(samples)/2:]
	first, last, perHour := half[0], half[len(half)-1], slope(half)*3600
	grown, most := perHour*last.after(first)/3600, 0.15*first.resident+ofTrends*float64(c.PaymentsConfirmed)/2
	a := aim{"grows by less than 15% and k6's trends in the second half", grown < most}
	assert.True(t, a.met || !steady, "expected to grow by less than %s in the second half, grew by %s", mebibytes(most), mebibytes(grown))
	found.add(t, fmt.Sprintf("Memory of a run of %v at %d cash-outs per second", *memory, rate), fmt.Sprintf("%d payments", c.PaymentsConfirmed),
		fmt.Sprintf("%s at half-time, %s at the end, %s at most, %s per hour", mebibytes(first.resident), mebibytes(last.resident), mebibytes(peak(samples)), mebibytes(perHour)), a)
}

// sample is a process's memory at a time.
type sample struct {
	at       time.Time
	resident float64 // bytes
}

func (s sample) after(other sample) float64 { return s.at.Sub(other.at).Seconds() }

// watch samples a run's memory until it ends.
func (r *run) watch(t *testing.T, every time.Duration) (samples []sample) {
	t.Helper()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-r.exited:
			require.Greater(t, len(samples), 4, "the run ended early; it printed:\n%s", &r.output)
			return samples
		case at := <-ticker.C:
			if now, running := resident(r.pid(), "VmRSS"); running {
				samples = append(samples, sample{at, float64(now)})
			}
		}
	}
}

// slope is how many bytes per second memory grows, by least squares.
func slope(samples []sample) float64 {
	var x, y, xx, xy float64
	n := float64(len(samples))
	for _, s := range samples {
		at := s.after(samples[0])
		x, y, xx, xy = x+at, y+s.resident, xx+at*at, xy+at*s.resident
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

func peak(samples []sample) (most float64) {
	for _, s := range samples {
		most = max(most, s.resident)
	}
	return most
}

func mebibytes(bytes float64) string { return fmt.Sprintf("%.1f MiB", bytes/(1<<20)) }
