package steps

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/target"
)

// operation is a request of the API as the features speak of it.
type operation struct {
	noun     string        // as in "sends a cash-out"
	id       string        // operationId in openapi.yaml
	rule     string        // the rule under which breaches of the wire contract are reported; none for what no gateway must offer
	family   target.Family // that it belongs to; none for what every gateway has
	method   string
	path     string   // with {parameters}
	accepted []int    // the statuses of success
	bearer   bool     // whether it asks for a token
	looks    bool     // at balances or lists, which may follow what has happened
	makes    made     // what comes of it
	amount   string   // the field that holds the amount
	identity identity // by what events and lists know what it made

	// valid fills in a valid request, which sentences then change.
	valid func(s *scenario, r *request)
}

// made is what an operation makes, where that has a life of its own.
type made int

const (
	nothing made = iota
	payment      // money that leaves: a refusal must leave the balance alone
	charge       // somebody else may pay it
	refund       // of a payment received
)

// identity is the fields, of the request or of its answer, that identify what was made.
type identity []string

// operations holds every request that a sentence can name. The token path is the
// profile's.
var operations = []operation{
	{
		noun: "token request", id: "token", rule: "contract.token",
		method: http.MethodPost, accepted: []int{201},
		valid: func(s *scenario, r *request) {
			s.present(r, r.actor.certificate)
			r.body = object{"clientId": text(r.actor.clientID), "clientSecret": text(r.actor.clientSecret)}
		},
	},
	{
		noun: "balance request", id: "balances", rule: "contract.balances",
		method: http.MethodGet, path: "/accounts/balances", accepted: []int{200}, bearer: true, looks: true,
	},
	{
		noun: "standard balance request", id: "standardBalance",
		method: http.MethodGet, path: "/balance", accepted: []int{200}, bearer: true, looks: true,
	},
	{
		noun: "transfer", id: "transfer", rule: "contract.transfer", family: target.CentralBank,
		method: http.MethodPost, path: "/dict/pix", accepted: []int{200, 201, 202}, bearer: true,
		makes: payment, amount: "payment.amount", identity: identity{"header x-idempotency-key", "endToEndId"},
		valid: func(s *scenario, r *request) {
			r.header.Set("x-idempotency-key", uuid.NewString())
			r.body = object{
				"pixKey":           text(s.holder.key),
				"creditorDocument": text(s.holder.document),
				"priority":         text("NORM"),
				"description":      text("Pedido de teste"),
				"payment":          object{"currency": text("BRL"), "amount": literal("1.00")},
			}
		},
	},
	{
		noun: "cash-out", id: "cashOut", rule: "contract.cash-out", family: target.Public,
		method: http.MethodPost, path: "/api/pix/cash-out", accepted: []int{201}, bearer: true,
		makes: payment, amount: "value", identity: identity{"transactionId", "externalId"},
		valid: func(s *scenario, r *request) {
			r.body = object{
				"value":       literal("1.00"),
				"externalId":  text(s.freshOrder()),
				"description": text("Pedido de teste"),
				"details": object{
					"key":      text(s.freshEmail()),
					"keyType":  text("EMAIL"),
					"name":     text(payee.name),
					"document": text(payee.document),
				},
			}
		},
	},
	{
		noun: "QR cash-out", id: "cashOutQRCode", rule: "contract.qr-cash-out", family: target.Public,
		method: http.MethodPost, path: "/api/pix/cash-out-qrcode", accepted: []int{201}, bearer: true,
		makes: payment, amount: "value", identity: identity{"transactionId", "externalId"},
		valid: func(s *scenario, r *request) {
			r.body = object{
				"value":       literal("1.00"),
				"qrCode":      text(s.code("static").String()),
				"externalId":  text(s.freshOrder()),
				"description": text("Pedido de teste"),
				"name":        text(payee.name),
				"document":    text(payee.document),
			}
		},
	},
	cashIn,
	splitCashIn(cashIn),
	{
		noun: "cob", id: "cob", rule: "contract.cob", family: target.CentralBank,
		method: http.MethodPut, path: "/cob/{txid}", accepted: []int{200, 201}, bearer: true,
		makes: charge, amount: "valor.original", identity: identity{"path txid", "endToEndId"},
		valid: func(s *scenario, r *request) {
			r.parameters["txid"] = s.freshText(32)
			r.body = object{
				"calendario":         object{"expiracao": literal("86400")},
				"devedor":            object{"cpf": text(payer.document), "nome": text(payer.name)},
				"valor":              object{"original": text("1.00"), "modalidadeAlteracao": literal("0")},
				"solicitacaoPagador": text("Pão de açúcar"),
				"infoAdicionais":     literal(`[{"nome": "Pedido", "valor": "maçã"}]`),
			}
			if r.actor.pixKey != "" { // that of an account of the profile need not be known
				r.body["chave"] = text(r.actor.pixKey)
			}
		},
	},
	{
		noun: "refund", id: "refund", rule: "contract.refund", family: target.CentralBank,
		method: http.MethodPut, path: "/pix/{e2eid}/devolucao/{id}", accepted: []int{200, 201, 202}, bearer: true,
		makes: refund, amount: "valor", identity: identity{"rtrId", "path id", "path e2eid"},
		valid: func(s *scenario, r *request) {
			r.parameters["e2eid"] = s.endToEndID()
			r.parameters["id"] = s.freshText(20)
			r.body = object{"valor": text("1.00"), "descricao": text("Devolução de teste")}
		},
	},
	{
		noun: "MED list request", id: "listMeds", rule: "contract.med-list", family: target.MEDFamily,
		method: http.MethodGet, path: "/api/med", accepted: []int{200}, bearer: true, looks: true,
	},
	{
		noun: "transaction list request", id: "listTransactions", rule: "contract.transaction-list", family: target.Public,
		method: http.MethodGet, path: "/api/transactions", accepted: []int{200}, bearer: true, looks: true,
	},
	{
		noun: "key list request", id: "listTransactionsByKey", rule: "contract.key-list", family: target.Public,
		method: http.MethodGet, path: "/api/pix/transactions/pix-key/{pixKey}", accepted: []int{200}, bearer: true, looks: true,
		valid: func(s *scenario, r *request) { r.parameters["pixKey"] = s.payeesKey() },
	},
	{
		noun: "webhook registration", id: "registerWebhook", rule: "contract.register-webhook", family: target.Webhooks,
		method: http.MethodPost, path: "/api/webhooks", accepted: []int{200}, bearer: true,
		valid: func(s *scenario, r *request) {
			r.body = object{
				"url":       text(s.registrationURL(r.actor)),
				"eventType": text("cash_out"),
				"headers":   literal("[]"),
			}
		},
	},
	{
		noun: "webhook list request", id: "listWebhooks", rule: "contract.list-webhooks", family: target.Webhooks,
		method: http.MethodGet, path: "/api/webhooks", accepted: []int{200}, bearer: true,
	},
	{
		noun: "resend request", id: "resendWebhook", rule: "contract.resend", family: target.Webhooks,
		method: http.MethodPost, path: "/api/resend-webhook/{transactionIdentifier}", accepted: []int{200}, bearer: true,
		valid: func(s *scenario, r *request) { r.parameters["transactionIdentifier"] = s.lastExternalID() },
	},
}

// cashIn is one of the operations; another is the same with a split.
var cashIn = operation{
	noun: "cash-in", id: "cashIn", rule: "contract.cash-in", family: target.Public,
	method: http.MethodPost, path: "/api/pix/cash-in", accepted: []int{201}, bearer: true,
	makes: charge, amount: "transaction.value", identity: identity{"transactionId", "transaction.externalId", "correlationId", "endToEndId"},
	valid: validCashIn,
}

func splitCashIn(op operation) operation {
	op.noun = "split cash-in"
	op.valid = func(s *scenario, r *request) {
		validCashIn(s, r)
		r.body["transaction"].(object)["value"] = literal("10.00")
		r.body["splits"] = list{fixedSplit(s, "1.00")}
	}
	return op
}

// person is somebody at the other end of a payment. Their documents have right check
// digits.
type person struct{ name, document string }

var (
	payee   = person{"Fulano de Tal", "52998224725"}
	payer   = person{"Conceição de Araújo", "11144477735"}
	another = person{"Sicrano Pereira", "39053344705"}
)

func validCashIn(s *scenario, r *request) {
	r.body = object{
		"transaction": object{
			"value":          literal("1.00"),
			"description":    text("Pedido de teste"),
			"externalId":     text(s.freshOrder()),
			"expirationTime": literal("86400"),
		},
		"payer": object{"fullName": text(payer.name), "document": text(payer.document)},
	}
}

func operationNamed(noun string) operation {
	for _, op := range operations {
		if op.noun == noun {
			return op
		}
	}
	panic("no operation is called " + noun) // the sentences accept only nouns of the table
}

// nouns is the alternative of all nouns in a sentence's pattern.
func nouns() string {
	var all []string
	for _, op := range operations {
		all = append(all, op.noun)
	}
	return strings.Join(all, "|")
}

// isSuccess says whether a status is one of the operation's success.
func (op operation) isSuccess(status int) bool {
	for _, accepted := range op.accepted {
		if status == accepted {
			return true
		}
	}
	return false
}

// success is how a sentence spells the statuses of success: "200 or 201".
func (op operation) success() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(op.accepted), "[]"), " ", " or ")
}

var parameterForm = regexp.MustCompile(`\{(\w+)\}`)
