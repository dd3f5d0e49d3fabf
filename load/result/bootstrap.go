package result

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/pixcert/pixcert/load/measure"
)

const (
	resamples      = 200
	leastIntervals = 10

	// Overlapping blocks estimate a variance as well as 1.5 times as many separate blocks
	// (Künsch 1989; Lahiri, Resampling Methods for Dependent Data, 5.3).
	overlapping = 1.5
)

// interval is the part of a timeline's interval that the bootstrap uses.
type interval struct {
	started, count, failed int64
	latency                *measure.Histogram
	whole                  bool // the load was on for the whole interval
}

// add adds the counts.
func (i *interval) add(other interval) {
	i.started, i.count, i.failed = i.started+other.started, i.count+other.count, i.failed+other.failed
}

func ofOperation(name string) func(measure.Interval) interval {
	return func(i measure.Interval) interval {
		a := i.Operations[name]
		return interval{started: a.Started, count: a.Count, failed: a.Failed, latency: a.Intended}
	}
}

func ofDelivery(i measure.Interval) interval {
	return interval{count: i.Delivery.Count(), latency: i.Delivery}
}

// moment is the same interval of the schedule in both runs.
type moment [2]interval

// moments aligns two timelines at the start of the load of each, in intervals of the longer
// of their lengths. The first request is rounded to the nearest start of an interval, so
// paired intervals are at most half an interval apart.
func moments(a, b Result, of func(measure.Interval) interval) []moment {
	seconds := max(a.Timeline.Seconds, b.Timeline.Seconds, 1)
	sides := [2]map[int64]interval{stretches(a, seconds, of), stretches(b, seconds, of)}
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, side := range sides {
		for at := range side {
			low, high = min(low, at), max(high, at)
		}
	}
	var all []moment
	for at := low; at <= high; at++ {
		all = append(all, moment{sides[0][at], sides[1][at]})
	}
	return all
}

// stretches are the intervals of a non-empty run, numbered from the first request.
func stretches(r Result, seconds int64, of func(measure.Interval) interval) map[int64]interval {
	load := r.Operations[r.busiest()]
	unit := max(r.Timeline.Seconds, 1)
	origin := int64(math.Round(float64(load.First.UnixMilli())/1000/float64(unit))) * unit
	found := make(map[int64]interval)
	for _, i := range r.Timeline.Intervals {
		at := int64(math.Floor(float64(i.At-origin) / float64(seconds)))
		sum, more := found[at], of(i)
		if sum.add(more); sum.latency == nil {
			sum.latency = more.latency
		} else {
			sum.latency = sum.latency.Clone()
			sum.latency.Merge(more.latency)
		}
		found[at] = sum
	}
	for at, sum := range found {
		begin := time.Unix(origin+at*seconds, 0)
		sum.whole = !begin.Before(load.First) && !begin.Add(time.Duration(seconds)*time.Second).After(load.Last)
		found[at] = sum
	}
	return found
}

// busiest is the most frequent operation of the run, the first by name among equals.
func (r Result) busiest() string {
	var found string
	for name, o := range r.Operations {
		if most := r.Operations[found].Count; o.Count > most || o.Count == most && (found == "" || name < found) {
			found = name
		}
	}
	return found
}

// noise is the result of resampling the figures of two runs: half the width of the interval
// that a figure leaves by chance in one of 370 cases.
type noise struct {
	rates     bool    // there were enough whole intervals for rates
	counts    [2]bool // there were enough intervals with requests, for each run
	latencies [2]bool // there were enough intervals with latencies, for each run
	rate      float64 // of the logarithm of the rates' ratio
	failed    scatter // of the shares of failures
	latency   [len(compared)]scatter
}

// scatter is the noise of a figure of each run, or of its logarithm, and of the difference.
type scatter struct {
	each       [2]float64
	difference float64
}

// resample draws series of the same length from blocks of neighbouring pairs, first short
// blocks, then longer ones: longer blocks preserve slow swings better, but there are fewer
// of them.
func resample(all []moment) noise {
	var n noise
	var whole, counts, latencies [2]int
	for _, p := range all {
		for side, i := range p {
			whole[side] += number(i.whole)
			counts[side] += number(i.count > 0)
			latencies[side] += number(i.latency.Count() > 0)
		}
	}
	n.rates = min(whole[0], whole[1]) >= leastIntervals
	for side := range 2 {
		n.counts[side] = n.rates && counts[side] >= leastIntervals
		n.latencies[side] = n.rates && latencies[side] >= leastIntervals
	}
	if !n.rates {
		return n
	}
	for _, block := range []float64{math.Cbrt(float64(len(all))), math.Sqrt(float64(len(all)))} {
		n.widen(all, int(math.Ceil(block)))
	}
	return n
}

func number(condition bool) int {
	if condition {
		return 1
	}
	return 0
}

// widen raises the noise to that of resampling in blocks of the given length, if higher.
func (n *noise) widen(all []moment, block int) {
	random := rand.New(rand.NewPCG(uint64(len(all)), uint64(block)))
	var rate spread
	var failed spreads
	var latency [len(compared)]spreads
	d := drawing{pairs: all, block: block}
	for range resamples {
		d.draw(random)
		if d.rates[0] > 0 && d.rates[1] > 0 {
			rate.add(math.Log(d.rates[1] / d.rates[0]))
		}
		failed.add(func(side int) (float64, bool) {
			i := d.sums[side]
			return float64(i.failed) / float64(i.count), i.count > 0
		})
		for k, stat := range compared {
			latency[k].add(func(side int) (float64, bool) {
				v, ok := d.sums[side].latency.Quantile(stat.q)
				return math.Log(max(v.Seconds(), 1e-6)), ok
			})
		}
	}
	width := student(overlapping*float64(len(all))/float64(block) - 1)
	n.rate = max(n.rate, width*rate.deviation())
	failed.widen(&n.failed, width)
	for k := range latency {
		latency[k].widen(&n.latency[k], width)
	}
}

// student is how many standard deviations a figure exceeds in one of 370 cases if the
// deviation itself is estimated from few blocks; three for many blocks. It is the expansion
// of Student's t in the degrees of freedom (Abramowitz and Stegun 26.7.5) at three.
func student(freedom float64) float64 {
	freedom = max(freedom, 1)
	return 3 + 7.5/freedom + 17.25/(freedom*freedom)
}

// drawing draws series from pairs, one after the other.
type drawing struct {
	pairs   []moment
	block   int
	mergers [2]measure.Merger
	sums    [2]interval
	rates   [2]float64 // requests in a whole interval; 0: none
}

// draw takes the same intervals of both runs, so that the effects of their schedule cancel
// out when the two are compared.
func (d *drawing) draw(random *rand.Rand) {
	var started, whole [2]int64
	for side := range 2 {
		d.mergers[side].Reset()
		d.sums[side] = interval{}
	}
	for drawn := 0; drawn < len(d.pairs); {
		start := random.IntN(len(d.pairs))
		for j := 0; j < d.block && drawn < len(d.pairs); j++ {
			for side, i := range d.pairs[(start+j)%len(d.pairs)] {
				d.sums[side].add(i)
				d.mergers[side].Add(i.latency)
				if i.whole {
					started[side] += i.started
					whole[side]++
				}
			}
			drawn++
		}
	}
	for side := range 2 {
		d.sums[side].latency = d.mergers[side].Histogram()
		d.rates[side] = float64(started[side]) / float64(max(whole[side], 1))
	}
}

// spreads accumulates the spread of a figure of each run, and of the difference.
type spreads struct {
	each       [2]spread
	difference spread
}

func (s *spreads) add(figure func(side int) (float64, bool)) {
	a, inA := figure(0)
	b, inB := figure(1)
	if inA {
		s.each[0].add(a)
	}
	if inB {
		s.each[1].add(b)
	}
	if inA && inB {
		s.difference.add(b - a)
	}
}

func (s *spreads) widen(to *scatter, width float64) {
	for side := range 2 {
		to.each[side] = max(to.each[side], width*s.each[side].deviation())
	}
	to.difference = max(to.difference, width*s.difference.deviation())
}

// spread accumulates a standard deviation.
type spread struct{ n, mean, squares float64 }

func (s *spread) add(x float64) {
	s.n++
	off := x - s.mean
	s.mean += off / s.n
	s.squares += off * (x - s.mean)
}

func (s *spread) deviation() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(s.squares / (s.n - 1))
}
