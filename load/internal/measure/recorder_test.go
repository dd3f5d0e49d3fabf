package measure

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return noon.Add(time.Duration(seconds * float64(time.Second))) }

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func TestWhatWasIntendedInTheWarmupIsLeftOut(t *testing.T) {
	t.Parallel()
	r := New(noon, 5*time.Second)
	op := r.Origin(0).Operation("cash-out")
	op.Start(at(4.9), at(4.95))
	op.Record(took(ms(200)), took(ms(250)), 200, false, at(5.1)) // intended at 4.85
	assert.False(t, op.Tokens(1, 3*time.Second, at(4.85)))
	op.Start(at(5), at(5))
	assert.True(t, op.Tokens(2, 3*time.Second, at(5)))
	op.Tokens(0, 999*time.Millisecond, at(5))
	op.Record(took(ms(100)), took(ms(100)), 200, true, at(5.1))       // intended at 5
	r.Origin(0).Delivery.Record(took(ms(10)), took(ms(500)), at(5.4)) // intended at 4.9
	r.Origin(0).Delivery.Record(took(ms(10)), took(ms(500)), at(5.6))
	r.Origin(0).ScheduleLag.Record(ms(1), at(4.9))
	r.Origin(0).ScheduleLag.Record(ms(1), at(5.1))
	r.Hiccup.Record(ms(1), at(4))

	m := r.Measurements(at(10))
	got := m.Operations["cash-out"]
	assert.EqualValues(t, 1, got.Count)
	assert.EqualValues(t, 1, got.Failed)
	assert.EqualValues(t, 2, got.Rejected)
	assert.EqualValues(t, 1, got.TokenWait.Count(), "only a long wait counts")
	assert.Equal(t, map[int]int64{200: 1}, got.Statuses)
	assert.Zero(t, got.Send.Count(), "it failed")
	assert.EqualValues(t, 1, m.Delivery.Acceptance.Count())
	assert.EqualValues(t, 1, m.Delivery.Intended.Count())
	assert.EqualValues(t, 1, m.ScheduleLag.Count())
	assert.Zero(t, m.Hiccup.Count())
	require.Len(t, m.Timeline.Intervals, 1)
	assert.EqualValues(t, 1, m.Timeline.Intervals[0].Total().Started)
}

func TestAWindowIsItsWholeSeconds(t *testing.T) {
	t.Parallel()
	r := New(noon, 0)
	out, token := r.Origin(0).Operation("cash-out"), r.Origin(0).Operation("token")
	for i := range 100 { // ten a second
		moment := at(float64(i) / 10)
		out.Start(moment, moment)
		out.Record(took(ms(1)), took(ms(i+1)), 202, i%10 == 0, moment)
		r.Backlog(int64(i), moment)
	}
	token.Record(took(ms(900)), took(ms(900)), 200, false, at(9.9))
	r.Origin(0).Delivery.Record(took(ms(70)), took(ms(80)), at(10.5))

	w := r.Window(at(2.5), at(5.5)) // seconds 3 and 4
	total := w.Total()
	assert.Equal(t, at(3).Unix(), w.At)
	assert.EqualValues(t, 20, total.Started)
	assert.EqualValues(t, 20, total.Count)
	assert.EqualValues(t, 2, total.Failed)
	least, _ := total.Intended.Quantile(0)
	assert.InEpsilon(t, float64(ms(32)), float64(least), 0.001, "that of 31 ms failed")
	assert.EqualValues(t, 18, total.Intended.Count(), "those that did not fail")
	most, _ := total.Intended.Max()
	assert.InEpsilon(t, float64(ms(50)), float64(most), 0.001)
	assert.Zero(t, w.Delivery.Count())

	w = r.Window(at(9), at(11))
	assert.EqualValues(t, 11, w.Total().Count)
	assert.EqualValues(t, 10, w.Operations["cash-out"].Count)
	assert.EqualValues(t, 1, w.Operations["token"].Count)
	assert.EqualValues(t, 1, w.Delivery.Count())

	empty := r.Window(at(11.2), at(11.8))
	assert.Zero(t, empty.Total().Count)

	assert.EqualValues(t, 1, r.LastSecond(at(11.3)).Delivery.Count())
}

func TestAnOutageIsNotFast(t *testing.T) {
	t.Parallel()
	r := New(noon, 0)
	op := r.Origin(0).Operation("cash-out")
	for i := range 30 { // every third is answered; the others are refused at once
		if i%3 == 0 {
			op.Record(took(ms(80)), took(ms(90)), 201, false, at(float64(i)))
		} else {
			op.Record(took(225*time.Microsecond), took(300*time.Microsecond), 0, true, at(float64(i)))
		}
	}
	m := r.Measurements(at(30))
	got := m.Operations["cash-out"]
	assert.EqualValues(t, 30, got.Count)
	assert.EqualValues(t, 20, got.Failed)
	assert.Equal(t, map[int]int64{201: 10, 0: 20}, got.Statuses)
	for _, h := range []*Histogram{got.Send, got.Intended, r.Window(noon, at(30)).Total().Intended} {
		assert.EqualValues(t, 10, h.Count())
		least, _ := h.Quantile(0)
		assert.Greater(t, least, ms(79))
	}
	live := r.Figures(at(30))[0].Operations["cash-out"]
	assert.EqualValues(t, 30, live.Count)
	assert.EqualValues(t, 10, live.Intended.Count())
	var timeline Activity
	for _, i := range m.Timeline.Intervals {
		timeline = timeline.merge(i.Total())
	}
	assert.EqualValues(t, 30, timeline.Count)
	assert.EqualValues(t, 10, timeline.Intended.Count())

	dead := New(noon, 0)
	dead.Origin(0).Operation("cash-out").Record(took(time.Millisecond), took(time.Millisecond), 0, true, at(1))
	none := dead.Measurements(at(2)).Operations["cash-out"]
	assert.EqualValues(t, 1, none.Failed)
	assert.Zero(t, none.Intended.Count())
}

// A rate is that of the schedule, however the seconds of the clock cut the run.
func TestTheRateIsFromTheFirstToTheLast(t *testing.T) {
	t.Parallel()
	parts := [2]Measurements{}
	for p := range parts {
		r := New(at(0.7), 0)
		for i := range 75 { // five a second for fifteen seconds
			r.Origin(0).Operation([]string{"cash-out", "token"}[p]).Record(took(ms(i%7)), took(ms(i%7)), 201, i%2 == 0, at(0.7+float64(i)/5).Add(ms(i%7)))
		}
		parts[p] = r.Measurements(at(20))
	}
	assert.InDelta(t, 5, parts[0].Operations["cash-out"].Rate(), 1e-6)
	assert.Zero(t, Operation{Count: 1, First: noon, Last: noon}.Rate())
	parts[0].Merge(parts[1])
	assert.InDelta(t, 10, parts[0].Total().Rate(), 0.1)
	assert.EqualValues(t, 150, parts[0].Total().Count)
}

func TestAWindowSaysHowFarBackItReaches(t *testing.T) {
	t.Parallel()
	r := New(noon, 0)
	op := r.Origin(0).Operation("token")
	for i := range 1000 {
		op.Record(took(ms(1)), took(ms(1)), 200, false, at(float64(i)))
	}
	w := r.Window(noon, at(1000))
	assert.Equal(t, at(1000).Add(-Recent).Unix(), w.At)
	assert.EqualValues(t, Recent/time.Second, w.Total().Count)
}

func TestASecondReadTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	r := New(noon, 0)
	op := r.Origin(0).Operation("token")
	for i := range 10 {
		op.Record(took(ms(1)), took(ms(1)), 200, false, at(0.1*float64(i)))
		assert.EqualValues(t, i+1, r.Figures(at(0.1 * float64(i)))[0].Operations["token"].Count)
	}
	assert.EqualValues(t, 10, r.Window(noon, at(1)).Total().Count)
	assert.EqualValues(t, 10, r.Measurements(at(1)).Operations["token"].Count)
	assert.EqualValues(t, 10, r.Measurements(at(2)).Operations["token"].Count)
}

// Ten hours of ten exchanges and ten webhooks a second. Not parallel to the other
// tests, because it measures the heap.
func TestTenHoursInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has nothing to find in a single goroutine")
	}
	const hours, rate, grain = 10, 10, 64
	random := rand.New(rand.NewPCG(1, 1))
	r := New(noon, 0)
	op := r.Origin(0).Operation("cash-out")
	var firstHour, lastHour uint64
	for s := range hours * 3600 {
		for i := range rate {
			moment := at(float64(s) + float64(i)/rate)
			d := time.Duration(random.ExpFloat64() * float64(20*time.Millisecond))
			op.Record(took(d), took(d+time.Millisecond), 200, random.IntN(1000) == 0, moment)
			r.Origin(0).Delivery.Record(took(d), took(2*d), moment)
		}
		r.Backlog(int64(s%7), at(float64(s)+0.9))
		switch s {
		case 3600:
			firstHour = heap()
		case hours*3600 - 1:
			lastHour = heap()
		}
	}
	end := at(float64(hours * 3600))
	m := r.Measurements(end)
	assert.EqualValues(t, hours*3600*rate, m.Operations["cash-out"].Count)
	assert.LessOrEqual(t, len(m.Timeline.Intervals), Intervals)
	assert.EqualValues(t, grain, m.Timeline.Seconds)
	var sum Interval
	for _, i := range m.Timeline.Intervals {
		sum = sum.merge(i)
	}
	total := sum.Total()
	assert.Equal(t, m.Operations["cash-out"].Count, total.Count)
	assert.Equal(t, m.Operations["cash-out"].Failed, total.Failed)
	assert.Equal(t, m.Operations["cash-out"].Intended.at(coarse).buckets, total.Intended.buckets, "nothing is lost in merging intervals")
	assert.Equal(t, m.Delivery.Acceptance.at(coarse).buckets, sum.Delivery.buckets)
	assert.EqualValues(t, 6, sum.Backlog)
	assert.Less(t, lastHour, firstHour+(8<<20), "the last hour holds hardly more than the first")
	runtime.KeepAlive(r)

	text, err := json.Marshal(m)
	require.NoError(t, err)
	t.Logf("heap after one hour %d KiB, after %d %d KiB; file %d KiB", firstHour>>10, hours, lastHour>>10, len(text)>>10)
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestManyGoroutinesLoseNothing(t *testing.T) {
	t.Parallel()
	const goroutines, each = 16, 3000
	r := New(noon, 0)
	var done sync.WaitGroup
	for g := range goroutines {
		done.Go(func() {
			op := r.Origin(0).Operation([]string{"a", "b"}[g%2])
			for i := range each {
				moment := at(float64(i) / 300)
				op.Start(moment, moment)
				op.Record(took(ms(g)), took(ms(g+1)), 200, i%2 == 0, moment)
				r.Origin(0).Delivery.Record(took(ms(1)), took(ms(2)), moment)
				if i%100 == 0 {
					r.Figures(moment)
					r.Backlog(1, moment)
				}
			}
		})
	}
	done.Wait()
	m := r.Measurements(at(100))
	for _, name := range []string{"a", "b"} {
		assert.EqualValues(t, goroutines*each/2, m.Operations[name].Count)
		assert.EqualValues(t, goroutines*each/4, m.Operations[name].Failed)
		assert.EqualValues(t, goroutines*each/4, m.Operations[name].Send.Count())
		assert.EqualValues(t, goroutines*each/2, m.Operations[name].Statuses[200])
	}
	assert.EqualValues(t, goroutines*each, m.Delivery.Intended.Count())
	var started, count int64
	for _, i := range m.Timeline.Intervals {
		total := i.Total()
		started, count = started+total.Started, count+total.Count
		assert.LessOrEqual(t, total.Failed, total.Count)
	}
	assert.EqualValues(t, goroutines*each, started)
	assert.EqualValues(t, goroutines*each, count)
}

func TestInstancesMeasureTogether(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race detector has nothing to find in a single goroutine")
	}
	random := rand.New(rand.NewPCG(2, 2))
	whole, parts := New(noon, 0), []*Recorder{New(noon, 0), New(noon, 0), New(noon, 0)}
	for i := range 5000 {
		moment := at(float64(i) / 3)
		d := time.Duration(random.ExpFloat64() * float64(time.Second))
		for _, r := range []*Recorder{whole, parts[random.IntN(3)]} {
			op := r.Origin(0).Operation([]string{"token", "cash-out"}[i%2])
			op.Start(moment, moment)
			op.Record(took(d), took(2*d), 200+i%3, i%5 == 0, moment)
			r.Origin(0).Delivery.Record(took(d), took(d), moment)
			r.Origin(0).ScheduleLag.Record(d, moment)
			r.Hiccup.Record(d, moment)
		}
	}
	var sum Measurements
	for _, r := range parts {
		sum.Merge(r.Measurements(at(2000)))
	}
	want, err := json.Marshal(whole.Measurements(at(2000)))
	require.NoError(t, err)
	got, err := json.Marshal(sum)
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(got))
}

func TestTimelinesOfDifferentLengthsMeet(t *testing.T) {
	t.Parallel()
	long, short := New(noon, 0), New(at(100), 0)
	for i := range 3000 {
		long.Origin(0).Operation("a").Record(took(ms(1)), took(ms(1)), 200, false, at(float64(i)))
	}
	for i := range 50 {
		short.Origin(0).Operation("a").Record(took(ms(2)), took(ms(2)), 200, false, at(100+float64(i)))
	}
	one, other := long.Measurements(at(3000)).Timeline, short.Measurements(at(200)).Timeline
	assert.EqualValues(t, 8, one.Seconds)
	assert.EqualValues(t, 1, other.Seconds)
	other.Merge(one)
	assert.EqualValues(t, 8, other.Seconds)
	var count int64
	for i, interval := range other.Intervals {
		count += interval.Total().Count
		assert.Zero(t, interval.At%8)
		assert.True(t, i == 0 || interval.At > other.Intervals[i-1].At)
	}
	assert.EqualValues(t, 3050, count)
}

func BenchmarkRecord(b *testing.B) {
	r := New(time.Now(), 0)
	op := r.Origin(0).Operation("cash-out")
	now := time.Now()
	b.Run("one goroutine", func(b *testing.B) {
		for b.Loop() {
			op.Record(took(ms(3)), took(ms(4)), 200, false, now)
		}
	})
	b.Run("many goroutines", func(b *testing.B) {
		b.SetParallelism(50)
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				op.Record(took(ms(i%100)), took(ms(i%100+1)), 200, false, now)
			}
		})
	})
}

func BenchmarkSecond(b *testing.B) {
	r := New(noon, 0)
	names := []string{"token", "cash-out", "balance", "cash-in", "refund"}
	random := rand.New(rand.NewPCG(2, 2))
	for s := 0; b.Loop(); s++ {
		b.StopTimer()
		for i := range 4000 {
			d := time.Duration(random.ExpFloat64() * float64(20*time.Millisecond))
			r.Origin(0).Operation(names[i%5]).Record(took(d), took(d), 200, false, at(float64(s)))
		}
		b.StartTimer()
		r.Figures(at(float64(s + 1)))
	}
}

// took is a latency of which the generator caused nothing.
func took(d time.Duration) Latency { return Latency{Took: d} }
