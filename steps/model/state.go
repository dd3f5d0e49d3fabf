package model

import (
	"cmp"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// State is what is known of a gateway by what was done. The zero value is that before anything was
// done.
//
// Many methods: one for each question that moves have in common, all about these few fields.
type State struct {
	Accounts [2]Account
	Things   []Thing // in the order in which they were accepted

	Began        bool // nothing is prepared any more
	Fresh        bool // the account has no history
	Webhooks     bool // the account receives webhooks of every type
	Held         bool // its payments wait for the bank
	RefundsHeld  bool // its refunds do
	Key          bool // the key directory has the key that transfers go to
	FeesKnown    bool
	LimitsKnown  bool
	ProviderDown bool

	OtherFresh   bool
	ByKey        bool           // lists by key have what was sent
	OddKey       bool           // the last request to a key may have had a wrong one
	Returns      int            // of payments
	Often        bool           // it may request many lists
	CaseLists    int            // requests for a MED list so far
	TimeKnown    bool           // its time was set
	Dated        bool           // to a date
	Clock        time.Duration  // of the day, when the walk began
	Night        money.Centavos // limit of the account; 0 for none
	Hooks        Hooks
	LastHook     int           // the step whose registration "the request again" repeats
	Mended       bool          // receivers have failed before
	Receipt      string        // what receivers return; empty for 200
	Kept         bool          // the account has a first token
	KeptAt       time.Duration // as Elapsed
	Certificates []Certificate // that were added, in their order
	Removed      bool          // the account was removed

	FeeOut, FeeIn   money.Centavos // of later operations of the account
	MostOut, MostIn money.Centavos // the highest fees so far
	PerTransaction  money.Centavos // limit of the account; 0 for none
	Daily           money.Centavos
	Elapsed         time.Duration // of the account's time, as moved
	Sent            bool          // something was requested

	Unnamed money.Centavos // what payments have taken that no sentence can name

	Uncounted [4]bool // of what is made from now on, it is not known which is the 4th
	LastSent  [2]int  // by account, the step whose request "the request again" repeats; 0 if it was rejected
	Meant     bool    // sentences have returned to an earlier payment
	Last      [4]int  // by what is made, the step that made the last; 0 if a later request was rejected
}

// Account is one of two accounts.
type Account struct {
	Open  bool
	Funds Span // available
	Spent Span // today

	// What was done before may still move the account's money, because the specification leaves open
	// when it does.
	MayRise  bool
	MayFall  bool
	Refunded bool // by a refund
}

// Span is an amount as far as it is known.
type Span struct{ Least, Most money.Centavos }

func (s *Span) add(least, most money.Centavos) {
	s.Least += least
	if s.Most < money.Most/2 {
		s.Most += most
	}
}

func (s Span) known() bool { return s.Least == s.Most }

// Unknown is a state that the specification leaves open, or that cannot be known.
const Unknown api.State = ""

// Thing is a payment, charge, refund or MED case.
type Thing struct {
	Step       int // ID of the step that made it
	Noun       string
	Makes      api.Made
	Called     string // what sentences call it: "payment"
	Account    language.Account
	Amount     money.Centavos
	Fee        money.Centavos
	State      api.State
	Of         int            // of a refund or case, the step that made the charge
	Refunded   Span           // of a charge
	Returned   money.Centavos // of a payment
	Plain      bool           // a payment of a static code without an amount
	Documented bool           // the request of a QR cash-out says whom it pays
	Odd        bool           // a cash-out whose key may be of another kind than usual
	Shared     bool           // another account has used its externalId
	Random     bool           // its externalId is random up to its last character
	Expired    bool           // its request has a token that has expired
	MadeAt     time.Duration  // as Elapsed
	Endpoints  int            // that were registered then
	PaidAt     time.Duration
	Splits     []Split       // of a charge
	OneKey     bool          // two of them go to one key
	Request    [][]string    // the fields of the request for a refund
	Contested  bool          // a MED case is about the charge
	Lasts      time.Duration // how long a charge can be paid; 0 for as long as a valid request says
}

// expires is the time after which a charge can no longer be paid. A valid cob lasts for an hour; a cash-in does not
// say it, which means a day (Cash-in, expirationTime).
func (t *Thing) expires() time.Duration {
	usual := api.CashInLifetime
	if t.Noun == "cob" {
		usual = time.Hour
	}
	return t.MadeAt + cmp.Or(t.Lasts, usual)
}

// Preparing reports whether nothing was done yet, so that the walk can still be prepared.
func (s *State) Preparing() bool { return !s.Began }

func (s *State) clone() State {
	c := *s
	c.Things = slices.Clone(s.Things)
	return c
}

// made is the thing that a step made; nil if it made none.
func (s *State) made(step int) *Thing {
	for i := range s.Things {
		if s.Things[i].Step == step && step != 0 {
			return &s.Things[i]
		}
	}
	return nil
}

func (s *State) the() *Account { return &s.Accounts[language.TheAccount] }

// still reports whether nothing but what a step does moves the account's money, except refunds.
func (s *State) still(of language.Account) bool {
	a := s.Accounts[of]
	return s.FeesKnown && !a.MayRise && !a.MayFall
}

// calm reports whether a movement of the account's money can be stated. Sentences state that of one
// account.
func (s *State) calm(of language.Account) bool {
	return of == language.TheAccount && s.still(of) && !s.Accounts[of].Refunded
}
