package mutants

import (
	"math/rand/v2"
	"sync"
	"time"
)

// toleratedTimes differ in when things happen.
var toleratedTimes = []row{
	tolerate("returns a token after 80 ms", answering(token, always, held(80*time.Millisecond))),
	tolerate("returns a balance after 60 ms", answering(balances, always, held(60*time.Millisecond))),
	tolerate("returns the list of transactions after 60 ms", answering(transactions, always, held(60*time.Millisecond))),
	tolerate("returns a list by key after 60 ms", answering(ofKey, always, held(60*time.Millisecond))),
	tolerate("returns a MED list after 60 ms", answering(meds, always, held(60*time.Millisecond))),
	tolerate("returns the list of registrations after 60 ms", answering(list, always, held(60*time.Millisecond))),
	tolerate("registers a URL in 60 ms", delaying(registration, always, 60*time.Millisecond)),
	tolerate("sends the event of a cash-out before it responds", answering(group{cashOut, qrCashOut}, always, held(80*time.Millisecond))),
	tolerate("sends the event of a transfer before it responds", answering(transfer, always, held(80*time.Millisecond))),
	tolerate("sends the event of a refund before it responds", answering(devolution, always, held(80*time.Millisecond))),
	tolerate("creates a charge in 50 ms", delaying(group{cashIn, cob}, always, 50*time.Millisecond)),
	tolerate("rejects a request after 40 ms", answering(everything, refused, held(40*time.Millisecond))),
	tolerate("responds to a resend after 80 ms", answering(resend, always, held(80*time.Millisecond))),
	tolerate("responds in random order", answering(group{cashOut, qrCashOut, cashIn, transfer, cob, devolution}, always, func(m *message) { m.late = upTo(70 * time.Millisecond) })),

	tolerate("sends events in random order", misreading(event, always, func(m *message) { m.late = upTo(150 * time.Millisecond) })),
	tolerate("sends an event to one URL after the other", delaying(event, after(1, event, sameBody, elsewhere), 60*time.Millisecond)),
	tolerate("sends an event to the first URL last", delaying(event, not(after(1, event, sameBody, elsewhere)), 60*time.Millisecond)),
	tolerate("sends each event three times", changing(event, threeTimes)),
	tolerate("sends each event again 100 ms later", doubling(event, always, func(m *message) { m.late = 100 * time.Millisecond })),
	tolerate("sends each event again in another order of members", doubling(event, always, rewritten(inOrder(backwards)))),

	tolerate("caches balances for 50 ms", caching(balances, 50*time.Millisecond)),
	tolerate("caches the list of transactions for 50 ms", caching(transactions, 50*time.Millisecond)),
	tolerate("settles after 80 ms", dueLater("settle", 80*time.Millisecond)),
	tolerate("processes refunds after 80 ms", dueLater("refund", 80*time.Millisecond)),
	tolerate("pays splits after 80 ms", dueLater("split", 80*time.Millisecond)),
	tolerate("returns the money of failed payments and refunds after 400 ms", answeringBy(group{balances, standard}, withoutReturned(400*time.Millisecond))),
}

// held has an answer written so much later.
func held(by time.Duration) edit { return func(m *message) { m.late = by } }

// withoutReturned shows the balance without the money of what failed so recently.
func withoutReturned(recently time.Duration) func(*call, *answer) []edit {
	return func(c *call, a *answer) (edits []edit) {
		now, _ := time.Parse(time.RFC3339, textAt(a.body, "consultedAt")+textAt(a.body, "data[0].eventDate"))
		for _, item := range c.recorded("status", "ERROR") {
			failed, err := time.Parse(time.RFC3339, textOf(item, "processedAt"))
			if err != nil || item["movementType"] != "DEBIT" || now.Sub(failed) > recently {
				continue
			}
			back := amountAt(message{body: encode(item)}, "finalAmount")
			edits = append(edits, plus("data[0].balanceAmount.available", -back), plus("grossBalance", -back), plus("netBalance", -back))
		}
		return edits
	}
}

func upTo(most time.Duration) time.Duration { return rand.N(most) + 1 }

func threeTimes(c *call, pass server) *answer {
	a := pass(c)
	if a.succeeded() {
		pass(c.edited())
		pass(c.edited())
	}
	return a
}

// caching repeats what the same client was answered to the same request within so long.
func caching(p place, within time.Duration) fault {
	begin := func() change {
		var reads cache
		return func(c *call, pass server) *answer {
			if !p.has(c.endpoint) || c.client == "" {
				return pass(c)
			}
			return reads.of(c.client+" "+c.path+"?"+c.query, within, func() *answer { return pass(c) })
		}
	}
	return fault{parts: []part{{p.where(), begin}}, stack: callers()}
}

// cache keeps answers with the time at which they were read.
type cache struct {
	mu    sync.Mutex
	reads map[string]cached
}

type cached struct {
	answer *answer
	at     time.Time
}

// of repeats only what the gateway would have answered, too: a request under a token that has expired is rejected.
func (k *cache) of(request string, within time.Duration, read func() *answer) *answer {
	began := time.Now()
	a := read()
	if !a.succeeded() {
		return a
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if last, known := k.reads[request]; known && began.Sub(last.at) < within {
		return last.answer
	}
	if k.reads == nil {
		k.reads = map[string]cached{}
	}
	k.reads[request] = cached{a, began}
	return a
}
