package hostile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"sync/atomic"
)

// ambiguous are gateways whose HTTP different clients read differently.
func ambiguous() map[string]Gateway {
	return map[string]Gateway{
		"status lines nobody knows": both("sends status lines with other versions, codes and separators", 20, inTurn(statusLines)),
		"ambiguous lengths":         both("sends several lengths, lengths that are no numbers, folded headers, and bodies where there are none", 20, inTurn(lengths)),
		"encodings nobody knows":    both("claims content encodings and character sets that it does not use, or uses those that nobody asked for", 20, inTurn(encodings)),
	}
}

// inTurn spoils every second response, each in another way.
func inTurn(ways []func(*Answer)) func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		n := int(turn.Add(1))
		if n%2 == 0 {
			a.kept(a.Body)
			return
		}
		ways[n/2%len(ways)](a)
	}
}

// as writes a response with another status line.
func as(line string) func(*Answer) {
	return func(a *Answer) {
		a.Write(fmt.Sprintf("%s\r\n%sContent-Length: %d\r\n\r\n%s", strings.ReplaceAll(line, "STATUS", a.Status), a.Header, len(a.Body), a.Body))
	}
}

var statusLines = []func(*Answer){
	as("HTTP/1.0 STATUS"), as("HTTP/9.9 STATUS"), as("HTTP/1.1 0STATUS"), as("HTTP/1.1 -STATUS"), as("HTTP/1.1 2e2 OK"), as("http/1.1 STATUS"),
	as("HTTP/1.1\tSTATUS"), as("HTTP/1.1  STATUS"), as("HTTP/1.1 999 Odd"), as("HTTP/1.1 1000 Odd"), as("ICY STATUS"), as("HTTP/1.1 201"), as("HTTP/1.1 201 "),
	as("\r\nHTTP/1.1 STATUS"), as("HTTP/1.1 STATUS" + strings.Repeat(" very", 10_000)), as("HTTP/1.1 ٢٠١ OK"), as("HTTP/1.1 STATUS\x00\x1b[2J"), as("HTTP/1.1 600 \xff"),
}

// with sends lines of a header without a length of their own, then a body.
func with(header string, body func(string) string) func(*Answer) {
	return func(a *Answer) {
		text := string(a.Body)
		lines := strings.NewReplacer("LENGTH", fmt.Sprint(len(text))).Replace(header)
		a.Write("HTTP/1.1 " + a.Status + "\r\n" + string(a.Header) + lines + "\r\n\r\n" + body(text))
	}
}

func asItIs(s string) string    { return s }
func inAChunk(s string) string  { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(s), s) }
func longSize(s string) string  { return fmt.Sprintf("%0300x\r\n%s\r\n0\r\n\r\n", len(s), s) }
func lineFeeds(s string) string { return fmt.Sprintf("%x\n%s\n0\n\n", len(s), s) }

var lengths = []func(*Answer){
	with("Content-Length: LENGTH\r\nTransfer-Encoding: chunked", inAChunk),
	with("Transfer-Encoding: xchunked\r\nContent-Length: LENGTH", asItIs),
	with("Transfer-Encoding: chunked, chunked", inAChunk),
	with("Transfer-Encoding: identity\r\nContent-Length: LENGTH", asItIs),
	with("Transfer-Encoding: gzip, chunked", inAChunk),
	with("Transfer-Encoding:\vchunked", inAChunk),
	with("Transfer-Encoding: chunked", longSize),
	with("Transfer-Encoding: chunked", lineFeeds),
	with("Transfer-Encoding: chunked", func(s string) string { return "-1\r\n" + s }),
	with("Transfer-Encoding: chunked", func(s string) string { return "8000000000000000\r\n" + s }),
	with("Content-Length: +LENGTH", asItIs),
	with("Content-Length: LENGTH, LENGTH", asItIs),
	with("Content-Length: 0xLENGTH", asItIs),
	with("Content-Length: -1", asItIs),
	with("Content-Length : LENGTH", asItIs),
	with("Content-Length: 99999999999999999999", asItIs),
	with("X-Folded: a\r\n b\r\n\tc\r\nContent-Length:\r\n LENGTH", asItIs),
	with(" X-First: folded\r\nContent-Length: LENGTH", asItIs),
	with("X\x00Y: \x00\r\nContent-Length: LENGTH", asItIs),
	with(": no name\r\nno colon\r\nContent-Length: LENGTH", asItIs),
	with("Connection: close, Content-Length, Authorization\r\nContent-Length: LENGTH", asItIs),
	func(a *Answer) { a.Status = "204 No Content"; a.whole(a.Body) },
	func(a *Answer) { a.Status = "304 Not Modified"; a.kept(a.Body) },
	func(a *Answer) { a.Status = "205 Reset"; a.kept(a.Body) },
	func(a *Answer) {
		a.Status = "206 Partial"
		a.Header = append(a.Header, "Content-Range: bytes 0-1/2\r\n"...)
		a.kept(a.Body)
	},
	func(a *Answer) {
		a.Write(strings.ReplaceAll("HTTP/1.1 "+a.Status+"\r\n"+string(a.Header), "\r\n", "\n") + "\n" + string(a.Body))
	},
}

// claiming adds lines to the header and changes the body.
func claiming(header string, change func([]byte) []byte) func(*Answer) {
	return func(a *Answer) {
		a.Header = append(a.Header, header+"\r\n"...)
		a.kept(change(a.Body))
	}
}

func plain(b []byte) []byte { return b }

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

var encodings = []func(*Answer){
	claiming("Content-Encoding: br", plain),
	claiming("Content-Encoding: zstd, br, deflate", plain),
	claiming("Content-Encoding: gzip", plain),
	claiming("Content-Encoding: gzip", func(b []byte) []byte { return gzipped(b)[:8] }),
	claiming("Content-Encoding: gzip, gzip", func(b []byte) []byte { return gzipped(gzipped(b)) }),
	claiming("Content-Encoding: x-gzip", gzipped),
	claiming("Content-Encoding: ", plain),
	claiming("Content-Encoding: identity, \x1b[31m", plain),
	claiming("Content-Encoding: gzip", func(b []byte) []byte { return append(gzipped(b), "after the end"...) }),
	func(a *Answer) {
		a.Header = []byte("Content-Type: application/json; charset=utf-7\r\n")
		a.kept(a.Body)
	},
	func(a *Answer) {
		a.Header = []byte("Content-Type: application/json; charset=utf-16le\r\n")
		a.kept(utf16(a.Body)[2:])
	},
	func(a *Answer) {
		a.Header = []byte("Content-Type: application/json\r\nContent-Type: text/html\r\n")
		a.kept(a.Body)
	},
	func(a *Answer) { a.Header = []byte("Content-Type: multipart/mixed; boundary=\r\n"); a.kept(a.Body) },
	func(a *Answer) {
		a.Header = []byte("Content-Type: " + strings.Repeat("a/", 20_000) + "\r\n")
		a.kept(a.Body)
	},
	func(a *Answer) {
		a.Header = []byte("Content-Type: application/json" + strings.Repeat("; a=\"", 5000) + "\r\n")
		a.kept(a.Body)
	},
	func(a *Answer) { a.Header = nil; a.kept(a.Body) },
}
