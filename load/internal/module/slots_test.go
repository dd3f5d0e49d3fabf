package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/lib"
)

// A scenario of ten iterations a second has two virtual users, and a third one later. Times are
// in milliseconds from its start.
func TestWhatWasDroppedIsNotCountedAsLateness(t *testing.T) {
	t.Parallel()
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	type event struct {
		at   int
		user uint64
		ends bool
		idle int // when it is free after the end, if that is later
		due  int // of the iteration that starts
	}
	for name, c := range map[string]struct {
		stalled [2]int // from when to when the process did
		events  []event
		dropped uint64
	}{
		"a virtual user is always free: whatever is late is the generator's": {events: []event{
			{at: 2, user: 1, due: 0}, {at: 50, user: 1, ends: true}, {at: 1800, user: 1, due: 100}, {at: 1810, user: 1, ends: true},
			{at: 1811, user: 2, due: 200},
		}},
		"all are busy for a second": {dropped: 10, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 1150, user: 1, ends: true},
			{at: 1201, user: 1, due: 1200}, {at: 1250, user: 1, ends: true}, {at: 1301, user: 1, due: 1300},
		}},
		"late after a drop": {dropped: 10, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 1150, user: 1, ends: true}, {at: 1160, user: 2, ends: true},
			{at: 1201, user: 1, due: 1200}, {at: 1202, user: 1, ends: true}, {at: 4000, user: 2, due: 1300},
		}},
		"another one starts while all are busy": {dropped: 3, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 501, user: 3, due: 500},
		}},
		"one is free a little before k6 starts what was due": {dropped: 2, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 401, user: 1, ends: true}, {at: 403, user: 1, due: 400},
		}},
		"a stall, and then k6 starts what was due": {stalled: [2]int{150, 1149}, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 1150, user: 1, ends: true}, {at: 1150, user: 2, ends: true},
			{at: 1151, user: 1, due: 200}, {at: 1151, user: 2, due: 300},
		}},
		"a stall, and then k6 drops what was due, but not all": {stalled: [2]int{150, 1149}, dropped: 9, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 1150, user: 1, ends: true}, {at: 1151, user: 1, due: 200},
			{at: 1155, user: 1, ends: true}, {at: 1201, user: 1, due: 1200},
		}},
		"a stall, and then k6 drops what was due": {stalled: [2]int{150, 1149}, dropped: 10, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 1150, user: 1, ends: true}, {at: 1201, user: 1, due: 1200},
			{at: 1210, user: 1, ends: true}, {at: 1301, user: 1, due: 1300},
		}},
		"all sleep until their shortest duration": {dropped: 8, events: []event{
			{at: 1, user: 1, due: 0}, {at: 5, user: 1, ends: true, idle: 1001}, {at: 101, user: 2, due: 100}, {at: 105, user: 2, ends: true, idle: 1101},
			{at: 1002, user: 1, due: 1000}, {at: 1005, user: 1, ends: true, idle: 2002}, {at: 1102, user: 2, due: 1100},
		}},
		"past the end": {dropped: 18, events: []event{
			{at: 1, user: 1, due: 0}, {at: 101, user: 2, due: 100}, {at: 5000, user: 1, ends: true},
		}},
		"two gateways in one script": {events: []event{
			{at: 1, user: 1, due: 0}, {at: 2, user: 1, due: 0}, {at: 50, user: 1, ends: true}, {at: 51, user: 1, ends: true}, {at: 101, user: 1, due: 100},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			s := &slots{
				planned: 2, seen: map[uint64]struct{}{}, busy: map[uint64]time.Time{},
				stalled: func(from, to time.Time) time.Duration {
					start, end := begun.Add(ms(c.stalled[0])), begun.Add(ms(c.stalled[1]))
					if from.After(start) {
						start = from
					}
					if to.Before(end) {
						end = to
					}
					return max(end.Sub(start), 0)
				},
				due: func(slot uint64) (time.Time, bool) {
					return begun.Add(ms(100 * int(slot))), slot < 20
				},
			}
			var number uint64
			busy := map[uint64]uint64{}
			for _, e := range c.events {
				now := begun.Add(ms(e.at))
				if e.ends {
					s.end(e.user, now, begun.Add(ms(e.idle)))
					delete(busy, e.user)
					continue
				}
				if _, again := busy[e.user]; !again {
					busy[e.user] = number
					number++
				}
				assert.Equal(t, ms(e.due), s.start(e.user, busy[e.user], now).Sub(begun), "%+v", e)
			}
			assert.Equal(t, c.dropped, s.dropped)
			assert.Equal(t, c.dropped > 0, s.lost())
		})
	}
}

func TestAnInstanceHasItsOwnShareOfTheSlots(t *testing.T) {
	t.Parallel()
	sequence, err := lib.NewExecutionSegmentSequenceFromString("0,1/6,1/3,1")
	require.NoError(t, err)
	for _, segment := range append(sequence, nil) {
		tuple, err := lib.NewExecutionTuple(segment, &sequence)
		if segment == nil {
			tuple, err = lib.NewExecutionTuple(nil, nil)
		}
		require.NoError(t, err)
		k6s, all := lib.NewSegmentedIndex(tuple), ofAll(tuple)
		for range 100 {
			own, of := k6s.Next()
			require.EqualValues(t, of-1, all(uint64(own-1)), "%s: slot %d", segment, own-1)
		}
	}
}
