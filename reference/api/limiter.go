package api

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// limited lets an account call an operation as often as its limit of requests per
// minute allows ("Rate limit"; the MED list has the same). A call beyond it is a 429
// that says in Retry-After when the next one will do. Calls that are refused for another
// reason count, those refused here do not.
func (a *api) limited(operation string, h accountHandler) accountHandler {
	return func(w http.ResponseWriter, r *http.Request, account pix.Account) error {
		limit := account.Limits.RequestsPerMinute
		if limit == nil {
			return h(w, r, account)
		}
		if wait := a.limiter.admit(caller{account.ID, operation, a.store.Generation()}, *limit, account.Now); wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
			return failure(http.StatusTooManyRequests, fmt.Sprintf("expected at most %d requests in a minute", *limit))
		}
		return h(w, r, account)
	}
}

// limiter remembers the calls of the last minute. It keeps callers in two generations
// and forgets the older one each minute, so that its size is bounded by what is called
// within two minutes. The zero value is ready.
type limiter struct {
	mu               sync.Mutex
	recent, previous map[caller]window
	turned           time.Time // real time at which the generations last changed
}

// caller is what a limit is counted for.
type caller struct {
	account    int64
	operation  string
	generation int64 // of the store: its limits start anew
}

// admit counts a call, or says how long to wait until one is let in. The clock is the
// account's; it is read under the lock, so that calls come in its order.
func (l *limiter) admit(c caller, limit int, clock func() time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.turned) >= windowLength {
		if now.Sub(l.turned) >= 2*windowLength {
			l.recent = nil
		}
		l.previous, l.recent, l.turned = l.recent, make(map[caller]window), now
	}
	calls, ok := l.recent[c]
	if !ok {
		calls = l.previous[c]
	}
	calls, wait = calls.admit(clock(), limit)
	l.recent[c] = calls
	return wait
}

const windowLength = time.Minute

// window is the times of the calls that were let in, the oldest first.
type window []time.Time

// admit gives the window that now ends, with now in it unless there is something to
// wait for. What lies ahead of now was called before the clock was set back: it does
// not count.
func (w window) admit(now time.Time, limit int) (window, time.Duration) {
	begin, end := 0, len(w)
	for begin < end && now.Sub(w[begin]) >= windowLength {
		begin++
	}
	for end > begin && w[end-1].After(now) {
		end--
	}
	w = w[begin:end]
	if len(w) < limit {
		return append(w, now), 0
	}
	if limit == 0 {
		return w, windowLength
	}
	return w, w[len(w)-limit].Add(windowLength).Sub(now)
}
