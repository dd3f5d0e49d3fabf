package api

import (
	"fmt"
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
)

const scenarioHeader = "X-Sandbox-Scenario"

// paymentAnswer is the resource "Payment transaction" as a cash-out is answered.
type paymentAnswer struct {
	TransactionID string     `json:"transactionId"`
	ExternalID    string     `json:"externalId"`
	Status        pix.Status `json:"status"`
	GenerateTime  string     `json:"generateTime"`
}

// cashOut is POST /api/pix/cash-out. The request is checked against the wire contract
// and the format of its key; the sequence of what follows stands at pix.CashOutOrder.
func (a *api) cashOut(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	body, err := a.open(w, r, "cashOut")
	if err != nil {
		return err
	}
	order, err := readOrder(body)
	if err != nil {
		return err
	}
	if order.Scenario, err = pix.ParseScenario(r.Header.Get(scenarioHeader)); err != nil {
		return err
	}
	payment, err := a.store.CashOut(r.Context(), account.ID, order)
	if err != nil {
		return err
	}
	writePayment(w, payment)
	return nil
}

// writePayment answers with a payment that was taken.
func writePayment(w http.ResponseWriter, p pix.Payment) {
	writeJSON(w, http.StatusCreated, paymentAnswer{
		TransactionID: p.TransactionID,
		ExternalID:    p.ExternalID,
		Status:        p.Status,
		GenerateTime:  pix.Timestamp(p.CreatedAt),
	})
}

// readOrder reads an order, or refuses with one message for each invalid field. Two
// faults have codes of their own where they stand alone: an amount outside its bounds
// and a key that is not of its type. Concurrent other faults they are among the messages.
func readOrder(body form) (pix.CashOutOrder, error) {
	details := body.in("details")
	order := pix.CashOutOrder{
		Amount:      body.amount("value"),
		ExternalID:  body.text("externalId"),
		Description: body.text("description"),
		Key:         details.text("key"),
		KeyType:     pix.KeyType(details.text("keyType")),
		Name:        details.text("name"),
		Document:    details.text("document"),
	}
	body.notEmpty("externalId")
	if details.given("key") && details.right("keyType") && !order.KeyType.Matches(order.Key) {
		details.fault("key", ruleKeyType, fmt.Sprintf("must be %s for keyType %s", order.KeyType.Format(), order.KeyType))
	}
	return order, refuseOrder(body)
}

// refuseOrder refuses an order in whose fields there is a fault.
func refuseOrder(body form) error {
	if found := body.faults.list; len(found) == 1 {
		switch only := found[0]; {
		case only.Field == "value" && amountBounds[only.Rule]:
			return pix.Refuse(pix.CodeInvalidAmount, only.Message)
		case only.Rule == ruleKeyType:
			return pix.Refuse(pix.CodeInvalidKey, only.Message)
		}
	}
	return body.refusal()
}

// ruleKeyType is the rule that a key has the format of its type, which the wire
// contract does not hold.
const ruleKeyType = "keyType"

// amountBounds are the rules about how much may be paid, as against what an amount is.
var amountBounds = map[string]bool{"minimum": true, "exclusiveMinimum": true, "multipleOf": true, ruleRange: true}
