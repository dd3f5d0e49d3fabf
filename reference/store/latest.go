package store

import (
	"context"
	"fmt"

	"github.com/pixcert/pixcert/reference/pix"
)

// Found is a payment, a charge, a refund or a MED case, with the ids that a client may know it by.
// What does not apply is empty.
type Found struct {
	Kind          string // a pix.Kind or "med"
	ID            int64
	TransactionID string
	ExternalID    string
	EndToEndID    string
	Amount        pix.Centavos
	PixCode       string
	TxID          string
	RtrID         string
}

// searches maps what a test control can act on to its query. $1 is the account, $2 an id in any
// form, empty for any, and for charges $3 the account's time.
var searches = map[string]string{
	"charge":   searchCharges("cash-in", "cob"),
	"cob":      searchCharges("cob"),
	"payment":  searchPayments("PENDING", pix.Withdraw),
	"sent":     searchPayments("CONFIRMED", pix.Withdraw),
	"received": searchPayments("CONFIRMED", pix.Receipt),
	"refund": `SELECT p.kind, p.id, p.transaction_id, r.refund_id, p.end_to_end_id, p.amount, '', '', r.rtr_id
		FROM refunds r JOIN payments p ON p.id = r.payment_id
		WHERE p.account_id = $1 AND r.status = 'EM_PROCESSAMENTO'
		AND ($2 = '' OR $2 IN (r.rtr_id, r.refund_id, p.transaction_id)) ORDER BY p.id DESC LIMIT 1`,
	"med": `SELECT 'med', id, '', '', end_to_end_id, 0, '', '', '' FROM meds
		WHERE account_id = $1 AND status IN ('OPEN', 'RECEIVED')
		AND ($2 = '' OR $2 IN (end_to_end_id, CAST(id AS TEXT))) ORDER BY id DESC LIMIT 1`,
}

func searchCharges(kinds ...string) string {
	return fmt.Sprintf(`SELECT c.kind, c.id, COALESCE(p.transaction_id, ''), COALESCE(p.external_id, ''), '', c.amount, c.pix_code, c.txid, ''
		FROM charges c LEFT JOIN payments p ON p.id = c.payment_id AND c.payment_id <> 0
		WHERE c.account_id = $1 AND c.status = 'ATIVA' AND c.expires_at > $3 AND c.kind IN (%s)
		AND ($2 = '' OR $2 IN (c.pix_code, c.txid, p.transaction_id, p.external_id)) ORDER BY c.id DESC LIMIT 1`, quoted(kinds))
}

func searchPayments(status pix.Status, operation pix.Operation) string {
	return fmt.Sprintf(`SELECT p.kind, p.id, p.transaction_id, p.external_id, p.end_to_end_id, p.amount, '', '', '' FROM payments p
		WHERE p.account_id = $1 AND p.status = '%s' AND p.kind IN (%s)
		AND ($2 = '' OR $2 IN (p.transaction_id, p.external_id, p.end_to_end_id, CAST(p.id AS TEXT))) ORDER BY p.id DESC LIMIT 1`,
		status, quoted(operation.Kinds()))
}

// Latest finds the newest "charge" that can be paid ("cob": of that kind), the newest "payment" that is pending, or the
// newest confirmed payment "sent" or "received", the newest "refund" in processing, or the newest
// "med" case without a result. With an id, it finds the one with that id.
func (s *Store) Latest(ctx context.Context, accountID int64, what, id string) (Found, error) {
	query, known := searches[what]
	if !known {
		return Found{}, ErrNotFound
	}
	account, err := s.Account(ctx, accountID)
	if err != nil {
		return Found{}, err
	}
	args := []any{accountID, id}
	if what == "charge" || what == "cob" {
		args = append(args, account.Now().UnixMicro())
	}
	var f Found
	err = s.read(ctx, func(c conn) error {
		return c.row(query, args...).
			Scan(&f.Kind, &f.ID, &f.TransactionID, &f.ExternalID, &f.EndToEndID, &f.Amount, &f.PixCode, &f.TxID, &f.RtrID)
	})
	return f, orNotFound(err)
}
