package history

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// schema is the version of the lines. It grows if a member is removed or changes its meaning.
const schema = 1

// Entry is a run in a history.
type Entry struct {
	Schema  int       `json:"schema"`
	RunID   string    `json:"runId"`
	Started time.Time `json:"started"`
	TookMs  float64   `json:"tookMs"`
	Pixcert string    `json:"pixcert"` // version
	URL     string    `json:"url,omitempty"`

	Setting
	Seed    int64           `json:"seed"`
	Outcome verdict.Outcome `json:"outcome"`
	Counts  map[string]int  `json:"counts"` // rules by verdict

	// Rules by what became of them.
	Failing  []string `json:"failing,omitempty"`  // known failures too
	Flaky    []string `json:"flaky,omitempty"`    // those of them that failed in some attempts only
	Untested []string `json:"untested,omitempty"` // not judged, or not completely
	Passing  []string `json:"passing,omitempty"`

	P50Ms map[string]float64 `json:"p50Ms,omitempty"` // the median latency of each operation, and of webhooks
}

// Setting is what runs must have in common to be compared.
type Setting struct {
	Target      string        `json:"target"`
	Depth       verdict.Depth `json:"depth,omitempty"`
	Selection   string        `json:"selection,omitempty"` // empty for all
	Shard       string        `json:"shard,omitempty"`
	Concurrency int           `json:"concurrency"`
	Strict      bool          `json:"strict,omitempty"`
	Edition     string        `json:"edition"`       // of the rules
	Own         string        `json:"own,omitempty"` // digest of the user's own features; empty for none
}

// EntryOf is a run as a history has it. The run has no secrets (see verdict.Run.Redacted).
func EntryOf(run *verdict.Run, edition string) Entry {
	e := Entry{
		Schema: schema, RunID: run.ID, Started: run.Started.UTC(), TookMs: wording.Milliseconds(run.Took), Pixcert: run.Version, URL: run.URL, Setting: settingOf(run, edition),
		Seed: run.Seed, Outcome: run.Outcome(), Counts: map[string]int{}, P50Ms: map[string]float64{},
	}
	for _, rule := range run.Results() {
		e.Counts[string(rule.Verdict)]++
		switch v := rule.Verdict; {
		case v.Failing():
			e.Failing = append(e.Failing, rule.Name)
			if rule.Intermittent() {
				e.Flaky = append(e.Flaky, rule.Name)
			}
		case v == verdict.Pass, v == verdict.Warning:
			e.Passing = append(e.Passing, rule.Name)
		case v != verdict.NotApplicable:
			e.Untested = append(e.Untested, rule.Name)
		}
	}
	for _, l := range run.Latencies {
		e.P50Ms[l.Operation] = wording.Milliseconds(l.P50)
	}
	return e
}

func settingOf(run *verdict.Run, edition string) Setting {
	s := Setting{Target: run.Target, Depth: run.Depth, Selection: run.Selection, Shard: run.Shard.String(), Concurrency: run.Concurrency, Strict: run.Strict, Edition: edition}
	if run.Own != nil {
		s.Own = run.Own.Digest
	}
	return s
}

// SettingIn is the setting of a run whose report has been read. A report does not say the edition: it is that of the
// run's entry, otherwise of the latest one with the same setting in all else.
func SettingIn(entries []Entry, run *verdict.Run) Setting {
	setting := settingOf(run, "")
	for _, e := range entries {
		like := setting
		if like.Edition = e.Edition; e.Setting != like {
			continue
		}
		if setting = like; e.RunID == run.ID {
			break
		}
	}
	return setting
}

// result is what became of a rule in the run.
func (e Entry) result(rule string) Result {
	switch {
	case slices.Contains(e.Flaky, rule):
		return FailedSometimes
	case slices.Contains(e.Failing, rule):
		return Failed
	case slices.Contains(e.Passing, rule):
		return Passed
	}
	return NotJudged
}

func (e Entry) possible() error {
	switch {
	case e.RunID == "" || e.Started.IsZero():
		return errors.New("expected a run with its id and start")
	case e.Outcome.Verdict() == "":
		return fmt.Errorf("expected an outcome, such as conforms, got %q", e.Outcome)
	}
	for operation, ms := range e.P50Ms {
		if ms < 0 || ms > 1e9 {
			return fmt.Errorf("expected a latency of %s in milliseconds, got %v", operation, ms)
		}
	}
	return nil
}
