package store

import (
	"database/sql"
	"errors"

	"github.com/pixcert/pixcert/reference/pix"
)

// chargeOfAnother finds the charge of another account that has a code; 0 if there is none.
func (t *tx) chargeOfAnother(accountID int64, code string) (id int64, err error) {
	if code == "" {
		return 0, nil
	}
	err = t.row(`SELECT id FROM charges WHERE pix_code = $1 AND account_id <> $2`, code, accountID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// chargePaid finds the charge of another account that a pending payment is for, as its settlement names it.
func (t *tx) chargePaid(p pix.Payment) (charge pix.Charge, to pix.Account, found bool, err error) {
	if p.Kind != pix.KindQRCodeCashOut {
		return charge, to, false, nil
	}
	charge, err = scanCharge(t.row(`SELECT `+chargeColumns+` FROM charges WHERE id =
		(SELECT charge_id FROM jobs WHERE payment_id = $1 AND payment_id <> 0 AND kind <> 'deliver')`, p.ID))
	if err == nil {
		to, err = t.account(charge.AccountID)
	}
	if errors.Is(err, ErrNotFound) {
		return charge, to, false, nil
	}
	return charge, to, err == nil, err
}

// holderOfCharge is who receives a payment for a charge of another account; nil if that is gone.
func (t *tx) holderOfCharge(p pix.Payment) (*pix.DirectoryEntry, error) {
	_, to, found, err := t.chargePaid(p)
	if err != nil || !found {
		return nil, err
	}
	return &pix.DirectoryEntry{Name: to.Name, Document: to.Document, ISPB: to.ISPB, Status: pix.AccountActive}, nil
}

// pay is finish for a payment that may be for a charge of another account of the gateway, or to its key. That account
// receives it then. If the charge can no longer be paid, or the account cannot hold the money, the payment is rejected.
func (t *tx) pay(from pix.Account, p pix.Payment, r pix.Result) (pix.Payment, error) {
	charge, to, found, err := t.chargePaid(p)
	if err != nil {
		return p, err
	}
	if !found {
		return t.payKey(from, p, r)
	}
	if r.Status == pix.Confirmed {
		_, err := t.payCharge(to, charge, offer{p.Amount, from.AsCounterpart(), p.EndToEndID})
		switch {
		case isRefusal(err):
			r = pix.Rejected(pix.OrderRejected)
		case err != nil:
			return p, err
		}
	}
	return t.finish(p, r, from.Now())
}

// payKey is pay for a payment that is for no charge.
func (t *tx) payKey(from pix.Account, p pix.Payment, r pix.Result) (pix.Payment, error) {
	to, found, err := t.payee(p)
	if err != nil {
		return p, err
	}
	receives := found && r.Status == pix.Confirmed
	if receives && to.CheckCapacity(p.Amount) != nil {
		receives, r = false, pix.Rejected(pix.OrderRejected)
	}
	if p, err = t.finish(p, r, from.Now()); err != nil || !receives {
		return p, err
	}
	receipt := pix.NewReceipt(to, from, p, to.Now())
	receipt.ID = t.ids.nextRow()
	if err := t.insertPayment(receipt, receipt.Key); err != nil {
		return p, err
	}
	return p, t.receive(receipt, 0, 0)
}

// payee finds the other account to whose key a payment goes. Only keys that the directory assigns to this
// institution are looked up among the accounts.
func (t *tx) payee(p pix.Payment) (to pix.Account, found bool, err error) {
	var key string
	err = t.row(`SELECT d.pix_key FROM payments p JOIN directory d ON d.pix_key = p.directory_key WHERE p.id = $1 AND d.ispb = $2`,
		p.ID, pix.Home.ISPB).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return to, false, nil
	}
	if err != nil {
		return to, false, err
	}
	to, err = scanAccount(t.row(`SELECT `+accountColumns+` FROM accounts WHERE pix_key = $1 AND removed = 0 AND id <> $2 ORDER BY id LIMIT 1`,
		key, p.AccountID))
	if errors.Is(err, ErrNotFound) {
		return to, false, nil
	}
	return to, err == nil, err
}

// giveBackRefund has the payer's account receive a refund of what another account of the gateway paid. What was
// returned in another way already does not come back twice.
func (t *tx) giveBackRefund(refund pix.Payment) error {
	if refund.Counterpart.ISPB != pix.Home.ISPB {
		return nil
	}
	received, err := t.paymentByID(refund.ParentID)
	if err != nil {
		return err
	}
	sent, err := scanPayment(t.row(`SELECT `+paymentColumns+` FROM payments p JOIN accounts a ON a.id = p.account_id
		WHERE p.end_to_end_id = $1 AND p.account_id <> $2 AND p.status = `+quoted(pix.Confirmed)+` AND a.removed = 0 AND p.kind IN (`+quoted(pix.Withdraw.Kinds()...)+`)`,
		received.EndToEndID, received.AccountID))
	if errors.Is(orNotFound(err), ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	payer, err := t.account(sent.AccountID)
	if err != nil {
		return err
	}
	_, err = t.giveBack(payer, sent, refund.Amount)
	if _, refused := errors.AsType[*pix.Refusal](err); refused {
		return nil
	}
	return err
}
