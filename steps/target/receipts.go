package target

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// Payer pays a charge.
type Payer struct {
	Name     string `json:"name"`
	Document string `json:"document"`
	ISPB     string `json:"ispb"`
}

// Receipt is a payment received by an account.
type Receipt struct {
	EndToEndID string `json:"endToEndId"`
}

func (r *Receipt) require() error { return required("endToEndId", r.EndToEndID != "") }

// Pay pays a charge by its code; an empty amount means that of the charge. IsFinished recognizes
// the error of a charge that can no longer be paid.
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

// EndCharge removes an active charge, as "receiver" or "psp".
func (c *Controls) EndCharge(ctx context.Context, id int64, txid, by string) error {
	return c.call(ctx, Charges, http.MethodPost, account(id, "/charges/"+url.PathEscape(txid)+"/end"), map[string]string{"by": by}, nil)
}

// ShowCharge reads the state of a charge, which the API itself cannot. Like the other Show methods
// it returns only an error: the judge reads the exchange.
func (c *Controls) ShowCharge(ctx context.Context, id int64, txid string) error {
	return c.showStatus(ctx, Charges, account(id, "/charges/"+url.PathEscape(txid)))
}

// SetRefunds sets the mode of refunds: "manual" or "automatic".
func (c *Controls) SetRefunds(ctx context.Context, id int64, mode string) error {
	return c.put(ctx, Refunds, id, "/refunds", map[string]string{"mode": mode})
}

// RefundResult is the result of a refund.
type RefundResult struct {
	Status string `json:"status"` // DEVOLVIDO, NAO_REALIZADO
	Motivo string `json:"motivo,omitempty"`
}

// EndRefund completes a refund. IsFinished recognizes the error of a completed one.
func (c *Controls) EndRefund(ctx context.Context, id int64, rtrID string, result RefundResult) error {
	return c.call(ctx, Refunds, http.MethodPost, account(id, "/refunds/"+url.PathEscape(rtrID)+"/result"), result, nil)
}

// ShowRefund reads the state of a refund.
func (c *Controls) ShowRefund(ctx context.Context, id int64, rtrID string) error {
	return c.showStatus(ctx, Refunds, account(id, "/refunds/"+url.PathEscape(rtrID)))
}

// Return makes the payee of a payment from the account return money.
func (c *Controls) Return(ctx context.Context, id int64, endToEndID, amount string) error {
	return c.call(ctx, Returns, http.MethodPost, account(id, "/returns"), map[string]string{"endToEndId": endToEndID, "amount": amount}, nil)
}

// Division is how a charge is split.
type Division struct {
	Splits []Split `json:"splits"`
	Left   string  `json:"left"` // left for the account, in BRL
}

func (d *Division) require() error { return required("splits", d.Splits != nil) }

// Split is one part of a charge.
type Split struct {
	PixKey string `json:"pixKey"`
	Amount string `json:"amount"` // in BRL
	Status string `json:"status"` // PENDING, PAID
}

// ShowSplits reads the Division of a charge.
func (c *Controls) ShowSplits(ctx context.Context, id int64, transactionID string) error {
	return c.call(ctx, Splits, http.MethodGet, account(id, "/splits?transactionId="+url.QueryEscape(transactionID)), nil, &Division{})
}

type openedCase struct {
	ID int64 `json:"id"`
}

func (c *openedCase) require() error { return required("id", c.ID != 0) }

// OpenMED opens a MED case for a payment and returns its id.
func (c *Controls) OpenMED(ctx context.Context, id int64, endToEndID string) (int64, error) {
	body := map[string]string{
		"endToEnd": endToEndID, "reason": "REFUND_REQUEST", "cause": "SOCIAL_ENGINEERING", "description": "Opened by a test",
	}
	var opened openedCase
	err := c.call(ctx, MED, http.MethodPost, account(id, "/meds"), body, &opened)
	return opened.ID, err
}

// MEDMove is a change of a MED case; a result requires the status ANALYZED.
type MEDMove struct {
	Status          string `json:"status"`
	AnalysisResult  string `json:"analysisResult,omitempty"` // APPROVED, REJECTED
	AnalysisDetails string `json:"analysisDetails,omitempty"`
}

// MoveMED changes a MED case. IsFinished recognizes the error of a transition that is not allowed.
func (c *Controls) MoveMED(ctx context.Context, id, med int64, move MEDMove) error {
	return c.call(ctx, MED, http.MethodPatch, account(id, fmt.Sprintf("/meds/%d", med)), move, nil)
}

func (c *Controls) showStatus(ctx context.Context, control Control, path string) error {
	var shown shownStatus
	return c.call(ctx, control, http.MethodGet, path, nil, &shown)
}

type shownStatus struct {
	Status string `json:"status"`
}

func (s *shownStatus) require() error { return required("status", s.Status != "") }
