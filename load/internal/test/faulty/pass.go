package faulty

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Paths of the API.
const (
	pathCashOut   = "/api/pix/cash-out"
	pathQRCashOut = "/api/pix/cash-out-qrcode"
	pathTransfer  = "/dict/pix"
	pathWebhooks  = "/api/webhooks"
)

const idempotencyKey = "X-Idempotency-Key" // the header with the client's id of a transfer

// pass is one request of the API.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, body []byte) {
	switch path := r.URL.Path; {
	case r.Method == http.MethodPost && path == pathWebhooks:
		p.passRegistration(w, r, body)
	case r.Method == http.MethodPost && (path == pathCashOut || path == pathQRCashOut || path == pathTransfer):
		p.passPayment(w, r, body)
	default:
		p.exchange(r, body).write(w)
	}
}

// exchange forwards a request. If the gateway does not respond, neither does the proxy.
func (p *Proxy) exchange(r *http.Request, body []byte) response {
	to := *r.URL
	to.Scheme, to.Host = p.upstream.Scheme, p.upstream.Host
	answer, err := forward(p.transport, r, &to, body)
	if err != nil {
		p.count(func(i *Injected) { i.Broken++ })
		cut()
	}
	return answer
}

func (p *Proxy) passPayment(w http.ResponseWriter, r *http.Request, body []byte) {
	id := cmp.Or(r.Header.Get(idempotencyKey), gjson.GetBytes(body, "externalId").String())
	switch p.planned(id) {
	case CutBefore:
		p.did(CutBefore)
		cut()
	case CutAfter:
		p.exchange(r, body)
		p.did(CutAfter)
		cut()
	case DebitTwice:
		p.debitTwice(r, body, id).write(w)
	default:
		p.exchange(r, body).write(w)
	}
}

// planned is the fault for a payment or repeat with an id.
func (p *Proxy) planned(id string) (fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen[id] {
		p.injected.Repeats++
		return p.config.Repeats.of(p.injected.Repeats)
	}
	p.injected.Payments++
	fault = p.config.Payments.of(p.injected.Payments)
	p.seen[id] = fault != CutBefore // then the gateway does not know it
	return fault
}

// debitTwice sends a repeat with a new id, and returns a response with the client's id.
func (p *Proxy) debitTwice(r *http.Request, body []byte, id string) response {
	shadow := uuid.NewString()
	p.mu.Lock()
	p.shadows[shadow] = true
	p.mu.Unlock()
	if r.Header.Get(idempotencyKey) != "" {
		r.Header.Set(idempotencyKey, shadow)
	}
	externalID := gjson.GetBytes(body, "externalId").Raw // a QR Code contains the id too, and its checksum
	answer := p.exchange(r, bytes.Replace(body, []byte(`"externalId":`+externalID), fmt.Appendf(nil, `"externalId":%q`, shadow), 1))
	answer.body = bytes.ReplaceAll(answer.body, []byte(shadow), []byte(id))
	if answer.ok() {
		p.count(func(i *Injected) {
			i.DebitedTwice, i.DebitedCentavos = i.DebitedTwice+1, i.DebitedCentavos+amountOf(body)
		})
	}
	return answer
}

// amountOf is the amount of a cash-out or a transfer, in centavos; 0 if there is none.
func amountOf(body []byte) int64 {
	amount, _ := data.ParseAmount(cmp.Or(gjson.GetBytes(body, "value").Raw, gjson.GetBytes(body, "payment.amount").Raw))
	return amount
}

// passRegistration registers a URL of the proxy, which contains the client's.
func (p *Proxy) passRegistration(w http.ResponseWriter, r *http.Request, body []byte) {
	if to := gjson.GetBytes(body, "url"); strings.HasPrefix(to.String(), "https://") {
		own := strconv.Quote(p.hooks.URL + "/?to=" + url.QueryEscape(to.String()))
		body = bytes.Replace(body, []byte(to.Raw), []byte(own), 1)
	}
	p.exchange(r, body).write(w)
}

// receive handles one delivery of the gateway.
func (p *Proxy) receive(w http.ResponseWriter, r *http.Request, body []byte) {
	to := r.URL.Query().Get("to")
	p.mu.Lock()
	if p.shadows[cmp.Or(gjson.GetBytes(body, "externalId").String(), gjson.GetBytes(body, "data.idempotencyKey").String())] {
		p.mu.Unlock()
		return
	}
	p.injected.Deliveries++
	fault := p.config.Deliveries.of(p.injected.Deliveries)
	p.mu.Unlock()
	switch fault {
	case Lose:
		p.did(Lose)
		return
	case Delay:
		p.late.Go(func() {
			select {
			case <-p.closing:
			case <-time.After(p.config.Delay):
				if p.deliver(r, to, body).ok() {
					p.did(Delay)
				}
			}
		})
		return
	case Alter:
		body = altered(body)
	case Truncate:
		body = body[:len(body)/2]
	}
	answer := p.deliver(r, to, body)
	if answer.ok() && fault == Double {
		answer = p.deliver(r, to, body)
	}
	if answer.ok() {
		p.did(fault)
	}
	answer.write(w)
}

// deliver forwards an event, and returns the receiver's response.
func (p *Proxy) deliver(r *http.Request, target string, body []byte) response {
	to, err := url.Parse(target)
	if err == nil {
		var answer response
		if answer, err = forward(p.transport, r, to, body); err == nil {
			return answer
		}
	}
	p.count(func(i *Injected) { i.Broken++ })
	return response{status: http.StatusBadGateway}
}

var amount = regexp.MustCompile(`"(?:originalAmount|finalAmount|amount)":"?[0-9.]*[0-9]`)

// altered is an event with a different last digit in its amounts.
func altered(body []byte) []byte {
	return amount.ReplaceAllFunc(body, func(member []byte) []byte {
		changed := bytes.Clone(member)
		last := &changed[len(changed)-1]
		*last = '0' + (*last-'0'+1)%10
		return changed
	})
}

// handler handles a request whose body has been read.
type handler func(w http.ResponseWriter, r *http.Request, body []byte)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		cut()
	}
	h(w, r, body)
}

// cut closes the connection without a response.
func cut() { panic(http.ErrAbortHandler) }

// stop also closes the connections that a peer keeps open.
func stop(s *httptest.Server) {
	s.CloseClientConnections()
	s.Close()
}

// newTransport does not verify the receivers' certificates.
func newTransport() *http.Transport {
	return &http.Transport{
		TLSClientConfig:       &tls.Config{InsecureSkipVerify: true}, // #nosec G402 -- of a gateway for tests
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       5 * time.Second, // less than a gateway keeps them
		ResponseHeaderTimeout: time.Minute,
		DisableCompression:    true,
	}
}

// response is a complete one.
type response struct {
	status int
	header http.Header
	body   []byte
}

// forward sends a request with a body to a URL, once, even if its sender is gone.
func forward(by http.RoundTripper, r *http.Request, to *url.URL, body []byte) (response, error) {
	out := r.Clone(context.WithoutCancel(r.Context()))
	out.URL, out.Host = to, ""
	out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	answer, err := by.RoundTrip(out)
	if err != nil {
		return response{}, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return response{answer.StatusCode, answer.Header, read}, err
}

func (r response) ok() bool { return r.status >= 200 && r.status <= 299 }

func (r response) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.header)
	w.Header().Set("Content-Length", strconv.Itoa(len(r.body)))
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body) // its receiver may be gone
}
