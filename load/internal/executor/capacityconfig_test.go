package executor

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

const valid = `"executor": "pix-capacity", "startRate": 600, "maxRate": 60000, "timeUnit": "1m", "preAllocatedVUs": 10`

func TestAScenarioIsRead(t *testing.T) {
	t.Parallel()
	config, err := parse("search", []byte(`{`+valid+`, "window": "20s", "hold": {"latency": "1s"}, "maxVUs": 50, "gracefulStop": "2s"}`), newCapacityConfig)
	require.NoError(t, err)
	require.Empty(t, config.Validate())
	require.Equal(t, capacity.Config{
		Start: 10, Max: 1000, Growth: 2, Precision: 0.05,
		Warmup: 3 * time.Second, Window: 20 * time.Second, Confirm: time.Minute, Recovery: 30 * time.Second,
		Hold: capacity.Limits{Latency: time.Second, Delivery: 2 * time.Second, Failed: 0.001},
	}, config.search())
	steps := config.GetExecutionRequirements(part(t, "0:1", "0,1"))
	require.Equal(t, uint64(10), steps[0].PlannedVUs)
	require.Equal(t, uint64(40), steps[0].MaxUnplannedVUs)
	require.Greater(t, steps[1].TimeOffset, config.search().MaxDuration()+2*time.Second)
	require.False(t, config.IsDistributable())
	require.Contains(t, config.GetDescription(part(t, "0:1", "0,1")), "capacity from 10 to 1000 iterations/s within p99 1s")
}

func TestALongWindowIsConfirmedByTheLongestThereIs(t *testing.T) {
	t.Parallel()
	config, err := parse("search", []byte(`{`+valid+`, "window": "100s"}`), newCapacityConfig)
	require.NoError(t, err)
	require.Empty(t, config.Validate())
	require.Equal(t, capacity.Longest, config.search().Confirm)
}

func TestAMistakeIsNamedByItsField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, change string }{
		{"maxVU", `"maxVU": 5`},
		{"maxVUs", `"maxVUs": "many"`},
		{"growth", `"growth": "fast"`},
		{"window", `"window": "ten"`},
		{"hold.latncy", `"hold": {"latncy": "1s"}`},
		{"hold.latency", `"hold": {"failed": 0, "latency": []}`},
		{"hold", `"hold": 5`},
		{"env.a", `"env": {"a": 1}`},
		{"window", `"window": "1500ms"`},
		{"window", `"startRate": 9, "window": "1s"`},
		{"confirm", `"confirm": "90500ms"`},
		{"confirm", `"confirm": "1s"`},
		{"window", `"window": "171s"`},
		{"confirm", `"confirm": "171s"`},
		{"timeUnit", `"timeUnit": "0s"`},
		{"startRate", `"startRate": 0`},
		{"maxRate", `"maxRate": 1`},
		{"preAllocatedVUs", `"preAllocatedVUs": 0`},
		{"maxVUs", `"maxVUs": 9`},
		{"hold.failed", `"hold": {"failed": 2}`},
	} {
		t.Run(c.change, func(t *testing.T) {
			t.Parallel()
			config, err := parse("search", []byte(`{`+valid+`, `+c.change+`}`), newCapacityConfig)
			if err == nil {
				errs := config.Validate()
				require.Len(t, errs, 1)
				err = errs[0]
			}
			require.Contains(t, fmt.Sprint(" ", err), " "+c.field+":")
		})
	}
}
