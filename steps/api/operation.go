// Package api lists the operations of the API and the events that it sends, as the
// features speak of them, and has its constants as tables: states (state.go), labels of
// lists (label.go), error codes (code.go), lifetimes and tolerances of clocks (clock.go),
// limits and filters (limit.go).
package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/target"
)

// Operation is one request of the API.
type Operation struct {
	Noun     string        // as in "sends a cash-out"
	ID       string        // operationId in openapi.yaml
	Rule     string        // the rule that reports breaches of the wire contract; empty if no gateway has to offer the operation
	Money    string        // the rule that reports money which what it makes does not explain
	Family   target.Family // empty for what every gateway offers
	Method   string
	Path     string // with {parameters}; empty for the token request, whose path is the profile's
	Accepted []int  // the statuses of success
	Bearer   bool   // requires a token
	Looks    bool   // reads balances or lists, which may lag behind
	Makes    Made
	Listed   TransactionType // as which lists show what it makes; empty where that is left open
	Amount   string          // the field that holds the amount
	Text     bool            // the amount is a JSON string
	Identity []string        // the fields, of the request or its response, that identify what it made
}

// Made is what an operation makes, if that has a life of its own.
type Made int

const (
	Nothing Made = iota
	Payment      // money that leaves: a refusal must not move the balance
	Charge       // somebody else may pay it
	Refund       // of a payment received
)

func (m Made) String() string { return [...]string{"request", "payment", "charge", "refund"}[m] }

// Token is the operation that issues access tokens.
const Token = "token"

// Operations are all requests that a sentence can name.
var Operations = []Operation{
	{Noun: "token request", ID: Token, Rule: "contract.token", Method: http.MethodPost, Accepted: []int{201}},
	{Noun: "balance request", ID: "balances", Rule: "contract.balances", Method: http.MethodGet, Path: "/accounts/balances", Accepted: []int{200}, Bearer: true, Looks: true},
	{Noun: "standard balance request", ID: "standardBalance", Method: http.MethodGet, Path: "/balance", Accepted: []int{200}, Bearer: true, Looks: true},
	{
		Noun: "transfer", Money: "money.transfer", ID: "transfer", Rule: "contract.transfer", Family: target.CentralBank,
		Method: http.MethodPost, Path: "/dict/pix", Accepted: []int{200, 201, 202}, Bearer: true,
		Makes: Payment, Amount: "payment.amount", Identity: []string{"header x-idempotency-key", "endToEndId"},
	},
	{
		Noun: "cash-out", Money: "money.outgoing", ID: "cashOut", Listed: PixOut, Rule: "contract.cash-out", Family: target.Public,
		Method: http.MethodPost, Path: "/api/pix/cash-out", Accepted: []int{201}, Bearer: true,
		Makes: Payment, Amount: "value", Identity: []string{"transactionId", "externalId"},
	},
	{
		Noun: "QR cash-out", Money: "money.outgoing", ID: "cashOutQRCode", Listed: PixOut, Rule: "contract.qr-cash-out", Family: target.Public,
		Method: http.MethodPost, Path: "/api/pix/cash-out-qrcode", Accepted: []int{201}, Bearer: true,
		Makes: Payment, Amount: "value", Identity: []string{"transactionId", "externalId"},
	},
	cashIn("cash-in"),
	cashIn("split cash-in"),
	{
		Noun: "cob", Money: "money.incoming", ID: "cob", Rule: "contract.cob", Family: target.CentralBank,
		Method: http.MethodPut, Path: "/cob/{txid}", Accepted: []int{200, 201}, Bearer: true,
		Makes: Charge, Amount: "valor.original", Text: true, Identity: []string{"path txid", "endToEndId"},
	},
	{
		Noun: "refund", Money: "money.refund", ID: "refund", Rule: "contract.refund", Family: target.CentralBank,
		Method: http.MethodPut, Path: "/pix/{e2eid}/devolucao/{id}", Accepted: []int{200, 201, 202}, Bearer: true,
		Makes: Refund, Amount: "valor", Text: true, Identity: []string{"rtrId", "path id", "path e2eid"},
	},
	{Noun: "MED list request", ID: "listMeds", Rule: "contract.med-list", Family: target.MEDFamily, Method: http.MethodGet, Path: "/api/med", Accepted: []int{200}, Bearer: true, Looks: true},
	{Noun: "transaction list request", ID: "listTransactions", Rule: "contract.transaction-list", Family: target.Public, Method: http.MethodGet, Path: "/api/transactions", Accepted: []int{200}, Bearer: true, Looks: true},
	{Noun: "list-by-key request", ID: "listTransactionsByKey", Rule: "contract.key-list", Family: target.Public, Method: http.MethodGet, Path: "/api/pix/transactions/pix-key/{pixKey}", Accepted: []int{200}, Bearer: true, Looks: true},
	{Noun: "webhook registration", ID: "registerWebhook", Rule: "contract.register-webhook", Family: target.Webhooks, Method: http.MethodPost, Path: "/api/webhooks", Accepted: []int{200}, Bearer: true},
	{Noun: "webhook list request", ID: "listWebhooks", Rule: "contract.list-webhooks", Family: target.Webhooks, Method: http.MethodGet, Path: "/api/webhooks", Accepted: []int{200}, Bearer: true, Looks: true},
	{Noun: "resend request", ID: "resendWebhook", Rule: "contract.resend", Family: target.Webhooks, Method: http.MethodPost, Path: "/api/resend-webhook/{transactionIdentifier}", Accepted: []int{200}, Bearer: true},
}

// cashIn is one operation under two names, of which the second sends splits.
func cashIn(noun string) Operation {
	return Operation{
		Noun: noun, Money: "money.incoming", ID: "cashIn", Listed: PixIn, Rule: "contract.cash-in", Family: target.Public,
		Method: http.MethodPost, Path: "/api/pix/cash-in", Accepted: []int{201}, Bearer: true,
		Makes: Charge, Amount: "transaction.value", Identity: []string{"transactionId", "transaction.externalId", "correlationId", "endToEndId"},
	}
}

// Named finds an operation by its noun; nil if there is none.
func Named(noun string) *Operation {
	for i := range Operations {
		if Operations[i].Noun == noun {
			return &Operations[i]
		}
	}
	return nil
}

// MustNamed finds an operation that exists.
func MustNamed(noun string) *Operation {
	op := Named(noun)
	if op == nil {
		panic("there is no operation " + noun)
	}
	return op
}

// TakesMoney reports whether what the operation makes takes money from the account.
func (op *Operation) TakesMoney() bool { return op.Makes == Payment || op.Makes == Refund }

// IsRead reports whether the operation changes nothing: it only looks, or issues a token.
func (op *Operation) IsRead() bool { return op.Method == http.MethodGet || op.ID == Token }

// IsList reports whether the operation returns pages of a list: of what looks, the balances are in no family.
func (op *Operation) IsList() bool { return op.Looks && op.Family != "" }

// IsSuccess reports whether a status means success.
func (op *Operation) IsSuccess(status int) bool { return slices.Contains(op.Accepted, status) }

// Success spells the statuses of success: "200 or 201".
func (op *Operation) Success() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(op.Accepted), "[]"), " ", " or ")
}
