package faulty_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/test/faulty"
)

// client is an integrator of one account, and the receiver of its webhooks.
type client struct {
	t     *testing.T
	url   string
	token string
	http  *http.Client
	sink  *httptest.Server

	mu       sync.Mutex
	received map[string][]delivery // by the externalId that is somewhere in it
	arrived  chan struct{}         // one for each
}

type delivery struct {
	body []byte
	at   time.Time
}

// integrator gets a token of the gateway's first account and registers a webhook.
func integrator(t *testing.T, url string, gateway *faulty.Gateway) *client {
	c := &client{t: t, url: url, http: &http.Client{Transport: &http.Transport{}}, received: map[string][]delivery{}, arrived: make(chan struct{}, 1<<16)}
	t.Cleanup(c.http.CloseIdleConnections)
	c.sink = httptest.NewTLSServer(http.HandlerFunc(c.receive))
	t.Cleanup(c.sink.Close)
	credentials := gateway.Credentials()[0]
	var token struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"`
	}
	c.must(201, &token, "POST", "/api/auth/token", map[string]any{"clientId": credentials.ClientID, "clientSecret": credentials.ClientSecret})
	require.Equal(t, 1800, token.ExpiresIn)
	c.token = token.AccessToken
	c.must(200, nil, "POST", "/api/webhooks", map[string]any{"url": c.sink.URL + "/hook?a=b", "eventType": "cash_out"})
	return c
}

func (c *client) receive(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(c.t, err) {
		return
	}
	assert.Equal(c.t, "/hook?a=b", r.RequestURI)
	assert.NotEmpty(c.t, r.Header.Get("webhook-id"))
	_, rest, named := strings.Cut(string(body), `"externalId":"`)
	assert.True(c.t, named, "the event names its payment: %s", body)
	id, _, _ := strings.Cut(rest, `"`)
	c.mu.Lock()
	c.received[id] = append(c.received[id], delivery{body, time.Now()})
	c.mu.Unlock()
	c.arrived <- struct{}{}
}

// wait is over when so many deliveries have arrived since the last one.
func (c *client) wait(deliveries int) {
	deadline := time.After(20 * time.Second)
	for i := range deliveries {
		select {
		case <-c.arrived:
		case <-deadline:
			c.t.Fatalf("expected %d deliveries, %d came", deliveries, i)
		}
	}
}

func (c *client) send(method, path string, body any) (*http.Response, []byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, nil, err
	}
	request, err := http.NewRequest(method, c.url+path, strings.NewReader(string(text)))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("X-SSL-Client-Cert", url.QueryEscape("certificate"))
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response, answer, err
}

func (c *client) must(status int, into any, method, path string, body any) {
	c.t.Helper()
	response, answer, err := c.send(method, path, body)
	require.NoError(c.t, err)
	require.Equal(c.t, status, response.StatusCode, "%s", answer)
	if into != nil {
		require.NoError(c.t, json.Unmarshal(answer, into))
	}
}

type payment struct {
	TransactionID string `json:"transactionId"`
	ExternalID    string `json:"externalId"`
	Status        string `json:"status"`
	GenerateTime  string `json:"generateTime"`
}

func cashOut(id string) map[string]any {
	return map[string]any{"value": json.Number("10.50"), "externalId": id, "details": map[string]any{
		"key": "ana@example.com", "keyType": "EMAIL", "name": "Ana", "document": "52998224725"}}
}

func (c *client) balance() float64 {
	var b struct {
		Data []struct {
			BalanceAmount struct{ Available, Blocked float64 }
		}
	}
	c.must(200, &b, "GET", "/accounts/balances", nil)
	require.Len(c.t, b.Data, 1)
	return b.Data[0].BalanceAmount.Available
}

func start(t *testing.T) *faulty.Gateway {
	gateway, err := faulty.StartGateway(faulty.Config{Accounts: 2, Balance: 1_000_000_00, Webhooks: true})
	require.NoError(t, err)
	t.Cleanup(gateway.Close)
	return gateway
}

func TestTheGatewayAnswersAsTheSpecificationHasIt(t *testing.T) {
	t.Parallel()
	gateway := start(t)
	c := integrator(t, gateway.URL, gateway)

	var paid payment
	c.must(201, &paid, "POST", "/api/pix/cash-out", cashOut("a1"))
	assert.Equal(t, "a1", paid.ExternalID)
	assert.Equal(t, "PENDING", paid.Status)
	assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$`, paid.TransactionID)
	_, err := time.Parse(time.RFC3339, paid.GenerateTime)
	assert.NoError(t, err)
	assert.InDelta(t, 999_989.50, c.balance(), 0.001)
	assert.EqualValues(t, 1, gateway.Payments())

	c.wait(1)
	var event struct {
		Event, Status, TransactionID, ExternalID, EndToEndID, PixKey string
		OriginalAmount, FinalAmount                                  float64
	}
	require.NoError(t, json.Unmarshal(c.received["a1"][0].body, &event))
	assert.Equal(t, "CashOut", event.Event)
	assert.Equal(t, "CONFIRMED", event.Status)
	assert.Equal(t, paid.TransactionID, event.TransactionID)
	assert.Len(t, event.EndToEndID, 32)
	assert.Equal(t, 10.5, event.FinalAmount)

	c.token = "another"
	response, answer, err := c.send("GET", "/accounts/balances", nil)
	require.NoError(t, err)
	assert.Equal(t, 401, response.StatusCode)
	assert.True(t, json.Valid(answer), "%s", answer)
}

func TestAProxyDoesToDeliveriesWhatItsPlanSays(t *testing.T) {
	t.Parallel()
	const payments, senders, delay = 600, 8, 700 * time.Millisecond
	gateway := start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{
		Upstream:   gateway.URL,
		Deliveries: faulty.OneIn(100, faulty.Lose, faulty.Double, faulty.Delay, faulty.Alter, faulty.Truncate),
		Delay:      delay,
	})
	c := integrator(t, proxy.URL, gateway)
	started := time.Now()
	var sending sync.WaitGroup
	for s := range senders {
		sending.Go(func() {
			for i := range payments / senders {
				response, answer, err := c.send("POST", "/api/pix/cash-out", cashOut(fmt.Sprintf("p%dx%d", s, i)))
				if assert.NoError(t, err) {
					assert.Equal(t, 201, response.StatusCode, "%s", answer)
				}
			}
		})
	}
	sending.Wait()
	c.wait(payments - 6 + 6)

	assert.Eventually(t, func() bool { return proxy.Injected().Delayed == 6 }, time.Minute, 5*time.Millisecond)
	assert.Equal(t, faulty.Injected{
		Payments: payments, Deliveries: payments, Lost: 6, Doubled: 6, Delayed: 6, Altered: 6, Truncated: 6,
	}, proxy.Injected())
	c.mu.Lock()
	defer c.mu.Unlock()
	var doubled, altered, truncated int
	for id, deliveries := range c.received {
		doubled += len(deliveries) - 1
		for _, d := range deliveries {
			var event struct{ OriginalAmount, FinalAmount float64 }
			switch err := json.Unmarshal(d.body, &event); {
			case err != nil:
				truncated++
			case event.OriginalAmount != 10.5:
				altered++
				assert.Equal(t, event.OriginalAmount, event.FinalAmount)
			}
		}
		assert.NotEmpty(t, id)
	}
	assert.Equal(t, payments-6, len(c.received))
	assert.Equal(t, []int{6, 6, 6}, []int{doubled, altered, truncated})
	assert.GreaterOrEqual(t, time.Since(started), delay)
}

func TestAProxyCutsConnectionsBeforeAndAfterTheGatewayTookThePayment(t *testing.T) {
	t.Parallel()
	gateway := start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{
		Upstream: gateway.URL, Payments: faulty.At(map[int64]faulty.Fault{2: faulty.CutBefore, 3: faulty.CutAfter}),
	})
	c := integrator(t, proxy.URL, gateway)
	c.must(201, nil, "POST", "/api/pix/cash-out", cashOut("a1"))
	_, _, err := c.send("POST", "/api/pix/cash-out", cashOut("a2"))
	require.ErrorIs(t, err, io.EOF)
	assert.EqualValues(t, 1, gateway.Payments())
	_, _, err = c.send("POST", "/api/pix/cash-out", cashOut("a3"))
	require.ErrorIs(t, err, io.EOF)
	assert.EqualValues(t, 2, gateway.Payments())
	c.must(201, nil, "POST", "/api/pix/cash-out", cashOut("a4"))
	c.wait(3)
	assert.Equal(t, faulty.Injected{Payments: 4, Deliveries: 3, CutBefore: 1, CutAfter: 1}, proxy.Injected())
}

func TestAProxyDebitsARepeatTwice(t *testing.T) {
	t.Parallel()
	gateway := start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: gateway.URL, Repeats: faulty.At(map[int64]faulty.Fault{1: faulty.DebitTwice})})
	c := integrator(t, proxy.URL, gateway)
	var first, again payment
	c.must(201, &first, "POST", "/api/pix/cash-out", cashOut("a1"))
	c.must(201, &again, "POST", "/api/pix/cash-out", cashOut("a1"))
	assert.Equal(t, "a1", again.ExternalID)
	assert.NotEqual(t, first.TransactionID, again.TransactionID)
	assert.InDelta(t, 1_000_000-2*10.5, c.balance(), 0.001)
	c.must(201, nil, "POST", "/api/pix/cash-out", cashOut("a2"))
	c.wait(2)
	assert.Equal(t, faulty.Injected{Payments: 2, Repeats: 1, Deliveries: 2, DebitedTwice: 1, DebitedCentavos: 1050}, proxy.Injected())
	assert.Len(t, c.received["a1"], 1)
}

func TestAProxyCutsWhatTheGatewayDoesNotAnswer(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: gone.URL})
	c := &client{t: t, url: proxy.URL, http: http.DefaultClient}
	_, _, err := c.send("POST", "/api/pix/cash-out", cashOut("a1"))
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, faulty.Injected{Payments: 1, Broken: 1}, proxy.Injected())
}

func TestOneInDoesEachFaultOnceInN(t *testing.T) {
	t.Parallel()
	plan := faulty.OneIn(1000, faulty.Lose, faulty.Double)
	done := map[faulty.Fault]int{}
	for n := range int64(20_000) {
		done[plan(n+1)]++
	}
	assert.Equal(t, map[faulty.Fault]int{faulty.None: 19_960, faulty.Lose: 20, faulty.Double: 20}, done)
}
