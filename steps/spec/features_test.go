package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
)

// The features are the specification for people, and the machine is the one for programs. Here the machine goes through every
// scenario: what is given and done are its inputs (input_test.go), and each Then must be something that it allows
// (then_test.go). Where it knows one figure only, the Then must state that one.
func TestFeaturesAgreeWithTheMachine(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	counts := tally{}
	scenarios, checked := 0, 0
	for scenario := range all.Scenarios() {
		before := counts.checked()
		steps, err := language.ReadAll(scenario)
		require.NoError(t, err)
		s := newStory(steps, counts)
		for i, step := range steps {
			if problem := s.take(i); problem != "" {
				t.Errorf("%s:%d (%s): %q: %s", scenario.Rule.Feature.File, step.Line, scenario.Name, step.Text, problem)
			}
		}
		if scenarios++; counts.checked() > before {
			checked++
		}
	}
	t.Log(counts)
	t.Logf("%d of %d scenarios have a Then that was checked", checked, scenarios)
	for what, least := range leastChecked {
		c := counts[what]
		assert.GreaterOrEqual(t, 100*c.checked(), least*c.all(), "%s: expected at least %d%% to be checked, got %d of %d", what, least, c.checked(), c.all())
	}
}

// leastChecked is which share of the Thens of a kind the machine has to know something about, in percent, so that the test cannot
// check nothing.
var leastChecked = map[string]int{
	whatAvailable: 95,
	whatBlocked:   95,
	whatState:     95,
	whatEvent:     95,
	whatToken:     95,
	whatAnswer:    70, // many rejections are about fields, which the machine does not know

	whatRegistration: 40,
}

// The kinds of Thens of which the machine can say something.
const (
	whatAvailable = "the available balance moves"
	whatBlocked   = "the blocked balance moves"
	whatState     = "a state"
	whatEvent     = "an event arrives"
	whatAnswer    = "accepted or rejected"
	whatToken     = "accepted with a token"

	whatRegistration = "a registration"
	whatElse         = "what the machine says nothing about"
)

// tally counts Thens by what they are about.
type tally map[string]*count

// count are the Thens of a kind: those that were checked, by how, and those that were left out, by why.
type count struct{ by, leftOut map[string]int }

func (c *count) checked() int { return sum(c.by) }
func (c *count) all() int     { return sum(c.by) + sum(c.leftOut) }

func sum(counts map[string]int) (n int) {
	for _, of := range counts {
		n += of
	}
	return n
}

func (t tally) checked() (n int) {
	for _, c := range t {
		n += c.checked()
	}
	return n
}

func (t tally) of(what string) *count {
	if t[what] == nil {
		t[what] = &count{map[string]int{}, map[string]int{}}
	}
	return t[what]
}

func (t tally) String() string {
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(t)) {
		c := t[what]
		lines = append(lines, fmt.Sprintf("%s: %d of %d checked", what, c.checked(), c.all()))
		for _, how := range slices.Sorted(maps.Keys(c.by)) {
			lines = append(lines, fmt.Sprintf("    %4d %s", c.by[how], how))
		}
		for _, why := range slices.Sorted(maps.Keys(c.leftOut)) {
			lines = append(lines, fmt.Sprintf("    %4d left out: %s", c.leftOut[why], why))
		}
	}
	return "\n" + strings.Join(lines, "\n")
}

// What is not so is contradicted.
func TestTheMachineContradicts(t *testing.T) {
	t.Parallel()
	for then, problem := range map[string]string{
		"the available balance falls by R$ 6.01":                        "the machine computes [R$ -6.00]",
		"the available balance does not fall":                           "the machine computes [R$ -6.00]",
		"its state is CONFIRMED":                                        "the machine says that the payment is PENDING",
		"a CashOut event arrives":                                       "the machine says that the payment is PENDING",
		"the request is rejected with 400 PIX_DUPLICATE_EXTERNAL_ID":    "the machine does not allow this answer: available are R$ 10.00",
		"a med_created event arrives":                                   "no URL is registered for it",
		"the request is rejected with 401":                              "the machine says that the token is issued",
		"the available balance falls by R$ 6.00":                        "",
		"the blocked balance should rise by R$ 6.00":                    "",
		"its state is PENDING":                                          "",
		"the request is accepted, or rejected with 400 PIX_DAILY_LIMIT": "",
	} {
		var steps []language.Step
		for _, line := range []string{"an account with exactly R$ 10.00 available", "the account receives cash_out webhooks", "settlement waits for the bank", "the account sends a cash-out of R$ 6.00", then} {
			step, err := language.Read(catalogue.Step{Text: line, Type: map[string]catalogue.StepType{"the account sends a cash-out of R$ 6.00": catalogue.Action, then: catalogue.Outcome}[line]})
			require.NoError(t, err)
			steps = append(steps, step)
		}
		s := newStory(steps, tally{})
		for i := range steps {
			said := s.take(i)
			if i == len(steps)-1 {
				assert.Equal(t, problem, said, then)
			} else {
				assert.Empty(t, said)
			}
		}
	}
}
