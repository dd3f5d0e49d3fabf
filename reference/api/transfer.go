package api

import (
	"cmp"
	"net/http"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

const idempotencyHeader = "x-idempotency-key"

// transferAnswer is the resource "Transfer".
type transferAnswer struct {
	EndToEndID string           `json:"endToEndId"`
	EventDate  string           `json:"eventDate"`
	ID         int64            `json:"id"`
	Payment    transferAmount   `json:"payment"`
	Type       pix.TransferType `json:"type"`
}

type transferAmount struct {
	Currency string       `json:"currency"`
	Amount   pix.Centavos `json:"amount"`
}

// transfer is POST /dict/pix. The request is checked against the wire contract; the
// sequence of what follows stands at pix.TransferOrder. A repeat is answered like the
// first request, with what has become of the transfer since.
func (a *api) transfer(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	keys := r.Header.Values(idempotencyHeader)
	if len(keys) != 1 {
		return failure(http.StatusBadRequest, "expected one header "+idempotencyHeader+" with a UUID v4")
	}
	body, err := a.open(w, r, "transfer")
	if err != nil {
		return err
	}
	order := readTransfer(body)
	order.IdempotencyKey = keys[0]
	if err := body.refusal(); err != nil {
		return err
	}
	transfer, err := a.store.Transfer(r.Context(), account.ID, order)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, transferAnswer{
		EndToEndID: transfer.EndToEndID,
		EventDate:  pix.Timestamp(transfer.CreatedAt),
		ID:         transfer.ID,
		Payment:    transferAmount{transfer.Currency, transfer.Amount},
		Type:       transfer.Type(),
	})
	return nil
}

func readTransfer(body form) pix.TransferOrder {
	payment := body.in("payment")
	return pix.TransferOrder{
		Key:              body.text("pixKey"),
		CreditorDocument: body.text("creditorDocument"),
		Priority:         pix.Priority(cmp.Or(body.text("priority"), string(pix.PriorityNormal))),
		Description:      body.text("description"),
		Flow:             body.text("paymentFlow"),
		Currency:         cmp.Or(payment.text("currency"), pix.Currency),
		Amount:           payment.amount("amount"),
		Expiration:       time.Duration(body.whole("expiration", int64(pix.DefaultExpiration/time.Second))) * time.Second,
		Denied:           body.texts("ispbDeny"),
	}
}
