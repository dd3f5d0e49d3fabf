package module

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext/httpext"
	"go.k6.io/k6/v2/metrics"
	"gopkg.in/guregu/null.v3"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// sender sends the requests of a call with k6's HTTP client, and measures each with the tags of the call.
type sender struct {
	user       *user
	state      *lib.State
	tags       metrics.TagsAndMeta
	params     *params // nil: none
	expected   statuses
	unmeasured bool // neither limited by the script's rps nor counted in http_req_*
}

// Send makes one exchange.
func (s *sender) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	expected := s.expected
	if r.Operation == gateway.Token && s.params != nil && !s.params.token { // of the account, not the call's own request
		expected = successes
	} else {
		s.params.into(r)
	}
	x := s.exchange(ctx, r, expected)
	if !expected.contain(x.Status) {
		s.user.log(ctx, x)
	}
	return x
}

// exchange makes one exchange with k6's client.
func (s *sender) exchange(ctx context.Context, r *gateway.Request, expected statuses) *gateway.Exchange {
	x := &gateway.Exchange{Request: r}
	called := time.Now()
	state := *s.state
	once := &trip{by: state.Transport}
	samples := make(chan metrics.SampleContainer, 1) // one request has one: its times are in no result of k6 if it fails
	state.Transport, state.Samples = once, samples
	if s.unmeasured {
		state.RPSLimit = nil
	}
	request, err := s.request(r, expected)
	var response *httpext.Response
	if err == nil {
		response, err = httpext.MakeRequest(ctx, &state, request)
	}
	x.Timing.Start, x.Timing.End = once.begun, time.Now()
	x.Unsent = once.begun.IsZero()
	if x.Unsent {
		x.Timing.Start = x.Timing.End
	}
	if state.RPSLimit != nil {
		x.Paced = x.Timing.Start.Sub(called)
	}
	select {
	case sample := <-samples:
		s.measure(ctx, x, sample)
	default: // it was not sent, or the virtual user was stopped
	}
	if err != nil {
		x.Err, x.Stopped = reason(ctx, err, request), ctx.Err() != nil
		return x
	}
	x.Unsent, x.Status, x.Header = false, response.Status, response.Headers
	x.Body, _ = response.Body.([]byte)
	return x
}

// request is a request as k6's client expects it. Its tag name is the path's template, unless the call has one, so that
// payment ids do not create time series. Redirects are not followed: they would repeat payments.
func (s *sender) request(r *gateway.Request, expected statuses) (*httpext.ParsedHTTPRequest, error) {
	u := s.user
	at, err := httpext.NewURL(u.base+r.Path, r.Operation.Template)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	header.Set("User-Agent", s.state.Options.UserAgent.String)
	for name, value := range u.test.options.Headers {
		header.Set(name, value)
	}
	request := &httpext.ParsedHTTPRequest{
		URL: &at, Req: &http.Request{Method: r.Operation.Method, URL: at.GetURL(), Header: header},
		Timeout: u.test.options.Timeout, Throw: true, ResponseType: httpext.ResponseTypeBinary,
		ResponseCallback: expected.contain, Redirects: null.IntFrom(0), TagsAndMeta: s.tags,
	}
	if r.Timeout != 0 {
		request.Timeout = r.Timeout
	}
	if r.Body != nil {
		request.Body = bytes.NewBuffer(r.Body)
		header.Set("Content-Type", "application/json")
	}
	if r.Bearer != "" {
		header.Set("Authorization", "Bearer "+r.Bearer)
	}
	for i := 0; i+1 < len(r.Header); i += 2 {
		header.Set(r.Header[i], r.Header[i+1])
	}
	request.Req.Host = header.Get("Host") // where net/http looks for it; empty: that of the URL
	return request, nil
}

// measure reads the times of an exchange from k6's sample, which it passes on.
func (s *sender) measure(ctx context.Context, x *gateway.Exchange, sample metrics.SampleContainer) {
	trail := sample.(*httpext.Trail)
	x.Unsent = x.Unsent || trail.ConnRemoteAddr == nil // it got no connection
	x.ErrorCode, _ = trail.Tags.Get(metrics.TagErrorCode.String())
	x.Timing.End, x.Timing.Parts = trail.EndTime, gateway.Parts{
		Duration: metrics.D(trail.Duration), Blocked: metrics.D(trail.Blocked),
		Connecting: metrics.D(trail.Connecting), TLSHandshaking: metrics.D(trail.TLSHandshaking),
		Sending: metrics.D(trail.Sending), Waiting: metrics.D(trail.Waiting), Receiving: metrics.D(trail.Receiving),
	}
	if !s.unmeasured {
		metrics.PushIfNotDone(ctx, s.state.Samples, trail)
	}
}

// trip sends a request at most once. net/http sends one again whose connection broke, if it can read the body again
// and considers the request idempotent: for example one with an idempotency key.
type trip struct {
	by    http.RoundTripper
	begun time.Time // zero: nothing was sent
}

// RoundTrip makes the exchange.
func (t *trip) RoundTrip(r *http.Request) (*http.Response, error) {
	t.begun = time.Now()
	once := *r
	once.GetBody = nil
	return t.by.RoundTrip(&once)
}

// reason is why there is no response, without the URL, which may contain an id for each request.
func reason(ctx context.Context, err error, request *httpext.ParsedHTTPRequest) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		err = of.Err
	}
	timeout, ok := errors.AsType[net.Error](err)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("canceled before the complete response arrived: %w", context.Cause(ctx))
	case ok && timeout.Timeout():
		return fmt.Errorf("expected a complete response within %v: %w", request.Timeout, err)
	}
	return err
}
