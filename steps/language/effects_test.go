package language

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

func controls(all ...target.Control) []target.Control { return all }

func families(all ...target.Family) []target.Family { return all }

func operations(nouns ...string) []*api.Operation {
	var all []*api.Operation
	for _, noun := range nouns {
		all = append(all, api.MustNamed(noun))
	}
	return all
}

// Each row of the vocabulary is here with an example of each of its effects.
func TestEffects(t *testing.T) {
	t.Parallel()
	nothing, looks := Effects{Changes: Nothing}, Effects{Changes: Nothing, Reads: Lists}
	quiet := Effects{Changes: Nothing, Quiet: true}
	moves := Effects{Changes: Nothing, Reads: BalanceMoves}
	movesKnown := Effects{Changes: Nothing, Reads: BalanceMoves, Wants: []Want{{Control: target.FeesControl, Or: FeesStated}}}
	falls := movesKnown
	falls.Controls = controls(target.Settlement)
	listed := Effects{Changes: Nothing, Reads: Lists, Families: families(target.Public)}
	event := Effects{Changes: Nothing, Families: families(target.Webhooks)}
	sent := Effects{Changes: UnlessRefused, Requests: operations("cash-out")}
	calls := func(c target.Control) Effects { return Effects{Controls: controls(c)} }
	splits := Effects{Changes: Nothing, Controls: controls(target.Splits)}
	registration := Effects{Changes: UnlessRefused, Requests: operations("webhook registration"), Registers: []string{"cash_out"}, Mailboxes: 1}
	with := func(e Effects, change func(*Effects)) Effects { change(&e); return e }
	settled := with(event, func(e *Effects) { e.Controls = controls(target.Settlement) })

	expected := map[string]Effects{
		"an account":                        {Changes: Nothing, Accounts: 1},
		"another account":                   {Changes: Nothing, Accounts: 2},
		"a new account":                     {Changes: Nothing, Accounts: 1, Controls: controls(target.Accounts)},
		"an account with R$ 1.00 available": {Changes: Nothing, Accounts: 1, Funded: true},
		"another new account with exactly R$ 1.00 available":          {Changes: Nothing, Accounts: 2, Funded: true, Controls: controls(target.Accounts, target.Funds)},
		"the account has R$ 1.00 available":                           calls(target.Funds),
		"a cash-out fee of R$ 0.50":                                   calls(target.FeesControl),
		"no fees":                                                     {Changes: Nothing, Wants: []Want{{Control: target.FeesControl, Or: NoFeesStated}}},
		"a daily limit of R$ 1.00":                                    calls(target.LimitsControl),
		"a limit of 10 requests per minute":                           calls(target.LimitsControl),
		"no limits":                                                   {Wants: []Want{{Control: target.LimitsControl, Or: NoLimitsStated}}},
		"the account has a night limit":                               {Wants: []Want{{target.LimitsControl, LimitStated, Night}, {Control: target.FeesControl, Or: FeesStated}}},
		"the account has a token":                                     nothing,
		"the account receives cash_out webhooks":                      {Families: families(target.Webhooks), Registers: []string{"cash_out"}, Mailboxes: 1},
		"the account receives med_created webhooks at 3 URLs":         {Families: families(target.Webhooks, target.MEDFamily), Registers: []string{"med_created"}, Mailboxes: 3},
		"the account receives webhooks of every type":                 {Families: families(target.Webhooks), Registers: api.EventTypes, Mailboxes: 7},
		"the webhook endpoint returns 500":                            nothing,
		"the webhook endpoint redirects to a new URL with 302":        with(nothing, func(e *Effects) { e.Mailboxes = 1 }),
		"the account is removed":                                      calls(target.Accounts),
		"the gateway returns sent payments for a list-by-key request": {Requests: operations("list-by-key request"), Accounts: 1, Funded: true, Reads: Lists},
		"the gateway supports GET /balance":                           looks,
		"a cash-out that is CONFIRMED":                                {Requests: operations("cash-out"), Controls: controls(target.Settlement)},
		"a QR cash-out that is CONFIRMED":                             {Requests: operations("QR cash-out"), Controls: controls(target.Settlement)},
		"a transfer that is LIQUIDATED":                               {Requests: operations("transfer"), Controls: controls(target.Settlement, target.Directory)},
		"a cob that is ATIVA":                                         {Requests: operations("cob"), Controls: controls(target.Payments, target.Charges)},
		"a cash-in that is CONFIRMED":                                 {Requests: operations("cash-in"), Controls: controls(target.Payments)},
		"a split cash-in that is PAID":                                {Requests: operations("split cash-in"), Controls: controls(target.Payments, target.Splits)},
		"a refund that is DEVOLVIDO":                                  {Requests: operations("refund"), Controls: controls(target.Payments, target.Refunds)},
		"a MED case that is OPEN":                                     {Requests: []*api.Operation{}, Controls: controls(target.MED)},

		"the account also has an expired certificate":                                                                 calls(target.Certificates),
		"that certificate is revoked":                                                                                 calls(target.Certificates),
		"a certificate that was never registered":                                                                     nothing,
		"the account requests a token with no certificate":                                                            nothing,
		`the account requests a token with its certificate in the form "PEM"`:                                         {Changes: Nothing, Way: InHeader},
		"clients present their certificate in the TLS handshake":                                                      {Changes: Nothing, Way: InHandshake},
		"the account requests its own token with no certificate in the handshake and the other account's in a header": nothing,

		"it is 23:59 in São Paulo":                               calls(target.Clock),
		"it is noon on 1 May of the next leap year in São Paulo": calls(target.Clock),
		"1 days pass":                                              calls(target.Clock),
		"settlement waits for the bank":                            calls(target.Settlement),
		"the bank confirms the payment":                            calls(target.Settlement),
		"the bank confirms each payment":                           calls(target.Settlement),
		"the bank rejects each payment with ORDER_REJECTED":        calls(target.Settlement),
		"the bank rejects the payment with ORDER_REJECTED":         calls(target.Settlement),
		"the key directory has a new key for another document":     calls(target.Directory),
		"the key directory has a new random key":                   calls(target.Directory),
		"upstream authentication is reachable again":               calls(target.FaultsControl),
		"the PIX provider is reachable again":                      calls(target.FaultsControl),
		"the PIX provider's minimum expirationTime is 300 seconds": calls(target.FaultsControl),

		"a payer pays the charge":                          calls(target.Payments),
		"a payer pays the charge 3 times concurrently":     calls(target.Payments),
		"the account has received R$ 1.00 through a cob":   {Requests: operations("cob"), Controls: controls(target.Payments)},
		"the PSP removes the charge":                       calls(target.Charges),
		"refunds wait for the bank":                        calls(target.Refunds),
		"the bank rejects the refund":                      calls(target.Refunds),
		"the bank tries to reject the refund":              calls(target.Refunds),
		"the payee returns R$ 1.00":                        calls(target.Returns),
		"a MED case is opened against the payment":         calls(target.MED),
		"12 MED cases are opened against unknown payments": calls(target.MED),
		"the bank moves the case to ACCEPTED":              calls(target.MED),
		"the bank tries to move the case to OPEN":          calls(target.MED),

		"the account sends a cash-out":                                                                          sent,
		"the account sends a cash-out of R$ 1.00":                                                               sent,
		"the account sends a cash-out with value 1":                                                             sent,
		"the account sends a cash-out of every shape with value absent":                                         with(sent, func(e *Effects) { e.Bulk = true }),
		"the account sends a cash-out of every shape using no token":                                            with(sent, func(e *Effects) { e.Bulk = true }),
		"the account sends concurrent cash-outs for every pair of:":                                             with(sent, func(e *Effects) { e.Bulk, e.AtOnce = true, MostConcurrent }),
		"the account sends a cash-out of every shape for every pair of:":                                        with(sent, func(e *Effects) { e.Bulk = true }),
		"the account sends each of them again":                                                                  {Changes: UnlessRefused, Requests: []*api.Operation{}, Bulk: true},
		"the account sends a cash-out of every shape":                                                           with(sent, func(e *Effects) { e.Bulk = true }),
		"the account sends a cash-out whose value is invalid":                                                   with(sent, func(e *Effects) { e.Bulk = true }),
		"the account sends a cash-out in unusual JSON":                                                          with(sent, func(e *Effects) { e.Bulk = true }),
		"the account sends a cash-out whose body is {}":                                                         sent,
		"the account sends a cash-out using no token":                                                           sent,
		"the account sends a cash-out one centavo above that limit":                                             sent,
		"the account sends a cash-out requesting sandbox outcome CONFIRMED":                                     with(sent, func(e *Effects) { e.Sandbox = "CONFIRMED" }),
		"the account sends a token request":                                                                     {Changes: Nothing, Requests: operations("token request")},
		"the account sends a balance request":                                                                   {Changes: Nothing, Requests: operations("balance request"), Reads: Lists},
		"the account sends a webhook list request":                                                              {Changes: Nothing, Reads: Lists, Requests: operations("webhook list request")},
		"the account sends 99 concurrent balance requests":                                                      {Changes: Nothing, Requests: operations("balance request"), Reads: Lists, AtOnce: 99},
		"the account sends 100 concurrent balance requests":                                                     {Changes: Nothing, Requests: operations("balance request"), Reads: Lists, Bulk: true, AtOnce: 100},
		"the account sends the same cash-out of R$ 1.00 in 8 concurrent requests":                               with(sent, func(e *Effects) { e.AtOnce = 8 }),
		"the account sends a webhook registration":                                                              registration,
		"the account sends a webhook registration using no token":                                               {Changes: UnlessRefused, Requests: operations("webhook registration"), Mailboxes: 1},
		"the account sends 4 concurrent webhook registrations":                                                  with(with(registration, func(e *Effects) { e.Mailboxes = 4 }), func(e *Effects) { e.AtOnce = 4 }),
		"the account sends a webhook registration with url a new URL":                                           with(registration, func(e *Effects) { e.Mailboxes = 2 }),
		`the account sends a webhook registration with eventType "med_created"`:                                 with(registration, func(e *Effects) { e.Families = families(target.MEDFamily) }),
		"the account sends the request again":                                                                   {Changes: UnlessRefused, Requests: []*api.Operation{}},
		"the account sends the request again using no token":                                                    {Changes: UnlessRefused, Requests: []*api.Operation{}},
		"the account sends the request again 12 times":                                                          {Changes: UnlessRefused, Requests: []*api.Operation{}, Bulk: true},
		"the account sends the request again with url a URL with a query":                                       {Changes: UnlessRefused, Requests: []*api.Operation{}, Mailboxes: 1},
		"the account has sent a cob, if the gateway accepts it":                                                 {Changes: UnlessRefused, Requests: operations("cob")},
		"the account has sent 99 cash-outs of R$ 1.00 to one key":                                               {Requests: operations("cash-out"), AtOnce: 20},
		"the account has sent 100 cash-outs of R$ 1.00 to one key":                                              {Requests: operations("cash-out"), Bulk: true, AtOnce: 20},
		"the account has sent 2 transfers of R$ 1.00":                                                           {Requests: operations("transfer")},
		"the account sends a cash-out of R$ 1.00 on each of 2 days":                                             {Requests: operations("cash-out"), Controls: controls(target.Clock)},
		"these happen at once:":                                                                                 with(calls(target.Settlement), func(e *Effects) { e.Requests = operations("cash-out") }),
		"the scenario returns to the first payment":                                                             nothing,
		"the account pages through a MED list request, 2 items per page":                                        {Changes: Nothing, Requests: operations("MED list request"), Reads: Lists},
		"the account pages through a list-by-key request, 2 items per page, sending a cash-out after each page": {Requests: operations("list-by-key request", "cash-out"), Reads: Lists},

		"the request is accepted":                          nothing,
		"the request is accepted, or rejected with 400":    {Changes: Nothing, Reads: Traces},
		"the request should be rejected with 400":          {Changes: Nothing, Reads: Traces},
		"every request is rejected with 429":               {Changes: Nothing, Reads: Traces, Throttled: true},
		"the others are rejected with 400":                 {Changes: Nothing, Reads: Traces},
		"one request is accepted":                          nothing,
		"all accepted responses have the same id":          nothing,
		"at least one of the two requests is accepted":     nothing,
		"the response has:":                                nothing,
		"if data is not null, the response has:":           nothing,
		"the others have:":                                 nothing,
		"the code is not one of:":                          nothing,
		"the response's code should be absent":             nothing,
		"the two responses differ in id":                   nothing,
		"the two rejections have the same status and code": nothing,
		"the first registration is listed as it was sent":  nothing,
		"each registration is listed as it was last sent":  nothing,
		"no token is returned":                             nothing,
		"the responses match the contract":                 nothing,

		"each item has:":                looks,
		"each item, if any, has:":       looks,
		"the list contains the payment": looks,
		"the metadata is consistent":    looks,
		"the account's transaction list contains exactly the matching payments for every filter": listed,
		"the account's MED list contains exactly the matching cases for every pair of filters":   with(looks, func(e *Effects) { e.Families = families(target.MEDFamily) }),
		"no item appears twice":                   looks,
		"3 items are returned":                    looks,
		"none of the first 5 payments is missing": looks,
		"the payment is listed with:":             listed,
		"the first case is listed with:":          {Changes: Nothing, Reads: Lists, Families: families(target.MEDFamily)},
		"the payment is listed as before":         listed,
		"the payment is listed once":              listed,
		"its state is CONFIRMED":                  looks,
		"the charge is ATIVA":                     with(looks, func(e *Effects) { e.Controls = controls(target.Charges) }),
		"the refund is DEVOLVIDO":                 with(looks, func(e *Effects) { e.Controls = controls(target.Refunds) }),
		"its state should still be CONFIRMED":     looks,
		"nothing else changes":                    looks,
		"the webhook sent is none":                event,
		"the webhook sent is CashOut ERROR":       {Changes: Nothing, Families: families(target.Webhooks), Controls: controls(target.Settlement)},

		"the available balance is unchanged":                          moves,
		"the available balance should be unchanged":                   movesKnown,
		"the available balance stays unchanged":                       {Changes: Nothing, Reads: BalanceMoves, Quiet: true},
		"the available balance does not rise":                         moves,
		"the available balance does not fall":                         moves,
		"the available balance rises by R$ 1.00":                      movesKnown,
		"the available balance rises by R$ 0.00":                      movesKnown,
		"the available balance falls by R$ 1.00":                      falls,
		"the available balance falls by R$ 0.00 to R$ 4.00":           movesKnown,
		"the available balance should fall by R$ 1.00":                movesKnown,
		"the available balance falls by R$ 1.00 per accepted request": falls,
		"the outcome is possible one at a time":                       movesKnown,
		"the splits are PAID":                                         splits,
		"the split amounts are R$ 1.00":                               splits,
		"the account keeps R$ 1.00":                                   splits,
		"the splits and the account's share add up to R$ 1.00":        splits,

		"a CashOut event arrives":                             settled,
		"a cash_out event arrives at each URL":                settled,
		`a TRANSFER event arrives with header X-A "b"`:        settled,
		"a RECEIVE event arrives":                             event,
		"a refund_in event arrives":                           with(event, func(e *Effects) { e.Controls = controls(target.Refunds) }),
		"a REFUND event arrives":                              with(event, func(e *Effects) { e.Controls = controls(target.Refunds) }),
		"a med_created event arrives":                         {Changes: Nothing, Families: families(target.Webhooks, target.MEDFamily)},
		"the CashOut event arrives again":                     nothing,
		"the CashOut event arrives at that URL":               nothing,
		"the event's request includes the URL's query string": nothing,
		"the event should be a POST":                          nothing,
		"no event arrives":                                    quiet,
		"no event arrives at URLs for other event types":      quiet,
		"no event arrives at that URL":                        quiet,
		"no med_created event arrives":                        with(quiet, func(e *Effects) { e.Families = families(target.MEDFamily) }),
		"no event reports it as REFUNDED":                     quiet,
		"no event should report a different outcome":          quiet,
		`no event has a header containing "x"`:                nothing,
		"the event has:":                                      nothing,
		"the event should have:":                              nothing,
		"the events match the contract":                       nothing,

		`the response's status is recorded for open point "a point"`:               nothing,
		`the event's id is recorded for open point "a point"`:                      nothing,
		`how the payment is listed is recorded for open point "a point"`:           looks,
		`how the refund is listed is recorded for open point "a point"`:            looks,
		`the order of the payments is recorded for open point "a point"`:           nothing,
		`the total number of items is recorded for open point "a point"`:           nothing,
		`the splits are recorded for open point "a point"`:                         splits,
		`the change in the available balance is recorded for open point "a point"`: moves,
		`whether it is settled is recorded for open point "a point"`:               quiet,
	}
	spoken := map[*Sentence]bool{}
	for text, want := range expected {
		step := catalogue.Step{Text: text}
		if strings.HasSuffix(text, ":") {
			step.Table = [][]string{{"status", "absent"}}
		}
		if strings.HasSuffix(text, "for every pair of:") {
			step.Table = [][]string{{"token", "value"}, {"no token", "1.00"}}
		}
		if text == "these happen at once:" {
			step.Table = [][]string{{"the account sends a cash-out of R$ 1.00", "id a"}, {"the bank confirms the payment", ""}}
		}
		read, err := Read(step)
		require.NoError(t, err)
		assert.Equal(t, want, read.Effects, text)
		spoken[read.Sentence] = true
	}
	for _, s := range vocabulary {
		assert.True(t, spoken[s], "add the effects of %s to effects_test.go", s.template)
	}
}

func TestReadsAreASet(t *testing.T) {
	t.Parallel()
	both := BalanceMoves | Lists
	require.True(t, both.Has(Lists) && both.Has(BalanceMoves) && both.Has(both))
	require.False(t, both.Has(Traces) || Lists.Has(both) || Reads(0).Has(Lists))
}

// Whether a request must be refused decides whether others may use the account meanwhile.
func TestRequestsThatMustBeRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		then []string // after the When "the account sends a cash-out"
		want bool
	}{
		{nil, false},
		{[]string{"the request is rejected with 400"}, true},
		{[]string{"the request is rejected with 400, or rejected with 415"}, true},
		{[]string{"every request is rejected with 400"}, true},
		{[]string{"the two rejections have the same status and code"}, true},
		{[]string{"the request is accepted"}, false},
		{[]string{"the request is accepted, or rejected with 400"}, false},
		{[]string{"the request should be rejected with 400"}, false},
		{[]string{"the others are rejected with 400"}, false},
		{[]string{"no token is returned", "the request is rejected with 400"}, false},
		{[]string{"When the account sends the request again", "the two rejections have the same status and code"}, true},
		{[]string{"When the account sends the request again", "the request is rejected with 400"}, false},
		{[]string{"When the account sends the request again"}, false},
	} {
		steps := []Step{{Step: catalogue.Step{Type: catalogue.Action}}}
		for _, text := range c.then {
			kind := catalogue.Outcome
			text, isWhen := strings.CutPrefix(text, "When ")
			if isWhen {
				kind = catalogue.Action
			}
			step, err := Read(catalogue.Step{Text: text, Type: kind})
			require.NoError(t, err)
			steps = append(steps, step)
		}
		require.Equal(t, c.want, MustBeRefused(steps, 0), c.then)
	}
}

func TestTheFirstStepOfAWhen(t *testing.T) {
	t.Parallel()
	var steps []Step
	for _, kind := range []catalogue.StepType{catalogue.Action, catalogue.Action, catalogue.Outcome, catalogue.Action, catalogue.Context, catalogue.Action} {
		steps = append(steps, Step{Step: catalogue.Step{Type: kind}})
	}
	var starts []bool
	for i := range steps {
		starts = append(starts, StartsWhen(steps, i))
	}
	require.Equal(t, []bool{true, false, false, true, false, true}, starts)
}

func TestNamesOfAccountsAndPayments(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"the account", "the other account"}, []string{TheAccount.String(), TheOther.String()})
	require.Equal(t, []string{"last", "first", "second", "third"}, []string{Last.String(), Nth(1).String(), Nth(2).String(), Nth(3).String()})
}
