// Package result defines the result of a run as a file, and merges the results of several instances.
package result

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
)

// Schema is the version of the file that this package writes.
const Schema = 1

// Result of a run: of one instance, or of all instances merged. Durations outside
// histograms are in seconds, money is in centavos, times are UTC.
//
// Many methods: one for each question to the figures, which all read the same few fields.
type Result struct {
	Schema    int    `json:"schema"`
	Run       string `json:"run"`               // the run id, the same for every instance
	Name      string `json:"name,omitempty"`    // the name that the user set instead of an id
	Instance  int    `json:"instance"`          // from 0; in a merged result: 0
	Instances int    `json:"instances"`         // the number of instances of the run
	Segment   string `json:"segment,omitempty"` // the execution segment; empty: the whole test
	Parts     []Part `json:"parts,omitempty"`   // in a merged result: its instances
	Missing   []int  `json:"missing,omitempty"` // in a merged result: instances without a result

	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended"`
	Interrupted bool      `json:"interrupted,omitempty"` // stopped early; merged: any of them
	Complaint   string    `json:"complaint,omitempty"`   // why the test ended early, or failed apart from its thresholds; merged: the first
	Unmeasured  string    `json:"unmeasured,omitempty"`  // why nothing was sent
	Warmup      float64   `json:"warmup"`                // seconds

	Script      string          `json:"script,omitempty"`
	Profile     string          `json:"profile,omitempty"`
	TagValues   TagValues       `json:"tagValues,omitempty"` // that the script declares
	Presets     []preset.Source `json:"presets,omitempty"`
	Target      string          `json:"target"`
	Environment Environment     `json:"environment"`

	measure.Measurements

	CPU        float64 `json:"cpu"` // share of the available processors, 0 to 1; merged: the highest
	Iterations int64   `json:"iterations"`
	Dropped    int64   `json:"dropped"`          // iterations that the generator could not start
	Thrown     *int64  `json:"thrown,omitempty"` // iterations that threw an error; nil: not counted, with k6's own executors

	Strays     int64       `json:"strays,omitempty"` // requests to the webhook listener that were not webhooks
	Ledger     ledger.Book `json:"ledger"`
	Accounts   []Money     `json:"accounts"`
	Thresholds []Threshold `json:"thresholds"`
	Checks     []Check     `json:"checks,omitempty"` // of the script, by name
	Validity   Validity    `json:"validity"`

	Origins []Origin `json:"origins,omitempty"` // the same figures by scenario, group and the script's tags
}

// Origin is where calls come from: a scenario, a group, the script's own tags.
type Origin struct {
	Tags map[string]string `json:"tags"`
	measure.Figures
	Counts ledger.Counts `json:"counts"` // without those that are not about payments of the run
}

// OriginName is the name of an origin's counts in a [ledger.Book].
func OriginName(tags map[string]string) string {
	name, _ := json.Marshal(tags) // strings never fail
	return string(name)
}

// from is the result of the calls that have all of some tags; false if there are none.
func (r Result) from(tags map[string]string) (Result, bool) {
	if len(tags) == 0 {
		return r, true
	}
	some := r
	some.Measurements, some.Ledger, some.Origins = measure.Measurements{}, ledger.Book{}, nil
	for _, o := range r.Origins {
		if contains(o.Tags, tags) {
			some.Figures.Merge(o.Figures)
			some.Ledger.Counts.Add(&o.Counts)
			some.Origins = append(some.Origins, o)
		}
	}
	return some, len(some.Origins) > 0
}

func contains(all, some map[string]string) bool {
	for name, value := range some {
		if all[name] != value {
			return false
		}
	}
	return true
}

// Unattributed are the counts that belong to no origin.
func (r Result) Unattributed() ledger.Counts {
	counts := r.Ledger.Counts
	for _, o := range r.Origins {
		counts.Subtract(&o.Counts)
	}
	return counts
}

// Scenarios are the results of each scenario that called the gateway, in order.
func (r Result) Scenarios() (names []string, of map[string]Result) {
	of = map[string]Result{}
	for _, o := range r.Origins {
		if name := o.Tags["scenario"]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
			of[name], _ = r.from(map[string]string{"scenario": name})
		}
	}
	slices.Sort(names)
	return names, of
}

// Check is one of the script's own, as k6 counted it.
type Check struct {
	Name   string `json:"name"` // prefixed with its groups: checkout::it was taken
	Passes int64  `json:"passes"`
	Fails  int64  `json:"fails"`
}

// Environment of the generator.
type Environment struct {
	K6      string `json:"k6"`
	Pixcert string `json:"pixcert"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	CPUs    int    `json:"cpus"`
}

// Part is an instance within a merged result.
type Part struct {
	Instance    int         `json:"instance"`
	Segment     string      `json:"segment,omitempty"`
	Started     time.Time   `json:"started"`
	Ended       time.Time   `json:"ended"`
	Environment Environment `json:"environment"`
	CPU         float64     `json:"cpu"`
	Validity    Validity    `json:"validity"`
}

// Money is an account's balance, available plus blocked, compared with the ledger. See
// [Audited].
type Money struct {
	Account  int   `json:"account"` // its index in the run
	Opening  int64 `json:"opening"`
	Expected Range `json:"expected"`
	Actual   int64 `json:"actual"`
	Drift    int64 `json:"drift"` // how far Actual is outside Expected
}

// Range of amounts; both ends are the same if everything is known.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Audited returns the accounts of a ledger whose balance was requested at the end.
func Audited(book ledger.Book) []Money {
	var audited []Money
	for _, a := range book.Accounts {
		if a.Audited {
			audited = append(audited, Money{Account: a.Account, Opening: a.Opening, Expected: Range{a.From, a.To}, Actual: a.Actual, Drift: a.Drift})
		}
	}
	return audited
}

// Validity says whether the figures of a run can be attributed to the target.
type Validity struct {
	Valid   bool     `json:"valid"`
	Reasons []Reason `json:"reasons,omitempty"` // why it is invalid
}

// Figures that reasons name: of the generator's own speed and resources, the final look-ups that the
// gateway did not respond to, those that were skipped, and thresholds on tags that no call had.
const (
	Hiccup      = "hiccup p99"
	ScheduleLag = "schedule lag p99"
	OwnDelay    = "own delay"
	CPU         = "cpu"
	Exhausted   = "resources"
	Suspended   = "suspended"
	Unanswered  = "unanswered at the end"
	CutShort    = "cut short"
	UnseenTags  = "threshold tags"
)

// starved says whether the process was overloaded, including its webhook listener.
func (v Validity) starved() bool { return v.has(Hiccup, ScheduleLag, CPU, Exhausted, Suspended) }

// sound says whether nothing speaks against any figure.
func (v Validity) sound() bool { return v.Valid || v.Only(UnseenTags) }

// has says whether a reason is one of some figures.
func (v Validity) has(figures ...string) bool {
	return slices.ContainsFunc(v.Reasons, func(r Reason) bool { return slices.Contains(figures, r.Figure) })
}

// Doubtful says whether the figures themselves are doubtful: they are not if all reasons are
// about what happened after the load.
func (v Validity) Doubtful() bool { return !v.Valid && !v.Only(Unanswered, CutShort, UnseenTags) }

// Only says whether there are reasons, and all are of some figures.
func (v Validity) Only(figures ...string) bool {
	others := func(r Reason) bool { return !slices.Contains(figures, r.Figure) }
	return len(v.Reasons) > 0 && !slices.ContainsFunc(v.Reasons, others)
}

// Reason why a run is invalid: a limit that the generator exceeded, or another obstacle.
type Reason struct {
	Figure   string  `json:"figure"`           // hiccup p99, schedule lag p99, own delay, cpu, dropped iterations, virtual users, resources, suspended
	Detail   string  `json:"detail,omitempty"` // in words, if it is not a figure with a limit
	Value    float64 `json:"value"`
	Limit    float64 `json:"limit"`
	Unit     string  `json:"unit"` // ms, %, iterations
	Note     string  `json:"note,omitempty"`
	Instance int     `json:"instance"`
}
