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
	full   = flag.Bool("measure", false, "measure, for minutes, instead of showing within seconds that the numbers are right")
	rounds = flag.Int("rounds", 5, "how often each client is measured, with -measure")
	dayFor = flag.Duration("day", time.Minute, "how long a rate has to hold, with -measure")
	memory = flag.Duration("memory", 10*time.Minute, "how long a run has to hold its memory, with -measure")
)

// TestMain is also what the processes are that a test starts: this program again, in a
// role.
func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(roles[role]())
	}
	status := m.Run()
	found.print()
	os.Exit(status)
}

// roles are what this program can be beside a test. They give an exit status.
var roles = map[string]func() int{
	"gateway":     serveGateway,
	"plain":       plainClient,
	"connections": connectionsClient,
	"k6":          runK6,
}

// roleVariable names the role of a process in its environment.
const roleVariable = "PIXCERT_BENCH_ROLE"

// needsMeasure skips what takes minutes.
func needsMeasure(t *testing.T) {
	if !*full {
		t.Skip("takes minutes: give -measure")
	}
}

// alone has a measurement run by itself; what shows numbers alone may run beside others.
func alone(t *testing.T) {
	if !*full {
		t.Parallel()
	}
}

// found is what the tests of this process have to say at the end.
var found findings

// findings are tables: what was measured, the figure, and what it was to be. A figure that
// misses its aim is no failure: the machine may be slow.
type findings struct {
	mu       sync.Mutex
	sections []*section
}

// section is what one test found.
type section struct {
	title string
	rows  [][3]string
}

// aim is what a figure is to be; its zero value is none.
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
		fmt.Fprintln(table, "  WHAT\tFIGURE\tAIM")
		for _, row := range s.rows {
			fmt.Fprintf(table, "  %s\t%s\t%s\n", row[0], row[1], row[2])
		}
		table.Flush()
	}
}
