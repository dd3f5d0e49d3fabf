package model

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// row names a step of a test: the noun and the event of its move, and its way.
type row [3]string

// played is the walk of some steps. One about a thing is about the last of its noun.
func played(t *testing.T, rows ...row) *Walk {
	t.Helper()
	var steps []Step
	last := map[string]int{}
	for n, r := range rows {
		i := slices.IndexFunc(Moves(), func(m Move) bool { return m.Noun == r[0] && m.Event == r[1] })
		require.GreaterOrEqual(t, i, 0, "%v", r)
		step := Step{ID: n + 1, Move: &Moves()[i], Way: r[2]}
		if len(step.Move.From) > 0 {
			step.Of = last[r[0]]
		} else if r[0] != "" {
			last[r[0]] = step.ID
		}
		if strings.HasPrefix(r[1], "is refunded") {
			last["refund"] = step.ID
		}
		steps = append(steps, step)
	}
	return Play(steps)
}

// What follows from two moves together may be unspecified, though nothing about either alone is.
func TestWhatTwoMovesLeaveOpen(t *testing.T) {
	t.Parallel()
	begin := []row{
		{"", "opens as", openings[0]}, {"", "has no fees"}, {"", "has no limits"}, {"", "receives webhooks"},
		{"", "waits for the bank to settle"}, {"", "waits for the bank to refund"},
	}
	const fee, paid, hooks = "has a cash-in fee of", "is paid by", "webhook registration"
	for name, c := range map[string]struct {
		rows         []row
		says, saysNo string
	}{
		"the fee of a charge that falls before it is paid": {
			rows: []row{{"", fee, "R$ 0.30"}, {"cob", "is created", "some"}, {"", fee, "R$ 0.00"}, {"cob", paid, payers[0]}},
			says: "the available balance rises by R$ 6.78 to R$ 7.08",
		},
		"whether a returned payment counts to the daily limit": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"}, {"cash-out", "is returned by the payee:", "the rest"},
				{"", "has a limit", "daily"}, {"cash-out", "is sent above the limit", "daily"},
			},
			says: "the account sends a cash-out of R$ 22.08\n      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED",
		},
		"when the fee of a return is taken": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"}, {"", fee, "R$ 0.30"},
				{"cash-out", "is returned by the payee:", "the rest"}, {"cob", "is created", "some"},
			},
			says: "rises by R$ 6.77 to R$ 7.07", saysNo: "R$ 7.11\n      Then the request is accepted\n      And the available balance is unchanged",
		},
		"the result of a case that is cancelled": {
			rows: []row{{medCase, "is opened against an unknown payment"}, {medCase, "is cancelled"}, {medCase, "is looked at"}},
			says: `"CANCELLED"`, saysNo: "analysisResult",
		},
		"how long a provider's charges last at least": {
			rows: []row{{"cash-in", "is created, and paid in its last seconds"}, {"split cash-in", "is created with", divisions[0]}},
			says: "| transaction.expirationTime | 86400",
		},
		"where a list shows what settles": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"", "pages through its transactions"}, {"", "lets time pass:", "90000 seconds"},
				{"", "pages through its transactions"},
			},
			says: "the account pages through", saysNo: "pass\n      And the account pages through",
		},
		"when a credit shows that nothing waits for": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"},
				{"cob", "is created", "R$ 1234.56"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a centavo"},
			},
			says: `| "0.01" `, saysNo: "\"0.01\"                              |\n      Then the request is accepted\n      And the available balance does not rise",
		},
		"when a return shows that nothing waits for": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"},
				{"cob", "is refunded:", "a part"}, {"cash-out", "is returned by the payee:", "the rest"}, {"cob", "is refunded by a centavo too much"},
			},
			says: "the payee returns", saysNo: "rejected with 400",
		},
		"when a charge with splits shows that nothing waits for": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"},
				{"split cash-in", "is created with", divisions[1]}, {"split cash-in", paid, payers[0]}, {"cob", "is refunded by a centavo too much"},
			},
			says: "pays the second charge", saysNo: "rejected with 400",
		},
		"when the money of a payment that failed comes back": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is rejected by the bank with", rejections[0]}, {"", "has a limit", "daily"},
				{"cash-out", "is sent above the limit", "daily"},
			},
			says: "a daily limit", saysNo: "PIX_DAILY_LIMIT_EXCEEDED",
		},
		"when the money of a payment that failed comes back, which is awaited": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is rejected by the bank, which returns its money"}, {"", "has a limit", "daily"},
				{"cash-out", "is sent above the limit", "daily"},
			},
			says: "Given the available balance rises by R$ 7.07\n      When a daily limit of R$ 22.07\n      And the account sends a cash-out of R$ 22.08\n      Then the request is rejected with 400 PIX_DAILY_LIMIT_EXCEEDED",
		},
		"whether the fee of a payment that failed comes back": {
			rows: []row{
				{"", "has a cash-out fee of", "R$ 0.20"}, {"cash-out", "is sent", amounts[0]}, {"cash-out", "is rejected by the bank, which returns its money"},
			},
			says: "sends a cash-out", saysNo: "the bank rejects",
		},
		"when a refund takes the money that a failed payment gives back": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"},
				{"cash-out", "is rejected by the bank, which returns its money"},
			},
			says: "sends a refund", saysNo: "the bank rejects",
		},
		"whether a refund that is sent again is accepted": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"}, {"refund", "is confirmed by the bank"},
				{"refund", "is requested once more"}, {"cob", "is refunded by a centavo too much"}, {"cob", "is refunded:", "the rest"}, {"refund", "is requested once more"},
			},
			says: `      When the account sends a refund with:
        | path e2eid | the endToEndId of the first charge |
        | valor      | "3.53"                             |
        | path id    | the id of the first refund         |
      Then the request is accepted, or rejected with 400 or 409
      And if the request was accepted, the response has:
        | id     | the id of the first refund        |
        | rtrId  | the rtrId of the first refund     |
        | valor  | "3.53"                            |
        | status | "EM_PROCESSAMENTO" or "DEVOLVIDO" |
      And the first refund is DEVOLVIDO
`, saysNo: "the second refund",
		},
		"whether a refund is accepted under a used id": {
			rows: []row{
				{"cob", "is created", "R$ 1234.56"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a centavo"}, {"refund", "is requested once more with another amount"},
				{"cob", "is refunded:", "the rest"}, {"cob", "is refunded by a centavo too much"},
			},
			says: `| "1234.53" `, saysNo: "1234.54",
		},
		"when the fee of a payment that fails is taken": {
			rows: []row{
				{"", "has a cash-out fee of", "R$ 0.50"}, {"cash-out", "is sent", "R$ 0.01"}, {"cash-out", "is rejected by the bank with", rejections[0]},
				{"cash-out", "is settled again"},
			},
			says: "the bank tries to reject the first payment", saysNo: "does not fall",
		},
		"whether a case against an unknown payment is reported": {
			rows: []row{
				{medCase, "is opened against an unknown payment"}, {medCase, "is received"}, {medCase, "is decided:", "APPROVED"},
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is contested"},
			},
			says: "opened against the first payment\n      Then a med_created event arrives\n", saysNo: "med_accepted",
		},
		"how old a token is that the account has": {
			rows: []row{{"token request", "is kept and used after", "1770 seconds"}},
			says: "When the account sends a token request\n      And the account has a token\n      And 1770 seconds pass\n      And the account sends a balance request using its first token",
		},
		"when the clocks of a gateway differ": {
			rows: []row{{"cob", "is created", "some"}, {"", "lets time pass:", "1801 seconds"}, {"", "lets time pass:", "1801 seconds"}, {"cob", "is looked at"}},
			says: "1801 seconds pass", saysNo: string(api.RemovedByPSP),
		},
		"to which of several URLs a resend goes": {
			rows: []row{
				{hooks, "has webhook endpoints that return", "202"}, {hooks, "is sent for", "cash_out"}, {"cash-out", "is sent", amounts[0]},
				{"cash-out", "is confirmed by the bank"}, {"cash-out", "has its webhook sent again", byExternalID},
			},
			says: "| statusCode | 200 or 202 |\n      And the CashOut event of the first payment arrives again",
		},
		"when a payment is settled that may have been accepted": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"}, {"", "loses the PIX provider"},
				{"QR cash-out", "is sent without the PIX provider"}, {"", "pages through its transactions"},
			},
			says: "rejected with 500", saysNo: "pages through",
		},
		"a repeated transfer, which makes nothing that could be settled later": {
			rows: []row{
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"}, {"", "pays a key of the directory"},
				{"transfer", "is sent", amounts[0]}, {"transfer", "is requested again"}, {"", "pages through its transactions"},
			},
			says: "pages through",
		},
		"whether fees count to the daily limit": {
			rows: []row{
				{"", "has a cash-out fee of", "R$ 0.50"}, {"", "has a limit", "daily"}, {"cash-out", "is sent", amounts[0]}, {"cash-out", "is sent just below the limit", "daily"},
			},
			says: "a daily limit of R$ 15.00", saysNo: "sends a cash-out of R$ 7.40",
		},
		"whether a transport header is ignored": {
			rows: []row{
				{hooks, "is sent for", "cash_out"}, {hooks, "is sent with each transport header"}, {"cash-out", "is sent", amounts[0]},
				{"cash-out", "is confirmed by the bank"}, {hooks, "is listed"},
			},
			says:   "a CashOut event of the first payment arrives at each URL\n      And no event has a header containing \"pixcert-marker\"",
			saysNo: "as it was last sent",
		},
		"what an account can do that was removed": {
			rows:   []row{{"", "is removed, and sends a", "balance request"}, {"cob", "is created", "some"}},
			says:   "the account is removed\n      And the account sends a balance request using its first token\n      Then the request is rejected with 401 or 404\n",
			saysNo: "sends a cob",
		},
		"what a URL of two types receives": {
			rows: []row{
				{hooks, "is sent at a known URL for", "cash_out"}, {"cash-in", "is created", "some"}, {"cash-in", paid, payers[0]},
				{"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"},
			},
			says: "a cash_in event of the first charge arrives at each URL\n", saysNo: "a CashOut event of the first payment arrives at each URL\n",
		},
		"what becomes of a charge that has expired": {
			rows: []row{{"cash-in", "is created", "some"}, {"", "lets days pass:", "2678400 seconds"}, {"cash-in", "has its externalId used again"}},
			says: "the account sends a cash-in with transaction.externalId the transaction.externalId of the first charge\n      Then the request is rejected with 400 or 409",
		},
		"what moves money while a request is repeated": {
			rows: []row{
				{"", "pays a key of the directory"}, {"transfer", repeatedLate}, {"cash-out", "is sent", amounts[0]},
				{"transfer", repeatedLate}, {"cash-in", repeatedLate},
			},
			says:   "1801 seconds pass\n      And the account sends the request again\n      Then the request is rejected with 401",
			saysNo: "the bank confirms the third payment",
		},
		"that a request keeps its token when it is repeated": {
			rows: []row{{"cash-out", repeatedLate}, {"cash-out", "is requested again"}},
			says: "the bank confirms the first payment", saysNo: "PIX_DUPLICATE_EXTERNAL_ID",
		},
		"whether a gateway offers GET /balance": {
			rows: []row{{"", "is looked at in GET /balance"}},
			says: "When the gateway supports GET /balance\n      And the account sends a standard balance request\n",
		},
		"when what a cash-out blocks is released": {
			rows: []row{{"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed by the bank"}, {"", "is looked at in GET /balance"}},
			says: "the bank confirms the first payment", saysNo: "GET /balance",
		},
		"to which day a payment counts that is settled late": {
			rows: []row{{"cash-out", "is sent", amounts[0]}, {"", "lets days pass:", "90000 seconds"}, {"cash-out", "is settled at last"}, {"", "has a limit", "daily"}},
			says: "a daily limit of R$ 22.07",
		},
		"whether the event of a refund comes while receivers fail": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"}, {"cash-out", "is sent", amounts[0]},
				{"cash-out", "is confirmed while receivers fail"},
			},
			says: "the account sends a cash-out", saysNo: "the webhook endpoint returns",
		},
		"when the event of a charge comes that is paid at once": {
			rows: []row{{"cob", "is created", "some"}, {"cob", "is paid 4 times at once"}, {"cash-out", "is sent", amounts[0]}, {"cash-out", "is confirmed while receivers fail"}},
			says: "a cash_in event of the first charge arrives at each URL with its headers\n      When the account sends a cash-out",
		},
		"when the money of a refund that failed comes back": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"}, {"refund", "is rejected by the bank"},
				{"cob", "is refunded by a centavo too much"},
			},
			says: "the bank rejects the first refund", saysNo: "rejected with 400",
		},
		"when the money of a refund that failed comes back, which is awaited": {
			rows: []row{
				{"cob", "is created", "some"}, {"cob", paid, payers[0]}, {"cob", "is refunded:", "a part"}, {"cob", "is refunded, which the bank rejects:", "a centavo"},
				{"cob", "is refunded by a centavo too much"},
			},
			says: "And the bank rejects the second refund\n      Given the available balance is unchanged\n      When the account sends a refund with:\n" +
				"        | path e2eid | the endToEndId of the first charge |\n        | valor      | \"3.55\"                             |\n      Then the request is rejected with 400",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := played(t, append(slices.Clone(begin), c.rows...)...).Scenario(name)
			assert.Contains(t, text, c.says)
			if c.saysNo != "" {
				assert.NotContains(t, text, c.saysNo)
			}
		})
	}
}

// What is rejected for its amount is rejected in every body.
func TestMixedBodiesAreRejectedForTheirAmount(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 0))
	for event, c := range map[string]struct{ noun, way, field, rejected string }{
		"is sent":                 {"transfer", tooMuch[0], "priority", "422"},
		"is sent above the limit": {"cash-out", "per-transaction", "description", "400 PIX_TRANSACTION_LIMIT_EXCEEDED"},
	} {
		begin := played(t, []row{{"", "opens as", openings[0]}, {"", "has no fees"}, {"", "has no limits"}, {"", "pays a key of the directory"}, {"", "has a limit", "per-transaction"}}...)
		if c.noun == "transfer" {
			begin = Play(begin.Steps[:4])
		}
		i := slices.IndexFunc(Moves(), func(m Move) bool { return m.Noun == c.noun && m.Event == event && slices.Contains(m.Ways, c.way) })
		said := map[bool]int{} // whether the body has the field
		for range 200 {
			w := begin.After(Step{ID: 9, Move: &Moves()[i], Way: c.way, Draws: Draw(random)})
			require.NotNil(t, w, event)
			text := w.Scenario(event)
			require.Contains(t, text, "Then the request is rejected with "+c.rejected)
			said[strings.Contains(text, "| "+c.field)]++
		}
		assert.Greater(t, said[true], 20, event)
		assert.Greater(t, said[false], 20, event)
	}
}

// step is a step of a noun and an event.
func step(t *testing.T, id, of int, r row, draws Draws) Step {
	t.Helper()
	i := slices.IndexFunc(Moves(), func(m Move) bool { return m.Noun == r[0] && m.Event == r[1] })
	require.GreaterOrEqual(t, i, 0, "%v", r)
	return Step{ID: id, Move: &Moves()[i], Way: r[2], Of: of, Draws: draws}
}

// How often a gateway pays splits that are not to be paid at once is not shown: when the charge is looked at later, they
// may have been paid, and a list that shows them may have moved.
func TestSplitsThatArePaidLaterMayBePaidSoon(t *testing.T) {
	t.Parallel()
	later := 0
	for seed := range uint64(40) {
		w := Play([]Step{
			step(t, 1, 0, row{"", "opens as", openings[0]}, Draws{}),
			step(t, 2, 0, row{"", "has no fees"}, Draws{}),
			step(t, 3, 0, row{"split cash-in", "is created with", divisions[0]}, Draws{Seed: 1 + seed}),
			step(t, 4, 3, row{"split cash-in", "is looked at"}, Draws{}),
			step(t, 5, 3, row{"split cash-in", "is paid by", payers[0]}, Draws{}),
			step(t, 6, 3, row{"split cash-in", "is looked at"}, Draws{}),
			step(t, 7, 0, row{"", "pages through its transactions"}, Draws{}),
		})
		says := map[int]bool{}
		for _, l := range w.Lines {
			says[l.Step] = says[l.Step] || strings.HasPrefix(l.Text, "the splits of")
		}
		paysLater := slices.ContainsFunc(w.Gateway.Things[0].Splits, func(s Split) bool { return !s.Immediate })
		later += map[bool]int{true: 1}[paysLater]
		assert.True(t, says[4], "before it is paid, nobody is")
		assert.True(t, says[5], "nothing is paid at once that is not to be")
		assert.Equal(t, !paysLater, says[6])
		assert.Equal(t, !paysLater, len(w.Steps) == 7)
	}
	assert.Greater(t, later, 10)
	assert.Less(t, later, 30)
}

// A transfer that waits for the bank expires while a walk at a slow gateway goes on.
func TestTransfersThatWaitStayInTheQueue(t *testing.T) {
	t.Parallel()
	for _, held := range []bool{true, false} {
		begin := []Step{step(t, 1, 0, row{"", "opens as", openings[0]}, Draws{}), step(t, 2, 0, row{"", "has no fees"}, Draws{}), step(t, 3, 0, row{"", "has no limits"}, Draws{})}
		if held {
			begin = append(begin, step(t, 4, 0, row{"", "waits for the bank to settle"}, Draws{}))
		}
		begin = append(begin, step(t, 5, 0, row{"", "pays a key of the directory"}, Draws{}))
		short, long, random := 0, 0, rand.New(rand.NewPCG(1, 0))
		for range 300 {
			for _, event := range []string{"is sent", "is sent in another shape"} {
				way := ""
				if event == "is sent" {
					way = amounts[0]
				}
				w := Play(append(slices.Clone(begin), step(t, 6, 0, row{"transfer", event, way}, Draw(random))))
				for _, l := range w.Lines {
					for _, cells := range l.Table {
						if lasts := seconds(cells[1]); cells[0] == "expiration" && lasts > 0 {
							short += map[bool]int{true: 1}[lasts < api.QueueTime]
							long += map[bool]int{true: 1}[lasts >= api.QueueTime]
						}
					}
				}
			}
		}
		assert.Equal(t, !held, short > 0)
		assert.Positive(t, long)
	}
}

// Sentences count all URLs that an account has sent. Once one was sent that is not known, later ones cannot be named.
func TestURLsAreNamedWhileTheyCanBeCounted(t *testing.T) {
	t.Parallel()
	p := &play{}
	for range 2 {
		registers(p, addURL(p), "cash_out")
	}
	addURL(p) // for a resend
	registers(p, addURL(p), "cash_in")
	loseURLCount(p, "cash-out")
	registers(p, 0, "cash_in")
	before, named := p.gw.clone(), p.refs.clone()
	loseURLCount(p, "webhook registration")
	registers(p, addURL(p), "cash_out")
	assert.Equal(t, []int{0, 1, 3}, namedURLs(p))
	assert.Equal(t, "the account's 4th url", p.refs.URLs[3].String())
	assert.Equal(t, []int{1, 2, 3, 0}, []int{p.refs.URLs[0].Endpoint, p.refs.URLs[1].Endpoint, p.refs.URLs[3].Endpoint, p.refs.URLs[4].Endpoint})
	assert.Equal(t, 3, p.gw.Hooks.count(language.TheAccount, "cash_out"))
	assert.False(t, p.gw.Hooks.haveOneType("cash_in"), "the first URL has two types")
	assert.Equal(t, 4, before.Hooks.URLs, "earlier states stay as they were")
	assert.Len(t, named.URLs, 4)
}
