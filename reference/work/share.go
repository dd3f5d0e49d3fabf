package work

import "sync"

// Limits of the deliveries under way. A URL that does not respond keeps each delivery for DeliveryTimeout,
// so it gets few until it has responded, and never what the others need:
//
//   - one delivery to each URL is always sent;
//   - further ones to a URL come from a pool, at most an eighth of what is left of it, so that something is
//     always left;
//   - half of the pool is for URLs that respond.
const (
	maxURLs      = 2048 // with a delivery under way
	maxMore      = 1024 // deliveries beyond the first of each URL: the pool
	maxOfAccount = 384  // of the pool: an event may have three URLs
	maxOfURL     = 128  // deliveries to one URL, which gets one such batch while the store commits another
	newWindow    = 2    // of a URL that has not answered yet
)

// shares divides the deliveries that may be under way among URLs. A URL has a window, the number that it
// may have under way: each response increases it by one, each delivery without a response halves it.
type shares struct {
	mu       sync.Mutex
	urls     int           // with a delivery under way
	more     int           // taken out of the pool
	accounts map[int64]int // taken out of the pool, by account
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

// take grants more deliveries to a URL. If it grants none, the URL must wait until deliveries, its own or
// others, have finished.
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

// give takes back n deliveries that h counts in out.
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

// answered records whether a URL responded to a delivery.
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

// roomy reports whether half of a URL's window is free: looking for single deliveries is not worth it.
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
