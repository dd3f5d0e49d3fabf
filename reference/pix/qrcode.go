package pix

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// QRCodeOrder is what a client asks for with POST /api/pix/cash-out-qrcode.
//
// An order is judged in this sequence, and the first fault decides:
//
//  1. the amount, then the code, which the order shows by itself (Check);
//  2. the amount that the code asks for, which must be the order's (Check);
//  3. the PIX provider, which must work;
//  4. what a CashOutOrder is judged by from its externalId on.
//
// The code of another account's charge pays that charge when the payment settles. One of
// the account's own charges is paid like any other: the payment leaves the account, and
// the charge stays as it is.
type QRCodeOrder struct {
	Amount      Centavos
	Text        string // of the code
	ExternalID  string
	Description string
	Name        string // of the payee; may be empty
	Document    string // CPF or CNPJ of the payee, digits only; may be empty
	Scenario    Scenario
}

// Check judges what the order shows by itself and gives what its code says: the amount
// (CodeInvalidAmount), the code (CodeInvalidQRCode), whether both agree
// (CodeQRCodeMismatch). Lengths and required fields are the wire contract's.
func (o QRCodeOrder) Check() (BRCode, error) {
	if err := checkPayable(CodeInvalidAmount, "value", o.Amount); err != nil {
		return BRCode{}, err
	}
	code, err := ParseBRCode(o.Text)
	if err != nil {
		return BRCode{}, Refuse(CodeInvalidQRCode, "qrCode must be a BR Code: "+err.Error())
	}
	if code.Amount != 0 && code.Amount != o.Amount {
		return BRCode{}, Refuse(CodeQRCodeMismatch, fmt.Sprintf("value must be %s, the amount of the code, got %s", code.Amount, o.Amount))
	}
	return code, nil
}

// NewQRCodeCashOut makes the pending payment of an order that was checked. It goes to
// the key of the code or, where the code only names a charge, to that address. The
// caller gives it its numeric id.
func NewQRCodeCashOut(accountID int64, o QRCodeOrder, code BRCode, fee Centavos, at time.Time) Payment {
	destination := cmp.Or(code.Key, code.URL)
	return Payment{
		Kind:          KindQRCodeCashOut,
		TransactionID: newTransactionID(),
		AccountID:     accountID,
		ExternalID:    o.ExternalID,
		EndToEndID:    EndToEndID(Home.ISPB, at),
		Status:        Pending,
		Amount:        o.Amount,
		Fee:           fee,
		Description:   o.Description,
		Key:           destination,
		Counterpart: Counterpart{
			Name:     cmp.Or(o.Name, code.Name),
			Document: o.Document,
			ISPB:     institutionOfKey(destination).ISPB,
		},
		Scenario:  o.Scenario,
		CreatedAt: at,
	}
}

// DirectoryKey is the key of the code as the directory spells it, empty where it names
// a charge.
func (c BRCode) DirectoryKey() string { return strings.ToLower(c.Key) }
