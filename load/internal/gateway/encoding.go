package gateway

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// decoded is a body without its content coding. A request without Accept-Encoding leaves the
// choice to the gateway (RFC 9110, section 12.5.3). A body in a coding other than gzip is
// returned unchanged; one larger than maxBody is an error.
func decoded(body []byte, coding string) ([]byte, error) {
	if len(body) == 0 || !strings.EqualFold(coding, "gzip") && !strings.EqualFold(coding, "x-gzip") {
		return body, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("expected gzip: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(reader, maxBody+1))
	if err == nil && len(plain) > maxBody {
		err = fmt.Errorf("got more than %d bytes after decompression", maxBody)
	}
	return plain, err
}
