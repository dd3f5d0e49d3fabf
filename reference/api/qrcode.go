package api

import (
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
)

// cashOutQRCode is POST /api/pix/cash-out-qrcode. The request is checked against the
// wire contract; the sequence of what follows stands at pix.QRCodeOrder.
func (a *api) cashOutQRCode(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	body, err := a.open(w, r, "cashOutQRCode")
	if err != nil {
		return err
	}
	order, err := readQRCodeOrder(body)
	if err != nil {
		return err
	}
	if order.Scenario, err = pix.ParseScenario(r.Header.Get(scenarioHeader)); err != nil {
		return err
	}
	payment, err := a.store.CashOutToQRCode(r.Context(), account.ID, order)
	if err != nil {
		return err
	}
	writePayment(w, payment)
	return nil
}

// readQRCodeOrder reads an order, or refuses as readOrder does.
func readQRCodeOrder(body form) (pix.QRCodeOrder, error) {
	order := pix.QRCodeOrder{
		Amount:      body.amount("value"),
		Text:        body.data("qrCode"),
		ExternalID:  body.text("externalId"),
		Description: body.text("description"),
		Name:        body.text("name"),
		Document:    body.text("document"),
	}
	body.notEmpty("externalId")
	return order, refuseOrder(body)
}
