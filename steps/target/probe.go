package target

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Target is a gateway that responds like one.
type Target struct {
	Profile Profile // with defaults
	Client  *Client
	Has     map[Control]bool // the controls that it offers and that may be used
	ways    map[Control]way  // how to call each of them

	// ClockOffset is how far the target's clock is ahead of this machine's, by the Date header of a response; 0 if
	// that is unknown.
	ClockOffset time.Duration

	malformed sync.Map // by Control: what was wrong with a successful response
	issued    sync.Map // the clientIds of new accounts, in lower case
}

// Open checks before a run that a target can be reached, looks like a gateway and has the test
// controls of its profile. Its errors say what to do. A gateway with wrong responses passes:
// finding that is the purpose of the run. The caller closes the client's idle connections.
func Open(ctx context.Context, p Profile, id Identity) (*Target, error) {
	t, err := newTarget(p, id)
	if err != nil {
		return nil, err
	}
	if err = t.probe(ctx); err == nil {
		err = t.discover(ctx, id)
	}
	if err != nil {
		t.Client.CloseIdleConnections()
		return nil, err
	}
	return t, nil
}

func newTarget(p Profile, id Identity) (*Target, error) {
	p = p.withDefaults()
	client, err := newClient(p, id)
	return &Target{Profile: p, Client: client, Has: map[Control]bool{}, ways: map[Control]way{}}, err
}

// probe sends two requests that every gateway rejects: a balance request without a token and a
// token request without a certificate. One plausible response suffices; otherwise the most
// informative error is returned.
func (t *Target) probe(ctx context.Context) error {
	shown, err := t.Profile.firstCertificate()
	if err != nil {
		return err
	}
	var reported error
	most := silence + 1
	for _, r := range probes(t.Profile) {
		r.Certificate = shown
		e := t.Client.Send(ctx, r)
		t.ClockOffset = cmp.Or(t.ClockOffset, clockOffset(e))
		tells, problem := notAGateway(t.Profile.BaseURL, e, t.Client.advice(t.Client.api, e))
		if problem == nil || t.Profile.TLS.Handshake && RefusedLikeEdge(e) {
			t.Client.responded(&t.Client.apiLiveness)
			return nil // the edge requires a certificate, so the gateway behind it does not show yet
		}
		if tells < most {
			reported, most = problem, tells
		}
	}
	return reported
}

func clockOffset(e exchange.Exchange) time.Duration {
	theirs, err := http.ParseTime(e.ResponseHeader.Get("Date"))
	if err != nil {
		return 0
	}
	return theirs.Sub(e.Sent.Add(e.Took / 2)).Round(time.Second)
}

// ClockNote says that the clocks of the target and of this machine differ by more than a minute; empty if they do
// not. Clocks that differ make tokens, certificates and time filters behave in ways that look like faults.
func (t *Target) ClockNote() string {
	if t.ClockOffset.Abs() <= time.Minute {
		return ""
	}
	return fmt.Sprintf("the target's clock is %s %s this machine's, by its Date header; synchronize both with NTP if rules about time fail",
		t.ClockOffset.Abs(), map[bool]string{true: "ahead of", false: "behind"}[t.ClockOffset > 0])
}

// probes are requests that every gateway rejects with a response.
func probes(p Profile) []Request {
	token := http.Header{"Content-Type": {"application/json"}}
	return []Request{
		{Party: exchange.API, Operation: "probe", Rule: "probe", Method: http.MethodGet, Path: "/accounts/balances"},
		{Party: exchange.API, Operation: "probe", Rule: "probe", Method: http.MethodPost, Path: p.TokenPath, Body: []byte("{}"), Header: token},
	}
}

// firstCertificate is the certificate for an edge that requires one; nil uses the profile's TLS.
func (p Profile) firstCertificate() (*tls.Certificate, error) {
	if !p.TLS.Handshake || len(p.Accounts) == 0 {
		return nil, nil
	}
	first, err := tls.X509KeyPair(p.Accounts[0].Certificate, p.Accounts[0].Key)
	if err != nil {
		return nil, fmt.Errorf("accounts[0].certificate and accounts[0].key: expected a matching pair in PEM: %w", err)
	}
	return &first, nil
}

// Kinds of responses that are not a gateway's, most informative first.
const (
	tlsServer  = iota // asked without TLS
	elsewhere         // redirects
	webServer         // serves HTML
	noEndpoint        // has nothing at the path
	silence
)

// notAGateway says why a response is not a gateway's; nil if it may be.
func notAGateway(base string, e exchange.Exchange, advice string) (tells int, problem error) {
	body := bytes.ToLower(bytes.TrimSpace(e.ResponseBody))
	isJSON := len(body) > 0 && (body[0] == '{' || body[0] == '[')
	isHTML := bytes.HasPrefix(body, []byte("<")) || strings.Contains(e.ResponseHeader.Get("Content-Type"), "text/html")
	unknown := e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented
	asked := e.Method + " " + e.URL
	switch location := e.ResponseHeader.Get("Location"); {
	case e.Status == 0:
		return silence, fmt.Errorf("cannot reach the target at %s: %s; %s", base, exchange.Line(e.Err), advice)
	case e.Status == http.StatusProxyAuthRequired:
		return silence, fmt.Errorf("the proxy in front of %s requires authentication (407); %s", base, advice)
	case e.Status == http.StatusBadRequest && strings.HasPrefix(e.URL, "http:") && !isJSON && requiresTLS(body):
		return tlsServer, fmt.Errorf("%s requires TLS: use https:// instead of http://", base)
	case e.Status >= 300 && e.Status < 400 && location != "":
		return elsewhere, fmt.Errorf("%s redirects %s to %q; pixcert follows no redirects: use the base URL that it redirects to",
			base, asked, exchange.Line(location))
	case MayBeProxy(e):
		return silence, fmt.Errorf("%s returns %d to %s, as a proxy does whose gateway is down; start the gateway", base, e.Status, asked)
	case isHTML && !isJSON:
		return webServer, fmt.Errorf("%s is not a gateway: %s returns %d and a web page instead of JSON; "+
			"check host, port and path, and any proxy in front of the gateway", base, asked, e.Status)
	case e.Status == http.StatusNotFound, unknown && !isJSON:
		return noEndpoint, fmt.Errorf("%s has no gateway at this path: %s returns %d; "+
			"check the path of the base URL, to which pixcert appends paths such as /accounts/balances", base, asked, e.Status)
	default:
		return 0, nil
	}
}

// requiresTLS recognizes how Go, nginx and Apache respond to plain HTTP on a TLS port.
func requiresTLS(body []byte) bool {
	return bytes.Contains(body, []byte("http request to an https server")) ||
		bytes.Contains(body, []byte("plain http request was sent to https port")) ||
		bytes.Contains(body, []byte("speaking plain http to an ssl-enabled"))
}

// advice says what to do about a request to a base URL without a response.
func (c *Client) advice(base *url.URL, e exchange.Exchange) string {
	problem := e.Err
	if e.Status == http.StatusProxyAuthRequired {
		problem = "407"
	}
	if proxied := c.connections.proxies.advice(base, problem); proxied != "" {
		return proxied
	}
	for _, known := range []struct{ in, advice string }{
		{refused, "start the gateway, or correct the host and port"},
		{noTLS, "use http:// instead of https://"},
		{untrusted, "set tls.ca in the profile to the authority that issued it, or make the system trust it (SSL_CERT_FILE=ca.pem)"},
		{wrongHost, "use a host name that the certificate contains"},
		{outOfDate, "renew it, or correct the clock of this machine or the target"},
		{"malformed HTTP", "the server does not speak HTTP: correct the port"},
	} {
		if strings.Contains(problem, known.in) {
			return known.advice
		}
	}
	return "check that the gateway is running, and read its log"
}
