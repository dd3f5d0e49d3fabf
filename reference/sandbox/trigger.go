package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Trigger is an event to cause.
type Trigger struct {
	Event, ID, Amount, Code, Reason string
}

// happening is an event that others cause, such as a payer or a bank.
type happening struct {
	name, help string
	what       string // that it happens to, as the controls call it; empty if ID is a value
	takes      string // flags or, without what, the name of a value
	calls      func(Trigger, subject) []controlCall
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
	{"paid", "a payer pays a charge (cash-in or cob)", "charge", "--amount", func(c Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/payments", body: given("pixCode", s.PixCode, "amount", c.Amount)}}
	}},
	{"settled", "the bank settles a pending cash-out or transfer", "payment", "", func(_ Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/settlements", body: s.payment("outcome", "CONFIRMED")}}
	}},
	{"rejected", "the bank rejects a pending cash-out or transfer", "payment", "--code --reason", func(c Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/settlements", body: s.payment("outcome", "ERROR",
			"errorCode", cmp.Or(c.Code, "ORDER_REJECTED"), "errorMessage", c.Reason)}}
	}},
	{"returned", "the payee returns a cash-out or transfer", "sent", "--amount", func(c Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/returns", body: given("endToEndId", s.EndToEndID, "amount", s.Amount)}}
	}},
	{"refunded", "a refund in processing succeeds", "refund", "", func(_ Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: s.refund(), body: given("status", "DEVOLVIDO")}}
	}},
	{"refund-failed", "a refund in processing fails", "refund", "--reason", func(c Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: s.refund(), body: given("status", "NAO_REALIZADO", "motivo", c.Reason)}}
	}},
	{"removed", "the receiver removes a cob", "cob", "", func(_ Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/charges/" + url.PathEscape(s.TxID) + "/end", body: given("by", "receiver")}}
	}},
	{"med", "the payer's bank opens a MED case on a received PIX", "received", "--reason", func(c Trigger, s subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/meds", body: given("endToEnd", s.EndToEndID, "reason", "REFUND_REQUEST",
			"cause", "SOCIAL_ENGINEERING", "description", c.Reason)}}
	}},
	{"med-accepted", "an open MED case is approved", "med", "--reason", func(c Trigger, s subject) []controlCall { return s.analysis(c, "APPROVED") }},
	{"med-rejected", "an open MED case is rejected", "med", "--reason", func(c Trigger, s subject) []controlCall { return s.analysis(c, "REJECTED") }},
	{"hold", "payments and refunds stay pending until triggered, or until release", "", "", modes("manual")},
	{"release", "payments and refunds finish by themselves again", "", "", modes("automatic")},
	{"reset", "the account is as at its start, with the same credentials", "", "", func(Trigger, subject) []controlCall {
		return []controlCall{{method: http.MethodPost, path: "/reset"}}
	}},
	{"funds", "the available balance becomes AMOUNT, such as 500.00", "", "AMOUNT", func(c Trigger, _ subject) []controlCall {
		return []controlCall{{method: http.MethodPut, path: "/balance", body: map[string]any{"available": c.ID}}}
	}},
	{"time", "the account's clock advances by DURATION, such as 31m, 89d or 2w", "", "DURATION", func(c Trigger, _ subject) []controlCall {
		return []controlCall{{method: http.MethodPut, path: "/clock", body: map[string]any{"advance": inSeconds(c.ID)}}}
	}},
}

// inSeconds is a valid duration in a unit that every gateway with test controls knows, rounded up.
func inSeconds(text string) string {
	d, _ := pix.ParseDuration(text) // valid has checked it
	return fmt.Sprintf("%ds", (d+time.Second-1)/time.Second)
}

// TriggerHelp lists the events and the error codes.
func TriggerHelp() string {
	var text strings.Builder
	text.WriteString(TriggerList())
	fmt.Fprint(&text, "\nCODE is one of:\n\n")
	for _, code := range pix.ErrorCodes() {
		fmt.Fprintf(&text, "  %-18s %s\n", code, code.Meaning())
	}
	return text.String()
}

// TriggerList lists the events.
func TriggerList() string {
	var text strings.Builder
	for _, h := range happenings {
		help := h.help
		if strings.HasPrefix(h.takes, "-") {
			help += " (" + strings.ReplaceAll(h.takes, " ", ", ") + ")"
		}
		fmt.Fprintf(&text, "  %-14s %s\n", h.name, help)
	}
	return text.String()
}

// Done is what a trigger has done.
type Done struct {
	What   string // it happened to; or the value, or the event's description
	Answer []byte // of the last control
}

// Run causes the event.
func (c Trigger) Run(ctx context.Context, at Controls) (Done, error) {
	i := slices.IndexFunc(happenings, func(h happening) bool { return h.name == c.Event })
	if i < 0 {
		return Done{}, fmt.Errorf("expected one of %s, got %q; run `pixcert trigger --help` for what they do", strings.Join(names(), ", "), c.Event)
	}
	h := happenings[i]
	if err := c.valid(h); err != nil {
		return Done{}, err
	}
	var s subject
	if h.what != "" {
		var err error
		if s, err = find(ctx, at, h, c.ID); err != nil {
			return Done{}, err
		}
		s.Amount = cmp.Or(c.Amount, s.Amount)
	}
	var answer []byte
	for _, call := range h.calls(c, s) {
		var err error
		answer, err = at.Call(ctx, call.method, call.path, call.body)
		refused, known := errors.AsType[*Refused](err)
		if known && call.repeatable && refused.Status == http.StatusConflict {
			continue
		}
		if known && refused.Status == http.StatusNotFound && h.what != "" {
			err = fmt.Errorf("expected %s, but account %d has none with this id; %w", subjects[h.what], at.Account(), err)
		}
		if err != nil {
			return Done{}, fmt.Errorf("%s: %w", strings.TrimSpace(c.Event+" "+c.ID), err)
		}
	}
	return Done{cmp.Or(s.String(), c.ID, h.help), answer}, nil
}

// valid rejects what the event would ignore.
func (c Trigger) valid(h happening) error {
	switch {
	case h.what == "" && h.takes == "" && c.ID != "":
		return fmt.Errorf("%s: expected no argument, got %q", h.name, c.ID)
	case h.what == "" && h.takes != "" && c.ID == "":
		return fmt.Errorf("%s: expected a value, got none; %s", h.name, h.help)
	case h.name == "time":
		if _, err := pix.ParseDuration(c.ID); err != nil {
			return fmt.Errorf("%s: %w", h.name, err)
		}
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
func (s subject) analysis(c Trigger, result string) []controlCall {
	path := fmt.Sprintf("/meds/%d", s.ID)
	return []controlCall{
		{method: http.MethodPatch, path: path, body: given("status", "RECEIVED"), repeatable: true},
		{method: http.MethodPatch, path: path, body: given("status", "ANALYZED", "analysisResult", result, "analysisDetails", c.Reason)},
	}
}

func modes(mode string) func(Trigger, subject) []controlCall {
	return func(Trigger, subject) []controlCall {
		return []controlCall{
			{method: http.MethodPut, path: "/settlement", body: given("mode", mode)},
			{method: http.MethodPut, path: "/refunds", body: given("mode", mode)},
		}
	}
}

// Controls are the test controls of one account.
type Controls interface {
	Account() int64
	// Call calls a control below the account's path. If it does not answer with 2xx, the error is *Refused.
	Call(ctx context.Context, method, path string, body map[string]any) ([]byte, error)
}

// Refused is the error of a control that did not answer with 2xx.
type Refused struct {
	Status  int
	Message string
}

func (e *Refused) Error() string {
	return fmt.Sprintf("the test controls answered %d: %s", e.Status, e.Message)
}

// find asks the reference what the id means, or what is the newest. Other gateways need the id that
// the control takes.
func find(ctx context.Context, at Controls, h happening, id string) (subject, error) {
	var s subject
	answer, err := at.Call(ctx, http.MethodGet, "/latest/"+h.what+"?id="+url.QueryEscape(id), nil)
	if err == nil {
		return s, json.Unmarshal(answer, &s)
	}
	refused, known := errors.AsType[*Refused](err)
	switch {
	case !known:
		return s, err
	case refused.Status == http.StatusConflict: // the reference says in which state it is
		return s, fmt.Errorf("%s %s: expected %s, but %s", h.name, id, subjects[h.what], refused.Message)
	case refused.Status != http.StatusNotFound:
		return s, err
	}
	if id == "" {
		advice := "pass an ID, or another account with --account"
		if h.what == "payment" || h.what == "refund" {
			advice = "run `pixcert trigger hold` first, so that it stays pending"
		}
		return s, fmt.Errorf("%s: expected %s, but account %d has none; %s", h.name, subjects[h.what], at.Account(), advice)
	}
	number, _ := strconv.ParseInt(id, 10, 64) // 0 for an id that is no number
	return subject{ID: number, TransactionID: id, EndToEndID: id, PixCode: id, TxID: id, RtrID: id}, nil
}
