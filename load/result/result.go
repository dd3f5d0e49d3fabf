// Package result is what a run found, as a file; the files of several instances merge
// into one, and two runs compare.
package result

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/capacity"
	"github.com/pixcert/pixcert/load/ledger"
	"github.com/pixcert/pixcert/load/measure"
	"github.com/pixcert/pixcert/load/preset"
)

// Schema is the version of the file that this package writes.
const Schema = 1

// Result is what a run found: one instance of it, or all of them merged. Durations
// outside of histograms are seconds, money is centavos, times are UTC.
type Result struct {
	Schema    int    `json:"schema"`
	Run       string `json:"run"`               // the run id, the same for every instance
	Name      string `json:"name,omitempty"`    // the text that a person gave in the id's place
	Instance  int    `json:"instance"`          // from 0; of a merged result: 0
	Instances int    `json:"instances"`         // how many the run has
	Segment   string `json:"segment,omitempty"` // the execution segment; empty: the whole of the test
	Parts     []Part `json:"parts,omitempty"`   // of a merged result: the instances in it
	Missing   []int  `json:"missing,omitempty"` // of a merged result: the instances not in it

	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended"`
	Interrupted bool      `json:"interrupted,omitempty"` // from outside, before its time; merged: any of them
	Warmup      float64   `json:"warmup"`                // seconds

	Script      string          `json:"script,omitempty"`
	Profile     string          `json:"profile,omitempty"`
	Presets     []preset.Source `json:"presets,omitempty"`
	Target      string          `json:"target"`
	Environment Environment     `json:"environment"`

	measure.Measurements

	CPU        float64 `json:"cpu"` // share of the processors that it might use, 0 to 1; merged: the greatest
	Iterations int64   `json:"iterations"`
	Dropped    int64   `json:"dropped"`          // iterations that the generator could not start
	Thrown     *int64  `json:"thrown,omitempty"` // iterations that ended with an error of the script; nil: not counted, with k6's own executors

	Strays     int64       `json:"strays,omitempty"` // requests to the listener for webhooks that were none
	Ledger     ledger.Book `json:"ledger"`
	Accounts   []Money     `json:"accounts"`
	Thresholds []Threshold `json:"thresholds"`
	Checks     []Check     `json:"checks,omitempty"` // of the script, by name
	Validity   Validity    `json:"validity"`

	Capacity *capacity.Curve `json:"capacity,omitempty"` // of a capacity search
}

// Check is one of the script's own, as k6 counted it.
type Check struct {
	Name   string `json:"name"` // with its groups before it: checkout::it was taken
	Passes int64  `json:"passes"`
	Fails  int64  `json:"fails"`
}

// Environment is what the generator ran on.
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

// Money is an account's balance, available and blocked, held against the ledger. See
// [Audited].
type Money struct {
	Account  int   `json:"account"` // its index in the run
	Opening  int64 `json:"opening"`
	Expected Range `json:"expected"`
	Actual   int64 `json:"actual"`
	Drift    int64 `json:"drift"` // how far Actual lies outside Expected
}

// Range is from one amount to another; both the same when all is known.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Audited is the accounts of a ledger whose balance was asked for at the end.
func Audited(book ledger.Book) []Money {
	var audited []Money
	for _, a := range book.Accounts {
		if a.Audited {
			audited = append(audited, Money{Account: a.Account, Opening: a.Opening, Expected: Range{a.From, a.To}, Actual: a.Actual, Drift: a.Drift})
		}
	}
	return audited
}

// Validity says whether the generator was fit to measure.
type Validity struct {
	Valid   bool     `json:"valid"`
	Reasons []Reason `json:"reasons,omitempty"` // against it
}

// Figures that reasons name: of the generator's own speed, and how much the gateway did not
// answer when the books were closed.
const (
	Hiccup      = "hiccup p99"
	ScheduleLag = "schedule lag p99"
	CPU         = "cpu"
	Unanswered  = "unanswered at the end"
)

// starved says whether the process was short of time for everything that it did, the
// listener for webhooks included.
func (v Validity) starved() bool {
	return slices.ContainsFunc(v.Reasons, func(r Reason) bool {
		return r.Figure == Hiccup || r.Figure == ScheduleLag || r.Figure == CPU
	})
}

// Doubtful says whether the figures themselves are: not when all that is amiss is that the
// gateway did not answer once the load was over.
func (v Validity) Doubtful() bool {
	return !v.Valid && (len(v.Reasons) == 0 || slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.Figure != Unanswered }))
}

// Reason is a limit that the generator did not keep, or what else was in the way of a
// measurement.
type Reason struct {
	Figure   string  `json:"figure"`           // hiccup p99, schedule lag p99, cpu, dropped iterations, virtual users, capacity search
	Detail   string  `json:"detail,omitempty"` // in words, where it is no figure with a limit
	Value    float64 `json:"value"`
	Limit    float64 `json:"limit"`
	Unit     string  `json:"unit"` // ms, %, iterations
	Note     string  `json:"note,omitempty"`
	Instance int     `json:"instance"`
}
