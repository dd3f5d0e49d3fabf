package gateway

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/semaphore"
)

// Account is one account. All its virtual users share its access token.
type Account struct {
	Credentials
	Index int // in the run

	request Request // for a token
	token   atomic.Pointer[token]
	asked   atomic.Pointer[time.Time] // when the last request for a token was sent
	old     atomic.Pointer[token]     // after which another was requested: the gateway may have replaced it

	asking *semaphore.Weighted // its holder requests a token
	failed struct {            // the last request that did, guarded by it
		at  time.Time
		err error
	}
}

// token is an access token with its expiry on the monotonic clock.
type token struct {
	value          string
	renew, expires time.Time
}

const (
	renewalMargin = 30 * time.Second // how long before its expiry a token is renewed
	renewalPause  = time.Second      // between attempts to renew a token that is still valid
)

// NewAccount is an account with complete credentials: see [CheckCredentials]. index is its index in the run, from 0. An empty
// tokenPath means /api/auth/token.
func NewAccount(index int, c Credentials, tokenPath string) *Account {
	body, _ := json.Marshal(map[string]string{"clientId": c.ClientID, "clientSecret": c.ClientSecret}) // strings never fail
	a := &Account{
		Credentials: c,
		Index:       index,
		asking:      semaphore.NewWeighted(1),
		request: Request{
			Operation: Token, Path: cmp.Or(tokenPath, Token.Template), Body: body,
			// URL-encoded without a plus sign or a space.
			Header: []string{"X-SSL-Client-Cert", strings.ReplaceAll(url.QueryEscape(c.Certificate), "+", "%20")},
		},
	}
	a.request.account = a
	return a
}

// IssueToken always requests a new token, without replacing the shared one.
func (a *Account) IssueToken(ctx context.Context, s Sender) *Exchange {
	a.old.Store(a.token.Load())
	request := a.request
	return s.Send(ctx, &request)
}

// Do sends a request with the account's token, and once more with a new one after a 401. It returns the last exchange, which
// says whether the first token was valid, or an unsent one if there is no token.
func (a *Account) Do(ctx context.Context, s Sender, r *Request) *Exchange {
	start := time.Now()
	t, err := a.current(ctx, s)
	paced := a.paced(start)
	if err != nil {
		return &Exchange{Request: r, Err: err, Unsent: true, Timing: Timing{Start: start, End: time.Now()}, Paced: paced}
	}
	r.Bearer, r.account = t.value, a
	x := s.Send(ctx, r)
	x.Paced += paced
	if x.Status != 401 {
		return x
	}
	x.Rejected = a.drop(t.value)
	refused := time.Now()
	t, err = a.current(ctx, s)
	x.Paced += a.paced(refused)
	if err != nil {
		return x
	}
	again := *r
	again.Bearer = t.value
	last := s.Send(ctx, &again)
	last.Rejected, last.Paced = x.Rejected, last.Paced+x.Paced
	return last
}

// paced is how long a caller that has waited for a token since start waited for the limit of requests per second: until the
// request for the token was sent.
func (a *Account) paced(start time.Time) time.Duration {
	asked := a.asked.Load()
	if asked == nil {
		return 0
	}
	return min(max(asked.Sub(start), 0), time.Since(start))
}

// drop discards a token that was refused, unless it was replaced already, and returns 1 if it
// should have been accepted: it has not expired, and no other was requested since.
func (a *Account) drop(value string) (rejected int64) {
	for t := a.token.Load(); t != nil && t.value == value; t = a.token.Load() {
		old := a.old.Load()
		if a.token.CompareAndSwap(t, nil) && time.Now().Before(t.expires) && (old == nil || old.value != value) {
			return 1
		}
	}
	return 0
}

// current is the account's access token. One caller at a time requests a new one, 30 s before the old one expires, which the
// others use until then. An error contains the gateway's response.
func (a *Account) current(ctx context.Context, s Sender) (*token, error) {
	t, now := a.token.Load(), time.Now()
	if t != nil && now.Before(t.renew) {
		return t, nil
	}
	switch {
	case a.asking.TryAcquire(1):
	case t != nil && now.Before(t.expires):
		return t, nil // another caller renews it
	case a.asking.Acquire(ctx, 1) != nil:
		return nil, fmt.Errorf("stopped waiting for an access token: %w", context.Cause(ctx))
	}
	defer a.asking.Release(1)
	if a.failed.at.After(now) {
		return nil, a.failed.err // which all who waited for it share
	}
	t, err := a.renewed(ctx, s, t)
	switch {
	case err == nil:
		a.failed.at = time.Time{} // nobody shares it any more
	case ctx.Err() == nil: // otherwise the caller has given up, and the next one asks
		a.failed.at, a.failed.err = time.Now(), err
	}
	return t, err
}

// renewed requests a token to replace old, unless that is done. If it fails, old may still be valid.
func (a *Account) renewed(ctx context.Context, s Sender, old *token) (*token, error) {
	if t := a.token.Load(); t != nil && t != old && time.Now().Before(t.expires) {
		return t, nil
	}
	x := a.IssueToken(ctx, s)
	sent := x.Timing.Start
	a.asked.Store(&sent)
	value, seconds, err := ReadToken(x)
	if err == nil {
		lasts := time.Duration(seconds) * time.Second
		t := &token{value: value, renew: sent.Add(lasts - min(renewalMargin, lasts/2)), expires: sent.Add(lasts)}
		a.token.Store(t)
		return t, nil
	}
	if old != nil && time.Now().Before(old.expires) {
		later := &token{old.value, time.Now().Add(renewalPause), old.expires}
		if a.token.CompareAndSwap(old, later) {
			return later, nil
		}
	}
	return nil, err
}

// ReadToken reads the response to IssueToken: a token, and its lifetime in seconds. Errors
// contain only the code and message of a refusal, because the body may be secret.
func ReadToken(x *Exchange) (value string, seconds int64, err error) {
	switch {
	case !x.OK() && x.Status != 0 && !gjson.ValidBytes(x.Body):
		return "", 0, fmt.Errorf("token: expected success, got %d and %d bytes that are not JSON", x.Status, len(x.Body))
	case !x.OK():
		return "", 0, x.failure()
	}
	value = gjson.GetBytes(x.Body, "access_token").Str
	lasts := gjson.GetBytes(x.Body, "expires_in")
	if value == "" || lasts.Type != gjson.Number || lasts.Num < 1 || lasts.Num > 1e9 {
		return "", 0, x.invalid(fmt.Errorf("token: expected access_token and expires_in in seconds, got %d bytes without them", len(x.Body)))
	}
	return value, int64(lasts.Num), nil
}

// Credentials of one account.
type Credentials struct {
	ID           int64  `json:"id,omitempty"` // as the test controls know it; 0: not known
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Certificate  string `json:"certificate"` // PEM
	PixKey       string `json:"pixKey,omitempty"`
}

// CheckCredentials lists all mistakes, by account index and field.
func CheckCredentials(all []Credentials) error {
	if len(all) == 0 {
		return errors.New("expected at least one account, got none")
	}
	var mistakes []error
	seen := map[string]int{}
	for i, c := range all {
		mistake := func(field string, err error) {
			mistakes = append(mistakes, fmt.Errorf("accounts[%d].%s: %w", i, field, err))
		}
		if !uuidV4.MatchString(c.ClientID) {
			mistake("clientId", fmt.Errorf("expected a UUID of version 4, got %q", c.ClientID))
		} else if first, twice := seen[c.ClientID]; twice {
			mistake("clientId", fmt.Errorf("expected each account once, got that of accounts[%d] again", first))
		}
		seen[c.ClientID] = i
		if c.ClientSecret == "" {
			mistake("clientSecret", errors.New("expected a string, got none"))
		}
		if err := checkCertificate(c.Certificate); err != nil {
			mistake("certificate", err)
		}
	}
	return errors.Join(mistakes...)
}

var uuidV4 = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

func checkCertificate(text string) error {
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return errors.New("expected PEM that starts with -----BEGIN CERTIFICATE-----; of a file, use open(PATH)")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return fmt.Errorf("expected an X.509 certificate: %w", err)
	}
	return nil
}
