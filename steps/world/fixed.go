package world

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// FixedAccount is an account of the profile, which has a history and keeps it. Scenarios run on
// these where no new ones can be made. Whoever has leased it may touch its fields.
type FixedAccount struct {
	target.Account
	Certificate *certs.Certificate
	Index       int // among those of the run

	outstanding   []*record.Attempt // payments, refunds and paid charges whose end was not seen
	blocked       money.Centavos    // what was blocked before they were made
	unsettled     bool              // some never ended, and may move the balance at any time
	movedByOthers bool              // others have moved its money, which may still show late
	touched       []Setting         // that are to be put back
	acted         time.Time         // when a scenario last did something to it
}

// NewFixedAccount is an account of a profile. An earlier run, or somebody else, may have left
// payments that settle late.
func NewFixedAccount(a target.Account, c *certs.Certificate, index int) *FixedAccount {
	return &FixedAccount{Account: a, Certificate: c, Index: index, movedByOthers: true}
}

// Key names the account in paths and files: the same in every run, and no secret.
func (a *FixedAccount) Key() string {
	sum := sha256.Sum256([]byte(strings.ToLower(a.ClientID)))
	return hex.EncodeToString(sum[:6])
}

// Touch notes settings that may have been changed, and are to be put back.
func (a *FixedAccount) Touch(settings []Setting) { a.touched = settings }

func (a *FixedAccount) touches(control target.Control) bool {
	return slices.ContainsFunc(a.touched, func(s Setting) bool { return s.Control == control })
}

// takeFixed is a leased account as the scenario acts for it; nil if it has none.
func (w *World) takeFixed(which language.Account) *actor {
	if len(w.Accounts) == 0 {
		return nil
	}
	fixed := w.Accounts[which]
	a := newActor(w, which, fixed.Account, fixed.Certificate)
	a.fixed = fixed
	return a
}

// tenant is an actor on an account of the profile, on which others may have left something.
type tenant struct{ *actor }

// prepare puts back what an earlier scenario could not, and waits for the end of what earlier
// ones have made.
func (a tenant) prepare(ctx context.Context) error {
	if a.w.Sharing {
		a.noteUnsettled()
		return nil
	}
	if a.fixed.acted.After(a.w.acted) { // its balance may lag behind what an earlier scenario did
		a.w.acted = a.fixed.acted
	}
	if err := a.fixed.putBack(ctx, a.w.controls()); err != nil {
		return err
	}
	a.fixed.touched = slices.Clone(a.w.Touches)
	if !a.w.JudgesMoney {
		a.settled = len(a.fixed.outstanding) == 0 && !a.fixed.unsettled && !a.fixed.movedByOthers
		return nil
	}
	if err := a.awaitEnds(ctx); err != nil {
		return err
	}
	a.noteUnsettled()
	a.settled = !a.fixed.unsettled
	if !a.fixed.movedByOthers {
		return nil
	}
	return a.awaitStableBalance(ctx)
}

func (a tenant) noteUnsettled() {
	if a.fixed.unsettled {
		a.w.noteOf(a.which, record.Fact{Kind: record.Unsettled})
	}
}

// await notes a request whose end the next scenario that judges money has to see: an order that may
// have been accepted, or a charge that was paid.
func (a *FixedAccount) await(t *record.Attempt) {
	unknown := t.Status == 0 || t.Status == http.StatusRequestTimeout || t.Status >= 500
	switch {
	case t.Is(api.Charge) && t.EndToEndID != "", t.Op.TakesMoney() && (t.Accepted() || unknown && !t.Is(api.Refund)):
		a.outstanding = append(a.outstanding, t)
	case t.Is(api.Refund) && unknown: // its id is unknown
		a.movedByOthers = true
	}
}

// movesUntraceably reports whether controls may still move the money of the scenario's accounts in a
// way that no list shows for certain. A list shows the end of a payment, sent or received. What falls
// due by a move of the clock happens before the control answers.
func (w *World) movesUntraceably() bool {
	received, traceable := 0, 0
	settled := map[string]bool{}
	for _, t := range w.Judge.Attempts {
		_, split := jsonvalue.Lookup(t.Request, "splits") // others get a part, maybe later
		if t.Is(api.Charge) && t.EndToEndID != "" && !split {
			traceable++
		}
	}
	for _, c := range w.Judge.Calls {
		if c.Method == http.MethodGet || c.Refused() {
			continue
		}
		switch target.Control(c.Operation) {
		case target.Refunds, target.Returns, target.MED:
			return true
		case target.Payments:
			received++
		case target.Settlement, target.Clock:
			payment := c.Text("transactionId") + c.Text("id")
			failed := c.Text("id") != "" && c.Text("outcome") != target.Confirmed // lists need not show transfers
			if !c.Succeeded() || failed || settled[payment] {                     // a second outcome may undo what the list shows
				return true
			}
			settled[payment] = payment != ""
		}
	}
	return received > traceable
}

// fund sees to it that an account of the profile has an amount: more is as good, unless it has
// to be exactly that much.
func (a *actor) fund(ctx context.Context, want money.Centavos, exactly bool) error {
	b, err := a.balance(ctx, record.Aside)
	if err != nil {
		return err
	}
	if !a.w.Sharing && len(a.fixed.outstanding) == 0 {
		a.fixed.blocked = b.Blocked
	}
	switch {
	case b.Available == want || b.Available > want && !exactly:
		a.noteFunds(b.Available)
		return nil
	case a.w.Sharing:
		return record.Cannot("others use the account") // it runs again, alone
	case a.w.Target.Has[target.Funds] && a.id != 0:
		return a.setBalance(ctx, want)
	}
	return record.Cannot(fmt.Sprintf("the account has %v available, but this scenario requires %v: top it up, or add the test control funds", b.Available, want))
}

// awaitEnds waits until what earlier scenarios have made has ended. What does not leaves the
// account unsettled: what its balance does is no fault then.
func (a tenant) awaitEnds(ctx context.Context) error {
	if a.fixed.unsettled || len(a.fixed.outstanding) == 0 {
		return nil
	}
	unclear := false
	ended, err := a.w.poll(ctx, a.w.Terms.Deadlines.Webhook, func() (bool, error) {
		for len(a.fixed.outstanding) > 0 {
			end, err := a.endOf(ctx, a.fixed.outstanding[0])
			if end == pending || err != nil {
				return false, err
			}
			unclear = unclear || end == notShown
			a.fixed.outstanding = a.fixed.outstanding[1:]
		}
		return true, nil
	})
	if err != nil {
		return err // which says nothing of them
	}
	isCharge := func(t *record.Attempt) bool { return t.Is(api.Charge) }
	if stuck := a.fixed.outstanding; !ended && isCharge(stuck[0]) && !slices.ContainsFunc(stuck, func(t *record.Attempt) bool { return !isCharge(t) }) {
		ended, unclear = true, true // what was paid long ago moves nothing any more
	}
	a.fixed.outstanding, a.fixed.unsettled = nil, !ended
	a.w.acted = time.Now() // balances may lag behind the list
	a.fixed.movedByOthers = a.fixed.movedByOthers || unclear
	if !ended || a.fixed.movedByOthers {
		return nil
	}
	b, err := a.balance(ctx, record.Aside)
	a.fixed.movedByOthers = b.Blocked > a.fixed.blocked // by what the list shows as ended
	return err
}

// ending is whether what was made has ended, as far as that can be seen.
type ending int

const (
	pending  ending = iota
	reached         // its end
	notShown        // only the balance shows it: no list does, or the bank has returned the money
)

// endOf looks for the end of an earlier payment or refund, or of the payment of a charge: in the list
// or, if a transfer is not listed, by what is blocked.
func (a tenant) endOf(ctx context.Context, p *record.Attempt) (ending, error) {
	id, ok := p.ExternalID()
	query := url.Values{"externalId": {id}}
	switch {
	case p.Is(api.Refund):
		query = url.Values{"endToEndId": {jsonvalue.Text(p.Answer, "rtrId")}, "type": api.Spelled(api.RefundIn)}
	case p.Is(api.Charge):
		query = url.Values{"endToEndId": {p.EndToEndID}, "type": api.Spelled(api.PixIn)}
	case !ok:
		b, err := a.balance(ctx, record.Aside)
		if b.Blocked <= a.fixed.blocked {
			return reached, err
		}
		return pending, err
	}
	t, err := a.ask(ctx, "transaction list request", query, record.Aside)
	if err != nil {
		return pending, err
	}
	of := jsonvalue.Text(t.Answer, "data[0].endToEndId")
	switch status := api.StateLabelled(api.Label(jsonvalue.Text(t.Answer, "data[0].status"))); {
	case p.Is(api.Charge) && of != p.EndToEndID: // a list that ignores the filter shows another payment
		return notShown, nil
	case status == api.Pending:
		return pending, nil
	case status == api.Confirmed:
		return reached, nil
	default:
		return notShown, nil
	}
}

// stableFor is for how long a balance must not have moved to be stable, as long as it does not lag.
const stableFor = 4 * pollEvery

func (a tenant) awaitStableBalance(ctx context.Context) error {
	last, err := a.balance(ctx, record.Aside)
	since := time.Now()
	if err != nil {
		return err
	}
	rests, err := a.w.poll(ctx, a.w.Terms.Deadlines.Balance, func() (bool, error) {
		now, err := a.balance(ctx, record.Aside)
		if now.Available != last.Available || now.Blocked != last.Blocked {
			last, since = now, time.Now()
		}
		return time.Since(since) >= stableFor+a.w.MostLag(), err
	})
	a.settled = a.settled && rests
	a.fixed.movedByOthers = !rests || err != nil
	if rests {
		a.fixed.blocked = last.Blocked
	}
	return err
}
