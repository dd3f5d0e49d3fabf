package verdict

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"One cent short":             "r.a/one-cent-short",
		"0.01 is accepted":           "r.a/0.01-is-accepted",
		`"10" is refused`:            "r.a/10-is-refused-eb1a5c",
		"-1 is refused":              "r.a/1-is-refused-3e0e2e",
		"1 is refused":               "r.a/1-is-refused",
		"É":                          "",
		"../../etc/passwd":           "",
		strings.Repeat("long ", 100): "",
		"":                           "",
	} {
		slug := Scenario{Rule: "r.a", Name: name}.Slug()
		assert.Regexp(t, `^r\.a/[a-z0-9][a-z0-9.-]*$`, slug, "%q can be typed and be a file", name)
		assert.LessOrEqual(t, len(slug), 80)
		if strings.Contains(want, "refused-") { // the sum itself is nobody's business
			want, slug = want[:len(want)-6], slug[:len(slug)-6]
		}
		if want != "" {
			assert.Equal(t, want, slug)
		}
	}
}

func TestPast(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Arguments = []string{"acme.yaml", "--url", "http://gw"}
	run.Rules = append(run.Rules, Rule{Name: "contract.cash-out", Title: "Answers", Feature: "The wire contract", File: "wire-contract.feature"})
	run.Scenarios = append(run.Scenarios,
		Scenario{Rule: "contract.cash-out", Name: "Accepted and refused", Verdict: Pass},
		Scenario{Rule: "contract.cash-out", Name: "201 with: generateTime is required", Via: "cash-out.covers-fee/To the cent", Verdict: Fail})
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	past, err := ReadPast(dir)
	require.NoError(t, err)
	assert.Equal(t, run.Arguments, past.Arguments)
	assert.Equal(t, run.Seed, past.Seed)
	assert.Len(t, past.Scenarios, len(run.Scenarios))

	for id, want := range map[string]string{
		"cash-out.covers-fee/one-cent-short": "One cent short",
		"cash-out.covers-fee/one":            "One cent short",
		"cash-out.covers-fee":                "One cent short", // the one that failed
		"@cash-out.covers-fee":               "One cent short",
		"balances.shape":                     "Read",
		"contract":                           "201 with: generateTime is required",
	} {
		found, err := past.Find(id)
		require.NoError(t, err, id)
		assert.Equal(t, want, found.Name, id)
	}
	for id, says := range map[string]string{"cash-out": "several scenarios that failed", "": "several", "cash-out.nihgt": "no scenario", "cash-out.night-limit": "several scenarios: name"} {
		_, err := past.Find(id)
		require.ErrorContains(t, err, says, id)
	}

	breach, err := past.Find("contract")
	require.NoError(t, err)
	assert.Equal(t, []string{"cash-out.covers-fee/To the cent", "contract.cash-out/Accepted and refused"}, past.Again([]PastScenario{breach}))
	assert.Len(t, past.Failed(), 3)
}

func TestAPastThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for content, says := range map[string]string{`{"schema":99}`: "schema 99", `nonsense`: "certify anew"} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, JSONFile), []byte(content), 0o600))
		_, err := ReadPast(dir)
		require.ErrorContains(t, err, says)
	}
	_, err := ReadPast(t.TempDir())
	require.ErrorContains(t, err, "certify first")
}

// The evidence of a run takes the place of that of the run before, and nothing else goes.
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
	require.NoError(t, Writable(dir))
	require.FileExists(t, archive, "finding out whether a report can be written takes nothing away")
	run.Scenarios = nil
	require.NoError(t, Write(dir, run))
	require.NoFileExists(t, archive)
	require.NoFileExists(t, script)
	require.FileExists(t, mine)
	require.NoError(t, Clear(dir))
	require.NoFileExists(t, filepath.Join(dir, JSONFile))
	require.FileExists(t, mine)
}
