package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/shell"
)

type triggerCmd struct {
	Event  string `arg:"" placeholder:"EVENT" help:"What happens; see the list above."`
	ID     string `arg:"" optional:"" placeholder:"ID" help:"To what it happens, by any of its ids (default: the newest)."`
	Amount string `placeholder:"BRL" help:"Pay or return this amount (default: all that is left)."`
	Code   string `placeholder:"CODE" help:"Reject with this errorCode, listed above (default: ORDER_REJECTED)."`
	Reason string `placeholder:"TEXT" help:"Give this reason for a rejection, a failed refund or a MED."`

	Verbose bool `short:"v" help:"Print the response of the test control too."`

	Sandbox sandboxFlags `embed:""`
}

// happening is an event that others cause, such as a payer or a bank.
type happening struct {
	name, help string
	what       string // that it happens to, as the controls call it; empty if ID is a value
	takes      string // the flags and, without what, the value
	calls      func(*triggerCmd, subject) []controlCall
}

// subject is what something happens to.
type subject struct {
	Kind          string
	ID            int64
	TransactionID string
	ExternalID    string
	EndToEndID    string
	Amount        string
	PixCode       string
	TxID          string
	RtrID         string
}

// subjects are the subjects of happenings, by what the controls call them.
var subjects = map[string]string{
	"charge":   "an unpaid charge",
	"cob":      "an active cob",
	"payment":  "a pending cash-out or transfer",
	"sent":     "a confirmed cash-out or transfer that is not returned in full",
	"received": "a received PIX",
	"refund":   "a refund in processing",
	"med":      "an open MED case",
}

// controlCall is a call of a test control, below the account's path.
type controlCall struct {
	method, path string
	body         map[string]any
	repeatable   bool // 409 means that it has been done
}

var happenings = []happening{
	{"paid", "a payer pays a charge (cash-in or cob)", "charge", "--amount", func(c *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/payments", body: given("pixCode", s.PixCode, "amount", c.Amount)}}
	}},
	{"settled", "the bank settles a pending cash-out or transfer", "payment", "", func(_ *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/settlements", body: s.payment("outcome", "CONFIRMED")}}
	}},
	{"rejected", "the bank rejects a pending cash-out or transfer", "payment", "--code --reason", func(c *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/settlements", body: s.payment("outcome", "ERROR",
			"errorCode", cmp.Or(c.Code, "ORDER_REJECTED"), "errorMessage", c.Reason)}}
	}},
	{"returned", "the payee returns a cash-out or transfer", "sent", "--amount", func(c *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/returns", body: given("endToEndId", s.EndToEndID, "amount", s.Amount)}}
	}},
	{"refunded", "a refund in processing succeeds", "refund", "", func(_ *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: s.refund(), body: given("status", "DEVOLVIDO")}}
	}},
	{"refund-failed", "a refund in processing fails", "refund", "--reason", func(c *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: s.refund(), body: given("status", "NAO_REALIZADO", "motivo", c.Reason)}}
	}},
	{"removed", "the receiver removes a cob", "cob", "", func(_ *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/charges/" + url.PathEscape(s.TxID) + "/end", body: given("by", "receiver")}}
	}},
	{"med", "the payer's bank opens a MED case on a received PIX", "received", "--reason", func(c *triggerCmd, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/meds", body: given("endToEnd", s.EndToEndID, "reason", "REFUND_REQUEST",
			"cause", "SOCIAL_ENGINEERING", "description", c.Reason)}}
	}},
	{"med-accepted", "an open MED case is approved", "med", "--reason", func(c *triggerCmd, s subject) []controlCall { return s.analysis(c, "APPROVED") }},
	{"med-rejected", "an open MED case is rejected", "med", "--reason", func(c *triggerCmd, s subject) []controlCall { return s.analysis(c, "REJECTED") }},
	{"hold", "payments and refunds stay pending until triggered, or until release", "", "", modes("manual")},
	{"release", "payments and refunds finish by themselves again", "", "", modes("automatic")},
	{"funds", "the available balance becomes ID reais, such as 500.00", "", "ID", func(c *triggerCmd, _ subject) []controlCall {
		return []controlCall{{method: http.MethodPut, path: "/balance", body: map[string]any{"available": c.ID}}}
	}},
	{"time", "the account's clock advances by ID, such as 31m or 89d", "", "ID", func(c *triggerCmd, _ subject) []controlCall {
		return []controlCall{{method: http.MethodPut, path: "/clock", body: map[string]any{"advance": c.ID}}}
	}},
}

func (*triggerCmd) Help() string {
	var text strings.Builder
	fmt.Fprint(&text, "Calls the gateway's test controls. Events:\n\n")
	for _, h := range happenings {
		help := h.help
		if strings.HasPrefix(h.takes, "-") {
			help += " (" + strings.ReplaceAll(h.takes, " ", ", ") + ")"
		}
		fmt.Fprintf(&text, "  %-14s %s\n", h.name, help)
	}
	fmt.Fprint(&text, "\nCODE is one of:\n\n")
	for _, code := range pix.ErrorCodes() {
		fmt.Fprintf(&text, "  %-18s %s\n", code, code.Meaning())
	}
	fmt.Fprint(&text, `
Examples:
  pixcert trigger paid
  pixcert trigger paid sale-1
  pixcert trigger hold
  pixcert trigger rejected --code ACCOUNT_CLOSED
  pixcert trigger time 31m`)
	return text.String()
}

func (c *triggerCmd) Run(ctx context.Context, to *console) error {
	i := slices.IndexFunc(happenings, func(h happening) bool { return h.name == c.Event })
	if i < 0 {
		return fmt.Errorf("expected one of %s, got %q; run `pixcert trigger --help` for what they do", strings.Join(names(), ", "), c.Event)
	}
	h := happenings[i]
	if err := c.valid(h); err != nil {
		return err
	}
	at, err := c.Sandbox.controls(to)
	if err != nil {
		return err
	}
	var s subject
	if h.what != "" {
		if s, err = at.find(ctx, h, c.ID); err != nil {
			return err
		}
		s.Amount = cmp.Or(c.Amount, s.Amount)
	}
	var answer []byte
	for _, call := range h.calls(c, s) {
		answer, err = at.call(ctx, call)
		var refused *refusedControl
		known := errors.As(err, &refused)
		if known && call.repeatable && refused.status == http.StatusConflict {
			continue
		}
		if known && refused.status == http.StatusNotFound && h.what != "" {
			err = fmt.Errorf("expected %s, but account %d has none with this id; %w", subjects[h.what], at.account, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(c.Event+" "+c.ID), err)
		}
	}
	fmt.Fprintf(to.out, "%s: %s\n", c.Event, cmp.Or(s.String(), c.ID, h.help))
	if c.Event == "hold" {
		fmt.Fprintf(to.out, "To end this, run: %s\n", shell.Command(append([]string{ownName(), "trigger", "release"}, c.Sandbox.words()...)...))
	}
	if c.Verbose && len(answer) > 0 {
		fmt.Fprintf(to.out, "%s\n", bytes.TrimSpace(answer))
	}
	return nil
}

// valid rejects what the event would ignore.
func (c *triggerCmd) valid(h happening) error {
	switch {
	case h.what == "" && h.takes == "" && c.ID != "":
		return fmt.Errorf("%s: expected no argument, got %q", h.name, c.ID)
	case h.takes == "ID" && c.ID == "":
		return fmt.Errorf("%s: expected a value, got none; %s", h.name, h.help)
	}
	for flag, given := range map[string]string{"--amount": c.Amount, "--code": c.Code, "--reason": c.Reason} {
		if given != "" && !slices.Contains(strings.Fields(h.takes), flag) {
			return fmt.Errorf("%s: does not take %s; run `pixcert trigger --help` for the flags of each event", h.name, flag)
		}
	}
	return nil
}

// names lists the events.
func names() []string {
	var names []string
	for _, h := range happenings {
		names = append(names, h.name)
	}
	return names
}

// given are the fields that have a value.
func given(pairs ...string) map[string]any {
	fields := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fields[pairs[i]] = pairs[i+1]
		}
	}
	return fields
}

// String describes a subject for a person; it is empty if only its id is known.
func (s subject) String() string {
	if s.Kind == "" {
		return ""
	}
	words := []string{s.Kind, cmp.Or(s.ExternalID, s.TxID, s.TransactionID)}
	if s.Kind == "med" {
		words = []string{s.Kind, strconv.FormatInt(s.ID, 10)}
	}
	words = append(words, s.EndToEndID)
	if s.Amount != "" && s.Kind != "med" {
		words = append(words, "R$ "+s.Amount)
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// payment is the body of a settlement. Transfers go by their number.
func (s subject) payment(pairs ...string) map[string]any {
	body := given(pairs...)
	if s.Kind == "transfer" || s.Kind == "" && s.ID > 0 {
		body["id"] = s.ID
	} else {
		body["transactionId"] = s.TransactionID
	}
	return body
}

func (s subject) refund() string { return "/refunds/" + url.PathEscape(s.RtrID) + "/result" }

// analysis ends a MED case, which is received before it is analyzed.
func (s subject) analysis(c *triggerCmd, result string) []controlCall {
	path := fmt.Sprintf("/meds/%d", s.ID)
	return []controlCall{
		{method: http.MethodPatch, path: path, body: given("status", "RECEIVED"), repeatable: true},
		{method: http.MethodPatch, path: path, body: given("status", "ANALYZED", "analysisResult", result, "analysisDetails", c.Reason)},
	}
}

func modes(mode string) func(*triggerCmd, subject) []controlCall {
	return func(*triggerCmd, subject) []controlCall {
		return []controlCall{
			{method: http.MethodPut, path: "/settlement", body: given("mode", mode)},
			{method: http.MethodPut, path: "/refunds", body: given("mode", mode)},
		}
	}
}

// accountControls are the test controls of one account.
type accountControls struct {
	base, token string
	account     int64
}

// find asks the reference what the id means, or what is the newest. Other gateways need the id that
// the control takes.
func (a accountControls) find(ctx context.Context, h happening, id string) (subject, error) {
	var s subject
	answer, err := a.call(ctx, controlCall{method: http.MethodGet, path: "/latest/" + h.what + "?id=" + url.QueryEscape(id)})
	if err == nil {
		return s, json.Unmarshal(answer, &s)
	}
	var refused *refusedControl
	switch {
	case !errors.As(err, &refused):
		return s, err
	case refused.status == http.StatusConflict: // the reference says in which state it is
		return s, fmt.Errorf("%s %s: expected %s, but %s", h.name, id, subjects[h.what], refused.message)
	case refused.status != http.StatusNotFound:
		return s, err
	}
	if id == "" {
		advice := "pass an ID, or another account with --account"
		if h.what == "payment" || h.what == "refund" {
			advice = "run `pixcert trigger hold` first, so that it stays pending"
		}
		return s, fmt.Errorf("%s: expected %s, but account %d has none; %s", h.name, subjects[h.what], a.account, advice)
	}
	number, _ := strconv.ParseInt(id, 10, 64) // 0 for an id that is no number
	return subject{ID: number, TransactionID: id, EndToEndID: id, PixCode: id, TxID: id, RtrID: id}, nil
}

// refusedControl is the error of a control that did not answer with 2xx.
type refusedControl struct {
	status  int
	message string
}

func (e *refusedControl) Error() string {
	return fmt.Sprintf("the test controls answered %d: %s", e.status, e.message)
}

// call calls a control and returns the body of its response.
func (a accountControls) call(ctx context.Context, c controlCall) ([]byte, error) {
	var body io.Reader
	if c.body != nil {
		text, err := json.Marshal(c.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, c.method, fmt.Sprintf("%s/accounts/%d%s", a.base, a.account, c.path), body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if a.token != "" {
		request.Header.Set("Authorization", "Bearer "+a.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w; start a gateway with `pixcert serve`, or pass --control-url", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if response.StatusCode/100 == 2 {
		return answer, nil
	}
	refused := struct{ Message string }{string(answer)}
	_ = json.Unmarshal(answer, &refused) // the text itself if it is not JSON
	return nil, &refusedControl{response.StatusCode, strings.TrimSpace(refused.Message)}
}
