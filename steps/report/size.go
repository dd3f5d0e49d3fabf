package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// mostReport bounds the files of a report together, in bytes.
const mostReport = 20_000_000

var errTooLarge = errors.New("the report is larger than 20 MB")

// limited returns write, failing with errTooLarge once all writers that share left have written more than that.
func limited(write func(io.Writer) error, left *int64) func(io.Writer) error {
	return func(w io.Writer) error { return write(&limitedWriter{w, left}) }
}

type limitedWriter struct {
	w    io.Writer
	left *int64
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	if *l.left -= int64(len(p)); *l.left < 0 {
		return 0, errTooLarge
	}
	return l.w.Write(p)
}

// reductions are tried one after the other if a report is too large. Exchanges are written up to four times: into
// verdict.json, an archive, a script and the page.
var reductions = []struct {
	exchanges int64 // to keep, in percent of the room
	texts     bool  // keep steps and long texts
}{{15, true}, {10, true}, {5, true}, {5, false}, {1, false}, {0, false}}

// fitting returns the files of a run that is too large, with the evidence that other reports have of its scenarios, and
// what it left out to keep them within so many bytes.
func (p *Place) fitting(run *verdict.Run, evidence []File, most int64) (files []File, omitted string) {
	for _, reduce := range reductions {
		small := reduced(run, int(most*reduce.exchanges/100), reduce.texts)
		kept := map[string]bool{}
		for i, s := range small.Scenarios {
			kept[s.ID()] = len(s.Exchanges) == len(run.Scenarios[i].Exchanges)
		}
		files = p.filesFor(small, slices.DeleteFunc(slices.Clone(evidence), func(f File) bool { return !kept[f.scenario] }))
		omitted = small.Omitted
		if fits(files, most) {
			break
		}
	}
	return files, omitted
}

// filesFor are the files of a run, the pages last. Evidence of another report is more complete than what was read from its verdict.json.
func (p *Place) filesFor(run *verdict.Run, copies []File) []File {
	copied := map[string]bool{}
	for _, f := range copies {
		copied[f.Name] = true
	}
	files := slices.Concat(copies, slices.DeleteFunc(evidence(run), func(f File) bool { return copied[f.Name] }))
	return append(files,
		File{Name: HTMLFile, Write: func(w io.Writer) error { return writeHTML(w, run, p.dir, p.History, p.Words) }},
		File{Name: JUnitFile, Write: func(w io.Writer) error { return writeJUnit(w, run, p.dir) }},
		File{Name: JSONFile, Write: func(w io.Writer) error { return writeJSON(w, run, p.dir) }},
	)
}

// fits reports whether the files take at most so many bytes together. Another error than their size is left to
// writing them.
func fits(files []File, most int64) bool {
	for _, file := range slices.Backward(files) { // the pages first: they are the largest
		buffered := bufio.NewWriter(&limitedWriter{io.Discard, &most})
		if errors.Is(errors.Join(file.Write(buffered), buffered.Flush()), errTooLarge) {
			return false
		}
	}
	return true
}

// reduced returns a run with at most so many bytes of exchanges: all those of the scenarios that show the likely
// causes of failure, as long as half of the room lasts, and of the others the one that the finding is about.
func reduced(run *verdict.Run, most int, texts bool) *verdict.Run {
	small := *run
	small.Scenarios = slices.Clone(run.Scenarios)
	first := map[string]bool{}
	for _, c := range run.Causes() {
		first[c.Scenario.ID()] = true
	}
	size, fewer := 0, 0
	for _, causes := range []bool{true, false} {
		for i := range small.Scenarios {
			s := &small.Scenarios[i]
			if first[s.ID()] != causes {
				continue
			}
			all := len(s.Exchanges)
			keepWithin(s, most/2-size, most-size)
			size += exchange.SizeOf(s.Exchanges)
			if len(s.Exchanges) < all {
				fewer++
			}
			if !texts {
				cutTexts(s)
			}
		}
	}
	small.Omitted = fmt.Sprintf("requests and responses of %s", wording.Count(fewer, "scenario"))
	if !texts {
		small.Omitted += ", steps and long texts"
	}
	small.Omitted += ", to keep the report below 20 MB"
	return &small
}

// keepWithin keeps all exchanges of a scenario, the one that its finding is about, or none.
func keepWithin(s *verdict.Scenario, whole, subject int) {
	if exchange.SizeOf(s.Exchanges) <= whole {
		return
	}
	one := s.Subject()
	if one != nil && one.Size() > subject {
		one = nil
	}
	verdict.KeepExchange(s, one)
}

// cutTexts leaves what a list of the verdicts needs.
func cutTexts(s *verdict.Scenario) {
	const most = 200
	s.Steps, s.Warnings, s.Attempts, s.Observations = nil, nil, nil, nil
	if s.Finding != nil {
		f := *s.Finding
		f.Expected, f.Got, f.Hint = exchange.Excerpt(f.Expected, most), exchange.Excerpt(f.Got, most), exchange.Excerpt(f.Hint, most)
		s.Finding = &f
	}
}
