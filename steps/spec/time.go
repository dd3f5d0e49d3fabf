package spec

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// Interval is a time as far as it is known.
type Interval struct{ Least, Most time.Duration }

// lifetime is a row of how long things last.
type lifetime struct {
	kind        Kind
	early, late time.Duration // how much earlier than its time a thing may have expired, and later
}

// lifetimes say how exactly the end of a thing is known (Limits). What waits in a queue may leave it earlier, and the life of a
// charge begins while its request is still on its way.
var lifetimes = []lifetime{
	{Payment, api.QueueTolerance, api.ClockTolerance},
	{Transfer, api.QueueTolerance, api.ClockTolerance},
	{CashIn, api.ExpiryTolerance, api.ClockTolerance},
	{Cob, api.ExpiryTolerance, api.ClockTolerance},
	{Token, api.ClockTolerance, 0}, // TOK-023 TOK-024
}

// Clock is the time of an account, as far as it is known: that of the world, and what controls have added.
type Clock struct {
	now   Interval   // since the first input, without what controls have added
	moves []Interval // by which controls have moved it
}

// since is how long ago another time was.
func (c Clock) since(then Clock) Interval {
	age := Interval{max(0, c.now.Least-then.now.Most), c.now.Most - then.now.Least}
	for _, by := range c.moves[len(then.moves):] {
		age = Interval{age.Least + by.Least, age.Most + by.Most}
	}
	return age
}

// Late says whether a charge was paid too long ago to be refunded (DEV-042, DEV-043). Whether the time for that ends with a
// second or with its day is open ("the 89 days of a refund").
func (s State) Late(charge ID) Done {
	switch paid := s.SincePaid(charge); {
	case paid.Most < api.RefundDeadline-api.DayTolerance:
		return NotDone
	case paid.Least > api.RefundDeadline+day+api.DayTolerance:
		return IsDone
	}
	return MayBeDone
}

// SincePaid is how long ago a charge was paid, if it was.
func (s State) SincePaid(charge ID) Interval {
	t, _ := s.Thing(charge)
	clock := s.Accounts[t.Account].Clock
	return Interval{clock.since(t.paidAt).Least, clock.since(t.paidSince).Most}
}

// Pass is the state of a gateway at another time of the world.
func (s State) Pass(now Interval) State {
	for i := range s.Accounts {
		s.Accounts[i].Clock.now = now
		s = s.grown(i)
	}
	return s
}

// Move is the state after a control has moved the clock of an account.
func (s State) Move(account int, by Interval) State {
	clock := &s.Accounts[account].Clock
	clock.moves = append(slices.Clip(clock.moves), by)
	return s.grown(account)
}

// grown is the state with those things of an account expired whose time is over.
func (s State) grown(account int) State {
	for _, t := range s.things {
		if t.Account != account {
			continue
		}
		if may := t.at(s.Accounts[account].Clock); may != t.May {
			s.seen |= rowsOf(*t, Expires, may)
			older := *t
			older.May = may
			s = s.With(older)
		}
	}
	return s
}

// at are the states of a thing at a time. How long one lasts whose request has no lifetime is open ("how long a cash-out
// waits"): it may have expired as soon as a control has moved the clock.
func (t Thing) at(c Clock) States {
	i := slices.IndexFunc(lifetimes, func(l lifetime) bool { return l.kind == t.Kind })
	if i < 0 {
		return t.May
	}
	age := c.since(t.made)
	switch l := lifetimes[i]; {
	case t.Lasts == 0 && len(c.moves) == len(t.made.moves), t.Lasts > 0 && age.Most < t.Lasts-l.early:
		return t.May
	case t.Lasts > 0 && !t.MayStay && age.Least >= t.Lasts+l.late:
		return through(t.Kind, t.May, Expires)
	}
	return after(t.Kind, t.May, Expires, MayBeDone)
}

// through are the states of a thing to which something happens by itself, if it is in a state in which it can.
func through(kind Kind, from States, what Happening) (to States) {
	for i, state := range all {
		if one := States(1 << i); from&one != 0 {
			to |= after(kind, one, what, IsDone)
			if after(kind, one, what, IsDone) == 0 {
				to |= Any(state)
			}
		}
	}
	return to
}
