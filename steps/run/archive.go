package run

import (
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A run keeps the exchanges of every scenario that does not pass until its report is
// written. Where everything fails that would be more than a machine has.
const (
	keptWhole = 4 << 20 // bytes of exchanges up to which scenarios keep all of theirs
	keptAtAll = 5 << 20 // and beyond that the one that their finding speaks of
)

// archive counts the evidence of a run.
type archive struct {
	mu   sync.Mutex
	size int
}

// take leaves of a scenario's exchanges what the run has room for; the scenario says how
// many are missing.
func (a *archive) take(s *verdict.Scenario) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := s.Exchanges
	size := bytesOf(all)
	if a.size+size > keptWhole {
		s.Exchanges = nil
		if f := s.Finding; f != nil && f.Exchange >= 0 && f.Exchange < len(all) {
			s.Exchanges = all[f.Exchange : f.Exchange+1 : f.Exchange+1]
		}
		if size = bytesOf(s.Exchanges); a.size+size > keptAtAll {
			s.Exchanges, size = nil, 0
		}
		renumber(s)
	}
	a.size += size
	s.LeftOut = len(all) - len(s.Exchanges)
}

// renumber lets what a scenario says of its exchanges speak of the one that is left.
func renumber(s *verdict.Scenario) {
	if s.Finding != nil {
		finding := *s.Finding
		finding.Exchange = len(s.Exchanges) - 1
		s.Finding = &finding
		if finding.Exchange < 0 {
			s.Right = nil // what it would stand beside is gone
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
