package work

import (
	"context"
	"sync"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// courier delivers what is due for one webhook, until nothing is due or other webhooks wait for a courier.
// If a receiver is slow to respond to one delivery, the others overtake it. While results are being stored, it
// goes on sending.
type courier struct {
	holder // with the number of deliveries under way
	worker *Worker
	more   chan struct{} // has a value when something may have become due

	answers  chan store.Attempted
	finished []store.Attempted // whose results are to be stored
	noting   bool              // results are being stored
	noted    chan bool         // whether they were
	rest     bool              // nothing is to be sent any more
}

func newCourier(w *Worker, b store.Backlog) *courier {
	return &courier{
		holder:  holder{webhook: b.WebhookID, account: b.AccountID},
		worker:  w,
		more:    make(chan struct{}, 1),
		answers: make(chan store.Attempted, maxOfURL),
		noted:   make(chan bool, 1),
	}
}

// nudge tells a running courier that something may have become due.
func (c *courier) nudge() {
	select {
	case c.more <- struct{}{}:
	default: // it has a signal already
	}
}

// run starts with the deliveries that were granted, and returns when none is under way and the results of all are
// stored. After an error of the store it returns only after a while, so that it is not replaced at once.
func (c *courier) run(ctx context.Context, granted int) {
	var sends sync.WaitGroup
	defer sends.Wait()
	var fault, unnoted bool
	for look := true; ; {
		if len(c.finished) > 0 && !c.noting {
			c.note(ctx)
		}
		if granted == 0 && look && !c.rest && len(c.finished) < maxOfURL && !c.worker.recalling.Load() && c.worker.shares.roomy(c.holder) {
			granted = c.worker.shares.take(c.holder)
		}
		if granted > 0 {
			sent, err := c.sendDue(ctx, granted, &sends)
			fault = fault || err != nil
			look, granted = sent && err == nil, 0
		}
		if c.out == 0 && !c.noting {
			break
		}
		select {
		case <-c.more:
			look = true
		case answer := <-c.answers:
			c.gather(answer)
		case ok := <-c.noted:
			c.noting, unnoted = false, unnoted || !ok
		}
		c.rest = c.rest || fault || unnoted
	}
	switch {
	case unnoted:
		wait(ctx, leaseTime)
		c.voidLeases(ctx)
	case fault:
		wait(ctx, retryAfterFault)
	}
}

// sendDue sends as many due deliveries as were granted. It reports whether there may be more.
func (c *courier) sendDue(ctx context.Context, granted int, sends *sync.WaitGroup) (more bool, err error) {
	batch, err := c.worker.store.LeaseDeliveries(ctx, c.webhook, granted, leaseTime)
	c.out += granted
	c.release(granted - len(batch))
	if err != nil {
		if ctx.Err() == nil {
			c.worker.log.Error("webhooks are put off", "webhook", c.webhook, "error", err)
		}
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, DeliveryTimeout) // one for all, who begin together
	var under sync.WaitGroup
	for _, delivery := range batch {
		under.Go(func() { c.answers <- c.worker.attempt(ctx, limited, delivery) })
	}
	sends.Go(func() { under.Wait(); cancel() })
	c.rest = c.worker.crowded.Load()
	return len(batch) == granted, nil
}

// release returns what was granted and is finished or not needed.
func (c *courier) release(n int) {
	c.worker.shares.give(c.holder, n)
	c.out -= n
}

// gather takes the result of a delivery, and those of all others that have finished by now.
func (c *courier) gather(answer store.Attempted) {
	for {
		c.worker.shares.answered(c.webhook, answer.Status != 0)
		c.release(1)
		c.finished = append(c.finished, answer)
		select {
		case answer = <-c.answers:
		default:
			return
		}
	}
}

// note begins to store results.
func (c *courier) note(ctx context.Context) {
	results := c.finished
	c.finished, c.noting = nil, true
	go func() {
		err := c.worker.store.FinishDeliveries(context.WithoutCancel(ctx), results) // even when the worker is closed meanwhile
		if err != nil {
			c.worker.log.Error("results could not be stored; the deliveries are sent again", "webhook", c.webhook,
				"deliveries", len(results), "first", results[0].Delivery.MessageID, "error", err)
		}
		c.noted <- err == nil
	}()
}

// voidLeases makes deliveries whose result could not be stored due again.
func (c *courier) voidLeases(ctx context.Context) {
	for {
		err := c.worker.store.VoidLeases(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		c.worker.log.Error("deliveries that were not noted stay put off", "webhook", c.webhook, "error", err)
		wait(ctx, retryAfterFault)
	}
}

// attempt makes one attempt to deliver, within the time limit of limited. It does not count if the end of
// ctx broke it off.
func (w *Worker) attempt(ctx, limited context.Context, d store.Delivery) store.Attempted {
	attempt := w.sender.send(limited, d)
	broken := ctx.Err() != nil && !attempt.Delivered()
	if !broken && !attempt.Delivered() {
		w.log.Warn("delivery failed", "webhook-id", d.MessageID, "url", pix.ShownURL(d.URL),
			"attempt", d.Attempt, "status", attempt.Status, "failure", attempt.Failure)
	}
	return store.Attempted{Delivery: d, Attempt: attempt, BrokenOff: broken}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
