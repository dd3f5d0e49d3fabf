package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/measure"
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
	var times []string
	for _, o := range outagesOf(r) {
		times = append(times, fmt.Sprintf("from %s to %s", clock(o.From), clock(o.To)))
	}
	return firstOf("no request succeeded ", times)
}

// unusual is how many times longer than usual a silence has to be: an operation that always takes
// seconds is slow.
const unusual = 5

// silences says when the gateway sent no response for a while, and then all of them; empty if there
// was no such time.
func silences(r result.Result) string {
	usual, all := usualLatency(r), outagesOf(r)
	var times []string
	for _, s := range r.Timeline.Silences {
		from, to := s.From.Sub(r.Started).Seconds(), s.To.Sub(r.Started).Seconds()
		during := func(o outage) bool { return o.From < to && from < o.To && o.failed > 0 }
		var overdue int64
		for name, waiting := range s.Waiting {
			if d, known := usual[name]; known && s.Length() > unusual*d {
				overdue += waiting
			}
		}
		if overdue > 1 && !slices.ContainsFunc(all, during) {
			times = append(times, fmt.Sprintf("for %s from %s (%s requests waited)", duration(s.Length()), clock(from), count(overdue)))
		}
	}
	return firstOf("the gateway sent no response ", times)
}

// tokenWaits says how long requests waited for access tokens, if that was long. It accuses nobody: the option
// rps makes the request for a token wait too.
func tokenWaits(r result.Result) string {
	waits := new(measure.Histogram)
	for _, o := range r.Operations {
		waits.Merge(o.TokenWait)
	}
	longest, waited := waits.Quantile(1)
	if !waited {
		return ""
	}
	return fmt.Sprintf("%s at least a second for an access token, at most %s", plural(waits.Count(), "request waited", "requests waited"), duration(longest))
}

// usualLatency is that of each operation in most intervals, which no stall changes.
func usualLatency(r result.Result) map[string]time.Duration {
	medians, usual := map[string][]time.Duration{}, map[string]time.Duration{}
	for _, i := range r.Timeline.Intervals {
		for name, a := range i.Operations {
			if d, ok := a.Intended.Quantile(0.5); ok {
				medians[name] = append(medians[name], d)
			}
		}
	}
	for name, all := range medians {
		slices.Sort(all)
		usual[name] = all[len(all)/2]
	}
	return usual
}

// firstOf lists the first times; empty if there are none.
func firstOf(what string, times []string) string {
	if len(times) == 0 {
		return ""
	}
	what += strings.Join(times[:min(len(times), shownOutages)], ", ")
	if more := len(times) - shownOutages; more > 0 {
		what += fmt.Sprintf(", and %s more", count(int64(more)))
	}
	return what
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
