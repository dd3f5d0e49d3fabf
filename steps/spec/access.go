package spec

import (
	"net/http"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/target"
)

// The states of a token. One that the gateway did not issue, or that was altered, is Unmade.
const (
	Issued api.State = "issued"
	Void   api.State = "void" // its account was removed
)

// HasRichErrors reports whether the errors of an operation have envelope A (Errors); those of the Central Bank's endpoints,
// the balances and the MED list have the simple one.
func HasRichErrors(op *api.Operation) bool {
	return op.ID == api.Token || op.Family == target.Public || op.Family == target.Webhooks
}

// access is a row of how a request is answered because of its token, before anything else counts (Authentication).
type access struct {
	token    States
	statuses []int // none if the token is accepted
	by       string
}

var accesses = []access{
	{Any(Issued), nil, "AUTH-002 TOK-022 TOK-023"},
	{Any(Expired), []int{http.StatusUnauthorized}, "TOK-024"},
	{Any(Void), []int{http.StatusUnauthorized, http.StatusNotFound}, "WHK-041 WHK-059"},
	{none, []int{http.StatusUnauthorized}, "AUTH-003 AUTH-004 AUTH-005 AUTH-006"},
}

// Access are the statuses with which a request may be rejected because of its token, and whether the token may be accepted.
func Access(token States) (statuses []int, accepted bool) {
	for _, row := range accesses {
		if token.Overlaps(row.token) {
			statuses, accepted = append(statuses, row.statuses...), accepted || row.statuses == nil
		}
	}
	return statuses, accepted
}
