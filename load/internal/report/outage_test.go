package report

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// second is what was sent, what ended and what failed in one.
type second struct{ sent, ended, failed int64 }

func seconds(slowest time.Duration, all ...second) result.Result {
	r := oneRun()
	h := &measure.Histogram{}
	h.Record(slowest)
	r.Operations = map[string]measure.Operation{"cash-out": {Count: 1, Intended: h, Send: h}}
	r.Timeline = measure.Timeline{Seconds: 1}
	for at, s := range all {
		if s == (second{}) {
			continue // as a timeline leaves it out
		}
		r.Timeline.Intervals = append(r.Timeline.Intervals, measure.Interval{
			At: began.Unix() + int64(at), Operations: map[string]measure.Activity{"cash-out": {Started: s.sent, Count: s.ended, Failed: s.failed}}})
	}
	return r
}

func TestAnOutageIsTold(t *testing.T) {
	t.Parallel()
	up, down, nothing, sent := second{10, 10, 1}, second{10, 10, 10}, second{}, second{1, 0, 0}
	many := []second{up, down, up, down, up, down, up, down, up, down, up, down, up, down}
	for name, c := range map[string]struct {
		r    result.Result
		want string
	}{
		"none":                     {seconds(time.Millisecond, up, up, up), ""},
		"nothing sent":             {seconds(time.Millisecond, up, nothing, nothing, up), ""},
		"three seconds":            {seconds(time.Millisecond, up, up, down, down, down, up), "no request succeeded from 0:02 to 0:05"},
		"two":                      {seconds(time.Millisecond, down, up, down), "no request succeeded from 0:00 to 0:01, from 0:02 to 0:03"},
		"failures after a wait":    {seconds(time.Millisecond, up, second{10, 0, 0}, nothing, nothing, second{0, 10, 10}, up), "no request succeeded from 0:01 to 0:05"},
		"slow, not gone":           {seconds(2500*time.Millisecond, sent, sent, second{1, 1, 0}), ""},
		"across a second's end":    {seconds(10*time.Millisecond, up, sent, second{0, 1, 0}, up), ""},
		"a hang without an answer": {seconds(10*time.Millisecond, up, sent, sent, sent, up), "no request succeeded from 0:01 to 0:04"},
		"many":                     {seconds(time.Millisecond, many...), "no request succeeded from 0:01 to 0:02, from 0:03 to 0:04, from 0:05 to 0:06, from 0:07 to 0:08, from 0:09 to 0:10, and 2 more"},
	} {
		assert.Equal(t, c.want, outages(c.r), name)
	}
	r := seconds(time.Millisecond, up, down, up)
	assert.Contains(t, terminalText(t, r), "no request succeeded from 0:01 to 0:02")
}

// A stall that all requests survive shows as no failure.
func TestAStallIsNamed(t *testing.T) {
	t.Parallel()
	up, none := second{10, 10, 0}, second{10, 0, 0}
	stalled := func(usual time.Duration, waiting int64) result.Result {
		r := seconds(3*time.Second, up, up, none, none, up, up)
		h := &measure.Histogram{}
		h.Record(usual)
		for _, i := range r.Timeline.Intervals {
			a := i.Operations["cash-out"]
			if a.Count > 0 {
				a.Intended = h
			}
			i.Operations["cash-out"] = a
		}
		r.Timeline.Silences = []measure.Silence{{From: began.Add(1900 * time.Millisecond), To: began.Add(4910 * time.Millisecond), Waiting: map[string]int64{"cash-out": waiting, "list": 7}}}
		return r
	}
	const want = "he gateway sent no response for 3.01 s from 0:02 (30 requests waited)"
	assert.Contains(t, terminalText(t, stalled(5*time.Millisecond, 30)), "t"+want)
	assert.Empty(t, silences(stalled(time.Second, 30)), "it is always slow")
	failing := stalled(5*time.Millisecond, 30)
	failing.Timeline.Intervals[2].Operations["cash-out"] = measure.Activity{Started: 10, Count: 1, Failed: 1}
	assert.Empty(t, silences(failing), "it is an outage")
}

// Requests that wait together for an operation that is always slow are no stall.
func TestASlowOperationIsNoStall(t *testing.T) {
	t.Parallel()
	recorder := measure.New(began, 0)
	now := began
	together := func(operation string, took time.Duration) {
		op := recorder.Origin(0).Operation(operation)
		for range 5 {
			op.Start(now, now)
		}
		now = now.Add(took)
		for range 5 {
			op.Record(measure.Latency{Took: took}, measure.Latency{Took: took}, 200, false, now)
		}
	}
	r := goodRun()
	for range 20 {
		for range 3 {
			together("cash-out", 20*time.Millisecond)
		}
		together("list", 1200*time.Millisecond)
	}
	r.Measurements = recorder.Measurements(now)
	assert.Len(t, r.Timeline.Silences, 20)
	assert.Empty(t, silences(r))
	together("cash-out", 1200*time.Millisecond)
	r.Measurements = recorder.Measurements(now)
	assert.Equal(t, "the gateway sent no response for 1.2 s from 0:25 (5 requests waited)", silences(r))
}

func TestOneWordForEachWayToFail(t *testing.T) {
	t.Parallel()
	r := goodRun()
	op := r.Operations["cash-out"]
	op.Count, op.Failed, op.Statuses = op.Count+300, 300, map[int]int64{201: op.Count, 409: 3, 500: 14, measure.NoAnswer: 46, measure.NeverSent: 237}
	r.Operations["cash-out"] = op
	r.Ledger.Counts.PaymentsRefused, r.Ledger.Unsent = 257, 237
	text := strings.Join(strings.Fields(terminalText(t, r)), " ")
	assert.Contains(t, text, "37,180 accepted, 20 refused (4xx), 0 unheard, 237 never sent (no connection)")
	assert.Contains(t, text, "cash-out failed 300: 409 ×3, 500 ×14, no response ×46, never sent (no connection) ×237")
}

func TestBoundsThatRoundToTheSame(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "2.01 s", bounds(&result.Bounds{From: 2011, To: ptr(2012)}))
	assert.Equal(t, "2.01 s to 2.02 s", bounds(&result.Bounds{From: 2011, To: ptr(2021)}))
}

// Figures that fit in 80 columns are indented like everything else.
func TestATableOfFiguresIsIndented(t *testing.T) {
	t.Parallel()
	r := oneRun()
	for _, name := range []string{"payments_in_the_morning", "payments_in_the_evening"} {
		r.Origins = append(r.Origins, result.Origin{Tags: map[string]string{"scenario": name}, Figures: r.Figures})
	}
	text := terminalText(t, r)
	assert.Contains(t, text, "\n  payments_in_the_evening  1 ")
	for line := range strings.Lines(text) {
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, line)
	}
}

func TestTheLogHasOnlyTheFirstReasons(t *testing.T) {
	t.Parallel()
	r := oneRun()
	r.Validity.Valid = false
	for range 9 {
		r.Validity.Reasons = append(r.Validity.Reasons, result.Reason{Figure: result.OwnDelay, Detail: "late"})
	}
	why := Why(r)
	assert.Len(t, why, 6)
	assert.Contains(t, why[0], "the generator itself may have made the latencies so long")
	assert.Equal(t, []string{"late", "5 more reasons"}, why[4:])
}
