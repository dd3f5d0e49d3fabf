package world

import (
	"context"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/wording"
)

// look makes the request, or waits for the webhook, that the judge needs.
func (w *World) look(ctx context.Context, l *judge.Look, left time.Duration) (err error) {
	a := w.actors[l.Account]
	switch l.At {
	case judge.Silence:
		if left > 0 {
			return w.mail.next(ctx, left)
		}
		w.note(record.Fact{Kind: record.Quiet, For: l.Patience}) // even if other webhooks have arrived meanwhile
	case judge.Deliveries:
		return w.mail.next(ctx, left)
	case judge.Balance:
		_, err = a.ask(ctx, "balance request", nil, record.Look)
	case judge.List:
		_, err = a.list(ctx, l, record.Look)
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

// sayMismatch is how long a balance may be unexplained without a word.
const sayMismatch = 2 * time.Second

// LookBack waits for what the scenario's resends say to have delivered and for the events of its MED cases, and
// reads the splits of unpaid charges and the balances after the last step, until the scenario's requests explain
// them. It ignores requests that fail.
func (w *World) LookBack(ctx context.Context) {
	w.step = len(w.Steps)
	haveAll := w.awaitWebhooks(ctx, func() bool { return len(w.Judge.Undelivered()) == 0 && len(w.Judge.Unreported()) == 0 })
	if haveAll && ctx.Err() == nil {
		w.note(record.Fact{Kind: record.Waited, Text: judge.EventsAfterLastStep})
	}
	for _, t := range w.Judge.Unpaid() {
		if w.Usable[target.Splits] {
			_ = w.controls().ShowSplits(ctx, w.actors[t.Account].id, jsonvalue.Text(t.Answer, "transactionId"))
		}
	}
	for _, a := range w.actors {
		if a != nil {
			w.auditBalance(ctx, a.which)
		}
	}
}

// mostUnreported is how often a run waits in vain, to the deadline, for what resends and MED cases should have sent.
const mostUnreported = 5

// awaitWebhooks waits until those have arrived that are awaited, or until they will not. It reports whether what is
// missing then is missing for good: not if so many were missing before that it waits only briefly.
func (w *World) awaitWebhooks(ctx context.Context, arrived func() bool) bool {
	patience, whole := w.Terms.Deadlines.Webhook, w.budget.unreported.Load() < mostUnreported
	if !whole {
		patience = min(patience, w.eventUsually())
	}
	deadline := time.Now().Add(patience)
	for w.collect(); !arrived() && time.Now().Before(deadline) && ctx.Err() == nil; w.collect() {
		_ = w.mail.next(ctx, time.Until(deadline))
	}
	if arrived() || ctx.Err() != nil {
		return true
	}
	w.budget.unreported.Add(1)
	if w.Unreached != nil {
		w.Unreached()
	}
	return whole
}

// readUntil reads a balance as long as there is a look at it to take, until patience ends or such waits are known to be in
// vain. It returns the look that was not satisfied, nil for none, and whether it had all of its patience.
func (w *World) readUntil(ctx context.Context, wait *lookWait, patienceOf func(*judge.Look, *lookWait) time.Duration, next func() *judge.Look, read func(*judge.Look) error) (l *judge.Look, whole bool, err error) {
	defer wait.end(false)
	for l = next(); l != nil && !wait.isHopeless(); {
		waited := time.Since(wait.began)
		if waited > sayMismatch && w.Note != nil && w.once("mismatch") {
			w.Note(fmt.Sprintf("the balance of an account does not match its payments: in case it lags, pixcert waits up to %s in a few scenarios", wording.Duration(l.Patience)))
		}
		if err := read(l); err != nil {
			return nil, false, err
		}
		wait.hasLooked()
		if l = next(); l == nil {
			wait.found()
			return nil, false, nil
		}
		patience := patienceOf(l, wait)
		if waited > patience {
			whole = patience >= l.Patience
			wait.end(whole)
			return l, whole, nil
		}
		if err := w.waitAgain(ctx, waited, patience-waited); err != nil {
			return nil, false, err
		}
	}
	return l, false, nil
}

// untilExplained reads the balance with which a step compares until it is explained and has the money of what the bank has
// rejected, which need not come back. A balance that cannot be read again ends only the second.
func (w *World) untilExplained(ctx context.Context, read func(*judge.Look) error) error {
	l, whole, err := w.readUntil(ctx, w.waits.begin(explained), w.patienceOf, func() *judge.Look { return w.Judge.BalanceLook(language.TheAccount) }, read)
	w.beganUnexplained = l != nil && !whole
	if err != nil {
		return err
	}
	l, whole, err = w.readUntil(ctx, w.waits.begin(returned), w.patienceOf, func() *judge.Look { return judge.ReturnLook(w.Judge, language.TheAccount) }, read)
	w.beganUnexplained = w.beganUnexplained || l != nil && !whole
	if err != nil {
		return ctx.Err()
	}
	return nil
}

// auditBalance reads the balance of an account after the last step, until it is explained. It notes if it never was.
func (w *World) auditBalance(ctx context.Context, account language.Account) {
	all := func(l *judge.Look, _ *lookWait) time.Duration { return l.Patience }
	last := func() *judge.Look { return w.Judge.FinalLook(account) }
	l, whole, _ := w.readUntil(ctx, w.waits.begin(audited), all, last, func(l *judge.Look) error { return w.look(ctx, l, 0) })
	if whole {
		w.note(record.Fact{Kind: record.Waited, Text: l.Key()})
	}
}

// Lasting is the first list that must show, for good, what the scenario has made; empty for none.
func (w *World) Lasting() string {
	for _, a := range w.actors {
		if a == nil {
			continue
		}
		if looks := w.Judge.AtRestLooks(a.which); len(looks) > 0 {
			return looks[0].Op.ID
		}
	}
	return ""
}

// LookAgain reads the scenario's balances and payments again. It ignores requests that fail. It reports
// whether it did so: not if the scenario ended so recently that a replica may still lag.
func (w *World) LookAgain(ctx context.Context) bool {
	if time.Since(w.acted) <= max(w.CatchUp, w.MostLag(), record.Safety*w.Unseen) {
		return false
	}
	w.note(record.Fact{Kind: record.AtRest})
	for _, a := range w.actors {
		if a == nil {
			continue
		}
		a.issued = "" // it may have expired
		if a.fixed == nil {
			_, _ = a.ask(ctx, "balance request", nil, record.Look)
		}
		for _, l := range w.Judge.AtRestLooks(a.which) {
			_, _ = a.list(ctx, l, record.Look)
		}
	}
	return true
}

// catchUp waits until balances and lists, also of webhooks, show what the scenario has changed.
func (w *World) catchUp(ctx context.Context) error {
	if w.Lag == 0 {
		return nil
	}
	return sleep(ctx, w.MostLag()-time.Since(w.acted))
}

func sleep(ctx context.Context, d time.Duration) error {
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

const pollEvery = record.LeastLag

// pause returns the time until the next poll. It grows with the length of the last response, so that
// polling does not fill the memory.
func (w *World) pause() time.Duration {
	const longer = 16 << 10 // bytes
	pause := pollEvery
	if n := len(w.Judge.Exchanges); n > 0 {
		pause *= time.Duration(1 + len(w.Judge.Exchanges[n-1].ResponseBody)/longer)
	}
	return pause
}

// A look that has been repeated for idleAfter is hardly one that lags. It is repeated less and less often, down to every
// maxPause, and other scenarios run meanwhile.
const (
	idleAfter = 200 * time.Millisecond
	maxPause  = time.Second
)

// waitAgain waits for the next of the looks that have been in vain for so long, at most as long as is left.
func (w *World) waitAgain(ctx context.Context, waited, left time.Duration) error {
	pause := min(max(w.pause(), min(waited/4, maxPause)), max(left, pollEvery))
	if waited < idleAfter {
		return sleep(ctx, pause)
	}
	defer w.Load.idle()()
	return sleep(ctx, pause)
}

// poll calls look until it is done or fails. It returns false if patience ends first.
func (w *World) poll(ctx context.Context, patience time.Duration, look func() (done bool, err error)) (bool, error) {
	for deadline := time.Now().Add(patience); ; {
		if done, err := look(); done || err != nil {
			return done, err
		}
		if time.Now().After(deadline) {
			return false, nil
		}
		if err := sleep(ctx, w.pause()); err != nil {
			return false, err
		}
	}
}
