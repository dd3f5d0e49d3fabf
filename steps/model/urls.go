package model

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Hooks are the URLs that a new account has sent, which had none before, in the order in which sentences
// count them.
type Hooks struct {
	URLs []URL
	Lost bool // a request may have had a URL that is not among them: later ones cannot be named

	Endpoints      int  // that sentences count: a URL for each of its types
	ReceiptsDiffer bool // webhook endpoints may differ in which success they return
	Marked         bool // a registration had a transport header, which the gateway may have ignored
	Resends        int  // that were sent
	Logged         bool // one was surely accepted
}

// URL is one that an account has sent.
type URL struct {
	Types    []string // that it is registered for; none if it was only rejected, or used for a resend
	Theirs   []string // that the other account has registered it for
	Nth      int      // as sentences count it; 0 if that is not known
	Endpoint int      // as sentences count webhook endpoints; 0 if that is not known
}

func (h Hooks) clone() Hooks {
	h.URLs = slices.Clone(h.URLs)
	return h
}

// count is how many URLs a type of event has.
func (h Hooks) count(eventType string) (n int) {
	for _, u := range h.URLs {
		if slices.Contains(u.Types, eventType) {
			n++
		}
	}
	return n
}

// theirs is how many URLs the other account has for a type of event.
func (h Hooks) theirs(eventType string) (n int) {
	for _, u := range h.URLs {
		if slices.Contains(u.Theirs, eventType) {
			n++
		}
	}
	return n
}

// haveOneType reports whether a URL has only one type, so that what arrives there is of that type.
func (h Hooks) haveOneType(eventType string) bool {
	return !slices.ContainsFunc(h.URLs, func(u URL) bool { return slices.Contains(u.Types, eventType) && len(u.Types) > 1 })
}

// named are the positions of the URLs that sentences can name and that are registered.
func (h Hooks) named() (all []int) {
	for i, u := range h.URLs {
		if u.Nth > 0 && len(u.Types) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// any reports whether a URL is registered.
func (h Hooks) any() bool {
	return slices.ContainsFunc(h.URLs, func(u URL) bool { return len(u.Types) > 0 })
}

// hooks are the account's URLs, to be changed by the step.
func (p *play) hooks() *Hooks {
	p.Hooks = p.Hooks.clone()
	return &p.Hooks
}

// addURL counts a URL that was not sent before.
func (h *Hooks) addURL() *URL {
	h.URLs = append(h.URLs, URL{})
	u := &h.URLs[len(h.URLs)-1]
	if !h.Lost {
		u.Nth = len(h.URLs)
	}
	return u
}

// register adds a type of event to those of a URL.
func (h *Hooks) register(u *URL, eventType string) {
	if slices.Contains(u.Types, eventType) {
		return
	}
	u.Types = append(slices.Clone(u.Types), eventType)
	if h.Endpoints++; u.Endpoint == 0 && !h.Lost {
		u.Endpoint = h.Endpoints
	}
}

func (u URL) String() string { return fmt.Sprintf("the account's %v url", language.Nth(u.Nth)) }

// spoil notes that a wrong request may have had a URL, which sentences count.
func (p *play) spoil(noun string) {
	if slices.Contains([]string{"webhook registration", "resend request"}, noun) {
		p.hooks().Lost = true
	}
	if noun == "resend request" {
		p.Hooks.Resends++
	}
}

// receive registers a URL for each type of event. Of those for MED cases there is none if the gateway has no such cases.
func receive(p *play) bool {
	if !p.Fresh {
		return p.once(&p.Webhooks, "the account receives webhooks of every type")
	}
	if slices.ContainsFunc(api.EventTypes, func(t string) bool { return p.Hooks.count(t) >= api.MostURLs }) || !p.once(&p.Webhooks, "the account receives webhooks of every type") {
		return false
	}
	h := p.hooks()
	for _, eventType := range api.EventTypes {
		h.Lost = h.Lost || eventType == api.TypeMEDCreated
		h.register(h.addURL(), eventType)
	}
	p.LastHook = 0
	return true
}

// registerBefore registers one or two URLs whose headers the events of the scenario have.
func registerBefore(p *play) bool {
	n := p.luck()%4 - 1
	if !p.Fresh || n < 1 || p.Webhooks || p.Hooks.count(p.step.Way)+n > api.MostURLs {
		return false
	}
	for i := range n {
		p.given("the account has sent a webhook registration with:")
		p.with("eventType", `"`+p.step.Way+`"`)
		p.with("headers", headersOf[(1+p.luck()/4+i)%(len(headersOf)-1)])
		h := p.hooks()
		h.register(h.addURL(), p.step.Way)
	}
	p.LastHook = p.step.ID
	return true
}
