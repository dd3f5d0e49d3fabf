package faulty

import "sync"

// tally counts what passes, asks the plans and notes what was done. One lock for all:
// what a proxy does beside it costs a hundred times as much.
type tally struct {
	mu       sync.Mutex
	injected Injected
	seen     map[string]bool   // ids of payments that the gateway was given
	shadows  map[string]string // ids under which repeats were debited, with the clients' own
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

// did notes a fault that took place.
func (t *tally) did(fault Fault) {
	if fault != None {
		t.add(func(i *Injected) { *i.counter(fault)++ })
	}
}

// payment says what is to be done to a payment or a repeat of that id.
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

// delivery says what is to be done to a delivery of the event of a payment.
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

// shadowed is the id of the payment whose second debit goes by that one.
func (t *tally) shadowed(shadow string) (id string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok = t.shadows[shadow]
	return id, ok
}

func ask(plan Plan, n int64) Fault {
	if plan == nil {
		return None
	}
	return plan(n)
}
