package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/ledger"
)

// atOnce is how many look-ups, or accounts, are under way at a time.
const atOnce = 8

// lookUp asks the gateway for the payments whose end no webhook told, for what others were
// charged, and whether it lists one of each that was repeated. What it does not list yet, or
// as pending, has until the drain time is over, which nobody has waited for where no webhook
// was due.
func (r *Run) lookUp(ctx context.Context, s gateway.Sender) {
	unresolved := r.silent.all()
	for p := range r.ledger.Unresolved() {
		unresolved = append(unresolved, p)
	}
	early := time.Now().Before(r.draining())
	if open := r.findAll(ctx, s, unresolved, early); len(open) > 0 {
		timer := time.NewTimer(time.Until(r.draining()))
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		r.findAll(ctx, s, open, false)
	}
	r.findAll(ctx, s, r.ledger.Repeatedly(), false)
}

// findAll looks payments up, and gives those of which more may be known later. Only what is
// not early to say is entered of them.
func (r *Run) findAll(ctx context.Context, s gateway.Sender, all []ledger.Payment, early bool) (open []ledger.Payment) {
	ctx, cancel := context.WithTimeout(ctx, lookingUp)
	defer cancel()
	var asking sync.WaitGroup
	var left atomic.Int64
	var mu sync.Mutex
	payments := make(chan ledger.Payment)
	for range atOnce {
		asking.Go(func() {
			for p := range payments {
				if ctx.Err() != nil {
					left.Add(1)
					continue
				}
				if !r.find(ctx, s, p, early) {
					mu.Lock()
					open = append(open, p)
					mu.Unlock()
				}
			}
		})
	}
	for _, p := range all {
		payments <- p
	}
	close(payments)
	asking.Wait()
	if n := left.Load(); n > 0 {
		r.trouble(int(n), fmt.Errorf("expected the end of every payment to be looked up within %s, left %d: %w", lookingUp, n, context.Cause(ctx)))
	}
	return open
}

// lookup is how the lists show the payments of a kind.
type lookup struct {
	operation string                      // as what; other transactions may have the name too, as what was given back of one
	name      func(ledger.Payment) string // the id that the run gave it, as externalId; nil: the API names none
}

var lookups = map[ledger.Kind]lookup{
	ledger.CashOut:   {"WITHDRAW", externalID},
	ledger.QRCashOut: {"WITHDRAW", externalID},
	ledger.CashIn:    {"PAYMENT", externalID},
	ledger.Transfer:  {"WITHDRAW", func(p ledger.Payment) string { return p.ID.UUID() }},
	ledger.Cob:       {"PAYMENT", nil},
	ledger.Refund:    {"REFUND_IN", externalID}, // its rtrId is better known
}

func externalID(p ledger.Payment) string { return p.ID.ExternalID() }

// operations are what the lists call operations; another label may be any of them.
var operations = []string{"PAYMENT", "WITHDRAW", "REFUND_IN", "REFUND_OUT"}

// find looks one payment up, and says whether no more is to be known of it. Where that
// fails, the payment stays as unknown as it was.
func (r *Run) find(ctx context.Context, s gateway.Sender, p ledger.Payment, early bool) (done bool) {
	account, ok := r.byIndex(p.Account)
	if !ok {
		return true
	}
	by := lookups[p.Kind]
	var found []gateway.Listed
	var err error
	switch {
	case p.EndToEndID != "":
		found, err = account.FindEndToEnd(ctx, s, p.EndToEndID)
	case by.name != nil:
		found, err = account.Find(ctx, s, by.name(p))
	default:
		return true
	}
	if err != nil {
		r.trouble(1, fmt.Errorf("payment %s: %w", p.ID.ExternalID(), err))
		return true
	}
	found = slices.DeleteFunc(found, func(l gateway.Listed) bool {
		return l.Operation != by.operation && slices.Contains(operations, l.Operation)
	})
	if early && (len(found) == 0 || found[0].Status == "PENDING") {
		return false
	}
	listed := ledger.Found{Count: len(found)}
	if len(found) > 0 {
		if found[0].Status != "PENDING" {
			r.ended(found[0].Processed)
		}
		listed.Status, listed.Amount, listed.Fee = found[0].Status, found[0].Amount, found[0].Fee
	}
	r.ledger.LookedUp(p.ID, listed)
	if p.Kind == ledger.Refund && len(found) > 0 && p.EndToEndID == "" {
		r.named(p.ID, found[0].EndToEndID) // whose answer did not tell
	}
	return true
}

// ended notes when a payment ended that was looked up; zero: nobody says, it may be now. Its
// webhook is not lost before it had the time to come: as long as none is late, but no longer
// than the drain.
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

func (r *Run) byIndex(index int) (*gateway.Account, bool) {
	for _, a := range r.accounts {
		if a.Index == index {
			return a, true
		}
	}
	return nil, false
}
