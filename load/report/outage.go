package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/result"
)

// outage is a stretch of whole intervals of the timeline in which requests were sent, or
// ended, and none with success; in seconds since the run began.
type outage struct {
	From, To float64
	failed   int64
}

// shownOutages is how many are told.
const shownOutages = 5

// outages says when nothing succeeded; empty: there was always something that did. As the
// intervals are no shorter, no such time below a second is told.
func outages(r result.Result) string {
	all := outagesOf(r)
	if len(all) == 0 {
		return ""
	}
	var words []string
	for _, o := range all[:min(len(all), shownOutages)] {
		words = append(words, fmt.Sprintf("from %s to %s", clock(o.From), clock(o.To)))
	}
	s := "no success " + strings.Join(words, ", ")
	if more := len(all) - shownOutages; more > 0 {
		s += fmt.Sprintf(", and %s more", count(int64(more)))
	}
	return s
}

// outagesOf leaves out what may be nothing but slow: without a failure in it, a stretch has
// to be longer than it ever took something to succeed.
func outagesOf(r result.Result) (all []outage) {
	length := float64(max(r.Timeline.Seconds, 1))
	began := float64(r.Started.UnixMilli()) / 1000
	slowest := slowestSuccess(r).Seconds() + length
	var now outage
	end := func() {
		if now.To > now.From && (now.failed > 0 || now.To-now.From > slowest) {
			all = append(all, now)
		}
		now = outage{}
	}
	for _, i := range r.Timeline.Intervals {
		total, from := i.Total(), float64(i.At)-began
		switch {
		case total.Count > total.Failed:
			end()
		case total.Started > 0 || total.Failed > 0:
			if now.To == now.From {
				now.From = max(0, from)
			}
			now.To, now.failed = from+length, now.failed+total.Failed
		}
	}
	end()
	return all
}

// slowestSuccess is from the intended start.
func slowestSuccess(r result.Result) (slowest time.Duration) {
	for _, o := range r.Operations {
		if d, ok := o.Intended.Quantile(1); ok {
			slowest = max(slowest, d)
		}
	}
	return slowest
}
