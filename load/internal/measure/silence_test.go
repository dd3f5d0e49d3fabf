package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func cashOuts(n int64) map[string]int64 { return map[string]int64{"cash-out": n} }

func TestASilenceIsSeveralRequestsWithoutAResponse(t *testing.T) {
	t.Parallel()
	type event struct {
		at     float64
		sent   bool
		failed bool
	}
	send := func(at float64) event { return event{at: at, sent: true} }
	answer := func(at float64) event { return event{at: at} }
	for name, c := range map[string]struct {
		events  []event
		stalled time.Duration
		want    []Silence
	}{
		"three seconds":         {events: []event{send(1), send(1.5), answer(1.6), send(2), send(4), answer(4.6), answer(4.7)}, want: []Silence{{at(2), at(4.6), cashOuts(3)}}},
		"all answered at once":  {events: []event{send(1), answer(1.1), send(4), send(4), answer(4.1), answer(4.1)}},
		"nothing was sent":      {events: []event{send(1), answer(1.1), send(9), answer(9.1)}},
		"one is slow":           {events: []event{send(1), send(3.9), answer(4), answer(4.1)}},
		"a failure":             {events: []event{send(1), send(1), {at: 4, failed: true}, answer(4.1)}},
		"the generator stalled": {events: []event{send(1), send(1), answer(4), answer(4.1)}, stalled: 2500 * time.Millisecond},
		"after the last response": {events: []event{send(1), send(1), send(1), answer(1.2), answer(3.2), answer(3.3)},
			want: []Silence{{at(1.2), at(3.2), cashOuts(2)}}},
	} {
		r := New(noon, 0)
		r.Stalled = func(_, _ time.Time) time.Duration { return c.stalled }
		op := r.Origin(0).Operation("cash-out")
		for _, e := range c.events {
			if e.sent {
				op.Start(at(e.at), at(e.at))
			} else {
				op.Record(took(ms(1)), took(ms(1)), 201, e.failed, at(e.at))
			}
		}
		assert.Equal(t, c.want, r.Measurements(at(10)).Timeline.Silences, name)
	}
}

func TestASilenceOfTheGatewayIsOneOfAllInstances(t *testing.T) {
	t.Parallel()
	busy := []Interval{{At: noon.Unix()}}
	one := Timeline{Seconds: 1, Intervals: busy, Silences: []Silence{{at(1), at(4), cashOuts(5)}, {at(10), at(12), cashOuts(5)}}}
	other := Timeline{Seconds: 1, Intervals: busy, Silences: []Silence{{at(1.5), at(4.5), map[string]int64{"cash-out": 7, "list": 1}}}}
	sum := Timeline{}
	for _, part := range []Timeline{one, {}, other} {
		sum.Merge(part)
	}
	assert.Equal(t, []Silence{{at(1.5), at(4), map[string]int64{"cash-out": 12, "list": 1}}}, sum.Silences)
}

func TestTheLongestSilencesAreKept(t *testing.T) {
	t.Parallel()
	r := New(noon, 0)
	op := r.Origin(0).Operation("cash-out")
	for i := range mostSilences + 10 {
		sent := at(float64(20 * i))
		op.Start(sent, sent)
		op.Start(sent, sent)
		for range 2 {
			op.Record(took(ms(1)), took(ms(1)), 201, false, sent.Add(time.Second+ms(i)))
		}
	}
	kept := r.Measurements(at(10_000)).Timeline.Silences
	assert.Len(t, kept, mostSilences)
	assert.Equal(t, time.Second+ms(10), kept[0].Length())
}
