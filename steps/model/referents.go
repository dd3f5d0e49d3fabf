package model

import (
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Referents are what sentences can refer to after those that a walk has said: "the second payment", "the request
// again", "the account's 4th url". What happens to the gateway does not depend on them.
type Referents struct {
	Things    []Referent // those of the gateway, in their order
	Uncounted [4]bool    // of what is made from now on, it is not known which is the 4th

	Sent     bool   // something was requested
	LastSent [2]int // by account, the step whose request "the request again" repeats; 0 if it was rejected
	LastHook int    // the step whose registration "the request again" repeats
	Last     [4]int // by what is made, the step that made the last; 0 if a later request was rejected
	Focused  bool   // sentences have returned to an earlier payment

	OddKey bool          // the last request to a key may have had a wrong one
	Kept   bool          // the account has a first token
	KeptAt time.Duration // as Elapsed

	URLs     []URLName // those of the gateway, in their order
	URLsLost bool      // a request may have had a URL that is not among them: later ones cannot be named
}

// Referent is what sentences can say of a thing and of its request.
type Referent struct {
	ID             int // of the thing
	Called         string
	StaticCode     bool       // a payment of a static code without an amount
	Documented     bool       // the request of a QR cash-out says whom it pays
	KeyKindUnknown bool       // a cash-out whose key may be of another kind than usual
	SharedID       bool       // another account has used its externalId
	RandomID       bool       // its externalId is random up to its last character
	TokenExpired   bool       // its request has a token that has expired
	Request        [][]string // the fields of the request for a refund
}

// URLName is how sentences call a URL.
type URLName struct {
	Nth      int // as sentences count it; 0 if that is not known
	Endpoint int // as sentences count webhook endpoints; 0 if that is not known
}

func (u URLName) String() string { return fmt.Sprintf("the account's %v url", language.Nth(u.Nth)) }

func (r *Referents) clone() Referents {
	c := *r
	c.Things, c.URLs = slices.Clone(r.Things), slices.Clone(r.URLs)
	return c
}

// made adds a thing, in the order in which sentences count them.
func (r *Referents) made(t *Thing) *Referent {
	called := "case" // which no request makes
	if t.Noun != medCase {
		called, r.Focused = t.Makes.String(), r.Focused && t.Makes != api.Payment
		r.LastSent[t.Account], r.Last[t.Makes], r.LastHook, r.Sent = t.ID, t.ID, 0, true
	}
	r.Things = append(r.Things, Referent{ID: t.ID, Called: called})
	return &r.Things[len(r.Things)-1]
}

// of is what can be said of a thing.
func (r *Referents) of(t *Thing) *Referent {
	return &r.Things[slices.IndexFunc(r.Things, func(o Referent) bool { return o.ID == t.ID })]
}

// named is what sentences call a thing: "the second payment".
func (r *Referents) named(t *Thing) string {
	n, called := 0, r.of(t).Called
	for _, o := range r.Things {
		if o.Called == called {
			n++
		}
		if o.ID == t.ID {
			break
		}
	}
	return fmt.Sprintf("the %v %v", language.Nth(n), called)
}

// clear: the account's last request made nothing that sentences could speak of.
func (r *Referents) clear() { r.clearOf(language.TheAccount) }

func (r *Referents) clearOf(who language.Account) {
	r.LastSent[who], r.LastHook, r.Last, r.Sent = 0, 0, [4]int{}, true
}

// focus makes an earlier payment the one that sentences speak of next.
func (r *Referents) focus(t *Thing) {
	r.LastSent[t.Account], r.LastHook, r.Last[api.Payment], r.Focused = 0, 0, t.ID, true
}

// isLastMade reports whether a thing is what was made last, by any account, and sentences speak of it.
func (r *Referents) isLastMade(t *Thing) bool {
	return t.ID == r.LastSent[t.Account] && t.ID == r.Last[t.Makes] && t.ID == r.Things[len(r.Things)-1].ID && !r.Focused
}

// addURL counts a URL that was not sent before.
func (r *Referents) addURL() {
	n := 0
	if !r.URLsLost {
		n = len(r.URLs) + 1
	}
	r.URLs = append(r.URLs, URLName{Nth: n})
}

// addEndpoint counts a webhook endpoint: a URL, for one of its types.
func (r *Referents) addEndpoint(url, registrations int) {
	if u := &r.URLs[url]; u.Endpoint == 0 && !r.URLsLost {
		u.Endpoint = registrations
	}
}

// forgetURLs: nothing is known any more of those that were sent.
func (r *Referents) forgetURLs() { r.URLs, r.URLsLost, r.LastHook = nil, true, 0 }
