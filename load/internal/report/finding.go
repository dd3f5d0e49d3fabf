package report

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
)

// finding is a count of the ledger that should be 0, or that is worth a look.
type finding struct {
	Name    string // of the count
	Label   string
	Mark    mark // of a count above 0: bad is a fault, warn is worth a look
	Meaning string
}

// findings in display order: money first.
var findings = []finding{
	{"money_drift", "money drift", bad, "difference between balances and the ledger, over all accounts"},
	{"double_debits", "repeats accepted as another payment", bad, "the same id got, or is listed with, several transaction ids"},
	{"payments_misstated", "payments misstated", bad, "the gateway lists another amount than was sent, or another fee than its webhook says"},
	{"payments_refused_wrongly", "payments refused wrongly", bad, "for lack of money, although the account had enough"},
	{"payments_mixed_up", "payments mixed up", bad, "the response to one has the transactionId of the other"},
	{"payments_vanished", "payments vanished", bad, "accepted, but the gateway does not list them"},
	{"payments_unsettled", "payments unsettled", bad, "the gateway lists them as pending, or their money is still blocked, after the drain time"},
	{"webhooks_lost", "webhooks lost", bad, "the payment has an outcome, but no webhook arrived"},
	{"webhooks_resend_lost", "resends lost", bad, "requested and, according to the gateway, sent, but not received"},
	{"webhooks_duplicate", "webhooks duplicate", warn, "delivered again without a resend request"},
	{"webhooks_orphan", "webhooks orphan", bad, "match no payment of this run"},
	{"webhooks_malformed", "webhooks malformed", bad, "not JSON, missing fields, or another amount or id than the payment's"},
	{"webhooks_contradictory", "webhooks contradictory", bad, "report another outcome than before"},
	{"webhooks_late", "webhooks late", warn, "arrived after the time limit for late webhooks"},
	{"webhooks_out_of_order", "webhooks out of order", warn, "processed more than a second before an earlier webhook of the account"},
	{"payments_unknown", "payments unknown", bad, "neither a webhook nor the gateway's list reported their outcome"},
	{"payments_unreported", "payments unreported", warn, "no webhook reported their outcome, and the API cannot be queried for it"},
	{"payments_unchecked", "payments unchecked", warn, "accepted; no webhook reports their outcome, and the gateway's list was not read that far"},
	{"payments_no_response", "payments without a response", warn, "no conclusive response: none, 5xx or unreadable; looked up at the end"},
	{"tokens_rejected", "valid access tokens rejected with 401", bad, "before they expired, although no other had been requested"},
}

// metric is k6's, with its tags.
func (f finding) metric() string {
	if of := ledger.OutcomeOf(f.Name); of.Name != "" {
		return of.String()
	}
	return "pix_" + f.Name
}

// found is a finding with its count.
type found struct {
	finding
	Count    int64
	examples []string
}

// explained says whether causes that are reported instead explain all of a finding.
func (f found) explained(causes []ledger.Cause) bool {
	left := f.Count
	for _, c := range causes {
		switch {
		case !slices.Contains(c.Findings, f.Name):
		case f.Name == "money_drift":
			left -= max(c.Amount, -c.Amount)
		default:
			left -= c.Events
		}
	}
	return left == 0 && f.Count != 0
}

// String is the finding with its count: 31 webhooks lost.
func (f found) String() string {
	if f.Name == "money_drift" {
		return reais(f.Count) + " " + f.Label
	}
	return count(f.Count) + " " + either(f.Count == 1, singular.Replace(f.Label), f.Label)
}

var singular = strings.NewReplacer("webhooks", "webhook", "tokens", "token", "repeats", "repeat", "payments", "payment", "resends", "resend")

// troubles are the findings of a result that are not 0.
func troubles(r result.Result) (all []found) {
	for _, f := range findings {
		n := r.Ledger.Counts.Get(f.Name)
		if f.Name == "double_debits" && len(r.Accounts()) > 0 && r.Ledger.Counts.MoneyDrift == 0 {
			f.Meaning += "; no balance shows a second debit"
		}
		if n != 0 {
			all = append(all, found{f, n, examples(r, f.Name)})
		}
	}
	return all
}

// faults are the troubles that are the gateway's fault.
func faults(r result.Result) []found {
	return slices.DeleteFunc(troubles(r), func(f found) bool { return f.Mark != bad })
}

// troublesOf are the troubles whose names start with one of some subjects.
func troublesOf(r result.Result, subjects ...string) []found {
	return slices.DeleteFunc(troubles(r), func(f found) bool {
		return !slices.ContainsFunc(subjects, func(subject string) bool { return strings.HasPrefix(f.Name, subject) })
	})
}

// findings say how often something was found, what that means, and the first payments with their ids.
func (s *screen) findings(fs []found) {
	for _, f := range fs {
		s.say(f.Mark, f.String()+": "+f.Meaning)
		for _, e := range f.examples {
			s.para(soft, "    ", e)
		}
	}
}

const shownExamples = 3 // how many of each sort the summary shows; the result file has more

// examples are the first of a sort, in a line each.
func examples(r result.Result, sort string) (shown []string) {
	for _, e := range r.Ledger.Examples {
		if e.Sort == sort && len(shown) < shownExamples {
			shown = append(shown, strings.Trim(e.Payment+": "+e.Detail, ": "))
		}
	}
	return shown
}
