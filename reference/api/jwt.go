package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/pixcert/pixcert/reference/pix"
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

	verified verifiedTokens
}

// sign issues a token to an account; its lifetime begins at the account's time.
func (k *tokenKeys) sign(ctx context.Context, account pix.Account) (string, error) {
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
	if v, ok := k.verified.find(token); ok && k.now().Before(v.retires) {
		return v.accountID, v.expiry, nil
	}
	v, err := k.parse(ctx, token)
	if err != nil {
		return 0, time.Time{}, err
	}
	k.verified.add(token, v)
	return v.accountID, v.expiry, nil
}

func (k *tokenKeys) parse(ctx context.Context, token string) (verified, error) {
	var claims jwt.RegisteredClaims
	var key store.SigningKey
	_, err := tokenParser.ParseWithClaims(token, &claims, func(t *jwt.Token) (_ any, err error) {
		id, _ := t.Header["kid"].(string)
		key, err = k.key(ctx, id)
		return key.Secret, err
	})
	if err != nil {
		return verified{}, err
	}
	accountID, err := strconv.ParseInt(claims.Subject, 10, 64)
	if err != nil || claims.ExpiresAt == nil {
		return verified{}, errors.New("expected the claims sub and exp")
	}
	return verified{accountID, claims.ExpiresAt.Time, key.CreatedAt.Add(keyLifetime)}, nil
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

func (k *tokenKeys) key(ctx context.Context, id string) (store.SigningKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.find(id); ok {
		return key, nil
	}
	if k.now().Sub(k.readAt) >= keyRefresh { // another replica may have made it
		if err := k.read(ctx); err != nil {
			return store.SigningKey{}, err
		}
		if key, ok := k.find(id); ok {
			return key, nil
		}
	}
	return store.SigningKey{}, fmt.Errorf("the token's key %q is unknown or retired", id)
}

func (k *tokenKeys) find(id string) (store.SigningKey, bool) {
	for _, key := range k.keys {
		if key.ID == id && k.age(key) < keyLifetime {
			return key, true
		}
	}
	return store.SigningKey{}, false
}

func (k *tokenKeys) read(ctx context.Context) error {
	keys, err := k.store.SigningKeys(ctx, keyRotation, keyLifetime)
	if err != nil {
		return fmt.Errorf("cannot read the signing keys: %w", err)
	}
	k.keys, k.readAt = keys, k.now()
	return nil
}

func (k *tokenKeys) age(key store.SigningKey) time.Duration { return k.now().Sub(key.CreatedAt) }

// verified is what a token says whose signature was found right.
type verified struct {
	accountID int64
	expiry    time.Time // by the account's clock
	retires   time.Time // when its key does not verify any more
}

// maxVerified bounds how many tokens a generation of verifiedTokens has.
const maxVerified = 4096

// verifiedTokens remembers tokens whose signature was found right, since a client sends
// the same one for half an hour. It keeps two generations and forgets the older one when
// the younger is full. The zero value is ready.
type verifiedTokens struct {
	mu               sync.RWMutex
	recent, previous map[string]verified
}

func (t *verifiedTokens) find(token string) (verified, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	v, ok := t.recent[token]
	if !ok {
		v, ok = t.previous[token]
	}
	return v, ok
}

func (t *verifiedTokens) add(token string, v verified) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.recent) >= maxVerified || t.recent == nil {
		t.recent, t.previous = make(map[string]verified), t.recent
	}
	t.recent[strings.Clone(token)] = v
}
