package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/result"
)

// outage is a range of whole intervals of the timeline in which requests were sent or
// completed, but none succeeded; in seconds since the run began.
type outage struct {
	From, To float64
	failed   int64
}

// shownOutages is how many outages are listed.
const shownOutages = 5

// outages says when no request succeeded; empty if there was no such time. Intervals are at
// least a second long, so shorter outages are not reported.
func outages(r result.Result) string {
	all := outagesOf(r)
	if len(all) == 0 {
		return ""
	}
	var words []string
	for _, o := range all[:min(len(all), shownOutages)] {
		words = append(words, fmt.Sprintf("from %s to %s", clock(o.From), clock(o.To)))
	}
	s := "no request succeeded " + strings.Join(words, ", ")
	if more := len(all) - shownOutages; more > 0 {
		s += fmt.Sprintf(", and %s more", count(int64(more)))
	}
	return s
}

// outagesOf leaves out ranges in which the gateway may only have been slow: a range without
// a failure has to be longer than the slowest success.
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
