package judge

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
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
	rule := ruleOfMoney(nil)
	if moves, ok := s.moneyOf(t.Account).moves(); ok {
		rule = ruleOfMoney(moves)
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
		case t.Role == record.Watched && l != nil && !slices.ContainsFunc(s.callsOf(target.Clock, ""), func(c record.Call) bool { return l.shown.Index < c.Index && c.Index < t.Index }):
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

// A list that lacks a payment is read again while a scenario runs, since a replica may lag. Once all
// scenarios have ended and every replica has caught up, every list has to show what it should, each time.

// AtRestLooks are lists that must show what the bank has confirmed or done for an account: MED cases, and a
// payment by each filter of which its value is known. On an account with a history only ids tell which page
// shows it.
func (s *Scenario) AtRestLooks(of language.Account) []*Look { return atRest{&s.facts, of}.looks() }

// atRest is what lists must show of an account once all scenarios have ended.
type atRest struct {
	*facts
	of language.Account
}

func (s atRest) looks() (all []*Look) {
	look := func(noun string, q listing.Query) {
		op := api.MustNamed(noun)
		all = append(all, &Look{At: List, Op: op, Account: s.of, Query: q.Page(op, 1), PixKey: q.PixKey()})
	}
	hasHistory := s.Accounts[s.of].Fixed || s.Accounts[s.of].Shared
	if !hasHistory && len(s.cases()) > 0 {
		look("MED list request", listing.Query{})
	}
	confirmed := s.confirmed()
	if len(confirmed) == 0 {
		return all
	}
	k := confirmed[len(confirmed)-1]
	byFilter := func(noun string, filters ...string) {
		for _, filter := range filters {
			if value, ok := k.Value(filter); ok && value != "" {
				look(noun, listing.Query{}.With(filter, value))
			}
		}
	}
	// Whose key a list by key is about is open ("list by the receiver's own key").
	findsSent := func(step language.Step) bool {
		m, is := step.Meaning.(language.ListsSent)
		return is && m.Operation.ID == "listTransactionsByKey"
	}
	byFilter(listNoun, "externalId", "endToEndId")
	if !s.mayListMore(api.MustNamed(listNoun), s.of) {
		look(listNoun, listing.Query{})
		byFilter(listNoun, "status", "type")
		if slices.ContainsFunc(s.Steps, findsSent) {
			byFilter("list-by-key request", "pixKey")
		}
	}
	return all
}

// confirmed are the payments of an account that the bank has confirmed, as lists show them. None is known if
// the clock was moved, since a list without dates ends some days ago, or if money may have come back.
func (s atRest) confirmed() (all []*listing.Item) {
	if s.hasCases() || len(s.callsOf(target.Clock, "")) > 0 {
		return nil
	}
	left := s.SettledPayments(s.of)
	for _, k := range s.knownPayments(s.of) {
		isLeft := func(t *record.Attempt) bool { return !t.Returned && jsonvalue.Text(t.Answer, "transactionId") == k.ID }
		if k.Own && slices.ContainsFunc(left, isLeft) {
			k.Values["status"] = api.Spelled(api.Confirmed)
			all = append(all, k)
		}
	}
	return all
}

// cases are an account's MED cases, unless the clock was moved since they were opened. What a refund makes of them is
// open ("MED case that moves by itself").
func (s atRest) cases() []*listing.Item {
	if len(s.callsOf(target.Clock, "")) > 0 {
		return nil
	}
	cases := slices.DeleteFunc(s.knownCases(s.of), func(k *listing.Item) bool { return !k.Own || k.ID == "" })
	for _, k := range cases {
		isIt := func(c record.Case) bool { return c.ID == k.ID }
		if i := slices.IndexFunc(s.Cases, isIt); s.refunds() || s.isTried(s.Cases[i]) {
			k.Values["status"] = api.Spelled(api.CaseStates.All()...)
		}
	}
	return cases
}

// listsAllAtRest: at rest, a list lacks nothing that it must show, and shows no MED case in an earlier state.
func listsAllAtRest(s *facts, t *record.Attempt) []Breach {
	items, ok := t.Items()
	if !s.IsAtRest(t) || !t.Accepted() || !ok || !isPaged(t.Op) || len(items) == api.DefaultPageSize {
		return nil
	}
	q, filter := listing.Query{}, ""
	for name := range t.Query() {
		q, filter = q.With(name, t.Query().Get(name)), name
	}
	if key, err := url.PathUnescape(t.Parameter("pixKey")); err == nil && key != "" {
		q, filter = q.With("pixKey", key), "pixKey"
	}
	rest := atRest{s, t.Account}
	rule, what, expected := listRules[filter], "payment that the bank has confirmed", rest.confirmed
	if t.Op.ID == "listMeds" {
		rule, what, expected = "med.case", "case", rest.cases
	}
	for _, k := range expected() {
		if q.Fit(k) != listing.Inside {
			continue
		}
		i := slices.IndexFunc(items, func(item any) bool { return listing.IDOf(t.Op, item) == k.ID })
		if i < 0 {
			return []Breach{{rule, listing.Request(t) + " to list each " + what, fmt.Sprintf("without %q", k.Name), "data"}}
		}
		if got := jsonvalue.Text(items[i], "status"); t.Op.ID == "listMeds" && got != "" && !slices.Contains(k.Values["status"], got) {
			return []Breach{{"med.analysis", fmt.Sprintf("%s to list %q as such each time", listing.Request(t), k.Name), got, "status"}}
		}
	}
	return nil
}
