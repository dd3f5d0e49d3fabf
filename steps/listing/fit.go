package listing

import (
	"slices"
	"strings"
	"time"
)

// Fit says whether an item belongs into the list of a query.
type Fit int

// An item is uncertain if the scenario knows too little of it, or the meaning of the filter is open: see bound and
// isSameKey.
const (
	Outside Fit = iota
	Uncertain
	Inside
)

// Fit says whether an item belongs into the list of the query, as far as the scenario knows.
func (q Query) Fit(k *Item) Fit {
	if !k.Own {
		return Outside
	}
	least := Inside
	for filter, value := range q.Filters {
		least = min(least, k.fits(filter, value))
	}
	return least
}

// fits compares an item with one filter.
func (k *Item) fits(filter, value string) Fit {
	may := k.Values[filter]
	isSame := func(key string) bool { return isSameKey(key, value) }
	switch {
	case filter == "startDate" || filter == "endDate":
		if k.Created.IsZero() {
			return Uncertain
		}
		return boundOf(filter, value).fits(k.Created)
	case len(may) == 0:
		return Uncertain
	case slices.Contains(may, value):
		if len(may) == 1 {
			return Inside
		}
		return Uncertain
	case filter == "pixKey" && slices.ContainsFunc(may, isSame):
		return Uncertain
	}
	return Outside
}

// isSameKey reports whether two texts may be the same key: a UUID is valid with hyphens and without, a phone
// number with +55 and without, and the case of letters may not count.
func isSameKey(a, b string) bool {
	plain := func(key string) string {
		if !strings.Contains(key, "@") {
			key = strings.TrimPrefix(strings.ReplaceAll(key, "-", ""), "+55")
		}
		return strings.ToLower(key)
	}
	return plain(a) == plain(b)
}

// bound is an end of an interval. Whether it is part of the interval, and in which zone the day of a date begins and
// ends, is open ("the list of one date"). So it lies somewhere between two instants.
type bound struct {
	isStart          bool
	earliest, latest time.Time
}

// The zones of the world lie this far from UTC.
const (
	mostEastern = 14 * time.Hour
	mostWestern = 12 * time.Hour
)

func boundOf(filter, value string) bound {
	b := bound{isStart: filter == "startDate"}
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		b.earliest, b.latest = day.Add(-mostEastern), day.Add(mostWestern)
		if !b.isStart {
			b.latest = b.latest.Add(24 * time.Hour)
		}
		return b
	}
	b.earliest, _ = time.Parse(time.RFC3339, value)
	b.latest = b.earliest
	return b
}

// fits compares a time of creation, which was listed to the second at least, and keeps a second off.
func (b bound) fits(created time.Time) Fit {
	from, to := created.Truncate(time.Second).Add(-time.Second), created.Truncate(time.Second).Add(2*time.Second)
	isAfter, isBefore := !from.Before(b.latest), !to.After(b.earliest)
	switch {
	case b.isStart && isAfter, !b.isStart && isBefore:
		return Inside
	case b.isStart && isBefore, !b.isStart && isAfter:
		return Outside
	}
	return Uncertain
}
