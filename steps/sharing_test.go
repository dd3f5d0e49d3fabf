package steps

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

// Scenarios share an account only if they change nothing there.
func TestWhatSharesChangesNothing(t *testing.T) {
	t.Parallel()
	for steps, shares := range map[string]bool{
		"Given an account; When the account sends a balance request; Then it is accepted":                                                                                true,
		"Given an account; When the account sends a token request; Then it is accepted with 201":                                                                         true,
		"Given an account with R$ 1.00 available; When the account sends a cash-out with value -1; Then it is refused with 400":                                          true,
		"Given an account; When the account sends a cash-out whose body is {}; And the account sends a cash-out whose body is {}; Then both refusals have the same code": true,
		"Given an account; When the account sends a cash-out; Then it is accepted":                                                                                       false,
		"Given an account; When the account sends a cash-out; Then it is accepted, or refused with 400":                                                                  false,
		"Given an account; When the account sends a cash-out with value \"1\"; Then it should be refused with 400":                                                       false,
		"Given an account; When the account sends a cash-out; And the account sends it again; Then it is refused with 400":                                               false,
		"Given an account; And the account has sent a cash-out; When the account sends it again; Then it is refused with 400":                                            false,
		"Given an account; When the account sends a webhook registration with url \"foo\"; Then it is refused with 400":                                                  false,
		"Given an account; When 5 hours pass; And the account sends a balance request; Then it is accepted":                                                              false,
		"Given a new account; When the account sends a balance request; Then it is accepted":                                                                             false,
		"Given an account; When the account sends 8 cash-outs of R$ 1.00 at once; Then one is accepted":                                                                  false,
	} {
		p, err := bind(scenarioOf(steps))
		require.NoError(t, err)
		require.Equal(t, shares, p.shares, steps)
	}
}

// scenarioOf reads steps that semicolons part.
func scenarioOf(steps string) *catalogue.Scenario {
	scenario := &catalogue.Scenario{Name: steps, Rule: &catalogue.Rule{Name: "a.rule", Feature: &catalogue.Feature{}}}
	kind := catalogue.Context
	for _, line := range strings.Split(steps, "; ") {
		keyword, text, _ := strings.Cut(line, " ")
		switch keyword {
		case "When":
			kind = catalogue.Action
		case "Then":
			kind = catalogue.Outcome
		}
		scenario.Steps = append(scenario.Steps, catalogue.Step{Keyword: keyword, Type: kind, Text: text})
	}
	return scenario
}

// Whatever registers URLs that an account of the profile does not keep, or needs a list
// that is empty, asks for a new account.
func TestWhatNeedsANewAccountSaysSo(t *testing.T) {
	t.Parallel()
	for id, p := range bound(t) {
		if needsNoHistory(p.scenario) {
			require.Contains(t, p.needs, target.Accounts, id)
		}
	}
}

func needsNoHistory(s *catalogue.Scenario) bool {
	filtered := false
	for _, step := range s.Steps {
		filtered = filtered || strings.Contains(step.Text, "query externalId") || strings.Contains(step.Text, "query endToEndId") || strings.Contains(step.Text, "key list request")
		if strings.Contains(step.Text, " URLs") || strings.Contains(step.Text, "webhooks with header") || strings.Contains(step.Text, "walks the pages") {
			return true
		}
		for _, row := range step.Table {
			counted := strings.HasPrefix(row[0], "webhooks") || strings.HasPrefix(row[0], "data[0]") && !strings.Contains(row[0], "balanceAmount") && !strings.Contains(row[0], "eventDate")
			if counted || !filtered && (row[0] == "metadata.total" && row[1] != "a number" || row[0] == "data" && row[1] == "empty") {
				return true
			}
		}
	}
	return false
}
