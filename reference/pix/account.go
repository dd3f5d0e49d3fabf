package pix

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"time"
)

// Account is an integrator's account.
type Account struct {
	ID         int64
	ClientID   string // UUID v4
	SecretHash string // see HashSecret
	Name       string
	Document   string // CNPJ
	ISPB       string
	PixKey     string // EVP

	Available Centavos
	Blocked   Centavos

	Settings
	ClockOffset time.Duration // of the account's clock, ahead of real time
}

// Now is the time by the account's clock, in UTC and to the microsecond.
func (a Account) Now() time.Time {
	return time.Now().Add(a.ClockOffset).UTC().Truncate(time.Microsecond)
}

// RealTime converts a time of the account's clock to real time.
func (a Account) RealTime(at time.Time) time.Time { return at.Add(-a.ClockOffset) }

// CheckCapacity refuses money that would take the account beyond MaxAmount, so that no sum of
// balances overflows.
func (a Account) CheckCapacity(amount Centavos) error {
	if most := MaxAmount - a.Available - a.Blocked; amount > most {
		return Refuse(CodeValidation, fmt.Sprintf("amount must be at most %s, which the account can still hold, got %s", most, amount))
	}
	return nil
}

// AsCounterpart is the account as its counterparts see it.
func (a Account) AsCounterpart() Counterpart {
	return Counterpart{Name: a.Name, Document: a.Document, ISPB: a.ISPB}
}

// SecretMatches compares a client secret in constant time. For the zero value, an account that was
// not found, it does the same work and returns false.
func (a Account) SecretMatches(secret string) bool {
	known := a.SecretHash
	if known == "" {
		known = noSecret
	}
	return subtle.ConstantTimeCompare([]byte(HashSecret(secret)), []byte(known)) == 1
}

// noSecret has the length of a hash and is none.
const noSecret = "----------------------------------------------------------------"

// HashSecret is the form in which a client secret is stored: its SHA-256 in hex. A slow hash is not
// needed, because secrets are random and long.
func HashSecret(secret string) string {
	hash := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(hash[:])
}
