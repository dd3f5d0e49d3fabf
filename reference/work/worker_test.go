package work_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait: nothing here takes a fraction of it.
const patience = 20 * time.Second

// receiver takes webhooks over HTTPS. It answers as its reply says, 200 without one.
type receiver struct {
	*httptest.Server
	events chan event
}

type event struct {
	path   string
	header http.Header
	body   map[string]any
}

func newReceiver(t *testing.T, reply http.HandlerFunc) *receiver {
	r := &receiver{events: make(chan event, 10_000)}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		var body map[string]any
		data, _ := io.ReadAll(request.Body)
		if err := json.Unmarshal(data, &body); err != nil {
			t.Errorf("event is no JSON: %s", data)
		}
		r.events <- event{request.URL.Path, request.Header, body}
		if reply != nil {
			reply(w, request)
		}
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) next(t *testing.T) event {
	t.Helper()
	select {
	case e := <-r.events:
		return e
	case <-time.After(patience):
		require.Fail(t, "no event arrived")
		return event{}
	}
}

func (r *receiver) trust() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(r.Certificate())
	return &tls.Config{RootCAs: pool}
}

func open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), "")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

func start(t testing.TB, cfg work.Config) *work.Worker {
	t.Helper()
	w := work.Start(cfg)
	t.Cleanup(w.Close)
	return w
}

// subscribed makes an account with money and no limits, whose cash-outs are told to urls.
func subscribed(t testing.TB, s *store.Store, urls ...string) pix.Account {
	t.Helper()
	ctx := context.Background()
	account, _, err := s.CreateAccount(ctx, store.NewAccount{})
	require.NoError(t, err)
	_, err = s.SetBalance(ctx, account.ID, 1_000_000_00)
	require.NoError(t, err)
	account, err = s.Configure(ctx, account.ID, func(set *pix.Settings) { set.Limits = pix.Limits{} })
	require.NoError(t, err)
	for _, url := range urls {
		_, err := s.RegisterWebhook(ctx, account.ID, pix.Registration{
			Type: pix.CashOutEvent, URL: url, Headers: []pix.Header{{Key: "X-Secret", Value: "abc 123"}},
		})
		require.NoError(t, err)
	}
	return account
}

func pay(t testing.TB, s *store.Store, accountID int64, externalID string, scenario pix.Scenario) pix.Payment {
	t.Helper()
	payment, err := s.CashOut(context.Background(), accountID, pix.CashOutOrder{
		Amount: 1_00, ExternalID: externalID, Key: "11987654321", KeyType: pix.KeyPhone,
		Name: "Fulano", Document: "52998224725", Scenario: scenario,
	})
	require.NoError(t, err)
	return payment
}

// runDue waits until the account has nothing due.
func runDue(t testing.TB, w *work.Worker, accountID int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(t, w.RunDue(ctx, accountID))
}

func TestPaymentIsSettledAndToldToEveryURL(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust(), UserAgent: "gateway/1"})
	account := subscribed(t, s, r.URL+"/a", r.URL+"/b", r.URL+"/c")
	payment := pay(t, s, account.ID, "1", "")
	paths := map[string]bool{}
	for range 3 {
		e := r.next(t)
		paths[e.path] = true
		assert.Equal(t, payment.TransactionID, e.body["transactionId"])
		assert.Equal(t, "CONFIRMED", e.body["status"])
		assert.Equal(t, "application/json", e.header.Get("Content-Type"))
		assert.Equal(t, "gateway/1", e.header.Get("User-Agent"))
		assert.Equal(t, "abc 123", e.header.Get("X-Secret"))
		assert.NotEmpty(t, e.header.Get("webhook-id"))
	}
	assert.Len(t, paths, 3)
	runDue(t, w, account.ID)
	assert.Empty(t, r.events)
	require.NoError(t, s.CheckLedger(t.Context(), account.ID))
}

func TestFailedDeliveryIsRetriedByTheAccountsClock(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]http.HandlerFunc{
		"500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"404": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"not modified": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) },
		"reset":        func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := newReceiver(t, fail), open(t)
			w := start(t, work.Config{Store: s, TLS: r.trust()})
			account := subscribed(t, s, r.URL+"/a")
			pay(t, s, account.ID, "1", "")
			first := r.next(t)
			assert.Equal(t, "/a", first.path)
			runDue(t, w, account.ID)
			for _, wait := range []time.Duration{5, 10, 25} {
				_, err := s.AdvanceClock(t.Context(), account.ID, (wait-1)*time.Minute)
				require.NoError(t, err)
				runDue(t, w, account.ID)
				require.Empty(t, r.events, "before the %d minutes are over", wait)
				_, err = s.AdvanceClock(t.Context(), account.ID, time.Minute)
				require.NoError(t, err)
				runDue(t, w, account.ID)
				require.Len(t, r.events, 1, "the retry is made before RunDue returns")
				retry := r.next(t)
				assert.Equal(t, first.header.Get("webhook-id"), retry.header.Get("webhook-id"))
				assert.Equal(t, first.body, retry.body)
			}
			_, err := s.AdvanceClock(t.Context(), account.ID, 48*time.Hour)
			require.NoError(t, err)
			runDue(t, w, account.ID)
			assert.Empty(t, r.events, "given up")
			attempts, err := s.DeliveryLog(t.Context(), account.ID)
			require.NoError(t, err)
			require.Len(t, attempts, 4)
			assert.Equal(t, attempts[0].Status == 0, attempts[0].Failure != "")
		})
	}
}

func TestDelayHoldsTheWebhookBackAndNotThePayment(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	payment := pay(t, s, account.ID, "1", "delayed:120s")
	runDue(t, w, account.ID)
	payment, err := s.Payment(t.Context(), account.ID, payment.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, pix.Confirmed, payment.Status)
	assert.Empty(t, r.events)
	_, err = s.AdvanceClock(t.Context(), account.ID, 2*time.Minute)
	require.NoError(t, err)
	runDue(t, w, account.ID)
	assert.Len(t, r.events, 1)
}

func TestNextJobIsWokenByTheTimer(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	pay(t, s, account.ID, "1", "delayed:1s")
	r.next(t)
}

func TestSlowReceiverHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	slow := newReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(release) }) // before the receiver is closed
	quick, s := newReceiver(t, nil), open(t)
	trust := quick.trust()
	trust.RootCAs.AddCert(slow.Certificate())
	w := start(t, work.Config{Store: s, TLS: trust})
	account, other := subscribed(t, s, slow.URL, quick.URL), subscribed(t, s, quick.URL)
	const payments = 100 // more than are sent to one URL at once
	for i := range payments {
		pay(t, s, account.ID, fmt.Sprint(i), "")
		pay(t, s, other.ID, fmt.Sprint(i), "")
	}
	for range 2 * payments {
		quick.next(t)
	}
	runDue(t, w, other.ID)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	assert.ErrorIs(t, w.RunDue(ctx, account.ID), context.DeadlineExceeded)
	balances, err := s.Account(t.Context(), account.ID)
	require.NoError(t, err)
	assert.Zero(t, balances.Blocked, "all is settled")
}

// leavesFirst is a receiver that does not answer its first delivery. The channel is closed
// when the sender gives that up.
func leavesFirst(t *testing.T) (r *receiver, givenUp chan struct{}) {
	givenUp = make(chan struct{})
	var deliveries atomic.Int64
	return newReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		if deliveries.Add(1) == 1 {
			<-r.Context().Done()
			close(givenUp)
		}
	}), givenUp
}

func requireOpen(t *testing.T, channel <-chan struct{}, told string) {
	t.Helper()
	select {
	case <-channel:
		require.Fail(t, told)
	default:
	}
}

// What one delivery waits for the others of its URL do not, nor do those that become due
// meanwhile.
func TestUnansweredDeliveryHoldsUpItselfAlone(t *testing.T) {
	t.Parallel()
	r, givenUp := leavesFirst(t)
	s := open(t)
	start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	for i := range 100 { // more than are sent to one URL at once
		pay(t, s, account.ID, fmt.Sprint(i), "")
	}
	for range 100 {
		r.next(t)
	}
	pay(t, s, account.ID, "late", "")
	assert.Equal(t, "late", r.next(t).body["externalId"])
	requireOpen(t, givenUp, "expected all others while the first was unanswered")
}

// Nor do those that become due with nothing else to wake the worker.
func TestUnansweredDeliveryHoldsNoneUpThatBecomesDueLater(t *testing.T) {
	t.Parallel()
	r, givenUp := leavesFirst(t)
	s := open(t)
	start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	pay(t, s, account.ID, "unanswered", "")
	assert.Equal(t, "unanswered", r.next(t).body["externalId"])
	pay(t, s, account.ID, "later", "delayed:1s")
	assert.Equal(t, "later", r.next(t).body["externalId"])
	requireOpen(t, givenUp, "expected the later one while the first was unanswered")
}

// More URLs than there are couriers: all are served.
func TestCouriersGoRound(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	start(t, work.Config{Store: s, TLS: r.trust()})
	const accounts, payments = 70, 3
	for i := range accounts {
		account := subscribed(t, s, fmt.Sprintf("%s/%d", r.URL, i))
		for n := range payments {
			pay(t, s, account.ID, fmt.Sprint(n), "")
		}
	}
	told := make(map[string]int)
	for range accounts * payments {
		told[r.next(t).path]++
	}
	assert.Len(t, told, accounts)
}

func TestEveryPaymentIsToldOnce(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	const payments = 300
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			for n := range payments / 10 {
				pay(t, s, account.ID, fmt.Sprintf("%d/%d", i, n), "")
			}
		})
	}
	all.Wait()
	runDue(t, w, account.ID)
	require.Len(t, r.events, payments)
	told := map[any]bool{}
	for range payments {
		told[r.next(t).body["transactionId"]] = true
	}
	assert.Len(t, told, payments)
	require.NoError(t, s.CheckLedger(t.Context(), account.ID))
}

func TestSendMakesOneAttemptAtOnce(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }), open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust()})
	attempt := w.Send(t.Context(), store.Delivery{
		URL: r.URL + "/once", MessageID: "msg_1", Headers: []pix.Header{{Key: "X-Secret", Value: "1"}}, Body: `{"a":1}`,
	})
	assert.Equal(t, http.StatusTeapot, attempt.Status)
	assert.Empty(t, attempt.Failure)
	sent := r.next(t)
	assert.Equal(t, "/once", sent.path)
	assert.Equal(t, "msg_1", sent.header.Get("webhook-id"))
	assert.Equal(t, "1", sent.header.Get("X-Secret"))
	assert.Equal(t, map[string]any{"a": 1.0}, sent.body)
	assert.Empty(t, r.events, "it is not tried again")
}

func TestClosedWorkerLeavesTheDeliveryToTheNext(t *testing.T) {
	t.Parallel()
	var once sync.Once
	r := newReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		once.Do(func() { <-r.Context().Done() }) // the first is never answered
	})
	s := open(t)
	account := subscribed(t, s, r.URL)
	first := work.Start(work.Config{Store: s, TLS: r.trust()})
	pay(t, s, account.ID, "1", "")
	begun := r.next(t)
	first.Close()
	assert.ErrorIs(t, first.RunDue(t.Context(), account.ID), work.ErrClosed)

	second := start(t, work.Config{Store: s, TLS: r.trust()})
	runDue(t, second, account.ID)
	again := r.next(t)
	assert.Equal(t, begun.header.Get("webhook-id"), again.header.Get("webhook-id"))
	attempts, err := s.DeliveryLog(t.Context(), account.ID)
	require.NoError(t, err)
	require.Len(t, attempts, 1)
	assert.Equal(t, 1, attempts[0].Number)
}

func TestAddressIsJudgedWhenItIsDialled(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	w := start(t, work.Config{Store: s, TLS: r.trust(), DialControl: func(_, address string, _ syscall.RawConn) error {
		return errors.New("not allowed: " + address)
	}})
	account := subscribed(t, s, r.URL)
	pay(t, s, account.ID, "1", "")
	runDue(t, w, account.ID)
	attempts, err := s.DeliveryLog(t.Context(), account.ID)
	require.NoError(t, err)
	require.Len(t, attempts, 1)
	assert.Contains(t, attempts[0].Failure, "not allowed: 127.0.0.1")
	again := w.Send(t.Context(), store.Delivery{URL: r.URL, Body: "{}"})
	assert.Zero(t, again.Status)
	assert.Contains(t, again.Failure, "not allowed: 127.0.0.1")
	assert.Empty(t, r.events)
}

func TestUntrustedReceiverGetsNothing(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	w := start(t, work.Config{Store: s})
	account := subscribed(t, s, r.URL)
	pay(t, s, account.ID, "1", "")
	runDue(t, w, account.ID)
	attempts, err := s.DeliveryLog(t.Context(), account.ID)
	require.NoError(t, err)
	require.Len(t, attempts, 1)
	assert.Contains(t, attempts[0].Failure, "certificate")
}

func TestWireCanBeWrapped(t *testing.T) {
	t.Parallel()
	r, s := newReceiver(t, nil), open(t)
	start(t, work.Config{Store: s, TLS: r.trust(), Wrap: func(wire http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			request = request.Clone(request.Context())
			request.Header.Set("X-Wrapped", "yes")
			return wire.RoundTrip(request)
		})
	}})
	account := subscribed(t, s, r.URL)
	pay(t, s, account.ID, "1", "")
	assert.Equal(t, "yes", r.next(t).header.Get("X-Wrapped"))
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTransferThatNobodySettlesExpires(t *testing.T) {
	t.Parallel()
	s, r := open(t), newReceiver(t, nil)
	w := start(t, work.Config{Store: s, TLS: r.trust()})
	account := subscribed(t, s, r.URL)
	_, err := s.Configure(t.Context(), account.ID, func(set *pix.Settings) { set.Settlement = pix.Manual })
	require.NoError(t, err)
	require.NoError(t, s.PutDirectoryKey(t.Context(), pix.DirectoryEntry{
		Key: "fulano@example.com", Name: "Fulano", Document: "52998224725", ISPB: "60701190", Status: pix.AccountActive,
	}))
	transfer, err := s.Transfer(t.Context(), account.ID, pix.TransferOrder{
		IdempotencyKey: pix.NewUUID(), Key: "fulano@example.com", Currency: pix.Currency, Amount: 1_00, Expiration: time.Hour,
	})
	require.NoError(t, err)
	_, err = s.AdvanceClock(t.Context(), account.ID, time.Hour)
	require.NoError(t, err)
	runDue(t, w, account.ID)
	data := r.next(t).body["data"].(map[string]any)
	assert.Equal(t, []any{"ERROR", transfer.EndToEndID}, []any{data["status"], data["endToEndId"]})
	account, err = s.Account(t.Context(), account.ID)
	require.NoError(t, err)
	assert.EqualValues(t, 1_000_000_00, account.Available)
	assert.NoError(t, s.CheckLedger(t.Context(), account.ID))
}
