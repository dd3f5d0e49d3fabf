package judge

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// listedItems returns the list items of a payment. A payment without an externalId is looked up
// by its end-to-end id, or on the first page.
func listedItems(s *Scenario, i int, p *record.Attempt, patience time.Duration) (*record.Attempt, []any, Result) {
	if p == nil {
		return nil, nil, nothingSent()
	}
	t := s.LookOf(i, listNoun)
	if t == nil {
		return nil, nil, undecided(lookForListing(p, patience))
	}
	items, r := itemsOf(t)
	return t, slices.DeleteFunc(slices.Clone(items), func(item any) bool { return !p.IsListedAs(item) || listing.IsReturned(item) }), r
}

func lookForListing(p *record.Attempt, patience time.Duration) Look {
	return Look{At: List, Op: api.MustNamed(listNoun), Account: p.Account, Query: ListingQuery(p), Patience: patience}
}

// ListingQuery is the filter that makes a list return a payment or charge.
func ListingQuery(p *record.Attempt) url.Values {
	query := url.Values{}
	if id, ok := p.ExternalID(); ok {
		query.Set("externalId", id)
	} else if p.EndToEndID != "" {
		query.Set("endToEndId", p.EndToEndID)
	}
	return query
}

// listed judges the list item of a payment, which must be listed exactly once.
func listed(s *Scenario, i int, p *record.Attempt, patience time.Duration, judge func(page *record.Attempt, item any) Result) Result {
	t, items, r := listedItems(s, i, p, patience)
	switch {
	case r.Verdict != verdict.Pass:
		return r
	case len(items) == 1:
		r = judge(t, items[0])
	default:
		r = failAt(t, "the payment to be listed exactly once", fmt.Sprintf("%d times", len(items)), "").in("data")
		if len(items) > 1 { // a replica that lags does not explain this
			return r
		}
	}
	if r.Verdict == verdict.Fail {
		r = r.pending(lookForListing(p, patience))
	}
	return r
}

// listedWith: "the payment is listed with:", "the first payment is listed with:".
func listedWith(s *Scenario, i int, m language.Has) Result {
	p, r := madeAs(s.View, m.Nth, api.Payment, api.Charge)
	if r.Verdict != verdict.Pass {
		return r
	}
	return listed(s, i, p, s.Terms.Deadlines.Webhook, func(page *record.Attempt, item any) Result {
		r := rowsHold(s, i, p, item, m.Rows)
		if r.Verdict == verdict.Fail && m.Nth != language.Last {
			r.Finding.Expected += " in the listing of the " + nthOf(m.Nth, "payment")
		}
		switch r.Verdict {
		case verdict.Fail:
			r.Finding.Exchange = page.Index
		case verdict.Pass:
			s.listed = item
		}
		return r
	})
}

// listedAsBefore: every field of the listed payment is as in the last look.
func listedAsBefore(s *Scenario, i int, m language.ListedAsBefore) Result {
	if s.listed == nil {
		return unrecorded("an earlier look at the listed payment")
	}
	r := listed(s, i, s.LastOf(api.Payment, api.Charge), optionalPatience(s.Terms.Deadlines.Webhook), func(page *record.Attempt, item any) Result {
		if jsonvalue.Equal(item, s.listed) {
			return pass()
		}
		before, now := differences("", s.listed, item)
		return failAt(page, "the listed payment to stay the same, with "+before, now, "")
	})
	return softened(r, m.Modality)
}

// differences returns the members in which two objects differ, with both values.
func differences(path string, a, b any) (inA, inB string) {
	x, isX := a.(map[string]any)
	y, isY := b.(map[string]any)
	if !isX || !isY {
		return path + " " + jsonvalue.Found{Value: a, Present: true}.String(), path + " " + jsonvalue.Found{Value: b, Present: true}.String()
	}
	names := maps.Clone(x)
	maps.Copy(names, y)
	var as, bs []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		v, inX := x[name]
		w, inY := y[name]
		if inX == inY && jsonvalue.Equal(v, w) {
			continue
		}
		before, now := differences(strings.TrimPrefix(path+"."+name, "."), v, w)
		as, bs = append(as, before), append(bs, now)
	}
	return strings.Join(as, ", "), strings.Join(bs, ", ")
}

// hasState judges the state of a payment, charge or refund, from a list or a control.
func hasState(s *Scenario, i int, m language.HasState) Result {
	t, r := stateHolder(s, m)
	if r.Verdict != verdict.Pass {
		return r
	}
	subject, control, _ := shownBy(t)
	look := Look{At: subject, Account: t.Account, Of: t, Patience: s.Terms.Deadlines.Webhook}
	state, index := api.State("no status"), -1
	if t.Is(api.Refund) {
		_, r = RefundID(t)
	}
	switch call, ok := s.CallOf(i, string(control)); {
	case r.Verdict != verdict.Pass:
		return r
	case control == "":
		look = lookForListing(t, look.Patience)
		state, index, r = statusListed(s, i, t, look.Patience)
	case !ok:
		return undecided(look)
	default:
		state, index = cmp.Or(stateIn(call), state), call.Index
	}
	if r.Verdict != verdict.Pass || state == m.State {
		return r
	}
	return softened(failBy(index, "the state "+string(m.State)+ofNth(m.Nth, t), string(state)).in("status").pending(look), m.Modality)
}

// stateHolder is what a sentence about a state speaks of. "Its state" is that of the thing that the
// scenario has brought into a state.
func stateHolder(s *Scenario, m language.HasState) (*record.Attempt, Result) {
	kinds := []api.Made{m.Of}
	if m.Of == api.Nothing {
		kinds = []api.Made{api.Payment, api.Charge, api.Refund}
		if t := s.subject(); t != nil && s.Meant() == nil {
			return t, pass()
		}
	}
	return madeAs(s.View, m.Nth, kinds...)
}

// ofNth names the charge or refund that a sentence counts; empty if it is the last.
func ofNth(n language.Nth, t *record.Attempt) string {
	if n == language.Last {
		return ""
	}
	return " of the " + nthOf(n, t.Op.Noun)
}

// statusListed reads the state of a payment from the list, and the index of the page.
func statusListed(s *Scenario, i int, t *record.Attempt, patience time.Duration) (state api.State, index int, r Result) {
	page, items, r := listedItems(s, i, t, patience)
	switch {
	case r.Verdict != verdict.Pass:
		return "", -1, r
	case len(items) == 0:
		return "not listed", page.Index, r
	}
	label := jsonvalue.Text(items[0], "status")
	return cmp.Or(listing.StateOf(items[0]), api.State(label), "no status"), page.Index, r
}

// shownBy is how the state of a thing is read that no list has to show, and its id there.
func shownBy(t *record.Attempt) (Subject, target.Control, string) {
	switch {
	case t.Op.ID == "cob":
		return ChargeState, target.Charges, t.Parameter("txid")
	case t.Is(api.Refund):
		return RefundState, target.Refunds, jsonvalue.Text(t.Answer, "rtrId")
	}
	return "", "", ""
}

// stateIn is the state that a control has shown. A call that failed is an obstacle.
func stateIn(c record.Call) api.State {
	answer, _ := jsonvalue.Decode(c.ResponseBody)
	return api.State(jsonvalue.Text(answer, "status"))
}
