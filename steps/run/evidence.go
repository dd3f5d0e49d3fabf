package run

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Evidence is everything that a run recorded. It is enough to judge the run again without the
// gateway, on another machine or by a later version of the rules.
type Evidence struct {
	Format  int // of the records
	Terms   record.Terms
	Run     verdict.Run   // as it was judged
	Own     catalogue.Own // the user's own features
	Records []*record.Record

	mu         sync.Mutex
	size, long int // bytes of the exchanges of its records, and of long ones
}

// Bounds of what a run records, in bytes of exchanges; long records share a smaller one. What is
// written is bounded again, because random tokens do not compress: all of an ordinary run takes
// 6 MiB, and 55 MiB before it is compressed. A record for which there is no room is left out, and its scenario is
// "could not test" when it is judged again. Reading has the same bounds.
const (
	mostRecorded = 128 << 20
	mostLong     = 48 << 20
	long         = 512 << 10
	mostWritten  = 10 << 20
	mostUnpacked = 128 << 20
	mostEntries  = 150_000 // exchanges and facts
	mostRecords  = 30_000
	slack        = 1 << 20 // of the compressor, and for the rest of the file
)

// evidenceLimits are far above those of an ordinary run, which has 206,000 objects with 1.4 million values.
var evidenceLimits = untrusted.Limits{Depth: 64, String: 8 << 20, Objects: 800_000, Values: 6_000_000}

// format is the record format of this version.
const format = 1

func (e *Evidence) add(r *record.Record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	size := 0
	for _, entry := range r.Entries {
		if entry.Exchange != nil {
			size += entry.Exchange.Size()
		}
	}
	if e.size+size > mostRecorded || size > long && e.long+size > mostLong {
		return
	}
	if size > long {
		e.long += size
	}
	e.size += size
	e.Records = append(e.Records, r)
}

// Write writes the evidence, compressed, with stand-ins for the secrets of the run.
func (e *Evidence) Write(w io.Writer, secrets *exchange.Redactor) error {
	disguise := secrets.Disguise(publicCredentials()...)
	own := e.Own
	own.Sources = slices.Clone(own.Sources)
	for i, s := range own.Sources { // as in the records, with which their steps are compared
		own.Sources[i].Text = disguise.Text(s.Text)
	}
	return e.write(w, own, func(r *record.Record) *record.Record { return r.Redacted(disguise) })
}

// authorization finds the credentials that features tell a gateway to send.
var authorization = regexp.MustCompile(`"key":"Authorization","value":"(?:\w+ )?([^"]+)"`)

// publicCredentials are those of the features: scenarios expect exactly them, also when they are judged again.
var publicCredentials = sync.OnceValue(func() (all []string) {
	files, _ := fs.Glob(features.FS, "*.feature") // the pattern is right
	for _, name := range files {
		text, err := features.FS.ReadFile(name)
		if err != nil {
			continue // it is embedded
		}
		for _, found := range authorization.FindAllSubmatch(text, -1) {
			all = append(all, string(found[1]))
		}
	}
	return all
})

// WriteAgain writes evidence that was read from a file, and so has stand-ins for secrets already.
func (e *Evidence) WriteAgain(w io.Writer) error {
	return e.write(w, e.Own, func(r *record.Record) *record.Record { return r })
}

func (e *Evidence) write(w io.Writer, own catalogue.Own, shown func(*record.Record) *record.Record) error {
	packed := &counter{w: w}
	z := gzip.NewWriter(packed)
	unpacked := &counter{w: z}
	out := &parts{w: unpacked}
	out.add(`{"Format":`, format)
	out.add(`,"Terms":`, e.Terms)
	out.add(`,"Run":`, &e.Run)
	out.add(`,"Own":`, own)
	out.text(`,"Records":[`)
	// One record at a time: a second copy of all records may not fit into memory.
	written, entries := 0, 0
	for _, r := range e.Records {
		content, err := json.Marshal(shown(r))
		if err != nil {
			return err
		}
		if packed.bytes+len(content) > mostWritten || unpacked.bytes+len(content) > mostUnpacked || entries+len(r.Entries) > mostEntries || written == mostRecords {
			continue
		}
		out.text(","[:min(written, 1)] + string(content))
		written, entries = written+1, entries+len(r.Entries)
	}
	out.text("]}")
	if out.err != nil {
		return out.err
	}
	return z.Close()
}

// counter counts what is written.
type counter struct {
	w     io.Writer
	bytes int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += n
	return n, err
}

// parts writes JSON part by part, until it fails.
type parts struct {
	w   io.Writer
	err error
}

func (p *parts) text(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}

func (p *parts) add(before string, value any) {
	p.text(before)
	if p.err == nil {
		p.err = json.NewEncoder(p.w).Encode(value)
	}
}

// ReadEvidence reads what Write has written, or what somebody else has: within the bounds of Write, a record at a time.
func ReadEvidence(r io.Reader) (*Evidence, error) {
	z, err := gzip.NewReader(untrusted.AtMost(r, mostWritten+slack, "file"))
	if err != nil {
		return nil, fmt.Errorf("expected gzip: %w", err)
	}
	unpacked := untrusted.Check(untrusted.AtMost(z, mostUnpacked+slack, "unpacked records"), evidenceLimits)
	e := &Evidence{}
	if err := e.read(json.NewDecoder(unpacked)); err != nil {
		return nil, fmt.Errorf("expected recorded evidence: %w", err)
	}
	if _, err := io.Copy(io.Discard, unpacked); err != nil { // to verify the checksum at the end
		return nil, fmt.Errorf("the recorded evidence is corrupt: %w", err)
	}
	if e.Format != format {
		return nil, fmt.Errorf("expected evidence of format %d, got format %d: run certify --keep-all again with this version", format, e.Format)
	}
	if err := e.Run.Received(); err != nil {
		return nil, err
	}
	return e, nil
}

// read decodes the members of the evidence, and its records one by one: all of them may not fit into memory twice.
func (e *Evidence) read(d *json.Decoder) error {
	members := map[string]any{"Format": &e.Format, "Terms": &e.Terms, "Run": &e.Run, "Own": &e.Own}
	return each(d, '{', func() error {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name == "Records" {
			return e.readRecords(d)
		}
		member, known := members[name.(string)] // the name of a member is a string
		if !known {
			member = &json.RawMessage{}
		}
		return d.Decode(member)
	})
}

func (e *Evidence) readRecords(d *json.Decoder) error {
	entries := 0
	return each(d, '[', func() error {
		var r *record.Record
		if err := d.Decode(&r); err != nil {
			return err
		}
		if r == nil {
			return errors.New("expected a record, got null")
		}
		e.Records = append(e.Records, r)
		entries += len(r.Entries)
		switch {
		case len(e.Records) > mostRecords:
			return &untrusted.LimitError{Most: mostRecords, Of: "records"}
		case entries > mostEntries:
			return &untrusted.LimitError{Most: mostEntries, Of: "entries of records"}
		}
		return nil
	})
}

// each calls read for each member of the object, or item of the array, that begins next.
func each(d *json.Decoder, begin json.Delim, read func() error) error {
	switch t, err := d.Token(); {
	case err != nil:
		return err
	case t != begin:
		return fmt.Errorf("expected %v, got %v", begin, t)
	}
	for d.More() {
		if err := read(); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// Judge judges the evidence by the rules of this version. A scenario that was skipped keeps its
// verdict. If the record of a scenario is missing or incomplete, or if its steps have changed since,
// the scenario could not be tested. A scenario that this version does not have is left out. What was covered is
// counted again.
func (e *Evidence) Judge() (*verdict.Run, error) {
	all, err := Suite(e.Own)
	if err != nil {
		return nil, err
	}
	scenarios := map[string]*catalogue.Scenario{}
	for s := range all.Scenarios() {
		scenarios[s.ID()] = s
	}
	var breaches breachLog
	covered := newCoverage(e.Run.Depth)
	judged := map[string][]verdict.Scenario{}
	slices.SortStableFunc(e.Records, func(a, b *record.Record) int { return cmp.Compare(a.Attempt, b.Attempt) })
	for _, rec := range e.Records {
		scenario := scenarios[rec.ID()]
		switch {
		case rec.IsOfSetUp():
			breaches.collect(verdict.Scenario{Rule: setUp, Name: rec.Rule}, replayed(rec, &e.Terms))
			continue
		case scenario == nil:
			continue
		}
		result, j, err := judgeRecord(scenario, rec, &e.Terms)
		if err != nil {
			return nil, err
		}
		covered.add(result, j)
		breaches.collect(result, j)
		judged[rec.ID()] = append(judged[rec.ID()], result)
	}
	var results []verdict.Scenario
	for _, s := range e.Run.Scenarios {
		switch again, recorded := judged[s.ID()]; {
		case s.Via != "" && earlier(s, judged[s.Via]):
			results = append(results, s)
		case s.Via != "" && s.Finding != nil && s.Finding.About.Kind == verdict.Framing: // connections are not recorded
			results = append(results, s)
		case s.Via != "": // a breach or a misfit, which is found again
		case s.Verdict == verdict.NotRun: // its record, if any, ends where the run did
			results = append(results, s)
		case recorded:
			if scenarios[s.ID()].Rule.Found() {
				again = append(unrecorded(s, again), again...)
			}
			result := verdict.Repeated(again)
			if e.Run.Strict {
				result = result.Strictly()
			}
			results = append(results, result)
		case scenarios[s.ID()] == nil:
		case len(s.Steps) > 0: // it was carried out
			lost := newResult(scenarios[s.ID()])
			addTo(&lost, 0, missing("a record of this scenario"))
			results = append(results, lost)
		default:
			results = append(results, s)
		}
	}
	run := e.Run
	results = withdraw(cutOff(results, run.Ended), run.Broken)
	if run.OpenPoints, err = openPoints(); err != nil {
		return nil, err
	}
	selected := applicable(slices.Concat(e.Run.Scenarios, results))
	inOrder(all, &run, slices.Concat(results, withdraw(breaches.results(results, selected, run.Ended), run.Broken), verdict.Misfits(run.OpenPoints, results)))
	run.Coverage, err = covered.ofRecorded(all, &run)
	return &run, err
}

// replayed returns a judge that knows all of a record without steps.
func replayed(rec *record.Record, terms *record.Terms) *judge.Scenario {
	j := judge.New(rec.Rule, nil, terms)
	for _, entry := range rec.Entries {
		j.Add(entry)
	}
	return j
}

func judgeRecord(scenario *catalogue.Scenario, rec *record.Record, terms *record.Terms) (verdict.Scenario, *judge.Scenario, error) {
	result := newResult(scenario)
	result.Started, result.Took = rec.Started, rec.Took
	steps, err := language.ReadAll(scenario)
	if err != nil {
		return result, nil, err
	}
	j := judge.New(rec.Rule, steps, terms)
	next := 0
	for i := range len(steps) + 1 { // what came after the last step is checked against the contract, too
		for next < len(rec.Entries) && rec.Entries[next].Step <= i {
			j.Add(rec.Entries[next])
			next++
		}
		if i < len(steps) && result.Verdict == verdict.Pass {
			addTo(&result, i, judgeStep(j, i, rec))
		}
	}
	for _, entry := range rec.Entries[next:] { // after the last step, or after the one that failed
		j.Add(entry)
	}
	complete(&result, j, rec.Sharing)
	result.Spoiled, result.Unproven = result.Spoiled || rec.Spoiled, result.Unproven || rec.Unproven
	namePoints(result.Warnings, scenario.Tags)
	return result, j, nil
}

// judgeStep judges a step, if all of it was recorded.
func judgeStep(j *judge.Scenario, i int, rec *record.Record) judge.Result {
	if i >= len(rec.Steps) || j.Steps[i].Words() != rec.Steps[i] {
		return missing("a record of this step; the scenario has changed since")
	}
	r := j.Judge(i)
	if j.Obstacle(i) == nil && (!j.HasEnded(i) || r.Look != nil && !j.HasWaited(i, r.Look.Key())) {
		return missing("the complete record of this step")
	}
	return r
}

func missing(what string) judge.Result {
	return judge.Result{Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{Expected: what, Got: "none recorded", Exchange: -1}}
}
