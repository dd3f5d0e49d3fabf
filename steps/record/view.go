package record

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// View is what the entries of a record show so far. Entries are added in order, while a scenario
// runs or from a record, so that the world and the judge see the same.
type View struct {
	Terms     *Terms
	Exchanges []*exchange.Exchange // requests, controls and deliveries; findings name their indexes
	Attempts  []*Attempt           // the requests that sentences are about
	Looks     []*Attempt           // the other requests of the API
	Calls     []Call               // of controls
	Events    []*Delivery
	Accounts  [2]Account
	Before    *Balance // with which the sentences of this When compare

	When   time.Time     // when the last When began
	Passed time.Time     // when the clock was moved last, first of all moves of one When
	Cases  []Case        // in the order in which they were opened
	Lag    time.Duration // for how long a replica may lag
	Sink

	entries       int
	meant         int // the index of the payment that sentences have returned to; -1 for the last
	atRest        int // the number of exchanges until nothing lagged any more; -1 if that was not waited for
	registrations int // the index of the list that was read before a registration
	steps         map[int]step
	waitedUntil   map[string]int // the number of exchanges until a look had been repeated until patience ended
}

// Sink is what the entries show about the receiver of webhooks.
type Sink struct {
	OwnURLs   string   // what the run's URLs for events of new accounts begin with, each of which is used once
	Temporary []string // the URLs that resends are given
	Reached   bool     // something has reached it
}

// step is what the entries show about a step, besides its exchanges.
type step struct {
	obstacle *Obstacle
	quiet    bool     // it has waited to the end for an unwanted webhook
	waited   []string // the looks that it repeated until patience ended
	ended    bool
}

// Account is what the entries show about an account of the scenario.
type Account struct {
	Opened, Fixed, Unsettled, Shared bool
	Since                            int              // how many exchanges there were before it was opened
	PixKey                           string           // empty if the profile does not give one
	Funds                            *Funds           // nil if unknown
	Had                              []money.Centavos // available before that
	Receivers                        []Receiver
	Kept                             []Receiver // of an account of the profile, registered or not
}

// Funds is the balance that an account had available before the exchange with that index.
type Funds struct {
	Available money.Centavos
	Index     int
}

// Receiver is a URL that an account registered for a type of event.
type Receiver struct{ EventType, URL string }

// Call is a call of a control.
type Call struct {
	*exchange.Exchange
	Account     language.Account // that it is about
	Step, Index int
	Request     any // the decoded body; nil if it is not JSON
}

// Text is a field of the request as text; empty if it has none.
func (c Call) Text(field string) string { return jsonvalue.Text(c.Request, field) }

// Succeeded reports whether the control succeeded.
func (c Call) Succeeded() bool { return c.Status >= 200 && c.Status < 300 }

// Refused reports whether the control says that it has not done it. Anything else may have.
func (c Call) Refused() bool { return c.Status >= 400 && c.Status < 500 }

// State is the state that the call gives to something, such as a refund.
func (c Call) State() api.State { return api.State(c.Text("status")) }

// Case is a MED case.
type Case struct {
	ID, EndToEndID string
	Account        language.Account
	Index          int       // the number of exchanges until it was opened
	State          api.State // that it was moved to; empty as long as it is new
}

// IsListedAs reports whether an item of the MED list is the case.
func (c Case) IsListedAs(item any) bool { return jsonvalue.Text(item, "id") == c.ID }

// Number is the id of the case, as a number for the controls; 0 if it has none.
func (c Case) Number() int64 {
	n, _ := strconv.ParseInt(c.ID, 10, 64)
	return n
}

// NewView returns an empty view.
func NewView(terms *Terms) *View {
	return &View{Terms: terms, meant: -1, registrations: -1, atRest: -1, steps: map[int]step{}, waitedUntil: map[string]int{}}
}

// Add adds an entry and returns the index of its exchange; -1 if it has none. It ignores invalid
// entries, which the suite did not record: empty ones, and those with an unknown account.
func (v *View) Add(e Entry) int {
	v.entries++
	if e.Account < 0 || int(e.Account) >= len(v.Accounts) {
		return -1
	}
	switch {
	case e.Fact == nil && e.Obstacle == nil && e.Exchange == nil:
		return -1
	case e.Fact != nil:
		v.learn(e)
		return -1
	case e.Obstacle != nil:
		now := v.steps[e.Step]
		now.obstacle = e.Obstacle
		v.steps[e.Step] = now
		return -1
	}
	index := len(v.Exchanges)
	v.Exchanges = append(v.Exchanges, e.Exchange)
	switch e.Exchange.Party {
	case exchange.Webhook:
		v.Events = append(v.Events, newDelivery(e.Exchange, index))
	case exchange.Control:
		request, _ := jsonvalue.Decode(e.Exchange.Body)
		v.Calls = append(v.Calls, Call{e.Exchange, e.Account, e.Step, index, request})
	default:
		if op := api.Named(e.Exchange.Operation); op != nil { // else of another version of the suite
			v.addAttempt(newAttempt(e, op, index, v.Terms))
		}
	}
	return index
}

func (v *View) addAttempt(t *Attempt) {
	if t.Role == Spoken {
		v.Attempts = append(v.Attempts, t)
		if !t.Is(api.Nothing) {
			v.meant = -1
		}
	} else {
		v.Looks = append(v.Looks, t)
	}
	b, ok := t.Balance()
	if ok && t.Role == Before {
		v.Before = &b
	}
	// The first balance of a new account is its funds, unless money may have moved before.
	if account := &v.Accounts[t.Account]; ok && account.Opened && !account.Fixed && account.Funds == nil && !v.moved() {
		account.Funds = &Funds{b.Available, t.Index}
	}
}

// Requests returns all requests of the API, those that sentences are about first.
func (v *View) Requests() []*Attempt { return slices.Concat(v.Attempts, v.Looks) }

// moved reports whether a request, or a control, may have moved money.
func (v *View) moved() bool {
	return slices.ContainsFunc(v.Calls, func(c Call) bool { return c.Method == http.MethodPost && c.Operation != string(target.Accounts) }) ||
		slices.ContainsFunc(v.Requests(), func(t *Attempt) bool { return t.Op.TakesMoney() })
}

func (v *View) learn(e Entry) {
	f, account, now := e.Fact, &v.Accounts[e.Account], v.steps[e.Step]
	switch f.Kind {
	case Opened:
		*account = Account{Opened: true, PixKey: f.Text, Fixed: f.Yes, Since: len(v.Exchanges)}
	case Lagging:
		v.Lag = f.For
	case OwnURLs:
		v.OwnURLs = f.Of
	case Shared:
		account.Shared = true
	case Unsettled:
		account.Unsettled = true
	case Funded:
		if available, err := money.Parse(f.Text); err == nil {
			if account.Funds != nil {
				account.Had = append(account.Had, account.Funds.Available)
			}
			account.Funds = &Funds{available, len(v.Exchanges)}
		}
	case Subscribed:
		if r := (Receiver{f.Text, f.Of}); !slices.Contains(account.Receivers, r) {
			account.Receivers = append(account.Receivers, r)
		}
	case Kept:
		account.Kept = append(account.Kept, Receiver{f.Text, f.Of})
	case Temporary:
		v.Temporary = append(v.Temporary, f.Of)
	case WhenBegan:
		v.When = f.At
	case TimePassed:
		if !v.Passed.After(v.When) {
			v.Passed = f.At
		}
	case Opening:
		v.Cases = append(v.Cases, Case{ID: f.Text, EndToEndID: f.Of, Account: e.Account, Index: len(v.Exchanges)})
	case CaseMoved:
		for i := range v.Cases {
			if v.Cases[i].ID == f.Text {
				v.Cases[i].State = api.State(f.Of)
			}
		}
	case Quiet:
		now.quiet = true
	case Waited:
		now.waited = append(now.waited, f.Text)
		v.waitedUntil[f.Text] = len(v.Exchanges)
	case Ended:
		now.ended = true
	case Reached:
		v.Reached = true
	case AtRest:
		v.atRest = len(v.Exchanges)
	case Meant:
		v.meant = f.Index
	case Registered:
		v.registrations = f.Index
	case Paid, Returned, Doubtful:
		v.learnOf(v.Attempt(f.Index), f)
	}
	v.steps[e.Step] = now
}

func (v *View) learnOf(t *Attempt, f *Fact) {
	switch {
	case t == nil:
	case f.Kind == Doubtful:
		t.Doubtful, t.ShowsNone = true, f.Yes
	default:
		t.EndToEndID, t.Returned = f.Text, f.Kind == Returned
	}
}

// Attempt returns the request with that index; nil if there is none.
func (v *View) Attempt(index int) *Attempt {
	for _, all := range [][]*Attempt{v.Attempts, v.Looks} {
		if i := slices.IndexFunc(all, func(t *Attempt) bool { return t.Index == index }); i >= 0 {
			return all[i]
		}
	}
	return nil
}

// Obstacle is why a step could not be carried out; nil if it could.
func (v *View) Obstacle(step int) *Obstacle { return v.steps[step].obstacle }

// WasQuiet reports whether a step has waited to the end for an unwanted webhook.
func (v *View) WasQuiet(step int) bool { return v.steps[step].quiet }

// It returns the last request that a sentence is about, as in "it is accepted"; nil if there is none.
func (v *View) It() *Attempt {
	if len(v.Attempts) == 0 {
		return nil
	}
	return v.Attempts[len(v.Attempts)-1]
}

// Two returns the last two requests that sentences are about.
func (v *View) Two() (a, b *Attempt, ok bool) {
	n := len(v.Attempts)
	if n < 2 {
		return nil, nil, false
	}
	return v.Attempts[n-2], v.Attempts[n-1], true
}

// Meant returns the request that made the payment to which sentences have returned; nil if they
// speak of the last one.
func (v *View) Meant() *Attempt { return v.Attempt(v.meant) }

// LastOf returns the last request to create one of those things, or the one that sentences have
// returned to; nil if there is none.
func (v *View) LastOf(makes ...api.Made) *Attempt {
	if t := v.Meant(); t != nil && t.Is(makes...) {
		return t
	}
	for _, t := range slices.Backward(v.Attempts) {
		if t.Is(makes...) {
			return t
		}
	}
	return nil
}

// Nth returns the request that a sentence refers to: the last one, or the nth accepted one.
func (v *View) Nth(n language.Nth, makes ...api.Made) (*Attempt, error) {
	if n == language.Last {
		if t := v.LastOf(makes...); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("the scenario has not sent a request that this step refers to")
	}
	left := int(n)
	for _, t := range v.Attempts {
		if !t.Is(makes...) || !t.Accepted() {
			continue
		}
		if left--; left == 0 {
			return t, nil
		}
	}
	return nil, Cannot(fmt.Sprintf("there is no %v accepted %v", n, makes[0]))
}

// Several returns the requests of the last step that sent several: concurrently, or in variants.
func (v *View) Several() []*Attempt {
	i := len(v.Attempts) - 1
	for i >= 0 && !v.Attempts[i].isOfSeveral() {
		i--
	}
	if i < 0 {
		return nil
	}
	step := v.Attempts[i].Step
	var all []*Attempt
	for _, t := range v.Attempts {
		if t.Step == step && t.isOfSeveral() {
			all = append(all, t)
		}
	}
	return all
}

// LookOf returns the last request of an operation that a step sent for the judge; nil if there is
// none.
func (v *View) LookOf(step int, noun string) *Attempt {
	for _, t := range slices.Backward(v.Looks) {
		if t.Step == step && t.Role == Look && t.Op.Noun == noun {
			return t
		}
	}
	return nil
}

// CallOf returns the last call of a control in a step; false if there is none.
func (v *View) CallOf(step int, control string) (Call, bool) {
	for _, c := range slices.Backward(v.Calls) {
		if c.Step == step && c.Operation == control {
			return c, true
		}
	}
	return Call{}, false
}

// RegisteredBefore returns the list of webhooks that was read before a registration; nil if none
// was.
func (v *View) RegisteredBefore() *Attempt { return v.Attempt(v.registrations) }

// EventsAt returns the events that arrived at one of the URLs.
func (v *View) EventsAt(at []Receiver) []*Delivery {
	var all []*Delivery
	for _, d := range v.Events {
		if slices.ContainsFunc(at, func(r Receiver) bool { return r.URL == d.At }) {
			all = append(all, d)
		}
	}
	return all
}

// Case returns the last MED case, or the nth; an empty one if there is none.
func (v *View) Case(n language.Nth) Case {
	if n == language.Last {
		n = language.Nth(len(v.Cases))
	}
	if n == 0 || int(n) > len(v.Cases) {
		return Case{}
	}
	return v.Cases[n-1]
}

// Entries is the number of entries that were added: as long as it stays, the view shows the same.
func (v *View) Entries() int { return v.entries }

// HasEnded reports whether all of a step was recorded.
func (v *View) HasEnded(step int) bool { return v.steps[step].ended }

// IsAtRest reports whether a request was sent when nothing that the scenario did could still be under way.
func (v *View) IsAtRest(t *Attempt) bool { return v.atRest >= 0 && t.Index >= v.atRest }

// CameAfter reports whether an event arrived after a wait had ended. What such an event announces may have been under
// way when the record ended.
func CameAfter(v *View, d *Delivery, key string) bool {
	until, ended := v.waitedUntil[key]
	return ended && d.Index >= until
}

// HasWaited reports whether a step repeated a look until patience ended.
func (v *View) HasWaited(step int, key string) bool {
	return slices.Contains(v.steps[step].waited, key)
}
