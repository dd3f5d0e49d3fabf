package mutants

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
)

// endpoint is one kind of call at a seam.
type endpoint struct {
	seam         seam
	method, path string // the path with its {parameters}; both empty: every call
	success      func(*call) *answer
}

// place is what a fault is about: one endpoint or a group of them.
type place interface {
	has(*endpoint) bool
	where() seam
}

// group is several endpoints of one seam that go wrong together.
type group []*endpoint

func (e *endpoint) has(other *endpoint) bool { return e == other }
func (e *endpoint) where() seam              { return e.seam }
func (g group) has(e *endpoint) bool         { return slices.Contains(g, e) }
func (g group) where() seam                  { return g[0].seam }

// The endpoints of the API.
var (
	token = &endpoint{front, http.MethodPost, "/api/auth/token", func(*call) *answer {
		return json201(`{"access_token":"eyJhbGciOiJub25lIn0.e30.bm9uZQ","token_type":"Bearer","expires_in":1800}`)
	}}
	balances = &endpoint{front, http.MethodGet, "/accounts/balances", func(*call) *answer {
		return json200(`{"data":[{"eventDate":%q,"balanceAmount":{"available":0.00,"blocked":0.00,"overdraft":0}}]}`, now())
	}}
	standard = &endpoint{front, http.MethodGet, "/balance", func(*call) *answer {
		return json200(`{"grossBalance":0.00,"blockedBalance":0.00,"netBalance":0.00,"consultedAt":%q}`, now())
	}}
	cashOut = &endpoint{front, http.MethodPost, "/api/pix/cash-out", func(c *call) *answer {
		externalID, _ := lookup(c.body, "externalId")
		return json201(`{"transactionId":%q,"externalId":%s,"status":"PENDING","generateTime":%q}`, uuid.NewString(), encode(externalID), now())
	}}
	qrCashOut = &endpoint{front, http.MethodPost, "/api/pix/cash-out-qrcode", cashOut.success}
	cashIn    = &endpoint{front, http.MethodPost, "/api/pix/cash-in", func(c *call) *answer {
		externalID, _ := lookup(c.body, "transaction.externalId")
		return json201(`{"transactionId":%q,"externalId":%s,"status":"PENDING","generateTime":%q,"correlationId":%q,"pixCode":%q,"expirationDate":%q}`,
			uuid.NewString(), encode(externalID), now(), uuid.NewString(), anyCode, now())
	}}
	transfer = &endpoint{front, http.MethodPost, "/dict/pix", func(c *call) *answer {
		amount, _ := lookup(c.body, "payment.amount")
		return json200(`{"endToEndId":%q,"eventDate":%q,"id":%d,"payment":{"currency":"BRL","amount":%s},"type":"PENDING"}`,
			anyEndToEnd, now(), rand.Int64N(1<<50), encode(amount))
	}}
	cob = &endpoint{front, http.MethodPut, "/cob/{txid}", func(c *call) *answer {
		return json201(`{"calendario":{"criacao":%[1]q,"expiracao":86400},"txid":%[2]q,"revisao":0,"loc":{"id":%[3]d,"location":%[4]q,"tipoCob":"cob"},"location":%[4]q,"status":"ATIVA","valor":{"original":"1.00","modalidadeAlteracao":0},"chave":""}`,
			now(), path.Base(c.path), rand.Int64N(1<<50), anyCode)
	}}
	devolution = &endpoint{front, http.MethodPut, "/pix/{e2eid}/devolucao/{id}", func(c *call) *answer {
		return json201(`{"id":%q,"rtrId":%q,"valor":%q,"horario":{"solicitacao":%q},"status":"EM_PROCESSAMENTO"}`,
			path.Base(c.path), "D"+anyEndToEnd[1:], textAt(c.body, "valor"), now())
	}}
	meds = &endpoint{front, http.MethodGet, "/api/med", func(*call) *answer {
		return json200(`{"data":[],"metadata":{"total":0,"page":1,"pageSize":20,"totalPages":0}}`)
	}}
	transactions = &endpoint{front, http.MethodGet, "/api/transactions", func(*call) *answer {
		return json200(`{"data":[],"metadata":{"page":1,"size":20,"total":0,"totalPages":0,"hasNext":false,"hasPrevious":false}}`)
	}}
	ofKey        = &endpoint{front, http.MethodGet, "/api/pix/transactions/pix-key/{pixKey}", transactions.success}
	registration = &endpoint{front, http.MethodPost, "/api/webhooks", func(*call) *answer {
		return json200(`{"success":true,"message":"webhook registered"}`)
	}}
	list = &endpoint{front, http.MethodGet, "/api/webhooks", func(*call) *answer {
		return json200(`{"accountId":0,"webhooks":[],"total":0}`)
	}}
	resend = &endpoint{front, http.MethodPost, "/api/resend-webhook/{transactionIdentifier}", func(*call) *answer {
		return json200(`{"message":"webhook sent","webhookLogId":1,"sentAt":%q,"statusCode":200}`, now())
	}}
)

// What an answer needs that nothing was done for: a code that is valid, an id that is
// nobody's.
const (
	anyCode     = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D"
	anyEndToEnd = "E1234567820260301120012345678901"
)

// The test controls that faults change.
var (
	newAccount   = &endpoint{controls, http.MethodPost, "/accounts", done}
	funds        = &endpoint{controls, http.MethodPut, "/accounts/{account}/balance", done}
	certificates = &endpoint{controls, http.MethodPost, "/accounts/{account}/certificates", done}
	revocation   = &endpoint{controls, http.MethodDelete, "/accounts/{account}/certificates/{sha256}", done}
	fees         = &endpoint{controls, http.MethodPut, "/accounts/{account}/fees", done}
	limits       = &endpoint{controls, http.MethodPut, "/accounts/{account}/limits", done}
	clock        = &endpoint{controls, http.MethodPut, "/accounts/{account}/clock", done}
	faults       = &endpoint{controls, http.MethodPut, "/accounts/{account}/faults", done}
	settlement   = &endpoint{controls, http.MethodPut, "/accounts/{account}/settlement", done}
	bank         = &endpoint{controls, http.MethodPost, "/accounts/{account}/settlements", done}
	payment      = &endpoint{controls, http.MethodPost, "/accounts/{account}/payments", func(*call) *answer {
		return json201(`{"endToEndId":%q,"receivedAt":%q}`, anyEndToEnd, now())
	}}
	ending        = &endpoint{controls, http.MethodPost, "/accounts/{account}/charges/{txid}/end", done}
	charge        = &endpoint{controls, http.MethodGet, "/accounts/{account}/charges/{txid}", done}
	division      = &endpoint{controls, http.MethodGet, "/accounts/{account}/splits", done}
	refunding     = &endpoint{controls, http.MethodPut, "/accounts/{account}/refunds", done}
	refundResult  = &endpoint{controls, http.MethodPost, "/accounts/{account}/refunds/{rtrId}/result", done}
	refundShown   = &endpoint{controls, http.MethodGet, "/accounts/{account}/refunds/{rtrId}", done}
	paymentReturn = &endpoint{controls, http.MethodPost, "/accounts/{account}/returns", done}
	medOpening    = &endpoint{controls, http.MethodPost, "/accounts/{account}/meds", done}
	medMove       = &endpoint{controls, http.MethodPatch, "/accounts/{account}/meds/{med}", done}
	directory     = &endpoint{controls, http.MethodPut, "/directory/{key}", done}
)

// arriving is every request that reaches the edge.
var arriving = &endpoint{ahead, "", "", done}

// event is every delivery of a webhook.
var event = &endpoint{webhooks, "", "", func(*call) *answer { return &answer{message: message{status: http.StatusOK}} }}

// endpoints are all of them.
var endpoints = []*endpoint{
	token, balances, standard, cashOut, qrCashOut, cashIn, transfer, cob, devolution, meds,
	transactions, ofKey, registration, list, resend,
	newAccount, funds, certificates, revocation, fees, limits, clock, faults, settlement, bank, payment,
	ending, charge, division, refunding, refundResult, refundShown, paymentReturn, medOpening,
	medMove, directory,
	arriving, event,
}

// Groups of endpoints.
var (
	public      = group{token, cashOut, qrCashOut, cashIn, transactions, ofKey, registration, list, resend} // they refuse in the rich envelope
	simple      = group{balances, standard, transfer, cob, devolution, meds}                                // they refuse in the simple one
	underTokens = group{balances, cashOut, qrCashOut, cashIn, transfer, cob, devolution, meds, transactions, ofKey, registration, list, resend}
	everything  = append(group{token, standard}, underTokens...)
)

func endpointOf(s seam, method, path string) *endpoint {
	for _, e := range endpoints {
		if e.seam == s && (e.method == "" || e.method == method && e.matches(path)) {
			return e
		}
	}
	return nil
}

func (e *endpoint) matches(path string) bool {
	want, given := strings.Split(e.path, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, given, func(w, g string) bool { return w == g || strings.HasPrefix(w, "{") && g != "" })
}

// Answers that an endpoint gives without having done anything.

func done(*call) *answer { return &answer{message: message{status: http.StatusNoContent}} }

func json200(format string, args ...any) *answer { return jsonAnswer(http.StatusOK, format, args...) }

func json201(format string, args ...any) *answer {
	return jsonAnswer(http.StatusCreated, format, args...)
}

func jsonAnswer(status int, format string, args ...any) *answer {
	return &answer{message: message{
		status: status,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   fmt.Appendf(nil, format, args...),
	}}
}

// refusal is an answer in the envelope of the call's family.
func refusal(c *call, status int, code api.Code) *answer {
	if simple.has(c.endpoint) {
		return jsonAnswer(status, `{"statusCode":%d,"message":"refused","error":%q}`, status, http.StatusText(status))
	}
	if business := string(code); strings.HasPrefix(business, "PIX_") || strings.HasPrefix(business, "PROVIDER_") { // a business error repeats its code
		return refusal(c, status, api.HTTPError).edited(set("code", quote(code)), set("errorCode", quote(code)))
	}
	return jsonAnswer(status, `{"statusCode":%d,"timestamp":%q,"path":%q,"method":%q,"code":%q,"message":"refused","userMessage":"Recusado.","errorId":%q,"error":%q}`,
		status, now(), c.path, c.method, code, uuid.NewString(), http.StatusText(status))
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }
