package reference

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// However often the gateway is killed while it takes, settles and delivers payments: what it answered is there,
// no centavo is gone or twice, a payment sent again with its externalId is not made again, and each is told, again
// only with the same webhook-id. PIXCERT_KILLS is how often (make soak: 200 times); without it, four times.
func TestKilledGatewayKeepsItsBooks(t *testing.T) {
	t.Parallel()
	const funds, amount, fee = 1_000_000_00, 1, 5
	kills := 4
	if given := os.Getenv("PIXCERT_KILLS"); given != "" {
		var err error
		kills, err = strconv.Atoi(given)
		require.NoError(t, err, "PIXCERT_KILLS is a number")
	}
	data := filepath.Join(t.TempDir(), "gateway.db")
	told := &deliveries{ids: map[string]map[string]int{}}
	sink := httptest.NewUnstartedServer(told)
	sink.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that a kill ends during the handshake
	sink.StartTLS()
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

	// check gives what was spent and what is blocked, once the gateway is gone.
	check := func(answered []string) (spent, blocked pix.Centavos) {
		s, err := store.Open(t.Context(), data)
		require.NoError(t, err)
		require.NoError(t, s.CheckLedger(t.Context(), id))
		for _, transaction := range answered {
			_, err := s.Payment(t.Context(), id, transaction)
			require.NoError(t, err, transaction)
		}
		account, err := s.Account(t.Context(), id)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		return funds - account.Available, account.Blocked
	}

	p := newPayers(t, accessToken)
	var answered []string
	for kill := range kills {
		if kill > 0 {
			g = spawn(t, spawnConfig{Data: data})
		}
		before := len(answered)
		taken := p.send(g)
		for range 1 << rand.IntN(12) { // from the first moment to a second of load
			transaction, ok := <-taken
			require.True(t, ok, "the clients have given up")
			answered = append(answered, transaction)
		}
		g.kill(t)
		for transaction := range taken {
			answered = append(answered, transaction)
		}
		spent, _ := check(answered[before:])
		assert.GreaterOrEqual(t, spent, pix.Centavos(len(answered)*(amount+fee)))
		assert.Zero(t, spent%(amount+fee), "each payment took its amount and its fee, once")
	}

	g = spawn(t, spawnConfig{Data: data})
	answered = append(answered, p.resend(g)...)
	patience := time.AfterFunc(2*time.Minute, func() { _ = g.command.Process.Kill() }) // what is lost would be waited for
	defer patience.Stop()
	status, answer = send(t, http.MethodPut, g.ControlsURL()+"/accounts/"+path.Base(controls)+"/clock", nil, `{"advance":"1s"}`)
	require.Equal(t, http.StatusOK, status, "the clock moves when what is left is settled and delivered: %v", answer)
	g.kill(t)
	spent, blocked := check(answered)
	assert.Len(t, answered, p.sent(), "each payment was answered in the end")
	assert.Equal(t, pix.Centavos(p.sent()*(amount+fee)), spent, "each payment was made once")
	assert.Zero(t, blocked, "each payment is settled")
	told.mu.Lock()
	defer told.mu.Unlock()
	assert.Len(t, told.ids, p.sent(), "each payment is told")
	repeated := 0
	for _, transaction := range answered {
		assert.Len(t, told.ids[transaction], 1, "webhook-ids of %s", transaction)
		for _, times := range told.ids[transaction] {
			repeated += times - 1
		}
	}
	t.Logf("%d kills, %d payments, %d of them made without an answer and found when sent again, %d deliveries repeated with the same webhook-id",
		kills, p.sent(), p.found.Load(), repeated)
}

// deliveries counts webhooks by transactionId and webhook-id.
type deliveries struct {
	mu  sync.Mutex
	ids map[string]map[string]int
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
}

// payers send payments of one centavo, each one after the other.
type payers struct {
	t          *testing.T
	client     *http.Client
	token      string
	unanswered [8]string // by payer: the externalId of a payment without an answer, which is sent again; or empty
	ids        atomic.Int64
	found      atomic.Int64 // payments that were there when they were sent again
}

func newPayers(t *testing.T, token string) *payers {
	p := &payers{t: t, token: token, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

// sent is how many payments were sent; one sent again counts once.
func (p *payers) sent() int { return int(p.ids.Load()) }

// send sends payments until the gateway is gone, and gives the transactionId of each answer.
func (p *payers) send(g reachable) <-chan string {
	taken := make(chan string)
	var sending sync.WaitGroup
	for i := range p.unanswered {
		sending.Go(func() {
			for {
				transaction := p.pay(g, &p.unanswered[i])
				if transaction == "" {
					return
				}
				taken <- transaction
			}
		})
	}
	go func() { sending.Wait(); close(taken) }()
	return taken
}

// resend sends what has no answer again, and gives the transactionIds.
func (p *payers) resend(g reachable) (answered []string) {
	for i := range p.unanswered {
		if p.unanswered[i] != "" {
			answered = append(answered, p.pay(g, &p.unanswered[i]))
		}
	}
	return answered
}

// pay sends the payment that has no answer, or a new one. It is empty where no answer comes.
func (p *payers) pay(g reachable, externalID *string) (transaction string) {
	again := *externalID != ""
	if !again {
		*externalID = fmt.Sprint(p.ids.Add(1))
	}
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, g.URL()+"/api/pix/cash-out", strings.NewReader(
		fmt.Sprintf(`{"value":0.01,"externalId":%q,"details":{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano de Tal","document":"52998224725"}}`, *externalID)))
	if !assert.NoError(p.t, err) {
		return ""
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.token)
	response, err := p.client.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	var answer struct {
		TransactionID string
		Details       struct{ ExistingTransactionID string }
	}
	if err != nil {
		return ""
	}
	err = json.Unmarshal(raw, &answer)
	switch existing := answer.Details.ExistingTransactionID; {
	case again && existing != "":
		p.found.Add(1)
		transaction = existing
	case assert.NoError(p.t, err) && assert.Equal(p.t, http.StatusCreated, response.StatusCode, "%s", raw):
		transaction = answer.TransactionID
	default:
		return ""
	}
	*externalID = ""
	return transaction
}
