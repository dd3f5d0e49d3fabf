package judge

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list shows nothing that its own query excludes, whatever a scenario asks of it. A list that lags shows less,
// but nothing else.

// isPaged reports whether an operation returns pages.
func isPaged(op *api.Operation) bool { return api.Lists[op.ID].Size != "" }

// pageBreaches: on a new account only the scenario itself opens MED cases.
func (s audit) pageBreaches(t *record.Attempt) []Breach {
	account := s.Accounts[t.Account]
	return ruleBreaches(listing.PageBreaches(t, account.Opened && !account.Fixed))
}

// ruleBreaches are the breaches of rules by the pages of a list.
func ruleBreaches(pages []listing.Breach) (all []Breach) {
	for _, b := range pages {
		all = append(all, Breach{b.Rule, b.Expected, b.Got, b.Field})
	}
	return all
}

// ofOtherEndToEndID: a list by endToEndId shows another payment. Refunds and splits may be listed by the id of
// their payment.
func (s audit) ofOtherEndToEndID(t *record.Attempt, items []any) (all []Breach) {
	asked := t.Query()["endToEndId"]
	hasSplits := func(o *record.Attempt) bool { return len(jsonvalue.Items(o.Request, "splits")) > 0 }
	if len(asked) != 1 || len(asked[0]) != api.EndToEndIDLength || slices.ContainsFunc(s.Requests(), hasSplits) {
		return nil
	}
	for _, item := range items {
		if got := jsonvalue.Text(item, "endToEndId"); got != "" && got != asked[0] && !listing.IsReturned(item) {
			all = append(all, Breach{"lists.end-to-end-id", "only the payment with this endToEndId", "another payment", "endToEndId"})
		}
	}
	return all
}

// strangeCases: a new account sees a case that contests none of its payments. Whether those who have sent a
// payment see the case that contests it is left open.
func (s audit) strangeCases(t *record.Attempt, items []any) (all []Breach) {
	account := s.Accounts[t.Account]
	sends := func(o *record.Attempt) bool { return o.Account == t.Account && o.Is(api.Payment) }
	unknown := func(c record.Call) bool { return !c.Succeeded() && !c.Refused() }
	if !account.Opened || account.Fixed || account.Shared || t.Index < account.Since ||
		slices.ContainsFunc(s.orders(), sends) || slices.ContainsFunc(s.callsOf(target.MED, ""), unknown) {
		return nil
	}
	for _, item := range items {
		id := jsonvalue.Text(item, "endToEnd")
		isOwn := func(c record.Case) bool { return c.Account == t.Account && (c.EndToEndID == id || c.IsListedAs(item)) }
		received := func(o *record.Attempt) bool { return o.Account == t.Account && o.EndToEndID == id }
		if id != "" && !slices.ContainsFunc(s.Cases, isOwn) && !slices.ContainsFunc(s.Attempts, received) {
			all = append(all, Breach{"med.own-account", "only cases that contest a payment of this account", "a case of another payment", "endToEnd"})
		}
	}
	return all
}
