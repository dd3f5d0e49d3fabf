package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
)

func failing(f Finding) Scenario {
	return Scenario{Rule: "a.b", Name: "One", Verdict: Fail, Finding: &f, Exchanges: []exchange.Exchange{{Party: exchange.API, Operation: "cash-out", Status: 201}}}
}

// One finding of each kind, in other words, and what makes it another failure.
func TestWhatAFailureIs(t *testing.T) {
	t.Parallel()
	rejection := Finding{Expected: "accepted with 201", Got: "400 A, value", About: About{Kind: Rejection, Status: 400, Code: "A", Variant: `value "x1"`}}
	movement := Finding{Expected: "available to fall by R$ 1.00", Got: "unchanged", Field: "available", About: About{Kind: Movement, Expected: Falls, Got: Stays}}
	field := Finding{Expected: `status to be "PENDING"`, Got: `"CONFIRMED"`, Field: "data[3].status", About: About{Kind: Field}}
	listing := Finding{Expected: "only payment 1", Got: "also payment 2", Field: "data", About: About{Kind: Listing}}
	event := Finding{Expected: "a cash_out event at https://x within 5s", Got: "none", About: About{Kind: Event}}
	other := Finding{Expected: "the token to be valid", Got: "it expired after 3 s", About: About{Kind: Other}}
	for _, c := range []struct {
		name    string
		finding Finding
		change  func(*Finding)
		same    bool
	}{
		{"reworded rejection", rejection, func(f *Finding) { f.Expected, f.Got = "status 201", "rejected: 400 A" }, true},
		{"other values in the variant", rejection, func(f *Finding) { f.About.Variant = `value "x2"` }, true},
		{"another variant", rejection, func(f *Finding) { f.About.Variant = "key absent" }, false},
		{"another status", rejection, func(f *Finding) { f.About.Status = 422 }, false},
		{"another code", rejection, func(f *Finding) { f.About.Code = "E2" }, false},
		{"must be rejected", rejection, func(f *Finding) { f.About.MustFail = true }, false},

		{"reworded movement", movement, func(f *Finding) { f.Expected, f.Got = "a debit of R$ 1.00", "no change, at R$ 7.00" }, true},
		{"another direction", movement, func(f *Finding) { f.About.Got = Rises }, false},
		{"another expected direction", movement, func(f *Finding) { f.About.Expected = Stays }, false},
		{"of another balance", movement, func(f *Finding) { f.Field = "blocked" }, false},
		{"another kind", movement, func(f *Finding) { f.About = About{Kind: Field} }, false},

		{"reworded field", field, func(f *Finding) { f.Expected, f.Got = "PENDING as status", `status is "CONFIRMED"` }, true},
		{"of another item", field, func(f *Finding) { f.Field = "data[0].status" }, true},
		{"another field", field, func(f *Finding) { f.Field = "data[3].type" }, false},
		{"another state", field, func(f *Finding) { f.Got = `"ERROR"` }, false},
		{"another quoted state", field, func(f *Finding) { f.Got = `status "ERROR"` }, false},
		{"no state", field, func(f *Finding) { f.Got = "absent" }, false},

		{"reworded listing", listing, func(f *Finding) { f.Expected, f.Got = "payment 1 and nothing else", "payment 2, too" }, true},
		{"a stranger", listing, func(f *Finding) { f.About.Stranger = true }, false},

		{"reworded event", event, func(f *Finding) { f.Expected, f.Got = "one event: cash_out", "nothing arrived" }, true},
		{"another event is missing", event, func(f *Finding) { f.Expected = "a refund_out event at https://x within 5s" }, false},
		{"an event arrives", event, func(f *Finding) { f.Got = "only this event: refund_out PENDING" }, false},

		{"other values", other, func(f *Finding) { f.Got = "it expired after 4 s" }, true},
		{"in other words, of which nothing else is known", other, func(f *Finding) { f.Got = "it has expired" }, false},
		{"with a kind", other, func(f *Finding) { f.About.Kind = Event }, false},
	} {
		changed := c.finding
		c.change(&changed)
		a, b := failing(c.finding), failing(changed)
		assert.Equal(t, c.same, a.FailsLike(b), c.name)
		assert.Equal(t, c.same, b.FailsLike(a), c.name)
	}
}

// Another event that arrives is another failure, also if some did before.
func TestEventsThatArrive(t *testing.T) {
	t.Parallel()
	event := func(got string) Values { return ValuesOf(Event, "a cash_out event", got) }
	assert.False(t, event("only this event: cash_out PENDING").Contradicts(event("cash_out (PENDING) only")))
	assert.True(t, event("only this event: cash_out PENDING").Contradicts(event("only this event: cash_out ERROR")))
	assert.True(t, event("only this event: cash_out PENDING").Contradicts(event("only these events: cash_out PENDING, cash_out PENDING")))
}

// What is unknown about one of two failures tells nothing apart.
func TestFailuresOfWhichLessIsKnown(t *testing.T) {
	t.Parallel()
	breach := failing(Finding{Expected: "a response that matches openapi.yaml", Got: "201 with: code is required", Field: "code", About: About{Kind: Field}})
	breach.Rule = "contract.cash-out"
	assert.Equal(t, 201, breach.Identity().About.Status)

	rejected := breach
	rejected.Exchanges = []exchange.Exchange{{Party: exchange.API, Operation: "cash-out", Status: 400}}
	assert.False(t, breach.FailsLike(rejected), "responses with another status break the contract")
	unkept := breach
	unkept.Exchanges = nil
	assert.True(t, breach.FailsLike(unkept))

	earlier, reworded := failing(*breach.Finding), failing(*breach.Finding)
	earlier.Finding.About = About{}
	assert.True(t, earlier.FailsLike(reworded), "a report of an earlier version has only texts")
	reworded.Finding.Got = "201 without code"
	assert.False(t, earlier.FailsLike(reworded))

	untyped := failing(Finding{Expected: "code", Got: "absent", Field: "data", About: About{Kind: Other}})
	assert.Equal(t, Listing, untyped.Identity().About.Kind, "its field says what it is about")
	assert.Equal(t, Identity{About: About{Kind: Other}}, Scenario{}.Identity())
}
