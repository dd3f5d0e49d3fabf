package faulty

import (
	"slices"
	"sync"
)

// tally counts traffic, calls the plans and records injected faults. One lock is enough: the
// rest of a proxy costs a hundred times as much.
type tally struct {
	mu       sync.Mutex
	injected Injected
	seen     map[string]bool   // ids of payments that were sent to the gateway
	shadows  map[string]string // ids with which repeats were debited, and the clients' own ids
	urls     []string          // that clients registered
}

func (t *tally) snapshot() Injected {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.injected
}

func (t *tally) add(count func(*Injected)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	count(&t.injected)
}

// did records a fault that took effect.
func (t *tally) did(fault Fault) {
	if fault != None {
		t.add(func(i *Injected) { *i.counter(fault)++ })
	}
}

// payment returns the fault for a payment or repeat with the given id.
func (t *tally) payment(id string, config *ProxyConfig) Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen[id] {
		t.injected.Repeats++
		return ask(config.Repeats, t.injected.Repeats)
	}
	t.injected.Payments++
	fault := ask(config.Payments, t.injected.Payments)
	if fault == CutBefore {
		*t.injected.counter(fault)++
	} else {
		t.seen[id] = true
	}
	return fault
}

// delivery returns the fault for a delivery of a payment's event.
func (t *tally) delivery(plan Plan) Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.injected.Deliveries++
	fault := ask(plan, t.injected.Deliveries)
	if fault == Lose {
		*t.injected.counter(fault)++
	}
	return fault
}

func (t *tally) shadow(shadow, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shadows[shadow] = id
}

// shadowed is the id of the payment whose second debit has the given id.
func (t *tally) shadowed(shadow string) (id string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok = t.shadows[shadow]
	return id, ok
}

// target is the number of a client's URL.
func (t *tally) target(url string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := slices.Index(t.urls, url)
	if n < 0 {
		n, t.urls = len(t.urls), append(t.urls, url)
	}
	return n
}

// targets are the clients' URLs by number. They are only appended to.
func (t *tally) targets() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.urls
}

func ask(plan Plan, n int64) Fault {
	if plan == nil {
		return None
	}
	return plan(n)
}
