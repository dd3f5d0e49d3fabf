package world

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
)

// valid makes the valid request that steps then change.
func (a *actor) valid(noun string) *request {
	r := &request{op: api.MustNamed(noun), actor: a, role: record.Aside, parameters: map[string]string{}, query: url.Values{}, header: http.Header{}}
	if fill := bodies[noun]; fill != nil {
		fill(a.w, r)
	}
	if a.w.data.required {
		for _, name := range informative[noun] {
			delete(r.body, name)
		}
	}
	if r.body != nil {
		r.header.Set("Content-Type", "application/json")
	}
	return r
}

// bodies fill in a valid request, by the noun of its operation; the others need nothing.
var bodies = map[string]func(w *World, r *request){
	"token request": func(_ *World, r *request) {
		r.present(r.actor.certificate)
		r.body = object{"clientId": text(r.actor.clientID), "clientSecret": text(r.actor.clientSecret)}
	},
	"transfer": func(w *World, r *request) {
		r.header.Set("x-idempotency-key", uuid.NewString())
		r.body = object{
			"pixKey":           text(w.holder.key),
			"creditorDocument": text(w.holder.document),
			"priority":         text("NORM"),
			"description":      text(w.data.description),
			"payment":          object{"currency": text("BRL"), "amount": literal("1.00")},
		}
	},
	"cash-out": func(w *World, r *request) {
		r.body = object{
			"value":       literal("1.00"),
			"externalId":  text(freshOrder(w)),
			"description": text(w.data.description),
			"details":     destination(w),
		}
	},
	"QR cash-out": func(w *World, r *request) {
		r.body = object{
			"value":       literal("1.00"),
			"qrCode":      text(freshCode(w, false).String()),
			"externalId":  text(freshOrder(w)),
			"description": text(w.data.description),
			"name":        text(w.data.payee.name),
			"document":    text(w.data.payee.document),
		}
	},
	"cash-in": func(w *World, r *request) { r.body = validCashIn(w, "1.00") },
	"split cash-in": func(w *World, r *request) {
		r.body = validCashIn(w, "10.00")
		r.body["splits"] = list{fixedSplit(w, 0, "1.00")}
	},
	"cob": func(w *World, r *request) {
		r.parameters["txid"] = freshText(32)
		r.body = object{
			"calendario":         object{"expiracao": literal("3600")},
			"devedor":            object{"cpf": text(w.data.payer.document), "nome": text(w.data.payer.name)},
			"valor":              object{"original": text("1.00"), "modalidadeAlteracao": literal("0")},
			"solicitacaoPagador": text(w.data.description),
			"infoAdicionais":     literal(`[{"nome": "Pedido", "valor": "maçã"}]`),
		}
		if r.actor.pixKey != "" { // that of an account of the profile may be unknown
			r.body["chave"] = text(r.actor.pixKey)
		}
	},
	"refund": func(w *World, r *request) {
		r.parameters["e2eid"] = endToEndID(w)
		r.parameters["id"] = freshText(20)
		r.body = object{"valor": text("1.00"), "descricao": text(w.data.description)}
	},
	"list-by-key request": func(w *World, r *request) { r.parameters["pixKey"] = payeesKey(w) },
	"webhook registration": func(w *World, r *request) {
		r.body = object{
			"url":       text(r.actor.registrationURL()),
			"eventType": text(api.TypeCashOut),
			"headers":   literal("[]"),
		}
	},
	"resend request": func(w *World, r *request) { r.parameters["transactionIdentifier"] = lastExternalID(w) },
}

func validCashIn(w *World, value string) object {
	return object{
		"transaction": object{
			"value":          literal(value),
			"description":    text(w.data.description),
			"externalId":     text(freshOrder(w)),
			"expirationTime": literal(fmt.Sprint(api.CashInLifetime.Seconds())),
		},
		"payer": object{"fullName": text(w.data.payer.name), "document": text(w.data.payer.document)},
	}
}

// splitKeys are the kinds of key that the splits of a list have in turn.
var splitKeys = []string{"EMAIL", "CPF", "RANDOM", "CNPJ"}

// fixedSplit is a valid split of an amount, the i-th of its list.
func fixedSplit(w *World, i int, amount string) object {
	kind := splitKeys[i%len(splitKeys)]
	document := w.data.payee.document
	var key string
	switch kind {
	case "EMAIL":
		key = freshEmail(w.Stage)
	case "RANDOM":
		key = uuid.NewString()
	case "CPF":
		key = freshCPF("1")
		document = key
	case "CNPJ":
		key = freshCNPJ("1")
		document = key
	}
	return object{
		"pixKey":     text(key),
		"pixKeyType": text(kind),
		"name":       text(w.data.payee.name),
		"document":   text(document),
		"type":       text("FIXED"),
		"value":      literal(amount),
	}
}
