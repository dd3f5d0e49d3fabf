package pix

import (
	"cmp"
	"fmt"
	"time"
)

// CobOrder is what a client asks for with PUT /cob/{txid}, an immediate charge.
type CobOrder struct {
	TxID       string // unique for the account
	Life       time.Duration
	Debtor     Debtor
	Amount     Centavos
	Changeable bool   // the payer may pay another amount
	Key        string // of the receiver; empty: the account's own
	Message    string // to the payer (solicitacaoPagador)
	Info       []CobInfo
}

// Debtor is who should pay a cob (devedor), for information; at most one of its
// documents is given.
type Debtor struct {
	CPF  string `json:"cpf,omitempty"`
	CNPJ string `json:"cnpj,omitempty"`
	Name string `json:"nome,omitempty"`
}

// CobInfo is one line of infoAdicionais.
type CobInfo struct {
	Name  string `json:"nome"`
	Value string `json:"valor"`
}

// Bounds of a txid ("Limits").
const (
	minTxID = 26
	maxTxID = 35
)

// Check judges what the order shows by itself. A fault is a Refusal with CodeValidation.
func (o CobOrder) Check() error {
	switch _, isKey := DirectoryKey(o.Key); {
	case o.Key != "" && !isKey:
		return Refuse(CodeValidation, fmt.Sprintf("chave must be a PIX key: %s; got %q", DirectoryKeyForm, o.Key))
	case len(o.TxID) < minTxID || len(o.TxID) > maxTxID || !all(o.TxID, isAlphanumeric):
		return Refuse(CodeValidation, fmt.Sprintf("txid must be %d to %d letters and digits, got %q", minTxID, maxTxID, o.TxID))
	case o.Life < time.Second || o.Life > MaxChargeLife:
		return Refuse(CodeValidation, fmt.Sprintf("calendario.expiracao must be from 1 to %.0f, got %.0f", MaxChargeLife.Seconds(), o.Life.Seconds()))
	case !o.Amount.Payable():
		return checkPayable(CodeValidation, "valor.original", o.Amount)
	case o.Debtor.CPF != "" && o.Debtor.CNPJ != "":
		return Refuse(CodeValidation, "devedor must have cpf or cnpj, not both")
	}
	return nil
}

// NewCob takes an order that was checked. The caller gives the charge its numeric id.
func NewCob(to Account, o CobOrder, at time.Time) Charge {
	to.PixKey = cmp.Or(o.Key, to.PixKey)
	c := newCharge(KindCob, to, o.Amount, o.Life, at)
	c.TxID, c.Changeable = o.TxID, o.Changeable
	return c
}

// ReceiveEvent is the V2 envelope RECEIVE: a cob was paid.
type ReceiveEvent struct {
	Type string           `json:"type"`
	Data ReceiveEventData `json:"data"`
}

// ReceiveEventData tells of the payment; the debtor is who paid.
type ReceiveEventData struct {
	ID            int64         `json:"id"`
	TxID          *string       `json:"txId"` // null without a charge
	Status        string        `json:"status"`
	Payment       TextAmount    `json:"payment"`
	EndToEndID    string        `json:"endToEndId"`
	DebtorAccount DebtorAccount `json:"debtorAccount"`
}

// DebtorAccount is a payer as RECEIVE shows it.
type DebtorAccount struct {
	Name     string `json:"name"`
	Document string `json:"document"` // masked
}

// NewReceiveEvent tells of the payment of a cob, or of one without a charge.
func NewReceiveEvent(p Payment) ReceiveEvent {
	var txid *string
	if p.ExternalID != "" {
		txid = &p.ExternalID
	}
	return ReceiveEvent{Type: "RECEIVE", Data: ReceiveEventData{
		ID:            p.ID,
		TxID:          txid,
		Status:        "LIQUIDATED",
		Payment:       TextAmount{p.Amount.String(), Currency},
		EndToEndID:    p.EndToEndID,
		DebtorAccount: DebtorAccount{p.Counterpart.Name, MaskDocument(p.Counterpart.Document)},
	}}
}
