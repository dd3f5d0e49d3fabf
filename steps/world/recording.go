package world

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// recorder records what a scenario does and what reaches it. The judge reads along.
type recorder struct {
	*Stage
	Judge     *judge.Scenario
	Record    *record.Record
	TimeLimit time.Duration

	step  int
	mail  mail
	acted time.Time // when the target last changed something, or reported a change
	long  int       // bytes of long answers
}

func (r *recorder) add(e record.Entry) int {
	e.Step = r.step
	r.Record.Entries = append(r.Record.Entries, e)
	index := r.Judge.Add(e)
	switch {
	case e.Fact != nil && e.Fact.Kind == record.Opening:
		r.mail.want(e.Fact.Of)
	case e.Fact != nil && (e.Fact.Kind == record.Paid || e.Fact.Kind == record.Returned):
		r.mail.want(e.Fact.Text)
	case index >= 0 && e.Exchange.Party == exchange.API:
		if t := r.Judge.Attempt(index); t != nil && !t.Is(api.Nothing) {
			r.mail.want(t.IDs()...)
		}
	}
	return index
}

func (r *recorder) note(f record.Fact) { r.add(record.Entry{Fact: &f}) }

func (r *recorder) noteOf(a language.Account, f record.Fact) {
	r.add(record.Entry{Account: a, Fact: &f})
}

func (r *recorder) keep(e exchange.Exchange, of record.Entry) int {
	e.Step, e.Other = r.step, of.Account == language.TheOther && e.Party == exchange.API
	r.bound(&e)
	of.Exchange = &e
	if done := e.Sent.Add(e.Took); e.Method != http.MethodGet && done.After(r.acted) {
		r.acted = done
	}
	index := r.add(of)
	if e.Party == exchange.Webhook { // the view has decoded it
		e.Operation = strings.TrimSpace(r.Judge.Events[len(r.Judge.Events)-1].Name + " event")
	} else {
		r.measure(e, of.AtOnce)
	}
	if r.Recorder != nil {
		r.Recorder(r.Record.ID(), e)
	}
	return index
}

// measure takes the time of a response into account. Requests that were sent at once wait for each other.
func (r *recorder) measure(e exchange.Exchange, atOnce bool) {
	if target.NoResponse(e) || target.Unsent(e) {
		return
	}
	r.Responses.add(e.Took)
	if !atOnce {
		r.Load.sample(e.Method+" "+e.Operation, e.Took)
	}
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
func (r *recorder) bound(e *exchange.Exchange) {
	if e.Party != exchange.API || len(e.ResponseBody) <= long {
		return
	}
	if r.long += len(e.ResponseBody); r.long > mostLong {
		e.Status, e.ResponseHeader, e.ResponseBody, e.Err = 0, nil, nil, tooMuch
	}
}

// controls are the target's test controls, as this scenario calls them.
func (w *World) controls() *target.Controls {
	return w.Target.Controls(w.Rule, func(e exchange.Exchange) int {
		about := language.TheAccount
		if other := w.actors[language.TheOther]; other != nil && strings.Contains(e.URL+"/", fmt.Sprintf("/accounts/%d/", other.id)) {
			about = language.TheOther
		}
		return w.keep(e, record.Entry{Account: about})
	})
}

func (r *recorder) collect() {
	if !r.Judge.Reached && r.Sink.IsReached() {
		r.note(record.Fact{Kind: record.Reached})
	}
	for _, b := range r.mail.opened {
		for _, came := range b.Since(b.recorded) {
			b.recorded++
			r.keep(exchange.Exchange{
				Party: exchange.Webhook, Method: came.Method, URL: r.Sink.URL(came), Header: came.Header,
				Body: came.Body, Cut: exchange.Cut{LeftOut: came.LeftOut}, Truncated: came.Truncated, Status: came.Status, Sent: came.At,
			}, record.Entry{})
			if latency, known := r.Judge.Latency(r.Judge.Events[len(r.Judge.Events)-1]); known {
				r.Latencies.add(latency)
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
		step, _, _ := strings.Cut(w.Record.Steps[w.step], "\n") // without its table
		o = record.Cannot(fmt.Sprintf("the scenario took longer than %v and was stopped at %q", w.TimeLimit, step))
		w.resends.locked(func() { o.Spoils = w.Record.Attempt == 0 && w.resends.isPaced() }) // it may have waited for others
	case errors.As(err, &o):
	case errors.As(err, &m):
		o = &record.Obstacle{Kind: record.MissingControl, Reason: m.Error(), Control: string(m.Control), Exchange: -1}
	case errors.As(err, &c):
		o = &record.Obstacle{Kind: record.FailedControl, Reason: c.Error(), Control: string(c.Control), Exchange: c.Exchange}
		if silent := w.unanswered(*w.Judge.Exchanges[c.Exchange], c.Exchange); silent != nil {
			o.Reason, o.Spoils = silent.Reason, silent.Spoils
		}
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
