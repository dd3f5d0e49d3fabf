package spec

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
)

// rejection is a row of how an operation rejects an order for a reason.
type rejection struct {
	operation string // its id
	reason    Answer // AnyReason if the status and the code do not tell it
	statuses  []int
	code      api.Code // empty if it is not shown
	by        string
}

var rejections = []rejection{
	{"cashOut", Insufficient, []int{400}, api.InsufficientBalance, "OUT-062 OUT-078 OUT-079"},
	{"cashOut", Duplicate, []int{400}, api.DuplicateExternalID, "OUT-063 OUT-064 OUT-065"},
	{"cashOut", OverTransaction, []int{400}, api.AboveTransaction, "OUT-080 OUT-081"},
	{"cashOut", OverDaily, []int{400}, api.AboveDaily, "OUT-083 OUT-084"},
	{"cashOut", OverNight, []int{400}, api.AboveNight, "OUT-086 OUT-087"},
	{"cashOutQRCode", Insufficient, []int{400}, "", "OQR-038"},
	{"cashOutQRCode", Duplicate, []int{409}, "", "OQR-022 OQR-023"},
	{"transfer", Insufficient, []int{422}, "", "DICT-045"},
	{"transfer", AnyReason, []int{400}, "", "DICT-047"},
	{"cashIn", Duplicate, []int{400, 409}, "", "IN-016"},
	{"cob", Duplicate, []int{409}, "", "COB-009 COB-010"},
	{"refund", AnyReason, []int{400}, "", "DEV-040 DEV-041"},
	{"refund", AnyReason, []int{422}, "", "DEV-044"},
}

// RejectedAs are the statuses with which an operation rejects an order for a reason, and the code; empty if it is not shown.
func RejectedAs(op *api.Operation, reason Answer) (statuses []int, code api.Code) {
	for _, row := range rejections {
		if row.operation == op.ID && row.reason == reason {
			statuses, code = append(statuses, row.statuses...), row.code
		}
	}
	return statuses, code
}

// ReasonOf is the reason for which an operation rejects an order, by the status and the code of the response.
func ReasonOf(op *api.Operation, status int, code api.Code) Answer {
	reason := NoReason
	for _, row := range rejections {
		switch {
		case row.operation != op.ID || !slices.Contains(row.statuses, status):
		case row.code != "" && row.code == code:
			return row.reason
		default:
			reason = AnyReason
		}
	}
	return reason
}
