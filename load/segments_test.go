package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
)

const instances = 4

// startSegment starts the i-th instance of a run, in a directory of its own.
func startSegment(t *testing.T, i int, script string, env ...string) *k6Process {
	t.Helper()
	dir := workplace(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "segment.js"), []byte(script), 0o600))
	return start(t, dir, env, "./k6", "run", "--quiet",
		"--execution-segment", fmt.Sprintf("%d/%d:%d/%d", i, instances, i+1, instances),
		"--execution-segment-sequence", "0,1/4,1/2,3/4,1", "segment.js")
}

// merge is k6 x pix merge of results; it writes the file result.json.
func merge(t *testing.T, results ...k6Run) k6Run {
	t.Helper()
	args := []string{"x", "pix", "merge", "--result", "result.json"}
	for _, k := range results {
		args = append(args, filepath.Join(k.dir, "result.json"))
	}
	return start(t, workplace(t), nil, "./k6", args...).wait(t)
}

// merged is the result that a merge has written.
func merged(t *testing.T, k k6Run) result.Result {
	t.Helper()
	r, err := result.Read(filepath.Join(k.dir, "result.json"))
	require.NoError(t, err, k.stderr)
	return r
}

func TestFourInstancesAreOneRun(t *testing.T) {
	t.Parallel()
	env := append(target(t), "PIX_RUN=together", "PIX_RATE=800", "PIX_DURATION=3s", "PIX_ACCOUNTS=6")
	var running []*k6Process
	for i := range instances {
		running = append(running, startSegment(t, i, `import { options } from "./load/scripts/cash-out.js";
			options.thresholds.iteration_duration = ["p(99)<60000"];
			export * from "./load/scripts/cash-out.js";
			export { default } from "./load/scripts/cash-out.js";`, env...))
	}
	var runs []k6Run
	var sent int64
	var accounts []int
	for i, k := range running {
		runs = append(runs, k.wait(t))
		r := requireSound(t, runs[i])[0]
		assert.Equal(t, i, r.Instance)
		sent += r.Ledger.Counts.PaymentsSent
		for _, a := range r.Accounts() {
			accounts = append(accounts, a.Account)
		}
	}
	slices.Sort(accounts)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5}, accounts, "each account has one instance")

	whole := merge(t, runs...)
	r := requireSound(t, whole)[0]
	assert.Equal(t, "together", r.Name)
	assert.Len(t, r.Parts, instances)
	assert.Len(t, r.Accounts(), 6)
	assert.Equal(t, sent, r.Ledger.Counts.WebhooksMatched)
	assert.Equal(t, sent, r.Iterations)

	most := merge(t, runs[0], runs[3], runs[1])
	assert.Equal(t, result.Incomplete.ExitStatus(), most.status, most.stderr)
	assert.Equal(t, []int{2}, merged(t, most).Missing)
	assert.Contains(t, most.stdout, "missing: instance 2")

	twice := merge(t, runs[0], runs[1], runs[1], runs[3])
	assert.NotZero(t, twice.status)
	assert.Contains(t, twice.stderr, "expected every instance once, got instance 1 twice")
	assert.NoFileExists(t, filepath.Join(twice.dir, "result.json"))
}
