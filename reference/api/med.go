package api

import (
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// maxMEDs is the largest page of the MED list ("Limits": MED pageSize).
const maxMEDs = 100

// medMetadata says which part of the list a page is.
type medMetadata struct {
	Total      int `json:"total"`
	Page       int `json:"page"`
	PageSize   int `json:"pageSize"`
	TotalPages int `json:"totalPages"`
}

// listMeds is GET /api/med. Its period is that of createdAt, and may be of any length.
func (a *api) listMeds(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	q := readQuery(r)
	filter := store.MEDFilter{
		Status:     oneOf(q, "status", pix.MEDStatuses()...),
		Reconciled: q.boolean("isReconciled"),
	}
	start, end := q.period()
	page, size := q.page("pageSize", maxMEDs)
	if err := q.check(); err != nil {
		return err
	}
	var err error
	if filter.Created, err = pix.OpenPeriod(start, end); err != nil {
		return err
	}
	meds, total, err := a.store.MEDs(r.Context(), account.ID, filter, page, size)
	if err != nil {
		return err
	}
	items := make([]pix.MEDView, len(meds))
	for i, med := range meds {
		items[i] = med.View()
	}
	writeJSON(w, http.StatusOK, struct {
		Data     []pix.MEDView `json:"data"`
		Metadata medMetadata   `json:"metadata"`
	}{items, medMetadata{total, page, size, (total + size - 1) / size}})
	return nil
}
