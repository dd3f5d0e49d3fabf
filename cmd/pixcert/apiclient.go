package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// apiClient calls the API of a gateway for one account.
type apiClient struct {
	target      *target.Target
	account     target.Account
	certificate *tls.Certificate // for the handshake; nil if the header carries it

	mu      sync.Mutex
	token   string
	expires time.Time
}

// openAPI checks that the profile's gateway answers, and requests a token for an account. The caller
// closes it.
func openAPI(ctx context.Context, p target.Profile, account target.Account) (*apiClient, error) {
	p.Control = nil // the API alone
	c := &apiClient{account: account}
	if p.TLS.Handshake {
		pair, err := tls.X509KeyPair(account.Certificate, account.Key)
		if err != nil {
			return nil, fmt.Errorf("the certificate of account %d: %w", account.AccountID, err)
		}
		c.certificate = &pair
	}
	var err error
	if c.target, err = target.Open(ctx, p, target.Identity{Version: version(), RunID: "listen"}); err != nil {
		return nil, err
	}
	if _, err := c.bearer(ctx); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *apiClient) close() { c.target.Client.Close() }

// renewTokenBefore is the margin that the specification advises.
const renewTokenBefore = 30 * time.Second

// bearer returns a token, and requests a new one before the old one expires.
func (c *apiClient) bearer(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.expires) {
		return c.token, nil
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if c.certificate == nil {
		header.Set("X-SSL-Client-Cert", certs.Header(c.account.Certificate))
	}
	body, err := json.Marshal(sandbox.Credentials{ClientID: c.account.ClientID, ClientSecret: c.account.ClientSecret})
	if err != nil {
		return "", err
	}
	var granted struct {
		Token     string  `json:"access_token"`
		ExpiresIn float64 `json:"expires_in"`
	}
	_, err = c.send(ctx, target.Request{Operation: "token request", Method: http.MethodPost, Path: c.target.Profile.TokenPath, Header: header, Body: body}, &granted)
	if err == nil && granted.Token == "" {
		err = errors.New("expected access_token in the response of the token request, found none")
	}
	c.token = granted.Token
	c.expires = time.Now().Add(time.Duration(granted.ExpiresIn)*time.Second - renewTokenBefore)
	return c.token, err
}

// renew has the next call request a new token, unless another call has done so.
func (c *apiClient) renew(rejected string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == rejected {
		c.expires = time.Time{}
	}
}

// Call sends a request with a token, and with a body if there is one, and decodes the response into answer. A token that
// is rejected is renewed once: the clock of the account may have advanced.
func (c *apiClient) Call(ctx context.Context, operation, method, path string, body, answer any) error {
	request := target.Request{Operation: operation, Method: method, Path: path, Header: http.Header{}}
	if body != nil {
		var err error
		if request.Body, err = json.Marshal(body); err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
	}
	for renewed := false; ; renewed = true {
		token, err := c.bearer(ctx)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		status, err := c.send(ctx, request, answer)
		if status != http.StatusUnauthorized || renewed {
			return err
		}
		c.renew(token)
	}
}

// send returns the status of the response, 0 for none.
func (c *apiClient) send(ctx context.Context, r target.Request, answer any) (status int, err error) {
	r.Party, r.Certificate = exchange.API, c.certificate
	e := c.target.Client.Send(ctx, r)
	switch {
	case e.Err != "":
		return 0, fmt.Errorf("%s: %s", r.Operation, exchange.Line(e.Err))
	case e.Status/100 != 2:
		return e.Status, fmt.Errorf("%s: expected 2xx, got %d: %s", r.Operation, e.Status, exchange.Excerpt(string(e.ResponseBody), 500))
	}
	if err := json.Unmarshal(e.ResponseBody, answer); err != nil {
		return e.Status, fmt.Errorf("%s: expected JSON: %w", r.Operation, err)
	}
	return e.Status, nil
}
