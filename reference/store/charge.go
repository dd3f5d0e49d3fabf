package store

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// CashIn takes an order: the charge with its splits, and the payment that is pending
// until somebody pays, in one transaction. An order that breaks a rule is a
// *pix.Refusal and leaves nothing behind; the sequence in which the rules are judged is
// told at pix.CashInOrder.
func (s *Store) CashIn(ctx context.Context, accountID int64, order pix.CashInOrder) (pix.CashIn, error) {
	if err := order.Check(); err != nil {
		return pix.CashIn{}, err
	}
	var made pix.CashIn
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		if err := order.CheckLife(time.Duration(account.Faults.MinimumExpiration) * time.Second); err != nil {
			return err
		}
		made = pix.NewCashIn(account, order, account.Now())
		made.Payment.ID, made.Charge.ID = t.ids.nextRow(), t.ids.nextRow()
		made.Charge.PaymentID = made.Payment.ID
		if err := t.insertPayment(made.Payment, made.Payment.Key); err != nil {
			return err
		}
		if err := account.Faults.CheckPixProvider(); err != nil {
			return err
		}
		if _, err := t.insertCharge(made.Charge, struct {
			CorrelationID string
			Order         pix.CashInOrder
		}{made.CorrelationID, order}); err != nil {
			return err
		}
		return t.insertSplits(made.Charge, order.Splits)
	})
	return made, err
}

// Cob takes an order for an immediate charge, in one transaction with the job that ends
// it at its expiry. An order that breaks a rule is a *pix.Refusal; a txid that the
// account has used before is a conflict, whatever became of that charge.
func (s *Store) Cob(ctx context.Context, accountID int64, order pix.CobOrder) (pix.Charge, error) {
	if err := order.Check(); err != nil {
		return pix.Charge{}, err
	}
	var charge pix.Charge
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		charge = pix.NewCob(account, order, account.Now())
		charge.ID = t.ids.nextRow()
		inserted, err := t.insertCharge(charge, order)
		if err != nil {
			return err
		}
		if !inserted {
			return pix.Refuse(pix.CodeValidation, "txid is already used for the account").WithNature(pix.Conflict)
		}
		return t.queue(job{Kind: expireJob, AccountID: accountID, ChargeID: charge.ID, Due: account.RealTime(charge.ExpiresAt)})
	})
	return charge, err
}

// insertCharge leaves it to the index on the txid to find a repeat, so that of many
// requests at once one alone gets in. What was ordered is kept as JSON.
func (t *tx) insertCharge(c pix.Charge, ordered any) (inserted bool, err error) {
	body, err := json.Marshal(ordered)
	if err != nil {
		return false, err
	}
	n, err := t.exec(`INSERT INTO charges (id, account_id, kind, payment_id, txid, pix_code, pix_key, amount, changeable,
			status, expires_at, created_at, body)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (account_id, txid) WHERE kind = 'cob' DO NOTHING`,
		c.ID, c.AccountID, c.Kind, c.PaymentID, c.TxID, c.Code, c.Key, c.Amount, flag(c.Changeable),
		c.Status, c.ExpiresAt.UnixMicro(), c.CreatedAt.UnixMicro(), string(body))
	return n == 1, err
}

const chargeColumns = `id, account_id, kind, payment_id, txid, pix_code, pix_key, amount, changeable, status, expires_at, created_at`

func scanCharge(row scanner) (pix.Charge, error) {
	var c pix.Charge
	var changeable int
	var expires, created int64
	err := row.Scan(&c.ID, &c.AccountID, &c.Kind, &c.PaymentID, &c.TxID, &c.Code, &c.Key, &c.Amount, &changeable,
		&c.Status, &expires, &created)
	c.Changeable = changeable != 0
	c.ExpiresAt, c.CreatedAt = time.UnixMicro(expires).UTC(), time.UnixMicro(created).UTC()
	return c, orNotFound(err)
}

// ChargeByTxID looks a cob of an account up.
func (s *Store) ChargeByTxID(ctx context.Context, accountID int64, txid string) (pix.Charge, error) {
	var charge pix.Charge
	err := s.read(ctx, func(c conn) error {
		if _, err := c.account(accountID); err != nil {
			return err
		}
		var err error
		charge, err = c.chargeByTxID(accountID, txid)
		return err
	})
	return charge, err
}

func (c conn) chargeByTxID(accountID int64, txid string) (pix.Charge, error) {
	return scanCharge(c.row(`SELECT `+chargeColumns+` FROM charges WHERE account_id = $1 AND txid = $2 AND kind = 'cob'`, accountID, txid))
}

// PayCharge has somebody pay the charge of an account that has that code: what it asks
// for, or amount where that is not 0. In one transaction the payment is confirmed and
// told of, the account credited, and the splits that are immediate executed; the others
// wait for the next run. A charge that can no longer be paid gives ErrFinished, an
// amount that it does not take a *pix.Refusal.
func (s *Store) PayCharge(ctx context.Context, accountID int64, code string, amount pix.Centavos, payer pix.Counterpart) (pix.Payment, error) {
	var payment pix.Payment
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		charge, err := scanCharge(t.row(`SELECT `+chargeColumns+` FROM charges WHERE pix_code = $1 AND account_id = $2`, code, accountID))
		if err != nil {
			return err
		}
		payment, err = t.payCharge(account, charge, offer{amount: amount, payer: payer})
		return err
	})
	return payment, err
}

// offer is what somebody pays for a charge.
type offer struct {
	amount     pix.Centavos // 0: what the charge asks for
	payer      pix.Counterpart
	endToEndID string // empty: a new one
}

// payCharge is PayCharge for a charge that was read. What it refuses, it refuses before it changes anything.
func (t *tx) payCharge(account pix.Account, charge pix.Charge, by offer) (pix.Payment, error) {
	var none pix.Payment
	at := account.Now()
	if !charge.Payable(at) {
		return none, ErrFinished
	}
	var err error
	if by.amount, err = charge.AmountOf(by.amount); err != nil {
		return none, err
	}
	if err := account.CheckCapacity(by.amount); err != nil {
		return none, err
	}
	split, later, err := t.splitCharge(account, charge, at)
	if err != nil {
		return none, err
	}
	payment, err := t.confirmReceipt(account, charge, by, split, at)
	if err != nil {
		return none, err
	}
	charge.PaymentID = payment.ID
	if err := t.endCharge(charge, pix.ChargePaid); err != nil {
		return none, err
	}
	return payment, t.receive(payment, split, later)
}

// confirmReceipt makes the confirmed payment of a charge; its money is the caller's.
func (t *tx) confirmReceipt(account pix.Account, charge pix.Charge, by offer, split pix.Centavos, at time.Time) (p pix.Payment, err error) {
	if charge.PaymentID != 0 {
		if p, err = t.paymentByID(charge.PaymentID); err != nil {
			return p, err
		}
	}
	confirmed := pix.Result{Status: pix.Confirmed}
	p = charge.Receive(p, by.amount, account.Fees.CashIn, split, by.payer, at)
	p.EndToEndID = cmp.Or(by.endToEndID, p.EndToEndID)
	if charge.PaymentID != 0 {
		return t.conclude(p, confirmed, at)
	}
	p.ID = t.ids.nextRow()
	p = p.Finish(confirmed, at)
	key, _ := pix.DirectoryKey(p.Key) // checked when the charge was made
	return p, t.insertPayment(p, key)
}

// EndCharge ends an active cob otherwise than by its payment. One that has ended gives
// ErrFinished.
func (s *Store) EndCharge(ctx context.Context, accountID int64, txid string, event pix.ChargeEvent) error {
	return s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		charge, err := t.chargeByTxID(accountID, txid)
		if err != nil {
			return err
		}
		if !charge.Payable(account.Now()) { // it has ended, or expired and the job that says so is due
			return ErrFinished
		}
		return t.endCharge(charge, event)
	})
}

// endCharge moves a charge into a final state, with nothing left to wait for.
func (t *tx) endCharge(c pix.Charge, event pix.ChargeEvent) error {
	next, can := c.Status.After(event)
	if !can {
		return ErrFinished
	}
	t.wake = true
	if err := t.run(`UPDATE charges SET status = $1, payment_id = $2 WHERE id = $3`, next, c.PaymentID, c.ID); err != nil {
		return err
	}
	return t.run(`DELETE FROM jobs WHERE charge_id = $1 AND charge_id <> 0 AND kind = 'expire'`, c.ID)
}

// expireCharge is the job of a cob that nobody paid in time.
func (t *tx) expireCharge(j job) error {
	charge, err := scanCharge(t.row(`SELECT `+chargeColumns+` FROM charges WHERE id = $1`, j.ChargeID))
	if err != nil {
		return err
	}
	return t.endCharge(charge, pix.ChargeExpired)
}
