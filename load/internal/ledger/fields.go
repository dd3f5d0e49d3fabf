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
func readFields(root gjson.Result) fields {
	top, data := readObject(root)
	if !data.IsObject() {
		return top
	}
	inner, _ := readObject(data)
	if top.event != "" {
		return top.or(&inner)
	}
	if top.typ != "" { // of the envelope; data may have another type
		inner.event, inner.typ = "", top.typ
	}
	return inner.or(&top)
}

// readObject reads the fields of one object. data is the value of its field data.
func readObject(object gjson.Result) (f fields, data gjson.Result) {
	object.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "event":
			f.event = value.Str
		case "type":
			f.typ = value.Str
		case "status":
			f.status = value.Str
		case "externalId":
			f.externalID = value.Str
		case "correlationId":
			f.correlationID = value.Str
		case "idempotencyKey":
			f.idempotencyKey = value.Str
		case "txId", "txid":
			f.txID = value.Str
		case "transactionId":
			f.transactionID = literal(value)
		case "id":
			f.id = literal(value)
		case "endToEndId":
			f.endToEndID = value.Str
		case "errorCode":
			f.errorCode = value.Str
		case "originalAmount":
			f.original = literal(value)
		case "feeAmount":
			f.fee = literal(value)
		case "finalAmount":
			f.final = literal(value)
		case "amount":
			f.amount = literal(value)
		case "movementType", "creditDebitType":
			f.movement = value.Str
		case "processingDate":
			f.processingDate = value.Str
		case "payment":
			f.paid = literal(value.Get("amount"))
		case "refunds":
			f.refunds = value
		case "data":
			data = value
		}
		return true
	})
	return f, data
}

// or fills in the fields of other that f does not have.
func (f fields) or(other *fields) fields {
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&f.event, other.event}, {&f.typ, other.typ}, {&f.status, other.status},
		{&f.externalID, other.externalID}, {&f.idempotencyKey, other.idempotencyKey}, {&f.txID, other.txID},
		{&f.transactionID, other.transactionID}, {&f.id, other.id}, {&f.endToEndID, other.endToEndID}, {&f.errorCode, other.errorCode},
		{&f.original, other.original}, {&f.fee, other.fee}, {&f.final, other.final}, {&f.amount, other.amount},
		{&f.paid, other.paid}, {&f.movement, other.movement}, {&f.correlationID, other.correlationID}, {&f.processingDate, other.processingDate},
	} {
		if *field.to == "" {
			*field.to = field.from
		}
	}
	if !f.refunds.Exists() {
		f.refunds = other.refunds
	}
	return f
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
