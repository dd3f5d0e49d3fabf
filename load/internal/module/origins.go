package module

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
)

// origins numbers the tags that calls have: those of their scenario, their group, and the
// script's own. Figures are kept for each number.
type origins struct {
	logger logrus.FieldLogger

	mu      sync.RWMutex
	numbers map[*metrics.TagSet]uint8
	sets    []*metrics.TagSet // by number; the first is nil: none
}

// mostOrigins limits memory: each origin has some histograms of up to a hundred kilobytes.
const mostOrigins = 64

func newOrigins(logger logrus.FieldLogger) *origins {
	return &origins{logger: logger, numbers: map[*metrics.TagSet]uint8{}, sets: make([]*metrics.TagSet, 1)}
}

// number is the number of a call's tags. If there are too many, as with a tag that differs in
// every iteration, it is that of the scenario, or else 0.
func (o *origins) number(set *metrics.TagSet) uint8 {
	o.mu.RLock()
	n, known := o.numbers[set]
	o.mu.RUnlock()
	if known {
		return n
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch n, known = o.numbers[set]; {
	case known:
		return n
	case len(o.sets) < mostOrigins:
		o.numbers[set] = uint8(len(o.sets))
		o.sets = append(o.sets, set)
		if len(o.sets) == mostOrigins {
			o.logger.Warnf("the calls have more than %d different sets of tags: figures of further ones are only kept for their scenario; use tags with few values", mostOrigins-1)
		}
		return o.numbers[set]
	}
	scenario, _ := set.Get(metrics.TagScenario.String())
	for i, of := range o.sets {
		if i == 0 {
			continue
		}
		if name, _ := of.Get(metrics.TagScenario.String()); name == scenario {
			return uint8(i)
		}
	}
	return 0
}

// all are the sets of tags by number.
func (o *origins) all() []*metrics.TagSet {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return slices.Clone(o.sets)
}

// tags are the tags by number, for the result.
func (o *origins) tags() []map[string]string {
	var all []map[string]string
	for _, set := range o.all() {
		if set == nil {
			all = append(all, nil)
			continue
		}
		all = append(all, set.Map())
	}
	return all
}

// view is the figures of the calls that have all of some tags.
type view struct {
	tags *metrics.TagSet
	measure.Measurements
}

// views are the figures of each origin, each scenario, each threshold's tags, and of all. k6
// compares a threshold on a gauge with the last value that has its tags, so a view comes after
// all views with more tags, and is the sum of those with its tags.
func (k *ticker) views(figures []measure.Measurements) []view {
	sets := k.origins.all()
	wanted := map[*metrics.TagSet]bool{k.tags: true}
	for _, set := range sets[1:] {
		wanted[set] = true
		if scenario, ok := set.Get(metrics.TagScenario.String()); ok {
			wanted[k.tags.With(metrics.TagScenario.String(), scenario)] = true
		}
	}
	for _, tags := range k.limited {
		wanted[tags] = true
	}
	size := func(set *metrics.TagSet) int { return len(set.Map()) }
	ordered := slices.SortedFunc(maps.Keys(wanted), func(a, b *metrics.TagSet) int { return cmp.Compare(size(b), size(a)) })
	views := make([]view, len(ordered))
	for i, tags := range ordered {
		views[i].tags = tags
		for n, of := range figures {
			if tags == k.tags || n > 0 && n < len(sets) && sets[n].Contains(tags) {
				views[i].Measurements.Merge(of)
			}
		}
	}
	return views
}

// counted pushes the growth of counts, with the tags of their origin.
func (k *ticker) counted(b *batch, counts []ledger.Counts) {
	for n, set := range k.sets() {
		if n >= len(counts) {
			continue
		}
		for name, count := range counts[n].All() {
			if n == 0 || !ledger.Unattributed(name) {
				k.grow(b, series{n, "pix_" + name, set}, count)
			}
		}
	}
}
