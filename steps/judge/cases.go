package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// refunds: the scenario may have refunded a payment.
func (s *facts) refunds() bool {
	return slices.ContainsFunc(s.Requests(), func(t *record.Attempt) bool { return t.Is(api.Refund) && !definitelyRejected(t) })
}

// caseContradictions: a list shows cases that its own filters exclude.
func caseContradictions(t *record.Attempt, items []any) (all []Breach) {
	for _, filter := range []struct {
		name, rule string
		values     []string // others, and a filter that is given twice, are left open
	}{
		{"status", "med.status-filter", api.Spelled(api.CaseStates.All()...)},
		{"isReconciled", "med.reconciled-filter", []string{"true", "false"}},
	} {
		asked := t.Query()[filter.name]
		if len(asked) != 1 || !slices.Contains(filter.values, asked[0]) {
			continue
		}
		for _, item := range items {
			if got := jsonvalue.Text(item, filter.name); got != "" && got != asked[0] {
				all = append(all, Breach{filter.rule, fmt.Sprintf("only cases with %s %s", filter.name, asked[0]), got, filter.name})
			}
		}
	}
	return all
}

// caseHistory: a list shows a case as the bank never moved it. A list that lags shows an earlier state, but
// none that is yet to come. What a refund, or time, makes of a case is left open, and so is the result of a
// cancelled one.
func (s audit) caseHistory(t *record.Attempt, items []any) (all []Breach) {
	if len(s.callsOf(target.Clock, "")) > 0 || s.refunds() {
		return nil
	}
	for _, item := range items {
		i := slices.IndexFunc(s.Cases, func(c record.Case) bool { return c.Account == t.Account && c.IsListedAs(item) })
		if i < 0 {
			continue
		}
		statuses, results := api.Spelled(api.CaseStates.First...), []string{"none"}
		for _, call := range s.callsOf(target.MED, http.MethodPatch) {
			if strings.HasSuffix(call.URL, "/"+s.Cases[i].ID) && !call.Refused() && call.Index < t.Index {
				statuses, results = append(statuses, call.Text("status")), append(results, cmp.Or(call.Text("analysisResult"), "none"))
			}
		}
		known := map[string][]string{"status": statuses, "analysisResult": results}
		if slices.Contains(statuses, string(api.Cancelled)) {
			delete(known, "analysisResult")
		}
		for name, was := range known {
			if got := jsonvalue.Text(item, name); got != "" && !slices.Contains(was, got) {
				expected := fmt.Sprintf("the %s of the case to be one that it has had: %s", name, strings.Join(slices.Compact(was), ", "))
				all = append(all, Breach{"med.analysis", expected, got, name})
			}
		}
	}
	return all
}
