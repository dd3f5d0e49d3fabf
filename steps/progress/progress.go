// Package progress shows a run while it is running: a live line on a terminal, plain lines in
// a log. Whatever a target sent is printed as inert text.
package progress

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Progress receives the events of a run: Plan first, Done last. Waiting may precede Plan, or come
// between scenarios, and says what the run is waiting for. Note is for what the user should know before the run ends. Again ends an attempt at a scenario that is to run again, and says whether it has failed so far. Started, Again
// and Finished may be called from several goroutines.
type Progress interface {
	Waiting(what string)
	Plan(p Plan)
	Note(text string)
	Started(rule, scenario string)
	Again(rule, scenario string, failing bool)
	Finished(s verdict.Scenario)
	Done(run *verdict.Run, reportDir string)
}

// Plan is what is known before anything is sent.
type Plan struct {
	verdict.Subject
	verdict.Settings
	RunID                      string
	Features, Rules, Scenarios int
	Accounts                   int      // of the profile, each of which one scenario at a time uses; 0 if they are created
	Own                        int      // of the rules, those of the user
	Found                      int      // of the rules, those that are findings of exploring
	OwnDirectory               string   // with their features
	Families                   []string // that the profile claims; none for all
	Reach                      verdict.Reach
	Unlocks                    []verdict.Unlock
	Money                      func(translation.Language) string // what the run spends, in words; nil or empty for nothing
}

// Options describe the output.
type Options struct {
	Terminal bool             // a line can be redrawn
	Colour   bool             // ANSI colours work
	Width    int              // columns; 0 for 80
	Height   int              // rows of the terminal; 0 if there is none
	Now      func() time.Time // nil for time.Now
	Report   string           // directory of the report, for printed commands; empty for the default
	Quiet    bool             // print only notes, the first line of each failure, and the outcome
	Quick    bool             // if the target is slow, the run has one scenario of each rule

	Language translation.Language
	Titles   map[string]string // of rules in the language, by name; otherwise they are English
}

// Detect returns the options for f. A dumb terminal (TERM) is treated as a file. NO_COLOR, if
// not empty, disables colours.
func Detect(f *os.File, getenv func(string) string) Options {
	if !term.IsTerminal(f.Fd()) {
		return Options{}
	}
	width, height, err := term.GetSize(f.Fd())
	if err != nil {
		width, height = 0, 0
	}
	return optionsFor(width, height, getenv)
}

func optionsFor(width, height int, getenv func(string) string) Options {
	if getenv("TERM") == "dumb" {
		return Options{}
	}
	return Options{Terminal: true, Colour: getenv("NO_COLOR") == "", Width: width, Height: height}
}

// New returns a Progress that writes to w. Write errors are ignored: a closed pipe must not
// end a run.
func New(w io.Writer, opts Options) Progress {
	opts = opts.withDefaults()
	p := &progress{w: w, quiet: opts.Quiet, quick: opts.Quick, paint: newPaint(opts), screen: screen{opts.Width, opts.Height}, reportDir: opts.Report, now: opts.Now, counts: verdict.Counts{}, failing: map[string]bool{}}
	if opts.Terminal && !opts.Quiet {
		p.live = &line{w: w, width: opts.Width}
	}
	return p
}

func (o Options) withDefaults() Options {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

type progress struct {
	w         io.Writer
	paint     paint
	quiet     bool
	quick     bool
	screen    screen
	reportDir string
	now       func() time.Time

	mu        sync.Mutex
	live      *line // nil if a line cannot be redrawn
	scenarios int
	began     time.Time
	printed   time.Time       // the last line about progress
	running   []string        // scenarios as "rule: name", the latest last
	counts    verdict.Counts  // of scenarios that ran
	failing   map[string]bool // scenarios that failed and are not finished
	remaining remaining
}

func (p *progress) Waiting(what string) {
	p.mu.Lock()
	isShown := p.live != nil && len(p.running) > 0 // by the line about what runs
	p.mu.Unlock()
	if isShown {
		return
	}
	p.print(p.paint.in.Sayf("Waiting for %s (Ctrl-C to stop)", exchange.Line(p.paint.in.Recorded(what))) + "\n")
}

// Note also prints what a quiet run prints: why it is slow, or why something could not be tested.
func (p *progress) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.say(p.paint.in.Say("Note") + ": " + exchange.Line(p.paint.in.Recorded(text)) + "\n")
}

func (p *progress) print(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quiet {
		p.say(text)
	}
}

func (p *progress) Plan(plan Plan) {
	p.print(p.paint.plan(plan))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scenarios, p.began = plan.Scenarios, p.now()
	p.remaining = remaining{scenarios: plan.Scenarios}
	if p.quick {
		p.remaining.least = plan.Reach.Whole + plan.Reach.Part
	}
}

func (p *progress) Started(rule, scenario string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = append(p.running, exchange.Line(rule+": "+scenario))
	p.draw()
}

func (p *progress) Again(rule, scenario string, failing bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := exchange.Line(rule + ": " + scenario)
	p.ended(name)
	if failing {
		p.failing[name] = true
	}
	p.draw()
}

func (p *progress) Finished(s verdict.Scenario) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := exchange.Line(s.Rule + ": " + s.Name)
	p.ended(name)
	delete(p.failing, name)
	before := p.remaining.percent()
	if s.Via == "" && p.remaining.finished(s) { // otherwise it is in addition to the planned scenarios
		p.counts[s.Verdict]++
	}
	if p.live == nil && !p.quiet {
		p.tenth(before)
	}
	p.draw()
}

func (p *progress) Done(run *verdict.Run, reportDir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet {
		p.say(p.paint.quiet(run))
		return
	}
	p.say(p.paint.summary(run, reportDir, p.screen))
}

func (p *progress) ended(scenario string) {
	if i := slices.Index(p.running, scenario); i >= 0 {
		p.running = slices.Delete(p.running, i, i+1)
	}
}

// say prints text in place of the live line, which the next event redraws below.
func (p *progress) say(text string) {
	if p.live != nil {
		p.live.clear()
	}
	fmt.Fprint(p.w, text)
}

// linesApart is the least time between two lines about a run's progress, so that short runs have few.
const linesApart = 5 * time.Second

// tenth prints a line for the first tenth of the scenarios that run, for others if the last line was long ago, and for all
// of them.
func (p *progress) tenth(before int) {
	now := p.remaining.percent()
	switch {
	case now/10 == before/10, now < 100 && p.now().Sub(p.printed) < linesApart:
		return
	case now == 100 && p.quick: // or more run
		return
	}
	p.printed = p.now()
	more := ""
	if n := len(p.failing); n > 0 {
		more = p.paint.in.SayN(n, "; %d failing so far", "; %d failing so far", n)
	}
	if d := p.remaining.time(p.now().Sub(p.began)); d > 0 {
		more += "; " + p.paint.left(d)
	}
	said := p.paint.in.Sayf("%d of %d scenarios: %s", p.remaining.ran, p.remaining.runnable(), p.counts.In(p.paint.in))
	fmt.Fprintf(p.w, "%3d %%  %s%s\n", now, said, more)
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
		took := p.now().Sub(p.began)
		return p.paint.state(p.counts, len(p.failing), p.remaining.runnable(), took, p.remaining.time(took), current)
	})
}
