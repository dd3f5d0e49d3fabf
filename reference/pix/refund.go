package pix

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// RefundOrder is what a client asks for with PUT /pix/{e2eid}/devolucao/{id}: to give a
// PIX that it received back, or a part of it.
//
// An order is judged in this sequence, and the first fault decides:
//
//  1. what the order shows by itself (Check);
//  2. the original, which must be a PIX that the account received;
//  3. the id: a repeat of the same order is the same refund, one of another order is
//     refused (Refund.Repeats);
//  4. the deadline, then what is left to refund (CheckAgainst);
//  5. the balance, which must cover the amount.
//
// So an order whose answer was lost can be repeated for ever.
type RefundOrder struct {
	EndToEndID  string // of the original
	ID          string // the client's own, unique for the original
	Amount      Centavos
	Nature      RefundNature
	Description string // message to the payer
}

// RefundNature is what a refund gives back (natureza).
type RefundNature string

// The natures of a refund.
const (
	NatureOriginal       RefundNature = "ORIGINAL" // of an ordinary PIX, or the purchase of a change PIX
	NatureWithdrawal     RefundNature = "RETIRADA" // of a withdrawal, or the change of a change PIX
	NatureMEDOperational RefundNature = "MED_OPERACIONAL"
	NatureMEDFraud       RefundNature = "MED_FRAUDE"
)

// requestable natures are those that a client may ask for; the others appear only in
// answers (Refund, rule 3).
var requestable = []RefundNature{NatureOriginal, NatureWithdrawal}

// Bounds of a refund ("Limits").
const (
	maxRefundID    = 35
	refundDeadline = 89 * 24 * time.Hour // after receipt, to the instant
)

// Check judges what the order shows by itself. A fault is a Refusal with
// CodeValidation.
func (o RefundOrder) Check() error {
	switch {
	case !IsEndToEndID(o.EndToEndID):
		return Refuse(CodeValidation, fmt.Sprintf("e2eid must be exactly 32 letters and digits, got %q", o.EndToEndID))
	case !isRefundID(o.ID):
		return Refuse(CodeValidation, fmt.Sprintf("id must be 1 to %d characters without control characters, got %q", maxRefundID, o.ID))
	case !o.Amount.Payable():
		return checkPayable(CodeValidation, "valor", o.Amount)
	case !slices.Contains(requestable, o.Nature):
		return Refuse(CodeValidation, fmt.Sprintf("natureza must be one of %s, got %q", listOf(requestable), o.Nature))
	}
	return nil
}

// isRefundID reports whether s can be the id of a refund. The specification states the length only.
func isRefundID(s string) bool {
	n := utf8.RuneCountInString(s)
	return n > 0 && n <= maxRefundID && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// CheckAgainst judges an order for that original, of which so much is refunded already,
// by the account's time: the deadline (Refund, rule 2), then what is left (rule 1).
func (o RefundOrder) CheckAgainst(original Payment, refunded Centavos, at time.Time) error {
	if deadline := original.ProcessedAt.Add(refundDeadline); at.After(deadline) {
		return Refuse(CodeValidation, "the refund had to be requested until "+Timestamp(deadline)).WithNature(Unprocessable)
	}
	if left := original.Amount - refunded; o.Amount > left {
		return Refuse(CodeValidation, fmt.Sprintf("valor must be at most %s, which is left to refund, got %s", left, o.Amount))
	}
	return nil
}

// Refund is a refund of a received PIX (devolução). Its money is moved by a payment of
// the kind KindRefundIn, which is pending as long as the refund is in process.
type Refund struct {
	PaymentID   int64  // of the payment that moves its money
	ParentID    int64  // of the original
	ID          string // the client's own
	RtrID       string // 32 characters, beginning with D
	Amount      Centavos
	Nature      RefundNature
	Description string

	Status      RefundStatus
	Reason      string    // why the status is as it is (motivo); may be empty
	RequestedAt time.Time // by the account's clock
	SettledAt   time.Time // likewise; zero while in process
}

// NewRefund makes the refund of an order that was checked and the pending payment that
// moves its money. The caller gives the payment its numeric id, and the refund the same.
func NewRefund(original Payment, o RefundOrder, at time.Time) (Refund, Payment) {
	r := Refund{
		ParentID:    original.ID,
		ID:          o.ID,
		RtrID:       ReturnID(Home.ISPB, at),
		Amount:      o.Amount,
		Nature:      o.Nature,
		Description: o.Description,
		Status:      RefundInProcess,
		RequestedAt: at,
	}
	return r, Payment{
		TransactionID: newTransactionID(),
		AccountID:     original.AccountID,
		Kind:          KindRefundIn,
		ParentID:      original.ID,
		ExternalID:    o.ID,
		EndToEndID:    r.RtrID,
		Status:        Pending,
		Amount:        o.Amount,
		Description:   o.Description,
		KeyType:       original.KeyType,
		Key:           original.Key, // where the original was received
		Counterpart:   original.Counterpart,
		CreatedAt:     at,
	}
}

// Repeats says whether an order with the refund's id is the one that the refund was
// made of.
func (r Refund) Repeats(o RefundOrder) bool {
	return r.Amount == o.Amount && r.Nature == o.Nature && r.Description == o.Description
}

// RefundStatus is the state of a refund.
type RefundStatus string

// The states of a refund.
const (
	RefundInProcess RefundStatus = "EM_PROCESSAMENTO"
	Returned        RefundStatus = "DEVOLVIDO"
	NotReturned     RefundStatus = "NAO_REALIZADO" // its value is left to refund again
)

// refundTransitions is the table "Refund" of the specification.
var refundTransitions = map[RefundStatus][]RefundStatus{
	RefundInProcess: {Returned, NotReturned},
	Returned:        {},
	NotReturned:     {},
}

// CanBecome says whether a refund may go from s to next.
func (s RefundStatus) CanBecome(next RefundStatus) bool {
	return slices.Contains(refundTransitions[s], next)
}

// RefundResult is what becomes of a refund in process.
type RefundResult struct {
	Status RefundStatus
	Reason string // may be empty
}

// Check says what is wrong with a result that somebody chose: a Refusal with
// CodeValidation, or nil.
func (r RefundResult) Check() error {
	if !RefundInProcess.CanBecome(r.Status) {
		return Refuse(CodeValidation, fmt.Sprintf("status must be %s, got %q", listOf(refundTransitions[RefundInProcess]), r.Status))
	}
	return nil
}

// OfPayment is what becomes of the payment that moves the refund's money.
func (r RefundResult) OfPayment() Result {
	if r.Status == Returned {
		return Result{Status: Confirmed}
	}
	return Result{Status: Error, Code: OrderRejected, Message: r.Reason}
}

// Finish is the refund once it has that result. The result must be one that the
// refund's status can become.
func (r Refund) Finish(result RefundResult, at time.Time) Refund {
	r.Status, r.Reason, r.SettledAt = result.Status, result.Reason, at
	return r
}

// RefundView is the resource "Refund (devolucao)".
type RefundView struct {
	ID          string       `json:"id"`
	RtrID       string       `json:"rtrId"`
	Amount      string       `json:"valor"` // with two decimals
	Nature      RefundNature `json:"natureza"`
	Description string       `json:"descricao,omitempty"`
	Times       struct {
		Requested string `json:"solicitacao"`
		Settled   string `json:"liquidacao,omitempty"`
	} `json:"horario"`
	Status RefundStatus `json:"status"`
	Reason string       `json:"motivo,omitempty"`
}

// View shows the refund as the API does.
func (r Refund) View() RefundView {
	v := RefundView{
		ID:          r.ID,
		RtrID:       r.RtrID,
		Amount:      r.Amount.String(),
		Nature:      r.Nature,
		Description: r.Description,
		Status:      r.Status,
		Reason:      r.Reason,
	}
	v.Times.Requested = Timestamp(r.RequestedAt)
	if r.Status == Returned {
		v.Times.Settled = Timestamp(r.SettledAt)
	}
	return v
}
