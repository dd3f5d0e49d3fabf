package world

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// burst sends the requests of a burst at the same instant. What others do meanwhile happens beside them,
// one after the other, because each looks at what the scenario has made.
func burst(ctx context.Context, w *World, m language.Burst) error {
	requests, acts, err := partsOf(ctx, w, m)
	if err != nil {
		return err
	}
	prepared := make([]target.Request, len(requests))
	for i, r := range requests {
		if prepared[i], err = r.prepare(ctx); err != nil {
			return err
		}
	}
	answers := make([]exchange.Exchange, len(requests))
	start := make(chan struct{})
	var sending sync.WaitGroup
	for i := range requests {
		sending.Go(func() {
			<-start
			answers[i] = requests[i].exchange(ctx, prepared[i])
		})
	}
	close(start)
	var failed error
	for _, act := range acts {
		failed = cmp.Or(failed, act())
	}
	sending.Wait()
	for i, r := range requests {
		failed = cmp.Or(r.notTested(r.record(answers[i], record.Entry{AtOnce: true})), failed)
	}
	return failed
}

// partsOf are the requests of a burst, and what others do.
func partsOf(ctx context.Context, w *World, m language.Burst) (requests []*request, acts []func() error, err error) {
	first := map[string]*request{} // by their id
	for _, part := range m.Parts {
		switch m := part.Meaning.(type) {
		case language.Send:
			r, err := spoken(ctx, w, m)
			if err == nil && part.ID != "" && first[part.ID] != nil {
				r, err = r.named(ctx, first[part.ID], m)
			}
			if err != nil {
				return nil, nil, err
			}
			if part.ID != "" && first[part.ID] == nil {
				first[part.ID] = r
			}
			r.role = record.Spoken
			requests = append(requests, r)
		case language.Settle:
			m.Tries = true // what came first is left to the gateway
			acts = append(acts, func() error { return settle(ctx, w, m) })
		case language.Pay:
			m.Tries = true
			acts = append(acts, func() error { return pay(ctx, w, m) })
		case language.EndRefund:
			m.Tries = true
			acts = append(acts, func() error { return endRefund(ctx, w, m) })
		}
	}
	return requests, acts, nil
}

// named is the request with the id of another. Of the same operation, nothing but the amount differs.
func (r *request) named(ctx context.Context, as *request, m language.Send) (*request, error) {
	if r.op == as.op {
		return as.changed(ctx, m.Changes...)
	}
	name, ok := as.body["externalId"]
	if _, own := r.body["externalId"]; !ok || !own {
		return nil, fmt.Errorf("a %s and a %s cannot have the same id", r.op.Noun, as.op.Noun)
	}
	same, err := r.changed(ctx)
	if err == nil {
		same.body, err = same.body.with("externalId", name)
	}
	return same, err
}
