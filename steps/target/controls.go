package target

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Control names a test control.
type Control string

// The controls of protocol 1 that are called here.
const (
	Accounts      Control = "accounts"
	Funds         Control = "funds"
	FeesControl   Control = "fees"
	LimitsControl Control = "limits"
	Clock         Control = "clock"
	Certificates  Control = "certificates"
	Directory     Control = "directory"
	Settlement    Control = "settlement"
	Payments      Control = "payments"
	Charges       Control = "charges"
	Refunds       Control = "refunds"
	Returns       Control = "returns"
	Splits        Control = "splits"
	MED           Control = "med"
	FaultsControl Control = "faults"
)

// Missing says that a target lacks a control: what needs it could not be tested.
type Missing struct{ Control Control }

func (m *Missing) Error() string {
	return fmt.Sprintf("the target has no test control %q", m.Control)
}

// ControlError says that a control which the target has did not do its work.
type ControlError struct {
	Control  Control
	Status   int    // 0 when no answer came
	Message  string // the target's own, or why no answer came
	Exchange int    // what the recorder returned for the exchange that shows it
}

func (e *ControlError) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("the test control %q gave no answer: %s", e.Control, e.Message)
	}
	return fmt.Sprintf("the test control %q should have answered 2xx but answered %d: %s", e.Control, e.Status, e.Message)
}

// IsFinished says that a control refused because what it was to settle, end or
// decide is finished already (409).
func IsFinished(err error) bool {
	var e *ControlError
	return errors.As(err, &e) && e.Status == http.StatusConflict
}

// IsRefused says that a control found what was asked of it senseless (400).
func IsRefused(err error) bool {
	var e *ControlError
	return errors.As(err, &e) && e.Status == http.StatusBadRequest
}

// Controls calls the test controls on behalf of one rule. Its methods fail with
// *Missing or *ControlError. Amounts are decimal strings in BRL ("100.00").
type Controls struct {
	target *Target
	rule   string
	record func(exchange.Exchange) int
	last   int // the number of the last exchange
}

// Controls gives the controls to a scenario of a rule. Each call is an exchange
// that record is told of; it returns the number by which evidence knows it.
func (t *Target) Controls(rule string, record func(exchange.Exchange) int) *Controls {
	return &Controls{target: t, rule: rule, record: record}
}

// Account is what a new account is known by.
type Account struct {
	AccountID    int64  `json:"accountId"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Name         string `json:"name"`
	Document     string `json:"document"` // CNPJ
	ISPB         string `json:"ispb"`
	PixKey       string `json:"pixKey"` // EVP
}

// CreateAccount makes a new, empty account with a certificate in PEM registered.
func (c *Controls) CreateAccount(ctx context.Context, certificate []byte) (Account, error) {
	var account Account
	err := c.call(ctx, Accounts, http.MethodPost, "/accounts", certificateBody(certificate), &account)
	if err == nil && (account.AccountID == 0 || account.ClientID == "" || account.ClientSecret == "") {
		err = &ControlError{Control: Accounts, Status: http.StatusCreated, Message: "expected accountId, clientId and clientSecret, but not all of them came", Exchange: c.last}
	}
	return account, err
}

// RemoveAccount removes an account; its tokens then meet none.
func (c *Controls) RemoveAccount(ctx context.Context, id int64) error {
	return c.call(ctx, Accounts, http.MethodDelete, account(id, ""), nil, nil)
}

// SetBalance sets what is available; blocked stays.
func (c *Controls) SetBalance(ctx context.Context, id int64, available string) error {
	body := map[string]string{"available": available}
	return c.call(ctx, Funds, http.MethodPut, account(id, "/balance"), body, nil)
}

// Fees are the fees of later operations; an empty one stays as it is.
type Fees struct {
	CashOut string `json:"cashOut,omitempty"`
	CashIn  string `json:"cashIn,omitempty"`
}

// SetFees sets the fees of later operations.
func (c *Controls) SetFees(ctx context.Context, id int64, fees Fees) error {
	return c.call(ctx, FeesControl, http.MethodPut, account(id, "/fees"), fees, nil)
}

// Limit is an amount, or nil to lift a limit.
type Limit = *string

// Limits are the limits of an account; nil leaves one as it is.
type Limits struct {
	PerTransaction    *Limit `json:"perTransaction,omitempty"`
	Daily             *Limit `json:"daily,omitempty"`
	Night             *Limit `json:"night,omitempty"` // for one payment between 20:00 and 06:00
	RequestsPerMinute **int  `json:"requestsPerMinute,omitempty"`
}

// SetLimits sets or lifts limits.
func (c *Controls) SetLimits(ctx context.Context, id int64, limits Limits) error {
	return c.call(ctx, LimitsControl, http.MethodPut, account(id, "/limits"), limits, nil)
}

// SetClock sets the time that an account sees, which runs on from there. What
// falls due by the move has happened when it returns.
func (c *Controls) SetClock(ctx context.Context, id int64, now time.Time) error {
	body := map[string]string{"now": now.UTC().Format(time.RFC3339Nano)}
	return c.call(ctx, Clock, http.MethodPut, account(id, "/clock"), body, nil)
}

// AdvanceClock lets time pass for an account, in whole seconds (rounded up).
func (c *Controls) AdvanceClock(ctx context.Context, id int64, by time.Duration) error {
	seconds := (by + time.Second - 1) / time.Second
	body := map[string]string{"advance": fmt.Sprintf("%ds", seconds)}
	return c.call(ctx, Clock, http.MethodPut, account(id, "/clock"), body, nil)
}

// RegisterCertificate registers one more certificate, in PEM, with an account.
func (c *Controls) RegisterCertificate(ctx context.Context, id int64, certificate []byte) error {
	return c.call(ctx, Certificates, http.MethodPost, account(id, "/certificates"), certificateBody(certificate), nil)
}

// RevokeCertificate revokes an account's certificate by its SHA-256 fingerprint
// in lower-case hex.
func (c *Controls) RevokeCertificate(ctx context.Context, id int64, fingerprint string) error {
	return c.call(ctx, Certificates, http.MethodDelete, account(id, "/certificates/"+url.PathEscape(fingerprint)), nil, nil)
}

// DirectoryEntry is the holder of a key in the key directory.
type DirectoryEntry struct {
	Name          string `json:"name"`
	Document      string `json:"document"`
	ISPB          string `json:"ispb"`
	AccountStatus string `json:"accountStatus"` // ACTIVE, BLOCKED, CLOSED
}

// PutKey puts a key, spelled canonically, into the key directory. All accounts
// share it: use fresh keys.
func (c *Controls) PutKey(ctx context.Context, key string, entry DirectoryEntry) error {
	return c.call(ctx, Directory, http.MethodPut, "/directory/"+url.PathEscape(key), entry, nil)
}

// SetSettlement makes settlement "manual" or "automatic", which also settles what
// is pending.
func (c *Controls) SetSettlement(ctx context.Context, id int64, mode string) error {
	body := map[string]string{"mode": mode}
	return c.call(ctx, Settlement, http.MethodPut, account(id, "/settlement"), body, nil)
}

// Result is how the bank settles a payment.
type Result struct {
	Outcome      string `json:"outcome"` // CONFIRMED, ERROR
	ErrorCode    string `json:"errorCode,omitempty"`
	ErrorMessage string `json:"errorMessage,omitempty"`
}

// Settle settles a pending payment, which is known by its transactionId, or as a
// transfer by its id. IsFinished tells the error of one that was settled before.
func (c *Controls) Settle(ctx context.Context, id int64, payment Payment, result Result) error {
	body := struct {
		Payment
		Result
	}{payment, result}
	return c.call(ctx, Settlement, http.MethodPost, account(id, "/settlements"), body, nil)
}

// Payment names a payment: one of the two.
type Payment struct {
	TransactionID string      `json:"transactionId,omitempty"`
	ID            json.Number `json:"id,omitempty"` // of a transfer
}

// Faults are disturbances of what lies behind a gateway; a zero one stays as it is.
type Faults struct {
	Auth              string `json:"auth,omitempty"`              // none, error, unavailable
	PixProvider       string `json:"pixProvider,omitempty"`       // none, unavailable
	MinimumExpiration int    `json:"minimumExpiration,omitempty"` // seconds
}

// SetFaults causes or ends faults.
func (c *Controls) SetFaults(ctx context.Context, id int64, faults Faults) error {
	return c.call(ctx, FaultsControl, http.MethodPut, account(id, "/faults"), faults, nil)
}

func account(id int64, below string) string { return fmt.Sprintf("/accounts/%d%s", id, below) }

func certificateBody(pem []byte) any { return map[string]string{"certificate": string(pem)} }

// isIdempotent: it does the same once or twice. A clock may be moved twice.
func isIdempotent(control Control, method string) bool {
	return method == http.MethodGet || method == http.MethodDelete || method == http.MethodPut && control != Clock
}

// call sends one request to the controls, and one that is undecided again where that
// does the same.
func (c *Controls) call(ctx context.Context, control Control, method, path string, body, into any) error {
	if !c.target.Has[control] {
		return &Missing{control}
	}
	request, err := c.target.controlRequest(string(control), c.rule, method, path, body)
	if err != nil {
		return err
	}
	e := c.target.Client.Send(ctx, request)
	c.last = c.record(e)
	if Undecided(e) && isIdempotent(control, method) {
		e = c.target.Client.Send(ctx, request)
		c.last = c.record(e)
	}
	return judge(control, e, c.last, into)
}

// controlRequest is a request to the controls with a JSON body, nil for none.
func (t *Target) controlRequest(operation, rule, method, path string, body any) (Request, error) {
	r := Request{Party: exchange.Control, Operation: operation, Rule: rule, Method: method, Path: path, Header: http.Header{}}
	if token := t.Profile.Control.Token; token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body == nil {
		return r, nil
	}
	r.Header.Set("Content-Type", "application/json")
	var err error
	if r.Body, err = json.Marshal(body); err != nil {
		return r, fmt.Errorf("writing the body for the test control %q: %w", operation, err)
	}
	return r, nil
}

// judge turns the answer of a control into an error, or into what it tells.
func judge(control Control, e exchange.Exchange, index int, into any) error {
	failed := &ControlError{Control: control, Status: e.Status, Exchange: index}
	switch {
	case e.Status == 0:
		failed.Message = e.Err
	case e.Status == http.StatusNotImplemented:
		return &Missing{control}
	case e.Status < 200 || e.Status > 299:
		failed.Message = messageOf(e)
	case into == nil:
		return nil
	default:
		err := json.NewDecoder(bytes.NewReader(e.ResponseBody)).Decode(into)
		if err == nil {
			return nil
		}
		failed.Message = "expected the JSON that the protocol names, came something else: " + err.Error()
	}
	return failed
}

// messageOf is what an answer says of itself: its message, or the start of it.
func messageOf(e exchange.Exchange) string {
	var answer struct{ Message string }
	if json.Unmarshal(e.ResponseBody, &answer) == nil && answer.Message != "" {
		return exchange.Line(answer.Message)
	}
	return excerpt(e.ResponseBody)
}

// excerpt is the start of a body on one line.
func excerpt(body []byte) string {
	const shown = 120
	if len(body) == 0 {
		return "an empty body"
	}
	if len(body) > shown {
		return exchange.Line(strings.ToValidUTF8(string(body[:shown]), "")) + "…"
	}
	return exchange.Line(string(body))
}

// ControlNames are the names of all controls that the target has, sorted.
func (t *Target) ControlNames() []string {
	var names []string
	for control := range t.Has {
		names = append(names, string(control))
	}
	slices.Sort(names)
	return names
}
