package exchange

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRedact redacts a body of 1 MiB where 2000 tokens are known.
func BenchmarkRedact(b *testing.B) {
	var secrets Redactor
	for i := range 2000 {
		secrets.Add(fmt.Sprintf("eyJhbGciOiJIUzI1NiJ9.%d.c2lnbmF0dXJlLW9mLXRoZS10b2tlbi-%06d", i, i))
	}
	body := []byte(strings.Repeat(`{"data":[{"transactionId":"7c1e5f0a","value":10.00}]}`, (1<<20)/53))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		secrets.Exchange(Exchange{ResponseBody: body})
	}
}
