package ledger

import (
	"iter"
	"reflect"
	"slices"
	"strings"
)

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
}

// countNames are the names of the fields of Counts, in their order.
var countNames = func() (names []string) {
	for field := range reflect.TypeFor[Counts]().Fields() {
		names = append(names, field.Tag.Get("json"))
	}
	return names
}()

// field is the i-th field.
func (c *Counts) field(i int) *int64 {
	return reflect.ValueOf(c).Elem().Field(i).Addr().Interface().(*int64)
}

// Subject of a count.
type Subject uint8

// Subjects.
const (
	OfPayments Subject = iota
	OfWebhooks
)

// Outcome of payments or of webhooks, such as "confirmed" and "lost".
type Outcome struct {
	Subject
	Name string
}

// Metric is that of k6 with its tag: pix_payments{outcome:confirmed}.
func (o Outcome) Metric() string {
	return [...]string{OfPayments: "pix_payments", OfWebhooks: "pix_webhooks"}[o.Subject] + "{outcome:" + o.Name + "}"
}

// OutcomeOf is the outcome of a count by its name; false if it is of none.
func OutcomeOf(count string) (Outcome, bool) {
	i := slices.Index(countNames, count)
	if i < 0 || outcomes[i].Name == "" {
		return Outcome{}, false
	}
	return outcomes[i], true
}

// outcomes are those of the fields of Counts; without a name: of none.
var outcomes = func() (all []Outcome) {
	for _, name := range countNames {
		of, outcome, _ := strings.Cut(name, "_")
		switch {
		case name == "money_drift":
			all = append(all, Outcome{})
		case name == "double_debits":
			all = append(all, Outcome{OfPayments, "double_debit"})
		case name == "repeats_sent":
			all = append(all, Outcome{OfPayments, "repeated"})
		case of == "payments":
			all = append(all, Outcome{OfPayments, outcome})
		default:
			all = append(all, Outcome{OfWebhooks, outcome})
		}
	}
	return all
}()

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

// All are the counts with their names, in report order.
func (c Counts) All() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for i, name := range countNames {
			if !yield(name, *c.field(i)) {
				return
			}
		}
	}
}

// Get is the count with a name; false if there is none.
func (c Counts) Get(name string) (int64, bool) {
	i := slices.Index(countNames, name)
	if i < 0 {
		return 0, false
	}
	return *c.field(i), true
}

// Add adds each of d's counts to c's.
func (c *Counts) Add(d *Counts) {
	for i := range countNames {
		*c.field(i) += *d.field(i)
	}
}
