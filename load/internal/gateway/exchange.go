package gateway

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Sender makes exchanges. It never repeats a payment: the ledger finds out what happened to it.
type Sender interface {
	Send(ctx context.Context, r *Request) *Exchange
}

// Request is one request of the API, relative to the gateway's URL.
type Request struct {
	Operation Operation
	Path      string        // with its query, percent-encoded
	Bearer    string        // access token; empty: none
	Header    []string      // alternating names and values, in addition to those of every request
	Body      []byte        // JSON; nil: none
	Timeout   time.Duration // of the whole exchange; 0: that of all

	account *Account // of the request; nil: none
	id      string   // the client's own, of what the request creates
}

// Exchange is a request with its response.
type Exchange struct {
	Request   *Request
	Status    int // 0: no complete response
	Body      []byte
	Err       error             // why there is no complete response
	ErrorCode string            // k6's code of Err, if k6 has one
	Header    map[string]string // of the response
	Unsent    bool              // nothing of the request was sent: the gateway cannot have accepted it
	Stopped   bool              // the virtual user was stopped before the response was complete, which is not the gateway's fault
	Invalid   error             // how a 2xx response differs from the documented success; nil: it does not
	Timing    Timing
	Paced     time.Duration // how long it waited for k6's limit of requests per second: the script wants that, so it is no latency
	Rejected  int64         // valid access tokens that got 401 before, or with this response: see [Account.Do]
}

// OK says whether the response has a status of success: any 2xx.
func (x *Exchange) OK() bool { return x.Status >= 200 && x.Status <= 299 }

// invalid notes how a success differs from the documented one.
func (x *Exchange) invalid(err error) error {
	x.Invalid = err
	return err
}

// Timing of an exchange. Start is when the request was sent, or began to connect.
type Timing struct {
	Start, End time.Time
	Parts
}

// Parts of an exchange's duration as k6 names and reports them to scripts, in milliseconds.
type Parts struct {
	Duration       float64 `js:"duration" json:"duration"` // sending, waiting and receiving
	Blocked        float64 `js:"blocked" json:"blocked"`   // until there was a connection, including Connecting and TLSHandshaking
	Connecting     float64 `js:"connecting" json:"connecting"`
	TLSHandshaking float64 `js:"tls_handshaking" json:"tls_handshaking"`
	Sending        float64 `js:"sending" json:"sending"`
	Waiting        float64 `js:"waiting" json:"waiting"` // from the last byte sent to the first received
	Receiving      float64 `js:"receiving" json:"receiving"`
}

// Exhausted says whether an error means that this machine ran out of file descriptors, ports, buffers or memory.
func Exhausted(err error) bool {
	return slices.ContainsFunc(
		[]error{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS, syscall.ENOMEM},
		func(limit error) bool { return errors.Is(err, limit) },
	)
}

// hidden replaces a secret that a gateway sent back.
const hidden = "[hidden]"

// hide removes the secrets of the request's account from a text of the gateway, also in their
// JSON and URL encodings, because failures are logged.
func (r *Request) hide(text string) string {
	for _, secret := range r.secrets() {
		for _, spelt := range []string{secret, strings.ReplaceAll(secret, "/", `\/`), url.QueryEscape(secret)} {
			if spelt != "" {
				text = strings.ReplaceAll(text, spelt, hidden)
			}
		}
	}
	return text
}

func (r *Request) secrets() []string {
	secrets := []string{r.Bearer}
	if r.account != nil {
		secrets = append(secrets, r.account.ClientSecret)
		if t := r.account.token.Load(); t != nil {
			secrets = append(secrets, t.value)
		}
	}
	return secrets
}

// Shown is the response body without the secrets of its account.
func (x *Exchange) Shown() string { return x.Request.hide(string(x.Body)) }
