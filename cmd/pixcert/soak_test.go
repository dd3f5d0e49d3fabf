package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A correct gateway conforms with the same verdicts, whatever the seed, the concurrency, its latency and
// its choices. PIXCERT_SOAK is the number of runs (make soak: a thousand); without it, there is one of a
// variant. (TestTheVerdictsDoNotDependOnTheOrder has one of the reference.)
func TestSoak(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	runs := number(t, "PIXCERT_SOAK", 1)
	first := number(t, "PIXCERT_SOAK_SEED", rand.Int64N(1<<40))
	whole, err := wholeRun()
	require.NoError(t, err)
	usual := verdictsByID(whole.run)
	var different, done atomic.Int64
	t.Run("runs", func(t *testing.T) { // they mostly wait: -parallel says how many at once
		seed := first
		for range runs {
			w := weatherOf(seed)
			for os.Getenv("PIXCERT_SOAK") == "" && w.gateway.Name == theReference {
				seed++
				w = weatherOf(seed)
			}
			seed++
			t.Run(fmt.Sprint(w.seed), func(t *testing.T) {
				t.Parallel()
				got := verdictsOf(t, w)
				if w.gateway.Name == theReference && !maps.Equal(usual, got) {
					t.Errorf("%s: %s", w, changes(usual, got))
				}
				if t.Failed() {
					different.Add(1)
				}
				done.Add(1)
			})
		}
	})
	t.Logf("%d runs, %d with different verdicts", done.Load(), different.Load())
}

// changes returns the scenarios with an unexpected verdict.
func changes(usual, got map[string]verdict.Verdict) string {
	var all []string
	for id, v := range got {
		if usual[id] != v {
			all = append(all, fmt.Sprintf("%s: %s instead of %s", id, v, cmp.Or(usual[id], "not run")))
		}
	}
	for id := range usual {
		if _, ran := got[id]; !ran {
			all = append(all, id+": not run")
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

const theReference = "the reference"

// weather is the behaviour of a gateway and a network that should not change the verdicts of a run.
type weather struct {
	gateway       mutants.Mutant
	seed          int64
	concurrency   int
	delay, jitter time.Duration // of each response
	stale         time.Duration // how stale a list or a balance may be
}

func (w weather) String() string {
	return fmt.Sprintf("PIXCERT_SOAK=1 PIXCERT_SOAK_SEED=%d: %s, %d at a time, latency %v + up to %v, reads up to %v old",
		w.seed, w.gateway.Name, w.concurrency, w.delay, w.jitter, w.stale)
}

// weatherOf draws the weather of a seed. Every other one has a permitted variant of the reference.
func weatherOf(seed int64) weather {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	upTo := func(most time.Duration) time.Duration {
		return time.Duration(r.Int64N(int64(most))) * time.Duration(r.IntN(2))
	}
	w := weather{gateway: mutants.Mutant{Name: theReference}, seed: seed, concurrency: 8 + r.IntN(33)}
	if variants := mutants.Tolerated(); r.IntN(2) == 0 {
		w.gateway = variants[r.IntN(len(variants))]
	}
	w.delay, w.jitter, w.stale = upTo(20*time.Millisecond), upTo(30*time.Millisecond), upTo(100*time.Millisecond)
	return w
}

// verdictsOf returns the verdicts of a whole run by scenario. The gateway must conform.
func verdictsOf(t *testing.T, w weather) map[string]verdict.Verdict {
	t.Helper()
	config := referenceWith(w.gateway)
	config.Wrap = func(next http.Handler) http.Handler { return w.over(w.gateway.API(next)) }
	profile, stop, err := bundled(t.Context(), config)
	require.NoError(t, err)
	defer stop()
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: w.seed, Concurrency: w.concurrency})
	require.NoError(t, err, "%s", w)
	if result.Outcome() != verdict.Conforms {
		for _, c := range result.Causes() {
			t.Errorf("%s: %s: %+v", w, c.Scenario.ID(), *c.Scenario.Finding)
		}
		for _, s := range result.Scenarios {
			if s.Verdict == verdict.CouldNotTest || s.Verdict == verdict.SuiteError {
				t.Errorf("%s: %s: %s: %+v", w, s.Verdict, s.ID(), *s.Finding)
			}
		}
	}
	return verdictsByID(result)
}

func verdictsByID(result *verdict.Run) map[string]verdict.Verdict {
	verdicts := map[string]verdict.Verdict{}
	for _, s := range result.Scenarios {
		verdicts[s.ID()] = s.Verdict
	}
	return verdicts
}

// over delays the responses of a gateway, and lets it return stale reads.
func (w weather) over(gateway http.Handler) http.Handler {
	var reads staleReads
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if pause := w.delay + rand.N(w.jitter+1); pause > 1 {
			select {
			case <-time.After(pause):
			case <-r.Context().Done():
			}
		}
		isRead := r.Method == http.MethodGet && (strings.HasSuffix(r.URL.Path, "/balances") || strings.Contains(r.URL.Path, "/transactions"))
		if w.stale == 0 || !isRead {
			gateway.ServeHTTP(out, r)
			return
		}
		answer := httptest.NewRecorder()
		gateway.ServeHTTP(answer, r)
		shown := reads.of(r.Header.Get("Authorization")+" "+r.URL.String(), answer, w.stale)
		for name, values := range shown.Header() {
			out.Header()[name] = values
		}
		out.WriteHeader(shown.Code)
		_, _ = out.Write(shown.Body.Bytes())
	})
}

// staleReads simulates a lagging replica: it repeats an earlier response to the same read.
type staleReads struct {
	mu    sync.Mutex
	known map[string]staleRead
}

type staleRead struct {
	at     time.Time
	answer *httptest.ResponseRecorder
}

func (s *staleReads) of(key string, fresh *httptest.ResponseRecorder, age time.Duration) *httptest.ResponseRecorder {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]staleRead{}
	}
	if old, known := s.known[key]; known && fresh.Code == http.StatusOK && time.Since(old.at) < age {
		return old.answer
	}
	s.known[key] = staleRead{time.Now(), fresh}
	return fresh
}
