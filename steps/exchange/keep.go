package exchange

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/jsonvalue"
)

// Bounds of what is kept from a target, in bytes. It may answer each request of a run with a
// mebibyte of body and a quarter of a mebibyte of header.
const (
	keptBody   = 16 << 10
	keptHeader = 16 << 10
	keptJunk   = 4 << 10 // of a webhook that cannot be parsed: anybody who knows the URL can send any number of them
)

// Bounds of the values in a body that is parsed. A value may be sent in two bytes, and takes some
// twenty times as much in memory. A list of a thousand transactions has about 30000 values.
const (
	mostValues        = 100_000
	mostValuesOfEvent = 5000
	someValues        = 5000 // up to so many, decoding costs too little to count them first
)

// Arrived returns e as it is kept once it has arrived. A long body from the target that cannot be
// parsed is cut (LeftOut says how much is missing). A long header keeps its shortest lines, and gets
// one that says how many were left out. It is cut before anything is judged, so that judging a
// record sees the same.
func (e Exchange) Arrived() Exchange {
	header, body, most, values := &e.ResponseHeader, &e.ResponseBody, keptBody, mostValues
	if e.Party == Webhook {
		header, body, most, values = &e.Header, &e.Body, keptJunk, mostValuesOfEvent
	}
	*header = beginningOf(*header)
	if len(*body) > most && (e.Truncated || !e.read(*body, values)) {
		e.LeftOut = len(*body) - most
		*body = slices.Clone((*body)[:most]) // otherwise the whole body would stay in memory
	}
	return e
}

// read decodes a long body once, and reports whether that is possible. One that may have too many values is first scanned
// without taking memory. A key that comes twice is for judges.
func (e *Exchange) read(body []byte, values int) bool {
	if bytes.Count(body, []byte(",")) > min(values, someValues) && !contract.Readable(body, values) {
		return false
	}
	v, err := jsonvalue.DecodeAtMost(body, values)
	e.value = v
	var failed *contract.DecodeError
	return err == nil || errors.As(err, &failed) && failed.Problem == contract.DuplicateKey && contract.Readable(body, values)
}

// Value is the JSON value of what the target sent as a body; nil if it is not JSON, or not all of it was kept.
func (e *Exchange) Value() any {
	body := e.ResponseBody
	if e.Party == Webhook {
		body = e.Body
	}
	if e.value != nil || e.LeftOut > 0 {
		return e.value
	}
	v, _ := jsonvalue.Decode(body)
	return v
}

// Kept returns e as evidence keeps it: with any long body from the target cut. A body from the suite
// stays whole, so that it can be sent again.
func (e Exchange) Kept() Exchange {
	e.value = nil
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

// LeftOutOf returns how many bytes of the request's body and of the response's body were not kept.
func (e Exchange) LeftOutOf() (request, response int) {
	if e.Party == Webhook {
		return e.LeftOut, e.LeftOutOwn
	}
	return e.LeftOutOwn, e.LeftOut
}

// Beginning returns at most n bytes of body, without an incomplete character at the end.
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

// Size estimates how many bytes e takes in memory, and in a file of a report.
func (e Exchange) Size() int {
	const rest = 512
	return rest + len(e.URL) + written(e.Body) + written(e.ResponseBody) + len(e.Err) + sizeOf(e.Header) + sizeOf(e.ResponseHeader)
}

// SizeOf is the Size of all of them.
func SizeOf(exchanges []Exchange) int {
	size := 0
	for _, e := range exchanges {
		size += e.Size()
	}
	return size
}

// written returns the size of a body in JSON or HTML, where some characters are escaped with six.
func written(body []byte) int {
	size := len(body)
	for _, c := range body {
		if c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			size += 5
		}
	}
	return size
}

const lineOverhead = 64

func sizeOf(h http.Header) int {
	size := 0
	for name, values := range h {
		for _, value := range values {
			size += lineOverhead + len(name) + len(value)
		}
	}
	return size
}

// isJudged reports whether a verdict may depend on the lines of a header with that name.
func isJudged(name string) bool {
	switch name { // faster than a map, for thousands of lines
	case "Content-Type", "Content-Encoding", "Location", "Retry-After":
		return true
	}
	return false
}

// line is one of a header. Those with the lowest ranks are kept: lines that are judged, then the shortest.
type line struct {
	name, value string
	rank, size  int
}

func lineOf(name, value string) line {
	size := lineOverhead + len(name) + len(value)
	if size < keptHeader/4 && isJudged(name) { // one of each of them fits
		return line{name, value, 0, size}
	}
	return line{name, value, size, size}
}

// beginningOf keeps as many lines of a header as fit. It sorts only those of one rank, of which not all fit: there may
// be thousands of lines in each response.
func beginningOf(h http.Header) http.Header {
	if sizeOf(h) <= keptHeader {
		return h
	}
	all := make([]line, 0, len(h))
	for name, values := range h {
		for _, value := range values {
			all = append(all, lineOf(name, value))
		}
	}
	last, lines, count := lastRank(all), len(all), 0
	kept, some, room := make(http.Header, keptHeader/(2*lineOverhead)), all[:0], keptHeader
	keep := func(l line) {
		kept[strings.Clone(l.name)] = append(kept[l.name], strings.Clone(l.value))
		room -= l.size
		count++
	}
	for _, l := range all {
		switch {
		case l.rank < last:
			keep(l)
		case l.rank == last:
			some = append(some, l)
		}
	}
	slices.SortStableFunc(some, func(a, b line) int { return strings.Compare(a.name, b.name) }) // the lines of one name keep their order
	for _, l := range some {
		if l.size > room {
			break
		}
		keep(l)
	}
	kept["(lines left out)"] = []string{strconv.Itoa(lines - count)}
	return kept
}

// lastRank returns the rank of the lines of which not all fit.
func lastRank(all []line) int {
	room, sizes := keptHeader, make([]int, 0, len(all))
	for i := range all {
		if all[i].rank == 0 {
			room -= all[i].size
		} else {
			sizes = append(sizes, all[i].size)
		}
	}
	if room < 0 {
		return 0
	}
	slices.Sort(sizes)
	for _, size := range sizes {
		if room -= size; room < 0 {
			return size
		}
	}
	return 0 // not reached: some line does not fit
}
