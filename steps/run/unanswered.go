package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/wording"
)

// noteUnanswered says how many requests got no response although the target had no outage. Their scenarios ran again,
// so that no verdict depends on them; but a gateway may have processed such a request, and a client of it would not know.
func (r *run) noteUnanswered() {
	counts := map[string]int{}
	total := 0
	for _, e := range r.unanswered {
		if !r.target.Client.WasOut(e.Sent, e.Sent.Add(e.Took)) {
			counts[e.Operation]++
			total++
		}
	}
	if total == 0 {
		return
	}
	var each []string
	for _, operation := range slices.Sorted(maps.Keys(counts)) {
		each = append(each, fmt.Sprintf("%s (%d)", operation, counts[operation]))
	}
	note := fmt.Sprintf("%s got no response while the target responded to others: %s; their scenarios ran again; check in the gateway's log whether it processed the requests",
		wording.Count(total, "request"), wording.List(strings.Join(each, ", "), 200))
	r.note(r.secrets.Text(note))
}

// keepUnanswered keeps the requests of an attempt that got no response.
func (r *run) keepUnanswered(a *attempt) {
	if r.suspended.since(a.result.Started) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range a.world.Judge.Exchanges {
		if e.Party == exchange.API && target.Unanswered(*e) {
			r.unanswered = append(r.unanswered, exchange.Exchange{Operation: e.Operation, Sent: e.Sent, Took: e.Took})
		}
	}
}
