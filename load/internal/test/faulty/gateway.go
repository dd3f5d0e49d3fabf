package faulty

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/certificate"
	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

// Config of a Gateway.
type Config struct {
	Accounts int   // at least 1
	Balance  int64 // of each, centavos
	Webhooks bool  // settle each payment immediately and deliver its event

	// Race is how long after the check of the balance a payment is debited, so that payments at the same time
	// overspend it; 0: the balance is not checked.
	Race time.Duration
}

// Gateway responds to token requests, cash-outs, balances and webhook registrations according to the specification, but does
// almost nothing: it accepts every payment (unless it races), trusts every client, does not detect repeated externalIds and
// lists nothing. So measurements show the cost of the client.
type Gateway struct {
	URL string // http, on a free port of 127.0.0.1

	config     Config
	api        *httptest.Server
	transport  *http.Transport
	deliveries sync.WaitGroup
	payments   atomic.Int64

	accounts []*account
	byToken  map[string]*account // by the whole Authorization header
	byClient map[string]*account
}

// account is one account. Its webhook is the last one that was registered for cash-outs.
type account struct {
	credentials gateway.Credentials
	token       string // the whole response
	balance     atomic.Int64
	webhook     atomic.Pointer[string]
}

// StartGateway starts a gateway; Close ends it.
func StartGateway(config Config) (*Gateway, error) {
	if config.Accounts < 1 {
		return nil, fmt.Errorf("expected at least one account, got %d", config.Accounts)
	}
	own, err := certificate.New(x509.Certificate{})
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		config: config, transport: newTransport(),
		byToken: map[string]*account{}, byClient: map[string]*account{},
	}
	g.transport.MaxConnsPerHost = deliveredAtOnce
	for range config.Accounts {
		g.open(string(certificate.PEM(own)))
	}
	g.api = httptest.NewServer(g.serve())
	g.URL = g.api.URL
	return g, nil
}

// Credentials of its accounts.
func (g *Gateway) Credentials() []gateway.Credentials {
	all := make([]gateway.Credentials, len(g.accounts))
	for i, account := range g.accounts {
		all[i] = account.credentials
	}
	return all
}

// Payments is how many cash-outs it has accepted. Another process uses GET /payments.
func (g *Gateway) Payments() int64 { return g.payments.Load() }

// Close stops the gateway, after its deliveries.
func (g *Gateway) Close() {
	stop(g.api)
	g.deliveries.Wait()
	g.transport.CloseIdleConnections()
}

const deliveredAtOnce = 32 // how many events are delivered at the same time; the others wait for a connection

// deliver delivers the event of the n-th payment, once. If the receiver is gone, it is lost.
func (g *Gateway) deliver(url string, n int64, event []byte) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(event))
	if err != nil {
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Webhook-Id", "msg_"+strconv.FormatInt(n, 10))
	response, err := g.transport.RoundTrip(request)
	if err != nil {
		return
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body) // so that the connection is reused
}

// open adds an account.
func (g *Gateway) open(certificate string) {
	a := &account{credentials: gateway.Credentials{
		ID: int64(len(g.accounts) + 1), ClientID: uuid.NewString(), ClientSecret: uuid.NewString(),
		Certificate: certificate, PixKey: uuid.NewString(),
	}}
	a.balance.Store(g.config.Balance)
	jwt := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+a.credentials.ClientID+`"}`)) + "."
	a.token = `{"access_token":"` + jwt + `","token_type":"Bearer","expires_in":1800}`
	g.accounts = append(g.accounts, a)
	g.byToken["Bearer "+jwt] = a
	g.byClient[a.credentials.ClientID] = a
}

// serve handles the API, and GET /payments: the number of cash-outs accepted so far.
func (g *Gateway) serve() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /api/auth/token", handler(g.issueToken))
	mux.HandleFunc("GET /payments", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, g.Payments()) })
	mux.Handle("POST "+pathCashOut, g.authorized(g.cashOut))
	mux.Handle("GET /accounts/balances", g.authorized(showBalance))
	mux.Handle("POST "+pathWebhooks, g.authorized(register))
	mux.Handle("/", g.authorized(func(_ *account, w http.ResponseWriter, r *http.Request, _ []byte) {
		refuse(w, r, http.StatusNotFound, "HTTP_ERROR", "this gateway supports only tokens, cash-outs, balances and webhook registrations")
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		mux.ServeHTTP(w, r)
	})
}

// authorized handles requests with a token of the gateway.
func (g *Gateway) authorized(handle func(*account, http.ResponseWriter, *http.Request, []byte)) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request, body []byte) {
		account := g.byToken[r.Header.Get("Authorization")]
		if account == nil {
			refuse(w, r, http.StatusUnauthorized, "HTTP_ERROR", "the token was not issued by this gateway")
			return
		}
		handle(account, w, r, body)
	})
}

func (g *Gateway) issueToken(w http.ResponseWriter, r *http.Request, body []byte) {
	account := g.byClient[gjson.GetBytes(body, "clientId").String()]
	switch {
	case r.Header.Get("X-SSL-Client-Cert") == "":
		refuse(w, r, http.StatusBadRequest, "PUB_CERT_HEADER_MISSING", "X-SSL-Client-Cert is missing")
	case account == nil || gjson.GetBytes(body, "clientSecret").String() != account.credentials.ClientSecret:
		refuse(w, r, http.StatusUnauthorized, "PUB_INVALID_CREDENTIALS", "clientId or clientSecret is wrong")
	default:
		response{status: http.StatusCreated, body: []byte(account.token)}.write(w)
	}
}

func (g *Gateway) cashOut(from *account, w http.ResponseWriter, r *http.Request, body []byte) {
	externalID, value := gjson.GetBytes(body, "externalId"), gjson.GetBytes(body, "value")
	amount, err := data.ParseAmount(value.Raw)
	if externalID.Type != gjson.String || err != nil {
		refuse(w, r, http.StatusBadRequest, "HTTP_ERROR", "externalId and value are required")
		return
	}
	if g.config.Race > 0 {
		if from.balance.Load() < amount {
			refuse(w, r, http.StatusBadRequest, "PIX_INSUFFICIENT_BALANCE", "the balance does not cover the payment")
			return
		}
		time.Sleep(g.config.Race)
	}
	from.balance.Add(-amount)
	n := g.payments.Add(1)
	answer := append(make([]byte, 0, 256), `{"transactionId":"`...)
	answer = appendTransactionID(answer, n)
	answer = append(append(answer, `","externalId":`...), externalID.Raw...)
	answer = appendTime(append(answer, `,"status":"PENDING","generateTime":"`...))
	response{status: http.StatusCreated, body: append(answer, `"}`...)}.write(w)
	if webhook := from.webhook.Load(); g.config.Webhooks && webhook != nil {
		event := cashOutResult(body, n)
		g.deliveries.Go(func() { g.deliver(*webhook, n, event) })
	}
}

func showBalance(of *account, w http.ResponseWriter, _ *http.Request, _ []byte) {
	fmt.Fprintf(w, `{"data":[{"eventDate":"%s","balanceAmount":{"available":%s,"blocked":0,"overdraft":0}}]}`,
		appendTime(nil), data.FormatAmount(of.balance.Load()))
}

func register(to *account, w http.ResponseWriter, _ *http.Request, body []byte) {
	if gjson.GetBytes(body, "eventType").String() == "cash_out" {
		url := gjson.GetBytes(body, "url").String()
		to.webhook.Store(&url)
	}
	fmt.Fprint(w, `{"success":true,"message":"webhook registered"}`)
}

// refuse responds with the rich error envelope on every path.
func refuse(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	response{status: status, body: fmt.Appendf(nil,
		`{"statusCode":%d,"timestamp":"%s","path":%q,"method":%q,"code":%q,"message":%q,"userMessage":%q,"errorId":%q,"error":%q}`,
		status, appendTime(nil), r.URL.Path, r.Method, code, message, message, uuid.NewString(), http.StatusText(status))}.write(w)
}

// cashOutResult is the event of a confirmed payment, built from its request.
func cashOutResult(request []byte, n int64) []byte {
	fields := gjson.GetManyBytes(request, "externalId", "value", "details.key", "details.name", "details.document")
	e := bytes.NewBuffer(make([]byte, 0, 768))
	e.WriteString(`{"event":"CashOut","status":"CONFIRMED","transactionType":"PIX","movementType":"DEBIT","transactionId":"`)
	e.Write(appendTransactionID(e.AvailableBuffer(), n))
	fmt.Fprintf(e, `","externalId":%s,"endToEndId":"E12345678%023d","pixKey":%s,"feeAmount":0,"originalAmount":%s,"finalAmount":%[4]s,"processingDate":"%s","errorCode":null,"errorMessage":null,`,
		fields[0].Raw, n, fields[2].Raw, fields[1].Raw, appendTime(nil))
	fmt.Fprintf(e, `"counterpart":{"name":%s,"document":%s,"bank":{"bankISPB":"60701190","bankName":"ITAU UNIBANCO S.A.","bankCode":"341","accountBranch":null,"accountNumber":null}},"metadata":{}}`,
		fields[3].Raw, fields[4].Raw)
	return e.Bytes()
}

// appendTransactionID writes the n-th transaction's id, in the format of a UUID.
func appendTransactionID(to []byte, n int64) []byte {
	hex := strconv.FormatInt(n, 16)
	to = append(to, "00000000-0000-4000-8000-000000000000"[:36-len(hex)]...)
	return append(to, hex...)
}

func appendTime(to []byte) []byte {
	return time.Now().UTC().AppendFormat(to, "2006-01-02T15:04:05.000Z")
}
