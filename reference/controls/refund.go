package controls

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
)

// finishRefund gives a refund in process its result.
func (c *controls) finishRefund(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		Status pix.RefundStatus `json:"status"`
		Reason string           `json:"motivo"`
	}](w, r)
	if err != nil {
		return err
	}
	_, err = c.Store.FinishRefund(r.Context(), id, chi.URLParam(r, "rtrId"), pix.RefundResult{Status: body.Status, Reason: body.Reason})
	if err != nil {
		return err
	}
	return done(w)
}

// showRefund shows a refund as the API would, which has no read of it.
func (c *controls) showRefund(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	refund, err := c.Store.RefundByRtrID(r.Context(), id, chi.URLParam(r, "rtrId"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, refund.View())
}
