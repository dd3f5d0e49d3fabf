package run

import (
	"cmp"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// silent keeps the highest accepted cash-outs of each account without a webhook listener, to
// look them up at the end: no other had a higher fee, whether fees are fixed or a share.
type silent struct {
	kinds map[ledger.Kind]bool
	mu    sync.Mutex
	by    map[int][]ledger.Payment // by account, the highest first
}

// asked is how many are looked up per account: one that failed does not show the fee of the
// others.
const asked = 5

func newSilent(urls map[ledger.Kind]int) *silent {
	s := &silent{kinds: map[ledger.Kind]bool{}, by: map[int][]ledger.Payment{}}
	for _, kind := range []ledger.Kind{ledger.CashOut, ledger.QRCashOut} { // which the lists find
		s.kinds[kind] = urls[kind] == 0
	}
	return s
}

func (s *silent) note(p *Payment) {
	if !s.kinds[p.Kind] {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	highest := s.by[p.Account.Index]
	at, _ := slices.BinarySearchFunc(highest, p.Amount, func(q ledger.Payment, amount int64) int { return cmp.Compare(amount, q.Amount) })
	if at == asked {
		return
	}
	highest = slices.Insert(highest, at, ledger.Payment{ID: p.ID, Kind: p.Kind, Account: p.Account.Index, Amount: p.Amount, TransactionID: p.TransactionID})
	s.by[p.Account.Index] = highest[:min(len(highest), asked)]
}

func (s *silent) all() (all []ledger.Payment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, highest := range s.by {
		all = append(all, highest...)
	}
	return all
}
