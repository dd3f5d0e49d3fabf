package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// written is the report of a run, by file.
func written(t *testing.T, run *verdict.Run) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "report")
	require.NoError(t, Write(dir, run))
	return filesIn(t, dir)
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(content)
		return err
	}))
	return files
}

func TestTheLogOfTheTargetIsLinked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := sampleRun()
	require.NoError(t, Write(dir, run))
	page, err := os.ReadFile(filepath.Join(dir, HTMLFile))
	require.NoError(t, err)
	require.NotContains(t, string(page), LogFile)

	run.Log = LogFile
	require.NoError(t, Write(dir, run, File{Name: LogFile, Write: func(w io.Writer) error {
		_, err := io.WriteString(w, "started\n")
		return err
	}}))
	page, err = os.ReadFile(filepath.Join(dir, HTMLFile))
	require.NoError(t, err)
	require.Contains(t, string(page), `<a href="target.log">`)
	logged, err := os.ReadFile(filepath.Join(dir, LogFile))
	require.NoError(t, err)
	require.Equal(t, "started\n", string(logged))

	run.Log = ""
	require.NoError(t, Write(dir, run))
	require.NoFileExists(t, filepath.Join(dir, LogFile))
}

func TestReportContainsNoSecret(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Target = "https://user:hunter22@gateway.example"
	var secrets exchange.Redactor
	secrets.Add("an-echoed-secret")
	run.Scenarios[2].Finding.Got = `body {"access_token":"eyJhbGciOiJIUzI1NiJ9.secret.signature"} and an-echoed-secret`
	run.Scenarios[2].Steps[0].Text += " an-echoed-secret"
	run.Scenarios[2].Steps[2].Table[0][1] = "an-echoed-secret"
	run.Scenarios[2].Observations[0].Value = "an-echoed-secret"
	run.Scenarios[0].Warnings[0].Hint = "an-echoed-secret"
	for name, content := range written(t, run.Redacted(&secrets)) {
		for _, secret := range []string{"sample-client-secret", ".secret.signature", "swordfish", "control-token-of-the-target", "hunter22", "an-echoed-secret"} {
			assert.NotContains(t, content, secret, name)
		}
	}
	assert.Contains(t, run.Scenarios[2].Steps[2].Table[0][1], "an-echoed-secret", "the run itself stays as it was")
}

func TestReportIsTheSameWhateverTheOrderOfTheRun(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	dir := t.TempDir()
	require.NoError(t, Write(dir, run))
	want := filesIn(t, dir)
	slices.Reverse(run.Scenarios)
	require.NoError(t, Write(dir, run))
	assert.Equal(t, want, filesIn(t, dir))
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var report jsonReport
	decoder := json.NewDecoder(strings.NewReader(written(t, sampleRun())[JSONFile]))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&report))

	assert.Equal(t, 1, report.Schema)
	assert.Equal(t, verdict.DoesNotConform, report.Outcome)
	assert.Equal(t, 1, report.ExitStatus)
	assert.Equal(t, jsonVerdicts{Total: 12, Pass: 3, Fail: 2, Warning: 1, NotApplicable: 1, CouldNotTest: 4, SuiteError: 1}, report.Counts.Rules)
	assert.Equal(t, 2340.0, report.TookMs)
	assert.Equal(t, []jsonMissing{{"clock", []string{"cash-out.night-limit"}}, {"limits", []string{"cash-out.night-limit", "cash-out.daily-limit"}}}, report.MissingControls)
	require.Len(t, report.Features, 3)
	covers := report.Features[1].Rules[0]
	assert.Equal(t, "cash-out.covers-fee", covers.Name)
	assert.Equal(t, []string{"To the cent", "One cent short"}, []string{covers.Scenarios[0].Name, covers.Scenarios[1].Name})
	assert.Empty(t, covers.Scenarios[0].Exchanges)
	failed := covers.Scenarios[1]
	assert.Equal(t, 2, *failed.Finding.Exchange)
	assert.Contains(t, *failed.Exchanges[2].Body.Text, "café")
	assert.Equal(t, 201, failed.Exchanges[2].Response.Status)
	assert.Empty(t, failed.Steps[4].Verdict)

	hostile := report.Features[1].Rules[1].Scenarios[1]
	body := hostile.Exchanges[0].Response.Body
	assert.True(t, body.Cut)
	assert.Nil(t, body.Text)
	assert.Len(t, body.Base64, jsonBodyKept)
	assert.True(t, bytes.HasPrefix(body.Base64, []byte("<html>\xff\xfe\x00")))
	assert.Nil(t, hostile.Exchanges[1].Response)
	assert.Equal(t, "timed out after 10s", hostile.Exchanges[1].Error)
}

func TestReportShowsACommand(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	failed := &run.Scenarios[slices.IndexFunc(run.Scenarios, func(s verdict.Scenario) bool { return s.Name == "One cent short" })]
	failed.Finding.Exchange = 0
	failed.Exchanges[0] = exchange.Exchange{
		Party: exchange.Control, Operation: "funds", Method: "PUT", URL: "/accounts/7/balance", Body: []byte(`{"available":"1.00"}`),
		Command: exchange.Command{Program: []string{"python3", "adapter.py", "funds", "PUT", "/accounts/7/balance"}, Exit: 44}, Status: 404, ResponseBody: []byte("no account 7\n"),
	}
	files := written(t, run)
	assert.Contains(t, files[HTMLFile], "control, by command: funds")
	assert.Contains(t, files[HTMLFile], "404 (exit status 44)")
	assert.Contains(t, files[JUnitFile], "404 (exit status 44) after")
	assert.Contains(t, files[JUnitFile], " funds PUT ")
	var report jsonReport
	require.NoError(t, json.Unmarshal([]byte(files[JSONFile]), &report))
	shown := report.Features[1].Rules[0].Scenarios[1].Exchanges[0]
	assert.Equal(t, failed.Exchanges[0].Program, shown.Program)
	assert.Equal(t, 44, *shown.Exit)
	assert.Equal(t, "no account 7\n", *shown.Response.Body.Text)
	assert.Nil(t, report.Features[1].Rules[0].Scenarios[1].Exchanges[1].Exit, "of a request over HTTP")
}

// A violation found in passing is at no line of a feature.
func TestViolationsHaveNoLine(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Scenarios = append(run.Scenarios, verdict.Scenario{Rule: "balance.shape", Name: "201 with", Via: "balance.shape/Read", Verdict: verdict.Fail})
	files := written(t, run)
	assert.Contains(t, files[JUnitFile], "balance.feature: 201 with")
	assert.NotContains(t, files[JUnitFile], "feature:0")
	assert.NotContains(t, files[HTMLFile], "line 0")
	assert.NotContains(t, files[JSONFile], `"line": 0`)
}

// Violations that scenarios found in passing are counted apart, so that scenarios are as many as were planned.
func TestScenariosAreCountedWithoutViolations(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	planned := len(run.Scenarios)
	run.Scenarios = append(run.Scenarios, verdict.Scenario{Rule: "balance.shape", Name: "201 with", Via: "balance.shape/Read", Verdict: verdict.Fail})

	report := reportJSON(run, "")
	assert.Equal(t, planned, report.Counts.Scenarios.Total)
	assert.Equal(t, &jsonVerdicts{Total: 1, Fail: 1}, report.Counts.Passing)
	assert.Nil(t, reportJSON(sampleRun(), "").Counts.Passing)

	assert.Subset(t, propertiesOf(run), []junitProperty{{"scenarios", fmt.Sprint(planned)}, {"violations", "1"}})
	assert.Equal(t, planned+2, reportJUnit(run, "").Tests, "a test case for each, and for the rule of which nothing ran")

	var page, summary strings.Builder
	require.NoError(t, writeHTML(&page, run, "", nil, Words{}))
	assert.Contains(t, page.String(), fmt.Sprintf("<dt>Scenarios</dt><dd>%d</dd>", planned))
	assert.Contains(t, page.String(), "<dt>In responses or webhooks that no step checks</dt><dd>1 violation</dd>")
	assert.Contains(t, page.String(), "<span>1 violation that no step checks</span>")
	assert.Contains(t, page.String(), "<span>1 of 2 scenarios</span>")
	require.NoError(t, Words{}.WriteSummary(&summary, run, ""))
	assert.Contains(t, summary.String(), fmt.Sprintf("%d scenarios: ", planned))
	assert.Contains(t, summary.String(), "1 violation in responses or webhooks that no step of a scenario checks</p>")
}

func TestJUnitCountsWhatItHolds(t *testing.T) {
	t.Parallel()
	content := written(t, sampleRun())[JUnitFile]
	var report junitReport
	require.NoError(t, xml.Unmarshal([]byte(content), &report))
	var tests, failures, errors int
	for _, suite := range report.Suites {
		held := map[string]int{}
		for _, c := range suite.Cases {
			held["tests"]++
			for kind, reason := range map[string]*junitReason{"failures": c.Failure, "errors": c.Error, "skipped": c.Skipped} {
				if reason != nil {
					held[kind]++
					assert.NotContains(t, reason.Message, "\n")
					assert.NotEmpty(t, reason.Message)
				}
			}
		}
		assert.Equal(t, map[string]int{"tests": suite.Tests, "failures": suite.Failures, "errors": suite.Errors, "skipped": suite.Skipped},
			map[string]int{"tests": held["tests"], "failures": held["failures"], "errors": held["errors"], "skipped": held["skipped"]}, suite.Name)
		tests, failures, errors = tests+suite.Tests, failures+suite.Failures, errors+suite.Errors
	}
	assert.Equal(t, []int{15, 2, 1}, []int{tests, failures, errors}, "every scenario, and the rule of which none ran")
	assert.Equal(t, []int{tests, failures, errors}, []int{report.Tests, report.Failures, report.Errors})
}

// What junit-10.xsd allows, by parent: attributes and, in their order, children.
var junitAllowed = map[string]struct{ attributes, children []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "time"}, []string{"testsuite"}},
	"testsuite": {[]string{"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "file"},
		[]string{"properties", "testcase"}},
	"properties": {nil, []string{"property"}},
	"property":   {[]string{"name", "value"}, nil},
	"testcase":   {[]string{"name", "classname", "time"}, []string{"skipped", "error", "failure", "system-out"}},
	"skipped":    {[]string{"type", "message"}, nil},
	"error":      {[]string{"type", "message"}, nil},
	"failure":    {[]string{"type", "message"}, nil},
	"system-out": {nil, nil},
}

func TestJUnitFollowsTheSchema(t *testing.T) {
	t.Parallel()
	content := written(t, knownRun())[JUnitFile]
	decoder := xml.NewDecoder(strings.NewReader(content))
	var parents []string
	reached := map[int]int{} // by depth, how far the children of the parent have come
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch element := token.(type) {
		case xml.StartElement:
			name, depth := element.Name.Local, len(parents)
			for _, a := range element.Attr {
				assert.Contains(t, junitAllowed[name].attributes, a.Name.Local, name)
			}
			if depth > 0 {
				place := slices.Index(junitAllowed[parents[depth-1]].children, name)
				require.GreaterOrEqual(t, place, reached[depth], "%s in %s", name, parents[depth-1])
				reached[depth] = place
			}
			reached[depth+1] = 0
			parents = append(parents, name)
		case xml.EndElement:
			parents = parents[:len(parents)-1]
		}
	}
}

// knownRun is sampleRun with a baseline, of which one shard is missing.
func knownRun() *verdict.Run {
	run := sampleRun()
	failed := &run.Scenarios[2]
	failed.Verdict, failed.Known = verdict.KnownFailure, &verdict.Known{Reason: "<fee> is rounded", Owner: "ana"}
	run.Baseline = &verdict.Baseline{File: "known.yaml", Fixed: []string{"a.b/<i>One</i>"}, Changed: []string{"a.b/Two"}, Untested: []string{"a.b/Three"}}
	run.Lacks = []verdict.Shard{{Index: 2, Of: 4}}
	return run
}

func TestKnownFailuresInTheReport(t *testing.T) {
	t.Parallel()
	run := knownRun()
	run.Baseline.Expired = []string{"a.b/Four (line 3: slow)"}
	files := written(t, run)
	var report junitReport
	require.NoError(t, xml.Unmarshal([]byte(files[JUnitFile]), &report))
	assert.Equal(t, "The run", report.Suites[0].Name)
	assert.Equal(t, "fixed, to be removed from known.yaml: a.b/<i>One</i>", report.Suites[0].Cases[0].Error.Message)
	assert.Equal(t, "expired in known.yaml: a.b/Four (line 3: slow)", report.Suites[0].Cases[1].Error.Message)
	assert.Contains(t, report.Suites[0].Cases[2].Error.Message, "could not be tested, and not in known.yaml: balance.standard (1 scenario): 404, cash-out.night-limit (2 scenarios): missing controls: clock, limits")
	assert.Equal(t, "shard 2/4 is missing", report.Suites[0].Cases[3].Error.Message)
	assert.Equal(t, "known failure: <fee> is rounded (ana)", report.Suites[2].Cases[1].Skipped.Message)
	assert.Equal(t, []int{1, 5}, []int{report.Failures, report.Errors}, "a new failure, a suite error, and the run's four")
	for _, part := range []string{
		"Known failures", "Known: &lt;fee&gt; is rounded (ana)", "Remove them from the baseline:</p><ul><li>a.b/&lt;i&gt;One&lt;/i&gt;", "in a different way than the baseline expects:</p><ul><li>a.b/Two",
		"only a complete run would show them.</p><ul><li>a.b/Three", "their entries have expired:</p><ul><li>a.b/Four (line 3: slow)", "<dt>Missing shards</dt><dd>2/4</dd>", `pixcert replay cash-out.covers-fee/one-cent-short`,
	} {
		assert.Contains(t, files[HTMLFile], part)
	}
}

func TestWarningsAreProperties(t *testing.T) {
	t.Parallel()
	var report junitReport
	require.NoError(t, xml.Unmarshal([]byte(written(t, sampleRun())[JUnitFile]), &report))
	assert.Contains(t, report.Suites[2].Properties, junitProperty{"warning", "delivery.headers/One header: expected a Content-Type of application/json, got text/plain"})
}

func TestJUnitContainsTheEvidence(t *testing.T) {
	t.Parallel()
	content := written(t, sampleRun())[JUnitFile]
	var report junitReport
	require.NoError(t, xml.Unmarshal([]byte(content), &report))
	failure := report.Suites[1].Cases[1].Failure
	assert.Equal(t, "expected status 400 with code PIX_INSUFFICIENT_BALANCE: 999.51 and the fee of 0.50 are more than 1000.00, got status 201 with status PENDING", failure.Message)
	for _, part := range []string{"cash-out.feature:14: One cent short", "expected  status 400", "got       status 201", "hint      is the fee",
		"✓ Given an account", "✗ Then the request is rejected", "· And R$ 1000.00 is still available", `curl -i -X POST`, `"Authorization: Bearer $TOKEN"`,
		"201 after 12 ms", `"status": "PENDING"`} {
		assert.Contains(t, failure.Text, part)
	}
	assert.Contains(t, report.Suites[1].Cases[3].Failure.Message, `<script>alert(1)</script>\x1b[2J`, "control characters are spelled out")
	assert.Equal(t, "missing controls: clock, limits", report.Suites[1].Cases[5].Skipped.Message)
	assert.Contains(t, report.Suites[2].Cases[1].Output, "a Content-Type of application/json")
}

func TestHTMLIsSafeAndSelfContained(t *testing.T) {
	t.Parallel()
	page := written(t, sampleRun())[HTMLFile]
	assert.Equal(t, 1, strings.Count(page, "<script>"), "only the page's own")
	assert.NotContains(t, page, "<img")
	assert.False(t, strings.ContainsAny(page, "\x00\x1b\a\u202e"), "no character that acts")
	assert.Empty(t, regexp.MustCompile(`(?i)(src|href|url)\s*[=(]\s*["']?(https?:)?//`).FindAllString(page, -1), "nothing is loaded")
	assert.Contains(t, page, `default-src 'none'`)
	assert.NotContains(t, page, "ZgotmplZ")

	ids := regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1)
	seen := map[string]bool{}
	for _, id := range ids {
		assert.False(t, seen[id[1]], "%s is twice", id[1])
		seen[id[1]] = true
	}
	for _, link := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		assert.True(t, seen[link[1]], "%s leads nowhere", link[1])
	}
}

func TestHTMLShows(t *testing.T) {
	t.Parallel()
	page := written(t, sampleRun())[HTMLFile]
	for _, part := range []string{
		"does not conform", "2 of 12 rules fail.", "https://sandbox.gateway.example/v1", "--seed 4711",
		"The balance must cover the amount and the fee", "is the fee added to the amount",
		"Bearer ***", "$TOKEN", "Could not be tested", "no scenario ran", "Suite errors", "Warnings",
		"Does generateTime carry fractions of a second?", "with three digits", "2 more open points did not come up",
		"the first 8 KiB of 20 KiB", "Truncated: pixcert stopped reading here",
	} {
		assert.Contains(t, page, part)
	}
	assert.Less(t, strings.Index(page, ">Failures</h2>"), strings.Index(page, ">Could not be tested</h2>"), "failures come first")
}

// The reports list the user's own rules apart.
func TestOwnRulesInTheReport(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Own = &verdict.Own{Directory: "rules", Digest: "d"}
	run.Rules = append(run.Rules, verdict.Rule{Name: "mine.rule", Title: "Our limit", Feature: "Limits", File: "rules/limits.feature", Own: true})
	run.Scenarios = append(run.Scenarios, verdict.Scenario{Rule: "mine.rule", Name: "Above", Line: 7, Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "400", Got: "201", Exchange: -1}})
	files := written(t, run)
	page := files[HTMLFile]
	for _, part := range []string{"Your own rules: 1 of 1 rule fails.", "Limits, rules/limits.feature", "<dd>1, from <code>rules</code></dd>", "--features rules"} {
		assert.Contains(t, page, part)
	}
	failures, own, all, ownRules := strings.Index(page, ">Failures</h2>"), strings.Index(page, ">Failures of your own rules</h2>"), strings.Index(page, ">Rules by endpoint</h2>"), strings.Index(page, ">Your own rules</h2>")
	assert.True(t, 0 < failures && failures < own && own < all && all < ownRules, "%d %d %d %d", failures, own, all, ownRules)
	assert.NotContains(t, page[failures:own], "Our limit")
	assert.NotContains(t, page[all:ownRules], "Our limit")
	assert.Contains(t, page[ownRules:], "Our limit")
	assert.Contains(t, files[JUnitFile], `<testsuite name="Your own rules: Limits" tests="1" failures="1"`)
	var document struct {
		Own    verdict.Own
		Counts struct {
			Rules, OwnRules struct{ Total, Fail int }
		}
		Features []struct {
			File string
			Own  bool
		}
	}
	require.NoError(t, json.Unmarshal([]byte(files[JSONFile]), &document))
	assert.Equal(t, *run.Own, document.Own)
	assert.Equal(t, 12, document.Counts.Rules.Total)
	assert.Equal(t, 1, document.Counts.OwnRules.Fail)
	last := document.Features[len(document.Features)-1]
	assert.True(t, last.Own)
	assert.Equal(t, "rules/limits.feature", last.File)
	assert.False(t, document.Features[0].Own)
}

func TestHTMLStaysSmall(t *testing.T) {
	t.Parallel()
	var page bytes.Buffer
	require.NoError(t, writeHTML(&page, largeRun(2000, 50), "report", nil, Words{}))
	assert.Less(t, page.Len(), 1<<20)
	page.Reset()
	require.NoError(t, writeHTML(&page, largeRun(2000, 1), "report", nil, Words{}))
	assert.Less(t, page.Len(), 6<<20, "where everything fails")
	assert.Contains(t, page.String(), "4 more exchanges of this scenario are in verdict.json")
}

func TestReportOfNothing(t *testing.T) {
	t.Parallel()
	files := written(t, &verdict.Run{})
	assert.Len(t, files, 3)
	assert.Contains(t, files[HTMLFile], "No rule was tested.")
	assert.Contains(t, files[JSONFile], `"features": []`)
}

func TestWriteSaysWhatToDo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "taken")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	err := Write(filepath.Join(file, "report"), &verdict.Run{})
	assert.ErrorContains(t, err, "writing the report: mkdir "+file)
	assert.ErrorContains(t, err, "--report")

	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, HTMLFile, "in the way"), 0o755))
	err = Write(dir, &verdict.Run{})
	assert.ErrorContains(t, err, "writing the report in "+dir)
	assert.ErrorContains(t, err, HTMLFile)
	assert.ErrorContains(t, err, "--report")
}

func TestReadable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want readableBody
	}{
		"JSON keeps its literals": {`{"a":1e3,"a":10.00}`, readableBody{Text: "{\n  \"a\": 1e3,\n  \"a\": 10.00\n}"}},
		"not JSON":                {`{"a":`, readableBody{Text: `{"a":`}},
		"deep nesting":            {strings.Repeat("[", 40), readableBody{Text: strings.Repeat("[", 40)}},
		"long":                    {strings.Repeat("a", 300), readableBody{Text: strings.Repeat("a", 100), Note: "the first 100 B of 300 B"}},
		"not text":                {"a\xffb", readableBody{Text: `a\xffb`, Note: `not UTF-8: other bytes shown as \xff`}},
		"nothing":                 {"", readableBody{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.want, readable([]byte(c.in), 0, 100))
		})
	}
}

// BenchmarkWriteHTML: 2000 scenarios, of which 40 fail.
func BenchmarkWriteHTML(b *testing.B) {
	run := largeRun(2000, 50)
	for b.Loop() {
		if err := writeHTML(io.Discard, run, "report", nil, Words{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The card of a rule begins with the scenario that the list of causes names.
func TestARuleBeginsWithItsCause(t *testing.T) {
	t.Parallel()
	failing := func(name, got string, steps int) verdict.Scenario {
		return verdict.Scenario{
			Rule: "a.b", Name: name, Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "accepted", Got: got},
			Steps: append(make([]verdict.Step, steps), verdict.Step{Verdict: verdict.Fail}),
		}
	}
	run := &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{
		failing("long", "500", 3), failing("short", "500", 1), failing("middle", "409", 2),
	}}
	var names []string
	for _, s := range pageOf(run, "", nil, Words{}).Failures[0].Causes[0].Blamed.Evidence {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"short", "middle", "long"}, names)
}
