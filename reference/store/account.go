package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// NewAccount is what an account is made of. What is empty is generated.
type NewAccount struct {
	ID          int64  // the next one if it is taken
	ClientID    string // UUID v4
	Secret      string
	Name        string
	Document    string
	PixKey      string
	Fingerprint string // of its first certificate: SHA-256 in lower-case hex
	Available   pix.Centavos
	Settings    *pix.Settings // nil for the default limits and no fees
}

// CreateAccount makes an account. The client secret is given in clear this once; what is
// kept is its hash.
func (s *Store) CreateAccount(ctx context.Context, n NewAccount) (pix.Account, string, error) {
	n.Secret = cmp.Or(n.Secret, NewSecret())
	var account pix.Account
	err := s.write(ctx, func(t *tx) error {
		var err error
		account, err = t.createAccount(n)
		return err
	})
	return account, n.Secret, err
}

// NewSecret generates a client secret.
func NewSecret() string { return rand.Text() + rand.Text() }

func (t *tx) createAccount(n NewAccount) (pix.Account, error) {
	id, err := t.freeAccountID(n.ID)
	if err != nil {
		return pix.Account{}, err
	}
	a := pix.Account{
		ID:         id,
		ClientID:   cmp.Or(n.ClientID, pix.NewUUID()),
		Name:       cmp.Or(n.Name, fmt.Sprintf("Conta %d", id)),
		Document:   cmp.Or(n.Document, pix.WithCheckDigits(fmt.Sprintf("%08d0001", 10_000_000+id%90_000_000))),
		ISPB:       pix.Home.ISPB,
		PixKey:     cmp.Or(n.PixKey, pix.NewUUID()),
		Settings:   pix.DefaultSettings(),
		SecretHash: pix.HashSecret(n.Secret),
	}
	if n.Settings != nil {
		a.Settings = *n.Settings
	}
	if err := a.Check(); err != nil {
		return pix.Account{}, err
	}
	err = t.run(`INSERT INTO accounts (id, client_id, secret_hash, name, document, ispb, pix_key,
			auth_fault, pix_provider_fault, settlement, refunds)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		a.ID, a.ClientID, a.SecretHash, a.Name, a.Document, a.ISPB, a.PixKey,
		a.Faults.Auth, a.Faults.PixProvider, a.Settlement, a.Refunds)
	if err != nil {
		return pix.Account{}, err
	}
	if err := t.saveSettings(a.ID, a.Settings); err != nil {
		return pix.Account{}, err
	}
	if n.Fingerprint != "" {
		if err := t.registerCertificate(a.ID, n.Fingerprint); err != nil {
			return pix.Account{}, err
		}
	}
	if n.Available == 0 {
		return a, nil
	}
	return t.setBalance(a.ID, n.Available)
}

// freeAccountID gives the wanted id, or the next one if that is taken or 0.
func (t *tx) freeAccountID(wanted int64) (int64, error) {
	if wanted == 0 {
		return t.ids.nextAccount(), nil
	}
	var taken bool
	err := t.row(`SELECT EXISTS (SELECT 1 FROM accounts WHERE id = $1)`, wanted).Scan(&taken)
	if err != nil || taken {
		return t.ids.nextAccount(), err
	}
	t.ids.account = max(t.ids.account, wanted)
	return wanted, nil
}

// RemoveAccount makes an account disappear, with its webhooks, its certificates and
// what was left to do for it. Its payments and its ledger stay.
func (s *Store) RemoveAccount(ctx context.Context, id int64) error {
	return s.write(ctx, func(t *tx) error {
		changed, err := t.exec(`UPDATE accounts SET removed = 1 WHERE id = $1 AND removed = 0`, id)
		if err != nil {
			return err
		}
		if changed == 0 {
			return ErrNotFound
		}
		t.wake = true
		if err := t.invalidate(id); err != nil {
			return err
		}
		for _, statement := range [...]string{
			`DELETE FROM jobs WHERE account_id = $1`,
			`DELETE FROM webhooks WHERE account_id = $1`,
			`UPDATE certificates SET revoked = 1 WHERE account_id = $1`,
		} {
			if err := t.run(statement, id); err != nil {
				return err
			}
		}
		return nil
	})
}

const accountColumns = `id, client_id, secret_hash, name, document, ispb, pix_key, available, blocked,
	fee_cash_out, fee_cash_in, limit_transaction, limit_daily, limit_night, requests_per_minute,
	auth_fault, pix_provider_fault, minimum_expiration, settlement, refunds, clock_offset`

// Account looks an account up by its id.
func (s *Store) Account(ctx context.Context, id int64) (pix.Account, error) {
	if account, ok := s.accounts.account(id); ok {
		return account, ctx.Err()
	}
	var account pix.Account
	err := s.write(ctx, func(t *tx) (err error) { // which publishes it
		account, err = t.account(id)
		return err
	})
	return account, err
}

// AccountByClientID looks an account up by its clientId.
func (s *Store) AccountByClientID(ctx context.Context, clientID string) (pix.Account, error) {
	var account pix.Account
	err := s.read(ctx, func(c conn) (err error) {
		account, err = scanAccount(c.row(`SELECT `+accountColumns+` FROM accounts WHERE client_id = $1 AND removed = 0`, clientID))
		return err
	})
	return account, err
}

func (c conn) account(id int64) (pix.Account, error) {
	return scanAccount(c.row(`SELECT `+accountColumns+` FROM accounts WHERE id = $1 AND removed = 0`, id))
}

func scanAccount(row scanner) (pix.Account, error) {
	var a pix.Account
	var offset int64
	err := row.Scan(&a.ID, &a.ClientID, &a.SecretHash, &a.Name, &a.Document, &a.ISPB, &a.PixKey, &a.Available, &a.Blocked,
		&a.Fees.CashOut, &a.Fees.CashIn, &a.Limits.PerTransaction, &a.Limits.Daily, &a.Limits.Night, &a.Limits.RequestsPerMinute,
		&a.Faults.Auth, &a.Faults.PixProvider, &a.Faults.MinimumExpiration, &a.Settlement, &a.Refunds, &offset)
	a.ClockOffset = time.Duration(offset) * time.Microsecond
	return a, orNotFound(err)
}
