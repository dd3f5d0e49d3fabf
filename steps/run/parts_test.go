package run

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// No two holders share a thing, and a holder that needs all of them gets them.
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
			l.release(taken)
		})
	}
	wait.Wait()
	assert.Len(t, l.free, 3, "all came back")
}

// A holder that gives up waiting keeps nothing.
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
	l.release(one)
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
		a.trim(&s)
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
	a.trim(&pass)
	assert.Zero(t, pass.LeftOut)
}

// A breach is reported once, unless a scenario of its own rule fails for it. It is attributed to a
// scenario of its rule, or else to the first of the others.
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
	var b breachLog
	z, a, own := scenario("other", "z", verdict.Pass), scenario("other", "a", verdict.Pass), scenario("contract.x", "own", verdict.Fail)
	assert.True(t, b.add(z, met("contract.x", "one", "two")), "new breaches")
	assert.False(t, b.add(a, met("contract.x", "one", "two")), "no new breach")
	b.add(z, met("contract.x", "one"))
	b.add(own, met("contract.x", "two"))
	b.add(a, met("contract.y", "not selected"))
	own.Finding = &verdict.Finding{Expected: "a response that matches", Got: "two"}
	found := b.results([]verdict.Scenario{z, a, own}, map[string]bool{"other": true, "contract.x": true}, nil)
	require.Len(t, found, 1, "the other one fails by itself")
	assert.Equal(t, "contract.x/one", found[0].ID())
	assert.Equal(t, "other/a", found[0].Via)
	assert.Equal(t, verdict.Fail, found[0].Verdict)
	assert.Contains(t, found[0].Finding.Hint, `in the scenario "a" of other breaks this rule`)
	assert.Equal(t, "one", found[0].Exchanges[0].Operation)

	var same breachLog
	assert.True(t, same.add(z, met("money.x", "R$ 10.00 of order-0001")))
	assert.False(t, same.add(a, met("money.x", "R$ 7.31 of order-0002")), "another value shows the same breach")
	found = same.results([]verdict.Scenario{z, a}, map[string]bool{"money.x": true}, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "money.x/a response that matches: R$ … of …", found[0].ID(), "its name does not depend on who shows it")
	assert.Equal(t, "R$ 7.31 of order-0002", found[0].Finding.Got, "but its values do")

	var many breachLog
	for i := range 2 * mostBreaches {
		many.add(a, met("contract.x", strings.Repeat("x", i+1)))
	}
	assert.Len(t, many.results(nil, applicable([]verdict.Scenario{own}), nil), mostBreaches)
	assert.Empty(t, many.results(nil, applicable([]verdict.Scenario{scenario("contract.x", "own", verdict.NotApplicable)}), nil), "its family is not claimed")
}

// A response that may belong to another request breaks no contract. That there was one is a single finding, and what is
// shown by another response, too, still counts.
func TestUnsolicitedResponsesAreOneBreach(t *testing.T) {
	t.Parallel()
	doubtful, other := &exchange.Exchange{Operation: "cash-out", Party: exchange.API, Status: 1}, &exchange.Exchange{Operation: "cash-out", Party: exchange.API}
	b := breachLog{isDoubtful: func(e exchange.Exchange) bool { return e.Status == 1 }}
	z, a := verdict.Scenario{Rule: "other", Name: "z"}, verdict.Scenario{Rule: "other", Name: "a"}
	broken := func(got string, e *exchange.Exchange) []judge.Met {
		return []judge.Met{{Breach: judge.Breach{Rule: "contract.x", Expected: "a response that matches", Got: got}, Exchange: e}}
	}
	b.add(a, broken("of another", doubtful))
	b.add(a, broken("twice", doubtful))
	b.add(z, broken("twice", other))
	b.add(a, broken("twice", doubtful))
	j := judge.New("other", nil, &record.Terms{})
	for _, operation := range []string{"cash-out", "balance request"} {
		j.Add(record.Entry{Exchange: &exchange.Exchange{Operation: operation, Party: exchange.API, Status: 1}})
	}
	b.collect(z, j)
	found := b.results(nil, map[string]bool{"contract.x": true, "contract.cash-out": true, "contract.balances": true}, nil)
	require.Len(t, found, 2)
	assert.Equal(t, "contract.balances/"+unsolicited, found[0].ID())
	assert.Equal(t, "contract.x/twice", found[1].ID())
	assert.Equal(t, "other/z", found[1].Via)
}

// What a target sends after a scenario has ended counts, too.
func TestUnsolicitedResponsesAfterTheEndOfAScenario(t *testing.T) {
	t.Parallel()
	isDoubtful := false
	b := breachLog{isDoubtful: func(exchange.Exchange) bool { return isDoubtful }}
	j := judge.New("other", nil, &record.Terms{})
	e := &exchange.Exchange{Operation: "cash-out", Party: exchange.API, Sent: time.Unix(1, 0)}
	j.Add(record.Entry{Exchange: e})
	b.collect(verdict.Scenario{Rule: "other", Name: "a"}, j)
	selected := map[string]bool{"contract.cash-out": true}
	require.Empty(t, b.results(nil, selected, nil))
	isDoubtful = true
	b.noteLate([]exchange.Exchange{*e, {Operation: "cash-out", Party: exchange.API, Sent: time.Unix(2, 0)}})
	found := b.results(nil, selected, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "other/a", found[0].Via)
}

// A target that answers a probe twice fails, although all scenarios pass on connections of their own, and whatever is
// selected.
func TestUnsolicitedResponsesOutsideScenarios(t *testing.T) {
	t.Parallel()
	b := breachLog{isDoubtful: func(exchange.Exchange) bool { return true }}
	b.noteLate([]exchange.Exchange{{Operation: "probe", Method: http.MethodGet, Party: exchange.API, Sent: time.Now()}})
	for rule, selected := range map[string]map[string]bool{
		"contract.a": {"contract.a": true, "contract.b": true, "balance.available": true},
		"money.net":  {"money.net": true, "contract.a": false},
	} {
		found := b.results(nil, selected, nil)
		require.Len(t, found, 1)
		assert.Equal(t, rule+"/"+unsolicited, found[0].ID())
		assert.Equal(t, verdict.Framing, found[0].Finding.About.Kind)
		assert.Contains(t, found[0].Finding.Hint, "which belongs to no scenario")
	}
}

// An attempt that could not be tested says nothing about how often a breach shows.
func TestAttemptsThatShowABreach(t *testing.T) {
	t.Parallel()
	at := func(n int) time.Time { return time.Date(2026, 3, 1, 10, n, 0, 0, time.UTC) }
	s := verdict.Scenario{Rule: "other", Name: "a", Started: at(0)}
	var b breachLog
	b.add(s, []judge.Met{{Breach: judge.Breach{Rule: "contract.x", Got: "one"}, Exchange: &exchange.Exchange{}}})
	for i, v := range []verdict.Verdict{verdict.Pass, verdict.Pass, verdict.CouldNotTest} {
		s.Attempts = append(s.Attempts, verdict.Attempt{Started: at(i), Verdict: v})
	}
	found := b.results([]verdict.Scenario{s}, map[string]bool{"contract.x": true}, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "in 1 of 2 attempts", found[0].Frequency())
}

// What shows the owners of ids is bounded, however long the responses are.
func TestWhatShowsIdsIsBounded(t *testing.T) {
	t.Parallel()
	var b breachLog
	whole := &exchange.Exchange{ResponseBody: bytes.Repeat([]byte("x"), 1<<20)}
	for i := range 3 * mostKept / len(whole.Kept().ResponseBody) {
		b.identify(verdict.Scenario{Rule: "a"}, []judge.Identity{{Value: strconv.Itoa(i), Of: strconv.Itoa(i), Shown: whole}})
	}
	assert.LessOrEqual(t, b.keeps, mostKept)
	assert.True(t, b.identify(verdict.Scenario{Rule: "a"}, []judge.Identity{{Value: "0", Of: "another", Shown: whole}}), "earlier ids are still known")
}

// A breach is not reported if only scenarios show it that were cut off when the target stopped
// responding. It is if another one shows it that had ended by then, or did not need the silent party.
func TestBreachesOfCutOffScenarios(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	ended := &verdict.Ended{At: at, Silent: exchange.API}
	scenario := func(name string, party exchange.Party, took time.Duration) verdict.Scenario {
		return verdict.Scenario{Rule: "contract.x", Name: name, Started: at.Add(-time.Minute), Took: took, Exchanges: []exchange.Exchange{{Party: party}}}
	}
	late, early, apart := scenario("late", exchange.API, 2*time.Minute), scenario("early", exchange.API, time.Second), scenario("apart", exchange.Control, 2*time.Minute)
	for name, c := range map[string]struct {
		by    []verdict.Scenario
		shown int
	}{
		"cut off":        {[]verdict.Scenario{late}, 0},
		"ended before":   {[]verdict.Scenario{early}, 1},
		"one of two did": {[]verdict.Scenario{late, early, late}, 1},
		"without it":     {[]verdict.Scenario{late, apart}, 1},
	} {
		var b breachLog
		for _, by := range c.by {
			b.add(by, []judge.Met{{Breach: judge.Breach{Rule: "contract.x", Got: "one"}, Exchange: &exchange.Exchange{}}})
		}
		selected := map[string]bool{"contract.x": true}
		assert.Len(t, b.results(nil, selected, ended), c.shown, name)
		assert.Len(t, b.results(nil, selected, nil), 1, name)
		assert.Len(t, b.results(nil, selected, &verdict.Ended{At: at}), 1, "interrupted")
	}
}

// Two things with the same id are a breach, whichever scenario came first; one thing seen twice is
// not.
func TestDuplicateIDsAcrossScenarios(t *testing.T) {
	t.Parallel()
	shows := func(value, of string) []judge.Identity {
		return []judge.Identity{{Breach: judge.Breach{Rule: "rule.ids", Got: "one id for two"}, Value: value, Of: of, Shown: &exchange.Exchange{Operation: of}}}
	}
	a, b := verdict.Scenario{Rule: "other", Name: "a"}, verdict.Scenario{Rule: "other", Name: "b"}
	selected := map[string]bool{"rule.ids": true}
	for _, order := range [][]verdict.Scenario{{a, b}, {b, a}} {
		var same, different breachLog
		for _, s := range order {
			assert.Equal(t, s.Name == order[1].Name, same.identify(s, shows("E1", "payment "+s.Name)), "the second one makes it a breach")
			different.identify(s, shows("E1", "one payment"))
			different.identify(s, shows("E2 of "+s.Name, "payment "+s.Name))
		}
		assert.Empty(t, different.results(nil, selected, nil))
		if found := same.results(nil, selected, nil); assert.Len(t, found, 1) {
			assert.Equal(t, "other/a", found[0].Via)
			assert.Equal(t, "payment a", found[0].Exchanges[0].Operation)
		}
	}
}

// Once enough scenarios have failed each time and none has passed, the others fail twice only.
func TestASteadyFaultIsNotCountedEverywhere(t *testing.T) {
	t.Parallel()
	pass, fail := verdict.Scenario{Verdict: verdict.Pass}, verdict.Scenario{Verdict: verdict.Fail}
	again := func(results []verdict.Scenario, other ...verdict.Scenario) int {
		r := &run{repeated: map[string]*repeated{}}
		for i := range 50 {
			r.repeated[fmt.Sprint(i)] = &repeated{results: results}
		}
		for i := range 10 {
			r.repeated[fmt.Sprint("other ", i)] = &repeated{results: other}
		}
		return len(r.repetition(2).scenarios)
	}
	assert.Equal(t, 50+10, again([]verdict.Scenario{fail}, fail), "each fails a second time")
	assert.Equal(t, enoughSteady, again([]verdict.Scenario{fail, fail}, fail, fail))
	assert.Equal(t, 50+10, again([]verdict.Scenario{fail, fail}, fail, pass), "an intermittent fault is counted everywhere")
	assert.Equal(t, enoughSteady+10, again([]verdict.Scenario{fail, fail}, fail), "what has failed once runs again")
	brief := verdict.Scenario{Verdict: verdict.Fail, Doubt: verdict.Doubt{Unproven: true}}
	assert.Equal(t, 50+10, again([]verdict.Scenario{brief, brief}, fail, fail), "what nothing proves counts only if every attempt agrees")
	assert.Equal(t, enoughSteady, again([]verdict.Scenario{fail, brief}, fail, brief))
}

// A failed scenario is repeated to measure how often it fails; a spoiled one, until an attempt is
// not spoiled.
func TestWhichScenariosAreRepeated(t *testing.T) {
	t.Parallel()
	pass, fail := verdict.Scenario{Verdict: verdict.Pass}, verdict.Scenario{Verdict: verdict.Fail}
	spoiled := verdict.Scenario{Verdict: verdict.CouldNotTest, Doubt: verdict.Doubt{Spoiled: true}}
	unproven := verdict.Scenario{Verdict: verdict.Fail, Doubt: verdict.Doubt{Unproven: true}}
	disturbed := verdict.Scenario{Verdict: verdict.Fail, Doubt: verdict.Doubt{Unproven: true, Spoiled: true}}
	for _, c := range []struct {
		name       string
		results    []verdict.Scenario
		more, once bool // without and with Options.Once
	}{
		{"a pass", []verdict.Scenario{pass}, false, false},
		{"a failure", []verdict.Scenario{fail}, true, false},
		{"a failure that passed later", []verdict.Scenario{fail, pass, pass}, true, false},
		{"all attempts", []verdict.Scenario{fail, pass, pass, pass}, false, false},
		{"spoiled", []verdict.Scenario{spoiled, spoiled}, true, true},
		{"spoiled every time", []verdict.Scenario{spoiled, spoiled, spoiled, spoiled}, false, false},
		{"spoiled, then a pass", []verdict.Scenario{spoiled, pass}, false, false},
		{"spoiled, then a failure", []verdict.Scenario{spoiled, fail}, true, false},
		{"perhaps by chance", []verdict.Scenario{unproven}, true, true},
		{"perhaps by chance, and in an outage", []verdict.Scenario{unproven, disturbed}, true, true},
		{"hardly by chance", []verdict.Scenario{unproven, unproven}, true, false},
		{"by chance, then a pass", []verdict.Scenario{unproven, unproven, pass}, false, false},
		{"could not test", []verdict.Scenario{{Verdict: verdict.CouldNotTest}}, false, false},
	} {
		s := &repeated{results: c.results}
		assert.Equal(t, c.more, s.wantsMore(false), c.name)
		assert.Equal(t, c.once, s.wantsMore(true), c.name)
	}
	assert.False(t, (&repeated{results: []verdict.Scenario{fail, fail}, waited: true}).wantsMore(false), "it waits for a minute each time")
	costly := fail
	costly.ExchangeCount = maxRepeated
	assert.True(t, (&repeated{results: []verdict.Scenario{costly}}).wantsMore(false), "a costly scenario runs twice")
	assert.False(t, (&repeated{results: []verdict.Scenario{costly, fail}}).wantsMore(false), "no more than that")
	for n := 1; n <= foundAttempts; n++ {
		s := &repeated{found: true, results: slices.Repeat([]verdict.Scenario{pass}, n)}
		assert.Equal(t, n < foundAttempts, s.wantsMore(false), "a finding that passed %d times", n)
		assert.False(t, s.wantsMore(true))
	}
}

// On a shared account a scenario may be impossible to test. It does not fail for that.
func TestSharingSpoilsWhatCouldNotBeTested(t *testing.T) {
	t.Parallel()
	for v, spoiled := range map[verdict.Verdict]bool{verdict.Fail: false, verdict.Pass: false, verdict.CouldNotTest: true, verdict.NotApplicable: true} {
		s := verdict.Scenario{Verdict: v}
		complete(&s, judge.New("r", nil, &record.Terms{}), true)
		assert.Equal(t, spoiled, s.Spoiled, v)
		s = verdict.Scenario{Verdict: v}
		complete(&s, judge.New("r", nil, &record.Terms{}), false)
		assert.False(t, s.Spoiled)
	}
}

// A warning names the open point that it is about.
func TestWarningsNameTheirOpenPoint(t *testing.T) {
	t.Parallel()
	warnings := []verdict.Finding{{Hint: "a hint"}, {}}
	namePoints(warnings, []string{"@delivery.left-open", "@open:finality-of-a-payment"})
	assert.Regexp(t, `^a hint; open point "finality of a payment": .*\?$`, warnings[0].Hint)
	assert.Regexp(t, `^open point "finality of a payment": .*\?$`, warnings[1].Hint)
	none := []verdict.Finding{{}}
	namePoints(none, []string{"@delivery.left-open"})
	assert.Empty(t, none[0].Hint)
}

// Long scenarios run first, then those that check that no webhook arrives, then the others in an
// order drawn from the seed.
func TestTheOrderOfFiles(t *testing.T) {
	t.Parallel()
	in := func(file string, effects ...language.Effects) *plan.Scenario {
		s := &plan.Scenario{Scenario: &catalogue.Scenario{Rule: &catalogue.Rule{Feature: &catalogue.Feature{File: file}}}}
		for _, e := range effects {
			s.Steps, s.Quiet = append(s.Steps, language.Step{Effects: e}), e.Quiet
		}
		return s
	}
	p := &pass{scenarios: map[string]*plan.Scenario{
		"long": in("long", language.Effects{Bulk: true}), "quiet": in("quiet", language.Effects{Quiet: true}),
		"a": in("a"), "b": in("b"), "c": in("c"), "d": in("d"), "too": in("long"),
	}}
	orders := map[string]bool{}
	for seed := range int64(20) {
		r := &run{outcome: outcome{prepared: prepared{options: Options{Seed: seed}}}}
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

// Only the settings that scenarios change with available controls are reset.
func TestTouches(t *testing.T) {
	t.Parallel()
	r := &prepared{offer: plan.OfferOf(target.Profile{}, map[target.Control]bool{target.Clock: true, target.FeesControl: true})}
	runs := &plan.Scenario{Demand: plan.Demand{Needs: []target.Control{target.Clock, target.Settlement}}}
	skipped := &plan.Scenario{Demand: plan.Demand{Needs: []target.Control{target.FeesControl}}, Decision: plan.Decision{Outside: "not claimed"}}
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
	assert.Equal(t, "none recorded", s.Finding.Got)
	addTo(&s, 0, judge.Result{Verdict: verdict.CouldNotTest, Missing: "funds"})
	assert.Equal(t, []string{"funds"}, s.Missing)
}

func TestInvalidEvidence(t *testing.T) {
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

	unknown := &Evidence{Run: verdict.Run{Scenarios: []verdict.Scenario{{Rule: "gone", Name: "x"}, {Rule: "balance.overdraft", Name: "The overdraft field", Verdict: verdict.NotApplicable}}}, Records: []*record.Record{{Rule: "gone", Name: "x"}}}
	again, err := unknown.Judge()
	require.NoError(t, err)
	require.Len(t, again.Scenarios, 1, "one that this version does not have is left out")
	assert.Equal(t, verdict.NotApplicable, again.Scenarios[0].Verdict)
}

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A scenario that runs out of time could not be tested, and says in which step. It does not pass, whether it
// waited for a response, for an event, or for none to arrive.
func TestAScenarioThatRunsOutOfTime(t *testing.T) {
	t.Parallel()
	const limit = 300 * time.Millisecond
	for name, c := range map[string]struct {
		scenario, step string
		spoils         func(*target.Profile, *fake.Gateway)
	}{
		"a response": {"balance.answer/The balance", "the account sends a balance request", func(_ *target.Profile, g *fake.Gateway) {
			g.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/accounts/balances" || !strings.Contains(r.UserAgent(), "rule=balance.answer") {
					return false
				}
				<-r.Context().Done()
				return true
			})
		}},
		"an event": {"delivery.own-type/A URL for cash_in", "a CashOut event arrives", func(_ *target.Profile, g *fake.Gateway) { g.Deliver(0) }},
		"no event": {"delivery.own-type/A URL for cash_in", "no cash_in event arrives", func(p *target.Profile, _ *fake.Gateway) { p.Deadlines.Quiet = time.Minute }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := fake.New(t)
			profile := g.Profile()
			c.spoils(&profile, g)
			result, err := Certify(t.Context(), Options{Target: profile, Scenarios: []string{c.scenario}, timeLimit: limit})
			require.NoError(t, err)
			require.Len(t, result.Scenarios, 1)
			s := result.Scenarios[0]
			require.Equal(t, verdict.CouldNotTest, s.Verdict, "%v", s.Finding)
			assert.Equal(t, fmt.Sprintf("the scenario took longer than %v and was stopped at %q", limit, c.step), s.Finding.Got)
			assert.Equal(t, verdict.Incomplete, result.Outcome())
			at := slices.IndexFunc(s.Steps, func(step verdict.Step) bool { return step.Text == c.step })
			assert.Equal(t, verdict.CouldNotTest, s.Steps[at].Verdict)
		})
	}
}
