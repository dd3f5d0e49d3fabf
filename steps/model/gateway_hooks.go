package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Hooks are the webhooks that are registered at a gateway, and what is known of those that receive them.
type Hooks struct {
	URLs          []URL // that the account has sent: a new account had none before
	Registrations int   // a URL for each of its types, so far

	EveryType       bool   // the account receives webhooks of every type
	Receipt         string // what receivers return; empty for 200
	ReceiptsDiffer  bool   // receivers may differ in which success they return
	ReceiversFailed bool   // before
	Marked          bool   // a registration had a transport header, which the gateway may have ignored
	Resends         int    // that were requested
	Logged          bool   // one was surely accepted
}

// URL is one that an account has sent.
type URL struct {
	Types [2][]string // by account, what it is registered for; none if it was only rejected, or used for a resend
}

// add adds a URL that was not sent before.
func (h *Hooks) add() int {
	h.URLs = append(h.URLs, URL{})
	return len(h.URLs) - 1
}

// register adds a type of event to those of a URL; false if the URL had it.
func (h *Hooks) register(who language.Account, i int, eventType string) bool {
	types := &h.URLs[i].Types[who]
	if slices.Contains(*types, eventType) {
		return false
	}
	*types = append(slices.Clone(*types), eventType)
	if who == language.TheAccount {
		h.Registrations++
	}
	return true
}

func (h *Hooks) receiveEveryType() { h.EveryType = true }

// mark: whether a gateway ignores a transport header is unspecified.
func (h *Hooks) mark() { h.Marked = true }

// setReceipt sets what all receivers return, and addReceiver adds one that returns 200.
func (h *Hooks) setReceipt(status string) { h.Receipt, h.ReceiptsDiffer = status, false }
func (h *Hooks) addReceiver()             { h.ReceiptsDiffer = h.ReceiptsDiffer || h.Receipt != "" }

// receiversFail: whether URLs stay active whose receivers have failed is unspecified.
func (h *Hooks) receiversFail() {
	*h = Hooks{Registrations: h.Registrations, Receipt: h.Receipt, Resends: h.Resends, ReceiversFailed: true}
}

// mostResends is how many are requested: 60 are accepted in a minute (Limits, rate limit), and whether rejected ones count is
// unspecified.
const mostResends = 40

// resend counts resends that are requested; false if there may be too many.
func (h *Hooks) resend(n int) bool {
	h.Resends += n
	return h.Resends <= mostResends
}

// resent notes a resend that was accepted.
func (h *Hooks) resent() { h.Logged = true }

// count is how many URLs an account has for a type of event.
func (h *Hooks) count(who language.Account, eventType string) (n int) {
	for _, u := range h.URLs {
		if slices.Contains(u.Types[who], eventType) {
			n++
		}
	}
	return n
}

// isFull reports whether the account may register no other URL for a type of event.
func (h *Hooks) isFull(eventType string) bool {
	return h.count(language.TheAccount, eventType) >= api.MostURLs
}

// haveOneType reports whether a URL has only one type, so that what arrives there is of that type.
func (h *Hooks) haveOneType(eventType string) bool {
	return !slices.ContainsFunc(h.URLs, func(u URL) bool {
		return slices.Contains(u.Types[language.TheAccount], eventType) && len(u.Types[language.TheAccount]) > 1
	})
}

// any reports whether an account has registered a URL.
func (h *Hooks) any(who language.Account) bool {
	return slices.ContainsFunc(h.URLs, func(u URL) bool { return len(u.Types[who]) > 0 })
}
