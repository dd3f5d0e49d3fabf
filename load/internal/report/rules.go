package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// ruleTable is how often each rule of the API was broken.
func ruleTable(r result.Result) table {
	t := table{Title: "Rules of the API under load", Columns: slices.Concat(figures("asked", "broken"), []column{text("rule")})}
	for _, rule := range r.Rules {
		words := rule.Says
		switch {
		case rule.Missing != nil:
			words += "; skipped: missing controls " + strings.Join(rule.Missing, ", ")
		case rule.Broken > 0:
			words = fmt.Sprintf("%s: at %s requests a second, it breaks in %s of %s; first %s",
				rule.Says, number(round(paceOf(r).Mean)), count(rule.Broken), count(rule.Asked), rule.Examples[0])
		}
		t.add(markIf(rule.Broken > 0, bad), count(rule.Asked), count(rule.Broken), words)
	}
	return t
}

// unasked says about which rules nothing was asked, because test controls are missing; empty: none.
func unasked(r result.Result) string {
	var names, controls []string
	for _, rule := range r.Rules {
		if rule.Missing != nil {
			names, controls = append(names, rule.Name), append(controls, rule.Missing...)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(controls)
	return fmt.Sprintf("questions skipped: %s; missing controls: %s", strings.Join(names, ", "), strings.Join(slices.Compact(controls), ", "))
}
