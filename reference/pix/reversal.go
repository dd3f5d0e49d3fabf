package pix

// RefundPayload is the event of a confirmed refund: the envelope REFUND for an original
// of the Central-Bank family, a reversal for one of the public family.
func RefundPayload(refund, original Payment) any {
	switch original.Kind {
	case KindCob, KindTransfer:
		return NewRefundEvent(refund, original)
	}
	return NewReversal(refund, original)
}

// RefundEvent is the V2 envelope REFUND: what became of a PIX of the Central-Bank family
// of which something was given back.
type RefundEvent struct {
	Type string          `json:"type"`
	Data RefundEventData `json:"data"`
}

// RefundEventData tells of the original and, in refunds, of what was given back. Note
// that one amount is a string and the other a number.
type RefundEventData struct {
	ID              int64         `json:"id"`
	TxID            *string       `json:"txId"` // of the charge; null when the original paid none
	Status          string        `json:"status"`
	Payment         TextAmount    `json:"payment"`
	EndToEndID      string        `json:"endToEndId"`
	CreditDebitType Movement      `json:"creditDebitType"` // which way the refund went
	Refunds         []EventRefund `json:"refunds"`
}

// EventRefund is a refund within the envelope REFUND.
type EventRefund struct {
	Status      string       `json:"status"`
	Payment     NumberAmount `json:"payment"`
	EndToEndID  string       `json:"endToEndId"` // the refund's own id
	EventDate   string       `json:"eventDate"`
	Information string       `json:"information"`
}

// NumberAmount is an amount as refunds of the V2 envelope write it.
type NumberAmount struct {
	Amount   Centavos `json:"amount"`
	Currency string   `json:"currency"`
}

// NewRefundEvent tells of a confirmed refund, given (KindRefundIn) or received (KindRefundOut),
// of a PIX of the Central-Bank family.
func NewRefundEvent(refund, original Payment) RefundEvent {
	data := RefundEventData{
		ID:              original.ID,
		Status:          "REFUNDED",
		Payment:         TextAmount{original.Amount.String(), Currency},
		EndToEndID:      original.EndToEndID,
		CreditDebitType: refund.Kind.Movement(),
		Refunds: []EventRefund{{
			Status:      "LIQUIDATED",
			Payment:     NumberAmount{refund.Amount, Currency},
			EndToEndID:  refund.EndToEndID,
			EventDate:   Timestamp(refund.ProcessedAt),
			Information: refund.Description,
		}},
	}
	if original.Kind == KindCob && original.ExternalID != "" {
		data.TxID = &original.ExternalID
	}
	return RefundEvent{Type: "REFUND", Data: data}
}

// Reversal tells of a refund of a PIX of the public family: the flat payload of a
// cash-out with the original beside it.
type Reversal struct {
	CashOutResult
	ParentTransaction ParentTransaction `json:"parentTransaction"`
}

// ParentTransaction names the original of a refund.
type ParentTransaction struct {
	TransactionID string `json:"transactionId"`
	ExternalID    string `json:"externalId"`
	EndToEndID    string `json:"endToEndId"`
}

// NewReversal tells of a confirmed refund: CashInReversal when it was given (KindRefundIn),
// CashOutReversal when it was received (KindRefundOut).
func NewReversal(refund, original Payment) Reversal {
	r := Reversal{
		CashOutResult:     NewCashOutResult(refund),
		ParentTransaction: ParentTransaction{original.TransactionID, original.ExternalID, original.EndToEndID},
	}
	r.Event = "CashInReversal"
	if refund.Kind == KindRefundOut {
		r.Event = "CashOutReversal"
	}
	return r
}
