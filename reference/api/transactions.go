package api

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// transactionList is the answer of both lists of transactions.
type transactionList struct {
	Data     []listedTransaction `json:"data"`
	Metadata listMetadata        `json:"metadata"`
}

type listMetadata struct {
	Page        int  `json:"page"`
	Size        int  `json:"size"`
	Total       int  `json:"total"`
	TotalPages  int  `json:"totalPages"`
	HasNext     bool `json:"hasNext"`
	HasPrevious bool `json:"hasPrevious"`
}

// Bounds of the two lists ("Limits": transaction list size, total results).
const (
	maxSize       = 100
	maxSizeByKey  = 1000
	maxTotalByKey = 1000
)

// listTransactions is GET /api/transactions.
func (a *api) listTransactions(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	q := readQuery(r)
	return a.list(w, r, account, q, maxSize, pix.MaxSpan, store.PaymentFilter{
		ExternalID: q.text("externalId"),
		EndToEndID: q.text("endToEndId"),
	})
}

// listTransactionsByKey is GET /api/pix/transactions/pix-key/{pixKey}: what was paid to
// that key, the account's own or another's, and what of it was given back.
func (a *api) listTransactionsByKey(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	q := readQuery(r)
	key := pathValue(r, "pixKey")
	keys := pix.DirectoryKeys(key)
	if len(keys) == 0 {
		q.violate("pixKey", "format", fmt.Sprintf("pixKey must be %s, got %q", pix.DirectoryKeyForm, key))
	}
	return a.list(w, r, account, q, maxSizeByKey, pix.KeySpan, store.PaymentFilter{Keys: keys, Reach: maxTotalByKey})
}

// list answers with a page of the account's transactions, the newest first. It reads
// what both lists are asked by and adds it to the filter; without a start the list
// covers as many days as span says.
func (a *api) list(w http.ResponseWriter, r *http.Request, account pix.Account, q *query, maxSize, span int, filter store.PaymentFilter) error {
	var page store.Page
	page.Number, page.Size = q.page("size", maxSize)
	filter.Status = oneOf(q, "status", pix.Pending, pix.Confirmed, pix.Error)
	filter.Operation = oneOf(q, "type", pix.Operations()...)
	start, end := q.period()
	if err := q.check(); err != nil {
		return err
	}
	var err error
	if filter.Period, err = pix.NewPeriod(start, end, span, account.Now()); err != nil {
		return err
	}
	payments, total, err := a.store.Payments(r.Context(), account.ID, filter, page)
	if err != nil {
		return err
	}
	pages := (total + page.Size - 1) / page.Size
	answer := transactionList{Data: make([]listedTransaction, len(payments)), Metadata: listMetadata{
		Page: page.Number, Size: page.Size, Total: total, TotalPages: pages,
		HasNext: page.Number < pages, HasPrevious: page.Number > 1,
	}}
	for i, p := range payments {
		answer.Data[i] = listed(p)
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// listedTransaction is the resource "Listed transaction". What is not known before the
// payment is finished is null until then.
type listedTransaction struct {
	TransactionID  string                `json:"transactionId"`
	ExternalID     string                `json:"externalId"`
	Status         string                `json:"status"`        // its label
	OperationType  string                `json:"operationType"` // its label
	MovementType   pix.Movement          `json:"movementType"`
	OriginalAmount pix.Centavos          `json:"originalAmount"`
	FeeAmount      pix.Centavos          `json:"feeAmount"`
	FinalAmount    pix.Centavos          `json:"finalAmount"`
	EndToEndID     *string               `json:"endToEndId"`
	CreatedAt      string                `json:"createdAt"`
	ProcessedAt    *string               `json:"processedAt"`
	Counterpart    *pix.EventCounterpart `json:"counterpart"`
}

func listed(p pix.Payment) listedTransaction {
	item := listedTransaction{
		TransactionID:  p.TransactionID,
		ExternalID:     p.ExternalID,
		Status:         p.Status.Label(),
		OperationType:  p.Kind.Operation().Label(),
		MovementType:   p.Kind.Movement(),
		OriginalAmount: p.Amount,
		FeeAmount:      p.Fee,
		FinalAmount:    p.Final(),
		CreatedAt:      pix.Timestamp(p.CreatedAt),
	}
	if p.Status.Terminal() {
		processed := pix.Timestamp(p.ProcessedAt)
		item.EndToEndID, item.ProcessedAt = &p.EndToEndID, &processed
	}
	if p.Status.Terminal() || p.Counterpart != (pix.Counterpart{}) { // a charge has none before it is paid
		counterpart := pix.NewEventCounterpart(p.Counterpart)
		item.Counterpart = &counterpart
	}
	return item
}

// pathValue is the decoded parameter of a path. The router matches the path as it was
// sent where its decoded form does not tell all.
func pathValue(r *http.Request, name string) string {
	value := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return value
	}
	if decoded, err := url.PathUnescape(value); err == nil {
		return decoded
	}
	return value
}
