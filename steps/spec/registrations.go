package spec

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
)

// Registration is a URL that is registered for a type of event.
type Registration struct{ EventType, URL string }

// Registrations are those of an account, in their order. They are a value: a registration returns the next one. No request
// removes a URL.
type Registrations []Registration

// After are the registrations after a request for one more; false if it cannot have been answered so. One that is registered
// again is updated, and needs no place (WHK-033, WHK-037). One of which it is unclear whether it was accepted is left out.
func (r Registrations) After(eventType, url string, a Answer) (Registrations, bool) {
	known := r.Has(eventType, url)
	full := r.Count(eventType) >= api.MostURLs // WHK-030 WHK-031 WHK-032
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
	return append(slices.Clip(r), Registration{eventType, url}), true
}

// Has reports whether a URL is registered for a type of event.
func (r Registrations) Has(eventType, url string) bool {
	return slices.Contains(r, Registration{eventType, url})
}

// Count is how many URLs are registered for a type of event.
func (r Registrations) Count(eventType string) (n int) {
	for _, one := range r {
		if one.EventType == eventType {
			n++
		}
	}
	return n
}

// TypesAt are the types of events for which a URL is registered.
func (r Registrations) TypesAt(url string) (types []string) {
	for _, one := range r {
		if one.URL == url {
			types = append(types, one.EventType)
		}
	}
	return types
}
