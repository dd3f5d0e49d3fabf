package store

import (
	"context"

	"github.com/pixcert/pixcert/reference/pix"
)

// ofAccount are what an account has beside its row, its certificates and its key of the directory, in an order in
// which each statement still finds what it needs.
var ofAccount = [...]string{
	`DELETE FROM jobs WHERE account_id = $1`,
	`DELETE FROM splits WHERE charge_id IN (SELECT id FROM charges WHERE account_id = $1)`,
	`DELETE FROM charges WHERE account_id = $1`,
	`DELETE FROM refunds WHERE payment_id IN (SELECT id FROM payments WHERE account_id = $1)`,
	`DELETE FROM transfers WHERE account_id = $1`,
	`DELETE FROM meds WHERE account_id = $1`,
	`DELETE FROM payments WHERE account_id = $1`,
	`DELETE FROM payment_counts WHERE account_id = $1`,
	`DELETE FROM daily_totals WHERE account_id = $1`,
	`DELETE FROM entries WHERE account_id = $1`,
	`DELETE FROM deliveries WHERE account_id = $1`,
	`DELETE FROM events WHERE account_id = $1`,
	`DELETE FROM webhooks WHERE account_id = $1`,
	`UPDATE accounts SET available = 0, blocked = 0, clock_offset = 0 WHERE id = $1`,
}

// ResetAccount brings one account back to its start: the balance and the settings that the seed declares for it, or
// none and the default ones. It keeps its credentials, its certificates and its key. Payments of other accounts that
// went to it stay.
func (s *Store) ResetAccount(ctx context.Context, accountID int64, seed Seed) (pix.Account, error) {
	var account pix.Account
	err := s.write(ctx, func(t *tx) (err error) {
		if account, err = t.account(accountID); err != nil {
			return err
		}
		declared := seed.account(account.ClientID)
		if err := t.flush(); err != nil {
			return err
		}
		t.wake, t.changed = true, true
		t.cache.replaced()
		for _, statement := range ofAccount {
			if err := t.run(statement, accountID); err != nil {
				return err
			}
		}
		settings := pix.DefaultSettings()
		if declared.Settings != nil {
			settings = *declared.Settings
		}
		if err := t.saveSettings(accountID, settings); err != nil {
			return err
		}
		if declared.Available > 0 {
			account, err = t.setBalance(accountID, declared.Available)
		} else {
			account, err = t.account(accountID)
		}
		return err
	})
	s.replaced.Add(1)
	return account, err
}

// account is what the seed declares for the account with a clientId.
func (s Seed) account(clientID string) NewAccount {
	for _, n := range s.Accounts {
		if n.ClientID == clientID {
			return n
		}
	}
	return NewAccount{}
}
