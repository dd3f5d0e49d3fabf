package result

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// measured is a result of a run that sent something.
func measured(thresholds ...Threshold) Result {
	return Result{Thresholds: thresholds, Part: Part{Generator: Generator{Requests: Latencies{Count: 1000}}}}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	lost := Threshold{Metric: "pix_webhooks{outcome:lost}", Expression: "count==0", Value: 3}
	drift := Threshold{Metric: "pix_money_drift", Expression: "value==0", Value: 1}
	sent := Threshold{Metric: "pix_payments{outcome:sent}", Expression: "count>10", Value: 3}
	unknown := Threshold{Metric: "pix_payments{outcome:unknown}", Expression: "count==0", Value: 3}
	slow := Threshold{Metric: "pix_req_intended_duration{operation:cash-out}", Expression: "p(99)<500", Value: 700, Time: true}
	late := Latencies{Count: 1000, Measured: []float64{10, 20, 300, 500, 700, 800, 900}, Least: []float64{10, 20, 30, 50, 100, 200, 300}}
	for name, c := range map[string]struct {
		change func(*Result)
		limits []Threshold
		want   Outcome
	}{
		"nothing failed":                                   {nil, []Threshold{{Metric: "checks", OK: true}}, Pass},
		"no threshold":                                     {nil, nil, Pass},
		"webhooks were lost":                               {nil, []Threshold{lost}, Wrong},
		"lost by a listener that was starved":              {func(r *Result) { r.Generator.Hiccup = 1500 }, []Threshold{lost}, Invalid},
		"money is missing, whatever the generator did":     {func(r *Result) { r.Generator.Hiccup = 1500 }, []Threshold{drift}, Wrong},
		"the amount of load":                               {nil, []Threshold{sent}, Fail},
		"too slow":                                         {nil, []Threshold{slow}, Fail},
		"too slow, perhaps by the generator":               {func(r *Result) { r.Generator.Requests = late }, []Threshold{slow}, Invalid},
		"too slow even without the generator's own delays": {func(r *Result) { r.Generator.Requests = late }, []Threshold{{Metric: slow.Metric, Expression: "p(99)<50", Value: 700, Time: true}}, Fail},
		"fast enough, although the generator was late":     {func(r *Result) { r.Generator.Requests = late }, []Threshold{{Metric: slow.Metric, Expression: "p(99)<800", Value: 700, Time: true, OK: true}}, Pass},
		"too slow, and short of CPU":                       {func(r *Result) { r.Generator.CPU = 0.97 }, []Threshold{slow}, Invalid},
		"short of CPU, and fast enough":                    {func(r *Result) { r.Generator.CPU = 0.97 }, nil, Pass},
		"iterations began too late":                        {func(r *Result) { r.Generator.ScheduleLag = 1001 }, nil, Invalid},
		"iterations dropped":                               {nil, []Threshold{{Metric: "dropped_iterations", Expression: "count==0", Value: 2}}, Invalid},
		"nothing measured":                                 {func(r *Result) { r.Generator.Requests.Count = 0 }, nil, Invalid},
		"interrupted":                                      {func(r *Result) { r.Interrupted = true }, nil, Interrupted},
		"interrupted before enough was sent":               {func(r *Result) { r.Interrupted = true }, []Threshold{sent}, Interrupted},
		"interrupted before all was known":                 {func(r *Result) { r.Interrupted, r.Reasons = true, []Reason{{Figure: CutShort}} }, []Threshold{unknown}, Interrupted},
		"aborted by a threshold":                           {func(r *Result) { r.Interrupted = true }, []Threshold{{Metric: slow.Metric, Expression: slow.Expression, Value: 700, Time: true, Aborts: true}}, Fail},
		"aborted by a fault":                               {func(r *Result) { r.Interrupted = true }, []Threshold{{Metric: lost.Metric, Expression: lost.Expression, Value: 1, Aborts: true}}, Wrong},
		"iterations dropped, and too slow nevertheless":    {nil, []Threshold{{Metric: "dropped_iterations", Expression: "count==0", Value: 2}, slow}, Fail},
		"an instance is missing":                           {func(r *Result) { r.Missing = []int{1} }, nil, Incomplete},
		"no final look-up was answered":                    {func(r *Result) { r.Reasons = []Reason{{Figure: Unanswered}} }, nil, Invalid},
		"nor that, and too slow":                           {func(r *Result) { r.Reasons = []Reason{{Figure: Unanswered}} }, []Threshold{slow}, Fail},
	} {
		r := measured(c.limits...)
		if c.change != nil {
			c.change(&r)
		}
		r.Reasons = append(r.Reasons, r.Late()...)
		r.Judge()
		assert.Equal(t, c.want, r.Outcome, "%s: %v", name, r.Reasons)
	}
}
