package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/spec"
)

// coverage prints the rows of steps/spec that no record below dir shows: they are dead, or a scenario is missing.
func coverage(dir string, out io.Writer) error {
	var mu sync.Mutex
	rows, records := spec.State{}.Rows(), 0
	err := eachRun(dir, func(dir string) error {
		return eachRecord(dir, func(rec *record.Record, _ string, steps []language.Step, ok bool, of *run.Evidence) {
			if !ok {
				return
			}
			scenario := judge.New(rec.Rule, steps, &of.Terms)
			for _, entry := range rec.Entries {
				scenario.Add(entry)
			}
			mu.Lock()
			defer mu.Unlock()
			records++
			for i, row := range judge.Rows(scenario) {
				rows[i].WasObserved = rows[i].WasObserved || row.WasObserved
			}
		})
	})
	missing := slices.DeleteFunc(slices.Clone(rows), func(r spec.Row) bool { return r.WasObserved })
	for _, row := range missing {
		fmt.Fprintf(out, "not observed: %v\n", row)
	}
	fmt.Fprintf(out, "%d of %d rows observed in %d records\n", len(rows)-len(missing), len(rows), records)
	return err
}
