package ledger

import (
	"iter"
	"reflect"
	"slices"
	"strings"
)

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

// book adds what an entry amounts to, n times: once when it enters the tally, and -1 times when it leaves it.
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

// Counts are the numbers of a run. Every delivery is in one of webhooks_matched,
// _duplicate, _resent, _contradictory, _malformed, _orphan, and _other. At the
// end every payment is in one of payments_refused, _confirmed, _failed, _unsettled,
// _vanished, _not_created, _unknown, _unreported and _unchecked.
type Counts struct {
	PaymentsSent       int64 `json:"payments_sent"`
	PaymentsAccepted   int64 `json:"payments_accepted"` // the response was a success
	PaymentsRefused    int64 `json:"payments_refused"`
	PaymentsNoResponse int64 `json:"payments_no_response"` // no conclusive response, whatever their outcome
	PaymentsConfirmed  int64 `json:"payments_confirmed"`
	PaymentsFailed     int64 `json:"payments_failed"`
	PaymentsUnsettled  int64 `json:"payments_unsettled"`   // the gateway lists it as PENDING at the end
	PaymentsMixedUp    int64 `json:"payments_mixed_up"`    // the response contains the transaction id of another payment
	PaymentsVanished   int64 `json:"payments_vanished"`    // accepted, and the gateway does not list it
	PaymentsNotCreated int64 `json:"payments_not_created"` // without a response, and the gateway does not list it
	PaymentsUnknown    int64 `json:"payments_unknown"`     // neither an event nor the gateway's list reported its outcome, although the list can
	PaymentsUnreported int64 `json:"payments_unreported"`  // no event reported its outcome, and there is no way to look it up
	PaymentsUnchecked  int64 `json:"payments_unchecked"`   // accepted, no event is expected, and the gateway's list was not read that far
	PaymentsCompared   int64 `json:"payments_compared"`    // their amounts and fees were compared with the gateway's list,
	PaymentsMisstated  int64 `json:"payments_misstated"`   // which shows another amount than was sent, or another fee than the event

	PaymentsRefusedWrongly int64 `json:"payments_refused_wrongly"` // for lack of money, although the account had enough

	WebhooksReceived      int64 `json:"webhooks_received"`
	WebhooksMatched       int64 `json:"webhooks_matched"`
	WebhooksLost          int64 `json:"webhooks_lost"` // the payment ended, but no event arrived
	WebhooksDuplicate     int64 `json:"webhooks_duplicate"`
	WebhooksResent        int64 `json:"webhooks_resent"`      // requested, and arrived
	WebhooksResendLost    int64 `json:"webhooks_resend_lost"` // requested and, according to the gateway, sent, but did not arrive
	WebhooksContradictory int64 `json:"webhooks_contradictory"`
	WebhooksMalformed     int64 `json:"webhooks_malformed"`
	WebhooksOrphan        int64 `json:"webhooks_orphan"`
	WebhooksOther         int64 `json:"webhooks_other"`
	WebhooksLate          int64 `json:"webhooks_late"`         // of the matched ones without contradiction
	WebhooksOutOfOrder    int64 `json:"webhooks_out_of_order"` // of the matched ones, by more than a second, by the order at each instance

	RepeatsSent  int64 `json:"repeats_sent"`
	DoubleDebits int64 `json:"double_debits"` // repeats that were accepted as another payment
	MoneyDrift   int64 `json:"money_drift"`   // centavos, sum over accounts of |drift|

	TokensRejected int64 `json:"tokens_rejected"` // valid access tokens that got 401
}

// Outcome of payments or of webhooks, as the tag of a metric of k6.
type Outcome struct{ Metric, Name string }

// String is the metric with its tag: pix_payments{outcome:confirmed}.
func (o Outcome) String() string { return o.Metric + "{outcome:" + o.Name + "}" }

// countNames are the names of the fields of Counts, in their order, and outcomes what they count; without a name: none.
var countNames, outcomes = func() (names []string, all []Outcome) {
	for field := range reflect.TypeFor[Counts]().Fields() {
		name := field.Tag.Get("json")
		subject, outcome, _ := strings.Cut(name, "_")
		of := Outcome{"pix_" + subject, outcome}
		switch name {
		case "money_drift", "tokens_rejected":
			of = Outcome{}
		case "double_debits":
			of = Outcome{"pix_payments", "double_debit"}
		case "repeats_sent":
			of = Outcome{"pix_payments", "repeated"}
		}
		names, all = append(names, name), append(all, of)
	}
	return names, all
}()

// OutcomeOf is the outcome of a count by its name; the zero value if it is of none.
func OutcomeOf(count string) (of Outcome) {
	if i := slices.Index(countNames, count); i >= 0 {
		of = outcomes[i]
	}
	return of
}

// field is the i-th field.
func (c *Counts) field(i int) *int64 {
	return reflect.ValueOf(c).Elem().Field(i).Addr().Interface().(*int64)
}

// Outcomes are the counts of payments and webhooks, in report order.
func (c *Counts) Outcomes() iter.Seq2[Outcome, int64] {
	return func(yield func(Outcome, int64) bool) {
		for i, of := range outcomes {
			if of.Name != "" && !yield(of, *c.field(i)) {
				return
			}
		}
	}
}

// named is the count with a name.
func (c *Counts) named(name string) *int64 { return c.field(slices.Index(countNames, name)) }

// Get is the count with a name.
func (c Counts) Get(name string) int64 { return *c.named(name) }

// Add adds each of d's counts to c's.
func (c *Counts) Add(d *Counts) {
	for i := range countNames {
		*c.field(i) += *d.field(i)
	}
}
