package history

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

var began = time.Date(2026, 3, 1, 14, 30, 0, 0, time.UTC)

// runOf is a run in which the named rules have verdicts: "a.b: fail".
func runOf(id string, rules ...string) *verdict.Run {
	run := &verdict.Run{ID: id, Version: "1.0.0", Subject: verdict.Subject{Target: "acme"}, Settings: verdict.Settings{Seed: 7, Concurrency: 24, Depth: verdict.Standard}, Started: began, Took: time.Second}
	for _, rule := range rules {
		name, v, _ := strings.Cut(rule, ": ")
		run.Rules = append(run.Rules, verdict.Rule{Name: name})
		s := verdict.Scenario{Rule: name, Name: "x", Verdict: verdict.Verdict(v)}
		if v == "sometimes" {
			s.Verdict, s.Attempts = verdict.Fail, []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
		}
		run.Scenarios = append(run.Scenarios, s)
	}
	return run
}

func TestAHistoryIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "history")
	entries, skipped, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.Empty(t, skipped)

	run := runOf("one", "a.pass: pass", "a.fail: fail", "a.known: known failure", "a.flaky: sometimes", "a.warned: warning", "a.untested: could not test", "a.outside: not applicable")
	run.Latencies = []verdict.Latency{{Operation: "cash-out", P50: 12300 * time.Microsecond}}
	want := EntryOf(run, "abc")
	require.NoError(t, Check(dir))
	require.NoError(t, Append(dir, want))
	entries, skipped, err = Read(dir)
	require.NoError(t, err)
	require.Empty(t, skipped)
	require.Equal(t, []Entry{want}, entries)
	assert.Equal(t, []string{"a.fail", "a.known", "a.flaky"}, want.Failing)
	assert.Equal(t, []string{"a.flaky"}, want.Flaky)
	assert.Equal(t, []string{"a.untested"}, want.Untested)
	assert.Equal(t, []string{"a.pass", "a.warned"}, want.Passing)
	assert.Equal(t, map[string]float64{"cash-out": 12.3}, want.P50Ms)
	assert.Equal(t, verdict.DoesNotConform, want.Outcome)
	assert.Equal(t, 2, want.Counts["fail"])
	content, err := os.ReadFile(filepath.Join(dir, File))
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(content), "\n"), "a line")
}

// Runs that end at the same time append all their lines.
func TestConcurrentRunsAppend(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() { assert.NoError(t, Append(dir, EntryOf(runOf("one", "a.b: pass"), ""))) })
	}
	all.Wait()
	entries, skipped, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, skipped)
	require.Len(t, entries, 40)
}

// A line that a killed run has left incomplete, or that somebody has edited, costs only that line.
func TestDamagedLinesAreSkipped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, Append(dir, EntryOf(runOf("one", "a.b: pass"), "")))
	file, err := os.OpenFile(filepath.Join(dir, File), os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = file.WriteString("\n\x1b[2J\n{\"schema\":2}\n{\"schema\":1,\"runId\":\"x\",\"started\":\"2026-03-01T14:30:00Z\",\"outcome\":\"fine\"}\n" + `{"schema":1,"runId":"x","started":"2026-03-01T14:30:00Z","outcome":"conforms","p50Ms":{"cash-out":-1}}` + "\n{\"schema\":1,")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.NoError(t, Append(dir, EntryOf(runOf("two", "a.b: pass"), "")))

	entries, skipped, err := Read(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	assert.Equal(t, "two", entries[1].RunID)
	require.Len(t, skipped, 5)
	for i, part := range []string{":3: skipped a damaged line: invalid character", ":4: skipped a damaged line: expected schema 1, got 2", `:5: skipped a damaged line: expected an outcome`, ":6: skipped a damaged line: expected a latency of cash-out", ":7: skipped a damaged line: unexpected"} {
		assert.Contains(t, skipped[i], File+part)
		assert.NotContains(t, skipped[i], "\x1b")
	}
}

// Of a history that has grown large, the latest runs are read.
func TestALargeHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	large := EntryOf(runOf("earlier"), "")
	large.Passing = slices.Repeat([]string{"a.b"}, 10_000)
	earlier, err := json.Marshal(large)
	require.NoError(t, err)
	earlier = append(earlier, '\n')
	n := mostRead/len(earlier) + 2
	require.NoError(t, os.WriteFile(filepath.Join(dir, File), bytes.Repeat(earlier, n), 0o600))
	last := EntryOf(runOf("last", "a.b: pass"), "")
	require.NoError(t, Append(dir, last))
	entries, skipped, err := Read(dir)
	require.NoError(t, err)
	require.Empty(t, skipped)
	require.Less(t, len(entries), n)
	require.Greater(t, len(entries), n-5)
	require.Equal(t, "last", entries[len(entries)-1].RunID)

	require.NoError(t, os.Truncate(filepath.Join(dir, File), 200<<20)) // a line of zeros, as after a crash
	_, skipped, err = Read(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"history.jsonl:1 of the last 8 MiB: skipped a damaged line: expected at most 1048576 bytes, got 8388608"}, skipped)
	require.NoError(t, Append(dir, last))
	entries, skipped, err = Read(dir)
	require.NoError(t, err)
	require.Empty(t, skipped)
	require.Len(t, entries, 1)
	require.Equal(t, "last", entries[0].RunID)
}

// A history is not written through links.
func TestAHistoryIsNoLink(t *testing.T) {
	t.Parallel()
	for _, name := range []string{File, lockFile} {
		dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
		require.NoError(t, os.WriteFile(victim, []byte("of the user"), 0o600))
		require.NoError(t, os.Symlink(victim, filepath.Join(dir, name)))
		require.ErrorContains(t, Check(dir), name+" is not a regular file")
		require.ErrorContains(t, Append(dir, EntryOf(runOf("one"), "")), "--history")
		content, err := os.ReadFile(victim)
		require.NoError(t, err)
		assert.Equal(t, "of the user", string(content))
	}
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, File)))
	_, _, err := Read(dir)
	require.ErrorContains(t, err, "expected a regular file")
}

// entriesOf are runs, one a day, in each of which one rule has a result: f, p, s (in some attempts) or - (not judged).
func entriesOf(results string) (all []Entry) {
	for i, r := range results {
		rule := map[rune][]string{'f': {"a.b: fail"}, 'p': {"a.b: pass"}, 's': {"a.b: sometimes"}, '-': {"a.b: could not test"}}[r]
		e := EntryOf(runOf(string(rune('a'+i)), rule...), "")
		e.Started = began.AddDate(0, 0, i)
		all = append(all, e)
	}
	return all
}

func TestRulesThatFailInSomeRuns(t *testing.T) {
	t.Parallel()
	for results, want := range map[string]string{
		"pppp": "", "ffff": "", "p": "", "": "", "----": "", "f--f": "",
		"pfpp":                              "✓✗✓✓ flaky: failed in 1 of 4 runs",
		"pfpf":                              "✓✗✓✗ flaky: failed in 2 of 4 runs",
		"ppff":                              "✓✓✗✗ fails since 2026-03-03 14:30 UTC: failed in 2 of 4 runs",
		"p-ff":                              "✓·✗✗ fails since 2026-03-03 14:30 UTC: failed in 2 of 3 runs",
		"fffp":                              "✗✗✗✓ passes since 2026-03-04 14:30 UTC: failed in 3 of 4 runs",
		"s":                                 "~ flaky: failed in 1 of 1 run",
		"sfff":                              "~✗✗✗ flaky: failed in 4 of 4 runs",
		"f" + strings.Repeat("p", 20):       "",
		"p" + strings.Repeat("p", 19) + "f": strings.Repeat("✓", 19) + "✗ fails since 2026-03-21 14:30 UTC: failed in 1 of 20 runs",
	} {
		entries := entriesOf(results)
		var setting Setting
		if len(entries) > 0 {
			setting = entries[0].Setting
		}
		got := ""
		for _, r := range TrendOf(entries, setting, nil).Rules {
			got += r.Marks() + " " + r.String()
		}
		assert.Equal(t, want, got, results)
	}
}

func TestOperationsThatBecomeSlower(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ms     []float64
		slower bool
		shown  string
	}{
		"too few runs":       {[]float64{1, 1, 9, 9, 9}, false, ""},
		"the same":           {[]float64{10, 11, 10, 10, 12, 10}, false, "10 ms, now 10 ms (+0 %)"},
		"one slow run":       {[]float64{10, 10, 10, 10, 99, 10}, false, "10 ms, now 10 ms (+0 %)"},
		"slower":             {[]float64{10, 99, 10, 15, 15, 15}, true, "10 ms, now 15 ms (+50 %)"},
		"a little slower":    {[]float64{10, 10, 10, 12, 12, 12}, false, "10 ms, now 12 ms (+20 %)"},
		"slower, but fast":   {[]float64{.1, .1, .1, .9, .9, .9}, false, "100 µs, now 900 µs (+800 %)"},
		"faster":             {[]float64{15, 15, 15, 10, 10, 10}, false, "15 ms, now 10 ms (-33 %)"},
		"webhooks from zero": {[]float64{0, 0, 0, 5, 5, 5}, true, "now 5.0 ms"},
	} {
		var entries []Entry
		for i, ms := range c.ms {
			e := EntryOf(runOf("x"), "")
			e.Started, e.P50Ms = began.AddDate(0, 0, i), map[string]float64{"cash-out": ms}
			entries = append(entries, e)
		}
		trend := TrendOf(entries, entries[0].Setting, nil)
		if c.shown == "" {
			assert.Empty(t, trend.Operations, name)
			assert.Equal(t, 1, trend.Needed(), name)
			continue
		}
		require.Len(t, trend.Operations, 1, name)
		assert.Equal(t, c.shown, trend.Operations[0].String(), name)
		assert.Equal(t, c.slower, trend.Operations[0].Slower, name)
	}
}

// Only runs with the same settings say something about each other.
func TestRunsWithOtherSettingsAreNotCompared(t *testing.T) {
	t.Parallel()
	for name, differ := range map[string]func(*verdict.Run){
		"target":       func(r *verdict.Run) { r.Target = "other" },
		"depth":        func(r *verdict.Run) { r.Depth = verdict.Quick },
		"selection":    func(r *verdict.Run) { r.Selection = "@cash-out" },
		"shard":        func(r *verdict.Run) { r.Shard = verdict.Shard{Index: 1, Of: 2} },
		"concurrency":  func(r *verdict.Run) { r.Concurrency = 1 },
		"strict":       func(r *verdict.Run) { r.Strict = true },
		"own features": func(r *verdict.Run) { r.Own = &verdict.Own{Directory: "rules", Digest: "4f2a"} },
	} {
		entries := entriesOf("pf")
		run := runOf("other", "a.b: fail")
		differ(run)
		entries = append(entries, EntryOf(run, ""))
		trend := TrendOf(entries, entries[0].Setting, nil)
		assert.Len(t, trend.Runs, 2, name)
		assert.Equal(t, 1, trend.Others, name)
		assert.Equal(t, entries[2].Setting, SettingIn(entries, run), name)
	}
}

// The rules of another edition differ, so that its runs say nothing about whether the gateway has changed. A report does
// not have its edition.
func TestRunsOfAnotherEditionAreNotCompared(t *testing.T) {
	t.Parallel()
	entries := entriesOf("pfpf")
	entries[2].Edition, entries[3].Edition = "new", "new"
	trend := TrendOf(entries, entries[3].Setting, nil)
	assert.Len(t, trend.Runs, 2)
	assert.Equal(t, 2, trend.Others)
	for run, edition := range map[string]string{"a": "", "b": "", "c": "new", "unknown": "new"} {
		assert.Equal(t, edition, SettingIn(entries, runOf(run)).Edition, run)
	}
	assert.Empty(t, SettingIn(nil, runOf("a")).Edition)
	latest, found := Last(entries)
	assert.True(t, found)
	assert.Equal(t, entries[3].Setting, latest)
	_, found = Last(nil)
	assert.False(t, found)
}

func TestText(t *testing.T) {
	t.Parallel()
	entries := entriesOf("pfppsp")
	for i := range entries {
		entries[i].Target = "acme\x1b[2J"
		entries[i].P50Ms = map[string]float64{"cash-out": []float64{10, 10, 10, 20, 20, 20}[i]}
	}
	other := entries[0]
	other.Target = "other"
	var out strings.Builder
	require.NoError(t, TrendOf(append(entries, other), entries[0].Setting, []string{"history.jsonl:3: skipped"}).WriteText(&out, translation.English))
	assert.Equal(t, `History of acme\x1b[2J: 6 runs from 2026-03-01 14:30 UTC to 2026-03-06 14:30 UTC
  ! history.jsonl:3: skipped
  1 run of another target or with other settings or rules not compared

Rules that fail in some runs only (oldest run first)
  ✓✗✓✓~✓  a.b  flaky: failed in 2 of 6 runs

Operations that became slower (median of each run)
  ▅▅▅███  cash-out  10 ms, now 20 ms (+100 %)
`, out.String())
	out.Reset()
	require.NoError(t, TrendOf(entries[:1], entries[0].Setting, nil).WriteText(&out, translation.English))
	assert.Equal(t, "History of acme\\x1b[2J: 1 run, of 2026-03-01 14:30 UTC\n\nComparing latencies takes 5 more runs.\n", out.String())
}
