package judge

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list shows nothing that its own query excludes, whatever a scenario asks of it. A list that lags shows less,
// but nothing else.

// isPaged reports whether an operation returns pages.
func isPaged(op *api.Operation) bool { return api.Lists[op.ID].Size != "" }

// isPage: on a new account only the scenario itself opens MED cases.
func isPage(l *shownList) []Breach {
	account := l.Accounts[l.t.Account]
	return ruleBreaches(listing.PageBreaches(l.t, account.Opened && !account.Fixed))
}

func isWithinDates(l *shownList) []Breach { return ruleBreaches(listing.OutsideDates(l.t)) }

// ruleBreaches are the breaches of rules by the pages of a list.
func ruleBreaches(pages []listing.Breach) (all []Breach) {
	for _, b := range pages {
		all = append(all, Breach{b.Rule, b.Expected, b.Got, b.Field})
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
