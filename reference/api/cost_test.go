package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

// bodyRoutes are the requests with a body, each with a valid one.
var bodyRoutes = []struct{ operation, method, path, valid string }{
	{"token", http.MethodPost, "/api/auth/token", `{"clientId":"3f0c5b1e-6a7d-4f55-9b0e-2f4f7f1f8a11","clientSecret":"s"}`},
	{"cashOut", http.MethodPost, "/api/pix/cash-out", order("1.00", "x")},
	{"cashOutQRCode", http.MethodPost, "/api/pix/cash-out-qrcode", `{"value":1.00,"qrCode":"000201","externalId":"x"}`},
	{"transfer", http.MethodPost, "/dict/pix", `{"pixKey":"fulano@example.com","payment":{"currency":"BRL","amount":1.00}}`},
	{"cashIn", http.MethodPost, "/api/pix/cash-in", saleOrder},
	{"cob", http.MethodPut, "/cob/7978c0c97ea847e78e8849634473c1f1", `{"calendario":{"expiracao":60},"valor":{"original":"1.00"}}`},
	{"refund", http.MethodPut, "/pix/E60701190202603011200k3v9x2m7q1z/devolucao/a", `{"valor":"1.00"}`},
	{"registerWebhook", http.MethodPost, "/api/webhooks", registration},
	{"resendWebhook", http.MethodPost, "/api/resend-webhook/1", `{"url":"https://hooks.example"}`},
}

// swellings make a body as long as one likes.
var swellings = []struct {
	name string
	made func(valid string, bytes int) string
}{
	{"white space", func(valid string, n int) string { return valid + strings.Repeat(" ", max(0, n-len(valid))) }},
	{"unknown fields", func(valid string, n int) string { return grown(valid, n, `"field%d":1,`) }},
	{"one long text", func(valid string, n int) string { return member(valid, `"text":"`+strings.Repeat("x", n)+`"`) }},
	{"one long number", func(valid string, n int) string { return member(valid, `"value":`+strings.Repeat("1", n)) }},
	{"escapes", func(valid string, n int) string { return member(valid, `"text":"`+strings.Repeat(`\u00e9`, n/6)+`"`) }},
	{"brackets", func(_ string, n int) string { return strings.Repeat("[", n) }},
	{"a long name around many items", func(valid string, n int) string {
		return member(valid, fmt.Sprintf(`"%s":[%s0]`, strings.Repeat("x", n/2), strings.Repeat("0,", n/4)))
	}},
	{"wrong splits", func(_ string, n int) string { return listOf(saleOrder, "splits", `{"pixKeyType":"CPF"}`, n) }},
	{"splits with wrong amounts", func(_ string, n int) string {
		return listOf(saleOrder, "splits", `{"pixKey":"a","pixKeyType":"CPF","value":1e99}`, n)
	}},
	{"splits that are no objects", func(_ string, n int) string { return listOf(saleOrder, "splits", `1`, n) }},
	{"wrong information", func(_ string, n int) string {
		return member(saleOrder, `"additionalInfo":{`+strings.TrimSuffix(grown("", n, `"%d":1,`), ",")+`}`)
	}},
	{"wrong details", func(valid string, n int) string { return listOf(valid, "infoAdicionais", `{"nome":1,"valor":1}`, n) }},
	{"wrong headers", func(_ string, n int) string {
		return listOf(`{"url":"https://hooks.example","eventType":"cash_out"}`, "headers", `{"key":1}`, n)
	}},
	{"wrong institutions", func(valid string, n int) string { return listOf(valid, "ispbDeny", `1`, n) }},
}

// member adds a member to the front of an object.
func member(object, text string) string { return "{" + text + "," + object[1:] }

// listOf adds an array of as many items as fit.
func listOf(object, name, item string, bytes int) string {
	items := strings.Repeat(item+",", max(1, (bytes-len(object)-len(name)-6)/(len(item)+1)))
	return member(object, fmt.Sprintf(`"%s":[%s]`, name, strings.TrimSuffix(items, ",")))
}

// grown adds members, each made of its number, until the object is long enough.
func grown(object string, bytes int, one string) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes-len(object)-len(one); i++ {
		fmt.Fprintf(&b, one, i)
	}
	if object == "" {
		return b.String()
	}
	return "{" + b.String() + object[1:]
}

// costly is a client whose requests are served without a network, to be measured.
type costly struct {
	*client
	header string // with its certificate
}

func newCostly(t testing.TB) costly {
	c := newGateway(t).newClient(t, 100_00)
	return costly{c, certs.Header(c.certificate.PEM())}
}

func (c costly) serve(method, path, body string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set(certificateHeader, c.header)
	r.Header.Set(idempotencyHeader, "6f1d2c3b-4a59-4e68-8f77-1b2c3d4e5f60")
	c.api.ServeHTTP(httptest.NewRecorder(), r)
}

// allocated is how many bytes a function allocates, next to nothing else.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A body of eight times the length allocates about eight times as much, whatever is in it and
// whatever the route, up to the longest that the route takes. What grew with the square would
// be 64 times as much. BenchmarkHostileBodies shows the same of the time.
func TestCostIsInProportionToTheBody(t *testing.T) {
	c := newCostly(t)        // not parallel: others allocate too
	const slack = 256 * 1024 // for the gateway's own work
	for _, route := range bodyRoutes {
		longest := int(bodyBounds[route.operation])
		for _, s := range swellings {
			short, long := s.made(route.valid, longest/8), s.made(route.valid, longest-1<<10)
			require.Less(t, len(long), longest, s.name)
			c.serve(route.method, route.path, short) // what the first request prepares is not of this one
			some := allocated(func() { c.serve(route.method, route.path, short) })
			all := allocated(func() { c.serve(route.method, route.path, long) })
			assert.Less(t, all, 16*some+slack, "%s with %s of %d and %d bytes", route.operation, s.name, len(short), len(long))
		}
	}
}

// BenchmarkHostileBodies shows what bodies cost by the byte: the figures of one route and
// one content stay level from line to line.
func BenchmarkHostileBodies(b *testing.B) {
	c := newCostly(b)
	for _, route := range bodyRoutes {
		for _, s := range swellings {
			for longest := int(bodyBounds[route.operation]); longest > 2<<10; longest /= 8 {
				body := s.made(route.valid, longest-1<<10)
				b.Run(fmt.Sprintf("%s/%s/%d", route.operation, s.name, len(body)), func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					for b.Loop() {
						c.serve(route.method, route.path, body)
					}
				})
			}
		}
	}
}
