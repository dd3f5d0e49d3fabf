package reference

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/pixcert/pixcert/reference/edge"
)

// Bounds of a connection. A client that sends or reads slower holds nothing up for
// longer.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = time.Minute // a control that moves the clock waits for deliveries, of 10 s each
	idleTimeout       = 2 * time.Minute
	maxHeader         = 64 << 10 // bytes; the client certificate is the largest header
)

// server is a listener with the goroutine that serves it.
type server struct {
	http     *http.Server
	listener net.Listener
	scheme   string
	done     sync.WaitGroup
}

// listeners are the open addresses of a gateway; controls is nil where there are none.
type listeners struct{ api, controls net.Listener }

func (l *listeners) close() {
	for _, listener := range []net.Listener{l.api, l.controls} {
		if listener != nil {
			_ = listener.Close() // nothing was accepted
		}
	}
}

// Bind opens the addresses at which Start will serve, so that an address that is in use is an error before anything is
// written. Who does not call Start with the result calls Release.
func (cfg Config) Bind(ctx context.Context) (_ Config, err error) {
	cfg.Listen = cmp.Or(cfg.Listen, anyLocalPort)
	if err := checkAddress(cfg.Listen); err != nil {
		return cfg, fmt.Errorf("cannot serve the API: %w", err)
	}
	if err := checkAddress(cmp.Or(cfg.ControlsListen, anyLocalPort)); err != nil {
		return cfg, fmt.Errorf("cannot serve the test controls: %w", err)
	}
	if cfg.ControlsListen != "" && cfg.ControlToken == "" && !OnLoopback(cfg.ControlsListen) {
		return cfg, fmt.Errorf("cannot serve the test controls at %s: %w", cfg.ControlsListen, ErrOpenControls)
	}
	var opened listeners
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	if opened.api, err = open(ctx, cfg.Listen); err != nil {
		return cfg, fmt.Errorf("cannot serve the API: %w", err)
	}
	if cfg.ControlsListen != "" {
		if opened.controls, err = open(ctx, cfg.ControlsListen); err != nil {
			return cfg, fmt.Errorf("cannot serve the test controls: %w", err)
		}
	}
	cfg.bound = &opened
	return cfg, nil
}

// Release closes what Bind opened.
func (cfg Config) Release() { cfg.bound.close() }

func open(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: %w", address, ErrAddressInUse)
	case err != nil:
		return nil, fmt.Errorf("%w; choose another address", err)
	}
	return listener, nil
}

// serve serves over TLS where there is a certificate.
func serve(listener net.Listener, handler http.Handler, certificate *tls.Certificate, log *slog.Logger) *server {
	s := &server{listener: listener, scheme: "http", http: &http.Server{
		Handler:           endChunked(handler),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}}
	if certificate != nil {
		listener, s.scheme = tls.NewListener(listener, edge.Config(*certificate)), "https"
	}
	s.done.Go(func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the gateway stopped serving", "address", listener.Addr(), "reason", err)
		}
	})
	return s
}

// endChunked ends the connection after a request without a length. Where a proxy and this
// server disagree about the end of such a body, what is left of it would be taken for the
// next request of somebody else (request smuggling; RFC 9112, section 11.2).
func endChunked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// close lets requests end for as long as the context allows, then cuts them off.
func (s *server) close(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("requests were cut off at %s: %w", s.listener.Addr(), err), s.http.Close())
	}
	s.done.Wait()
	return err
}

// url is how the server is reached from the same machine.
func (s *server) url() string {
	host, port, _ := net.SplitHostPort(s.listener.Addr().String()) // of a TCP listener: well formed
	if ip := net.ParseIP(host); ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return s.scheme + "://" + net.JoinHostPort(host, port)
}

// checkAddress returns an error for what is no address to listen at. Port 0 stands for a free one.
func checkAddress(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("expected HOST:PORT with a port from 0 to 65535, got %q", address)
	}
	return nil
}

// OnLoopback says whether only this machine reaches what listens at an address. One that
// cannot be resolved is not.
func OnLoopback(address string) bool {
	resolved, err := net.ResolveTCPAddr("tcp", address)
	return err == nil && resolved.IP.IsLoopback()
}
