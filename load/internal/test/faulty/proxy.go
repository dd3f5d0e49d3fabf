// Package faulty has gateways for tests and measurements: a proxy that makes a correct gateway
// lose, duplicate, delay and corrupt webhooks, cut connections and debit repeats twice, in
// exact numbers; and a gateway that does so little that measurements show the client.
package faulty

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// ProxyConfig says which gateway a proxy forwards to and which faults it injects.
type ProxyConfig struct {
	Upstream string // base URL of the gateway, over HTTP

	Deliveries Plan // Lose, Double, Delay, Alter, Truncate
	Payments   Plan // CutBefore, CutAfter
	Repeats    Plan // DebitTwice
	// DeliverTwice also forwards the event of a second debit, with the id of the first. The plan
	// for deliveries does not apply to it.
	DeliverTwice bool

	Delay time.Duration // of a delayed delivery
}

// Proxy is between a run and a gateway, on free ports of 127.0.0.1. It forwards everything
// unchanged, except that it registers its own webhook URLs with the gateway.
//
// Test controls do not use it.
type Proxy struct {
	URL string // of the API, over HTTP

	config    ProxyConfig
	upstream  *url.URL // of the gateway
	prefix    string   // path of the gateway's base URL
	transport *http.Transport
	hooks     *httptest.Server
	late      sync.WaitGroup
	closing   chan struct{}

	mu       sync.Mutex // guards the rest, and calls of the plans
	injected Injected
	seen     map[string]bool   // ids of payments that were sent to the gateway
	shadows  map[string]string // ids with which repeats were debited, and the clients' own ids
}

// StartProxy starts a proxy, which ends with its test. Deliveries that are still delayed then are
// dropped.
func StartProxy(t testing.TB, config ProxyConfig) *Proxy {
	t.Helper()
	upstream, err := url.Parse(config.Upstream)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{
		config: config, upstream: upstream, prefix: strings.TrimSuffix(upstream.Path, "/"), transport: newTransport(),
		seen: map[string]bool{}, shadows: map[string]string{}, closing: make(chan struct{}),
	}
	api := httptest.NewServer(handler(p.pass))
	p.hooks = httptest.NewTLSServer(handler(p.receive))
	p.URL = api.URL + p.prefix
	t.Cleanup(func() {
		stop(api)
		stop(p.hooks)
		close(p.closing)
		p.late.Wait()
		p.transport.CloseIdleConnections()
	})
	return p
}

// Injected counts the faults injected so far.
func (p *Proxy) Injected() (sum Injected) {
	p.count(func(i *Injected) { sum = *i })
	return sum
}

func (p *Proxy) count(change func(*Injected)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.injected)
}

// did records a fault that took effect.
func (p *Proxy) did(fault Fault) {
	if fault != None {
		p.count(func(i *Injected) { *i.counter(fault)++ })
	}
}
