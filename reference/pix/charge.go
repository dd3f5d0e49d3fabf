package pix

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Charge asks somebody for a payment: a cash-in or an immediate charge (cob). Whoever
// has its code can pay it, once.
type Charge struct {
	ID         int64
	AccountID  int64
	Kind       Kind   // KindCashIn or KindCob
	PaymentID  int64  // of a cash-in from the start; of a cob once it is paid, 0 until then
	TxID       string // of a cob
	Code       string // the BR Code
	Key        string // of the receiver
	Amount     Centavos
	Changeable bool // the payer may pay another amount (modalidadeAlteracao 1)
	Status     ChargeStatus
	CreatedAt  time.Time // by the account's clock
	ExpiresAt  time.Time // likewise; from this instant on it cannot be paid
}

// Payable says whether the charge can be paid at that time.
func (c Charge) Payable(at time.Time) bool {
	_, can := c.Status.After(ChargePaid)
	return can && at.Before(c.ExpiresAt)
}

// AmountOf is what is paid when the payer wants to pay offered; 0 leaves it to the
// charge. Another amount than the charge's is a Refusal where the charge does not let
// the payer change it.
func (c Charge) AmountOf(offered Centavos) (Centavos, error) {
	switch {
	case offered == 0 || offered == c.Amount:
		return c.Amount, nil
	case !c.Changeable:
		return 0, Refuse(CodeValidation, fmt.Sprintf("amount must be %s, which the charge asks for, got %s", c.Amount, offered))
	}
	return offered, checkPayable(CodeValidation, "amount", offered)
}

// ChargeStatus is the state of a charge as a cob shows it.
type ChargeStatus string

// The states of a charge. A cash-in is shown by the status of its payment; it ends in
// none but ChargePaid, and stays active beyond its expiry.
const (
	ChargeActive            ChargeStatus = "ATIVA"
	ChargeConcluded         ChargeStatus = "CONCLUIDA"
	ChargeRemovedByReceiver ChargeStatus = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
	ChargeRemovedByPSP      ChargeStatus = "REMOVIDA_PELO_PSP"
)

// ChargeEvent is what moves a charge.
type ChargeEvent string

// The events of the table "Immediate charge (cob)".
const (
	ChargePaid            ChargeEvent = "payment"
	ChargeEndedByReceiver ChargeEvent = "receiver"
	ChargeEndedByPSP      ChargeEvent = "psp"
	ChargeExpired         ChargeEvent = "expiry"
)

// chargeTransitions is that table. A status that is not in it is terminal.
var chargeTransitions = map[ChargeStatus]map[ChargeEvent]ChargeStatus{
	ChargeActive: {
		ChargePaid:            ChargeConcluded,
		ChargeEndedByReceiver: ChargeRemovedByReceiver,
		ChargeEndedByPSP:      ChargeRemovedByPSP,
		ChargeExpired:         ChargeRemovedByPSP,
	},
}

// After is the status that follows when the event happens; it is false where it cannot.
func (s ChargeStatus) After(event ChargeEvent) (ChargeStatus, bool) {
	next, ok := chargeTransitions[s][event]
	return next, ok
}

// DefaultChargeLife is how long a charge can be paid where its order does not say
// (Cash-in, expirationTime; of a cob an open point).
const DefaultChargeLife = 86400 * time.Second

// MaxChargeLife is 68 years, beyond which no charge is meant to live.
const MaxChargeLife = math.MaxInt32 * time.Second

// What the codes of all charges say.
const (
	receivingCity  = "SAO PAULO"
	chargeLocation = "pix.pixcert.example/v2/" // where the payer's bank finds the charge; the host is made up
)

// newCharge makes a charge with a dynamic code of its own.
func newCharge(kind Kind, to Account, amount Centavos, life time.Duration, at time.Time) Charge {
	code := BRCode{
		Dynamic: true,
		URL:     chargeLocation + strings.ReplaceAll(NewUUID(), "-", ""),
		Amount:  amount,
		Name:    to.Name,
		City:    receivingCity,
	}
	return Charge{
		AccountID: to.ID,
		Kind:      kind,
		Code:      code.String(),
		Key:       to.PixKey,
		Amount:    amount,
		Status:    ChargeActive,
		CreatedAt: at,
		ExpiresAt: at.Add(life),
	}
}

// Receive is the payment by which somebody pays a charge, confirmed. Of a cash-in it is
// p, the payment that has been pending; of a cob a new one, without its numeric id. The
// fee is at most what the splits leave, so that being paid never costs money.
func (c Charge) Receive(p Payment, amount, fee, split Centavos, payer Counterpart, at time.Time) Payment {
	if c.Kind == KindCob {
		p = Payment{
			Kind:          KindCob,
			TransactionID: newTransactionID(),
			AccountID:     c.AccountID,
			ExternalID:    c.TxID,
			Status:        Pending,
			Key:           c.Key,
			CreatedAt:     at,
		}
	}
	p.EndToEndID = EndToEndID(payer.ISPB, at)
	p.Amount, p.Fee, p.Counterpart = amount, min(fee, amount-split), payer
	return p
}
