package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// cause is what an event reports, and how to tell the events that report it.
type cause struct {
	made    *record.Attempt // nil for a MED case
	reports func(*record.Delivery) bool
	open    bool                        // its events have a payload that is open
	names   func(*record.Delivery) bool // of an open one: an event is certainly its own, since it contains an id
}

// isCertain reports whether an event is certainly one of the cause's. Anybody can post the others.
func (c cause) isCertain(d *record.Delivery) bool { return !c.open || c.names(d) }

// causesOf are what the events of a sentence report: one thing, or each accepted payment.
func causesOf(s *Scenario, m language.Arrives) ([]cause, Result) {
	if !m.EachPayment {
		c, r := causeOf(s, m.Event, m.Of)
		return []cause{c}, r
	}
	var all []cause
	for _, t := range s.Attempts {
		if t.Is(api.CauseOf(m.Event)) && t.Accepted() && t.Account == language.TheAccount && t.Index >= s.Accounts[t.Account].Since {
			all = append(all, cause{made: t, reports: aboutOnly(s, t)})
		}
	}
	if len(all) == 0 {
		return nil, nothingSent()
	}
	return all, pass()
}

// causeOf returns what an event reports: the last request of its kind, or the one that a sentence
// names; none for a MED case. At a URL that other scenarios use too, an event must name its cause.
func causeOf(s *Scenario, name string, of language.Nth) (cause, Result) {
	c := cause{reports: func(d *record.Delivery) bool { return d.Names(s.Case(language.Last).EndToEndID) }}
	if makes := api.CauseOf(name); makes != api.Nothing {
		made, r := madeAs(s.View, of, makes)
		if r.Verdict != verdict.Pass {
			return c, r
		}
		c = cause{made: made, reports: aboutOnly(s, made)}
	}
	// Which type reports a refund is open ("subscription that carries REFUND"), and so are the payloads of the other types
	// ("payload of a cash_in event", "payload of a med_created event", "payload of a refund_out event").
	_, described := api.Payloads[name]
	if open := name == api.PayloadRefund || !described && name != api.TypeCashOut; open && !s.Terms.SharedURLs {
		// What names another order of the scenario is about that one.
		names := c.reports
		c.open, c.names, c.reports = true, names, func(d *record.Delivery) bool {
			refund := d.Name == api.PayloadRefund && (name == api.TypeRefundIn || name == api.TypeRefundOut) // it may name only its own ids
			return isObject(d) && (names(d) || !s.isOfScenario(d) && (described && d.IsCalled(name) || refund || suits(&s.facts, c.made, d)))
		}
	}
	if name == api.PayloadRefund && of != language.Last {
		c.reports = listsRefund(c.made, c.reports)
	}
	return c, pass()
}

// suits reports whether an event that names nothing of the scenario may be about what was made: it has the
// amount, or one that a payee returned, or is about a MED case if nothing was made. Anybody can post anything else.
func suits(s *facts, made *record.Attempt, d *record.Delivery) bool {
	if made == nil {
		return bytes.Contains(bytes.ToLower(d.Body), []byte("med"))
	}
	var amounts []money.Centavos
	if amount, ok := made.Amount(); ok {
		amounts = append(amounts, amount)
	}
	amounts = append(amounts, s.returns()...)
	return anyValue(d.Payload, func(v any) bool {
		got, err := money.Parse(jsonvalue.Plain(v))
		inCentavos := func(amount money.Centavos) bool {
			return jsonvalue.Equal(v, json.Number(strconv.FormatInt(int64(amount), 10)))
		}
		return err == nil && slices.Contains(amounts, got) || slices.ContainsFunc(amounts, inCentavos)
	})
}

// returns are the amounts that payees may have given back.
func (s *facts) returns() (amounts []money.Centavos) {
	for _, c := range s.callsOf(target.Returns, http.MethodPost) {
		if amount, err := money.Parse(c.Text("amount")); err == nil {
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

// anyValue reports whether something holds for a value in JSON that is neither an object nor an array.
func anyValue(v any, holds func(any) bool) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if anyValue(inner, holds) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return anyValue(inner, holds) })
	}
	return holds(v)
}

// listsRefund narrows events to those that list a refund of the cause's amount: which of them may name its id, and how,
// is open ("what a REFUND event repeats").
func listsRefund(cause *record.Attempt, reports func(*record.Delivery) bool) func(*record.Delivery) bool {
	amount, _ := cause.Amount()
	return func(d *record.Delivery) bool {
		return reports(d) && slices.ContainsFunc(jsonvalue.Items(d.Payload, "data.refunds"), func(refund any) bool {
			got, ok := money.At(refund, "payment.amount")
			return ok && got == amount
		})
	}
}

// ofWhich names the payment of an event, where a sentence speaks of one among several.
func ofWhich(s *Scenario, m language.Arrives, c cause) string {
	switch {
	case m.Of != language.Last:
		amount, _ := c.made.Amount()
		return fmt.Sprintf(" of the %s, of %v,", nthOf(m.Of, c.made.Op.Noun), amount)
	case m.EachPayment:
		before := 0
		for _, t := range s.Attempts {
			if t.Index <= c.made.Index && t.Is(api.Payment) && t.Accepted() {
				before++
			}
		}
		return fmt.Sprintf(" of payment %d", before)
	}
	return ""
}

// aboutOnly matches those events that are not about what another account has made under the same name.
func aboutOnly(s *Scenario, t *record.Attempt) func(*record.Delivery) bool {
	names, own := about(t), givenID(t)
	return func(d *record.Delivery) bool {
		return names(d) && (d.Names(own) || !slices.ContainsFunc(s.Attempts, func(o *record.Attempt) bool {
			return o.Account != t.Account && !o.Is(api.Nothing) && nameOf(o) != "" && nameOf(o) == nameOf(t) && d.Names(givenID(o))
		}))
	}
}
