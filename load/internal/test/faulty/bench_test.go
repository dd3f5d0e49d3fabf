package faulty_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/test/faulty"
)

// BenchmarkProxy sends a payment and receives its event through a proxy, with a net/http client
// and sink and a Gateway in the same process.
func BenchmarkProxy(b *testing.B) {
	gateway, err := faulty.StartGateway(faulty.Config{Accounts: 1, Balance: 1 << 50, Webhooks: true})
	require.NoError(b, err)
	defer gateway.Close()
	proxy := faulty.StartProxy(b, faulty.ProxyConfig{Upstream: gateway.URL, Deliveries: faulty.OneIn(1000, faulty.Double, faulty.Alter)})
	arrived := make(chan struct{}, 1<<20)
	sink := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived <- struct{}{} }))
	defer sink.Close()

	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	post := func(token, path, body string) string {
		request, err := http.NewRequest("POST", proxy.URL+path, strings.NewReader(body))
		require.NoError(b, err)
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("X-SSL-Client-Cert", "certificate")
		response, err := client.Do(request)
		require.NoError(b, err)
		defer response.Body.Close()
		var answer strings.Builder
		require.NoError(b, response.Write(&answer))
		return answer.String()
	}
	c := gateway.Credentials()[0]
	answer := post("", "/api/auth/token", fmt.Sprintf(`{"clientId":%q,"clientSecret":%q}`, c.ClientID, c.ClientSecret))
	token := gjson.Get(answer[strings.Index(answer, "{"):], "access_token").String()
	post(token, "/api/webhooks", fmt.Sprintf(`{"url":%q,"eventType":"cash_out"}`, sink.URL))

	var n atomic.Int64
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			post(token, "/api/pix/cash-out", fmt.Sprintf(`{"value":10.50,"externalId":"b%d","details":{"key":"ana@example.com","keyType":"EMAIL","name":"Ana","document":"52998224725"}}`, n.Add(1)))
			<-arrived
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "payments/s")
}
