// Package progress shows a run to the person who waits for it: on a terminal a
// line that follows the run, elsewhere plain lines for a log. What a target sent
// never reaches the terminal as anything but text.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Progress is told what happens during a run, Plan first and Done last; before all that,
// Waiting may say what the run waits for. Note tells what a person should know before the
// scenarios run.
// Started and Finished may be called from several goroutines.
type Progress interface {
	Waiting(what string)
	Plan(p Plan)
	Note(text string)
	Started(rule, scenario string)
	Finished(s verdict.Scenario)
	Done(run *verdict.Run, reportDir string)
}

// Plan is what is known before anything is sent.
type Plan struct {
	Target, RunID              string
	Seed                       int64
	Concurrency                int
	Selection                  string // empty for everything
	Features, Rules, Scenarios int
	Families                   []string // that are claimed; none for all
	Reach                      verdict.Reach
	Unlocks                    []verdict.Unlock
}

// Options say what is written to.
type Options struct {
	Terminal bool             // a line may be drawn again
	Colour   bool             // ANSI colours are understood
	Width    int              // columns; 0 for 80
	Now      func() time.Time // nil for time.Now
	Report   string           // directory of the report, for commands to copy; empty for the default
}

// Detect finds the options that suit f. A dumb terminal (TERM) is written to as
// a file is, and NO_COLOR, when it is not empty, takes the colours away.
func Detect(f *os.File, getenv func(string) string) Options {
	if !term.IsTerminal(f.Fd()) {
		return Options{}
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil {
		width = 0
	}
	return wished(width, getenv)
}

// wished is how the owner of a terminal wants it used.
func wished(width int, getenv func(string) string) Options {
	if getenv("TERM") == "dumb" {
		return Options{}
	}
	return Options{Terminal: true, Colour: getenv("NO_COLOR") == "", Width: width}
}

// New makes a Progress that writes to w. What w refuses is lost: a closed pipe
// must not end a run.
func New(w io.Writer, opts Options) Progress {
	if opts.Width <= 0 {
		opts.Width = 80
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	p := &progress{w: w, paint: paint(opts.Colour), report: opts.Report, now: opts.Now, counts: verdict.Counts{}}
	if opts.Terminal {
		p.live = &line{w: w, width: opts.Width}
	}
	return p
}

type progress struct {
	w      io.Writer
	paint  paint
	report string
	now    func() time.Time

	mu        sync.Mutex
	live      *line // nil where a line cannot be drawn again
	scenarios int
	began     time.Time
	running   []string // scenarios by "rule: name", the latest last
	counts    verdict.Counts
	faults    int // shown as they happened, or counted beyond that
}

func (p *progress) Waiting(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "Waiting for %s; Ctrl-C ends the wait\n", exchange.Line(what))
}

func (p *progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, "Note: %s\n", exchange.Line(text))
}

func (p *progress) Plan(plan Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scenarios, p.began = plan.Scenarios, p.now()
	fmt.Fprint(p.w, p.paint.plan(plan))
}

func (p *progress) Started(rule, scenario string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = append(p.running, exchange.Line(rule+": "+scenario))
	p.draw()
}

// faultsShown bounds what is said while a run goes on: where everything fails,
// the first faults tell as much as all.
const faultsShown = 25

func (p *progress) Finished(s verdict.Scenario) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended(exchange.Line(s.Rule + ": " + s.Name))
	before := p.counts.Total()
	if s.Via == "" { // else it is beside the scenarios that were planned
		p.counts[s.Verdict]++
	}
	if s.Verdict == verdict.Fail || s.Verdict == verdict.SuiteError {
		p.faults++
		switch {
		case p.faults <= faultsShown:
			p.say(p.paint.fault(s, p.report))
		case p.faults == faultsShown+1:
			p.say("further failures are counted here and shown in the report\n")
		}
	}
	if p.live == nil {
		p.tenth(before)
	}
	p.draw()
}

func (p *progress) Done(run *verdict.Run, reportDir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say(p.paint.summary(run, reportDir))
}

func (p *progress) ended(scenario string) {
	for i, running := range p.running {
		if running == scenario {
			p.running = append(p.running[:i], p.running[i+1:]...)
			return
		}
	}
}

// say writes text in the place of the live line, which is drawn again below
// with the next event.
func (p *progress) say(text string) {
	if p.live != nil {
		p.live.clear()
	}
	fmt.Fprint(p.w, text)
}

// tenth writes a line whenever another tenth of the scenarios has ended.
func (p *progress) tenth(before int) {
	done := p.counts.Total()
	if p.scenarios == 0 || done*10/p.scenarios == before*10/p.scenarios {
		return
	}
	fmt.Fprintf(p.w, "%3d %%  %d of %d scenarios: %s\n", done*100/p.scenarios, done, p.scenarios, p.counts)
}

func (p *progress) draw() {
	if p.live == nil {
		return
	}
	current := ""
	if len(p.running) > 0 {
		current = p.running[len(p.running)-1]
	}
	p.live.draw(p.now(), func() string {
		return p.paint.state(p.counts, p.scenarios, p.now().Sub(p.began), current)
	})
}
