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

// serveControls serves every control. Those that the tests do not look behind do nothing.
func (g *Gateway) serveControls() http.Handler {
	mux := http.NewServeMux()
	fixed := func(pattern string, status int, body object) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { answer(w, status, body) })
	}
	fixed("GET /controls", http.StatusOK, object{"protocol": 1, "controls": []string{
		"accounts", "funds", "fees", "limits", "clock", "certificates", "directory", "settlement", "payments", "charges", "refunds", "returns", "splits", "med", "faults",
	}})
	fixed("/accounts/{id}/", http.StatusOK, object{})
	fixed("PUT /directory/{key}", http.StatusOK, object{})
	fixed("GET /accounts/{id}/charges/{txid}", http.StatusOK, object{"status": "ATIVA"})
	fixed("GET /accounts/{id}/refunds/{rtrId}", http.StatusOK, object{"status": "EM_PROCESSAMENTO"})
	fixed("GET /accounts/{id}/splits", http.StatusOK, object{"splits": []any{object{"pixKey": "k", "amount": "1.00", "status": "PENDING"}}, "left": "9.00"})
	fixed("POST /accounts/{id}/meds", http.StatusCreated, object{"id": 5})
	mux.HandleFunc("POST /accounts", func(w http.ResponseWriter, r *http.Request) {
		g.locked(func() {
			a := g.open([]byte(jsonvalue.Text(bodyOf(r), "certificate")))
			answer(w, http.StatusCreated, object{
				"accountId": a.ID, "clientId": a.ClientID, "clientSecret": a.Secret, "pixKey": a.PixKey, "name": "Fulano", "document": "11222333000181", "ispb": "60701190",
			})
		})
	})
	mux.HandleFunc("DELETE /accounts/{id}/certificates/{sha256}", func(w http.ResponseWriter, r *http.Request) {
		g.locked(func() {
			id, _ := strconv.Atoi(r.PathValue("id"))
			a := g.accounts[id-1]
			registered := len(a.certificates)
			a.certificates = slices.DeleteFunc(a.certificates, func(text string) bool {
				block, _ := pem.Decode([]byte(text))
				return fmt.Sprintf("%x", sha256.Sum256(block.Bytes)) == r.PathValue("sha256")
			})
			if len(a.certificates) == registered {
				answer(w, http.StatusNotFound, object{"message": "it is gone"})
			}
		})
	})
	for pattern, serve := range map[string]func(object, *account) (status int, answer object){
		"DELETE /accounts/{id}": func(object, *account) (int, object) { return http.StatusOK, nil },
		"PUT /accounts/{id}/balance": func(body object, a *account) (int, object) {
			available := money.OrZero(jsonvalue.Text(body, "available"))
			if g.narrow && available > mostHeld {
				return http.StatusUnprocessableEntity, object{"message": "no column is that wide"}
			}
			a.set(available, a.blocked)
			return http.StatusOK, nil
		},
		"PUT /accounts/{id}/settlement": func(body object, a *account) (int, object) {
			a.manual = jsonvalue.Text(body, "mode") == "manual"
			for _, p := range a.payments {
				if p.status == "Pendente" && p.amount > 0 && !a.manual {
					g.settle(a, p, "CONFIRMED")
				}
			}
			return http.StatusOK, nil
		},
		"POST /accounts/{id}/settlements": func(body object, a *account) (int, object) {
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
		},
		"POST /accounts/{id}/payments": func(body object, a *account) (int, object) {
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
		},
		"POST /accounts/{id}/certificates": func(body object, a *account) (int, object) {
			a.certificates = append(a.certificates, jsonvalue.Text(body, "certificate"))
			return http.StatusCreated, nil
		},
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			g.locked(func() {
				id, _ := strconv.Atoi(r.PathValue("id"))
				if id < 1 || id > len(g.accounts) {
					answer(w, http.StatusNotFound, object{"message": "no such account"})
					return
				}
				status, body := serve(bodyOf(r), g.accounts[id-1])
				answer(w, status, body)
			})
		})
	}
	return mux
}
