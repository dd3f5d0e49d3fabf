package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// shares say how much of a sample is of a kind of run; a kind that is not here has one.
var shares = map[string]int64{"mutants": 9, "deep": 4, "walks": 4}

// candidate is a record that a sample may have.
type candidate struct {
	dir    string // of its run
	kind   string // of its run
	index  int
	size   int64
	shapes map[string]int // of what the judge says about it, and what each is worth
}

// sample chooses records below dir about which the judge says as many different things as possible, and writes them and
// what it says below to.
func sample(dir, to string, size int64, out io.Writer) error {
	var (
		mu   sync.Mutex
		all  []candidate
		kind = map[string]bool{}
	)
	err := eachRun(dir, func(run string) error {
		i := 0
		return judgeRun(run, func(j judged) {
			c := candidate{run, kindOf(dir, run), i, sizeOf(j.record), shapes(j)}
			i++
			mu.Lock()
			defer mu.Unlock()
			if isOld(j) { // a sample has only what can be judged
				return
			}
			all = append(all, c)
			kind[c.kind] = true
		})
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.dir, b.dir), cmp.Compare(a.index, b.index)) })
	var total int64
	for k := range kind {
		total += max(1, shares[k])
	}
	chosen, known := map[string][]int{}, map[string]bool{}
	kinds := slices.Collect(maps.Keys(kind))
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b)) })
	for _, k := range kinds {
		for _, c := range choose(all, k, size*max(1, shares[k])/total, known) {
			chosen[c.dir] = append(chosen[c.dir], c.index)
		}
	}
	if err := writeSample(dir, to, chosen); err != nil {
		return err
	}
	return keep(to, false, out)
}

// kindOf is the kind of a run: of the reference, each is one.
func kindOf(dir, run string) string {
	path, err := filepath.Rel(dir, run)
	if err != nil {
		path = run
	}
	kind, rest, _ := strings.Cut(filepath.ToSlash(path), "/")
	if kind == "reference" {
		return rest
	}
	return kind
}

// choose returns the candidates of a kind that are worth most for their size.
func choose(all []candidate, kind string, size int64, known map[string]bool) (chosen []candidate) {
	of := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.kind != kind })
	for {
		best, value := -1, 0.0
		for i, c := range of {
			worth := 0
			for shape, w := range c.shapes {
				if !known[shape] {
					worth += w
				}
			}
			if v := float64(worth) / float64(c.size); c.size <= size && v > value {
				best, value = i, v
			}
		}
		if best < 0 {
			return chosen
		}
		chosen = append(chosen, of[best])
		size -= of[best].size
		for shape := range of[best].shapes {
			known[shape] = true
		}
	}
}

// sizeOf is about how many bytes a record takes in a file.
func sizeOf(rec *record.Record) int64 {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_ = json.NewEncoder(z).Encode(rec) // what cannot be encoded was not read
	_ = z.Close()
	return int64(b.Len())
}

var particular = regexp.MustCompile(`"[^"]*"|[\w-]*\d[\w-]*`)

// shapes are the lines that the judge says about each kind of step, without values. A verdict and a look are worth more
// than the words of a finding.
func shapes(j judged) map[string]int {
	all := map[string]int{}
	for _, a := range j.answers {
		if a.question == "identities" || a.question == "events" || a.question == "unsteady" {
			continue
		}
		of := a.question
		if a.step < len(j.steps) {
			of = fmt.Sprintf("%T", j.steps[a.step].Meaning)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(a.text, "\n"), "\n") {
			worth := 1
			if strings.HasPrefix(line, "look") {
				line, _, _ = strings.Cut(line, " of ")
			}
			if strings.HasPrefix(line, "finding expected") || strings.HasPrefix(line, "violation got") {
				worth = 5
			}
			if strings.HasPrefix(line, "warning got") { // which few records have
				worth = 20
			}
			if line != "verdict: "+string(verdict.Pass) && (strings.HasPrefix(line, "look") || strings.HasPrefix(line, "verdict")) {
				worth = 10
			}
			all[of+" "+particular.ReplaceAllString(line, "#")] = worth
		}
	}
	return all
}

// writeSample writes the chosen records. Those of one kind that are judged by the same terms become one run.
func writeSample(dir, to string, chosen map[string][]int) error {
	merged := map[string]*run.Evidence{}
	var names []string // of their directories
	for _, d := range slices.Sorted(maps.Keys(chosen)) {
		evidence, err := readEvidence(d)
		if err != nil {
			return err
		}
		terms, err := json.Marshal(evidence.Terms)
		if err != nil {
			return err
		}
		key := kindOf(dir, d) + string(terms) + evidence.Own.Digest()
		if merged[key] == nil {
			merged[key] = &run.Evidence{Format: evidence.Format, Terms: evidence.Terms, Own: evidence.Own, Run: verdict.Run{ID: evidence.Run.ID}}
			names = append(names, key)
		}
		slices.Sort(chosen[d])
		for _, i := range chosen[d] {
			merged[key].Records = append(merged[key].Records, evidence.Records[i])
		}
	}
	for i, key := range names {
		kind, _, _ := strings.Cut(key, "{")
		e := merged[key]
		e.Own = onlyRecorded(e.Own, e.Records)
		if err := write(filepath.Join(to, fmt.Sprintf("%02d-%s", i+1, kind)), e.WriteAgain); err != nil {
			return err
		}
	}
	return nil
}

const walkBegins = "\n    Scenario: "

// onlyRecorded leaves out the walks that have no record.
func onlyRecorded(own catalogue.Own, records []*record.Record) catalogue.Own {
	own.Sources = slices.Clone(own.Sources)
	for i, source := range own.Sources {
		parts := strings.Split(source.Text, walkBegins)
		own.Sources[i].Text = parts[0]
		for _, part := range parts[1:] {
			name, _, _ := strings.Cut(part, "\n")
			if slices.ContainsFunc(records, func(r *record.Record) bool { return r.Name == name }) {
				own.Sources[i].Text += walkBegins + part
			}
		}
	}
	return own
}
