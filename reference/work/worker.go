// Package work carries out what the store has due: it settles payments and delivers
// webhooks.
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
	Logger *slog.Logger // nil: nothing is logged

	UserAgent   string                                                    // of deliveries; empty: pixcert-reference
	TLS         *tls.Config                                               // how receivers are verified; nil: by the system's roots
	DialControl func(network, address string, conn syscall.RawConn) error // judges each resolved address; nil: all are allowed
	Resolver    *net.Resolver                                             // of names; nil: the system's
	Wrap        func(http.RoundTripper) http.RoundTripper                 // sits between deliveries and the wire; may be nil
}

// Bounds of the work. A URL has one courier at a time, so that it can hold up nobody but
// itself; the one whose work has been due for longest comes first when more have work
// than may be under way, and couriers then return after one batch.
const (
	DeliveryTimeout = 10 * time.Second    // of one attempt
	leaseTime       = 2 * DeliveryTimeout // outlives the time limit: what is leased is sent at once
	retryAfterFault = time.Second         // when the store itself fails
)

// ErrClosed is the answer of a worker that was closed.
var ErrClosed = errors.New("the worker is closed")

// Worker settles and delivers from Start to Close. It sleeps until a commit wakes it or
// the next job is due.
type Worker struct {
	store    *store.Store
	log      *slog.Logger
	sender   *sender
	progress broadcast

	shares   *shares
	returned chan int64         // webhooks whose courier came back
	out      map[int64]*courier // by webhook; the loop's own
	crowded  atomic.Bool        // a webhook waits for a courier to return
	stop     context.CancelFunc
	stopped  chan struct{}
	couriers sync.WaitGroup
}

// Start starts a worker. It must be closed before its store is.
func Start(cfg Config) *Worker {
	ctx, stop := context.WithCancel(context.Background())
	w := &Worker{
		store:    cfg.Store,
		log:      cfg.Logger,
		sender:   newSender(cfg),
		progress: broadcast{next: make(chan struct{})},
		shares:   newShares(),
		returned: make(chan int64),
		out:      make(map[int64]*courier),
		stop:     stop,
		stopped:  make(chan struct{}),
	}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	go w.run(ctx)
	return w
}

// Close ends the work and waits for it. A delivery that is under way is broken off and
// stays due: the next worker makes it again, under the same webhook-id.
func (w *Worker) Close() {
	w.stop()
	<-w.stopped
}

// RunDue waits until nothing that is due for the account is left to do. It gives the
// context's error when that ends first.
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

// Send makes one attempt to deliver, at once and under the same guard and time limit as
// any other. What comes of it is not noted anywhere.
func (w *Worker) Send(ctx context.Context, d store.Delivery) store.Attempt {
	ctx, cancel := context.WithTimeout(ctx, DeliveryTimeout)
	defer cancel()
	return w.sender.send(ctx, d)
}

func (w *Worker) run(ctx context.Context) {
	defer close(w.stopped)
	defer w.sender.close()
	defer w.couriers.Wait()
	for ctx.Err() == nil {
		next, err := w.round(ctx)
		if err != nil && ctx.Err() == nil {
			w.log.Error("work is put off", "error", err)
			next = time.Now().Add(retryAfterFault)
		}
		w.rest(ctx, next)
		w.progress.tell()
	}
}

// round does one batch of tasks and sends couriers out, and says when there is more to do.
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

// rest waits for a commit, a courier or the time at which something is due.
func (w *Worker) rest(ctx context.Context, next time.Time) {
	var due <-chan time.Time
	if next != never {
		timer := time.NewTimer(time.Until(next))
		defer timer.Stop()
		due = timer.C
	}
	select {
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
			return
		}
	}
}

// do does one batch of what is due beside deliveries, and says when to look again.
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

// deliver sends a courier out for every URL that has something due and none on the way,
// and says when the next is due.
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
			w.couriers.Go(func() {
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

// broadcast tells any number of waiters that something has moved on.
type broadcast struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait gives a channel that the next tell closes.
func (b *broadcast) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next
}

func (b *broadcast) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}
