package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// The judge says about the sample what it said when the sample was made.
func TestTheSampleIsJudgedAsBefore(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, diff("testdata", 3, &out), "%s", &out)
	assert.NotContains(t, out.String(), "were not judged", "the features have changed: make a new sample")
}

func TestTheSampleHasAllKinds(t *testing.T) {
	t.Parallel()
	var dirs, said strings.Builder
	var size int64
	for _, dir := range corpora("testdata") {
		dirs.WriteString(dir + "\n")
		require.NoError(t, judgeRun(dir, func(j judged) {
			for _, a := range j.answers {
				said.WriteString(a.text)
			}
		}))
		for _, file := range []string{"records.json.gz", goldenFile} {
			info, err := os.Stat(filepath.Join(dir, file))
			require.NoError(t, err)
			size += info.Size()
		}
	}
	assert.Less(t, size, int64(300_000))
	for _, kind := range []string{"mutants", "deep", "permitted", "walks", "new-accounts", "fixed-accounts", "fees", "lag", "mutual-tls", "sandbox-scenarios-only"} {
		assert.Contains(t, dirs.String(), "-"+kind)
	}
	for _, v := range []verdict.Verdict{verdict.Pass, verdict.Fail, verdict.CouldNotTest, verdict.NotApplicable} {
		assert.Contains(t, said.String(), "verdict: "+string(v)+"\n")
	}
	for _, at := range []judge.Subject{judge.Balance, judge.List, judge.Registrations, judge.ChargeState, judge.RefundState, judge.Splits, judge.Deliveries, judge.Silence} {
		assert.Contains(t, said.String(), "look: "+string(at)+" of ")
	}
	for _, line := range []string{"finding got: ", "warning got: ", "observation value: ", "violation got: "} {
		assert.Contains(t, said.String(), line)
	}
	assert.NotContains(t, said.String(), "panic")
}

// A judge that says anything else is noticed, and the entry is printed after which it does.
func TestADifferenceIsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ was, now, kind string }{
		"verdict":     {"verdict: fail\n", "verdict: pass\n", "verdict"},
		"finding":     {"\tfinding got: ", "\tfinding got: not ", "finding got"},
		"exchange":    {"\tfinding exchange: ", "\tfinding exchange: 9", "finding exchange"},
		"observation": {"\tobservation value: ", "\tobservation value: no ", "observation value"},
		"look":        {"\tlook: deliveries", "\tlook: balance", "look"},
		"patience":    {"\tpatience: ", "\tpatience: 1h", "patience"},
		"violation":   {"\tviolation got: ", "\tviolation got: not ", "violation got"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, changed := t.TempDir(), false
			for _, of := range corpora("testdata") {
				copied := filepath.Join(dir, filepath.Base(of))
				require.NoError(t, os.CopyFS(copied, os.DirFS(of)))
				if golden := unpacked(t, copied); strings.Contains(golden, c.was) {
					pack(t, copied, strings.Replace(golden, c.was, c.now, 1))
					changed = true
					break
				}
				require.NoError(t, os.RemoveAll(copied))
			}
			require.True(t, changed, "the sample has no %q", c.was)
			var out strings.Builder
			require.ErrorIs(t, diff(dir, 3, &out), errDiffers)
			assert.Contains(t, out.String(), "1 differ first in: "+c.kind+"\n")
			assert.Contains(t, out.String(), "\n1 records differ\n")
			assert.Regexp(t, `(?m)^  after entry \d+: `, out.String())
			for _, marked := range []string{"- " + strings.TrimSuffix(c.now, "\n"), "+ " + strings.TrimSuffix(c.was, "\n")} {
				assert.Contains(t, strings.ReplaceAll(out.String(), "\t", ""), strings.ReplaceAll(marked, "\t", ""))
			}
		})
	}
}

func TestAddedAndMissingRecordsAreReported(t *testing.T) {
	t.Parallel()
	of := corpora("testdata")[0]
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.CopyFS(dir, os.DirFS(of)))
	golden := unpacked(t, dir)
	first, rest, found := strings.Cut(golden, "\n= ")
	require.True(t, found)
	_, first, _ = strings.Cut(first, "\n")
	pack(t, dir, "= 999 no.rule/No scenario, attempt 0\n"+first+"\n= "+rest)
	var out strings.Builder
	require.ErrorIs(t, diff(dir, 3, &out), errDiffers)
	assert.Contains(t, out.String(), "999 no.rule/No scenario, attempt 0")
	assert.Contains(t, out.String(), "this record was not judged before")
	assert.Contains(t, out.String(), "\n2 records differ\n")
}

func TestWithoutGoldenResultsNothingIsCompared(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.CopyFS(dir, os.DirFS(corpora("testdata")[0])))
	require.NoError(t, os.Remove(filepath.Join(dir, goldenFile)))
	require.ErrorIs(t, diff(dir, 3, io.Discard), os.ErrNotExist)
	require.ErrorContains(t, diff(t.TempDir(), 3, io.Discard), "no recorded runs")
}

// What a run records is judged, and judging it again says the same.
func TestACollectedRunIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("records runs, which may take half a minute on a busy machine")
	}
	t.Parallel()
	var all []recording
	for _, m := range mutants.All() {
		if m.Rule == "balance.answer" {
			all = append(all, recording{name: "mutants/" + directory(m.Name), gateway: gateway{controls: true, mutant: m}, rule: m.Rule, seed: 1, short: true})
			break
		}
	}
	all = append(all, recording{name: "walks", gateway: gateway{controls: true}, seed: 1, walks: 1})
	dir := t.TempDir()
	var out strings.Builder
	require.NoError(t, collect(t.Context(), dir, all, time.Time{}, &out))
	assert.Equal(t, "recorded 2 of 2 runs; "+dir+" has 2\n", out.String())
	require.NoError(t, keep(dir, false, &out))
	require.NoError(t, diff(dir, 3, &out), "%s", &out)
	golden := unpacked(t, filepath.Join(dir, all[0].name))
	assert.Contains(t, golden, "verdict: fail\n\tfinding ")
	require.NoError(t, collect(t.Context(), dir, all, time.Time{}, &out))
	assert.Contains(t, out.String(), "recorded 0 of 2 runs", "what is there is kept")
}

func TestTheCorpusHasAllKinds(t *testing.T) {
	t.Parallel()
	all := recordings(size{seeds: 3, walks: 2000, seed: 1})
	names := map[string]bool{}
	walks, short := 0, 0
	for _, r := range all {
		assert.False(t, names[r.name], r.name)
		names[r.name] = true
		walks += r.walks
		if r.short {
			short++
		}
	}
	assert.Equal(t, 2000, walks)
	assert.Equal(t, len(mutants.All())+len(mutants.AllDeep()), short)
	assert.Len(t, recordings(size{seeds: 1, walks: 64, mutants: 2, seed: 1}), 1+5+1+2+2+2)
}

// Whoever adds something that the judge says has to print it.
func TestEverythingThatTheJudgeSaysIsCompared(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 8, reflect.TypeFor[judge.Result]().NumField(), "result prints them")
	assert.Equal(t, 8, reflect.TypeFor[judge.Look]().NumField(), "looks prints them")
}

func TestCommandsNeedADirectory(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"collect"}, {"diff"}, {"sample", "corpus"}, {"judge", "corpus", "testdata"}, {"other", "corpus"}} {
		require.EqualError(t, command(context.Background(), args, io.Discard), usage)
	}
}

func unpacked(t *testing.T, dir string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, goldenFile))
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(content))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

func pack(t *testing.T, dir, golden string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, golden)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, goldenFile), b.Bytes(), 0o644))
}
