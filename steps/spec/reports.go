package spec

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
)

// report is a row of what events say: the states in which a thing may be for an event with a status.
type report struct {
	kinds  []Kind
	status api.State
	in     States
	by     string
	open   string
}

// reports are the statuses of events that need a cause (Events). What others report is open ("events of other statuses"). Of an event whose payload is not shown,
// its type says what it reports.
var reports = []report{
	{[]Kind{Payment}, api.Confirmed, Any(api.Confirmed), "OUT-074 EVT-088", ""},
	{[]Kind{Payment}, api.Failed, Any(api.Failed, Expired), "OUT-075 EVT-088", ""},
	{[]Kind{Transfer}, api.EventLiquidated, Any(api.Completed), "DICT-061", ""},
	{[]Kind{CashIn, Cob}, api.Confirmed, WasPaid, "IN-069", ""},
	{[]Kind{CashIn, Cob}, api.EventLiquidated, WasPaid, "COB-059 COB-068", ""},
	{[]Kind{CashIn, Cob}, api.EventRefunded, WasPaid, "DEV-052", ""},
	{[]Kind{Refund}, api.EventRefunded, Any(api.Processing, api.Refunded), "", "event of a refund in processing"},
	{[]Kind{Refund}, api.EventLiquidated, Any(api.Processing, api.Refunded), "", "event of a refund in processing"},
	{[]Kind{Refund}, api.Confirmed, Any(api.Processing, api.Refunded), "", "event of a refund in processing"},
	{[]Kind{Return}, api.TypeRefundOut, Any(api.Confirmed), "EVT-004", ""},
	{[]Kind{Case}, api.TypeMEDCreated, AnyOfCase, "EVT-005", ""},
	{[]Kind{Case}, api.TypeMEDAccepted, Any(Approved), "EVT-006", ""},
	{[]Kind{Case}, api.TypeMEDRejected, Any(Rejected), "EVT-007", ""},
	{[]Kind{Case}, api.TypeMEDRejected, Any(api.Cancelled), "", "MED case OPEN, then CANCELLED"},
}

// MayBeReported reports whether an event may say so of a thing.
func (t Thing) MayBeReported(status api.State) bool { return t.May.Overlaps(t.Kind.ReportedAs(status)) }

// ReportedAs are the states in which an event may report a thing of the kind with a status.
func (k Kind) ReportedAs(status api.State) (in States) {
	for _, row := range reports {
		if row.status == status && slices.Contains(row.kinds, k) {
			in |= row.in
		}
	}
	if in == 0 {
		return ^in
	}
	return in
}
