package ledger

import "github.com/tidwall/gjson"

// fields are the relevant values of a message, as literals. The V2 envelopes have them in
// data, flat payloads at the top level. Both may contain additional fields, in any order:
// fields at the other place are used only if they are missing.
type fields struct {
	event, typ, status                       string
	externalID, idempotencyKey, txID         string
	correlationID                            string
	transactionID, id, endToEndID, errorCode string
	original, fee, final, amount, movement   string
	paid                                     string // payment.amount
	processingDate                           string
	refunds                                  gjson.Result
}

// readFields reads a payload of either style.
func readFields(root gjson.Result) (f fields) {
	data := root.Get("data")
	if root.Get("event").Str != "" {
		f.read(data)
		f.read(root)
		return f
	}
	f.read(root)
	envelope := f.typ
	f.read(data)
	if envelope != "" { // data may have another type
		f.event, f.typ = "", envelope
	}
	return f
}

// read takes the fields that an object has over those already read.
func (f *fields) read(object gjson.Result) {
	if !object.IsObject() {
		return
	}
	object.ForEach(func(key, value gjson.Result) bool {
		if key.Str == "refunds" {
			f.refunds = value
		}
		of := value
		if key.Str == "payment" {
			of = value.Get("amount")
		}
		if place, relevant := places[key.Str]; relevant && literal(of) != "" {
			*place(f) = literal(of)
		}
		return true
	})
}

// places of the fields of messages.
var places = map[string]func(*fields) *string{
	"event":           func(f *fields) *string { return &f.event },
	"type":            func(f *fields) *string { return &f.typ },
	"status":          func(f *fields) *string { return &f.status },
	"externalId":      func(f *fields) *string { return &f.externalID },
	"correlationId":   func(f *fields) *string { return &f.correlationID },
	"idempotencyKey":  func(f *fields) *string { return &f.idempotencyKey },
	"txId":            func(f *fields) *string { return &f.txID },
	"txid":            func(f *fields) *string { return &f.txID },
	"transactionId":   func(f *fields) *string { return &f.transactionID },
	"id":              func(f *fields) *string { return &f.id },
	"endToEndId":      func(f *fields) *string { return &f.endToEndID },
	"errorCode":       func(f *fields) *string { return &f.errorCode },
	"originalAmount":  func(f *fields) *string { return &f.original },
	"feeAmount":       func(f *fields) *string { return &f.fee },
	"finalAmount":     func(f *fields) *string { return &f.final },
	"amount":          func(f *fields) *string { return &f.amount },
	"movementType":    func(f *fields) *string { return &f.movement },
	"creditDebitType": func(f *fields) *string { return &f.movement },
	"processingDate":  func(f *fields) *string { return &f.processingDate },
	"payment":         func(f *fields) *string { return &f.paid },
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

// statusInside is the first status in the objects of an unspecified payload, down to the given
// number of levels.
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
