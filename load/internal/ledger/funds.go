package ledger

import (
	"fmt"
	"math"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Funds are what is certain of an account at a time: what its payments have moved, less what all that were sent by
// then may take at most. Payments sent later can take more; only what is credited later can add to it.
type Funds struct {
	at    time.Time
	moved balance
}

// creditLag is how long a credit may lag behind the webhook that reports it: money received, or returned
// by a payment that failed.
const creditLag = 3 * time.Second

// funds are those of an account at least creditLag ago, or at its opening.
func (l *Ledger) funds(account int, now time.Time) Funds {
	sampled := at(&l.funded, account) // zero: at the opening nothing was sent or moved
	if now.Sub(sampled[1].at) > creditLag {
		moved, sent := l.tally.moved(account)
		moved.Low, moved.Outgoing = moved.Low-sent.Low, moved.Outgoing-sent.Outgoing
		sampled[0], sampled[1] = sampled[1], Funds{now, moved}
	}
	return sampled[0]
}

// fees are what is known of the fees of confirmed outgoing payments.
type fees struct {
	known [kinds + 1]bool // by kind: whether one was seen
	share float64         // the highest, of the amount
}

func (f *fees) seen(e *entry) {
	if !e.incoming() && e.Fee >= 0 && e.Amount > 0 {
		f.known[e.Kind], f.share = true, max(f.share, float64(e.Fee)/float64(e.Amount))
	}
}

// short counts a payment that was refused for lack of money, if its account had enough: the opening balance, less
// everything that was blocked then, was debited since, or may have been debited until now, including this
// payment. Of each, the fee may have been the highest seen plus the highest share seen.
func (l *Ledger) short(h handle, f Funds) {
	a := l.accounts.at(h.Account)
	_, sent := l.tally.moved(a.Account)
	low, outgoing := f.moved.Low+sent.Low, f.moved.Outgoing+sent.Outgoing
	left := a.Opening - a.Leaving + f.moved.Certain + low - outgoing*l.maxFee - int64(math.Ceil(float64(-low)*l.fees.share))
	if h.incoming() || h.Repeated || !a.Opened || !l.fees.known[h.Kind] || left < 0 {
		return
	}
	l.tally.of(h.Origin).PaymentsRefusedWrongly++
	l.note(h, "payments_refused_wrongly", fmt.Sprintf("refused for lack of money: %s and its fee would have left at least %s", data.FormatAmount(h.Amount), data.FormatAmount(left)))
}
