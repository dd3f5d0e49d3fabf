package api

// The types of webhook subscription.
const (
	TypeCashIn      = "cash_in"
	TypeCashOut     = "cash_out"
	TypeRefundIn    = "refund_in"
	TypeRefundOut   = "refund_out"
	TypeMEDCreated  = "med_created"
	TypeMEDAccepted = "med_accepted"
	TypeMEDRejected = "med_rejected"
)

// EventTypes are these types.
var EventTypes = []string{TypeCashIn, TypeCashOut, TypeRefundIn, TypeRefundOut, TypeMEDCreated, TypeMEDAccepted, TypeMEDRejected}

// AnalysisEvents are the types of the events that report the result of a MED case.
var AnalysisEvents = map[Analysis]string{Approved: TypeMEDAccepted, Rejected: TypeMEDRejected}

// The events that the specification describes by a name of their own.
const (
	PayloadCashOut  = "CashOut"
	PayloadTransfer = "TRANSFER"
	PayloadReceive  = "RECEIVE"
	PayloadRefund   = "REFUND"
)

// Payload is such an event.
type Payload struct {
	Subscription string // the type that its URL is registered for; empty where that is open
	End          State  // the status of the event that reports the end; some gateways report earlier ones too
	Webhook      string // its name in openapi.yaml
	Rule         string // the rule that reports breaches of the wire contract
}

// Payloads are those events by name.
var Payloads = map[string]Payload{
	PayloadCashOut:  {Subscription: TypeCashOut, Webhook: "cashOutResult", Rule: "contract.cash-out-event"},
	PayloadTransfer: {End: EventLiquidated, Webhook: "transferResult", Rule: "contract.transfer-event"},
	PayloadReceive:  {End: EventLiquidated, Webhook: "chargeReceived", Rule: "contract.receive-event"},
	PayloadRefund:   {End: EventRefunded, Webhook: "refundResult", Rule: "contract.refund-event"},
}

// SubscriptionOf is the type of subscription at whose URLs an event of that name, or of that type, arrives; empty where that
// is open.
func SubscriptionOf(event string) string {
	if p, named := Payloads[event]; named {
		return p.Subscription
	}
	return event
}

// CauseOf is what an event of that name, or of that type of subscription, reports on;
// Nothing for MED cases.
func CauseOf(event string) Made {
	switch event {
	case TypeMEDCreated, TypeMEDAccepted, TypeMEDRejected:
		return Nothing
	case PayloadRefund, TypeRefundIn:
		return Refund
	case TypeCashIn, PayloadReceive:
		return Charge
	default:
		return Payment
	}
}
