package world

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
)

// look records what the judge wants to see.
func (w *World) look(ctx context.Context, l *judge.Look, left time.Duration) (err error) {
	a := w.actors[l.Account]
	switch l.At {
	case judge.Silence:
		if left > 0 {
			return w.mail.next(ctx, left)
		}
		w.note(record.Fact{Kind: record.Quiet, For: l.Patience}) // whatever else arrived meanwhile
	case judge.Deliveries:
		return w.mail.next(ctx, left)
	case judge.Balance:
		_, err = a.ask(ctx, "balance request", nil, record.Look)
	case judge.List:
		_, err = a.ask(ctx, l.Op.Noun, l.Query, record.Look)
	case judge.Registrations:
		_, err = a.ask(ctx, "webhook list request", nil, record.Look)
	case judge.ChargeState:
		err = w.controls().ShowCharge(ctx, a.id, l.Of.Parameter("txid"))
	case judge.RefundState:
		err = w.controls().ShowRefund(ctx, a.id, jsonvalue.Text(l.Of.Answer, "rtrId"))
	case judge.Splits:
		err = w.controls().ShowSplits(ctx, a.id, jsonvalue.Text(l.Of.Answer, "transactionId"))
	}
	return err
}

// enough is how many scenarios with unexplained money a run looks for: each
// waits for as long as a balance may take.
const enough = 20

// LookBack looks after the last step at what the judge wants to see of the scenario's money, until
// what was sent explains it. A look that fails shows nothing.
func (w *World) LookBack(ctx context.Context) {
	w.step = len(w.Steps)
	for _, a := range w.actors {
		if a == nil || w.unexplained.Load() >= enough {
			continue
		}
		began := time.Now()
		for l := w.Judge.FinalLook(a.which); l != nil; l = w.Judge.FinalLook(a.which) {
			if time.Since(began) > l.Patience {
				w.note(record.Fact{Kind: record.Waited, Text: l.Key()})
				w.unexplained.Add(1)
				break
			}
			if w.look(ctx, l, 0) != nil || w.Judge.FinalLook(a.which) != nil && wait(ctx, pollEvery) != nil {
				break
			}
		}
	}
}

// safety is how many times longer than measured a replica may lag.
const safety = 3

// catchUp waits until what the scenario has changed shows in balances and lists.
func (w *World) catchUp(ctx context.Context) error {
	if w.Lag == 0 {
		return nil
	}
	return wait(ctx, safety*w.Lag-time.Since(w.acted))
}

// wait lets some time pass.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pollEvery is the time between two looks at what has not happened yet.
const pollEvery = 50 * time.Millisecond

// pause is the time until the next look at what has not happened yet. It is the longer the longer
// the last answer was, so that looking does not fill the memory while patience lasts.
func (w *World) pause() time.Duration {
	const longer = 16 << 10 // bytes
	pause := pollEvery
	if n := len(w.Judge.Exchanges); n > 0 {
		pause *= time.Duration(1 + len(w.Judge.Exchanges[n-1].ResponseBody)/longer)
	}
	return pause
}

// poll looks until look is done or fails, or until patience ends; then it is false.
func (w *World) poll(ctx context.Context, patience time.Duration, look func() (done bool, err error)) (bool, error) {
	for deadline := time.Now().Add(patience); ; {
		if done, err := look(); done || err != nil {
			return done, err
		}
		if time.Now().After(deadline) {
			return false, nil
		}
		if err := wait(ctx, w.pause()); err != nil {
			return false, err
		}
	}
}
