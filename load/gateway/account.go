package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"
)

// Account is one account, whose access token all its virtual users share.
type Account struct {
	Credentials
	Index int // in the run

	request Request // for a token
	token   atomic.Pointer[token]

	mu     sync.Mutex
	asking *asking // nil: nobody asks for a token
}

// token is an access token with the time that it lasts, by the monotonic clock.
type token struct {
	value          string
	renew, expires time.Time
}

// asking is a request for a token that is under way. Its outcome is that of all who wait
// for it.
type asking struct {
	done      chan struct{} // closed at its end
	token     *token
	err       error
	abandoned bool // by the end of the asker's own context, which is nobody else's
}

// renewalMargin is how long before a token expires a new one is asked for.
const renewalMargin = 30 * time.Second

// renewalPause is between attempts to renew a token that still lasts.
const renewalPause = time.Second

func newAccount(g *Gateway, index int, c Credentials) *Account {
	body, _ := json.Marshal(map[string]string{"clientId": c.ClientID, "clientSecret": c.ClientSecret}) // texts never fail
	endpoint := Token.Endpoint()
	a := &Account{
		Credentials: c,
		Index:       index,
		request: Request{
			Operation: Token, Method: endpoint.Method, Path: g.tokenPath, Body: body,
			Header: []string{"X-SSL-Client-Cert", encodeCertificate(c.Certificate)},
		},
	}
	a.request.account = a
	return a
}

// encodeCertificate encodes for a URL so that neither a plus nor a space is left.
func encodeCertificate(pem string) string {
	return strings.ReplaceAll(url.QueryEscape(pem), "+", "%20")
}

// Token is the account's access token. A new one is asked for by one caller at a time,
// 30 s before the old one expires; the others go on with the old one until it does, and
// then wait for what that caller gets. An error says what the gateway answered.
func (a *Account) Token(ctx context.Context, s Sender) (string, error) {
	t, err := a.current(ctx, s)
	if err != nil {
		return "", err
	}
	return t.value, nil
}

// IssueToken asks for a new token, always, and leaves the shared one as it is.
func (a *Account) IssueToken(ctx context.Context, s Sender) *Exchange {
	request := a.request
	return s.Send(ctx, &request)
}

// Do sends a request with the account's token. One that was refused with 401 is sent once
// more, with a new token. What is returned is the last exchange; where there is no token,
// one that is unsent.
func (a *Account) Do(ctx context.Context, s Sender, r *Request) *Exchange {
	start := time.Now()
	t, err := a.current(ctx, s)
	if err != nil {
		return unsent(r, start, err)
	}
	r.Bearer, r.account = t.value, a
	x := s.Send(ctx, r)
	if x.Status != 401 {
		return x
	}
	a.drop(t.value)
	if t, err = a.current(ctx, s); err != nil {
		return x
	}
	again := *r
	again.Bearer = t.value
	return s.Send(ctx, &again)
}

func unsent(r *Request, start time.Time, err error) *Exchange {
	return &Exchange{Request: r, Err: err, Unsent: true, Timing: Timing{Start: start, End: time.Now()}}
}

// drop forgets a token that was refused, unless there is another by now.
func (a *Account) drop(value string) {
	for t := a.token.Load(); t != nil && t.value == value; t = a.token.Load() {
		a.token.CompareAndSwap(t, nil)
	}
}

func (a *Account) current(ctx context.Context, s Sender) (*token, error) {
	for {
		t, now := a.token.Load(), time.Now()
		if t != nil && now.Before(t.renew) {
			return t, nil
		}
		asking, mine := a.ask()
		switch {
		case mine:
			return a.carryOut(ctx, s, asking, t)
		case t != nil && now.Before(t.expires):
			return t, nil // somebody else asks
		}
		select {
		case <-asking.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("waited for an access token: %w", context.Cause(ctx))
		}
		if !asking.abandoned {
			return asking.token, asking.err
		}
	}
}

// ask is the request for a token that is under way, or a new one that is the caller's to
// carry out.
func (a *Account) ask() (_ *asking, mine bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asking != nil {
		return a.asking, false
	}
	a.asking = &asking{done: make(chan struct{})}
	return a.asking, true
}

func (a *Account) carryOut(ctx context.Context, s Sender, asking *asking, old *token) (*token, error) {
	asking.token, asking.err = a.renewed(ctx, s, old)
	asking.abandoned = asking.err != nil && ctx.Err() != nil
	a.mu.Lock()
	a.asking = nil
	a.mu.Unlock()
	close(asking.done)
	return asking.token, asking.err
}

// renewed asks for a token in the place of old, unless somebody has done so. A failure
// counts only once old has expired or was refused.
func (a *Account) renewed(ctx context.Context, s Sender, old *token) (*token, error) {
	if t := a.token.Load(); t != nil && t != old && time.Now().Before(t.expires) {
		return t, nil
	}
	t, err := issued(a.IssueToken(ctx, s))
	if err != nil && old != nil && time.Now().Before(old.expires) {
		later := &token{old.value, time.Now().Add(renewalPause), old.expires}
		if a.token.CompareAndSwap(old, later) {
			return later, nil
		}
	}
	if err != nil {
		return nil, err
	}
	a.token.Store(t)
	return t, nil
}

// ReadToken reads what was answered to IssueToken: a token, and how many seconds it lasts.
// Errors hold nothing of the answer's body but a refusal's code and message: it may be
// secret.
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
		return "", 0, fmt.Errorf("token: expected access_token and expires_in in seconds, got %d bytes without them", len(x.Body))
	}
	return value, int64(lasts.Num), nil
}

// issued counts a token's life from before it was asked for.
func issued(x *Exchange) (*token, error) {
	value, seconds, err := ReadToken(x)
	if err != nil {
		return nil, err
	}
	lasts := time.Duration(seconds) * time.Second
	return &token{
		value:   value,
		renew:   x.Timing.Start.Add(lasts - min(renewalMargin, lasts/2)),
		expires: x.Timing.Start.Add(lasts),
	}, nil
}
