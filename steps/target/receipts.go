package target

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Payer is whoever pays a charge.
type Payer struct {
	Name     string `json:"name"`
	Document string `json:"document"`
	ISPB     string `json:"ispb"`
}

// Receipt is a payment that an account has received.
type Receipt struct {
	EndToEndID string    `json:"endToEndId"`
	ReceivedAt time.Time `json:"receivedAt"`
}

// Pay pays a charge by its code; an empty amount stands for the charge's own.
// IsFinished tells the error of a charge that can no longer be paid.
func (c *Controls) Pay(ctx context.Context, id int64, code, amount string, payer Payer) (Receipt, error) {
	body := struct {
		PixCode string `json:"pixCode"`
		Amount  string `json:"amount,omitempty"`
		Payer   Payer  `json:"payer"`
	}{code, amount, payer}
	var receipt Receipt
	err := c.call(ctx, Payments, http.MethodPost, account(id, "/payments"), body, &receipt)
	return receipt, err
}

// EndCharge removes an active charge, as its "receiver" or the "psp" may.
func (c *Controls) EndCharge(ctx context.Context, id int64, txid, by string) error {
	return c.call(ctx, Charges, http.MethodPost, account(id, "/charges/"+url.PathEscape(txid)+"/end"), map[string]string{"by": by}, nil)
}

// ShowCharge shows the state of a charge, which the API itself does not show. Like the other
// methods that show something, it returns only an error: the exchange is what is judged.
func (c *Controls) ShowCharge(ctx context.Context, id int64, txid string) error {
	return c.showStatus(ctx, Charges, account(id, "/charges/"+url.PathEscape(txid)))
}

// SetRefunds makes the results of refunds "manual" or "automatic".
func (c *Controls) SetRefunds(ctx context.Context, id int64, mode string) error {
	return c.put(ctx, Refunds, id, "/refunds", map[string]string{"mode": mode})
}

// RefundResult is what became of a refund.
type RefundResult struct {
	Status string `json:"status"` // DEVOLVIDO, NAO_REALIZADO
	Motivo string `json:"motivo,omitempty"`
}

// EndRefund gives a refund its result. IsFinished tells the error of one that has one.
func (c *Controls) EndRefund(ctx context.Context, id int64, rtrID string, result RefundResult) error {
	return c.call(ctx, Refunds, http.MethodPost, account(id, "/refunds/"+url.PathEscape(rtrID)+"/result"), result, nil)
}

// ShowRefund shows the state of a refund, which the API itself does not show.
func (c *Controls) ShowRefund(ctx context.Context, id int64, rtrID string) error {
	return c.showStatus(ctx, Refunds, account(id, "/refunds/"+url.PathEscape(rtrID)))
}

// Return lets the receiver of a payment that the account sent give money back.
func (c *Controls) Return(ctx context.Context, id int64, endToEndID, amount string) error {
	return c.call(ctx, Returns, http.MethodPost, account(id, "/returns"), map[string]string{"endToEndId": endToEndID, "amount": amount}, nil)
}

// Division is what becomes of a charge that names splits.
type Division struct {
	Splits []Split `json:"splits"`
	Left   string  `json:"left"` // to the account, in BRL
}

// Split is one part of a charge.
type Split struct {
	PixKey string `json:"pixKey"`
	Amount string `json:"amount"` // in BRL
	Status string `json:"status"` // PENDING, PAID
}

// ShowSplits shows the Division of a charge.
func (c *Controls) ShowSplits(ctx context.Context, id int64, transactionID string) error {
	return c.call(ctx, Splits, http.MethodGet, account(id, "/splits?transactionId="+url.QueryEscape(transactionID)), nil, &Division{})
}

// OpenMED opens a MED case against a payment and gives its id.
func (c *Controls) OpenMED(ctx context.Context, id int64, endToEndID string) (int64, error) {
	body := map[string]string{
		"endToEnd": endToEndID, "reason": "REFUND_REQUEST", "cause": "SOCIAL_ENGINEERING", "description": "Opened by a test",
	}
	var opened struct{ ID int64 }
	err := c.call(ctx, MED, http.MethodPost, account(id, "/meds"), body, &opened)
	return opened.ID, err
}

// MEDMove is what happens to a MED case; a result goes with the status ANALYZED.
type MEDMove struct {
	Status          string `json:"status"`
	AnalysisResult  string `json:"analysisResult,omitempty"` // APPROVED, REJECTED
	AnalysisDetails string `json:"analysisDetails,omitempty"`
}

// MoveMED moves a MED case. IsFinished tells the error of one that cannot move so.
func (c *Controls) MoveMED(ctx context.Context, id, med int64, move MEDMove) error {
	return c.call(ctx, MED, http.MethodPatch, account(id, fmt.Sprintf("/meds/%d", med)), move, nil)
}

func (c *Controls) showStatus(ctx context.Context, control Control, path string) error {
	var shown struct{ Status string }
	return c.call(ctx, control, http.MethodGet, path, nil, &shown)
}
