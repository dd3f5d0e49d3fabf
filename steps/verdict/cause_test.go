package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// A bank that never confirms makes many rules fail. The rule about confirmation comes first, and
// the others are grouped with it.
func TestCauses(t *testing.T) {
	t.Parallel()
	failure := func(rule, name string, steps int, operation, expected, got string) Scenario {
		s := Scenario{
			Rule: rule, Name: name, Verdict: Fail, Finding: &Finding{Expected: expected, Got: got, About: AboutTexts(expected, got)},
			Exchanges: []exchange.Exchange{{Operation: operation}}, ExchangeCount: 1,
		}
		for range steps {
			s.Steps = append(s.Steps, Step{Verdict: Pass})
		}
		s.Steps = append(s.Steps, Step{Verdict: Fail}, Step{})
		return s
	}
	run := Run{
		Rules: []Rule{{Name: "cash-out.duplicate"}, {Name: "cash-out.settled"}, {Name: "token.lifetime"}, {Name: "contract.token"}},
		Scenarios: []Scenario{
			failure("cash-out.duplicate", "The same again", 6, "cash-out", `an event at https://127.0.0.1:7/a within 15s`, "none"),
			failure("cash-out.duplicate", "Another", 7, "cash-out", `an event at https://127.0.0.1:7/b within 1.5s`, "none"),
			failure("cash-out.settled", "It is settled", 3, "cash-out", `an event at https://127.0.0.1:7/c within 15s`, "none"),
			failure("cash-out.settled", "Its amount", 4, "cash-out", `available to fall by R$ 10.00`, "fell by R$ 20.00"),
			failure("token.lifetime", "expires", 2, "token request", `401`, "200"),
			{Rule: "token.lifetime", Name: "passes", Verdict: Pass},
			{Rule: "contract.token", Name: "broken", Verdict: Fail, Via: "token.lifetime/expires"},
		},
	}
	causes := run.Causes()
	require.Len(t, causes, 4)
	var blamed []string
	for _, c := range causes {
		blamed = append(blamed, c.Scenario.ID())
	}
	assert.Equal(t, []string{"cash-out.settled/It is settled", "token.lifetime/expires", "cash-out.settled/Its amount", "contract.token/broken"}, blamed)
	assert.Equal(t, []string{"cash-out.duplicate"}, causes[0].OtherRules())
	assert.Len(t, causes[0].Others, 2)
	assert.Equal(t, "cash-out.settled", causes[0].Rule.Name)
	assert.Empty(t, (&Run{}).Causes())
}

// While responses belong to other requests, that comes first, however simple another failure is.
func TestFramingComesFirst(t *testing.T) {
	t.Parallel()
	run := Run{
		Rules: []Rule{{Name: "contract.token"}, {Name: "token.lifetime"}},
		Scenarios: []Scenario{
			{Rule: "token.lifetime", Name: "simple", Verdict: Fail, Finding: &Finding{Expected: "401", Got: "200"}},
			{Rule: "contract.token", Name: "framing", Verdict: Fail, Steps: make([]Step, 3), Finding: &Finding{Got: "two responses", About: About{Kind: Framing}}},
		},
	}
	require.Equal(t, "framing", run.Causes()[0].Scenario.Name)
}

// Events that are not JSON tell nothing of what events should say, and are one cause.
func TestEventsThatAreNotJSONAreOneCause(t *testing.T) {
	t.Parallel()
	failure := func(rule, expected, got string, kind Kind) Scenario {
		return Scenario{Rule: rule, Name: expected, Verdict: Fail, Finding: &Finding{Expected: expected, Got: got, Exchange: -1, About: About{Kind: kind}}}
	}
	run := Run{
		Rules: []Rule{{Name: "events.transfer"}, {Name: "delivery.json"}, {Name: "med.events"}, {Name: "balance.answer"}},
		Scenarios: []Scenario{
			failure("events.transfer", "a TRANSFER event with status LIQUIDATED within 2s", "got only this event: an unnamed event", Event),
			failure("delivery.json", "a JSON body, of the payment of R$ 10.07", "externalId=1", Other),
			failure("med.events", "a med_created event within 2s", "none", Event),
			failure("balance.answer", "balance to be absent", "7", Field),
		},
	}
	causes := run.Causes()
	require.Len(t, causes, 2)
	assert.Equal(t, "An event was not JSON: externalId=1", causes[0].Headline)
	assert.Len(t, causes[0].Others, 2)
	assert.Equal(t, "balance.answer", causes[1].Rule.Name)
}

// The wording of an expectation tells little about the fault of the target.
func TestFailuresAboutTheSameResponseHaveOneCause(t *testing.T) {
	t.Parallel()
	failure := func(rule, expected, got, field string) Scenario {
		return Scenario{
			Rule: rule, Name: expected + got, Verdict: Fail, ExchangeCount: 1,
			Finding:   &Finding{Expected: expected, Got: got, Field: field, About: AboutTexts(expected, got)},
			Exchanges: []exchange.Exchange{{Operation: "cash-out"}},
		}
	}
	by := func(operation string, s Scenario) Scenario {
		s.Exchanges[0].Operation = operation
		return s
	}
	const used = "409 PIX_DUPLICATE_EXTERNAL_ID, already used"
	again := failure("cash-out.duplicate", "rejected with 400", used, "")
	wrong := failure("cash-out.accepted", `value to be "1.00"`, `"1.0"`, "value")
	for name, of := range map[string]struct {
		a, b Scenario
		one  bool
	}{
		"the same wrong refusal":            {again, failure("cash-out.codes", "rejected with 400 PIX_DUPLICATE_EXTERNAL_ID", used, ""), true},
		"the same status, whatever is said": {failure("a.a", "rejected with 401", "422, invalid token", ""), failure("b.b", "rejected with 400", "422, txid is too short", ""), true},
		"another code":                      {again, failure("b.b", "rejected with 400", "409 PIX_INVALID_AMOUNT, too small", ""), false},
		"the same wrong text":               {failure("a.a", "status to be \"Pendente\"", `"Aguardando"`, "status"), failure("b.b", "status to be \"Pendente\" or \"Error\"", `"Aguardando"`, "data[0].status"), true},
		"the same refusal, expected or not": {again, failure("cash-out.accepted", "accepted with 201", used, ""), true},
		"accepted in both":                  {failure("a.a", "rejected with 400", "201", ""), failure("b.b", "rejected with 400, naming value", "201", ""), false},
		"accepted by another operation":     {failure("a.a", "rejected with 401", "201", ""), by("cob", failure("a.a", "rejected with 401", "200, with more", "")), true},
		"a field that is malformed, too":    {wrong, failure("contract.cash-out", "a response that matches", "201 with: value must have 2 decimals", "value"), true},
		"another field":                     {wrong, failure("contract.cash-out", "a response that matches", "201 with: status is required", "status"), false},
		"two rules about a field":           {wrong, failure("cash-out.fee", "value to fall", "rose", "value"), true},
		"right but for the name":            {failure("a.a", "rejected with 400 HTTP_ERROR, naming value", "400 HTTP_ERROR, valor inválido", ""), by("cob", failure("b.b", "rejected with 400, naming txid", "400, inválido", "")), true},
		"of another status":                 {failure("a.a", "rejected with 400, naming value", "400, inválido", ""), by("cob", failure("b.b", "rejected with 400, naming txid", "422, txid", "")), false},
		"transactions that nobody made":     {failure("a.a", "GET /a to list only payment 1", "also another transaction: Pix out", ""), failure("a.a", "GET /b to list nothing", "also another transaction: Pix in", ""), true},
		"too much by a span":                {failure("a.a", "available to fall by R$ 1.00", "fell by R$ 2.00, from", "available"), failure("b.b", "available to fall by between R$ 1.00 and R$ 2.00", "fell by R$ 4.00, from", "available"), true},
		"too much, and nothing":             {failure("a.a", "available to fall by R$ 1.00", "fell by R$ 2.00, from", "available"), failure("b.b", "available to fall by at most R$ 1.00", "unchanged, from", "available"), true},
		"no field":                          {failure("a.a", "x", "y", ""), failure("contract.cash-out", "z", "w", ""), false},
	} {
		run := Run{Rules: []Rule{{Name: of.a.Rule}}, Scenarios: []Scenario{of.a, of.b}}
		if of.b.Rule != of.a.Rule {
			run.Rules = append(run.Rules, Rule{Name: of.b.Rule})
		}
		assert.Len(t, run.Causes(), map[bool]int{true: 1, false: 2}[of.one], name)
	}
}

// An object that is absent is why its fields are, and is shown as the cause.
func TestAnAbsentObjectExplainsItsFields(t *testing.T) {
	t.Parallel()
	failure := func(rule, expected, got, field string, steps int) Scenario {
		return Scenario{
			Rule: rule, Name: expected, Verdict: Fail, Steps: append(make([]Step, steps), Step{Verdict: Fail}),
			Finding:   &Finding{Expected: expected, Got: got, Field: field, About: AboutTexts(expected, got)},
			Exchanges: []exchange.Exchange{{Operation: "transaction list request"}},
		}
	}
	run := Run{
		Rules: []Rule{{Name: "lists.size"}, {Name: "lists.total"}, {Name: "contract.list"}, {Name: "lists.fields"}},
		Scenarios: []Scenario{
			failure("lists.size", "metadata.size to be 1", "absent", "metadata.size", 1),
			failure("lists.total", "metadata.total to be 0", "absent", "metadata.total", 1),
			failure("contract.list", "a response that matches", "200 with: metadata is required", "metadata", 2),
			failure("lists.fields", "metadata.page to be 2", "1", "metadata.page", 3),
		},
	}
	causes := run.Causes()
	require.Len(t, causes, 2, "a field with another value is there")
	assert.Equal(t, "contract.list", causes[0].Rule.Name)
	assert.Equal(t, "200 with: metadata is required", causes[0].Scenario.Finding.Got)
	assert.Equal(t, []string{"lists.size", "lists.total"}, causes[0].OtherRules())
	assert.Equal(t, "lists.fields", causes[1].Rule.Name)
}

func TestTheRuleThatFailsMostOfThoseThatFailEquallyEarlyIsToBlame(t *testing.T) {
	t.Parallel()
	failure := func(rule, name string, steps int) Scenario {
		return Scenario{Rule: rule, Name: name, Verdict: Fail, Finding: &Finding{Expected: "401", Got: "200"}, Steps: append(make([]Step, steps), Step{Verdict: Fail})}
	}
	run := Run{
		Rules:     []Rule{{Name: "bearer.scheme"}, {Name: "bearer.genuine"}},
		Scenarios: []Scenario{failure("bearer.scheme", "none", 1), failure("bearer.genuine", "forged", 1), failure("bearer.genuine", "cut", 1), failure("bearer.genuine", "later", 2)},
	}
	require.Len(t, run.Causes(), 1)
	assert.Equal(t, "bearer.genuine", run.Causes()[0].Rule.Name)
	assert.Equal(t, []string{"bearer.scheme"}, run.Causes()[0].OtherRules())
}

// A rule of the API is to blame before the user's own, and causes that only these show come last.
func TestOwnRulesAreBlamedLast(t *testing.T) {
	t.Parallel()
	failure := func(rule, got string, steps int) Scenario {
		return Scenario{Rule: rule, Name: got, Verdict: Fail, Finding: &Finding{Expected: "401", Got: got}, Steps: append(make([]Step, steps), Step{Verdict: Fail})}
	}
	run := Run{
		Rules:     []Rule{{Name: "token.issued"}, {Name: "mine.rule", Own: true}},
		Scenarios: []Scenario{failure("token.issued", "200", 3), failure("mine.rule", "200", 1), failure("mine.rule", "500", 1)},
	}
	causes := run.Causes()
	require.Len(t, causes, 2)
	assert.Equal(t, "token.issued", causes[0].Rule.Name)
	assert.Equal(t, []string{"mine.rule"}, causes[0].OtherRules())
	assert.Equal(t, "mine.rule", causes[1].Rule.Name)
}

func TestTheLastActionBeforeAFailure(t *testing.T) {
	t.Parallel()
	s := Scenario{Steps: []Step{
		{Keyword: "Given", Text: "an account"},
		{Keyword: "When", Text: "the account sends a cash-out with:", Table: [][]string{{"value", "8.41"}, {"description", "absent"}}},
		{Keyword: "When", Text: "the scenario returns to the first payment"},
		{Keyword: "Then", Text: "its state is PENDING", Verdict: Fail},
		{Keyword: "When", Text: "the bank confirms the payment"},
	}}
	assert.Equal(t, "the account sends a cash-out with value: 8.41, description: absent", s.LastAction())
	s.Steps[1].Text, s.Steps[1].Table = "these happen at once:", [][]string{{"the account sends a cash-out"}, {"the account sends a transfer"}}
	assert.Equal(t, "these happen at once: the account sends a cash-out, the account sends a transfer", s.LastAction())
	s.Via = "cash-out.accepted/It is accepted"
	assert.Empty(t, s.LastAction(), "the steps are not its own")
	assert.Empty(t, Scenario{Steps: s.Steps[:1]}.LastAction())
}

func TestTypicalTexts(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{
		{"available to fall by R$ 10.00", "available to fall by R$ 1.05"},
		{`externalId to be "Order-ab12-3"`, `externalId to be "Order-zz99-77"`},
		{"nothing at https://127.0.0.1:99/w/1", "nothing at https://example.com/a?b=c"},
		{"an event within 250ms", "an event within 1.2s"},
	} {
		assert.Equal(t, Typical(same[0]), Typical(same[1]))
	}
	for _, different := range [][2]string{
		{"PIX_INVALID_AMOUNT", "PIX_INVALID_KEY"},
		{"201 Created", "500 Internal Server Error"},
		{"data.status to be LIQUIDATED", "data.amount to be LIQUIDATED"},
		{`status to be "PENDING"`, `status to be "CONFIRMED"`},
		{"a CashOut event", "a cash_in event"},
		{`an operationType of "Pix out"`, `an operationType of "Refund in"`},
		{`error to be "Not Found"`, `error to be "Bad Request"`},
	} {
		assert.NotEqual(t, Typical(different[0]), Typical(different[1]))
	}
}

// A connection that breaks is one fault, whichever operation meets it.
func TestResponsesThatDoNotArriveHaveOneCause(t *testing.T) {
	t.Parallel()
	failure := func(operation, why string) Scenario {
		return Scenario{
			Rule: operation, Name: operation, Verdict: Fail, ExchangeCount: 1, Finding: &Finding{Expected: "a response of " + operation, Got: "no response: " + why},
			Exchanges: []exchange.Exchange{{Operation: operation, Err: why}},
		}
	}
	for name, c := range map[string]struct {
		a, b Scenario
		want int
	}{
		"for the same reason":     {failure("cash-in", "the response broke off after 17 bytes of the body"), failure("refund", "the response broke off after 4 bytes of the body"), 1},
		"for different reasons":   {failure("cash-in", "timed out after 10s"), failure("refund", "the response broke off after 4 bytes of the body"), 2},
		"only one did not arrive": {failure("cash-in", "timed out after 10s"), failure("refund", ""), 2},
	} {
		run := Run{Rules: []Rule{{Name: "cash-in"}, {Name: "refund"}}, Scenarios: []Scenario{c.a, c.b}}
		assert.Len(t, run.Causes(), c.want, name)
	}
}

// Every failure of a target that breaks something else in each response is a cause of its own.
func BenchmarkCauses(b *testing.B) {
	r := Run{Rules: []Rule{{Name: "contract.cash-out"}}}
	for i := range 4000 {
		field := "details" + strings.Repeat(".x", i%40) + "." + strings.Repeat("y", i/40)
		r.Scenarios = append(r.Scenarios, Scenario{
			Rule: "contract.cash-out", Name: field, Verdict: Fail, ExchangeCount: 1,
			Finding:   &Finding{Expected: "the wire contract", Got: "no " + field, Field: field},
			Exchanges: []exchange.Exchange{{Operation: "cash-out"}},
		})
	}
	for b.Loop() {
		r.Causes()
	}
}

func TestAmountsOfAFailure(t *testing.T) {
	t.Parallel()
	debited := func(got string) Amounts { return AmountsOf("the available balance to fall by R$ 10.00", got) }
	twice := debited("fell by R$ 20.00, from R$ 100.00 to R$ 80.00")
	assert.Equal(t, Amounts{"R$ 10.00", "R$ 20.00"}, twice)
	assert.False(t, twice.Contradicts(debited("fell by R$ 20.00, from R$ 50.00 to R$ 30.00")))
	assert.True(t, twice.Contradicts(debited("fell by R$ 30.00, from R$ 100.00 to R$ 70.00")))
	assert.True(t, twice.Contradicts(debited("unchanged, from R$ 100.00 to R$ 100.00")))
	assert.False(t, twice.Contradicts(AmountsOf("the available balance to fall by R$ 15.00", "fell by R$ 45.00")), "another expectation")
	assert.False(t, debited("unchanged, from R$ 1.00 to R$ 1.00").Contradicts(debited("unchanged, from R$ 7.00 to R$ 7.00")), "of an account with a history")
	assert.False(t, AmountsOf("one event", "R$ 1.00").Contradicts(AmountsOf("one event", "R$ 2.00")))
}

// Whichever item of an array is wrong, the cause is the same. Indexes from 100 to 599 are no HTTP statuses.
func TestIndexesAreNoCauses(t *testing.T) {
	t.Parallel()
	run := Run{Rules: []Rule{{Name: "listed.amounts"}, {Name: "contract.transaction-list"}}}
	for i := 95; i < 149; i++ {
		field := fmt.Sprintf("data[%d].amount", i)
		for rule, expected := range map[string]string{"listed.amounts": field + " to be R$ 1.00", "contract.transaction-list": "a response that matches openapi.yaml"} {
			run.Scenarios = append(run.Scenarios, Scenario{
				Rule: rule, Name: fmt.Sprint(i), Verdict: Fail, Finding: &Finding{Expected: expected, Got: field + " is a string", Field: field},
				Exchanges: []exchange.Exchange{{Operation: "transaction list request"}}, ExchangeCount: 1,
			})
		}
	}
	assert.Equal(t, 1, len(run.Causes()))
	assert.NotEqual(t, Typical("201"), Typical("400"), "statuses differ")
}

// What a narrowed request shows comes first; refusals of other requests with the same words have the same cause.
func TestARefusalIsOneCause(t *testing.T) {
	t.Parallel()
	failure := func(rule, expected, got string, about About) Scenario {
		about.Kind, about.Status, about.Code = Rejection, 400, "HTTP_ERROR"
		return Scenario{
			Rule: rule, Name: got, Verdict: Fail, Finding: &Finding{Expected: expected, Got: got, About: about},
			Exchanges: []exchange.Exchange{{Operation: "cash-in", Status: 400}},
		}
	}
	run := Run{
		Rules: []Rule{{Name: "cash-in.value"}, {Name: "cash-in.payer"}, {Name: "cash-in.accepted"}, {Name: "bearer.every-request"}},
		Scenarios: []Scenario{
			failure("cash-in.value", "a message that names value", `By a company, value absent: "refused"`, About{Variant: "By a company, value absent", MustFail: true, RightCode: true}),
			failure("cash-in.payer", "a message that names payer", `By a company, payer absent: "refused"`, About{Variant: "By a company, payer absent", MustFail: true, RightCode: true}),
			failure("bearer.every-request", "rejected with 401", "400 HTTP_ERROR, refused", About{MustFail: true}),
			failure("cash-in.payer", "accepted with 201", "400 HTTP_ERROR, refused", About{}),
			failure("cash-in.accepted", "accepted with 201", "if payer is a company: 400 HTTP_ERROR, refused", About{Variant: "if payer is a company"}),
		},
	}
	causes := run.Causes()
	require.Len(t, causes, 1)
	assert.Equal(t, "A cash-in, if payer is a company, was rejected with 400 HTTP_ERROR, refused; expected accepted with 201", causes[0].Headline)
	assert.Len(t, causes[0].Others, 4)
}
