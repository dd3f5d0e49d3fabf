// Package har writes exchanges as an HTTP Archive (HAR 1.2), which the network panel of
// a browser opens and most HTTP tools import.
//
// Source: http://www.softwareishard.com/blog/har-12-spec/. Values that the format has no field
// for are in custom fields, which begin with an underscore: _party (api, control, webhook),
// _error (why there is no complete response), _program (that ran instead of a control request;
// the URL then begins with command:) and, for a request body, _encoding.
package har

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

// Page is the exchanges of one scenario. A webhook is an ordinary entry: the target sends it,
// pixcert responds.
type Page struct {
	Title     string
	Started   time.Time
	Took      time.Duration
	Exchanges []exchange.Exchange // redacted: an archive shows them as they are
}

// longestBody bounds the bytes of a body in an archive; the size and the comment give the full
// length.
const longestBody = 16 << 10

// object is a JSON object of the format, as its specification names the members.
type object map[string]any

// with adds a member unless it is empty.
func (o object) with(name, value string) object {
	if value != "" {
		o[name] = value
	}
	return o
}

// Write writes an archive of those pages. version is that of pixcert.
func Write(w io.Writer, version string, pages ...Page) error {
	type placed struct {
		exchange.Exchange
		page string
	}
	var exchanges []placed
	shown, entries := []object{}, []object{}
	for i, p := range pages {
		id := fmt.Sprintf("page_%d", i+1)
		shown = append(shown, object{
			"startedDateTime": p.Started.UTC(), "id": id, "title": exchange.Line(p.Title),
			"pageTimings": object{"onContentLoad": notMeasured, "onLoad": wording.Milliseconds(p.Took)},
		})
		for _, e := range p.Exchanges {
			exchanges = append(exchanges, placed{e, id})
		}
	}
	// Readers expect chronological order.
	slices.SortStableFunc(exchanges, func(a, b placed) int { return a.Sent.Compare(b.Sent) })
	for _, e := range exchanges {
		entries = append(entries, entry(e.Exchange, e.page))
	}
	return wording.JSON(w, object{"log": object{
		"version": "1.2", "creator": object{"name": "pixcert", "version": version}, "pages": shown, "entries": entries,
	}})
}

// notMeasured stands for a time or a size that is not known.
const notMeasured = -1

func entry(e exchange.Exchange, page string) object {
	took := wording.Milliseconds(e.Took)
	said := e.Operation
	if e.Party != exchange.API {
		said = string(e.Party) + ": " + said
	}
	o := object{
		"pageref": page, "startedDateTime": e.Sent.UTC(), "time": took, "_party": e.Party,
		"request": request(e), "response": response(e), "cache": object{},
		"timings": object{ // only the total is measured
			"blocked": notMeasured, "dns": notMeasured, "connect": notMeasured, "ssl": notMeasured,
			"send": 0, "wait": took, "receive": 0,
		},
	}
	if len(e.Program) > 0 {
		o["_program"] = e.Program
	}
	return o.with("comment", exchange.Line(said))
}

func request(e exchange.Exchange) object {
	if len(e.Program) > 0 {
		e.URL = "command:" + e.URL
	}
	sent, _ := e.LeftOutOf()
	o := object{
		"method": e.Method, "url": e.URL, "httpVersion": "HTTP/1.1", "cookies": []object{}, "headers": pairs(e.Header),
		"queryString": queryOf(e.URL), "headersSize": notMeasured, "bodySize": len(e.Body) + sent,
	}
	if len(e.Body) > 0 {
		text, encoding, comment := bodyOf(e.Body, sent)
		data := object{"mimeType": typeOf(e.Header), "params": []object{}, "text": text}
		o["postData"] = data.with("_encoding", encoding).with("comment", comment)
	}
	return o
}

func response(e exchange.Exchange) object {
	_, received := e.LeftOutOf()
	text, encoding, comment := bodyOf(e.ResponseBody, received)
	if e.Truncated && e.Party != exchange.Webhook {
		comment = strings.TrimPrefix(comment+"; pixcert stopped reading here", "; ")
	}
	size := len(e.ResponseBody) + received
	content := object{"size": size, "mimeType": typeOf(e.ResponseHeader)}
	o := object{
		"status": e.Status, "statusText": http.StatusText(e.Status), "httpVersion": "HTTP/1.1", "cookies": []object{},
		"headers": pairs(e.ResponseHeader), "redirectURL": e.ResponseHeader.Get("Location"),
		"headersSize": notMeasured, "bodySize": size,
		"content": content.with("text", text).with("encoding", encoding).with("comment", comment),
	}
	if e.Status == 0 {
		o["bodySize"] = notMeasured
	}
	return o.with("_error", e.Err)
}

// bodyOf returns the beginning of a body as text, or as base64 if it is not UTF-8. leftOut more
// bytes of the body were not recorded.
func bodyOf(body []byte, leftOut int) (text, encoding, comment string) {
	kept := exchange.Beginning(body, longestBody)
	if whole := len(body) + leftOut; len(kept) < whole {
		comment = fmt.Sprintf("the first %d of %d bytes", len(kept), whole)
	}
	if utf8.Valid(kept) {
		return string(kept), "", comment
	}
	return base64.StdEncoding.EncodeToString(kept), "base64", comment
}

// typeOf returns the media type, which the format requires even if the message has none.
func typeOf(h http.Header) string {
	given := h.Get("Content-Type")
	if _, _, err := mime.ParseMediaType(given); given == "" || err != nil {
		return strings.TrimSpace("x-unknown " + given)
	}
	return given
}

// pairs returns the headers, sorted by name: their original order is unknown.
func pairs(h http.Header) []object {
	all := []object{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			all = append(all, object{"name": name, "value": value})
		}
	}
	return all
}

// queryOf returns the parameters of a URL in their order; invalid escapes stay as they are.
func queryOf(raw string) []object {
	all := []object{}
	_, query, _ := strings.Cut(raw, "?")
	query, _, _ = strings.Cut(query, "#")
	for parameter := range strings.SplitSeq(query, "&") {
		if parameter == "" {
			continue
		}
		name, value, _ := strings.Cut(parameter, "=")
		all = append(all, object{"name": unescaped(name), "value": unescaped(value)})
	}
	return all
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}
