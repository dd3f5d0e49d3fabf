package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Spoils are the ways to spoil a response, by name.
var Spoils = map[string]func(*Answer){
	// Time.
	"silence":            (*Answer).Hold,
	"a byte a second":    slowly,
	"a slow body":        func(a *Answer) { a.start(len(a.Body) + 1000); a.drip("a") },
	"half a status line": func(a *Answer) { a.Write("HTTP/1.1 20"); a.Hold() },
	"a body that stops":  func(a *Answer) { a.start(len(a.Body) + 1); a.Write(string(a.Body)); a.Hold() },
	"an endless body": func(a *Answer) {
		a.Write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[0")
		a.forever(",0")
	},
	"an endless header":    func(a *Answer) { a.Write("HTTP/1.1 200 OK\r\n"); a.forever("X-Filler: aaaaaaaaaaaaaaaaaaaa\r\n") },
	"an endless line":      func(a *Answer) { a.Write("HTTP/1.1 200 OK\r\nX-Filler: "); a.forever("a") },
	"1xx without end":      func(a *Answer) { a.forever("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") },
	"chunks without end":   func(a *Answer) { a.chunked(); a.forever("1\r\na\r\n") },
	"trailers without end": func(a *Answer) { a.chunked(); a.Write("0\r\n"); a.forever("X-Filler: a\r\n") },

	// Connections that break.
	"closes":                      func(*Answer) {},
	"resets before the answer":    reset,
	"resets in the status line":   func(a *Answer) { a.Write("HTTP/1.1 20"); reset(a) },
	"resets in the headers":       func(a *Answer) { a.Write("HTTP/1.1 " + a.Status + "\r\nContent-Type: appl"); reset(a) },
	"resets in the body":          func(a *Answer) { a.start(len(a.Body) + 1); a.Write(string(a.Body)); reset(a) },
	"resets after the answer":     func(a *Answer) { a.whole(a.Body); reset(a) },
	"a Content-Length too long":   func(a *Answer) { a.start(len(a.Body) + 7); a.Write(string(a.Body)) },
	"a Content-Length too short":  func(a *Answer) { a.start(len(a.Body) / 2); a.Write(string(a.Body)) },
	"two Content-Lengths":         func(a *Answer) { a.Write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}") },
	"a Content-Length of 2^63":    func(a *Answer) { a.Write("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n{}") },
	"chunked nonsense":            func(a *Answer) { a.chunked(); a.Write("5\r\n{\"a\":zz\r\nffffffffffffffffff\r\n") },
	"no last chunk":               func(a *Answer) { a.chunked(); a.Write("2\r\n{}\r\n") },
	"HTTP/0.9":                    func(a *Answer) { a.Write("<html>hello</html>") },
	"another protocol":            func(a *Answer) { a.Write("220 mail.example ESMTP\r\n"); a.Hold() },
	"an upgrade nobody asked for": func(a *Answer) { a.Write("HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"); a.Hold() },
	"a status of 000":             func(a *Answer) { a.Write("HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n") },
	"a second answer at once":     func(a *Answer) { a.whole(a.Body); a.whole([]byte(`{"access_token":"not yours"}`)) },

	// Bodies.
	"no JSON":                   changed(func(b []byte) []byte { return append([]byte("{,"), b...) }),
	"half the JSON":             changed(func(b []byte) []byte { return b[:len(b)/2] }),
	"an empty body":             changed(func([]byte) []byte { return nil }),
	"invalid UTF-8":             changed(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("e"), []byte("\xff\xc3")) }),
	"UTF-16":                    changed(utf16),
	"NaN":                       changed(func(b []byte) []byte { return number.ReplaceAll(b, []byte(":NaN")) }),
	"1e1000000":                 changed(func(b []byte) []byte { return number.ReplaceAll(b, []byte(":1e1000000")) }),
	"a hundred thousand digits": changed(func(b []byte) []byte { return number.ReplaceAll(b, []byte(":"+strings.Repeat("9", 100_000))) }),
	"a million digits":          changed(func(b []byte) []byte { return number.ReplaceAll(b, []byte(":"+strings.Repeat("7", 1_000_000))) }),
	"a million levels":          changed(func([]byte) []byte { return []byte(strings.Repeat("[", 1_000_000)) }),
	"a million values":          changed(func([]byte) []byte { return []byte("[" + strings.Repeat("0,", 500_000) + "0]") }),
	"huge texts":                changed(func(b []byte) []byte { return text.ReplaceAll(b, []byte(`:"`+strings.Repeat("t", 100_000)+`"`)) }),
	"deep nesting":              changed(func([]byte) []byte { return []byte(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)) }),
	"deep objects":              changed(func([]byte) []byte { return []byte(strings.Repeat(`{"data":`, 100_000)) }),
	"duplicate keys":            changed(duplicated),
	"a megabyte of it":          changed(func([]byte) []byte { return []byte(`{"message":"` + strings.Repeat("é", 500_000) + `"}`) }),
	"two megabytes":             changed(func([]byte) []byte { return []byte(`{"message":"` + strings.Repeat("a", 2<<20) + `"}`) }),
	"huge tokens": changed(func(b []byte) []byte {
		return []byte(fmt.Sprintf(`{"access_token":"%s","clientSecret":"%s","expires_in":1800,"token_type":"Bearer","x":%d}`,
			strings.Repeat("t", 400_000), strings.Repeat("s", 400_000), len(b)))
	}),
	"control characters without end": func(a *Answer) { a.chunked(); a.forever("4\r\n\x01\"<&\r\n") },
	"a token of a megabyte":          func(a *Answer) { a.whole(aMegabyte()) },
	"a token of 20 MB":               func(a *Answer) { a.whole(twentyMegabytes()) },
	"null":                           changed(func([]byte) []byte { return []byte("null") }),
	"control characters":             changed(func([]byte) []byte { return []byte("{\"message\":\"\x1b[2J\x1b]0;owned\x07\"}") }),
	"markup": changed(func([]byte) []byte {
		return []byte(`{"code":"<script>alert(1)</script>]]>","message":"</pre><img src=x onerror=alert(1)>"}`)
	}),
	"gzip that nobody asked for": func(a *Answer) {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, _ = w.Write(a.Body)
		_ = w.Close()
		a.Header = append(a.Header, "Content-Encoding: gzip\r\n"...)
		a.whole(zipped.Bytes())
	},
	"a large header": func(a *Answer) {
		a.Header = append(a.Header, strings.Repeat("X-Filler: "+strings.Repeat("a", 1000)+"\r\n", 200)...)
		a.whole(a.Body)
	},

	// The same response to everything.
	"200 to everything": always("200 OK", "application/json", "{}"),
	"201 to everything": always("201 Created", "application/json", `{"access_token":"abcdefgh","expires_in":1800}`),
	"204 to everything": func(a *Answer) { a.Write("HTTP/1.1 204 No Content\r\n\r\n") },
	"401 to everything": always("401 Unauthorized", "application/json", `{"statusCode":401,"message":"no"}`),
	"429 to everything": func(a *Answer) {
		a.Header = []byte("Retry-After: 99999999999\r\n")
		a.Status = "429 X"
		a.whole([]byte("{}"))
	},
	"500 to everything": always("500 Internal Server Error", "text/plain", "boom"),
	"a login page":      always("200 OK", "text/html", "<!DOCTYPE html><html><form>Who are you?</form></html>"),
	"redirects to itself": func(a *Answer) {
		a.Write("HTTP/1.1 307 X\r\nLocation: http://" + a.Conn.LocalAddr().String() + "/\r\nContent-Length: 0\r\n\r\n")
	},
}

// number matches a numeric member of a JSON object, with its colon.
var number = regexp.MustCompile(`:\s*"?-?\d+(\.\d+)?"?`)

// text matches a string member of a JSON object, with its colon.
var text = regexp.MustCompile(`:\s*"[^"]*"`)

// Made only once, because a proxy that is busy slows down the run under test.
var aMegabyte, twentyMegabytes = tokenOf(1_000_000), tokenOf(20_000_000)

func tokenOf(length int) func() []byte {
	return sync.OnceValue(func() []byte {
		return []byte(`{"access_token":"` + strings.Repeat("t", length) + `","expires_in":1800,"token_type":"Bearer"}`)
	})
}

// start sends the header of a response with a body of that length.
func (a *Answer) start(length int) {
	a.Write(fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n", a.Status, a.Header, length))
}

func (a *Answer) whole(body []byte) {
	a.start(len(body))
	_, _ = a.Conn.Write(body)
}

func (a *Answer) chunked() {
	a.Write("HTTP/1.1 " + a.Status + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
}

// drip sends a text over and over, one byte a second.
func (a *Answer) drip(text string) {
	for i := 0; a.Write(text[i:i+1]) && a.Pause(time.Second); i = (i + 1) % len(text) {
	}
}

func (a *Answer) forever(text string) {
	for text := strings.Repeat(text, 1000); a.Write(text); {
	}
}

func slowly(a *Answer) {
	a.drip("HTTP/1.1 " + a.Status + "\r\n" + string(a.Header) + "\r\n" + string(a.Body))
}

// reset ends the connection with a TCP reset.
func reset(a *Answer) {
	if conn, ok := a.Conn.(*net.TCPConn); ok {
		_ = conn.SetLinger(0)
	}
}

// changed spoils only the body.
func changed(change func([]byte) []byte) func(*Answer) {
	return func(a *Answer) { a.whole(change(a.Body)) }
}

func always(status, contentType, body string) func(*Answer) {
	return func(a *Answer) {
		a.Status, a.Header = status, []byte("Content-Type: "+contentType+"\r\n")
		a.whole([]byte(body))
	}
}

// duplicated repeats every member of an object.
func duplicated(b []byte) []byte {
	inner, isObject := bytes.CutPrefix(bytes.TrimSpace(b), []byte("{"))
	if !isObject {
		return b
	}
	members := bytes.TrimSuffix(inner, []byte("}"))
	return fmt.Appendf(nil, "{%s,%s}", members, members)
}

func utf16(b []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, c := range b {
		out = append(out, c, 0)
	}
	return out
}
