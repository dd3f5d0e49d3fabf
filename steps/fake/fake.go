// Package fake is a small gateway for the suite's own tests: as much of the API and of the test
// controls as these need, and switches for what targets do wrong. It is no model of a gateway.
package fake

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// Gateway is a target with its test controls. Its switches may be set while it serves.
type Gateway struct {
	t       testing.TB
	api     *httptest.Server
	control *httptest.Server
	client  *http.Client   // for webhooks
	courier sync.WaitGroup // webhooks on their way

	mu       sync.Mutex
	accounts []*account
	calls    []string
	started  time.Time

	spoil   func(http.ResponseWriter, *http.Request) bool
	copies  int           // of each event that are delivered
	lag     time.Duration // of balances and lists, also of webhooks
	listed  time.Duration // until lists show how a payment ended
	trail   time.Duration // of balances behind the list, for what is received
	paid    string        // the status of paid charges in the list
	opaque  bool          // tokens that are not JWTs
	narrow  bool          // no account can hold more than mostHeld
	without []target.Control
}

type account struct {
	ID           int
	ClientID     string
	Secret       string
	PixKey       string
	certificates []string
	available    money.Centavos
	blocked      money.Centavos
	manual       bool
	history      []balance
	payments     []*payment
	webhooks     []webhook
}

type balance struct {
	at                 time.Time
	available, blocked money.Centavos
}

type payment struct {
	at         time.Time
	id         string
	externalID string
	endToEnd   string
	key        string
	amount     money.Centavos
	status     string // Pendente, Confirmado, Error
	received   bool   // a charge that is paid
}

type webhook struct {
	URL, EventType string
	at             time.Time
}

// New starts a gateway that ends with the test.
func New(t testing.TB) *Gateway {
	g := &Gateway{t: t, copies: 1, paid: "Confirmado", started: time.Now(), client: &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // the sink's authority is of the run
	}}}
	g.api = httptest.NewServer(g.spoilt(api{g}.serve()))
	g.control = httptest.NewServer(g.noted(controls{g}.serve()))
	t.Cleanup(func() {
		g.api.Close()
		g.control.Close()
		g.courier.Wait()
		g.client.CloseIdleConnections()
	})
	return g
}

// Profile is the gateway's, with all its controls and short deadlines.
func (g *Gateway) Profile() target.Profile {
	return target.Profile{
		BaseURL: g.api.URL, Control: &target.ControlAccess{URL: g.control.URL, Without: g.without},
		Deadlines: target.Deadlines{Webhook: 5 * time.Second, Balance: 2 * time.Second, Quiet: 50 * time.Millisecond},
	}
}

// Fixed is a profile of accounts that exist and stay, without the control that makes new ones,
// and without others.
func (g *Gateway) Fixed(accounts int, available money.Centavos, without ...target.Control) target.Profile {
	g.t.Helper()
	p := g.Profile()
	authority, err := certs.NewAuthority()
	if err != nil {
		g.t.Fatal(err)
	}
	for range accounts {
		certificate, err := authority.Issue(certs.Client{Name: "an account that stays"})
		if err != nil {
			g.t.Fatal(err)
		}
		g.mu.Lock()
		a := g.open(certificate.PEM())
		a.history = nil // it has been there for long
		a.set(available, 0)
		g.mu.Unlock()
		p.Accounts = append(p.Accounts, target.Account{
			AccountID: int64(a.ID), ClientID: a.ClientID, ClientSecret: a.Secret, PixKey: a.PixKey,
			Certificate: certificate.PEM(), Key: certificate.KeyPEM(),
		})
	}
	p.Control.Without = append(without, target.Accounts)
	return p
}

// --- switches ---

// Spoil has a function see each request of the API first; true means that it has answered.
func (g *Gateway) Spoil(by func(http.ResponseWriter, *http.Request) (done bool)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spoil = by
}

// Refuse answers a request with a code, as gateways do.
func Refuse(w http.ResponseWriter, status int, code string) {
	answer(w, status, object{"statusCode": status, "code": code, "message": code})
}

// Break breaks the connection of a request off.
func Break() { panic(http.ErrAbortHandler) }

// Deliver delivers each event so many times.
func (g *Gateway) Deliver(copies int) { g.locked(func() { g.copies = copies }) }

// Lag has balances and lists show what was there so long ago.
func (g *Gateway) Lag(by time.Duration) { g.locked(func() { g.lag = by }) }

// ListsEndsAfter has lists show so late how a payment ended.
func (g *Gateway) ListsEndsAfter(by time.Duration) { g.locked(func() { g.listed = by }) }

// Trail has balances show what an account receives so long after the list does.
func (g *Gateway) Trail(by time.Duration) { g.locked(func() { g.trail = by }) }

// Receive has the list show paid charges under a status.
func (g *Gateway) Receive(status string) { g.locked(func() { g.paid = status }) }

// Narrow has the control of funds refuse more than an account can hold.
func (g *Gateway) Narrow() { g.locked(func() { g.narrow = true }) }

// mostHeld is what a column of 12 digits holds.
const mostHeld money.Centavos = 999_999_999_999

// Opaque has it issue tokens that are not JWTs.
func (g *Gateway) Opaque() { g.locked(func() { g.opaque = true }) }

// Block blocks money of an account as nobody knows why.
func (g *Gateway) Block(account int, blocked money.Centavos) {
	g.locked(func() { a := g.accounts[account]; a.set(a.available, blocked) })
}

// Register registers a URL of somebody else.
func (g *Gateway) Register(account int, url, eventType string) {
	g.locked(func() {
		a := g.accounts[account]
		a.webhooks = append(a.webhooks, webhook{url, eventType, time.Time{}})
	})
}

// Calls are the calls of controls so far, as "PUT /accounts/1/balance {...}"; forgotten with it.
func (g *Gateway) Calls() (calls []string) {
	g.locked(func() { calls, g.calls = g.calls, nil })
	return calls
}

// Send delivers something to a URL, and returns when it is answered.
func (g *Gateway) Send(url, body string) {
	response, err := g.client.Post(url, "application/json", strings.NewReader(body))
	if err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

func (g *Gateway) locked(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	do()
}

// --- state; whoever changes it has the lock ---

func (g *Gateway) open(certificate []byte) *account {
	n := len(g.accounts)
	a := &account{
		ID: n + 1, ClientID: fmt.Sprintf("00000000-0000-4000-8000-%012d", n+1), Secret: fmt.Sprintf("Secret-of-account-%d", n+1),
		PixKey: fmt.Sprintf("11111111-0000-4000-8000-%012d", n+1), certificates: []string{string(certificate)},
	}
	a.set(0, 0)
	g.accounts = append(g.accounts, a)
	return a
}

func (a *account) set(available, blocked money.Centavos) {
	a.available, a.blocked = available, blocked
	a.history = append(a.history, balance{time.Now(), available, blocked})
}

// seen is the balance as a lagging replica shows it.
func (g *Gateway) seen(a *account) balance {
	seen := a.history[0]
	for _, b := range a.history {
		if time.Since(b.at) >= g.lag {
			seen = b
		}
	}
	return seen
}

// codeOf is the code by which the nth payment is paid, if it is a charge.
func codeOf(n int) string { return fmt.Sprintf("000201cash-in-%d", n+1) }

// paid is the payment that used an externalId; nil if there is none.
func (a *account) paid(externalID string) *payment {
	i := slices.IndexFunc(a.payments, func(o *payment) bool { return externalID != "" && o.externalID == externalID })
	if i < 0 {
		return nil
	}
	return a.payments[i]
}

// pay makes a payment, or says why not.
func (g *Gateway) pay(a *account, p *payment) (code string) {
	switch {
	case p.amount <= 0:
		return "PIX_INVALID_AMOUNT"
	case p.amount > a.available:
		return "PIX_INSUFFICIENT_BALANCE"
	}
	p.at, p.status = time.Now(), "Pendente"
	p.id = fmt.Sprintf("22222222-%04d-4000-8000-%012d", a.ID, len(a.payments)+1)
	a.payments = append(a.payments, p)
	a.set(a.available-p.amount, a.blocked)
	if !a.manual {
		g.settle(a, p, "CONFIRMED")
	}
	return ""
}

func (g *Gateway) settle(a *account, p *payment, outcome string) {
	p.status, p.endToEnd = "Confirmado", fmt.Sprintf("E60701190%023d", len(a.payments))
	if outcome != "CONFIRMED" {
		p.status = "Error"
		a.set(a.available+p.amount, a.blocked)
	}
	g.report(a, p, outcome)
}

// report sends the event of a payment's outcome.
func (g *Gateway) report(a *account, p *payment, outcome string) {
	g.deliver(a, "cash_out", object{
		"event": "CashOut", "status": outcome, "transactionId": p.id, "externalId": p.externalID, "endToEndId": p.endToEnd,
		"originalAmount": json.Number(p.amount.Decimal()),
	})
}

func (g *Gateway) deliver(a *account, eventType string, event object) {
	body, _ := json.Marshal(event) // made of texts
	for _, hook := range a.webhooks {
		if hook.EventType == eventType {
			copies := g.copies
			g.courier.Go(func() {
				for range copies {
					g.Send(hook.URL, string(body))
				}
			})
		}
	}
}

// token is a JWT for an account, or an opaque text.
func (g *Gateway) token(a *account) string {
	encode := base64.RawURLEncoding.EncodeToString
	if g.opaque {
		return "opaque-token-of-" + a.ClientID
	}
	claims := fmt.Sprintf(`{"sub":%q,"exp":%d}`, a.ClientID, g.started.Add(30*time.Minute).Unix())
	return encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode([]byte(claims)) + "." + encode([]byte("signed for "+a.Secret))
}

func answer(w http.ResponseWriter, status int, body any) {
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(body) // made of what can be encoded
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}
