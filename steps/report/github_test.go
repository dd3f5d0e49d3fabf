package report

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

func TestAnnotations(t *testing.T) {
	t.Parallel()
	run := knownRun()
	run.Scenarios[2].Verdict, run.Scenarios[2].Known = verdict.Fail, nil
	assert.Equal(t, []string{
		"::error title=The baseline is out of date::fixed, to be removed from known.yaml: a.b/<i>One</i>",
		"::error title=Incomplete::Shard 2/4 is missing",
		`::error title=cash-out.value-bounds/"10" is refused::Cash-out: expected status 400, naming value, got <script>alert(1)</script>\x1b[2J\x1b]0;owned\a \u202etxt.exe \x00`,
		"::error title=cash-out.covers-fee/One cent short::Cash-out: expected status 400 with code PIX_INSUFFICIENT_BALANCE: 999.51 and the fee of 0.50 are more than 1000.00, got status 201 with status PENDING",
		"::warning title=delivery.headers/One header::expected a Content-Type of application/json, got text/plain",
	}, Words{}.Annotations(run))

	run.Baseline = &verdict.Baseline{File: "known.yaml", Expired: []string{"a.b/One (line 3: slow)"}}
	assert.Equal(t, "::error title=The baseline has expired::still failing, to be renewed in known.yaml: a.b/One (line 3: slow)", Words{}.Annotations(run)[0])
	var out strings.Builder
	require.NoError(t, Words{}.WriteSummary(&out, run, ""))
	assert.Contains(t, out.String(), "<li><code>a.b/One (line 3: slow)</code></li>")
	assert.Equal(t, "::error title=pixcert could not run::known.yaml:2: %25 two", Failure(errors.New("known.yaml:2: %\ntwo")))
}

// A run that does not say whether the target conforms says why.
func TestWhatARunDoesNotSay(t *testing.T) {
	t.Parallel()
	untested := verdict.Scenario{Rule: "a.b", Name: "One", Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{Got: "the account has no money"}}
	known := verdict.Scenario{Rule: "c.d", Name: "Two", Verdict: verdict.KnownFailure, Finding: &verdict.Finding{Got: "R$ <2.00>"}, Known: &verdict.Known{Reason: "posts twice", Owner: "ana"}}
	run := &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}, {Name: "c.d"}}, Scenarios: []verdict.Scenario{untested, known}}
	assert.Equal(t, []string{"::error title=Incomplete::1 rule could not be tested: a.b (the account has no money)"}, Words{}.Annotations(run))
	var out strings.Builder
	require.NoError(t, Words{}.WriteSummary(&out, run, "/ci/report-2"))
	assert.Contains(t, out.String(), "<td><code>a.b</code></td><td><code>One</code></td><td><code>the account has no money</code></td>")
	assert.Contains(t, out.String(), "<td><code>R$ &lt;2.00&gt;</code></td><td><code>posts twice (ana)</code></td>")

	run.Ended = &verdict.Ended{Reason: "interrupted"}
	assert.Equal(t, []string{"::error title=Ended early::interrupted"}, Words{}.Annotations(run))
	out.Reset()
	require.NoError(t, Words{}.WriteSummary(&out, run, "/ci/report-2"))
	assert.Contains(t, out.String(), "<code>pixcert certify --rerun-failed --report /ci/report-2</code>")

	out.Reset()
	quick := &verdict.Run{Rules: run.Rules[:1], Scenarios: []verdict.Scenario{{Rule: "a.b", Name: "One", Verdict: verdict.Pass}}, Settings: verdict.Settings{Depth: verdict.Quick}, Course: verdict.Course{LeftOut: &verdict.LeftOut{Scenarios: 7}}}
	require.NoError(t, Words{}.WriteSummary(&out, quick, ""))
	assert.Contains(t, out.String(), "✓ pixcert: no failures found (tested: 1 of 1 rule)</h2>")
	assert.Contains(t, out.String(), "Left out for lack of time: 7 scenarios")
	assert.Contains(t, RepeatCommand(quick), "--depth quick")

	out.Reset()
	require.NoError(t, WriteFailure(&out, errors.New("<dead>")))
	assert.Equal(t, "<h2>✗ pixcert could not run</h2>\n<p><code>&lt;dead&gt;</code></p>\n", out.String())
}

// Lists say how many of their items they leave out.
func TestLongListsOfASummary(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{Additions: verdict.Additions{Baseline: &verdict.Baseline{}}}
	for i := range 53 {
		of := func(v verdict.Verdict) verdict.Scenario {
			s := verdict.Scenario{Rule: "a.b", Name: fmt.Sprint(v, " ", i), Verdict: v, Finding: &verdict.Finding{Got: "x"}}
			if v == verdict.KnownFailure {
				s.Known = &verdict.Known{}
			}
			return s
		}
		run.Scenarios = append(run.Scenarios, of(verdict.CouldNotTest), of(verdict.KnownFailure))
	}
	run.Baseline.Fixed = make([]string, 53)
	run.Baseline.Expired = make([]string, 53)
	var out strings.Builder
	require.NoError(t, Words{}.WriteSummary(&out, run, ""))
	assert.Equal(t, 3, strings.Count(out.String(), "<p>3 more scenarios in the report.</p>"))
	assert.Equal(t, 1, strings.Count(out.String(), "<p>3 more in the report.</p>"), "of the expired entries")
}

// Whatever the outcome, the summary lists each scenario that says nothing about the target.
func TestUntestedInASummary(t *testing.T) {
	t.Parallel()
	of := func(v verdict.Verdict) verdict.Scenario {
		return verdict.Scenario{Rule: "a.b", Name: string(v), Verdict: v, Finding: &verdict.Finding{Got: "because"}}
	}
	run := &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}, {Name: "c.d"}}, Scenarios: []verdict.Scenario{of(verdict.CouldNotTest), of(verdict.SuiteError), of(verdict.NotRun), of("unheard of")}}
	summary := func() string {
		var out strings.Builder
		require.NoError(t, Words{}.WriteSummary(&out, run, ""))
		return out.String()
	}
	assert.Equal(t, []string{"::error title=Incomplete::2 rules could not be tested: a.b, c.d (because)"}, Words{}.Annotations(run))
	for _, name := range []string{"could not test", "suite error", "not run", "unheard of"} {
		assert.Contains(t, summary(), "<td><code>a.b</code></td><td><code>"+name+"</code></td><td><code>because</code></td>")
	}
	assert.Contains(t, summary(), "<td><code>c.d</code></td><td><code>no scenario ran</code></td>")

	run.Scenarios = append(run.Scenarios, of(verdict.Fail))
	require.Equal(t, verdict.DoesNotConform, run.Outcome())
	assert.Contains(t, summary(), "<code>could not test</code>")

	run.Ended = &verdict.Ended{Reason: "interrupted"}
	assert.NotContains(t, summary(), "<code>not run</code>", "the end says why")
}

// With --strict, a warning is a failure, which has an annotation already.
func TestAnnotationsOfAStrictRun(t *testing.T) {
	t.Parallel()
	warned := verdict.Scenario{Rule: "a.b", Name: "One", Verdict: verdict.Warning, Warnings: []verdict.Finding{{Expected: "x", Got: "y"}}}
	run := &verdict.Run{Rules: []verdict.Rule{{Name: "a.b"}}, Scenarios: []verdict.Scenario{warned}}
	assert.Len(t, Words{}.Annotations(run), 1)
	run.Strict, run.Scenarios = true, []verdict.Scenario{warned.Strictly()}
	assert.Equal(t, []string{"::error title=a.b/One::Expected x, got y"}, Words{}.Annotations(run))
}

// The annotation of an own rule names its file: that is in the user's repository.
func TestAnnotationsOfOwnRules(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{
		Rules:     []verdict.Rule{{Name: "mine.rule", File: "rules/a,b.feature", Own: true}},
		Scenarios: []verdict.Scenario{{Rule: "mine.rule", Name: "One", Line: 7, Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: "x", Got: "y"}}},
	}
	assert.Equal(t, []string{"::error file=rules/a%2Cb.feature,line=7,title=mine.rule/One::Expected x, got y"}, Words{}.Annotations(run))
}

// Nothing that a target sends ends a command, begins another one, or becomes markup.
func TestHostileTextsInGitHub(t *testing.T) {
	t.Parallel()
	run := &verdict.Run{Subject: verdict.Subject{Target: "https://gw\n\n# owned\n<script>"}}
	hostile := "::add-mask::a\r\n::error::b %0A::error::c,line=7:: @someone [x](https://evil) | \n\n```\n<img src=x onerror=alert(1)> ##[error]d" + strings.Repeat("<&\"é", 2000)
	for i := range 300 {
		rule := verdict.Rule{Name: fmt.Sprint("area.rule-", i), File: "a,b:c.feature"}
		run.Rules = append(run.Rules, rule)
		run.Scenarios = append(run.Scenarios, verdict.Scenario{
			Rule: rule.Name, Name: hostile, Line: 3, Verdict: verdict.Fail, Finding: &verdict.Finding{Expected: fmt.Sprint(strings.Repeat("x", i), hostile), Got: hostile},
			Warnings: []verdict.Finding{{Got: hostile}},
		})
	}
	run.Baseline = &verdict.Baseline{Fixed: []string{hostile}}
	commands := Words{}.Annotations(run)
	require.Len(t, commands, 2*annotationsShown)
	for _, command := range commands {
		assert.NotContains(t, command, "\n")
		assert.NotContains(t, command, "\r")
		properties, message, _ := strings.Cut(strings.TrimPrefix(command, "::"), "::")
		assert.Equal(t, strings.Count(properties, "=")-strings.Count(properties, "line=7")-strings.Count(properties, "src=")-strings.Count(properties, "onerror="), 1, properties)
		assert.NotContains(t, message, " %0A")
	}
	assert.Contains(t, commands[1], "::error title=area.rule-")

	var out strings.Builder
	require.NoError(t, Words{}.WriteSummary(&out, run, ""))
	assert.Less(t, out.Len(), 1<<20)
	assert.NotContains(t, out.String(), "\n\n", "a blank line would end the HTML")
	for _, markup := range []string{"<script>", "<img", "\n#", "\n```", "\n|"} {
		assert.NotContains(t, out.String(), markup)
	}
	assert.Contains(t, out.String(), "250 more causes in the report")
}

func TestSummary(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	run := knownRun()
	require.NoError(t, Words{}.WriteSummary(&out, run, ""))
	for _, part := range []string{
		"<h2>✗ pixcert: does not conform</h2>", "Target <code>https://sandbox.gateway.example/v1</code>, pixcert <code>0.1.0</code>, seed 4711", "Shard 2/4 is missing.",
		"1 of 12 rules fails.", "<td><code>cash-out.value-bounds</code></td><td><code>&#34;10&#34; is refused</code></td><td><code>status 400, naming value</code></td>",
		"<li><code>a.b/&lt;i&gt;One&lt;/i&gt;</code></li>",
	} {
		assert.Contains(t, out.String(), part)
	}
	run.Ended = &verdict.Ended{Reason: "the target stopped responding at 14:03:07 UTC"}
	out.Reset()
	require.NoError(t, Words{}.WriteSummary(&out, run, ""))
	assert.Contains(t, out.String(), "Ended early: the target stopped responding at 14:03:07 UTC. To run the rest, and what failed: <code>pixcert certify --rerun-failed --baseline known.yaml</code>")
}

// The annotations and the summary are in the language of the user.
func TestGitHubInPortuguese(t *testing.T) {
	t.Parallel()
	words := Words{Language: translation.Portuguese}
	run := knownRun()
	run.Scenarios[2].Verdict, run.Scenarios[2].Known = verdict.Fail, nil
	run.Ended = &verdict.Ended{Reason: "interrupted"}
	annotations := words.Annotations(run)
	assert.Equal(t, "::error title=A baseline está desatualizada::corrigidas; retire de known.yaml: a.b/<i>One</i>", annotations[0])
	assert.Contains(t, annotations, "::error title=Incompleto::Falta a parte 2/4")
	var out strings.Builder
	require.NoError(t, words.WriteSummary(&out, run, ""))
	for _, part := range []string{
		"<h2>○ pixcert: interrompido antes do fim", "Para rodar o resto e o que falhou: <code>pixcert certify --rerun-failed --baseline known.yaml --language pt</code>",
		"<h3>Falhas por causa provável</h3>", "<th>Esperado</th><th>Obtido</th>", "<h3>Corrigidas: retire da baseline</h3>",
	} {
		assert.Contains(t, out.String(), part)
	}
}
