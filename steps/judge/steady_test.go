package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list that lacked a payment and then had it is read again, and has to have it each time.
func TestListsThatAreWatched(t *testing.T) {
	t.Parallel()
	const (
		none = `{"data":[],"metadata":{"total":0}}`
		one  = `{"data":[{"transactionId":"t-1","externalId":"order-1"}],"metadata":{"total":1}}`
		done = `{"data":[{"transactionId":"t-1","status":"Confirmado"}],"metadata":{"total":1}}`
		many = `{"data":[{"transactionId":"t-1","externalId":"order-1"}],"metadata":{"total":30}}`
	)
	reads := func(query string, answers ...string) (all []record.Entry) {
		for _, answer := range answers {
			e := looked("transaction list request", 200, answer)
			e.Exchange.URL += "?" + query
			all = append(all, e)
		}
		return all
	}
	watched := func(query, answer string) record.Entry { return as(record.Watched, reads(query, answer)[0]) }
	clock := called(target.Clock, `{}`)
	shared := fact(0, record.Fact{Kind: record.Shared})
	for name, c := range map[string]struct {
		entries  []record.Entry
		unsteady int    // lists
		want     string // the rule
	}{
		"it has it again":          {append(reads("externalId=order-1", none, one), watched("externalId=order-1", one)), 1, ""},
		"it lacks it again":        {append(reads("externalId=order-1", none, one), watched("externalId=order-1", none)), 1, "lists.external-id"},
		"by its end-to-end id":     {append(reads("endToEndId=E1", none, one), watched("endToEndId=E1", none)), 1, "lists.end-to-end-id"},
		"without a filter":         {append(reads("size=20", none, one), watched("size=20", none)), 1, "lists.answer"},
		"it never lacked it":       {reads("externalId=order-1", one, one), 0, ""},
		"it still lacks it":        {reads("externalId=order-1", none, none), 0, ""},
		"it lost it":               {reads("externalId=order-1", one, none), 0, ""},
		"another list":             {list(reads("externalId=order-2", none), reads("externalId=order-1", one)...), 0, ""},
		"one of many pages":        {reads("size=1", none, many), 0, ""},
		"by a status, which moves": {reads("status=PENDING", none, one), 0, ""},
		"by a status that stays":   {append(reads("status=CONFIRMED", none, done), watched("status=CONFIRMED", none)), 1, "lists.status"},
		"of a shared account":      {list([]record.Entry{shared}, reads("size=20", none, one)...), 0, ""},
		"by an id, of a shared":    {list([]record.Entry{shared}, reads("externalId=order-1", none, one)...), 1, ""},
		"a case, not yet linked":   {append(reads("isReconciled=false", none, one), watched("isReconciled=false", none)), 0, ""},
		"the clock moved before":   {list([]record.Entry{clock}, append(reads("externalId=order-1", none, one), watched("externalId=order-1", none))...), 1, "lists.external-id"},
		"the clock moves between":  {append(reads("externalId=order-1", none, one), clock, watched("externalId=order-1", none)), 1, ""},
		"the clock moves later":    {append(reads("externalId=order-1", none, one), watched("externalId=order-1", none), clock), 1, "lists.external-id"},
		"it is read again later":   {append(reads("externalId=order-1", none, one), watched("externalId=order-1", none), reads("externalId=order-1", one)[0]), 1, "lists.external-id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "Then the payment is listed once", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			assert.Len(t, j.Unsteady(0), c.unsteady)
			got := ""
			for _, m := range watchedListsKeepItems(&j.facts) {
				got = m.Rule
				assert.Equal(t, "missing from 1 of 1 responses", m.Got)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// A balance that was wrong and then right is read again, and must not come and go.
func TestBalancesThatAreWatched(t *testing.T) {
	t.Parallel()
	balance := func(role record.Role, available, blocked string) record.Entry {
		return as(role, looked("balance request", 200, `{"data":[{"balanceAmount":{"available":`+available+`,"blocked":`+blocked+`}}]}`))
	}
	before, now := balance(record.Look, "10.00", "0.00"), balance(record.Look, "8.00", "2.00")
	same, old, settled := balance(record.Watched, "8.00", "2.00"), balance(record.Watched, "10.00", "0.00"), balance(record.Watched, "8.00", "0.00")
	for name, c := range map[string]struct {
		entries         []record.Entry
		unsteady, flips int
	}{
		"it stays":            {[]record.Entry{before, now, same, same}, 1, 0},
		"it comes and goes":   {[]record.Entry{before, now, same, old, same, old}, 1, 1},
		"it settles":          {[]record.Entry{before, now, same, settled, settled}, 1, 0},
		"it was right":        {[]record.Entry{now, now}, 0, 0},
		"on a shared account": {[]record.Entry{fact(0, record.Fact{Kind: record.Shared}), before, now}, 0, 0},
	} {
		j, entries := story{steps: "Then the available balance falls by R$ 2.00", entries: c.entries}.begin(t)
		for _, e := range entries {
			j.Add(e)
		}
		assert.Len(t, j.Unsteady(0), c.unsteady, name)
		assert.Len(t, watchedBalancesStay(&j.facts), c.flips, name)
	}
}
