package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
)

// Identity is a value that must have one owner in a run.
type Identity struct {
	Breach        // reported if it is not
	Value  string // the id
	Of     string // identifies its owner as far as the run knows
	Shown  *exchange.Exchange
}

// isPlayed reports whether the event is about a payment with a sandbox outcome, which need not be
// a distinct payment.
func isPlayed(s *Scenario, d *record.Delivery) bool {
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		return t.IsPlayed() && about(t)(d)
	})
}

// ids are fields of responses that identify what a request has made, of whichever account. A transactionId does
// so only if it is a UUID: each account may number its transactions from 1.
var ids = map[string][]struct{ rule, field string }{
	"cashOut":       {{"cash-out.accepted", "transactionId"}},
	"cashOutQRCode": {{"qr-cash-out.accepted", "transactionId"}},
	"cashIn":        {{"cash-in.accepted", "transactionId"}, {"cash-in.accepted", "pixCode"}},
	"cob":           {{"cob.created", "location"}},
}

// madeIDs are the ids of what the scenario's requests have made. A sandbox outcome need not make anything.
func madeIDs(s *Scenario) (all []Identity) {
	for _, t := range s.Requests() {
		name := cmp.Or(nameOf(t), t.Parameter("txid"))
		if !t.Accepted() || name == "" || s.isUnusual(t) || t.IsPlayed() {
			continue
		}
		for _, id := range ids[t.Op.ID] {
			value := jsonvalue.Text(t.Answer, id.field)
			if value == "" || id.field == "transactionId" && uuid.Validate(value) != nil {
				continue
			}
			own := Breach{id.rule, fmt.Sprintf("a unique %s for each %s", id.field, t.Op.Noun), "the same " + id.field + " for two", id.field}
			all = append(all, Identity{own, value, t.Op.ID + " " + name, t.Exchange})
		}
	}
	return all
}

// Identities returns the ids of what was made, the end-to-end ids of confirmed payments, the errorIds of
// rejections, and the faults of requests, each of which belongs to one error code.
func (s *Scenario) Identities() []Identity {
	all := madeIDs(s)
	for _, d := range s.Events {
		id, of := d.Text("endToEndId"), d.Text("transactionId")
		if d.Name == api.PayloadCashOut && d.State() == api.Confirmed && of != "" && len(id) == api.EndToEndIDLength && s.isOfScenario(d) && !isPlayed(s, d) {
			all = append(all, Identity{Breach{"delivery.cash-out-payload", "a unique endToEndId for each payment", "the same endToEndId for two payments", ""}, id, of, d.Exchange})
		}
	}
	for _, d := range s.Events {
		id := d.Text("endToEndId")
		if d.Name == api.PayloadTransfer && d.State() == api.EventLiquidated && len(id) == api.EndToEndIDLength && s.isOfScenario(d) {
			of := strings.ToLower(d.Text("idempotencyKey")) + " " + d.Text("id")
			all = append(all, Identity{Breach{"events.transfer", "a unique endToEndId for each settled transfer", "the same endToEndId for two transfers", ""}, id, of, d.Exchange})
		}
	}
	for _, t := range s.Attempts {
		if id := jsonvalue.Text(t.Answer, "errorId"); id != "" && t.Status >= 400 && hasRichErrors(t.Op) {
			all = append(all, Identity{Breach{"envelope-a.error-id", "a unique errorId for each refusal", "the same errorId for two refusals", ""}, id, t.Exchange.Sent.String(), t.Exchange})
		}
	}
	for _, t := range s.Requests() {
		if fault, ok := s.faultOf(t); ok {
			stable := Breach{"envelope-a.stable-code", fmt.Sprintf("every rejection of the same %s with %d to have the same code", t.Op.Noun, t.Status), "different codes", "code"}
			all = append(all, Identity{stable, fault, string(t.Code()), t.Exchange})
		}
	}
	return all
}
