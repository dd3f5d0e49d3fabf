package work

import "sync"

// Bounds of what is under way at once. A URL that does not answer holds each of its
// deliveries for DeliveryTimeout, so what it may hold is little until it has answered,
// and never what the others need:
//
//   - one delivery to each URL goes out whatever else is under way;
//   - more to a URL come out of a pool, an eighth of what is left of it at most, so that
//     something is always left;
//   - half of the pool is for URLs that answer.
const (
	maxURLs      = 2048 // with a delivery under way
	maxMore      = 1024 // deliveries beyond the first of each URL: the pool
	maxOfAccount = 128  // of the pool
	maxOfURL     = 32   // deliveries to one URL
	newWindow    = 2    // of a URL that has not answered yet
)

// shares gives each URL its part of what may be under way. A URL has a window: as many
// deliveries as it may have under way by what it did so far. It grows by one with each
// answer and is halved by each delivery that goes unanswered.
type shares struct {
	mu       sync.Mutex
	urls     int           // with a delivery under way
	more     int           // taken out of the pool
	accounts map[int64]int // likewise, by account
	windows  map[int64]int // by webhook; those that are not newWindow
}

func newShares() *shares {
	return &shares{accounts: make(map[int64]int), windows: make(map[int64]int)}
}

// holder is a URL with what it has under way.
type holder struct {
	webhook, account int64
	out              int
}

// take says how many more deliveries may go out to a URL. None means that it must wait
// until some of its own, or of others, have come back.
func (s *shares) take(h holder) (granted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.out == 0 {
		if s.urls == maxURLs {
			return 0
		}
		s.urls++
		granted = 1
	}
	window := s.window(h.webhook)
	pool := maxMore - s.more
	if window == newWindow {
		pool -= maxMore / 2
	}
	more := max(0, min(window-h.out-granted, (pool+7)/8, maxOfAccount-s.accounts[h.account]))
	s.more += more
	s.accounts[h.account] += more
	return granted + more
}

// give takes n deliveries back that h counts among those that are out.
func (s *shares) give(h holder, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n == h.out && n > 0 {
		s.urls--
		n--
	}
	s.more -= n
	if s.accounts[h.account] -= n; s.accounts[h.account] == 0 {
		delete(s.accounts, h.account)
	}
}

// answered notes whether a URL answered a delivery.
func (s *shares) answered(webhook int64, did bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	window := s.window(webhook) + 1
	if !did {
		window /= 2
	}
	if s.windows[webhook] = min(window, maxOfURL); window <= newWindow {
		delete(s.windows, webhook)
	}
}

// roomy says whether a URL may have most of its window under way still: it does not pay
// to look for single deliveries.
func (s *shares) roomy(h holder) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return h.out <= s.window(h.webhook)/2
}

func (s *shares) window(webhook int64) int {
	if window, known := s.windows[webhook]; known {
		return window
	}
	return newWindow
}
