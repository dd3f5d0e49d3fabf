package pix

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// EventType is a kind of event that a webhook can subscribe to.
type EventType string

// The subscription event types.
const (
	CashInEvent      EventType = "cash_in"
	CashOutEvent     EventType = "cash_out"
	RefundInEvent    EventType = "refund_in"
	RefundOutEvent   EventType = "refund_out"
	MEDCreatedEvent  EventType = "med_created"
	MEDAcceptedEvent EventType = "med_accepted"
	MEDRejectedEvent EventType = "med_rejected"
)

// EventTypes lists the subscription event types in the order of the specification.
func EventTypes() []EventType {
	return []EventType{
		CashInEvent, CashOutEvent, RefundInEvent, RefundOutEvent,
		MEDCreatedEvent, MEDAcceptedEvent, MEDRejectedEvent,
	}
}

// Bounds of a registration (POST /api/webhooks).
const (
	MaxWebhookURLs    = 3 // active ones, for each account and event type
	MaxWebhookHeaders = 5
)

// blockedHeaders are those that the sender of a webhook sets itself.
var blockedHeaders = []string{
	"host", "content-length", "connection", "transfer-encoding", "content-type", "user-agent",
}

// Registration is a webhook URL that an account registered for one type of event.
type Registration struct {
	ID        int64
	AccountID int64
	Type      EventType
	URL       string
	Headers   []Header // sent with each event
	Version   int      // 1, and one more each time the URL is registered again
	Active    bool
	CreatedAt time.Time // by the account's clock
}

// Header is one custom header of a registration.
type Header struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Check judges a registration by itself: a known type, an https URL with a host, at
// most five headers, none of them blocked (in any case) and each one that HTTP can
// carry. A fault is a Refusal with CodeValidation.
func (r Registration) Check() error {
	if !slices.Contains(EventTypes(), r.Type) {
		return Refuse(CodeValidation, fmt.Sprintf("eventType must be one of %s, got %q", listOf(EventTypes()), r.Type))
	}
	if err := CheckWebhookURL(r.URL); err != nil {
		return err
	}
	if len(r.Headers) > MaxWebhookHeaders {
		return Refuse(CodeValidation, fmt.Sprintf("headers must have at most %d items, got %d", MaxWebhookHeaders, len(r.Headers)))
	}
	for _, h := range r.Headers {
		if err := h.check(); err != nil {
			return err
		}
	}
	return nil
}

// CheckWebhookURL refuses what is not an https URL with a host and, if it has a port, one from 1 to 65535.
func CheckWebhookURL(text string) error {
	u, err := url.Parse(text)
	message := "url must be an https URL with a host, got " + ShownURL(text)
	if err == nil && u.Scheme == "https" && u.Hostname() != "" {
		if hasValidPort(u) {
			return nil
		}
		message = "url must have a port from 1 to 65535, got " + ShownURL(text)
	}
	if err == nil && u.Scheme == "http" {
		message += "; to receive webhooks with a local http server, run pixcert listen"
	}
	return Refuse(CodeValidation, message)
}

// hasValidPort reports whether a URL has a port that can be dialed, or none.
func hasValidPort(u *url.URL) bool {
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return u.Port() == "" || err == nil && port > 0
}

// ShownURL is a URL as logs and messages may show it: without user info, query and
// fragment, in which clients put secrets.
func ShownURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "what is no URL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func (h Header) check() error {
	switch {
	case h.Key == "" || !all(h.Key, isTokenByte):
		return Refuse(CodeValidation, fmt.Sprintf("headers must have names of letters, digits and hyphens, got %q", h.Key))
	case slices.Contains(blockedHeaders, strings.ToLower(h.Key)):
		return Refuse(CodeValidation, fmt.Sprintf("headers must not set %s, which belongs to the transport", h.Key))
	case !all(h.Value, isHeaderValueByte):
		return Refuse(CodeValidation, fmt.Sprintf("headers must have values without control characters, %s has one", h.Key))
	}
	return nil
}

// isTokenByte and isHeaderValueByte follow RFC 9110, sections 5.6.2 and 5.5.
func isTokenByte(c byte) bool {
	return isAlphanumeric(c) || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

func isHeaderValueByte(c byte) bool { return c == '\t' || c >= ' ' && c != 0x7f }

func listOf[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// retries are the waits after the first, the second and the third failed attempt to
// deliver an event; after the fourth it is given up.
var retries = [...]time.Duration{5 * time.Minute, 10 * time.Minute, 25 * time.Minute}

// RetryAfter is how long after a failed attempt the next is made; attempts count from
// 1. It is false when that was the last.
func RetryAfter(attempt int) (time.Duration, bool) {
	if attempt < 1 || attempt > len(retries) {
		return 0, false
	}
	return retries[attempt-1], true
}
