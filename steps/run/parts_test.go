package run

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/world"
)

// Nobody has what another has, and who needs all of them gets them.
func TestLeasesAreExclusive(t *testing.T) {
	t.Parallel()
	held := make([]atomic.Bool, 3)
	l := newLeases([]int{0, 1, 2})
	var wait sync.WaitGroup
	for i := range 300 {
		wait.Go(func() {
			taken, err := l.take(t.Context(), i%4)
			assert.NoError(t, err)
			assert.Len(t, taken, i%4)
			for _, thing := range taken {
				assert.False(t, held[thing].Swap(true), "held twice")
			}
			for _, thing := range taken {
				held[thing].Store(false)
			}
			l.giveBack(taken)
		})
	}
	wait.Wait()
	assert.Len(t, l.free, 3, "all came back")
}

// Who gives up waiting keeps nothing.
func TestLeasesEndWithTheirContext(t *testing.T) {
	t.Parallel()
	l := newLeases([]int{0, 1})
	one, err := l.take(t.Context(), 1)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = l.take(ended, 2)
	require.ErrorIs(t, err, context.Canceled)
	_, err = l.take(t.Context(), 1)
	require.NoError(t, err)
	l.turn <- struct{}{} // somebody waits already
	_, err = l.take(ended, 1)
	require.ErrorIs(t, err, context.Canceled)
	l.giveBack(one)
}

func TestEvidenceIsBounded(t *testing.T) {
	t.Parallel()
	var a archive
	body := bytes.Repeat([]byte("a"), 64<<10)
	whole, one, none := 0, 0, 0
	for range 200 {
		s := verdict.Scenario{
			Finding:   &verdict.Finding{Exchange: 1},
			Warnings:  []verdict.Finding{{Exchange: 2}},
			Exchanges: []exchange.Exchange{{Body: body}, {Body: body, Operation: "the one"}, {Body: body}},
		}
		a.take(&s)
		assert.Equal(t, 3, len(s.Exchanges)+s.LeftOut)
		switch len(s.Exchanges) {
		case 3:
			assert.Equal(t, 1, s.Finding.Exchange)
			whole++
		case 1:
			assert.Equal(t, "the one", s.Exchanges[0].Operation)
			assert.Equal(t, 0, s.Finding.Exchange)
			assert.Equal(t, -1, s.Warnings[0].Exchange)
			one++
		default:
			assert.Equal(t, -1, s.Finding.Exchange)
			none++
		}
	}
	assert.Equal(t, 21, whole)
	assert.InDelta(t, 16, one, 1)
	assert.Positive(t, none)
	assert.LessOrEqual(t, a.size, keptAtAll)

	escaped := exchange.Exchange{ResponseBody: make([]byte, 1000)}
	assert.Greater(t, escaped.Size(), 6000, "a control character takes six in a report")

	pass := verdict.Scenario{Verdict: verdict.Pass, ExchangeCount: 3}
	a.take(&pass)
	assert.Zero(t, pass.LeftOut)
}

// A breach is reported once, by a scenario of its rule or by the first of the others, unless that
// fails by itself.
func TestBreaches(t *testing.T) {
	t.Parallel()
	met := func(rule string, got ...string) (all []judge.Met) {
		for _, g := range got {
			all = append(all, judge.Met{Breach: judge.Breach{Rule: rule, Expected: "a response that matches", Got: g}, Exchange: &exchange.Exchange{Operation: g}})
		}
		return all
	}
	scenario := func(rule, name string, v verdict.Verdict) verdict.Scenario {
		return verdict.Scenario{Rule: rule, Name: name, Verdict: v}
	}
	var b book
	z, a, own := scenario("other", "z", verdict.Pass), scenario("other", "a", verdict.Pass), scenario("contract.x", "own", verdict.Fail)
	b.add(z, met("contract.x", "one", "two"))
	b.add(a, met("contract.x", "one", "two"))
	b.add(z, met("contract.x", "one"))
	b.add(own, met("contract.x", "two"))
	b.add(a, met("contract.y", "not selected"))
	found := b.results([]verdict.Scenario{z, a, own})
	require.Len(t, found, 1, "the other one fails by itself")
	assert.Equal(t, "contract.x/one", found[0].ID())
	assert.Equal(t, "other/a", found[0].Via)
	assert.Equal(t, verdict.Fail, found[0].Verdict)
	assert.Equal(t, "met while testing other, a", found[0].Finding.Hint)
	assert.Equal(t, "one", found[0].Exchanges[0].Operation)

	var many book
	for i := range 2 * mostBreaches {
		many.add(a, met("contract.x", fmt.Sprint(i)))
	}
	assert.Len(t, many.results([]verdict.Scenario{own}), mostBreaches)
}

// Failures on an account that stays are put down to its earlier payments, unless there are many.
func TestMostDoubts(t *testing.T) {
	t.Parallel()
	r := &run{fixed: []*world.FixedAccount{{}}}
	failed := &attempt{pass: &pass{}, result: verdict.Scenario{Verdict: verdict.Fail}}
	for range mostDoubts {
		assert.True(t, r.triesAgain(failed))
	}
	assert.False(t, r.triesAgain(failed))
	assert.True(t, r.triesAgain(&attempt{pass: &pass{sharing: true}, result: failed.result}), "others may have brought it about")
	assert.True(t, r.triesAgain(&attempt{pass: &pass{}, result: verdict.Scenario{Verdict: verdict.CouldNotTest}}))
	assert.True(t, (&run{doubts: 99}).triesAgain(failed), "a new account has no history")
}

// What is not a pass runs again if chance, or somebody else, may have brought it about.
func TestWhatRunsAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v                          verdict.Verdict
		doubtful, sharing, lastTry bool
		again                      bool
	}{
		{v: verdict.Fail},
		{v: verdict.Fail, doubtful: true, again: true},
		{v: verdict.Fail, doubtful: true, lastTry: true},
		{v: verdict.Fail, sharing: true, again: true},
		{v: verdict.CouldNotTest, sharing: true, again: true},
		{v: verdict.Warning, sharing: true, again: true},
		{v: verdict.Pass, sharing: true},
	} {
		r := &run{secrets: &exchange.Redactor{}, options: Options{Progress: progress.New(io.Discard, progress.Options{})}}
		scenario := &catalogue.Scenario{Name: "s", Rule: &catalogue.Rule{Name: "r"}}
		a := &attempt{planned: &plan.Scenario{Scenario: scenario}, pass: &pass{sharing: c.sharing, lastTry: c.lastTry}, doubtful: c.doubtful}
		a.result.Verdict = c.v
		a.world = world.New(&world.Stage{Terms: &record.Terms{}, Sink: silentSink(t)}, world.Script{})
		r.end(t.Context(), a)
		assert.Equal(t, c.again, len(r.undecided) == 1, "%+v", c)
		assert.Equal(t, !c.again, len(r.results) == 1, "%+v", c)
	}
}

// Long scenarios begin first, then those that wait for what must not come; the rest follows the
// seed.
func TestTheOrderOfFiles(t *testing.T) {
	t.Parallel()
	in := func(file string, effects ...language.Effects) *plan.Scenario {
		s := &plan.Scenario{Scenario: &catalogue.Scenario{Rule: &catalogue.Rule{Feature: &catalogue.Feature{File: file}}}}
		for _, e := range effects {
			s.Steps = append(s.Steps, language.Step{Effects: e})
		}
		return s
	}
	p := &pass{scenarios: map[string]*plan.Scenario{
		"long": in("long", language.Effects{Bulk: true}), "quiet": in("quiet", language.Effects{Quiet: true}),
		"a": in("a"), "b": in("b"), "c": in("c"), "d": in("d"), "too": in("long"),
	}}
	orders := map[string]bool{}
	for seed := range int64(20) {
		r := &run{options: Options{Seed: seed}}
		files := r.files(p)
		assert.Equal(t, []string{"long", "quiet"}, files[:2])
		assert.Equal(t, files, r.files(p), "the same for a seed")
		orders[strings.Join(files, " ")] = true
	}
	assert.Greater(t, len(orders), 3)
}

func TestWordsForASelection(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "", wordsFor("", nil, nil))
	assert.Equal(t, "@a", wordsFor("@a", nil, nil))
	assert.Equal(t, "a.b, c.d", wordsFor("", []string{"a.b", "c.d"}, nil))
	assert.Equal(t, "(@x) and (@a.b or @c.d)", wordsFor("@x", []string{"a.b", "c.d"}, nil))
	assert.Equal(t, "a.b, c.d", wordsFor("", []string{"z"}, []string{"a.b/1", "a.b/2", "c.d/1"}))
}

// Only what scenarios change, by controls that there are, is put back.
func TestTouches(t *testing.T) {
	t.Parallel()
	r := &run{offer: plan.OfferOf(target.Profile{}, map[target.Control]bool{target.Clock: true, target.FeesControl: true})}
	runs := &plan.Scenario{Needs: []target.Control{target.Clock, target.Settlement}}
	skipped := &plan.Scenario{Needs: []target.Control{target.FeesControl}, Outside: "not claimed"}
	touched := r.touches(runs, skipped)
	require.Len(t, touched, 1)
	assert.Equal(t, target.Clock, touched[0].Control)
}

func TestTheSinksCertificateIsForItsNames(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	c, err := sinkCertificate(authority, target.Sink{Listen: "10.0.0.7:443", URL: "https://hooks.example/x"})
	require.NoError(t, err)
	assert.Contains(t, c.Leaf.DNSNames, "hooks.example")
	assert.True(t, slices.ContainsFunc(c.Leaf.IPAddresses, net.ParseIP("10.0.0.7").Equal))
	own, err := certs.NewAuthority()
	require.NoError(t, err)
	server, err := own.Issue(certs.Client{})
	require.NoError(t, err)
	c, err = sinkCertificate(authority, target.Sink{Certificate: server.PEM(), Key: server.KeyPEM()})
	require.NoError(t, err)
	assert.Equal(t, server.X509().Raw, c.Certificate[0])
}

// A step without evidence could not be tested.
func TestAStepWithoutEvidence(t *testing.T) {
	t.Parallel()
	s := verdict.Scenario{Steps: make([]verdict.Step, 1)}
	addTo(&s, 0, judge.Result{})
	assert.Equal(t, verdict.CouldNotTest, s.Verdict)
	assert.Equal(t, "none was recorded", s.Finding.Got)
	addTo(&s, 0, judge.Result{Verdict: verdict.CouldNotTest, Missing: "funds"})
	assert.Equal(t, []string{"funds"}, s.Missing)
}

func TestEvidenceThatIsNone(t *testing.T) {
	t.Parallel()
	_, err := ReadEvidence(strings.NewReader("x"))
	require.ErrorContains(t, err, "expected gzip")
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	_, _ = z.Write([]byte("x"))
	z.Close()
	_, err = ReadEvidence(&file)
	require.ErrorContains(t, err, "expected recorded evidence")
	assert.Error(t, (&Evidence{}).Write(refusing{}, &exchange.Redactor{}))

	unknown := &Evidence{Run: verdict.Run{Scenarios: []verdict.Scenario{{Rule: "gone", Name: "x"}, {Rule: "balance.overdraft", Name: "overdraft is 0", Verdict: verdict.NotApplicable}}}, Records: []*record.Record{{Rule: "gone", Name: "x"}}}
	again, err := unknown.Judge()
	require.NoError(t, err)
	require.Len(t, again.Scenarios, 1, "one that this version does not have is left out")
	assert.Equal(t, verdict.NotApplicable, again.Scenarios[0].Verdict)
}

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func silentSink(t *testing.T) *sink.Sink {
	t.Helper()
	s, err := sink.Listen("", "", tls.Certificate{})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}
