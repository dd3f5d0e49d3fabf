package executor

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/lib"
)

func part(t *testing.T, own, sequence string) *lib.ExecutionTuple {
	t.Helper()
	segment, err := lib.NewExecutionSegmentFromString(own)
	require.NoError(t, err)
	all, err := lib.NewExecutionSegmentSequenceFromString(sequence)
	require.NoError(t, err)
	tuple, err := lib.NewExecutionTuple(segment, &all)
	require.NoError(t, err)
	return tuple
}

func TestAScheduleIsRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		length time.Duration
		peak   float64
		from   float64
		legs   []leg
	}{
		`"rate": 90.5, "duration": "1m"`: {time.Minute, 90.5, 90.5, []leg{{time.Minute, 90.5}}},
		`"startRate": 60, "timeUnit": "1m", "stages": [{"duration": "5s", "target": 600}, {"duration": "0s", "target": 0}, {"duration": "2s", "target": 1.5}]`: {
			7 * time.Second, 10, 1, []leg{{5 * time.Second, 10}, {0, 0}, {2 * time.Second, 0.025}},
		},
	} {
		config, err := parse("pay", []byte(`{"executor": "pix-arrival-rate", "preAllocatedVUs": 10, "maxVUs": 41, "gracefulStop": "3s", `+text+`}`))
		require.NoError(t, err)
		require.Empty(t, config.Validate())
		from, legs := config.legs()
		assert.Equal(t, want.from, from)
		assert.Equal(t, want.legs, legs)

		whole := part(t, "0:1", "0,1")
		assert.Equal(t, []lib.ExecutionStep{
			{PlannedVUs: 10, MaxUnplannedVUs: 31},
			{TimeOffset: want.length + 3*time.Second},
		}, config.GetExecutionRequirements(whole))
		assert.Equal(t, fmt.Sprintf("up to %.4g iterations/s for %s (maxVUs: 10-41, gracefulStop: 3s)", want.peak, want.length), config.GetDescription(whole))
		assert.True(t, config.IsDistributable())

		var planned, most uint64
		for i := range 4 {
			step := config.GetExecutionRequirements(part(t, fmt.Sprintf("%d/4:%d/4", i, i+1), "0,1/4,1/2,3/4,1"))[0]
			planned, most = planned+step.PlannedVUs, most+step.PlannedVUs+step.MaxUnplannedVUs
		}
		assert.EqualValues(t, 10, planned)
		assert.EqualValues(t, 41, most)
	}
}

func TestAMistakeInAScheduleIsNamedByItsField(t *testing.T) {
	t.Parallel()
	const constant, ramping = `"rate": 5, "duration": "1s"`, `"startRate": 5`
	for _, c := range []struct{ field, schedule, more string }{
		{"rates", constant, `"rates": 5`},
		{"rate", `"duration": "1s"`, `"rate": "many"`},
		{"rate", `"duration": "1s"`, `"rate": 0`},
		{"rate", constant, `"stages": [{"duration": "1s", "target": 1}]`},
		{"rate", constant, `"startRate": 1`},
		{"duration", `"rate": 5`, `"duration": "0s"`},
		{"duration", `"stages": [{"duration": "1s", "target": 1}]`, `"duration": "1s"`},
		{"stages", ramping, `"stages": []`},
		{"stages", ramping, `"stages": [{"duration": "1s", "taget": 1}]`},
		{"stages[0].target", ramping, `"stages": [{"duration": "1s"}]`},
		{"stages[1].target", ramping, `"stages": [{"duration": "1s", "target": 1}, {"duration": "1s", "target": -1}]`},
		{"stages[0].duration", ramping, `"stages": [{"target": 1}]`},
		{"startRate", `"stages": [{"duration": "1s", "target": 1}]`, `"startRate": -1`},
		{"timeUnit", constant, `"timeUnit": "0s"`},
		{"maxVUs", constant, `"maxVUs": 1`},
		{"arrivals", constant, `"arrivals": "random"`},
		{"preAllocatedVUs", constant, `"preAllocatedVUs": 0`},
	} {
		t.Run(c.more, func(t *testing.T) {
			t.Parallel()
			config, err := parse("pay", []byte(`{"executor": "pix-arrival-rate", "preAllocatedVUs": 10, `+c.schedule+`, `+c.more+`}`))
			if err == nil {
				errs := config.Validate()
				require.Len(t, errs, 1, errs)
				err = errs[0]
			}
			require.Contains(t, fmt.Sprint(" ", err), " "+c.field+":")
		})
	}
}

func TestSegmentsTakeEachSlotOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		users int64
		parts []string // of the sequence
	}{
		"even":                               {100, []string{"0", "1/4", "1/2", "3/4", "1"}},
		"uneven":                             {100, []string{"0", "1/10", "1/3", "5/6", "1"}},
		"with fewer virtual users than they": {2, []string{"0", "1/4", "1/2", "3/4", "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ramps := newRamps(0, []leg{{10 * time.Second, 100}, {5 * time.Second, 0}})
			taken, random := map[uint64]time.Duration{}, map[uint64]time.Duration{}
			for i := range len(c.parts) - 1 {
				whole := part(t, c.parts[i]+":"+c.parts[i+1], c.parts[0]+","+c.parts[1]+","+c.parts[2]+","+c.parts[3]+","+c.parts[4])
				if whole.ScaleInt64(c.users) == 0 {
					continue
				}
				own, err := whole.GetNewExecutionTupleFromValue(c.users)
				require.NoError(t, err)
				s := &slots{ramps, evenly, lib.NewSegmentedIndex(own)}
				drawn := &slots{ramps, poisson(3), lib.NewSegmentedIndex(own)}
				for next, ok := drawn.next(); ok; next, ok = drawn.next() {
					require.NotContains(t, random, next.global)
					random[next.global] = next.due
				}
				var local uint64
				for next, ok := s.next(); ok; next, ok = s.next() {
					require.Equal(t, local, next.local)
					require.NotContains(t, taken, next.global)
					taken[next.global] = next.due
					local++
				}
				require.Positive(t, local)
				require.InDelta(t, 750*own.Segment.FloatLength(), float64(local), 1)
			}
			place := poisson(3)
			for n := range uint64(len(random)) {
				due, _ := ramps.due(place(int64(n)))
				require.Equal(t, due, random[n], "instances draw the same arrivals")
			}
			require.Len(t, taken, 750)
			var all []time.Duration
			for n := range uint64(750) {
				all = append(all, taken[n])
			}
			require.True(t, slices.IsSorted(all))
		})
	}
}
