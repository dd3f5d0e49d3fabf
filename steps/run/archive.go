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

// trim drops the exchanges of a scenario for which the run has no room, and sets how many are
// missing.
func (a *archive) trim(s *verdict.Scenario) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := s.Exchanges
	size := bytesOf(all)
	if a.size+size > keptWhole {
		subject := s.Subject()
		s.Exchanges = nil
		if subject != nil {
			s.Exchanges = []exchange.Exchange{*subject}
		}
		if size = bytesOf(s.Exchanges); a.size+size > keptAtAll {
			s.Exchanges, size = nil, 0
		}
		renumber(s)
	}
	a.size += size
	s.LeftOut = len(all) - len(s.Exchanges)
}

// renumber makes the finding point to the one exchange that is left, if any.
func renumber(s *verdict.Scenario) {
	if s.Finding != nil {
		s.Finding = s.Finding.At(len(s.Exchanges) - 1)
		if s.Finding.Exchange < 0 {
			s.Right = nil // there is nothing left to compare it with
		}
	}
	for i := range s.Warnings {
		s.Warnings[i].Exchange = -1
	}
}

func bytesOf(exchanges []exchange.Exchange) int {
	size := 0
	for _, e := range exchanges {
		size += e.Size()
	}
	return size
}
