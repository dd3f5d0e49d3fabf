package controls

import (
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
)

// setMode says who ends what is pending of an account. Turning to automatic ends it
// before the call answers.
func (c *controls) setMode(of func(*pix.Settings) *pix.Mode) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := accountID(r)
		if err != nil {
			return err
		}
		body, err := read[struct {
			Mode pix.Mode `json:"mode"`
		}](w, r)
		if err != nil {
			return err
		}
		if body.Mode != pix.Automatic && body.Mode != pix.Manual {
			return badRequest("mode must be automatic or manual, got %q", body.Mode)
		}
		if _, err := c.Store.Configure(r.Context(), id, func(s *pix.Settings) { *of(s) = body.Mode }); err != nil {
			return err
		}
		if body.Mode == pix.Automatic {
			if err := c.RunDue(r.Context(), id); err != nil {
				return err
			}
		}
		return done(w)
	}
}

func ofSettlement(s *pix.Settings) *pix.Mode { return &s.Settlement }
func ofRefunds(s *pix.Settings) *pix.Mode    { return &s.Refunds }

// settle gives a pending payment its outcome, as the settling bank would.
func (c *controls) settle(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		TransactionID string        `json:"transactionId"`
		TransferID    *int64        `json:"id"`
		Outcome       pix.Status    `json:"outcome"`
		ErrorCode     pix.ErrorCode `json:"errorCode"`
		ErrorMessage  string        `json:"errorMessage"`
	}](w, r)
	switch {
	case err != nil:
		return err
	case (body.TransferID != nil) == (body.TransactionID != ""):
		return badRequest("expected either transactionId or id, of a transfer")
	}
	result := pix.Result{Status: body.Outcome, Code: body.ErrorCode, Message: body.ErrorMessage}
	if body.TransferID != nil {
		_, err = c.Store.SettleTransfer(r.Context(), id, *body.TransferID, result)
	} else {
		_, err = c.Store.Settle(r.Context(), id, body.TransactionID, result)
	}
	if err != nil {
		return err
	}
	return done(w)
}

// returnPayment has the payee of a payment return money: a refund received.
func (c *controls) returnPayment(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		EndToEndID string  `json:"endToEndId"`
		Amount     *amount `json:"amount"`
	}](w, r)
	switch {
	case err != nil:
		return err
	case body.Amount == nil:
		return badRequest("amount is required")
	}
	payment, err := c.Store.Return(r.Context(), id, body.EndToEndID, *body.Amount.centavos())
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, struct {
		EndToEndID    string `json:"endToEndId"`
		TransactionID string `json:"transactionId"`
	}{payment.EndToEndID, payment.TransactionID})
}
