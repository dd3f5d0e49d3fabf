package model

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

// caseMoves are the life of a MED case. What a case blocks of the account's money, and whether the payment
// can be refunded meanwhile, is unspecified.
var caseMoves = []Move{
	{Event: "is contested", Noun: "cob", From: states{api.Concluded}, Shows: "MED-034 MED-055 EVT-005", Late: true, Core: true, do: contest},
	{Event: "is contested", Noun: "cash-in", From: states{api.Confirmed}, Shows: "MED-034 MED-055 EVT-005", Late: true, Core: true, do: contest},
	{Event: "is opened against an unknown payment", Noun: medCase, Shows: "MED-009 MED-056", do: contestUnknown},
	{Event: "is received", Noun: medCase, From: states{api.Open}, Shows: "MED-035 MED-040", Core: true, do: moveCase(api.Received)},
	{Event: "is decided:", Noun: medCase, From: states{api.Received}, Ways: api.Spelled(api.Approved, api.Rejected), Shows: "MED-035 MED-041 EVT-006 EVT-007", Core: true, do: decideCase},
	{Event: "is cancelled", Noun: medCase, From: api.CaseStates.First, Shows: "MED-035", Core: true, do: moveCase(api.Cancelled)},
	{Event: "is looked at", Noun: medCase, From: anyCase, Shows: "MED-034 MED-035 MED-040 MED-041", Looks: true, do: lookAtCase},
	{Event: "is listed", Noun: medCase, From: anyCase, Ways: filters, Seldom: true, Shows: "MED-003 MED-008 MED-010 MED-025", do: listCases},
	{Event: "is found on one of several pages", Noun: medCase, From: anyCase, Shows: "MED-014 MED-025", do: pageCases},
	{Event: "is looked for on a small page", Noun: medCase, From: anyCase, Shows: "MED-003 MED-008 MED-009 MED-018 MED-025", Looks: true, do: pageFiltered},
	{Event: "is sent for a later page", Noun: "MED list request", Shows: "MED-015 MED-018 MED-022", do: pageUsual},
}

var anyCase = states{api.Open, api.Received, api.Cancelled, approved, rejected}

// contest opens a case against a charge that was paid.
func contest(p *play) {
	t := p.it
	p.needs(t.Account == language.TheAccount)
	p.when("a MED case is opened against %s", asPayment(p, t))
	openCase(p, t)
}

// contestUnknown: events are sent when a case is opened against a transaction. Whether they are if the account has no
// such transaction is unspecified.
func contestUnknown(p *play) {
	p.when("a MED case is opened against an unknown payment")
	openCase(p, nil)
}

// asPayment is what a case calls the charge that it is about: "the second payment".
func asPayment(p *play, t *Thing) string {
	return strings.TrimSuffix(p.refs.named(t), "charge") + "payment"
}

// openCase makes a case about a charge; nil for an unknown payment.
func openCase(p *play, charge *Thing) {
	again := slices.ContainsFunc(p.gw.Things, Thing.isReported)
	t := p.gw.openCase(p.step.ID, charge)
	if p.refs.made(t); t.isReported() {
		arrives(p, api.TypeMEDCreated, again)
	}
}

// moveCase has the bank move a case.
func moveCase(to api.State) func(*play) {
	return func(p *play) {
		p.when("the bank moves %s to %s", p.refs.named(p.it), to)
		p.gw.happen(p.it, spec.MovedTo(to), spec.IsDone)
	}
}

func decideCase(p *play) {
	again := slices.ContainsFunc(p.gw.Things, func(t Thing) bool { return t.isReported() && t.State == api.State(p.step.Way) })
	moveCase(api.State(p.step.Way))(p)
	if !p.it.isReported() || p.gw.Things.lastContested() != p.it.Of { // an event of a case is that of the last one
		return
	}
	arrives(p, api.AnalysisEvents[api.Analysis(p.it.State)], again)
}

// statusesOf are the statuses by which a list may show a case, and the one by which it surely does; empty if there are several.
func statusesOf(p *play, t *Thing) (all []api.State, only api.State) {
	known, _ := p.gw.state.Thing(spec.ID(t.ID))
	if all = known.May.CaseStatuses(); len(all) == 1 {
		only = all[0]
	}
	return all, only
}

func lookAtCase(p *play) {
	t := p.it
	p.when("the account sends a MED list request with:")
	p.with("query pageSize", 50+p.below(51))
	statuses, only := statusesOf(p, t)
	if p.oneIn(3) && only != "" {
		p.with("query status", only)
	}
	if p.oneIn(5) {
		p.with("query isReconciled", p.gw.Things.made(t.Of) != nil)
	}
	p.then("the request is accepted")
	p.then("%s is listed with:", p.refs.named(t))
	p.with("status", quoted(statuses...))
	switch t.State {
	case approved, rejected:
		p.with("analysisResult", "null or "+quoted(t.State))
	case api.Cancelled: // whether a result follows from that is unspecified
	default:
		p.with("analysisResult", "null")
	}
	charge := p.gw.Things.made(t.Of)
	p.with("isReconciled", charge != nil)
	if charge == nil {
		p.with("originalTransactionId", "null")
	} else {
		p.with("originalTransactionId", "a number")
		p.with("originalTransaction.amount", charge.Amount)
		p.with("originalTransaction.document", "masked")
		p.with("endToEnd", "the endToEndId of "+p.refs.named(charge))
	}
	p.refs.clear()
}

// mayListCases counts the requests for a MED list of a step, and reports whether they are few enough.
func mayListCases(p *play) bool {
	n := 0
	for _, line := range p.lines {
		switch {
		case line.Keyword != "When" || !strings.Contains(line.Text, "MED list"):
		case strings.Contains(line.Text, "pages through"):
			n += 1 + p.gw.Things.cases()
		default:
			n++
		}
	}
	return p.gw.listCases(n)
}

func listCases(p *play) {
	p.needs(p.gw.Settings.Often)
	p.then("the account's MED list contains exactly the matching cases for every %s", p.step.Way)
	if p.gw.Accounts[language.TheOther].Open {
		p.then("the other account's MED list contains exactly the matching cases for every filter")
	}
}

// pageUsual asks for a later page of the usual size. Whether there is one is unspecified.
func pageUsual(p *play) {
	p.when("the account sends a MED list request with query page %d", 2+p.below(3))
	p.then("the request is accepted, or rejected with 400")
	p.then("if the request was accepted, the response has:")
	p.with("metadata.pageSize", api.DefaultPageSize)
	p.refs.clear()
}

// pageFiltered asks for a small page of the cases that are like this one: a page is cut from what the filters leave. Whether
// there is a second one is unspecified.
func pageFiltered(p *play) {
	size, filters := pick(p, []int{1, 1, 2}), p.below(4)
	_, status := statusesOf(p, p.it)
	p.when("the account sends a MED list request with:")
	p.with("query pageSize", size)
	if filters < 3 || status == "" {
		p.with("query isReconciled", p.gw.Things.made(p.it.Of) != nil)
	}
	if filters > 1 && status != "" {
		p.with("query status", status)
	}
	if p.below(4) < 3 {
		p.then("the request is accepted")
		p.then("the metadata is consistent")
	} else {
		p.with("query page", 2)
		p.then("the request is accepted, or rejected with 400")
		p.then("if the request was accepted, the response has:")
		p.with("metadata.pageSize", size)
	}
	p.refs.clear()
}

func pageCases(p *play) {
	p.when("the account pages through a MED list request, %d items per page", 1+p.below(3))
	p.then("no item appears twice")
	p.refs.clear()
}
