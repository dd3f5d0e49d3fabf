package language

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
)

// What becomes of the request of an example is decided by its request alone.
func TestExamplesAreChosenByTheMeaningOfTheirSteps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given, when, then string
		in                string // what the example is among; empty for nothing
	}{
		"rejected":                {"an account", `the account sends a cash-out with value -1`, "the request is rejected with 400 PIX_INVALID_AMOUNT", "wrong"},
		"with a phrase of money":  {"an account", "the account sends a cash-in with splits 2 splits of R$ 0.01", "the request is rejected with 400", "wrong"},
		"rejected by one of two":  {"an account", `the account sends a cash-out with value -1`, "the request is rejected with 400, or rejected with 422", "wrong"},
		"in every variant":        {"an account", "the account sends a cash-out whose value is invalid", "every request is rejected with 400", "every way"},
		"accepted":                {"an account", `the account sends a cash-out with description "a"`, "the request is accepted with 201", "shapes"},
		"accepted or rejected":    {"an account", `the account sends a cash-out with description "a"`, "the request is accepted, or rejected with 422", "open"},
		"with a header":           {"an account", "the account sends a cash-in with header Accept text/html", "the request is accepted", "shapes"},
		"which should be":         {"an account", `the account sends a cash-out with value -1`, "the request should be rejected with 400", ""},
		"of an amount":            {"an account", "the account sends a cash-out of R$ 0.00", "the request is rejected with 400", ""},
		"unchanged":               {"an account", "the account sends a cash-out", "the request is accepted", ""},
		"of a decisive field":     {"an account", "the account sends a cash-out with value 1.00", "the request is accepted", ""},
		"of the sandbox":          {"an account", "the account sends a cash-out with header X-Sandbox-Scenario none", "the request is accepted", ""},
		"of a usual account":      {"an account with R$ 5000.00 available", `the account sends a cash-out with value -1`, "the request is rejected with 400", "wrong"},
		"of another account":      {"an account with R$ 7.00 available", `the account sends a cash-out with value -1`, "the request is rejected with 400", ""},
		"of a new account":        {"a new account", `the account sends a cash-out with value -1`, "the request is rejected with 400", ""},
		"after something else":    {"settlement waits for the bank", `the account sends a cash-out with value -1`, "the request is rejected with 400", ""},
		"of others":               {"an account", "the other account sends a cash-out with value -1", "the request is rejected with 400", ""},
		"that is sent once more":  {"an account", "the account sends the request again with value -1", "the request is rejected with 400", ""},
		"whose state is judged":   {"an account", `the account sends a cash-out with value -1`, "nothing changes", ""},
		"to a key it was told of": {"the key directory has a new CPF key", "the account sends a cash-out with details.name null", "the request is rejected with 400", "wrong"},
	} {
		read := examplesOf(t, "Given "+c.given, "When "+c.when, "Then "+c.then)
		among := map[string]bool{
			"wrong": len(read.Wrong) > 0, "every way": len(read.EveryWay) > 0, "shapes": len(read.Shapes) > 0, "open": len(read.Open) > 0,
		}
		for kind, is := range among {
			assert.Equal(t, kind == c.in, is, "%s: among %s", name, kind)
		}
	}
}

func TestAnExampleIsSaidAgain(t *testing.T) {
	t.Parallel()
	key := "the key directory has a new CPF key"
	read := examplesOf(t, "Given an account", "And "+key, "When the account sends a cash-out with header Accept text/html", "Then the request is accepted", "And the response has:\n  | status | \"PENDING\" |", "And nothing changes")
	assert.Equal(t, []ValidRequest{{GivenKey{key, PutKey{Kind: CPFKey}}, [][]string{{"header Accept", "text/html"}}, 0, []Spoken{{"the response has:", [][]string{{"status", `"PENDING"`}}}}, Answered{Expected: accepted}}}, read.Shapes["cash-out"])

	read = examplesOf(t, "Given an account with R$ 100.00 available", "When the account sends a cash-out whose body is []", "Then the request is rejected with 400")
	wrong := []Example{{Needs: 20_00, Request: Spoken{Text: "the account sends a cash-out whose body is []"}, Raw: true, Answer: Answered{Expected: Outcome{Words: "rejected with 400", Alternatives: []Alternative{{Statuses: []int{400}}}}}}}
	assert.Equal(t, wrong, read.Wrong["cash-out a.b"])
	assert.Equal(t, []string{"a.b"}, read.Rules["cash-out"])
	assert.Equal(t, "A-001", read.Shown["a.b"])
}

// examplesOf are the examples of a feature with one scenario.
func examplesOf(t *testing.T, steps ...string) Examples {
	t.Helper()
	text := "Feature: F\n@a.b\n@A-001\nRule: R\nScenario: S\n"
	for _, step := range steps {
		text += step + "\n"
	}
	c, err := catalogue.Load(fstest.MapFS{
		"f.feature":      {Data: []byte(text)},
		"statements.tsv": {Data: []byte("id\tsubject\tstatement\tnote\nA-001\tS\tT\t\n")},
	})
	require.NoError(t, err)
	b := examplesIn(c)
	require.Len(t, slices.Collect(c.Scenarios()), 1)
	return b
}
