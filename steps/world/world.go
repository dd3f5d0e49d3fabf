// Package world carries out one scenario: it acts on the target, makes the requests that the judge
// needs, and records everything. The judge decides whether a step holds.
package world

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Stage is what the scenarios of a run share.
type Stage struct {
	Target    *target.Target
	Sink      *sink.Sink
	Authority *certs.Authority
	Secrets   *exchange.Redactor
	Terms     *record.Terms
	Zone      *time.Location
	RunID     string
	Seed      int64                   // of the data of valid requests; 0 for the plainest
	Strength  int                     // of the choices that a step combines, so many occur together in every way; 0 for two
	Usable    map[target.Control]bool // controls, on the accounts that scenarios run on
	Claims    func(target.Family) bool
	Shapes    language.Shapes
	Load      *Load        // of scenarios on the target; nil for no limit
	Strangers atomic.Int64 // webhooks that name nothing that the run has sent
	Behavior
	Listeners

	counter atomic.Int64
	said    sync.Map // notes that were shown already
	budget  budget
}

// Behavior is how the target behaves, as far as the run has found out.
type Behavior struct {
	CatchUp   time.Duration // by which replicas show what was done, unless they lag for longer
	Lag       time.Duration // of balances and lists, as measured
	Unseen    time.Duration // a shorter lag could not be measured
	Latencies Latencies     // of its webhooks
	Responses Responses     // to API requests and controls
	Limited   atomic.Bool   // accounts have limits by default: lift them

	waits    lookWaits
	patience atomic.Int64 // for an event, in nanoseconds, as late ones have shown; 0 for the profile's deadline
	resends  sharedLimit
}

// MostLag is for how long a replica may lag, which may be longer than what was measured.
func (b *Behavior) MostLag() time.Duration { return record.Safety * b.Lag }

// Listeners get what happens in the scenarios. Each may be nil.
type Listeners struct {
	Recorder  func(scenario string, e exchange.Exchange) // each exchange
	Waiting   func(what string)                          // what takes long
	Note      func(text string)                          // what the user should know
	Unreached func()                                     // no awaited webhook arrived
}

// budget counts the looks that may be in vain, which a run bounds. The zero value is ready to use.
type budget struct {
	unreported atomic.Int64 // scenarios that waited at their end, in vain, for events
	watched    watchBudget
}

// once reports whether this is the first time in the run that something is to be said.
func (s *Stage) once(what string) bool {
	_, said := s.said.LoadOrStore(what, true)
	return !said
}

// Fresh is a text that no other scenario and no other run uses, and that is in none of the others: an event
// at a URL of several scenarios is known by the ids in it.
func (s *Stage) Fresh(prefix string) string {
	return fmt.Sprintf("%s-%s-%06d", prefix, s.RunID, s.counter.Add(1))
}

// ownURLs is what the URLs of new accounts begin with; empty if the profile gives paths, which are used again.
func (s *Stage) ownURLs() string {
	if s.Sink == nil || len(s.Target.Profile.Sink.Paths) > 0 {
		return ""
	}
	return s.Sink.URL(sink.Event{Path: "/w/" + s.RunID + "/"})
}

// Script is a scenario to carry out, as it was planned.
type Script struct {
	Rule, Name  string
	Steps       []language.Step
	Reads       map[int]bool   // steps that need the balance from before them
	Staged      bool           // the target's sandbox settles its payments
	Sandbox     map[int]string // if Staged, the outcome of a step's payment
	JudgesMoney bool
	Throttled   bool // it is about how many requests are accepted in a minute
	SetsLimits  bool
	Touches     []Setting       // settings that it may change on an account of the profile
	Attempt     int             // from 0
	Proven      bool            // an earlier attempt has waited for what is missing, and failed: this one counts how often
	RealTime    bool            // it waits for minutes to pass instead of moving the clock: the target may count requests in real time
	Alone       *Alone          // nothing else is in flight; nil otherwise
	Sharing     bool            // others use its accounts at the same time
	Accounts    []*FixedAccount // of the profile, on which it runs
	Paths       []string        // of the sink, for its webhooks; nil for any
}

// World is one scenario as it is carried out. It belongs to one goroutine.
//
// Many methods: each is one part of carrying a scenario out.
type World struct {
	recorder
	Script

	actors      [2]*actor
	sent        map[int]*request // what sentences have sent, by the index of its exchange
	certificate *certificate     // "that certificate"
	added       []*certificate   // to accounts, in their order
	holder      holder           // of "that key"
	data        testData         // whom its requests name, and how
	ownLimit    money.Centavos
	unlimited   bool // its accounts have no limits
	staysOpen   bool

	beganUnexplained bool // the balance with which steps compare, which may only have lagged

	overdue time.Time // see Overdue
	silent  string    // see MetSilence

	silentRequest string
}

// New begins a scenario.
func New(stage *Stage, script Script) *World {
	var words []string
	for _, step := range script.Steps {
		words = append(words, step.Words())
	}
	data := drawData(stage.Seed, script.Rule+"/"+script.Name, script.Steps)
	return &World{
		recorder: recorder{
			Stage: stage, Judge: judge.New(script.Rule, script.Steps, stage.terms()),
			Record: &record.Record{
				Rule: script.Rule, Name: script.Name, Attempt: script.Attempt, Started: time.Now(), Steps: words,
				Sharing: script.Sharing,
			},
			TimeLimit: stage.timeLimit(script),
			mail:      mail{load: stage.Load, sink: stage.Sink, free: script.Paths, arrived: make(chan struct{}, 1)},
		},
		Script: script, data: data, sent: map[int]*request{},
		holder: holder{freshEmail(stage), data.payee.document}, // until a step puts one into the directory
	}
}

// Do carries out a step and judges it. It also records why a step could not be carried out: a panic is
// the suite's fault, and when ctx ends, a request that is cut off says nothing about the target.
func (w *World) Do(ctx context.Context, i int) (r judge.Result) {
	w.step = i
	defer func() {
		if p := recover(); p != nil {
			w.stop(ctx, fmt.Errorf("panic: %v", p))
			r = w.Judge.Judge(i)
		}
	}()
	err := w.begin(ctx, i)
	if err == nil {
		err = act(ctx, w, w.Steps[i].Meaning)
	}
	w.stop(ctx, cmp.Or(err, ctx.Err())) // a request that is cut off is no error of the act
	if r = w.settle(ctx, i); r.Verdict != verdict.Pass && ctx.Err() != nil {
		w.stop(ctx, ctx.Err())
		r = w.Judge.Judge(i)
	}
	if w.beganUnexplained && r.Look != nil && r.Look.At == judge.Balance {
		switch r.Verdict {
		case verdict.Fail:
			r = w.unproven(r)
		case verdict.CouldNotTest:
			r.Spoiled = true
		}
	}
	if r.Verdict == verdict.Pass {
		watch(ctx, w, i)
	}
	w.note(record.Fact{Kind: record.Ended})
	return r
}

// begin records when a When begins, and reads the balance with which its sentences compare.
func (w *World) begin(ctx context.Context, i int) error {
	if language.StartsWhen(w.Steps, i) {
		w.note(record.Fact{Kind: record.WhenBegan, At: time.Now()})
	}
	if !w.Reads[i] {
		return nil
	}
	read := func(*judge.Look) error {
		_, err := w.the().balance(ctx, record.Before)
		return err
	}
	err := read(nil)
	if early := min(w.Unseen, w.Terms.Deadlines.Balance) - time.Since(w.acted); err == nil && early > 0 && w.Judge.MayBeStale(language.TheAccount) {
		if err = sleep(ctx, early); err == nil {
			err = read(nil)
		}
	}
	if err != nil {
		return err
	}
	return w.untilExplained(ctx, read)
}

// settle judges a step, and makes the requests that the judge needs, until the step holds or patience
// ends.
func (w *World) settle(ctx context.Context, i int) judge.Result {
	waits := map[string]*lookWait{}
	defer func() {
		for _, wait := range waits {
			wait.end(false)
		}
	}()
	for last := (*lookWait)(nil); ; {
		began := time.Now()
		w.collect()
		r := w.Judge.Judge(i)
		if r.Look == nil {
			if last != nil && r.Verdict == verdict.Pass {
				last.found()
			}
			return r
		}
		wait := waits[r.Look.Key()]
		again := wait != nil
		if !again {
			wait = w.waits.begin(r.Look.At)
			waits[r.Look.Key()] = wait
		}
		last = wait
		if r.Look.At == judge.Silence {
			r.Look.Patience = min(w.Latencies.silence(r.Look.Patience), max(r.Look.Patience, w.Terms.Deadlines.Webhook))
		}
		patience := r.Look.Patience
		r.Look.Patience = w.inPlace(r, wait)
		waited := time.Since(wait.began)
		left, pause, err := r.Look.Patience-waited, time.Duration(0), error(nil)
		switch isMail := r.Look.At == judge.Deliveries || r.Look.At == judge.Silence; {
		case !again:
		case left <= 0 && r.Look.At != judge.Silence && r.Verdict != "": // else nothing was judged yet: another list had the same query
			w.note(record.Fact{Kind: record.Waited, Text: r.Look.Key()})
			return w.vainly(r, wait, patience)
		case isMail:
			pause = min(time.Since(began), pollEvery) // under a flood of webhooks, judging takes at most half of the time
			err = sleep(ctx, min(pause, left))
		default:
			err = w.waitAgain(ctx, waited, left)
		}
		if err == nil {
			err = w.look(ctx, r.Look, left-pause)
		}
		if r.Look.At != judge.Deliveries {
			wait.hasLooked()
		}
		w.stop(ctx, err)
	}
}

// Leave ends the scenario and resets its accounts, whatever its result. A reset that fails is retried
// before the account's next scenario.
func (w *World) Leave(ctx context.Context) {
	w.step = len(w.Steps) // what is recorded from now on does not belong to the last step
	if w.Sharing {
		return
	}
	for _, t := range w.Judge.Attempts {
		if fixed := w.actors[t.Account].fixed; fixed != nil {
			fixed.await(t)
		}
	}
	if w.movesUntraceably() {
		for _, a := range w.Accounts {
			a.movedByOthers = true
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), PutBackTime)
	defer cancel()
	for _, a := range w.Accounts {
		_ = a.putBack(ctx, w.controls())
		a.acted = w.acted
	}
}

// Close closes the scenario's URLs and completes its record.
func (w *World) Close() {
	w.collect()
	for _, b := range w.mail.opened {
		if !w.staysOpen {
			b.Close()
		}
	}
	w.Strangers.Add(int64(w.Judge.Strangers(w.RunID)))
	w.Record.Took = time.Since(w.Record.Started)
}
