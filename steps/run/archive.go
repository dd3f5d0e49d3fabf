package run

import (
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A run keeps the exchanges of every scenario that does not pass until its report is written. If
// everything fails, they could exceed the memory of the machine, so that their size is bounded.
const (
	keptWhole = 4 << 20 // up to so many bytes, scenarios keep all of their exchanges
	keptAtAll = 5 << 20 // beyond that, only the exchange that their finding is about
)

// archive counts the bytes of evidence that a run keeps.
type archive struct {
	mu   sync.Mutex
	size int
}

// trim drops the exchanges of a scenario for which the run has no room.
func (a *archive) trim(s *verdict.Scenario) {
	a.mu.Lock()
	defer a.mu.Unlock()
	size := exchange.SizeOf(s.Exchanges)
	if a.size+size > keptWhole {
		verdict.KeepExchange(s, s.Subject())
		if size = exchange.SizeOf(s.Exchanges); a.size+size > keptAtAll {
			verdict.KeepExchange(s, nil)
			size = 0
		}
	}
	a.size += size
}
