package load

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
)

// workplace is a directory like the project's root: with k6, and with this module in load.
func workplace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	module, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(program(t), filepath.Join(dir, "k6")))
	require.NoError(t, os.Symlink(module, filepath.Join(dir, "load")))
	return dir
}

// requireSound requires that runs passed, and returns their results. On a busy machine, a run
// may fail only because it was too slow: then its results must give that as the only reason,
// and its ledger must still be correct.
func requireSound(t *testing.T, k k6Run) []result.Result {
	t.Helper()
	require.NotContains(t, k.stderr, "script exception")
	require.NotContains(t, k.stderr, "level=error msg=\"Uncaught")
	results := k.results(t)
	slow := false
	for _, r := range results {
		requireRightBooks(t, r)
		slow = slow || r.Outcome != result.Pass
		for _, threshold := range r.Thresholds {
			require.True(t, threshold.OK || ofSpeed(threshold.Metric), "%+v\n%s", threshold, k.stdout)
		}
		for _, reason := range r.Reasons {
			require.Contains(t, []result.Figure{result.Hiccup, result.ScheduleLag, result.OwnDelay, result.CPU, result.Iterations}, reason.Figure)
		}
	}
	if !slow {
		require.Zero(t, k.status, k.stderr)
		return results
	}
	if strings.Contains(k.stderr+k.stdout, "pix_invalid") || k.status != 0 { // k6 fails no run without thresholds
		require.Equal(t, result.Fail.ExitStatus(), k.status, k.stderr)
	}
	t.Logf("this machine was too slow for the run:\n%s", k.stderr)
	return results
}

// ofSpeed says whether a threshold is on speed.
func ofSpeed(metric string) bool {
	name, _, _ := strings.Cut(metric, "{")
	return slices.Contains([]string{"pix_req_duration", "pix_req_intended_duration", "pix_webhook_duration", "pix_webhook_intended_duration", "pix_invalid", "dropped_iterations"}, name)
}

// results are those of every run in the directory, including merged ones.
func (k k6Run) results(t *testing.T) (all []result.Result) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(k.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(entry.Name()) != ".json" {
			return err
		}
		if r, err := result.Read(path); err == nil {
			all = append(all, r)
		}
		return nil
	}))
	return all
}

// requireRightBooks requires that every payment has one outcome, that every webhook arrived
// once, and that the money is correct.
func requireRightBooks(t *testing.T, r result.Result) {
	t.Helper()
	c := r.Ledger.Counts
	for _, name := range []string{"payments_failed", "payments_unsettled", "payments_vanished", "payments_not_created", "payments_unknown", "payments_unreported", "payments_unchecked", "payments_no_response", "payments_mixed_up", "payments_misstated", "payments_refused_wrongly",
		"webhooks_lost", "webhooks_resend_lost", "webhooks_duplicate", "webhooks_contradictory", "webhooks_malformed", "webhooks_orphan",
		"webhooks_other", "double_debits", "money_drift"} {
		assert.Zero(t, c.Get(name), name) // an unknown name panics
	}
	assert.Equal(t, c.PaymentsSent, c.PaymentsConfirmed+c.PaymentsRefused)
	assert.Equal(t, c.WebhooksReceived, c.WebhooksMatched+c.WebhooksResent)
	assert.NotEmpty(t, r.Accounts())
	for _, a := range r.Accounts() {
		assert.Zero(t, a.Drift, "account %d", a.Account)
	}
}
