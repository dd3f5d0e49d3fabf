package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
)

// Event is a payment's outcome according to a webhook.
type Event struct {
	ID             data.ID
	Name           string // event or type: CashOut, TRANSFER
	Fate           Fate   // Confirmed or Failed
	TransactionID  string // transactionId, or data.id in digits
	EndToEndID     string
	Amount         int64 // centavos; -1: not contained
	Fee            int64 // centavos; -1: not contained
	ProcessingDate time.Time
	ErrorCode      string
	WebhookID      string
	At             time.Time // of its delivery; zero if the event itself is not kept
	Body           string
}

// message is a parsed webhook body, before its payment is known.
type message struct {
	Event
	names   []string // ids that its payment may have, the likeliest first
	origin  []string // ids that the refunded payment may have
	about   about
	problem string  // why it is malformed by itself; empty if it is not
	broken  bool    // not a JSON object
	inside  data.ID // the first id of the run in a broken body
	open    bool    // a payload that the specification does not show
	others  bool    // not of this run, unless it has the id of one of its refunds
	back    int64   // maximum of centavos that a payee returned; 0: none

	transaction uint32 // mark of TransactionID
	account     int    // whose URL received it,
	urlType     string // and the event type that it is registered for

	ordered   bool   // overtaken is known
	overtaken string // what arrived earlier although it was processed later; empty: nothing
}

// about says what a message can be about other than its payment's outcome.
type about uint8

const (
	aboutPayment about = iota
	aboutRefund        // also contains ids of the original
	aboutOther
)

// statuses maps all statuses of the API to outcomes: InFlight if the payment has not ended.
var statuses = map[string]Fate{
	"CONFIRMED": Confirmed, "LIQUIDATED": Confirmed, "COMPLETED": Confirmed, "CONCLUIDA": Confirmed,
	"REFUNDED": Confirmed, "DEVOLVIDO": Confirmed, "CONFIRMADO": Confirmed,
	"ERROR": Failed, "FAILED": Failed, "REJECTED": Failed, "CANCELLED": Failed, "CANCELED": Failed,
	"EXPIRED": Failed, "NAO_REALIZADO": Failed,
	"PENDING": InFlight, "PROCESSING": InFlight, "EM_PROCESSAMENTO": InFlight, "PENDENTE": InFlight,
}

// read parses a body. It does not set the message's ID.
func read(body string) message {
	if !gjson.Valid(body) {
		return message{Event: Event{Amount: -1, Fee: -1, Body: body}, problem: "expected JSON", broken: true}
	}
	root := gjson.Parse(body)
	if !root.IsObject() {
		return message{Event: Event{Amount: -1, Fee: -1, Body: body}, problem: "expected a JSON object, got " + root.Type.String(), broken: true}
	}
	f := readFields(root)
	m := message{Event: Event{
		Name:          cmp.Or(f.get("event"), f.get("type")),
		TransactionID: f.get("transactionId"),
		EndToEndID:    f.get("endToEndId"),
		ErrorCode:     f.get("errorCode"),
		Amount:        -1,
		Fee:           -1,
		Body:          body,
	}}
	m.take(root, &f)
	m.transaction = mark(m.TransactionID)
	return m
}

// take fills the message according to the kind of payload.
func (m *message) take(root gjson.Result, f *fields) {
	status := f.get("status")
	switch m.Name {
	case "CashOut":
		m.require("transactionId", f.get("transactionId"), "externalId", f.get("externalId"), "originalAmount", f.get("originalAmount"),
			"feeAmount", f.get("feeAmount"), "finalAmount", f.get("finalAmount"), "processingDate", f.get("processingDate"))
		m.amounts(f.get("originalAmount"), f.get("feeAmount"))
		if endOf(status) != Failed { // the fee of a failed payment is not specified
			m.final(f.get("finalAmount"))
		}
	case "TRANSFER", "RECEIVE":
		own := "txId"
		if m.Name == "TRANSFER" {
			own = "idempotencyKey"
		}
		m.TransactionID = f.get("id")
		m.require("data."+own, f.get(own), "data.payment.amount", f.get("payment"))
		m.amounts(f.get("payment"), "")
	case "REFUND":
		m.refund(f)
		return
	case "CashInReversal":
		m.about = aboutRefund
		m.amounts(f.get("originalAmount"), f.get("feeAmount"))
	case "CashOutReversal":
		m.about = aboutOther
		m.returned(status, f.get("originalAmount"), f.get("finalAmount"), f.get("amount"))
	default: // a paid charge, whose payload is not specified; a MED case; anything else
		m.open = true
		if strings.HasPrefix(strings.ToLower(m.Name), "med") {
			m.about = aboutOther
		}
		status = cmp.Or(status, statusInside(root, 3))
		m.amounts(f.get("originalAmount"), f.get("feeAmount")) // other amounts may be before or after the fee
	}
	m.names = nonEmpty(f.get("externalId"), f.get("idempotencyKey"), f.get("txId"), f.get("transactionId"), f.get("endToEndId"), f.get("correlationId"))
	m.ended(status)
	m.processed(f.get("processingDate"))
}

// refund reads the envelope REFUND, whose ids and amount are those of the original. If it lists several refunds, the latest
// is new; if none, the status may report one in progress. A CREDIT is money returned to the account or, because the
// specification does not say whose side it means, the account's own refund.
func (m *message) refund(f *fields) {
	m.about, m.EndToEndID = aboutRefund, ""
	m.origin = nonEmpty(f.get("externalId"), f.get("txId"))
	credit := f.get("movementType") == "CREDIT"
	m.others = credit
	if f.get("refunds") == "" && endOf(f.get("status")) == InFlight {
		m.about = aboutOther
		return
	}
	var last gjson.Result
	gjson.Parse(f.get("refunds")).ForEach(func(_, refund gjson.Result) bool {
		if refund.Get("eventDate").Str >= last.Get("eventDate").Str {
			last = refund
		}
		return true
	})
	m.EndToEndID = last.Get("endToEndId").Str
	amount := literal(last.Get("payment.amount"))
	m.require("data.refunds.endToEndId", m.EndToEndID, "data.refunds.payment.amount", amount)
	m.amounts(amount, "")
	if credit {
		m.returned(last.Get("status").Str, amount)
	}
	m.ended(last.Get("status").Str)
	m.processed(last.Get("eventDate").Str)
	m.names = nonEmpty(m.EndToEndID, last.Get("id").Str)
}

// returned reads the amount that a payee returned. The specification does not say which amount
// of a CashOutReversal that is, so the highest is the maximum.
func (m *message) returned(status string, amounts ...string) {
	if end := endOf(status); end == Failed || end == InFlight {
		return
	}
	for _, literal := range amounts {
		if centavos, err := data.ParseAmount(literal); err == nil {
			m.back = max(m.back, centavos)
		}
	}
}

// nonEmpty are the names that a message has.
func nonEmpty(names ...string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// malformed keeps the first problem.
func (m *message) malformed(format string, args ...any) {
	if m.problem == "" {
		m.problem = fmt.Sprintf(format, args...)
	}
}

// require takes alternating names and values.
func (m *message) require(fields ...string) {
	for field := range slices.Chunk(fields, 2) {
		if field[1] == "" {
			m.malformed("expected the field %s, got none", field[0])
		}
	}
}

func (m *message) amounts(amount, fee string) {
	m.amount(amount, &m.Amount)
	m.amount(fee, &m.Fee)
}

func (m *message) amount(literal string, into *int64) {
	if literal == "" {
		return
	}
	centavos, err := data.ParseAmount(literal)
	if err != nil {
		m.malformed("%s", err)
		return
	}
	*into = centavos
}

// final must be the amount plus the fee of an outgoing payment.
func (m *message) final(literal string) {
	expected := m.Amount + m.Fee
	final := expected
	if m.amount(literal, &final); final != expected {
		m.malformed("expected a finalAmount of %d centavos, got %d", expected, final)
	}
}

// ended reads the status. The specification lists the statuses of a CashOut; for other
// payloads it has only examples, so an unknown status is not an outcome.
func (m *message) ended(status string) {
	if m.about == aboutOther {
		return
	}
	switch fate := endOf(status); {
	case fate == Confirmed || fate == Failed:
		m.Fate = fate
	case fate == InFlight:
		m.about = aboutOther
	case m.open && status == "" && len(m.names) > 0: // charges are reported when they are paid
		m.Fate = Confirmed
	case m.Name == "CashOut" || status == "" && !m.open:
		m.malformed("expected a status such as CONFIRMED or ERROR, got %q", status)
	default:
		m.about = aboutOther
	}
}

// endOf is Confirmed, Failed, InFlight if the payment has not ended, or NotCreated for an unknown status.
func endOf(status string) Fate {
	if fate, known := statuses[strings.ToUpper(status)]; known {
		return fate
	}
	return NotCreated
}

func (m *message) processed(date string) {
	if date == "" {
		return
	}
	at, err := data.ParseTime(date)
	if err != nil {
		m.malformed("processingDate: %s", err)
		return
	}
	m.ProcessingDate = at
}

// reports are the kinds of payments whose outcome an event reports, the likeliest first. Gateways
// may use other names for events whose payload is not specified: see [Event.fits].
var reports = map[string][]Kind{
	"CashOut": {CashOut, QRCashOut}, "TRANSFER": {Transfer}, "CashIn": {CashIn, Cob},
	"RECEIVE": {Cob, CashIn}, "REFUND": {Refund}, "CashInReversal": {Refund},
}

// kind of the payment whose outcome such an event reports.
func (e *Event) kind() Kind {
	if kinds, specified := reports[e.Name]; specified {
		return kinds[0]
	}
	return CashIn
}

// fits is why an event cannot be about a payment of the given kind; empty if it can.
func (e *Event) fits(kind Kind) string {
	possible, specified := reports[e.Name]
	if !specified {
		possible = []Kind{CashIn, Cob, Refund}
	}
	if kind == unknownKind || slices.Contains(possible, kind) {
		return ""
	}
	want := [kinds]string{
		CashOut: "CashOut", QRCashOut: "CashOut", Transfer: "TRANSFER",
		CashIn: "CashIn or RECEIVE", Cob: "CashIn or RECEIVE", Refund: "REFUND or CashInReversal",
	}
	return fmt.Sprintf("expected the event %s, got %q", want[kind], e.Name)
}

// fields are the values of a message at their places, as literals. V2 envelopes have them in data, flat payloads at the top
// level. Both may contain others, in any order: fields at the other place are used only if they are missing.
type fields [20]string

// places of the fields by their names. The first place is that of all others, which nobody reads.
var places = map[string]int{
	"event": 1, "type": 2, "status": 3, "externalId": 4, "idempotencyKey": 5, "txId": 6, "txid": 6, "correlationId": 7,
	"transactionId": 8, "id": 9, "endToEndId": 10, "errorCode": 11, "originalAmount": 12, "feeAmount": 13, "finalAmount": 14,
	"amount": 15, "payment": 16, "movementType": 17, "creditDebitType": 17, "processingDate": 18, "refunds": 19,
}

func (f *fields) get(name string) string { return f[places[name]] }

// readFields reads a payload of either style.
func readFields(root gjson.Result) (f fields) {
	data := root.Get("data")
	if root.Get("event").Str != "" {
		f.read(data)
		f.read(root)
		return f
	}
	f.read(root)
	envelope := f.get("type")
	f.read(data)
	if envelope != "" { // data may have another type
		f[places["event"]], f[places["type"]] = "", envelope
	}
	return f
}

// read takes the fields that an object has over those already read.
func (f *fields) read(object gjson.Result) {
	if !object.IsObject() {
		return
	}
	object.ForEach(func(key, value gjson.Result) bool {
		text := literal(value)
		switch key.Str {
		case "payment":
			text = literal(value.Get("amount"))
		case "refunds":
			text = value.Raw
		}
		if text != "" {
			f[places[key.Str]] = text
		}
		return true
	})
}

// literal is a number as written, or the text of a string.
func literal(value gjson.Result) string {
	switch value.Type {
	case gjson.Number:
		return value.Raw
	case gjson.String:
		return value.Str
	}
	return ""
}

// statusInside is the first status in the objects of an unspecified payload, down to a number of levels.
func statusInside(object gjson.Result, levels int) (status string) {
	object.ForEach(func(_, value gjson.Result) bool {
		if value.IsObject() {
			if status = value.Get("status").Str; status == "" && levels > 1 {
				status = statusInside(value, levels-1)
			}
		}
		return status == ""
	})
	return status
}
