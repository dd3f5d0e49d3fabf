package store

import (
	"context"
	"fmt"

	"github.com/pixcert/pixcert/reference/pix"
)

// Settings are what can be configured of an account.
type Settings struct {
	Fees       Fees
	Limits     pix.Limits
	Faults     Faults
	Settlement SettlementMode
}

// Fees are taken on top of each later payment.
type Fees struct {
	CashOut pix.Centavos
	CashIn  pix.Centavos
}

// Faults are the upstream failures that the account meets.
type Faults struct {
	Auth AuthFault
}

// AuthFault is what the upstream of the token endpoint does.
type AuthFault string

// The faults of the upstream authentication.
const (
	AuthWorks       AuthFault = "none"
	AuthError       AuthFault = "error"       // it answers nonsense
	AuthUnavailable AuthFault = "unavailable" // it cannot be reached
)

// SettlementMode says who settles the payments of an account.
type SettlementMode string

// The modes of settlement.
const (
	Automatic SettlementMode = "automatic" // the worker, as soon as it can
	Manual    SettlementMode = "manual"    // nobody but a call of Settle
)

func defaultSettings() Settings {
	return Settings{Limits: pix.DefaultLimits(), Faults: Faults{Auth: AuthWorks}, Settlement: Automatic}
}

// Configure edits an account's settings in one transaction and gives the account as it
// is then. What edit leaves alone stays. A setting that makes no sense is a
// *pix.Refusal. Payments that are pending become due when settlement turns automatic,
// and wait when it turns manual.
func (s *Store) Configure(ctx context.Context, accountID int64, edit func(*Settings)) (Account, error) {
	var account Account
	err := s.write(ctx, func(t *tx) (err error) {
		account, err = t.account(accountID)
		if err != nil {
			return err
		}
		mode := account.Settlement
		edit(&account.Settings)
		if err := account.check(); err != nil {
			return err
		}
		if err := t.saveSettings(accountID, account.Settings); err != nil || account.Settlement == mode {
			return err
		}
		return t.park(accountID, account.Settlement)
	})
	return account, err
}

// check looks for what no setting can be.
func (s Settings) check() error {
	for name, amount := range map[string]*pix.Centavos{
		"cashOut": &s.Fees.CashOut, "cashIn": &s.Fees.CashIn,
		"perTransaction": s.Limits.PerTransaction, "daily": s.Limits.Daily, "night": s.Limits.Night,
	} {
		if amount != nil && (*amount < 0 || *amount > pix.MaxAmount) {
			return pix.Refuse(pix.CodeValidation, fmt.Sprintf("%s must be from 0.00 to %s, got %s", name, pix.MaxAmount, *amount))
		}
	}
	switch {
	case s.Limits.RequestsPerMinute != nil && *s.Limits.RequestsPerMinute < 0:
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("requestsPerMinute must not be negative, got %d", *s.Limits.RequestsPerMinute))
	case s.Faults.Auth != AuthWorks && s.Faults.Auth != AuthError && s.Faults.Auth != AuthUnavailable:
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("auth must be none, error or unavailable, got %q", s.Faults.Auth))
	case s.Settlement != Automatic && s.Settlement != Manual:
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("mode must be automatic or manual, got %q", s.Settlement))
	}
	return nil
}

func (t *tx) saveSettings(accountID int64, s Settings) error {
	return t.run(`UPDATE accounts SET fee_cash_out = $1, fee_cash_in = $2,
		limit_transaction = $3, limit_daily = $4, limit_night = $5, requests_per_minute = $6,
		auth_fault = $7, settlement = $8 WHERE id = $9`,
		s.Fees.CashOut, s.Fees.CashIn,
		s.Limits.PerTransaction, s.Limits.Daily, s.Limits.Night, s.Limits.RequestsPerMinute,
		s.Faults.Auth, s.Settlement, accountID)
}

// park holds an account's settlements back, or lets them go.
func (t *tx) park(accountID int64, mode SettlementMode) error {
	t.wake = true
	return t.run(`UPDATE jobs SET parked = $1 WHERE account_id = $2 AND kind = 'settle'`, flag(mode == Manual), accountID)
}

func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}
