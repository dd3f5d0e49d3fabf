package exchange

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What evidence keeps, in bytes, of what a target sends: it can answer a mebibyte to each
// request of a run, and a header of a quarter of one.
const (
	keptBody   = 16 << 10
	keptHeader = 16 << 10
)

// Kept is e as evidence keeps it: of a long body that the target sent the beginning (LeftOut
// says how much is missing), and of its header the first lines, with a line that says how
// many were left out. What the suite sent stays whole, so that it can be sent again.
func (e Exchange) Kept() Exchange {
	theirs, header := &e.ResponseBody, &e.ResponseHeader
	if e.Party == Webhook {
		theirs, header = &e.Body, &e.Header
	}
	if len(*theirs) > keptBody {
		e.LeftOut = len(*theirs) - keptBody
		*theirs = slices.Clone((*theirs)[:keptBody]) // else the whole would stay in memory
	}
	*header = beginningOf(*header)
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

// Size is about how many bytes e takes in memory.
func (e Exchange) Size() int {
	const rest = 512
	return rest + len(e.URL) + len(e.Body) + len(e.ResponseBody) + len(e.Err) + sizeOf(e.Header) + sizeOf(e.ResponseHeader)
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

// beginningOf keeps as many lines of a header, by name, as fit.
func beginningOf(h http.Header) http.Header {
	if sizeOf(h) <= keptHeader {
		return h
	}
	kept, room, lines := http.Header{}, keptHeader, 0
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			size := sizeOf(http.Header{name: {value}})
			if room -= size; room >= 0 {
				kept[strings.Clone(name)] = append(kept[name], strings.Clone(value))
			} else {
				lines++
				room += size
			}
		}
	}
	kept["(lines left out)"] = []string{strconv.Itoa(lines)}
	return kept
}
