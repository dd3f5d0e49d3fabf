package target

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

const undecided = "the target closed a kept-alive connection during the request; " +
	"the request may have been processed, so it is not sent again"

const (
	tlsFailed    = "TLS failed: "
	unresponsive = " before responding"
	stopped      = "pixcert stopped waiting: "
	timedOut     = "timed out after "
	unreachable  = "cannot connect: "
	unresolved   = "cannot resolve the host name "

	closedByTarget = "the target closed the connection"
	resetByTarget  = "the target reset the connection"
)

// Errors for which there is advice.
const (
	refused   = "connection refused"
	noTLS     = "the server does not use TLS"
	untrusted = "its TLS certificate is not trusted"
	wrongHost = "its TLS certificate is for a different host"
	outOfDate = "its TLS certificate is not valid now"
)

// Undecided reports whether a kept-alive connection was closed during the request, so that it is unknown whether
// the target processed it.
func Undecided(e exchange.Exchange) bool { return e.Err == undecided }

// NoResponse reports whether e has no complete response of the target, and therefore says nothing about it: the
// request timed out (also with a part of the body), the connection could not be opened or was closed, or a proxy
// responded in the target's place. A malformed or oversized response is one.
func NoResponse(e exchange.Exchange) bool {
	switch {
	case e.Party == exchange.Webhook || Unsent(e):
		return false
	case e.Err == "":
		return MayBeProxy(e)
	}
	return e.Err == undecided || e.Err == refused ||
		slices.ContainsFunc([]string{timedOut, stopped, unreachable, unresolved, proxyFailed}, func(begin string) bool { return strings.HasPrefix(e.Err, begin) }) ||
		slices.ContainsFunc([]string{unresponsive, closedByTarget, resetByTarget}, func(end string) bool { return strings.HasSuffix(e.Err, end) })
}

// Unanswered reports whether the target left e without a complete response, and not because pixcert stopped waiting.
func Unanswered(e exchange.Exchange) bool { return NoResponse(e) && !strings.HasPrefix(e.Err, stopped) }

// MayBeProxy reports whether e may have been answered by a proxy that does not reach its gateway: with 502, 503 or
// 504, and without the error envelope of the API.
func MayBeProxy(e exchange.Exchange) bool {
	if e.Err != "" || !slices.Contains([]int{http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, e.Status) {
		return false
	}
	var envelope map[string]json.RawMessage
	return json.Unmarshal(e.ResponseBody, &envelope) != nil || envelope["code"] == nil && envelope["statusCode"] == nil
}

// HandshakeRefused reports whether the target ended the TLS handshake, or the connection at its
// first request, without a response, as an edge does that rejects the client certificate. In TLS
// 1.3 the client has sent its request by then.
func HandshakeRefused(e exchange.Exchange) bool {
	return e.Status == 0 && (strings.HasPrefix(e.Err, tlsFailed) || strings.HasSuffix(e.Err, unresponsive))
}

// edgeStatuses are the statuses with which edges reject a client certificate; 495 and 496 are
// nginx's own.
var edgeStatuses = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, 495, 496}

// RefusedLikeEdge reports whether e may be an edge that rejects a client certificate: by ending the
// handshake, or with a typical status.
func RefusedLikeEdge(e exchange.Exchange) bool {
	return HandshakeRefused(e) || slices.Contains(edgeStatuses, e.Status)
}

// mostInterim is how many interim responses a target may send before a response.
const mostInterim = 100

// trace follows a request through its connections.
type trace struct {
	reused, answered atomic.Bool
	interim          atomic.Int32         // 1xx responses that came first
	conn             atomic.Pointer[conn] // nil over TLS
	request          atomic.Int64         // its number on the connection
}

// ends notes that a response has been read.
func (f *trace) ends(e exchange.Exchange, response *http.Response, err error) {
	on, request := f.conn.Load(), int(f.request.Load())
	switch {
	case on == nil || err != nil:
	case f.interim.Load() > 0:
		on.ends(request, e, -1)
	case e.Method == http.MethodHead || e.Status == http.StatusNoContent || e.Status == http.StatusNotModified:
		on.ends(request, e, 0)
	default:
		on.ends(request, e, response.ContentLength)
	}
}

func (f *trace) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { f.reused.Store(false) },
		GotConn: func(got httptrace.GotConnInfo) {
			f.reused.Store(got.Reused)
			if on, is := got.Conn.(*conn); is {
				f.conn.Store(on)
				f.request.Store(int64(on.begins()))
			}
		},
		GotFirstResponseByte: func() { f.answered.Store(true) },
		Got1xxResponse: func(int, textproto.MIMEHeader) error { // with this hook, net/http does not limit them itself
			if f.interim.Add(1) > mostInterim {
				return fmt.Errorf("more than %d interim responses (1xx)", mostInterim)
			}
			return nil
		},
	})
}

// undecided reports whether a failed request may have been processed.
func (f *trace) undecided(method string) bool {
	return f.reused.Load() && !f.answered.Load() && !repeatable(method)
}

// repeatable methods are those that net/http retries.
func repeatable(method string) bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace}, method)
}

// waited describes a request that failed.
type waited struct {
	caller   context.Context
	deadline time.Duration
	answered bool // a status was received
	received int  // bytes of the body
}

// reason says why there is no complete response.
func reason(err error, w waited) string {
	var (
		dns      *net.DNSError
		dial     *net.OpError
		record   tls.RecordHeaderError
		untested *tls.CertificateVerificationError
		alert    tls.AlertError
		encoded  undecodableError
	)
	switch own := ownProblem(err); {
	case own != "":
		return own
	case errors.As(err, &encoded):
		return encoded.Error()
	case w.caller.Err() != nil:
		return stopped + context.Cause(w.caller).Error()
	case errors.Is(err, context.DeadlineExceeded) && w.answered:
		return fmt.Sprintf(timedOut+"%s with %d bytes of the body", w.deadline, w.received)
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut + w.deadline.String()
	case proxyProblem(err) != nil:
		return proxyFailed + reason(proxyProblem(err), w)
	case errors.As(err, &dns):
		return unresolved + dns.Name
	case errors.Is(err, syscall.ECONNREFUSED):
		return refused
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return noTLS
	case errors.As(err, &untested):
		return certificateProblem(untested.Err)
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return tlsFailed + err.Error()
	case w.answered:
		return fmt.Sprintf("the response broke off after %d bytes of the body: %s", w.received, closing(err))
	case closed(err):
		return closing(err) + unresponsive
	case errors.As(err, &dial) && dial.Op == "dial":
		return unreachable + dial.Err.Error()
	default:
		return withoutContent(err)
	}
}

// withoutContent returns the message of an error without the bytes of the response that net/http quotes in it: they
// may be a part of another response, such as a token.
func withoutContent(err error) string {
	kind, _, _ := strings.Cut(err.Error(), `"`)
	return strings.TrimSuffix(strings.TrimRight(kind, " :["), "; got")
}

func certificateProblem(err error) string {
	var (
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	said := strings.TrimPrefix(err.Error(), "x509: ")
	switch {
	case errors.As(err, &unknown):
		return untrusted + ": unknown issuer"
	case errors.As(err, &host):
		return wrongHost + ": " + said
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return outOfDate + ": " + said
	}
	return untrusted + ": " + said
}

func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func closing(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return resetByTarget
	case closed(err):
		return closedByTarget
	default:
		return withoutContent(err)
	}
}
