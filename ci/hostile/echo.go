package hostile

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
)

// Echo returns a Spoil that echoes each request, encoded in another way each time. It leaves token
// requests alone, so that the requests after them carry tokens.
func Echo(tokenPath string) func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		if strings.HasSuffix(a.Path, tokenPath) && strings.HasPrefix(a.Status, "2") {
			a.whole(a.Body)
			return
		}
		echoes[int(turn.Add(1))%len(echoes)](a)
	}
}

// echoes are the forms of an echo.
var echoes = []func(*Answer){
	inMessage(func(s string) string { return s }),
	inMessage(url.QueryEscape),
	inMessage(url.PathEscape),
	inMessage(html.EscapeString),
	inMessage(func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }),
	inMessage(func(s string) string { return " " + base64.URLEncoding.EncodeToString([]byte("a"+s)) }),
	inMessage(func(s string) string { return hex.EncodeToString([]byte(s)) }),
	inMessage(each(`\u%04x`)),
	inMessage(each("%%%02X")),
	inMessage(each("&#%d;")),
	inMessage(each("&#x%x;")),
	inMessage(twice(func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) })),
	inMessage(twice(func(s string) string { return hex.EncodeToString([]byte(s)) })),
	inMessage(func(s string) string { return html.EscapeString(url.QueryEscape(hex.EncodeToString([]byte(s)))) }),
	func(a *Answer) { // escapes that JSON does not require
		a.Status, a.Header = "400 Bad Request", []byte("Content-Type: application/json\r\n")
		a.whole([]byte(`{"statusCode":400,"code":"HTTP_ERROR","message":["` + each(`\u%04x`)(a.Sent) + `"]}`))
	},
	func(a *Answer) {
		a.Header = []byte("X-Echo: " + hex.EncodeToString([]byte(a.Sent)) + "\r\n")
		a.whole([]byte("{}"))
	},
	inMessage(func(s string) string { return everyLine.ReplaceAllString(s, "$0\n\t") }),
	inMessage(func(s string) string { return everyLine.ReplaceAllString(s, "$0\r\n") }),
	inMessage(func(s string) string { return strings.Repeat(" ", 16<<10-90) + s }), // at the length at which evidence is cut
	inMessage(func(s string) string { return strings.Repeat("-", 8<<10-90) + s }),
	inMessage(func(s string) string { return strings.Repeat("-", 2<<10-90) + s }),
	inMessage(func(s string) string { return strings.Repeat(" ", 1<<20-200) + s }), // at the length at which reading stops
	func(a *Answer) { a.Status = "400 X"; a.whole([]byte(strings.Repeat(" ", 90) + a.Sent)) },
	func(a *Answer) { a.Status = "400 X"; a.whole([]byte("\xff\xfe" + a.Sent)) }, // no text
	func(a *Answer) { a.Status = "500 " + oneLine(a.Sent); a.whole(nil) },
	func(a *Answer) { a.Header = []byte("X-Echo: " + oneLine(a.Sent) + "\r\n"); a.whole([]byte("{}")) },
	func(a *Answer) { a.Write(oneLine(a.Sent) + "\r\n\r\n") },                               // no HTTP
	func(a *Answer) { a.Write("HTTP/1.1 200 OK\r\n" + oneLine(a.Sent[5:]) + "\r\n\r\n{}") }, // no header
	func(a *Answer) { a.Write("HTTP/1.1 " + secretOf(a.Sent) + "\r\n\r\n") },
	func(a *Answer) { a.start(1 << 20); a.Write(a.Sent) },
	func(a *Answer) {
		a.Header = []byte("Location: /?" + oneLine(a.Sent) + "\r\n")
		a.Status = "302 X"
		a.whole(nil)
	},
}

// each writes every byte of a text in a format.
func each(format string) func(string) string {
	return func(s string) string {
		var out strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&out, format, s[i])
		}
		return out.String()
	}
}

func twice(form func(string) string) func(string) string {
	return func(s string) string { return form(form(s)) }
}

// inMessage puts an echo into the message of an error response.
func inMessage(form func(string) string) func(*Answer) {
	return func(a *Answer) {
		message, err := json.Marshal("you sent " + form(a.Sent))
		if err != nil {
			message = []byte(`""`)
		}
		a.Status, a.Header = "400 Bad Request", []byte("Content-Type: application/json\r\n")
		a.whole([]byte(`{"statusCode":400,"code":"HTTP_ERROR","message":[` + string(message) + `],"details":{"sent":` + string(message) + `}}`))
	}
}

var everyLine = regexp.MustCompile(`(?s).{40}`)

func oneLine(s string) string { return strings.NewReplacer("\r\n", " ", "\n", " ").Replace(s) }

// secretOf returns the value of Authorization.
func secretOf(sent string) string {
	_, after, _ := strings.Cut(sent, "Authorization: ")
	value, _, _ := strings.Cut(after, "\r\n")
	return value
}
