// Package faulty has gateways for tests and measurements: a proxy that makes a correct gateway
// lose, duplicate, delay and corrupt webhooks, cut connections and debit repeats twice, in
// exact numbers; and a gateway that does so little that measurements show the client.
package faulty

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/pixcert/pixcert/load/internal/certificate"
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
	own, err := certificate.New(x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}, nil)
	if err != nil {
		return nil, err
	}
	p := &Proxy{config: config, prefix: strings.TrimSuffix(upstream.Path, "/"), upstream: upstreamClient(upstream.Host)}
	p.tally.seen, p.tally.shadows = map[string]bool{}, map[string]string{}
	p.couriers.start(config.Delay, &p.tally)
	if err := p.hooks.start(p.receive, &tls.Config{Certificates: []tls.Certificate{own}}, true); err != nil {
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

// Injected counts the faults injected so far.
func (p *Proxy) Injected() Injected { return p.tally.snapshot() }

// Close stops the proxy and closes every connection. Deliveries that are still delayed are
// dropped.
func (p *Proxy) Close() error {
	err := errors.Join(p.api.close(), p.hooks.close())
	p.couriers.close()
	p.upstream.CloseIdleConnections()
	return err
}

// upstreamClient sends each request once, without retries.
func upstreamClient(host string) *fasthttp.HostClient {
	return &fasthttp.HostClient{
		Addr:                          host,
		MaxConns:                      4096,
		MaxIdleConnDuration:           5 * time.Second, // less than the gateway keeps them
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

// Limits of one exchange.
const (
	exchangeTimeout = time.Minute
	maxBody         = 4 << 20
)
