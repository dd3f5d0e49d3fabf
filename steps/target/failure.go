package target

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

const undecided = "the target closed a kept-alive connection while the request was on its way; " +
	"nobody can tell whether it took the request, which is therefore not sent again"

const (
	tlsFailed = "TLS failed: "
	noAnswer  = "no answer came: "
)

// Reasons that advice is given on.
const (
	refused   = "nothing listens there: the connection was refused"
	noTLS     = "what answers does not speak TLS"
	untrusted = "its TLS certificate is not trusted"
	wrongHost = "its TLS certificate is for another host"
	outOfDate = "its TLS certificate is out of date"
)

// Undecided says that e shows nothing of how the target treats the request,
// because a kept-alive connection was closed under it: no reason to fail the
// target. The same scenario, begun anew, goes over fresh connections.
func Undecided(e exchange.Exchange) bool { return e.Err == undecided }

// HandshakeRefused says that the target ended the TLS handshake, or the connection at its
// first request, and therefore gave no answer: what an edge does that does not take the
// client certificate. In TLS 1.3 the client has sent its request by then.
func HandshakeRefused(e exchange.Exchange) bool {
	return e.Status == 0 && (strings.HasPrefix(e.Err, tlsFailed) || strings.HasPrefix(e.Err, noAnswer))
}

// edgeStatuses are those with which edges refuse a client certificate; 495 and 496 are
// nginx's own.
var edgeStatuses = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, 495, 496}

// RefusedLikeEdge says that e may be how an edge refuses a client certificate: by ending
// the handshake, or with one of the statuses that edges have for it.
func RefusedLikeEdge(e exchange.Exchange) bool {
	return HandshakeRefused(e) || slices.Contains(edgeStatuses, e.Status)
}

// fate follows a request through its connections.
type fate struct{ reused, answered atomic.Bool }

func (f *fate) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:              func(string) { f.reused.Store(false) },
		GotConn:              func(got httptrace.GotConnInfo) { f.reused.Store(got.Reused) },
		GotFirstResponseByte: func() { f.answered.Store(true) },
	})
}

// undecided says whether a failed request may or may not have been taken.
func (f *fate) undecided(method string) bool {
	return f.reused.Load() && !f.answered.Load() && !repeatable(method)
}

// repeatable methods are those that net/http itself sends again.
func repeatable(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// waited is what is known of a request that failed.
type waited struct {
	caller   context.Context
	deadline time.Duration
	answered bool // a status came
	received int  // bytes of the body
}

// reason says in a phrase why no whole answer came.
func reason(err error, w waited) string {
	var (
		dns      *net.DNSError
		record   tls.RecordHeaderError
		untested *tls.CertificateVerificationError
		alert    tls.AlertError
	)
	switch {
	case w.caller.Err() != nil:
		return "the suite stopped waiting: " + context.Cause(w.caller).Error()
	case errors.Is(err, context.DeadlineExceeded) && w.answered:
		return fmt.Sprintf("the answer was not complete after %s; %d bytes of its body had come", w.deadline, w.received)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer came within %s", w.deadline)
	case errors.As(err, &dns):
		return fmt.Sprintf("the name %s cannot be resolved", dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return refused
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return noTLS
	case errors.As(err, &untested):
		return certificateProblem(untested.Err)
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return tlsFailed + err.Error()
	case w.answered:
		return fmt.Sprintf("the answer broke off after %d bytes of its body: %s", w.received, closing(err))
	case closed(err):
		return noAnswer + closing(err)
	default:
		return err.Error()
	}
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
		return untrusted + ": its issuer is unknown here"
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
		return "the target reset the connection"
	case closed(err):
		return "the target closed the connection"
	default:
		return err.Error()
	}
}
