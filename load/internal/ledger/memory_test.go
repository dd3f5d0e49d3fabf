package ledger

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var hour = flag.Int("payments", 100_000, "how many payments TestMemoryPerPayment sends")

// Bytes of heap for each payment that waits for its webhook, and for each that finished: the latest are kept in full, of
// the others two bits are left.
func TestMemoryPerPayment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	transaction := func(i int) string { return fmt.Sprintf("7b9f2f4e-3c1d-4b7e-9a51-%012x", i) }
	now := time.Now()
	l := New(Config{Run: testRun})
	empty := heap()
	for i := range *hour {
		id := newID(uint64(i))
		l.Register(Payment{ID: id, Kind: CashOut, Amount: 1000, Sent: now}, now)
		l.Answered(id, Answer{Fate: Accepted, At: now, TransactionID: transaction(i)})
	}
	open := heap() - empty
	for i := range *hour {
		event := cashOut(newID(uint64(i)).ExternalID(), "CONFIRMED", transaction(i), 1000, 0)
		l.Receive(Delivery{At: now, WebhookID: "w", Body: []byte(event)})
	}
	finished := heap() - empty
	t.Logf("%d payments: %.0f bytes for each that is open, %.1f MB when all have finished, %.1f bytes for each", *hour,
		float64(open)/float64(*hour), float64(finished)/1e6, float64(finished)/float64(*hour))
	assert.Zero(t, l.Pending())
	assert.Less(t, open/uint64(*hour), uint64(600))
	runtime.KeepAlive(l)
}
