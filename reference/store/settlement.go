package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Settle gives a pending payment that leaves the account its result, whoever settles
// the account otherwise: its state, its money and the webhooks that tell of it, in one
// transaction. A result that makes no sense is a *pix.Refusal; a payment that has one
// already gives ErrFinished and does not change.
func (s *Store) Settle(ctx context.Context, accountID int64, transactionID string, r pix.Result) (pix.Payment, error) {
	return s.settle(ctx, accountID, r, func(t *tx) (pix.Payment, error) { return t.payment(accountID, transactionID) })
}

func (s *Store) settle(ctx context.Context, accountID int64, r pix.Result, find func(*tx) (pix.Payment, error)) (pix.Payment, error) {
	if err := r.Check(); err != nil {
		return pix.Payment{}, err
	}
	var payment pix.Payment
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		payment, err = find(t)
		if err == nil && payment.Kind.Operation() != pix.Withdraw {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		expired, err := t.expired(payment, account.Now())
		if err == nil && expired {
			err = ErrFinished // the job that says so is due
		}
		if err != nil {
			return err
		}
		payment, err = t.pay(account, payment, r)
		return err
	})
	return payment, err
}

// settle lets the bank decide about the payment of a job.
func (t *tx) settle(j job) error {
	account, err := t.account(j.AccountID)
	if err != nil {
		return err
	}
	p, holder := j.settlement.payment, j.settlement.holder
	if p.ID != j.PaymentID {
		return ErrNotFound
	}
	if j.ChargeID != 0 {
		if holder, err = t.holderOfCharge(p); err != nil {
			return err
		}
	}
	at := account.Now()
	expired, err := t.expired(p, at)
	switch {
	case err != nil:
		return err
	case expired:
		return t.expireTransfer(j)
	}
	result := pix.Settle(p, holder)
	if holder != nil && result.Status == pix.Confirmed {
		p.Counterpart = pix.Counterpart{Name: holder.Name, Document: holder.Document, ISPB: holder.ISPB}
	}
	if holder != nil && holder.ISPB == pix.Home.ISPB {
		_, err = t.pay(account, p, result)
	} else {
		_, err = t.finish(p, result, at)
	}
	return err
}

// settlement is what the bank decides by: the payment and, where the directory knows its
// key, the holder of that.
type settlement struct {
	payment pix.Payment
	holder  *pix.DirectoryEntry
}

// readAhead reads what the settlements among the due tasks are about, in one statement:
// one for each would cost as much as all else that settling takes.
func (t *tx) readAhead(due []job, now time.Time) error {
	settlements := make(map[int64]*settlement, len(due))
	for i := range due {
		if j := &due[i]; j.Kind == settleJob {
			j.settlement = new(settlement)
			settlements[j.ID] = j.settlement
		}
	}
	if len(settlements) == 0 {
		return nil
	}
	return t.each(func(row scanner) error {
		var jobID int64
		var name, document, ispb, status sql.NullString
		p, err := scanPayment(row, &jobID, &name, &document, &ispb, &status)
		if err != nil {
			return err
		}
		s := settlements[jobID]
		s.payment = p
		if name.Valid {
			s.holder = &pix.DirectoryEntry{Name: name.String, Document: document.String, ISPB: ispb.String, Status: pix.AccountStatus(status.String)}
		}
		return nil
	}, `SELECT `+paymentColumns+`, due.id, d.name, d.document, d.ispb, d.status
		FROM (SELECT id, kind, payment_id`+dueTasks+`) AS due
		JOIN payments p ON p.id = due.payment_id LEFT JOIN directory d ON d.pix_key = p.directory_key
		WHERE due.kind = 'settle'`, now.UnixMicro())
}

// finish moves a payment of a kind that leaves the account into its final state, ends
// the hold on its money and tells of it.
func (t *tx) finish(p pix.Payment, r pix.Result, at time.Time) (pix.Payment, error) {
	p, err := t.conclude(p, r, at)
	if err != nil {
		return p, err
	}
	if err := t.release(p); err != nil {
		return p, err
	}
	return p, t.emitPayment(p)
}

// conclude moves a payment of any kind into its final state, with nothing left to do
// about it. Its money and its event are the caller's. It gives ErrFinished where the
// payment has ended since it was read.
func (t *tx) conclude(p pix.Payment, r pix.Result, at time.Time) (pix.Payment, error) {
	if !p.Status.CanBecome(r.Status) {
		return p, ErrFinished
	}
	t.wake = true
	p = p.Finish(r, at)
	concluded, err := t.exec(`UPDATE payments SET status = $1, error_code = $2, error_message = $3, amount = $4, fee = $5,
		counterpart_name = $6, counterpart_document = $7, counterpart_ispb = $8, processed_at = $9 WHERE id = $10 AND status = $11`,
		p.Status, p.Error, p.ErrorMessage, p.Amount, p.Fee,
		p.Counterpart.Name, p.Counterpart.Document, p.Counterpart.ISPB, at.UnixMicro(), p.ID, pix.Pending)
	if err == nil && concluded == 0 {
		err = ErrFinished
	}
	if err == nil {
		t.count(p.AccountID, p.CreatedAt, class{p.Kind.Operation(), pix.Pending}, -1)
		t.count(p.AccountID, p.CreatedAt, class{p.Kind.Operation(), p.Status}, 1)
	}
	if err == nil && !p.Kind.Limited() { // a cash-out keeps its end-to-end id, and its place in the index
		err = t.run(`UPDATE payments SET end_to_end_id = $1 WHERE id = $2`, p.EndToEndID, p.ID)
	}
	if err != nil {
		return p, err
	}
	t.unqueue(p.ID)
	return p, nil
}

// release ends the hold on a finished payment's money: gone when it was confirmed, back
// to available, and to the day's limit, when it was rejected.
func (t *tx) release(p pix.Payment) error {
	kind, back := settled, pix.Centavos(0)
	if p.Status == pix.Error {
		kind, back = returned, p.Final()
		if p.Kind.Limited() {
			if _, err := t.spend(p, -p.Amount); err != nil {
				return err
			}
		}
	}
	done, err := t.move(p.AccountID, p.ID, kind, back, -p.Final(), p.ProcessedAt)
	if err == nil && !done {
		err = errors.New("the blocked balance is below what the payment holds")
	}
	return err
}

// receive books a confirmed payment of a kind that comes in, and tells of it. Of its
// final amount split leaves for others, of which later stays blocked until it does.
func (t *tx) receive(p pix.Payment, split, later pix.Centavos) error {
	done, err := t.move(p.AccountID, p.ID, received, p.Final()-split, later, p.ProcessedAt)
	if err == nil && !done {
		err = errors.New("the payment takes more from the account than it brings")
	}
	if err != nil {
		return err
	}
	return t.emitPayment(p)
}
