package faulty

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// server is a listener on a free port of 127.0.0.1 with its server.
type server struct {
	address string
	http    *fasthttp.Server
	served  chan error

	mu    sync.Mutex
	conns map[net.Conn]bool
}

// start starts a server, over TLS if there is a TLS configuration. A relay keeps the case of
// header names.
func (s *server) start(handle fasthttp.RequestHandler, secure *tls.Config, relay bool) error {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address, s.conns = listener.Addr().String(), map[net.Conn]bool{}
	if secure != nil {
		listener = tls.NewListener(listener, secure)
	}
	s.http = &fasthttp.Server{
		Handler:                       handle,
		ConnState:                     s.note,
		MaxRequestBodySize:            maxBody,
		NoDefaultServerHeader:         true,
		NoDefaultContentType:          true,
		DisableHeaderNamesNormalizing: relay,
		Logger:                        log.New(io.Discard, "", 0), // about peers that disconnected
	}
	s.served = make(chan error, 1)
	go func() { s.served <- s.http.Serve(listener) }()
	return nil
}

func (s *server) note(c net.Conn, state fasthttp.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case fasthttp.StateNew:
		s.conns[c] = true
	case fasthttp.StateClosed, fasthttp.StateHijacked:
		delete(s.conns, c)
	}
}

const closeTimeout = 5 * time.Second

// close also closes the connections: otherwise the server would wait for idle connections that
// a peer keeps open.
func (s *server) close() error {
	closing, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	shut := make(chan error, 1)
	go func() { shut <- s.http.ShutdownWithContext(closing) }()
	served := <-s.served // no more connections are accepted
	s.mu.Lock()
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	return errors.Join(served, <-shut)
}
