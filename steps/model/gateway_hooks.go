package model

import (
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

// Hooks are the webhooks that are registered at a gateway, and what is known of those that receive them.
type Hooks struct {
	URLs          int                   // that the account has sent: a new account had none before
	Registered    [2]spec.Registrations // by account, of these URLs
	Registrations int                   // of the account, so far

	EveryType       bool   // the account receives webhooks of every type
	Receipt         string // what receivers return; empty for 200
	ReceiptsDiffer  bool   // receivers may differ in which success they return
	ReceiversFailed bool   // before
	Marked          bool   // a registration had a transport header, which the gateway may have ignored
	Resends         int    // that were requested
	Logged          bool   // one was surely accepted
}

// add adds a URL that was not sent before.
func (h *Hooks) add() int {
	h.URLs++
	return h.URLs - 1
}

// register adds a type of event to those of a URL; false if the URL had it.
func (h *Hooks) register(who language.Account, url int, eventType string) bool {
	before := h.Registered[who]
	h.Registered[who], _ = before.After(eventType, strconv.Itoa(url), spec.Accepted)
	isNew := len(h.Registered[who]) > len(before)
	if isNew && who == language.TheAccount {
		h.Registrations++
	}
	return isNew
}

// accepts reports whether an account may register a URL for a type of event.
func (h *Hooks) accepts(who language.Account, url int, eventType string) bool {
	_, ok := h.Registered[who].After(eventType, strconv.Itoa(url), spec.Accepted)
	return ok
}

// isFull reports whether an account may register no other URL for a type of event.
func (h *Hooks) isFull(who language.Account, eventType string) bool {
	return !h.accepts(who, h.URLs, eventType)
}

// types are those for which an account has registered a URL; none if it was only rejected, or used for a resend.
func (h *Hooks) types(who language.Account, url int) []string {
	return h.Registered[who].TypesAt(strconv.Itoa(url))
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
func (h *Hooks) count(who language.Account, eventType string) int {
	return h.Registered[who].Count(eventType)
}

// haveOneType reports whether a URL has only one type, so that what arrives there is of that type.
func (h *Hooks) haveOneType(eventType string) bool {
	all := h.Registered[language.TheAccount]
	return !slices.ContainsFunc(all, func(r spec.Registration) bool { return r.EventType == eventType && len(all.TypesAt(r.URL)) > 1 })
}

// any reports whether an account has registered a URL.
func (h *Hooks) any(who language.Account) bool { return len(h.Registered[who]) > 0 }
