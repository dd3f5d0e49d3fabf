package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pixcert/pixcert/load/data"
)

// Controls are the test controls of a gateway, protocol 1: what lets a run make accounts
// and have charges paid. They are not under load; what they cost is the gateway's.
type Controls struct {
	base   *url.URL
	token  string
	client *http.Client
}

// ErrNoControl: the target has no control of that name.
var ErrNoControl = errors.New("the target has no such control")

// Refusal is an answer of a control that is no success.
type Refusal struct {
	Control, Method, Path string
	Status                int // HTTP
	Answer                []byte
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("control %s: %s %s: expected success, got %d: %.200s", r.Control, r.Method, r.Path, r.Status, bytes.TrimSpace(r.Answer))
}

const (
	controlTimeout = 30 * time.Second
	madeAtOnce     = 8       // accounts that are being made at the same time
	paidAtOnce     = 64      // connections that are kept
	maxControlBody = 1 << 20 // bytes
)

// NewControls are the controls at a base URL; an empty token: they ask for none.
func NewControls(base, token string) (*Controls, error) {
	parsed, err := parseBase(base)
	if err != nil {
		return nil, fmt.Errorf("the url of the test controls: %w", err)
	}
	return &Controls{base: parsed, token: token, client: &http.Client{
		Timeout:   controlTimeout,
		Transport: &http.Transport{MaxIdleConnsPerHost: paidAtOnce, IdleConnTimeout: 30 * time.Second},
	}}, nil
}

// Close closes the connections that are idle.
func (c *Controls) Close() { c.client.CloseIdleConnections() }

// Offered are the names of the controls that the target has.
func (c *Controls) Offered(ctx context.Context) ([]string, error) {
	var discovery struct {
		Protocol int      `json:"protocol"`
		Controls []string `json:"controls"`
	}
	if err := c.Call(ctx, "discovery", http.MethodGet, "/controls", nil, &discovery); err != nil {
		return nil, err
	}
	if discovery.Protocol != 1 {
		return nil, fmt.Errorf("expected test controls of protocol 1, got %d", discovery.Protocol)
	}
	return discovery.Controls, nil
}

// MakeAccounts makes that many accounts, each with a certificate of its own.
func (c *Controls) MakeAccounts(ctx context.Context, count int) ([]Credentials, error) {
	accounts := make([]Credentials, count)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(madeAtOnce)
	for i := range accounts {
		group.Go(func() (err error) {
			accounts[i], err = c.makeAccount(ctx)
			return err
		})
	}
	return accounts, group.Wait()
}

func (c *Controls) makeAccount(ctx context.Context) (Credentials, error) {
	certificate, err := newCertificate("pixcert load")
	if err != nil {
		return Credentials{}, err
	}
	var made struct {
		AccountID    int64  `json:"accountId"`
		ClientID     string `json:"clientId"`
		ClientSecret string `json:"clientSecret"`
		PixKey       string `json:"pixKey"`
	}
	body := map[string]string{"certificate": certificate}
	if err := c.Call(ctx, "accounts", http.MethodPost, "/accounts", body, &made); err != nil {
		return Credentials{}, err
	}
	if made.AccountID == 0 || made.ClientID == "" || made.ClientSecret == "" {
		return Credentials{}, errors.New("control accounts: expected accountId, clientId and clientSecret, got a response without one of them")
	}
	return Credentials{
		ID: made.AccountID, ClientID: made.ClientID, ClientSecret: made.ClientSecret,
		Certificate: certificate, PixKey: made.PixKey,
	}, nil
}

// SetBalance sets the available balance of an account, in centavos.
func (c *Controls) SetBalance(ctx context.Context, account, available int64) error {
	return c.put(ctx, "funds", account, "balance", map[string]any{"available": data.FormatAmount(available)})
}

// LiftLimits takes every limit from an account.
func (c *Controls) LiftLimits(ctx context.Context, account int64) error {
	return c.put(ctx, "limits", account, "limits", map[string]any{
		"perTransaction": nil, "daily": nil, "night": nil, "requestsPerMinute": nil,
	})
}

// AddPayee puts a payee into the key directory, so that transfers reach it.
func (c *Controls) AddPayee(ctx context.Context, p data.Payee) error {
	return c.Call(ctx, "directory", http.MethodPut, "/directory/"+url.PathEscape(p.Key), map[string]string{
		"name": p.Name, "document": p.Document, "ispb": p.ISPB, "accountStatus": "ACTIVE",
	}, nil)
}

// Pay has somebody pay a charge of an account, by its EMV text. It returns the end-to-end
// id of the payment.
func (c *Controls) Pay(ctx context.Context, account int64, pixCode string) (endToEndID string, err error) {
	var paid struct {
		EndToEndID string `json:"endToEndId"`
	}
	path := fmt.Sprintf("/accounts/%d/payments", account)
	err = c.Call(ctx, "payments", http.MethodPost, path, map[string]string{"pixCode": pixCode}, &paid)
	if err == nil && paid.EndToEndID == "" {
		err = errors.New("control payments: expected endToEndId, got a response without it")
	}
	return paid.EndToEndID, err
}

func (c *Controls) put(ctx context.Context, control string, account int64, resource string, body map[string]any) error {
	return c.Call(ctx, control, http.MethodPut, fmt.Sprintf("/accounts/%d/%s", account, resource), body, nil)
}

// Call calls a control by its path under the base URL, with a body and into a result of
// JSON; either may be nil. Where the target lacks the control the error is ErrNoControl,
// where it refuses a *Refusal.
func (c *Controls) Call(ctx context.Context, control, method, path string, body, result any) error {
	status, answer, err := c.exchange(ctx, method, path, body)
	switch {
	case err != nil:
		return fmt.Errorf("control %s: %w", control, err)
	case status == http.StatusNotImplemented:
		return fmt.Errorf("control %s: %w: give accounts of the gateway's own, or leave out what needs it", control, ErrNoControl)
	case status < 200 || status > 299:
		return &Refusal{control, method, path, status, answer}
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("control %s: expected JSON as protocol 1 describes it, got %d bytes of something else: %w", control, len(answer), err) // they may hold a secret
	}
	return nil
}

func (c *Controls) exchange(ctx context.Context, method, path string, body any) (status int, answer []byte, err error) {
	var reader io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		reader = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.base.String(), "/")+path, reader)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxControlBody))
	return response.StatusCode, answer, err
}
