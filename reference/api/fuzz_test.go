package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pixcert/pixcert/certs"
)

// FuzzClientCertHeader shows that any header gives a certificate or a hint, never both
// and never neither.
func FuzzClientCertHeader(f *testing.F) {
	pem := issue(f, certs.Client{}).PEM()
	for _, form := range certs.Forms {
		f.Add(form.Encode(pem))
	}
	f.Add("")
	f.Add("%")
	f.Fuzz(func(t *testing.T, value string) {
		certificate, hint := decodeCertificate(value)
		if (certificate == nil) == (hint == "") {
			t.Fatalf("certificate %v, hint %q", certificate, hint)
		}
	})
}

func FuzzTokenBody(f *testing.F)   { fuzzBody(f, "/api/auth/token") }
func FuzzCashOutBody(f *testing.F) { fuzzBody(f, "/api/pix/cash-out") }
func FuzzWebhookBody(f *testing.F) { fuzzBody(f, "/api/webhooks") }

// fuzzBody shows that any body is served or refused with a 4xx in the envelope, and
// that no money is made or lost.
func fuzzBody(f *testing.F, path string) {
	g := newGateway(f)
	c := g.newClient(f, 1_000_000_00)
	for _, input := range hostile {
		if len(input.body) < 1<<10 {
			f.Add(input.body)
		}
	}
	f.Add(c.credentials())
	f.Add(order("1.00", "x"))
	f.Add(registration)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+c.token)
		r.Header.Set(certificateHeader, certs.Header(c.certificate.PEM()))
		w := httptest.NewRecorder()
		g.api.ServeHTTP(w, r)
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("the answer is no JSON: %s", w.Body)
		}
		if w.Code >= 500 {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
		if available, blocked := c.balance(t); available+blocked != 1_000_000_00 {
			t.Fatalf("%s available, %s blocked", available, blocked)
		}
	})
}
