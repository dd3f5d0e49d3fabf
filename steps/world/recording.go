package world

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

func (w *World) add(e record.Entry) int {
	e.Step = w.step
	w.Record.Entries = append(w.Record.Entries, e)
	index := w.Judge.Add(e)
	switch {
	case e.Fact != nil && e.Fact.Kind == record.Opening:
		w.mail.want(e.Fact.Of)
	case e.Fact != nil && (e.Fact.Kind == record.Paid || e.Fact.Kind == record.Returned):
		w.mail.want(e.Fact.Text)
	case index >= 0 && e.Exchange.Party == exchange.API:
		if t := w.Judge.Attempt(index); t != nil && !t.Is(api.Nothing) {
			w.mail.want(t.IDs()...)
		}
	}
	return index
}

func (w *World) note(f record.Fact) { w.add(record.Entry{Fact: &f}) }

func (w *World) noteOf(a language.Account, f record.Fact) {
	w.add(record.Entry{Account: a, Fact: &f})
}

func (w *World) keep(e exchange.Exchange, of record.Entry) int {
	e.Step, e.Other = w.step, of.Account == language.TheOther
	w.bound(&e)
	of.Exchange = &e
	if done := e.Sent.Add(e.Took); e.Method != http.MethodGet && done.After(w.acted) {
		w.acted = done
	}
	index := w.add(of)
	if e.Party == exchange.Webhook { // the view has decoded it
		e.Operation = strings.TrimSpace(w.Judge.Events[len(w.Judge.Events)-1].Name + " event")
	}
	if w.Recorder != nil {
		w.Recorder(w.Record.ID(), e)
	}
	return index
}

// mostLong bounds what a scenario keeps of long answers, in bytes: it may send a thousand requests.
// Lists of a thousand transactions would fill it at the thirtieth.
const (
	long     = 16 << 10
	mostLong = 16 << 20
	tooMuch  = "the target's responses in this scenario exceed 16 MiB"
)

// bound takes away an answer for which there is no room. The scenario then cannot be judged: see
// stop.
func (w *World) bound(e *exchange.Exchange) {
	if e.Party != exchange.API || len(e.ResponseBody) <= long {
		return
	}
	if w.long += len(e.ResponseBody); w.long > mostLong {
		e.Status, e.ResponseHeader, e.ResponseBody, e.Err = 0, nil, nil, tooMuch
	}
}

// controls are the target's test controls, as this scenario calls them.
func (w *World) controls() *target.Controls {
	return w.Target.Controls(w.Rule, func(e exchange.Exchange) int { return w.keep(e, record.Entry{}) })
}

func (w *World) collect() {
	if !w.Judge.Reached && w.Sink.IsReached() {
		w.note(record.Fact{Kind: record.Reached})
	}
	for _, b := range w.mail.opened {
		for _, came := range b.Since(b.recorded) {
			b.recorded++
			w.keep(exchange.Exchange{
				Party: exchange.Webhook, Method: came.Method, URL: w.Sink.URL(came), Header: came.Header,
				Body: came.Body, LeftOut: came.LeftOut, Truncated: came.Truncated, Status: http.StatusOK, Sent: came.At,
			}, record.Entry{})
			if latency, known := w.Judge.Latency(w.Judge.Events[len(w.Judge.Events)-1]); known {
				w.Latencies.add(latency)
			}
		}
	}
}

// errRefused: a request that the sentence needs accepted was not; the judge sees it.
var errRefused = errors.New("a request was not accepted")

// stop records why a step could not be carried out, if it could not.
func (w *World) stop(ctx context.Context, err error) {
	var (
		o *record.Obstacle
		m *target.Missing
		c *target.ControlError
	)
	switch {
	case w.long > mostLong:
		if w.Judge.Obstacle(w.step) != nil {
			return
		}
		o = record.Cannot(tooMuch)
	case err == nil, errors.Is(err, errRefused):
		return
	case ctx.Err() != nil:
		o = record.Cannot(fmt.Sprintf("the scenario took longer than %v and was stopped in this step: %v", w.Terms.Deadlines.Scenario(), err))
	case errors.As(err, &o):
	case errors.As(err, &m):
		o = &record.Obstacle{Kind: record.MissingControl, Reason: m.Error(), Control: string(m.Control), Exchange: -1}
	case errors.As(err, &c):
		o = &record.Obstacle{Kind: record.FailedControl, Reason: c.Error(), Control: string(c.Control), Exchange: c.Exchange}
		o.Spoils = target.Undecided(*w.Judge.Exchanges[c.Exchange])
	default:
		o = &record.Obstacle{Kind: record.Broken, Reason: err.Error(), Exchange: -1}
	}
	w.add(record.Entry{Obstacle: o})
}

// failing turns what a judge's reading of the record came to into an error.
func failing(r judge.Result) error {
	switch r.Verdict {
	case verdict.Pass:
		return nil
	case verdict.Fail:
		return &record.Obstacle{Kind: record.Fault, Expected: r.Finding.Expected, Reason: r.Finding.Got, Exchange: r.Finding.Exchange}
	case verdict.SuiteError:
		return errors.New(r.Finding.Got)
	}
	if r.Finding.Got == judge.NoneRecorded {
		return record.Cannot(fmt.Sprintf("%s: expected %s", judge.NoneRecorded, r.Finding.Expected))
	}
	return record.Cannot(r.Finding.Got)
}

// notOffered: the target does not offer what the scenario is about.
func notOffered(reason string) *record.Obstacle {
	return &record.Obstacle{Kind: record.NotOffered, Reason: reason, Exchange: -1}
}
