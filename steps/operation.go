package steps

import "net/http"

// operation is a request of the API as the features speak of it.
type operation struct {
	noun     string // as in "sends a cash-out"
	id       string // operationId in openapi.yaml
	rule     string // the rule under which breaches of the wire contract are reported; none for what no gateway must offer
	method   string
	path     string
	accepted int                            // the status of success
	bearer   bool                           // whether it asks for a token
	moves    bool                           // whether it moves money, so that a refusal must leave the balance alone
	valid    func(*scenario, *actor) object // the body of a valid request; nil where there is none
}

// operations holds every request that a sentence can name. The token path is the
// profile's.
var operations = []operation{
	{
		noun: "token request", id: "token", rule: "contract.token",
		method: http.MethodPost, path: "", accepted: 201,
		valid: func(_ *scenario, a *actor) object {
			return object{"clientId": text(a.clientID), "clientSecret": text(a.clientSecret)}
		},
	},
	{
		noun: "balance request", id: "balances", rule: "contract.balances",
		method: http.MethodGet, path: "/accounts/balances", accepted: 200, bearer: true,
	},
	{
		noun: "standard balance request", id: "standardBalance",
		method: http.MethodGet, path: "/balance", accepted: 200, bearer: true,
	},
	{
		noun: "cash-out", id: "cashOut", rule: "contract.cash-out",
		method: http.MethodPost, path: "/api/pix/cash-out", accepted: 201, bearer: true, moves: true,
		valid: func(s *scenario, _ *actor) object {
			return object{
				"value":       literal("1.00"),
				"externalId":  text(s.fresh("order")),
				"description": text("Pedido de teste"),
				"details": object{
					"key":      text(s.fresh("payee") + "@payee.example"),
					"keyType":  text("EMAIL"),
					"name":     text("Fulano de Tal"),
					"document": text(payeeDocument),
				},
			}
		},
	},
	{
		noun: "webhook registration", id: "registerWebhook", rule: "contract.register-webhook",
		method: http.MethodPost, path: "/api/webhooks", accepted: 200, bearer: true,
		valid: func(s *scenario, _ *actor) object {
			return object{
				"url":       text(s.openMailbox().URL()),
				"eventType": text("cash_out"),
				"headers":   literal("[]"),
			}
		},
	},
	{
		noun: "webhook list request", id: "listWebhooks", rule: "contract.list-webhooks",
		method: http.MethodGet, path: "/api/webhooks", accepted: 200, bearer: true,
	},
}

// payeeDocument is a CPF with right check digits: the document of the payee in a
// valid cash-out.
const payeeDocument = "52998224725"

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
	s := ""
	for i, op := range operations {
		if i > 0 {
			s += "|"
		}
		s += op.noun
	}
	return s
}
