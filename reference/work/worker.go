// Package work runs the jobs of the store: it settles payments and delivers webhooks.
package work

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pixcert/pixcert/reference/store"
)

// Config says how a worker works. Only Store is required.
type Config struct {
	Store  *store.Store
	Logger *slog.Logger  // nil: nothing is logged
	Retain time.Duration // how long finished payments and the log of deliveries are kept; 0: forever

	UserAgent   string                                                    // of deliveries; empty: pixcert-reference
	TLS         *tls.Config                                               // how receivers are verified; nil: by the system's roots
	DialControl func(network, address string, conn syscall.RawConn) error // judges each resolved address; nil: all are allowed
	Resolver    *net.Resolver                                             // of names; nil: the system's
	Wrap        func(http.RoundTripper) http.RoundTripper                 // sits between deliveries and the wire; may be nil
}

// Time limits. A URL has one courier at a time, so that it delays only itself. If more URLs have work than
// may be served at once, the one that has waited longest is served first, and couriers return after one
// batch.
const (
	DeliveryTimeout = 10 * time.Second    // of one attempt
	leaseTime       = 2 * DeliveryTimeout // outlives the time limit: what is leased is sent at once
	retryAfterFault = time.Second         // when the store itself fails
	recallGrace     = time.Second         // for deliveries that are under way at an interrupt
)

// ErrClosed is the error of a worker that is closed.
var ErrClosed = errors.New("the worker is closed")

// Worker settles and delivers from Start to Close. It sleeps until a commit wakes it or
// the next job is due.
type Worker struct {
	store    *store.Store
	log      *slog.Logger
	retain   time.Duration
	sender   *sender
	progress signal

	shares     *shares
	returned   chan int64         // webhooks whose courier came back
	out        map[int64]*courier // by webhook; the loop's own
	crowded    atomic.Bool        // a webhook waits for a courier to return
	recalling  atomic.Bool        // couriers send nothing more
	interrupts chan func()
	stop       context.CancelFunc
	stopped    chan struct{}
	background sync.WaitGroup // couriers, and what removes old data
}

// Start starts a worker. It must be closed before its store is.
func Start(cfg Config) *Worker {
	ctx, stop := context.WithCancel(context.Background())
	w := &Worker{
		store:      cfg.Store,
		log:        cfg.Logger,
		retain:     cfg.Retain,
		sender:     newSender(cfg),
		progress:   signal{next: make(chan struct{})},
		shares:     newShares(),
		returned:   make(chan int64),
		out:        make(map[int64]*courier),
		interrupts: make(chan func()),
		stop:       stop,
		stopped:    make(chan struct{}),
	}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	go w.run(ctx)
	return w
}

// Close stops the worker and waits for it. A delivery that is under way is broken off and stays due: the
// next worker repeats it, with the same webhook-id.
func (w *Worker) Close() {
	w.stop()
	<-w.stopped
}

// RunDue waits until nothing is due for the account, or until the context ends.
func (w *Worker) RunDue(ctx context.Context, accountID int64) error {
	for {
		progress := w.progress.wait() // taken before the look, so that nothing is missed
		due, err := w.store.HasDue(ctx, accountID)
		if err != nil || !due {
			return err
		}
		select {
		case <-progress:
		case <-w.stopped:
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Interrupt calls do while the worker does nothing. It waits for deliveries that are under way, and
// breaks off those that take longer than a second, which stay due.
func (w *Worker) Interrupt(ctx context.Context, do func(context.Context) error) error {
	var err error
	done := make(chan struct{})
	select {
	case w.interrupts <- func() { defer close(done); err = do(ctx) }:
		<-done
		return err
	case <-w.stopped:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Send makes one attempt to deliver, at once, with the same guard and time limit as any other. It does not
// store the result.
func (w *Worker) Send(ctx context.Context, d store.Delivery) store.Attempt {
	ctx, cancel := context.WithTimeout(ctx, DeliveryTimeout)
	defer cancel()
	return w.sender.send(ctx, d)
}

func (w *Worker) run(ctx context.Context) {
	defer close(w.stopped)
	defer w.sender.close()
	for ctx.Err() == nil {
		w.runUntilInterrupt(ctx)()
		w.progress.broadcast()
	}
}

// runUntilInterrupt works until ctx ends or Interrupt is called. It returns what to call while nothing
// is under way.
func (w *Worker) runUntilInterrupt(ctx context.Context) func() {
	ctx, breakOff := context.WithCancel(ctx)
	defer w.recallCouriers(ctx, breakOff)
	if w.retain > 0 {
		w.background.Go(func() { w.prune(ctx, w.retain) })
	}
	for ctx.Err() == nil {
		next, err := w.round(ctx)
		if err != nil && ctx.Err() == nil {
			w.log.Error("work is put off", "error", err)
			next = time.Now().Add(retryAfterFault)
		}
		if interrupt := w.rest(ctx, next); interrupt != nil {
			return interrupt
		}
		w.progress.broadcast()
	}
	return func() {}
}

// recallCouriers waits until no delivery is under way.
func (w *Worker) recallCouriers(ctx context.Context, breakOff func()) {
	w.recalling.Store(true)
	defer w.recalling.Store(false)
	grace := time.NewTimer(recallGrace)
	defer grace.Stop()
	for len(w.out) > 0 && ctx.Err() == nil {
		select {
		case webhookID := <-w.returned:
			delete(w.out, webhookID)
		case <-grace.C:
			breakOff()
		case <-ctx.Done():
		}
	}
	breakOff()
	w.background.Wait()
	clear(w.out)
}

// round does one batch of tasks and starts couriers. It returns the time of the next job.
func (w *Worker) round(ctx context.Context) (next time.Time, err error) {
	task, err := w.do(ctx)
	if err != nil {
		return time.Time{}, err
	}
	delivery, err := w.deliver(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return earlier(task, delivery), nil
}

// never is later than anything that is due.
var never = time.Unix(1<<40, 0)

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// rest waits for a commit, a courier, the time at which something is due, or an interrupt, which it
// returns.
func (w *Worker) rest(ctx context.Context, next time.Time) (interrupt func()) {
	var due <-chan time.Time
	if next != never {
		timer := time.NewTimer(time.Until(next))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case interrupt := <-w.interrupts:
		return interrupt
	case <-w.store.Wake():
	case webhookID := <-w.returned:
		delete(w.out, webhookID)
	case <-due:
	case <-ctx.Done():
	}
	for { // the others that came back, who may be many at once
		select {
		case webhookID := <-w.returned:
			delete(w.out, webhookID)
		default:
			return nil
		}
	}
}

// do runs one batch of due jobs other than deliveries. It returns when to look again.
func (w *Worker) do(ctx context.Context) (next time.Time, err error) {
	due, any, err := w.store.NextDue(ctx)
	if err != nil {
		return time.Time{}, err
	}
	if !any {
		return never, nil
	}
	if due.After(time.Now()) {
		return due, nil
	}
	done, err := w.store.DoDue(ctx)
	for _, job := range done {
		if job.Err != nil {
			w.log.Error("job could not be done, it is tried again", "job", job.Kind,
				"account", job.AccountID, "payment", job.PaymentID, "charge", job.ChargeID, "error", job.Err)
		}
	}
	return time.Now(), err // perhaps there are more; look after the couriers first
}

// deliver starts a courier for every URL that has something due and has none. It returns when the next
// delivery is due.
func (w *Worker) deliver(ctx context.Context) (next time.Time, err error) {
	backlogs, err := w.store.Backlogs(ctx)
	if err != nil {
		return time.Time{}, err
	}
	now := time.Now()
	crowded := false
	defer func() { w.crowded.Store(crowded) }()
	for _, backlog := range backlogs {
		courier, out := w.out[backlog.WebhookID]
		switch {
		case backlog.Due.After(now): // so are the others
			return backlog.Due, nil
		case out: // its return wakes the loop
			courier.nudge()
		default:
			courier := newCourier(w, backlog)
			granted := w.shares.take(courier.holder)
			if granted == 0 { // what comes back wakes the loop
				crowded = true
				return never, nil
			}
			w.out[backlog.WebhookID] = courier
			w.background.Go(func() {
				courier.run(ctx, granted)
				select {
				case w.returned <- courier.webhook:
				case <-ctx.Done(): // nobody waits for it
				}
			})
		}
	}
	return never, nil
}

// signal tells any number of waiters that something has changed.
type signal struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait gives a channel that the next broadcast closes.
func (b *signal) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next
}

func (b *signal) broadcast() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}
