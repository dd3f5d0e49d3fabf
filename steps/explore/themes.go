package explore

import (
	"slices"

	"github.com/pixcert/pixcert/steps/model"
)

// themes are what walks are about, by nouns, and by events, or ways of them, that are then as likely as those of the
// core. Much of what goes wrong needs several moves of one kind, and one that would show it. What stands twice is twice
// as likely.
var themes = [][]string{
	nil, {"cob"}, {"cash-in"}, {"split cash-in", "has a cash-in fee of"}, {"cash-out", "cash-in"}, {"cash-out", ""}, {"QR cash-out", ""}, {"transfer", ""},
	{"transfer", "lets the day pass until just before midnight", "is sent, and expires in the queue", "is settled when it has expired"},
	{"token request"},
	{"token request", "is kept, and used before and after its end", "is long expired, and used for a", "is sent, and again when its token has expired"},
	{"token request", "gets a certificate:", "loses certificate", "is sent with certificate", "is sent by the other account with certificate"},
	{"webhook registration", "cash-out", "cob", updates, "is sent by the other account at a URL of this one", "is listed"},
	{"webhook registration", updates, "is sent again with other headers", "is sent by the other account at a URL of this one", "is removed, and sends a webhook registration at a known URL"},
	{"webhook registration", "cash-out", "is sent for cash_in", updates + " cash_out", "is sent by the other account at a URL of this one"},
	{"webhook registration", "cash-out", "is sent for cash_out", updates + " cash_out", "is sent again with other headers", whileFailing},
	{"cob", "refund", "is sent for refund_in", whileFailing},
	{"webhook registration", "is sent for", updates, "is sent in a mixed body against webhook.header-count"},
	{"cash-out", "is sent for cash_out", "is sent with each transport header"},
	{"cash-out", "cash-in", "is sent with each transport header", "has its webhook sent again"},
	{"cash-out", "cob", "is sent by the other account", "is created by the other account", "has the same externalId as a payment of the other account", "is followed by one of the account under its externalId", "is resent by the other account", "is absent from the other account's list"},
	{"cash-out", "cash-in", "has its webhook sent again", "is resent by the other account"},
	{"cash-out", "is sent by the other account", "is followed by one of the account under its externalId", "has its webhook sent again by its externalId"},
	{"split cash-in", "cash-out"},
	{"MED case", "is opened against an unknown payment", "is listed filter", "is looked for on a small page"},
	{"cob", "cash-in", "MED case", "is opened against an unknown payment", "is listed filter", "is looked for on a small page"},
	{"cob", "refund", "MED case"},
	{"cob", "MED case", "is contested", "is decided: APPROVED"},
	{"cash-out", "QR cash-out", daysPass},
	{"cash-out", "cob", "refund", "has its webhook sent again", "has its webhook sent again by its", "is resent by the other account"},
	{"cob", "refund", "is refunded by a centavo too much", "is refunded with an invalid valor"},
	{"cob", "refund", "is refunded by a centavo too much", "is requested once more", "is refunded, and again when the token has expired"},
	{"cash-out", "has a limit", "is sent above the limit", "is sent just below the limit"},
	{"cash-out", "has a limit daily", "is sent above the limit daily", "is sent just below the limit daily"},
	{"cash-out", "has a limit daily", "is sent just below the limit daily", daysPass},
	{"cash-out", "has a limit daily", "is sent just below the limit daily", daysPass},
	{"cash-out", "is sent by the other account", "has a limit per-transaction", "is sent above the limit per-transaction"},
	{"cash-out", "is requested again"},
	{"cash-out", "is requested again", "has the same externalId as a payment of the other account", daysPass, "lets midnight pass"},
	{"cash-out", "QR cash-out", "is sent under", "is followed by another under nearly the same externalId", "is looked at"},
	{"cash-out", "QR cash-out", "is sent under", "has its webhook sent again"},
	{"cash-out", "QR cash-out", "has a cash-out fee of", "is sent R$ 1234.56", "is looked at", "opens as a new account with exactly R$ 5000.00"},
	{"has a cash-out fee of R$ 0.50", "has a cash-out fee of R$ 0.20", "is sent R$ 1234.56", "opens as a new account with exactly R$ 5000.00"},
	{"cash-out", "QR cash-out", "transfer", "is refunded by its payer"},
	{"cash-out", "cob", "lists its transactions by every pair of filters", "has a second account: another new account", daysPass},
	{"cash-out", "is sent in another shape", "is at 22:00", "lists its payments by key and every filter"},
	{"transfer", "is requested again"},
	{"transfer", "lets the day pass until just before midnight", "lets midnight pass", "is at 22:00"},
	{"is sent to wait for hours in the queue", "lets the day pass until just before midnight", "lets midnight pass", "is at 22:00", "is confirmed by the bank"},
	{"transfer", "is looked at in GET /balance"},
	{"cash-in", "has its externalId used again", daysPass},
	{"split cash-in"},
	{"cob", "cash-in", "is created, and paid in its last seconds"},
	{"cash-in", "is created for a second less than the provider's minimum", "is created for less than a minute, and paid at once"},
	{"refund", "is created", "is paid by", "is refunded:", wrongly},
}

const (
	daysPass     = "lets days pass:"
	updates      = "is sent at a known URL for"
	whileFailing = "is confirmed while receivers fail"
)

// wrongly are the requests for things of a theme that are rejected for what is in them.
const wrongly = "is rejected"

// alsoWrongly: one in so many themed walks also sends such requests, after what its theme has made happen.
const alsoWrongly = 6

// seldom is how much less likely a move is that sends many requests.
const seldom = 6

// usualRequests is from how many requests a typical Wrong move chooses.
const usualRequests = 6

// besides is how much less likely a move is that its walk is not about.
const besides = 12

// core is how much likelier a move is in a story that takes a payment through its life.
const core = 8

// inTheme reports whether a move belongs to a themed story: its moves have to come together, however often each was
// seen.
func (g *guide) inTheme(o *option) bool {
	return g.themed && (slices.Contains(g.theme, o.Event) || slices.Contains(g.theme, o.event()) || o.Core && slices.Contains(g.theme, o.Noun) || g.isRejected(o.Move))
}

// isRejected reports whether a move sends a request that is rejected, for what the theme is about.
func (g *guide) isRejected(m *model.Move) bool {
	return m.Wrong && !m.Seldom && slices.Contains(g.theme, wrongly) && slices.Contains(g.theme, m.Noun)
}

// event is the option's event in its way.
func (o *option) event() string { return o.Event + " " + o.Way }

// handicap is how much less likely a move is in this walk than others that were done as often.
func (g *guide) handicap(o *option) float64 {
	m := o.Move
	times := float64(max(1, len(m.Ways))) // all ways together are as likely as one
	if m.Requests > 0 {                   // and each of the requests that are rejected as any other
		times *= usualRequests / float64(m.Requests)
	}
	switch {
	case slices.Contains(g.theme, m.Event):
		return times / core
	case slices.Contains(g.theme, o.event()):
		return 1. / core
	case g.isRejected(m):
		return times
	}
	if len(g.theme) > 0 && !slices.Contains(g.theme, m.Noun) {
		times *= besides
	}
	if g.rare[m] {
		times *= besides
	}
	if m.Seldom {
		times *= seldom
	}
	switch {
	case g.story && m.Wrong:
		times *= besides
	case g.story && m.Core:
		times /= core
	}
	return times
}
