package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// shown are the things whose state a control shows: their states, of which the later ones do not change any more.
var shown = map[target.Control]struct {
	rule, noun string
	states     api.Lifecycle
}{
	target.Charges: {"states.charge", "charge", api.ChargeStates},
	target.Refunds: {"states.refund", "refund", api.RefundStates},
}

// viewContradictions are what controls show of one charge or refund and what contradicts itself: it is in
// a state that does not exist, a state that is final changes, or the parts of a paid charge do not always
// add up to the same.
func (s audit) viewContradictions() []Met {
	var all []Met
	paid := -1
	ended, totals := map[string]api.State{}, map[string]money.Centavos{}
	for _, c := range s.Calls {
		switch {
		case c.Operation == string(target.Payments) && c.Method == http.MethodPost:
			paid = c.Index
		case c.Method != http.MethodGet || c.Status != http.StatusOK:
		case shown[target.Control(c.Operation)].rule != "":
			of, was, now := shown[target.Control(c.Operation)], ended[keyOf(c)], stateIn(c)
			switch {
			case now == "":
			case was != "" && now != was:
				all = append(all, Met{Breach{of.rule, fmt.Sprintf("a %s that is %s to stay so", of.noun, was), string(now), "status"}, c.Exchange})
			case slices.Contains(of.states.Later, now):
				ended[keyOf(c)] = now
			case !slices.Contains(of.states.First, now):
				states := strings.Join(api.Spelled(of.states.All()...), ", ")
				all = append(all, Met{Breach{of.rule, "a " + of.noun + " to be one of " + states, string(now), "status"}, c.Exchange})
			}
		case c.Operation == string(target.Splits) && paid >= 0:
			now, ok := totalOf(c)
			was, known := totals[keyOf(c)]
			if ok && known && now != was {
				all = append(all, Met{Breach{"splits.division", fmt.Sprintf("the splits and what is left to add up to %v, as in another response", was), now.String(), ""}, c.Exchange})
			}
			if ok && !known {
				totals[keyOf(c)] = now
			}
		}
	}
	return all
}

// keyOf is what a call of a control asked for.
func keyOf(c record.Call) string { return c.URL + " " + string(c.Body) }

func stateIn(c record.Call) api.State {
	answer, _ := jsonvalue.Decode(c.ResponseBody)
	return api.State(jsonvalue.Text(answer, "status"))
}

func totalOf(c record.Call) (money.Centavos, bool) {
	var d target.Division
	_ = target.DecodeControl(c.ResponseBody, &d)
	parts, total, err := amountsOf(d)
	for _, part := range parts {
		total += part
	}
	return total, err == nil
}
