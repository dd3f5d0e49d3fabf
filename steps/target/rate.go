package target

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/pixcert/pixcert/steps/exchange"
)

// 429 means that a request was not processed because of those before it. The client slows down and sends it again:
// the rate falls to what the target has accepted lately, and then rises slowly (additive increase, multiplicative
// decrease). What the specification itself limits (resends, MED lists) is left to the scenarios: see
// Request.Limited.
const (
	ratedOver     = 2 * time.Second // in which accepted requests are counted
	slowerEvery   = 2 * time.Second // at most: 429s that come together count once
	fasterEvery   = 3 * time.Second
	faster        = 0.05                   // of the rate
	slower        = 0.9                    // times the rate
	slowest       = 0.5                    // requests a second
	mostResends   = 8                      // of one request; then 429 is what its operation answers
	longestDoubt  = 2 * time.Second        // pause after which a request that the specification limits is tried once more
	shortPause    = 250 * time.Millisecond // without Retry-After
	longestPause  = time.Minute            // that Retry-After may demand
	mostThrottled = 75 * time.Second       // without any accepted request; then 429 is what the target answers
)

// pacer limits the rate of requests to the API. The zero value limits nothing. It is safe for concurrent use.
type pacer struct {
	mu       sync.Mutex
	limiter  *rate.Limiter // nil for no limit
	most     rate.Limit    // the profile's; 0 for none
	accepted []time.Time   // within ratedOver
	changed  time.Time     // of the rate
	until    time.Time     // nothing is sent before
	since    time.Time     // the first 429 since the latest accepted request
	futile   bool          // the target returns 429 to everything
	refuses  map[string]bool
	refusal  []byte     // the latest 429 of an operation without a limit of its own: the same body elsewhere means the same
	bound    rate.Limit // somewhat less than a rate that was too high after it had risen; 0 if none was
	saidSlow bool
	saidRate bool
	queued   int
	waited   time.Duration // by all requests
	requests int
}

func newPacer(perSecond float64) *pacer {
	p := &pacer{most: rate.Limit(perSecond), refuses: map[string]bool{}}
	p.reset()
	return p
}

// reset limits the rate to the profile's.
func (p *pacer) reset() {
	p.limiter = nil
	if p.most > 0 {
		p.limiter = rate.NewLimiter(p.most, 1)
	}
}

// await waits until a request may be sent. Unlike the limiter's Wait it does not fail early if ctx would end first,
// because polling callers would retry at once.
func (p *pacer) await(ctx context.Context) error {
	p.mu.Lock()
	delay := time.Until(p.until)
	var turn *rate.Reservation
	if p.limiter != nil {
		turn = p.limiter.ReserveN(time.Now().Add(max(delay, 0)), 1)
		delay = max(delay, turn.Delay())
	}
	delay = max(delay, 0)
	p.requests++
	p.waited += delay
	if delay == 0 {
		p.mu.Unlock()
		return nil
	}
	p.queued++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.queued--
		p.mu.Unlock()
	}()
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		if turn != nil {
			turn.Cancel()
		}
		return ctx.Err()
	}
}

// again reports whether a request is to be sent again that got this response, after tries others. It learns from it.
func (p *pacer) again(r Request, e exchange.Exchange, tries int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if e.Status != http.StatusTooManyRequests {
		p.accept(r, e, now)
		return false
	}
	pause, demanded := RetryAfter(e.ResponseHeader, shortPause)
	isLearned := p.isLearned()
	if p.since.IsZero() {
		p.since = now
	}
	limited := r.Limited && (!isLearned || !bytes.Equal(e.ResponseBody, p.refusal))
	if !r.Limited {
		p.refusal = bytes.Clone(e.ResponseBody)
	}
	switch {
	case limited && (!isLearned || tries > 0 || pause > longestDoubt), p.refuses[r.Operation]:
		return false
	case demanded && pause > longestPause, now.Sub(p.since) > mostThrottled:
		p.futile = true
		p.reset()
	case tries >= mostResends:
		p.refuses[r.Operation] = true
		p.reset()
		return false
	}
	if p.futile {
		return false
	}
	if now.Sub(p.changed) > slowerEvery && !limited {
		p.slowDown(now)
	}
	if until := now.Add(pause); until.After(p.until) {
		p.until = until
	}
	return true
}

// isLearned reports whether the rate is limited by what the target accepts. The caller holds the lock.
func (p *pacer) isLearned() bool {
	return p.limiter != nil && (p.most == 0 || p.limiter.Limit() < p.most)
}

// accept notes a response other than 429. The caller holds the lock.
func (p *pacer) accept(r Request, e exchange.Exchange, now time.Time) {
	if NoResponse(e) || Unsent(e) {
		return
	}
	p.since, p.futile = time.Time{}, false
	delete(p.refuses, r.Operation)
	p.accepted = slices.DeleteFunc(append(p.accepted, now), func(at time.Time) bool { return now.Sub(at) > ratedOver })
	if p.isLearned() && now.Sub(p.changed) > fasterEvery {
		p.changed = now
		p.limiter.SetLimit(p.limiter.Limit() + max(slowest, faster*p.limiter.Limit()))
		if p.most > 0 && p.limiter.Limit() >= p.most {
			p.reset()
		}
	}
}

// slowDown limits the rate to somewhat less than the target has accepted lately. The caller holds the lock.
func (p *pacer) slowDown(now time.Time) {
	hasRisen := p.isLearned()
	p.changed = now
	recent := slices.DeleteFunc(slices.Clone(p.accepted), func(at time.Time) bool { return now.Sub(at) > ratedOver })
	limit := rate.Inf
	if len(recent) > 1 {
		limit = rate.Limit(float64(len(recent)) / max(now.Sub(recent[0]), time.Second).Seconds())
	}
	if p.limiter != nil {
		limit = min(limit, p.limiter.Limit())
	}
	if limit == rate.Inf {
		limit = 10
	}
	limit = max(slower*limit, slowest)
	if p.limiter == nil {
		p.limiter = rate.NewLimiter(limit, 1)
	}
	p.limiter.SetLimit(limit)
	if hasRisen {
		p.bound = limit
	}
}

// advice says, once, that the rate is limited by what the target accepts and, once it is known, what to set in the
// profile. Empty otherwise. A quick run ends before the rate is known. A shard knows only its share of the rate: the
// text says what this run sends, not what the target accepts.
func (p *pacer) advice() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bound == 0 {
		if p.saidSlow || !p.isLearned() {
			return ""
		}
		p.saidSlow = true
		return "the target returns 429, so pixcert sends fewer requests a second and repeats those"
	}
	if p.saidRate {
		return ""
	}
	p.saidSlow, p.saidRate = true, true
	limit := float64(p.bound)
	if limit > 1 {
		limit = math.Floor(limit)
	}
	return fmt.Sprintf("the target returns 429 if this run sends more than about %.3g requests a second, so pixcert sends fewer; set requestsPerSecond: %.3g in the profile to start at that rate",
		limit, limit)
}

// RetryAfter returns how long a response asks to wait before the next request; otherwise, if it does not say.
func RetryAfter(h http.Header, otherwise time.Duration) (pause time.Duration, demanded bool) {
	seconds, err := strconv.ParseFloat(h.Get("Retry-After"), 64)
	if err != nil || !(seconds >= 0) { // also not a number
		return otherwise, false
	}
	return time.Duration(min(seconds, 3600) * float64(time.Second)), true // before it overflows
}

// Queued returns how many requests wait for their turn because the rate is limited.
func (c *Client) Queued() int {
	c.pace.mu.Lock()
	defer c.pace.mu.Unlock()
	return c.pace.queued
}

// Rate returns how many requests a second the client sends to the API at most, by the profile or because the target
// accepts no more; 0 for no limit.
func (c *Client) Rate() float64 {
	c.pace.mu.Lock()
	defer c.pace.mu.Unlock()
	if c.pace.limiter == nil {
		return 0
	}
	return float64(c.pace.limiter.Limit())
}

// Wait returns how long a request to the API has waited for its turn, on average.
func (c *Client) Wait() time.Duration {
	c.pace.mu.Lock()
	defer c.pace.mu.Unlock()
	if c.pace.requests == 0 {
		return 0
	}
	return c.pace.waited / time.Duration(c.pace.requests)
}
