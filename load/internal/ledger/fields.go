package ledger

import "github.com/tidwall/gjson"

// fields are the values of a message, as literals, at their places. The V2 envelopes have them in
// data, flat payloads at the top level. Both may contain additional fields, in any order:
// fields at the other place are used only if they are missing.
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
