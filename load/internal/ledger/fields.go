package ledger

import "github.com/tidwall/gjson"

// fields are the values of a message by their names, as literals. The V2 envelopes have them in
// data, flat payloads at the top level. Both may contain additional fields, in any order:
// fields at the other place are used only if they are missing.
type fields map[string]string

// readFields reads a payload of either style.
func readFields(root gjson.Result) fields {
	f, data := make(fields, 32), root.Get("data")
	if root.Get("event").Str != "" {
		f.read(data)
		f.read(root)
		return f
	}
	f.read(root)
	envelope := f["type"]
	f.read(data)
	if envelope != "" { // data may have another type
		f["event"], f["type"] = "", envelope
	}
	return f
}

// read takes the fields that an object has over those already read.
func (f fields) read(object gjson.Result) {
	if !object.IsObject() {
		return
	}
	object.ForEach(func(key, value gjson.Result) bool {
		name, text := key.Str, literal(value)
		switch name {
		case "payment":
			text = literal(value.Get("amount"))
		case "refunds":
			text = value.Raw
		case "txid":
			name = "txId"
		case "creditDebitType":
			name = "movementType"
		}
		if text != "" {
			f[name] = text
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
