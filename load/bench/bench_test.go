package bench

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

var (
	full   = flag.Bool("measure", false, "run the measurements, which take minutes, instead of a quick check that the numbers are correct")
	rounds = flag.Int("rounds", 5, "how many times to measure each client, with -measure")
	dayFor = flag.Duration("day", time.Minute, "how long to send at a rate, with -measure")
	runs   = flag.Int("runs", 50, "how many runs of a correct gateway must raise no alarm, with -measure")
	memory = flag.Duration("memory", 10*time.Minute, "how long to observe the memory of a run, with -measure")
)

// TestMain is also the main function of the processes that tests start: this program again,
// in another role.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(roles[role]())
	}
	status := m.Run()
	found.print()
	os.Exit(status)
}

// roles of this program other than running tests. They return an exit status.
var roles = map[string]func() int{
	"gateway": serveGateway,
	"plain":   plainClient,
	"vegeta":  vegeta,
	"k6":      runK6,
	"hog":     hog,
}

// roleVariable names the role of a process in its environment.
const roleVariable = "PIXCERT_BENCH_ROLE"

// needsMeasure skips a test that takes minutes.
func needsMeasure(t *testing.T) {
	if !*full {
		t.Skip("takes minutes: run it with -measure")
	}
}

// alone runs a measurement by itself; a test that only checks numbers may run in parallel.
func alone(t *testing.T) {
	if !*full {
		t.Parallel()
	}
}

// found is the findings of this process, printed at the end.
var found findings

// findings are tables: what was measured, the figure, and its goal. A figure that misses its
// goal is not a failure, because the machine may be slow.
type findings struct {
	mu       sync.Mutex
	sections []*section
}

// section is the findings of one test.
type section struct {
	title string
	rows  [][3]string
}

// aim is the goal of a figure; the zero value means none.
type aim struct {
	text string
	met  bool
}

func (a aim) String() string {
	switch {
	case a.text == "":
		return ""
	case a.met:
		return a.text + ": met"
	default:
		return a.text + ": MISSED"
	}
}

func (f *findings) add(t *testing.T, title, what, figure string, a aim) {
	t.Helper()
	t.Logf("%s: %s: %s %s", title, what, figure, a)
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.sections, func(s *section) bool { return s.title == title })
	if i < 0 {
		i, f.sections = len(f.sections), append(f.sections, &section{title: title})
	}
	f.sections[i].rows = append(f.sections[i].rows, [3]string{what, figure, a.String()})
}

func (f *findings) print() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sections {
		fmt.Printf("\n%s\n", s.title)
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  WHAT\tFIGURE\tGOAL")
		for _, row := range s.rows {
			fmt.Fprintf(table, "  %s\t%s\t%s\n", row[0], row[1], row[2])
		}
		table.Flush()
	}
}
