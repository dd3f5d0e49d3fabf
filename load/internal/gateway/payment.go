package gateway

import (
	"context"
	"net/url"

	"github.com/pixcert/pixcert/load/internal/data"
)

// The operations that create something.

// bodySize is enough for the body of any generated payment.
const bodySize = 512

// CashOut pays to a key.
func (a *Account) CashOut(ctx context.Context, s Sender, c *data.CashOut) (Answer, *Exchange) {
	return a.make(ctx, s, CashOut, endpoints[CashOut].Template, nil, c.AppendJSON(make([]byte, 0, bodySize)))
}

// QRCashOut pays to a BR Code.
func (a *Account) QRCashOut(ctx context.Context, s Sender, c *data.QRCashOut) (Answer, *Exchange) {
	return a.make(ctx, s, QRCashOut, endpoints[QRCashOut].Template, nil, c.AppendJSON(make([]byte, 0, bodySize)))
}

// Transfer pays to a key in the directory. The response to a repeated idempotency key is the
// existing transfer.
func (a *Account) Transfer(ctx context.Context, s Sender, t *data.Transfer) (Answer, *Exchange) {
	header := []string{"x-idempotency-key", t.IdempotencyKey}
	return a.make(ctx, s, Transfer, endpoints[Transfer].Template, header, t.AppendJSON(make([]byte, 0, bodySize)))
}

// CashIn creates a dynamic charge.
func (a *Account) CashIn(ctx context.Context, s Sender, c *data.CashIn) (Answer, *Exchange) {
	return a.make(ctx, s, CashIn, endpoints[CashIn].Template, nil, c.AppendJSON(make([]byte, 0, bodySize)))
}

// Cob creates an immediate charge.
func (a *Account) Cob(ctx context.Context, s Sender, c *data.Cob) (Answer, *Exchange) {
	path := "/cob/" + url.PathEscape(c.TxID)
	return a.make(ctx, s, Cob, path, nil, c.AppendJSON(make([]byte, 0, bodySize)))
}

// Refund refunds a PIX that the account received, in full or in part.
func (a *Account) Refund(ctx context.Context, s Sender, r *data.Refund) (Answer, *Exchange) {
	path := "/pix/" + url.PathEscape(r.EndToEndID) + "/devolucao/" + url.PathEscape(r.ID)
	return a.make(ctx, s, Refund, path, nil, r.AppendJSON(make([]byte, 0, bodySize)))
}

func (a *Account) make(ctx context.Context, s Sender, o Operation, path string, header []string, body []byte) (Answer, *Exchange) {
	x := a.Do(ctx, s, &Request{Operation: o, Method: endpoints[o].Method, Path: path, Header: header, Body: body})
	return readAnswer(x), x
}
