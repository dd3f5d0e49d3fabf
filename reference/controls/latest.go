package controls

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// showLatest shows what another control can act on: the newest, or the one with the id in the query.
// It is not part of the protocol; `pixcert trigger` uses it.
func (c *controls) showLatest(w http.ResponseWriter, r *http.Request) error {
	account, err := accountID(r)
	if err != nil {
		return err
	}
	found, err := c.Store.Latest(r.Context(), account, chi.URLParam(r, "what"), r.URL.Query().Get("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, struct {
		Kind          string `json:"kind"`
		ID            int64  `json:"id"`
		TransactionID string `json:"transactionId,omitempty"`
		ExternalID    string `json:"externalId,omitempty"`
		EndToEndID    string `json:"endToEndId,omitempty"`
		Amount        string `json:"amount"`
		PixCode       string `json:"pixCode,omitempty"`
		TxID          string `json:"txid,omitempty"`
		RtrID         string `json:"rtrId,omitempty"`
	}{
		found.Kind, found.ID, found.TransactionID, found.ExternalID, found.EndToEndID,
		found.Amount.String(), found.PixCode, found.TxID, found.RtrID,
	})
}
