package controls

import (
	"cmp"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
)

// somebody pays a charge where the call names nobody.
var somebody = pix.Counterpart{Name: "Maria da Silva", Document: "52998224725", ISPB: "60701190"}

// payCharge pays a cash-in or a cob. What is due by the payment (webhooks) happens
// after the call has answered.
func (c *controls) payCharge(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		PixCode string  `json:"pixCode"`
		Amount  *amount `json:"amount"`
		Payer   struct {
			Name     string `json:"name"`
			Document string `json:"document"`
			ISPB     string `json:"ispb"`
		} `json:"payer"`
	}](w, r)
	if err != nil {
		return err
	}
	payer := pix.Counterpart{
		Name:     cmp.Or(body.Payer.Name, somebody.Name),
		Document: cmp.Or(body.Payer.Document, somebody.Document),
		ISPB:     cmp.Or(body.Payer.ISPB, somebody.ISPB),
	}
	var offered pix.Centavos // 0: what the charge asks for
	switch {
	case body.PixCode == "":
		return badRequest("pixCode is required")
	case !pix.IsDocument(payer.Document):
		return badRequest("payer.document must be %s, got %q", pix.DocumentForm, payer.Document)
	case !pix.IsISPB(payer.ISPB):
		return badRequest("payer.ispb must be 8 digits, got %q", payer.ISPB)
	case body.Amount != nil && *body.Amount == 0:
		return badRequest("amount %s", pix.PayableBounds)
	case body.Amount != nil:
		offered = *body.Amount.centavos()
	}
	payment, err := c.Store.PayCharge(r.Context(), id, body.PixCode, offered, payer)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, struct {
		EndToEndID    string `json:"endToEndId"`
		ReceivedAt    string `json:"receivedAt"`
		TransactionID string `json:"transactionId"`
	}{payment.EndToEndID, pix.Timestamp(payment.ProcessedAt), payment.TransactionID})
}

// endings are who can end a cob.
var endings = map[string]pix.ChargeEvent{
	"receiver": pix.ChargeEndedByReceiver,
	"psp":      pix.ChargeEndedByPSP,
}

// endCharge ends an active cob.
func (c *controls) endCharge(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		By string `json:"by"`
	}](w, r)
	if err != nil {
		return err
	}
	event, known := endings[body.By]
	if !known {
		return badRequest("by must be receiver or psp, got %q", body.By)
	}
	if err := c.Store.EndCharge(r.Context(), id, chi.URLParam(r, "txid"), event); err != nil {
		return err
	}
	return done(w)
}

// showCharge shows the state of a cob, which the API itself never does after its
// creation.
func (c *controls) showCharge(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	charge, err := c.Store.ChargeByTxID(r.Context(), id, chi.URLParam(r, "txid"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, struct {
		Status pix.ChargeStatus `json:"status"`
	}{charge.Status})
}

// showSplits shows what the splits of a cash-in take, and what they leave to the
// account before its fee.
func (c *controls) showSplits(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	parts, left, err := c.Store.Splits(r.Context(), id, r.URL.Query().Get("transactionId"))
	if err != nil {
		return err
	}
	type part struct {
		PixKey string          `json:"pixKey"`
		Amount string          `json:"amount"`
		Status pix.SplitStatus `json:"status"`
	}
	shown := make([]part, len(parts))
	for i, p := range parts {
		shown[i] = part{p.Key, p.Amount.String(), p.Status}
	}
	return answer(w, http.StatusOK, struct {
		Splits []part `json:"splits"`
		Left   string `json:"left"`
	}{shown, left.String()})
}
