package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// RegisterWebhook registers r.URL for events of r.Type, with r.Headers; the other
// fields are made here. A URL that is registered for that type already gets the new
// headers and the next version, and no other changes. A registration that does not
// Check, or that would be the fourth URL of its type, is a *pix.Refusal.
func (s *Store) RegisterWebhook(ctx context.Context, accountID int64, r pix.Registration) (pix.Registration, error) {
	if err := r.Check(); err != nil {
		return pix.Registration{}, err
	}
	if r.Headers == nil {
		r.Headers = []pix.Header{}
	}
	headers, err := json.Marshal(r.Headers)
	if err != nil {
		return pix.Registration{}, fmt.Errorf("write webhook headers: %w", err)
	}
	err = s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		var created int64
		err = t.row(`INSERT INTO webhooks (id, account_id, type, url, headers, version, active, created_at)
			VALUES ($1, $2, $3, $4, $5, 1, 1, $6)
			ON CONFLICT (account_id, type, url) DO UPDATE SET headers = excluded.headers, version = webhooks.version + 1, active = 1
			RETURNING id, version, created_at`,
			t.ids.nextWebhook(), accountID, r.Type, r.URL, string(headers), account.Now().UnixMicro(),
		).Scan(&r.ID, &r.Version, &created)
		if err != nil {
			return err
		}
		if err := t.invalidate(accountID); err != nil {
			return err
		}
		r.AccountID, r.Active, r.CreatedAt = accountID, true, time.UnixMicro(created).UTC()
		return t.checkURLs(accountID, r.Type)
	})
	return r, err
}

func (t *tx) checkURLs(accountID int64, event pix.EventType) error {
	var urls int
	err := t.row(`SELECT COUNT(*) FROM webhooks WHERE account_id = $1 AND type = $2 AND active = 1`, accountID, event).Scan(&urls)
	if err == nil && urls > pix.MaxWebhookURLs {
		err = pix.Refuse(pix.CodeValidation, fmt.Sprintf("url would be the fourth: at most %d active URLs are allowed for %s", pix.MaxWebhookURLs, event))
	}
	return err
}

// Webhooks lists an account's registrations in the order in which they were made.
func (s *Store) Webhooks(ctx context.Context, accountID int64) ([]pix.Registration, error) {
	var registrations []pix.Registration
	err := s.read(ctx, func(c conn) (err error) {
		if _, err := c.account(accountID); err != nil {
			return err
		}
		registrations, err = c.registrations(`account_id = $1 ORDER BY id`, accountID)
		return err
	})
	return registrations, err
}

// registrations lists the webhooks for which a condition holds.
func (c conn) registrations(where string, args ...any) ([]pix.Registration, error) {
	var registrations []pix.Registration
	err := c.each(func(row scanner) error {
		var r pix.Registration
		var headers string
		var created int64
		if err := row.Scan(&r.ID, &r.AccountID, &r.Type, &r.URL, &headers, &r.Version, &r.Active, &created); err != nil {
			return err
		}
		r.CreatedAt = time.UnixMicro(created).UTC()
		if err := json.Unmarshal([]byte(headers), &r.Headers); err != nil {
			return fmt.Errorf("read headers of webhook %d: %w", r.ID, err)
		}
		registrations = append(registrations, r)
		return nil
	}, `SELECT id, account_id, type, url, headers, version, active, created_at FROM webhooks WHERE `+where, args...)
	return registrations, err
}
