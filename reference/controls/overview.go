package controls

import (
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// How much people are shown.
const (
	shownAccounts = 100
	shownOfEach   = 25 // payments, charges, MED cases and events
)

// Accounts is what GET /accounts returns.
type Accounts struct {
	Accounts []Account `json:"accounts"`
}

// Account is an account as people see it.
type Account struct {
	ID         int64     `json:"id"`
	Name       string    `json:"name"`
	Document   string    `json:"document"`
	PixKey     string    `json:"pixKey"`
	Available  string    `json:"available"`
	Blocked    string    `json:"blocked"`
	Now        time.Time `json:"now"`
	Ahead      string    `json:"ahead,omitempty"` // how far its clock is ahead of real time
	Settlement pix.Mode  `json:"settlement"`
	Refunds    pix.Mode  `json:"refunds"`
}

// Overview is what GET /accounts/{account}/overview returns: the newest of each.
type Overview struct {
	Account  Account        `json:"account"`
	Payments []Payment      `json:"payments"`
	Charges  []Charge       `json:"charges"`
	MEDs     []MED          `json:"meds"`
	Webhooks []Registration `json:"webhooks"`
	Events   []Event        `json:"events"`
}

// Payment is a payment of any kind that is not an unpaid charge.
type Payment struct {
	ID            int64         `json:"id"`
	Kind          pix.Kind      `json:"kind"`
	Operation     pix.Operation `json:"operation"`
	TransactionID string        `json:"transactionId"`
	ExternalID    string        `json:"externalId"`
	EndToEndID    string        `json:"endToEndId"`
	RtrID         string        `json:"rtrId,omitempty"`
	Counterpart   string        `json:"counterpart"`
	Status        pix.Status    `json:"status"`
	ErrorCode     pix.ErrorCode `json:"errorCode,omitempty"`
	ErrorMessage  string        `json:"errorMessage,omitempty"`
	Amount        string        `json:"amount"`
	CreatedAt     time.Time     `json:"createdAt"`
}

// Charge is a cash-in or a cob.
type Charge struct {
	Kind       pix.Kind  `json:"kind"`
	ExternalID string    `json:"externalId,omitempty"`
	TxID       string    `json:"txid,omitempty"`
	PixCode    string    `json:"pixCode"`
	Amount     string    `json:"amount"`
	State      string    `json:"state"`
	Payable    bool      `json:"payable"`
	CreatedAt  time.Time `json:"createdAt"`
	ExpiresAt  time.Time `json:"expiresAt"`
}

// MED is a case of the special refund mechanism.
type MED struct {
	ID          int64         `json:"id"`
	EndToEndID  string        `json:"endToEndId"`
	Status      pix.MEDStatus `json:"status"`
	Result      pix.MEDResult `json:"analysisResult,omitempty"`
	Description string        `json:"description"`
	CreatedAt   time.Time     `json:"createdAt"`
}

// Registration is a registered URL, without the secrets of its query and headers.
type Registration struct {
	Type   pix.EventType `json:"eventType"`
	URL    string        `json:"url"`
	Active bool          `json:"active"`
}

// Event is what webhooks tell, with its deliveries.
type Event struct {
	ID        int64         `json:"id"`
	WebhookID string        `json:"webhookId"`
	Type      pix.EventType `json:"eventType"`
	About     string        `json:"about,omitempty"`
	Body      string        `json:"body"`
	CreatedAt time.Time     `json:"createdAt"`
	Attempts  []Attempt     `json:"attempts"`
	Waiting   []Waiting     `json:"waiting"`
}

// Attempt is one attempt to deliver an event.
type Attempt struct {
	URL     string `json:"url"`
	Number  int    `json:"number"`
	Status  int    `json:"status"` // 0: no response
	Failure string `json:"failure,omitempty"`
	TookMS  int64  `json:"tookMs"`
}

// Waiting is a delivery that is due, or will be.
type Waiting struct {
	URL string    `json:"url"`
	Due time.Time `json:"due"` // by the account's clock
}

// listAccounts lists accounts. Like the other controls in this file, it is not part of the protocol; the web page
// uses it.
func (c *controls) listAccounts(w http.ResponseWriter, r *http.Request) error {
	found, err := c.Store.Accounts(r.Context(), shownAccounts)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, Accounts{each(found, accountView)})
}

// showOverview shows the newest of what an account has.
func (c *controls) showOverview(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	o, err := c.Store.Overview(r.Context(), id, shownOfEach)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, Overview{
		Account: accountView(o.Account), Payments: each(o.Payments, paymentView), Charges: each(o.Charges, chargeView),
		MEDs: each(o.MEDs, medView), Webhooks: each(o.Webhooks, registrationView),
		Events: each(o.Events, func(e store.ListedEvent) Event { return eventView(e, o.Account.ClockOffset) }),
	})
}

// resendEvent delivers an event again, and returns after the first attempt.
func (c *controls) resendEvent(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	event, err := strconv.ParseInt(chi.URLParam(r, "event"), 10, 64)
	if err != nil {
		return &failure{http.StatusNotFound, "no such event: " + chi.URLParam(r, "event")}
	}
	if err := c.Store.Redeliver(r.Context(), id, event); err != nil {
		return err
	}
	if err := c.RunDue(r.Context(), id); err != nil {
		return err
	}
	return done(w)
}

// each is the view of each item, never null in JSON.
func each[T, V any](items []T, view func(T) V) []V {
	views := make([]V, len(items))
	for i, item := range items {
		views[i] = view(item)
	}
	return views
}

func accountView(a pix.Account) Account {
	ahead := ""
	if a.ClockOffset != 0 {
		ahead = a.ClockOffset.Round(time.Second).String()
	}
	return Account{
		ID: a.ID, Name: a.Name, Document: a.Document, PixKey: a.PixKey, Available: a.Available.String(), Blocked: a.Blocked.String(),
		Now: a.Now(), Ahead: ahead, Settlement: a.Settlement, Refunds: a.Refunds,
	}
}

func paymentView(p store.ListedPayment) Payment {
	return Payment{
		ID: p.ID, Kind: p.Kind, Operation: p.Kind.Operation(), TransactionID: p.TransactionID, ExternalID: p.ExternalID,
		EndToEndID: p.EndToEndID, RtrID: p.RtrID, Counterpart: p.Counterpart.Name, Status: p.Status,
		ErrorCode: p.Error, ErrorMessage: p.ErrorMessage, Amount: p.Amount.String(), CreatedAt: p.CreatedAt,
	}
}

func chargeView(c store.ListedCharge) Charge {
	return Charge{
		Kind: c.Kind, ExternalID: c.ExternalID, TxID: c.TxID, PixCode: c.Code, Amount: c.Amount.String(), State: c.State,
		Payable: c.Payable, CreatedAt: c.CreatedAt, ExpiresAt: c.ExpiresAt,
	}
}

func medView(m pix.MED) MED {
	return MED{ID: m.ID, EndToEndID: m.EndToEndID, Status: m.Status, Result: m.Result, Description: m.Description, CreatedAt: m.CreatedAt}
}

func registrationView(r pix.Registration) Registration {
	return Registration{Type: r.Type, URL: pix.ShownURL(r.URL), Active: r.Active}
}

func eventView(e store.ListedEvent, offset time.Duration) Event {
	return Event{
		ID: e.ID, WebhookID: e.MessageID, Type: e.Type, About: e.About, Body: e.Body, CreatedAt: e.At,
		Attempts: each(e.Attempts, func(a store.LoggedAttempt) Attempt {
			return Attempt{URL: a.URL, Number: a.Number, Status: a.Status, Failure: a.Failure, TookMS: a.Took.Milliseconds()}
		}),
		Waiting: each(e.Waiting, func(d store.WaitingDelivery) Waiting { return Waiting{d.URL, d.Due.Add(offset)} }),
	}
}
