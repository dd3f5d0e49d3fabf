package store

import (
	"context"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// A clock stays between these times, which every format of the API can write.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// SetClock sets an account's clock, which runs on from there. See AdvanceClock.
func (s *Store) SetClock(ctx context.Context, accountID int64, now time.Time) (pix.Account, error) {
	return s.moveClock(ctx, accountID, func(time.Time) time.Time { return now })
}

// AdvanceClock moves an account's clock forward, or back when by is negative. Jobs are
// due in real time: the account's move the other way by as much. What was due stays
// due when the clock goes back. A time outside the years 2000 to 2199 is a
// *pix.Refusal.
func (s *Store) AdvanceClock(ctx context.Context, accountID int64, by time.Duration) (pix.Account, error) {
	return s.moveClock(ctx, accountID, func(now time.Time) time.Time { return now.Add(by) })
}

func (s *Store) moveClock(ctx context.Context, accountID int64, target func(now time.Time) time.Time) (pix.Account, error) {
	var account pix.Account
	err := s.write(ctx, func(t *tx) (err error) {
		account, err = t.account(accountID)
		if err != nil {
			return err
		}
		now := account.Now()
		to := target(now)
		if to.Before(earliest) || !to.Before(latest) {
			return pix.Refuse(pix.CodeValidation, fmt.Sprintf("the time must be in the years %d to %d, got %s",
				earliest.Year(), latest.Year()-1, to.UTC().Format(time.RFC3339)))
		}
		by := to.Sub(now).Truncate(time.Microsecond)
		account.ClockOffset += by
		if err := t.invalidate(accountID); err != nil {
			return err
		}
		if err := t.run(`UPDATE accounts SET clock_offset = clock_offset + $1 WHERE id = $2`, by.Microseconds(), accountID); err != nil {
			return err
		}
		t.wake = true
		return t.run(`UPDATE jobs SET due_at = due_at - $1 WHERE account_id = $2 AND due_at > $3`,
			by.Microseconds(), accountID, time.Now().UnixMicro())
	})
	return account, err
}
