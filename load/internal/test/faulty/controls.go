package faulty

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/valyala/fasthttp"

	"github.com/pixcert/pixcert/load/internal/data"
)

// everyControl are the controls that the gateway has.
var everyControl = []string{"accounts", "funds", "limits", "clock"}

// control is one request of the test controls.
func (g *Gateway) control(ctx *fasthttp.RequestCtx) {
	ctx.Response.Header.SetContentType("application/json")
	path, body := pathOf(ctx, ""), ctx.Request.Body()
	switch path {
	case "/controls":
		ctx.SetBodyString(fmt.Sprintf(`{"protocol":1,"controls":["%s"]}`, strings.Join(g.config.Controls, `","`)))
		return
	case "/accounts":
		g.mu.Lock()
		defer g.mu.Unlock()
		c := g.open(0).credentials
		ctx.SetBodyString(fmt.Sprintf(`{"accountId":%d,"clientId":%q,"clientSecret":%q,"pixKey":%q}`, c.ID, c.ClientID, c.ClientSecret, c.PixKey))
		return
	}
	var id int
	var resource string
	if _, err := fmt.Sscanf(path, "/accounts/%d/%s", &id, &resource); err != nil || id < 1 || id > len(g.Credentials()) {
		ctx.Error(`{"message":"expected the resource of an account"}`, fasthttp.StatusNotFound)
		return
	}
	if err := g.account(id).set(resource, body); err != nil {
		ctx.Error(fmt.Sprintf(`{"message":%q}`, err), fasthttp.StatusBadRequest)
	}
}

func (g *Gateway) account(id int) *account {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.accounts[id-1]
}

// set sets the balance, the limits or the clock of an account.
func (a *account) set(resource string, body []byte) error {
	switch resource {
	case "balance":
		available, err := data.ParseAmount(gjson.GetBytes(body, "available").Str)
		a.balance.Store(available)
		return err
	case "limits":
		return a.limits.set(body)
	case "clock":
		now, err := data.ParseTime(gjson.GetBytes(body, "now").Str)
		a.limits.moveClock(now)
		return err
	}
	return fmt.Errorf("expected balance, limits or clock, got %s", resource)
}
