package ledger

// tally sums up what entries amount to. An entry leaves it before it changes and enters
// it again afterwards, so that every sum follows from facts.
type tally struct {
	counts  map[any]*Counts // by origin
	unsent  int64           // of the refused
	pending int64
	money   []balance // by account
	sent    []balance // likewise, as if nothing were known of any payment
}

// balance is what payments do to an account's total, centavos.
type balance struct {
	Certain  int64 // of payments whose end is known
	Low      int64 // what the others may take, at most; negative
	High     int64 // what the others may bring, at most
	Outgoing int64 // how many of the others leave, so that their fees may come on top
	Returned int64 // of outgoing payments that failed, so that it is back
	Failed   int64 // how many these are
}

// of is the counts of an origin.
func (t *tally) of(origin any) *Counts {
	if t.counts[origin] == nil {
		t.counts[origin] = &Counts{}
	}
	return t.counts[origin]
}

// add adds another tally, except what is pending and was sent.
func (t *tally) add(other *tally) {
	for origin, counts := range other.counts {
		t.of(origin).Add(counts)
	}
	for account, b := range other.money {
		at(&t.money, account).add(b)
	}
	t.unsent += other.unsent
}

// at is an element of a slice, which grows to it.
func at[T any](all *[]T, index int) *T {
	for index >= len(*all) {
		*all = append(*all, *new(T))
	}
	return &(*all)[index]
}

// total is the sum over all origins.
func total(byOrigin map[any]*Counts) (sum Counts) {
	for _, counts := range byOrigin {
		sum.Add(counts)
	}
	return sum
}

func (c *Config) enter(to *tally, e *entry) { c.book(to, e, 1) }
func (c *Config) leave(to *tally, e *entry) { c.book(to, e, -1) }

// book adds what an entry amounts to, n times.
func (c *Config) book(to *tally, e *entry, n int64) {
	counts := to.of(e.Origin)
	switch e.Answer {
	case Accepted:
		counts.PaymentsAccepted += n
	case NoResponse:
		counts.PaymentsNoResponse += n
	}
	end := e.end()
	switch end {
	case Confirmed:
		counts.PaymentsConfirmed += n
	case Failed:
		counts.PaymentsFailed += n
	case NotCreated:
		counts.PaymentsNotCreated += n
	case Vanished:
		counts.PaymentsVanished += n
	case InFlight:
		if e.Answer == Refused {
			counts.PaymentsRefused += n
		}
		if e.Answer == Accepted && c.Unheard[e.Kind] && e.Listed == InFlight && !e.findable() {
			counts.PaymentsUnreported += n
		}
	}
	if e.Compared {
		counts.PaymentsCompared += n
	}
	if e.Misstated {
		counts.PaymentsMisstated += n
	}
	counts.DoubleDebits += n * int64(e.Doubles)
	if c.pending(e) {
		to.pending += n
	}
	c.move(to, e, end, n)
}

// move books the money: what a payment leaves blocked is part of the total until it ends.
func (c *Config) move(to *tally, e *entry, end Fate, n int64) {
	if e.Account < 0 || e.Amount < 0 {
		return
	}
	b := at(&to.money, e.Account)
	switch {
	case end == Confirmed && e.incoming():
		b.Certain += n * (e.Amount - c.fee(e))
	case end == Confirmed:
		b.Certain -= n * (e.Amount + c.fee(e))
	case end == Failed && !e.incoming():
		b.Returned += n * e.Amount
		b.Failed += n
	case end != InFlight, e.Answer == Refused:
	default:
		b.open(e, n)
	}
}

// register adds a payment to what was ever sent.
func (t *tally) register(e *entry) {
	at(&t.sent, e.Account).open(e, 1)
}

// open adds a payment of which nothing is known, n times.
func (b *balance) open(e *entry, n int64) {
	if e.incoming() {
		b.High += n * e.Amount
		return
	}
	b.Low -= n * e.Amount
	b.Outgoing += n
}

func (e *entry) incoming() bool { return e.Kind == CashIn || e.Kind == Cob }

func (c *Config) fee(e *entry) int64 {
	if e.Fee >= 0 {
		return e.Fee
	}
	return c.Fees[e.Kind]
}

// count is the counter of a verdict.
func (c *Counts) count(v Verdict) *int64 {
	return [verdicts]*int64{
		Matched: &c.WebhooksMatched, Duplicate: &c.WebhooksDuplicate, Resent: &c.WebhooksResent,
		Contradictory: &c.WebhooksContradictory, Malformed: &c.WebhooksMalformed,
		Orphan: &c.WebhooksOrphan, Other: &c.WebhooksOther,
	}[v]
}

// received is the sum of all verdicts.
func (c *Counts) received() (sum int64) {
	for v := range verdicts {
		sum += *c.count(v)
	}
	return sum
}
