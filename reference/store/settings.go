package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/pixcert/pixcert/reference/pix"
)

// Settings are what can be configured of an account.
type Settings struct {
	Fees       Fees
	Limits     pix.Limits
	Faults     Faults
	Settlement Mode // of outgoing payments
	Refunds    Mode // of refunds of received payments
}

// Fees are taken on top of each later payment.
type Fees struct {
	CashOut pix.Centavos
	CashIn  pix.Centavos
}

// Faults are the upstream failures that the account meets.
type Faults struct {
	Auth              AuthFault
	PixProvider       PixProviderFault
	MinimumExpiration int // of a charge, in seconds, as the provider demands it; 0: nothing
}

// AuthFault is what the upstream of the token endpoint does.
type AuthFault string

// The faults of the upstream authentication.
const (
	AuthWorks       AuthFault = "none"
	AuthError       AuthFault = "error"       // it answers nonsense
	AuthUnavailable AuthFault = "unavailable" // it cannot be reached
)

// PixProviderFault is what the provider of cash-ins and of QR Codes does.
type PixProviderFault string

// The faults of the provider.
const (
	PixProviderWorks       PixProviderFault = "none"
	PixProviderUnavailable PixProviderFault = "unavailable"
)

// CheckPixProvider refuses what takes the provider while it is unavailable.
func (f Faults) CheckPixProvider() error {
	if f.PixProvider == PixProviderUnavailable {
		return pix.Refuse(pix.CodeValidation, "the PIX provider cannot be reached").WithNature(pix.Upstream)
	}
	return nil
}

// Mode says who ends what is pending.
type Mode string

// The modes of settlement and of refunds.
const (
	Automatic Mode = "automatic" // the worker, as soon as it can
	Manual    Mode = "manual"    // nobody but a test control
)

func (m Mode) valid() bool { return m == Automatic || m == Manual }

func defaultSettings() Settings {
	return Settings{
		Limits:     pix.DefaultLimits(),
		Faults:     Faults{Auth: AuthWorks, PixProvider: PixProviderWorks},
		Settlement: Automatic,
		Refunds:    Automatic,
	}
}

// Configure edits an account's settings in one transaction and gives the account as it
// is then. What edit leaves alone stays. A setting that makes no sense is a
// *pix.Refusal. What is pending becomes due when its mode turns automatic, and waits
// when it turns manual.
func (s *Store) Configure(ctx context.Context, accountID int64, edit func(*Settings)) (Account, error) {
	var account Account
	err := s.write(ctx, func(t *tx) (err error) {
		account, err = t.account(accountID)
		if err != nil {
			return err
		}
		before := account.Settings
		edit(&account.Settings)
		if err := account.check(); err != nil {
			return err
		}
		if err := t.saveSettings(accountID, account.Settings); err != nil {
			return err
		}
		if account.Settlement != before.Settlement {
			err = t.park(accountID, settleJob, account.Settlement)
		}
		if account.Refunds != before.Refunds {
			err = errors.Join(err, t.park(accountID, refundJob, account.Refunds))
		}
		return err
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
	case s.Faults.PixProvider != PixProviderWorks && s.Faults.PixProvider != PixProviderUnavailable:
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("pixProvider must be none or unavailable, got %q", s.Faults.PixProvider))
	case s.Faults.MinimumExpiration < 0:
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("minimumExpiration must not be negative, got %d", s.Faults.MinimumExpiration))
	case !s.Settlement.valid() || !s.Refunds.valid():
		return pix.Refuse(pix.CodeValidation, fmt.Sprintf("mode must be automatic or manual, got %q and %q", s.Settlement, s.Refunds))
	}
	return nil
}

func (t *tx) saveSettings(accountID int64, s Settings) error {
	if err := t.forget(accountID); err != nil {
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
func (t *tx) park(accountID int64, kind jobKind, mode Mode) error {
	t.wake = true
	return t.run(`UPDATE jobs SET parked = $1 WHERE account_id = $2 AND kind = $3`, flag(mode == Manual), accountID, kind)
}

func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}
