package controls

import (
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// setSettlement says who settles the account's payments. Turning to automatic settles
// what is pending before the call answers.
func (c *controls) setSettlement(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		Mode store.SettlementMode `json:"mode"`
	}](w, r)
	if err != nil {
		return err
	}
	if body.Mode != store.Automatic && body.Mode != store.Manual {
		return senseless("mode must be automatic or manual, got %q", body.Mode)
	}
	if _, err := c.Store.Configure(r.Context(), id, func(s *store.Settings) { s.Settlement = body.Mode }); err != nil {
		return err
	}
	if body.Mode == store.Automatic {
		if err := c.RunDue(r.Context(), id); err != nil {
			return err
		}
	}
	return done(w)
}

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
	case body.TransferID != nil:
		return &failure{http.StatusNotImplemented, "id names a transfer, and this gateway has none: send transactionId"}
	case body.TransactionID == "":
		return senseless("transactionId is required")
	}
	_, err = c.Store.Settle(r.Context(), id, body.TransactionID,
		pix.Result{Status: body.Outcome, Code: body.ErrorCode, Message: body.ErrorMessage})
	if err != nil {
		return err
	}
	return done(w)
}
