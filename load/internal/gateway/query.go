package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
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

// Listed is a transaction in the gateway's lists.
type Listed struct {
	TransactionID string
	ExternalID    string // of a transfer: its idempotency key, if the gateway lists it
	EndToEndID    string
	Status        string    // PENDING, CONFIRMED, ERROR; other labels unchanged
	Operation     string    // PAYMENT, WITHDRAW, REFUND_IN, REFUND_OUT; other labels unchanged
	Movement      string    // CREDIT, DEBIT
	Amount        int64     // centavos, without the fee
	Fee           int64     // centavos
	Processed     time.Time // zero: not yet
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
	if err := x.failure(); err != nil {
		return nil, x, err
	}
	var body struct {
		Data []map[string]any `json:"data"`
	}
	if err := json.Unmarshal(x.Body, &body); err != nil || body.Data == nil {
		return nil, x, x.invalid(fmt.Errorf("meds: expected the array `data`, got %.80q", x.Shown()))
	}
	return body.Data, x, nil
}

// Find lists every transaction with an external id: one, unless a repeat was accepted as
// another payment. A transfer may be found by its idempotency key.
func (a *Account) Find(ctx context.Context, s Sender, externalID string) ([]Listed, error) {
	return a.findAll(ctx, s, "externalId", externalID)
}

// FindEndToEnd lists the transactions with an end-to-end id, without refunds that are listed under the payment's.
func (a *Account) FindEndToEnd(ctx context.Context, s Sender, endToEndID string) ([]Listed, error) {
	found, err := a.findAll(ctx, s, "endToEndId", endToEndID)
	return slices.DeleteFunc(found, func(l Listed) bool { return l.EndToEndID != endToEndID }), err
}

func (a *Account) findAll(ctx context.Context, s Sender, parameter, name string) ([]Listed, error) {
	var found []Listed
	ended, err := a.pages(ctx, s, url.Values{parameter: {name}}, func(l Listed) { found = append(found, l) })
	if err == nil && !ended {
		err = fmt.Errorf("%s: expected the list with the %s %q to end, got %d pages and hasNext", Transactions, parameter, name, maxPages)
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
	if err := x.failure(); err != nil {
		return Page{}, x, err
	}
	body := gjson.ParseBytes(x.Body)
	list := body.Get("data")
	if !gjson.ValidBytes(x.Body) || !list.IsArray() {
		return Page{}, x, x.invalid(fmt.Errorf("%s: expected the array `data`, got %.80q", x.Request.Operation, x.Shown()))
	}
	page := Page{
		Total:   int(body.Get("metadata.total").Int()),
		HasNext: body.Get("metadata.hasNext").Bool(),
	}
	for i, item := range list.Array() {
		listed, err := readListed(item)
		if err != nil {
			return Page{}, x, x.invalid(fmt.Errorf("%s: item %d: %w", x.Request.Operation, i, err))
		}
		page.Items = append(page.Items, listed)
	}
	return page, x, nil
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

func unlabelled(label string) string {
	if value, ok := labels[label]; ok {
		return value
	}
	return strings.TrimSpace(label)
}
