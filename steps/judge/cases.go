package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// hasFiltered: a list shows no case that its own filter excludes. Other values, and a filter that is given twice, are
// open ("a malformed parameter of the MED list").
func hasFiltered(name string, values []string) func(*shownList, shownItem) []Breach {
	return func(l *shownList, i shownItem) []Breach {
		asked := l.query[name]
		if len(asked) != 1 || !slices.Contains(values, asked[0]) {
			return nil
		}
		return differs(name, fmt.Sprintf("only cases with %s %s", name, asked[0]), asked[0], i.text(name), i.text(name))
	}
}

// hasHadState: a list shows a case as the bank has moved it. A list that lags shows an earlier state, but none that is
// yet to come. What a refund, or time, makes of a case is open ("MED case that moves by itself"), and so is the result of
// a cancelled one ("MED case OPEN, then CANCELLED").
func hasHadState(l *shownList, i shownItem) (all []Breach) {
	n := slices.IndexFunc(l.Cases, func(c record.Case) bool { return c.Account == l.t.Account && c.IsListedAs(i.json) })
	if n < 0 || len(l.callsOf(target.Clock, "")) > 0 || l.refunds() {
		return nil
	}
	_, had := l.gateway().caseBefore(l.Cases[n], l.t.Index)
	known := map[string][]string{"status": caseStatuses(had)}
	if !had.Has(api.Cancelled) {
		known["analysisResult"] = append([]string{"none"}, api.Spelled((had & spec.Any(spec.Approved, spec.Rejected)).All()...)...)
	}
	for name, was := range known {
		if got := i.text(name); got != "" && !slices.Contains(was, got) {
			expected := fmt.Sprintf("the %s of the case to be one that it has had: %s", name, strings.Join(was, ", "))
			all = append(all, breach(expected, got, name)...)
		}
	}
	return all
}

// contestsOwnPayment: a new account sees no case that contests none of its payments. Whether those who have sent a
// payment see the case that contests it is open ("who sees a MED case").
func contestsOwnPayment(l *shownList, i shownItem) []Breach {
	account := l.Accounts[l.t.Account]
	sends := func(o *record.Attempt) bool { return o.Is(api.Payment) }
	unknown := func(c record.Call) bool { return !c.Succeeded() && !c.Refused() }
	id := i.text("endToEnd")
	if id == "" || !account.Opened || account.Fixed || account.Shared || l.t.Index < account.Since ||
		slices.ContainsFunc(l.orders, sends) || slices.ContainsFunc(l.callsOf(target.MED, ""), unknown) {
		return nil
	}
	isOwn := func(c record.Case) bool {
		return c.Account == l.t.Account && (c.EndToEndID == id || c.IsListedAs(i.json))
	}
	received := func(o *record.Attempt) bool { return o.Account == l.t.Account && o.EndToEndID == id }
	if slices.ContainsFunc(l.Cases, isOwn) || slices.ContainsFunc(l.Attempts, received) {
		return nil
	}
	return breach("only cases that contest a payment of this account", "a case of another payment", "endToEnd")
}
