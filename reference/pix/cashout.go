package pix

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"
)

// CashOutOrder is what a client asks for with POST /api/pix/cash-out.
//
// An order is judged in this sequence, and the first fault decides:
//
//  1. the amount and the key, which the order shows by itself (Check);
//  2. the externalId, which must be new for the account;
//  3. the limits: of a payment, of the night, of the day (Limits.Check);
//  4. the balance, which must cover the amount and the fee.
//
// So an order that can never be carried out does not use its externalId up, a repeat
// is told as such whatever else has changed since, and money is looked at last.
type CashOutOrder struct {
	Amount      Centavos
	ExternalID  string
	Description string
	Key         string
	KeyType     KeyType
	Name        string // of the payee, for information
	Document    string // CPF or CNPJ of the key's holder, digits only
	Scenario    Scenario
}

// Check judges what the order shows by itself: its amount (CodeInvalidAmount), then
// its key (CodeInvalidKey). Lengths and required fields are the wire contract's.
func (o CashOutOrder) Check() error {
	if err := checkPayable(CodeInvalidAmount, "value", o.Amount); err != nil {
		return err
	}
	if !o.KeyType.Matches(o.Key) {
		return Refuse(CodeInvalidKey, fmt.Sprintf("details.key must be %s for keyType %s, got %q", o.KeyType.Format(), o.KeyType, o.Key))
	}
	return nil
}

// DirectoryKey is the order's key as the directory spells it.
func (o CashOutOrder) DirectoryKey() string { return o.KeyType.Canonical(o.Key) }

// NewCashOut makes the pending payment of an order that was checked. The caller gives
// it its numeric id.
func NewCashOut(accountID int64, o CashOutOrder, fee Centavos, at time.Time) Payment {
	return Payment{
		Kind:          KindCashOut,
		TransactionID: newTransactionID(),
		AccountID:     accountID,
		ExternalID:    o.ExternalID,
		EndToEndID:    EndToEndID(Home.ISPB, at),
		Status:        Pending,
		Amount:        o.Amount,
		Fee:           fee,
		Description:   o.Description,
		KeyType:       o.KeyType,
		Key:           o.Key,
		Counterpart: Counterpart{
			Name:     o.Name,
			Document: o.Document,
			ISPB:     institutionOfKey(o.DirectoryKey()).ISPB,
		},
		Scenario:  o.Scenario,
		CreatedAt: at,
	}
}

// AccountStatus is the state of the account behind a key of the directory.
type AccountStatus string

// The states of an account in the directory.
const (
	AccountActive  AccountStatus = "ACTIVE"
	AccountBlocked AccountStatus = "BLOCKED"
	AccountShut    AccountStatus = "CLOSED"
)

// Valid says whether s is one of the three states.
func (s AccountStatus) Valid() bool {
	return s == AccountActive || s == AccountBlocked || s == AccountShut
}

// DirectoryEntry is a key of the directory with its holder.
type DirectoryEntry struct {
	Key      string // spelled canonically, see IsDirectoryKey
	Name     string
	Document string
	ISPB     string
	Status   AccountStatus
}

// Check refuses a key that is not spelled canonically, and a holder that cannot be.
func (e DirectoryEntry) Check() error {
	switch {
	case !IsDirectoryKey(e.Key):
		return Refuse(CodeValidation, fmt.Sprintf("pixKey must be spelled canonically, in lower case: %s; got %q", DirectoryKeyForm, e.Key))
	case !IsDocument(e.Document):
		return Refuse(CodeValidation, fmt.Sprintf("document must be %s, got %q", DocumentForm, e.Document))
	case !IsISPB(e.ISPB):
		return Refuse(CodeValidation, fmt.Sprintf("ispb must have 8 digits, got %q", e.ISPB))
	case !e.Status.Valid():
		return Refuse(CodeValidation, fmt.Sprintf("accountStatus must be ACTIVE, BLOCKED or CLOSED, got %q", e.Status))
	}
	return nil
}

// Settle is what the settling bank makes of a pending payment. A sandbox scenario
// decides first. A document with wrong check digits is never accepted; where none was
// given there is none to compare. Beyond that the directory decides where it knows the
// key (holder is not nil); a key that it does not know is confirmed, since a cash-out
// looks nothing up.
func Settle(p Payment, holder *DirectoryEntry) Result {
	if result, ok := p.Scenario.Result(); ok {
		return result
	}
	switch document := p.Counterpart.Document; {
	case document != "" && !ValidDocument(document):
		return Rejected(InvalidTaxID)
	case holder == nil:
		return Result{Status: Confirmed}
	case document != "" && holder.Document != document:
		return Rejected(TaxIDMismatch)
	case holder.Status == AccountBlocked:
		return Rejected(BlockedAccount)
	case holder.Status == AccountShut:
		return Rejected(AccountClosed)
	}
	return Result{Status: Confirmed}
}

// NewUUID makes a random UUID (version 4).
func NewUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return uuid(b, 4)
}

// newTransactionID makes a UUID that starts with the time (version 7), so that an index of
// many grows at its end.
func newTransactionID() string {
	var b [16]byte
	rand.Read(b[6:])
	now := time.Now().UnixMilli()
	for i := range 6 {
		b[i] = byte(now >> (40 - 8*i))
	}
	return uuid(b, 7)
}

func uuid(b [16]byte, version byte) string {
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	digits := hex.EncodeToString(b[:])
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}
