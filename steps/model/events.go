package model

import (
	"strings"

	"github.com/pixcert/pixcert/steps/language"
)

// marker is what no header of an event contains.
const marker = "pixcert-marker"

// arrives says that an event of a kind arrives, which has arrived before or not.
func arrives(p *play, event string, again bool) {
	switch {
	case !p.gw.Hooks.EveryType:
	case again:
		p.then("the %s event arrives again", event)
	default:
		p.then("a %s event arrives", event)
	}
	if p.gw.Hooks.EveryType && strings.HasPrefix(event, "med_") {
		everywhere(p, event+" event", true, event)
	}
}

// arrivesEverywhere says that the event of a payment, charge or refund arrives at each URL.
func arrivesEverywhere(p *play, t *Thing, event, eventType string) {
	if t.Account == language.TheAccount {
		everywhere(p, event+" event of "+p.refs.named(t), event == eventType, eventType)
	}
}

// everywhere says that an event arrives at each URL, with the headers of that one. The payloads of those without a name
// of their own are not shown: at a URL of several types, one may be of another type.
func everywhere(p *play, event string, unnamed bool, eventType string) {
	switch n := p.gw.Hooks.count(language.TheAccount, eventType); {
	case p.gw.Hooks.ReceiversFailed:
		p.then("a %s arrives at each URL that has not failed", event)
	case !p.gw.the().Fresh || n == 0:
	case p.gw.Hooks.Marked:
		p.then("a %s arrives at each URL", event)
		p.then("no event has a header containing %q", marker)
	case unnamed && !p.gw.Hooks.haveOneType(eventType):
		p.then("a %s arrives at each URL", event)
	default:
		p.then("a %s arrives at each URL with its headers", event)
	}
}
