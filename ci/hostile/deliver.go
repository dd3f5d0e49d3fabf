package hostile

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
)

// Deliveries are ways to misbehave in a webhook delivery, by name. Each writes the request for a path to a
// connection to the sink.
var Deliveries = map[string]func(ctx context.Context, conn net.Conn, path string){
	"bodies that never end": func(_ context.Context, conn net.Conn, path string) {
		chunk := fmt.Sprintf("%x\r\n%s\r\n", 16<<10, strings.Repeat("a", 16<<10))
		begin(conn, path, "Transfer-Encoding: chunked")
		for write(conn, chunk) {
		}
	},
	"huge bodies": func(_ context.Context, conn net.Conn, path string) {
		begin(conn, path, "Content-Length: 1073741824")
		filler := strings.Repeat(`[{"event":"CashOut","id":0},`, 1000)
		for sent := 0; sent < 1<<30 && write(conn, filler); sent += len(filler) {
		}
	},
	"bodies of 250 KB": func(_ context.Context, conn net.Conn, path string) {
		body := "[" + strings.Repeat("0,", 125_000) + "0]"
		begin(conn, path, fmt.Sprintf("Content-Length: %d", len(body)))
		write(conn, body)
		_, _ = conn.Read(make([]byte, 1))
	},
	"bodies that stall": func(ctx context.Context, conn net.Conn, path string) {
		begin(conn, path, "Content-Length: 1000")
		<-ctx.Done()
	},
	"headers that stall": func(ctx context.Context, conn net.Conn, path string) {
		write(conn, "POST "+path+" HTTP/1.1\r\nHost: x\r\nX-A")
		<-ctx.Done()
	},
}

func begin(conn net.Conn, path, length string) {
	write(conn, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+length+"\r\n\r\n")
}

func write(conn net.Conn, text string) bool {
	_, err := io.WriteString(conn, text)
	return err == nil
}

// Deliver sends deliveries of one kind to each of the URLs until its context ends, and returns how
// many it started.
func Deliver(ctx context.Context, kind func(context.Context, net.Conn, string), urls func() []string) int64 {
	const senders = 8
	var sending sync.WaitGroup
	var begun atomic.Int64
	for range senders {
		sending.Go(func() {
			for ctx.Err() == nil {
				for _, to := range urls() {
					begun.Add(deliver(ctx, kind, to))
				}
				rest(ctx)
			}
		})
	}
	sending.Wait()
	return begun.Load()
}

func deliver(ctx context.Context, kind func(context.Context, net.Conn, string), to string) (begun int64) {
	u, err := url.Parse(to)
	if err != nil {
		return 0
	}
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return 0
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	kind(ctx, conn, u.Path)
	return 1
}
