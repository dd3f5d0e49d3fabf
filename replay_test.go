package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/mutants"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// faulty starts the reference with those faults and gives the flags that name it.
func faulty(t *testing.T, faults ...string) []string {
	t.Helper()
	var chosen []mutants.Mutant
	for _, m := range mutants.All() {
		if slices.Contains(faults, m.Name) {
			chosen = append(chosen, m)
		}
	}
	require.Len(t, chosen, len(faults), "each fault is that of a mutant")
	all := mutants.Together(chosen...)
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: all.API, WrapControls: all.Controls, WebhookTransport: all.Webhooks})
	require.NoError(t, err)
	t.Cleanup(stop)
	return []string{"--url", profile.BaseURL, "--control-url", profile.Control.URL}
}

func TestReplayShowsWhereTheTargetDiffers(t *testing.T) {
	t.Parallel()
	wrong := faulty(t, "confirms a cash-out at once", "gives a cash-out without its time")
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--report", dir, "--rule", "cash-out.accepted", "--rule", "contract.cash-out"}, wrong...)...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)

	past, err := report.ReadPast(dir)
	require.NoError(t, err)
	failed := past.Failed()
	require.NotEmpty(t, failed)
	require.Contains(t, stdout, "pixcert replay "+failed[0].Slug)

	again := func(args ...string) (int, replay.Result) {
		status, stdout, stderr := invoke(t, append([]string{"replay", "--report", dir, "--json"}, args...)...)
		require.Empty(t, stderr)
		var r replay.Result
		require.NoError(t, json.Unmarshal([]byte(stdout), &r), stdout)
		return status, r
	}
	i := slices.IndexFunc(failed, func(s report.PastScenario) bool { return s.Rule.Name == "cash-out.accepted" })
	status, r := again(failed[i].Slug)
	require.Equal(t, exitFailsAgain, status)
	require.Equal(t, verdict.Fail, r.Target.Verdict)
	require.Equal(t, verdict.Pass, r.Reference.Verdict)
	first, matters := firstOf(r)
	require.Equal(t, "cash-out", first.Target.Operation)
	require.True(t, first.Subject, "the finding speaks of it too")
	require.Equal(t, 1, matters, "nothing but the two faults, both in one answer: %+v", r)
	require.Equal(t, []replay.Difference{
		{Where: "generateTime", Target: "absent", Reference: first.Differences[0].Reference, Matters: true},
		{Where: "status", Target: `"CONFIRMED"`, Reference: `"PENDING"`, Matters: true},
	}, first.Differences)

	status, text, _ := invoke(t, "replay", "--report", dir, failed[i].Slug)
	require.Equal(t, exitFailsAgain, status)
	require.Contains(t, text, "first difference that matters")
	t.Log(text)

	t.Run("both as archives", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "hars")
		status, _ := again(failed[i].Slug, "--har", dir)
		require.Equal(t, exitFailsAgain, status)
		for _, side := range []string{"target.har", "reference.har"} {
			content, err := os.ReadFile(filepath.Join(dir, side))
			require.NoError(t, err)
			require.Contains(t, string(content), "/api/pix/cash-out")
		}
	})
	t.Run("the target passes now", func(t *testing.T) {
		status, r := again(append([]string{failed[i].Slug}, faulty(t)...)...)
		require.Equal(t, exitPassesNow, status)
		_, matters := firstOf(r)
		require.Zero(t, matters, "two references do the same: %+v", r)
	})
	t.Run("the target can no longer be tested", func(t *testing.T) {
		status, _ := again(append([]string{failed[i].Slug}, faulty(t)[:2]...)...)
		require.Equal(t, exitNotTested, status)
	})
	t.Run("what failed is run alone", func(t *testing.T) {
		status, stdout, stderr := invoke(t, append([]string{"certify", "--rerun-failed", "--report", dir}, wrong...)...)
		require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
		anew, err := report.ReadPast(dir)
		require.NoError(t, err)
		require.Equal(t, slugs(failed), slugs(anew.Failed()))
	})
}

// A breach of the wire contract is no scenario of its own: it is replayed by the scenario
// that met it.
func TestReplayOfABreachOfTheContract(t *testing.T) {
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: forgetsTheTimeOfACentavo})
	require.NoError(t, err)
	t.Cleanup(stop)
	dir := t.TempDir()
	status, stdout, _ := invoke(t, "certify", "--report", dir, "--rule", "cash-out.value", "--rule", "contract.cash-out",
		"--url", profile.BaseURL, "--control-url", profile.Control.URL)
	require.Equal(t, 1, status)
	past, err := report.ReadPast(dir)
	require.NoError(t, err)
	failed := past.Failed()
	require.Len(t, failed, 1)
	require.NotEmpty(t, failed[0].Via)
	require.Contains(t, stdout, "✗ contract.cash-out: ", "it has a line of its own")
	require.Contains(t, stdout, "pixcert replay "+failed[0].Slug+" --report "+dir)

	status, stdout, stderr := invoke(t, "replay", "--json", "--report", dir, failed[0].Slug)
	require.Equal(t, exitFailsAgain, status, stderr)
	var r replay.Result
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	first, _ := firstOf(r)
	require.Equal(t, "cash-out", first.Target.Operation)
	require.True(t, first.Subject)
	require.Equal(t, "generateTime", first.Differences[0].Where)
}

// forgetsTheTimeOfACentavo drops generateTime from the answer to a cash-out of R$ 0.01.
func forgetsTheTimeOfACentavo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(sent))
		if !bytes.Contains(sent, []byte(`"value":0.01`)) {
			next.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = w.Write(regexp.MustCompile(`,?"generateTime":"[^"]*"`).ReplaceAll(answer.Body.Bytes(), nil))
	})
}

func slugs(scenarios []report.PastScenario) []string {
	var all []string
	for _, s := range scenarios {
		all = append(all, s.Slug)
	}
	return all
}

// firstOf is the pair that is marked, and how many pairs differ by something that matters.
func firstOf(r replay.Result) (first replay.Pair, matters int) {
	for _, step := range r.Steps {
		for _, pair := range step.Pairs {
			if pair.First {
				first = pair
			}
			if pair.Matters() {
				matters++
			}
		}
	}
	return first, matters
}

// Two gateways that both conform mean the same in every answer and webhook of a scenario,
// whatever ids and times they choose.
func TestReplayFindsNoDifferenceBetweenTwoReferences(t *testing.T) {
	fresh := func() target.Profile {
		profile, stop, err := bundled(t.Context(), reference.Config{})
		require.NoError(t, err)
		t.Cleanup(stop)
		return profile
	}
	for name, c := range map[string]struct {
		tags string
		open func() target.Profile
	}{
		"new accounts":      {"@contract or @cash-out or @listed or @med or @cob or @transfer", fresh},
		"a fixed account's": {"@balance or @lists or @cash-out.accepted or @cash-out.debit or @webhook", func() target.Profile { return openSandbox(t, reference.Config{}, 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			// What settles by itself may be read a moment too early, on a busy machine every other
			// time: what differs is compared again, and differs for good if it does each time.
			differ := differing(t, run.Options{Tags: c.tags}, c.open, fresh)
			for try := 0; try < 20 && len(differ) > 0; try++ {
				differ = differing(t, run.Options{Scenarios: slices.Sorted(maps.Keys(differ)), Concurrency: 1}, c.open, fresh)
			}
			for _, text := range differ {
				t.Error(text)
			}
		})
	}
}

// differing are the scenarios, by id, that two gateways carry out with differences that
// matter.
func differing(t *testing.T, options run.Options, open ...func() target.Profile) map[string]string {
	t.Helper()
	var runs [2]*verdict.Run
	for i := range runs {
		options.Target, options.Whole, options.Seed = open[i](), true, 1
		var err error
		runs[i], err = run.Certify(t.Context(), options)
		require.NoError(t, err)
	}
	passed := slices.DeleteFunc(slices.Clone(runs[0].Scenarios), func(s verdict.Scenario) bool { return s.Verdict != verdict.Pass })
	require.NotEmpty(t, passed)
	differ := map[string]string{}
	for _, s := range passed {
		r, err := compared(report.PastScenario{Slug: s.Slug(), Rule: verdict.Rule{Name: s.Rule}, Name: s.Name}, runs[0], runs[1])
		require.NoError(t, err)
		if _, matters := firstOf(r); matters > 0 {
			differ[s.ID()] = r.Text()
		}
	}
	return differ
}

func TestAReplayThatCannotBeMadeSaysWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--report", dir, "--rule", "token.issued")
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no report":           {[]string{"token.issued", "--report", t.TempDir()}, "certify first"},
		"an unknown scenario": {[]string{"token.issud/x", "--report", dir}, "no scenario"},
		"nothing to replay":   {[]string{"", "--report", dir}, "several"},
		"nothing failed":      {[]string{"x/y", "--report", dir}, "no scenario failed"},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, stderr := invoke(t, append([]string{"replay"}, c.args...)...)
			require.Equal(t, exitNotRun, status)
			require.Contains(t, stderr, c.says)
		})
	}
	t.Run("nothing to run again", func(t *testing.T) {
		status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", dir)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, "nothing failed")
	})
}

// A run that cannot be made leaves the report of the one before.
func TestAMistypedFlagLeavesTheReport(t *testing.T) {
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--report", dir, "--rule", "token.issued")
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	for _, args := range [][]string{{"--rule", "token.issud"}, {"--url", "http://127.0.0.1:1"}, {"--tags", "@token and"}, {"--concurrency", "0"}} {
		status, _, _ := invoke(t, append([]string{"certify", "--report", dir}, args...)...)
		require.Equal(t, exitNotRun, status)
		require.FileExists(t, filepath.Join(dir, report.JSONFile), args)
		require.FileExists(t, filepath.Join(dir, report.HTMLFile), args)
	}
}
