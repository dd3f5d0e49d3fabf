package api

import (
	"cmp"
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
)

// refund is PUT /pix/{e2eid}/devolucao/{id}. The body is checked against the wire
// contract; the sequence of what follows stands at pix.RefundOrder. A repeat is answered
// like the first request, with what has become of the refund since.
func (a *api) refund(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	body, err := a.open(w, r, "refund")
	if err != nil {
		return err
	}
	order := pix.RefundOrder{
		EndToEndID:  pathValue(r, "e2eid"),
		ID:          pathValue(r, "id"),
		Amount:      body.decimal("valor"),
		Nature:      pix.RefundNature(cmp.Or(body.text("natureza"), string(pix.NatureOriginal))),
		Description: body.text("descricao"),
	}
	if err := body.refusal(); err != nil {
		return err
	}
	refund, err := a.store.Refund(r.Context(), account.ID, order)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, refund.View())
	return nil
}
