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

// lookUp looks up the payments whose outcome no webhook reported, the fees of others, and
// whether repeated payments are listed once. A payment that is not listed yet, or is listed as
// pending, has until the end of the drain time, which may not be over if no webhook was due.
func (r *Run) lookUp(ctx context.Context, s gateway.Sender) {
	unresolved := append(r.silent.all(), r.ledger.Unresolved()...)
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

// lookup says how the lists show payments of a kind.
type lookup struct {
	operation string                      // other transactions may have the same id, such as refunds of the payment
	name      func(ledger.Payment) string // the run's id, listed as externalId; nil: the API does not list it
}

var lookups = map[ledger.Kind]lookup{
	ledger.CashOut:   {"WITHDRAW", externalID},
	ledger.QRCashOut: {"WITHDRAW", externalID},
	ledger.CashIn:    {"PAYMENT", externalID},
	ledger.Transfer:  {"WITHDRAW", func(p ledger.Payment) string { return p.ID.UUID() }},
	ledger.Cob:       {"PAYMENT", nil},
	ledger.Refund:    {"REFUND_IN", externalID}, // the rtrId is more reliable
}

func externalID(p ledger.Payment) string { return p.ID.ExternalID() }

// operations are the known labels of operations; an unknown label may mean any of them.
var operations = []string{"PAYMENT", "WITHDRAW", "REFUND_IN", "REFUND_OUT"}

// find looks up one payment, and says whether the result is final. If the look-up fails, the
// payment stays as it was.
func (r *Run) find(ctx context.Context, s gateway.Sender, p ledger.Payment, early bool) (done bool) {
	at := slices.IndexFunc(r.accounts, func(a *gateway.Account) bool { return a.Index == p.Account })
	if at < 0 {
		return true
	}
	account := r.accounts[at]
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
	listed := ledger.Found{Count: len(found), Response: p.TransactionID}
	for _, l := range found[:min(len(found), 2)] {
		listed.IDs = append(listed.IDs, l.TransactionID)
	}
	if len(found) > 0 {
		if found[0].Status != "PENDING" {
			r.ended(found[0].Processed)
		}
		listed.Status, listed.Amount, listed.Fee = found[0].Status, found[0].Amount, found[0].Fee
	}
	r.ledger.LookedUp(p.ID, listed)
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
