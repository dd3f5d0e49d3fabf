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
		case "money_drift":
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
