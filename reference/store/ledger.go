package store

import (
	"context"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// entryKind says what moved the money.
type entryKind string

const (
	fundsSet entryKind = "funds"    // by a test control
	held     entryKind = "held"     // a payment was accepted: available → blocked
	settled  entryKind = "settled"  // it was confirmed: blocked → gone
	returned entryKind = "returned" // it was rejected: blocked → available
)

// move books one movement of an account: the entry and, with it, the balances. It says
// false, and does nothing, when a balance would become negative.
func (t *tx) move(accountID, paymentID int64, kind entryKind, available, blocked pix.Centavos, at time.Time) (bool, error) {
	changed, err := t.exec(`UPDATE accounts SET available = available + $1, blocked = blocked + $2
		WHERE id = $3 AND available + $1 >= 0 AND blocked + $2 >= 0`, available, blocked, accountID)
	if err != nil || changed == 0 {
		return false, err
	}
	return true, t.run(`INSERT INTO entries (id, account_id, payment_id, kind, delta_available, delta_blocked, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, t.ids.nextRow(), accountID, paymentID, kind, available, blocked, at.UnixMicro())
}

// SetBalance sets what is available; what is blocked stays. The two together stay
// within pix.MaxAmount, so that no sum of balances overflows.
func (s *Store) SetBalance(ctx context.Context, accountID int64, available pix.Centavos) (Account, error) {
	var account Account
	err := s.write(ctx, func(t *tx) (err error) {
		account, err = t.account(accountID)
		if err != nil {
			return err
		}
		if most := pix.MaxAmount - account.Blocked; available < 0 || available > most {
			return pix.Refuse(pix.CodeValidation, fmt.Sprintf("available must be from 0.00 to %s, got %s", most, available))
		}
		_, err = t.move(accountID, 0, fundsSet, available-account.Available, 0, account.Now())
		account.Available = available
		return err
	})
	return account, err
}

// CheckLedger compares an account's balances with its entries, and what is blocked with
// the payments that are pending. The error says what differs.
func (s *Store) CheckLedger(ctx context.Context, accountID int64) error {
	const sums = `SELECT available, blocked,
		(SELECT CAST(COALESCE(SUM(delta_available), 0) AS BIGINT) FROM entries WHERE account_id = $1),
		(SELECT CAST(COALESCE(SUM(delta_blocked), 0) AS BIGINT) FROM entries WHERE account_id = $1),
		(SELECT CAST(COALESCE(SUM(amount + fee), 0) AS BIGINT) FROM payments WHERE account_id = $1 AND status = $2)
		FROM accounts WHERE id = $1`
	return s.read(ctx, func(c conn) error {
		var available, blocked, bookedAvailable, bookedBlocked, pending pix.Centavos
		err := c.row(sums, accountID, pix.Pending).Scan(&available, &blocked, &bookedAvailable, &bookedBlocked, &pending)
		switch {
		case err != nil:
			return orNotFound(err)
		case available != bookedAvailable:
			return fmt.Errorf("account %d: available is %s, its entries sum up to %s", accountID, available, bookedAvailable)
		case blocked != bookedBlocked:
			return fmt.Errorf("account %d: blocked is %s, its entries sum up to %s", accountID, blocked, bookedBlocked)
		case blocked != pending:
			return fmt.Errorf("account %d: blocked is %s, its pending payments sum up to %s", accountID, blocked, pending)
		}
		return nil
	})
}
