package run

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// latencies collects how long the target took to respond, by the noun of the operation. The zero value is ready to use.
type latencies struct {
	mu sync.Mutex
	of map[string][]time.Duration
}

// add adds what the API has responded to.
func (l *latencies) add(exchanges []exchange.Exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range exchanges {
		if e := &exchanges[i]; e.Party == exchange.API && e.Status != 0 && e.Operation != "" {
			if l.of == nil {
				l.of = map[string][]time.Duration{}
			}
			l.of[e.Operation] = append(l.of[e.Operation], e.Took)
		}
	}
}

// summaries are in the order of the API's operations, and webhooks last.
func (l *latencies) summaries(webhooks []time.Duration) []verdict.Latency {
	l.mu.Lock()
	defer l.mu.Unlock()
	var nouns []string
	for _, op := range api.Operations {
		nouns = append(nouns, op.Noun)
	}
	for _, noun := range slices.Sorted(maps.Keys(l.of)) {
		if !slices.Contains(nouns, noun) {
			nouns = append(nouns, noun)
		}
	}
	var all []verdict.Latency
	for _, noun := range nouns {
		if took := l.of[noun]; len(took) > 0 {
			all = append(all, verdict.LatencyOf(noun, slices.Clone(took)))
		}
	}
	if len(webhooks) > 0 {
		all = append(all, verdict.LatencyOf(verdict.OfWebhooks, webhooks))
	}
	return all
}
