package judge

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
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
		now, ok := totalOf(c)
		if !ok || len(payments) == 0 || c.Index < payments[0].Index {
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

func stateIn(c record.Call) api.State {
	answer, _ := jsonvalue.Decode(c.ResponseBody)
	return api.State(jsonvalue.Text(answer, "status"))
}

func totalOf(c record.Call) (money.Centavos, bool) {
	var d target.Division
	_ = target.DecodeControl(c.ResponseBody, &d)
	parts, total, err := amountsOf(d)
	for _, part := range parts {
		total += part
	}
	return total, err == nil
}

// Unpaid are the charges with splits that nobody has paid. They are looked at after the last step, whatever
// the scenario is about.
func (s *facts) Unpaid() []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		return len(jsonvalue.Items(t.Request, "splits")) == 0 || jsonvalue.Text(t.Answer, "transactionId") == "" || mayBePaid(s, t)
	})
}

func mayBePaid(s *facts, charge *record.Attempt) bool {
	_, ok := charge.PayCode()
	return !ok || s.gateway().may(charge).Overlaps(wasPaid)
}

// noneIsPaidEarly: no look at a charge shows a split as paid, although nobody has paid the charge.
func noneIsPaidEarly(s *facts) (all []Met) {
	for _, t := range s.Unpaid() {
		for _, c := range s.callsOf(target.Splits, http.MethodGet) {
			var d target.Division
			of, err := url.Parse(c.URL)
			if err != nil || of.Query().Get("transactionId") != jsonvalue.Text(t.Answer, "transactionId") || target.DecodeControl(c.ResponseBody, &d) != nil {
				continue
			}
			if slices.ContainsFunc(d.Splits, func(split target.Split) bool { return split.Status == "PAID" }) {
				all = append(all, Met{Breach{"splits.unpaid", "no split of a charge to be PAID that nobody has paid", "PAID", "splits"}, c.Exchange})
			}
		}
	}
	return all
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
