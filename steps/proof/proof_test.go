package proof

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// without is a gateway without controls, on which no rule can be tested.
func without(name, rule string) Gateway {
	return Gateway{Name: name, Rule: rule, Open: func(context.Context) (target.Profile, func(), error) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
		return target.Profile{Name: name, BaseURL: server.URL}, server.Close, nil
	}}
}

func TestKillCountsGatewaysThatFailTheirRule(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := Proof{Options: run.Options{Seed: 1}, Out: &out}
	killed, err := p.Kill(t.Context(), []Gateway{without("does this", "balance.answer"), without("does that", "balance.overdraft")})
	require.NoError(t, err)
	assert.Zero(t, killed, "what could not be tested has not failed")
	assert.Equal(t, "SURVIVED      balance.answer                     does this\nSURVIVED      balance.overdraft                  does that\n", out.String())
}

func TestTolerateSeparatesDifferencesThatDoNotConformTogether(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	var asked [][]int
	p := Proof{Options: run.Options{Seed: 1, Tags: "@balance"}, Out: &out} // a few rules are enough
	permitted := []Gateway{without("does this", ""), without("does that", ""), without("does more", "")}
	tolerated, err := p.Tolerate(t.Context(), permitted, func(indexes []int) Gateway {
		asked = append(asked, indexes)
		return without("does several", "")
	})
	require.NoError(t, err)
	assert.Zero(t, tolerated)
	assert.Equal(t, [][]int{{0, 1, 2}}, asked)
	assert.Contains(t, out.String(), "does this\n")
	assert.Contains(t, out.String(), "does that\n")
	assert.Contains(t, out.String(), "does more\n")
	assert.NotContains(t, out.String(), "does several")
	assert.Contains(t, out.String(), "3 differences together: incomplete; they")
}

func TestADifferenceThatNeverShowsIsNotTolerated(t *testing.T) {
	t.Parallel()
	counted := func(shown int64) Gateway {
		g := without("does that", "")
		g.Shown = func() int64 { return shown }
		return g
	}
	assert.True(t, without("does this", "").hasShown(), "it does not count")
	assert.True(t, counted(1).hasShown())
	assert.False(t, counted(0).hasShown())

	of := func(v verdict.Verdict) *verdict.Run {
		return &verdict.Run{
			Rules: []verdict.Rule{{Name: "balance.answer"}},
			Scenarios: []verdict.Scenario{{Rule: "balance.answer", Name: "It responds", Verdict: v,
				Finding: &verdict.Finding{Expected: "200", Got: "500"}}},
		}
	}
	require.True(t, conforms(of(verdict.Pass)))
	for v, want := range map[verdict.Verdict]string{
		verdict.Pass: "NOT TRIGGERED                                    does that\n",
		verdict.Fail: "REFUSED                                          does that  [also: balance.answer]\n" +
			"              balance.answer/It responds: expected 200, got 500\n",
	} {
		var out strings.Builder
		Proof{Out: &out}.print(refusedMark, counted(0), of(v))
		assert.Equal(t, want, out.String())
	}
}

func TestAGatewayThatCannotBeOpenedEndsTheProof(t *testing.T) {
	t.Parallel()
	broken := Gateway{Name: "does nothing", Rule: "balance.answer", Open: func(context.Context) (target.Profile, func(), error) {
		return target.Profile{}, nil, errors.New("no room")
	}}
	_, err := Proof{Out: &strings.Builder{}}.Kill(t.Context(), []Gateway{broken, without("waits", "balance.answer")})
	require.EqualError(t, err, `gateway "does nothing": no room`)
}

func TestSampleCountsFaultsThatNeverShowed(t *testing.T) {
	t.Parallel()
	counted := func(name string, shown int64) Gateway {
		g := without(name, "balance.answer")
		g.Shown = func() int64 { return shown }
		return g
	}
	var out strings.Builder
	moot := counted("does it if that is done", 2)
	moot.Moot = moot.Shown
	tally, err := Proof{Options: run.Options{Seed: 7, Tags: "@balance"}, Out: &out}.Sample(t.Context(), []Gateway{counted("does this", 3), counted("does that", 0), moot})
	require.NoError(t, err)
	assert.Equal(t, Tally{Conformed: 1, Moot: 1, NeverShown: 1}, tally, "what could not be tested has not failed")
	assert.Equal(t, "CONFORMED     balance.answer                     does this (seed 7, shown 3 times)\nnot triggered balance.answer                     does that (seed 7, shown 0 times)\nmoot          balance.answer                     does it if that is done (seed 7, shown 2 times)\n", out.String())
	tally.Add(Tally{Failed: 1, Incomplete: 1, Conformed: 1, Moot: 1, NeverShown: 1})
	assert.Equal(t, Tally{1, 1, 2, 2, 2}, tally)
}

// A run that cannot begin has found the fault, unless the machine is why.
func TestSampleOfGatewaysThatEndTheRun(t *testing.T) {
	t.Parallel()
	g := Gateway{Name: "does nothing", Rule: "balance.answer", Shown: func() int64 { return 3 }, Open: func(context.Context) (target.Profile, func(), error) {
		server := httptest.NewServer(http.NotFoundHandler())
		return target.Profile{BaseURL: server.URL}, server.Close, nil
	}}
	p := Proof{Options: run.Options{Seed: 7, Tags: "@balance"}, Out: io.Discard}
	tally, err := p.Sample(t.Context(), []Gateway{g})
	require.NoError(t, err)
	assert.Equal(t, Tally{Failed: 1}, tally)

	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	works := without("does this", "balance.answer")
	open := works.Open
	works.Shown, works.Open = g.Shown, func(ctx context.Context) (target.Profile, func(), error) {
		p, stop, err := open(ctx)
		p.Sink.Listen = taken.Listener.Addr().String()
		return p, stop, err
	}
	tally, err = p.Sample(t.Context(), []Gateway{works})
	require.ErrorContains(t, err, `gateway "does this": opening the webhook sink`)
	assert.Zero(t, tally)
}
