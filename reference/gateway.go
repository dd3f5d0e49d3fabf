// Package reference is the bundled gateway: its API and its test controls, each on a listener, over one
// store and one worker. A process may run several gateways.
package reference

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/pixcert/pixcert/reference/api"
	"github.com/pixcert/pixcert/reference/controls"
	"github.com/pixcert/pixcert/reference/edge"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

// Config says how a gateway runs. The zero value is one in memory on a free port of the
// local host, without controls.
type Config struct {
	Listen string // address of the API, anyLocalPort where empty
	Data   string // database file; empty: in memory
	Logger *slog.Logger

	Retain time.Duration // how long finished payments and deliveries are kept; 0: forever

	Seed store.Seed // what the gateway contains before it serves

	ControlsListen string // address of the test controls; empty: there are none
	ControlToken   string // bearer token of the test controls; empty: none, which only a loopback address allows

	// MutualTLS is the certificate of an API that is served over TLS and requests a certificate of each
	// client; X-SSL-Client-Cert in requests is dropped. Nil: plain HTTP.
	MutualTLS *tls.Certificate
	// Proxies are the peers that terminate TLS and may set X-SSL-Client-Cert. Nil: the same machine.
	// Ignored with MutualTLS.
	Proxies []netip.Prefix

	WebhookCA       *x509.CertPool // whom receivers of webhooks must be certified by; nil: the system's roots
	WebhookInsecure bool           // receivers are not verified
	PrivateWebhooks *bool          // webhooks go to private addresses too; nil: while only this machine reaches the API

	// Hooks that see or change requests, deliveries and rows. Each may be nil or empty.
	Triggers         string                                    // SQL, once the tables exist: triggers that change rows
	Wrap             func(http.Handler) http.Handler           // around the API, within the edge
	Edge             func(http.Handler) http.Handler           // in the place of the edge that MutualTLS is
	WrapControls     func(http.Handler) http.Handler           // around the test controls
	WebhookTransport func(http.RoundTripper) http.RoundTripper // between deliveries and the wire

	bound *listeners // by Bind
}

// ErrOpenControls is the error for test controls without a token on an address that other machines can
// reach: whoever can call them makes money and reads every account.
var ErrOpenControls = errors.New("other machines can reach this address, so the controls need a token")

// ErrAddressInUse is the error for an address at which another process listens.
var ErrAddressInUse = errors.New("the address is in use; stop the process that listens there, or choose another address")

const anyLocalPort = "127.0.0.1:0" // a free one

// Gateway is a gateway that runs until it is closed.
type Gateway struct {
	store    *store.Store
	worker   *work.Worker
	log      *slog.Logger
	api      *server
	controls *server // nil where there are none
	accounts []pix.Account
}

// Start opens the store, listens and serves. The context applies to the start only; Close stops the
// gateway. Errors say what could not be opened and what to do about it.
func Start(ctx context.Context, cfg Config) (_ *Gateway, err error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.bound == nil {
		if cfg, err = cfg.Bind(ctx); err != nil {
			return nil, err
		}
	}
	g := &Gateway{log: cfg.Logger}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.Close(ctx))
			cfg.Release()
		}
	}()
	if g.store, err = store.OpenTampered(ctx, cfg.Data, cfg.Triggers); err != nil {
		return nil, fmt.Errorf("cannot open the gateway's data: %w", err)
	}
	if g.accounts, err = g.store.Plant(ctx, cfg.Seed); err != nil {
		return nil, fmt.Errorf("cannot create the declared accounts: %w", err)
	}
	g.worker = work.Start(cfg.work(g.store))
	handler, err := api.New(cfg.api(g.store, g.worker))
	if err != nil {
		return nil, fmt.Errorf("cannot build the gateway's API: %w", err)
	}
	if OnLoopback(cfg.Listen) {
		handler = api.AllowLocalPages(handler)
	}
	if cfg.Wrap != nil {
		handler = cfg.Wrap(handler)
	}
	g.api = serve(cfg.bound.api, cfg.edge(handler), cfg.MutualTLS, cfg.Logger)
	if cfg.bound.controls == nil {
		return g, nil
	}
	handler = controls.New(controls.Config{
		Store: g.store, RunDue: g.worker.RunDue, Interrupt: g.worker.Interrupt, Seed: cfg.Seed,
		Log: cfg.Logger, Token: cfg.ControlToken,
	})
	if cfg.WrapControls != nil {
		handler = cfg.WrapControls(handler)
	}
	g.controls = serve(cfg.bound.controls, handler, nil, cfg.Logger)
	return g, nil
}

// edge wraps the API so that X-SSL-Client-Cert can be trusted.
func (cfg Config) edge(api http.Handler) http.Handler {
	switch {
	case cfg.MutualTLS != nil && cfg.Edge != nil:
		return cfg.Edge(api)
	case cfg.MutualTLS != nil:
		return edge.Terminate(api)
	case cfg.Proxies == nil:
		cfg.Proxies = edge.Loopback()
	}
	return edge.Trust(cfg.Proxies, cfg.Logger, api)
}

// URL is the base URL of the API, without a slash at its end.
func (g *Gateway) URL() string { return g.api.url() }

// Accounts are the accounts of Config.Seed, in its order.
func (g *Gateway) Accounts() []pix.Account { return g.accounts }

// ControlsURL is the base URL of the test controls, "" where there are none.
func (g *Gateway) ControlsURL() string {
	if g.controls == nil {
		return ""
	}
	return g.controls.url()
}

// Close stops listening, waits for running requests as long as the context allows, waits for the worker
// and closes the store. Jobs that are due and not done run after the next start on the same data.
func (g *Gateway) Close(ctx context.Context) error {
	var errs []error
	for _, s := range []*server{g.api, g.controls} {
		if s != nil {
			errs = append(errs, s.close(ctx))
		}
	}
	if g.worker != nil {
		g.worker.Close()
	}
	if g.store != nil {
		errs = append(errs, g.store.Close())
	}
	return errors.Join(errs...)
}
