package capacity

import (
	"slices"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// Merged is one window of what several instances offered at the same time. Generators do not make up for each
// other, so that the busiest counts.
func Merged(all []Window) Window {
	whole := all[0]
	whole.Backlog = nil
	whole.Observation = Observation{Intended: &measure.Histogram{}, Delivery: &measure.Histogram{}}
	whole.Scheduled, whole.Started, whole.Dropped, whole.Late = 0, 0, 0, 0
	for _, w := range all {
		whole.Scheduled += w.Scheduled
		whole.Started += w.Started
		whole.Dropped += w.Dropped
		whole.Late += w.Late
		whole.Done += w.Done
		whole.Failed += w.Failed
		whole.CPU = max(whole.CPU, w.CPU)
		whole.Intended.Merge(w.Intended)
		whole.Delivery.Merge(w.Delivery)
		whole.Backlog = added(whole.Backlog, w.Backlog)
	}
	whole.Observation = whole.figured()
	return whole
}

// added adds samples that were taken at the same times.
func added(sum, more []int64) []int64 {
	if sum == nil {
		return slices.Clone(more)
	}
	sum = sum[:min(len(sum), len(more))]
	for i := range sum {
		sum[i] += more[i]
	}
	return sum
}
