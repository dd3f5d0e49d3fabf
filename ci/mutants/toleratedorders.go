package mutants

import (
	"slices"
	"strings"
)

// toleratedOrders differ in the order of what the specification does not order. Those of
// a list are neighbours: one gateway can have only one of them.
var toleratedOrders = []row{
	tolerate("lists the oldest transactions first", listing(`p.created_at, p.id`)),
	tolerate("lists transactions by amount", listing(`p.amount DESC, p.id`)),
	tolerate("lists transactions by the time of processing", listing(`p.processed_at DESC, p.id`)),
	tolerate("lists transactions by transactionId", listing(`p.transaction_id`)),
	tolerate("lists transactions by externalId", listing(`p.external_id DESC, p.id`)),
	tolerate("lists transactions in a random but stable order", listing(`(p.id * 7919) % 10007, p.id`)),
	tolerate("lists pending transactions first", listing(`CASE p.status WHEN 'PENDING' THEN 0 ELSE 1 END, p.id DESC`)),
	tolerate("lists the oldest cases first", listingCases(`created_at, id`)),
	tolerate("lists cases by their last update", listingCases(`updated_at DESC, id`)),
	tolerate("lists cases by status", listingCases(`status, id DESC`)),
	tolerate("lists the newest registrations first", listingRegistrations(`id DESC`)),
	tolerate("lists registrations by URL", listingRegistrations(`url DESC, id`)),
	tolerate("lists registrations by type", listingRegistrations(`type, id DESC`)),
	tolerate("shows splits in reverse order", answering(division, accepted, at("splits", reversed))),
	tolerate("resends to the last URL of the type", rewriting(`(FROM webhooks WHERE account_id = \$1 AND type = \$2 AND active = 1 ORDER BY id) LIMIT 1`, `${1} DESC LIMIT 1`)),
	tolerate("sends to the last URL first", rewriting(`(SELECT id FROM webhooks WHERE account_id = \$1 AND type = \$2 AND active = 1 ORDER BY id)$`, `${1} DESC`)),
	tolerate("sends all refunds of a payment so far with each", changing(event, withEarlierRefunds)),
}

// withEarlierRefunds sends a REFUND with the earlier refunds of the same payment after the
// one that it is about.
func withEarlierRefunds(c *call, pass server) *answer {
	known := textAt(c.body, "data.refunds[0].endToEndId")
	if known == "" {
		return pass(c)
	}
	var earlier []any
	for _, then := range c.before(event, same("data.endToEndId"), answered(sent("data.refunds"))) {
		refund, _ := lookup(then.call.body, "data.refunds[0]")
		id := textAt(then.call.body, "data.refunds[0].endToEndId")
		if !strings.Contains(known, id) {
			known += " " + id
			earlier = append(earlier, refund)
		}
	}
	return pass(c.edited(at("data.refunds", func(v any) any {
		refunds, _ := v.([]any)
		return slices.Concat(refunds, earlier)
	})))
}
