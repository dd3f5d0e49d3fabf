package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunAgain(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Arguments = []string{"acme.yaml", "--url", "http://gw"}
	run.Rules = append(run.Rules, verdict.Rule{Name: "contract.cash-out", Title: "Answers", Feature: "The wire contract", File: "contract.feature"})
	run.Scenarios = append(run.Scenarios,
		verdict.Scenario{Rule: "contract.cash-out", Name: "Accepted and refused", Verdict: verdict.Pass},
		verdict.Scenario{Rule: "contract.cash-out", Name: "201 with: generateTime is required", Via: "cash-out.covers-fee/To the cent", Verdict: verdict.Fail})
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	past, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, run.Arguments, past.Arguments)
	assert.Equal(t, run.Seed, past.Seed)
	assert.Len(t, past.Scenarios, len(run.Scenarios))

	for id, want := range map[string]string{
		"cash-out.covers-fee/one-cent-short": "One cent short",
		"cash-out.covers-fee/one":            "One cent short",
		"cash-out.covers-fee":                "One cent short", // the one that failed
		"@cash-out.covers-fee":               "One cent short",
		"balance.shape":                      "Read",
		"contract":                           "201 with: generateTime is required",
	} {
		found, err := past.Find(id)
		require.NoError(t, err, id)
		assert.Equal(t, want, found.Name, id)
	}
	for id, says := range map[string]string{"cash-out": "several failed scenarios", "": "several", "cash-out.nihgt": "no scenario", "cash-out.night-limit": "several scenarios: choose"} {
		_, err := past.Find(id)
		require.ErrorContains(t, err, says, id)
	}

	breach, err := past.Find("contract")
	require.NoError(t, err)
	assert.Equal(t, []string{"cash-out.covers-fee/To the cent", "contract.cash-out/Accepted and refused"}, past.Rerun([]verdict.Scenario{breach}))
	assert.Len(t, past.Failed(), 3)
	assert.Subset(t, past.Unfinished(), past.Failed())
}

// Paths in the arguments are relative to where the command ran, wherever the report is read, and
// also if both have moved.
func TestTheDirectoryOfTheArguments(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	project, moved := filepath.Join(base, "project"), filepath.Join(base, "moved")
	run := sampleRun()
	run.Arguments, run.Directory = []string{"acme.yaml", "--sink", "127.0.0.1:9443"}, project
	require.NoError(t, Write(filepath.Join(project, "report"), run))
	past, err := Read(filepath.Join(project, "report"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(project, "acme.yaml"), "--sink", "127.0.0.1:9443"}, past.Arguments)
	require.NoError(t, os.Rename(project, moved))
	past, err = Read(filepath.Join(moved, "report"))
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(moved, "acme.yaml"), past.Arguments[0])

	// An absolute path stays; so do flags, and arguments of a report that knows no directory.
	for _, arguments := range [][]string{nil, {"--url", "http://gw"}, {filepath.Join(project, "a.yaml")}} {
		assert.Equal(t, arguments, rebased(arguments, moved, ".."))
	}
	assert.Equal(t, []string{"acme.yaml"}, rebased([]string{"acme.yaml"}, moved, ""))
}

// Continuing a run that ended early means running what failed, what did not run and what was cut off,
// but not what could not be tested anyway.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Ended = &verdict.Ended{Reason: "interrupted at 14:03:07 UTC", At: time.Now()}
	run.Rules = append(run.Rules, verdict.Rule{Name: "x.y", Title: "X", Feature: "X", File: "x.feature"})
	run.Scenarios = append(run.Scenarios,
		verdict.Scenario{Rule: "x.y", Name: "did not run", Verdict: verdict.NotRun, Finding: &verdict.Finding{Got: "interrupted", Exchange: -1}},
		verdict.Scenario{Rule: "x.y", Name: "was cut off", Verdict: verdict.CouldNotTest, ExchangeCount: 3},
		verdict.Scenario{Rule: "x.y", Name: "lacks a control", Verdict: verdict.CouldNotTest, Missing: []string{"clock"}, ExchangeCount: 3},
		verdict.Scenario{Rule: "x.y", Name: "passed", Verdict: verdict.Pass})
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	past, err := Read(dir)
	require.NoError(t, err)
	var names []string
	for _, s := range past.Unfinished() {
		if s.Rule == "x.y" {
			names = append(names, s.Name)
		}
	}
	assert.Equal(t, []string{"did not run", "was cut off"}, names)
}

func TestAReportThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for content, says := range map[string]string{`{"schema":99}`: "expected schema 1, got 99", `nonsense`: "certify again"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, JSONFile), []byte(content), 0o600))
		_, err := Read(dir)
		require.ErrorContains(t, err, says)
	}
	_, err := Read(t.TempDir())
	require.ErrorContains(t, err, "certify first")
}

// The evidence of a run replaces the evidence of the last run, and no other file.
func TestEvidenceIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := sampleRun()
	require.NoError(t, Write(dir, run))
	archive := filepath.Join(dir, EvidenceDir, "cash-out.covers-fee", "one-cent-short.har")
	script := strings.TrimSuffix(archive, ".har") + ".sh"
	require.FileExists(t, archive)
	require.FileExists(t, script)
	page, err := os.ReadFile(filepath.Join(dir, HTMLFile))
	require.NoError(t, err)
	assert.Contains(t, string(page), `href="evidence/cash-out.covers-fee/one-cent-short.har"`)
	assert.Contains(t, string(page), `pixcert replay cash-out.covers-fee/one-cent-short`)

	mine := filepath.Join(dir, EvidenceDir, "cash-out.covers-fee", "notes.txt")
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	place, err := Open(dir)
	require.NoError(t, err)
	defer place.Close()
	require.FileExists(t, archive, "checking whether a report can be written removes nothing")
	run.Scenarios = nil
	require.NoError(t, place.Write(run))
	require.NoFileExists(t, archive)
	require.NoFileExists(t, script)
	require.FileExists(t, mine)
}

func TestWriteArchive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "target.har")
	require.NoError(t, WriteArchive(path, sampleRun(), "cash-out.covers-fee/One cent short"))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(content), `"title": "https://sandbox.gateway.example/v1: cash-out.covers-fee/One cent short"`)
	assert.Contains(t, string(content), "token request")
	assert.NotContains(t, string(content), "timed out after", "of another scenario")

	err = WriteArchive(filepath.Join(path, "target.har"), sampleRun(), "a/b")
	assert.ErrorContains(t, err, "writing target.har: ")
}

func TestOpenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "taken")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Open(filepath.Join(file, "report"))
	require.ErrorContains(t, err, "choose another directory")
	assert.ErrorContains(t, WriteLog(filepath.Join(file, "report"), LogFile, nil), "--report")
}

// A webhook that is wrong is in junit.xml, and so is what a quick run left out.
func TestJUnitHasWebhooksAndWhatWasLeftOut(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{
		Rules: []verdict.Rule{{Name: "delivery.json", Feature: "Delivery"}},
		Scenarios: []verdict.Scenario{{
			Rule: "delivery.json", Name: "One", Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "status to be a string", Got: "17", Exchange: 0},
			Exchanges: []exchange.Exchange{{Party: exchange.Webhook, Method: "POST", URL: "https://hooks/1", Body: []byte(`{"event":"CashOut","status":17}`), Status: 200}},
		}},
		Course: verdict.Course{LeftOut: &verdict.LeftOut{Scenarios: 1, Skipped: []string{"cash-out.value/0.01 / 0.02"}}},
	}
	suites := reportJUnit(run, "report").Suites
	assert.Contains(t, suites[0].Cases[0].Failure.Text, "webhook POST https://hooks/1\n{\n  \"event\": \"CashOut\",\n  \"status\": 17\n}\nresponse of pixcert: 200 after")
	assert.Equal(t, "Left out for lack of time", suites[1].Name)
	assert.Equal(t, junitCase{Name: "0.01 / 0.02", Classname: "cash-out.value", Time: "0.000", Skipped: &junitReason{Type: "not run", Message: "left out for lack of time"}}, suites[1].Cases[0])
	assert.Equal(t, 2, reportJUnit(run, "report").Tests)
}
