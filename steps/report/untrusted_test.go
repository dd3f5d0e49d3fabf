package report

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// verdictJSON is the verdict.json of the sample with changes.
func verdictJSON(t testing.TB, change func(*jsonReport)) []byte {
	t.Helper()
	report := reportJSON(sampleRun(), "")
	change(&report)
	content, err := json.Marshal(report)
	require.NoError(t, err)
	return content
}

// hostile are contents of verdict.json that pixcert never writes, with what the error says.
func hostile(t testing.TB) map[string]struct {
	content []byte
	says    string
} {
	type file = struct {
		content []byte
		says    string
	}
	changed := func(change func(*jsonReport)) []byte { return verdictJSON(t, change) }
	repeated := func(before, one, after string, n int) []byte {
		return []byte(before + strings.Repeat(one+",", n-1) + one + after)
	}
	return map[string]file{
		"a rule above the report":  {changed(func(r *jsonReport) { r.Features[0].Rules[0].Name = "../../../.." }), "expected the name of a rule"},
		"a rule with a terminal":   {changed(func(r *jsonReport) { r.Features[0].Rules[0].Name = "\x1b]0;x\a" }), `got "\\x1b]0;x\\a"`},
		"an absolute rule":         {changed(func(r *jsonReport) { r.Features[0].Rules[0].Name = "/etc" }), "expected the name of a rule"},
		"another verdict":          {changed(func(r *jsonReport) { r.Features[0].Rules[0].Scenarios[0].Verdict = "::error::x" }), "expected a verdict"},
		"a shard of a billion":     {changed(func(r *jsonReport) { r.Shard = verdict.Shard{Index: 1, Of: 1e9} }), "shards: expected at most 1000"},
		"a shard of none":          {changed(func(r *jsonReport) { r.Shard = verdict.Shard{Index: -3, Of: 4} }), "shard: expected an index"},
		"controls":                 {changed(func(r *jsonReport) { r.Controls = make([]string, 2000) }), "controls: expected at most 1000, got 2000"},
		"scenarios":                {repeated(`{"schema":1,"features":[{"rules":[{"name":"a.b","scenarios":[`, `{"verdict":"pass"}`, `]}]}]}`, 20_001), "scenarios: expected at most 20000"},
		"exchanges":                {repeated(`{"schema":1,"features":[{"rules":[{"name":"a.b","scenarios":[{"verdict":"fail","exchanges":[`, `{}`, `]}]}]}]}`, 50_001), "exchanges: expected at most 50000"},
		"objects":                  {repeated(`{"features":[`, `{}`, `]}`, 200_001), "200000 objects"},
		"values":                   {repeated(`{"seeds":[`, `0`, `]}`, 1_000_001), "1000000 values"},
		"nesting":                  {[]byte(strings.Repeat("[", 100_000)), "64 levels of nesting"},
		"a long string":            {[]byte(`{"target":"` + strings.Repeat("x", 2<<20) + `"}`), "1048576 bytes of a string"},
		"another schema":           {[]byte(`{"schema":2}`), "expected schema 1, got 2"},
		"no JSON":                  {[]byte("PK\x03\x04"), "invalid character"},
		"longer than any report":   {make([]byte, mostReport+1), "20000000 bytes of the file"},
		"a long name of scenarios": {changed(func(r *jsonReport) { r.Features[0].Rules[0].Scenarios[0].Name = strings.Repeat("x", 5000) }), "expected a name of at most 4096 bytes"},
	}
}

func TestAHostileReportIsRejected(t *testing.T) {
	t.Parallel()
	for name, c := range hostile(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, JSONFile), c.content, 0o600))
			_, err := Read(dir)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, filepath.Join(dir, JSONFile))
		})
	}
}

func TestAReportIsNoLink(t *testing.T) {
	t.Parallel()
	theirs, ours := t.TempDir(), t.TempDir()
	require.NoError(t, Write(theirs, sampleRun()))
	require.NoError(t, os.Symlink(filepath.Join(theirs, JSONFile), filepath.Join(ours, JSONFile)))
	_, err := Read(ours)
	require.ErrorContains(t, err, "expected a regular file, got a symbolic link")
}

// References to exchanges that a report does not have point nowhere.
func TestDanglingReferencesAreDropped(t *testing.T) {
	t.Parallel()
	for _, at := range []int{-7, 99} {
		dir := t.TempDir()
		content := verdictJSON(t, func(r *jsonReport) {
			for _, f := range r.Features {
				for _, rule := range f.Rules {
					for i := range rule.Scenarios {
						s := &rule.Scenarios[i]
						s.Finding = &jsonFinding{Exchange: &at}
						s.Warnings = []jsonFinding{{Exchange: &at}}
						for k := range s.Exchanges {
							s.Exchanges[k].Step = at
						}
					}
				}
			}
		})
		require.NoError(t, os.WriteFile(filepath.Join(dir, JSONFile), content, 0o600))
		run, err := Read(dir)
		require.NoError(t, err)
		for _, s := range run.Scenarios {
			assert.Nil(t, s.Subject())
			assert.Equal(t, -1, s.Warnings[0].Exchange)
		}
		require.NoError(t, Write(t.TempDir(), run))
	}
}

// files lists the files below a directory.
func files(t *testing.T, dir string) (all []string, size int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		all, size = append(all, path), size+info.Size()
		return err
	}))
	return all, size
}

// A report is written into its directory, whatever links that has.
func TestAReportIsWrittenIntoItsDirectory(t *testing.T) {
	t.Parallel()
	for _, link := range []string{EvidenceDir, filepath.Join(EvidenceDir, "cash-out.covers-fee"), stagingDir, FailedLogFile, LogFile, HTMLFile, lockFile} {
		t.Run(link, func(t *testing.T) {
			t.Parallel()
			outside, dir := t.TempDir(), t.TempDir()
			target := outside
			if strings.Contains(link, ".") && !strings.Contains(link, "covers") && link != stagingDir {
				target = filepath.Join(outside, "victim")
			}
			victim := filepath.Join(outside, "cash-out.covers-fee", "victim.har")
			require.NoError(t, os.MkdirAll(filepath.Dir(victim), 0o755))
			for _, name := range []string{victim, filepath.Join(outside, "victim")} {
				require.NoError(t, os.WriteFile(name, []byte("of the user"), 0o600))
			}
			require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(link)), 0o755))
			require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
			before, _ := files(t, outside)
			_ = Write(dir, sampleRun(), File{Name: LogFile, Write: CopyOf(dir, "missing")}) // it may refuse
			_ = Write(dir, sampleRun())
			_ = WriteLog(dir, FailedLogFile, []byte("a log"))
			after, _ := files(t, outside)
			assert.Equal(t, before, after)
			for _, name := range after {
				content, err := os.ReadFile(name)
				require.NoError(t, err)
				assert.Equal(t, "of the user", string(content))
			}
		})
	}
}

func TestARuleThatLeavesTheReportIsNotWritten(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "a", "b", "report")
	run := sampleRun()
	for i := range run.Scenarios {
		run.Scenarios[i].Rule = "../../../.."
	}
	_ = Write(dir, run)
	all, _ := files(t, above)
	for _, name := range all {
		assert.True(t, strings.HasPrefix(name, dir), name)
	}
}

// No file of a report from somebody else is copied if it is a link.
func TestEvidenceThatIsALinkIsRefused(t *testing.T) {
	t.Parallel()
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(key, []byte("a private key"), 0o600))
	require.NoError(t, Write(dir, sampleRun()))
	failed := sampleFailure()
	copied, err := EvidenceFrom(dir, failed)
	require.NoError(t, err)
	require.NotEmpty(t, copied)
	archive := filepath.Join(dir, archiveOf(failed))
	require.NoError(t, os.Remove(archive))
	require.NoError(t, os.Symlink(key, archive))
	_, err = EvidenceFrom(dir, failed)
	require.ErrorContains(t, err, "got a symbolic link")
}

// fullRun is a run in which everything fails, with as many requests and responses as a run keeps, and long findings.
func fullRun(scenarios, exchanges, text int) *verdict.Run {
	run := &verdict.Run{ID: "large", Subject: verdict.Subject{Target: "https://gw.example"}, Controls: []string{"accounts"}, Started: began}
	for r := range scenarios / 10 {
		rule := verdict.Rule{Name: fmt.Sprintf("cash-out.rule-%d", r), Title: "A rule", Feature: "Cash-out", File: "cash-out.feature"}
		run.Rules = append(run.Rules, rule)
		for i := range 10 {
			s := verdict.Scenario{
				Rule: rule.Name, Name: fmt.Sprintf("Scenario %d", i), Verdict: verdict.Fail, Started: began, ExchangeCount: exchanges,
				Finding: &verdict.Finding{Expected: strings.Repeat("expected <text> ", text/16), Got: strings.Repeat(`got "text" `, text/11), Exchange: exchanges - 1},
				Steps:   []verdict.Step{{Keyword: "Given", Text: "an account", Verdict: verdict.Pass}, {Keyword: "Then", Text: strings.Repeat("a step ", 20), Verdict: verdict.Fail}},
			}
			for range exchanges {
				s.Exchanges = append(s.Exchanges, exchange.Exchange{
					Party: exchange.API, Operation: "cash-out", Method: "POST", URL: "https://gw.example/api/pix/cash-out", Body: []byte(`{"value":10}`),
					Status: 500, ResponseBody: []byte(strings.Repeat(`{"message":"<no>"}`, 20)), Sent: began,
				})
			}
			run.Scenarios = append(run.Scenarios, s)
		}
	}
	return run
}

// The files of a report stay below the limit together, and the report says what it leaves out.
func TestAReportIsSmall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run   *verdict.Run
		most  int64
		omits string
		kept  int // scenarios that keep exchanges, at least
	}{
		"everything fails":      {fullRun(1500, 6, 500), mostReport, "requests and responses of ", 100},
		"long findings":         {fullRun(200, 1, 4000), 1_000_000, "steps and long texts", 0},
		"more than a run keeps": {fullRun(150, 20, 300), 1_500_000, "requests and responses of ", 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, (&Place{dir: dir, most: c.most}).Write(c.run))
			_, size := files(t, dir)
			t.Logf("%.1f MB, without %s", float64(size)/1e6, c.run.Omitted)
			assert.LessOrEqual(t, size, c.most)
			require.NotEmpty(t, c.run.Omitted)
			assert.Contains(t, c.run.Omitted, c.omits)
			assert.Contains(t, contentOf(t, dir, HTMLFile), "Left out: "+c.run.Omitted)
			read, err := Read(dir)
			require.NoError(t, err)
			assert.Equal(t, c.run.Omitted, read.Omitted)
			assert.Len(t, read.Failed(), len(c.run.Scenarios))
			kept := 0
			for _, s := range read.Scenarios {
				if len(s.Exchanges) > 0 {
					kept++
				}
				assert.Equal(t, s.ExchangeCount, len(s.Exchanges)+s.LeftOut)
			}
			assert.GreaterOrEqual(t, kept, c.kept)
		})
	}
}

// Scenarios whose names differ only in capitals have evidence of their own, also where the file system ignores capitals.
func TestNamesThatDifferInCapitalsHaveSeparateEvidence(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	for _, name := range []string{"PIX key", "Pix key", "pix KEY"} {
		s := sampleFailure()
		s.Name, s.Exchanges[0].URL = name, "https://gw.example/"+name
		run.Scenarios = append(run.Scenarios, s)
	}
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	found, err := filepath.Glob(filepath.Join(dir, EvidenceDir, "cash-out.covers-fee", "pix-key*.har"))
	require.NoError(t, err)
	require.Len(t, found, 3)
	read, err := Read(dir)
	require.NoError(t, err)
	for _, name := range []string{"PIX key", "Pix key", "pix KEY"} {
		for _, s := range read.Scenarios {
			if s.Name != name {
				continue
			}
			again, err := read.Find(s.Slug())
			require.NoError(t, err)
			assert.Equal(t, name, again.Name)
			assert.Contains(t, contentOf(t, dir, archiveOf(s)), "https://gw.example/"+name)
			assert.NotEqual(t, s.Slug(), strings.ToUpper(s.Slug()))
		}
	}
}

// FuzzRead reads any verdict.json, and writes what it has read: neither fails in another way than with an error.
func FuzzRead(f *testing.F) {
	f.Add(verdictJSON(f, func(*jsonReport) {}))
	for _, c := range hostile(f) {
		if len(c.content) < 1<<16 {
			f.Add(c.content)
		}
	}
	f.Add([]byte(`{"schema":1,"features":[{"rules":[{"name":"a.b","scenarios":[{"name":"x","verdict":"fail","finding":{"exchange":0},"exchanges":[{"step":-5}]}]}]}]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, JSONFile), content, 0o600))
		run, err := Read(dir)
		if err != nil {
			return
		}
		run.Causes()
		RepeatCommand(run)
		above := t.TempDir()
		require.NoError(t, Write(filepath.Join(above, "report"), run))
		all, _ := files(t, above)
		for _, name := range all {
			require.True(t, strings.HasPrefix(name, filepath.Join(above, "report")), name)
		}
	})
}
