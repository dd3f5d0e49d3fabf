package spec

import (
	"maps"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
)

// Registrations are the URLs that an account has registered for webhooks, by type of event. It is a value: a registration
// returns the next one. No request removes a URL.
type Registrations map[string][]string

// After are the registrations after a request for one more; false if it cannot have been answered so. One that is registered
// again is updated, and needs no place (WHK-033, WHK-037). One of which it is unclear whether it was accepted is left out.
func (r Registrations) After(eventType, url string, a Answer) (Registrations, bool) {
	known := slices.Contains(r[eventType], url)
	full := len(r[eventType]) >= api.MostURLs // WHK-030 WHK-031 WHK-032
	switch {
	case a == Unclear || a == TurnedAway:
		return r, true
	case a != Accepted:
		return r, full && !known
	case known:
		return r, true
	case full:
		return r, false
	}
	next := maps.Clone(r)
	if next == nil {
		next = Registrations{}
	}
	next[eventType] = append(slices.Clip(next[eventType]), url)
	return next, true
}

// Receives reports whether an event with a name can arrive: at a URL for its type (WHK-039, WHK-040), or at any if its type is
// open ("subscription that carries RECEIVE", "subscription that carries TRANSFER", "subscription that carries REFUND").
func (r Registrations) Receives(event string) bool {
	if p, named := api.Payloads[event]; named {
		event = p.Subscription
	}
	return len(r[event]) > 0 || event == "" && len(r) > 0
}
