package world

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Alone says that nothing else is in flight while a scenario runs, because an earlier attempt met a request without a
// response.
type Alone struct {
	Silent   map[string]int // by request (see silentRequest), in how many of the attempts alone it got no response so far
	Answered int            // requests that the target had answered when the first of these began
}

// aloneTries is how many attempts alone an operation must be silent in, while the target responds to others, before
// that is a failure. crashTries is the same for requests at which the target stops responding to everything, as a
// process does that crashes: an outage may begin at a request by chance.
const (
	aloneTries = 2
	crashTries = 3
)

// unanswered returns the obstacle of a request that got no response, or that was not sent for that reason; nil if e
// has a response. Such a request says nothing about the target, unless its operation is silent alone, time and again.
func (w *World) unanswered(e exchange.Exchange, index int) *record.Obstacle {
	o := &record.Obstacle{Kind: record.Unable, Exchange: index, Reason: e.Err, Spoils: true}
	switch why := target.Established(e); {
	case why != "":
		o.Reason, o.Spoils = why, false
		return o
	case target.Held(e):
		return o
	case !target.NoResponse(e):
		return nil
	case e.Err == "":
		o.Reason = fmt.Sprintf("%d, as from a proxy whose gateway is down", e.Status)
	}
	if o.Reason = fmt.Sprintf("no response (%s): %s", e.Operation, o.Reason); w.Alone == nil || !target.Unanswered(e) {
		return o
	}
	w.silent, w.silentRequest = e.Operation, w.nameOf(e)
	tries, needed := w.Alone.Silent[w.silentRequest]+1, aloneTries
	isCrash := !w.Target.Client.Responding(e)
	if isCrash {
		needed = crashTries
	}
	if tries < needed {
		return o
	}
	o.Kind, o.Spoils = record.Fault, false
	o.Expected = "a response to this " + e.Operation
	if isCrash {
		o.Reason = fmt.Sprintf("none in %d attempts with nothing else in flight (%s); after the last, the target responded to nothing else, either", tries, reasonOf(e))
		return o
	}
	o.Reason = fmt.Sprintf("none in %d attempts with nothing else in flight, the last after %v (%s), while the target responded to %d other requests",
		tries, e.Took.Round(time.Millisecond), reasonOf(e), w.Target.Client.Answered()-w.Alone.Answered)
	w.Target.Client.Silenced(e, fmt.Sprintf("%s gets no response; see %s", e.Operation, w.Record.ID()))
	return o
}

// nameOf returns which request of the scenario e is, so that it is recognized in another attempt: others may get a
// response, and a few that get none by chance are no failure.
func (w *World) nameOf(e exchange.Exchange) string {
	before := 0
	for _, t := range w.Judge.Attempts {
		if t.Step == w.step && t.Op.Noun == e.Operation && t.Sent.Before(e.Sent) {
			before++
		}
	}
	return fmt.Sprintf("%s, number %d of step %d", e.Operation, before+1, w.step)
}

func reasonOf(e exchange.Exchange) string {
	if e.Err == "" {
		return fmt.Sprintf("%d without the API's error envelope, as from a proxy", e.Status)
	}
	return e.Err
}

// NoResponse returns the operation of a request that got no response, or that was held back for that reason; empty
// for none.
func (w *World) NoResponse() (operation string, isHeld bool) {
	for _, e := range w.Judge.Exchanges {
		if isHeld = target.Held(*e); isHeld || target.NoResponse(*e) {
			return e.Operation, isHeld
		}
	}
	return "", false
}

// MetSilence returns the operation that was silent in this attempt, although nothing else was in flight; empty for none.
func (w *World) MetSilence() string { return w.silent }

// SilentRequest identifies the request that got no response then; empty for none.
func (w *World) SilentRequest() string { return w.silentRequest }
