package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// However often the gateway is killed while it takes and settles payments, what it answered
// is there, and no centavo is gone or twice.
func TestKilledGatewayKeepsItsBooks(t *testing.T) {
	t.Parallel()
	const crashes, clients, amount, fee = 4, 8, 1, 5
	data := filepath.Join(t.TempDir(), "gateway.db")
	g := spawn(t, spawnConfig{Data: data})
	controls, accessToken := newAccount(t, g)
	id, err := strconv.ParseInt(path.Base(controls), 10, 64)
	require.NoError(t, err)
	for resource, body := range map[string]string{
		"fees":   `{"cashOut":"0.05","cashIn":"0.00"}`,
		"limits": `{"perTransaction":null,"daily":null,"night":null,"requestsPerMinute":null}`,
	} {
		status, answer := send(t, http.MethodPut, controls+"/"+resource, nil, body)
		require.Equal(t, http.StatusNoContent, status, "%v", answer)
	}

	var answered []string
	for crash := range crashes {
		if crash > 0 {
			g = spawn(t, spawnConfig{Data: data})
		}
		taken := make(chan string)
		var sending sync.WaitGroup
		for client := range clients {
			sending.Go(func() {
				for i := 0; ; i++ {
					transaction, ok := cashOut(t, g, accessToken, fmt.Sprintf("%d-%d-%d", crash, client, i))
					if !ok {
						return
					}
					taken <- transaction
				}
			})
		}
		go func() { sending.Wait(); close(taken) }()
		for range 20 + 7*crash {
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
		assert.NoError(t, s.CheckLedger(t.Context(), id))
		for _, transaction := range answered {
			_, err := s.Payment(t.Context(), id, transaction)
			assert.NoError(t, err, transaction)
		}
		account, err := s.Account(t.Context(), id)
		require.NoError(t, err)
		spent := 100_00 - account.Available
		assert.GreaterOrEqual(t, spent, pix.Centavos(len(answered)*(amount+fee)))
		assert.Zero(t, spent%(amount+fee), "each payment took its amount and its fee, once")
		require.NoError(t, s.Close())
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
