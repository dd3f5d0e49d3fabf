package target

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/steps/exchange"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && acts[os.Args[1]] != nil {
		os.Exit(acts[os.Args[1]](os.Args[2:]))
	}
	log.SetOutput(io.Discard) // net/http tells there what hostile servers do
	goleak.VerifyTestMain(m)
}

// serveRaw serves each connection by handle, which the connection's end ends, and
// returns the server's address.
func serveRaw(t testing.TB, handle func(conn *net.TCPConn, in *bufio.Reader)) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var (
		wait  sync.WaitGroup
		mu    sync.Mutex
		conns []net.Conn
		ended bool
	)
	wait.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, conn)
			if ended {
				conn.Close()
			}
			mu.Unlock()
			wait.Go(func() {
				defer conn.Close()
				handle(conn.(*net.TCPConn), bufio.NewReader(conn))
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		ended = true
		for _, conn := range conns {
			conn.Close()
		}
		mu.Unlock()
		wait.Wait()
	})
	return listener.Addr().String()
}

// readRequest reads a request with its body.
func readRequest(in *bufio.Reader) (*http.Request, error) {
	r, err := http.ReadRequest(in)
	if err == nil {
		_, err = io.Copy(io.Discard, r.Body)
	}
	return r, err
}

// answering is a connection's handler that reads one request and then answers.
func answering(answer func(conn *net.TCPConn)) func(*net.TCPConn, *bufio.Reader) {
	return func(conn *net.TCPConn, in *bufio.Reader) {
		if _, err := readRequest(in); err == nil {
			answer(conn)
		}
	}
}

// writing answers each connection's first request with text, and leaves the end to
// the client.
func writing(text string) func(*net.TCPConn, *bufio.Reader) {
	return func(conn *net.TCPConn, in *bufio.Reader) {
		if _, err := readRequest(in); err != nil {
			return
		}
		if _, err := io.WriteString(conn, text); err == nil {
			_, _ = io.Copy(io.Discard, in)
		}
	}
}

// open makes a client for a base URL without looking whether anything is there.
func open(t testing.TB, p Profile) *Target {
	p = p.withDefaults()
	client, err := newClient(p, Identity{Version: "1.2", RunID: "r1"})
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return &Target{Profile: p, Client: client, Has: map[Control]bool{}, ways: map[Control]way{}}
}

func get(path string) Request {
	return Request{Party: exchange.API, Operation: "balance request", Rule: "a.b", Method: http.MethodGet, Path: path}
}

func post(path, body string) Request {
	return Request{Party: exchange.API, Operation: "cash-out", Rule: "a.b", Method: http.MethodPost, Path: path, Body: []byte(body)}
}

// soon are deadlines for tests in which one has to pass, after something else has happened
// in time on a busy machine too.
var soon = Deadlines{Answer: 2 * time.Second, Control: 2 * time.Second}

func background() context.Context { return context.Background() }
