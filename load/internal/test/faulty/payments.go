package faulty

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"

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

// idempotencyKey is the header with the client's id of a transfer.
const idempotencyKey = "X-Idempotency-Key"

// pass is one request of the API.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, body []byte) {
	switch path := strings.TrimPrefix(r.URL.Path, p.prefix); {
	case path == pathWebhooks:
		p.passRegistration(w, r, body)
	case r.Method == http.MethodPost && (path == pathCashOut || path == pathQRCashOut || path == pathTransfer):
		p.passPayment(w, r, body)
	default:
		p.exchange(r, body).write(w)
	}
}

// exchange forwards a request, and returns its response. If the gateway does not respond, neither
// does the proxy.
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

// debitTwice sends a repeat to the gateway with a new id, and returns a response with the
// client's id.
func (p *Proxy) debitTwice(r *http.Request, body []byte, id string) response {
	shadow := uuid.NewString()
	p.mu.Lock()
	p.shadows[shadow] = id
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
