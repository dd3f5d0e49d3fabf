// Package run is one run in this process: it connects the gateway, the ledger, the sink and
// the measurements, and looks up outcomes and balances at the end.
package run

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/sink"
)

// Run is one run in this process. It is safe for concurrent use.
//
// Prepare creates or selects the accounts, starts the webhook listener and opens the ledger.
// Then the run makes payments, until Close.
//
// Many methods: one for each operation that a script can make, and for each part of preparing and of closing.
type Run struct {
	config    Config
	source    *data.Source
	ledger    *ledger.Ledger
	generator *generator
	silences  silences
	started   time.Time

	accounts []*gateway.Account // of this instance
	controls *gateway.Controls  // nil: none
	offers   []string           // the names of the available controls
	sink     *sink.Sink         // nil: none
	network  Network
	payees   []data.Payee // of transfers
	monitor  *monitor

	drainUntil time.Time
	grace      struct { // for webhooks of payments that ended at the end of the drain time
		sync.Mutex
		until time.Time
	}
	troubles  errorCount          // of the final look-ups
	shortages errorCount          // that this machine ran out of something
	cut       func() bool         // the end was cut short
	preparing *semaphore.Weighted // its holder prepares the run, or closes it
	prepared  atomic.Bool
	failed    error // why Prepare did not succeed
	closed    bool

	intended sync.Map // of the next iteration, by virtual user: [Run.Intend]

	underWay atomic.Int64 // pending requests
	watched  atomic.Bool  // by an executor
	thrown   atomic.Int64 // iterations
	failures failures
	arrivals struct {
		sync.Mutex
		result.Arrivals
	}
}

// New creates a run without any side effect.
func New(c Config) (*Run, error) {
	if c.Instances == 0 {
		c.Instances = 1
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	source := data.NewSource(c.ID, uint16(c.Instance), c.Seed) // #nosec G115 -- see Config.Check
	source.Amounts(c.Least, c.Most)
	return &Run{config: c, source: source, preparing: semaphore.NewWeighted(1), cut: func() bool { return false }}, nil
}

// ID is the run id, as in the result.
func (r *Run) ID() string { return FormatRunID(r.config.ID) }

// Config is the run's configuration.
func (r *Run) Config() Config { return r.config }

// Prepare prepares the run, once: the first caller does it, with its own network, and the
// others wait. If it fails, it fails for all callers.
func (r *Run) Prepare(ctx context.Context, n Network) error {
	if r.prepared.Load() {
		return nil
	}
	// A caller that does not have to wait proceeds, even if its context is done.
	if !r.preparing.TryAcquire(1) && r.preparing.Acquire(ctx, 1) != nil {
		return fmt.Errorf("stopped waiting for the run to be prepared: %w", context.Cause(ctx))
	}
	defer r.preparing.Release(1)
	switch {
	case r.prepared.Load():
		return nil
	case r.failed != nil:
		return r.failed
	case r.closed:
		return fmt.Errorf("expected no calls after the end of the test")
	}
	r.failed = r.prepare(ctx, n)
	r.prepared.Store(r.failed == nil)
	return r.failed
}

// Prepared says whether the run is prepared.
func (r *Run) Prepared() bool { return r.prepared.Load() }

// Accounts are those of this instance.
func (r *Run) Accounts() []*gateway.Account { return r.accounts }

// Intention of an iteration that an executor begins.
type Intention struct {
	At    time.Time // when the schedule intended it
	Ready time.Time // when it could begin: due, and the virtual user free
	Begun time.Time
}

// Intend records when the schedule intended the iteration that a virtual user begins now, and when it was ready.
// Executors that know these times call it on the goroutine that runs the iteration.
func (r *Run) Intend(user uint64, at, ready time.Time) {
	slot, ok := r.intended.Load(user)
	if !ok {
		slot, _ = r.intended.LoadOrStore(user, new(Intention))
	}
	*slot.(*Intention) = Intention{at, ready, time.Now()}
}

// Intended reads and clears the intention of a user's iteration. It is false with executors that do not tell it, and
// in setup and teardown.
func (r *Run) Intended(user uint64) (Intention, bool) {
	slot, ok := r.intended.Load(user)
	if !ok {
		return Intention{}, false
	}
	next := *slot.(*Intention)
	*slot.(*Intention) = Intention{}
	return next, !next.At.IsZero()
}

// Lag records how late an iteration began.
func (r *Run) Lag(late time.Duration) { r.generator.record(r.generator.lag, late) }

// Waiting is how many payments wait for their webhook, including those without a conclusive response.
func (r *Run) Waiting() int64 {
	if !r.Prepared() {
		return 0
	}
	return max(int64(r.ledger.Pending())-r.underWay.Load(), 0)
}

// NoResponse is how many of them have no conclusive response: they may not have been accepted.
func (r *Run) NoResponse() (n int64) {
	for _, p := range r.ledger.Unresolved() {
		if p.Fate == ledger.NoResponse {
			n++
		}
	}
	return n
}
