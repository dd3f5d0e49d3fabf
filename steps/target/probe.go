package target

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Target is a gateway that is there and looks like one.
type Target struct {
	Profile Profile // with its defaults filled in
	Client  *Client
	Has     map[Control]bool // the controls that it says it has, and that may be used
	ways    map[Control]way  // by which each of them is called
}

// Open finds out before a run whether a target can be reached, looks like a gateway
// and has the test controls that its profile names. Its errors say what to do. A gateway that
// answers wrongly, even to everything, is let pass: to find that out is what the run is for. The caller closes the client's idle connections.
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

// probe sends what every gateway refuses: a balance request without a token and a
// token request without a certificate. One answer that could be a gateway's will do; else
// the most telling one is reported.
func (t *Target) probe(ctx context.Context) error {
	shown, err := t.Profile.firstCertificate()
	if err != nil {
		return err
	}
	var told error
	most := silence + 1
	for _, r := range probes(t.Profile) {
		r.Certificate = shown
		e := t.Client.Send(ctx, r)
		tells, problem := noGateway(t.Profile.BaseURL, e)
		if problem == nil || t.Profile.TLS.Handshake && RefusedLikeEdge(e) {
			return nil // what lies behind an edge that wants a certificate does not show yet
		}
		if tells < most {
			told, most = problem, tells
		}
	}
	return told
}

// probes are requests that every gateway refuses, and thereby answers.
func probes(p Profile) []Request {
	token := http.Header{"Content-Type": {"application/json"}}
	return []Request{
		{Party: exchange.API, Operation: "probe", Rule: "probe", Method: http.MethodGet, Path: "/accounts/balances"},
		{Party: exchange.API, Operation: "probe", Rule: "probe", Method: http.MethodPost, Path: p.TokenPath, Body: []byte("{}"), Header: token},
	}
}

// firstCertificate is what an edge may ask for before it lets anything through; nil
// leaves it to the profile's TLS.
func (p Profile) firstCertificate() (*tls.Certificate, error) {
	if !p.TLS.Handshake || len(p.Accounts) == 0 {
		return nil, nil
	}
	first, err := tls.X509KeyPair(p.Accounts[0].Certificate, p.Accounts[0].Key)
	if err != nil {
		return nil, fmt.Errorf("the certificate and key of the profile's first account cannot be shown in a handshake: %w; expected both in PEM, and that they belong together", err)
	}
	return &first, nil
}

// What an answer that is no gateway's can be, from the most to the least telling.
const (
	tlsServer  = iota // asked without TLS
	elsewhere         // redirects
	webServer         // serves HTML
	noEndpoint        // has nothing at the path
	silence
)

// noGateway says why an answer is no gateway's; nil if it could be one's.
func noGateway(base string, e exchange.Exchange) (tells int, problem error) {
	body := bytes.ToLower(bytes.TrimSpace(e.ResponseBody))
	isJSON := len(body) > 0 && (body[0] == '{' || body[0] == '[')
	isHTML := bytes.HasPrefix(body, []byte("<")) || strings.Contains(e.ResponseHeader.Get("Content-Type"), "text/html")
	unknown := e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented
	asked := e.Method + " " + e.URL
	switch location := e.ResponseHeader.Get("Location"); {
	case e.Status == 0:
		return silence, fmt.Errorf("the target at %s gives no answer: %s; %s", base, exchange.Line(e.Err), advice(e.Err))
	case e.Status == http.StatusBadRequest && strings.HasPrefix(e.URL, "http:") && !isJSON && asksForTLS(body):
		return tlsServer, fmt.Errorf("%s expects TLS: give its URL with https:// instead of http://", base)
	case e.Status >= 300 && e.Status < 400 && location != "":
		return elsewhere, fmt.Errorf("%s answers %s with a redirect to %q, which is not followed: give the base URL that it leads to",
			base, asked, exchange.Line(location))
	case isHTML && !isJSON:
		return webServer, fmt.Errorf("%s is no gateway: it answers %s with %d and a web page instead of JSON; "+
			"check the host, the port and the path, or the proxy in front of the gateway", base, asked, e.Status)
	case e.Status == http.StatusNotFound, unknown && !isJSON:
		return noEndpoint, fmt.Errorf("%s has no gateway at this path: it answers %s with %d; "+
			"check the path of the base URL, to which /accounts/balances and the like are appended", base, asked, e.Status)
	default:
		return 0, nil
	}
}

// asksForTLS knows how servers answer plain HTTP on a port for TLS: in these words,
// in lower case, of Go and of nginx and Apache.
func asksForTLS(body []byte) bool {
	return bytes.Contains(body, []byte("http request to an https server")) ||
		bytes.Contains(body, []byte("plain http request was sent to https port")) ||
		bytes.Contains(body, []byte("speaking plain http to an ssl-enabled"))
}

// advice is what to do about a request that got no answer.
func advice(problem string) string {
	for _, known := range []struct{ in, advice string }{
		{refused, "start the gateway, or correct the host and port"},
		{"cannot be resolved", "correct the host name"},
		{noTLS, "give its URL with http:// instead of https://"},
		{untrusted, "give the authority that issued it to the profile, or to the system (SSL_CERT_FILE=ca.pem)"},
		{wrongHost, "give its URL by a name that the certificate has"},
		{outOfDate, "renew it, and check the clocks of both machines"},
		{"malformed HTTP", "what listens there does not speak HTTP: correct the port"},
	} {
		if strings.Contains(problem, known.in) {
			return known.advice
		}
	}
	return "check that the gateway runs, and what its log says"
}
