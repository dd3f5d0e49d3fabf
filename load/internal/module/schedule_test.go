package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"gopkg.in/guregu/null.v3"
)

func TestAScheduleSaysWhenAnIterationIsWanted(t *testing.T) {
	t.Parallel()
	perSecond := func(rate int64) *executor.ConstantArrivalRateConfig {
		c := executor.NewConstantArrivalRateConfig("c")
		c.Rate, c.Duration = null.IntFrom(rate), types.NullDurationFrom(5*time.Second)
		return c
	}
	ramp := func(start int64, stages ...executor.Stage) *executor.RampingArrivalRateConfig {
		c := executor.NewRampingArrivalRateConfig("r")
		c.StartRate = null.IntFrom(start)
		c.Stages = stages
		return c
	}
	to := func(rate int64, d time.Duration) executor.Stage {
		return executor.Stage{Target: null.IntFrom(rate), Duration: types.NullDurationFrom(d)}
	}
	for _, c := range []struct {
		name     string
		schedule schedule
		i        uint64
		want     time.Duration
		none     bool
	}{
		{"constant, first", newSchedule(perSecond(10)), 0, 0, false},
		{"constant, later", newSchedule(perSecond(10)), 25, 2500 * time.Millisecond, false},
		{"constant, past the end", newSchedule(perSecond(10)), 50, 5 * time.Second, true},
		{"constant stage of a ramp: the first is one period in", newSchedule(ramp(2, to(2, 5*time.Second))), 0, 500 * time.Millisecond, false},
		{"up from nothing: one half of t squared", newSchedule(ramp(0, to(10, 10*time.Second))), 49, 10 * time.Second, false},
		{"up from nothing, halfway", newSchedule(ramp(0, to(8, 8*time.Second))), 7, 4 * time.Second, false},
		{"second stage carries on", newSchedule(ramp(2, to(2, 5*time.Second), to(2, 5*time.Second))), 11, 6 * time.Second, false},
		{"down to nothing", newSchedule(ramp(8, to(0, 8*time.Second))), 23, 4 * time.Second, false},
		{"a jump", newSchedule(ramp(1, to(1, time.Second), to(10, 0), to(10, time.Second))), 5, 1500 * time.Millisecond, false},
		{"past the end", newSchedule(ramp(2, to(2, 5*time.Second))), 10, 0, true},
		{"a closed model", newSchedule(executor.NewConstantVUsConfig("v")), 3, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, ok := c.schedule(c.i)
			assert.Equal(t, !c.none, ok)
			assert.InDelta(t, c.want, got, float64(time.Microsecond))
		})
	}
}
