package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// terminal are the states of a charge that do not change any more (Immediate charge).
var terminal = []string{"CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"}

// viewContradictions are what controls show of one charge and what contradicts itself: a state that
// is final changes, or the parts of a paid charge do not always add up to the same.
func (s *Scenario) viewContradictions() []Met {
	var all []Met
	paid := -1
	ended, totals := map[string]string{}, map[string]money.Centavos{}
	for _, c := range s.Calls {
		switch {
		case c.Operation == string(target.Payments) && c.Method == http.MethodPost:
			paid = c.Index
		case c.Method != http.MethodGet || c.Status != http.StatusOK:
		case c.Operation == string(target.Charges):
			was, now := ended[keyOf(c)], stateIn(c)
			if was != "" && now != "" && now != was {
				all = append(all, Met{Breach{"states.charge", "a charge that is " + was + " to stay so", now, "status"}, c.Exchange})
			} else if slices.Contains(terminal, now) {
				ended[keyOf(c)] = now
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

func stateIn(c record.Call) string {
	answer, _ := jsonvalue.Decode(c.ResponseBody)
	return jsonvalue.Text(answer, "status")
}

func totalOf(c record.Call) (money.Centavos, bool) {
	var d target.Division
	_ = json.Unmarshal(c.ResponseBody, &d)
	parts, total, err := amountsOf(d)
	for _, part := range parts {
		total += part
	}
	return total, err == nil
}
