package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	codes "unicode/utf16"
)

// kept sends a response and keeps the connection.
func (a *Answer) kept(body []byte) {
	a.whole(body)
	a.Keep = true
}

// rewritten changes the JSON value of each body.
func rewritten(change func(any) any) func(*Answer) {
	return func(a *Answer) {
		if v, isJSON := decoded(a.Body); isJSON {
			a.Body, _ = json.Marshal(change(v))
		}
		a.kept(a.Body)
	}
}

func decoded(body []byte) (v any, isJSON bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return v, decoder.Decode(&v) == nil
}

// members changes every member of every object that is neither an object nor an array.
func members(change func(key string, v any) any) func(any) any {
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key, member := range v {
				switch member.(type) {
				case map[string]any, []any:
					v[key] = walk(member)
				default:
					v[key] = change(key, member)
				}
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		}
		return v
	}
	return walk
}

// spelled writes the JSON of each body with every character escaped, the members in reverse order, and
// optionally the amounts with an exponent.
func spelled(exponents bool) func(*Answer) {
	var write func(out *bytes.Buffer, key string, v any)
	write = func(out *bytes.Buffer, key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			separator := "{\r\n\t "
			for _, key := range slices.Backward(slices.Sorted(maps.Keys(v))) {
				out.WriteString(separator)
				write(out, "", key)
				out.WriteString(" : ")
				write(out, key, v[key])
				separator = ","
			}
			out.WriteString(strings.Trim(separator, ",") + "}")
		case []any:
			out.WriteString("[ ")
			for i, item := range v {
				out.WriteString(strings.Repeat(",", min(i, 1)))
				write(out, key, item)
			}
			out.WriteString("]")
		case string:
			out.WriteByte('"')
			for _, unit := range codes.Encode([]rune(v)) {
				fmt.Fprintf(out, `\u%04X`, unit)
			}
			out.WriteByte('"')
		case json.Number:
			out.WriteString(v.String())
			if exponents && amounts[key] && !strings.ContainsAny(v.String(), "eE") {
				out.WriteString("E+00")
			}
		default:
			text, _ := json.Marshal(v)
			out.Write(text)
		}
	}
	return func(a *Answer) {
		if v, isJSON := decoded(a.Body); isJSON {
			var out bytes.Buffer
			write(&out, "", v)
			a.Body = out.Bytes()
		}
		a.kept(a.Body)
	}
}

// amounts are the names of the fields that contain amounts as numbers.
var amounts = map[string]bool{"available": true, "blocked": true, "overdraft": true, "amount": true, "originalAmount": true, "feeAmount": true, "finalAmount": true}

// encoded writes a value as JSON without escapes for HTML.
func encoded(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSpace(out.Bytes())
}
