package gateway

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
)

// Webhook is a registration of a URL for an event type, as scripts see it.
type Webhook struct {
	ID      int64             `js:"id" json:"id"` // of a listed one
	URL     string            `js:"url" json:"url"`
	Type    string            `js:"eventType" json:"eventType"` // cash_in, cash_out, refund_in, refund_out, med_created, med_accepted, med_rejected
	Headers map[string]string `js:"headers" json:"headers"`     // at most 5
	Active  bool              `js:"isActive" json:"isActive"`   // of a listed one
}

// RegisterWebhook registers a URL, or updates its registration.
func (a *Account) RegisterWebhook(ctx context.Context, s Sender, w Webhook) (*Exchange, error) {
	type header struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	registration := struct {
		URL     string   `json:"url"`
		Type    string   `json:"eventType"`
		Headers []header `json:"headers,omitempty"`
	}{URL: w.URL, Type: w.Type}
	for key, value := range w.Headers {
		registration.Headers = append(registration.Headers, header{key, value})
	}
	body, _ := json.Marshal(registration) // texts never fail
	x := a.Do(ctx, s, &Request{Operation: RegisterWebhook, Path: RegisterWebhook.Template, Body: body})
	if err := x.failure(); err != nil {
		return x, err
	}
	if success := gjson.GetBytes(x.Body, "success"); !success.Bool() {
		return x, x.invalid(fmt.Errorf("register-webhook: expected success true, got %.80q", x.Shown()))
	}
	return x, nil
}

// Webhooks lists the account's registrations; none is an empty list.
func (a *Account) Webhooks(ctx context.Context, s Sender) ([]Webhook, *Exchange, error) {
	x := a.bare(ctx, s, Webhooks, nil)
	list, err := x.list("webhooks")
	webhooks := make([]Webhook, 0, len(list))
	for _, item := range list {
		w := Webhook{
			ID: item.Get("id").Int(), Type: item.Get("type").Str, URL: item.Get("url").Str,
			Active: item.Get("isActive").Bool(), Headers: map[string]string{},
		}
		item.Get("headers").ForEach(func(key, value gjson.Result) bool {
			w.Headers[key.Str] = value.String()
			return true
		})
		webhooks = append(webhooks, w)
	}
	return webhooks, x, err
}

// Resent is the result of a webhook resend.
type Resent struct {
	LogID  int64
	Status int // of the receiver's response
}

// Resend requests a resend of a transaction's webhook, by its numeric id, external id or end-to-end id.
func (a *Account) Resend(ctx context.Context, s Sender, transaction string) (Resent, *Exchange, error) {
	x := a.bare(ctx, s, Resend, nil, transaction)
	if err := x.failure(); err != nil {
		return Resent{}, x, err
	}
	resent := Resent{
		LogID:  gjson.GetBytes(x.Body, "webhookLogId").Int(),
		Status: int(gjson.GetBytes(x.Body, "statusCode").Int()),
	}
	if resent.Status == 0 {
		return resent, x, x.invalid(fmt.Errorf("resend: expected the receiver's statusCode, got %.80q", x.Shown()))
	}
	return resent, x, nil
}
