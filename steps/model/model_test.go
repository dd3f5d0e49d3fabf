package model

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

// walks are up to n walks of 30 steps, each step one that was seen least of those that are possible. What was seen is
// forgotten now and then: what follows from several steps is mostly reached while little was seen.
func walks(n int) iter.Seq[*Walk] {
	return func(yield func(*Walk) bool) {
		random, seen := rand.New(rand.NewPCG(1, 0)), map[Transition]int{}
		for i := range n {
			if i%500 == 0 {
				clear(seen)
			}
			w := Begin()
			for id := 1; id <= 30; id++ {
				if next := afterAny(random, w, id, seen); next != nil {
					w = next
					seen[w.Transitions[len(w.Transitions)-1]]++
				}
			}
			if !yield(w) {
				return
			}
		}
	}
}

func afterAny(random *rand.Rand, w *Walk, id int, seen map[Transition]int) (best *Walk) {
	least := 0.0
	for _, r := range Table() {
		rank := float64(seen[r.Transition]) + random.Float64()
		if r.Given != (id <= 13) || r.Late && id < 21 || best != nil && rank >= least {
			continue
		}
		for _, step := range w.Choices(r, id, Draw(random)) {
			if after := w.After(step); after != nil {
				best, least = after, rank
			}
		}
	}
	return best
}

func TestEverySentenceIsOneOfTheVocabulary(t *testing.T) {
	t.Parallel()
	read := map[string]bool{}
	for w := range walks(300) {
		for _, l := range w.Lines {
			if key := fmt.Sprint(l.Text, l.Table); !read[key] {
				_, err := language.Read(catalogue.Step{Text: l.Text, Table: l.Table})
				require.NoError(t, err)
				read[key] = true
			}
		}
	}
}

func TestEveryTransitionIsReached(t *testing.T) {
	t.Parallel()
	reached := map[Transition]bool{}
	for w := range walks(12000) {
		at := Begin()
		for _, step := range w.Steps {
			at = at.After(step)
			reached[at.Transitions[len(at.Transitions)-1]] = true
			possible(at, step.Draws, reached)
		}
		if len(reached) == len(Table()) {
			break
		}
	}
	for _, r := range Table() {
		assert.True(t, reached[r.Transition], "no walk reaches %s", r.Transition)
	}
}

// possible adds what can be done after a walk, whether or not it would be drawn.
func possible(w *Walk, draws Draws, reached map[Transition]bool) {
	for _, r := range Table() {
		if reached[r.Transition] {
			continue
		}
		for _, step := range w.Choices(r, len(w.Steps)+1, draws) {
			if w.After(step) != nil {
				reached[r.Transition] = true
			}
		}
	}
}

// Sentences about how a charge is listed speak of what was sent last, by any account.
func TestAListedChargeIsTheLastThatWasSent(t *testing.T) {
	t.Parallel()
	looked := 0
	for w := range walks(400) {
		last := 0 // the step that was the last to send, or to return to, a payment or a charge
		for _, line := range w.Lines {
			if line.Keyword == "When" && (strings.Contains(line.Text, "again") || strings.Contains(line.Text, "returns to") || regexp.MustCompile(` (sends|has sent) an? (QR )?(cash|transfer|cob)`).MatchString(line.Text)) {
				last = line.Step
			}
			if line.Text != "the payment is listed with:" || !slices.ContainsFunc(line.Table, func(row []string) bool { return row[1] == `"Pix in"` }) {
				continue
			}
			looked++
			i := slices.IndexFunc(w.Steps, func(s Step) bool { return s.ID == line.Step })
			assert.Equal(t, w.Steps[i].Of, last, "%v", w.Lines)
		}
	}
	assert.Positive(t, looked)
}

func TestTransitionsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	named := map[Transition]bool{}
	for _, r := range Table() {
		assert.False(t, named[r.Transition], r.Transition)
		named[r.Transition] = true
	}
}

func TestEveryStatementExists(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Statements(features.FS)
	require.NoError(t, err)
	for i := range Moves() {
		m := &Moves()[i]
		for _, id := range m.Statements() {
			assert.True(t, slices.ContainsFunc(all, func(s catalogue.Statement) bool { return s.ID == id }), "%s %s: %s", m.Noun, m.Event, id)
		}
		assert.True(t, m.Given || m.Shows != "" || m.Event == "is looked at", "%s %s shows nothing", m.Noun, m.Event)
	}
}

// Walks do nothing that cannot happen.
func TestWalksKeepToTheSpecification(t *testing.T) {
	t.Parallel()
	for w := range walks(300) {
		require.Nil(t, w.Gateway.breach, "%v", w.Transitions)
	}
	g := &Gateway{}
	cob := g.createCharge(1, "cob", language.TheAccount, 10_00)
	g.happen(cob, spec.ReceiverRemoves, spec.IsDone)
	g.payCharge(cob)
	assert.NotNil(t, g.breach)
}

// Dropping any step leaves a walk: the steps that depend on it go, too, and the rest is possible.
func TestStepsCanBeDropped(t *testing.T) {
	t.Parallel()
	for w := range walks(50) {
		require.Equal(t, w.Lines, Play(w.Steps).Lines)
		for i := range w.Steps {
			shorter := Play(slices.Delete(slices.Clone(w.Steps), i, i+1))
			require.Less(t, len(shorter.Steps), len(w.Steps))
			for _, step := range shorter.Steps {
				if step.Of != 0 {
					require.NotNil(t, shorter.Gateway.Things.made(step.Of))
				}
			}
		}
	}
}

func TestAnAmountMayLackZeros(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `"7.11"`, spellings(7_11))
	assert.Equal(t, `"7.10" or "7.1"`, spellings(7_10))
	assert.Equal(t, `"10.00" or "10.0" or "10"`, spellings(10_00))
	assert.Equal(t, `"100.00" or "100.0" or "100"`, spellings(100_00))
}

// A charge whose request does not say how long it lasts, lasts as long as a valid one.
func TestWhenChargesExpire(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		noun  string
		lasts time.Duration // 0 if its request does not say it
		want  time.Duration
	}{{"cob", 0, time.Hour}, {"cash-in", 0, 24 * time.Hour}, {"cob", 5400 * time.Second, 90 * time.Minute}} {
		state := func(after time.Duration) api.State {
			g := Gateway{}
			g.pass(time.Minute)
			g.expireAfter(g.createCharge(1, c.noun, language.TheAccount, 10_00), c.lasts)
			g.pass(after)
			return g.Things[0].State
		}
		assert.NotEqual(t, Unknown, state(c.want-6*time.Minute), c.noun)
		assert.Equal(t, Unknown, state(c.want-4*time.Minute), c.noun)
		assert.Equal(t, Unknown, state(c.want+api.ClockTolerance-time.Second), c.noun)
	}
}
