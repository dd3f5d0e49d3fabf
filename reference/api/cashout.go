package api

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
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
func (a *api) cashOut(w http.ResponseWriter, r *http.Request, account store.Account) error {
	body, err := readJSON(w, r)
	if err != nil {
		return err
	}
	order, err := a.cashOutOrder(body)
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
	writeJSON(w, http.StatusCreated, paymentAnswer{
		TransactionID: payment.TransactionID,
		ExternalID:    payment.ExternalID,
		Status:        payment.Status,
		GenerateTime:  pix.Timestamp(payment.CreatedAt),
	})
	return nil
}

// cashOutOrder reads an order, or refuses with one message for each invalid field. Two
// faults have codes of their own where they stand alone: an amount outside its bounds
// and a key that is not of its type. Beside other faults they are among the messages.
func (a *api) cashOutOrder(body any) (pix.CashOutOrder, error) {
	violations := a.operations.cashOut.CheckRequest(body)
	fields, _ := body.(map[string]any)
	order, found := readOrder(fields, violations)
	violations = append(violations, found...)
	if len(violations) == 0 {
		return order, nil
	}
	if only := violations[0]; len(violations) == 1 {
		switch {
		case only.Field == "value" && amountBounds[only.Rule]:
			return order, pix.Refuse(pix.CodeInvalidAmount, only.Message)
		case only.Field == "details.key" && only.Rule == ruleKeyType:
			return order, pix.Refuse(pix.CodeInvalidKey, only.Message)
		}
	}
	return order, invalid(violations)
}

// Rules of a cash-out that the wire contract does not hold.
const (
	ruleKeyType = "keyType" // the key has the format of its type
	ruleRange   = "range"   // more money than there is
)

// amountBounds are the rules about how much may be paid, as against what an amount is.
var amountBounds = map[string]bool{"minimum": true, "exclusiveMinimum": true, "multipleOf": true, ruleRange: true}

// readOrder reads the fields of an order. Of those in which the contract found no fault
// it gives the faults that the contract cannot tell.
func readOrder(fields object, known []contract.Violation) (pix.CashOutOrder, []contract.Violation) {
	details := fields.object("details")
	order := pix.CashOutOrder{
		ExternalID:  fields.text("externalId"),
		Description: fields.text("description"),
		Key:         details.text("key"),
		KeyType:     pix.KeyType(details.text("keyType")),
		Name:        details.text("name"),
		Document:    details.text("document"),
	}
	var found []contract.Violation
	if literal, ok := fields["value"].(json.Number); ok && !has(known, "value") {
		amount, err := pix.ParseAmount(literal.String())
		order.Amount = amount
		if err != nil || amount < pix.MinAmount || amount > pix.MaxAmount {
			found = append(found, contract.Violation{Field: "value", Rule: ruleRange,
				Message: fmt.Sprintf("value must be from %s to %s", pix.MinAmount, pix.MaxAmount)})
		}
	}
	if order.ExternalID == "" && !has(known, "externalId") && fields != nil {
		found = append(found, contract.Violation{Field: "externalId", Rule: "minLength", Message: "externalId must not be empty"})
	}
	if details != nil && !has(known, "details.key") && !has(known, "details.keyType") && !order.KeyType.Matches(order.Key) {
		found = append(found, contract.Violation{Field: "details.key", Rule: ruleKeyType,
			Message: fmt.Sprintf("details.key must be %s for keyType %s", order.KeyType.Format(), order.KeyType)})
	}
	return order, found
}
