package target

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// pixcert sends no Accept-Encoding, and a proxy may compress a response all the same (RFC 9110, section
// 12.5.3). What is judged is the decoded body, which is limited as any other.

// decoders are the content codings that can be decoded, by their name in Content-Encoding.
var decoders = map[string]func(io.Reader) (io.Reader, error){
	"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"x-gzip":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": inflate,
}

// inflate decodes zlib, and the bare deflate that some servers send instead.
func inflate(r io.Reader) (io.Reader, error) {
	const zlibMethod = 8 // in the lower half of the first byte
	in := bufio.NewReader(r)
	if first, err := in.Peek(2); err == nil && first[0]&0xf == zlibMethod && (int(first[0])<<8|int(first[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}

// decode replaces the body of a compressed response by at most limit bytes of the decoded one. The error names
// the coding.
func decode(e *exchange.Exchange, limit int64) error {
	coding := codingOf(e.ResponseHeader)
	if coding == "" || len(e.ResponseBody) == 0 {
		return nil
	}
	decoder := decoders[coding]
	if decoder == nil {
		return undecodable("the response has Content-Encoding: %s, which pixcert did not request and cannot decode", coding)
	}
	var body []byte
	reader, err := decoder(bytes.NewReader(e.ResponseBody))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(reader, limit+1))
	}
	cutOff := e.Truncated && errors.Is(err, io.ErrUnexpectedEOF) // by our own limit
	if err != nil && !cutOff {
		return undecodable("the response has Content-Encoding: %s, but its body is not: %v", coding, err)
	}
	if int64(len(body)) > limit {
		body, e.Truncated = body[:limit], true
	}
	e.ResponseBody = body
	return nil
}

// undecodableError says that a response arrived whole, but cannot be decoded.
type undecodableError struct{ error }

func undecodable(format string, args ...any) error {
	return undecodableError{fmt.Errorf(format, args...)}
}

// codingOf returns the content codings of a response in lower case; empty for none.
func codingOf(header http.Header) string {
	var all []string
	for _, value := range header.Values("Content-Encoding") {
		for coding := range strings.SplitSeq(strings.ToLower(value), ",") {
			if coding = strings.TrimSpace(coding); coding != "" && coding != "identity" {
				all = append(all, coding)
			}
		}
	}
	return exchange.Line(strings.Join(all, ", "))
}
