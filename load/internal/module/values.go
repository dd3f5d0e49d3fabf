package module

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/run"
)

// The values that methods return to scripts. Amounts are decimal strings.

// failed is why a request was refused or got no response.
type failed struct {
	Code    string `js:"code" json:"code"`
	Message string `js:"message" json:"message"`
}

// reply is the result of every request.
type reply struct {
	Accepted bool          `js:"accepted" json:"accepted"`
	Status   int           `js:"status" json:"status"` // HTTP; 0: no complete response
	Duration float64       `js:"duration" json:"duration"`
	Error    *failed       `js:"error" json:"error,omitempty"`
	Body     any           `js:"body" json:"body"` // a string, or nil with discardResponseBodies or without a response
	Timings  gateway.Parts `js:"timings" json:"timings"`

	Headers map[string]string `js:"headers" json:"headers"` // of the response
}

func (u *user) reply(x *gateway.Exchange, err error) reply {
	r := reply{
		Accepted: err == nil, Status: x.Status, Duration: metrics.D(x.Timing.End.Sub(x.Timing.Start)),
		Timings: x.Timing.Parts, Headers: x.Header,
	}
	if x.Status != 0 && !u.state.Options.DiscardResponseBodies.Bool {
		r.Body = string(x.Body)
	}
	if err != nil {
		r.Error = &failed{Message: err.Error()}
	}
	return r
}

// payment is a payment or a charge.
type payment struct {
	reply
	gateway.Answer `js:"-"` // its fields are the payment's
	ExternalID     string   `js:"externalId" json:"externalId"`
	Value          string   `js:"value" json:"value"`

	awaited
}

// awaited is a payment whose webhook a script may wait for.
type awaited struct {
	user    *user
	payment *run.Payment
}

// Settled is a promise of the webhook that reports the outcome.
func (a awaited) Settled(call sobek.FunctionCall) sobek.Value {
	return a.user.settled(a.payment.ID, call.Argument(0))
}

func newPayment(u *user, p *run.Payment) *payment {
	v := &payment{
		reply: u.reply(p.Exchange, nil), Answer: p.Answer, ExternalID: p.ExternalID,
		Value: data.FormatAmount(p.Amount), awaited: awaited{u, p},
	}
	if v.reply.Accepted = p.Accepted(); !v.reply.Accepted {
		v.Error = &failed{Code: p.Code, Message: p.Message}
	}
	return v
}

// receipt is a charge that was paid.
type receipt struct {
	EndToEndID string `js:"endToEndId" json:"endToEndId"`
	Value      string `js:"value" json:"value"`

	awaited
}

// webhook reports a payment's outcome. If it arrived long before it was waited for, only status and amounts are known.
type webhook struct {
	Event         string `js:"event" json:"event"`
	Status        string `js:"status" json:"status"`
	TransactionID string `js:"transactionId" json:"transactionId,omitempty"`
	EndToEndID    string `js:"endToEndId" json:"endToEndId,omitempty"`
	Value         any    `js:"value" json:"value,omitempty"` // a string or nil: scripts see a pointer as an object
	Fee           any    `js:"fee" json:"fee,omitempty"`
	ErrorCode     string `js:"errorCode" json:"errorCode,omitempty"`
	ReceivedAt    string `js:"receivedAt" json:"receivedAt,omitempty"`
	WebhookID     string `js:"webhookId" json:"webhookId,omitempty"`
	Body          any    `js:"body" json:"body"`
}

func newWebhook(e ledger.Event) *webhook {
	w := &webhook{
		Event: e.Name, Status: "ERROR", TransactionID: e.TransactionID, EndToEndID: e.EndToEndID,
		Value: known(e.Amount), Fee: known(e.Fee), ErrorCode: e.ErrorCode, WebhookID: e.WebhookID,
	}
	if e.Fate == ledger.Confirmed {
		w.Status = "CONFIRMED"
	}
	if !e.At.IsZero() {
		w.ReceivedAt = e.At.UTC().Format(time.RFC3339Nano)
	}
	_ = json.Unmarshal([]byte(e.Body), &w.Body) // the ledger matched it: it is JSON
	return w
}

// known is an amount, or nil if the event does not contain it.
func known(centavos int64) any {
	if centavos < 0 {
		return nil
	}
	return data.FormatAmount(centavos)
}

// settled waits for a payment's event.
func (u *user) settled(id data.ID, timeout sobek.Value) sobek.Value {
	rt := u.vu.Runtime()
	limit := u.test.options.Drain
	if !common.IsNullish(timeout) {
		var d duration
		text, err := json.Marshal(timeout.Export())
		if err == nil {
			err = d.UnmarshalJSON(text)
		}
		if err != nil {
			common.Throw(rt, fmt.Errorf("settled: %w", err))
		}
		limit = time.Duration(d)
	}
	if u.test.options.Webhooks.Webhooks == nil {
		common.Throw(rt, errors.New("settled: expected a webhook listener, got the option webhooks: false"))
	}
	p := u.promise()
	ctx, end := context.WithTimeoutCause(u.vu.Context(), limit, fmt.Errorf("settled: expected the webhook of %s within %s, got none", id.ExternalID(), limit))
	settlement, forget := u.run.Ledger().Settled(id)
	go func() { // the iteration waits for it: the promise is registered
		defer end()
		select {
		case s := <-settlement:
			if s.Err != nil {
				p.settle(nil, fmt.Errorf("settled: %w", s.Err))
				return
			}
			p.settle(newWebhook(s.Event), nil)
		case <-ctx.Done():
			forget()
			p.settle(nil, context.Cause(ctx))
		}
	}()
	return p.value
}

type token struct {
	reply
	Value     string `js:"value" json:"value,omitempty"`
	ExpiresIn int64  `js:"expiresIn" json:"expiresIn,omitempty"` // seconds
}

func (u *user) newToken(x *gateway.Exchange) *token {
	value, seconds, err := gateway.ReadToken(x)
	return &token{reply: u.reply(x, err), Value: value, ExpiresIn: seconds}
}

type balance struct {
	reply
	Available string `js:"available" json:"available,omitempty"`
	Blocked   string `js:"blocked" json:"blocked,omitempty"`
	Total     string `js:"total" json:"total,omitempty"`
}

func (u *user) newBalance(b gateway.Balance, x *gateway.Exchange, err error) *balance {
	v := &balance{reply: u.reply(x, err)}
	if err == nil {
		v.Available, v.Blocked, v.Total = data.FormatAmount(b.Available), data.FormatAmount(b.Blocked), data.FormatAmount(b.Total())
	}
	return v
}

type page struct {
	reply
	Items   []listed `js:"items" json:"items"`
	Total   int      `js:"total" json:"total"`
	HasNext bool     `js:"hasNext" json:"hasNext"`
}

type listed struct {
	gateway.Listed `js:"-"`
	Value          string `js:"value" json:"value"`
	Fee            string `js:"fee" json:"fee"`
}

func (u *user) newPage(p gateway.Page, x *gateway.Exchange, err error) *page {
	v := &page{reply: u.reply(x, err), Items: make([]listed, 0, len(p.Items)), Total: p.Total, HasNext: p.HasNext}
	for _, l := range p.Items {
		v.Items = append(v.Items, listed{l, data.FormatAmount(l.Amount), data.FormatAmount(l.Fee)})
	}
	return v
}

// list is a response whose items are passed to scripts unchanged.
type list struct {
	reply
	Items any `js:"items" json:"items"`
}

type resent struct {
	reply
	WebhookLogID int64 `js:"webhookLogId" json:"webhookLogId,omitempty"`
	Delivered    int   `js:"delivered" json:"delivered,omitempty"` // the status of the receiver's response
}

// audit is a balance compared with the ledger.
type audit struct {
	Account int    `js:"account" json:"account"`
	From    string `js:"from" json:"from"`
	To      string `js:"to" json:"to"`
	Actual  string `js:"actual" json:"actual"`
	Drift   string `js:"drift" json:"drift"`
}

func newAudit(m ledger.Money) audit {
	return audit{
		Account: m.Account, From: data.FormatAmount(m.From), To: data.FormatAmount(m.To),
		Actual: data.FormatAmount(m.Actual), Drift: data.FormatAmount(m.Drift),
	}
}
