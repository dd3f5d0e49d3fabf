package pix

import (
	"fmt"
	"time"
)

// CashInOrder is what a client asks for with POST /api/pix/cash-in.
//
// An order is judged in this sequence, and the first fault decides:
//
//  1. the amount and the splits, which the order shows by itself (Check);
//  2. the provider's own minimum of the life (CheckLife);
//  3. the externalId, which must be new for the account;
//  4. the provider, which must be within reach.
type CashInOrder struct {
	Amount         Centavos
	ExternalID     string
	Description    string
	Life           time.Duration     // from creation to expiry
	Payer          Counterpart       // for information: anybody may pay
	AdditionalInfo map[string]string // likewise
	Splits         []Split
	Scenario       Scenario
}

// Check judges what the order shows by itself: the amount and what the splits take of
// it. Lengths and required fields are the wire contract's.
func (o CashInOrder) Check() error {
	if err := checkPayable(CodeValidation, "transaction.value", o.Amount); err != nil {
		return err
	}
	if !SplitsFit(o.Amount, o.Splits) {
		return Refuse(CodeValidation, fmt.Sprintf("splits must take at most transaction.value, %s", o.Amount))
	}
	return nil
}

// CheckLife refuses an order whose charge would live shorter than the provider asks for.
func (o CashInOrder) CheckLife(minimum time.Duration) error {
	if o.Life >= minimum {
		return nil
	}
	asked, least := int64(o.Life.Seconds()), int64(minimum.Seconds())
	return Refuse(CodeProviderExpiration, fmt.Sprintf("transaction.expirationTime must be at least %d for the provider, got %d", least, asked)).
		With("provider", Home.Name).With("minimum", least).With("requested", asked)
}

// CashIn is an order that was taken: a charge, with the payment that is pending until
// somebody pays it.
type CashIn struct {
	Charge        Charge
	Payment       Payment
	CorrelationID string
}

// NewCashIn takes an order that was checked. The payment has no counterpart until
// somebody pays, whoever was expected to. The caller gives charge and payment their
// numeric ids.
func NewCashIn(to Account, o CashInOrder, at time.Time) CashIn {
	return CashIn{
		Charge: newCharge(KindCashIn, to, o.Amount, o.Life, at),
		Payment: Payment{
			Kind:          KindCashIn,
			TransactionID: newTransactionID(),
			AccountID:     to.ID,
			ExternalID:    o.ExternalID,
			Status:        Pending,
			Amount:        o.Amount,
			Description:   o.Description,
			KeyType:       KeyRandom,
			Key:           to.PixKey,
			Scenario:      o.Scenario,
			CreatedAt:     at,
		},
		CorrelationID: NewUUID(),
	}
}

// NewCashInResult tells of a paid cash-in, in the shape of a cash-out's result (its own
// is an open point).
func NewCashInResult(p Payment) CashOutResult {
	result := NewCashOutResult(p)
	result.Event = "CashIn"
	return result
}
