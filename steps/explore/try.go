package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// tried is what came of a walk.
type tried struct {
	walk     *model.Walk
	scenario verdict.Scenario
	kind     kind // of its failure; its zero value if it has not failed
	done     int  // how many steps of the walk were carried out, with the one that failed
	silenced bool // it got no response, because the gateway stopped responding
}

// kind tells failures apart: the same sentence about the same operation, or the same rule of the wire
// contract.
type kind struct {
	Judged, Operation, Field, Got string
	ofContract                    bool
}

func (t tried) failed() bool { return t.kind != kind{} }

// isLike reports whether two failures can have one cause. When money moves that should not, it depends on when the balance
// is read whether a sentence fails, or only the rule about the balances of the whole scenario.
func (k kind) isLike(other kind) bool { return k == other || k.isOfMoney() && other.isOfMoney() }

func (k kind) isOfMoney() bool {
	if k.ofContract {
		return slices.ContainsFunc(api.Operations, func(op api.Operation) bool { return op.Money != "" && op.Money == k.Judged })
	}
	return k.Field == "available" || k.Field == "blocked"
}

// walksRule is the rule whose scenarios are walks.
const walksRule = "explore.walks"

// feature writes walks as a feature that can be run.
func feature(walks []*model.Walk) catalogue.Source {
	var b strings.Builder
	fmt.Fprintf(&b, "Feature: Walks\n\n  @%s\n  Rule: Walks conform\n", walksRule)
	for i, w := range walks {
		fmt.Fprintf(&b, "\n%s", w.Scenario(walkName(i)))
	}
	return catalogue.Source{File: "walks.feature", Text: b.String()}
}

// walkName sorts as the walks do, because a violation of the wire contract that several show is reported
// of the first.
func walkName(i int) string { return fmt.Sprintf("Walk %04d", i+1) }

// Patience is how long walks wait at most for what must come. What fails because of it is tried again
// with the deadlines of the profile, and counts only then.
const Patience = 3 * time.Second

// leastPatience is how long they wait at least.
const leastPatience = 500 * time.Millisecond

// runner tries walks. With an error, it returns what is known of them.
type runner func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error)

// on tries walks on a target, and notes its slowest webhook.
func on(options run.Options, slowest *time.Duration) runner {
	return func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
		options := options
		options.Own = catalogue.Own{Directory: "walks", Sources: []catalogue.Source{feature(walks)}}
		options.Tags, options.Once, options.FailFast = catalogue.OwnTag, true, failFast
		result, err := run.Certify(ctx, options)
		if result == nil {
			return nil, err
		}
		*slowest = max(*slowest, result.Webhooks.Slowest)
		all, failed := outcomes(walks, result)
		if failed != nil {
			return nil, failed
		}
		if ended := result.Ended; ended != nil && ended.Silent != "" {
			silence(all, ended.Silent)
			if err == nil {
				err = fmt.Errorf("%s; check that the gateway is running, and read its log", ended.Reason)
			}
		}
		return all, err
	}
}

// outcomes finds the result of each walk.
func outcomes(walks []*model.Walk, result *verdict.Run) ([]tried, error) {
	byName := map[string]*tried{}
	all := make([]tried, len(walks))
	for i, w := range walks {
		all[i] = tried{walk: w, scenario: verdict.Scenario{Verdict: verdict.NotRun}}
		byName[walksRule+"/"+walkName(i)] = &all[i]
	}
	for _, s := range result.Scenarios {
		t := byName[s.ID()]
		if t != nil && s.Via == "" {
			t.done = done(t.walk, s)
		}
		if s.Via != "" {
			if t = byName[s.Via]; t == nil || t.failed() {
				continue
			}
			t.scenario, t.kind = s, kind{Judged: s.Rule, Field: s.Finding.Field, Got: s.Signature().Got, ofContract: true}
			continue
		}
		if t == nil || t.failed() {
			continue
		}
		t.scenario = s
		if s.Verdict != verdict.Fail {
			continue
		}
		i := failedStep(s)
		if i < 0 || i >= len(t.walk.Lines) {
			continue
		}
		line := t.walk.Lines[i]
		step, err := language.Read(catalogue.Step{Text: line.Text, Table: line.Table})
		if err != nil {
			return nil, err
		}
		t.kind = kind{Judged: step.Sentence.Position, Operation: s.Operation(), Field: s.Finding.Field}
		t.walk = before(t.walk, line.Step)
	}
	return all, nil
}

// silence cuts the walks that were under way when a gateway stopped responding after the request that got no
// response. Those whose request reached the gateway are why it stopped, unless a client that tried again
// hides which did.
func silence(all []tried, party exchange.Party) {
	for _, reached := range []bool{true, false} {
		for i := range all {
			all[i].silence(party, reached)
		}
		if slices.ContainsFunc(all, func(t tried) bool { return t.silenced }) {
			return
		}
	}
}

func (t *tried) silence(party exchange.Party, reached bool) {
	x := slices.IndexFunc(t.scenario.Exchanges, func(x exchange.Exchange) bool { return x.Party == party && x.Err != "" })
	if x < 0 || t.failed() || reached && slices.ContainsFunc([]string{"refused", "not sent"}, func(why string) bool { return strings.Contains(t.scenario.Exchanges[x].Err, why) }) {
		return
	}
	if i := t.scenario.Exchanges[x].Step; i >= 0 && i < len(t.walk.Lines) {
		t.silenced, t.walk = true, before(t.walk, t.walk.Lines[i].Step)
	}
}

// done is how many steps of a walk its scenario carried out: the first that could not be tested ends it.
func done(w *model.Walk, s verdict.Scenario) int {
	for i, line := range w.Lines[:min(len(w.Lines), len(s.Steps))] {
		if v := s.Steps[i].Verdict; v != verdict.Pass {
			n := position(w, line.Step)
			if v == verdict.Fail {
				n++
			}
			return n
		}
	}
	return len(w.Steps)
}

// failedStep is the step of a scenario that failed; -1 for none.
func failedStep(s verdict.Scenario) int {
	return slices.IndexFunc(s.Steps, func(step verdict.Step) bool { return step.Verdict == verdict.Fail })
}

// before is a walk up to a step, which is its last.
func before(w *model.Walk, id int) *model.Walk {
	return model.Play(w.Steps[:1+position(w, id)])
}

// position is that of a step in its walk.
func position(w *model.Walk, id int) int {
	return slices.IndexFunc(w.Steps, func(s model.Step) bool { return s.ID == id })
}
