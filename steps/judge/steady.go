package judge

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list that lacks a payment when a step first reads it, and contains it later, comes from a replica that
// lags, or leaves payments out now and then. Which of the two shows when no replica can lag any longer: the
// world then reads it some times more, and what it has contained it must contain each time.

// Unsteady returns the last response of each list that lacked something when a step read it first.
func (s *facts) Unsteady(i int) (all []*record.Attempt) {
	last := map[string]*record.Attempt{} // by account and URL
	var lists []string
	lacked := map[string]bool{}
	for _, t := range s.Looks {
		if t.Step != i || t.Role != record.Look || !s.keeps(t) {
			continue
		}
		list := fmt.Sprint(t.Account, t.URL)
		earlier, isKnown := last[list]
		if !isKnown {
			lists = append(lists, list)
		}
		lacked[list] = lacked[list] || isKnown && len(missingIn(earlier, t)) > 0
		last[list] = t
	}
	for _, list := range lists {
		if lacked[list] {
			all = append(all, last[list])
		}
	}
	return all
}

// keeps reports whether what the list of a response contains stays on it: all is on one page, and the clock does
// not move. Others add to the list of an account that they share.
func (s *facts) keeps(t *record.Attempt) bool {
	items, ok := t.Items()
	query := t.Query()
	total, isKnown := wholeNumber(t.Answer, "metadata.total")
	isOfID := query.Get("externalId")+query.Get("endToEndId") != ""
	isWhole := isOfID || isKnown && total <= max(len(items), 1) && t.Op.ID != "listTransactionsByKey" && !s.Accounts[t.Account].Shared
	return ok && t.Accepted() && paged[t.Op.ID].most > 0 && isWhole && len(s.callsOf(target.Clock, "")) == 0
}

// missingIn returns the items of a response that another one of the same list lacks. By their state, those stay that
// the bank has decided.
func missingIn(t, of *record.Attempt) (all []any) {
	had, _ := of.Items()
	items, _ := t.Items()
	for _, item := range had {
		id, status := itemID(t.Op, item), jsonvalue.Text(item, "status")
		mayLeave := t.Query().Has("status") && status != statusLabels["CONFIRMED"] && status != statusLabels["ERROR"]
		if id != "" && !mayLeave && !slices.ContainsFunc(items, func(other any) bool { return itemID(t.Op, other) == id }) {
			all = append(all, item)
		}
	}
	return all
}

// vanished: a list that is read again lacks what it contained before.
func (s audit) vanished(t *record.Attempt) []Breach {
	if t.Role != record.Watched || !s.keeps(t) {
		return nil
	}
	for _, shown := range slices.Backward(s.Looks) {
		if shown.Role != record.Look || shown.Index > t.Index || shown.Account != t.Account || shown.URL != t.URL {
			continue
		}
		lacks := missingIn(t, shown)
		if len(lacks) == 0 {
			return nil
		}
		name := jsonvalue.Text(lacks[0], "externalId")
		if name == "" {
			name = itemID(t.Op, lacks[0])
		}
		return []Breach{{ruleOfList(t), requestOf(t) + " to list in every response what it has listed", fmt.Sprintf("without %q in one of several", name), "data"}}
	}
	return nil
}

// ruleOfList is the rule of the first filter that a list was requested by.
func ruleOfList(t *record.Attempt) string {
	if t.Op.ID == "listMeds" {
		return "med.case"
	}
	for _, filter := range []string{"externalId", "endToEndId", "type", "status"} {
		if t.Query().Has(filter) {
			return listRules[filter]
		}
	}
	return listRules[""]
}
