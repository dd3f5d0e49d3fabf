package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// Gateway is what is known of the state of a gateway by what was done to it. The zero value is that before
// anything was done. It adds to what spec says, which is Known, what walks also need to know.
// Its transitions are methods: those of payments, charges, refunds and cases are the gateway's own, the others are
// those of its parts. They know nothing of sentences and of how walks are drawn, and no other file of the package
// writes a field of it.
//
// Where the specification does not say what a transition does, an amount becomes a range, and a state Unknown.
type Gateway struct {
	Known
	Certificates Certificates
	Fees         Fees
	Limits       spec.Limits
	Time         Clock
	Hooks        Hooks
	Settings     Settings

	CaseLists int // requests for a MED list so far
	Returns   int // of payments, by their payees
}

// Settings are what is prepared at a gateway.
type Settings struct {
	Key          bool // the key directory has the key that transfers go to
	ByKey        bool // lists by key have what was sent
	Often        bool // it accepts requests for many lists in a minute
	ProviderDown bool
}

func (s *Settings) putKey()                  { s.Key = true }
func (s *Settings) listSent()                { s.ByKey = true }
func (s *Settings) acceptOften()             { s.Often = true }
func (s *Settings) setProvider(reached bool) { s.ProviderDown = !reached }

// serves reports whether a gateway has what it needs for a kind of payment or charge.
func (s *Settings) serves(noun string) bool {
	switch noun {
	case "transfer":
		return s.Key
	case "QR cash-out", "cash-in", "split cash-in":
		return !s.ProviderDown
	}
	return true
}

// payable are the kinds of payments that can be sent.
func (s *Settings) payable() []string {
	return slices.DeleteFunc([]string{"cash-out", "QR cash-out", "transfer"}, func(noun string) bool { return !s.serves(noun) })
}

func (g *Gateway) clone() Gateway {
	c := *g
	c.Things, c.Certificates = slices.Clone(g.Things), slices.Clone(g.Certificates)
	return c
}

// make makes a thing that was accepted.
func (g *Gateway) make(t Thing) *Thing {
	g.mayMake(t, spec.IsDone)
	return g.add(t)
}

// add adds a thing. Transitions change others first: afterwards, what points to one may no longer point to that of the
// gateway.
func (g *Gateway) add(t Thing) *Thing {
	t.MadeAt, t.Registrations = g.Time.Elapsed, g.Hooks.Registrations
	if t.Noun != medCase { // which no request makes
		t.Makes = api.MustNamed(t.Noun).Makes
	}
	g.Things = append(g.Things, t)
	g.become(g.state, nil)
	return &g.Things[len(g.Things)-1]
}

// moneySettled reports whether nothing but what is done next moves the account's money, except refunds.
func (g *Gateway) moneySettled(of language.Account) bool {
	a := g.Accounts[of]
	return g.Fees.Known && !a.MayRise && !a.MayFall
}

// movementExact reports whether a movement of the account's money can be stated. That of the other account is not.
func (g *Gateway) movementExact(of language.Account) bool {
	return of == language.TheAccount && g.moneySettled(of) && !g.Accounts[of].Refunded
}

// accepts reports whether a payment of an account is surely accepted, if its request is valid.
func (g *Gateway) accepts(noun string, who language.Account, amount money.Centavos) bool {
	return g.Fees.Known && g.Limits.Known && g.affords(who, amount+g.Fees.of(who)) && amount > 0 && g.Settings.serves(noun)
}

// affords reports whether an account surely can spend an amount. The other account has no limits.
func (g *Gateway) affords(of language.Account, amount money.Centavos) bool {
	a, limits := g.Accounts[of], g.Limits
	if of == language.TheOther {
		limits = spec.Limits{Known: true}
	}
	order := spec.Order{Noun: spec.CashOut, Amount: amount, Limits: limits, AtNight: g.Time.atNight()}
	return a.Open && amount > 0 && spec.Orders{Available: a.Funds, Spent: a.Spent}.SurelyAccept(order)
}

// withinLimits reports whether an amount is surely below the account's limits, whatever counts to them, but for one.
func (g *Gateway) withinLimits(amount money.Centavos, but spec.Limit) bool {
	mayExceed := func(l spec.Limit) bool { return l != but && g.exceeds(l, amount) != spec.NotDone }
	return !slices.ContainsFunc(spec.AllLimits, mayExceed)
}

// exceeds says whether an amount is above a limit of the account.
func (g *Gateway) exceeds(l spec.Limit, amount money.Centavos) spec.Done {
	return g.Limits.Exceeds(l, spec.Spending{Amount: amount, Today: g.the().Spent, AtNight: g.Time.atNight()})
}

func (g *Gateway) setLimit(l spec.Limit, amount money.Centavos) { g.Limits = g.Limits.With(l, amount) }
func (g *Gateway) liftLimits()                                  { g.Limits = spec.Limits{Known: true} }

// mostCaseLists is how many requests for a MED list are sent unless the limit is known: after too many, the next minute
// would have to come.
const mostCaseLists = 40

// listCases counts requests for a MED list; false if there may be too many.
func (g *Gateway) listCases(n int) bool {
	g.CaseLists += n
	return g.Settings.Often || g.CaseLists <= mostCaseLists
}

// Certificate is one that was added to those of an account.
type Certificate struct {
	Of      language.Account
	Kind    string // "a valid"
	Shared  bool   // the other account has it, too
	Revoked bool   // for the account
}

// Certificates are those that were added, in their order.
type Certificates []Certificate

func (c *Certificates) add(added Certificate) { *c = append(*c, added) }

func (c Certificates) revoke(i int) { c[i].Revoked = true }

// Fees are those of the account.
type Fees struct {
	Known           bool
	Out, In         money.Centavos // of later operations
	MostOut, MostIn money.Centavos // the highest so far
}

func (f *Fees) clear() { f.Known, f.Out, f.In = true, 0, 0 }

// set sets the fee of cash-outs or cash-ins; false if it is the one already.
func (f *Fees) set(of string, fee money.Centavos) bool {
	now, most := &f.Out, &f.MostOut
	if of == "cash-in" {
		now, most = &f.In, &f.MostIn
	}
	changes := *now != fee
	*now, *most = fee, max(*most, fee)
	return changes
}

// of is what a payment of an account costs. The other account has no fees.
func (f *Fees) of(who language.Account) money.Centavos {
	if who == language.TheOther {
		return 0
	}
	return f.Out
}
