package pix

import (
	"fmt"
	"time"
)

// NewReturn makes the confirmed payment by which the payee of an original gives money
// back. The original must have left the account and be confirmed; returned is what came
// back of it already. All returns together are at most the original's amount, else a
// Refusal with CodeValidation. The caller gives the payment its numeric id.
func NewReturn(original Payment, amount, returned Centavos, at time.Time) (Payment, error) {
	if left := original.Amount - returned; amount < MinAmount || amount > left {
		return Payment{}, Refuse(CodeValidation, fmt.Sprintf("amount must be from %s to %s, which is left to return, got %s", MinAmount, left, amount))
	}
	return Payment{
		Kind:          KindRefundOut,
		TransactionID: newTransactionID(),
		AccountID:     original.AccountID,
		ParentID:      original.ID,
		EndToEndID:    ReturnID(original.Counterpart.ISPB, at),
		Status:        Confirmed,
		Amount:        amount,
		Description:   original.Description,
		KeyType:       original.KeyType,
		Key:           original.Key,
		Counterpart:   original.Counterpart,
		CreatedAt:     at,
		ProcessedAt:   at,
	}, nil
}
