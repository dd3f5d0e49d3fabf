package mutants

import (
	"cmp"
	"hash/crc32"
	"slices"
	"strings"
)

// toleratedOrders differ in the order of what the specification does not order. Those of
// a list are neighbours: one gateway can have only one of them.
var toleratedOrders = []row{
	tolerate("lists the oldest transactions first", listing(byAge)),
	tolerate("lists transactions by amount", listing(descending("originalAmount"))),
	tolerate("lists transactions by the time of processing", listing(descending("processedAt"))),
	tolerate("lists transactions by transactionId", listing(ascending("transactionId"))),
	tolerate("lists transactions by externalId", listing(descending("externalId"))),
	tolerate("lists transactions in a random but stable order", listing(byChance)),
	tolerate("lists pending transactions first", listing(pendingFirst)),
	tolerate("lists the oldest cases first", relisting(meds, always, ordered(byAge))),
	tolerate("lists cases by their last update", relisting(meds, always, ordered(descending("updatedAt")))),
	tolerate("lists cases by status", relisting(meds, always, ordered(ascending("status")))),
	tolerate("lists the newest registrations first", answering(list, accepted, at("webhooks", reversed))),
	tolerate("lists registrations by URL", answering(list, accepted, at("webhooks", sorted(descending("url"))))),
	tolerate("lists registrations by type", answering(list, accepted, at("webhooks", sorted(ascending("type"))))),
	tolerate("shows splits in reverse order", answering(division, accepted, at("splits", reversed))),
	tolerate("sends and resends to the last URL first", both( // whose ids fall
		triggering(`AFTER INSERT ON webhooks`, `1`, `UPDATE webhooks SET id = 1000000000 - id WHERE id = NEW.id`),
		answering(list, accepted, at("webhooks", reversed)))),
	tolerate("sends all refunds of a payment so far with each", changing(event, withEarlierRefunds)),
}

// listing lists transactions by an order.
func listing(by order) fault { return relisting(group{transactions, ofKey}, always, ordered(by)) }

// byChance is an order that has nothing to do with what it orders.
func byChance(x, y any) int {
	chance := func(v any) uint32 {
		id := descend(v, []string{"transactionId"})
		return crc32.ChecksumIEEE(encode(id))
	}
	return cmp.Compare(chance(x), chance(y))
}

func pendingFirst(x, y any) int {
	settled := func(v any) int {
		if slices.Contains(descend(v, []string{"status"}), any("Pendente")) {
			return 0
		}
		return 1
	}
	return cmp.Compare(settled(x), settled(y))
}

func sorted(by order) func(any) any {
	return on(func(items []any) any {
		slices.SortStableFunc(items, by)
		return items
	})
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
