package progress

import (
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// findings are the steps of the scenarios that exploring found, by their ids.
type findings struct {
	all   map[string][]string
	shown map[string]bool
}

func (p paint) foundIn(run *verdict.Run) findings {
	found := findings{map[string][]string{}, map[string]bool{}}
	for _, rule := range run.Results() {
		if !rule.Found {
			continue
		}
		for _, s := range rule.Scenarios {
			found.all[s.ID()] = p.stepsOf(s)
		}
	}
	return found
}

// steps are the steps that led to a failure, unless another failure shows them: a violation of the contract is found by
// another scenario.
func (f findings) steps(s verdict.Scenario) []string {
	if s.Via == "" {
		return f.all[s.ID()]
	}
	if f.shown[s.Via] {
		return nil
	}
	f.shown[s.Via] = true
	return f.all[s.Via]
}

// stepsShown is how many lines of a scenario are shown. One that an interrupt left unshortened has hundreds.
const stepsShown = 60

// stepsOf are the lines of a scenario, as its file has them.
func (p paint) stepsOf(s verdict.Scenario) (lines []string) {
	for _, step := range s.Steps {
		lines = append(lines, short(step.Keyword+" "+step.Text))
		for _, row := range step.Table {
			lines = append(lines, "  "+short("| "+strings.Join(row, " | ")+" |"))
		}
	}
	if more := len(lines) - stepsShown; more > 0 {
		lines = append(lines[:stepsShown:stepsShown], "… "+p.in.SayCount(more, "more line"))
	}
	return lines
}

// repeated is the rule that repeats the fault: that of the finding which shows it, or its own.
func (f fault) repeated() string {
	if f.Via != "" && len(f.Steps) > 0 {
		rule, _, _ := strings.Cut(f.Via, "/")
		return rule
	}
	return f.Rule
}
