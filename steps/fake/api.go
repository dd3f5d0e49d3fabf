package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
)

// spoilt lets the switch answer first.
func (g *Gateway) spoilt(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		spoil := g.spoil
		g.mu.Unlock()
		if spoil == nil || !spoil(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// api is the gateway as its clients see it.
type api struct{ *Gateway }

func (g api) serve() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/auth/token", func(w http.ResponseWriter, r *http.Request) { g.locked(func() { g.issue(w, r) }) })
	for pattern, serve := range map[string]func(http.ResponseWriter, *http.Request, *account, object){
		"GET /accounts/balances":                     g.balances,
		"GET /balance":                               func(w http.ResponseWriter, _ *http.Request, _ *account, _ object) { Refuse(w, 404, "NOT_FOUND") },
		"POST /api/pix/cash-out":                     g.cashOut,
		"POST /api/pix/cash-out-qrcode":              g.cashOut,
		"POST /dict/pix":                             g.transfer,
		"POST /api/pix/cash-in":                      g.cashIn,
		"PUT /cob/{txid}":                            g.cob,
		"PUT /pix/{e2eid}/devolucao/{id}":            g.refund,
		"GET /api/med":                               g.list,
		"GET /api/transactions":                      g.list,
		"GET /api/pix/transactions/pix-key/{pixKey}": g.list,
		"POST /api/webhooks":                         g.register,
		"GET /api/webhooks":                          g.webhooks,
		"POST /api/resend-webhook/{id}":              g.resend,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			g.mu.Lock()
			defer g.mu.Unlock()
			for _, a := range g.accounts {
				if r.Header.Get("Authorization") == "Bearer "+g.token(a) {
					serve(w, r, a, bodyOf(r))
					return
				}
			}
			Refuse(w, http.StatusUnauthorized, "UNAUTHORIZED")
		})
	}
	return mux
}

func (g api) issue(w http.ResponseWriter, r *http.Request) {
	body := bodyOf(r)
	for _, a := range g.accounts {
		registered := slices.ContainsFunc(a.certificates, func(pem string) bool { return r.Header.Get("X-SSL-Client-Cert") == certs.Header([]byte(pem)) })
		if a.ClientID == jsonvalue.Text(body, "clientId") && a.Secret == jsonvalue.Text(body, "clientSecret") && registered {
			answer(w, http.StatusCreated, object{"access_token": g.token(a), "token_type": "Bearer", "expires_in": 1800})
			return
		}
	}
	Refuse(w, http.StatusUnauthorized, "UNAUTHORIZED")
}

func (g api) balances(w http.ResponseWriter, _ *http.Request, a *account, _ object) {
	b := g.seen(a)
	answer(w, http.StatusOK, object{"data": []any{object{
		"eventDate":     time.Now().UTC().Format(time.RFC3339),
		"balanceAmount": object{"available": json.Number(b.available.Decimal()), "blocked": json.Number(b.blocked.Decimal()), "overdraft": 0},
	}}})
}

func (g api) cashOut(w http.ResponseWriter, _ *http.Request, a *account, body object) {
	p := &payment{externalID: jsonvalue.Text(body, "externalId"), key: jsonvalue.Text(body, "details.key"), amount: money.OrZero(jsonvalue.Text(body, "value"))}
	if used := a.paid(p.externalID); used != nil {
		answer(w, http.StatusBadRequest, object{
			"statusCode": 400, "code": "PIX_DUPLICATE_EXTERNAL_ID", "message": "used",
			"details": object{"externalId": p.externalID, "existingTransactionId": used.id},
		})
		return
	}
	if code := g.pay(a, p); code != "" {
		Refuse(w, http.StatusBadRequest, code)
		return
	}
	answer(w, http.StatusCreated, object{
		"transactionId": p.id, "externalId": p.externalID, "status": "PENDING", "generateTime": p.at.UTC().Format(time.RFC3339),
	})
}

func (g api) transfer(w http.ResponseWriter, _ *http.Request, a *account, body object) {
	p := &payment{key: jsonvalue.Text(body, "pixKey"), amount: money.OrZero(jsonvalue.Text(body, "payment.amount"))}
	if code := g.pay(a, p); code != "" {
		Refuse(w, http.StatusUnprocessableEntity, code)
		return
	}
	answer(w, http.StatusAccepted, object{"id": len(a.payments), "endToEndId": "E" + p.id[:31], "status": "PENDING"})
}

func (g api) cashIn(w http.ResponseWriter, _ *http.Request, a *account, body object) {
	if body["payer"] == nil {
		Refuse(w, http.StatusBadRequest, "HTTP_ERROR")
		return
	}
	a.payments = append(a.payments, &payment{externalID: jsonvalue.Text(body, "transaction.externalId"), status: "Pendente"})
	answer(w, http.StatusCreated, object{
		"transactionId": fmt.Sprintf("charge-of-%d-%d", a.ID, len(a.payments)), "status": "PENDING", "pixCode": codeOf(len(a.payments) - 1),
	})
}

func (g api) cob(w http.ResponseWriter, r *http.Request, _ *account, _ object) {
	answer(w, http.StatusCreated, object{"txid": r.PathValue("txid"), "status": "ATIVA", "location": "000201cob-" + r.PathValue("txid")})
}

func (g api) refund(w http.ResponseWriter, r *http.Request, _ *account, _ object) {
	answer(w, http.StatusCreated, object{"id": r.PathValue("id"), "rtrId": "D" + strings.Repeat("7", 31), "status": "EM_PROCESSAMENTO"})
}

// list is one page of payments; of all, to a key, or of an externalId.
func (g api) list(w http.ResponseWriter, r *http.Request, a *account, _ object) {
	items := []any{}
	for _, p := range a.payments {
		fits := func(want, got string) bool { return want == "" || want == got }
		query := r.URL.Query()
		if !fits(query.Get("externalId"), p.externalID) || !fits(query.Get("endToEndId"), p.endToEnd) || !fits(r.PathValue("pixKey"), p.key) || time.Since(p.at) < g.lag {
			continue
		}
		status := p.status
		if time.Since(p.at) < g.listed {
			status = "Pendente"
		}
		if p.received {
			status = g.paid
		}
		items = append(items, object{
			"transactionId": p.id, "externalId": p.externalID, "endToEndId": p.endToEnd, "status": status,
			"operationType": "Pix out", "movementType": "DEBIT", "originalAmount": json.Number(p.amount.Decimal()),
		})
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("size"))
	page = max(page, 1)
	if size <= 0 {
		size = 20
	}
	if r.URL.Path == "/api/med" {
		items = nil
	}
	pages := (len(items) + size - 1) / size
	answer(w, http.StatusOK, object{
		"data":     items[min(len(items), (page-1)*size):min(len(items), page*size)],
		"metadata": object{"page": page, "size": size, "total": len(items), "totalPages": pages, "hasNext": page < pages, "hasPrevious": page > 1},
	})
}

func (g api) register(w http.ResponseWriter, _ *http.Request, a *account, body object) {
	hook := webhook{jsonvalue.Text(body, "url"), jsonvalue.Text(body, "eventType"), time.Now()}
	if !strings.HasPrefix(hook.URL, "https://") {
		Refuse(w, http.StatusBadRequest, "HTTP_ERROR")
		return
	}
	if !slices.ContainsFunc(a.webhooks, func(known webhook) bool { return known.URL == hook.URL && known.EventType == hook.EventType }) {
		a.webhooks = append(a.webhooks, hook)
	}
	answer(w, http.StatusOK, object{"message": "registered"})
}

func (g api) webhooks(w http.ResponseWriter, _ *http.Request, a *account, _ object) {
	rows := []any{}
	for _, hook := range a.webhooks {
		if time.Since(hook.at) < g.lag {
			continue
		}
		rows = append(rows, object{"url": hook.URL, "type": hook.EventType, "headers": object{}, "isActive": true})
	}
	answer(w, http.StatusOK, object{"webhooks": rows})
}

func (g api) resend(w http.ResponseWriter, r *http.Request, a *account, _ object) {
	for _, p := range a.payments {
		if p.externalID == r.PathValue("id") {
			g.report(a, p, "CONFIRMED")
			answer(w, http.StatusOK, object{"message": "sent"})
			return
		}
	}
	Refuse(w, http.StatusNotFound, "NOT_FOUND")
}

type object = map[string]any

// bodyOf reads the body of a request; nil for anything but an object.
func bodyOf(r *http.Request) (body object) {
	decoder := json.NewDecoder(r.Body)
	decoder.UseNumber()
	_ = decoder.Decode(&body) // what is not an object has no fields
	return body
}
