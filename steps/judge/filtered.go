package judge

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list shows nothing that its own query excludes, whatever a scenario asks of it. A list that lags shows less,
// but nothing else.

// outsideDates: a list shows what was created, and last changed, outside of the interval that was asked for; of a
// case, its payment as well. Which of these times counts is left open, and so is what an inverted interval returns.
func outsideDates(t *record.Attempt, items []any) (all []Breach) {
	rule := map[bool]string{true: "med.date-filter", false: "lists.dates"}[t.Op.ID == "listMeds"]
	q := listQuery{filters: map[string]string{}}
	for _, filter := range []string{"startDate", "endDate"} {
		if asked := t.Query()[filter]; len(asked) == 1 && isInstant(asked[0]) {
			q.filters[filter] = asked[0]
		}
	}
	if !q.spansTime() {
		return nil
	}
	for filter, value := range q.filters {
		isOutside := func(item any, field string, ifUnknown bool) bool {
			at, err := time.Parse(time.RFC3339, jsonvalue.Text(item, field))
			if err != nil {
				return ifUnknown
			}
			return boundOf(filter, value).fits(at) == outside
		}
		for _, item := range items {
			if isOutside(item, "createdAt", false) && isOutside(item, "processedAt", true) && isOutside(item, "updatedAt", true) && isOutside(item, "originalTransaction.dateTime", true) {
				all = append(all, Breach{rule, "only items within the " + filter + " that was asked for", "another item", "createdAt"})
			}
		}
	}
	return all
}

// isInstant: the value of a filter is a date, or a time, whose bounds are known.
func isInstant(value string) bool {
	_, isDate := time.Parse(time.DateOnly, value)
	_, isTime := time.Parse(time.RFC3339, value)
	return isDate == nil || isTime == nil
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
		if got := jsonvalue.Text(item, "endToEndId"); got != "" && got != asked[0] && !isReturned(item) {
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
