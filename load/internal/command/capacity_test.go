package command

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/errext"

	"github.com/pixcert/pixcert/load/internal/capacity"
	"github.com/pixcert/pixcert/load/internal/result"
)

func TestWrongFlagsOfASearchAreNamed(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"--from: expected a rate of at least 1, got 0":                     {"--from", "0", "script.js"},
		"--to: expected at least the rate of --from, 50, got 20":           {"--to", "20", "script.js"},
		"--duration: expected whole seconds, such as 30s, got 1.5s":        {"--duration", "1500ms", "script.js"},
		"--duration: expected whole seconds, such as 30s, got 0s":          {"--duration", "0s", "script.js"},
		"--precision: expected 0.1% to 50%, got 5":                         {"--precision", "5", "script.js"},
		"--precision: expected 0.1% to 50%, got 80%":                       {"--precision", "80%", "script.js"},
		"expected one script, got 0: arguments of k6 run go after --":      {"--", "--tag", "a=b"},
		"expected one script, got 2: arguments of k6 run go after --":      {"a.js", "b.js"},
		"expected a script file, because every run reads it, got standard": {"-"},
	} {
		_, status, err := run(t, append([]string{"capacity"}, args...)...)
		assert.ErrorContains(t, err, want)
		assert.NotZero(t, status)
	}
}

func TestAWindowIsJudgedByItsResultOrItsStatus(t *testing.T) {
	t.Parallel()
	file := func(change func(*result.Result)) string {
		return instance(t, t.TempDir(), 0, change)
	}
	none := filepath.Join(t.TempDir(), "result.json")
	const log = `{"level":"warning","msg":"slow"}` + "\n" + `{"level":"error","msg":"thresholds have been crossed"}` + "\n"
	for name, c := range map[string]struct {
		status  int
		file    string
		stopped bool
		want    capacity.Window
	}{
		"a result that passed": {0, file(nil), false, capacity.Window{Verdict: result.Pass}},
		"a threshold failed": {99, file(func(r *result.Result) {
			r.Thresholds = []result.Threshold{{Metric: "checks", Expression: "rate>0.9", Value: 0.5}}
		}), false, capacity.Window{Verdict: result.Fail, Reason: "threshold checks: rate>0.9, got 0.5"}},
		"an invalid run that k6 calls failed": {99, file(func(r *result.Result) { r.Generator.Requests.Count = 0 }), false, capacity.Window{
			Verdict: result.Invalid, Reason: "nothing was measured: no request succeeded",
		}},
		"killed by its own signal":  {-1, none, true, capacity.Window{Verdict: result.Interrupted, Reason: "thresholds have been crossed", Stopped: true}},
		"interrupted by the search": {105, none, true, capacity.Window{Verdict: result.Interrupted, Reason: "thresholds have been crossed", Stopped: true}},
	} {
		w, err := judge(c.status, c.file, []byte(log), c.stopped)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, w, name)
	}
	for _, status := range []int{0, 99} {
		_, err := judge(status, none, []byte(log), false)
		require.ErrorContains(t, err, "PIX_RESULT", "a script that writes no result")
	}
	_, err := judge(107, none, []byte(log+"panic: no JSON\n"), false)
	require.EqualError(t, err, "thresholds have been crossed; panic: no JSON")
	var coded errext.HasExitCode
	require.ErrorAs(t, err, &coded)
	assert.EqualValues(t, 107, coded.ExitCode())
}

func TestTheExitStatusOfASearch(t *testing.T) {
	t.Parallel()
	at := func(rate int) capacity.Window { return capacity.Window{Rate: rate, P99: 1} }
	for name, c := range map[string]struct {
		found  capacity.Found
		err    error
		status int
	}{
		"found":           {capacity.Found{Passed: at(50), Failed: at(60), Ended: true}, nil, 0},
		"none passed":     {capacity.Found{Failed: at(50), Ended: true}, nil, 99},
		"wrong":           {capacity.Found{Passed: at(50), Failed: at(60), Wrong: at(60), Ended: true}, nil, 99},
		"wrong, an error": {capacity.Found{Passed: at(50), Wrong: at(60)}, errors.New("no gateway"), 99},
		"invalid":         {capacity.Found{Passed: at(50), Invalid: at(60)}, nil, 3},
		"interrupted":     {capacity.Found{Passed: at(50), Stopped: true}, nil, 105},
		"an error":        {capacity.Found{Passed: at(50)}, withStatus(errors.New("no gateway"), 107), 107},
	} {
		err := conclusion(c.found, c.err)
		status := 0
		var coded errext.HasExitCode
		if errors.As(err, &coded) {
			status = int(coded.ExitCode())
		}
		assert.Equal(t, c.status, status, name)
	}
}
