package work_test

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

// silent is a listener whose peers wait for a handshake that never comes, and says how many
// have tried.
func silent(t testing.TB) (url string, tried *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var open []net.Conn
	tried = new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open = append(open, conn)
			tried.Add(1)
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-done
		for _, conn := range open {
			_ = conn.Close()
		}
	})
	return "https://" + listener.Addr().String(), tried
}

// hanging subscribes accounts to urls that do not answer, each with payments to be told
// of. The accounts are made side by side, in few commits.
func hanging(t testing.TB, s *store.Store, url string, urls, payments int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range urls / 3 {
		all.Go(func() {
			account := subscribed(t, s, fmt.Sprintf("%s/%d/a", url, i), fmt.Sprintf("%s/%d/b", url, i), fmt.Sprintf("%s/%d/c", url, i))
			for n := range payments {
				pay(t, s, account.ID, fmt.Sprint(n), "")
			}
		})
	}
	all.Wait()
}

// While 1,000 destinations hang, those that answer are served, mostly within a second and never only
// when others time out: one that has answered before, and one that nobody has tried yet.
func TestHealthyDestinationsAreServedWhileOthersHang(t *testing.T) {
	for name, c := range map[string]struct{ urls, payments int }{
		"1000 of them":               {960, 1},
		"with more than fit to each": {150, 3},
	} {
		t.Run(name, func(t *testing.T) {
			r, s := newReceiver(t, nil), open(t)
			known := subscribed(t, s, r.URL)
			stuck := newReceiver(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			trust := r.trust()
			trust.RootCAs.AddCert(stuck.Certificate())
			start(t, work.Config{Store: s, TLS: trust})
			pay(t, s, known.ID, "first", "")
			r.next(t)

			url, tried := silent(t)
			hanging(t, s, stuck.URL, 42, c.payments)
			hanging(t, s, url, c.urls, c.payments)
			require.Eventually(t, func() bool { return tried.Load() >= int64(c.urls) }, patience, time.Millisecond)
			fresh := subscribed(t, s, r.URL)
			var took []time.Duration
			for n := range 20 {
				began := time.Now()
				pay(t, s, known.ID, fmt.Sprint(n), "")
				pay(t, s, fresh.ID, fmt.Sprint(n), "")
				for range 2 {
					r.next(t)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			median, slowest := took[len(took)/2], took[len(took)-1]
			t.Logf("the slowest of %d pairs took %v, the median %v", len(took), slowest, median)
			assert.Less(t, median, time.Second)
			assert.Less(t, slowest, work.DeliveryTimeout/2)
		})
	}
}
