package api

import (
	"fmt"
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
)

// registerWebhook is POST /api/webhooks.
func (a *api) registerWebhook(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	body, err := a.open(w, r, "registerWebhook")
	if err != nil {
		return err
	}
	registration := readRegistration(body)
	if err := body.refusal(); err != nil {
		return err
	}
	registered, err := a.store.RegisterWebhook(r.Context(), account.ID, registration)
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

// readRegistration reads a registration; what is wrong with it is left in the form.
func readRegistration(body form) pix.Registration {
	registration := pix.Registration{
		Type: pix.EventType(body.text("eventType")),
		URL:  body.data("url"),
	}
	for _, header := range body.items("headers") {
		registration.Headers = append(registration.Headers, pix.Header{Key: header.text("key"), Value: header.data("value")})
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
func (a *api) listWebhooks(w http.ResponseWriter, r *http.Request, account pix.Account) error {
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
