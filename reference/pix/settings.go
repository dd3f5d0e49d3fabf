package pix

import "fmt"

// Settings are the configuration of an account.
type Settings struct {
	Fees       Fees
	Limits     Limits
	Faults     Faults
	Settlement Mode // of outgoing payments
	Refunds    Mode // of refunds of received payments
}

// Fees are taken on top of each later payment.
type Fees struct {
	CashOut Centavos
	CashIn  Centavos
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
		return Refuse(CodeValidation, "the PIX provider cannot be reached").WithNature(Upstream)
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

// Valid reports whether m is one of the modes.
func (m Mode) Valid() bool { return m == Automatic || m == Manual }

// DefaultSettings are those of a new account.
func DefaultSettings() Settings {
	return Settings{
		Limits:     DefaultLimits(),
		Faults:     Faults{Auth: AuthWorks, PixProvider: PixProviderWorks},
		Settlement: Automatic,
		Refunds:    Automatic,
	}
}

// Check refuses values that no setting can have.
func (s Settings) Check() error {
	for name, amount := range map[string]*Centavos{
		"cashOut": &s.Fees.CashOut, "cashIn": &s.Fees.CashIn,
		"perTransaction": s.Limits.PerTransaction, "daily": s.Limits.Daily, "night": s.Limits.Night,
	} {
		if amount != nil && (*amount < 0 || *amount > MaxAmount) {
			return Refuse(CodeValidation, fmt.Sprintf("%s must be from 0.00 to %s, got %s", name, MaxAmount, *amount))
		}
	}
	switch {
	case s.Limits.RequestsPerMinute != nil && *s.Limits.RequestsPerMinute < 0:
		return Refuse(CodeValidation, fmt.Sprintf("requestsPerMinute must not be negative, got %d", *s.Limits.RequestsPerMinute))
	case s.Faults.Auth != AuthWorks && s.Faults.Auth != AuthError && s.Faults.Auth != AuthUnavailable:
		return Refuse(CodeValidation, fmt.Sprintf("auth must be none, error or unavailable, got %q", s.Faults.Auth))
	case s.Faults.PixProvider != PixProviderWorks && s.Faults.PixProvider != PixProviderUnavailable:
		return Refuse(CodeValidation, fmt.Sprintf("pixProvider must be none or unavailable, got %q", s.Faults.PixProvider))
	case s.Faults.MinimumExpiration < 0:
		return Refuse(CodeValidation, fmt.Sprintf("minimumExpiration must not be negative, got %d", s.Faults.MinimumExpiration))
	case !s.Settlement.Valid() || !s.Refunds.Valid():
		return Refuse(CodeValidation, fmt.Sprintf("mode must be automatic or manual, got %q and %q", s.Settlement, s.Refunds))
	}
	return nil
}
