package sink

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// Response is how a mailbox answers deliveries, so that senders meet what receivers in the field return.
type Response struct {
	Status     int
	Location   string        // where a redirect points; empty for none
	After      time.Duration // the event is kept before
	Compressed bool          // if the sender accepts that
	Chunked    bool
	HTML       bool // the body is a page
	Long       bool // the body has 100 KB
}

// acknowledgment is the body of a response that is compressed or in chunks.
const acknowledgment = `{"received":true}`

const page = `<!DOCTYPE html><title>Received</title>`

// write sends the response to a delivery that came with some headers.
func (r Response) write(ctx context.Context, w http.ResponseWriter, came http.Header) {
	if r.After > 0 {
		select {
		case <-time.After(r.After):
		case <-ctx.Done():
		}
	}
	if r.Location != "" {
		w.Header().Set("Location", r.Location)
	}
	compressed := r.Compressed && strings.Contains(came.Get("Accept-Encoding"), "gzip")
	if compressed {
		w.Header().Set("Content-Encoding", "gzip")
	}
	if r.HTML {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	w.WriteHeader(r.Status)
	switch {
	case r.Long:
		_, _ = io.WriteString(w, acknowledgment+strings.Repeat(" ", 100<<10))
	case r.HTML:
		_, _ = io.WriteString(w, page)
	case compressed:
		body := gzip.NewWriter(w)
		_, _ = io.WriteString(body, acknowledgment) // a sender that hangs up has lost nothing
		_ = body.Close()
	case r.Chunked:
		for _, part := range strings.SplitAfter(acknowledgment, ":") {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
		}
	}
}
