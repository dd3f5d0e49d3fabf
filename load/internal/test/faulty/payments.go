package faulty

import (
	"bytes"
	"net"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"
	"github.com/valyala/fasthttp"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Paths of the API.
const (
	pathCashOut   = "/api/pix/cash-out"
	pathQRCashOut = "/api/pix/cash-out-qrcode"
	pathTransfer  = "/dict/pix"
	pathWebhooks  = "/api/webhooks"
)

// pass is one request of the API.
func (p *Proxy) pass(ctx *fasthttp.RequestCtx) {
	switch path := pathOf(ctx, p.prefix); {
	case path == pathWebhooks:
		p.passRegistration(ctx)
	case ctx.IsPost() && (path == pathCashOut || path == pathQRCashOut || path == pathTransfer):
		p.passPayment(ctx)
	default:
		p.exchange(ctx)
	}
}

// pathOf is the path below the base URL, as sent, without its query.
func pathOf(ctx *fasthttp.RequestCtx, prefix string) string {
	path, _, _ := bytes.Cut(ctx.Request.Header.RequestURI(), []byte("?"))
	return string(bytes.TrimPrefix(path, []byte(prefix)))
}

// exchange forwards a request and its response. If the gateway does not respond, neither does
// the proxy.
func (p *Proxy) exchange(ctx *fasthttp.RequestCtx) (answered bool) {
	if err := p.upstream.Do(&ctx.Request, &ctx.Response); err != nil {
		p.tally.add(func(i *Injected) { i.Broken++ })
		cut(ctx)
		return false
	}
	return true
}

// cut closes the connection without a response.
func cut(ctx *fasthttp.RequestCtx) {
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(net.Conn) {})
}

func (p *Proxy) passPayment(ctx *fasthttp.RequestCtx) {
	id := paymentID(ctx)
	switch p.tally.payment(id, &p.config) {
	case CutBefore:
		cut(ctx)
	case CutAfter:
		if p.exchange(ctx) {
			p.tally.did(CutAfter)
			cut(ctx)
		}
	case DebitTwice:
		p.debitTwice(ctx, id)
	default:
		p.exchange(ctx)
	}
}

// paymentID is the client's id of a payment: the idempotency key or the externalId.
func paymentID(ctx *fasthttp.RequestCtx) string {
	if key := idempotencyKey(&ctx.Request.Header); len(key) > 0 {
		return string(key)
	}
	return gjson.GetBytes(ctx.Request.Body(), "externalId").String()
}

// idempotencyKey finds the header in any case: names are passed on unchanged.
func idempotencyKey(header *fasthttp.RequestHeader) []byte {
	for name, value := range header.All() {
		if bytes.EqualFold(name, []byte("x-idempotency-key")) {
			return value
		}
	}
	return nil
}

// debitTwice sends a repeat to the gateway with a new id, and returns a response with the
// client's id.
func (p *Proxy) debitTwice(ctx *fasthttp.RequestCtx, id string) {
	shadow := uuid.NewString()
	p.tally.shadow(shadow, id)
	body := ctx.Request.Body()
	amount := amountOf(body)
	ctx.Request.SetBodyRaw(bytes.ReplaceAll(body, []byte(id), []byte(shadow)))
	for name, value := range ctx.Request.Header.All() {
		if string(value) == id {
			ctx.Request.Header.Set(string(name), shadow)
			break
		}
	}
	if !p.exchange(ctx) {
		return
	}
	ctx.Response.SetBodyRaw(bytes.ReplaceAll(ctx.Response.Body(), []byte(shadow), []byte(id)))
	if status := ctx.Response.StatusCode(); status >= 200 && status <= 299 {
		p.tally.did(DebitTwice)
		p.tally.add(func(i *Injected) { i.DebitedCentavos += amount })
	}
}

// amountOf is the amount of a cash-out or a transfer, in centavos; 0 if there is none.
func amountOf(body []byte) int64 {
	for _, path := range []string{"value", "payment.amount"} {
		if amount, err := data.ParseAmount(gjson.GetBytes(body, path).Raw); err == nil {
			return amount
		}
	}
	return 0
}
