package api

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// protected are the endpoints that ask for a token.
var protected = []struct{ method, path string }{
	{http.MethodGet, "/accounts/balances"},
	{http.MethodGet, "/balance"},
	{http.MethodGet, "/api/balance"},
	{http.MethodPost, "/api/pix/cash-out"},
	{http.MethodPost, "/api/webhooks"},
	{http.MethodGet, "/api/webhooks"},
}

// forged is the token with other claims or another algorithm, signed with secret.
func forged(t *testing.T, c *client, method jwt.SigningMethod, kid string, secret any, expiry time.Time) string {
	t.Helper()
	token := jwt.NewWithClaims(method, jwt.RegisteredClaims{
		Subject: fmt.Sprint(c.account.ID), ExpiresAt: jwt.NewNumericDate(expiry),
	})
	token.Header["kid"] = kid
	signed, err := token.SignedString(secret)
	require.NoError(t, err)
	return signed
}

func TestBadTokensOpenNothing(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	key, err := c.api.tokenKeys.newest(t.Context())
	require.NoError(t, err)
	later := time.Now().Add(time.Hour)
	parts := strings.Split(c.token, ".")
	signature := []byte(parts[2])
	signature[10] = map[bool]byte{true: 'B', false: 'A'}[signature[10] == 'A']
	claims, err := json.Marshal(jwt.MapClaims{"sub": fmt.Sprint(c.account.ID), "exp": later.Unix()})
	require.NoError(t, err)

	for name, values := range map[string][]string{
		"nothing":             nil,
		"empty":               {""},
		"no scheme":           {c.token},
		"scheme alone":        {"Bearer"},
		"Basic":               {"Basic " + c.token},
		"twice":               {"Bearer " + c.token, "Bearer " + c.token},
		"garbage":             {"Bearer garbage"},
		"three parts":         {"Bearer a.b.c"},
		"another signature":   {"Bearer " + parts[0] + "." + parts[1] + "." + string(signature)},
		"other claims":        {"Bearer " + parts[0] + "." + base64.RawURLEncoding.EncodeToString(claims) + "." + parts[2]},
		"no signature":        {"Bearer " + parts[0] + "." + parts[1] + "."},
		"alg none":            {"Bearer " + forged(t, c, jwt.SigningMethodNone, key.ID, jwt.UnsafeAllowNoneSignatureType, later)},
		"another algorithm":   {"Bearer " + forged(t, c, jwt.SigningMethodHS512, key.ID, key.Secret, later)},
		"another key":         {"Bearer " + forged(t, c, jwt.SigningMethodHS256, key.ID, []byte("another secret"), later)},
		"an unknown key":      {"Bearer " + forged(t, c, jwt.SigningMethodHS256, "unknown", key.Secret, later)},
		"without an expiry":   {"Bearer " + forged(t, c, jwt.SigningMethodHS256, key.ID, key.Secret, time.Time{})},
		"expired":             {"Bearer " + forged(t, c, jwt.SigningMethodHS256, key.ID, key.Secret, time.Now())},
		"an enormous one":     {"Bearer " + strings.Repeat("A", 20_000)},
		"a token and garbage": {"Bearer " + c.token + " x"},
	} {
		for _, endpoint := range protected {
			body := order("1.00", "x")
			if endpoint.path == "/api/webhooks" {
				body = registration
			}
			a := c.as(t, endpoint.method, endpoint.path, withBody(body), withHeader("Authorization", values...))
			assert.Equal(t, http.StatusUnauthorized, a.status, "%s: %s %s", name, endpoint.method, endpoint.path)
			assert.Equal(t, "Bearer", a.header.Get("WWW-Authenticate"))
			checkEnvelope(t, a, endpoint.method, endpoint.path)
		}
	}
	available, blocked := c.balance(t)
	assert.EqualValues(t, 100_00, available)
	assert.EqualValues(t, 0, blocked)
	webhooks, err := c.store.Webhooks(t.Context(), c.account.ID)
	require.NoError(t, err)
	assert.Empty(t, webhooks)
}

func TestTokenExpiresByTheClockOfItsAccount(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	c, other := g.newClient(t, 0), g.newClient(t, 0)
	balances := func(c *client) int { return c.as(t, http.MethodGet, "/accounts/balances").status }

	_, err := g.store.AdvanceClock(t.Context(), c.account.ID, 1790*time.Second)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, balances(c), "10 seconds before")
	_, err = g.store.AdvanceClock(t.Context(), c.account.ID, 11*time.Second)
	require.NoError(t, err)
	assert.Equal(t, http.StatusUnauthorized, balances(c), "a second after")
	assert.Equal(t, http.StatusOK, balances(other), "another account's time stands still")

	c.token = c.requestToken(t).fields["access_token"].(string)
	assert.Equal(t, http.StatusOK, balances(c), "a new token, issued at the account's time")
}

func TestRemovedAccount(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	require.Equal(t, http.StatusOK, c.as(t, http.MethodGet, "/accounts/balances").status, "which remembers the token")
	require.NoError(t, c.store.RemoveAccount(t.Context(), c.account.ID))
	for _, endpoint := range protected {
		want := http.StatusUnauthorized
		if endpoint.path == "/api/webhooks" {
			want = http.StatusNotFound
		}
		a := c.as(t, endpoint.method, endpoint.path, withBody(registration))
		assert.Equal(t, want, a.status, "%s %s", endpoint.method, endpoint.path)
		checkEnvelope(t, a, endpoint.method, endpoint.path)
	}
}

// However many tokens are verified, each opens its own account, and a made-up one none.
func TestTokensAreRememberedApart(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	keys := &tokenKeys{store: c.store, now: time.Now}
	tokens := make([]string, 2*maxVerified+10)
	for i := range tokens {
		var err error
		tokens[i], err = keys.sign(t.Context(), pix.Account{ID: int64(i)})
		require.NoError(t, err)
	}
	for range 2 {
		for i, token := range tokens {
			id, _, err := keys.verify(t.Context(), token)
			require.NoError(t, err)
			require.EqualValues(t, i, id)
			_, _, err = keys.verify(t.Context(), token[:len(token)-1])
			require.Error(t, err)
		}
	}
	assert.LessOrEqual(t, len(keys.verified.recent)+len(keys.verified.previous), 2*maxVerified)
}

// A key gives way to a new one when it is a day old, and verifies as long as a token
// that it signed can live.
func TestSigningKeysRotate(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	made := time.Now()
	keys := &tokenKeys{store: c.store, now: time.Now}
	token, err := keys.sign(t.Context(), c.account)
	require.NoError(t, err)

	for _, moment := range []struct {
		age      time.Duration
		verifies bool
	}{
		{keyRotation, true},
		{keyLifetime - time.Minute, true},
		{keyLifetime + time.Minute, false},
	} {
		keys.now = func() time.Time { return made.Add(moment.age) }
		_, _, err := keys.verify(t.Context(), token)
		assert.Equal(t, moment.verifies, err == nil, "%s old: %v", moment.age, err)
	}
	_, err = c.store.SigningKeys(t.Context(), 0, keyLifetime) // another replica rotates
	require.NoError(t, err)
	replica := &tokenKeys{store: c.store, now: time.Now}
	fresh, err := replica.sign(t.Context(), pix.Account{ID: c.account.ID})
	require.NoError(t, err)
	keys.now = func() time.Time { return made.Add(2 * keyRefresh) }
	keys.readAt = made
	_, _, err = keys.verify(t.Context(), fresh)
	assert.NoError(t, err, "a key that another replica made is read")
}
