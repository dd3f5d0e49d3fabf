package world

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
)

// act carries out a step. A step that only states an expectation does nothing.
func act(ctx context.Context, w *World, m language.Meaning) error {
	controls, a, id := w.controls(), w.the(), int64(0)
	if a != nil {
		id = a.id
	}
	switch m := m.(type) {
	case language.Open:
		return open(ctx, w, m)
	case language.SetAvailable:
		return a.setBalance(ctx, m.Available)
	case language.SetFee:
		if m.CashIn {
			return controls.SetFees(ctx, id, target.Fees{CashIn: m.Fee.Decimal()})
		}
		return controls.SetFees(ctx, id, target.Fees{CashOut: m.Fee.Decimal()})
	case language.SetLimit:
		return setLimit(ctx, w, m)
	case language.LimitRequests:
		limit := &m.PerMinute
		return controls.SetLimits(ctx, id, target.Limits{RequestsPerMinute: &limit})
	case language.LiftLimits:
		if !w.Usable[target.LimitsControl] { // the profile says that the account has no limits
			return nil
		}
		return controls.SetLimits(ctx, id, target.NoLimits())
	case language.OwnLimit:
		return ownLimit(ctx, w, m)
	case language.HoldToken:
		return holdToken(ctx, w, m)
	case language.Receive:
		return receive(ctx, w, m)
	case language.ReceiverAnswers:
		return receiverAnswers(w, m)
	case language.RemoveAccount:
		return controls.RemoveAccount(ctx, id)
	case language.ListsSent:
		return listsSent(ctx, w, m)
	case language.OffersStandardBalance:
		return offersStandardBalance(ctx, a)
	case language.InState:
		return inState(ctx, w, m)

	case language.AddCertificate:
		return addCertificate(ctx, w, m)
	case language.RevokeCertificate:
		return revokeCertificate(ctx, w, m.Certificate)
	case language.MakeCertificate:
		return makeCertificate(w, m.Kind)
	case language.Present:
		return presentCertificate(ctx, w, m)
	case language.PresentAs:
		return presentAs(ctx, w, m)
	case language.PresentInHeader:
		return presentInHeader(ctx, w, m)

	case language.SetTime:
		tomorrow := time.Now().In(w.Zone).AddDate(0, 0, 1)
		return a.setTime(ctx, time.Date(tomorrow.Year(), tomorrow.Month(), tomorrow.Day(), m.Hour, m.Minute, m.Second, 0, w.Zone))
	case language.SetDate:
		return a.setTime(ctx, time.Date(leapYearAfter(time.Now().Year()), m.Month, m.Day, 12, 0, 0, 0, w.Zone))
	case language.PassTime:
		return a.passTime(ctx, m.By)
	case language.HoldSettlement:
		return holdSettlement(ctx, w)
	case language.Settle:
		return settle(ctx, w, m)
	case language.PutKey:
		return putKey(ctx, w, m)
	case language.Fault:
		return controls.SetFaults(ctx, id, target.Faults{Auth: m.Upstream, PixProvider: m.Provider, MinimumExpiration: m.LeastExpiration})

	case language.Pay:
		return pay(ctx, w, m)
	case language.HasBeenPaid:
		return hasBeenPaid(ctx, w, m)
	case language.EndCharge:
		return endCharge(ctx, w, m)
	case language.HoldRefunds:
		return controls.SetRefunds(ctx, id, "manual")
	case language.EndRefund:
		return endRefund(ctx, w, m)
	case language.Return:
		return returnPayment(ctx, w, m)
	case language.OpenCase:
		return openCase(ctx, w, m)
	case language.MoveCase:
		return moveCase(ctx, w, m)

	case language.Send:
		return send(ctx, w, m)
	case language.SendMany:
		return sendMany(ctx, w, m)
	case language.Burst:
		return burst(ctx, w, m)
	case language.ReturnTo:
		return returnTo(w, m)
	case language.Walk:
		return walk(ctx, w, m)
	}
	return nil
}
