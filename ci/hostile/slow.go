package hostile

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// SlowConfig says how a correct gateway is slow, limited or interrupted.
type SlowConfig struct {
	Upstream string // base URL of the gateway

	Hold      time.Duration            // for each request, one at a time, as a single process does; 0 for none
	PerSecond float64                  // requests; above that it returns 429 without processing the request; 0 for no limit
	Stuck     func(*http.Request) bool // requests that never get a response; nil for none
}

// Slow is a proxy in front of a correct gateway that passes each response on as it is, but late; or that refuses
// requests, restarts or freezes. A run against it must conform.
type Slow struct {
	URL string

	config   SlowConfig
	proxy    *httputil.ReverseProxy
	limiter  *rate.Limiter
	requests atomic.Int64
	refused  atomic.Int64
	closing  chan struct{}
	serving  sync.WaitGroup

	turn   sync.Mutex   // with Hold: one request at a time
	frozen sync.RWMutex // locked while it is frozen

	mu     sync.Mutex
	server *http.Server
}

// ListenSlow starts the proxy on a free port of 127.0.0.1; Close stops it.
func ListenSlow(config SlowConfig) (*Slow, error) {
	upstream, err := url.Parse(config.Upstream)
	if err != nil {
		return nil, err
	}
	s := &Slow{config: config, closing: make(chan struct{}), proxy: httputil.NewSingleHostReverseProxy(upstream)}
	s.proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true}
	s.proxy.ErrorLog = log.New(io.Discard, "", 0)
	s.proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	if config.PerSecond > 0 {
		s.limiter = rate.NewLimiter(rate.Limit(config.PerSecond), max(1, int(config.PerSecond)))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.URL = "http://" + listener.Addr().String()
	s.serve(listener)
	return s, nil
}

func (s *Slow) serve(listener net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = &http.Server{Handler: s, ErrorLog: log.New(io.Discard, "", 0)}
	server := s.server
	s.serving.Go(func() { _ = server.Serve(listener) }) // always ErrServerClosed
}

// Requests returns how many requests the proxy has received, and how many of them it refused with 429.
func (s *Slow) Requests() (all, refused int64) { return s.requests.Load(), s.refused.Load() }

// ServeHTTP passes a request on.
func (s *Slow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	s.frozen.RLock()
	s.frozen.RUnlock() //lint:ignore SA2001 it only waits
	switch {
	case s.config.Stuck != nil && s.config.Stuck(r):
		select {
		case <-r.Context().Done():
		case <-s.closing:
		}
		panic(http.ErrAbortHandler)
	case s.limiter != nil && !s.limiter.Allow():
		s.refused.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"statusCode":429,"message":"Too Many Requests"}`)
		return
	case s.config.Hold > 0:
		s.turn.Lock()
		defer s.turn.Unlock()
		s.pause(s.config.Hold)
	}
	s.proxy.ServeHTTP(w, r)
}

func (s *Slow) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.closing:
	}
}

// Freeze makes the proxy respond to nothing for some time, as a suspended process does.
func (s *Slow) Freeze(d time.Duration) {
	s.frozen.Lock()
	defer s.frozen.Unlock()
	s.pause(d)
}

// Restart drops every connection and refuses new ones for some time, as a process that is restarted does.
func (s *Slow) Restart(d time.Duration) error {
	s.mu.Lock()
	server := s.server
	s.mu.Unlock()
	_ = server.Close()
	s.pause(d)
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", s.URL[len("http://"):])
	if err != nil {
		return err
	}
	s.serve(listener)
	return nil
}

// Close stops the proxy and waits for its goroutines.
func (s *Slow) Close() {
	close(s.closing)
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.server.Close()
	s.serving.Wait()
	s.proxy.Transport.(*http.Transport).CloseIdleConnections()
}
