package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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
// many can be reached on all pages. Both are of one moment. A payment has only what the
// lists show: see listedColumns.
func (s *Store) Payments(ctx context.Context, accountID int64, f PaymentFilter, page Page) (payments []pix.Payment, total int, err error) {
	skip, size := (page.Number-1)*page.Size, page.Size
	if f.Reach > 0 {
		size = min(size, max(0, f.Reach-skip))
	}
	err = s.snapshot(ctx, func(c conn) (err error) {
		f, skip := f, skip
		if f.counted() {
			total, skip, err = c.reach(accountID, &f, skip)
		} else {
			total, err = c.total(f.conditions(accountID), f.Reach)
		}
		if err != nil || (page.Number-1)*page.Size >= total {
			return err
		}
		payments = make([]pix.Payment, 0, min(size, total-(page.Number-1)*page.Size))
		payments, err = c.appendListed(payments, f.conditions(accountID), size, skip)
		return err
	})
	return payments, total, err
}

// counted says whether there are counts of what the filter finds.
func (f PaymentFilter) counted() bool {
	return f.Reach == 0 && f.ExternalID == "" && f.EndToEndID == "" && len(f.Keys) == 0
}

// total counts what fulfils one of the conditions, up to a limit that is not 0.
func (c conn) total(where *conditions, limit int) (total int, err error) {
	err = c.row(where.count(limit), where.args...).Scan(&total)
	return total, err
}

// listedColumns are those of paymentColumns that a list shows: a page may have a thousand payments, and the driver
// takes its time for each column of each.
const listedColumns = `p.id, p.kind, p.transaction_id, p.external_id, p.end_to_end_id, p.status, p.amount, p.fee,
	p.counterpart_name, p.counterpart_document, p.counterpart_ispb, p.created_at, p.processed_at`

// appendListed reads a page, of each payment listedColumns.
func (c conn) appendListed(payments []pix.Payment, where *conditions, limit, skip int) ([]pix.Payment, error) {
	var p pix.Payment
	var created, processed int64
	columns := []any{&p.ID, &p.Kind, &p.TransactionID, &p.ExternalID, &p.EndToEndID, &p.Status, &p.Amount, &p.Fee,
		&p.Counterpart.Name, &p.Counterpart.Document, &p.Counterpart.ISPB, &created, &processed}
	query := where.page(limit, skip)
	err := c.each(func(row scanner) error {
		if err := row.Scan(columns...); err != nil {
			return err
		}
		p.CreatedAt, p.ProcessedAt = time.UnixMicro(created).UTC(), processedAt(processed)
		payments = append(payments, p)
		return nil
	}, query, where.args...)
	if !where.sorted() {
		slices.SortFunc(payments, func(a, b pix.Payment) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		})
	}
	return payments, err
}

// conditions are those of a filter, one of which a payment fulfils. Apart, each is of one
// kind, one status and one key: along its index, payments are in the order of the list.
func (f PaymentFilter) conditions(accountID int64) *conditions {
	created, status, kind := "p.created_at", "p.status", "p.kind"
	apart := f.ExternalID == "" && f.EndToEndID == ""
	if !apart { // the index of such an id is the best one: none serves a sum, or what has a sign
		created, status, kind = "p.created_at + 0", "+p.status", "+p.kind"
	}
	w := &conditions{table: "payments p", columns: listedColumns, order: []string{created, "p.id"}}
	w.and("p.account_id = %s", accountID)
	w.and(created+" >= %s", f.Period.From.UnixMicro())
	w.and(created+" < %s", f.Period.Before.UnixMicro())
	if f.Status != "" {
		w.and(status+" = %s", f.Status)
	} else if apart {
		each(w, status, pix.Statuses())
	}
	switch {
	case apart:
		each(w, kind, f.kinds())
	case f.Operation != "":
		in(w, kind, f.kinds())
	}
	if f.ExternalID != "" {
		w.and("p.external_id = %s", f.ExternalID)
	}
	if f.EndToEndID != "" {
		w.and("p.end_to_end_id = %s", f.EndToEndID)
	}
	switch {
	case len(f.Keys) > 0 && apart:
		w.index = " INDEXED BY payments_of_key"
		each(w, "p.directory_key", f.Keys)
	case len(f.Keys) > 0:
		in(w, "p.directory_key", f.Keys)
	case apart:
		w.index = " INDEXED BY payments_of_account"
	}
	return w
}

// kinds are those that the filter finds.
func (f PaymentFilter) kinds() []pix.Kind {
	if f.Operation != "" {
		return f.Operation.Kinds()
	}
	return slices.Concat(pix.Kinds(pix.Debit), pix.Kinds(pix.Credit))
}

// conditions are conjunctions that are being written, with their arguments and the
// order of what they hold for.
type conditions struct {
	table   string
	index   string   // " INDEXED BY ...", or empty where SQLite chooses
	columns string   // of the items
	order   []string // the time and the id of an item: a list begins with the latest
	upward  bool     // a page is read, and counted, from the list's other end
	texts   []string
	args    []any
}

// count counts what fulfils one of the conditions, up to a limit that is not 0.
func (c *conditions) count(limit int) string {
	query := `SELECT COUNT(*) FROM (` + c.union(`SELECT 1`)
	if limit > 0 {
		query += fmt.Sprintf(` LIMIT %d`, limit)
	}
	return query + `) AS listed`
}

// sorted reports whether page gives its items in their order.
func (c *conditions) sorted() bool { return len(c.texts) == 1 }

// page reads a page of what fulfils one of the conditions. Each of several is read in the
// order of its index, and no further than the page. SQLite would sort whole rows: see sorted.
func (c *conditions) page(limit, skip int) string {
	way := " DESC"
	if c.upward {
		way = " ASC"
	}
	order := ` ORDER BY ` + strings.Join(c.order, way+", ") + way
	// A sum, since SQLite plans a statement anew for each value of a parameter that stands alone.
	part := ` LIMIT ` + c.next(limit) + ` + 0 OFFSET ` + c.next(skip) + ` + 0`
	if c.sorted() {
		return c.union(`SELECT `+c.columns) + order + part
	}
	return `SELECT ` + c.columns + ` FROM ` + c.table + ` WHERE id IN (SELECT id FROM (` +
		c.union(`SELECT `+strings.Join(c.order, ", ")) + ` ORDER BY 1` + way + `, 2` + way + part + `) AS page)`
}

func (c *conditions) union(columns string) string {
	each := columns + ` FROM ` + c.table + c.index + ` WHERE `
	return each + strings.Join(c.texts, ` UNION ALL `+each)
}

// and adds a condition to each, in which %s is where its argument goes.
func (c *conditions) and(text string, arg any) {
	c.join(fmt.Sprintf(text, c.next(arg)))
}

// in adds the condition that a column has one of the values.
func in[T any](c *conditions, column string, values []T) {
	c.join(column + " IN (" + strings.Join(parameters(c, values), ", ") + ")")
}

// each makes of every conjunction as many as there are values, each for a column with one of them.
func each[T any](c *conditions, column string, values []T) {
	var parts []string
	for _, place := range parameters(c, values) {
		parts = append(parts, column+" = "+place)
	}
	c.join(parts...)
}

// join makes of every conjunction as many as there are parts, each with one of them.
func (c *conditions) join(parts ...string) {
	if len(c.texts) == 0 {
		c.texts = parts
		return
	}
	joined := make([]string, 0, len(c.texts)*len(parts))
	for _, text := range c.texts {
		for _, part := range parts {
			joined = append(joined, text+" AND "+part)
		}
	}
	c.texts = joined
}

// parameters adds arguments and gives the parameters that stand for them.
func parameters[T any](c *conditions, values []T) []string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = c.next(value)
	}
	return all
}

// next adds an argument and gives the parameter that stands for it.
func (c *conditions) next(arg any) string {
	c.args = append(c.args, arg)
	return fmt.Sprintf("$%d", len(c.args))
}
