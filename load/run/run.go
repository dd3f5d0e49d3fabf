// Package run is one run in this process: it ties the gateway, the ledger, the sink and
// the measurements together, and closes the books at the end.
package run

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/load/data"
	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/ledger"
	"github.com/pixcert/pixcert/load/measure"
	"github.com/pixcert/pixcert/load/sink"
)

// Run is one run in this process. It is for any number of goroutines.
//
// It does nothing before Prepare, which makes or takes the accounts, listens for webhooks
// and opens the books. Then payments are made through it, until Close.
type Run struct {
	config   Config
	source   *data.Source
	ledger   *ledger.Ledger
	recorder *measure.Recorder
	started  time.Time

	accounts []*gateway.Account // of this instance
	controls *gateway.Controls  // nil: none
	offers   []string           // the names of those that there are
	sink     *sink.Sink         // nil: none
	network  Network
	payees   []data.Payee // whom transfers go to
	monitor  *monitor

	silent     *silent
	drainUntil time.Time
	grace      struct { // for webhooks of payments that ended as the drain time did
		sync.Mutex
		until time.Time
	}
	troubles struct {
		sync.Mutex
		count int
		first error
	}

	preparing chan struct{} // holds one: who has put it there makes the run ready, or closes it
	prepared  atomic.Bool
	failed    error // why Prepare did not succeed
	closed    bool

	intended sync.Map // of the next iteration, by virtual user: [Run.Intend]
	observed
}

// New makes a run that has touched nothing yet. A run id of 0 stands for a fresh one.
func New(c Config) (*Run, error) {
	if c.Instances == 0 {
		c.Instances = 1
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.ID == 0 {
		c.ID = data.NewRun()
	}
	source, err := c.source()
	if err != nil {
		return nil, err
	}
	return &Run{config: c, source: source, preparing: make(chan struct{}, 1)}, nil
}

// ID is the run id, as it is spelled in the result.
func (r *Run) ID() string { return FormatRunID(r.config.ID) }

// Config is what the run was told.
func (r *Run) Config() Config { return r.config }

// Prepare makes the run ready, once: whoever calls first does it, through the sender
// given, and the others wait. After it failed, it fails for everybody.
func (r *Run) Prepare(ctx context.Context, n Network) error {
	if r.prepared.Load() {
		return nil
	}
	select {
	case r.preparing <- struct{}{}: // whose turn it is tries, whatever its context says
	default:
		select {
		case r.preparing <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("waited for the gateway to be made ready: %w", context.Cause(ctx))
		}
	}
	defer func() { <-r.preparing }()
	switch {
	case r.prepared.Load():
		return nil
	case r.failed != nil:
		return r.failed
	case r.closed:
		return fmt.Errorf("expected calls before the end of the test, got one after it")
	}
	if r.failed = r.prepare(ctx, n); r.failed != nil {
		return r.failed
	}
	r.prepared.Store(true)
	return nil
}

// Prepared says whether there is something to close.
func (r *Run) Prepared() bool { return r.prepared.Load() }

// Accounts is how many accounts this instance has.
func (r *Run) Accounts() int { return len(r.accounts) }

// Account is the i-th account of this instance.
func (r *Run) Account(i int) *gateway.Account { return r.accounts[i] }

// Intend tells when the schedule wants the next iteration of a virtual user to start, for
// executors that know it better than k6's own say; and from when on it could, as it was due
// and the user was free. It is called on the goroutine that runs the iteration.
func (r *Run) Intend(user uint64, at, ready time.Time) {
	slot, ok := r.intended.Load(user)
	if !ok {
		slot, _ = r.intended.LoadOrStore(user, new(intention))
	}
	*slot.(*intention) = intention{at, ready}
}

// intention is of a virtual user's next iteration; zero: it was taken.
type intention struct{ at, ready time.Time }

// Intended takes what was told of a user's iteration.
func (r *Run) Intended(user uint64) (at, ready time.Time, ok bool) {
	slot, ok := r.intended.Load(user)
	if !ok {
		return time.Time{}, time.Time{}, false
	}
	next := slot.(*intention)
	at, ready = next.at, next.ready
	*next = intention{}
	return at, ready, !at.IsZero()
}

// Lag tells that an iteration began, which could have begun earlier.
func (r *Run) Lag(ready, begun time.Time) {
	r.recorder.ScheduleLag.Record(max(begun.Sub(ready), 0), begun)
}

// LastSecond is what happened in the last whole second.
func (r *Run) LastSecond(now time.Time) measure.Window { return r.recorder.LastSecond(now) }

// Live is the figures of the run so far.
func (r *Run) Live(now time.Time) (measure.Live, ledger.Counts) {
	return r.recorder.Live(now), r.ledger.Counts()
}

// Waiting is how many payments wait for their webhook: accepted ones, and those of which no
// answer told.
func (r *Run) Waiting() int64 {
	if !r.Prepared() {
		return 0
	}
	return max(int64(r.ledger.Pending())-r.underWay.Load(), 0)
}

// Unheard is how many of them no answer told of: the gateway may not have taken them.
func (r *Run) Unheard() (n int64) {
	for _, fate := range r.ledger.Unresolved() {
		if fate == ledger.Unheard {
			n++
		}
	}
	return n
}

// Backlog is Waiting, told to the recorder too.
func (r *Run) Backlog(now time.Time) int64 {
	n := r.Waiting()
	r.recorder.Backlog(n, now)
	return n
}
