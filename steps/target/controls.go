package target

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

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

// Missing says that a target lacks a control: scenarios that need it could not be tested.
type Missing struct{ Control Control }

func (m *Missing) Error() string {
	return fmt.Sprintf("the target does not offer the test control %q", m.Control)
}

// ControlError says that a control that the target offers failed.
type ControlError struct {
	Control  Control
	Status   int    // 0 if there was no response
	Exit     int    // of a command; 0 over HTTP
	Message  string // from the target, or why there was no response
	Exchange int    // what the recorder returned for the exchange
}

func (e *ControlError) Error() string {
	if e.Status == 0 || e.Status/100 == 2 && e.Exit == 0 {
		return fmt.Sprintf("the test control %q failed: %s", e.Control, e.Message)
	}
	if e.Exit > 0 {
		return fmt.Sprintf("the test control %q: expected exit status 0, got %d: %s", e.Control, e.Exit, e.Message)
	}
	return fmt.Sprintf("the test control %q: expected 2xx, got %d: %s", e.Control, e.Status, e.Message)
}

// IsFinished reports whether a control refused because the operation had already finished (409).
func IsFinished(err error) bool {
	var e *ControlError
	return errors.As(err, &e) && e.Status == http.StatusConflict
}

// IsRefused reports whether a control rejected the call as invalid (400).
func IsRefused(err error) bool {
	var e *ControlError
	return errors.As(err, &e) && e.Status == http.StatusBadRequest
}

// Controls calls the test controls on behalf of one rule. Its methods fail with
// *Missing or *ControlError. Amounts are decimal strings in BRL ("100.00").
//
// Many methods: one for each operation of the controls.
type Controls struct {
	target *Target
	rule   string
	record func(exchange.Exchange) int
	last   int // the number of the last exchange
}

// Controls returns the controls for a scenario of a rule. record records each call and returns the
// number of the exchange.
func (t *Target) Controls(rule string, record func(exchange.Exchange) int) *Controls {
	return &Controls{target: t, rule: rule, record: record}
}

// Account identifies an account: a new one, or one of the profile.
type Account struct {
	AccountID    int64  `json:"accountId"` // in the controls; 0 if unknown
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Name         string `json:"name"`
	Document     string `json:"document"` // CNPJ
	ISPB         string `json:"ispb"`
	PixKey       string `json:"pixKey"` // key to receive payments: an EVP for a new account

	// Certificate and Key, in PEM, are set for accounts of the profile. Key is needed only if the
	// certificate is presented in the TLS handshake.
	Certificate []byte `json:"-"`
	Key         []byte `json:"-"`

	Shared bool `json:"-"` // others use it during the run
}

// CreateAccount creates an empty account with a registered certificate in PEM.
func (c *Controls) CreateAccount(ctx context.Context, certificate []byte) (Account, error) {
	var account Account
	err := c.call(ctx, Accounts, http.MethodPost, "/accounts", certificateBody(certificate), &account)
	if err != nil {
		return account, err
	}
	if _, again := c.target.issued.LoadOrStore(strings.ToLower(account.ClientID), true); again {
		return account, c.unusable(&ControlError{
			Control: Accounts, Status: http.StatusCreated, Exchange: c.last,
			Message: fmt.Sprintf("it returned the account with clientId %s again instead of a new one", account.ClientID),
		})
	}
	return account, nil
}

var uuid = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// require checks what the suite sends back to the gateway, which would otherwise be blamed for refusing it.
func (a *Account) require() error {
	switch {
	case a.AccountID == 0 || a.ClientID == "" || a.ClientSecret == "":
		return errors.New("expected accountId, clientId and clientSecret, got only some of them")
	case len(a.ClientSecret) > exchange.LongestSecret:
		return fmt.Errorf("expected a short clientSecret, got one of %d bytes", len(a.ClientSecret))
	case !uuid.MatchString(a.ClientID):
		return fmt.Errorf("expected clientId to be a UUID, got %s", excerpt([]byte(a.ClientID)))
	case a.PixKey != "" && !uuid.MatchString(a.PixKey):
		return fmt.Errorf("expected pixKey to be an EVP (a UUID), got %s", excerpt([]byte(a.PixKey)))
	}
	return nil
}

// RemoveAccount deletes an account.
func (c *Controls) RemoveAccount(ctx context.Context, id int64) error {
	return c.call(ctx, Accounts, http.MethodDelete, account(id, ""), nil, nil)
}

// put sets something of an account.
func (c *Controls) put(ctx context.Context, control Control, id int64, below string, body any) error {
	return c.call(ctx, control, http.MethodPut, account(id, below), body, nil)
}

func account(id int64, below string) string { return fmt.Sprintf("/accounts/%d%s", id, below) }

func certificateBody(pem []byte) any { return map[string]string{"certificate": string(pem)} }

// isIdempotent reports whether a call may be repeated. A clock may be moved twice.
func isIdempotent(control Control, method string) bool {
	return method == http.MethodGet || method == http.MethodDelete || method == http.MethodPut && control != Clock
}

// call calls a control, and repeats an idempotent call whose result is unknown.
func (c *Controls) call(ctx context.Context, control Control, method, path string, body, into any) error {
	way := c.target.ways[control]
	if way == nil {
		return &Missing{control}
	}
	r := Request{Party: exchange.Control, Operation: string(control), Rule: c.rule, Method: method, Path: path}
	if body != nil {
		var err error
		if r.Body, err = json.Marshal(body); err != nil {
			return fmt.Errorf("encoding the body for the test control %q: %w", control, err)
		}
	}
	e := withoutCredentials(way.send(ctx, r), into)
	c.last = c.record(e)
	if Undecided(e) && isIdempotent(control, method) {
		e = way.send(ctx, r)
		c.last = c.record(e)
	}
	err := judge(control, e, c.last, into)
	var failed *ControlError
	if errors.As(err, &failed) && failed.Status/100 == 2 {
		return c.unusable(failed)
	}
	return err
}

// unusable notes what is wrong with a successful response.
func (c *Controls) unusable(err *ControlError) error {
	c.target.malformed.LoadOrStore(err.Control, err.Message)
	return err
}

// withoutCredentials drops the body of a new account in which the client secret cannot be found: nothing could hide it.
func withoutCredentials(e exchange.Exchange, into any) exchange.Exchange {
	if _, isAccount := into.(*Account); !isAccount || e.Status/100 != 2 {
		return e
	}
	var account Account
	isText := utf8.Valid(e.ResponseBody)
	if err := DecodeControl(e.ResponseBody, &account); !isText || err != nil || account.ClientSecret == "" {
		e.LeftOut += len(e.ResponseBody)
		e.ResponseBody = nil
	}
	return e
}

// Malformed returns what was wrong with the first successful response of a control that was not as the protocol
// defines it; empty if there was none.
func (t *Target) Malformed(control Control) string {
	message, _ := t.malformed.Load(control)
	text, _ := message.(string)
	return text
}

// judge turns the response of a control into an error, or decodes it.
func judge(control Control, e exchange.Exchange, index int, into any) error {
	failed := &ControlError{Control: control, Status: e.Status, Exit: e.Exit, Exchange: index}
	switch {
	case e.Status == 0:
		failed.Message = e.Err
	case e.Status == http.StatusNotImplemented:
		return &Missing{control}
	case e.Status < 200 || e.Status > 299:
		failed.Message = messageOf(e)
	case e.Err != "":
		failed.Message = fmt.Sprintf("it returned %d, but %s", e.Status, e.Err)
	case e.Truncated:
		failed.Message = fmt.Sprintf("it returned %d and a body of more than %d bytes", e.Status, len(e.ResponseBody)+e.LeftOut)
	case into == nil:
		return nil
	default:
		if e.LeftOut > 0 && len(e.ResponseBody) == 0 {
			failed.Message = fmt.Sprintf("expected the JSON that the protocol defines, got %d bytes without a readable clientSecret", e.LeftOut)
			break
		}
		err := DecodeControl(e.ResponseBody, into)
		if required, ok := into.(requirer); err == nil && ok {
			err = required.require()
		}
		if err == nil {
			return nil
		}
		if _, isAccount := into.(*Account); isAccount && json.Valid(e.ResponseBody) { // the error shows the field
			failed.Message = err.Error()
			break
		}
		failed.Message = fmt.Sprintf("expected the JSON that the protocol defines, got %s: %v", excerpt(e.ResponseBody), err)
	}
	return failed
}

// requirer is a response that is useless without some of its fields.
type requirer interface{ require() error }

func required(field string, present bool) error {
	if present {
		return nil
	}
	return fmt.Errorf("%s is missing", field)
}

func messageOf(e exchange.Exchange) string {
	var answer struct {
		Message string `json:"message"`
	}
	if json.Valid(e.ResponseBody) && DecodeControl(e.ResponseBody, &answer) == nil && answer.Message != "" {
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

func excerpt(body []byte) string { return cmp.Or(exchange.Excerpt(string(body), 120), "an empty body") }
