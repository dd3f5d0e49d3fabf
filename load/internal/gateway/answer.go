package gateway

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Outcome is what a response says about a payment.
type Outcome uint8

// Outcomes.
const (
	Unknown  Outcome = iota // no complete response, 5xx, or unreadable: it may have been accepted
	Accepted                // accepted
	Refused                 // not accepted: 4xx, or never sent
)

// Answer is the gateway's response to a payment, a charge or a refund. Fields that the
// response does not contain are empty.
type Answer struct {
	Outcome       Outcome
	State         string // PENDING, CONFIRMED, ERROR; a cob's ATIVA; a refund's EM_PROCESSAMENTO
	TransactionID string // of a transfer: its number
	EndToEndID    string // of a transfer: provisional
	CorrelationID string // of a cash-in
	PixCode       string // EMV text of a charge
	TxID          string // of a cob
	RTRID         string // of a refund, rtrId

	Code    string // of a refusal: its code, or its reason phrase if the API has none
	Message string // of a refusal; the first of several
}

// readAnswer reads the response to an operation that creates something. A success without the
// id of what was created is Unknown.
func readAnswer(x *Exchange) Answer {
	switch {
	case x.Unsent:
		return Answer{Outcome: Refused, Message: x.Err.Error()}
	case x.Status == 0:
		return Answer{Message: x.Err.Error()}
	case x.OK():
		return readSuccess(x)
	}
	a := readRefusal(x)
	if x.Status >= 400 && x.Status <= 499 {
		a.Outcome = Refused
	}
	return a
}

// answers are the field names of the transaction's id, its state and the EMV payload, by
// operation. A cob and a refund have other ids.
var answers = map[Operation]struct{ transaction, state, code string }{
	CashOut:   {"transactionId", "status", ""},
	QRCashOut: {"transactionId", "status", ""},
	Transfer:  {"id", "type", ""},
	CashIn:    {"transactionId", "status", "pixCode"},
	Cob:       {"", "status", "location"},
	Refund:    {"", "status", ""},
}

// readSuccess reads the fields that the specification defines for the operation. Fields of
// other operations may mean anything, so they are ignored.
func readSuccess(x *Exchange) Answer {
	var a Answer
	if !gjson.ValidBytes(x.Body) {
		a.Message = fmt.Sprintf("expected JSON, got %.80q", x.Shown())
		return a
	}
	named := answers[x.Request.Operation]
	gjson.ParseBytes(x.Body).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case named.transaction:
			a.TransactionID = value.Str
			if value.Type == gjson.Number {
				a.TransactionID = value.Raw
			}
		case named.state:
			a.State = value.Str
		case named.code:
			a.PixCode = value.Str
		case "endToEndId":
			a.EndToEndID = value.Str
		case "correlationId":
			a.CorrelationID = value.Str
		case "txid":
			a.TxID = value.Str
		case "rtrId":
			a.RTRID = value.Str
		}
		return true
	})
	if a.TransactionID == "" && a.TxID == "" && a.RTRID == "" {
		a.Message = fmt.Sprintf("expected a response with the transaction's id, got %.80q", x.Shown())
		return a
	}
	a.Outcome = Accepted
	return a
}

// readRefusal reads either error envelope; of any other body it keeps the beginning.
func readRefusal(x *Exchange) Answer {
	var a Answer
	if !gjson.ValidBytes(x.Body) {
		a.Message = fmt.Sprintf("expected JSON, got %.80q", x.Shown())
		return a
	}
	body := gjson.ParseBytes(x.Body)
	message := body.Get("message")
	if message.IsArray() {
		message = message.Get("0")
	}
	a.Code = x.Request.hide(cmp.Or(body.Get("code").Str, body.Get("error").Str))
	a.Message = x.Request.hide(message.Str)
	return a
}

// Code is that of a refusal, or its reason phrase if the API has none; it may be empty.
func (x *Exchange) Code() string {
	if x.OK() || x.Status == 0 {
		return ""
	}
	return readRefusal(x).Code
}

// Failure is nil for a success; otherwise it describes the response without secrets.
func (x *Exchange) Failure() error {
	if x.Request.Operation == Token {
		_, _, err := ReadToken(x)
		return err
	}
	return x.failure()
}

// failure is nil for a success; otherwise it describes the response.
func (x *Exchange) failure() error {
	switch {
	case x.Unsent:
		return fmt.Errorf("%s: never sent: %w", x.Request.Operation, x.Err)
	case x.Status == 0:
		return fmt.Errorf("%s: no response: %w", x.Request.Operation, x.Err)
	case !x.OK():
		a := readRefusal(x)
		return fmt.Errorf("%s: expected success, got %s: %s", x.Request.Operation, strings.TrimSpace(fmt.Sprint(x.Status, " ", a.Code)), a.Message)
	}
	return nil
}

// amount is an amount in a response, which is a JSON number.
func amount(of gjson.Result) (centavos int64, err error) {
	if of.Type != gjson.Number {
		return 0, fmt.Errorf("expected a number, got %.40q", of.Raw)
	}
	return data.ParseAmount(of.Raw)
}
