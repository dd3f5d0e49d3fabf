package spec

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// story is a scenario as the machine goes through it.
type story struct {
	steps  []language.Step
	counts tally

	now, before State // before: when the When began
	accounts    [2]*holder
	made        []made           // by requests, in their order; also those that were rejected
	meant       *made            // to which the scenario has returned
	subject     *made            // that it has brought into a state
	last        []made           // what the last request has made, or each of several at once
	asked       *asked           // the last request, if it orders something
	badKey      bool             // the key of transfers belongs to somebody to whom the bank pays nothing
	fresh       int              // keys so far
	timeOfDay   *time.Duration   // of the account; nil if it is not known
	who         language.Account // that has sent the last request
	op          *api.Operation   // of the last request
	token       States           // of the last request
	returned    ID               // the last return

	registration *registration // the last request, if it is for one
	ids          ID
	cases        []ID
	vague        string // why the money is not known any more
}

// holder is an account of a story.
type holder struct {
	Funds          Range // available before its things
	Orders         Orders
	Limits         Limits
	Out            money.Centavos // the fee of payments; MostOut is the highest so far, as MostIn is of charges
	MostOut        money.Centavos
	MostIn         money.Centavos
	Request        request // the last
	Sent           []string
	IsRemoved      bool
	ProviderIsDown bool
	Under          language.Authorization // of the last request
	Tokens         []ID                   // the first, and the last that a request got
	Registrations  Registrations
	URLs           []string
	Registration   *registration // the last request for one
}

// made is what a request has made.
type made struct {
	ID
	request
	Done Done
}

func newStory(steps []language.Step, counts tally) *story {
	s := &story{steps: steps, counts: counts}
	for i := range s.accounts {
		s.accounts[i] = &holder{Funds: Range{0, money.Most}}
	}
	return s
}

// take takes the next step; with what it states that the machine does not allow.
func (s *story) take(i int) string {
	step := s.steps[i]
	if language.StartsWhen(s.steps, i) {
		s.before = s.now
	}
	if _, acts := step.Meaning.(language.Send); step.Type == catalogue.Outcome && !acts {
		return s.check(step.Meaning)
	}
	problem := s.act(i, step.Meaning)
	switch step.Meaning.(type) {
	case language.Arrives, language.Answered, language.Has: // also what is given may arrive
		return s.check(step.Meaning)
	}
	return problem
}

// nth are what sentences refer to: the last thing of a kind, or the nth that was accepted.
func (s *story) nth(n language.Nth, makes ...api.Made) (made, bool) {
	is := func(m made) bool {
		for _, kind := range makes {
			if m.Op.Makes == kind {
				return true
			}
		}
		return false
	}
	if n == language.Last {
		if s.meant != nil && is(*s.meant) {
			return *s.meant, true
		}
		for i := len(s.made) - 1; i >= 0; i-- {
			if is(s.made[i]) {
				return s.made[i], true
			}
		}
		return made{}, false
	}
	for _, m := range s.made {
		if is(m) && m.Done == IsDone {
			if n--; n == 0 {
				return m, true
			}
		}
	}
	return made{}, false
}

// happens is what somebody does to a thing. Who only tries may find that it is not possible.
func (s *story) happens(m made, ok bool, what Happening, tries bool) string {
	switch {
	case !ok || m.Done == NotDone && tries:
		return ""
	case m.Done == NotDone:
		return "nothing was made to which it could happen"
	}
	next, breach := s.now.Happens(m.ID, what, s.doneBy(m, what, tries))
	if breach != nil && !tries {
		return breach.String()
	}
	s.now = next
	return ""
}

// doneBy: whoever tries what is possible for sure, because nothing has happened to the thing yet, does it.
func (s *story) doneBy(m made, what Happening, tries bool) Done {
	t := s.thing(m)
	return doneIf(!tries || t.May == Any(first[t.Kind]) && after(t.Kind, t.May, what, IsDone) != 0)
}

func doneIf(surely bool) Done {
	if surely {
		return IsDone
	}
	return MayBeDone
}

func (s *story) thing(m made) Thing {
	t, _ := s.now.Thing(m.ID)
	return t
}
