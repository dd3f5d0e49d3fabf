package run

import (
	"maps"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// latencies collects how long the target took to respond, by the noun of the operation, and how long it took to deliver
// webhooks, by their event. The zero value is ready to use.
type latencies struct {
	mu       sync.Mutex
	of       map[string][]time.Duration
	webhooks map[string][]time.Duration
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

// The specification does not name all events, so that targets do. mostNames bounds how many names are kept.
var eventName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,39}$`)

const mostNames = 20

// addWebhooks adds the webhooks of an attempt.
func (l *latencies) addWebhooks(attempt *judge.Scenario) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range attempt.Events {
		took, known := attempt.Latency(d)
		if !known {
			continue
		}
		name := d.Name + " webhook"
		if _, has := l.webhooks[name]; !has && (len(l.webhooks) >= mostNames || !eventName.MatchString(d.Name)) {
			name = verdict.OfWebhooks
		}
		if l.webhooks == nil {
			l.webhooks = map[string][]time.Duration{}
		}
		l.webhooks[name] = append(l.webhooks[name], took)
	}
}

// summaries are in the order of the API's operations, then webhooks by name, and other webhooks last.
func (l *latencies) summaries() []verdict.Latency {
	l.mu.Lock()
	defer l.mu.Unlock()
	var nouns []string
	for _, op := range api.Operations {
		nouns = append(nouns, op.Noun)
	}
	events := slices.DeleteFunc(slices.Sorted(maps.Keys(l.webhooks)), func(name string) bool { return name == verdict.OfWebhooks })
	return append(summariesOf(l.of, nouns), summariesOf(l.webhooks, append(events, verdict.OfWebhooks))...)
}

// summariesOf are in the given order, and then by name.
func summariesOf(latencies map[string][]time.Duration, order []string) (all []verdict.Latency) {
	for _, name := range slices.Sorted(maps.Keys(latencies)) {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	for _, name := range order {
		if took := latencies[name]; len(took) > 0 {
			all = append(all, verdict.LatencyOf(name, slices.Clone(took)))
		}
	}
	return all
}
