package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Token is the account's access token.
func (a *Account) Token(ctx context.Context, s Sender) (string, error) {
	t, err := a.current(ctx, s)
	if err != nil {
		return "", err
	}
	return t.value, nil
}

// Operations are all operations of the API.
func Operations() []Operation { return operations }

// scripted answers as its function does, without a network.
type scripted func(r *Request) (status int, body string)

func (f scripted) Send(_ context.Context, r *Request) *Exchange {
	x := &Exchange{Request: r}
	x.Timing.Start = time.Now()
	status, body := f(r)
	x.Timing.End = time.Now()
	if x.Status, x.Body = status, []byte(body); status == 0 {
		x.Err = errors.New(body)
	}
	return x
}

func post() *Request {
	return &Request{Operation: CashOut, Path: "/api/pix/cash-out", Body: []byte(`{"value":1.00}`)}
}

func tokenBody(number int64, seconds int) string {
	return fmt.Sprintf(`{"access_token":"token-%d","token_type":"Bearer","expires_in":%d}`, number, seconds)
}

func testAccount(t testing.TB) *Account {
	t.Helper()
	return NewAccount(3, Credentials{ClientID: "client", ClientSecret: "secret", Certificate: "-----BEGIN CERTIFICATE-----\na+b/c=\n"}, "")
}

func TestATokenRequestBearsTheCertificate(t *testing.T) {
	t.Parallel()
	var got *Request
	_, err := testAccount(t).Token(t.Context(), scripted(func(r *Request) (int, string) {
		got = r
		return 201, tokenBody(1, 1800)
	}))
	require.NoError(t, err)
	assert.Equal(t, "/api/auth/token", got.Path)
	assert.Equal(t, []string{"X-SSL-Client-Cert", "-----BEGIN%20CERTIFICATE-----%0Aa%2Bb%2Fc%3D%0A"}, got.Header)
	assert.JSONEq(t, `{"clientId":"client","clientSecret":"secret"}`, string(got.Body))
	assert.Empty(t, got.Bearer)
}

func TestATokenIsAskedForOnceForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		sender := scripted(func(*Request) (int, string) {
			time.Sleep(time.Second)
			return 201, tokenBody(asked.Add(1), 1800)
		})
		account := testAccount(t)
		var users sync.WaitGroup
		for range 50 {
			users.Go(func() {
				token, err := account.Token(t.Context(), sender)
				assert.NoError(t, err)
				assert.Equal(t, "token-1", token)
			})
		}
		users.Wait()
		assert.EqualValues(t, 1, asked.Load())
	})
}

func TestATokenIsRenewedBeforeItExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		sender := scripted(func(*Request) (int, string) {
			time.Sleep(10 * time.Second)
			return 201, tokenBody(asked.Add(1), 1800)
		})
		account := testAccount(t)
		token := func() string {
			token, err := account.Token(t.Context(), sender)
			require.NoError(t, err)
			return token
		}
		start := time.Now() // of the token's life
		assert.Equal(t, "token-1", token())
		time.Sleep(time.Until(start.Add(1770*time.Second - time.Millisecond)))
		assert.Equal(t, "token-1", token())
		time.Sleep(time.Millisecond)

		renewed := make(chan string)
		go func() { renewed <- token() }()
		synctest.Wait() // it asks
		assert.Equal(t, "token-1", token(), "the others go on with the old one")
		assert.Equal(t, "token-2", <-renewed)
		assert.Equal(t, "token-2", token())
		assert.EqualValues(t, 2, asked.Load())
	})
}

func TestARenewalThatFailsLeavesTheOldTokenUntilItExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		sender := scripted(func(*Request) (int, string) {
			if asked.Add(1) == 1 {
				return 201, tokenBody(1, 1800)
			}
			return 503, `{"code":"PUB_AUTH_UPSTREAM_UNAVAILABLE","message":"later"}`
		})
		account := testAccount(t)
		_, err := account.Token(t.Context(), sender)
		require.NoError(t, err)
		time.Sleep(1775 * time.Second)
		for range 10 {
			token, err := account.Token(t.Context(), sender)
			require.NoError(t, err)
			assert.Equal(t, "token-1", token)
		}
		assert.EqualValues(t, 2, asked.Load(), "at most one attempt a second")
		time.Sleep(25 * time.Second)
		_, err = account.Token(t.Context(), sender)
		assert.EqualError(t, err, "token: expected success, got 503 PUB_AUTH_UPSTREAM_UNAVAILABLE: later")
	})
}

func TestAWaitForATokenEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		account := testAccount(t)
		sender := scripted(func(*Request) (int, string) {
			time.Sleep(time.Minute)
			return 201, tokenBody(1, 1800)
		})
		var other sync.WaitGroup
		other.Go(func() {
			_, err := account.Token(t.Context(), sender)
			assert.NoError(t, err)
		})
		defer other.Wait()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := account.Token(ctx, sender)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// An endpoint that does not answer holds those who wait for it as long as one, not as
// long as all of them one after the other.
func TestAFailureIsSharedByThoseWhoWaitForIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		sender := scripted(func(*Request) (int, string) {
			if asked.Add(1) > 1 {
				return 201, tokenBody(2, 1800)
			}
			time.Sleep(time.Minute)
			return 0, "timed out"
		})
		account, start := testAccount(t), time.Now()
		var users sync.WaitGroup
		for range 50 {
			users.Go(func() {
				_, err := account.Token(t.Context(), sender)
				assert.EqualError(t, err, "token: no response: timed out")
			})
		}
		users.Wait()
		assert.Equal(t, time.Minute, time.Since(start))
		assert.EqualValues(t, 1, asked.Load())
		token, err := account.Token(t.Context(), sender)
		require.NoError(t, err)
		assert.Equal(t, "token-2", token, "who comes later asks again")
	})
}

// bounded is a Sender that stops when the context ends, like real ones.
type bounded struct{ scripted }

func (b bounded) Send(ctx context.Context, r *Request) *Exchange {
	x := b.scripted.Send(ctx, r)
	if ctx.Err() != nil {
		x.Status, x.Body, x.Err = 0, nil, context.Cause(ctx)
	}
	return x
}

func TestWhoGivesUpLeavesTheAskingToTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		sender := bounded{func(*Request) (int, string) {
			number := asked.Add(1)
			time.Sleep(time.Second)
			return 201, tokenBody(number, 1800)
		}}
		account := testAccount(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		var first sync.WaitGroup
		first.Go(func() {
			_, err := account.Token(ctx, sender)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
		defer first.Wait()
		synctest.Wait()
		token, err := account.Token(t.Context(), sender)
		require.NoError(t, err)
		assert.Equal(t, "token-2", token)
	})
}

// A token that is refused while its renewal fails is not used again.
func TestARefusedTokenDoesNotComeBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked, refused atomic.Int64
		var revoked atomic.Bool
		sender := scripted(func(r *Request) (int, string) {
			switch {
			case r.Operation != Token && r.Bearer == "token-1" && revoked.Load():
				refused.Add(1)
				return 401, `{"code":"HTTP_ERROR","message":"revoked"}`
			case r.Operation != Token:
				return 200, "{}"
			}
			switch number := asked.Add(1); number {
			case 2:
				time.Sleep(time.Second)
				return 503, `{"code":"PUB_AUTH_UPSTREAM_UNAVAILABLE","message":"later"}`
			default:
				return 201, tokenBody(number, 1800)
			}
		})
		account := testAccount(t)
		require.Equal(t, 200, account.Do(t.Context(), sender, post()).Status)
		time.Sleep(1775 * time.Second) // it is to be renewed, and lasts
		var renewal sync.WaitGroup
		renewal.Go(func() { _, _ = account.Token(t.Context(), sender) })
		synctest.Wait()
		revoked.Store(true)
		assert.Equal(t, 401, account.Do(t.Context(), sender, post()).Status, "there is no other")
		renewal.Wait()
		x := account.Do(t.Context(), sender, post())
		assert.Equal(t, 200, x.Status)
		assert.Equal(t, "token-3", x.Request.Bearer)
		assert.EqualValues(t, 1, refused.Load())
	})
}

// A request that was refused with a token whose renewal has failed since is sent again
// with a new one.
func TestAnAnswerOf401ComesAfterAFailedRenewal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		sender := scripted(func(r *Request) (int, string) {
			if r.Operation != Token {
				time.Sleep(10 * time.Second)
				if r.Bearer == "token-1" {
					return 401, "{}"
				}
				return 200, "{}"
			}
			if asked.Add(1) == 2 {
				return 503, "{}"
			}
			return 201, tokenBody(asked.Load(), 1800)
		})
		account := testAccount(t)
		_, err := account.Token(t.Context(), sender)
		require.NoError(t, err)
		time.Sleep(1765 * time.Second)
		var renewal sync.WaitGroup
		renewal.Go(func() {
			time.Sleep(9500 * time.Millisecond) // half a second later the 401 comes
			token, err := account.Token(t.Context(), sender)
			assert.NoError(t, err)
			assert.Equal(t, "token-1", token)
		})
		x := account.Do(t.Context(), sender, post())
		renewal.Wait()
		assert.Equal(t, 200, x.Status)
		assert.Equal(t, "token-3", x.Request.Bearer)
	})
}

func TestAnAnswerOf401RenewsTheTokenOnce(t *testing.T) {
	t.Parallel()
	var tokens atomic.Int64
	var bearers []string
	account := testAccount(t)
	sender := func(good string) Sender {
		return scripted(func(r *Request) (int, string) {
			if r.Operation == Token {
				return 201, tokenBody(tokens.Add(1), 1800)
			}
			bearers = append(bearers, r.Bearer)
			if r.Bearer == good {
				return 200, "{}"
			}
			return http.StatusUnauthorized, `{"code":"HTTP_ERROR","message":"expired"}`
		})
	}
	x := account.Do(t.Context(), sender("token-2"), post())
	assert.Equal(t, 200, x.Status)
	assert.Equal(t, []string{"token-1", "token-2"}, bearers)

	bearers = nil
	x = account.Do(t.Context(), sender("none"), post())
	assert.Equal(t, http.StatusUnauthorized, x.Status)
	assert.Equal(t, []string{"token-2", "token-3"}, bearers, "and no third time")
}

func TestWithoutATokenNothingIsSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		told   string
	}{
		"no answer":   {0, "connection refused", "token: no response: connection refused"},
		"refused":     {401, `{"code":"PUB_INVALID_CREDENTIALS","message":"no"}`, "token: expected success, got 401 PUB_INVALID_CREDENTIALS: no"},
		"not JSON":    {201, "<html>", "token: expected access_token and expires_in"},
		"no lifetime": {201, `{"access_token":"x"}`, "token: expected access_token and expires_in"},
		"no life":     {201, tokenBody(1, 0), "token: expected access_token and expires_in"},
	} {
		var sent int
		x := testAccount(t).Do(t.Context(), scripted(func(r *Request) (int, string) {
			if r.Operation != Token {
				sent++
			}
			return c.status, c.body
		}), post())
		assert.True(t, x.Unsent, name)
		assert.ErrorContains(t, x.Err, c.told, name)
		assert.Equal(t, Refused, readAnswer(x).Outcome, name)
		assert.Zero(t, sent, name)
	}
}

// A valid token that gets 401 is counted once, whatever comes of the new one. One that has
// expired, or after which another was requested, may be refused.
func TestAValidTokenThatGets401IsCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before  func(context.Context, *Account, Sender)
		refuses int64 // responses
		status  int
		want    int64
	}{
		"none":                  {status: 200},
		"once":                  {refuses: 1, status: 200, want: 1},
		"the new one too":       {refuses: 2, status: 401, want: 1},
		"expired meanwhile":     {before: func(context.Context, *Account, Sender) { time.Sleep(1759500 * time.Millisecond) }, refuses: 1, status: 200},
		"another was requested": {before: func(ctx context.Context, a *Account, s Sender) { a.IssueToken(ctx, s) }, refuses: 1, status: 200},
		"after it was renewed":  {before: func(context.Context, *Account, Sender) { time.Sleep(1775 * time.Second) }, refuses: 1, status: 200, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var tokens, refused int64
				sender := scripted(func(r *Request) (int, string) {
					if r.Operation == Token {
						tokens++
						return 201, tokenBody(tokens, 1800)
					}
					if refused++; refused <= c.refuses {
						time.Sleep(time.Minute)
						return 401, "{}"
					}
					return 200, "{}"
				})
				account := testAccount(t)
				_, err := account.Token(t.Context(), sender)
				require.NoError(t, err)
				if c.before != nil {
					c.before(t.Context(), account, sender)
				}
				x := account.Do(t.Context(), sender, post())
				assert.Equal(t, c.status, x.Status)
				assert.Equal(t, c.want, x.Rejected)
			})
		})
	}
}

// The script's limit of requests per second makes token requests wait, too. That is no wait for the gateway.
func TestTheWaitOfATokenRequestForTheLimitIsNoWaitForTheToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limited, slow = 20 * time.Second, 2 * time.Second
		sender := limitedSender{func(r *Request) (int, string) {
			if r.Operation == Token {
				time.Sleep(slow)
				return 201, tokenBody(1, 1800)
			}
			return 200, "{}"
		}, limited}
		account := testAccount(t)
		var users sync.WaitGroup
		for range 3 {
			users.Go(func() {
				x := account.Do(t.Context(), sender, post())
				assert.Equal(t, 2*limited, x.Paced, "of the token and of the request")
			})
		}
		users.Wait()
	})
}

// limitedSender sends after a wait for a limit.
type limitedSender struct {
	scripted
	wait time.Duration
}

func (s limitedSender) Send(ctx context.Context, r *Request) *Exchange {
	time.Sleep(s.wait)
	x := s.scripted.Send(ctx, r)
	x.Paced = s.wait
	return x
}
