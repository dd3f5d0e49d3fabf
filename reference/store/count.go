package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// The totals of the account's list are kept, not counted: see table payment_counts. A period consists of
// whole intervals, which have their counts there, and at its ends of parts of intervals of level 0, whose
// payments are counted. A page far down starts in the interval that the counts lead to.
const (
	finestBits = 20 // an interval of level 0 has 2^20 µs: about a second
	levelBits  = 7  // an interval has 2^7 intervals of the level below
	topLevel   = 2
)

// interval is a part of an account's time.
type interval struct {
	accountID int64
	number    int64 // of level 0
}

// class is a type and a status of payments.
type class struct {
	operation pix.Operation
	status    pix.Status
}

// classes are in the order of the columns of payment_counts.
var classes = func() []class {
	var all []class
	for _, operation := range pix.Operations() {
		for _, status := range pix.Statuses() {
			all = append(all, class{operation, status})
		}
	}
	return all
}()

func (c class) column() string {
	return strings.ToLower(string(c.operation) + "_" + string(c.status))
}

// counts has a number for each of classes.
type counts [12]int64

// count adds to the number of payments of a class that were created at a time.
func (t *tx) count(accountID int64, created time.Time, c class, by int64) {
	in := interval{accountID, created.UnixMicro() >> finestBits}
	changed, ok := t.cache.counts[in]
	if !ok {
		changed = new(counts)
		t.cache.counts[in] = changed
	}
	changed[slices.Index(classes, c)] += by
	t.changed = true
}

// addCounts adds to an interval of level 0 and to those that cover it.
var addCounts = func() string {
	var columns, values, sums []string
	for i, c := range classes {
		column := c.column()
		columns = append(columns, column)
		values = append(values, fmt.Sprintf("$%d", 3+i))
		sums = append(sums, fmt.Sprintf("%s = %s + excluded.%s", column, column, column))
	}
	return fmt.Sprintf(`INSERT INTO payment_counts (account_id, level, interval, %s)
		SELECT $1, level, $2 >> (%d * level), %s FROM (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) AS levels WHERE TRUE
		ON CONFLICT (account_id, level, interval) DO UPDATE SET %s`,
		strings.Join(columns, ", "), levelBits, strings.Join(values, ", "), strings.Join(sums, ", "))
}()

func (t *tx) flushCounts() error {
	for in, changed := range t.cache.counts {
		args := make([]any, 0, 2+len(changed))
		args = append(args, in.accountID, in.number)
		for _, n := range changed {
			args = append(args, n)
		}
		if err := t.conn.run(addCounts, args...); err != nil {
			return err
		}
	}
	clear(t.cache.counts)
	return nil
}

// pruneCounts removes what has become zero of the intervals that have changed.
func (t *tx) pruneCounts() error {
	var changed []interval
	for in := range t.cache.counts {
		changed = append(changed, in)
	}
	if err := t.flush(); err != nil {
		return err
	}
	for _, in := range changed {
		err := t.run(`DELETE FROM payment_counts WHERE account_id = $1
			AND (level, interval) IN (VALUES (0, $2), (1, $3), (2, $4)) AND `+(PaymentFilter{}).columns()+` = 0`,
			in.accountID, in.number, in.number>>levelBits, in.number>>(2*levelBits))
		if err != nil {
			return err
		}
	}
	return nil
}

// stretch is a part of a list's period, with how many payments of the list it has.
type stretch struct {
	from, before int64 // microseconds
	level        int   // of the interval that it is; partOfInterval if it is none
	total        int
}

const partOfInterval = -1

// stretches divides the period of a list, the newest first. Those without payments may be missing.
func (c conn) stretches(accountID int64, f PaymentFilter) ([]stretch, error) {
	from, before := f.Period.From.UnixMicro(), f.Period.Before.UnixMicro()
	low, high := upward(from, finestBits), before>>finestBits
	parts := []stretch{{from: from, before: before}}
	if low < high {
		parts = []stretch{{from: from, before: low << finestBits}, {from: high << finestBits, before: before}}
	}
	all, err := c.divide(accountID, f, 0, low, high)
	for _, part := range parts {
		if err != nil || part.from >= part.before {
			continue
		}
		part.level = partOfInterval
		f.Period = pix.Period{From: time.UnixMicro(part.from), Before: time.UnixMicro(part.before)}
		part.total, err = c.total(f.conditions(accountID), 0)
		all = append(all, part)
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(b.from, a.from) })
	return all, err
}

// upward is n / 2^bits, rounded up.
func upward(n int64, bits int) int64 { return -(-n >> bits) }

// divide divides the intervals from low on and before high of a level into as few as possible, of it and of those above.
func (c conn) divide(accountID int64, f PaymentFilter, level int, low, high int64) ([]stretch, error) {
	upLow, upHigh := upward(low, levelBits), high>>levelBits
	if level == topLevel || upLow >= upHigh {
		return c.intervals(accountID, f, level, low, high)
	}
	before, err := c.intervals(accountID, f, level, low, upLow<<levelBits)
	if err != nil {
		return nil, err
	}
	after, err := c.intervals(accountID, f, level, upHigh<<levelBits, high)
	if err != nil {
		return nil, err
	}
	between, err := c.divide(accountID, f, level+1, upLow, upHigh)
	return slices.Concat(before, between, after), err
}

// intervals reads those from low on and before high of one level that have payments of the list.
func (c conn) intervals(accountID int64, f PaymentFilter, level int, low, high int64) ([]stretch, error) {
	var all []stretch
	if low >= high {
		return nil, nil
	}
	bits := finestBits + level*levelBits
	err := c.each(func(row scanner) error {
		s := stretch{level: level}
		err := row.Scan(&s.from, &s.total)
		s.from <<= bits
		s.before = s.from + 1<<bits
		all = append(all, s)
		return err
	}, `SELECT * FROM (SELECT interval, `+f.columns()+` AS total FROM payment_counts
		WHERE account_id = $1 AND level = $2 AND interval >= $3 AND interval < $4) AS counted WHERE total > 0 ORDER BY interval DESC`,
		accountID, level, low, high)
	return all, err
}

// columns is the sum of the columns of the classes that the list shows.
func (f PaymentFilter) columns() string {
	var columns []string
	for _, class := range classes {
		if (f.Status == "" || f.Status == class.status) && (f.Operation == "" || f.Operation == class.operation) {
			columns = append(columns, class.column())
		}
	}
	return strings.Join(columns, " + ")
}

// reach returns the total of a list that is filtered by status and type, and shortens its period to a newer part:
// what is skip payments down in the list is as many down in that part as reach returns, few.
func (c conn) reach(accountID int64, f *PaymentFilter, skip int) (total, rest int, err error) {
	all, err := c.stretches(accountID, *f)
	if err != nil {
		return 0, 0, err
	}
	for _, s := range all {
		total += s.total
	}
	for i := 0; i < len(all); i++ {
		s := all[i]
		switch {
		case s.total <= skip:
			skip -= s.total
			continue
		case s.level > 0:
			parts, err := c.intervals(accountID, *f, s.level-1, s.from>>(finestBits+(s.level-1)*levelBits), s.before>>(finestBits+(s.level-1)*levelBits))
			if err != nil {
				return 0, 0, err
			}
			all, i = parts, -1
			continue
		}
		f.Period.Before = time.UnixMicro(s.before).UTC()
		return total, skip, nil
	}
	return total, skip, nil
}
