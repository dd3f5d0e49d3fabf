package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

var errNothingMade = errors.New("the scenario has not made anything that this step refers to")

// pay has somebody pay a charge. Who only tries may find that it cannot be paid.
func pay(ctx context.Context, w *World, m language.Pay) error {
	c, err := w.Judge.Nth(m.Charge, api.Charge)
	if err != nil {
		return err
	}
	if m.Times > 1 {
		return payAtOnce(ctx, w, c, m.Times)
	}
	receiver := w.actors[c.Account]
	if m.Tries || w.Steps[w.step].Type != catalogue.Context {
		return payCharge(ctx, w, c, m)
	}
	return receiver.untilMoved(ctx, func() error { return payCharge(ctx, w, c, m) })
}

func payCharge(ctx context.Context, w *World, c *record.Attempt, m language.Pay) error {
	code, ok := c.PayCode()
	switch {
	case !ok && m.Tries && c.Status >= 400 && c.Status < 500: // a charge that the gateway need not accept
		return nil
	case !ok:
		return noCode(c)
	}
	amount := ""
	if m.Amount != nil {
		amount = m.Amount.Decimal()
	}
	receipt, err := w.controls().Pay(ctx, w.actors[c.Account].id, code, amount, asPayer(payerOf(w, m.Payer)))
	if m.Tries && refuses(err) {
		return nil
	}
	switch state := w.Judge.StateOf(c); {
	case err == nil:
		w.note(record.Fact{Kind: record.Paid, Index: c.Index, Text: receipt.EndToEndID})
	case target.IsFinished(err) && (state == api.Active || state == api.Pending):
		return unpayable(c, state, err)
	}
	return err
}

// unpayable: the control says that a charge has ended that has not.
func unpayable(c *record.Attempt, state api.State, err error) error {
	var refusal *target.ControlError
	o := &record.Obstacle{Kind: record.Fault, Expected: fmt.Sprintf("a %s that is %s to be payable", c.Op.Noun, state), Reason: err.Error(), Exchange: -1}
	if errors.As(err, &refusal) {
		o.Exchange = refusal.Exchange
	}
	return o
}

func noCode(c *record.Attempt) error {
	return record.Cannot("no charge was accepted: " + c.Summary())
}

// refuses: a control found a thing finished, or the request invalid.
func refuses(err error) bool { return target.IsFinished(err) || target.IsRefused(err) }

func payerOf(w *World, who language.Payer) party {
	switch who {
	case language.AnotherPayer:
		return another
	case language.ACompany:
		return company
	}
	return w.data.payer
}

func asPayer(p party) target.Payer {
	return target.Payer{Name: p.name, Document: p.document, ISPB: "60701190"}
}

// payAtOnce: "somebody pays it 4 times at once", of which one payment may go through.
func payAtOnce(ctx context.Context, w *World, c *record.Attempt, times int) error {
	code, ok := c.PayCode()
	if !ok {
		return noCode(c)
	}
	id := w.actors[c.Account].id
	var mu sync.Mutex // of the record
	errs, receipts := make([]error, times), make([]string, times)
	var paying sync.WaitGroup
	for i := range errs {
		paying.Go(func() {
			controls := w.Target.Controls(w.Rule, func(e exchange.Exchange) int {
				mu.Lock()
				defer mu.Unlock()
				return w.keep(e, record.Entry{})
			})
			receipt, err := controls.Pay(ctx, id, code, "", asPayer(payerOf(w, language.APayer)))
			if !refuses(err) {
				errs[i], receipts[i] = err, receipt.EndToEndID
			}
		})
	}
	paying.Wait()
	for i, endToEndID := range receipts {
		if errs[i] == nil && endToEndID != "" {
			w.note(record.Fact{Kind: record.Paid, Index: c.Index, Text: endToEndID})
		}
	}
	return cmp.Or(errs...)
}

// hasBeenPaid: "the account has been paid R$ 10.00 for a cob".
func hasBeenPaid(ctx context.Context, w *World, m language.HasBeenPaid) error {
	if err := sendOf(ctx, w.the(), m.Operation.Noun, m.Amount); err != nil {
		return err
	}
	return pay(ctx, w, payOnce)
}

// payOnce: "a payer pays the charge".
var payOnce = language.Pay{Payer: language.APayer, Times: 1}

func endCharge(ctx context.Context, w *World, m language.EndCharge) error {
	c, err := w.Judge.Nth(m.Charge, api.Charge)
	if err != nil {
		return err
	}
	by := "receiver"
	if m.ByPSP {
		by = "psp"
	}
	return tried(m.Tries, w.controls().EndCharge(ctx, w.actors[c.Account].id, c.Parameter("txid"), by))
}

func endRefund(ctx context.Context, w *World, m language.EndRefund) error {
	refund, err := w.Judge.Nth(m.Refund, api.Refund)
	if err != nil {
		return err
	}
	id, r := judge.RefundID(refund)
	if err := failing(r); err != nil {
		return err
	}
	result := target.RefundResult{Status: string(api.Refunded)}
	if m.Fails {
		result = target.RefundResult{Status: string(api.NotRefunded), Motivo: "rejected by the test"}
	}
	return tried(m.Tries, w.controls().EndRefund(ctx, w.actors[refund.Account].id, id, result))
}

// returnPayment: the payee returns money of the last payment sent, whose event has reported its
// end-to-end id. That of a later event is the return's own.
func returnPayment(ctx context.Context, w *World, m language.Return) error {
	p := w.Judge.LastOf(api.Payment)
	if p == nil {
		return errNothingMade
	}
	id := p.EndToEndID
	if id == "" {
		var r judge.Result
		if id, r = judge.OfEvent(w.Judge, "endToEndId"); failing(r) != nil {
			return failing(r)
		}
	}
	w.note(record.Fact{Kind: record.Returned, Index: p.Index, Text: id})
	return w.controls().Return(ctx, w.actors[p.Account].id, id, m.Amount.Decimal())
}

// --- MED cases ---

func openCase(ctx context.Context, w *World, m language.OpenCase) error {
	for range max(1, m.Times) {
		id, err := contested(w, m)
		if err != nil {
			return err
		}
		opened, err := w.controls().OpenMED(ctx, w.the().id, id)
		w.note(record.Fact{Kind: record.Opening, Text: fmt.Sprint(opened), Of: id})
		if err != nil {
			return err
		}
	}
	return nil
}

// contested is the end-to-end id of the payment that a case is opened against.
func contested(w *World, m language.OpenCase) (string, error) {
	switch {
	case m.Unknown:
		return freshEndToEndID(w), nil
	case m.Payment == language.Last:
		return endToEndID(w), nil
	}
	id, r := judge.OfMade(w.Judge.View, api.Charge, m.Payment, "endToEndId")
	return id, failing(r)
}

// caseMoves are the moves of a case to a state, or to the result of its analysis.
var caseMoves = map[api.State]target.MEDMove{
	api.Open:                {Status: string(api.Open)},
	api.Received:            {Status: string(api.Received)},
	api.Cancelled:           {Status: string(api.Cancelled)},
	api.State(api.Approved): analyzed(api.Approved, "Approved by a test"),
	api.State(api.Rejected): analyzed(api.Rejected, "Rejected by a test"),
}

func analyzed(as api.Analysis, details string) target.MEDMove {
	return target.MEDMove{Status: string(api.Analyzed), AnalysisResult: string(as), AnalysisDetails: details}
}

func moveCase(ctx context.Context, w *World, m language.MoveCase) error {
	err := w.controls().MoveMED(ctx, w.the().id, w.Judge.Case(m.Case).Number(), caseMoves[m.To])
	if err == nil {
		w.note(record.Fact{Kind: record.CaseMoved, Text: w.Judge.Case(m.Case).ID, Of: caseMoves[m.To].Status})
	}
	if m.Tries && refuses(err) {
		return nil
	}
	return err
}

// --- states ---

// inState makes a thing and brings it into a state: "a cob that is ATIVA".
func inState(ctx context.Context, w *World, m language.InState) error {
	var err error
	switch m.Noun {
	case "MED case":
		return caseInState(ctx, w, m.State)
	case "refund":
		if err = hasBeenPaid(ctx, w, language.HasBeenPaid{Amount: m.Amount, Operation: api.MustNamed("cob")}); err == nil {
			err = holdRefunds(ctx, w, language.HoldRefunds{})
		}
	case "transfer":
		if err = holdSettlement(ctx, w, language.HoldSettlement{}); err == nil {
			err = putKey(ctx, w, language.PutKey{Kind: language.EmailKey})
		}
	case "cash-out", "QR cash-out":
		err = holdSettlement(ctx, w, language.HoldSettlement{})
	}
	if err != nil {
		return err
	}
	r, err := w.the().valid(m.Noun).ofAmount(ctx, m.Amount)
	if err == nil && m.Noun == "split cash-in" { // when others are paid is left open
		r.body, err = r.body.with("splits[0].immediate", literal("true"))
	}
	if err == nil {
		err = r.sendSpoken(ctx, true)
	}
	if err != nil {
		return err
	}
	return drive(ctx, w, m.State)
}

// drive brings what was made last into a state by a legal event.
func drive(ctx context.Context, w *World, state api.State) error {
	made := w.Judge.It()
	isCharge := made.Is(api.Charge)
	switch {
	case isCharge && (state == api.Confirmed || state == api.Concluded || state == api.Paid):
		return pay(ctx, w, payOnce)
	case state == api.Completed && !w.Staged:
		return w.actors[made.Account].untilMoved(ctx, func() error { return settle(ctx, w, language.Settle{}) })
	case state == api.Confirmed, state == api.Completed:
		return settle(ctx, w, language.Settle{})
	case state == api.Failed:
		return settle(ctx, w, language.Settle{ErrorCode: api.OrderRejected})
	case state == api.RemovedByReceiver, state == api.RemovedByPSP:
		return endCharge(ctx, w, language.EndCharge{ByPSP: state == api.RemovedByPSP})
	case state == api.Refunded, state == api.NotRefunded:
		return endRefund(ctx, w, language.EndRefund{Fails: state == api.NotRefunded})
	}
	return nil
}

func caseInState(ctx context.Context, w *World, state api.State) error {
	if err := openCase(ctx, w, language.OpenCase{}); err != nil || state == api.Open {
		return err
	}
	if state != api.Cancelled {
		if err := moveCase(ctx, w, language.MoveCase{To: api.Received}); err != nil || state == api.Received {
			return err
		}
	}
	return moveCase(ctx, w, language.MoveCase{To: state})
}
