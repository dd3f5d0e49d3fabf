package model

import "slices"

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
	Types  []string // that it is registered for; none if it was only rejected, or used for a resend
	Theirs []string // that the other account has registered it for
}

// add adds a URL that was not sent before.
func (h *Hooks) add() int {
	h.URLs = append(h.URLs, URL{})
	return len(h.URLs) - 1
}

// register adds a type of event to those of a URL; false if the URL had it.
func (h *Hooks) register(i int, eventType string) bool {
	if slices.Contains(h.URLs[i].Types, eventType) {
		return false
	}
	h.URLs[i].Types = append(slices.Clone(h.URLs[i].Types), eventType)
	h.Registrations++
	return true
}

// registerTheirs adds a type of event to those for which the other account has registered a URL.
func (h *Hooks) registerTheirs(i int, eventType string) {
	if !slices.Contains(h.URLs[i].Theirs, eventType) {
		h.URLs[i].Theirs = append(slices.Clone(h.URLs[i].Theirs), eventType)
	}
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

// count is how many URLs a type of event has.
func (h *Hooks) count(eventType string) (n int) {
	for _, u := range h.URLs {
		if slices.Contains(u.Types, eventType) {
			n++
		}
	}
	return n
}

// theirs is how many URLs the other account has for a type of event.
func (h *Hooks) theirs(eventType string) (n int) {
	for _, u := range h.URLs {
		if slices.Contains(u.Theirs, eventType) {
			n++
		}
	}
	return n
}

// haveOneType reports whether a URL has only one type, so that what arrives there is of that type.
func (h *Hooks) haveOneType(eventType string) bool {
	return !slices.ContainsFunc(h.URLs, func(u URL) bool { return slices.Contains(u.Types, eventType) && len(u.Types) > 1 })
}

// any reports whether a URL is registered.
func (h *Hooks) any() bool {
	return slices.ContainsFunc(h.URLs, func(u URL) bool { return len(u.Types) > 0 })
}

// anyTheirs reports whether the other account has registered a URL.
func (h *Hooks) anyTheirs() bool {
	return slices.ContainsFunc(h.URLs, func(u URL) bool { return len(u.Theirs) > 0 })
}
