package judge

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// folding is a record as it is being folded.
type folding struct {
	*facts
	*gateway
	now    spec.State
	orders []*record.Attempt  // requests that make things, in their order
	early  []*record.Delivery // events that are about nothing so far: a webhook may arrive before the response to its order
	sent   map[string]spec.ID // orders that were sent so far, by what makes another one the same
}

func fold(s *facts) *gateway {
	f := folding{facts: s, gateway: &gateway{entries: s.Entries(), before: make([]spec.State, 0, len(s.Exchanges)+1), ids: map[int]spec.ID{}, cases: map[string][]turn{}, acts: map[spec.ID]int{}}, sent: map[string]spec.ID{}}
	steps := make([]func(), len(s.Exchanges)) // by exchange; nil for one that says nothing of the gateway
	for _, t := range s.Requests() {
		if spec.KindOf(t.Op) != "" {
			f.orders = append(f.orders, t)
			steps[t.Index] = func() { f.request(t) }
		}
	}
	slices.SortFunc(f.orders, func(a, b *record.Attempt) int { return cmp.Compare(a.Index, b.Index) }) // so that later ones are the last
	for _, c := range s.Calls {
		if c.Method != http.MethodGet {
			steps[c.Index] = func() {
				f.call(c)
				f.early = slices.DeleteFunc(f.early, f.event)
			}
		}
	}
	for _, d := range s.Events {
		steps[d.Index] = func() {
			if !f.event(d) {
				f.early = append(f.early, d)
			}
		}
	}
	for index, e := range s.Exchanges {
		for of, account := range f.Accounts {
			if account.Since == index {
				f.do(func(s spec.State) spec.State { return s.Open(of) })
			}
		}
		f.before = append(f.before, f.now)
		if f.pass(e); steps[index] != nil {
			steps[index]()
		}
	}
	f.paid()
	f.before = append(f.before, f.now)
	return f.gateway
}

// paid adds that charges were paid whose payment has an end-to-end id, whatever it came from.
func (f *folding) paid() {
	for _, t := range f.Attempts {
		if t.Is(api.Charge) && t.EndToEndID != "" && !f.made(t, f.now).May.Within(spec.WasPaid) {
			f.acts[spec.ID(t.Index)] = max(t.Index, len(f.Exchanges)-1)
			f.happens(spec.ID(t.Index), spec.IsPaid, spec.IsDone)
		}
	}
}

// do applies what was done.
func (f *folding) do(step func(spec.State) spec.State) {
	f.now, f.acted = step(f.now), step(f.acted)
}

// happens adds that something has happened to a thing.
func (f *folding) happens(id spec.ID, what spec.Happening, done spec.Done) {
	f.do(func(s spec.State) spec.State { s, _ = s.Happens(id, what, done); return s })
}

// pass lets the time pass until an exchange.
func (f *folding) pass(e *exchange.Exchange) {
	since := e.Sent.Sub(f.Exchanges[0].Sent)
	f.do(func(s spec.State) spec.State { return s.Pass(spec.Interval{Least: since, Most: since + e.Took}) })
}

// request adds what a request has made.
func (f *folding) request(t *record.Attempt) {
	amount, _ := t.Amount()
	made := spec.Thing{ID: spec.ID(t.Index), Kind: spec.KindOf(t.Op), Account: int(t.Account), Amount: amount, Played: t.IsPlayed() && t.Op.ID != "cob" && !t.Is(api.Refund)}
	if lifetime, known := lifetimeOf(t); known {
		made.Lasts = lifetime
	}
	// One that is processed at once does not wait in the queue, and which priority is the default is open ("transfer without
	// priority and document").
	made.MayStay = made.Kind == spec.Transfer && t.SentText("priority") != "NORM"
	if _, split := jsonvalue.Lookup(t.Request, "splits"); split {
		made.Others.Most = amount
	}
	made.Fee = f.mostFee(t)
	if charge := f.chargePaid(t.Parameter("e2eid")); charge != nil && made.Kind == spec.Refund {
		made.Of = spec.ID(charge.Index)
	}
	done := doneBy(t)
	if t.Is(api.Payment, api.Refund) && done != spec.NotDone {
		first, same, again := f.repeats(t)
		f.ids[t.Index] = first
		if same {
			if done == spec.IsDone {
				f.do(func(s spec.State) spec.State { return s.Accepted(first) })
			}
			return
		}
		made.Again = again
	}
	f.ids[t.Index] = made.ID
	if !t.Is(api.Charge) {
		f.acts[made.ID] = t.Index
	}
	f.do(func(s spec.State) spec.State { return s.Make(made, done) })
	if done != spec.NotDone {
		f.payOwn(t)
		f.early = slices.DeleteFunc(f.early, f.event)
	}
}

// mostFee is the most that what a request makes can cost. The fee of a cash-out is the one in force when the gateway accepts it
// (OUT-102), if a control has set that.
func (f *folding) mostFee(t *record.Attempt) money.Centavos {
	out, in, _ := f.fees()
	if t.Is(api.Charge) {
		return in
	}
	fee, set := f.feeWhenSent(t)
	if set && t.Op.ID == "cashOut" && t.Account == language.TheAccount && !slices.ContainsFunc(f.callsOf(target.FeesControl, http.MethodPut), isUnclear) {
		return fee
	}
	return out
}

// payOwn: a QR cash-out may pay a charge of the scenario's own.
func (f *folding) payOwn(t *record.Attempt) {
	code := t.SentText("qrCode")
	if code == "" {
		return
	}
	for _, charge := range f.whose(func(o *record.Attempt) bool { of, ok := o.PayCode(); return ok && of == code }) {
		amount, _ := charge.Amount()
		f.pay(charge, t.Index, amount, spec.MayBeDone)
	}
}

// pay adds that somebody has paid a charge, by an exchange.
func (f *folding) pay(charge *record.Attempt, by int, amount money.Centavos, done spec.Done) {
	id := spec.ID(charge.Index)
	if _, before := f.acts[id]; !before && done != spec.NotDone {
		f.acts[id] = by
	}
	f.do(func(s spec.State) spec.State { s, _ = s.Pay(id, amount, done); return s })
}

// repeats: the same order was sent before, and takes nothing more; first is what that has made. For how long a key is
// remembered is open ("how long an x-idempotency-key holds"), and so is what another order under the same key comes to
// ("another transfer under a used x-idempotency-key"): again is true, and that it has made something is not sure. The id
// of a refund is one of its payment's only. What a response names that an order with this key or id had made is the same;
// whether two keys that differ in case only are one is open ("x-idempotency-key in another case").
func (f *folding) repeats(t *record.Attempt) (first spec.ID, same, again bool) {
	externalID, _ := t.ExternalID()
	id := t.Account.String() + " " + foldedKey(t) + externalID
	if t.Is(api.Refund) {
		id = t.Account.String() + " " + t.Path()
	}
	whole, named := id+" "+sentKey(t)+" "+string(t.Body), id+" made "+madeBy(t)
	_, again = f.sent[id]
	if externalID == "" {
		first, same = f.sent[named]
		movesClock := func(c record.Call) bool { return c.Index < t.Index && !c.Refused() }
		if other, is := f.sent[whole]; is && !same && !slices.ContainsFunc(f.callsOf(target.Clock, http.MethodPut), movesClock) {
			first, same = other, true
		}
	}
	keys := []string{id, whole}
	if madeBy(t) != "" {
		keys = append(keys, named)
	}
	for _, key := range keys {
		if _, known := f.sent[key]; !known {
			f.sent[key] = spec.ID(t.Index)
		}
	}
	return first, same, again
}

func doneBy(t *record.Attempt) spec.Done { return doneIf(t.Accepted(), definitelyRejected(t)) }

func doneByCall(c record.Call) spec.Done { return doneIf(c.Succeeded(), c.Refused()) }

func doneIf(accepted, rejected bool) spec.Done {
	switch {
	case accepted:
		return spec.IsDone
	case rejected:
		return spec.NotDone
	}
	return spec.MayBeDone
}

// isUnclear reports whether a control may have done what it was asked to, or not.
func isUnclear(c record.Call) bool { return doneByCall(c) == spec.MayBeDone }

// whose are the requests that fit, one for each thing that was made.
func (f *folding) whose(is func(*record.Attempt) bool) (all []*record.Attempt) {
	seen := map[spec.ID]bool{}
	for _, t := range f.orders {
		if id, known := f.ids[t.Index]; known && is(t) && !seen[id] {
			if _, made := f.now.Thing(id); made {
				seen[id] = true
				all = append(all, t)
			}
		}
	}
	return all
}

// call adds what a control has done.
func (f *folding) call(c record.Call) {
	done := doneByCall(c)
	happens := func(what spec.Happening, is func(*record.Attempt) bool) {
		for _, t := range f.whose(is) {
			f.happens(f.ids[t.Index], what, done)
		}
	}
	at := func(id string) bool { return id != "" && strings.Contains(c.URL, "/"+id+"/") }
	switch target.Control(c.Operation) {
	case target.Settlement:
		f.hold(c, false, done)
		if what, known := outcomes[api.State(c.Text("outcome"))]; known {
			f.settles(c, what, done)
		}
	case target.Payments:
		for _, t := range f.whose(func(t *record.Attempt) bool { code, ok := t.PayCode(); return ok && code == c.Text("pixCode") }) {
			amount, err := money.Parse(c.Text("amount"))
			if err != nil {
				amount, _ = t.Amount()
			}
			f.pay(t, c.Index, amount, done)
		}
	case target.Charges:
		if what, known := removals[c.Text("by")]; known {
			happens(what, func(t *record.Attempt) bool { return at(t.Parameter("txid")) && t.Account == c.Account })
		}
	case target.Refunds:
		f.hold(c, true, done)
		if what, known := outcomes[c.State()]; known {
			happens(what, func(t *record.Attempt) bool { return t.Is(api.Refund) && at(jsonvalue.Text(t.Answer, "rtrId")) })
		}
	case target.Returns:
		f.returned(c, done)
	case target.MED:
		if c.Method == http.MethodPost {
			f.contest(c, done)
			return
		}
		id := path.Base(c.URL)
		if turns := f.cases[id]; len(turns) > 0 {
			made := spec.ID(turns[0].call)
			f.happens(made, spec.MovedTo(api.State(cmp.Or(c.Text("analysisResult"), c.Text("status")))), done)
			f.turned(id, made, c)
		}
	case target.Clock:
		f.advance(c, done)
	}
}

// hold lets the payments of the account of a call, or its refunds, wait for the bank or not.
func (f *folding) hold(c record.Call, refunds bool, done spec.Done) {
	if mode := c.Text("mode"); mode != "" {
		f.do(func(s spec.State) spec.State { return s.Hold(int(c.Account), refunds, mode == "manual", done) })
	}
}

// contest adds a case. One against a charge that was paid may take its money. What one against another payment does to money
// is not known, unless it is against none of the scenario's.
func (f *folding) contest(c record.Call, done spec.Done) {
	if done == spec.NotDone {
		return
	}
	id := c.Text("endToEnd")
	answer, _ := jsonvalue.Decode(c.ResponseBody)
	made := spec.Thing{ID: spec.ID(c.Index), Kind: spec.Case, Account: int(c.Account)}
	if charge := f.chargePaid(id); charge == nil {
		f.contested = f.contested || f.mayBeOurs(id)
	} else if of := f.made(charge, f.now); of.Kind == "" { // a record may say that a charge was paid which was rejected
		f.contested = true
	} else {
		made.Account, made.Amount, made.Of = of.Account, of.Paid().Most, of.ID
		f.acts[made.ID] = c.Index
	}
	f.do(func(s spec.State) spec.State { return s.Make(made, done) })
	f.turned(jsonvalue.Text(answer, "id"), made.ID, c)
}

// turned notes what a call has made of a case.
func (f *folding) turned(id string, of spec.ID, c record.Call) {
	made, _ := f.now.Thing(of)
	f.cases[id] = append(f.cases[id], turn{c.Index, made.May})
}

// mayBeOurs reports whether an end-to-end id may be that of a payment of the scenario: it is not known, or something has
// named it.
func (f *folding) mayBeOurs(id string) bool {
	return id == "" ||
		slices.ContainsFunc(f.orders, func(t *record.Attempt) bool { return t.EndToEndID == id }) ||
		slices.ContainsFunc(f.Events, func(d *record.Delivery) bool { return d.Names(id) }) ||
		slices.ContainsFunc(f.callsOf(target.Payments, http.MethodPost), func(c record.Call) bool { return strings.Contains(string(c.ResponseBody), id) })
}

// returned adds what a payee has given back of a payment.
func (f *folding) returned(c record.Call, done spec.Done) {
	amount, err := money.Parse(c.Text("amount"))
	of := slices.IndexFunc(f.Attempts, func(t *record.Attempt) bool { return t.Returned })
	if err != nil || of < 0 || c.Method != http.MethodPost {
		return
	}
	_, fee, _ := f.fees()
	t := f.Attempts[of]
	f.acts[spec.ID(c.Index)] = c.Index
	f.do(func(s spec.State) spec.State {
		return s.Make(spec.Thing{ID: spec.ID(c.Index), Kind: spec.Return, Account: int(t.Account), Amount: amount, Fee: fee, Of: spec.ID(t.Index)}, done)
	})
}

// settles adds a result of payments. Whether a finished one can get another is open ("finality of a payment"), so that an
// event may say so even if the control refuses to.
func (f *folding) settles(c record.Call, what spec.Happening, done spec.Done) {
	isNamed := func(t *record.Attempt) bool {
		return slices.ContainsFunc([]string{"transactionId", "id"}, func(name string) bool {
			return c.Text(name) != "" && c.Text(name) == jsonvalue.Text(t.Answer, name)
		})
	}
	for _, t := range f.whose(isNamed) {
		f.now, _ = f.now.Happens(f.ids[t.Index], what, done)
		f.acted, _ = f.acted.Happens(f.ids[t.Index], what, max(done, spec.MayBeDone))
	}
}

// outcomes are the results that controls give to payments and refunds.
var outcomes = map[api.State]spec.Happening{
	api.Confirmed: spec.BankConfirms, api.Failed: spec.BankRejects,
	api.Refunded: spec.BankConfirms, api.NotRefunded: spec.BankRejects,
}

var removals = map[string]spec.Happening{"receiver": spec.ReceiverRemoves, "psp": spec.PSPRemoves}

// anyTime is longer than any time that a scenario lets pass.
const anyTime = 100 * 365 * 24 * time.Hour

// advance moves the clock of the account. How far, is not known if it was set.
func (f *folding) advance(c record.Call, done spec.Done) {
	if c.Method != http.MethodPut || done == spec.NotDone {
		return
	}
	by, err := time.ParseDuration(c.Text("advance"))
	moved := spec.Interval{Least: by, Most: by}
	if err != nil {
		moved = spec.Interval{Least: -anyTime, Most: anyTime}
	} else if done != spec.IsDone {
		moved = spec.Interval{Least: min(0, by), Most: max(0, by)}
	}
	f.do(func(s spec.State) spec.State { return s.Move(int(c.Account), moved) })
}

// event adds what an event shows of the payment that it is about; false if that is not known, or contradicts what was done
// so far: the call that has done it may be recorded later. If none has, the event is judged elsewhere.
func (f *folding) event(d *record.Delivery) bool {
	about, known := f.reportedBy(d)
	if !known {
		return false
	}
	var shown spec.States
	switch {
	case reportsSuccess(d):
		shown = spec.DidSucceed
	case d.State() == api.Failed:
		shown = spec.Any(api.Failed)
	}
	if shown == 0 {
		return true
	}
	acted, _ := f.acted.Thing(about)
	if shown &= acted.May; shown == 0 {
		return false
	}
	f.now, _ = f.now.Shows(about, shown)
	return true
}

// reporters are the payments that an event may be about, as far as its texts say. A record is folded again after every
// entry, and each payment is compared with each event once.
func (f *folding) reporters(d *record.Delivery) []*record.Attempt {
	of := f.reported[d.Index]
	for _, t := range f.orders[min(of.compared, len(f.orders)):] {
		if t.Is(api.Payment) && reportsResult(d, t) {
			of.payments = append(of.payments, t)
		}
	}
	of.compared = len(f.orders)
	f.reported[d.Index] = of
	return of.payments
}

// reporters are the payments that an event may be about, among the first orders of a record.
type reporters struct {
	compared int
	payments []*record.Attempt
}

// reportedBy is the payment that an event is about, among all that were sent before it: one whose response is recorded
// later counts, too. It is about the one whose id it has, or at whose URL it arrived.
func (f *folding) reportedBy(d *record.Delivery) (spec.ID, bool) {
	about := slices.DeleteFunc(slices.Clone(f.reporters(d)), func(t *record.Attempt) bool {
		return doneBy(t) == spec.NotDone || t.Sent.After(d.Sent)
	})
	given := cmp.Or(d.Text("transactionId"), d.Text("id"))
	for _, is := range []func(*record.Attempt) bool{
		func(t *record.Attempt) bool { return given != "" && madeBy(t) == given },
		func(t *record.Attempt) bool {
			return slices.ContainsFunc(f.Accounts[t.Account].Receivers, func(r record.Receiver) bool { return r.URL == d.At })
		},
	} {
		if only := slices.DeleteFunc(slices.Clone(about), func(t *record.Attempt) bool { return !is(t) }); len(about) > 1 && len(only) > 0 {
			about = only
		}
	}
	var ids []spec.ID
	for _, t := range about {
		id, known := f.ids[t.Index]
		if !known {
			id = spec.ID(t.Index)
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) != 1 {
		return 0, false
	}
	_, known := f.now.Thing(ids[0])
	return ids[0], known
}
