package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
)

// tally counts what was judged, and what differs.
type tally struct {
	mu                                   sync.Mutex
	runs, records, entries, answers, old int
	differences                          []*difference
}

func (t *tally) add(to *int, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*to += n
}

func (t *tally) count(j judged) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records++
	t.entries += len(j.record.Entries)
	t.answers += len(j.answers)
	if isOld(j) {
		t.old++
	}
}

// isOld: the scenario of a record has changed, so that it was not judged.
func isOld(j judged) bool { return len(j.answers) > 0 && j.answers[0].question == "steps" }

func (t *tally) String() string {
	said := fmt.Sprintf("%d runs with %d records of %d entries: %d answers", t.runs, t.records, t.entries, t.answers)
	if t.old > 0 {
		said += fmt.Sprintf("; %d records are of other features, and were not judged: collect them again", t.old)
	}
	return said
}

// diff judges all records below dir, and prints for each record the first answer that differs from the golden one.
func diff(dir string, most int, out io.Writer) error {
	var total tally
	err := eachRun(dir, func(dir string) error {
		golden, err := kept(dir)
		if err != nil {
			return err
		}
		total.add(&total.runs, 1)
		err = judgeRun(dir, func(j judged) {
			total.count(j)
			was, known := golden[j.name]
			delete(golden, j.name)
			if !known {
				was = []string{"none: this record was not judged before\n"}
			}
			if d := compare(j, was); d != nil {
				total.found(dir, d)
			}
		})
		for _, name := range slices.Sorted(maps.Keys(golden)) {
			total.found(dir, &difference{record: name, was: strings.Join(golden[name], ""), kind: "a record that is no longer there"})
		}
		return err
	})
	total.print(most, out)
	if err == nil && len(total.differences) > 0 {
		err = errDiffers
	}
	return err
}

// difference is the first answer about a record that differs.
type difference struct {
	run      string // its directory
	record   string
	about    string // the entry, and the step
	was, now string // the answers; empty for none
	kind     string // the lines that differ: "verdict, finding got"
}

// compare returns the first difference from what was said about a record; nil if there is none.
func compare(j judged, was []string) *difference {
	for i := range max(len(was), len(j.answers)) {
		d := difference{record: j.name}
		if i < len(was) {
			d.was = was[i]
		}
		if i < len(j.answers) {
			a := j.answers[i]
			d.now = a.String()
			d.about = describe(j, a)
		}
		if d.was != d.now {
			d.kind = kindOfDifference(d.was, d.now)
			return &d
		}
	}
	return nil
}

// describe is the entry and the step that an answer is about.
func describe(j judged, a answer) string {
	said := ""
	if a.entry >= 0 && a.entry < len(j.record.Entries) {
		switch e := j.record.Entries[a.entry]; {
		case e.Exchange != nil && e.Exchange.Party == exchange.Webhook:
			said = fmt.Sprintf("after entry %d: webhook %s", a.entry, e.Exchange.Operation)
		case e.Exchange != nil:
			said = fmt.Sprintf("after entry %d: %s %s: %d", a.entry, e.Exchange.Method, e.Exchange.Operation, e.Exchange.Status)
		case e.Fact != nil:
			said = fmt.Sprintf("after entry %d: %s", a.entry, e.Fact.Kind)
		case e.Obstacle != nil:
			said = fmt.Sprintf("after entry %d: obstacle %s", a.entry, e.Obstacle.Kind)
		}
	}
	if a.step < len(j.record.Steps) {
		said += fmt.Sprintf("\n  step %d: %s", a.step, oneLine(j.record.Steps[a.step]))
	}
	return said
}

// kindOfDifference names the lines in which two answers differ.
func kindOfDifference(was, now string) string {
	before, after := strings.Split(was, "\n"), strings.Split(now, "\n")
	if was == "" || now == "" || before[0] != after[0] {
		heading := strings.Fields(before[0] + " " + after[0])
		return "another entry, or another question: " + strings.Join(heading[min(3, len(heading)):min(4, len(heading))], "")
	}
	var kinds []string
	for _, line := range slices.Concat(before[1:], after[1:]) {
		if slices.Contains(before, line) && slices.Contains(after, line) {
			continue
		}
		if kind, _, _ := strings.Cut(strings.TrimSpace(line), ":"); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return cmp.Or(strings.Join(kinds, ", "), "order")
}

func (t *tally) found(run string, d *difference) {
	t.mu.Lock()
	defer t.mu.Unlock()
	d.run = run
	t.differences = append(t.differences, d)
}

// print prints the differences by kind, and at most so many of each.
func (t *tally) print(most int, out io.Writer) {
	kinds := map[string][]*difference{}
	for _, d := range t.differences {
		kinds[d.kind] = append(kinds[d.kind], d)
	}
	byCount := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(kinds[b]), len(kinds[a])), cmp.Compare(a, b))
	})
	for _, kind := range byCount {
		slices.SortFunc(kinds[kind], func(a, b *difference) int {
			return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.record, b.record))
		})
		fmt.Fprintf(out, "%d differ first in: %s\n", len(kinds[kind]), kind)
		for _, d := range kinds[kind][:limited(len(kinds[kind]), most)] {
			fmt.Fprintf(out, "  %s: %s\n  %s\n%s%s", d.run, d.record, d.about, marked("- ", d.was), marked("+ ", d.now))
		}
	}
	fmt.Fprintf(out, "judged %s\n%d records differ\n", t, len(t.differences))
}

// marked is a text with a mark before each line.
func marked(mark, text string) string {
	if text == "" {
		return ""
	}
	return "  " + mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  "+mark) + "\n"
}
