package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Account is an integrator's account as it stands.
type Account struct {
	ID       int64
	ClientID string // UUID v4
	Name     string
	Document string // CNPJ
	ISPB     string
	PixKey   string // EVP

	Available pix.Centavos
	Blocked   pix.Centavos

	Settings
	ClockOffset time.Duration // what the account's clock is ahead of real time

	secretHash string // hex
}

// Now is the time as the account sees it, in UTC and to the microsecond.
func (a Account) Now() time.Time {
	return time.Now().Add(a.ClockOffset).UTC().Truncate(time.Microsecond)
}

// SecretMatches compares a client secret in constant time. On an Account that was not
// found (the zero value) it does the same work and says no. The secret is random and
// long, so a plain SHA-256 of it is enough to keep.
func (a Account) SecretMatches(secret string) bool {
	known := a.secretHash
	if known == "" {
		known = noSecret
	}
	return subtle.ConstantTimeCompare([]byte(hashSecret(secret)), []byte(known)) == 1
}

// noSecret has the length of a hash and is none.
const noSecret = "----------------------------------------------------------------"

func hashSecret(secret string) string {
	hash := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(hash[:])
}

// NewAccount is what an account is made of; what is empty is made up.
type NewAccount struct {
	Name        string
	Fingerprint string // of its first certificate: SHA-256 in lower-case hex
}

// CreateAccount makes an empty account with the default limits and without fees. The
// client secret is given in clear this once; what is kept is its hash.
func (s *Store) CreateAccount(ctx context.Context, n NewAccount) (Account, string, error) {
	secret := rand.Text() + rand.Text()
	var account Account
	err := s.write(ctx, func(t *tx) error {
		var err error
		account, err = t.createAccount(n, hashSecret(secret))
		return err
	})
	return account, secret, err
}

func (t *tx) createAccount(n NewAccount, secretHash string) (Account, error) {
	a := Account{
		ID:         t.ids.nextAccount(),
		ClientID:   pix.NewUUID(),
		Name:       n.Name,
		ISPB:       pix.Home.ISPB,
		PixKey:     pix.NewUUID(),
		Settings:   defaultSettings(),
		secretHash: secretHash,
	}
	if a.Name == "" {
		a.Name = fmt.Sprintf("Conta %d", a.ID)
	}
	a.Document = pix.WithCheckDigits(fmt.Sprintf("%08d0001", 10_000_000+a.ID%90_000_000))
	err := t.run(`INSERT INTO accounts (id, client_id, secret_hash, name, document, ispb, pix_key,
			auth_fault, pix_provider_fault, settlement, refunds)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		a.ID, a.ClientID, a.secretHash, a.Name, a.Document, a.ISPB, a.PixKey,
		a.Faults.Auth, a.Faults.PixProvider, a.Settlement, a.Refunds)
	if err != nil {
		return Account{}, err
	}
	if err := t.saveSettings(a.ID, a.Settings); err != nil || n.Fingerprint == "" {
		return a, err
	}
	return a, t.registerCertificate(a.ID, n.Fingerprint)
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
		if err := t.forget(id); err != nil {
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
func (s *Store) Account(ctx context.Context, id int64) (Account, error) {
	if account, ok := s.accounts.account(id); ok {
		return account, ctx.Err()
	}
	var account Account
	err := s.write(ctx, func(t *tx) (err error) { // which publishes it
		account, err = t.account(id)
		return err
	})
	return account, err
}

// AccountByClientID looks an account up by its clientId.
func (s *Store) AccountByClientID(ctx context.Context, clientID string) (Account, error) {
	var account Account
	err := s.read(ctx, func(c conn) (err error) {
		account, err = scanAccount(c.row(`SELECT `+accountColumns+` FROM accounts WHERE client_id = $1 AND removed = 0`, clientID))
		return err
	})
	return account, err
}

func (c conn) account(id int64) (Account, error) {
	return scanAccount(c.row(`SELECT `+accountColumns+` FROM accounts WHERE id = $1 AND removed = 0`, id))
}

func scanAccount(row scanner) (Account, error) {
	var a Account
	var offset int64
	err := row.Scan(&a.ID, &a.ClientID, &a.secretHash, &a.Name, &a.Document, &a.ISPB, &a.PixKey, &a.Available, &a.Blocked,
		&a.Fees.CashOut, &a.Fees.CashIn, &a.Limits.PerTransaction, &a.Limits.Daily, &a.Limits.Night, &a.Limits.RequestsPerMinute,
		&a.Faults.Auth, &a.Faults.PixProvider, &a.Faults.MinimumExpiration, &a.Settlement, &a.Refunds, &offset)
	a.ClockOffset = time.Duration(offset) * time.Microsecond
	return a, orNotFound(err)
}
