// Package gateway is the client of a gateway under load: accounts with their tokens, and the
// operations of the API. A [Sender] carries its requests.
package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// ParseURL parses the base URL of a gateway, or of its test controls. Its errors contain no password.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("expected a URL such as http://127.0.0.1:8080, got one that cannot be parsed: start it with http:// or https://")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("expected a URL such as http://127.0.0.1:8080, got %q", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return nil, fmt.Errorf("expected a URL without user, query or fragment, got %q", u.Redacted())
	}
	return u, nil
}

// Operation names an endpoint in metrics and reports.
type Operation string

// Operations of the API.
const (
	Token             Operation = "token"
	ReadBalance       Operation = "balance"
	CashOut           Operation = "cash-out"
	QRCashOut         Operation = "cash-out-qrcode"
	Transfer          Operation = "transfer"
	CashIn            Operation = "cash-in"
	Cob               Operation = "cob"
	Refund            Operation = "refund"
	Transactions      Operation = "transactions"
	TransactionsByKey Operation = "transactions-by-key"
	Meds              Operation = "meds"
	RegisterWebhook   Operation = "register-webhook"
	Webhooks          Operation = "webhooks"
	Resend            Operation = "resend"
)

// Endpoint is the method and path of an operation.
type Endpoint struct {
	Method   string
	Template string // of the path, with parameters in braces: the tag name of metrics
}

// Endpoint of the operation; the zero value for an unknown one. Tokens have the same template
// even if a gateway issues them at another path.
func (o Operation) Endpoint() Endpoint { return endpoints[o] }

const defaultAuthPath = "/api/auth/token"

var endpoints = map[Operation]Endpoint{
	Token:             {http.MethodPost, defaultAuthPath},
	ReadBalance:       {http.MethodGet, "/accounts/balances"},
	CashOut:           {http.MethodPost, "/api/pix/cash-out"},
	QRCashOut:         {http.MethodPost, "/api/pix/cash-out-qrcode"},
	Transfer:          {http.MethodPost, "/dict/pix"},
	CashIn:            {http.MethodPost, "/api/pix/cash-in"},
	Cob:               {http.MethodPut, "/cob/{txid}"},
	Refund:            {http.MethodPut, "/pix/{e2eid}/devolucao/{id}"},
	Transactions:      {http.MethodGet, "/api/transactions"},
	TransactionsByKey: {http.MethodGet, "/api/pix/transactions/pix-key/{pixKey}"},
	Meds:              {http.MethodGet, "/api/med"},
	RegisterWebhook:   {http.MethodPost, "/api/webhooks"},
	Webhooks:          {http.MethodGet, "/api/webhooks"},
	Resend:            {http.MethodPost, "/api/resend-webhook/{transactionIdentifier}"},
}
