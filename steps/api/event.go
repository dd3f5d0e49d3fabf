package api

// EventTypes are the types of webhook subscription.
var EventTypes = []string{"cash_in", "cash_out", "refund_in", "refund_out", "med_created", "med_accepted", "med_rejected"}

// Payload is an event that the specification describes by a name of its own.
type Payload struct {
	Subscription string // the type that its URL is registered for; empty where that is open
	End          State  // the status of the event that reports the end; some gateways report earlier ones too
	Webhook      string // its name in openapi.yaml
	Rule         string // the rule that reports breaches of the wire contract
}

// Payloads are those events by name.
var Payloads = map[string]Payload{
	"CashOut":  {Subscription: "cash_out", Webhook: "cashOutResult", Rule: "contract.cash-out-event"},
	"TRANSFER": {End: EventLiquidated, Webhook: "transferResult", Rule: "contract.transfer-event"},
	"RECEIVE":  {End: EventLiquidated, Webhook: "chargeReceived", Rule: "contract.receive-event"},
	"REFUND":   {End: EventRefunded, Webhook: "refundResult", Rule: "contract.refund-event"},
}

// CauseOf is what an event of that name, or of that type of subscription, reports on;
// Nothing for MED cases.
func CauseOf(event string) Made {
	switch event {
	case "med_created", "med_accepted", "med_rejected":
		return Nothing
	case "REFUND", "refund_in":
		return Refund
	case "cash_in", "RECEIVE":
		return Charge
	default:
		return Payment
	}
}
