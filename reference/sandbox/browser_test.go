package sandbox

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// busyAccount has something for each table and button of the page.
func busyAccount(t *testing.T) *visitor {
	t.Helper()
	v := visit(t, nil)
	application := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(application.Close)
	answer := v.request(http.MethodPost, "/api/webhooks", fmt.Sprintf(`{"url":%q,"eventType":"cash_in"}`, application.URL))
	require.Equal(t, 2, answer.status/100, answer.body)
	v.cashIn("sale-1")
	v.press("Pay sale-1")
	v.press("Open MED case sale-1")
	v.cashOut("out-1")
	v.press("Hold new payments")
	v.cashOut("out-2")
	v.cashIn("sale-2")
	return v
}

// Everything that can be operated has a name of its own, so that "Pay" is not one of ten; the page fits a phone, and the
// browser finds nothing wrong with it.
func TestTheBrowserNamesAllControls(t *testing.T) {
	t.Parallel()
	c := browser(t)
	v := busyAccount(t)
	c.call("Emulation.setDeviceMetricsOverride", object{"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	c.open(v.served.Gateway.ControlsURL() + accountPage)
	all := c.elements()
	var names []string
	for _, e := range all {
		if slices.Contains([]string{"button", "textbox", "combobox", "link", "DisclosureTriangle"}, e.Role) {
			assert.NotEmpty(t, e.Name, e.Role)
			assert.NotContains(t, names, e.Role+" "+e.Name)
			names = append(names, e.Role+" "+e.Name)
		}
	}
	assert.Subset(t, names, []string{
		"link pixcert sandbox", "link Reload", "textbox Advance the clock by", "button Advance", "textbox Set the available balance to R$",
		"button Set", "button Settle automatically", "button Reset the account", "button Pay sale-2", "button Settle out-2",
		"combobox Error code for out-2", "button Reject out-2",
		"button Payee returns it out-1", "button Open MED case sale-1",
	})
	for _, region := range []string{"Balance and clock", "Charges", "Payments", "MED cases", "Webhooks"} {
		assert.True(t, slices.ContainsFunc(all, func(e named) bool { return e.Role == "region" && e.Name == region }), region)
	}
	var layout struct{ CSSContentSize struct{ Width float64 } }
	c.call("Page.getLayoutMetrics", nil, &layout)
	assert.LessOrEqual(t, layout.CSSContentSize.Width, 400.0, "only tables scroll sideways")
	for _, e := range c.events {
		assert.NotEqual(t, "Log.entryAdded", e.Method, string(e.Params))
	}
}

// A click does what it says, without JavaScript.
func TestAButtonWorksInTheBrowser(t *testing.T) {
	t.Parallel()
	c := browser(t)
	v := visit(t, nil)
	v.cashIn("sale-1")
	c.open(v.served.Gateway.ControlsURL()) // leads to the only account
	all := c.elements()
	pay := slices.IndexFunc(all, func(e named) bool { return e.Role == "button" && e.Name == "Pay sale-1" })
	require.GreaterOrEqual(t, pay, 0, all)
	c.click(all[pay])
	all = c.elements()
	assert.True(t, slices.ContainsFunc(all, func(e named) bool { return e.Name == "Done: a payer pays a charge (cash-in or cob)." }), all)
	assert.True(t, slices.ContainsFunc(all, func(e named) bool { return e.Name == "R$ 1,025.00" }), all)
}
