package pix

import "time"

// NewReceipt is what an account receives when another account of the gateway pays to its key. Like a paid cob it
// has a RECEIVE event, without a txid. The caller gives the payment its numeric id.
func NewReceipt(to, from Account, sent Payment, at time.Time) Payment {
	return Payment{
		Kind:          KindCob,
		TransactionID: newTransactionID(),
		AccountID:     to.ID,
		EndToEndID:    sent.EndToEndID,
		Status:        Confirmed,
		Amount:        sent.Amount,
		Fee:           min(to.Fees.CashIn, sent.Amount),
		Description:   sent.Description,
		Key:           to.PixKey,
		Counterpart:   from.AsCounterpart(),
		CreatedAt:     at,
		ProcessedAt:   at,
	}
}
