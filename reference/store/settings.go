package store

import (
	"context"

	"github.com/pixcert/pixcert/reference/pix"
)

// Configure edits an account's settings in one transaction and gives the account as it
// is then. What edit leaves alone stays. A setting that makes no sense is a
// *pix.Refusal. What is pending becomes due when its mode turns automatic, and waits
// when it turns manual.
func (s *Store) Configure(ctx context.Context, accountID int64, edit func(*pix.Settings)) (pix.Account, error) {
	var account pix.Account
	err := s.write(ctx, func(t *tx) (err error) {
		account, err = t.account(accountID)
		if err != nil {
			return err
		}
		changed := account.Settings
		edit(&changed)
		return t.configure(&account, changed)
	})
	return account, err
}

func (t *tx) configure(account *pix.Account, to pix.Settings) error {
	if err := to.Check(); err != nil {
		return err
	}
	before := account.Settings
	account.Settings = to
	err := t.saveSettings(account.ID, to)
	if err == nil && to.Settlement != before.Settlement {
		err = t.park(account.ID, settleJob, to.Settlement)
	}
	if err == nil && to.Refunds != before.Refunds {
		err = t.park(account.ID, refundJob, to.Refunds)
	}
	return err
}

func (t *tx) saveSettings(accountID int64, s pix.Settings) error {
	if err := t.invalidate(accountID); err != nil {
		return err
	}
	return t.run(`UPDATE accounts SET fee_cash_out = $1, fee_cash_in = $2,
		limit_transaction = $3, limit_daily = $4, limit_night = $5, requests_per_minute = $6,
		auth_fault = $7, pix_provider_fault = $8, minimum_expiration = $9, settlement = $10, refunds = $11 WHERE id = $12`,
		s.Fees.CashOut, s.Fees.CashIn,
		s.Limits.PerTransaction, s.Limits.Daily, s.Limits.Night, s.Limits.RequestsPerMinute,
		s.Faults.Auth, s.Faults.PixProvider, s.Faults.MinimumExpiration, s.Settlement, s.Refunds, accountID)
}

// park holds an account's jobs of one kind back, or lets them go.
func (t *tx) park(accountID int64, kind jobKind, mode pix.Mode) error {
	t.wake = true
	return t.run(`UPDATE jobs SET parked = $1 WHERE account_id = $2 AND kind = $3`, flag(mode == pix.Manual), accountID, kind)
}

func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}
