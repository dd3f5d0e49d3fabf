package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"
)

// SigningKey signs access tokens.
type SigningKey struct {
	ID        string
	Secret    []byte // 32 bytes
	CreatedAt time.Time
}

// SigningKeys lists the keys for access tokens, the newest first. It makes one when
// there is none that is younger than maxAge. Older ones stay for what they signed, until
// they are older than lifetime: they are forgotten then.
func (s *Store) SigningKeys(ctx context.Context, maxAge, lifetime time.Duration) ([]SigningKey, error) {
	var keys []SigningKey
	err := s.write(ctx, func(t *tx) error {
		now := time.Now().UTC().Truncate(time.Microsecond)
		err := t.run(`DELETE FROM signing_keys WHERE created_at < $1`, now.Add(-lifetime).UnixMicro())
		if err != nil {
			return err
		}
		keys, err = t.signingKeys()
		if err != nil || len(keys) > 0 && now.Sub(keys[0].CreatedAt) < maxAge {
			return err
		}
		fresh := SigningKey{ID: rand.Text(), Secret: make([]byte, 32), CreatedAt: now}
		rand.Read(fresh.Secret) // never fails
		keys = append([]SigningKey{fresh}, keys...)
		return t.run(`INSERT INTO signing_keys (id, secret, created_at) VALUES ($1, $2, $3)`,
			fresh.ID, hex.EncodeToString(fresh.Secret), now.UnixMicro())
	})
	return keys, err
}

func (c conn) signingKeys() ([]SigningKey, error) {
	var keys []SigningKey
	err := c.each(func(row scanner) error {
		var key SigningKey
		var secret string
		var created int64
		if err := row.Scan(&key.ID, &secret, &created); err != nil {
			return err
		}
		key.CreatedAt = time.UnixMicro(created).UTC()
		var err error
		key.Secret, err = hex.DecodeString(secret)
		keys = append(keys, key)
		return err
	}, `SELECT id, secret, created_at FROM signing_keys ORDER BY created_at DESC`)
	return keys, err
}
