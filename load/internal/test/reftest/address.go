package reftest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress is one of the loopback on which nobody listens. Its port is none of those that the system gives to
// connections, one of which might otherwise take it first.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))) // #nosec G404 -- a port, no secret
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		return listener.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}
