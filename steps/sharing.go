package steps

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
)

// mayShare says whether a scenario changes nothing at the target, so that others may use
// its account at the same time: it needs no control and no webhook, and every request of
// its own is a token request, a read, or one that must be refused.
func (p *planned) mayShare(spoken []*sentence) bool {
	if len(p.needs) > 0 || len(p.wants) > 0 || p.receives {
		return false
	}
	for i, s := range spoken {
		step := p.scenario.Steps[i]
		if s.waits || s.opens && strings.Contains(step.Text, "the gateway lists") {
			return false
		}
		if sendsSomething(step.Text) && !isRead(s, step.Text) && !p.mustBeRefused(i) {
			return false
		}
	}
	return true
}

func sendsSomething(step string) bool {
	return strings.Contains(step, " sends ") || strings.Contains(step, " has sent ") || strings.Contains(step, " walks ")
}

// isRead: a request that only looks, or asks for a token.
func isRead(s *sentence, step string) bool {
	op, ok := s.operationIn(step)
	return ok && (op.method == http.MethodGet || op.id == "token") && !strings.Contains(step, "sending a cash-out")
}

// operationIn is the operation that a step names.
func (s *sentence) operationIn(step string) (operation, bool) {
	for _, word := range s.pattern.FindStringSubmatch(step)[1:] {
		if i := slices.IndexFunc(operations, func(op operation) bool { return op.noun == word }); i >= 0 {
			return operations[i], true
		}
	}
	return operation{}, false
}

// mustBeRefused says whether the request of a step has to be refused: it is the last of
// its When, of which the scenario says so, or both of two are.
func (p *planned) mustBeRefused(step int) bool {
	after := p.scenario.Steps[step+1:]
	switch {
	case len(after) == 0:
		return false
	case after[0].Type == catalogue.Action:
		return len(after) > 1 && strings.HasPrefix(after[1].Text, "both refusals ")
	}
	return refusalForm.MatchString(after[0].Text)
}

var refusalForm = regexp.MustCompile(`^(?:it is refused with|each is refused with|both refusals) `)
