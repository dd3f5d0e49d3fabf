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
	"encoding/json"
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

// Write writes an archive of those pages. version is that of pixcert.
func Write(w io.Writer, version string, pages ...Page) error {
	log := archive{Version: "1.2", Creator: creator{"pixcert", version}, Pages: []page{}, Entries: []entry{}}
	for i, p := range pages {
		id := fmt.Sprintf("page_%d", i+1)
		log.Pages = append(log.Pages, page{
			Started: p.Started.UTC(), ID: id, Title: exchange.Line(p.Title),
			Timings: pageTimings{OnContentLoad: -1, OnLoad: milliseconds(p.Took)},
		})
		for _, e := range p.Exchanges {
			log.Entries = append(log.Entries, entryOf(e, id))
		}
	}
	// Readers expect chronological order.
	slices.SortStableFunc(log.Entries, func(a, b entry) int { return a.Started.Compare(b.Started) })
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]archive{"log": log})
}

type archive struct {
	Version string  `json:"version"`
	Creator creator `json:"creator"`
	Pages   []page  `json:"pages"`
	Entries []entry `json:"entries"`
}

type creator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type page struct {
	Started time.Time   `json:"startedDateTime"`
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Timings pageTimings `json:"pageTimings"`
}

type pageTimings struct {
	OnContentLoad float64 `json:"onContentLoad"` // -1: not applicable
	OnLoad        float64 `json:"onLoad"`
}

type entry struct {
	PageRef  string         `json:"pageref"`
	Started  time.Time      `json:"startedDateTime"`
	Time     float64        `json:"time"` // the sum of the known timings
	Request  request        `json:"request"`
	Response response       `json:"response"`
	Cache    struct{}       `json:"cache"`
	Timings  timings        `json:"timings"`
	Comment  string         `json:"comment,omitempty"`
	Party    exchange.Party `json:"_party"`
	Program  []string       `json:"_program,omitempty"`
}

type request struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []nothing `json:"cookies"`
	Headers     []pair    `json:"headers"`
	Query       []pair    `json:"queryString"`
	PostData    *postData `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"` // -1: unknown
	BodySize    int       `json:"bodySize"`
}

type response struct {
	Status      int       `json:"status"` // 0 if there was no response
	StatusText  string    `json:"statusText"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []nothing `json:"cookies"`
	Headers     []pair    `json:"headers"`
	Content     content   `json:"content"`
	RedirectURL string    `json:"redirectURL"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
	Error       string    `json:"_error,omitempty"`
}

type nothing struct{}

type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type postData struct {
	MimeType string `json:"mimeType"`
	Params   []pair `json:"params"`
	Text     string `json:"text"`
	Encoding string `json:"_encoding,omitempty"` // base64; the format has no field for it here
	Comment  string `json:"comment,omitempty"`
}

type content struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Comment  string `json:"comment,omitempty"`
}

// timings in milliseconds; -1 if not measured. Only the total is measured.
type timings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

func entryOf(e exchange.Exchange, pageRef string) entry {
	took := milliseconds(e.Took)
	said := e.Operation
	if e.Party != exchange.API {
		said = string(e.Party) + ": " + said
	}
	return entry{
		PageRef: pageRef, Started: e.Sent.UTC(), Time: took, Party: e.Party, Program: e.Program,
		Timings: timings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Wait: took},
		Comment: exchange.Line(said),
		Request: requestOf(e), Response: responseOf(e),
	}
}

func requestOf(e exchange.Exchange) request {
	if len(e.Program) > 0 {
		e.URL = "command:" + e.URL
	}
	sent, _ := e.LeftOutOf()
	r := request{
		Method: e.Method, URL: strings.ToValidUTF8(e.URL, "\uFFFD"), HTTPVersion: "HTTP/1.1", Cookies: []nothing{},
		Headers: pairs(e.Header), Query: queryOf(e.URL), HeadersSize: -1, BodySize: len(e.Body) + sent,
	}
	if len(e.Body) > 0 {
		text, encoding, comment := bodyOf(e.Body, sent)
		r.PostData = &postData{MimeType: typeOf(e.Header), Params: []pair{}, Text: text, Encoding: encoding, Comment: comment}
	}
	return r
}

func responseOf(e exchange.Exchange) response {
	_, received := e.LeftOutOf()
	text, encoding, comment := bodyOf(e.ResponseBody, received)
	size := len(e.ResponseBody) + received
	if e.Truncated && e.Party != exchange.Webhook {
		comment = strings.TrimPrefix(comment+"; the answer went on, and the suite stopped reading", "; ")
	}
	r := response{
		Status: e.Status, StatusText: http.StatusText(e.Status), HTTPVersion: "HTTP/1.1", Cookies: []nothing{},
		Headers: pairs(e.ResponseHeader), RedirectURL: strings.ToValidUTF8(e.ResponseHeader.Get("Location"), "\uFFFD"),
		HeadersSize: -1, BodySize: size, Error: strings.ToValidUTF8(e.Err, "\uFFFD"),
		Content: content{Size: size, MimeType: typeOf(e.ResponseHeader), Text: text, Encoding: encoding, Comment: comment},
	}
	if e.Status == 0 {
		r.BodySize = -1
	}
	return r
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
	given := strings.ToValidUTF8(h.Get("Content-Type"), "\uFFFD")
	if _, _, err := mime.ParseMediaType(given); given == "" || err != nil {
		return strings.TrimSpace("x-unknown " + given)
	}
	return given
}

// pairs returns the headers, sorted by name: their original order is unknown.
func pairs(h http.Header) []pair {
	all := []pair{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			all = append(all, pair{strings.ToValidUTF8(name, "\uFFFD"), strings.ToValidUTF8(value, "\uFFFD")})
		}
	}
	return all
}

// queryOf returns the parameters of a URL in their order; invalid escapes stay as they are.
func queryOf(raw string) []pair {
	all := []pair{}
	_, query, _ := strings.Cut(raw, "?")
	query, _, _ = strings.Cut(query, "#")
	for parameter := range strings.SplitSeq(query, "&") {
		if parameter == "" {
			continue
		}
		name, value, _ := strings.Cut(parameter, "=")
		all = append(all, pair{unescaped(name), unescaped(value)})
	}
	return all
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		s = plain
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
