package faulty

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"time"
)

// handler handles a request whose body has been read.
type handler func(w http.ResponseWriter, r *http.Request, body []byte)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		cut()
	}
	h(w, r, body)
}

// cut closes the connection without a response.
func cut() { panic(http.ErrAbortHandler) }

// stop also closes the connections that a peer keeps open.
func stop(s *httptest.Server) {
	s.CloseClientConnections()
	s.Close()
}

// newTransport does not verify the receivers' certificates.
func newTransport() *http.Transport {
	return &http.Transport{
		TLSClientConfig:       &tls.Config{InsecureSkipVerify: true}, // #nosec G402 -- of a gateway for tests
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       5 * time.Second, // less than a gateway keeps them
		ResponseHeaderTimeout: time.Minute,
		DisableCompression:    true,
	}
}

// response is a complete one.
type response struct {
	status int
	header http.Header
	body   []byte
}

// forward sends a request with a body to a URL, once, even if its sender is gone.
func forward(by http.RoundTripper, r *http.Request, to *url.URL, body []byte) (response, error) {
	out := r.Clone(context.WithoutCancel(r.Context()))
	out.URL, out.Host = to, ""
	out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	answer, err := by.RoundTrip(out)
	if err != nil {
		return response{}, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return response{answer.StatusCode, answer.Header, read}, err
}

func (r response) ok() bool { return r.status >= 200 && r.status <= 299 }

func (r response) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.header)
	w.Header().Set("Content-Length", strconv.Itoa(len(r.body)))
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body) // its receiver may be gone
}
