package spec

import "strings"

// The machine counts: a state knows which rows of the lifecycle surely applied on the way to it. A row that no scenario and
// no walk reaches is dead, or a scenario is missing, except for these:
//   - Those of tokens, which records mask. Only the scenarios of the features are held against them (access_test.go).
//   - Those from OPEN of a MED case, unless a bank has moved it back there: a new one may be RECEIVED already.
//   - Those by which a bank decides a refund or a case by itself: no event says that it has, or which of them was the first state.
//   - Those that only a gateway shows that goes on after an end, as by "finality of a payment" and "MED case APPROVED, then REJECTED".

// rowsOf are the rows by which something happens to a thing whose state is known, and leads to some states; a bit for each.
func rowsOf(t Thing, what Happening, to States) (rows uint64) {
	for i, row := range transitions {
		if row.kind == t.Kind && row.what == what && t.May == Any(row.from) && row.to == to {
			rows |= 1 << i
		}
	}
	return rows
}

// Row is a row of the lifecycle in words.
type Row struct {
	Kind        Kind
	From        string
	What        Happening
	To          string
	By          string // statements
	Open        string // or the open point
	WasObserved bool
}

func (r Row) String() string {
	why := r.By
	if why == "" {
		why = "left open: " + r.Open
	}
	return strings.Join([]string{string(r.Kind), r.From, string(r.What), r.To, why}, " | ")
}

// Rows are the rows of the lifecycle, with those observed that surely applied on the way to a state.
func (s State) Rows() (all []Row) {
	for i, row := range transitions {
		all = append(all, Row{row.kind, string(row.from), row.what, row.to.String(), row.by, row.open, s.seen&(1<<i) != 0})
	}
	return all
}
