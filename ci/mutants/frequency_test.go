package mutants

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown sends cash-outs through a fresh start of the mutant and writes x for each on which
// the fault shows.
func shown(m Mutant, calls int) string {
	h := m.API(&gateway{status: 201, answer: `{}`})
	var b strings.Builder
	for range calls {
		if pay(h, "t", `{"value":1.00}`).StatusCode == 201 {
			b.WriteByte('.')
		} else {
			b.WriteByte('x')
		}
	}
	return b.String()
}

func TestFrequencies(t *testing.T) {
	t.Parallel()
	for f, want := range map[Frequency]string{
		Always:       "xxxxxxxxxxxxxxx",
		EverySecond:  ".x.x.x.x.x.x.x.",
		EveryThird:   "..x..x..x..x..x",
		EverySeventh: "......x......x.",
	} {
		m := Mutant{fault: refusing(cashOut, always, 500, "X")}.At(f)
		assert.Equal(t, want, shown(m, 15), f)
		assert.Equal(t, want, shown(m, 15), "%s: a new start counts anew", f)
	}
}

func TestOneInTenIsRandomAndReproducible(t *testing.T) {
	t.Parallel()
	m := Mutant{Name: "a", fault: refusing(cashOut, always, 500, "X")}.At(OneInTen)
	first := shown(m, 1000)
	assert.InDelta(t, 100, strings.Count(first, "x"), 40)
	assert.Equal(t, first, shown(m, 1000), "each start has the same random numbers")
	assert.NotEqual(t, first, shown(m.Seeded(7), 1000), "another seed")
	m.Name = "b, one time in ten"
	assert.NotEqual(t, first, shown(m, 1000), "another mutant")
}

// Whatever a fault does, on a call on which it does not show the gateway is faultless.
func TestAFaultThatDoesNotShow(t *testing.T) {
	t.Parallel()
	first := Mutant{fault: fault{}}
	for name, of := range map[string]fault{
		"answering":  answering(cashOut, always, status(500)),
		"misreading": misreading(cashOut, always, set("value", `2.00`)),
		"accepting":  accepting(cashOut, always, set("value", `0.01`)),
		"despite":    despite(cashOut, always, set("value", `0.01`)),
		"pretending": pretending(cashOut, always),
		"ignoring":   ignoring(cashOut, always),
		"refusing":   refusing(cashOut, always, 500, "X"),
		"doubling":   doubling(cashOut, always, fresh("externalId")),
		"pieces":     answering(cashOut, always, inPieces),
		"a call before": changing(cashOut, func(c *call, pass server) *answer {
			pass(c.edited(fresh("externalId")))
			return pass(c)
		}),
		"parts of one seam": both(misreading(cashOut, always, set("value", `2.00`)), answering(cashOut, always, status(500))),
	} {
		for _, body := range []string{`{"value":0.01}`, `{"value":0}`} {
			want := pay(first.API(&gateway{decide: refusesValues}), "t", body)
			g := &gateway{decide: refusesValues}
			got := pay(Mutant{fault: of}.At(EverySeventh).API(g), "t", body)
			assert.Equal(t, want.StatusCode, got.StatusCode, "%s of %s", name, body)
			assert.Equal(t, read(t, want), read(t, got), "%s of %s", name, body)
			assert.Equal(t, []string{body}, g.bodies(), "%s of %s", name, body)
		}
	}
}

func TestOnlyWhatAFaultChangesCounts(t *testing.T) {
	t.Parallel()
	m := Mutant{fault: both(
		misreading(cashOut, always, set("value", `1.00`)),
		answering(cashOut, refused, status(500)),
	)}.At(EverySecond)
	g := &gateway{status: 201, answer: `{}`}
	h := m.API(g)
	for _, value := range []string{"1.00", "2.00", "1.00", "3.00", "4.00"} {
		pay(h, "t", `{"value": `+value+`}`)
	}
	do(h, http.MethodGet, "/accounts/balances", "")
	assert.Equal(t, []string{`{"value": 1.00}`, `{"value": 2.00}`, `{"value": 1.00}`, `{"value":1.00}`, `{"value": 4.00}`, ""}, g.bodies(),
		"the second of those that it would alter is altered")
}

func TestCallsAtOnceAreCountedOnce(t *testing.T) {
	t.Parallel()
	h := Mutant{fault: refusing(cashOut, always, 500, "X")}.At(EveryThird).API(&gateway{status: 201, answer: `{}`})
	var refusals atomic.Int64
	var wait sync.WaitGroup
	for range 60 {
		wait.Go(func() {
			if pay(h, "t", `{}`).StatusCode == 500 {
				refusals.Add(1)
			}
		})
	}
	wait.Wait()
	assert.EqualValues(t, 20, refusals.Load())
}

func TestFrequenciesOfWebhooks(t *testing.T) {
	t.Parallel()
	sent := 0
	wire := Mutant{fault: ignoring(event, always)}.At(EverySecond).Webhooks(transportFunc(func(*http.Request) (*http.Response, error) {
		sent++
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	}))
	for range 4 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://sink.invalid/", strings.NewReader(`{}`))
		require.NoError(t, err)
		_, err = wire.RoundTrip(r)
		require.NoError(t, err)
	}
	assert.Equal(t, 2, sent)
}

func TestALateCallCounts(t *testing.T) {
	t.Parallel()
	h := Mutant{fault: delaying(cashOut, always, time.Hour)}.At(EverySecond).API(&gateway{status: 201, answer: `{}`})
	assert.Equal(t, 201, pay(h, "t", `{}`).StatusCode, "the first is not late")
}

func TestTheEdgeDoesItsWorkWhereAFaultDoesNotShow(t *testing.T) {
	t.Parallel()
	var arrived []string
	api := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived = append(arrived, r.Header.Get(certificateHeader))
	})
	h := Mutant{fault: edgeMutants[0].fault}.At(EverySecond).Edge()(api)
	for range 4 {
		do(h, http.MethodPost, "/api/auth/token", `{}`, certificateHeader, "smuggled")
		do(h, http.MethodPost, "/api/auth/token", `{}`)
	}
	assert.Equal(t, []string{"", "", "smuggled", "", "", "", "smuggled", ""}, arrived)
}

func TestMutantsTogetherKeepTheirFrequencies(t *testing.T) {
	t.Parallel()
	m := Together(
		Mutant{fault: answering(cashOut, accepted, status(202))}.At(EverySecond),
		Mutant{fault: answering(cashOut, accepted, status(203))}.At(EveryThird),
	)
	h := m.API(&gateway{status: 201, answer: `{}`})
	var statuses []int
	for range 6 {
		statuses = append(statuses, pay(h, "t", `{}`).StatusCode)
	}
	assert.Equal(t, []int{201, 202, 203, 202, 201, 202}, statuses)
}

func TestFrequenciesAreSpelt(t *testing.T) {
	t.Parallel()
	for f := Always; f <= OneInTen; f++ {
		parsed, err := ParseFrequency(f.String())
		require.NoError(t, err)
		assert.Equal(t, f, parsed)
	}
	_, err := ParseFrequency("5th")
	assert.EqualError(t, err, `unknown frequency "5th": use always, 2nd, 3rd, 7th or 1in10`)
	m := Mutant{Name: "debits a cash-out twice"}.At(EverySeventh)
	assert.Equal(t, "debits a cash-out twice, every 7th time", m.Name)
	assert.Equal(t, "debits a cash-out twice", m.At(Always).Name)
}

func TestPositionsAreThoseOfTheTables(t *testing.T) {
	t.Parallel()
	lines := map[string][]string{}
	generator := regexp.MustCompile(`\b(unguarded|poor|without|ofEachList)\(`)
	for _, m := range append(All(), Tolerated()...) {
		file, number, ok := strings.Cut(m.Position(), ":")
		require.True(t, ok, m.Name)
		if lines[file] == nil {
			text, err := os.ReadFile(filepath.Base(file))
			require.NoError(t, err, m.Name)
			lines[file] = strings.Split(string(text), "\n")
		}
		n, err := strconv.Atoi(number)
		require.NoError(t, err, m.Name)
		line := lines[file][n-2] + lines[file][n-1] // a row may take more than one
		name, _, _ := strings.Cut(m.At(Always).Name, ", in its list")
		assert.True(t, strings.Contains(line, `"`+name) || generator.MatchString(line), "%s: %s is another row: %s", m.Name, m.Position(), line)
	}
}

// What a fault tried and was refused as well has made no difference.
func TestOnlyWhatMadeADifferenceCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   fault
		want int64 // of four calls
	}{
		"another answer":           {answering(cashOut, always, status(500)), 2},
		"refused":                  {refusing(cashOut, always, 500, "X"), 2},
		"done twice":               {doubling(cashOut, always, fresh("externalId")), 2},
		"tried, and refused":       {accepting(cashOut, always, set("value", `0`)), 0},
		"not what it is all about": {answering(cashOut, refused, status(500)), 0},
	} {
		var shown atomic.Int64
		h := Mutant{fault: c.of}.At(EverySecond).Counted(&shown).API(&gateway{decide: refusesValues})
		for range 4 {
			pay(h, "t", map[bool]string{true: `{"value":0}`, false: `{"value":0.01}`}[name == "tried, and refused"])
		}
		assert.Equal(t, c.want, shown.Load(), name)
	}
}

// A token that a fault requests for another call, and that is refused like the one sent, has made no difference.
func TestATokenOfWhichNobodyLearns(t *testing.T) {
	t.Parallel()
	for serves, want := range map[string]int64{"no token": 0, "one token": 0, "token 2": 1} {
		n := 0
		g := &gateway{decide: func(_, path, authorization, _ string) (int, string) {
			switch {
			case path == "/api/auth/token" && n == 1 && serves == "one token":
				return 429, `{}`
			case path == "/api/auth/token":
				n++
				return 201, fmt.Sprintf(`{"access_token":"token %d"}`, n)
			case authorization == "Bearer "+serves:
				return 200, `{}`
			}
			return 401, fmt.Sprintf(`{"message":%q}`, authorization[:7])
		}}
		var shown atomic.Int64
		h := Mutant{fault: renewing(balances, always)}.Counted(&shown).API(g)
		do(h, http.MethodPost, "/api/auth/token", `{}`)
		do(h, http.MethodGet, "/accounts/balances", "", "Authorization", "Bearer token 1")
		assert.Equal(t, want, shown.Load(), serves)
	}
}

// A fault on which nothing may depend counts apart: in a setting or a registration that is answered as it should
// be, or in a refusal of what may be wrong anyway.
func TestFaultsThatMayNotMatter(t *testing.T) {
	t.Parallel()
	limit := func(m Mutant, g http.Handler) {
		do(m.Controls(g), http.MethodPut, "/accounts/a/limits", `{"daily":"10.00"}`)
	}
	register := func(m Mutant, g http.Handler) {
		do(m.API(g), http.MethodPost, "/api/webhooks", `{"eventType":"cash_in"}`)
	}
	order := func(m Mutant, g http.Handler) { pay(m.API(g), "t", `{"value":1.00}`) }
	reject := func(m Mutant, _ http.Handler) { pay(m.API(&gateway{decide: refusesValues}), "t", `{"value":0}`) }
	for name, c := range map[string]struct {
		of           fault
		do           func(Mutant, http.Handler)
		inconclusive int64
	}{
		"another limit":        {misreading(limits, always, set("daily", `null`)), limit, 1},
		"no limit":             {ignoring(limits, always), limit, 1},
		"a limit refused":      {refusing(limits, always, 500, "X"), limit, 0},
		"another registration": {misreading(registration, always, set("eventType", `"cash_out"`)), register, 1},
		"another response":     {answering(registration, always, set("success", `false`)), register, 0},
		"another amount":       {misreading(cashOut, always, set("value", `2.00`)), order, 0},
		"an order refused":     {refusing(cashOut, always, 400, "X"), order, 1},
		"more in an error":     {answering(cashOut, always, set("natureza", `"RETIRADA"`)), reject, 1},
		"another error":        {answering(cashOut, always, set("code", `"X"`)), reject, 0},
		"an order that fails":  {refusing(cashOut, always, 500, "X"), order, 0},
		"a later deadline":     {latent(misreading(cashOut, always, set("value", `2.00`))), order, 1},
	} {
		var shown, inconclusive atomic.Int64
		c.do(Mutant{fault: c.of}.Counted(&shown).CountedInconclusive(&inconclusive), &gateway{status: 200, answer: `{"success":true}`})
		assert.EqualValues(t, 1, shown.Load(), name)
		assert.Equal(t, c.inconclusive, inconclusive.Load(), name)
	}
}
