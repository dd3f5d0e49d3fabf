package judge

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// An event changes what it is about, and nothing else. What else there is, and how it has to be, follows from what the
// scenario has done to it, so that a gateway that is slow, or whose lists lag, is not mistaken for one that changes what
// it should not.

// sideEffects is what a scenario has made, as a step finds it after its When.
type sideEffects struct {
	*Scenario
	i int // the step
}

// nothingChanges: everything that the scenario has made, and that no other sentence of this When
// speaks of, is in the state that the scenario has brought it into; lists, balances and events
// show nothing else.
func nothingChanges(s *Scenario, i int, m language.NothingChanges) Result {
	if len(s.Attempts) == 0 {
		return nothingSent()
	}
	effects := sideEffects{s, i}
	r := eventsHaveCauses(s)
	for _, stay := range []func() Result{effects.chargesAndRefundsStay, effects.listsStay, effects.casesStay, effects.moneyStays} {
		if m.OnlyEvents || r.Verdict != verdict.Pass {
			break
		}
		r = stay()
	}
	if r.Verdict == verdict.Fail {
		r.Finding.AddHint(effects.circumstances())
	}
	return unlessShared(s, r)
}

// circumstances name the state and the event that a finding is about: "for a cob that is CONCLUIDA, when a
// payer tries to pay the charge".
func (s sideEffects) circumstances() string {
	state := ""
	for _, step := range s.Steps[:s.i] {
		if m, is := step.Meaning.(language.InState); is {
			state = fmt.Sprintf("for %s %s that is %s, ", article(m.Noun), m.Noun, m.State)
		}
	}
	return state + "when " + strings.TrimSuffix(language.SpokenWhen(s.Steps, s.i), ":")
}

// isSpokenOf: another sentence of this When states what becomes of it. One that has said so with "should" says nothing of
// what becomes of it for good.
func (s sideEffects) isSpokenOf(t *record.Attempt) bool {
	from := language.WhenOf(s.Steps, s.i)
	for j, step := range s.Steps {
		m, is := step.Meaning.(language.HasState)
		if !is || j < from && m.Modality != language.Should {
			continue
		}
		if of, r := stateHolder(s.Scenario, m); r.Verdict == verdict.Pass && of == t {
			return true
		}
	}
	return false
}

// others are the things that the scenario has made of some kind, and that it does not speak of.
func (s sideEffects) others(is func(*record.Attempt) bool) []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		return !t.Accepted() || t.Is(api.Nothing) || !is(t) || s.isSpokenOf(t)
	})
}

// chargesAndRefundsStay: cobs and refunds are in the state that they have been brought into, as far
// as the scenario uses the controls that show it.
func (s sideEffects) chargesAndRefundsStay() Result {
	shown := func(t *record.Attempt) bool {
		_, control, id := shownBy(t)
		return id != "" && s.uses(control) && s.gateway().state(t) != ""
	}
	for _, t := range s.others(shown) {
		subject, control, id := shownBy(t)
		look := Look{At: subject, Account: t.Account, Of: t, Place: id, Patience: s.Terms.Deadlines.Webhook}
		call, ok := s.callAbout(control, id)
		if !ok {
			return undecided(look)
		}
		if state := stateIn(call); state != s.gateway().state(t) {
			return failBy(call.Index, nameOfThing(t)+" to stay "+string(s.gateway().state(t)), string(state)).in("status").pending(look)
		}
	}
	return pass()
}

// uses reports whether a sentence of the scenario needs a control.
func (s sideEffects) uses(control target.Control) bool {
	return slices.ContainsFunc(s.Steps, func(step language.Step) bool { return slices.Contains(step.Effects.Controls, control) })
}

// callAbout is the last call in a step by which a control shows the thing with an id.
func (s sideEffects) callAbout(control target.Control, id string) (last record.Call, ok bool) {
	for _, c := range s.callsOf(control, "GET") {
		if c.Step == s.i && strings.HasSuffix(c.URL, "/"+id) {
			last, ok = c, true
		}
	}
	return last, ok
}

// lookFor returns what a step has last read with a query.
func (s sideEffects) lookFor(noun string, account language.Account, query url.Values) *record.Attempt {
	for _, t := range slices.Backward(s.Looks) {
		if t.Step == s.i && t.Role == record.Look && t.Op.Noun == noun && t.Account == account && t.Query().Encode() == query.Encode() {
			return t
		}
	}
	return nil
}

// listedFor is how long a list certainly shows a transaction to those who state no dates.
const listedFor = api.SinceByKey - 24*time.Hour

// wholeList is the query of a list with everything that a new account has.
func wholeList(noun string) url.Values {
	return url.Values{api.MustNamed(noun).SizeParameter(): {strconv.Itoa(api.FullPageSize)}}
}

// readAll reads a list of an account.
func (s sideEffects) readAll(noun string, account language.Account, query url.Values) (*record.Attempt, []any, Look, Result) {
	look := Look{At: List, Op: api.MustNamed(noun), Account: account, Query: query, Patience: s.Terms.Deadlines.Webhook}
	page := s.lookFor(noun, account, query)
	if page == nil {
		return nil, nil, look, undecided(look)
	}
	items, r := itemsOf(page)
	return page, items, look, r
}

// listsStay: the list of transactions shows each payment once, in its state, and nothing as
// confirmed that is not.
func (s sideEffects) listsStay() Result {
	if s.passedSince(0) >= listedFor || slices.Contains(s.Terms.Lacks, target.Public) {
		return pass()
	}
	for of, account := range s.Accounts {
		whose := language.Account(of)
		known := s.others(func(t *record.Attempt) bool {
			return t.Account == whose && t.Op.Listed != "" && s.gateway().state(t) != ""
		})
		orders := slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.Account == whose && !t.Is(api.Nothing) })
		if !account.Opened || !orders {
			continue
		}
		r := each(known, func(t *record.Attempt) Result {
			query := wholeList(listNoun)
			if account.Fixed { // its history may be longer than a page
				query = ListingQuery(t)
			}
			page, items, look, r := s.readAll(listNoun, whose, query)
			if r.Verdict != verdict.Pass {
				return r
			}
			return s.listedOnce(page, items, t, look)
		})
		if r.Verdict == verdict.Pass && !account.Fixed {
			r = s.nothingElseListed(whose)
		}
		if r.Verdict != verdict.Pass {
			return r
		}
	}
	return pass()
}

// listedOnce: an account's payment is listed once, and in its state. It may be looked at again, unless it is listed
// more often, which no lag explains.
func (s sideEffects) listedOnce(page *record.Attempt, items []any, t *record.Attempt, again Look) Result {
	items = slices.DeleteFunc(slices.Clone(items), func(item any) bool { return !t.IsListedAs(item) || listing.IsReturned(item) })
	if len(items) != 1 {
		r := failAt(page, nameOfThing(t)+" to be listed once", fmt.Sprintf("%d times", len(items)), "").in("data")
		if len(items) > 1 {
			return r
		}
		return r.pending(again)
	}
	wanted := s.gateway().state(t)
	if listing.StateOf(items[0]) == wanted {
		return pass()
	}
	return failAt(page, fmt.Sprintf("%s to stay %s (%s)", nameOfThing(t), wanted, wanted.Label()), jsonvalue.Text(items[0], "status"), "").in("status").pending(again)
}

// nothingElseListed: a list shows no more transactions as confirmed than there can be. It may be looked at again,
// unless it shows one of them twice.
func (s sideEffects) nothingElseListed(account language.Account) Result {
	page, items, again, r := s.readAll(listNoun, account, wholeList(listNoun))
	listed, ids, twice := map[string]int{}, map[string]bool{}, false
	for _, item := range items {
		amount, ok := money.At(item, "originalAmount")
		operation := listing.TypeOf(item)
		if listing.StateOf(item) != api.Confirmed || !ok || !s.isCountable(operation) {
			continue
		}
		id := listing.IDOf(page.Op, item)
		twice, ids[id] = twice || ids[id], id != ""
		key := fmt.Sprintf("%s of %v", operation.Label(), amount)
		listed[key]++
		if most := s.mostListed(account, operation, amount); listed[key] > most {
			r := failAt(page, fmt.Sprintf("no more than %d %s to be listed as %s", most, key, api.Confirmed.Label()), fmt.Sprint(listed[key]), "").in("data")
			if twice {
				return r
			}
			return r.pending(again)
		}
	}
	return r
}

// isCountable: whether lists show splits and the payments that a MED case leads to is open ("splits in the list of
// transactions", "payments of a MED case"), and so is whether they show the money of a failed payment as returned ("money
// of a payment that failed").
func (s sideEffects) isCountable(operation api.TransactionType) bool {
	splits := slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		_, has := t.SentField("splits")
		return has
	})
	return operation == api.PixIn || !s.hasCases() && (operation == api.RefundIn || operation == api.PixOut && !splits)
}

// mostListed is how many transactions of an amount a list may show as confirmed: those of which the
// scenario knows that they are, or does not know that they are not.
func (s sideEffects) mostListed(account language.Account, operation api.TransactionType, amount money.Centavos) int {
	listed, _ := api.Labelled(operation.Label())
	most := 0
	for _, t := range s.Requests() {
		of, ok := t.Amount()
		if !t.Is(listed.Made) || t.Account != account || definitelyRejected(t) || ok && of != amount && !s.paysOtherAmounts() {
			continue
		}
		if state := s.gateway().state(t); state == "" || (spec.WasPaid | spec.DidSucceed).Has(state) || s.isSpokenOf(t) {
			most++
		}
	}
	return most
}

// casesStay: the MED list shows each case in the state that it was moved to, unless that is open: see isTried.
func (s sideEffects) casesStay() Result {
	if len(s.Cases) == 0 || slices.Contains(s.Terms.Lacks, target.MEDFamily) {
		return pass()
	}
	page, items, look, r := s.readAll("MED list request", language.TheAccount, wholeList("MED list request"))
	if r.Verdict != verdict.Pass || s.Accounts[language.TheAccount].Fixed && len(items) == api.FullPageSize {
		return r
	}
	for n, c := range s.Cases {
		if s.isTried(c) {
			continue
		}
		may, _ := s.gateway().caseBefore(c, len(s.Exchanges))
		wanted := api.Spelled(may.CaseStatuses()...)
		expected := fmt.Sprintf("case %d to stay %s", n+1, strings.Join(wanted, " or "))
		at := slices.IndexFunc(items, c.IsListedAs)
		if at < 0 {
			return failAt(page, expected, "not listed", "").in("data").pending(look)
		}
		if state := jsonvalue.Text(items[at], "status"); !slices.Contains(wanted, state) {
			return failAt(page, expected, state, "").in("status").pending(look)
		}
	}
	return pass()
}

// moneyStays: the scenario's accounts have what its requests leave them.
func (s sideEffects) moneyStays() Result {
	for of, account := range s.Accounts {
		whose := language.Account(of)
		may, ok := s.moneyOf(whose).canHave()
		if !account.Opened || !ok {
			continue
		}
		look := Look{At: Balance, Account: whose, Patience: s.Terms.Deadlines.Balance}
		t := s.lookFor(balanceNoun, whose, nil)
		if t == nil {
			return undecided(look)
		}
		b, read := t.Balance()
		if read && !may.Holds(b.Available) {
			return failAt(t, fmt.Sprintf("%s to have %s available", whose, may), b.Available.String(), "").in("available").pending(look)
		}
	}
	return pass()
}
