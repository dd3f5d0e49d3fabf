// Package result defines the result of a run as a file, its outcome, and the sum of the results of several instances.
package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/preset"
)

// Schema is the version of the file that this package writes.
const Schema = 1

// Result of a run: of one instance, or the sum of all. Money is in centavos, times are UTC.
type Result struct {
	Schema    int    `json:"schema"`
	Run       string `json:"run"`               // the run id, the same for every instance
	Name      string `json:"name,omitempty"`    // the name that the user set instead of an id
	Instances int    `json:"instances"`         // the number of instances of the run
	Parts     []Part `json:"parts,omitempty"`   // in a merged result: its instances
	Missing   []int  `json:"missing,omitempty"` // in a merged result: instances without a result

	Part // of one instance; in a merged result: instance 0, from the first start to the last end, the first environment

	Reasons     []Reason `json:"reasons,omitempty"`     // why the run is invalid
	Interrupted bool     `json:"interrupted,omitempty"` // stopped early; merged: any of them
	Complaint   string   `json:"complaint,omitempty"`   // k6's own: why the test was interrupted, or failed apart from its thresholds; merged: the first

	Script  string          `json:"script,omitempty"`
	Profile string          `json:"profile,omitempty"`
	Presets []preset.Source `json:"presets,omitempty"`
	Target  string          `json:"target"`

	Iterations int64  `json:"iterations"`
	Dropped    int64  `json:"dropped"`          // iterations that the generator could not start
	Thrown     *int64 `json:"thrown,omitempty"` // iterations that threw an error; nil: not counted, with k6's own executors

	Metrics    map[string]Metric `json:"metrics,omitempty"` // by k6's name, with its tags; not in a merged result
	Thresholds []Threshold       `json:"thresholds"`
	Checks     []Check           `json:"checks,omitempty"` // of the script, by name

	Ledger   ledger.Book `json:"ledger"`
	Failures []Failure   `json:"failures,omitempty"`
	Silences []Silence   `json:"silences,omitempty"`
	Strays   int64       `json:"strays,omitempty"` // requests to the webhook listener that were not webhooks
}

// Metric is one of k6's, pixcert's and the script's own.
type Metric struct {
	Type   string             `json:"type"`           // counter, gauge, rate, trend
	Time   bool               `json:"time,omitempty"` // its values are milliseconds
	Data   bool               `json:"data,omitempty"` // its values are bytes
	Values map[string]float64 `json:"values"`         // as in k6's summary: count, rate, value, avg, min, med, max, p(90), p(95), p(99), p(99.9)
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

// Generator is what the generator itself did: times are in milliseconds, 0 with too few values for a percentile.
type Generator struct {
	CPU         float64   `json:"cpu"`         // share of the available processors, 0 to 1
	ScheduleLag float64   `json:"scheduleLag"` // p99 of how late iterations began; only with pix-arrival-rate
	Hiccup      float64   `json:"hiccup"`      // p99 of how late timers fired
	Requests    Latencies `json:"requests"`
	Webhooks    Latencies `json:"webhooks"`
}

// Latencies are [Percentiles] from the intended start, in milliseconds: as measured, and as they would have been, at
// least, with a generator that is never late.
type Latencies struct {
	Count    int64     `json:"count"`
	Measured []float64 `json:"measured"`
	Least    []float64 `json:"least"`
}

// Percentiles of [Latencies].
var Percentiles = []float64{50, 75, 90, 95, 99, 99.9, 100}

// Failure is how many requests of an operation failed with a status.
type Failure struct {
	Operation string `json:"operation"`
	Status    int    `json:"status"`           // HTTP; 0: no complete response
	Unsent    bool   `json:"unsent,omitempty"` // nothing of the request was sent: there was no connection
	Count     int64  `json:"count"`
}

// Silence is a time in which several requests waited, and none got a response.
type Silence struct {
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`       // when the first got its response
	Requests int64     `json:"requests"` // that waited, at the end
}

// Length of the silence.
func (s Silence) Length() time.Duration { return s.To.Sub(s.From) }

// Part is what a merged result has of each instance.
type Part struct {
	Instance    int         `json:"instance"`          // from 0
	Segment     string      `json:"segment,omitempty"` // the execution segment; empty: the whole test
	Outcome     Outcome     `json:"outcome"`
	Started     time.Time   `json:"started"`
	Ended       time.Time   `json:"ended"`
	Environment Environment `json:"environment"`
	Generator   Generator   `json:"generator"`
}

// Accounts are those whose balance was compared with the ledger.
func (r Result) Accounts() []ledger.Money {
	return slices.DeleteFunc(slices.Clone(r.Ledger.Accounts), func(m ledger.Money) bool { return !m.Audited })
}

// Measured says whether anything was: a request that succeeded.
func (r Result) Measured() bool { return r.Generator.Requests.Count > 0 }

// Threw is how many iterations threw an error, as far as that is known.
func (r Result) Threw() int64 {
	if r.Thrown == nil {
		return 0
	}
	return *r.Thrown
}

// Arrivals counts the arrivals of a schedule that waits for virtual users.
type Arrivals struct {
	Due     int64
	Waited  int64 // all virtual users were busy when they were due
	Dropped int64 // never started: all virtual users were busy until the end
	MaxVUs  int64 // the maximum number of virtual users
}

// Encode returns a result as the text of its file. It sets the schema.
func Encode(r Result) ([]byte, error) {
	r.Schema = Schema
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(r)
	return text.Bytes(), err
}

// Read reads a result file. It ignores unknown fields and rejects a file with a newer schema.
func Read(path string) (Result, error) {
	text, err := os.ReadFile(path) // #nosec G304 -- a file that the user names
	if err != nil {
		return Result{}, fmt.Errorf("read result: %w", err)
	}
	var r Result
	err = json.Unmarshal(text, &r)
	switch {
	case !json.Valid(text):
		return Result{}, fmt.Errorf("read result %s: expected JSON: %w", path, err)
	case r.Schema < 1:
		return Result{}, fmt.Errorf("read result %s: expected the result of a load run, got JSON without the field schema", path)
	case r.Schema > Schema:
		return Result{}, fmt.Errorf("read result %s: expected schema %d or older, got %d: use the version of pixcert that wrote it, or a newer one", path, Schema, r.Schema)
	case err != nil:
		return Result{}, fmt.Errorf("read result %s: %w", path, err)
	}
	return r, nil
}
