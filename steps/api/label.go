package api

// Label is a text by which lists of transactions show a type or a status (Listed transaction).
type Label string

// TransactionType is a type of listed transaction, as filters spell it; empty if it is not known.
type TransactionType string

// The types.
const (
	PixIn     TransactionType = "PAYMENT"
	PixOut    TransactionType = "WITHDRAW"
	RefundIn  TransactionType = "REFUND_IN"
	RefundOut TransactionType = "REFUND_OUT"
)

// Movement is the direction in which money moves, as lists and events spell it.
type Movement string

// The directions.
const (
	Credit Movement = "CREDIT"
	Debit  Movement = "DEBIT"
)

// Listed is what lists show of one type of transaction.
type Listed struct {
	Type     TransactionType
	Label    Label
	Movement Movement
	Made     Made // what the account has made that leads to it; Nothing if it has made nothing
}

// Transactions are the types of transactions, in the order of the specification.
var Transactions = []Listed{
	{PixIn, "Pix in", Credit, Charge},
	{PixOut, "Pix out", Debit, Payment},
	{RefundIn, "Refund in", Debit, Refund},
	{RefundOut, "Refund out", Credit, Nothing},
}

// TransactionTypes are the values of the filter.
var TransactionTypes = []TransactionType{PixIn, PixOut, RefundIn, RefundOut}

// Label is how lists show the type; empty for none of the types.
func (t TransactionType) Label() Label {
	for _, l := range Transactions {
		if l.Type == t {
			return l.Label
		}
	}
	return ""
}

// Labelled is the type that lists show by a label; false if there is none.
func Labelled(label Label) (Listed, bool) {
	for _, l := range Transactions {
		if l.Label == label {
			return l, true
		}
	}
	return Listed{}, false
}

var stateLabels = map[State]Label{Pending: "Pendente", Confirmed: "Confirmado", Failed: "Error"}

// Label is how lists of transactions show the state of a payment; empty for other states.
func (s State) Label() Label { return stateLabels[s] }

// StateLabelled is the state of a payment that lists show by a label; empty if there is none.
func StateLabelled(label Label) State {
	for s, l := range stateLabels {
		if l == label {
			return s
		}
	}
	return ""
}
