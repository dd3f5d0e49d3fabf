package exchange

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What is kept, in bytes, of what a target sends: it can answer a mebibyte to each request of a
// run, and a header of a quarter of one.
const (
	keptBody   = 16 << 10
	keptHeader = 16 << 10
	keptJunk   = 4 << 10 // of a webhook that cannot be read: whoever knows its URL can send any number
)

// Bounds of the values of a body that is read, each of which takes some twenty times the two bytes
// that it may have been sent in. A list of a thousand transactions has about 30000.
const (
	mostValues        = 100_000
	mostValuesOfEvent = 5000
)

// Arrived is e as it is kept from its arrival on: of a long body that the target sent, and that
// nobody can read, the beginning (LeftOut says how much is missing), and of a long header the
// shortest lines, with one that says how many were left out. All who judge it see the same,
// whether now or from a record.
func (e Exchange) Arrived() Exchange {
	header, body, most, values := &e.ResponseHeader, &e.ResponseBody, keptBody, mostValues
	if e.Party == Webhook {
		header, body, most, values = &e.Header, &e.Body, keptJunk, mostValuesOfEvent
	}
	*header = beginningOf(*header)
	if len(*body) > most && (e.Truncated || !isReadable(*body, values)) {
		e.LeftOut = len(*body) - most
		*body = slices.Clone((*body)[:most]) // else the whole would stay in memory
	}
	return e
}

// isReadable reports whether a body is JSON that can be read. Most of what cannot be shows so
// in a first look, which takes no memory.
func isReadable(body []byte, mostValues int) bool {
	const longestNumber, deepest = 64, 64 // beyond which nobody reads: see contract.Decode
	values, depth, digits := 0, 0, 0
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			for i++; i < len(body) && body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
		case c == '[' || c == '{':
			values++
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',':
			values++
		case isDigit(c):
			if digits++; digits > longestNumber {
				return false
			}
			continue
		}
		if digits = 0; depth > deepest || values > mostValues {
			return false
		}
	}
	return json.Valid(body) && utf8.Valid(body)
}

// Kept is e as evidence keeps it: of any long body that the target sent the beginning. What the
// suite sent stays whole, so that it can be sent again.
func (e Exchange) Kept() Exchange {
	theirs := &e.ResponseBody
	if e.Party == Webhook {
		theirs = &e.Body
	}
	if len(*theirs) > keptBody {
		e.LeftOut += len(*theirs) - keptBody
		*theirs = slices.Clone((*theirs)[:keptBody])
	}
	return e
}

// LeftOutOf is how many bytes of the request's body and of the response's body were not
// kept.
func (e Exchange) LeftOutOf() (request, response int) {
	if e.Party == Webhook {
		return e.LeftOut, e.LeftOutOwn
	}
	return e.LeftOutOwn, e.LeftOut
}

// Beginning is at most n bytes of body, without half a character at their end.
func Beginning(body []byte, n int) []byte {
	if len(body) <= n {
		return body
	}
	end := n
	for end > n-utf8.UTFMax && !utf8.RuneStart(body[end]) {
		end--
	}
	return body[:end]
}

// Size is about how many bytes e takes in memory, and in a file of a report.
func (e Exchange) Size() int {
	const rest = 512
	return rest + len(e.URL) + written(e.Body) + written(e.ResponseBody) + len(e.Err) + sizeOf(e.Header) + sizeOf(e.ResponseHeader)
}

// written is the size of a body in JSON or HTML, where some characters are spelled with six.
func written(body []byte) int {
	size := len(body)
	for _, c := range body {
		if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			size += 5
		}
	}
	return size
}

// sizeOf counts some bytes for each line beside its text.
func sizeOf(h http.Header) int {
	const line = 64
	size := 0
	for name, values := range h {
		for _, value := range values {
			size += line + len(name) + len(value)
		}
	}
	return size
}

// beginningOf keeps as many lines of a header, the shortest first, as fit.
func beginningOf(h http.Header) http.Header {
	if sizeOf(h) <= keptHeader {
		return h
	}
	type line struct {
		name, value string
		size        int
	}
	var lines []line
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			lines = append(lines, line{name, value, sizeOf(http.Header{name: {value}})})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.size, b.size) })
	kept, room := http.Header{}, keptHeader
	for i, l := range lines {
		if room -= l.size; room < 0 {
			kept["(lines left out)"] = []string{strconv.Itoa(len(lines) - i)}
			break
		}
		kept[strings.Clone(l.name)] = append(kept[l.name], strings.Clone(l.value))
	}
	return kept
}
