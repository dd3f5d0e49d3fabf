package pix

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// TransferOrder is what a client asks for with POST /dict/pix.
//
// An order is judged in this sequence, and the first fault decides:
//
//  1. what the order shows by itself (Check);
//  2. the idempotency key: a repeat is answered with the transfer that there is, whatever
//     else it asks for ("POST /dict/pix", rule 1);
//  3. the key, which the directory must know, and its institution, which must not be
//     denied (CheckHolder);
//  4. the balance, which must cover the amount.
type TransferOrder struct {
	IdempotencyKey   string // UUID v4, as the client wrote it
	Key              string
	CreditorDocument string // CPF or CNPJ, digits only; empty: whoever holds the key
	Priority         Priority
	Description      string // message to the payee
	Flow             string // the client's own category
	Currency         string
	Amount           Centavos
	Expiration       time.Duration // in the queue
	Denied           []string      // ISPBs of institutions that must not be paid
}

// Priority says how fast a transfer is processed. This gateway is as fast with both.
type Priority string

// The priorities of a transfer.
const (
	PriorityHigh   Priority = "HIGH" // at once; needs the creditor's document
	PriorityNormal Priority = "NORM" // by the queue
)

// DefaultExpiration is how long a transfer stays in the queue where the client does not
// say ("Limits").
const DefaultExpiration = 600 * time.Second

// Check judges what the order shows by itself. A fault is a Refusal with
// CodeValidation. Bounds of the fields are the wire contract's.
func (o TransferOrder) Check() error {
	switch _, known := DirectoryKey(o.Key); {
	case !IsUUIDv4(o.IdempotencyKey):
		return Refuse(CodeValidation, fmt.Sprintf("x-idempotency-key must be a UUID v4, got %q", o.IdempotencyKey))
	case !known:
		return Refuse(CodeValidation, fmt.Sprintf("pixKey must be %s; got %q", DirectoryKeyForm, o.Key))
	case o.CreditorDocument != "" && !IsDocument(o.CreditorDocument):
		return Refuse(CodeValidation, fmt.Sprintf("creditorDocument must be %s, got %q", DocumentForm, o.CreditorDocument))
	case o.Priority == PriorityHigh && o.CreditorDocument == "":
		return Refuse(CodeValidation, "creditorDocument is required with priority HIGH")
	case o.Currency != Currency:
		return Refuse(CodeValidation, fmt.Sprintf("payment.currency must be %s, got %q", Currency, o.Currency))
	}
	return checkPayable(CodeValidation, "payment.amount", o.Amount)
}

// UniqueKey is the idempotency key in the spelling in which keys are compared: lower case, because letters
// in a UUID are not case-sensitive (RFC 9562, section 4).
func (o TransferOrder) UniqueKey() string { return strings.ToLower(o.IdempotencyKey) }

// CheckHolder judges the order by the holder that the directory knows for its key, nil
// when it knows none. A refusal is Unprocessable.
func (o TransferOrder) CheckHolder(holder *DirectoryEntry) error {
	switch {
	case holder == nil:
		return Refuse(CodeValidation, fmt.Sprintf("pixKey must be in the key directory, got %q", o.Key)).WithNature(Unprocessable)
	case slices.Contains(o.Denied, holder.ISPB):
		return Refuse(CodeValidation, fmt.Sprintf("pixKey belongs to the institution %s, which ispbDeny lists", holder.ISPB)).WithNature(Unprocessable)
	}
	return nil
}

// Transfer is a payment of the kind KindTransfer with the fields that only transfers have. Its ExternalID is the
// idempotency key as the client wrote it.
type Transfer struct {
	Payment
	IdempotencyKey   string // see UniqueKey
	Priority         Priority
	CreditorDocument string // as the client named it
	Currency         string
	Flow             string
	ExpiresAt        time.Time // by the account's clock
}

// NewTransfer makes the pending transfer of an order that was checked, to the holder
// that the directory knows. Its end-to-end id is provisional. The caller gives it its
// numeric id.
func NewTransfer(accountID int64, o TransferOrder, holder DirectoryEntry, at time.Time) Transfer {
	return Transfer{
		Payment: Payment{
			Kind:          KindTransfer,
			TransactionID: newTransactionID(),
			AccountID:     accountID,
			ExternalID:    o.IdempotencyKey,
			EndToEndID:    EndToEndID(Home.ISPB, at),
			Status:        Pending,
			Amount:        o.Amount,
			Description:   o.Description,
			Key:           o.Key,
			Counterpart: Counterpart{
				Name:     holder.Name,
				Document: cmp.Or(o.CreditorDocument, holder.Document),
				ISPB:     holder.ISPB,
			},
			CreatedAt: at,
		},
		IdempotencyKey:   o.UniqueKey(),
		Priority:         o.Priority,
		CreditorDocument: o.CreditorDocument,
		Currency:         o.Currency,
		Flow:             o.Flow,
		ExpiresAt:        at.Add(o.Expiration),
	}
}

// TransferType is the state of a transfer, in its field type.
type TransferType string

// transferTypes says how a transfer shows the state of its payment.
var transferTypes = map[Status]TransferType{Pending: "PENDING", Confirmed: "COMPLETED", Error: "ERROR"}

// Type is the state of the transfer.
func (t Transfer) Type() TransferType { return transferTypes[t.Status] }

// Expired says whether a transfer has left the queue at that time: nobody settles it any
// more.
func (t Transfer) Expired(at time.Time) bool { return !at.Before(t.ExpiresAt) }

// TransferEvent is the V2 envelope TRANSFER: a transfer is finished.
type TransferEvent struct {
	Type string            `json:"type"`
	Data TransferEventData `json:"data"`
}

// TransferEventData tells of the transfer. Status is LIQUIDATED, or ERROR with its code
// and message.
type TransferEventData struct {
	ID              int64         `json:"id"`
	TxID            *string       `json:"txId"` // a transfer pays no charge: always null
	PixKey          string        `json:"pixKey"`
	Status          string        `json:"status"`
	Payment         TextAmount    `json:"payment"`
	EndToEndID      string        `json:"endToEndId"`
	CreditDebitType Movement      `json:"creditDebitType"`
	IdempotencyKey  string        `json:"idempotencyKey"`
	CreditorAccount MaskedAccount `json:"creditorAccount"`
	Information     string        `json:"remittanceInformation"`
	ErrorCode       ErrorCode     `json:"errorCode,omitempty"`
	ErrorMessage    string        `json:"errorMessage,omitempty"`
}

// MaskedAccount is whose account is paid; the document is masked.
type MaskedAccount struct {
	Name     string `json:"name"`
	Document string `json:"document"`
	ISPB     string `json:"ispb"`
}

// NewTransferEvent tells of a finished transfer.
func NewTransferEvent(t Transfer) TransferEvent {
	status := "LIQUIDATED"
	if t.Status == Error {
		status = string(Error)
	}
	return TransferEvent{Type: "TRANSFER", Data: TransferEventData{
		ID:              t.ID,
		PixKey:          t.Key,
		Status:          status,
		Payment:         TextAmount{t.Amount.String(), t.Currency},
		EndToEndID:      t.EndToEndID,
		CreditDebitType: t.Kind.Movement(),
		IdempotencyKey:  t.ExternalID,
		CreditorAccount: MaskedAccount{t.Counterpart.Name, MaskDocument(t.Counterpart.Document), t.Counterpart.ISPB},
		Information:     t.Description,
		ErrorCode:       t.Error,
		ErrorMessage:    t.ErrorMessage,
	}}
}
