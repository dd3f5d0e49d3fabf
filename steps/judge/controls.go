package judge

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// statesStay: a control shows a thing only in states that exist, of which the later ones do not change any more.
func statesStay(control target.Control, noun string, states api.Lifecycle) func(*facts) []Met {
	return func(s *facts) (all []Met) {
		ended := map[string]api.State{}
		for _, c := range responsesOf(s, control) {
			was, now := ended[keyOf(c)], stateIn(c)
			switch {
			case now == "":
			case was != "" && now != was:
				all = append(all, metIn(c.Exchange, breach(fmt.Sprintf("a %s that is %s to stay so", noun, was), string(now), "status"))...)
			case slices.Contains(states.Later, now):
				ended[keyOf(c)] = now
			case !slices.Contains(states.First, now):
				named := strings.Join(api.Spelled(states.All()...), ", ")
				all = append(all, metIn(c.Exchange, breach("a "+noun+" to be one of "+named, string(now), "status"))...)
			}
		}
		return all
	}
}

// divisionsAddUp: the parts of a paid charge always add up to the same.
func divisionsAddUp(s *facts) (all []Met) {
	payments := s.callsOf(target.Payments, http.MethodPost)
	totals := map[string]money.Centavos{}
	for _, c := range responsesOf(s, target.Splits) {
		d, _ := divisionIn(c)
		parts, left, err := amountsOf(d)
		now := left + sum(parts)
		if err != nil || len(payments) == 0 || c.Index < payments[0].Index {
			continue
		}
		was, known := totals[keyOf(c)]
		switch {
		case !known:
			totals[keyOf(c)] = now
		case now != was:
			all = append(all, metIn(c.Exchange, breach(fmt.Sprintf("the splits and what is left to add up to %v, as in another response", was), now.String(), ""))...)
		}
	}
	return all
}

// responsesOf are the calls by which a control has shown something.
func responsesOf(s *facts, control target.Control) []record.Call {
	return slices.DeleteFunc(s.callsOf(control, http.MethodGet), func(c record.Call) bool { return c.Status != http.StatusOK })
}

// keyOf is what a call of a control asked for.
func keyOf(c record.Call) string { return c.URL + " " + string(c.Body) }

// Unpaid are the charges with splits that nobody has paid. They are looked at after the last step, whatever
// the scenario is about.
func (s *facts) Unpaid() []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		_, ok := t.PayCode()
		return len(jsonvalue.Items(t.Request, "splits")) == 0 || jsonvalue.Text(t.Answer, "transactionId") == "" || !ok || s.gateway().may(t).Overlaps(spec.WasPaid)
	})
}

// noneIsPaidEarly: no look at a charge shows a split as paid, although nobody has paid the charge.
func noneIsPaidEarly(s *facts) (all []Met) {
	for _, t := range s.Unpaid() {
		for _, c := range s.callsOf(target.Splits, http.MethodGet) {
			of, err := url.Parse(c.URL)
			d, unreadable := divisionIn(c)
			isPaid := func(split target.Split) bool { return split.Status == "PAID" }
			if errors.Join(err, unreadable) == nil && of.Query().Get("transactionId") == jsonvalue.Text(t.Answer, "transactionId") && slices.ContainsFunc(d.Splits, isPaid) {
				all = append(all, Met{Breach{"splits.unpaid", "no split of a charge to be PAID that nobody has paid", "PAID", "splits"}, c.Exchange})
			}
		}
	}
	return all
}

// divisionIn is the division that a control has shown.
func divisionIn(c record.Call) (d target.Division, err error) {
	err = target.DecodeControl(c.ResponseBody, &d)
	return d, err
}

func sum(amounts []money.Centavos) (total money.Centavos) {
	for _, amount := range amounts {
		total += amount
	}
	return total
}

func amountsOf(d target.Division) (parts []money.Centavos, left money.Centavos, err error) {
	for _, split := range d.Splits {
		part, err := money.Parse(split.Amount)
		if err != nil {
			return nil, 0, err
		}
		parts = append(parts, part)
	}
	left, err = money.Parse(d.Left)
	return parts, left, err
}

// division returns the splits of a charge from the control, in the order of its request, and the
// index of that call.
func division(s *Scenario, i int, of language.Nth, patience time.Duration) (d target.Division, index int, r Result) {
	c, r := madeAs(s.View, of, api.Charge)
	if r.Verdict != verdict.Pass {
		return d, -1, r
	}
	if !c.Accepted() || jsonvalue.Text(c.Answer, "transactionId") == "" {
		return d, -1, couldNotTest("no charge was accepted: " + c.Summary())
	}
	call, ok := s.CallOf(i, string(target.Splits))
	if !ok {
		return d, -1, undecided(Look{At: Splits, Account: c.Account, Of: c, Patience: patience})
	}
	d, _ = divisionIn(call) // a failed control call is an obstacle
	d.Splits = asRequested(d.Splits, jsonvalue.Items(c.Request, "splits"))
	return d, call.Index, pass()
}

// splitsAre waits for the status of each split: one of all, or those in their order.
func splitsAre(s *Scenario, i int, m language.SplitsAre) Result {
	patience := s.Terms.Deadlines.Webhook
	d, index, r := division(s, i, m.Charge, patience)
	if r.Verdict != verdict.Pass {
		return r
	}
	c, _ := s.Nth(m.Charge, api.Charge)
	wanted := m.Statuses
	if len(wanted) == 1 {
		wanted = slices.Repeat(wanted, len(d.Splits))
	}
	switch {
	case len(d.Splits) == 0:
		return failAt(c, "the splits of the "+nthOf(m.Charge, "charge"), "none", "")
	case len(d.Splits) != len(wanted):
		return failBy(index, fmt.Sprintf("%d splits", len(wanted)), fmt.Sprint(len(d.Splits))).in("splits")
	}
	for n, split := range d.Splits {
		if split.Status != wanted[n] {
			expected := fmt.Sprintf("split %d of %d, of R$ %s, to be %s", n+1, len(wanted), split.Amount, wanted[n])
			r := failBy(index, expected, split.Status).in(fmt.Sprintf("splits[%d].status", n))
			return r.pending(Look{At: Splits, Account: c.Account, Of: c, Patience: patience})
		}
	}
	return pass()
}

func splitsComeTo(s *Scenario, i int, m language.SplitsComeTo) Result {
	d, index, r := division(s, i, m.Charge, 0)
	if r.Verdict != verdict.Pass {
		return r
	}
	parts, _, err := amountsOf(d)
	return passIf(err == nil && slices.Equal(parts, m.Amounts), failBy(index, "splits of "+inWords(m.Amounts), amountsIn(d)).in("splits"))
}

// asRequested returns the splits in the order of the request, by key: the control may list them in
// any other. Those with a key that was not requested keep their place at the end.
func asRequested(splits []target.Split, requested []any) []target.Split {
	rest := slices.Clone(splits)
	var ordered []target.Split
	for _, r := range requested {
		key := jsonvalue.Text(r, "pixKey")
		if n := slices.IndexFunc(rest, func(s target.Split) bool { return s.PixKey == key }); n >= 0 {
			ordered = append(ordered, rest[n])
			rest = slices.Delete(rest, n, n+1)
		}
	}
	return append(ordered, rest...)
}

// splitsLeave judges the amount left for the account, or its sum with the splits.
func splitsLeave(s *Scenario, i int, m language.SplitsLeave) Result {
	d, index, r := division(s, i, language.Last, 0)
	if r.Verdict != verdict.Pass {
		return r
	}
	parts, left, err := amountsOf(d)
	expected, got := fmt.Sprintf("%v left for the account", m.Amount), "R$ "+d.Left
	if m.Sum {
		left += sum(parts)
		expected, got = fmt.Sprintf("splits and the remainder to add up to %v", m.Amount), amountsIn(d)+" and R$ "+d.Left
	}
	return passIf(err == nil && left == m.Amount, failBy(index, expected, got))
}

// amountsIn formats the parts as the control returned them.
func amountsIn(d target.Division) string {
	var parts []string
	for _, split := range d.Splits {
		parts = append(parts, "R$ "+split.Amount)
	}
	return cmp.Or(strings.Join(parts, ", "), "no splits")
}

func inWords(amounts []money.Centavos) string {
	var all []string
	for _, a := range amounts {
		all = append(all, a.String())
	}
	return strings.Join(all, ", ")
}
