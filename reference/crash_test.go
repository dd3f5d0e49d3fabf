package reference

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// However often the gateway is killed while it takes, settles and delivers payments, what it answered
// is there, no centavo is gone or twice, and each payment is told, again only with the same webhook-id.
// PIXCERT_KILLS is how often (make soak: 200 times); without it, four times.
func TestKilledGatewayKeepsItsBooks(t *testing.T) {
	t.Parallel()
	const clients, funds, amount, fee = 8, 1_000_000_00, 1, 5
	kills := 4
	if given := os.Getenv("PIXCERT_KILLS"); given != "" {
		var err error
		kills, err = strconv.Atoi(given)
		require.NoError(t, err, "PIXCERT_KILLS is a number")
	}
	data := filepath.Join(t.TempDir(), "gateway.db")
	told := &deliveries{ids: map[string]map[string]int{}, changed: make(chan struct{}, 1)}
	sink := httptest.NewTLSServer(told)
	t.Cleanup(sink.Close)
	g := spawn(t, spawnConfig{Data: data})
	controls, accessToken := newAccount(t, g)
	id, err := strconv.ParseInt(path.Base(controls), 10, 64)
	require.NoError(t, err)
	for resource, body := range map[string]string{
		"balance": `{"available":"1000000.00"}`,
		"fees":    `{"cashOut":"0.05","cashIn":"0.00"}`,
		"limits":  `{"perTransaction":null,"daily":null,"night":null,"requestsPerMinute":null}`,
	} {
		status, answer := send(t, http.MethodPut, controls+"/"+resource, nil, body)
		require.Equal(t, http.StatusNoContent, status, "%v", answer)
	}
	status, answer := send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":"cash_out"}`, sink.URL))
	require.Equal(t, http.StatusOK, status, "%v", answer)

	var answered []string
	for kill := range kills {
		if kill > 0 {
			g = spawn(t, spawnConfig{Data: data})
		}
		before := len(answered)
		taken := make(chan string)
		var sending sync.WaitGroup
		for client := range clients {
			sending.Go(func() {
				for i := 0; ; i++ {
					transaction, ok := cashOut(t, g, accessToken, fmt.Sprintf("%d-%d-%d", kill, client, i))
					if !ok {
						return
					}
					taken <- transaction
				}
			})
		}
		go func() { sending.Wait(); close(taken) }()
		for range 1 + rand.IntN(100) {
			transaction, ok := <-taken
			require.True(t, ok, "the clients have given up")
			answered = append(answered, transaction)
		}
		g.kill(t)
		for transaction := range taken {
			answered = append(answered, transaction)
		}

		s, err := store.Open(t.Context(), data)
		require.NoError(t, err)
		require.NoError(t, s.CheckLedger(t.Context(), id))
		since := before
		if kill == kills-1 {
			since = 0
		}
		for _, transaction := range answered[since:] {
			_, err := s.Payment(t.Context(), id, transaction)
			require.NoError(t, err, transaction)
		}
		account, err := s.Account(t.Context(), id)
		require.NoError(t, err)
		spent := funds - account.Available
		assert.GreaterOrEqual(t, spent, pix.Centavos(len(answered)*(amount+fee)))
		assert.Zero(t, spent%(amount+fee), "each payment took its amount and its fee, once")
		require.NoError(t, s.Close())
	}

	spawn(t, spawnConfig{Data: data}) // which delivers what is left
	told.waitFor(t, answered)
	told.mu.Lock()
	defer told.mu.Unlock()
	repeated := 0
	for transaction, ids := range told.ids {
		assert.Len(t, ids, 1, "webhook-ids of %s", transaction)
		for _, times := range ids {
			repeated += times - 1
		}
	}
	t.Logf("%d kills, %d payments answered, %d told, %d deliveries repeated with the same webhook-id", kills, len(answered), len(told.ids), repeated)
}

// deliveries counts webhooks by transactionId and webhook-id.
type deliveries struct {
	mu      sync.Mutex
	ids     map[string]map[string]int
	changed chan struct{}
}

func (d *deliveries) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var told struct{ TransactionID string }
	if json.NewDecoder(r.Body).Decode(&told) != nil {
		return // the gateway was killed while it sent
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids[told.TransactionID] == nil {
		d.ids[told.TransactionID] = map[string]int{}
	}
	d.ids[told.TransactionID][r.Header.Get("webhook-id")]++
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// waitFor waits until all of the payments are told.
func (d *deliveries) waitFor(t *testing.T, transactions []string) {
	t.Helper()
	deadline := time.After(time.Minute)
	for {
		missing := ""
		d.mu.Lock()
		for _, transaction := range transactions {
			if len(d.ids[transaction]) == 0 {
				missing = transaction
				break
			}
		}
		d.mu.Unlock()
		if missing == "" {
			return
		}
		select {
		case <-d.changed:
		case <-deadline:
			require.Fail(t, "no webhook", "of the payment %s", missing)
		}
	}
}

// cashOut sends a payment of one centavo; it is false where no answer comes.
func cashOut(t *testing.T, g reachable, accessToken, externalID string) (transaction string, ok bool) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL()+"/api/pix/cash-out", strings.NewReader(
		fmt.Sprintf(`{"value":0.01,"externalId":%q,"details":{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}}`, externalID)))
	if !assert.NoError(t, err) {
		return "", false
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+accessToken)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", false
	}
	defer response.Body.Close()
	var answer struct{ TransactionID string }
	if json.NewDecoder(response.Body).Decode(&answer) != nil {
		return "", false
	}
	return answer.TransactionID, assert.Equal(t, http.StatusCreated, response.StatusCode)
}
