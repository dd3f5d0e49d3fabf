package gateway

import (
	"bytes"
	"context"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pixcert/pixcert/load/internal/certificate"
	"github.com/pixcert/pixcert/load/internal/data"
)

// Controls are the test controls of a gateway, protocol 1, with which a run creates accounts
// and has charges paid. They are not measured.
type Controls struct {
	base   string // without a trailing slash
	token  string
	client *http.Client
}

// ErrNoControl means that the target does not have the control.
var ErrNoControl = errors.New("the target has no such control")

// Refusal is a response of a control other than success.
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
	madeAtOnce     = 8       // accounts that are created at the same time
	paidAtOnce     = 64      // connections that are kept
	maxControlBody = 1 << 20 // bytes
)

// NewControls are the controls at a base URL; without a token, none is sent.
func NewControls(base, token string) (*Controls, error) {
	parsed, err := ParseURL(base)
	if err != nil {
		return nil, fmt.Errorf("the url of the test controls: %w", err)
	}
	return &Controls{base: strings.TrimRight(parsed.String(), "/"), token: token, client: &http.Client{
		Timeout:   controlTimeout,
		Transport: &http.Transport{MaxIdleConnsPerHost: paidAtOnce, IdleConnTimeout: 30 * time.Second},
	}}, nil
}

// Close closes idle connections.
func (c *Controls) Close() { c.client.CloseIdleConnections() }

// Offered returns the names of the target's controls.
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

// MakeAccounts creates n accounts, each with its own certificate.
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
		AccountID int64 `json:"accountId"`
		Credentials
	}
	body := map[string]string{"certificate": certificate}
	if err := c.Call(ctx, "accounts", http.MethodPost, "/accounts", body, &made); err != nil {
		return Credentials{}, err
	}
	if made.AccountID == 0 || made.ClientID == "" || made.ClientSecret == "" {
		return Credentials{}, errors.New("control accounts: expected accountId, clientId and clientSecret, got a response without one of them")
	}
	made.ID, made.Certificate = made.AccountID, certificate
	return made.Credentials, nil
}

// SetBalance sets the available balance of an account, in centavos.
func (c *Controls) SetBalance(ctx context.Context, account, available int64) error {
	return c.put(ctx, "funds", account, "balance", map[string]any{"available": data.FormatAmount(available)})
}

// LiftLimits removes all limits of an account.
func (c *Controls) LiftLimits(ctx context.Context, account int64) error {
	return c.put(ctx, "limits", account, "limits", map[string]any{"perTransaction": nil, "daily": nil, "night": nil, "requestsPerMinute": nil})
}

// AddPayee adds a payee to the key directory, so that transfers reach it.
func (c *Controls) AddPayee(ctx context.Context, p data.Payee) error {
	return c.Call(ctx, "directory", http.MethodPut, "/directory/"+url.PathEscape(p.Key), map[string]string{
		"name": p.Name, "document": p.Document, "ispb": p.ISPB, "accountStatus": "ACTIVE",
	}, nil)
}

// Pay has a charge of an account paid, by its EMV payload, and returns the payment's end-to-end id.
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

// Call calls a control with a JSON body and a JSON result; either may be nil. The error is ErrNoControl if the target does not
// have the control, and a *Refusal if it refuses.
func (c *Controls) Call(ctx context.Context, control, method, path string, body, result any) error {
	status, answer, err := c.exchange(ctx, method, path, body)
	switch {
	case err != nil:
		return fmt.Errorf("control %s: %w", control, err)
	case status == http.StatusNotImplemented:
		return fmt.Errorf("control %s: %w: use accounts from a file, or remove what needs this control", control, ErrNoControl)
	case status < 200 || status > 299:
		return &Refusal{control, method, path, status, answer}
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("control %s: expected JSON according to protocol 1, got %d other bytes: %w", control, len(answer), err) // they may contain a secret
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
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
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

// newCertificate generates a self-signed client certificate, as PEM. Its key is discarded:
// the API requires the certificate, but no proof of possession.
func newCertificate(name string) (string, error) {
	made, err := certificate.New(x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return "", err
	}
	return string(certificate.PEM(made)), nil
}
