package spec

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/money"
)

// begin is a gateway on which one thing of R$ 10.00 was made, with a fee of R$ 0.50 at most.
func begin(kind Kind, waits bool) State {
	s := State{}.Hold(0, false, waits, IsDone).Hold(0, true, waits, IsDone)
	return s.Make(Thing{ID: 1, Kind: kind, Amount: 10_00, Fee: 50, Lasts: time.Hour}, IsDone)
}

func happen(t *testing.T, s State, all ...any) State {
	t.Helper()
	done := IsDone
	for _, one := range all {
		switch one := one.(type) {
		case Done:
			done = one
		case Happening:
			s, _ = s.Happens(1, one, done)
		case time.Duration:
			s = s.Move(0, Interval{one, one})
		default:
			require.Fail(t, "unknown")
		}
	}
	return s
}

func TestWhatThingsBecome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind  Kind
		waits bool
		what  []any
		is    States
		moved string
	}{
		"a payment waits":                     {Payment, true, nil, Any(api.Pending), "R$ -10.50 to R$ -10.00"},
		"it is confirmed":                     {Payment, true, []any{BankConfirms}, Any(api.Confirmed), "R$ -10.50 to R$ -10.00"},
		"it is rejected":                      {Payment, true, []any{BankRejects}, Any(api.Failed), "R$ -10.50 to R$ 0.00"},
		"nobody knows whether it was":         {Payment, true, []any{MayBeDone, BankRejects}, Any(api.Pending, api.Failed), "R$ -10.50 to R$ 0.00"},
		"it does not wait":                    {Payment, false, nil, Any(api.Pending, api.Confirmed, api.Failed), "R$ -10.50 to R$ 0.00"},
		"it does not, and is confirmed":       {Payment, false, []any{BankConfirms}, Any(api.Confirmed), "R$ -10.50 to R$ -10.00"},
		"a second result, if one can replace": {Payment, true, []any{BankConfirms, BankRejects}, Any(api.Confirmed, api.Failed), "R$ -10.50 to R$ 0.00"},
		"it may expire":                       {Payment, true, []any{time.Hour}, Any(api.Pending, Expired), "R$ -10.50 to R$ 0.00"},
		"it surely does":                      {Payment, true, []any{2 * time.Hour}, Any(api.Pending, Expired), "R$ -10.50 to R$ 0.00"},
		"a transfer":                          {Transfer, true, []any{BankConfirms}, Any(api.Completed), "R$ -10.50 to R$ -10.00"},
		"a transfer expires":                  {Transfer, true, []any{2 * time.Hour}, Any(Expired), "R$ -10.50 to R$ 0.00"},
		"a transfer nearly does":              {Transfer, true, []any{time.Hour - 3*time.Minute}, Any(api.Pending), "R$ -10.50 to R$ -10.00"},
		"a cash-in":                           {CashIn, true, nil, Any(api.Pending), "R$ 0.00"},
		"a cash-in is paid":                   {CashIn, true, []any{IsPaid}, Any(api.Confirmed), "R$ 9.50 to R$ 10.00"},
		"it is paid late, if it can be":       {CashIn, true, []any{2 * time.Hour, IsPaid}, Any(api.Confirmed), "R$ 9.50 to R$ 10.00"},
		"it may be paid":                      {CashIn, true, []any{MayBeDone, IsPaid}, Any(api.Pending, api.Confirmed), "R$ 0.00 to R$ 10.00"},
		"a cob":                               {Cob, true, nil, Any(api.Active), "R$ 0.00"},
		"a cob is paid":                       {Cob, true, []any{IsPaid}, Any(api.Concluded), "R$ 9.50 to R$ 10.00"},
		"a cob is paid once":                  {Cob, true, []any{IsPaid, IsPaid, ReceiverRemoves, 2 * time.Hour}, Any(api.Concluded), "R$ 9.50 to R$ 10.00"},
		"a cob is removed":                    {Cob, true, []any{ReceiverRemoves, IsPaid}, Any(api.RemovedByReceiver), "R$ 0.00"},
		"a cob expires":                       {Cob, true, []any{2 * time.Hour}, Any(api.RemovedByPSP), "R$ 0.00"},
		"a cob may expire":                    {Cob, true, []any{time.Hour}, Any(api.Active, api.RemovedByPSP), "R$ 0.00"},
		"a refund":                            {Refund, true, []any{BankConfirms, BankRejects}, Any(api.Refunded), "R$ -10.50 to R$ 0.00"},
		"a refund that fails":                 {Refund, true, []any{BankRejects}, Any(api.NotRefunded), "R$ -10.50 to R$ 0.00"},
		"a return":                            {Return, true, nil, Any(api.Confirmed), "R$ 9.50 to R$ 10.00"},
		"what has no such state":              {Refund, true, []any{IsPaid}, Any(api.Processing), "R$ -10.50 to R$ 0.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := happen(t, begin(c.kind, c.waits), c.what...)
			thing, ok := s.Thing(1)
			require.True(t, ok)
			assert.Equal(t, c.is.String(), thing.May.String())
			assert.Equal(t, c.moved, thing.Moved().String())
			assert.Equal(t, thing.Moved().Plus(Exactly(100_00)), s.Available(0, Exactly(100_00)))
		})
	}
}

// A request without a response leaves open whether it made something; a rejected one has made nothing.
func TestWhatMayNotHaveBeenMade(t *testing.T) {
	t.Parallel()
	s := State{}.Make(Thing{ID: 1, Kind: Payment, Amount: 10_00}, NotDone)
	assert.Empty(t, s.Things())
	s = State{}.Hold(0, false, true, IsDone).Make(Thing{ID: 1, Kind: Payment, Amount: 10_00}, MayBeDone)
	thing, _ := s.Thing(1)
	assert.Equal(t, "not made or PENDING", thing.May.String())
	assert.Equal(t, "R$ -10.00 to R$ 0.00", thing.Moved().String())
	s, breach := s.Shows(1, Any(api.Pending))
	assert.Nil(t, breach)
	assert.Equal(t, Exactly(-10_00), s.Available(0, Range{}), "a list shows it")
}

// What the specification rules out is a breach, after which nothing is ruled out that was observed.
func TestBreaches(t *testing.T) {
	t.Parallel()
	s := happen(t, begin(Cob, true), ReceiverRemoves)
	same, breach := s.Happens(1, IsPaid, IsDone)
	assert.Equal(t, s.Things(), same.Things())
	assert.Equal(t, "somebody pays it, although the cob is REMOVIDA_PELO_USUARIO_RECEBEDOR", breach.String())
	_, breach = s.Happens(1, IsPaid, NotDone)
	assert.Nil(t, breach)
	widened, breach := s.Shows(1, Any(api.Active))
	assert.Equal(t, "it is shown as ATIVA, although the cob is REMOVIDA_PELO_USUARIO_RECEBEDOR", breach.String())
	thing, _ := widened.Thing(1)
	assert.Equal(t, Any(api.Active, api.RemovedByReceiver), thing.May)
	_, breach = s.Happens(2, IsPaid, IsDone)
	assert.Nil(t, breach, "of something that is not known")
}

// An automatic settlement begins to settle what waits.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	for _, done := range []Done{IsDone, MayBeDone} {
		s := begin(Payment, true).Hold(0, false, false, done)
		thing, _ := s.Thing(1)
		assert.Equal(t, "PENDING or CONFIRMED or ERROR", thing.May.String())
		s = begin(Refund, true).Hold(0, false, false, done)
		thing, _ = s.Thing(1)
		assert.Equal(t, api.Processing, thing.May.Only(), "refunds wait for another control")
	}
	s := begin(Payment, true).Hold(0, false, false, NotDone)
	thing, _ := s.Thing(1)
	assert.Equal(t, api.Pending, thing.May.Only())
}

// A payer may choose the amount; splits take a part; what is played, or repeated, may move nothing.
func TestAmounts(t *testing.T) {
	t.Parallel()
	s, _ := begin(CashIn, true).Pay(1, 7_00, IsDone)
	assert.Equal(t, Range{6_50, 7_00}, s.Available(0, Range{}))
	s, _ = begin(CashIn, true).Pay(1, 7_00, MayBeDone)
	s, _ = s.Pay(1, 12_00, MayBeDone)
	assert.Equal(t, Range{0, 12_00}, s.Available(0, Range{}))
	s, _ = State{}.Make(Thing{ID: 1, Kind: CashIn, Amount: 10_00, Others: Range{0, 10_00}}, IsDone).Pay(1, 10_00, IsDone)
	assert.Equal(t, Range{0, 10_00}, s.Available(0, Range{}))
	held := State{}.Hold(0, false, true, IsDone)
	for _, thing := range []Thing{{ID: 1, Kind: Payment, Amount: 10_00, Played: true}, {ID: 1, Kind: Payment, Amount: 10_00, Again: true}} {
		assert.Equal(t, Range{-10_00, 0}, held.Make(thing, IsDone).Available(0, Range{}))
	}
}

// Others get their part of what was paid, and no more; which of them have got it may not be known.
func TestWhatGoesToOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		paid        money.Centavos
		others, own Range
	}{
		{10_00, Range{2_00, 3_00}, Range{6_50, 8_00}},
		{10_00, Range{0, 10_00}, Range{-50, 10_00}},
		{1_00, Range{2_00, 3_00}, Range{-50, 0}},
	} {
		s, _ := State{}.Make(Thing{ID: 1, Kind: CashIn, Amount: 10_00, Fee: 50, Others: c.others}, IsDone).Pay(1, c.paid, IsDone)
		assert.Equal(t, c.own, s.Available(0, Range{}), "%v", c)
	}
}

// What a thing has not surely done by now, it may still do.
func TestWhatAThingMayStillDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind        Kind
		what        []any
		takes, back money.Centavos
	}{
		"a payment waits":          {Payment, nil, 50, 0},
		"it is confirmed":          {Payment, []any{BankConfirms}, 50, 0},
		"it is rejected":           {Payment, []any{BankRejects}, 50, 10_00},
		"a transfer may expire":    {Transfer, []any{time.Hour}, 50, 10_00},
		"a cob":                    {Cob, nil, 0, 0},
		"a cob is paid":            {Cob, []any{IsPaid}, 50, 0},
		"a refund waits":           {Refund, nil, 10_00, 0},
		"a refund fails":           {Refund, []any{BankRejects}, 0, 10_00},
		"a refund may have failed": {Refund, []any{MayBeDone, BankRejects}, 10_00, 10_00},
		"a case":                   {Case, nil, 10_00, 10_00},
	} {
		thing, _ := happen(t, begin(c.kind, true), c.what...).Thing(1)
		takes, back := thing.MayStill()
		assert.Equal(t, [2]money.Centavos{c.takes, c.back}, [2]money.Centavos{takes, back}, name)
	}
}

// What a thing could still take before, it may have taken since, and what has failed since may have come back.
func TestWhatAThingMayHaveDoneSince(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind        Kind
		before, now []any // what has happened by then
		takes, back money.Centavos
	}{
		"a payment waits":        {Payment, nil, nil, 50, 0},
		"it is rejected":         {Payment, nil, []any{BankRejects}, 50, 10_00},
		"it was rejected before": {Payment, []any{BankRejects}, nil, 50, 0},
		"a transfer may expire":  {Transfer, nil, []any{time.Hour}, 50, 10_00},
		"a refund waits":         {Refund, nil, nil, 10_00, 0},
		"it fails":               {Refund, nil, []any{BankRejects}, 10_00, 10_00},
		"it had failed before":   {Refund, []any{BankRejects}, nil, 0, 0},
		"a charge expires":       {Cob, nil, []any{time.Hour}, 0, 0},
	} {
		before := happen(t, begin(c.kind, true), c.before...)
		was, _ := before.Thing(1)
		now, _ := happen(t, before, c.now...).Thing(1)
		takes, back := now.Since(was)
		assert.Equal(t, [2]money.Centavos{c.takes, c.back}, [2]money.Centavos{takes, back}, name)
	}
	made, _ := happen(t, begin(Refund, true), BankRejects).Thing(1)
	takes, back := made.Since(Thing{})
	assert.Equal(t, [2]money.Centavos{0, 0}, [2]money.Centavos{takes, back}, "it was made since")
}

// A balance may show what a thing has done, until something else happens to it.
func TestWhatABalanceShows(t *testing.T) {
	t.Parallel()
	s := happen(t, begin(Payment, true), BankRejects)
	s, breach := s.HasMoved(1, Range{})
	assert.Nil(t, breach)
	assert.Equal(t, Range{}, s.Available(0, Range{}), "its money is back")
	assert.Equal(t, Range{-10_50, 0}, happen(t, s, BankConfirms).Available(0, Range{}), "a second result may take it again")
	s, _ = begin(Payment, true).HasMoved(1, Range{-10_20, 0})
	assert.Equal(t, Range{-10_20, -10_00}, s.Available(0, Range{}))
	same, breach := s.HasMoved(1, Range{})
	assert.Equal(t, "it is shown to have moved R$ 0.00, although the payment is PENDING", breach.String())
	assert.Equal(t, s, same)
	_, breach = s.HasMoved(2, Range{})
	assert.Nil(t, breach, "of something that is not known")
}

func TestWhatCountsAsRefunded(t *testing.T) {
	t.Parallel()
	charge := State{}.Hold(0, true, true, IsDone).Make(Thing{ID: 2, Kind: Cob, Amount: 10_00}, IsDone)
	refund := Thing{ID: 1, Kind: Refund, Amount: 4_00, Of: 2}
	for name, c := range map[string]struct {
		s    State
		want Range
	}{
		"nothing":                 {charge, Range{}},
		"one in processing":       {charge.Make(refund, IsDone), Range{4_00, 4_00}},
		"one that may be":         {charge.Make(refund, MayBeDone), Range{0, 4_00}},
		"one that was done":       {happen(t, charge.Make(refund, IsDone), BankConfirms), Range{4_00, 4_00}},
		"one that failed":         {happen(t, charge.Make(refund, IsDone), BankRejects), Range{0, 4_00}},
		"two":                     {charge.Make(refund, IsDone).Make(Thing{ID: 3, Kind: Refund, Amount: 1_00, Of: 2}, MayBeDone), Range{4_00, 5_00}},
		"one of another":          {charge.Make(Thing{ID: 1, Kind: Refund, Amount: 1_00, Of: 3}, IsDone), Range{}},
		"one that was never made": {showing(charge.Make(refund, MayBeDone), Unmade), Range{}},
		"what a payee returned":   {charge.Make(Thing{ID: 1, Kind: Return, Amount: 4_00, Of: 2}, IsDone), Range{4_00, 4_00}},
	} {
		assert.Equal(t, c.want, c.s.Refunded(2), name)
	}
}

// showing is the state in which the first thing surely has a state.
func showing(s State, state api.State) State {
	s, _ = s.Shows(1, Any(state))
	return s
}

// The time of the world passes for both accounts; a control moves that of one.
func TestTime(t *testing.T) {
	t.Parallel()
	s := begin(Cob, true).Make(Thing{ID: 2, Kind: Cob, Account: 1, Lasts: time.Hour}, IsDone).Make(Thing{ID: 3, Kind: Cob}, IsDone)
	of := func(s State, id ID) string {
		thing, _ := s.Thing(id)
		return thing.May.String()
	}
	moved := s.Move(0, Interval{2 * time.Hour, 2 * time.Hour})
	assert.Equal(t, "REMOVIDA_PELO_PSP", of(moved, 1))
	assert.Equal(t, "ATIVA", of(moved, 2))
	assert.Equal(t, "ATIVA or REMOVIDA_PELO_PSP", of(moved, 3), "how long it lasts is not known")
	passed := s.Pass(Interval{2 * time.Hour, 3 * time.Hour})
	assert.Equal(t, []string{"REMOVIDA_PELO_PSP", "REMOVIDA_PELO_PSP", "ATIVA"}, []string{of(passed, 1), of(passed, 2), of(passed, 3)})
	perhaps := s.Move(0, Interval{0, 2 * time.Hour})
	assert.Equal(t, "ATIVA or REMOVIDA_PELO_PSP", of(perhaps, 1), "the control may have failed")
	later := moved.Make(Thing{ID: 4, Kind: Cob, Lasts: time.Hour}, IsDone)
	assert.Equal(t, "ATIVA", of(later, 4), "what was made afterwards is new")
	slow := State{}.Hold(0, false, true, IsDone).Pass(Interval{0, 5 * time.Minute}).Make(Thing{ID: 2, Kind: Transfer, Lasts: time.Minute}, IsDone)
	by := time.Minute + api.ClockTolerance
	assert.Equal(t, "expired", of(slow.Move(0, Interval{by, by}), 2), "nothing is younger than what a control has added")
	assert.Equal(t, "expired or PENDING", of(slow.Move(0, Interval{by - 1, by - 1}), 2))
}

// Every row of the tables can be reached, and names what states it or an open point that exists.
func TestRowsHaveReasons(t *testing.T) {
	t.Parallel()
	points, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	stated, err := catalogue.Statements(features.FS)
	require.NoError(t, err)
	exist := func(by, open string) {
		for _, id := range strings.Fields(by) {
			assert.True(t, slices.ContainsFunc(stated, func(s catalogue.Statement) bool { return s.ID == id }), "there is no statement %s", id)
		}
		isPoint := func(p catalogue.OpenPoint) bool { return p.Name == open }
		assert.True(t, open == "" || slices.ContainsFunc(points, isPoint), "there is no open point %q", open)
	}
	for _, row := range transitions {
		assert.NotEqual(t, row.by == "", row.open == "", "%v: one of both", row)
		exist(row.by, row.open)
		begins := first[row.kind] == row.from || slices.ContainsFunc(transitions, func(o transition) bool { return o.kind == row.kind && o.to.Has(row.from) })
		assert.True(t, begins, "nothing leads to %v", row)
	}
	for _, row := range slices.Concat(effects, blocks) {
		exist(row.by, row.open)
		assert.True(t, row.by != "" || row.open != "" || row.in == none, "%v: neither", row.kinds)
	}
	for _, row := range accesses {
		exist(row.by, "")
	}
	for _, row := range delays {
		exist(row.by, row.open)
		assert.True(t, row.by != "" || row.open != "", "%v: neither", row.kinds)
	}
	for _, row := range flaws {
		exist(row.by, "")
	}
	for _, row := range rejections {
		exist(row.by, "")
		assert.NotEmpty(t, row.by)
	}
	for _, row := range reasons {
		exist(row.by, row.open)
	}
	for _, row := range reports {
		assert.NotEqual(t, row.by == "", row.open == "", "%v: one of both", row)
		exist(row.by, row.open)
	}
	assert.LessOrEqual(t, len(transitions), 64, "a bit for each")
}

// Every thing in every state that it can have has exactly one row of money.
func TestEveryStateMovesMoney(t *testing.T) {
	t.Parallel()
	for kind, state := range first {
		if kind == Token {
			continue
		}
		states := []api.State{Unmade, state}
		for _, row := range transitions {
			for _, to := range all {
				if row.kind == kind && row.to.Has(to) && !slices.Contains(states, to) {
					states = append(states, to)
				}
			}
		}
		for _, state := range states {
			for _, table := range [][]effect{effects, blocks} {
				rows := 0
				for _, row := range table {
					if slices.Contains(row.kinds, kind) && row.in.Has(state) {
						rows++
					}
				}
				assert.Equal(t, 1, rows, "%s %s", kind, state)
			}
		}
	}
}

// What may have happened allows what surely has, and what has not.
func TestUncertaintyWidens(t *testing.T) {
	t.Parallel()
	for kind := range first {
		for from := States(1); from < 1<<len(all); from <<= 1 {
			for _, what := range []Happening{BankConfirms, BankRejects, BankDecides, IsPaid, ReceiverRemoves, PSPRemoves, Expires} {
				perhaps := after(kind, from, what, MayBeDone)
				assert.Zero(t, (after(kind, from, what, IsDone)|from)&^perhaps)
			}
		}
	}
}

// What surely happened is counted, and nothing else.
func TestRowsThatWereObserved(t *testing.T) {
	t.Parallel()
	observed := func(s State) (all []string) {
		for _, row := range s.Rows() {
			if row.WasObserved {
				all = append(all, row.String())
			}
		}
		return all
	}
	assert.Empty(t, observed(begin(Payment, true)))
	assert.Empty(t, observed(happen(t, begin(Payment, true), MayBeDone, BankConfirms)))
	assert.Equal(t, []string{"payment | PENDING | the bank confirms it | CONFIRMED | OUT-074"}, observed(happen(t, begin(Payment, true), BankConfirms)))
	assert.Equal(t, []string{"cob | ATIVA | it expires | REMOVIDA_PELO_PSP | COB-062"}, observed(happen(t, begin(Cob, true), 2*time.Hour)))
	shown, _ := begin(Payment, false).Shows(1, Any(api.Confirmed))
	assert.Equal(t, []string{"payment | PENDING | the bank decides by itself | PENDING or CONFIRMED or ERROR | OUT-074 OUT-075"}, observed(shown))
}

// Which rows a state has followed is a set of bits.
func TestRowsFitIntoASet(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, len(transitions), 64)
}
