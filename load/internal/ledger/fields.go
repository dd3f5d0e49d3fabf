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
		if to, text := f.field(key.Str, value); text != "" {
			*to = text
		}
		return true
	})
}

// field is where a value belongs, and its text; none if it is irrelevant.
func (f *fields) field(key string, value gjson.Result) (to *string, text string) {
	switch key {
	case "event":
		return &f.event, value.Str
	case "type":
		return &f.typ, value.Str
	case "status":
		return &f.status, value.Str
	case "externalId":
		return &f.externalID, value.Str
	case "correlationId":
		return &f.correlationID, value.Str
	case "idempotencyKey":
		return &f.idempotencyKey, value.Str
	case "txId", "txid":
		return &f.txID, value.Str
	case "transactionId":
		return &f.transactionID, literal(value)
	case "id":
		return &f.id, literal(value)
	case "endToEndId":
		return &f.endToEndID, value.Str
	case "errorCode":
		return &f.errorCode, value.Str
	case "originalAmount":
		return &f.original, literal(value)
	case "feeAmount":
		return &f.fee, literal(value)
	case "finalAmount":
		return &f.final, literal(value)
	case "amount":
		return &f.amount, literal(value)
	case "movementType", "creditDebitType":
		return &f.movement, value.Str
	case "processingDate":
		return &f.processingDate, value.Str
	case "payment":
		return &f.paid, literal(value.Get("amount"))
	}
	return nil, ""
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
