package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
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

// FuzzBody shows that any body of any route is served or refused with a 4xx in an envelope, and that no
// money is made or lost.
func FuzzBody(f *testing.F) {
	g := newGateway(f)
	c := g.newClient(f, 1_000_000_00)
	received := c.received(f, "1000.00")
	gross := pix.Centavos(1_000_000_00 + 1000_00)
	for i, route := range bodyRoutes {
		for _, input := range hostile {
			if len(input.body) < 1<<10 {
				f.Add(uint8(i), input.body)
			}
		}
		f.Add(uint8(i), route.valid)
		f.Add(uint8(i), order("1.00", "x"))
	}
	f.Add(uint8(0), c.credentials())
	n := 0
	f.Fuzz(func(t *testing.T, index uint8, body string) {
		n++
		route := bodyRoutes[int(index)%len(bodyRoutes)]
		path := route.path
		switch route.operation {
		case "cob":
			path = fmt.Sprintf("/cob/fuzz%026d", n)
		case "refund":
			path = fmt.Sprintf("/pix/%s/devolucao/%d", received.EndToEndID, n)
		}
		r := httptest.NewRequest(route.method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("x-idempotency-key", fmt.Sprint(n))
		c.serve(t, r)
		if available, blocked := c.balance(t); available+blocked != gross {
			t.Fatalf("%s available, %s blocked", available, blocked)
		}
	})
}

// FuzzQuery shows that any query of any list is answered or refused with a 4xx.
func FuzzQuery(f *testing.F) {
	c := newGateway(f).newClient(f, 100_00)
	_, err := c.store.Configure(f.Context(), c.account.ID, func(set *pix.Settings) { set.Limits = pix.Limits{} })
	require.NoError(f, err)
	_, err = c.store.CashOut(f.Context(), c.account.ID, pix.CashOutOrder{
		Amount: 1_00, ExternalID: "x", Key: "a@example.com", KeyType: pix.KeyEmail, Name: "A", Document: "52998224725",
	})
	require.NoError(f, err)
	lists := []string{"/api/transactions", "/api/pix/transactions/pix-key/a@example.com", "/api/med"}
	for i := range lists {
		for _, query := range []string{
			"", "page=1&size=20&pageSize=20&status=PENDING&type=WITHDRAW", "startDate=2026-03-01&endDate=2026-03-31T23:59:59.999-03:00",
			"externalId=x&endToEndId=E1&isReconciled=true", "page=9223372036854775807", "size=%zz;&&=", "status=PENDING&status=ERROR",
		} {
			f.Add(uint8(i), query)
		}
	}
	f.Fuzz(func(t *testing.T, index uint8, query string) {
		r := httptest.NewRequest(http.MethodGet, lists[int(index)%len(lists)], nil)
		r.URL.RawQuery = query
		c.serve(t, r)
	})
}

// FuzzPath shows that anything in the place of an id is answered or refused with a 4xx.
func FuzzPath(f *testing.F) {
	c := newGateway(f).newClient(f, 100_00)
	received := c.received(f, "10.00")
	_, err := c.store.Configure(f.Context(), c.account.ID, func(set *pix.Settings) { set.Limits = pix.Limits{} })
	require.NoError(f, err)
	routes := []struct{ method, path, body string }{
		{http.MethodPut, "/pix/%s/devolucao/1", `{"valor":"0.01"}`},
		{http.MethodPut, "/pix/" + received.EndToEndID + "/devolucao/%s", `{"valor":"0.01"}`},
		{http.MethodPut, "/cob/%s", `{"calendario":{},"valor":{"original":"1.00"}}`},
		{http.MethodGet, "/api/pix/transactions/pix-key/%s", ""},
		{http.MethodPost, "/api/resend-webhook/%s", ""},
	}
	for i := range routes {
		for _, id := range []string{"", ".", "..", "a/b", "é", "\x00", "\xff", "%2F", received.EndToEndID, received.ExternalID, "a@example.com", "+5511987654321", "18446744073709551616"} {
			f.Add(uint8(i), id)
		}
	}
	f.Fuzz(func(t *testing.T, index uint8, id string) {
		route := routes[int(index)%len(routes)]
		r := httptest.NewRequest(route.method, fmt.Sprintf(route.path, url.PathEscape(id)), strings.NewReader(route.body))
		r.Header.Set("Content-Type", "application/json")
		c.serve(t, r)
	})
}

// FuzzAuthorization shows that no header but the one with the token is let in.
func FuzzAuthorization(f *testing.F) {
	c := newGateway(f).newClient(f, 0)
	f.Add("Bearer " + c.token)
	f.Add("bearer " + c.token)
	f.Add("Bearer " + c.token + "x")
	f.Add("Basic " + c.token)
	f.Add("Bearer e30.e30.")
	f.Add("Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.")
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest(http.MethodGet, "/balance", nil)
		r.Header["Authorization"] = []string{value}
		w := httptest.NewRecorder()
		c.api.ServeHTTP(w, r)
		scheme, token, _ := strings.Cut(value, " ")
		if want := strings.EqualFold(scheme, "bearer") && token == c.token; (w.Code == http.StatusOK) != want || !want && w.Code != http.StatusUnauthorized {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	})
}

// serve sends a request with the client's token and certificate. The response must be JSON and no fault
// of the gateway.
func (c *client) serve(t *testing.T, r *http.Request) {
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set(certificateHeader, certs.Header(c.certificate.PEM()))
	w := httptest.NewRecorder()
	c.api.ServeHTTP(w, r)
	if !json.Valid(w.Body.Bytes()) {
		t.Fatalf("%d, and the response is no JSON: %s", w.Code, w.Body)
	}
	if w.Code >= http.StatusInternalServerError {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
}
