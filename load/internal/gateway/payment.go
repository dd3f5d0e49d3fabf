package gateway

import (
	"context"
	"net/url"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Body is the body of an operation that creates something: a payment, a charge or a refund.
type Body interface {
	JSON() []byte
}

// Create carries out an operation that creates something. Parameters that are not in the body
// come from it all the same. The response to a repeated idempotency key is the existing transfer.
func (a *Account) Create(ctx context.Context, s Sender, o Operation, body Body) (Answer, *Exchange) {
	r := &Request{Operation: o, Method: endpoints[o].Method, Path: endpoints[o].Template, Body: body.JSON()}
	switch b := body.(type) {
	case *data.CashOut:
		r.id = b.ExternalID
	case *data.QRCashOut:
		r.id = b.ExternalID
	case *data.CashIn:
		r.id = b.ExternalID
	case *data.Transfer:
		r.Header = []string{"x-idempotency-key", b.IdempotencyKey}
	case *data.Cob:
		r.id = b.TxID
		r.Path = "/cob/" + url.PathEscape(b.TxID)
	case *data.Refund:
		r.id = b.ID
		r.Path = "/pix/" + url.PathEscape(b.EndToEndID) + "/devolucao/" + url.PathEscape(b.ID)
	}
	x := a.Do(ctx, s, r)
	return readAnswer(x), x
}
