package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/compare"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

var twoFaults = []string{"confirms a cash-out immediately", "returns a cash-out without its time"}

// certifyCashOuts certifies a gateway with a few rules.
func certifyCashOuts(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return invoke(t, append([]string{"certify", "--report", dir, "--rule", "cash-out.accepted", "--rule", "contract.cash-out"}, args...)...)
}

// Known failures do not fail a run. A failure that is fixed, new or different does.
func TestBaseline(t *testing.T) {
	wrong, right := faulty(t, twoFaults...), faulty(t)
	dir := t.TempDir()
	first, again := filepath.Join(dir, "first"), filepath.Join(dir, "again")
	status, _, stderr := certifyCashOuts(t, first, wrong...)
	require.Equal(t, 1, status, stderr)
	status, list, _ := invoke(t, "baseline", first)
	require.Equal(t, 0, status)
	require.Contains(t, list, "rule: cash-out.accepted\n")
	require.Contains(t, list, "foundBy:\n") // a breach of the contract
	known := func(list string) string {
		file := filepath.Join(t.TempDir(), "known.yaml")
		require.NoError(t, os.WriteFile(file, []byte(list), 0o600))
		return file
	}
	file := known(list)

	status, stdout, stderr := certifyCashOuts(t, again, append(wrong, "--baseline", file)...)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "No new failures")
	require.NotContains(t, stdout, "Failed:")
	var junit struct {
		Failures int `xml:"failures,attr"`
	}
	read(t, filepath.Join(again, report.JUnitFile), func(b []byte) error { return xml.Unmarshal(b, &junit) })
	require.Zero(t, junit.Failures)
	status, same, _ := invoke(t, "baseline", again)
	require.Equal(t, 0, status)
	require.Equal(t, entries(list), entries(same))

	status, stdout, _ = certifyCashOuts(t, again, append(faulty(t, append(twoFaults, "returns 200 for a cash-out")...), "--baseline", file)...)
	require.Equal(t, 1, status, stdout)
	require.Contains(t, stdout, "got       200", "the new one is shown")

	status, stdout, _ = certifyCashOuts(t, again, append(right, "--baseline", file)...)
	require.Equal(t, 1, status, stdout)
	require.Contains(t, stdout, "Baseline is out of date")
	require.Contains(t, stdout, "Fixed: remove from "+file)

	status, stdout, _ = invoke(t, append([]string{"certify", "--report", again, "--rule", "token.issued", "--baseline", file}, right...)...)
	require.Equal(t, 0, status, stdout)
	require.Contains(t, stdout, "but not decided by this run")

	expired := known(strings.Replace(list, `expires: ""`, "expires: 2020-12-31", 1))
	status, stdout, _ = certifyCashOuts(t, again, append(wrong, "--baseline", expired, "--quiet")...)
	require.Equal(t, 1, status, stdout)
	require.Regexp(t, `(?m)^  Expired: cash-out\.accepted/.* \(line \d+: .*until 2020-12-31\)\)$`, stdout)
	read(t, filepath.Join(again, report.HTMLFile), func(b []byte) error {
		require.Contains(t, string(b), " --baseline "+expired+" --seed ")
		require.Contains(t, string(b), "has expired")
		return nil
	})
	read(t, filepath.Join(again, report.JUnitFile), func(b []byte) error {
		require.Regexp(t, `pixcert replay cash-out\.accepted/\S+ --report `+again, string(b))
		return nil
	})

	for content, says := range map[string]string{
		"failures:\n- rule: a": "known.yaml:2: scenarios: expected",
		"failures:\n- {rule: cash-out.accepted, scenarios: [a]}":                                      "known.yaml:2: the rule cash-out.accepted has no scenario",
		"failures:\n- {rule: cash-out.accepted, scenarios: [a], x: 1}\n- {rule: a.b, scenarios: [c]}": "known.yaml:3: there is no rule a.b",
	} {
		status, _, stderr = certifyCashOuts(t, filepath.Join(dir, "none"), append(right, "--baseline", known(content))...)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, says)
		require.NoDirExists(t, filepath.Join(dir, "none"))
	}
}

// A baseline of an earlier version, which knows failures by their texts, is brought up to date in its place.
func TestUpdateABaseline(t *testing.T) {
	wrong, dir := faulty(t, twoFaults...), t.TempDir()
	written, file := filepath.Join(dir, "report"), filepath.Join(dir, "known.yaml")
	_, _, _ = certifyCashOuts(t, written, wrong...)
	_, list, _ := invoke(t, "baseline", written)
	require.Regexp(t, `(?m)^    kind: field\n    field: status\n`, list)
	list = strings.ReplaceAll(list, `owner: ""`, "owner: ana # of payments")
	earlier := regexp.MustCompile(`(?m)^    (kind|field|status|code|mustFail): .*\n`).ReplaceAllString(list, "")
	const gone = "  - rule: token.issued\n    scenarios: [gone]\n    expected: a\n    got: b\n"
	earlier = strings.Replace(earlier, "failures:\n", "failures:\n"+gone, 1)
	require.NoError(t, os.WriteFile(file, []byte(earlier), 0o600))

	status, stdout, stderr := invoke(t, "baseline", "--update", file, written)
	require.Equal(t, 0, status, stderr)
	require.Regexp(t, `known\.yaml: added the kind of \d+ failures?\n$`, stdout)
	require.Regexp(t, `^pixcert: note: \S+known\.yaml:\d+: left without a kind: the failure does not occur in the reports`, stderr)
	read(t, file, func(b []byte) error {
		require.Equal(t, entries(list), strings.Replace(entries(string(b)), gone, "", 1))
		return nil
	})
	status, _, stderr = invoke(t, "baseline", "--update", filepath.Join(dir, "none.yaml"), written)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--update: cannot read the known failures")
}

// entries returns a baseline without its header.
func entries(list string) string { return list[strings.Index(list, "failures:"):] }

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	status, _, _ := certifyCashOuts(t, bad, faulty(t, twoFaults...)...)
	require.Equal(t, 1, status)
	status, _, _ = certifyCashOuts(t, good)
	require.Equal(t, 0, status)

	page := filepath.Join(dir, "comparison.html")
	status, stdout, stderr := invoke(t, "compare", good, bad, "--html", page)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "New failures: ")
	require.Contains(t, stdout, "different target: the bundled reference gateway, now http://")
	read(t, page, func(b []byte) error { require.Contains(t, string(b), "Something got worse"); return nil })

	status, stdout, _ = invoke(t, "compare", bad, good, bad, "--json")
	require.Equal(t, 0, status, stdout)
	var c compare.Comparison
	require.NoError(t, json.Unmarshal([]byte(stdout), &c))
	require.Len(t, c.Changes, 2)
	require.NotEmpty(t, c.Changes[0].Fixed)
	require.NotEmpty(t, c.Changes[1].Still)
	require.True(t, c.Changes[1].Same())

	_, list, _ := invoke(t, "baseline", bad)
	file := filepath.Join(dir, "known.yaml")
	require.NoError(t, os.WriteFile(file, []byte(list), 0o600))
	status, stdout, stderr = invoke(t, "compare", good, bad, "--baseline", file)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "New failures that the baseline lists: ")
	require.Contains(t, stdout, "only the known failures of "+file)
	require.NotContains(t, stdout, "No new failures")

	for _, args := range [][]string{{good}, {good, dir}} {
		status, _, stderr = invoke(t, append([]string{"compare"}, args...)...)
		require.Equal(t, exitNotRun, status)
		require.NotEmpty(t, stderr)
	}
}

// Merged shards have the same result as the whole run.
func TestShardsAreMerged(t *testing.T) {
	wrong := faulty(t, twoFaults...)
	dir := t.TempDir()
	whole, merged := filepath.Join(dir, "whole"), filepath.Join(dir, "merged")
	status, _, _ := certifyCashOuts(t, whole, wrong...)
	require.Equal(t, 1, status)
	var shards []string
	for _, i := range []string{"1", "2", "3"} {
		shards = append(shards, filepath.Join(dir, i))
		_, _, stderr := certifyCashOuts(t, filepath.Join(dir, i), append(wrong, "--shard", i+"/3", "--keep-all")...)
		require.Empty(t, stderr)
		require.NoError(t, os.WriteFile(filepath.Join(dir, i, report.LogFile), []byte("log "+i+"\n"), 0o600))
	}
	status, stdout, stderr := invoke(t, append([]string{"merge", "--report", merged}, shards...)...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	require.Empty(t, stderr)
	require.Equal(t, verdictsIn(t, whole), verdictsIn(t, merged))
	for _, dir := range shards {
		for _, pattern := range []string{"*.har", "*.sh"} {
			evidence, err := filepath.Glob(filepath.Join(dir, report.EvidenceDir, "*", pattern))
			require.NoError(t, err)
			for _, file := range evidence {
				copied := filepath.Join(merged, strings.TrimPrefix(file, dir))
				if strings.Contains(file, "contract.") { // several shards may have met a breach
					continue
				}
				read(t, file, func(own []byte) error {
					read(t, copied, func(b []byte) error { require.Equal(t, string(own), string(b)); return nil })
					return nil
				})
			}
		}
	}
	read(t, filepath.Join(merged, report.LogFile), func(b []byte) error {
		require.Equal(t, "==> 1/target.log <==\nlog 1\n==> 2/target.log <==\nlog 2\n==> 3/target.log <==\nlog 3\n", string(b))
		return nil
	})
	status, stdout, _ = invoke(t, "judge", merged)
	require.Equal(t, 1, status)
	require.Contains(t, stdout, "0 verdicts differ")

	right := []string{filepath.Join(dir, "right-1"), filepath.Join(dir, "right-2")}
	for i, dir := range right {
		status, _, _ = certifyCashOuts(t, dir, "--shard", []string{"1/2", "2/2"}[i])
		require.Equal(t, 0, status)
	}
	status, stdout, _ = invoke(t, "merge", "-q", "--report", merged, right[0], right[1])
	require.Equal(t, 0, status)
	require.Equal(t, "✓ Conforms (selected rules only)\n  Partial run: cash-out.accepted, contract.cash-out\n", stdout)
	status, stdout, _ = invoke(t, "merge", "--report", merged, right[0])
	require.Equal(t, 3, status)
	require.Contains(t, stdout, "Shard 2/2 is missing")

	for says, args := range map[string][]string{
		"different targets":         {right[0], shards[0], "--report", merged},
		"cannot overwrite a report": {right[0], "--report", right[0]},
		"contains no report":        {dir, "--report", merged},
		"missing flags: --report":   {right[0]},
	} {
		status, _, stderr = invoke(t, append([]string{"merge"}, args...)...)
		require.NotZero(t, status)
		require.Contains(t, stderr, says)
	}
	status, _, stderr = certifyCashOuts(t, merged, "--shard", "0/4")
	require.NotZero(t, status)
	require.Contains(t, stderr, `expected a shard such as 2/4, got "0/4"`)
}

// verdictsIn returns the verdicts of a report by scenario. It ignores which scenario met a breach of the
// contract, because that may differ.
func verdictsIn(t *testing.T, dir string) map[string]verdict.Verdict {
	t.Helper()
	run, err := report.Read(dir)
	require.NoError(t, err)
	all := map[string]verdict.Verdict{}
	for _, s := range run.Scenarios {
		require.NotContains(t, all, s.ID(), "twice")
		all[s.ID()] = s.Verdict
	}
	return all
}

// A baseline of a whole run fits its shards, their merged report and a run that --fail-fast may stop:
// a violation of the contract is known whichever scenario finds it.
func TestABaselineInEveryPartOfARun(t *testing.T) {
	wrong := faulty(t, twoFaults...)
	dir := t.TempDir()
	file, merged := filepath.Join(dir, "known.yaml"), filepath.Join(dir, "merged")
	_, _, _ = certifyCashOuts(t, merged, wrong...)
	_, list, _ := invoke(t, "baseline", merged)
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(list, `owner: ""`, "owner: ana")), 0o600))
	shards := []string{filepath.Join(dir, "1"), filepath.Join(dir, "2")}
	for i, part := range [][]string{{"--shard", "1/2"}, {"--shard", "2/2"}, {"--fail-fast"}} {
		written := append(shards, filepath.Join(dir, "fast"))[i]
		status, stdout, stderr := certifyCashOuts(t, written, slices.Concat(wrong, []string{"--baseline", file}, part)...)
		require.Equal(t, 0, status, "%s: %s\n%s", part, stdout, stderr)
		require.Empty(t, stderr)
		_, kept, _ := invoke(t, "baseline", written)
		require.NotContains(t, kept, `owner: ""`)
	}
	status, stdout, stderr := invoke(t, append([]string{"merge", "--report", merged, "--baseline", file}, shards...)...)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "No new failures")
	require.NotContains(t, stdout, "not selected")
	status, _, stderr = invoke(t, append([]string{"merge", "--report", merged}, shards...)...)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "add --baseline "+file)
}

func TestGitHubActions(t *testing.T) {
	wrong := faulty(t, twoFaults...)
	dir := t.TempDir()
	summary := filepath.Join(dir, "summary.md")
	require.NoError(t, os.WriteFile(summary, []byte("## An earlier step\n\n"), 0o600))
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	status, stdout, stderr := certifyCashOuts(t, filepath.Join(dir, "report"), wrong...)
	require.Equal(t, 1, status, stderr)
	require.Regexp(t, `(?s)^[^:]{2}.*Does not conform.*\n::error title=contract\.cash-out/`, stdout)
	read(t, summary, func(b []byte) error {
		require.Contains(t, string(b), "## An earlier step\n\n<h2>✗ pixcert: does not conform</h2>")
		return nil
	})

	status, stdout, _ = invoke(t, "certify", "--report", filepath.Join(dir, "report"), "--url", "http://127.0.0.1:1")
	require.Equal(t, exitNotRun, status)
	require.Regexp(t, `(?m)^::error title=pixcert could not run::cannot reach the target at http%?.*\n$`, stdout)
	read(t, summary, func(b []byte) error {
		require.Contains(t, string(b), "<h2>✗ pixcert could not run</h2>\n<p><code>cannot reach the target at http")
		return nil
	})

	file := filepath.Join(dir, "known.yaml")
	require.NoError(t, os.WriteFile(file, []byte("failures:\n- rule: a"), 0o600))
	status, stdout, stderr = certifyCashOuts(t, filepath.Join(dir, "report"), append(wrong, "--baseline", file)...)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "pixcert: "+file+":2: ")
	require.Equal(t, "::error title=pixcert could not run::"+file+":2: scenarios: expected", stdout[:strings.Index(stdout, "expected")+len("expected")])
}
