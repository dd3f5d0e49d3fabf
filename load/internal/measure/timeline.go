package measure

import "slices"

// Intervals is the maximum number of intervals of a timeline.
const Intervals = 600

// Timeline is a run over time, in at most [Intervals] intervals: of one second each, or of two,
// four, eight… for longer runs. Intervals begin at multiples of their length since the Unix
// epoch, so that those of several instances are aligned. Each keeps whole distributions, with a
// precision of one in a hundred: merging neighbours, or intervals of another instance, loses
// nothing.
type Timeline struct {
	Seconds   int64      `json:"seconds"`   // the length of an interval
	Intervals []Interval `json:"intervals"` // in order, without empty ones
	Silences  []Silence  `json:"silences,omitempty"`
}

// Interval is what happened in a part of a run. Exchanges and deliveries count where they
// ended.
type Interval struct {
	At         int64               `json:"at"` // its start in Unix seconds
	Operations map[string]Activity `json:"operations,omitempty"`
	Delivery   *Histogram          `json:"delivery,omitempty"` // from acceptance
	Backlog    int64               `json:"backlog"`            // the maximum; of several instances: their sum
}

// Activity is an operation within an interval.
type Activity struct {
	Started  int64      `json:"started"` // sent
	Count    int64      `json:"count"`   // completed, including Failed
	Failed   int64      `json:"failed"`
	Intended *Histogram `json:"intended"` // of successful ones, from the intended start
}

// Total is the sum of all operations.
func (i Interval) Total() Activity {
	var total Activity
	for _, a := range i.Operations {
		total = total.merge(a)
	}
	return total
}

// Merge adds another instance's timeline.
func (t *Timeline) Merge(other Timeline) {
	if len(other.Intervals) == 0 {
		return
	}
	seconds := max(t.Seconds, other.Seconds, 1)
	sum := Timeline{Seconds: seconds, Silences: other.Silences}
	if len(t.Intervals) > 0 {
		sum.Silences = common(t.Silences, other.Silences)
	}
	mine, theirs := t.at(seconds), other.at(seconds)
	for len(mine) > 0 || len(theirs) > 0 {
		switch {
		case len(theirs) == 0 || len(mine) > 0 && mine[0].At < theirs[0].At:
			sum.Intervals, mine = append(sum.Intervals, mine[0]), mine[1:]
		case len(mine) == 0 || theirs[0].At < mine[0].At:
			sum.Intervals, theirs = append(sum.Intervals, theirs[0]), theirs[1:]
		default:
			both := mine[0].merge(theirs[0])
			both.Backlog = mine[0].Backlog + theirs[0].Backlog
			sum.Intervals = append(sum.Intervals, both)
			mine, theirs = mine[1:], theirs[1:]
		}
	}
	sum.fit()
	*t = sum
}

// add appends an interval.
func (t *Timeline) add(i Interval) {
	if len(i.Operations) == 0 && i.Delivery == nil && i.Backlog == 0 {
		return
	}
	t.Seconds = max(t.Seconds, 1)
	i.At = floor(i.At, t.Seconds)
	if last := len(t.Intervals) - 1; last >= 0 && t.Intervals[last].At == i.At {
		t.Intervals[last] = t.Intervals[last].merge(i)
	} else {
		t.Intervals = append(t.Intervals, i)
	}
	t.fit()
}

// fit doubles the length of the intervals until there are few enough.
func (t *Timeline) fit() {
	for len(t.Intervals) > 0 && t.Intervals[len(t.Intervals)-1].At-t.Intervals[0].At >= Intervals*t.Seconds {
		t.Intervals = t.at(2 * t.Seconds)
		t.Seconds *= 2
	}
}

// at merges the intervals to longer ones.
func (t *Timeline) at(seconds int64) []Interval {
	if seconds == t.Seconds {
		return t.Intervals
	}
	longer := make([]Interval, 0, len(t.Intervals)/2+1)
	for _, i := range t.Intervals {
		i.At = floor(i.At, seconds)
		if last := len(longer) - 1; last >= 0 && longer[last].At == i.At {
			longer[last] = longer[last].merge(i)
		} else {
			longer = append(longer, i)
		}
	}
	return slices.Clip(longer)
}

func (i Interval) merge(other Interval) Interval {
	sum := Interval{At: i.At, Backlog: max(i.Backlog, other.Backlog), Delivery: merged(i.Delivery, other.Delivery)}
	sum.Operations = make(map[string]Activity, len(i.Operations))
	for _, operations := range []map[string]Activity{i.Operations, other.Operations} {
		for name, a := range operations {
			sum.Operations[name] = sum.Operations[name].merge(a)
		}
	}
	return sum
}

func (a Activity) merge(other Activity) Activity {
	return Activity{
		Started:  a.Started + other.Started,
		Count:    a.Count + other.Count,
		Failed:   a.Failed + other.Failed,
		Intended: merged(a.Intended, other.Intended),
	}
}

func floor(at, seconds int64) int64 {
	below := at % seconds
	if below < 0 {
		below += seconds
	}
	return at - below
}

// coarse is the interval in the resolution of a timeline.
func (i Interval) coarse() Interval {
	operations := make(map[string]Activity, len(i.Operations))
	for name, a := range i.Operations {
		if a.Intended != nil {
			a.Intended = a.Intended.at(coarse)
		}
		operations[name] = a
	}
	i.Operations = operations
	if i.Delivery != nil {
		i.Delivery = i.Delivery.at(coarse)
	}
	return i
}
