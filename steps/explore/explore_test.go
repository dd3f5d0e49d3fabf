package explore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

func guideOf(seed uint64) *guide { return newGuide(rand.New(rand.NewPCG(seed, 1)), everything()) }

// has reports whether a walk has these transitions, in this order.
func has(w *model.Walk, sequence []model.Transition) bool {
	for _, t := range w.Transitions {
		if len(sequence) > 0 && sequence[0] == t {
			sequence = sequence[1:]
		}
	}
	return len(sequence) == 0
}

var refundedPart = []model.Transition{"cob ATIVA: is paid by a payer", "cob CONCLUIDA: is refunded: a part"}

// walkWithRefund is a walk with these transitions. To draw one takes seconds.
var walkWithRefund = sync.OnceValue(func() *model.Walk {
	g := guideOf(1)
	for {
		if w := g.draw(); has(w, refundedPart) {
			return w
		}
	}
})

// failsOn is a runner on a gateway that fails the walks with all of these transitions, in this order.
func failsOn(tries *int, sequence ...model.Transition) runner {
	return func(_ context.Context, walks []*model.Walk, _ bool) (all []tried, err error) {
		*tries++
		for _, w := range walks {
			t := tried{walk: w}
			if has(w, sequence) {
				t.kind = kind{Judged: "it"}
			}
			all = append(all, t)
		}
		return all, nil
	}
}

func TestThemesNameMoves(t *testing.T) {
	t.Parallel()
	known := map[string]bool{wrongly: true}
	for _, m := range model.Moves() {
		known[m.Noun], known[m.Event] = true, true
		for _, way := range m.Ways {
			known[m.Event+" "+way] = true
		}
	}
	for _, theme := range themes {
		for _, name := range theme {
			assert.True(t, known[name], "no move has %q as its noun or event", name)
		}
	}
}

func TestAFailingWalkIsShrunkToTheLeast(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes for half a minute: make nightly runs it")
	}
	t.Parallel()
	sequence := []model.Transition{"cob ATIVA: is paid by a payer", "cob CONCLUIDA: is refunded: a part", "cob CONCLUIDA: is refunded by a centavo too much"}
	tries, g := 0, guideOf(1)
	var w *model.Walk
	for w = g.draw(); !has(w, sequence); {
		w = g.draw()
	}
	shortest, err := shrink(t.Context(), tried{walk: w, kind: kind{Judged: "it"}}, failsOn(&tries, sequence...))
	require.NoError(t, err)
	require.Equal(t, []model.Transition{
		"account: opens as a new account with exactly R$ 100.00", "account: has no fees", "account: waits for the bank to refund", "cob: is created some",
		"cob ATIVA: is paid by a payer", "cob CONCLUIDA: is refunded: a part", "cob CONCLUIDA: is refunded by a centavo too much",
	}, shortest.walk.Transitions)
	require.Less(t, tries, 24)
}

// An intermittent failure is shrunk, too: to no more than a step besides those that it needs, however slow the gateway
// or this machine is.
func TestAnIntermittentFailureIsShrunk(t *testing.T) {
	t.Parallel()
	w := walkWithRefund()
	fast := shrinkIntermittent(t, w, 0)
	synctest.Test(t, func(t *testing.T) { require.Equal(t, fast, shrinkIntermittent(t, w, time.Minute)) })
}

// shrinkIntermittent shrinks a walk that fails in three of ten tries, each of which takes that long, and returns the
// number of tries.
func shrinkIntermittent(t *testing.T, w *model.Walk, takes time.Duration) (tries int) {
	t.Helper()
	sequence, random := refundedPart, rand.New(rand.NewPCG(9, 0))
	always := failsOn(&tries, sequence...)
	sometimes := func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
		time.Sleep(takes) // by the clock of synctest
		all, err := always(ctx, walks, failFast)
		for i := range all {
			if random.IntN(10) >= 3 {
				all[i].kind = kind{}
			}
		}
		return all, err
	}
	shortest, err := shrink(t.Context(), tried{walk: w, kind: kind{Judged: "it"}}, sometimes)
	require.NoError(t, err)
	require.True(t, has(shortest.walk, sequence))
	require.LessOrEqual(t, len(essence(shortest.walk)), 4, shortest.walk.Scenario(""))
	require.Less(t, tries, 100)
	return tries
}

// A gateway that needs some patience fails shorter walks without it. They are no findings.
func TestAWalkIsShortenedWithLittlePatience(t *testing.T) {
	t.Parallel()
	sequence, w := refundedPart, walkWithRefund()
	const little = time.Second
	for _, c := range []struct {
		name      string
		impatient []model.Transition // what fails with little patience
		takes     time.Duration
		usual     int // tries with the usual patience
	}{
		{"fails without waiting", sequence, 0, 0},
		{"waits in vain", sequence, little, 1},
		{"is only slow", sequence[:1], little, 2},
	} {
		tries := map[time.Duration]*int{little: new(int), Patience: new(int)}
		waiting := func(patience time.Duration) runner {
			fails := sequence
			if patience == little {
				fails = c.impatient
			}
			try := failsOn(tries[patience], fails...)
			return func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
				all, err := try(ctx, walks, failFast)
				for i := range all {
					all[i].scenario.Took = c.takes
				}
				return all, err
			}
		}
		shortest, err := shorten(t.Context(), tried{walk: w, kind: kind{Judged: "it"}}, little, waiting)
		require.NoError(t, err, c.name)
		require.True(t, has(shortest.walk, sequence), c.name)
		require.Len(t, essence(shortest.walk), 3, c.name)
		require.Equal(t, c.usual, min(2, *tries[Patience]), c.name)
	}
}

// It depends on when a balance is read which sentence money fails that should not have moved. A walk that fails another
// one is shorter, too, and the finding is what was found if that still shows.
func TestWhatMovesMoneyIsShrunkWhereverItShows(t *testing.T) {
	t.Parallel()
	sequence, w := refundedPart, walkWithRefund()
	sentence, rule, another := kind{Judged: "it", Field: "available"}, kind{Judged: "money.refund", ofContract: true}, kind{Judged: "it", Field: "status"}
	for _, c := range []struct {
		mostly, seldom, want kind
		shrinks              bool
	}{
		{rule, sentence, sentence, true},
		{rule, rule, rule, true},
		{another, another, sentence, false},
	} {
		tries, turn := 0, 0
		always := failsOn(&tries, sequence...)
		try := func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
			all, err := always(ctx, walks, failFast)
			for i := range all {
				if turn++; all[i].failed() {
					all[i].kind = c.mostly
					if turn%5 == 0 {
						all[i].kind = c.seldom
					}
				}
			}
			return all, err
		}
		shortest, err := shrink(t.Context(), tried{walk: w, kind: sentence}, try)
		require.NoError(t, err)
		require.Equal(t, c.want, shortest.kind)
		require.Equal(t, c.shrinks, len(essence(shortest.walk)) == 3)
	}
}

// Where every second step is needed, no walk without several steps in a row fails.
func TestStepsThatAreNeededAlternateWithOthers(t *testing.T) {
	t.Parallel()
	opens, pass := move(t, "", "opens as"), move(t, "", "lets time pass:")
	steps := []model.Step{{ID: 1, Move: opens, Way: opens.Ways[0]}}
	for id := 2; id < 42; id++ {
		m, way := move(t, "cob", "is created"), "some"
		if id%2 == 0 {
			m, way = pass, pass.Ways[0]
		}
		steps = append(steps, model.Step{ID: id, Move: m, Way: way})
	}
	w := model.Play(steps)
	require.Len(t, w.Steps, len(steps))
	it := kind{Judged: "it"}
	needsCobs := func(_ context.Context, walks []*model.Walk, _ bool) (all []tried, err error) {
		for _, w := range walks {
			t := tried{walk: w}
			if len(w.Gateway.Things) == 20 {
				t.kind = it
			}
			all = append(all, t)
		}
		return all, nil
	}
	shortest, err := shrink(t.Context(), tried{walk: w, kind: it}, needsCobs)
	require.NoError(t, err)
	require.Len(t, essence(shortest.walk), 20)
}

// What mostly fails is short enough, even if a longer walk fails always.
func TestAFailureThatMostlyShowsIsShrunk(t *testing.T) {
	t.Parallel()
	sequence, w := refundedPart, walkWithRefund()
	tries, turn := 0, 0
	always := failsOn(&tries, sequence...)
	mostlyFails := func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
		all, err := always(ctx, walks, failFast)
		for i := range all {
			if turn++; len(all[i].walk.Steps) < len(w.Steps) && turn%5 == 0 {
				all[i].kind = kind{}
			}
		}
		return all, err
	}
	shortest, err := shrink(t.Context(), tried{walk: w, kind: kind{Judged: "it"}}, mostlyFails)
	require.NoError(t, err)
	require.Less(t, len(essence(shortest.walk)), 6)
}

// What always fails is not shortened to what seldom does.
func TestAFailureThatAlwaysShowsStaysOne(t *testing.T) {
	t.Parallel()
	sequence, w := refundedPart, walkWithRefund()
	tries, turn := 0, 0
	always, half := failsOn(&tries, sequence...), failsOn(&tries, sequence[0])
	both := func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
		all, err := always(ctx, walks, failFast)
		seldom, _ := half(ctx, walks, failFast)
		for i := range all {
			if turn++; !all[i].failed() && turn%2 == 0 {
				all[i] = seldom[i]
			}
		}
		return all, err
	}
	shortest, err := shrink(t.Context(), tried{walk: w, kind: kind{Judged: "it"}}, both)
	require.NoError(t, err)
	require.True(t, has(shortest.walk, sequence))
}

func TestAWalkThatFailsOtherwiseIsNoSmallerOne(t *testing.T) {
	t.Parallel()
	w := guideOf(2).draw()
	others := func(_ context.Context, walks []*model.Walk, _ bool) (all []tried, err error) {
		for _, w := range walks {
			all = append(all, tried{walk: w, kind: kind{Judged: "something else"}})
		}
		return all, nil
	}
	same, err := shrink(t.Context(), tried{walk: w, kind: kind{Judged: "it"}}, others)
	require.NoError(t, err)
	require.Equal(t, w, same.walk)
}

func TestTheSameSeedDrawsTheSameWalks(t *testing.T) {
	t.Parallel()
	a, b, c := guideOf(7), guideOf(7), guideOf(8)
	for range 20 {
		text := a.draw().Scenario("")
		require.Equal(t, text, b.draw().Scenario(""))
		require.NotEqual(t, text, c.draw().Scenario(""))
	}
}

func TestWalksAvoidWhatWasFound(t *testing.T) {
	t.Parallel()
	g := guideOf(3)
	var found []*model.Move
	for w := g.draw(); len(found) < 2; w = g.draw() {
		found = essence(w)
	}
	found = found[:2]
	g.avoided = append(g.avoided, found)
	for range 300 {
		require.False(t, contains(g.draw(), found))
	}
}

// What the specification leaves open, a gateway may never do: walks that need it end there, and say nothing of what
// would have come next.
func TestWalksAvoidWhatEndsThem(t *testing.T) {
	t.Parallel()
	ends := move(t, "cash-out", "is rejected by the bank, which returns its money")
	seldom := move(t, "QR cash-out", "is rejected by the bank, which returns its money")
	e := &explorer{
		options: Options{Walks: 4 * batch}, guide: guideOf(3), stopped: map[*model.Move]int{}, started: time.Now(),
		possible: reach{transitions: map[model.Transition]int{}, pairs: map[pair]int{}}, report: Report{Incomplete: map[string]int{}},
	}
	tries, ended, seldomly := 0, 0, 0
	e.try = func(_ context.Context, walks []*model.Walk, _ bool) (all []tried, err error) {
		for i, w := range walks {
			n := slices.IndexFunc(w.Steps, func(s model.Step) bool { return s.Move == ends })
			if n < 0 {
				n = slices.IndexFunc(w.Steps, func(s model.Step) bool { return s.Move == seldom })
				if seldomly += count(n >= 0); seldomly == 1 { // the first goes well
					n = -1
				}
			}
			if n < 0 {
				all = append(all, tried{walk: w, done: len(w.Steps), scenario: verdict.Scenario{Verdict: verdict.Pass}})
				continue
			}
			if w.Steps[n].Move == ends {
				require.Zero(t, tries, "walks know it from the first batch")
				ended++
			}
			found := &verdict.Finding{Expected: fmt.Sprintf("available to rise by R$ 7.%02d", i), Got: "unchanged, from R$ 10.00 to R$ 10.00"}
			all = append(all, tried{walk: w, done: n, scenario: verdict.Scenario{Verdict: verdict.CouldNotTest, Finding: found}})
		}
		tries++
		return all, nil
	}
	require.NoError(t, e.explore(t.Context()))
	require.GreaterOrEqual(t, tries, 4) // a walk that says nothing is not tried
	require.Greater(t, ended, 1)
	require.Greater(t, seldomly, 2)
	require.Equal(t, []Avoided{{ends, ended}}, e.report.Avoided, "what other walks have done is not avoided")
	require.Equal(t, []string{"could not test: expected available to rise by R$ …, got unchanged, from R$ … to R$ …"}, slices.Collect(maps.Keys(e.report.Incomplete)))
	require.Zero(t, e.guide.seen["cash-out PENDING: is rejected by the bank, which returns its money"])
	require.Positive(t, e.guide.seen["QR cash-out PENDING: is rejected by the bank, which returns its money"])
}

// What comes after the step that ends a walk is not reached.
func TestWhatAWalkHasDone(t *testing.T) {
	t.Parallel()
	g := guideOf(4)
	w := drawn(g)
	n := len(w.Steps) / 2
	first := slices.IndexFunc(w.Lines, func(l model.Line) bool { return l.Step == w.Steps[n].ID })
	require.Positive(t, first)
	result := func(v verdict.Verdict) (s verdict.Scenario) {
		s.Verdict, s.Steps = v, make([]verdict.Step, len(w.Lines))
		for i := range first {
			s.Steps[i].Verdict = verdict.Pass
		}
		s.Steps[first].Verdict = v
		return s
	}
	require.Equal(t, n, done(w, result(verdict.CouldNotTest)))
	require.Equal(t, n+1, done(w, result(verdict.Fail)), "what failed was reached")
	require.Equal(t, 0, done(w, verdict.Scenario{Steps: make([]verdict.Step, len(w.Lines))}))

	g.undo(w, n)
	total := 0
	for _, times := range g.seen {
		total += times
	}
	require.Equal(t, n, total)
	g.undo(w, 0)
	require.Empty(t, g.pairs)
}

// Faults of the calendar show if the same thing is done before and after time has passed; those of headers, if a
// registration that has some comes before an event. Not too few walks do either.
func TestWalksDoAgainWhatTheyHaveDone(t *testing.T) {
	t.Parallel()
	g := guideOf(9)
	const draws = 200
	passed, dated, again, headers := 0, 0, 0, 0
	for range draws {
		w := g.draw()
		registered := slices.ContainsFunc(w.Steps, func(s model.Step) bool { return s.Move.Event == "has URLs with headers for" })
		headers += count(registered && slices.ContainsFunc(w.Lines, func(l model.Line) bool { return strings.HasSuffix(l.Text, "at each URL with its headers") }))
		if slices.ContainsFunc(w.Steps, func(s model.Step) bool { return s.Move.Passes && !s.Move.Given }) {
			passed++
			dated += count(w.Gateway.Time.Dated)
		}
		later := g.later(w).Steps[len(w.Steps):]
		if len(later) == 2 && later[0].Move.Passes {
			again += count(slices.ContainsFunc(w.Steps, func(s model.Step) bool { return s.Move == later[1].Move && s.Way == later[1].Way }))
		}
	}
	assert.Greater(t, passed, draws/5)
	assert.Greater(t, dated, draws/20)
	assert.Greater(t, again, draws/2)
	assert.Greater(t, headers, draws/40)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestAtTheEndNothingWaits(t *testing.T) {
	t.Parallel()
	g := guideOf(4)
	for range 100 {
		w := g.draw()
		if w.Gateway.Accounts[language.TheAccount].Removed { // the bank has nothing to settle for an account that is gone
			continue
		}
		for _, thing := range w.Gateway.Things {
			assert.False(t, thing.Noun == "refund" && thing.State == "EM_PROCESSAMENTO" || thing.Noun == "cash-out" && thing.State == "PENDING", w.Scenario(""))
		}
	}
}

// Every walk can be read, planned and run as a feature of a user.
func TestWalksAreFeatures(t *testing.T) {
	t.Parallel()
	g := guideOf(5)
	var walks []*model.Walk
	for range 200 {
		if w := g.draw(); states(w) {
			walks = append(walks, w)
		}
	}
	require.Greater(t, len(walks), 190)
	_, err := run.Suite(catalogue.Own{Sources: []catalogue.Source{feature(walks)}})
	require.NoError(t, err)
}

// move is the one of a noun with an event.
func move(t *testing.T, noun, event string) *model.Move {
	t.Helper()
	i := slices.IndexFunc(model.Moves(), func(m model.Move) bool { return m.Noun == noun && m.Event == event })
	require.GreaterOrEqual(t, i, 0, event)
	return &model.Moves()[i]
}

// drawn is a walk that says something.
func drawn(g *guide) *model.Walk {
	for {
		if w := g.draw(); states(w) {
			return w
		}
	}
}

func TestFindingsAreFeatures(t *testing.T) {
	t.Parallel()
	g := guideOf(6)
	r := &Report{Corpus: catalogue.Own{Directory: "found"}, Seed: 6}
	for range 50 {
		r.Findings = append(r.Findings, Finding{Walk: drawn(g), Result: verdict.Scenario{Finding: &verdict.Finding{Expected: "a\nScenario: b", Got: "c"}}})
	}
	own := r.own()
	_, err := run.Suite(own)
	require.NoError(t, err)
	require.Contains(t, own.Sources[0].Text, "# Found by pixcert explore --seed 6\n# expected: a Scenario: b\n# got:      c\nFeature: ")
	require.True(t, strings.HasPrefix(own.Sources[0].File, "found/found-"))

	r.Corpus.Sources = own.Sources
	require.Equal(t, own.Sources, r.own().Sources, "what the corpus has is not added again")
}

func TestWhatAControlOpens(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes for half a minute: make nightly runs it")
	}
	t.Parallel()
	without := func(controls ...target.Control) reach {
		has := map[target.Control]bool{}
		for _, c := range target.AllControls {
			has[c] = !slices.Contains(controls, c)
		}
		r, err := reachOf(&target.Target{Has: has})
		require.NoError(t, err)
		return r
	}
	all := without()
	require.Empty(t, all.unreachable)
	require.Greater(t, len(all.transitions), 130)

	some := without(target.Refunds, target.Clock)
	require.Contains(t, some.unreachable, Unreachable{"refund EM_PROCESSAMENTO: is confirmed by the bank", []string{"refunds"}, ""})
	require.Contains(t, some.unreachable, Unreachable{"account: lets time pass: 601 seconds", []string{"clock"}, ""})
	require.Positive(t, some.transitions["cob CONCLUIDA: is refunded: a part"], "a refund needs no control to be requested")
	require.Zero(t, some.transitions["account: lets time pass: 601 seconds"])

	// What no control opens does not count as unexplored. Without controls, nobody pays.
	handshake := target.Profile{TLS: target.TLS{Handshake: true}}
	r, err := reachOf(&target.Target{Profile: handshake, Has: map[target.Control]bool{target.Accounts: true}})
	require.NoError(t, err)
	require.Empty(t, r.transitions["cob ATIVA: is paid by a payer"])
	require.True(t, slices.ContainsFunc(r.unreachable, func(u Unreachable) bool { return u.Outside != "" && len(u.Missing) == 0 }))
}

// What failed is not dismissed because it could not be tested again.
func TestSettle(t *testing.T) {
	t.Parallel()
	opens := move(t, "", "opens as")
	steps := []model.Step{{ID: 1, Move: opens, Way: opens.Ways[0]}, {ID: 2, Move: move(t, "cob", "is sent against cob.texts")}}
	found := Finding{Walk: model.Play(steps), kind: kind{Judged: "it"}, Result: verdict.Scenario{Verdict: verdict.Fail, Took: time.Minute}}
	for of, c := range map[verdict.Verdict]struct{ slow, unproven, kept bool }{
		verdict.Fail:         {false, false, true},
		verdict.Pass:         {true, false, false},
		verdict.CouldNotTest: {false, true, true},
	} {
		r := Report{Findings: []Finding{found}, Run: &verdict.Run{Scenarios: []verdict.Scenario{{Rule: found.Name(), Verdict: of}}}}
		r.Settle()
		require.Equal(t, c.slow, r.Findings[0].Slow, of)
		require.Equal(t, c.unproven, r.Findings[0].Unproven, of)
		require.Equal(t, c.kept, len(r.New) == 1, of)
	}
}

// An exploration ends well only if nothing is left to test.
func TestConclusions(t *testing.T) {
	t.Parallel()
	conforms := &verdict.Run{Rules: []verdict.Rule{{Name: "found.a", Found: true}}, Scenarios: []verdict.Scenario{{Rule: "found.a", Verdict: verdict.Pass}}}
	ended := &verdict.Run{Ended: &verdict.Ended{}}
	for _, c := range []struct {
		of         Report
		says       string
		incomplete bool
	}{
		{Report{}, "? Nothing was explored: no walk ended", false},
		{Report{Walks: 1, Run: conforms}, "✓ No findings", false},
		{Report{Walks: 1, Run: conforms, Findings: []Finding{{Slow: true}}}, "✓ No findings", false},
		{Report{Walks: 1, Run: conforms, Findings: []Finding{{Unproven: true}}}, "? What failed could not be tested again", true},
		{Report{Walks: 1, Unreachable: []Unreachable{{Missing: []string{"clock"}}}}, "? No findings, but missing controls left parts unexplored", true},
		{Report{Walks: 1, Unreachable: []Unreachable{{Outside: "refund"}}}, "✓ No findings", false},
	} {
		require.Nil(t, c.of.Results())
		require.Equal(t, c.says, c.of.Conclusion(translation.English))
		require.Equal(t, c.incomplete, c.of.IsIncomplete(), c.says)
	}
	require.NotNil(t, (&Report{Walks: 1, Run: ended}).Results(), "it ended early")
}

// Sequences that differ in what their requests say are not one finding: one in the corpus does not hide
// another.
func TestFindingsThatDifferInABody(t *testing.T) {
	t.Parallel()
	opens := move(t, "", "opens as")
	found := func(seed uint64) Finding {
		steps := []model.Step{{ID: 1, Move: opens, Way: opens.Ways[0]}, {ID: 2, Move: move(t, "cob", "is sent against cob.texts"), Draws: model.Draws{Seed: seed}}}
		return Finding{Walk: model.Play(steps), kind: kind{Judged: "it"}, Result: verdict.Scenario{Verdict: verdict.Fail}}
	}
	first, second := found(0), found(1)
	require.NotEqual(t, first.Walk.Scenario(""), second.Walk.Scenario(""))
	r := Report{Corpus: catalogue.Own{Directory: "found"}, Findings: []Finding{second}}
	r.Corpus.Sources = []catalogue.Source{r.source(first)}
	require.Len(t, r.own().Sources, 2)
	require.Len(t, r.earlier(), 1)
	require.Len(t, r.Unsettled(), 1)

	r.Run = &verdict.Run{Ended: &verdict.Ended{}}
	r.Settle()
	require.Len(t, r.New, 1, "it is kept if the run that repeats it ends early")
	require.False(t, r.Findings[0].Slow)
}

// A look only shows what came before it.
func TestTheTitleNamesWhatALookShows(t *testing.T) {
	t.Parallel()
	opening, made, look := move(t, "", "opens as"), move(t, "cob", "is created"), move(t, "", "is looked at")
	steps := []model.Step{{ID: 1, Move: opening, Way: opening.Ways[0]}, {ID: 2, Move: made, Way: made.Ways[0]}, {ID: 3, Move: look}}
	require.Equal(t, "cob: is created some, then account: is looked at", Finding{Walk: model.Play(steps)}.title())
	require.Equal(t, "cob: is created some", Finding{Walk: model.Play(steps[:2])}.title())
}
