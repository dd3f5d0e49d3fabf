package faulty

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
)

// control handles the test controls.
func (g *Gateway) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /controls", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"protocol":1,"controls":["accounts","funds","limits"]}`)
	})
	mux.HandleFunc("POST /accounts", func(w http.ResponseWriter, _ *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		c := g.open(0).credentials
		fmt.Fprintf(w, `{"accountId":%d,"clientId":%q,"clientSecret":%q,"pixKey":%q}`, c.ID, c.ClientID, c.ClientSecret, c.PixKey)
	})
	mux.Handle("PUT /accounts/{id}/{resource}", handler(func(w http.ResponseWriter, r *http.Request, body []byte) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 1 || id > len(g.Credentials()) {
			http.Error(w, `{"message":"expected the resource of an account"}`, http.StatusNotFound)
			return
		}
		if err := g.account(id).set(r.PathValue("resource"), body); err != nil {
			http.Error(w, fmt.Sprintf(`{"message":%q}`, err), http.StatusBadRequest)
		}
	}))
	return inJSON(mux)
}

func (g *Gateway) account(id int) *account {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.accounts[id-1]
}

// set sets the balance of an account.
func (a *account) set(resource string, body []byte) error {
	switch resource {
	case "balance":
		available, err := data.ParseAmount(gjson.GetBytes(body, "available").Str)
		a.balance.Store(available)
		return err
	case "limits":
		return nil // there are none to lift
	}
	return fmt.Errorf("expected balance or limits, got %s", resource)
}
