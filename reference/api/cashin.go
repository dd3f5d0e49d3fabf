package api

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"rsc.io/qr"

	"github.com/pixcert/pixcert/reference/pix"
)

// cashInAnswer is the resource "Payment transaction" as a cash-in is answered.
type cashInAnswer struct {
	paymentAnswer
	CorrelationID  string `json:"correlationId"`
	PixCode        string `json:"pixCode"`
	ExpirationDate string `json:"expirationDate"`
	QRCodeImage    string `json:"qrCodeImage,omitempty"` // PNG in Base64, without a data URI around it
}

// cashIn is POST /api/pix/cash-in. The request is checked against the wire contract and
// the keys of its splits; the sequence of what follows stands at pix.CashInOrder.
func (a *api) cashIn(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	body, err := a.open(w, r, "cashIn")
	if err != nil {
		return err
	}
	order := readCashIn(body)
	if err := body.refusal(); err != nil {
		return err
	}
	if order.Scenario, err = pix.ParseScenario(r.Header.Get(scenarioHeader)); err != nil {
		return err
	}
	made, err := a.store.CashIn(r.Context(), account.ID, order)
	if err != nil {
		return err
	}
	answer := cashInAnswer{
		paymentAnswer: paymentAnswer{
			TransactionID: made.Payment.TransactionID,
			ExternalID:    made.Payment.ExternalID,
			Status:        made.Payment.Status,
			GenerateTime:  pix.Timestamp(made.Payment.CreatedAt),
		},
		CorrelationID:  made.CorrelationID,
		PixCode:        made.Charge.Code,
		ExpirationDate: pix.Timestamp(made.Charge.ExpiresAt),
	}
	if body.in("transaction").flag("generateQrCode") {
		if answer.QRCodeImage, err = qrCodeImage(made.Charge.Code); err != nil {
			return err
		}
	}
	writeJSON(w, http.StatusCreated, answer)
	return nil
}

// readCashIn reads an order; what is wrong with it is left in the form.
func readCashIn(body form) pix.CashInOrder {
	transaction, payer := body.in("transaction"), body.in("payer")
	order := pix.CashInOrder{
		Amount:         transaction.amount("value"),
		ExternalID:     transaction.text("externalId"),
		Description:    transaction.text("description"),
		Life:           transaction.seconds("expirationTime"),
		Payer:          pix.Counterpart{Name: payer.text("fullName"), Document: payer.text("document")},
		AdditionalInfo: make(map[string]string),
	}
	body.names("additionalInfo")
	info := body.in("additionalInfo")
	for name := range info.fields {
		order.AdditionalInfo[name] = info.text(name)
	}
	for _, item := range body.items("splits") {
		order.Splits = append(order.Splits, readSplit(item))
	}
	return order
}

func readSplit(item form) pix.Split {
	split := pix.Split{
		Key:       item.text("pixKey"),
		KeyType:   pix.SplitKeyType(item.text("pixKeyType")),
		Name:      item.text("name"),
		Document:  item.text("document"),
		Type:      pix.SplitType(item.text("type")),
		Value:     item.amount("value"), // hundredths, of BRL or of a percent
		Immediate: item.flag("immediate"),
	}
	if item.given("pixKey") && item.right("pixKeyType") && !split.KeyType.Matches(split.Key) {
		item.fault("pixKey", ruleKeyType, fmt.Sprintf("must be %s for pixKeyType %s", split.KeyType.Format(), split.KeyType))
	}
	return split
}

// seconds is how long a charge lives, a whole number of seconds.
func (f form) seconds(field string) time.Duration {
	n := f.whole(field, int64(pix.DefaultChargeLife/time.Second))
	if most := int64(pix.MaxChargeLife / time.Second); n > most {
		f.fault(field, ruleRange, fmt.Sprintf("must be at most %d", most))
		return 0
	}
	return time.Duration(n) * time.Second
}

// qrCodeImage draws a code. A seventh of it may be damaged (level M), as is usual for
// codes that are shown on screens.
func qrCodeImage(code string) (string, error) {
	drawn, err := qr.Encode(code, qr.M)
	if err != nil {
		return "", fmt.Errorf("draw the QR Code: %w", err)
	}
	return base64.StdEncoding.EncodeToString(drawn.PNG()), nil
}
