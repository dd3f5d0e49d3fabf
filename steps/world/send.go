package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// send sends requests as a step says: once, again, or several at once.
func send(ctx context.Context, w *World, m language.Send) error {
	switch {
	case m.EachAgain:
		return sendEachAgain(ctx, w)
	case m.Times > 0:
		return sendTimes(ctx, w, m)
	case len(m.Dimensions) > 0:
		return sendCombined(ctx, w, m)
	case m.Varies():
		return sendVariants(ctx, w, m)
	}
	if m.AtOnce > 0 {
		var same *request
		return atOnce(ctx, w, m.AtOnce, func() (_ *request, err error) {
			if same == nil || !m.Same {
				same, err = spoken(ctx, w, m)
			}
			return same, err
		})
	}
	r, err := spoken(ctx, w, m)
	if err != nil {
		return err
	}
	err = r.sendSpoken(ctx, m.Accepted)
	if t := w.Judge.It(); m.IfItCan && errors.Is(err, errRefused) && (t.Status == http.StatusBadRequest || t.Status == http.StatusUnprocessableEntity) {
		o := notOffered("a gateway that rejects such a " + m.Operation.Noun + ": " + t.Summary())
		o.Exchange = t.Index
		return o
	}
	return err
}

// sandboxHeader asks a target's own sandbox for the outcome of a payment.
const sandboxHeader = "X-Sandbox-Scenario"

func spoken(ctx context.Context, w *World, m language.Send) (*request, error) {
	a, err := w.actor(m.Account)
	if err != nil {
		return nil, err
	}
	if m.Again {
		if a.sent == nil {
			return nil, errors.New("there is no request to repeat")
		}
		r, err := a.sent.changed(ctx, m.Changes...)
		if err == nil {
			r.under = cmp.Or(m.Under, r.under)
		}
		return r, err
	}
	r := a.valid(m.Operation.Noun)
	r.under = m.Under
	if outcome, ok := w.Sandbox[w.step]; ok && r.op.Makes == api.Payment {
		r.header.Set(sandboxHeader, w.Target.Profile.SandboxScenarios[outcome])
	}
	if m.Sandbox != "" {
		r.header.Set(sandboxHeader, w.Target.Profile.SandboxScenarios[m.Sandbox])
	}
	if m.Raw != nil {
		r.raw, r.body = []byte(*m.Raw), nil
		r.header.Set("Content-Type", "application/json")
	}
	if m.OverLimit {
		return r.ofAmount(ctx, w.ownLimit+1)
	}
	return r.changed(ctx, m.Changes...)
}

func (r *request) ofAmount(ctx context.Context, amount money.Centavos) (*request, error) {
	c, err := language.ChangeAmount(r.op, amount)
	if err != nil {
		return nil, err
	}
	return r.changed(ctx, c)
}

// sendOf sends a valid request of an amount, which has to be accepted.
func sendOf(ctx context.Context, a *actor, noun string, amount money.Centavos) error {
	r, err := a.valid(noun).ofAmount(ctx, amount)
	if err != nil {
		return err
	}
	return r.sendSpoken(ctx, true)
}

// atOnce sends several requests beside each other.
func atOnce(ctx context.Context, w *World, n int, next func() (*request, error)) error {
	requests, prepared := make([]*request, n), make([]target.Request, n)
	for i := range n {
		var err error
		if requests[i], err = next(); err != nil {
			return err
		}
		requests[i].role = record.Spoken
		if prepared[i], err = requests[i].prepare(ctx); err != nil {
			return err
		}
	}
	turn, err := requests[0].awaitTurn(ctx, n)
	if err != nil {
		return err
	}
	answers := make([]exchange.Exchange, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { answers[i] = requests[i].exchange(ctx, prepared[i]) })
	}
	wait.Wait()
	first := requests[0].crowded(turn, answers...)
	for i, r := range requests {
		t := r.record(answers[i], record.Entry{AtOnce: true})
		if first = cmp.Or(first, r.notTested(t)); first == nil {
			first = r.passesEdge(ctx, t)
		}
	}
	return first
}

// sendMany sends orders, in their sequence unless there are so many that it would take long.
func sendMany(ctx context.Context, w *World, m language.SendMany) error {
	next := func() (*request, error) { return w.the().valid(m.Operation.Noun).ofAmount(ctx, m.Amount) }
	left := m.Count
	if m.OneKey {
		if err := sendOf(ctx, w.the(), m.Operation.Noun, m.Amount); err != nil {
			return err
		}
		next, left = func() (*request, error) { return toTheSame(ctx, w, m.Amount) }, left-1
	}
	for left > 0 {
		if m.Daily && left < m.Count {
			if err := w.the().passTime(ctx, 24*time.Hour+time.Minute); err != nil {
				return err
			}
		}
		if m.Count > language.SentInOrder && !m.Daily {
			beside := min(language.SentInOrder, left)
			if err := atOnce(ctx, w, beside, next); err != nil {
				return err
			}
			left -= beside
			continue
		}
		r, err := next()
		if err == nil {
			err = r.sendSpoken(ctx, true)
		}
		if err != nil {
			return err
		}
		left--
	}
	return nil
}

// returnTo makes an earlier payment the one that the next sentences speak of.
func returnTo(_ context.Context, w *World, m language.ReturnTo) error {
	p, err := w.Judge.Nth(m.Payment, api.Payment)
	if err != nil {
		return err
	}
	w.note(record.Fact{Kind: record.Meant, Index: p.Index})
	w.actors[p.Account].sent = w.sent[p.Index]
	return nil
}

func payTheSame(ctx context.Context, w *World, amount money.Centavos) error {
	r, err := toTheSame(ctx, w, amount)
	if err != nil {
		return err
	}
	return r.sendSpoken(ctx, true)
}

// toTheSame is a cash-out to the key that the account has paid last.
func toTheSame(ctx context.Context, w *World, amount money.Centavos) (*request, error) {
	key := language.Change{Name: "details.key", Value: language.Value{Kind: language.PayeesKey}}
	r, err := w.the().valid("cash-out").changed(ctx, key)
	if err != nil {
		return nil, err
	}
	return r.ofAmount(ctx, amount)
}

// walk reads all pages of a list: "the account pages through a list-by-key request, 2 items per page,
// sending a cash-out after each".
func walk(ctx context.Context, w *World, m language.Walk) error {
	first := w.the().valid(m.Operation.Noun)
	var pages []*record.Attempt
	for page := range listing.MostPages {
		r := *first
		r.role = record.Spoken
		r.query = url.Values{"page": {fmt.Sprint(page + 1)}, r.op.SizeParameter(): {fmt.Sprint(m.Size)}}
		t, err := r.send(ctx)
		if err != nil {
			return err
		}
		_, isList := t.Items()
		pages = append(pages, t)
		if _, done := listing.Walk(pages); done || !isList {
			return nil
		}
		if m.Paying && page < 3 {
			if err := payTheSame(ctx, w, 1_00); err != nil {
				return err
			}
		}
	}
	return nil
}

// listsSent: whose key a list by key is about is left open. A gateway that lists only what was
// received at a key is not judged by payments sent; it is asked on an account that is opened
// for it, or on that of the profile.
func listsSent(ctx context.Context, w *World, m language.ListsSent) error {
	if m.Operation.ID != "listTransactionsByKey" {
		return nil
	}
	a := w.the()
	if a.fixed == nil {
		var err error
		if a, err = createAccount(ctx, w, language.TheAccount); err != nil {
			return err
		}
		if err := a.liftLimits(ctx); err != nil {
			return err
		}
		if err := a.setBalance(ctx, 1_00); err != nil {
			return err
		}
	}
	sent, err := a.valid("cash-out").send(ctx)
	if err != nil {
		return err
	}
	if !sent.Accepted() {
		return record.Cannot("the target accepted no cash-out to a key: " + sent.Summary())
	}
	a.noteOutstanding(sent)
	if err := a.awaitListing(ctx, sent); err != nil {
		return err
	}
	if err := showsSent(ctx, a.valid(m.Operation.Noun), sent); err != nil || a.fixed == nil || !a.opened.Funded {
		return err
	}
	return a.fund(ctx, a.opened.Available, a.opened.Exactly) // again what the scenario has said
}

// showsSent waits until the list by the payee's key contains a payment that the list of transactions shows. Not
// every gateway lists what was sent.
func showsSent(ctx context.Context, r *request, sent *record.Attempt) error {
	r.parameters["pixKey"] = sent.SentText("details.key")
	var list *record.Attempt
	shown, err := r.actor.w.poll(ctx, r.actor.w.Terms.Deadlines.Webhook, func() (shows bool, err error) {
		if list != nil { // a list that never shows it is read for the whole time
			if err = sleep(ctx, 5*pollEvery); err != nil {
				return false, err
			}
		}
		list, err = r.send(ctx)
		return err == nil && list.Accepted() && lists(list, sent), err
	})
	switch {
	case err != nil || shown:
		return err
	case !list.Accepted():
		return &record.Obstacle{Kind: record.Unable, Reason: "the target did not list by the payee's key: " + list.Summary(), Exchange: list.Index}
	}
	lacks := notOffered("a list by the payee's key that did not contain the payment within " + r.actor.w.Terms.Deadlines.Webhook.String())
	lacks.Exchange = list.Index
	return lacks
}

func lists(page, made *record.Attempt) bool {
	items, _ := page.Items()
	return slices.ContainsFunc(items, made.IsListedAs)
}
