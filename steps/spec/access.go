package spec

import (
	"net/http"
	"slices"

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

// Flaw is why no token is issued for a certificate.
type Flaw string

// The flaws.
const (
	NoCertificate Flaw = "a request without a certificate"
	NotYetValid   Flaw = "a not yet valid certificate"
	PastItsEnd    Flaw = "an expired certificate"
	Unregistered  Flaw = "a certificate that was never registered"
	Revoked       Flaw = "a revoked certificate"
	OfAnother     Flaw = "another account's certificate"
)

// flaws are the codes with which a token request is rejected for its certificate (Certificate validation, 1 to 5).
var flaws = []struct {
	flaw Flaw
	code api.Code
	by   string
}{
	{NoCertificate, api.CertHeaderMissing, "TOK-003"},
	{NotYetValid, api.CertNotYetValid, "TOK-028 TOK-041 TOK-042"},
	{PastItsEnd, api.CertExpired, "TOK-028 TOK-043 TOK-044"},
	{Unregistered, api.CertNotRegistered, "TOK-029 TOK-045 TOK-046"},
	{Revoked, api.CertNotRegistered, "TOK-032 TOK-033"},
	{OfAnother, api.CertNotAuthorized, "TOK-031 TOK-051 TOK-052"},
}

// FlawsOf are those of a kind of certificate: "an expired".
func FlawsOf(kind string) (all []Flaw) {
	for _, row := range flaws {
		if string(row.flaw) == kind+" certificate" {
			all = append(all, row.flaw)
		}
	}
	return all
}

// RejectedFor are the codes with which a token request is rejected whose certificate has some flaws, each of which may be
// the reason; none if it is accepted. TOK-051 is about a valid certificate: one of another account that is not may count as
// not registered.
func RejectedFor(all ...Flaw) (codes []api.Code) {
	add := func(code api.Code) {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	for _, flaw := range all {
		for _, row := range flaws {
			if row.flaw == flaw {
				add(row.code)
			}
		}
	}
	if len(all) > 1 && slices.Contains(all, OfAnother) {
		add(api.CertNotRegistered)
	}
	return codes
}
