package gateway

import "net/http"

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
