// Package faulty holds gateways for tests and measurements: a proxy that makes a sound
// gateway lose, double, delay and corrupt webhooks, cut connections and debit repeats
// twice, by exact counts; and a gateway that does so little that it is the client which
// is measured.
package faulty

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

// ProxyConfig says what stands behind a proxy and what the proxy does wrong.
type ProxyConfig struct {
	Upstream string // base URL of the gateway, over HTTP

	Deliveries Plan // Lose, Double, Delay, Alter, Truncate
	Payments   Plan // CutBefore, CutAfter
	Repeats    Plan // DebitTwice
	// TellTwice hands on the event of a second debit too, under the id of the first. The
	// plan for deliveries is not asked about it.
	TellTwice bool

	Delay time.Duration // of a delivery that is delayed
}

// Proxy stands between a run and a gateway, on free ports of 127.0.0.1. What it passes on
// is left as it is, but for the URLs of webhooks: the gateway is given the proxy's own.
//
// Test controls do not pass by it.
type Proxy struct {
	URL string // of the API, over HTTP

	config   ProxyConfig
	prefix   string // path of the gateway's base URL
	upstream *fasthttp.HostClient
	api      server
	hooks    server
	tally    tally
	targets  targets
	couriers couriers
}

// StartProxy starts a proxy; Close ends it.
func StartProxy(config ProxyConfig) (*Proxy, error) {
	upstream, err := url.Parse(config.Upstream)
	if err != nil || upstream.Scheme != "http" || upstream.Host == "" {
		return nil, fmt.Errorf("expected the http URL of a gateway, got %q", config.Upstream)
	}
	certificate, err := selfSigned()
	if err != nil {
		return nil, err
	}
	p := &Proxy{config: config, prefix: strings.TrimSuffix(upstream.Path, "/"), upstream: upstreamClient(upstream.Host)}
	p.tally.seen, p.tally.shadows = map[string]bool{}, map[string]string{}
	p.couriers.start(config.Delay, &p.tally)
	if err := p.hooks.start(p.receive, &tls.Config{Certificates: []tls.Certificate{certificate}}, true); err != nil {
		p.couriers.close()
		return nil, err
	}
	if err := p.api.start(p.pass, nil, true); err != nil {
		p.couriers.close()
		return nil, errors.Join(err, p.hooks.close())
	}
	p.URL = "http://" + p.api.address + p.prefix
	return p, nil
}

// Injected is what the proxy has done so far.
func (p *Proxy) Injected() Injected { return p.tally.snapshot() }

// Close ends the proxy and every connection to it. Deliveries whose delay is not over are
// dropped.
func (p *Proxy) Close() error {
	err := errors.Join(p.api.close(), p.hooks.close())
	p.couriers.close()
	p.upstream.CloseIdleConnections()
	return err
}

// upstreamClient sends each request once, whatever comes of it.
func upstreamClient(host string) *fasthttp.HostClient {
	return &fasthttp.HostClient{
		Addr:                          host,
		MaxConns:                      4096,
		MaxIdleConnDuration:           5 * time.Second, // the gateway would rather keep them longer
		ReadTimeout:                   exchangeTimeout,
		WriteTimeout:                  exchangeTimeout,
		MaxResponseBodySize:           maxBody,
		NoDefaultUserAgentHeader:      true,
		DisablePathNormalizing:        true,
		DisableHeaderNamesNormalizing: true,
		RetryIfErr:                    neverAgain,
	}
}

func neverAgain(*fasthttp.Request, int, error) (resetTimeout, retry bool) { return false, false }

// Bounds of one exchange.
const (
	exchangeTimeout = time.Minute
	maxBody         = 4 << 20
)
