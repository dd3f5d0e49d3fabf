package target

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Target is a gateway that is there and looks like one.
type Target struct {
	Profile Profile // with its defaults filled in
	Client  *Client
	Has     map[Control]bool // the controls that it says it has
}

// Open finds out before a run whether a target can be reached, looks like a gateway
// and has the interface of controls that its profile names. Its errors say what to
// do. A gateway that answers wrongly, even to everything, is let pass: to find that
// out is what the run is for. The caller closes the client's idle connections.
func Open(ctx context.Context, p Profile, id Identity) (*Target, error) {
	p = p.withDefaults()
	client, err := newClient(p, id)
	if err != nil {
		return nil, err
	}
	t := &Target{Profile: p, Client: client, Has: map[Control]bool{}}
	err = t.probe(ctx)
	if err == nil && p.Control != nil {
		err = t.discover(ctx)
	}
	if err != nil {
		client.CloseIdleConnections()
		return nil, err
	}
	return t, nil
}

// probe sends what every gateway refuses: a balance request without a token and a
// token request without a certificate. One answer that could be a gateway's will do.
func (t *Target) probe(ctx context.Context) error {
	var answers []exchange.Exchange
	for _, r := range []Request{
		{Method: http.MethodGet, Path: "/accounts/balances"},
		{Method: http.MethodPost, Path: t.Profile.TokenPath, Body: []byte("{}"), Header: http.Header{"Content-Type": {"application/json"}}},
	} {
		r.Party, r.Operation, r.Rule = exchange.API, "probe", "probe"
		e := t.Client.Send(ctx, r)
		if looksLike(e) == gateway {
			return nil
		}
		answers = append(answers, e)
	}
	return refusal(t.Profile.BaseURL, answers)
}

// likeness is what an answer looks like, from the most to the least telling.
type likeness int

const (
	gateway    likeness = iota
	tlsServer           // asked without TLS
	elsewhere           // redirects
	webServer           // serves HTML
	noEndpoint          // has nothing at the path
	silence
)

func looksLike(e exchange.Exchange) likeness {
	body := bytes.ToLower(bytes.TrimSpace(e.ResponseBody))
	isJSON := len(body) > 0 && (body[0] == '{' || body[0] == '[')
	isHTML := bytes.HasPrefix(body, []byte("<")) || strings.Contains(e.ResponseHeader.Get("Content-Type"), "text/html")
	unknown := e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented
	switch {
	case e.Status == 0:
		return silence
	case e.Status == http.StatusBadRequest && strings.HasPrefix(e.URL, "http:") && !isJSON && asksForTLS(body):
		return tlsServer
	case e.Status >= 300 && e.Status < 400 && e.ResponseHeader.Get("Location") != "":
		return elsewhere
	case isHTML && !isJSON:
		return webServer
	case e.Status == http.StatusNotFound, unknown && !isJSON:
		return noEndpoint
	default:
		return gateway
	}
}

// asksForTLS knows how servers answer plain HTTP on a port for TLS: in these words,
// in lower case, of Go and of nginx and Apache.
func asksForTLS(body []byte) bool {
	return bytes.Contains(body, []byte("http request to an https server")) ||
		bytes.Contains(body, []byte("plain http request was sent to https port")) ||
		bytes.Contains(body, []byte("speaking plain http to an ssl-enabled"))
}

// refusal says why answers are no gateway's, by the most telling of them.
func refusal(base string, answers []exchange.Exchange) error {
	e := answers[0]
	for _, other := range answers[1:] {
		if looksLike(other) < looksLike(e) {
			e = other
		}
	}
	asked := e.Method + " " + e.URL
	switch looksLike(e) {
	case tlsServer:
		return fmt.Errorf("%s expects TLS: give its URL with https:// instead of http://", base)
	case elsewhere:
		return fmt.Errorf("%s answers %s with a redirect to %q, which is not followed: give the base URL that it leads to",
			base, asked, exchange.Line(e.ResponseHeader.Get("Location")))
	case webServer:
		return fmt.Errorf("%s is no gateway: it answers %s with %d and a web page instead of JSON; "+
			"check the host, the port and the path, or the proxy in front of the gateway", base, asked, e.Status)
	case noEndpoint:
		return fmt.Errorf("%s has no gateway at this path: it answers %s with %d; "+
			"check the path of the base URL, to which /accounts/balances and the like are appended", base, asked, e.Status)
	default:
		return fmt.Errorf("the target at %s gives no answer: %s; %s", base, exchange.Line(e.Err), advice(e.Err))
	}
}

// advice is what to do about a request that got no answer.
func advice(problem string) string {
	for _, known := range []struct{ in, advice string }{
		{refused, "start the gateway, or correct the host and port"},
		{"cannot be resolved", "correct the host name"},
		{noTLS, "give its URL with http:// instead of https://"},
		{untrusted, "give the authority that issued it to the profile, or to the system (SSL_CERT_FILE=ca.pem)"},
		{"malformed HTTP", "what listens there does not speak HTTP: correct the port"},
	} {
		if strings.Contains(problem, known.in) {
			return known.advice
		}
	}
	return "check that the gateway runs, and what its log says"
}

// protocol is the version of the test controls that is spoken here.
const protocol = "1"

// discover learns which controls the target has.
func (t *Target) discover(ctx context.Context) error {
	base := t.Profile.Control.URL
	request, err := t.controlRequest("discovery", "probe", http.MethodGet, "/controls", nil)
	if err != nil {
		return err
	}
	e := t.Client.Send(ctx, request)
	var answer struct {
		Protocol json.Number
		Controls []Control
	}
	malformed := json.Unmarshal(e.ResponseBody, &answer)
	switch {
	case e.Status == 0:
		return fmt.Errorf("the test controls at %s give no answer: %s; %s", base, exchange.Line(e.Err), advice(e.Err))
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return fmt.Errorf("the test controls at %s answer %d: give the token that they ask for", base, e.Status)
	case e.Status < 200, e.Status > 299, malformed != nil, answer.Protocol == "":
		return fmt.Errorf("%s is not where test controls are: expected GET %s to name a protocol and controls, came %d with %s; "+
			"correct the control URL, or leave it out to test without controls", base, e.URL, e.Status, excerpt(e.ResponseBody))
	case answer.Protocol != protocol:
		return fmt.Errorf("the test controls at %s speak protocol %s; expected protocol %s: use the pixcert that speaks the same",
			base, exchange.Line(answer.Protocol.String()), protocol)
	case e.Err != "":
		return errors.New("the test controls at " + base + " give half an answer: " + exchange.Line(e.Err))
	}
	for _, control := range answer.Controls {
		t.Has[control] = true
	}
	return nil
}
