package world

import (
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A webhook that arrives after its deadline is late, not lost. The URLs of a scenario that failed because an event was
// missing stay open. If the event arrives after all, the scenario runs again, and all wait longer for events.

// Misses reports whether a step failed only because an event has not arrived.
func Misses(r judge.Result) bool {
	return r.Verdict == verdict.Fail && r.Look != nil && r.Look.At == judge.Deliveries
}

// StayOpen makes Close leave the scenario's URLs open, so that CameLate can tell.
func (w *World) StayOpen() { w.staysOpen = true }

// CameLate reports whether the event has arrived that a step missed. If so, later scenarios wait longer.
func (w *World) CameLate(step int) bool {
	w.step = step
	before := len(w.Judge.Events)
	w.collect()
	if len(w.Judge.Events) == before || Misses(w.Judge.Judge(step)) {
		return false
	}
	w.Record.Unproven = true
	for _, d := range w.Judge.Events[before:] {
		if latency, known := w.Judge.Latency(d); known {
			w.needPatience(2 * latency)
		}
	}
	needed := w.Terms.Deadlines.Webhook // in place: this gateway sends what usually comes sooner
	if time.Now().After(w.overdue) {
		needed *= 2
	}
	w.needPatience(needed)
	return true
}
