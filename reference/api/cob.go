package api

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
)

// cobAnswer is the resource "Immediate charge (cob)". What the request left out is
// absent, but for the receiver's key.
type cobAnswer struct {
	Calendar struct {
		Created string `json:"criacao"`
		Life    int64  `json:"expiracao"` // seconds
	} `json:"calendario"`
	TxID     string `json:"txid"`
	Revision int    `json:"revisao"`
	Location struct {
		ID   int64  `json:"id"`
		Code string `json:"location"`
		Kind string `json:"tipoCob"`
	} `json:"loc"`
	Code   string           `json:"location"` // the same as loc.location
	Status pix.ChargeStatus `json:"status"`
	Debtor pix.Debtor       `json:"devedor,omitzero"`
	Value  struct {
		Original   string `json:"original"` // with two decimals
		Changeable int    `json:"modalidadeAlteracao"`
	} `json:"valor"`
	Key     string        `json:"chave"`
	Message string        `json:"solicitacaoPagador,omitempty"`
	Info    []pix.CobInfo `json:"infoAdicionais,omitzero"`
}

// cob is PUT /cob/{txid}.
func (a *api) cob(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	body, err := a.open(w, r, "cob")
	if err != nil {
		return err
	}
	order := readCob(body)
	if err := body.refusal(); err != nil {
		return err
	}
	order.TxID = chi.URLParam(r, "txid")
	charge, err := a.store.Cob(r.Context(), account.ID, order)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, showCob(charge, order))
	return nil
}

// readCob reads an order; what is wrong with it is left in the form.
func readCob(body form) pix.CobOrder {
	value, debtor := body.in("valor"), body.in("devedor")
	order := pix.CobOrder{
		Life:       body.in("calendario").seconds("expiracao"),
		Debtor:     pix.Debtor{CPF: debtor.text("cpf"), CNPJ: debtor.text("cnpj"), Name: debtor.text("nome")},
		Amount:     value.decimal("original"),
		Changeable: value.whole("modalidadeAlteracao", 0) == 1,
		Key:        body.text("chave"),
		Message:    body.text("solicitacaoPagador"),
	}
	if body.given("infoAdicionais") {
		order.Info = []pix.CobInfo{}
	}
	for _, item := range body.items("infoAdicionais") {
		order.Info = append(order.Info, pix.CobInfo{Name: item.text("nome"), Value: item.text("valor")})
	}
	return order
}

// decimal is an amount in BRL that is written as a string with two decimals; the form
// of the string is the wire contract's.
func (f form) decimal(field string) pix.Centavos {
	literal := f.text(field)
	if literal == "" || !f.right(field) {
		return 0
	}
	return f.payable(field, literal)
}

func showCob(c pix.Charge, order pix.CobOrder) cobAnswer {
	answer := cobAnswer{
		TxID:    c.TxID,
		Code:    c.Code,
		Status:  c.Status,
		Debtor:  order.Debtor,
		Key:     c.Key,
		Message: order.Message,
		Info:    order.Info,
	}
	answer.Calendar.Created = pix.Timestamp(c.CreatedAt)
	answer.Calendar.Life = int64(order.Life / time.Second)
	answer.Location.ID, answer.Location.Code, answer.Location.Kind = c.ID, c.Code, "cob"
	answer.Value.Original = c.Amount.String()
	if c.Changeable {
		answer.Value.Changeable = 1
	}
	return answer
}
