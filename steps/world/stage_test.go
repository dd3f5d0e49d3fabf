package world

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testStage is a fake gateway with the Stage to run scenarios against it.
type testStage struct {
	t       *testing.T
	gateway *fake.Gateway
	stage   *Stage
	fixed   []*FixedAccount // the accounts of the profile
}

// newTheatre opens a target with the gateway's profile, or with the one that change returns.
func newTestStage(t *testing.T, change ...func(g *fake.Gateway) target.Profile) *testStage {
	t.Helper()
	g := fake.New(t)
	profile := g.Profile()
	for _, c := range change {
		profile = c(g)
	}
	opened, err := target.Open(t.Context(), profile, target.Identity{RunID: "test"})
	require.NoError(t, err)
	t.Cleanup(opened.Client.CloseIdleConnections)
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	certificate, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	s, err := sink.Listen("", "", certificate)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	base, err := url.Parse(opened.Profile.BaseURL)
	require.NoError(t, err)
	offer := plan.OfferOf(opened.Profile, opened.Has)
	th := &testStage{t: t, gateway: g, stage: &Stage{
		Target: opened, Sink: s, Authority: authority, Secrets: &exchange.Redactor{}, Zone: time.FixedZone("BRT", -3*3600), RunID: "test",
		Usable: offer.Controls, Claims: offer.Claims,
		Terms: &record.Terms{
			BasePath: base.EscapedPath(), TokenPath: opened.Profile.TokenPath, Fixed: offer.Fixed(), SharedURLs: offer.Fixed(),
			FeesControl: true, LimitsControl: true, Deadlines: opened.Profile.Deadlines,
		},
	}}
	for i, account := range opened.Profile.Accounts {
		certificate, err := certs.Load(account.Certificate, account.Key)
		require.NoError(t, err)
		th.fixed = append(th.fixed, &FixedAccount{Account: account, Certificate: certificate, Index: i})
	}
	return th
}

// on returns a change to a profile with that many fixed accounts, with R$ 500.00 each.
func on(accounts int, without ...target.Control) func(*fake.Gateway) target.Profile {
	return func(g *fake.Gateway) target.Profile { return g.Fixed(accounts, 500_00, without...) }
}

// script plans a scenario with those steps. A line that begins with | is a row of a table.
func (th *testStage) script(lines string) Script {
	th.t.Helper()
	scenario := &catalogue.Scenario{Name: "a scenario", Rule: &catalogue.Rule{Name: "a.rule", Feature: &catalogue.Feature{File: "a.feature"}}}
	kind := catalogue.Context
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") {
			var row []string
			for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
				row = append(row, strings.TrimSpace(cell))
			}
			last := &scenario.Steps[len(scenario.Steps)-1]
			last.Table = append(last.Table, row)
			continue
		}
		keyword, text, _ := strings.Cut(line, " ")
		switch keyword {
		case "":
			continue
		case "Given":
			kind = catalogue.Context
		case "When":
			kind = catalogue.Action
		case "Then":
			kind = catalogue.Outcome
		}
		scenario.Steps = append(scenario.Steps, catalogue.Step{Keyword: keyword, Type: kind, Text: text})
	}
	all, err := plan.Make([]*catalogue.Scenario{scenario}, plan.OfferOf(th.stage.Target.Profile, th.stage.Target.Has))
	require.NoError(th.t, err)
	p := all[0]
	s := Script{
		Rule: p.Rule.Name, Name: p.Name, Steps: p.Steps, Reads: p.Reads, Staged: p.Staged, Sandbox: p.Sandbox(),
		JudgesMoney: p.JudgesMoney, Throttled: p.Throttled, SetsLimits: p.Calls(target.LimitsControl),
	}
	for _, setting := range Settings {
		if p.Calls(setting.Control) {
			s.Touches = append(s.Touches, setting)
		}
	}
	if len(th.fixed) > 0 {
		s.Accounts = th.fixed[:max(1, p.Accounts)]
	}
	return s
}

// play carries out the steps of a script until one does not pass, and returns the last result.
func (th *testStage) play(s Script) (*World, judge.Result) {
	th.t.Helper()
	w := New(th.stage, s)
	defer w.Close()
	defer w.Leave(th.t.Context())
	return w, playOn(th.t.Context(), w)
}

func playOn(ctx context.Context, w *World) (r judge.Result) {
	for i := range w.Steps {
		if r = w.Do(ctx, i); r.Verdict != verdict.Pass {
			break
		}
	}
	return r
}

// passes carries out steps that must pass, and returns the requests that sentences are about.
func (th *testStage) passes(lines string) (*World, []*record.Attempt) {
	th.t.Helper()
	w, r := th.play(th.script(lines))
	require.Equal(th.t, verdict.Pass, r.Verdict, "%s: %+v", lines, r.Finding)
	return w, w.Judge.Attempts
}
