package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Refund takes an order: the refund in process, the pending payment that moves its
// money from available to blocked, and the job that ends it, in one transaction. A
// repeat of an order gives the refund that was made of it, as it stands. An order that
// breaks a rule is a *pix.Refusal and leaves nothing behind; the sequence in which the
// rules are judged is told at pix.RefundOrder.
func (s *Store) Refund(ctx context.Context, accountID int64, order pix.RefundOrder) (pix.Refund, error) {
	if err := order.Check(); err != nil {
		return pix.Refund{}, err
	}
	var refund pix.Refund
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		refund, err = t.refund(account, order)
		return err
	})
	return refund, err
}

func (t *tx) refund(account pix.Account, order pix.RefundOrder) (pix.Refund, error) {
	original, err := t.receivedPayment(account.ID, order.EndToEndID)
	if err != nil {
		return pix.Refund{}, err
	}
	earlier, err := t.refundWhere(`r.parent_id = $1 AND r.refund_id = $2`, original.ID, order.ID)
	switch {
	case err == nil && earlier.Repeats(order):
		return earlier, nil
	case err == nil:
		return pix.Refund{}, pix.Refuse(pix.CodeValidation, fmt.Sprintf("id %s is the id of another refund of this PIX", order.ID))
	case !errors.Is(err, ErrNotFound):
		return pix.Refund{}, err
	}
	refunded, err := t.returned(original.ID)
	if err != nil {
		return pix.Refund{}, err
	}
	now := account.Now()
	if err := order.CheckAgainst(original, refunded, now); err != nil {
		return pix.Refund{}, err
	}
	refund, payment := pix.NewRefund(original, order, now)
	payment.ID = t.ids.nextRow()
	refund.PaymentID = payment.ID
	if err := t.insertPayment(payment, payment.Key); err != nil {
		return pix.Refund{}, err
	}
	if err := t.insertRefund(refund); err != nil {
		return pix.Refund{}, err
	}
	if err := t.hold(payment); err != nil {
		return pix.Refund{}, err
	}
	return refund, t.queue(job{
		Kind: refundJob, AccountID: account.ID, PaymentID: payment.ID, Parked: account.Refunds == pix.Manual, Due: time.Now(),
	})
}

// receivedPayment looks up what the account received under an end-to-end id.
func (t *tx) receivedPayment(accountID int64, endToEndID string) (pix.Payment, error) {
	p, err := t.paymentByEndToEndID(accountID, endToEndID, pix.Receipt)
	if errors.Is(err, ErrNotFound) || err == nil && p.Status != pix.Confirmed {
		err = pix.Refuse(pix.CodeValidation, "no PIX received with the e2eid "+endToEndID).WithNature(pix.NotFound)
	}
	return p, err
}

// FinishRefund gives a refund in process its result, whoever ends the account's refunds
// otherwise: its state, its money and, when it was carried out, the webhooks that tell
// of it, in one transaction. A result that makes no sense is a *pix.Refusal; a refund
// that has one already gives ErrFinished and does not change.
func (s *Store) FinishRefund(ctx context.Context, accountID int64, rtrID string, result pix.RefundResult) (pix.Refund, error) {
	if err := result.Check(); err != nil {
		return pix.Refund{}, err
	}
	var refund pix.Refund
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		refund, err = t.refundByRtrID(accountID, rtrID)
		if err != nil {
			return err
		}
		refund, err = t.finishRefund(refund, result, account.Now())
		return err
	})
	return refund, err
}

func (t *tx) finishRefund(r pix.Refund, result pix.RefundResult, at time.Time) (pix.Refund, error) {
	if !r.Status.CanBecome(result.Status) {
		return r, ErrFinished
	}
	payment, err := t.paymentByID(r.PaymentID)
	if err != nil {
		return r, err
	}
	if payment, err = t.conclude(payment, result.OfPayment(), at); err != nil {
		return r, err
	}
	if err := t.release(payment); err != nil {
		return r, err
	}
	r = r.Finish(result, at)
	err = t.run(`UPDATE refunds SET status = $1, motivo = $2, settled_at = $3 WHERE payment_id = $4`,
		r.Status, r.Reason, r.SettledAt.UnixMicro(), r.PaymentID)
	if err != nil || r.Status != pix.Returned {
		return r, err
	}
	return r, errors.Join(t.emitPayment(payment), t.giveBackRefund(payment))
}

// settleRefund does the job of a refund: nothing stands in its way.
func (t *tx) settleRefund(j job) error {
	account, err := t.account(j.AccountID)
	if err != nil {
		return err
	}
	refund, err := t.refundWhere(`r.payment_id = $1`, j.PaymentID)
	if err != nil {
		return err
	}
	_, err = t.finishRefund(refund, pix.RefundResult{Status: pix.Returned}, account.Now())
	return err
}

// refundPayload is the event of a confirmed refund, given or received.
func refundPayload(t *tx, refund pix.Payment) (any, error) {
	original, err := t.paymentByID(refund.ParentID)
	return pix.RefundPayload(refund, original), err
}

// RefundByRtrID looks a refund of an account up.
func (s *Store) RefundByRtrID(ctx context.Context, accountID int64, rtrID string) (pix.Refund, error) {
	var refund pix.Refund
	err := s.read(ctx, func(c conn) (err error) {
		refund, err = c.refundByRtrID(accountID, rtrID)
		return err
	})
	return refund, err
}

func (c conn) refundByRtrID(accountID int64, rtrID string) (pix.Refund, error) {
	return c.refundWhere(`p.account_id = $1 AND r.rtr_id = $2`, accountID, rtrID)
}

func (c conn) refundWhere(condition string, args ...any) (pix.Refund, error) {
	var r pix.Refund
	var requested, settled int64
	err := c.row(`SELECT r.payment_id, r.parent_id, r.refund_id, r.rtr_id, p.amount, r.natureza, r.descricao,
			r.status, r.motivo, r.requested_at, r.settled_at
		FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE `+condition, args...).
		Scan(&r.PaymentID, &r.ParentID, &r.ID, &r.RtrID, &r.Amount, &r.Nature, &r.Description,
			&r.Status, &r.Reason, &requested, &settled)
	r.RequestedAt = time.UnixMicro(requested).UTC()
	if settled != 0 {
		r.SettledAt = time.UnixMicro(settled).UTC()
	}
	return r, orNotFound(err)
}

func (t *tx) insertRefund(r pix.Refund) error {
	return t.run(`INSERT INTO refunds (payment_id, parent_id, refund_id, rtr_id, natureza, descricao, status, requested_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		r.PaymentID, r.ParentID, r.ID, r.RtrID, r.Nature, r.Description, r.Status, r.RequestedAt.UnixMicro())
}
