package pix

import "slices"

// Kind says by what a payment was made. The transaction lists show all kinds.
type Kind string

// The kinds of payment.
const (
	KindCashOut       Kind = "cash-out"        // POST /api/pix/cash-out
	KindQRCodeCashOut Kind = "cash-out-qrcode" // POST /api/pix/cash-out-qrcode
	KindTransfer      Kind = "transfer"        // POST /dict/pix
	KindCashIn        Kind = "cash-in"         // POST /api/pix/cash-in, pending from its creation
	KindCob           Kind = "cob"             // a charge of PUT /cob/{txid}, once it is paid
	KindRefundIn      Kind = "refund-in"       // PUT /pix/{e2eid}/devolucao/{id}: money goes back to a payer
	KindRefundOut     Kind = "refund-out"      // a payee gives money back
)

// kinds says what each kind is to its account, whether the limits of cash-outs bound it,
// and whether the public family of the API makes it.
var kinds = map[Kind]struct {
	operation Operation
	limited   bool
	public    bool
}{
	KindCashOut:       {Withdraw, true, true},
	KindQRCodeCashOut: {Withdraw, true, true},
	KindTransfer:      {Withdraw, false, false},
	KindCashIn:        {Receipt, false, true},
	KindCob:           {Receipt, false, false},
	KindRefundIn:      {RefundIn, false, false},
	KindRefundOut:     {RefundOut, false, false},
}

// allKinds are in the order of their declaration.
var allKinds = []Kind{KindCashOut, KindQRCodeCashOut, KindTransfer, KindCashIn, KindCob, KindRefundIn, KindRefundOut}

// PublicKinds lists the kinds whose externalIds are one space of the account.
func PublicKinds() []Kind {
	return slices.DeleteFunc(slices.Clone(allKinds), func(k Kind) bool { return !kinds[k].public })
}

// Kinds lists the kinds whose movement is m, in the order of their declaration.
func Kinds(m Movement) []Kind {
	var found []Kind
	for _, k := range allKinds {
		if k.Movement() == m {
			found = append(found, k)
		}
	}
	return found
}

// Operation is the type under which the lists show a payment of the kind.
func (k Kind) Operation() Operation { return kinds[k].operation }

// Movement says which way the money of the kind goes.
func (k Kind) Movement() Movement { return k.Operation().Movement() }

// Limited says whether Limits bound payments of the kind: both public cash-outs.
func (k Kind) Limited() bool { return kinds[k].limited }

// Operation is a type of transaction, as the filter of the lists names it.
type Operation string

// The types of transaction.
const (
	Receipt   Operation = "PAYMENT"
	Withdraw  Operation = "WITHDRAW"
	RefundIn  Operation = "REFUND_IN"
	RefundOut Operation = "REFUND_OUT"
)

// Movement is the direction of money, seen from the account.
type Movement string

// The two directions.
const (
	Credit Movement = "CREDIT"
	Debit  Movement = "DEBIT"
)

// operations is the mapping below "Listed transaction", with the events of each type.
var operations = map[Operation]struct {
	label    string
	movement Movement
	event    EventType
}{
	Receipt:   {"Pix in", Credit, CashInEvent},
	Withdraw:  {"Pix out", Debit, CashOutEvent},
	RefundIn:  {"Refund in", Debit, RefundInEvent},
	RefundOut: {"Refund out", Credit, RefundOutEvent},
}

// Operations lists the types of transaction in the order of the specification.
func Operations() []Operation { return []Operation{Receipt, Withdraw, RefundIn, RefundOut} }

// Label is what the lists show for the type.
func (o Operation) Label() string { return operations[o].label }

// Movement says which way the money of the type goes.
func (o Operation) Movement() Movement { return operations[o].movement }

// Kinds lists the kinds of payment that have the type.
func (o Operation) Kinds() []Kind {
	var found []Kind
	for _, k := range Kinds(o.Movement()) {
		if k.Operation() == o {
			found = append(found, k)
		}
	}
	return found
}

// Event is the type of event that tells what became of such a transaction.
func (o Operation) Event() EventType { return operations[o].event }

// statusLabels is the mapping of a status below "Listed transaction".
var statusLabels = map[Status]string{Pending: "Pendente", Confirmed: "Confirmado", Error: "Error"}

// Label is what the lists show for the status.
func (s Status) Label() string { return statusLabels[s] }
