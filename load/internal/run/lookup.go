package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// atOnce is how many look-ups or accounts are processed at a time.
const atOnce = 8

// lookUp compares the payments with the lists, and looks up those whose outcome no webhook and no
// list reported, and whether repeated payments are listed once. A payment that is not listed yet, or is
// listed as pending, has until the end of the drain time, which may not be over if no webhook was due.
func (r *Run) lookUp(ctx context.Context, s gateway.Sender) {
	undecided := r.list(ctx, s)
	for pause := time.Second; len(undecided) > 0 && ctx.Err() == nil && time.Now().Before(r.draining()); {
		wait(ctx, min(pause, time.Until(r.draining())))
		begun := time.Now()
		undecided = r.list(ctx, s)
		pause = max(pause, time.Since(begun))
	}
	unresolved := append(undecided, r.ledger.Unresolved()...)
	early := time.Now().Before(r.draining())
	if open := r.findAll(ctx, s, unresolved, early); len(open) > 0 {
		wait(ctx, time.Until(r.draining()))
		r.findAll(ctx, s, open, false)
	}
	r.findAll(ctx, s, r.ledger.Repeatedly(), false)
}

// wait waits for a time, or until ctx is done.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// list reads the latest transactions of each account since the run's start, and returns the payments that only
// the lists can report, and have not: at most 1000. What it cannot read within listing is not compared.
func (r *Run) list(ctx context.Context, s gateway.Sender) (undecided []ledger.Payment) {
	ctx, cancel := context.WithTimeout(ctx, listing)
	defer cancel()
	const skew = time.Hour // of the gateway's clock
	var mu sync.Mutex
	read := map[int]bool{}
	_ = r.each(ctx, func(ctx context.Context, a *gateway.Account) error {
		ended, err := a.Since(ctx, s, r.started.Add(-skew), func(l gateway.Listed) { r.scan(a.Index, l) })
		if err != nil && !r.cut() {
			r.ledger.Note(ledger.Example{Sort: "payments_compared", Account: a.Index, At: time.Now().UTC(), Detail: "the list was not read to its end: " + err.Error()})
		}
		mu.Lock()
		defer mu.Unlock()
		read[a.Index] = ended
		return nil // continue with the others
	})
	return r.ledger.Undecided(read)
}

// scan records a listed transaction, if it is a payment of this instance.
func (r *Run) scan(account int, l gateway.Listed) {
	if r.ledger.Scan(account, l) && l.Status != "PENDING" {
		r.ended(l.Processed)
	}
}

// findAll looks up payments, and returns those that may change later. For these it records
// only what is final.
func (r *Run) findAll(ctx context.Context, s gateway.Sender, all []ledger.Payment, early bool) (open []ledger.Payment) {
	ctx, cancel := context.WithTimeout(ctx, lookingUp)
	defer cancel()
	var asking errgroup.Group
	asking.SetLimit(atOnce)
	var mu sync.Mutex
	left := 0
	for _, p := range all {
		if ctx.Err() != nil {
			left++
			continue
		}
		asking.Go(func() error {
			if !r.find(ctx, s, p, early) {
				mu.Lock()
				defer mu.Unlock()
				open = append(open, p)
			}
			return nil
		})
	}
	_ = asking.Wait()
	if left > 0 {
		r.trouble(left, fmt.Errorf("expected all look-ups of payments to complete within %s, %d are left: %w", lookingUp, left, context.Cause(ctx)))
	}
	return open
}

// find looks up one payment, and says whether the result is final. If the look-up fails, the
// payment stays as it was.
func (r *Run) find(ctx context.Context, s gateway.Sender, p ledger.Payment, early bool) (done bool) {
	at := slices.IndexFunc(r.accounts, func(a *gateway.Account) bool { return a.Index == p.Account })
	if at < 0 {
		return true
	}
	account := r.accounts[at]
	var found []gateway.Listed
	var err error
	switch {
	case p.EndToEndID != "":
		found, err = account.FindEndToEnd(ctx, s, p.EndToEndID)
	case p.Kind == ledger.Transfer:
		found, err = account.Find(ctx, s, p.ID.UUID())
	case p.Kind == ledger.Cob: // which the lists do not show under an id of the run
		return true
	default: // of a refund, the rtrId is more reliable
		found, err = account.Find(ctx, s, p.ID.ExternalID())
	}
	if err != nil {
		r.trouble(1, fmt.Errorf("payment %s: %w", p.ID.ExternalID(), err))
		return true
	}
	found = slices.DeleteFunc(found, func(l gateway.Listed) bool { return !p.Kind.LookedLike(l.Operation) })
	if early && (len(found) == 0 || found[0].Status == "PENDING") {
		return false
	}
	if len(found) > 0 && found[0].Status != "PENDING" {
		r.ended(found[0].Processed)
	}
	r.ledger.LookedUp(p.ID, found...)
	if p.Kind == ledger.Refund && len(found) > 0 && p.EndToEndID == "" {
		r.named(p.ID, found[0].EndToEndID) // the response did not contain it
	}
	return true
}

// ended records when a payment that was looked up ended; zero: unknown, so possibly now. Its
// webhook is not lost before it had time to arrive: until it would be late, but no longer
// than the drain time.
func (r *Run) ended(at time.Time) {
	r.grace.Lock()
	defer r.grace.Unlock()
	if now := time.Now(); at.IsZero() || at.After(now) { // by the gateway's clock
		at = now
	}
	if until := at.Add(min(r.config.Late, r.config.Drain)); until.After(r.grace.until) {
		r.grace.until = until
	}
}
