package judge

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Identity is a value that has to be different for each thing of a run.
type Identity struct {
	Breach        // of the rule, if it is not
	Value  string // that names the thing
	Of     string // what tells the thing from others, as far as a run knows
	Shown  *exchange.Exchange
}

// endToEndIDLength is that of the ids by which all banks know a payment (Formats).
const endToEndIDLength = 32

// isPlayed: the event is of a payment whose outcome the target's sandbox plays, which need not be
// a payment of its own.
func isPlayed(s *Scenario, d *record.Delivery) bool {
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		return t.Header.Get("X-Sandbox-Scenario") != "" && about(t)(d)
	})
}

// Identities are the end-to-end ids of confirmed payments and the errorIds of refusals.
func (s *Scenario) Identities() []Identity {
	var all []Identity
	for _, d := range s.Events {
		id, _ := d.EndToEndID()
		of := textOf(d, "transactionId")
		if d.Name == "CashOut" && d.Status() == "CONFIRMED" && of != "" && len(id) == endToEndIDLength && isOfScenario(s, d) && !isPlayed(s, d) {
			all = append(all, Identity{Breach{"delivery.cash-out-payload", "an endToEndId of its own for each payment", "one endToEndId for two payments", ""}, id, of, d.Exchange})
		}
	}
	for _, t := range s.Attempts {
		if id := jsonvalue.Text(t.Answer, "errorId"); id != "" && t.Status >= 400 && (t.Op.ID == api.Token || t.Op.Family == target.Public || t.Op.Family == target.Webhooks) {
			all = append(all, Identity{Breach{"envelope-a.error-id", "an errorId of its own for each refusal", "one errorId for two refusals", ""}, id, t.Exchange.Sent.String(), t.Exchange})
		}
	}
	return all
}
