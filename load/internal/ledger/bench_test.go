package ledger

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
)

// BenchmarkPayment is what a payment costs: registered, answered, its event received.
func BenchmarkPayment(b *testing.B) {
	now := time.Now()
	b.Run("without events", func(b *testing.B) {
		l := New(Config{Run: testRun})
		b.ReportAllocs()
		for i := range b.N {
			id := newID(uint64(i))
			l.Register(Payment{ID: id, Amount: 1000, Sent: now}, now)
			l.Answered(id, Answer{Fate: Refused, At: now})
		}
	})
	b.Run("with events, parsed before", func(b *testing.B) {
		l := New(Config{Run: testRun})
		m := read(confirmed(newID(0)))
		m.transaction = 0
		b.ReportAllocs()
		for i := range b.N {
			id := newID(uint64(i))
			l.Register(Payment{ID: id, Amount: 1000, Sent: now}, now)
			l.Answered(id, Answer{Fate: Accepted, At: now})
			receiveParsed(l, id, &m, now)
		}
	})
	b.Run("with events", func(b *testing.B) {
		l := New(Config{Run: testRun})
		bodies := make([][]byte, 1<<14)
		for i := range bodies {
			bodies[i] = []byte(cashOut(newID(uint64(i)).ExternalID(), "CONFIRMED", "7b9f2f4e-3c1d-4b7e-9a51-3f4c5d6e7f80", 1000, 0))
		}
		b.ReportAllocs()
		for i := range b.N {
			id := newID(uint64(i % len(bodies)))
			l.Register(Payment{ID: id, Amount: 1000, Sent: now}, now)
			l.Answered(id, Answer{Fate: Accepted, At: now})
			l.Receive(Delivery{At: now, WebhookID: "w", Body: bodies[i%len(bodies)]})
		}
	})
	b.Run("in parallel", func(b *testing.B) {
		l := New(Config{Run: testRun})
		source := data.NewSource(testRun, 0, 1)
		m := read(confirmed(newID(0)))
		m.transaction = 0
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				m := m
				id := source.Next()
				l.Register(Payment{ID: id, Amount: 1000, Sent: now}, now)
				l.Answered(id, Answer{Fate: Accepted, At: now})
				receiveParsed(l, id, &m, now)
			}
		})
	})
}

// receiveParsed is Receive of a message that is parsed.
func receiveParsed(l *Ledger, id data.ID, m *message, at time.Time) Receipt {
	l.mu.Lock()
	defer l.mu.Unlock()
	m.At, m.WebhookID = at, "w"
	return l.received(id, m)
}

func BenchmarkRead(b *testing.B) {
	body := confirmed(newID(0))
	b.ReportAllocs()
	for b.Loop() {
		read(body)
	}
}

// Three million payments, of which 20,000 are open at a time and one in a thousand for
// good, in less than 80 MB.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const payments, open = 3_000_000, 20_000
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before, highest := heap(), uint64(0)
	now := time.Now()
	l := New(Config{Run: testRun})
	m := read(confirmed(newID(0)))
	m.transaction = 0
	lost := func(i int) bool { return i%1000 == 999 }
	for i := range payments + open {
		if i < payments {
			id := newID(uint64(i))
			l.Register(Payment{ID: id, Amount: 1000, Sent: now}, now)
			l.Answered(id, Answer{Fate: Accepted, At: now})
		}
		if done := i - open; done >= 0 && !lost(done) {
			receiveParsed(l, newID(uint64(done)), &m, now)
		}
		if i%500_000 == 499_999 {
			highest = max(highest, heap()-before)
		}
	}
	highest = max(highest, heap()-before)
	t.Logf("at most %.1f MB for %d payments", float64(highest)/1e6, payments)
	require.Less(t, highest, uint64(80e6))

	for i := range 1000 {
		r := receiveParsed(l, newID(uint64(i)), &m, now)
		if want := map[bool]Verdict{false: Duplicate, true: Matched}[lost(i)]; r.Verdict != want {
			t.Fatalf("payment %d: expected its event to be %s, got %s", i, want, r.Verdict)
		}
	}
	c := l.Counts()
	require.EqualValues(t, payments-payments/1000+1, c.WebhooksMatched)
	require.EqualValues(t, 999, c.WebhooksDuplicate)
	require.EqualValues(t, payments/1000-1, l.Pending())
}
