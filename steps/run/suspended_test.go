package run

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/verdict"
)

// What fails while this machine is suspended runs again, and the report notes the time.
func TestWhatRanInASuspendedMachineRunsAgain(t *testing.T) {
	t.Parallel()
	for name, suspends := range map[string]bool{"suspended": true, "awake": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var suspended atomic.Int64
			var begun, wrong atomic.Bool
			g := fake.New(t)
			g.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
				if !begun.Load() || !strings.HasSuffix(r.URL.Path, "/balances") || wrong.Swap(true) { // once
					return false
				}
				if suspends {
					suspended.Store(int64(time.Hour))
				}
				http.Error(w, `{}`, http.StatusUnauthorized)
				return true
			})
			evidence, shown := &Evidence{}, &watcher{onStart: func() { begun.Store(true) }}
			result, err := Certify(t.Context(), Options{
				Target: g.Profile(), Rules: []string{"balance.centavos"}, Evidence: evidence, Progress: shown,
				clocks: func() reading {
					now := readClocks()
					now.wall = now.wall.Add(time.Duration(suspended.Load()))
					return now
				},
			})
			require.NoError(t, err)
			if !suspends {
				require.Equal(t, verdict.DoesNotConform, result.Outcome())
				require.Empty(t, result.Notes)
				return
			}
			require.Equal(t, verdict.Conforms, result.Outcome(), "%+v", result.Scenarios)
			require.Len(t, result.Notes, 1)
			assert.Regexp(t, `^this machine was suspended, .* \(by 60 min 0 s at \d\d:\d\d:\d\d UTC\): scenarios that ran then run again$`, result.Notes[0])
			assert.Contains(t, shown.notes, result.Notes[0])
			assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
		})
	}
}

// A clock that ticks, and one that is adjusted a little, is that of a machine that was awake.
func TestSuspensionsAreNoticed(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		drift      time.Duration // of the wall clock
		stops      time.Duration // for which nothing ran
		suspension bool
	}{
		"ticks":            {},
		"adjusted":         {drift: 2 * time.Second},
		"busy":             {stops: 9 * time.Second},
		"suspended":        {drift: 10 * time.Minute, suspension: true},
		"set back":         {drift: -10 * time.Minute, suspension: true},
		"process stopped":  {stops: time.Minute, suspension: true},
		"stopped for long": {drift: time.Hour, stops: time.Minute, suspension: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var drift atomic.Int64
				notes := 0
				s := suspensions{note: func(string) { notes++ }, read: func() reading {
					now := readClocks()
					now.wall = now.wall.Add(time.Duration(drift.Load()))
					return now
				}}
				for range 3600 {
					time.Sleep(clockTick)
					s.look()
				}
				before := time.Now()
				time.Sleep(of.stops)
				drift.Store(int64(of.drift))
				assert.Equal(t, of.suspension, s.since(before))
				time.Sleep(clockTick)
				assert.False(t, s.since(time.Now()), "an attempt that began later")
				assert.Equal(t, of.suspension, s.since(before))
				assert.Equal(t, of.suspension, notes == 1)
				assert.Len(t, s.notes(), notes)
			})
		})
	}
}

// The watcher reads the clocks while nothing else does.
func TestClocksAreWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var notes, drift atomic.Int64
		r := &run{}
		r.suspended.note = func(string) { notes.Add(1) }
		r.suspended.read = func() reading {
			now := readClocks()
			now.wall = now.wall.Add(time.Duration(drift.Load()))
			return now
		}
		stop := r.watchClocks(t.Context())
		time.Sleep(time.Hour)
		require.Zero(t, notes.Load())
		drift.Store(int64(time.Minute))
		time.Sleep(2 * clockTick)
		require.EqualValues(t, 1, notes.Load())
		stop()
	})
}
