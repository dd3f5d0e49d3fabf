// Package faulty has gateways for tests and measurements: a proxy that makes a correct gateway
// lose, duplicate, delay and corrupt webhooks, cut connections and debit repeats twice, in
// exact numbers; and a gateway that does so little that measurements show the client.
package faulty

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// ProxyConfig says which gateway a proxy forwards to and which faults it injects.
type ProxyConfig struct {
	Upstream string // base URL of the gateway, over HTTP, without a path

	Deliveries Plan          // Lose, Double, Delay, Alter, Truncate
	Payments   Plan          // CutBefore, CutAfter
	Repeats    Plan          // DebitTwice
	Delay      time.Duration // of a delayed delivery
}

// Proxy is between a run and a gateway, on free ports of 127.0.0.1. It forwards everything
// unchanged, except that it registers its own webhook URLs with the gateway.
//
// Test controls do not use it.
type Proxy struct {
	URL string // of the API, over HTTP

	config    ProxyConfig
	upstream  *url.URL // of the gateway
	transport *http.Transport
	hooks     *httptest.Server
	late      sync.WaitGroup
	closing   chan struct{}

	mu       sync.Mutex // guards the rest, and calls of the plans
	injected Injected
	seen     map[string]bool // ids of payments that were sent to the gateway
	shadows  map[string]bool // ids with which repeats were debited
}

// StartProxy starts a proxy, which ends with its test and drops the deliveries that it still delays.
func StartProxy(t testing.TB, config ProxyConfig) *Proxy {
	t.Helper()
	upstream, err := url.Parse(config.Upstream)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{
		config: config, upstream: upstream, transport: newTransport(),
		seen: map[string]bool{}, shadows: map[string]bool{}, closing: make(chan struct{}),
	}
	api := httptest.NewServer(handler(p.pass))
	p.hooks = httptest.NewTLSServer(handler(p.receive))
	p.URL = api.URL
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

// Fault is what a proxy does to one delivery, one payment or one repeat.
type Fault uint8

// Faults: of webhook deliveries, of payments, and of repeats.
const (
	None     Fault = iota
	Lose           // acknowledged to the gateway, and dropped
	Double         // forwarded twice
	Delay          // acknowledged to the gateway, and forwarded later
	Alter          // forwarded with other amounts
	Truncate       // forwarded with half its body

	CutBefore // the connection ends before the gateway receives the payment
	CutAfter  // the gateway accepts the payment, and the connection ends before the response

	DebitTwice // the gateway receives the repeat as another payment, whose webhook is lost
)

// Plan returns the fault of the n-th of its kind, counted from 1 in order of arrival. It is
// called by one goroutine at a time. A nil plan does nothing.
type Plan func(n int64) Fault

func (p Plan) of(n int64) Fault {
	if p == nil {
		return None
	}
	return p(n)
}

// OneIn injects each of the faults once in every n, far apart. n must exceed the number of faults.
func OneIn(n int64, faults ...Fault) Plan {
	at := make(map[int64]Fault, len(faults))
	for i, fault := range faults {
		at[n*int64(i+1)/int64(len(faults)+1)] = fault
	}
	return func(k int64) Fault { return at[k%n] }
}

// At injects faults at the given numbers.
func At(chosen map[int64]Fault) Plan {
	return func(n int64) Fault { return chosen[n] }
}

// Injected counts the faults injected so far. Only faults that took effect are counted: a
// delivery is duplicate if its receiver responded to both.
type Injected struct {
	Payments, Repeats, Deliveries int64 // that passed, with and without faults

	Lost, Doubled, Delayed, Altered, Truncated int64
	CutBefore, CutAfter                        int64
	DebitedTwice                               int64
	DebitedCentavos                            int64 // what DebitedTwice took from the accounts, without fees

	Broken int64 // responses or deliveries that failed without a fault of the plan
}

func (i *Injected) counter(fault Fault) *int64 {
	return map[Fault]*int64{
		Lose: &i.Lost, Double: &i.Doubled, Delay: &i.Delayed, Alter: &i.Altered, Truncate: &i.Truncated,
		CutBefore: &i.CutBefore, CutAfter: &i.CutAfter, DebitTwice: &i.DebitedTwice,
	}[fault]
}
