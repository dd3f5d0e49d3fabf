package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/seedfile"
)

// visitor is a person with a browser that runs no scripts, and a client of the first account.
type visitor struct {
	t      *testing.T
	served *Served
	token  string
}

func visit(t *testing.T, configure func(*Options)) *visitor {
	t.Helper()
	o := Options{
		Gateway:   reference.Config{Listen: "127.0.0.1:0", ControlsListen: "127.0.0.1:0", WebhookInsecure: true},
		Directory: t.TempDir(), Declared: seedfile.Example(),
	}
	if configure != nil {
		configure(&o)
	}
	served, err := Serve(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, served.Gateway.Close(context.WithoutCancel(t.Context()))) })
	v := &visitor{t: t, served: served}
	v.authenticate()
	return v
}

// authenticate requests a token for the API.
func (v *visitor) authenticate() {
	v.t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(v.served.Accounts[0].File(name))
		require.NoError(v.t, err)
		return string(text)
	}
	_, certificate, _ := strings.Cut(strings.TrimSpace(read(HeaderFile)), ": ")
	answer := v.request(http.MethodPost, "/api/auth/token", read(CredentialsFile), "X-SSL-Client-Cert", certificate)
	require.Equal(v.t, http.StatusCreated, answer.status, answer.body)
	var granted struct {
		Token string `json:"access_token"`
	}
	require.NoError(v.t, json.Unmarshal([]byte(answer.body), &granted))
	v.token = granted.Token
}

type answered struct {
	status int
	header http.Header
	body   string
}

// request calls the API of the gateway.
func (v *visitor) request(method, path, body string, header ...string) answered {
	header = append(header, "Content-Type", "application/json")
	if v.token != "" {
		header = append(header, "Authorization", "Bearer "+v.token)
	}
	return v.send(method, v.served.Gateway.URL()+path, body, header...)
}

// browse requests a page; header are names and values.
func (v *visitor) browse(method, path string, form url.Values, header ...string) answered {
	return v.send(method, v.served.Gateway.ControlsURL()+path, form.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html"}, header...)...)
}

func (v *visitor) send(method, address, body string, header ...string) answered {
	v.t.Helper()
	request, err := http.NewRequestWithContext(v.t.Context(), method, address, strings.NewReader(body))
	require.NoError(v.t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(v.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(v.t, err)
	return answered{response.StatusCode, response.Header, string(text)}
}

func (v *visitor) cashIn(externalID string) {
	v.t.Helper()
	answer := v.request(http.MethodPost, "/api/pix/cash-in", fmt.Sprintf(`{"transaction":{"value":25.00,"description":"Coffee","externalId":%q},`+
		`"payer":{"fullName":"João de Souza","document":"11144477735"}}`, externalID))
	require.Equal(v.t, http.StatusCreated, answer.status, answer.body)
}

func (v *visitor) cashOut(externalID string) {
	v.t.Helper()
	answer := v.request(http.MethodPost, "/api/pix/cash-out", fmt.Sprintf(`{"value":10.00,"externalId":%q,"details":`+
		`{"key":"maria@pixcert.example","keyType":"EMAIL","name":"Maria da Silva","document":"52998224725"}}`, externalID))
	require.Equal(v.t, http.StatusCreated, answer.status, answer.body)
}

const accountPage = "/sandbox/accounts/1"

func (v *visitor) page() string {
	v.t.Helper()
	answer := v.browse(http.MethodGet, accountPage, nil)
	require.Equal(v.t, http.StatusOK, answer.status, answer.body)
	return answer.body
}

var (
	formOf   = regexp.MustCompile(`(?s)<form method="post" action="([^"]+)">(.*?)</form>`)
	fieldOf  = regexp.MustCompile(`name="(\w+)" value="([^"]*)"`)
	labelOf  = regexp.MustCompile(`<button>(.*?)</button>`)
	tag      = regexp.MustCompile(`<[^>]*>`)
	optionOf = regexp.MustCompile(`<select[^>]* name="(\w+)"`)
)

// press submits the form of the button with a label, and returns the page that it leads to. values replace fields.
func (v *visitor) press(label string, values ...string) string {
	v.t.Helper()
	var labels []string
	for _, form := range formOf.FindAllStringSubmatch(v.page(), -1) {
		found := html.UnescapeString(tag.ReplaceAllString(labelOf.FindStringSubmatch(form[2])[1], ""))
		labels = append(labels, found)
		if found != label {
			continue
		}
		fields := url.Values{}
		for _, field := range fieldOf.FindAllStringSubmatch(form[2], -1) {
			fields.Set(field[1], html.UnescapeString(field[2]))
		}
		if option := optionOf.FindStringSubmatch(form[2]); option != nil {
			fields.Set(option[1], "ORDER_REJECTED")
		}
		for i := 0; i < len(values); i += 2 {
			fields.Set(values[i], values[i+1])
		}
		answer := v.browse(http.MethodPost, html.UnescapeString(form[1]), fields, "Origin", v.served.Gateway.ControlsURL())
		if answer.status != http.StatusSeeOther {
			return answer.body
		}
		led := v.browse(http.MethodGet, answer.header.Get("Location"), nil)
		require.Equal(v.t, http.StatusOK, led.status, led.body)
		return led.body
	}
	require.Contains(v.t, labels, label, "buttons of the page")
	return ""
}

func TestThePageLeadsToTheOnlyAccount(t *testing.T) {
	t.Parallel()
	v := visit(t, nil)
	for path, location := range map[string]string{"/": "/sandbox/", "/sandbox": "/sandbox/", "/sandbox/": accountPage} {
		answer := v.browse(http.MethodGet, path, nil)
		assert.Equal(t, http.StatusSeeOther, answer.status, path)
		assert.Equal(t, location, answer.header.Get("Location"), path)
	}
	root := v.send(http.MethodGet, v.served.Gateway.ControlsURL()+"/", "", "Accept", "*/*")
	assert.Equal(t, http.StatusOK, root.status, "curl is no browser")
	assert.Equal(t, "text/plain; charset=utf-8", root.header.Get("Content-Type"))
	for _, path := range regexp.MustCompile(`(?m)^  (/\S+)`).FindAllStringSubmatch(root.body, -1) {
		assert.Less(t, v.send(http.MethodGet, v.served.Gateway.ControlsURL()+path[1], "").status, 400, path[1])
	}
	assert.Contains(t, root.body, "\n  /sandbox/ ")
	assert.Equal(t, http.StatusNotFound, v.send(http.MethodPost, v.served.Gateway.ControlsURL()+"/", "").status)
	assert.Equal(t, http.StatusNotFound, v.browse(http.MethodGet, "/sandbox/accounts/2", nil).status)
	assert.Equal(t, http.StatusNotFound, v.browse(http.MethodGet, "/sandbox/nothing", nil).status)
	style := v.browse(http.MethodGet, "/sandbox/style.css", nil)
	assert.Equal(t, "text/css; charset=utf-8", style.header.Get("Content-Type"))
}

func TestThePageListsSeveralAccounts(t *testing.T) {
	t.Parallel()
	v := visit(t, func(o *Options) {
		shop, market := seedfile.Example().Accounts[0], seedfile.Account{}
		market.Name, market.ID, market.Available = "market", 2, 1_234_567_89
		o.Declared.Accounts = []seedfile.Account{shop, market}
	})
	list := v.browse(http.MethodGet, "/sandbox/", nil)
	assert.Contains(t, list.body, `<a href="/sandbox/accounts/2">2</a></th><td>market</td><td class="number">R$ 1,234,567.89</td>`)
}

// The buttons do what pixcert trigger does.
func TestTheButtonsOfThePage(t *testing.T) {
	t.Parallel()
	v := visit(t, nil)
	assert.Contains(t, v.page(), "R$ 1,000.00")
	v.cashIn("sale-1")
	paid := v.press("Pay sale-1")
	assert.Contains(t, paid, "R$ 1,025.00")
	assert.Contains(t, paid, "Done: a payer pays a charge")
	assert.Contains(t, v.press("Open MED case sale-1"), `<span class="state OPEN">OPEN</span>`)
	number := regexp.MustCompile(`Approve<span class="aside"> (\d+)<`).FindStringSubmatch(v.page())
	require.NotNil(t, number)
	assert.Contains(t, v.press("Approve "+number[1]), "APPROVED")

	v.press("Hold new payments")
	v.cashOut("out-1")
	v.cashOut("out-2")
	assert.Contains(t, v.press("Settle out-1"), `Payee returns it<span class="aside"> out-1</span>`)
	assert.Contains(t, v.press("Reject out-2"), "ORDER_REJECTED: ")
	assert.Contains(t, v.press("Settle automatically"), "Payments settle by themselves.")
	assert.Contains(t, v.press("Payee returns it out-1"), "refund-out")
	assert.Contains(t, v.press("Set", "id", "12.34"), "R$ 12.34")
	assert.Contains(t, v.press("Advance", "id", "2h"), "2h0m0s ahead of real time")
	v.authenticate()
	v.cashIn("sale-2")
	v.press("Advance", "id", "25h")
	assert.NotContains(t, v.page(), "Pay<span", "an expired charge cannot be paid")
	reset := v.press("Reset the account")
	assert.Contains(t, reset, "R$ 1,000.00")
	assert.NotContains(t, reset, "ahead of real time")
	assert.NotContains(t, reset, "sale-1")
}

// A form that nothing can be done about shows why, with the account.
func TestThePageShowsErrors(t *testing.T) {
	t.Parallel()
	v := visit(t, nil)
	for _, c := range []struct {
		path   string
		form   url.Values
		status int
		want   string
	}{
		{accountPage + "/trigger", url.Values{"event": {"paid"}, "id": {"sale-9"}}, 409, "expected an unpaid charge, but account 1 has none with this id"},
		{accountPage + "/trigger", url.Values{"event": {"<script>"}}, 409, "&lt;script&gt;"},
		{accountPage + "/trigger", url.Values{"event": {"funds"}, "id": {"-1"}}, 409, "expected an amount of at least 0.00"},
		{accountPage + "/resend", url.Values{"event": {"1"}}, 409, "404"},
		{"/sandbox/accounts/9/trigger", url.Values{"event": {"hold"}}, 404, "404"},
		{"/sandbox/accounts/x/trigger", url.Values{"event": {"hold"}}, 400, "expected a form of an account"},
	} {
		answer := v.browse(http.MethodPost, c.path, c.form)
		assert.Equal(t, c.status, answer.status, "%s %v", c.path, c.form)
		assert.Contains(t, answer.body, c.want)
		assert.Contains(t, answer.body, `role="alert"`)
	}
}

// What clients store is text on the page, and no script would run.
func TestThePageEscapesWhatClientsStore(t *testing.T) {
	t.Parallel()
	v := visit(t, nil)
	const hostile = `"><script>alert(1)</script>`
	v.cashIn(hostile)
	v.press("Pay " + hostile)
	answer := v.browse(http.MethodGet, accountPage, nil)
	assert.NotContains(t, answer.body, "<script")
	assert.Contains(t, answer.body, "&lt;script&gt;alert(1)")
	assert.Contains(t, answer.header.Get("Content-Security-Policy"), "default-src 'none'")
	assert.Equal(t, "nosniff", answer.header.Get("X-Content-Type-Options"))
}

// Pages of other sites can neither read nor submit anything.
func TestThePageRejectsOtherSites(t *testing.T) {
	t.Parallel()
	v := visit(t, nil)
	v.cashIn("sale-1")
	for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		answer := v.browse(http.MethodPost, accountPage+"/trigger", url.Values{"event": {"paid"}, "id": {"sale-1"}}, header...)
		assert.Equal(t, http.StatusForbidden, answer.status, header)
	}
	assert.Contains(t, v.page(), "Pay<span")

	rebound := httptest.NewRequest(http.MethodGet, "http://evil.example:8081"+accountPage, nil)
	w := httptest.NewRecorder()
	page := WithPage(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "evil.example:8081", r.Host, "the controls judge the name")
		http.Error(w, "{}", http.StatusForbidden)
	}))
	page.ServeHTTP(w, rebound)
	assert.Equal(t, http.StatusForbidden, w.Code)
}

// With a token, the browser asks for it as a password.
func TestThePageRequiresTheToken(t *testing.T) {
	t.Parallel()
	v := visit(t, func(o *Options) { o.Gateway.ControlToken = "secret" })
	basic := func(password string) []string {
		r := &http.Request{Header: http.Header{}}
		r.SetBasicAuth("anyone", password)
		return []string{"Authorization", r.Header.Get("Authorization")}
	}
	for _, c := range []struct {
		header []string
		status int
	}{{nil, 401}, {basic("wrong"), 401}, {basic(""), 401}, {basic("secret"), 200}, {[]string{"Authorization", "Bearer secret"}, 200}} {
		read := v.browse(http.MethodGet, accountPage, nil, c.header...)
		assert.Equal(t, c.status, read.status, c.header)
		assert.Equal(t, c.status == 401, strings.HasPrefix(read.header.Get("WWW-Authenticate"), "Basic "))
		want := http.StatusSeeOther
		if c.status == 401 {
			want = 401
			assert.NotContains(t, read.body, "R$")
		}
		assert.Equal(t, want, v.browse(http.MethodPost, accountPage+"/trigger", url.Values{"event": {"hold"}}, c.header...).status)
	}
}

// The page shows each delivery with its status, and delivers again.
func TestThePageResendsWebhooks(t *testing.T) {
	t.Parallel()
	v := visit(t, nil)
	ids := make(chan string, 10)
	application := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ids <- r.Header.Get("webhook-id")
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(application.Close)
	answer := v.request(http.MethodPost, "/api/webhooks", fmt.Sprintf(`{"url":"%s/hook?key=confidential","eventType":"cash_in"}`, application.URL))
	require.Equal(t, 2, answer.status/100, answer.body)
	v.cashIn("sale-1")
	v.press("Pay sale-1")
	first := received(t, ids)
	shown := v.press("Resend " + first)
	assert.Equal(t, first, received(t, ids))
	assert.Contains(t, shown, `<span class="state ERROR">418</span> attempt 1`)
	assert.Contains(t, shown, `<span class="state PENDING">waiting</span>`)
	assert.Contains(t, shown, application.URL+"/hook</code>")
	assert.NotContains(t, shown, "confidential")
}

func received(t *testing.T, ids <-chan string) string {
	t.Helper()
	select {
	case id := <-ids:
		return id
	case <-time.After(time.Minute):
		require.Fail(t, "expected a webhook, got none")
		return ""
	}
}
