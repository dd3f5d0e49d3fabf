package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/pixcert/pixcert/reference/store"
)

const (
	// tokenLifetime is that of an access token ("Limits").
	tokenLifetime = 1800 * time.Second

	// keyRotation is the age at which a signing key gives way to a new one.
	keyRotation = 24 * time.Hour

	// keyLifetime is how long a key verifies: as long as its last token can live.
	keyLifetime = keyRotation + tokenLifetime

	// keyRefresh is the least time between two readings of the keys on account of an
	// unknown key id, so that made-up ids cost nothing.
	keyRefresh = time.Second
)

// algorithm is the only one that a token may be signed with, whatever it says itself.
var algorithm = jwt.SigningMethodHS256

var tokenParser = jwt.NewParser(
	jwt.WithValidMethods([]string{algorithm.Alg()}),
	jwt.WithStrictDecoding(),
	// The expiry is judged by the account's clock, once the account is known.
	jwt.WithoutClaimsValidation(),
)

// tokenKeys signs and verifies access tokens with the keys of the store, which survive
// a restart and are shared by replicas.
type tokenKeys struct {
	store *store.Store
	now   func() time.Time

	mu     sync.Mutex
	keys   []store.SigningKey // the newest first
	readAt time.Time
}

// sign issues a token to an account; its lifetime begins at the account's time.
func (k *tokenKeys) sign(ctx context.Context, account store.Account) (string, error) {
	key, err := k.newest(ctx)
	if err != nil {
		return "", fmt.Errorf("cannot sign a token: %w", err)
	}
	now := account.Now()
	token := jwt.NewWithClaims(algorithm, jwt.RegisteredClaims{
		Subject:   strconv.FormatInt(account.ID, 10),
		IssuedAt:  jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(tokenLifetime)),
		ID:        rand.Text(), // tokens of one second differ
	})
	token.Header["kid"] = key.ID
	return token.SignedString(key.Secret)
}

// verify gives the account id and the expiry of a token that this gateway signed.
func (k *tokenKeys) verify(ctx context.Context, token string) (accountID int64, expiry time.Time, err error) {
	var claims jwt.RegisteredClaims
	_, err = tokenParser.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) {
		id, _ := t.Header["kid"].(string)
		return k.secret(ctx, id)
	})
	if err != nil {
		return 0, time.Time{}, err
	}
	accountID, err = strconv.ParseInt(claims.Subject, 10, 64)
	if err != nil || claims.ExpiresAt == nil {
		return 0, time.Time{}, errors.New("expected the claims sub and exp")
	}
	return accountID, claims.ExpiresAt.Time, nil
}

func (k *tokenKeys) newest(ctx context.Context) (store.SigningKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.keys) == 0 || k.age(k.keys[0]) >= keyRotation {
		if err := k.read(ctx); err != nil {
			return store.SigningKey{}, err
		}
	}
	return k.keys[0], nil
}

func (k *tokenKeys) secret(ctx context.Context, id string) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if secret, ok := k.find(id); ok {
		return secret, nil
	}
	if k.now().Sub(k.readAt) >= keyRefresh { // another replica may have made it
		if err := k.read(ctx); err != nil {
			return nil, err
		}
		if secret, ok := k.find(id); ok {
			return secret, nil
		}
	}
	return nil, fmt.Errorf("the token's key %q is unknown or retired", id)
}

func (k *tokenKeys) find(id string) ([]byte, bool) {
	for _, key := range k.keys {
		if key.ID == id && k.age(key) < keyLifetime {
			return key.Secret, true
		}
	}
	return nil, false
}

func (k *tokenKeys) read(ctx context.Context) error {
	keys, err := k.store.SigningKeys(ctx, keyRotation)
	if err != nil {
		return fmt.Errorf("cannot read the signing keys: %w", err)
	}
	k.keys, k.readAt = keys, k.now()
	return nil
}

func (k *tokenKeys) age(key store.SigningKey) time.Duration { return k.now().Sub(key.CreatedAt) }
