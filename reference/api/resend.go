package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// resent is the answer to a resend. StatusCode is the destination's, whatever it is.
type resent struct {
	Message      string `json:"message"`
	WebhookLogID int64  `json:"webhookLogId"`
	SentAt       string `json:"sentAt"`
	StatusCode   int    `json:"statusCode"`
}

// resendWebhook is POST /api/resend-webhook/{transactionIdentifier}: the last event of a
// transaction, once more and at once. The body may name a URL for this time alone; no
// header of a registration goes there. A destination that does not answer is a 502.
func (a *api) resendWebhook(w http.ResponseWriter, r *http.Request, account pix.Account) error {
	target, err := a.resendTarget(w, r)
	if err != nil {
		return err
	}
	delivery, err := a.store.LatestEvent(r.Context(), account.ID, pathValue(r, "transactionIdentifier"))
	if errors.Is(err, store.ErrNotFound) {
		return failure(http.StatusNotFound, "the account has no transaction with that numeric id, externalId or endToEndId")
	}
	if err != nil {
		return err
	}
	if target != "" {
		delivery.WebhookID, delivery.URL, delivery.Headers = 0, target, nil
	}
	if delivery.URL == "" {
		return failure(http.StatusBadRequest, "expected a url, or one that is registered for the type of the transaction's event; there is none")
	}
	began := time.Now()
	attempt := a.send(r.Context(), delivery)
	logged, err := a.store.LogDelivery(context.WithoutCancel(r.Context()), delivery, attempt) // it was sent, whoever waits
	if err != nil {
		return err
	}
	if attempt.Status == 0 {
		return a.unreached(r.Context(), began, attempt, logged)
	}
	writeJSON(w, http.StatusOK, resent{
		Message:      "webhook sent",
		WebhookLogID: logged,
		SentAt:       pix.Timestamp(attempt.At.Add(account.ClockOffset)),
		StatusCode:   attempt.Status,
	})
	return nil
}

// unreached is a 502. Where its reason is not to be told, neither is it by the time.
func (a *api) unreached(ctx context.Context, began time.Time, attempt store.Attempt, logged int64) error {
	p := failure(http.StatusBadGateway, "the destination did not answer")
	p.details = map[string]any{"webhookLogId": logged}
	if a.unanswered == 0 {
		p.messages[0] += ": " + attempt.Failure
		return p
	}
	if err := until(ctx, began.Add(a.unanswered)); err != nil {
		return err
	}
	return p
}

// until waits, so that the time of an answer does not tell what it took to find it.
func until(ctx context.Context, at time.Time) error {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// resendTarget is the URL of the body, "" when there is none or no body at all.
func (a *api) resendTarget(w http.ResponseWriter, r *http.Request) (string, error) {
	body := bufio.NewReader(r.Body)
	if _, err := body.Peek(1); errors.Is(err, io.EOF) {
		return "", nil
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	f, err := a.open(w, r, "resendWebhook")
	if err != nil {
		return "", err
	}
	target := f.data("url")
	if err := f.refusal(); err != nil || !f.given("url") {
		return "", err
	}
	return target, pix.CheckWebhookURL(target)
}
