package model

import (
	"cmp"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// Known is what spec knows of a gateway: what has become of the things, and of the accounts' money. Its transitions are
// those that need to know nothing else.
type Known struct {
	Accounts [2]Account
	Things   Things
	state    spec.State
	breach   *spec.Breach // something that cannot have happened: a walk has none
}

func (k *Known) the() *Account { return &k.Accounts[language.TheAccount] }

// open opens an account with so much.
func (k *Known) open(who language.Account, funds spec.Range, fresh bool) {
	k.Accounts[who].Open, k.Accounts[who].before, k.Accounts[who].Fresh = true, funds, fresh
	k.become(k.state, nil)
}

// hold lets payments, or refunds, of the account wait for the bank.
func (k *Known) hold(refunds bool) {
	k.become(k.state.Hold(int(language.TheAccount), refunds, true, spec.IsDone), nil)
}

// holds reports whether they wait.
func (k *Known) holds(refunds bool) bool {
	a := k.state.Accounts[language.TheAccount]
	return refunds && a.RefundsHeld || !refunds && a.Held
}

// become takes over what has become of things, and of the accounts' money. Nothing else does.
func (k *Known) become(state spec.State, breach *spec.Breach) {
	k.state, k.breach = state, cmp.Or(breach, k.breach)
	for i := range k.Things {
		t := &k.Things[i]
		if known, ok := state.Thing(spec.ID(t.ID)); ok {
			t.State, t.Refunded = stateOf(known), state.Refunded(known.ID)
		}
	}
	for i := range k.Accounts {
		k.Accounts[i].Funds = state.Available(i, k.Accounts[i].before)
	}
}

// step takes over what has become of things by an input. What they may still do to the accounts' money then, they may do at any
// time. What a refund takes, it may take at any time anyway, and what a payment takes that waits for the bank, sentences wait for.
func (k *Known) step(state spec.State, breach *spec.Breach) {
	before := k.state
	k.become(state, breach)
	for _, t := range state.Things() {
		if was, _ := before.Thing(t.ID); was.May != t.May {
			take, giveBack := t.MayStill()
			k.Accounts[t.Account].mayMove(giveBack > 0, take > 0 && t.Kind != spec.Refund && t.May != spec.Any(api.Pending))
		}
	}
}

// stateOf is the state of a thing by which moves are tabled.
func stateOf(t spec.Thing) api.State {
	isPayment := t.Kind == spec.Payment || t.Kind == spec.Transfer
	switch only := t.May.Only(); {
	case isPayment && t.May == spec.Any(api.Pending, spec.Expired):
		return overdue
	case t.Kind == spec.Transfer && only == spec.Expired:
		return expired
	case t.Kind == spec.Case && t.May == spec.Any(api.CaseStates.First...):
		return api.Open
	case only == spec.Expired || only == spec.Unmade:
		return Unknown
	default:
		return only
	}
}

// moved is what a thing has done to what is available.
func moved(state spec.State, id int) spec.Range {
	t, _ := state.Thing(spec.ID(id))
	return t.Moved()
}

// happen is something that happens to a thing.
func (k *Known) happen(t *Thing, what spec.Happening, done spec.Done) {
	k.step(k.state.Happens(spec.ID(t.ID), what, done))
}

// learn adds what is known of a thing that was made.
func (k *Known) learn(t *Thing, what func(*spec.Thing)) {
	known, _ := k.state.Thing(spec.ID(t.ID))
	what(&known)
	k.become(k.state.With(known), nil)
}

// mayMake makes a thing, or may; sentences can refer to it only if it is added, too.
func (k *Known) mayMake(t Thing, done spec.Done) {
	kind := spec.Case
	if t.Noun != medCase { // which no request makes
		kind = spec.KindOf(api.MustNamed(t.Noun))
	}
	k.step(k.state.Make(spec.Thing{ID: spec.ID(t.ID), Kind: kind, Account: int(t.Account), Amount: t.Amount, Fee: t.Fee, Of: spec.ID(t.Of)}, done), nil)
}

// maySettle reports whether it is unspecified when something of the account is settled, or a part of a charge is paid.
func (k *Known) maySettle() bool {
	return slices.ContainsFunc(k.state.Things(), func(t spec.Thing) bool {
		isCharge := t.Kind == spec.CashIn || t.Kind == spec.Cob
		return t.Account == int(language.TheAccount) && (isCharge && !t.Others.Known() || !isCharge && t.Kind != spec.Case && t.May.Only() == "")
	})
}

// Account is what is known of an account. What is done to its things moves its money as spec says.
type Account struct {
	Open    bool
	Fresh   bool // it has no history
	Removed bool
	Funds   spec.Range // available: what it had before its things, and what they have moved
	Spent   spec.Range // today
	before  spec.Range

	// What was done before may still move the account's money: the specification does not say when it does. The states of
	// things do not tell that, because it depends on which movements sentences have waited for: a balance was awaited after a
	// burst, but not after a request that failed with 500, and either may have made a payment.
	MayRise  bool
	MayFall  bool
	Refunded bool // by a refund
}

func (a *Account) remove() { a.Removed = true }

// mayMove: money may rise, or fall.
func (a *Account) mayMove(rise, fall bool) {
	a.MayRise, a.MayFall = a.MayRise || rise, a.MayFall || fall
}

// spend is a payment that counts to the daily limit; if it surely does.
func (a *Account) spend(amount, fee money.Centavos, surely bool) {
	a.Spent = spec.Counted(a.Spent, amount, fee, surely)
}

// uncount is money of a payment that came back: it may still count to the daily limit, or not.
func (a *Account) uncount(t *Thing, amount money.Centavos) {
	if t.Noun == "cash-out" {
		a.Spent.Least = max(0, a.Spent.Least-amount)
	}
}
