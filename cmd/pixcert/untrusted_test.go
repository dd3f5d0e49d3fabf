package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// receivedReport writes a report as somebody else would: with a failed scenario, and a target of their choice.
func receivedReport(t *testing.T, dir string, change func(*verdict.Run)) string {
	t.Helper()
	result := &verdict.Run{
		ID: "theirs", Version: version(), Subject: verdict.Subject{Target: "their gateway", Directory: dir}, Controls: []string{"accounts"},
		Rules: []verdict.Rule{{Name: "cash-out.accepted", Title: "A rule", Feature: "Cash-out", File: "cash-out.feature"}},
		Scenarios: []verdict.Scenario{{
			Rule: "cash-out.accepted", Name: "The response", Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "a", Got: "b", Exchange: 0},
			Exchanges: []exchange.Exchange{{Party: exchange.API, Method: "GET", URL: "/x", Status: 500}}, ExchangeCount: 1,
		}},
	}
	change(result)
	require.NoError(t, report.Write(dir, result))
	return dir
}

// A report from somebody else supplies no profile, command, image or address: the user has to name the target.
func TestAReceivedReportNamesNoTarget(t *testing.T) {
	const token = "the-token-of-this-machine"
	t.Setenv("PIXCERT_CONTROL_TOKEN", token)
	t.Setenv("SECRET_OF_THIS_MACHINE", "a-secret-of-this-machine")
	t.Chdir(t.TempDir())
	var requests atomic.Int64
	theirs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer theirs.Close()
	dir := t.TempDir()
	ran := filepath.Join(dir, "it ran")
	profile := filepath.Join(dir, "evil.yaml")
	require.NoError(t, os.WriteFile(profile, []byte(`{name: evil, url: "`+theirs.URL+`", headers: {X-Secret: "${SECRET_OF_THIS_MACHINE}"}, controls: {command: ["touch", "`+ran+`"], offers: [accounts, funds]}}`), 0o600))
	for name, arguments := range map[string][]string{
		"a profile":  {"evil.yaml"},
		"an address": {"--url", theirs.URL, "--control-url", theirs.URL},
		"an image":   {"--image", "acme/evil", "--url", theirs.URL},
		"a sink":     {"--url", theirs.URL, "--sink", "0.0.0.0:9443"},
	} {
		received := receivedReport(t, filepath.Join(dir, "report"), func(r *verdict.Run) { r.Arguments, r.Directory = arguments, dir })
		for _, command := range [][]string{{"replay", "cash-out.accepted/the-response"}, {"certify", "--rerun-failed"}} {
			status, stdout, stderr := invoke(t, append(command, "--report", received)...)
			require.Equal(t, exitNotRun, status, "%s: %s", name, stdout)
			require.Contains(t, stderr, "was not written here, or has changed since: its target is not used", name)
			require.Contains(t, stderr, "\n  pixcert "+strings.Join(command, " ")+" ", name)
			for _, word := range arguments {
				require.Contains(t, stderr, word, name)
			}
			require.NotContains(t, stdout+stderr, token)
		}
	}
	require.NoFileExists(t, ran)
	require.Zero(t, requests.Load())
}

// What a report says about its target is used if this machine wrote it there, and only as long as it is the same.
func TestAReportIsRemembered(t *testing.T) {
	t.Chdir(t.TempDir())
	wrong := faulty(t, "confirms a cash-out immediately")
	status, _, stderr := invoke(t, append([]string{"certify", "--rule", "cash-out.accepted"}, wrong...)...)
	require.Equal(t, 1, status, stderr)
	again := func(dir string) (int, string) {
		status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", dir, "--quiet")
		return status, stderr
	}
	copied := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(copied, os.DirFS("report")))
	status, stderr = again(copied)
	require.Equal(t, exitNotRun, status, "it was copied")
	require.Contains(t, stderr, "pixcert certify --rerun-failed --url "+wrong[1])

	file := filepath.Join("report", report.JSONFile)
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.Replace(before, []byte(wrong[1]), []byte("http://127.0.0.1:1"), 1), 0o600))
	status, stderr = again("report")
	require.Equal(t, exitNotRun, status, "it was edited")
	require.Contains(t, stderr, "has changed since")

	require.NoError(t, os.WriteFile(file, before, 0o600))
	status, stderr = again("report")
	require.Equal(t, 1, status, stderr)
	require.Empty(t, stderr, "it is the one that was written")

	require.NoError(t, os.WriteFile("pixcert.yaml", []byte("{name: \""+wrong[1]+"\", url: \""+wrong[1]+"\", controls: {url: \""+wrong[3]+"\"}}"), 0o600))
	status, stderr = again(copied)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stderr, "pixcert: using pixcert.yaml")

	t.Setenv("XDG_STATE_HOME", filepath.Join(file, "not a directory"))
	require.NoError(t, os.Remove("pixcert.yaml"))
	status, stderr = again("report")
	require.Equal(t, exitNotRun, status, "nothing can be remembered")
	require.Contains(t, stderr, "If you trust it, name it yourself")
}

// The features of a report from somebody else are not read.
func TestAReceivedReportNamesNoFeatures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.feature"), []byte("a secret of this machine"), 0o600))
	received := receivedReport(t, filepath.Join(t.TempDir(), "report"), func(r *verdict.Run) {
		r.Arguments, r.Own = []string{"--reference"}, &verdict.Own{Directory: dir, Digest: "d"}
	})
	for _, command := range [][]string{{"replay", "cash-out.accepted/the-response"}, {"certify", "--rerun-failed"}, {"explain", "cash-out.accepted"}} {
		status, stdout, stderr := invoke(t, append(command, "--report", received)...)
		require.NotContains(t, stdout+stderr, "x.feature")
		if command[0] != "explain" {
			require.Equal(t, exitNotRun, status)
			require.Contains(t, stderr, "its directory of features is not used")
			require.Contains(t, stderr, "--features "+dir)
		}
	}
}

// No command writes outside of its report, or includes other files of this machine.
func TestAReceivedReportStaysInItsDirectory(t *testing.T) {
	t.Parallel()
	above, key := t.TempDir(), filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(key, []byte("a private key"), 0o600))
	one := receivedReport(t, filepath.Join(above, "one"), func(*verdict.Run) {})
	merged := filepath.Join(above, "a", "b", "merged")

	file := filepath.Join(one, report.JSONFile)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.ReplaceAll(content, []byte("cash-out.accepted"), []byte("../../../..")), 0o600))
	status, _, stderr := invoke(t, "merge", one, "--report", merged)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "expected the name of a rule")
	require.NoError(t, os.WriteFile(file, content, 0o600))

	for _, name := range []string{filepath.Join(report.EvidenceDir, "cash-out.accepted", "the-response.har"), report.LogFile, report.RecordsFile, report.JSONFile} {
		path := filepath.Join(one, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		_ = os.Remove(path)
		require.NoError(t, os.Symlink(key, path))
		for _, command := range [][]string{{"merge", one}, {"judge", one}, {"certify", "--rerun-failed", "--reference", "--keep-all"}} {
			to := merged
			if command[0] == "certify" {
				to = one
			}
			_, stdout, stderr := invoke(t, append(command, "--report", to)...)
			require.NotContains(t, stdout+stderr, "a private key")
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				break // the run has replaced it
			}
		}
		requireNotInside(t, above, "a private key")
		_ = os.Remove(path)
		receivedReport(t, one, func(*verdict.Run) {})
	}
}

// requireNotInside checks the regular files below a directory, also in compressed records.
func requireNotInside(t *testing.T, dir, text string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		require.NotContains(t, string(content), text, path)
		return err
	}))
}

// Links in a corpus are refused: their content would become part of reports.
func TestACorpusHasNoLinks(t *testing.T) {
	t.Parallel()
	dir, key := t.TempDir(), filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(key, []byte("Feature: a private key"), 0o600))
	require.NoError(t, os.Symlink(key, filepath.Join(dir, "x.feature")))
	status, _, stderr := invoke(t, "explore", "--reference", "--corpus", dir, "--report", t.TempDir())
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "x.feature: expected a regular file, got a symbolic link")
	require.NotContains(t, stderr, "a private key")
}

// bombs are files of a report that take much more memory than space, or much time.
func bombs(t *testing.T) map[string]func(dir string) {
	gz := func(dir, before, one, after string, n int) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		chunk := []byte(strings.Repeat(one, 1000))
		_, _ = z.Write([]byte(before))
		for range n / 1000 {
			_, _ = z.Write(chunk)
		}
		_, _ = z.Write([]byte(after))
		require.NoError(t, z.Close())
		require.NoError(t, os.WriteFile(filepath.Join(dir, report.RecordsFile), packed.Bytes(), 0o600))
	}
	plain := func(dir, before, one, after string, n int) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, report.JSONFile), []byte(before+strings.Repeat(one, n)+after), 0o600))
	}
	const evidence, verdicts = `{"Format":1,"Records":[`, `{"schema":1,"features":[{"name":"a","rules":[{"name":"a.b","scenarios":[`
	return map[string]func(dir string){
		"300 MB of zeros": func(dir string) {
			gz(dir, `{"Format":1,"Terms":{"BasePath":"`, strings.Repeat("0", 1000), `"}}`, 300_000)
		},
		"300 MB of white space": func(dir string) { gz(dir, evidence, strings.Repeat(" ", 1000), "]}", 300_000) },
		"millions of records":   func(dir string) { gz(dir, evidence, `{"Rule":"a.b"},`, `{}]}`, 10_000_000) },
		"millions of entries":   func(dir string) { gz(dir, evidence+`{"Entries":[`, `{"Exchange":{}},`, `{}]}]}`, 10_000_000) },
		"as much as fits":       func(dir string) { gz(dir, evidence+`{"Entries":[`, `{"Exchange":{}},`, `{}]}]}`, 149_000) },
		"200 MB of verdicts": func(dir string) {
			plain(dir, verdicts, `{"name":"x","verdict":"fail"},`, `{"verdict":"fail"}]}]}]}`, 200_000_000/30)
		},
		"verdicts as fit": func(dir string) {
			plain(dir, verdicts, `{"name":"x","verdict":"fail"},`, `{"verdict":"fail"}]}]}]}`, 19_999)
		},
		"objects as fit":       func(dir string) { plain(dir, `{"schema":1,"causes":[`, `{},`, `{}]}`, 199_000) },
		"values as fit":        func(dir string) { plain(dir, `{"schema":1,"arguments":[`, `"",`, `""]}`, 990_000) },
		"millions of verdicts": func(dir string) { plain(dir, verdicts, `{},`, `{}]}]}]}`, 6_000_000) },
		"rules as fit": func(dir string) {
			plain(dir, `{"schema":1,"features":[{"rules":[`, `{"name":"a.b","scenarios":[{"verdict":"pass"},{"verdict":"fail"}]},`, `{"name":"a.b"}]}]}`, 4_990)
		},
	}
}

// Reading a report takes little memory, whatever it contains. The test measures the peak of processes.
func TestReadingTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large files")
	}
	t.Parallel()
	const most = 400 << 20
	all := bombs(t)
	for _, name := range sorted(all) {
		t.Run(name, func(t *testing.T) {
			dir, other := t.TempDir(), receivedReport(t, filepath.Join(t.TempDir(), "other"), func(r *verdict.Run) { r.Version, r.Target = "", "" })
			receivedReport(t, dir, func(r *verdict.Run) { r.Version, r.Target = "", "" })
			all[name](dir)
			_, err := os.Stat(filepath.Join(dir, report.RecordsFile))
			commands := [][]string{{"judge", dir}, {"merge", dir, other, "--report", filepath.Join(t.TempDir(), "merged")}}
			if errors.Is(err, fs.ErrNotExist) {
				commands = append(commands[1:], []string{"baseline", dir}, []string{"compare", dir, other, "--html", filepath.Join(t.TempDir(), "x.html")},
					[]string{"replay", "x", "--report", dir}, []string{"certify", "--rerun-failed", "--report", dir, "--url", "http://127.0.0.1:1"})
			}
			for _, arguments := range commands {
				command := exec.CommandContext(t.Context(), os.Args[0], arguments...)
				command.Env = append(os.Environ(), asCommand+"=1", "GOGC=", "GOMEMLIMIT=")
				var out bytes.Buffer
				command.Stderr = &out
				require.NoError(t, command.Start())
				used := peak(t, command)
				said := out.String()
				t.Logf("%s: %d MiB, %v of CPU: %.150s", arguments[0], used>>20, command.ProcessState.UserTime(), said)
				require.Less(t, used, int64(most), arguments[0])
				if !strings.Contains(name, "fit") {
					require.Equal(t, exitNotRun, command.ProcessState.ExitCode(), said)
					require.Contains(t, said, "pixcert writes no such file", "it names the limit")
				}
			}
		})
	}
}

// Whatever runner of a CI system reads the output, it obeys nothing that a target sent.
func TestNothingThatATargetSendsIsACommand(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"got ##vso[task.setvariable]x":          `got ##vso\u005btask.setvariable]x`,
		"##VSO[task.complete]":                  `##VSO\u005btask.complete]`,
		"a ##[error]x":                          `a ##\u005berror]x`,
		"##teamcity[buildStop]":                 `##teamcity\u005bbuildStop]`,
		"section_start:1:x\nsection_end:1:x":    "section_start\\u003a1:x\nsection_end\\u003a1:x",
		"::add-mask::x\n \t::stop-commands::y":  ":\\u003aadd-mask::x\n \t:\\u003astop-commands::y",
		"x\r::set-env name=PATH::y":             "x\r:\\u003aset-env name=PATH::y",
		"###[x]":                                `###\u005bx]`,
		":::error::x":                           `:\u003a:error::x`,
		"\u00a0\u2003\u200b\ufeff::error::x":    "\u00a0\u2003\u200b\ufeff:\\u003aerror::x",
		"\u2028::error::x\v::error::":           "\u2028:\\u003aerror::x\v::error::",
		"é::error::":                            "é::error::",
		"\xff::error::":                         "\xff::error::",
		"[a]: #[b] a::b ## vso[ section_start ": "[a]: #[b] a::b ## vso[ section_start ",
		" x ::error::":                          " x ::error::",
	} {
		var whole, parts bytes.Buffer
		_, err := (&stream{w: &whole}).Write([]byte(in))
		require.NoError(t, err)
		require.Equal(t, want, whole.String())
		byByte := &stream{w: &parts}
		for i := range len(in) {
			_, err := byByte.Write([]byte(in[i : i+1]))
			require.NoError(t, err)
		}
		require.Equal(t, want, parts.String(), "in parts")
	}
	// Through a command: a report from somebody else.
	dir := receivedReport(t, filepath.Join(t.TempDir(), "report"), func(r *verdict.Run) {
		r.Scenarios[0].Finding.Got = "##vso[task.setvariable variable=PATH]x ##teamcity[a]"
		r.Target = "::error::x"
	})
	for _, command := range [][]string{{"baseline", dir}, {"compare", dir, dir}, {"replay", "nothing", "--report", dir}, {"merge", dir, "--report", t.TempDir()}} {
		_, stdout, stderr := invoke(t, command...)
		require.NotContains(t, stdout+stderr, "##vso[")
		require.NotContains(t, stdout+stderr, "##teamcity[")
		require.NotRegexp(t, `(?m)^\s*::`, stdout+stderr)
	}
}

// A baseline stays what it is: the failures that it lists are still known.
func TestABaselineSurvivesEscapedMarkers(t *testing.T) {
	t.Parallel()
	dir := receivedReport(t, filepath.Join(t.TempDir(), "report"), func(r *verdict.Run) { r.Scenarios[0].Finding.Got = "##vso[task.complete] it's \"x\"" })
	_, stdout, _ := invoke(t, "baseline", dir)
	file := filepath.Join(t.TempDir(), "known.yaml")
	require.NoError(t, os.WriteFile(file, []byte(stdout), 0o600))
	status, stdout, stderr := invoke(t, "merge", dir, "--report", t.TempDir(), "--baseline", file)
	require.Contains(t, []int{0, 3}, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "known")
	require.NotContains(t, stdout, "Does not conform")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Results that cannot be written to standard output are an error, of every command.
func TestResultsAreNotLost(t *testing.T) {
	t.Parallel()
	dir := receivedReport(t, filepath.Join(t.TempDir(), "report"), func(r *verdict.Run) { r.Scenarios[0].Verdict, r.Scenarios[0].Finding = verdict.Pass, nil })
	for _, command := range [][]string{
		{"certify", "--reference", "--rule", "token.issued", "--report", t.TempDir()}, {"plan", "--reference"}, {"rules"}, {"explain", "token.issued", "--report", dir}, {"steps"},
		{"baseline", dir}, {"compare", dir, dir}, {"merge", dir, "--report", t.TempDir()}, {"--help"}, {"--version"},
	} {
		var stderr bytes.Buffer
		status := execute(t.Context(), "pixcert", command, fullDisk{}, &stderr)
		require.Equal(t, exitNotRun, status, command)
		require.Contains(t, stderr.String(), "pixcert: writing results to standard output: no space left on device", command)
	}
	if runtime.GOOS != "linux" {
		return
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	command := exec.CommandContext(t.Context(), os.Args[0], "rules")
	command.Env = append(os.Environ(), asCommand+"=1")
	var stderr bytes.Buffer
	command.Stdout, command.Stderr = full, &stderr
	require.Error(t, command.Run())
	require.Equal(t, exitNotRun, command.ProcessState.ExitCode())
	require.Contains(t, stderr.String(), "no space left on device")
}

// FuzzCorpus reads any file of a corpus.
func FuzzCorpus(f *testing.F) {
	f.Add([]byte("@found\nFeature: x\n  @found.a\n  Rule: a\n    Scenario: One\n      Given an account\n"))
	f.Add([]byte("Feature: \x1b]0;x\a ##vso[task.complete]"))
	f.Add(bytes.Repeat([]byte("Feature: x\n"), 1000))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "x.feature"), content, 0o600))
		_, _ = explore.ReadCorpus(dir)
	})
}

// FuzzReports reads any verdict.json as compare, merge, baseline and explain do.
func FuzzReports(f *testing.F) {
	f.Add([]byte(`{"schema":1,"features":[{"name":"x","file":"x.feature","rules":[{"name":"a.b","scenarios":[{"name":"x","verdict":"fail","finding":{"exchange":0},"exchanges":[{"step":-5,"method":"GET"}]}]}]}]}`))
	f.Add([]byte(`{"schema":1,"shard":{"index":1,"of":1000},"features":[{"rules":[{"name":"../../..","scenarios":[{"verdict":"pass"}]}]}]}`))
	f.Add([]byte(`{"schema":1,"ended":{"reason":"::error::x"},"observations":[{"point":"p","seen":[{"value":"##vso[x]"}]}],"webhooks":{"p99Ms":1e308}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir, merged := t.TempDir(), filepath.Join(t.TempDir(), "merged")
		require.NoError(t, os.WriteFile(filepath.Join(dir, report.JSONFile), content, 0o600))
		for _, command := range [][]string{
			{"compare", dir, dir, "--html", filepath.Join(t.TempDir(), "x.html")}, {"compare", dir, dir, "--json"}, {"baseline", dir, dir}, {"merge", dir, "--report", merged},
			{"explain", "a.b", "--report", dir}, {"replay", "a.b/x", "--report", dir},
		} {
			invoke(t, command...)
		}
	})
}
