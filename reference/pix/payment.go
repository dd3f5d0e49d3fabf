// Package pix holds the rules of the instant-payment gateway: money, keys, payments,
// limits and events. It knows neither HTTP nor SQL.
package pix

import (
	"fmt"
	"time"
)

// Payment is a transaction of an account, of whatever kind. What leaves the account is
// blocked together with its fee while the payment is pending.
type Payment struct {
	ID            int64 // numeric id, unique in the gateway
	Kind          Kind
	TransactionID string // the id that the API shows: a UUID
	AccountID     int64
	ParentID      int64  // numeric id of the payment that this one gives back; 0: none
	ExternalID    string // the client's own id; the public kinds have one, unique in the account
	EndToEndID    string
	Status        Status

	Amount      Centavos
	Fee         Centavos
	Description string
	KeyType     KeyType
	Key         string // as the client wrote it
	Counterpart Counterpart
	Scenario    Scenario

	Error        ErrorCode // empty unless Status is Error
	ErrorMessage string

	CreatedAt   time.Time // by the account's clock
	ProcessedAt time.Time // by the account's clock; zero while pending
}

// Counterpart is the other side of a payment: the payee of a debit, the payer of a
// credit.
type Counterpart struct {
	Name     string
	Document string // CPF or CNPJ, digits only
	ISPB     string
}

// Final is what a payment takes from the account, the amount and the fee, or what it
// brings, the amount without the fee.
func (p Payment) Final() Centavos {
	if p.Kind.Movement() == Credit {
		return p.Amount - p.Fee
	}
	return p.Amount + p.Fee
}

// Status is the state of a payment.
type Status string

// The states of a payment.
const (
	Pending   Status = "PENDING"
	Confirmed Status = "CONFIRMED"
	Error     Status = "ERROR"
)

// Statuses lists the states of a payment.
func Statuses() []Status { return []Status{Pending, Confirmed, Error} }

// transitions is the table "Payment transaction" of the specification. A status that
// leads nowhere is terminal.
var transitions = map[Status][]Status{
	Pending:   {Confirmed, Error},
	Confirmed: {},
	Error:     {},
}

// CanBecome says whether a payment may go from s to next.
func (s Status) CanBecome(next Status) bool {
	for _, status := range transitions[s] {
		if status == next {
			return true
		}
	}
	return false
}

// Terminal says whether a payment in that state is finished.
func (s Status) Terminal() bool { return len(transitions[s]) == 0 }

// ErrorCode says why the settling bank rejected a payment.
type ErrorCode string

// The error codes of a rejected payment.
const (
	TaxIDMismatch     ErrorCode = "TAX_ID_MISMATCH"
	InvalidTaxID      ErrorCode = "INVALID_TAX_ID"
	BlockedAccount    ErrorCode = "BLOCKED_ACCOUNT"
	AccountClosed     ErrorCode = "ACCOUNT_CLOSED"
	OrderRejected     ErrorCode = "ORDER_REJECTED"
	PaymentExpired    ErrorCode = "PAYMENT_EXPIRED"
	SettlementTimeout ErrorCode = "SETTLEMENT_TIMEOUT"
)

// ErrorCodes lists the error codes in the order of the specification.
func ErrorCodes() []ErrorCode {
	return []ErrorCode{TaxIDMismatch, InvalidTaxID, BlockedAccount, AccountClosed, OrderRejected, PaymentExpired, SettlementTimeout}
}

// errorCodes is the table "errorCode values on ERROR".
var errorCodes = map[ErrorCode]struct {
	meaning   string
	retryable bool
}{
	TaxIDMismatch:     {"details.document does not match the key holder", false},
	InvalidTaxID:      {"details.document is no valid CPF or CNPJ", false},
	BlockedAccount:    {"the destination account is judicially blocked", false},
	AccountClosed:     {"the destination account is closed", false},
	OrderRejected:     {"the destination bank rejected the payment", false},
	PaymentExpired:    {"the payment expired before it was processed", true},
	SettlementTimeout: {"the destination bank did not answer in time", true},
}

// Valid says whether c is one of the seven codes.
func (c ErrorCode) Valid() bool { _, ok := errorCodes[c]; return ok }

// Meaning is the code in words; it is the errorMessage where no other is given.
func (c ErrorCode) Meaning() string { return errorCodes[c].meaning }

// Retryable says whether the same payment may succeed when it is sent anew.
func (c ErrorCode) Retryable() bool { return errorCodes[c].retryable }

// Result is what becomes of a pending payment: Confirmed, or Error with its code and
// message. An empty message stands for the meaning of the code.
type Result struct {
	Status  Status
	Code    ErrorCode
	Message string
}

// Rejected is the result of a payment that the settling bank rejects with code.
func Rejected(code ErrorCode) Result { return Result{Status: Error, Code: code} }

// Check says what is wrong with a result that somebody chose: a Refusal with
// CodeValidation, or nil.
func (r Result) Check() error {
	switch {
	case !Pending.CanBecome(r.Status):
		return Refuse(CodeValidation, fmt.Sprintf("outcome must be CONFIRMED or ERROR, got %q", r.Status))
	case r.Status == Error && !r.Code.Valid():
		return Refuse(CodeValidation, fmt.Sprintf("errorCode must be one of %s, got %q", listOf(ErrorCodes()), r.Code))
	case r.Status == Confirmed && (r.Code != "" || r.Message != ""):
		return Refuse(CodeValidation, "errorCode and errorMessage belong to the outcome ERROR, got CONFIRMED")
	}
	return nil
}

// Finish is the payment once it has that result. The result must be one that the
// payment's status can become. The end-to-end id of a transfer is provisional until it
// settles ("Transfer").
func (p Payment) Finish(r Result, at time.Time) Payment {
	p.Status, p.Error, p.ErrorMessage, p.ProcessedAt = r.Status, r.Code, r.Message, at
	if r.Status == Error && r.Message == "" {
		p.ErrorMessage = r.Code.Meaning()
	}
	if r.Status == Confirmed && p.Kind == KindTransfer {
		p.EndToEndID = EndToEndID(Home.ISPB, at)
	}
	return p
}
