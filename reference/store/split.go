package store

import (
	"context"
	"errors"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Part is what a split takes of a charge.
type Part struct {
	Key    string
	Amount pix.Centavos
	Status pix.SplitStatus
}

// Splits lists the parts of a cash-in in the order of the request, and what is left to
// the account, before the fee.
func (s *Store) Splits(ctx context.Context, accountID int64, transactionID string) (parts []Part, left pix.Centavos, err error) {
	err = s.read(ctx, func(c conn) error {
		if _, err := c.account(accountID); err != nil {
			return err
		}
		charge, err := scanCharge(c.row(`SELECT `+chargeColumns+` FROM charges WHERE kind = 'cash-in' AND payment_id = (
			SELECT id FROM payments WHERE transaction_id = $1 AND account_id = $2)`, transactionID, accountID))
		if err != nil {
			return err
		}
		parts, left = nil, charge.Amount
		return c.each(func(row scanner) error {
			var p Part
			err := row.Scan(&p.Key, &p.Amount, &p.Status)
			parts, left = append(parts, p), left-p.Amount
			return err
		}, `SELECT pix_key, amount, status FROM splits WHERE charge_id = $1 ORDER BY position`, charge.ID)
	})
	return parts, left, err
}

// insertSplits keeps the splits of a charge with what each of them will take.
func (t *tx) insertSplits(c pix.Charge, splits []pix.Split) error {
	for i, s := range splits {
		err := t.run(`INSERT INTO splits (charge_id, position, pix_key, name, document, amount, immediate, status)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			c.ID, i, s.Key, s.Name, s.Document, s.Share(c.Amount), flag(s.Immediate), pix.SplitPending)
		if err != nil {
			return err
		}
	}
	return nil
}

// splitCharge executes the immediate splits of a charge that is being paid and queues the
// others. It gives what all of them take, and the part of it that waits.
func (t *tx) splitCharge(account pix.Account, c pix.Charge, at time.Time) (split, later pix.Centavos, err error) {
	var waiting int
	err = t.row(`SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT),
			CAST(COALESCE(SUM(CASE WHEN immediate = 0 THEN amount ELSE 0 END), 0) AS BIGINT),
			CAST(COALESCE(SUM(1 - immediate), 0) AS BIGINT)
		FROM splits WHERE charge_id = $1`, c.ID).Scan(&split, &later, &waiting)
	if err != nil {
		return 0, 0, err
	}
	if waiting > 0 {
		err = t.queue(job{Kind: splitJob, AccountID: account.ID, ChargeID: c.ID, Due: account.RealTime(pix.NextSplitRun(at))})
		if err != nil {
			return 0, 0, err
		}
	}
	return split, later, t.run(`UPDATE splits SET status = $1 WHERE charge_id = $2 AND immediate = 1`, pix.SplitPaid, c.ID)
}

// split is the job that executes what waits of a paid charge's splits.
func (t *tx) split(j job) error {
	account, err := t.account(j.AccountID)
	if err != nil {
		return err
	}
	var paymentID int64
	var waiting pix.Centavos
	err = t.row(`SELECT payment_id, (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM splits WHERE charge_id = $1 AND status = $2)
		FROM charges WHERE id = $1`, j.ChargeID, pix.SplitPending).Scan(&paymentID, &waiting)
	if err != nil {
		return err
	}
	if err := t.run(`UPDATE splits SET status = $1 WHERE charge_id = $2`, pix.SplitPaid, j.ChargeID); err != nil {
		return err
	}
	done, err := t.move(j.AccountID, paymentID, divided, 0, -waiting, account.Now())
	if err == nil && !done {
		err = errors.New("the blocked balance is below what the splits hold")
	}
	if err != nil {
		return err
	}
	return t.run(`DELETE FROM jobs WHERE id = $1`, j.ID)
}
