package store

import (
	"context"
	"errors"

	"github.com/pixcert/pixcert/reference/pix"
)

// ErrNotSettled is the answer to a return of a payment that was never confirmed.
var ErrNotSettled = errors.New("the payment is not settled")

// Return has the payee of a payment that left the account give money back: a confirmed
// payment of the kind refund-out, its money and its event, in one transaction. The sum
// of all returns is bounded, see pix.NewReturn.
func (s *Store) Return(ctx context.Context, accountID int64, endToEndID string, amount pix.Centavos) (pix.Payment, error) {
	var p pix.Payment
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		original, err := t.paymentByEndToEndID(accountID, endToEndID, pix.Withdraw)
		switch {
		case err != nil:
			return err
		case original.Status != pix.Confirmed:
			return ErrNotSettled
		}
		p, err = t.giveBack(account, original, amount)
		return err
	})
	return p, err
}

// giveBack returns money of a confirmed payment to its account.
func (t *tx) giveBack(account pix.Account, original pix.Payment, amount pix.Centavos) (p pix.Payment, err error) {
	returned, err := t.returned(original.ID)
	if err != nil {
		return p, err
	}
	if p, err = pix.NewReturn(original, amount, returned, account.Now()); err != nil {
		return p, err
	}
	if err := account.CheckCapacity(p.Amount); err != nil {
		return p, err
	}
	p.ID = t.ids.nextRow()
	if err := t.insertPayment(p, ""); err != nil {
		return p, err
	}
	return p, t.receive(p, 0, 0)
}

// paymentByEndToEndID finds a payment of an account that is of one type.
func (c conn) paymentByEndToEndID(accountID int64, endToEndID string, operation pix.Operation) (pix.Payment, error) {
	p, err := scanPayment(c.row(`SELECT `+paymentColumns+` FROM payments p WHERE p.end_to_end_id = $1 AND p.account_id = $2`,
		endToEndID, accountID))
	if err == nil && p.Kind.Operation() != operation {
		err = ErrNotFound
	}
	return p, orNotFound(err)
}

// returned sums up what of a payment is returned, or about to be.
func (c conn) returned(paymentID int64) (pix.Centavos, error) {
	var sum pix.Centavos
	err := c.row(`SELECT `+sumReturned(`$1`), paymentID).Scan(&sum)
	return sum, err
}

// sumReturned is the sum in SQL, for the payment with an id; what failed does not count.
func sumReturned(id string) string {
	return `(SELECT CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) FROM payments r
		WHERE r.parent_id = ` + id + ` AND r.parent_id <> 0 AND r.status <> ` + quoted(pix.Error) + `)`
}
