package module

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext"
	"go.k6.io/k6/v2/lib/netext/httpext"
	"go.k6.io/k6/v2/metrics"
	"gopkg.in/guregu/null.v3"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// emitter converts a virtual user's exchanges to the samples that k6's own client pushes:
// http_reqs, http_req_duration and its parts, and http_req_failed, with the same tags.
type emitter struct {
	state *lib.State

	mu   sync.Mutex // async calls of one virtual user may overlap
	sets map[tagKey]*metrics.TagSet
}

// tagKey is everything that the tags of an exchange depend on. A run has only a few, and
// building a tag set costs more than the rest of a sample.
type tagKey struct {
	base      *metrics.TagSet
	operation gateway.Operation
	method    string
	status    int
	failure   failure
	protocol  string
	tls       string
	ip        string
	expected  bool
}

const maxSets = 1000

// emit pushes the samples of one exchange, with the tags that the virtual user had when it
// began. If it is not expected, k6 counts it as failed.
func (e *emitter) emit(ctx context.Context, base metrics.TagsAndMeta, x *gateway.Exchange, expected bool) {
	key := tagKey{
		base: base.Tags, operation: x.Request.Operation, method: x.Request.Method, status: x.Status,
		protocol: x.Timing.Protocol, tls: x.Timing.TLSVersion, expected: expected,
	}
	if x.Status == 0 {
		key.failure = failureOf(x.Err)
	}
	if x.Timing.Remote != nil && e.state.Options.SystemTags.Has(metrics.TagIP) {
		key.ip, _, _ = net.SplitHostPort(x.Timing.Remote.String())
	}
	base.Tags = e.tags(key)

	t := x.Timing
	trail := &httpext.Trail{
		EndTime:      t.End,
		ConnDuration: t.Connecting + t.TLSHandshaking, Duration: t.Duration(),
		Blocked: t.Blocked, Connecting: t.Connecting, TLSHandshaking: t.TLSHandshaking,
		Sending: t.Sending, Waiting: t.Waiting, Receiving: t.Receiving,
		ConnReused: t.Reused, ConnRemoteAddr: t.Remote,
		Failed: null.BoolFrom(!expected),
	}
	trail.SaveSamples(e.state.BuiltinMetrics, &base)
	trail.Samples = append(trail.Samples, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: e.state.BuiltinMetrics.HTTPReqFailed, Tags: base.Tags},
		Time:       t.End, Value: metrics.B(!expected), Metadata: base.Metadata,
	})
	metrics.PushIfNotDone(ctx, e.state.Samples, trail)
}

func (e *emitter) tags(key tagKey) *metrics.TagSet {
	e.mu.Lock()
	defer e.mu.Unlock()
	if set, ok := e.sets[key]; ok {
		return set
	}
	set := key.base
	for tag, value := range key.values() {
		if value != "" && e.state.Options.SystemTags.Has(tag) {
			set = set.With(tag.String(), value)
		}
	}
	if len(e.sets) >= maxSets {
		clear(e.sets) // a script that tags each iteration differently
	}
	e.sets[key] = set
	return set
}

// values are the tags that k6 sets for a request with a name: the URL is then the name, so
// that payment ids do not create time series.
func (k tagKey) values() map[metrics.SystemTag]string {
	name := k.operation.Endpoint().Template
	values := map[metrics.SystemTag]string{
		metrics.TagName:             name,
		metrics.TagURL:              name,
		metrics.TagMethod:           k.method,
		metrics.TagStatus:           strconv.Itoa(k.status),
		metrics.TagProto:            k.protocol,
		metrics.TagTLSVersion:       k.tls,
		metrics.TagIP:               k.ip,
		metrics.TagError:            k.failure.message,
		metrics.TagExpectedResponse: strconv.FormatBool(k.expected),
	}
	switch {
	case k.failure.code != 0:
		values[metrics.TagErrorCode] = strconv.Itoa(k.failure.code)
	case k.status >= 400:
		values[metrics.TagErrorCode] = strconv.Itoa(1000 + k.status)
	}
	if k.tls != "" {
		values[metrics.TagOCSPStatus] = netext.OCSP_STATUS_UNKNOWN
	}
	return values
}

// failure is why there was no response, with k6's error code.
// Source: https://grafana.com/docs/k6/latest/javascript-api/error-codes/
type failure struct {
	code    int
	message string
}

var failures = []struct {
	is func(error) bool
	failure
}{
	{dialTimeout, failure{1211, "dial: i/o timeout"}},
	{timeout, failure{1050, "request timeout"}},
	{wraps[*net.DNSError], failure{1101, "lookup: no such host"}},
	{wraps[netext.BlackListedIPError], failure{1110, "ip is blacklisted"}},
	{wraps[netext.BlockedHostError], failure{1111, "hostname is blocked"}},
	{is(syscall.ECONNREFUSED), failure{1212, "dial: connection refused"}},
	{is(syscall.ECONNRESET), failure{1220, "connection reset by peer"}},
	{is(syscall.EPIPE), failure{1201, "broken pipe"}},
	{is(io.EOF), failure{1000, "EOF"}},
	{is(io.ErrUnexpectedEOF), failure{1000, "unexpected EOF"}},
	{wraps[x509.UnknownAuthorityError], failure{1310, "x509: unknown authority"}},
	{wraps[x509.HostnameError], failure{1311, "x509: certificate doesn't match hostname"}},
	{is(context.Canceled), failure{1000, "the virtual user was stopped"}},
}

// failureOf maps an error to a fixed set of messages: an address or a port in a tag would
// create a time series for each connection.
func failureOf(err error) failure {
	for _, f := range failures {
		if f.is(err) {
			return f.failure
		}
	}
	return failure{1000, "no complete response"}
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func wraps[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}

func timeout(err error) bool {
	var slow net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &slow) && slow.Timeout()
}

func dialTimeout(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" && timeout(err)
}

// sender sends the requests of a virtual user's call: it respects the script's limit of
// requests per second, and measures each exchange with the tags of the call.
type sender struct {
	user     *user
	tags     metrics.TagsAndMeta
	params   *params // nil: none
	expected statuses
}

// Send makes one exchange.
func (s *sender) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	state := s.user.state
	if state.RPSLimit != nil {
		if err := state.RPSLimit.Wait(ctx); err != nil {
			now := time.Now()
			return &gateway.Exchange{Request: r, Err: err, Unsent: true, Timing: gateway.Timing{Start: now, End: now}}
		}
	}
	expected := s.expected
	if r.Operation == gateway.Token && s.params != nil && !s.params.token { // of the account, not the call's own request
		expected = successes
	} else {
		s.params.into(r)
	}
	x := s.user.connections.Send(ctx, r)
	if !expected.contain(x.Status) && ctx.Err() == nil && s.user.run.Prepared() { // an earlier failure ends the test
		s.user.failed(x)
	}
	if state.Options.HTTPDebug.String != "" {
		s.user.dump(x)
	}
	if s.user.emitter != nil {
		s.user.emitter.emit(ctx, s.tags, x, expected.contain(x.Status))
	}
	return x
}
