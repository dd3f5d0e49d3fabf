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

// Operation of the API.
type Operation struct {
	Name     string // in metrics and reports
	Method   string
	Template string // of the path, with parameters in braces: the tag name of metrics
}

func (o Operation) String() string { return o.Name }

// Operations of the API. Tokens have the same template even if a gateway issues them at another path.
var (
	Token             = operation("token", http.MethodPost, "/api/auth/token")
	ReadBalance       = operation("balance", http.MethodGet, "/accounts/balances")
	CashOut           = operation("cash-out", http.MethodPost, "/api/pix/cash-out")
	QRCashOut         = operation("cash-out-qrcode", http.MethodPost, "/api/pix/cash-out-qrcode")
	Transfer          = operation("transfer", http.MethodPost, "/dict/pix")
	CashIn            = operation("cash-in", http.MethodPost, "/api/pix/cash-in")
	Cob               = operation("cob", http.MethodPut, "/cob/{txid}")
	Refund            = operation("refund", http.MethodPut, "/pix/{e2eid}/devolucao/{id}")
	Transactions      = operation("transactions", http.MethodGet, "/api/transactions")
	TransactionsByKey = operation("transactions-by-key", http.MethodGet, "/api/pix/transactions/pix-key/{pixKey}")
	Meds              = operation("meds", http.MethodGet, "/api/med")
	RegisterWebhook   = operation("register-webhook", http.MethodPost, "/api/webhooks")
	Webhooks          = operation("webhooks", http.MethodGet, "/api/webhooks")
	Resend            = operation("resend", http.MethodPost, "/api/resend-webhook/{transactionIdentifier}")
)

var operations []Operation // all

func operation(name, method, template string) Operation {
	operations = append(operations, Operation{name, method, template})
	return Operation{name, method, template}
}
