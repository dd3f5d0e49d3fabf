package store

import (
	"context"
	"fmt"
	"strings"
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
	received entryKind = "received" // somebody paid: → available, and to blocked what is split later
	carried  entryKind = "carried"  // the sum of entries that were pruned
	divided  entryKind = "divided"  // that was split: blocked → gone
)

// move books one movement of an account: the entry and, with it, the balances. It says
// false, and does nothing, when a balance would become negative.
func (t *tx) move(accountID, paymentID int64, kind entryKind, available, blocked pix.Centavos, at time.Time) (bool, error) {
	if done, err := t.change(accountID, available, blocked); err != nil || !done {
		return false, err
	}
	t.append(entriesTable, t.ids.nextRow(), accountID, paymentID, kind, available, blocked, at.UnixMicro())
	return true, nil
}

// SetBalance sets what is available; what is blocked stays. The two together stay
// within pix.MaxAmount, so that no sum of balances overflows.
func (s *Store) SetBalance(ctx context.Context, accountID int64, available pix.Centavos) (pix.Account, error) {
	var account pix.Account
	err := s.write(ctx, func(t *tx) (err error) {
		account, err = t.setBalance(accountID, available)
		return err
	})
	return account, err
}

func (t *tx) setBalance(accountID int64, available pix.Centavos) (pix.Account, error) {
	account, err := t.account(accountID)
	if err != nil {
		return pix.Account{}, err
	}
	if most := pix.MaxAmount - account.Blocked; available < 0 || available > most {
		return pix.Account{}, pix.Refuse(pix.CodeValidation, fmt.Sprintf("available must be from 0.00 to %s, got %s", most, available))
	}
	_, err = t.move(accountID, 0, fundsSet, available-account.Available, 0, account.Now())
	account.Available = available
	return account, err
}

// ledgerSums are the balances of an account and what they must be equal to. What is
// blocked is there for pending payments that leave, and for the parts of paid charges
// that are still to be split.
var ledgerSums = `SELECT available, blocked,
		(SELECT CAST(COALESCE(SUM(delta_available), 0) AS BIGINT) FROM entries WHERE account_id = $1),
		(SELECT CAST(COALESCE(SUM(delta_blocked), 0) AS BIGINT) FROM entries WHERE account_id = $1),
		(SELECT CAST(COALESCE(SUM(amount + fee), 0) AS BIGINT) FROM payments
			WHERE account_id = $1 AND status = ` + quoted(pix.Pending) + ` AND kind IN (` + quoted(pix.Kinds(pix.Debit)...) + `)),
		(SELECT CAST(COALESCE(SUM(s.amount), 0) AS BIGINT) FROM splits s JOIN charges c ON c.id = s.charge_id
			WHERE c.account_id = $1 AND c.status = ` + quoted(pix.ChargeConcluded) + ` AND s.status = ` + quoted(pix.SplitPending) + `)
		FROM accounts WHERE id = $1`

// quoted writes a list of SQL strings; the values are the program's own.
func quoted[T ~string](values ...T) string {
	literals := make([]string, len(values))
	for i, v := range values {
		literals[i] = "'" + string(v) + "'"
	}
	return strings.Join(literals, ", ")
}

// CheckLedger compares an account's balances with its entries, and what is blocked with
// what is pending. The error says what differs.
func (s *Store) CheckLedger(ctx context.Context, accountID int64) error {
	return s.read(ctx, func(c conn) error {
		var available, blocked, bookedAvailable, bookedBlocked, leaving, splitting pix.Centavos
		err := c.row(ledgerSums, accountID).Scan(&available, &blocked, &bookedAvailable, &bookedBlocked, &leaving, &splitting)
		switch {
		case err != nil:
			return orNotFound(err)
		case available != bookedAvailable:
			return fmt.Errorf("account %d: available is %s, its entries sum up to %s", accountID, available, bookedAvailable)
		case blocked != bookedBlocked:
			return fmt.Errorf("account %d: blocked is %s, its entries sum up to %s", accountID, blocked, bookedBlocked)
		case blocked != leaving+splitting:
			return fmt.Errorf("account %d: blocked is %s, its pending payments sum up to %s and its pending splits to %s",
				accountID, blocked, leaving, splitting)
		}
		return nil
	})
}
