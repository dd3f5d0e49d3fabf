package target

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Control names a test control.
type Control string

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

// AllControls are the controls of protocol 1.
var AllControls = []Control{
	Accounts, Funds, FeesControl, LimitsControl, Clock, Certificates, Directory, Settlement,
	Payments, Charges, Refunds, Returns, Splits, MED, FaultsControl,
}

// Missing says that a target lacks a control: what needs it could not be tested.
type Missing struct{ Control Control }

func (m *Missing) Error() string {
	return fmt.Sprintf("the target has no test control %q", m.Control)
}

// ControlError says that a control which the target has did not do its work.
type ControlError struct {
	Control  Control
	Status   int    // 0 when no answer came
	Exit     int    // of a command, with which it answers Status; 0 over HTTP
	Message  string // the target's own, or why no answer came
	Exchange int    // what the recorder returned for the exchange that shows it
}

func (e *ControlError) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("the test control %q gave no answer: %s", e.Control, e.Message)
	}
	if e.Exit > 0 {
		return fmt.Sprintf("the test control %q should have ended with exit status 0 but ended with %d: %s", e.Control, e.Exit, e.Message)
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

// Account is what an account is known by: a new one, or one of the profile's.
type Account struct {
	AccountID    int64  `json:"accountId"` // as the controls know it; 0 where they do not
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Name         string `json:"name"`
	Document     string `json:"document"` // CNPJ
	ISPB         string `json:"ispb"`
	PixKey       string `json:"pixKey"` // at which it receives: an EVP for a new one

	// Certificate and Key, in PEM, are those of an account of the profile. Key is needed
	// only where the certificate is shown in the TLS handshake.
	Certificate []byte `json:"-"`
	Key         []byte `json:"-"`

	Shared bool `json:"-"` // others use it during the run
}

// CreateAccount makes a new, empty account with a certificate in PEM registered.
func (c *Controls) CreateAccount(ctx context.Context, certificate []byte) (Account, error) {
	var account Account
	err := c.call(ctx, Accounts, http.MethodPost, "/accounts", certificateBody(certificate), &account)
	if err == nil && (account.AccountID == 0 || account.ClientID == "" || account.ClientSecret == "") {
		err = &ControlError{Control: Accounts, Status: http.StatusCreated, Message: "expected accountId, clientId and clientSecret, but not all of them came", Exchange: c.last}
	}
	if n := max(len(account.ClientID), len(account.ClientSecret), len(account.PixKey)); err == nil && n > exchange.LongestSecret {
		err = &ControlError{Control: Accounts, Status: http.StatusCreated, Message: fmt.Sprintf("expected a clientId, a clientSecret and a pixKey of a few bytes, got one of %d", n), Exchange: c.last}
	}
	return account, err
}

// RemoveAccount removes an account; its tokens then meet none.
func (c *Controls) RemoveAccount(ctx context.Context, id int64) error {
	return c.call(ctx, Accounts, http.MethodDelete, account(id, ""), nil, nil)
}

// put sets something of an account.
func (c *Controls) put(ctx context.Context, control Control, id int64, below string, body any) error {
	return c.call(ctx, control, http.MethodPut, account(id, below), body, nil)
}

func account(id int64, below string) string { return fmt.Sprintf("/accounts/%d%s", id, below) }

func certificateBody(pem []byte) any { return map[string]string{"certificate": string(pem)} }

// isIdempotent: it does the same once or twice. A clock may be moved twice.
func isIdempotent(control Control, method string) bool {
	return method == http.MethodGet || method == http.MethodDelete || method == http.MethodPut && control != Clock
}

// call calls one control, and one that is undecided again where that does the same.
func (c *Controls) call(ctx context.Context, control Control, method, path string, body, into any) error {
	way := c.target.ways[control]
	if way == nil {
		return &Missing{control}
	}
	r := Request{Party: exchange.Control, Operation: string(control), Rule: c.rule, Method: method, Path: path}
	if body != nil {
		var err error
		if r.Body, err = json.Marshal(body); err != nil {
			return fmt.Errorf("writing the body for the test control %q: %w", control, err)
		}
	}
	e := way.send(ctx, r)
	c.last = c.record(e)
	if Undecided(e) && isIdempotent(control, method) {
		e = way.send(ctx, r)
		c.last = c.record(e)
	}
	return judge(control, e, c.last, into)
}

// judge turns the answer of a control into an error, or into what it tells.
func judge(control Control, e exchange.Exchange, index int, into any) error {
	failed := &ControlError{Control: control, Status: e.Status, Exit: e.Exit, Exchange: index}
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
		const shown = 1 << 10
		return exchange.Line(string(exchange.Beginning([]byte(answer.Message), shown)))
	}
	line := lastLine(e.ResponseBody)
	switch {
	case len(e.Program) == 0:
		return excerpt(e.ResponseBody)
	case len(line) == 0:
		return "no message on standard error"
	default:
		return excerpt(line)
	}
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
