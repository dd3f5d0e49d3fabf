package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/reference/pix"
)

// PaymentFilter says which payments of an account are listed: those created in Period
// for which all else that is not empty holds.
type PaymentFilter struct {
	Period     pix.Period
	Status     pix.Status
	Operation  pix.Operation
	ExternalID string
	EndToEndID string
	Keys       []string // any of these, spelled as the directory does: the payee's, or that of the charge
	Reach      int      // how many can be reached, the newest; 0: all
}

// Page is a part of a list: of pages of Size items the one with that Number, from 1 on.
type Page struct{ Number, Size int }

// Payments lists payments of an account, of every kind, the newest first, and says how
// many can be reached on all pages. Both are of one moment.
func (s *Store) Payments(ctx context.Context, accountID int64, f PaymentFilter, page Page) (payments []pix.Payment, total int, err error) {
	where := f.where(accountID)
	reach, skip := "", (page.Number-1)*page.Size
	if f.Reach > 0 {
		reach = fmt.Sprintf("LIMIT %d", f.Reach)
		page.Size = min(page.Size, max(0, f.Reach-skip))
	}
	err = s.snapshot(ctx, func(c conn) error {
		count := `SELECT COUNT(*) FROM (SELECT 1 FROM payments p WHERE ` + where.text + ` ` + reach + `) AS reachable`
		if err := c.row(count, where.args...).Scan(&total); err != nil || skip >= total {
			return err
		}
		payments, err = c.payments(where, page.Size, skip)
		return err
	})
	return payments, total, err
}

func (c conn) payments(where *condition, limit, skip int) ([]pix.Payment, error) {
	var payments []pix.Payment
	query := `SELECT ` + paymentColumns + ` FROM payments p WHERE ` + where.text +
		` ORDER BY ` + where.order + ` LIMIT ` + where.next(limit) + ` OFFSET ` + where.next(skip)
	err := c.each(func(row scanner) error {
		p, err := scanPayment(row)
		payments = append(payments, p)
		return err
	}, query, where.args...)
	return payments, err
}

func (f PaymentFilter) where(accountID int64) *condition {
	created := "p.created_at"
	if f.ExternalID != "" || f.EndToEndID != "" {
		created += " + 0" // no index serves a sum: that of the id is the better one
	}
	w := &condition{order: created + " DESC, p.id DESC"}
	w.and("p.account_id = %s", accountID)
	w.and(created+" >= %s", f.Period.From.UnixMicro())
	w.and(created+" < %s", f.Period.Before.UnixMicro())
	if f.Status != "" {
		w.and("p.status = %s", f.Status)
	}
	if f.Operation != "" {
		in(w, "p.kind", f.Operation.Kinds())
	}
	if f.ExternalID != "" {
		w.and("p.external_id = %s", f.ExternalID)
	}
	if f.EndToEndID != "" {
		w.and("p.end_to_end_id = %s", f.EndToEndID)
	}
	if len(f.Keys) > 0 {
		in(w, "p.directory_key", f.Keys)
	}
	return w
}

// condition is a conjunction that is being written, with its arguments and with the
// order of what it holds for.
type condition struct {
	text  string
	args  []any
	order string
}

// and adds a condition, in which %s is where its argument goes.
func (c *condition) and(text string, arg any) {
	c.join(fmt.Sprintf(text, c.next(arg)))
}

// in adds the condition that a column has one of the values.
func in[T any](c *condition, column string, values []T) {
	places := make([]string, len(values))
	for i, value := range values {
		places[i] = c.next(value)
	}
	c.join(column + " IN (" + strings.Join(places, ", ") + ")")
}

func (c *condition) join(text string) {
	if c.text != "" {
		c.text += " AND "
	}
	c.text += text
}

// next adds an argument and gives the parameter that stands for it.
func (c *condition) next(arg any) string {
	c.args = append(c.args, arg)
	return fmt.Sprintf("$%d", len(c.args))
}
