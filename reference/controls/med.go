package controls

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
)

// openMED has another bank open a case against the account.
func (c *controls) openMED(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		EndToEnd    string        `json:"endToEnd"`
		Reason      pix.MEDReason `json:"reason"`
		Cause       string        `json:"cause"`
		Description string        `json:"description"`
	}](w, r)
	if err != nil {
		return err
	}
	med, err := c.Store.OpenMED(r.Context(), id, pix.MEDClaim{
		EndToEndID: body.EndToEnd, Reason: body.Reason, Cause: body.Cause, Description: body.Description,
	})
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, med.View())
}

// moveMED takes a case to its next state.
func (c *controls) moveMED(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	medID, err := strconv.ParseInt(chi.URLParam(r, "med"), 10, 64)
	if err != nil {
		return &failure{http.StatusNotFound, "no such case: " + chi.URLParam(r, "med")}
	}
	body, err := read[struct {
		Status  pix.MEDStatus `json:"status"`
		Result  pix.MEDResult `json:"analysisResult"`
		Details string        `json:"analysisDetails"`
	}](w, r)
	if err != nil {
		return err
	}
	med, err := c.Store.MoveMED(r.Context(), id, medID, pix.MEDMove{Status: body.Status, Result: body.Result, Details: body.Details})
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, med.View())
}
