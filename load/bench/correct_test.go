package bench

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// hog keeps every processor of the machine busy, many times over, until its input ends.
func hog() int {
	for range 8 * runtime.NumCPU() {
		go func() {
			for work := 0; ; work++ {
				_ = fmt.Sprint(work)
			}
		}()
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// TestACorrectGatewayRaisesNoAlarm: at several rates, and in every tenth run with an overloaded generator, which may make
// the run invalid, but may not be blamed on the gateway.
func TestACorrectGatewayRaisesNoAlarm(t *testing.T) {
	needsMeasure(t)
	reference := reftest.Start(t)
	rates := []int{5, 20, 50, 100, 200, 300, 500, 800, 1000}
	seen := map[bool]map[result.Outcome]int{false: {}, true: {}} // by whether the generator was overloaded
	for i := range *runs {
		rate, overloaded := rates[i%len(rates)], i%10 == 9
		var other *process
		if overloaded {
			other = launch(t, "hog", nil)
		}
		r := start(t, plan{
			Gateway: options{
				"url": reference.URL, "controls": options{"url": reference.ControlURL}, "accounts": 4, "repeats": 0.01, "drain": "30s",
			},
			Scenario: arrivals(rate, 8*time.Second),
			Presets:  []string{"correct", "once", "answered", "valid"},
		})
		report, status := r.result(t, 3*time.Minute)
		if overloaded {
			other.end()
		}
		seen[overloaded][report.Outcome]++
		alarm := !slices.Contains([]result.Outcome{result.Pass, result.Invalid}, report.Outcome)
		assert.False(t, alarm, "at %d/s; the run printed:\n%s", rate, &r.output)
		assert.Equal(t, report.Outcome.ExitStatus(), status)
	}
	for overloaded, title := range map[bool]string{false: "the machine to itself", true: "an overloaded generator"} {
		of := seen[overloaded]
		alarms := of[result.Wrong] + of[result.Fail]
		found.add(t, "Runs of a correct gateway", title, fmt.Sprintf("%d pass, %d invalid, %d others", of[result.Pass], of[result.Invalid], alarms), aim{"no false alarm", alarms == 0})
	}
}
