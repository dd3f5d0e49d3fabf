package ledger

import "iter"

// Counts are the numbers of a run. Every delivery is in one of webhooks_matched,
// _duplicate, _resent, _contradictory, _malformed, _orphan, _elsewhere and _other. At the
// end every payment is in one of payments_refused, _confirmed, _failed, _unsettled,
// _vanished, _absent, _unknown and _untold.
type Counts struct {
	PaymentsSent      int64 `json:"payments_sent"`
	PaymentsAccepted  int64 `json:"payments_accepted"` // the response was a success
	PaymentsRefused   int64 `json:"payments_refused"`
	PaymentsUnheard   int64 `json:"payments_unheard"` // no conclusive response, whatever their outcome
	PaymentsConfirmed int64 `json:"payments_confirmed"`
	PaymentsFailed    int64 `json:"payments_failed"`
	PaymentsUnsettled int64 `json:"payments_unsettled"` // the gateway lists it as PENDING at the end
	PaymentsVanished  int64 `json:"payments_vanished"`  // accepted, and the gateway does not list it
	PaymentsAbsent    int64 `json:"payments_absent"`    // unheard, and the gateway does not list it
	PaymentsUnknown   int64 `json:"payments_unknown"`   // neither an event nor the gateway's list reported its outcome, although the list can
	PaymentsUntold    int64 `json:"payments_untold"`    // no event reported its outcome, and there is no way to look it up

	WebhooksReceived      int64 `json:"webhooks_received"`
	WebhooksMatched       int64 `json:"webhooks_matched"`
	WebhooksLost          int64 `json:"webhooks_lost"` // the payment ended, but no event arrived
	WebhooksDuplicate     int64 `json:"webhooks_duplicate"`
	WebhooksResent        int64 `json:"webhooks_resent"`      // requested, and arrived
	WebhooksResendLost    int64 `json:"webhooks_resend_lost"` // requested and, according to the gateway, sent, but did not arrive
	WebhooksContradictory int64 `json:"webhooks_contradictory"`
	WebhooksMalformed     int64 `json:"webhooks_malformed"`
	WebhooksOrphan        int64 `json:"webhooks_orphan"`
	WebhooksElsewhere     int64 `json:"webhooks_elsewhere"`
	WebhooksOther         int64 `json:"webhooks_other"`
	WebhooksLate          int64 `json:"webhooks_late"`         // of the matched ones without contradiction
	WebhooksOutOfOrder    int64 `json:"webhooks_out_of_order"` // of the matched ones, by the order at each instance

	RepeatsSent  int64 `json:"repeats_sent"`
	DoubleDebits int64 `json:"double_debits"` // repeats that were accepted as another payment
	MoneyDrift   int64 `json:"money_drift"`   // centavos, sum over accounts of |drift|
}

var countFields = []struct {
	name  string
	field func(*Counts) *int64
}{
	{"payments_sent", func(c *Counts) *int64 { return &c.PaymentsSent }},
	{"payments_accepted", func(c *Counts) *int64 { return &c.PaymentsAccepted }},
	{"payments_refused", func(c *Counts) *int64 { return &c.PaymentsRefused }},
	{"payments_unheard", func(c *Counts) *int64 { return &c.PaymentsUnheard }},
	{"payments_confirmed", func(c *Counts) *int64 { return &c.PaymentsConfirmed }},
	{"payments_failed", func(c *Counts) *int64 { return &c.PaymentsFailed }},
	{"payments_unsettled", func(c *Counts) *int64 { return &c.PaymentsUnsettled }},
	{"payments_vanished", func(c *Counts) *int64 { return &c.PaymentsVanished }},
	{"payments_absent", func(c *Counts) *int64 { return &c.PaymentsAbsent }},
	{"payments_unknown", func(c *Counts) *int64 { return &c.PaymentsUnknown }},
	{"payments_untold", func(c *Counts) *int64 { return &c.PaymentsUntold }},
	{"webhooks_received", func(c *Counts) *int64 { return &c.WebhooksReceived }},
	{"webhooks_matched", func(c *Counts) *int64 { return &c.WebhooksMatched }},
	{"webhooks_lost", func(c *Counts) *int64 { return &c.WebhooksLost }},
	{"webhooks_duplicate", func(c *Counts) *int64 { return &c.WebhooksDuplicate }},
	{"webhooks_resent", func(c *Counts) *int64 { return &c.WebhooksResent }},
	{"webhooks_resend_lost", func(c *Counts) *int64 { return &c.WebhooksResendLost }},
	{"webhooks_contradictory", func(c *Counts) *int64 { return &c.WebhooksContradictory }},
	{"webhooks_malformed", func(c *Counts) *int64 { return &c.WebhooksMalformed }},
	{"webhooks_orphan", func(c *Counts) *int64 { return &c.WebhooksOrphan }},
	{"webhooks_elsewhere", func(c *Counts) *int64 { return &c.WebhooksElsewhere }},
	{"webhooks_other", func(c *Counts) *int64 { return &c.WebhooksOther }},
	{"webhooks_late", func(c *Counts) *int64 { return &c.WebhooksLate }},
	{"webhooks_out_of_order", func(c *Counts) *int64 { return &c.WebhooksOutOfOrder }},
	{"repeats_sent", func(c *Counts) *int64 { return &c.RepeatsSent }},
	{"double_debits", func(c *Counts) *int64 { return &c.DoubleDebits }},
	{"money_drift", func(c *Counts) *int64 { return &c.MoneyDrift }},
}

// All are the counts with their names, in report order.
func (c Counts) All() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for _, f := range countFields {
			if !yield(f.name, *f.field(&c)) {
				return
			}
		}
	}
}

// Get is the count with a name; false if there is none.
func (c Counts) Get(name string) (int64, bool) {
	for _, f := range countFields {
		if f.name == name {
			return *f.field(&c), true
		}
	}
	return 0, false
}

// add adds each of d's counts to c's.
func (c *Counts) add(d *Counts) {
	for _, f := range countFields {
		*f.field(c) += *f.field(d)
	}
}
