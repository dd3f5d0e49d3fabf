package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A run that is read from a report and written again makes the same verdict.json.
func TestARunIsReadBack(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Arguments, run.Families = []string{"acme.yaml", "--sink", "127.0.0.1:9443"}, []string{"pix"}
	run.Unlocks = []verdict.Unlock{{Means: []string{"control clock"}, Effort: "a fake clock", Rules: []string{"cash-out.night-limit"}, Scenarios: 2}}
	run.Webhooks = verdict.Webhooks{Count: 3, P99: 1500 * time.Microsecond, Slowest: 2 * time.Second, Silence: time.Second}
	run.Directory, _ = os.Getwd()
	run.Strict = true
	run.Own = &verdict.Own{Directory: "rules", Digest: "d"}
	for i, rule := range run.Rules {
		run.Rules[i].Own = rule.File == "delivery.feature"
	}
	run.Ended = &verdict.Ended{Reason: "interrupted", At: began, Decided: true, Silent: exchange.Control}
	run.Scenarios = append(run.Scenarios, verdict.Scenario{Rule: "cash-out.unknown", Name: "Late", Verdict: verdict.NotRun})
	run.Shard, run.Lacks = verdict.Shard{Index: 1, Of: 3}, []verdict.Shard{{Index: 2, Of: 3}}
	run.Baseline = &verdict.Baseline{File: "known.yaml", Fixed: []string{"a/b"}, Changed: []string{}, Untested: []string{}}
	run.Scenarios[5].Verdict, run.Scenarios[5].Known = verdict.KnownFailure, &verdict.Known{Reason: "slow", Owner: "ana", Expires: "2026-12-31"}
	run.OpenPoints[0].Readings = []string{"one", "another"}
	run.Scenarios[3].Observations = []verdict.Observed{{Point: "expired-cash-in", Value: "pending", Fits: []string{"one"}}}
	failed := &run.Scenarios[2]
	failed.Attempts = []verdict.Attempt{
		{Verdict: verdict.Fail, Finding: failed.Finding, Started: began, Took: time.Second}, {Verdict: verdict.CouldNotTest, Doubt: verdict.Doubt{Spoiled: true}, Started: began}, {Verdict: verdict.Pass, Started: began},
	}
	failed.Right = &failed.Exchanges[1]
	failed.Exchanges[2].Body = []byte(strings.Repeat("é", 20<<10)) // the suite sent it
	failed.Exchanges[3].Unread, failed.Exchanges[1].Other = true, true
	failed.Exchanges = append(failed.Exchanges, exchange.Exchange{Party: exchange.Control, Command: exchange.Command{Program: []string{"sh", "control.sh"}, Exit: -1}, Err: "killed"})
	dir, again := t.TempDir(), t.TempDir()
	require.NoError(t, Write(dir, run))
	read, err := Read(dir)
	require.NoError(t, err)
	require.NoError(t, Write(again, read))
	assert.Equal(t, content(t, dir), content(t, again))
	assert.Equal(t, run.Outcome(), read.Outcome())
	assert.Equal(t, run.Observations(), read.Observations())

	require.NoError(t, WriteLog(dir, LogFile, []byte("started")))
	read, err = Read(dir)
	require.NoError(t, err)
	assert.Equal(t, LogFile, read.Log)
}

func content(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, JSONFile))
	require.NoError(t, err)
	return string(text)
}

// Reports of versions that did not write what findings are about have the same causes.
func TestAnEarlierReportHasTheSameCauses(t *testing.T) {
	t.Parallel()
	failing := func(rule, expected, got string) verdict.Scenario {
		return verdict.Scenario{
			Rule: rule, Name: rule, Verdict: verdict.Fail, ExchangeCount: 1,
			Finding:   &verdict.Finding{Expected: expected, Got: got, About: verdict.AboutTexts(expected, got)},
			Exchanges: []exchange.Exchange{{Operation: "cashOut", Method: "POST", URL: "/api/pix/cash-out", Status: 201}},
		}
	}
	run := &verdict.Run{
		Rules: []verdict.Rule{{Name: "a.a"}, {Name: "b.b"}, {Name: "c.c"}, {Name: "d.d"}},
		Scenarios: []verdict.Scenario{
			failing("a.a", "available to fall by R$ 1.00", "fell by R$ 2.00, from R$ 9.00 to R$ 7.00"),
			failing("b.b", "available to fall by R$ 3.00 or less", "fell by R$ 4.00, from R$ 9.00 to R$ 5.00"),
			failing("c.c", "accepted with 201", "500 HTTP_ERROR, refused"),
			failing("d.d", "cash-out to be accepted with 201", "500 HTTP_ERROR, refused"),
		},
	}
	require.Len(t, run.Causes(), 2)
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	for _, earlier := range []bool{false, true} {
		if earlier {
			about := regexp.MustCompile(`,\s*"about": \{[^}]*\}`)
			text := about.ReplaceAllString(content(t, dir), "")
			require.NotContains(t, text, `"about"`)
			require.NoError(t, os.WriteFile(filepath.Join(dir, JSONFile), []byte(text), 0o600))
		}
		read, err := Read(dir)
		require.NoError(t, err)
		assert.Len(t, read.Causes(), 2)
		for i, s := range read.Scenarios {
			assert.Equal(t, run.Scenarios[i].Finding.About, s.Finding.About)
		}
	}
}

// A violation of the wire contract and a wrong value are one cause if they are about the same field, also in
// a run that is read from a report.
func TestCausesAreReadBack(t *testing.T) {
	t.Parallel()
	failing := func(rule, expected, got string) verdict.Scenario {
		return verdict.Scenario{
			Rule: rule, Name: "One", Verdict: verdict.Fail, ExchangeCount: 1,
			Finding:   &verdict.Finding{Expected: expected, Got: got, Field: "status"},
			Exchanges: []exchange.Exchange{{Operation: "cashOut", Method: "POST", URL: "/api/pix/cash-out", Status: 201}},
		}
	}
	run := &verdict.Run{
		Rules:     []verdict.Rule{{Name: "cash-out.accepted"}, {Name: "contract.cash-out"}},
		Scenarios: []verdict.Scenario{failing("cash-out.accepted", "status to be PENDING", "absent"), failing("contract.cash-out", "the response to match the contract", "no status")},
	}
	require.Len(t, run.Causes(), 1)
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	read, err := Read(dir)
	require.NoError(t, err)
	assert.Len(t, read.Causes(), 1)
}
