package gateway

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Balance of an account, in centavos.
type Balance struct{ Available, Blocked int64 }

// Total is available plus blocked.
func (b Balance) Total() int64 { return b.Available + b.Blocked }

// Balance reads the account's balance.
func (a *Account) Balance(ctx context.Context, s Sender) (Balance, *Exchange, error) {
	x := a.bare(ctx, s, ReadBalance, nil)
	if err := x.failure(); err != nil {
		return Balance{}, x, err
	}
	var b Balance
	var err error
	item := gjson.GetBytes(x.Body, "data.0.balanceAmount")
	if b.Available, err = amount(item.Get("available")); err != nil {
		return b, x, x.invalid(fmt.Errorf("balance: available: %w", err))
	}
	if b.Blocked, err = amount(item.Get("blocked")); err != nil {
		return b, x, x.invalid(fmt.Errorf("balance: blocked: %w", err))
	}
	return b, x, nil
}

// Listed is a transaction in the gateway's lists. Scripts see the fields that have names.
type Listed struct {
	TransactionID string    `js:"transactionId" json:"transactionId"`
	ExternalID    string    `js:"externalId" json:"externalId"` // of a transfer: its idempotency key, if the gateway lists it
	EndToEndID    string    `js:"endToEndId" json:"endToEndId"`
	Status        string    `js:"status" json:"status"`       // PENDING, CONFIRMED, ERROR; other labels unchanged
	Operation     string    `js:"operation" json:"operation"` // PAYMENT, WITHDRAW, REFUND_IN, REFUND_OUT; other labels unchanged
	Movement      string    `js:"movement" json:"movement"`   // CREDIT, DEBIT
	Amount        int64     `js:"-" json:"-"`                 // centavos, without the fee
	Fee           int64     `js:"-" json:"-"`                 // centavos
	Processed     time.Time `js:"-" json:"-"`                 // zero: not yet
}

// Page is a page of a list.
type Page struct {
	Items   []Listed
	Total   int
	HasNext bool
}

// Transactions lists the account's transactions. query has the parameters of the API:
// page, size, status, type, startDate, endDate, externalId, endToEndId.
func (a *Account) Transactions(ctx context.Context, s Sender, query url.Values) (Page, *Exchange, error) {
	return readPage(a.bare(ctx, s, Transactions, query))
}

// TransactionsByKey lists the transactions of a key.
func (a *Account) TransactionsByKey(ctx context.Context, s Sender, key string, query url.Values) (Page, *Exchange, error) {
	return readPage(a.bare(ctx, s, TransactionsByKey, query, key))
}

// Meds lists the account's MED cases.
func (a *Account) Meds(ctx context.Context, s Sender, query url.Values) ([]map[string]any, *Exchange, error) {
	x := a.bare(ctx, s, Meds, query)
	list, err := x.list("data")
	meds := make([]map[string]any, 0, len(list))
	for i, item := range list {
		med, ok := item.Value().(map[string]any)
		if !ok {
			return nil, x, x.invalid(fmt.Errorf("meds: item %d: expected an object, got %s", i, item.Type))
		}
		meds = append(meds, med)
	}
	return meds, x, err
}

// list is an array in a response.
func (x *Exchange) list(field string) ([]gjson.Result, error) {
	if err := x.failure(); err != nil {
		return nil, err
	}
	list := gjson.GetBytes(x.Body, field)
	if !gjson.ValidBytes(x.Body) || !list.IsArray() {
		return nil, x.invalid(fmt.Errorf("%s: expected the array `%s`, got %.80q", x.Request.Operation, field, x.Shown()))
	}
	return list.Array(), nil
}

// Find lists every transaction with an externalId or an endToEndId: one, unless a repeat was accepted as another payment. A
// transfer may be found by its idempotency key. Refunds that are listed under the payment's endToEndId are left out.
func (a *Account) Find(ctx context.Context, s Sender, parameter, id string) (found []Listed, err error) {
	ended, err := a.pages(ctx, s, url.Values{parameter: {id}}, func(l Listed) {
		if parameter != "endToEndId" || l.EndToEndID == id {
			found = append(found, l)
		}
	})
	if err == nil && !ended {
		err = fmt.Errorf("%s: expected the list with the %s %q to end, got %d pages and hasNext", Transactions, parameter, id, maxPages)
	}
	return found, err
}

// Since reads the account's transactions since the start of a day, at most 10,000; true if the list ended.
func (a *Account) Since(ctx context.Context, s Sender, day time.Time, read func(Listed)) (ended bool, err error) {
	return a.pages(ctx, s, url.Values{"startDate": {day.UTC().Format(time.DateOnly)}}, read)
}

// Limits of a list: the most transactions that a page may have, and the most pages that are read.
const (
	pageSize = 100
	maxPages = 100
)

func (a *Account) pages(ctx context.Context, s Sender, query url.Values, read func(Listed)) (ended bool, err error) {
	query.Set("size", fmt.Sprint(pageSize))
	for page := 1; page <= maxPages; page++ {
		query.Set("page", fmt.Sprint(page))
		got, _, err := a.Transactions(ctx, s, query)
		if err != nil {
			return false, err
		}
		for _, l := range got.Items {
			read(l)
		}
		if !got.HasNext || len(got.Items) == 0 {
			return true, nil
		}
	}
	return false, nil
}

// bare sends a request without a body. value is that of the path's parameter, at its end, if it has one.
func (a *Account) bare(ctx context.Context, s Sender, o Operation, query url.Values, value ...string) *Exchange {
	path, _, _ := strings.Cut(o.Template, "{")
	path += url.PathEscape(strings.Join(value, ""))
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return a.Do(ctx, s, &Request{Operation: o, Path: path})
}

// labels maps the display labels of lists to the values of filters.
var labels = map[string]string{
	"Pendente": "PENDING", "Confirmado": "CONFIRMED", "Error": "ERROR",
	"Pix in": "PAYMENT", "Pix out": "WITHDRAW", "Refund in": "REFUND_IN", "Refund out": "REFUND_OUT",
}

func readPage(x *Exchange) (Page, *Exchange, error) {
	list, err := x.list("data")
	metadata := gjson.GetBytes(x.Body, "metadata")
	page := Page{Total: int(metadata.Get("total").Int()), HasNext: metadata.Get("hasNext").Bool()}
	for i, item := range list {
		listed, err := readListed(item)
		if err != nil {
			return Page{}, x, x.invalid(fmt.Errorf("%s: item %d: %w", x.Request.Operation, i, err))
		}
		page.Items = append(page.Items, listed)
	}
	return page, x, err
}

func readListed(item gjson.Result) (Listed, error) {
	l := Listed{
		TransactionID: item.Get("transactionId").String(),
		ExternalID:    item.Get("externalId").Str,
		EndToEndID:    item.Get("endToEndId").Str,
		Status:        unlabelled(item.Get("status").Str),
		Operation:     unlabelled(item.Get("operationType").Str),
		Movement:      item.Get("movementType").Str,
	}
	var err error
	if l.Amount, err = amount(item.Get("originalAmount")); err != nil {
		return l, fmt.Errorf("originalAmount: %w", err)
	}
	if l.Fee, err = amount(item.Get("feeAmount")); err != nil {
		return l, fmt.Errorf("feeAmount: %w", err)
	}
	if text := item.Get("processedAt").Str; text != "" {
		if l.Processed, err = data.ParseTime(text); err != nil {
			return l, fmt.Errorf("processedAt: %w", err)
		}
	}
	return l, nil
}

func unlabelled(label string) string { return cmp.Or(labels[label], strings.TrimSpace(label)) }
