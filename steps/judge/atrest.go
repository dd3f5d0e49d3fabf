package judge

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

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
	byFilter(listNoun, "externalId", "endToEndId")
	if !s.mayListMore(api.MustNamed(listNoun), s.of) {
		look(listNoun, listing.Query{})
		byFilter(listNoun, "status", "type")
		if s.listsSentByKey() {
			byFilter("list-by-key request", "pixKey")
		}
	}
	return all
}

// listsSentByKey: the scenario has found that lists by key contain what was sent to a key. Whose key they are about is
// open ("list by the receiver's own key").
func (s atRest) listsSentByKey() bool {
	return slices.ContainsFunc(s.Steps, func(step language.Step) bool {
		m, is := step.Meaning.(language.ListsSent)
		return is && m.Operation.ID == "listTransactionsByKey"
	})
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
