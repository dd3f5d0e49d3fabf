package gateway

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
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
// response does not contain are empty. Scripts see those that have names.
type Answer struct {
	State         string `js:"state" json:"state,omitempty"`                 // PENDING, CONFIRMED, ERROR; a cob's ATIVA; a refund's EM_PROCESSAMENTO
	TransactionID string `js:"transactionId" json:"transactionId,omitempty"` // of a transfer: its number
	EndToEndID    string `js:"endToEndId" json:"endToEndId,omitempty"`       // of a transfer: provisional
	PixCode       string `js:"pixCode" json:"pixCode,omitempty"`             // EMV text of a charge

	Outcome       Outcome `js:"-" json:"-"`
	CorrelationID string  `js:"-" json:"-"` // of a cash-in
	RTRID         string  `js:"-" json:"-"` // of a refund, rtrId
	Code          string  `js:"-" json:"-"` // of a refusal: its code, or its reason phrase if the API has none
	Message       string  `js:"-" json:"-"` // of a refusal; the first of several
}

// readAnswer reads the response to Create. A success other than the documented one is Unknown.
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

// success is the documented success of an operation that creates something.
type success struct {
	status                          int    // 0: the specification names none
	transaction, state, code, given string // fields of the transaction's id, its state, the EMV payload and the client's own id
	states                          []string
	fields                          []string // all that the response must have
}

var (
	transactionStates = []string{"PENDING", "CONFIRMED", "ERROR"}
	transferStates    = []string{"PENDING", "COMPLETED", "ERROR"}
	chargeStates      = []string{"ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"}
	refundStates      = []string{"EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO"}
)

var transactionFields = []string{"transactionId", "externalId", "status", "generateTime"}

var successes = map[string]*success{ // by operation
	CashOut.Name:   {201, "transactionId", "status", "", "externalId", transactionStates, transactionFields},
	QRCashOut.Name: {201, "transactionId", "status", "", "externalId", transactionStates, transactionFields},
	Transfer.Name:  {0, "id", "type", "", "", transferStates, []string{"id", "type", "endToEndId"}},
	CashIn.Name:    {201, "transactionId", "status", "pixCode", "externalId", transactionStates, append([]string{"pixCode"}, transactionFields...)},
	Cob.Name:       {0, "", "status", "location", "txid", chargeStates, []string{"txid", "status", "location"}},
	Refund.Name:    {0, "", "status", "", "id", refundStates, []string{"id", "rtrId", "status"}},
}

// readSuccess reads the fields that the specification defines for the operation. Fields of
// other operations may mean anything, so they are ignored.
func readSuccess(x *Exchange) Answer {
	a, err := successes[x.Request.Operation.Name].read(x)
	if err != nil {
		err = fmt.Errorf("%w: %.120q", err, x.Shown())
		a.Message = err.Error()
		_ = x.invalid(fmt.Errorf("%s: %w", x.Request.Operation, err))
		return a
	}
	a.Outcome = Accepted
	return a
}

func (s *success) read(x *Exchange) (a Answer, err error) {
	if !gjson.ValidBytes(x.Body) {
		return a, fmt.Errorf("%d without JSON", x.Status)
	}
	var given string
	missing := make([]string, 0, 8)
	missing = append(missing, s.fields...)
	gjson.ParseBytes(x.Body).ForEach(func(key, value gjson.Result) bool {
		text := value.Str
		if value.Type == gjson.Number {
			text = value.Raw
		}
		if i := slices.Index(missing, key.Str); i >= 0 && text != "" {
			missing = slices.Delete(missing, i, i+1)
		}
		switch key.Str {
		case s.transaction:
			a.TransactionID = text
		case s.state:
			a.State = text
		case s.code:
			a.PixCode = text
		case "endToEndId":
			a.EndToEndID = text
		case "correlationId":
			a.CorrelationID = text
		case "rtrId":
			a.RTRID = text
		}
		if key.Str == s.given {
			given = text
		}
		return true
	})
	switch {
	case len(missing) > 0:
		return a, fmt.Errorf("%d without %s", x.Status, strings.Join(missing, ", "))
	case s.status != 0 && x.Status != s.status:
		return a, fmt.Errorf("expected %d, got %d", s.status, x.Status)
	case !slices.Contains(s.states, a.State):
		return a, fmt.Errorf("%d with the %s %q", x.Status, s.state, a.State)
	case s.given != "" && given != x.Request.id:
		return a, fmt.Errorf("%d with the %s %q, which is not that of the request", x.Status, s.given, given)
	}
	return a, nil
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
	return cmp.Or(x.failure(), x.Invalid)
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

// Body is the body of an operation that creates something: a payment, a charge or a refund.
type Body interface {
	JSON() []byte
}

// Create carries out an operation that creates something. Parameters that are not in the body
// come from it all the same. The response to a repeated idempotency key is the existing transfer.
func (a *Account) Create(ctx context.Context, s Sender, o Operation, body Body) (Answer, *Exchange) {
	r := &Request{Operation: o, Path: o.Template, Body: body.JSON()}
	switch b := body.(type) {
	case *data.CashOut:
		r.id = b.ExternalID
	case *data.QRCashOut:
		r.id = b.ExternalID
	case *data.CashIn:
		r.id = b.ExternalID
	case *data.Transfer:
		r.Header = []string{"x-idempotency-key", b.IdempotencyKey}
	case *data.Cob:
		r.id = b.TxID
		r.Path = "/cob/" + url.PathEscape(b.TxID)
	case *data.Refund:
		r.id = b.ID
		r.Path = "/pix/" + url.PathEscape(b.EndToEndID) + "/devolucao/" + url.PathEscape(b.ID)
	}
	x := a.Do(ctx, s, r)
	return readAnswer(x), x
}
