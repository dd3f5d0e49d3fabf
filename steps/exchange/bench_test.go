package exchange

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// secretsOfABenchmark are as many as a run of everything has, with its private keys.
func secretsOfABenchmark() *Redactor {
	var secrets Redactor
	for i := range 2000 {
		secrets.Add(fmt.Sprintf("eyJhbGciOiJIUzI1NiJ9.%d.c2lnbmF0dXJlLW9mLXRoZS10b2tlbi-%06d", i, i), fmt.Sprintf("client-secret-%x-of-account-%d", i*7919, i))
	}
	return &secrets
}

// BenchmarkRedact redacts a body of 1 MiB where 2000 tokens are known.
func BenchmarkRedact(b *testing.B) {
	secrets := secretsOfABenchmark()
	body := []byte(strings.Repeat(`{"data":[{"transactionId":"7c1e5f0a","value":10.00}]}`, (1<<20)/53))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		secrets.Exchange(Exchange{ResponseBody: body})
	}
}

// BenchmarkRedactEcho redacts responses of a target that echoes the request with its token and client certificate,
// encoded in one of the ways of ci/hostile.
func BenchmarkRedactEcho(b *testing.B) {
	secrets := secretsOfABenchmark()
	request := "POST /api/pix/cash-out HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer eyJhbGciOiJIUzI1NiJ9.7.c2lnbmF0dXJlLW9mLXRoZS10b2tlbi-000007\r\n" +
		"X-Ssl-Client-Cert: " + url.QueryEscape("-----BEGIN CERTIFICATE-----\n"+strings.Repeat("MIIBszCCAVmgAwIBAgIUHjK3v4xqk9LmPpO+lYb1\n", 30)) + "\r\n\r\n" +
		`{"clientId":"a","clientSecret":"client-secret-d85-of-account-7","value":10.00}`
	quoted, _ := json.Marshal(request)
	for name, body := range map[string]string{
		"plain":            request,
		"JSON":             `{"message":` + string(quoted) + `}`,
		"base64":           `{"message":"` + base64.StdEncoding.EncodeToString([]byte(request)) + `"}`,
		"base64 of base64": `{"message":"` + base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(request)))) + `"}`,
		"hex":              `{"message":"` + hex.EncodeToString([]byte(request)) + `"}`,
		"URL":              `{"message":"` + url.QueryEscape(request) + `"}`,
		"HTML":             `{"message":"` + html.EscapeString(request) + `"}`,
		"no echo":          `{"data":[` + strings.TrimSuffix(strings.Repeat(`{"transactionId":"7c1e5f0a-1111-4222-8333-123456789abc","value":10.00,"status":"CONFIRMED"},`, 30), ",") + `]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				secrets.Exchange(Exchange{ResponseBody: []byte(body), Status: 400, ResponseHeader: http.Header{"X-Echo": {"x"}}})
			}
		})
	}
}

// BenchmarkArrivedHeader cuts a header of 30 KB whose lines have names of their own.
func BenchmarkArrivedHeader(b *testing.B) {
	header := http.Header{"Content-Type": {"application/json"}}
	for i := range 1800 {
		header[fmt.Sprintf("X-%d-%x", i, i*i)] = []string{"a"}
	}
	for b.Loop() {
		Exchange{Party: API, ResponseHeader: header}.Arrived()
	}
}
