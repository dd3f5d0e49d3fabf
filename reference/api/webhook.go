package api

import (
	"fmt"
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// registerWebhook is POST /api/webhooks.
func (a *api) registerWebhook(w http.ResponseWriter, r *http.Request, account store.Account) error {
	body, err := readJSON(w, r)
	if err != nil {
		return err
	}
	if violations := a.operations.registerWebhook.CheckRequest(body); len(violations) > 0 {
		return invalid(violations)
	}
	wanted := readRegistration(body.(map[string]any)) // an object, by the contract
	registered, err := a.store.RegisterWebhook(r.Context(), account.ID, wanted)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}{true, registrationMessage(registered)})
	return nil
}

func registrationMessage(r pix.Registration) string {
	if r.Version > 1 {
		return fmt.Sprintf("webhook for %s updated to version %d", r.Type, r.Version)
	}
	return fmt.Sprintf("webhook for %s registered", r.Type)
}

// readRegistration reads a body that the contract has found no fault in.
func readRegistration(fields object) pix.Registration {
	registration := pix.Registration{
		Type: pix.EventType(fields.text("eventType")),
		URL:  fields.text("url"),
	}
	headers, _ := fields["headers"].([]any)
	for _, item := range headers {
		header, _ := item.(map[string]any)
		registration.Headers = append(registration.Headers, pix.Header{
			Key:   object(header).text("key"),
			Value: object(header).text("value"),
		})
	}
	return registration
}

// webhookItem is the resource "Webhook registration". Headers are an object here and a
// list in the request.
type webhookItem struct {
	ID        int64             `json:"id"`
	Type      pix.EventType     `json:"type"`
	URL       string            `json:"url"`
	Headers   map[string]string `json:"headers"`
	Version   int               `json:"version"`
	IsActive  bool              `json:"isActive"`
	CreatedAt string            `json:"createdAt"`
}

// listWebhooks is GET /api/webhooks.
func (a *api) listWebhooks(w http.ResponseWriter, r *http.Request, account store.Account) error {
	registrations, err := a.store.Webhooks(r.Context(), account.ID)
	if err != nil {
		return err
	}
	items := make([]webhookItem, len(registrations))
	for i, registration := range registrations {
		headers := make(map[string]string, len(registration.Headers))
		for _, h := range registration.Headers {
			headers[h.Key] = h.Value
		}
		items[i] = webhookItem{
			ID:        registration.ID,
			Type:      registration.Type,
			URL:       registration.URL,
			Headers:   headers,
			Version:   registration.Version,
			IsActive:  registration.Active,
			CreatedAt: pix.Timestamp(registration.CreatedAt),
		}
	}
	writeJSON(w, http.StatusOK, struct {
		AccountID int64         `json:"accountId"`
		Webhooks  []webhookItem `json:"webhooks"`
		Total     int           `json:"total"`
	}{account.ID, items, len(items)})
	return nil
}
