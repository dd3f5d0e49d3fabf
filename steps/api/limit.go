package api

import (
	"cmp"
	"slices"
	"time"
)

// Limits.
const (
	EndToEndIDLength  = 32
	LeastTxID         = 26
	MostTxID          = 35
	MostRefundID      = 35
	MostDescription   = 140 // characters
	MostName          = 100
	MostURLs          = 3  // that are active for a type of event
	RequestsPerMinute = 60 // resends; of MED lists, the limit is not shown
)

// List is what the specification states of a list (Endpoints 9 to 11).
type List struct {
	Size        string // the query parameter for the size of a page
	MostPerPage int
	MostInTotal int           // 0 for any number
	Since       time.Duration // how far it goes back by default; 0 if that is not shown
	Filters     []string
}

// What lists return by default, and what all of them return at most.
const (
	DefaultPageSize = 20
	FullPageSize    = 100
)

// Lists are the lists by the id of the operation.
var Lists = map[string]List{
	"listMeds":              {"pageSize", FullPageSize, 0, 0, []string{"status", "isReconciled", "startDate", "endDate"}},
	"listTransactions":      {"size", FullPageSize, 0, SinceByDefault, []string{"status", "type", "externalId", "endToEndId", "startDate", "endDate"}},
	"listTransactionsByKey": {"size", 1000, 1000, SinceByKey, []string{"status", "type", "startDate", "endDate"}},
}

// How far lists of transactions go back by default.
const (
	SinceByDefault = 31 * day
	SinceByKey     = 30 * day
)

// SizeParameter is the query parameter for the page size of a list.
func (op *Operation) SizeParameter() string { return cmp.Or(Lists[op.ID].Size, "size") }

// FilterValues are all values of a filter of a list, if it has only some; otherwise none.
func (op *Operation) FilterValues(filter string) []string {
	switch {
	case !slices.Contains(Lists[op.ID].Filters, filter):
		return nil
	case filter == "isReconciled":
		return []string{"true", "false"}
	case filter == "type":
		return Spelled(TransactionTypes...)
	case filter == "status" && op.ID == "listMeds":
		return Spelled(CaseStates.All()...)
	case filter == "status":
		return Spelled(PaymentStates.All()...)
	}
	return nil
}
