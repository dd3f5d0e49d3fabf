package api

import "slices"

// State is a state of a payment, transfer, charge, refund or MED case, as the API spells it; empty if it is
// not known.
type State string

// The states of payments and transfers.
const (
	Pending   State = "PENDING"
	Confirmed State = "CONFIRMED" // of a payment
	Completed State = "COMPLETED" // of a transfer
	Failed    State = "ERROR"
)

// The states of immediate charges.
const (
	Active            State = "ATIVA"
	Concluded         State = "CONCLUIDA"
	RemovedByReceiver State = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
	RemovedByPSP      State = "REMOVIDA_PELO_PSP"
)

// The states of refunds.
const (
	Processing  State = "EM_PROCESSAMENTO"
	Refunded    State = "DEVOLVIDO"
	NotRefunded State = "NAO_REALIZADO"
)

// The states of MED cases.
const (
	Open      State = "OPEN"
	Received  State = "RECEIVED"
	Cancelled State = "CANCELLED"
	Analyzed  State = "ANALYZED"
)

// Lifecycle is the states of one kind of thing (States and transitions).
type Lifecycle struct {
	Field string  // of the responses that show the state
	First []State // a new one has one of them
	Later []State // those that it reaches; they are final, except that the transitions of MED cases are not shown
}

// The lifecycles.
var (
	PaymentStates  = Lifecycle{"status", []State{Pending}, []State{Confirmed, Failed}}
	TransferStates = Lifecycle{"type", []State{Pending}, []State{Completed, Failed}}
	ChargeStates   = Lifecycle{"status", []State{Active}, []State{Concluded, RemovedByReceiver, RemovedByPSP}}
	RefundStates   = Lifecycle{"status", []State{Processing}, []State{Refunded, NotRefunded}}
	CaseStates     = Lifecycle{"status", []State{Open, Received}, []State{Cancelled, Analyzed}}
)

// All are the states of the kind, the first ones first.
func (l Lifecycle) All() []State { return slices.Concat(l.First, l.Later) }

// Analysis is the result of a MED case that is analyzed; null in responses until then.
type Analysis string

// The results.
const (
	Approved Analysis = "APPROVED"
	Rejected Analysis = "REJECTED"
)

// What events in a {type, data} envelope report. The status of a CashOut event is the state of its payment.
const (
	EventLiquidated State = "LIQUIDATED"
	EventRefunded   State = "REFUNDED"
)

// What the control splits shows of a part of a charge: it waits, as [Pending], or was paid.
const Paid State = "PAID"

// Spelled are texts of the API as plain strings.
func Spelled[T ~string](all ...T) []string {
	var texts []string
	for _, text := range all {
		texts = append(texts, string(text))
	}
	return texts
}
