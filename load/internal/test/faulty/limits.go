package faulty

import (
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
)

// LimitFault is what a gateway does wrong about one of the limits of its accounts.
type LimitFault uint8

// Faults of limits.
const (
	Keeps     LimitFault = iota // none
	Ignores                     // a payment above the limit is accepted
	Restricts                   // a payment of a centavo less than the limit is refused
	Miscalls                    // a payment above the limit is refused with another code
	Takes                       // a payment above the limit is refused, and debited
	Races                       // the first payments do not count before each was compared with the limit
)

// racing is how many payments [Races] compares with the same sum. They wait for each other.
const racing = 3

// limits of one account: accepted payments count, without any day.
type limits struct {
	wrong LimitFault
	about string // the limit that wrong is about

	mu      sync.Mutex
	most    map[string]int64 // centavos, by the names of the control
	spent   int64
	arrived int
	gather  sync.WaitGroup
	moved   time.Duration // the account's clock, from the real one
}

func newLimits(wrong LimitFault, about string) *limits {
	l := &limits{wrong: wrong, about: about, most: map[string]int64{}}
	l.gather.Add(racing)
	return l
}

// set sets the limits that are given; null removes one.
func (l *limits) set(body []byte) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	gjson.ParseBytes(body).ForEach(func(name, value gjson.Result) bool {
		delete(l.most, name.Str)
		if value.Type == gjson.String {
			l.most[name.Str], err = data.ParseAmount(value.Str)
		}
		return err == nil
	})
	return err
}

func (l *limits) moveClock(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.moved = time.Until(now)
}

// admit counts a payment that the limits allow; others get the code of a limit.
func (l *limits) admit(amount int64) (code string, debited bool) {
	first := l.race()
	l.mu.Lock()
	defer l.mu.Unlock()
	spent := l.spent
	if first {
		spent = 0
	}
	for _, limit := range []struct {
		name, code string
		sum        int64
		applies    bool
	}{
		{"perTransaction", "PIX_TRANSACTION_LIMIT_EXCEEDED", amount, true},
		{"night", "PIX_NIGHT_LIMIT_EXCEEDED", amount, isNight(time.Now().Add(l.moved))},
		{"daily", "PIX_DAILY_LIMIT_EXCEEDED", spent + amount, true},
	} {
		most, limited := l.most[limit.name]
		wrong := l.wrong
		if limit.name != l.about {
			wrong = Keeps
		}
		if wrong == Restricts {
			most -= 2
		}
		switch {
		case !limited, !limit.applies, wrong == Ignores, limit.sum <= most:
		case wrong == Miscalls:
			return "PIX_INSUFFICIENT_BALANCE", false
		default:
			return limit.code, wrong == Takes
		}
	}
	l.spent += amount
	return "", true
}

// race lets the first payments wait for each other, and says whether this is one of them.
func (l *limits) race() (first bool) {
	l.mu.Lock()
	if _, limited := l.most[l.about]; limited && l.wrong == Races {
		l.arrived++
		first = l.arrived <= racing
	}
	l.mu.Unlock()
	if first {
		l.gather.Done()
		l.gather.Wait()
	}
	return first
}

// isNight says whether it is 20:00 to 06:00 in São Paulo, which has no daylight saving time.
func isNight(at time.Time) bool {
	hour := at.UTC().Add(-3 * time.Hour).Hour()
	return hour >= 20 || hour < 6
}
