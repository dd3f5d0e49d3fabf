package hostile

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Flood sends unsolicited webhooks until its context ends, and returns how many were answered. They
// are small, megabytes long or malformed, and go to each of the URLs and to unknown paths. Some
// senders just hold connections open.
func Flood(ctx context.Context, urls func() []string) int64 {
	const senders = 4 // of each kind
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: senders}}
	defer client.CloseIdleConnections()
	var sending sync.WaitGroup
	var answered atomic.Int64
	for _, body := range []string{
		`{"event":"CashOut","status":"ERROR"}`,
		`{"type":"RECEIVE","data":{"status":"LIQUIDATED"}}`,
		strings.Repeat("[", 100_000),
		`{"event":"` + strings.Repeat("a", 3<<20) + `"}`,
		"\xff\xfe\x00",
	} {
		for range senders {
			sending.Go(func() {
				for ctx.Err() == nil {
					for _, to := range paths(urls()) {
						if post(ctx, client, to, body) {
							answered.Add(1)
						}
					}
					rest(ctx)
				}
			})
		}
	}
	for range senders {
		sending.Go(func() {
			for ctx.Err() == nil {
				for _, to := range urls() {
					hang(ctx, to)
				}
				rest(ctx)
			}
		})
	}
	sending.Wait()
	return answered.Load()
}

// rest leaves processor time to the run under test.
func rest(ctx context.Context) {
	select {
	case <-time.After(10 * time.Millisecond):
	case <-ctx.Done():
	}
}

// paths returns the URLs, and for each of them one that belongs to nobody or to another run.
func paths(urls []string) []string {
	all := urls
	for _, u := range urls {
		all = append(all, u+"/x", u[:strings.LastIndex(u, "/")]+"999999")
	}
	return all
}

func post(ctx context.Context, client *http.Client, to, body string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		return false
	}
	r.Header["X-Filler"] = []string{strings.Repeat("a", 1000)}
	answer, err := client.Do(r)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.Body.Close() == nil
}

// hang starts a delivery and never finishes it.
func hang(ctx context.Context, to string) {
	u, err := url.Parse(to)
	if err != nil {
		return
	}
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "POST "+u.Path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc")
	rest(ctx)
}
