package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
)

// noted notes each call of a control.
func (g *Gateway) noted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.URL.Path != "/controls" {
			g.locked(func() { g.calls = append(g.calls, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body))) })
		}
		next.ServeHTTP(w, r)
	})
}

// controls are the test controls of the gateway. Those that the tests do not look behind do nothing.
type controls struct{ *Gateway }

func (g controls) serve() http.Handler {
	mux := http.NewServeMux()
	for pattern, body := range map[string]object{
		"/accounts/{id}/":                    {},
		"PUT /directory/{key}":               {},
		"GET /accounts/{id}/charges/{txid}":  {"status": "ATIVA"},
		"GET /accounts/{id}/refunds/{rtrId}": {"status": "EM_PROCESSAMENTO"},
		"GET /accounts/{id}/splits":          {"splits": []any{object{"pixKey": "k", "amount": "1.00", "status": "PENDING"}}, "left": "9.00"},
		"POST /accounts/{id}/meds":           {"id": 5},
		"GET /controls": {"protocol": 1, "controls": []string{
			"accounts", "funds", "fees", "limits", "clock", "certificates", "directory", "settlement", "payments", "charges", "refunds", "returns", "splits", "med", "faults",
		}},
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, body) })
	}
	mux.HandleFunc("POST /accounts", func(w http.ResponseWriter, r *http.Request) { g.locked(func() { g.create(w, r) }) })
	for pattern, serve := range map[string]func(a *account, r *http.Request) (status int, answer object){
		"DELETE /accounts/{id}":                       func(*account, *http.Request) (int, object) { return http.StatusOK, nil },
		"PUT /accounts/{id}/balance":                  g.setBalance,
		"PUT /accounts/{id}/settlement":               g.setSettlement,
		"POST /accounts/{id}/settlements":             g.settleOne,
		"POST /accounts/{id}/payments":                g.payCharge,
		"POST /accounts/{id}/certificates":            g.addCertificate,
		"DELETE /accounts/{id}/certificates/{sha256}": g.revokeCertificate,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			g.locked(func() {
				id, _ := strconv.Atoi(r.PathValue("id"))
				if id < 1 || id > len(g.accounts) {
					answer(w, http.StatusNotFound, object{"message": "no such account"})
					return
				}
				status, body := serve(g.accounts[id-1], r)
				answer(w, status, body)
			})
		})
	}
	return mux
}

func (g controls) create(w http.ResponseWriter, r *http.Request) {
	a := g.open([]byte(jsonvalue.Text(bodyOf(r), "certificate")))
	answer(w, http.StatusCreated, object{
		"accountId": a.ID, "clientId": a.ClientID, "clientSecret": a.Secret, "pixKey": a.PixKey, "name": "Fulano", "document": "11222333000181", "ispb": "60701190",
	})
}

func (g controls) setBalance(a *account, r *http.Request) (int, object) {
	available := money.OrZero(jsonvalue.Text(bodyOf(r), "available"))
	if g.narrow && available > mostHeld {
		return http.StatusUnprocessableEntity, object{"message": "no column is that wide"}
	}
	a.set(available, a.blocked)
	return http.StatusOK, nil
}

func (g controls) setSettlement(a *account, r *http.Request) (int, object) {
	a.manual = jsonvalue.Text(bodyOf(r), "mode") == "manual"
	for _, p := range a.payments {
		if p.status == "Pendente" && p.amount > 0 && !a.manual {
			g.settle(a, p, "CONFIRMED")
		}
	}
	return http.StatusOK, nil
}

func (g controls) settleOne(a *account, r *http.Request) (int, object) {
	body := bodyOf(r)
	for i, p := range a.payments {
		if p.id != jsonvalue.Text(body, "transactionId") && fmt.Sprint(i+1) != jsonvalue.Text(body, "id") {
			continue
		}
		if p.status != "Pendente" {
			return http.StatusConflict, object{"message": "it is finished"}
		}
		g.settle(a, p, jsonvalue.Text(body, "outcome"))
		return http.StatusOK, nil
	}
	return http.StatusNotFound, object{"message": "no such payment"}
}

func (g controls) payCharge(a *account, r *http.Request) (int, object) {
	body := bodyOf(r)
	if jsonvalue.Text(body, "amount") == "0.00" {
		return http.StatusBadRequest, object{"message": "nothing to pay"}
	}
	a.set(a.available+10_00, a.blocked)
	a.history[len(a.history)-1].at = time.Now().Add(g.trail)
	endToEnd := fmt.Sprintf("E607011905%022d", len(a.history))
	for i, p := range a.payments {
		if codeOf(i) == jsonvalue.Text(body, "pixCode") {
			p.at, p.received, p.endToEnd = time.Now(), true, endToEnd
		}
	}
	return http.StatusCreated, object{"endToEndId": endToEnd, "receivedAt": "2026-03-01T12:00:00Z"}
}

func (g controls) addCertificate(a *account, r *http.Request) (int, object) {
	a.certificates = append(a.certificates, jsonvalue.Text(bodyOf(r), "certificate"))
	return http.StatusCreated, nil
}

func (g controls) revokeCertificate(a *account, r *http.Request) (int, object) {
	registered := len(a.certificates)
	a.certificates = slices.DeleteFunc(a.certificates, func(text string) bool {
		block, _ := pem.Decode([]byte(text))
		return fmt.Sprintf("%x", sha256.Sum256(block.Bytes)) == r.PathValue("sha256")
	})
	if len(a.certificates) == registered {
		return http.StatusNotFound, object{"message": "it is gone"}
	}
	return http.StatusOK, nil
}
