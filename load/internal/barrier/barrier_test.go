package barrier

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// free is the URL of a port that nothing listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return "http://" + l.Addr().String()
}

// open opens an instance until the test ends.
func open(t *testing.T, address string, instance, of int) *Barrier {
	t.Helper()
	b, err := Open(address, instance, of)
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return b
}

func TestAllGetWhatEachHasBrought(t *testing.T) {
	t.Parallel()
	const of, rounds = 4, 20
	address := free(t)
	var all sync.WaitGroup
	for i := range of {
		all.Go(func() {
			b, err := Open(address, of-1-i, of) // the first one may come last
			if !assert.NoError(t, err) {
				return
			}
			defer b.Close()
			for n := range rounds {
				parts, err := Exchange(t.Context(), b, time.Minute, fmt.Sprint(n, b.instance))
				assert.NoError(t, err)
				assert.Equal(t, []string{fmt.Sprint(n, 0), fmt.Sprint(n, 1), fmt.Sprint(n, 2), fmt.Sprint(n, 3)}, parts)
			}
		})
	}
	all.Wait()
}

func TestWhoDoesNotComeIsNamed(t *testing.T) {
	t.Parallel()
	address := free(t)
	first, second := open(t, address, 0, 3), open(t, address, 1, 3)
	_, err := Exchange(t.Context(), second, 10*time.Millisecond, 1)
	require.EqualError(t, err, "still waiting for instance 1, 3 of 3")
	_, err = Exchange(t.Context(), first, 10*time.Millisecond, 1)
	require.EqualError(t, err, "still waiting for instance 3 of 3")
}

func TestTheOthersDoNotWaitForOneThatLeaves(t *testing.T) {
	t.Parallel()
	for leaver := range 3 {
		address := free(t)
		var all sync.WaitGroup
		for i := range 3 {
			b := open(t, address, i, 3)
			all.Go(func() {
				_, err := Exchange(t.Context(), b, time.Minute, i)
				assert.NoError(t, err)
				if i == leaver {
					b.Leave()
					return
				}
				_, err = Exchange(t.Context(), b, time.Minute, i)
				assert.ErrorContains(t, err, fmt.Sprintf("instance %d of 3 has stopped", leaver+1))
			})
		}
		all.Wait()
	}
}

func TestInstancesThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	address := free(t)
	open(t, address, 0, 3)
	_, err := Exchange(t.Context(), open(t, address, 1, 2), time.Minute, 1)
	require.ErrorContains(t, err, "expected one of 3 instances, got 1 of 2")

	one, same := open(t, address, 1, 3), open(t, address, 1, 3)
	_, err = Exchange(t.Context(), one, 10*time.Millisecond, 1)
	require.ErrorContains(t, err, "still waiting for instance 1, 3 of 3")
	_, err = Exchange(t.Context(), same, time.Minute, 1)
	require.ErrorContains(t, err, "instance 2 of 3 came twice")

	for _, wrong := range []string{"", "pix-load-1:7070", "https://pix-load-1:7070", "http://pix-load-1", "http://:7070"} {
		_, err := Open(wrong, 0, 2)
		require.ErrorContains(t, err, "expected a URL such as http://pix-load-1:7070", wrong)
	}
	_, err = Open(address, 0, 3)
	require.ErrorContains(t, err, "cannot listen for the other instances")
}

// What stands before the first instance may be there first.
func TestAProxyThatDoesNotReachIt(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 10)
	ready := make(chan struct{})
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-ready:
			_, _ = io.WriteString(w, "[1, 2]")
		default:
			http.Error(w, "upstream connect error", http.StatusServiceUnavailable)
		}
	}))
	defer proxy.Close()
	go func() {
		<-asked
		<-asked
		close(ready)
	}()
	b, err := Open(proxy.URL, 1, 2)
	require.NoError(t, err)
	defer b.Close()
	got, err := Exchange(t.Context(), b, time.Minute, 2)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2}, got)
}

func TestAFirstInstanceThatIsNotThere(t *testing.T) {
	t.Parallel()
	b := open(t, free(t), 1, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := Exchange(ctx, b, time.Minute, 1)
	require.ErrorContains(t, err, "cannot reach instance 1 of 2")
}
