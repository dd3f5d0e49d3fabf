package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A list that lacks a payment when a step first reads it, and contains it later, comes from a replica that
// lags, or leaves payments out now and then. To tell the two apart, the world reads it again when no replica can lag
// any longer: every response must contain what the list has contained. The same applies to balances.

// Unsteady returns the last response of each list that lacked something when a step first read it, and of each
// balance that changed between the step's reads.
func (s *facts) Unsteady(i int) []*record.Attempt {
	return append(unsteadyLists(s, i), unsteadyBalances(s, i)...)
}

func unsteadyBalances(s *facts, i int) (all []*record.Attempt) {
	for of, account := range s.Accounts {
		var first, last *record.Attempt
		for _, t := range s.Looks {
			if _, ok := t.Balance(); ok && t.Step == i && t.Role == record.Look && t.Account == language.Account(of) && !account.Shared {
				first, last = cmp.Or(first, t), t
			}
		}
		if first != nil && funds(first) != funds(last) {
			all = append(all, last)
		}
	}
	return all
}

// funds are what a balance shows.
func funds(t *record.Attempt) [2]money.Centavos {
	b, _ := t.Balance()
	return [2]money.Centavos{b.Available, b.Blocked}
}

// watchedBalancesStay: a balance does not go back to an earlier value while it is watched. Settlement moves it, but never
// back.
func watchedBalancesStay(s *facts) (all []Met) {
	for of := range s.Accounts {
		var seen [][2]money.Centavos // in one step
		step := -1
		for _, t := range s.Looks {
			if _, ok := t.Balance(); !ok || t.Role != record.Watched || t.Account != language.Account(of) {
				continue
			}
			if t.Step != step {
				step, seen = t.Step, nil
			}
			n, now := len(seen), funds(t)
			if n > 0 && seen[n-1] != now && slices.Contains(seen, now) {
				return append(all, flip(s, t, now, seen[n-1]))
			}
			seen = append(seen, now)
		}
	}
	return all
}

func flip(s *facts, t *record.Attempt, now, was [2]money.Centavos) Met {
	rule := "balance.centavos"
	if moves, ok := s.moneyOf(t.Account).moves(); ok && len(moves) > 0 {
		rule = moves[len(moves)-1].by.Money
	}
	got := fmt.Sprintf("%v available and %v blocked, then %v and %v, and back", now[0], now[1], was[0], was[1])
	return Met{Breach{rule, "the balance to stay what it is while nothing moves it", got, "data[0].balanceAmount"}, t.Exchange}
}

func unsteadyLists(s *facts, i int) (all []*record.Attempt) {
	last := map[string]*record.Attempt{} // by account and URL
	var lists []string
	lacked := map[string]bool{}
	for _, t := range s.Looks {
		if t.Step != i || t.Role != record.Look || !keeps(s, t) {
			continue
		}
		list := fmt.Sprint(t.Account, t.URL)
		earlier, isKnown := last[list]
		if !isKnown {
			lists = append(lists, list)
		}
		lacked[list] = lacked[list] || isKnown && len(listing.Missing(earlier, t)) > 0
		last[list] = t
	}
	for _, list := range lists {
		if lacked[list] {
			all = append(all, last[list])
		}
	}
	return all
}

// keeps reports whether what the list of a response contains stays on it while the clock does not move: all is on one
// page. Others add to the list of an account that they share.
func keeps(s *facts, t *record.Attempt) bool {
	items, ok := t.Items()
	query := t.Query()
	total, isKnown := listing.WholeNumber(t.Answer, "metadata.total")
	isOfID := query.Get("externalId")+query.Get("endToEndId") != ""
	isWhole := isOfID || isKnown && total <= max(len(items), 1) && t.Op.ID != "listTransactionsByKey" && !s.Accounts[t.Account].Shared
	return ok && t.Accepted() && isPaged(t.Op) && isWhole
}

// watchedListsKeepItems: a list that is watched does not lack, in some responses, what it has contained before.
func watchedListsKeepItems(s *facts) (all []Met) {
	type watched struct {
		shown          *record.Attempt // what it contained
		first          *record.Attempt // that lacks some of it; nil for none
		item           any
		reads, lacking int
	}
	lists := map[string]*watched{} // by account and URL
	for _, t := range s.Looks {
		list := fmt.Sprint(t.Account, t.URL)
		switch l := lists[list]; {
		case !keeps(s, t), l != nil && l.first != nil && t.Role != record.Watched:
		case t.Role == record.Look:
			lists[list] = &watched{shown: t}
		case t.Role == record.Watched && l != nil && !clockMoved(s, l.shown, t):
			l.reads++
			if lacks := listing.Missing(t, l.shown); len(lacks) > 0 {
				l.lacking++
				if l.first == nil {
					l.first, l.item = t, lacks[0]
				}
			}
		}
	}
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		l := lists[list]
		if l.first == nil {
			continue
		}
		name := cmp.Or(jsonvalue.Text(l.item, "externalId"), listing.IDOf(l.first.Op, l.item))
		all = append(all, Met{Breach{
			ruleOfList(l.first), fmt.Sprintf("%s to keep listing %q", listing.Request(l.first), name), fmt.Sprintf("missing from %d of %d responses", l.lacking, l.reads), "data",
		}, l.first.Exchange})
	}
	return all
}

// clockMoved reports whether the scenario moved the clock between two responses.
func clockMoved(s *facts, before, after *record.Attempt) bool {
	return slices.ContainsFunc(s.callsOf(target.Clock, ""), func(c record.Call) bool { return before.Index < c.Index && c.Index < after.Index })
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
