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

// search finds what a test control can act on, among all that has one of the ids.
type search struct {
	columns string // of Found
	from    string // tables, and the account $1
	ids     string // by which a client may know it
	id      string // its own, which grows
	state   string
	can     string // whether the control can act on it
}

// searches are by what a test control acts on. For charges, $3 is the account's time.
var searches = map[string]search{
	"charge":   charges(pix.KindCashIn, pix.KindCob),
	"cob":      charges(pix.KindCob),
	"payment":  payments(pix.Withdraw, "p.status = "+quoted(pix.Pending)),
	"sent":     payments(pix.Withdraw, "p.status = "+quoted(pix.Confirmed)+" AND "+leftToReturn+" > 0"),
	"received": payments(pix.Receipt, "p.status = "+quoted(pix.Confirmed)),
	"refund": {
		columns: "p.kind, p.id, p.transaction_id, r.refund_id, p.end_to_end_id, p.amount, '', '', r.rtr_id",
		from:    "refunds r JOIN payments p ON p.id = r.payment_id WHERE p.account_id = $1",
		ids:     "r.rtr_id, r.refund_id, p.transaction_id",
		id:      "p.id", state: "r.status", can: "r.status = " + quoted(pix.RefundInProcess),
	},
	"med": {
		columns: "'med', id, '', '', end_to_end_id, 0, '', '', ''",
		from:    "meds WHERE account_id = $1",
		ids:     "end_to_end_id, CAST(id AS TEXT)",
		id:      "id", state: "status", can: "status IN (" + quoted(pix.MEDOpen, pix.MEDReceived) + ")",
	},
}

func charges(kinds ...pix.Kind) search {
	return search{
		columns: "c.kind, c.id, COALESCE(p.transaction_id, ''), COALESCE(p.external_id, ''), '', c.amount, c.pix_code, c.txid, ''",
		from: "charges c LEFT JOIN payments p ON p.id = c.payment_id AND c.payment_id <> 0 WHERE c.account_id = $1 AND c.kind IN (" +
			quoted(kinds...) + ")",
		ids: "c.pix_code, c.txid, p.transaction_id, p.external_id",
		id:  "c.id",
		state: `CASE WHEN c.status = ` + quoted(pix.ChargeActive) + ` AND c.expires_at <= $3 THEN 'expired'
			WHEN c.kind = ` + quoted(pix.KindCob) + ` THEN c.status ELSE p.status END`,
		can: "c.status = " + quoted(pix.ChargeActive) + " AND c.expires_at > $3",
	}
}

// leftToReturn is the part of a payment that its payee has not returned.
var leftToReturn = `(p.amount - ` + sumReturned(`p.id`) + `)`

func payments(operation pix.Operation, can string) search {
	amount := "p.amount"
	if operation == pix.Withdraw {
		amount = leftToReturn
	}
	return search{
		columns: "p.kind, p.id, p.transaction_id, p.external_id, p.end_to_end_id, " + amount + ", '', '', ''",
		from:    "payments p WHERE p.account_id = $1 AND p.kind IN (" + quoted(operation.Kinds()...) + ")",
		ids:     "p.transaction_id, p.external_id, p.end_to_end_id, CAST(p.id AS TEXT)",
		id:      "p.id",
		state:   "CASE WHEN " + amount + " = 0 THEN 'returned in full' ELSE p.status || CASE WHEN p.error_code <> '' THEN ' ' || p.error_code ELSE '' END END",
		can:     can,
	}
}

// query prefers what the control can act on, then what is newest. $2 is an id in any form, empty for any.
func (q search) query() string {
	return fmt.Sprintf(`SELECT %s, %s, %s FROM %s AND CASE WHEN $2 = '' THEN %[3]s ELSE $2 IN (%[5]s) END
		ORDER BY %[3]s DESC, %[6]s DESC LIMIT 1`,
		q.columns, q.state, q.can, q.from, q.ids, q.id)
}

// StateError is the error for something in a state in which a test control cannot act on it.
type StateError struct{ State string }

func (e *StateError) Error() string { return "it is " + e.State }

// Latest finds the newest "charge" that can be paid ("cob": of that kind), the newest "payment" that is pending, the
// newest confirmed payment "sent" of which the payee can return something, which is its Amount, the newest "received",
// the newest "refund" in processing, or the newest "med" case without a result. With an id, it finds the one with that
// id, or returns a *StateError.
func (s *Store) Latest(ctx context.Context, accountID int64, what, id string) (Found, error) {
	searched, known := searches[what]
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
	var state string
	var can bool
	err = s.read(ctx, func(c conn) error {
		return c.row(searched.query(), args...).
			Scan(&f.Kind, &f.ID, &f.TransactionID, &f.ExternalID, &f.EndToEndID, &f.Amount, &f.PixCode, &f.TxID, &f.RtrID, &state, &can)
	})
	if err == nil && !can {
		return f, &StateError{state}
	}
	return f, orNotFound(err)
}
