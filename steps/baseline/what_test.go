package baseline

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/verdict"
)

// typed is a failure that says what it is.
func typed(expected, got, field string, about verdict.About) verdict.Scenario {
	s := failure("a.b", "One", expected, got)
	s.Finding.Field, s.Finding.About = field, about
	return s
}

func runOf(scenarios ...verdict.Scenario) *verdict.Run {
	return &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: scenarios}
}

// An entry of each kind, as it is written. A failure in other words is known by it; one that differs in what it is, is not.
func TestKinds(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		listed  verdict.Scenario
		entry   string
		same    verdict.Scenario
		unknown []verdict.Scenario
	}{
		"rejection": {
			typed("rejected with 400", "409 TAKEN, key", "", verdict.About{Kind: verdict.Rejection, Status: 409, Code: "TAKEN", MustFail: true}),
			"    kind: rejection\n    status: 409\n    code: TAKEN\n    mustFail: true\n    expected: rejected with 400\n    got: 409 TAKEN, key\n",
			typed("a rejection with 400", "rejected with 409 TAKEN", "", verdict.About{Kind: verdict.Rejection, Status: 409, Code: "TAKEN", MustFail: true}),
			[]verdict.Scenario{
				typed("rejected with 400", "409 TAKEN, key", "", verdict.About{Kind: verdict.Rejection, Status: 422, Code: "TAKEN", MustFail: true}),
				typed("rejected with 400", "409 TAKEN, key", "", verdict.About{Kind: verdict.Rejection, Status: 409, Code: "OTHER", MustFail: true}),
				typed("rejected with 400", "409 TAKEN, key", "", verdict.About{Kind: verdict.Rejection, Status: 409, Code: "TAKEN"}),
				typed("rejected with 400", "409 TAKEN, key", "status", verdict.About{Kind: verdict.Field}),
			},
		},
		"movement": {
			typed("available to fall by R$ 1.00", "rose by R$ 2.00, from R$ 1.00 to R$ 3.00", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Rises}),
			"    kind: movement\n    field: available\n    direction: rise\n    expectedDirection: fall\n    expected: available to fall by R$ 1.00\n",
			typed("a debit of R$ 1.00", "a credit of R$ 2.00", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Rises}),
			[]verdict.Scenario{
				typed("available to fall by R$ 1.00", "rose by R$ 3.00, from R$ 1.00 to R$ 4.00", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Rises}),
				typed("a debit of R$ 1.00", "a credit of R$ 3.00", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Rises}),
				typed("available to fall by R$ 1.00", "rose by R$ 2.00", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Falls}),
				typed("available to fall by R$ 1.00", "rose by R$ 2.00", "available", verdict.About{Kind: verdict.Movement, Expected: verdict.Stays, Got: verdict.Rises}),
				typed("available to fall by R$ 1.00", "rose by R$ 2.00", "blocked", verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Rises}),
			},
		},
		"field": {
			typed(`status to be "PENDING"`, `"CONFIRMED"`, "data[2].status", verdict.About{Kind: verdict.Field}),
			"    kind: field\n    field: data[].status\n    expected: status to be \"PENDING\"\n",
			typed(`"PENDING" as status`, `the status "CONFIRMED"`, "data[0].status", verdict.About{Kind: verdict.Field}),
			[]verdict.Scenario{
				typed(`status to be "PENDING"`, `"CONFIRMED"`, "data[2].type", verdict.About{Kind: verdict.Field}),
				typed(`status to be "PENDING"`, `"ERROR"`, "data[2].status", verdict.About{Kind: verdict.Field}),
			},
		},
		"listing": {
			typed("only payment 1", "also another transaction", "", verdict.About{Kind: verdict.Listing, Stranger: true}),
			"    kind: listing\n    stranger: true\n    expected: only payment 1\n",
			typed("payment 1 and nothing else", "a payment that nobody made", "", verdict.About{Kind: verdict.Listing, Stranger: true}),
			[]verdict.Scenario{
				typed("only payment 1", "also another transaction", "", verdict.About{Kind: verdict.Listing}),
				typed("only payment 1", "also another transaction", "data", verdict.About{Kind: verdict.Listing, Stranger: true}),
			},
		},
		"event": {
			typed("a cash_out event", "none", "", verdict.About{Kind: verdict.Event}),
			"    kind: event\n    expected: a cash_out event\n    got: none\n",
			typed("one event (cash_out)", "no event", "", verdict.About{Kind: verdict.Event}),
			[]verdict.Scenario{
				typed("a refund_in event", "none", "", verdict.About{Kind: verdict.Event}),
				typed("a cash_out event", "only this event: cash_in PENDING", "", verdict.About{Kind: verdict.Event}),
				typed("a cash_out event", "none", "", verdict.About{Kind: verdict.Listing}),
			},
		},
		"other": {
			typed("a token", "it expired after 3 s", "", verdict.About{Kind: verdict.Other}),
			"    kind: other\n    expected: a token\n",
			typed("a token", "it expired after 4 s", "", verdict.About{Kind: verdict.Other}),
			[]verdict.Scenario{
				typed("a token", "it is invalid", "", verdict.About{Kind: verdict.Other}),
				typed("a token", "it expired after 3 s", "", verdict.About{Kind: verdict.Event}),
			},
		},
	} {
		text := printed(t, runOf(c.listed))
		assert.Contains(t, text, "    operation: cash-out\n"+c.entry, kind)
		b := parsed(t, text)
		for _, known := range []verdict.Scenario{c.listed, c.same} {
			assert.Equal(t, verdict.KnownFailure, b.Mark(known, today).Verdict, "%s: %+v", kind, known.Finding)
			run := runOf(known)
			b.Apply(run, today)
			assert.Equal(t, verdict.NoNewFailures, run.Outcome(), kind)
		}
		for _, other := range append(c.unknown, elsewhere(c.listed)...) {
			assert.Equal(t, verdict.Fail, b.Mark(other, today).Verdict, "%s: %+v", kind, other.Finding)
		}
	}
}

// elsewhere is a failure of another scenario, rule and operation.
func elsewhere(s verdict.Scenario) []verdict.Scenario {
	name, rule, operation := s, s, s
	name.Name, rule.Rule = "Two", "c.d"
	operation.Exchanges = failure("", "", "", "").Exchanges
	operation.Exchanges[0].Operation = "refund"
	return []verdict.Scenario{name, rule, operation}
}

// Scenarios that fail in the same way are one entry, in whichever words; another value of the field is another entry.
func TestEntriesByKind(t *testing.T) {
	t.Parallel()
	named := func(name, got string) verdict.Scenario {
		s := typed(`status to be "PENDING"`, got, "status", verdict.About{Kind: verdict.Field})
		s.Name = name
		return s
	}
	run := runOf(named("One", `"CONFIRMED"`), named("Two", `status "CONFIRMED"`), named("Three", `"ERROR"`))
	b := parsed(t, printed(t, run))
	require.Len(t, b.entries, 2)
	assert.ElementsMatch(t, []string{"One", "Two"}, b.entries[0].Scenarios)
	b.Apply(run, today)
	assert.Equal(t, verdict.NoNewFailures, run.Outcome())
}

// An entry that an earlier version wrote is matched by its texts, whatever the finding says besides.
func TestEntriesWithoutAKind(t *testing.T) {
	t.Parallel()
	b := parsed(t, "failures:\n- rule: a.b\n  scenarios: [One]\n  operation: cash-out\n  expected: available to fall by R$ 1.00\n  got: unchanged\n  reason: slow")
	about := verdict.About{Kind: verdict.Movement, Expected: verdict.Falls, Got: verdict.Stays}
	assert.Equal(t, verdict.KnownFailure, b.Mark(typed("available to fall by R$ 2.00", "unchanged", "available", about), today).Verdict)
	assert.Equal(t, verdict.Fail, b.Mark(typed("a debit of R$ 1.00", "unchanged", "available", about), today).Verdict)

	untyped := runOf(failure("a.b", "One", "x", "y")) // as a report of an earlier version has it
	assert.NotContains(t, printed(t, untyped), "kind:")
}

// What a gateway sends as a code is written so that it is read as the same.
func TestCodesThatAreNoPlainYAML(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"400", "null", "~", "true", " x ", "a: b", "# a", "- a", "'\"", "}", "x\ny\r\n", "\x00\x1b\u2028", "##vso[a]", "[a, b]", "é\u00a0", "01", "*a", "|"} {
		s := typed("accepted with 201", "400", "", verdict.About{Kind: verdict.Rejection, Status: 400, Code: code})
		assert.Equal(t, verdict.KnownFailure, parsed(t, printed(t, runOf(s))).Mark(s, today).Verdict, "%q", code)

		for _, old := range []string{
			"failures:\n- rule: a.b\n  scenarios: [One]\n  operation: cash-out\n  expected: accepted with 201\n  got: '400'\n",
			"failures: [{rule: a.b, scenarios: [One], operation: cash-out, expected: accepted with 201, got: '400'}]",
		} {
			u, err := Update("known.yaml", []byte(old), runOf(s))
			require.NoError(t, err, "%q", code)
			assert.Equal(t, verdict.KnownFailure, parsed(t, string(u.Content)).Mark(s, today).Verdict, "%q", code)
		}
	}
}

func TestKindsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		"kind: wording":                "known.yaml:4: kind: expected rejection, movement, field, listing, event or other, got wording",
		"direction: up":                "known.yaml:4: direction: expected fall, rise or unchanged, got up",
		"expectedDirection: [a]":       "known.yaml:4: expectedDirection: expected a string",
		"status: many":                 "known.yaml:4: status: expected an HTTP status such as 400, got many",
		"mustFail: often":              "known.yaml:4: mustFail: expected true or false, got often",
		"field: status":                "known.yaml:2: kind: expected rejection, movement, field, listing, event or other, got none; pixcert baseline prints it",
		"kind: field\n  feild: status": "known.yaml:5: feild: unknown field; did you mean field?",
	} {
		_, err := Parse("known.yaml", []byte("failures:\n- rule: a\n  scenarios: [a]\n  "+fields))
		require.EqualError(t, err, want)
	}
}
