package world

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

const receives = "Given an account with R$ 500.00 available\nAnd the account receives cash_out webhooks\n"

func TestEventsAreRecorded(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Deliver(2)
	var mu sync.Mutex
	var seen []string
	th.stage.Recorder = func(scenario string, e exchange.Exchange) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, scenario+": "+e.Operation)
	}
	w, _ := th.passes(receives + `And the account receives refund_out webhooks
		When the account sends a cash-out of R$ 1.00
		Then a CashOut event arrives
		And the event should be a POST
		And no refund_out event arrives
		And no event has a header containing "secret"`)
	require.NotEmpty(t, w.Judge.Events)
	for _, d := range w.Judge.Events {
		assert.Equal(t, "CashOut event", d.Operation)
		assert.Equal(t, exchange.Webhook, d.Party)
		assert.Equal(t, "application/json", d.Header.Get("Content-Type"))
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Contains(t, seen, "a.rule/a scenario: CashOut event")
	assert.Contains(t, seen, "a.rule/a scenario: accounts")
	assert.True(t, w.Judge.Reached)
}

func TestURLs(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w, sent := th.passes(`Given an account with R$ 500.00 available
		And the account receives cash_out webhooks at 2 URLs with header X-Secret "abc"
		And the account receives cash_out webhooks at the same URL
		And the first webhook endpoint returns 500
		When the account sends a cash-out
		Then a CashOut event arrives at each URL`)
	require.Len(t, sent, 4)
	assert.Equal(t, sent[1].SentText("url"), sent[2].SentText("url"))
	assert.Equal(t, "X-Secret", sent[0].SentText("headers[0].key"))
	assert.Len(t, w.mail.opened, 3, "one for each valid registration")

	th.stage.Claims = func(f target.Family) bool { return f != target.MEDFamily }
	_, sent = th.passes("Given an account\nAnd the account receives webhooks of every type")
	assert.Len(t, sent, 4, "of the families that are claimed")

	s := th.script("Given an account\nAnd the account receives cash_out webhooks")
	s.Paths = []string{"/one", "/two"}
	w, _ = th.play(s)
	assert.True(t, strings.HasSuffix(w.Judge.It().SentText("url"), "/one"))
}

// Receivers may be slow, and redirect to a URL that the account has not registered.
func TestReceivers(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w, _ := th.passes(`Given an account with R$ 500.00 available
		And the account has sent a webhook registration with url a URL with an escaped path
		And the webhook endpoint redirects to a new URL with 307
		When the account sends a cash-out
		Then a CashOut event arrives`)
	d := w.Judge.Events[0]
	assert.Equal(t, 307, d.Exchange.Status)
	assert.Contains(t, d.At, "/c%2Fd/")
	assert.Len(t, w.Judge.Temporary, 1)
	slow := responseOf(w, language.ReceiverAnswers{Status: 200, Manner: language.AfterASecond})
	assert.Equal(t, time.Second, slow.After)
}

// An event that has not come fails the step when its time is over, and no sooner.
func TestAnEventThatDoesNotCome(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Deliver(0)
	th.stage.Terms.Deadlines.Webhook = 100 * time.Millisecond
	began := time.Now()
	_, r := th.play(th.script(receives + "When the account sends a cash-out of R$ 1.00\nThen a CashOut event arrives"))
	assert.Equal(t, verdict.Fail, r.Verdict)
	assert.Equal(t, "none", r.Finding.Got)
	assert.GreaterOrEqual(t, time.Since(began), 100*time.Millisecond)
}

// A quiet time ends, also while something arrives all the time, and what came after the last
// step is no evidence of it.
func TestAQuietTimeEndsInAFlood(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w := New(th.stage, th.script(receives+"When the account sends a resend request with path transactionIdentifier no-such-order\nAnd the account sends a cash-in\nThen no event arrives"))
	ended := make(chan struct{})
	var flood sync.WaitGroup
	for i := range w.Steps {
		if i == len(w.Steps)-1 {
			url := w.mail.opened[0].URL()
			th.gateway.Send(url, `{"event":"First"}`)
			for range 4 {
				flood.Go(func() {
					for n := 0; ; n++ {
						select {
						case <-ended:
							return
						default:
							th.gateway.Send(url, fmt.Sprintf(`{"event":"Other","n":%d}`, n))
						}
					}
				})
			}
		}
		r := w.Do(t.Context(), i)
		assert.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
	}
	recorded := len(w.Judge.Events)
	assert.Positive(t, recorded)
	th.gateway.Send(w.mail.opened[0].URL(), `{"event":"Late"}`)
	close(ended)
	flood.Wait()
	w.Leave(t.Context())
	w.Close()
	require.Greater(t, len(w.Judge.Events), recorded)
	last := w.Record.Entries[len(w.Record.Entries)-1]
	assert.Equal(t, len(w.Steps), last.Step)
	assert.Equal(t, exchange.Webhook, last.Exchange.Party)
}

// What arrives at any of the URLs of a scenario wakes it, whichever it waits for.
func TestNoWakeUpIsLost(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w := New(th.stage, Script{})
	defer w.Close()
	for _, path := range []string{"/a", "/b", "/a"} {
		w.mail.open(path)
	}
	require.Len(t, w.mail.opened, 2)
	const each = 200
	var sending sync.WaitGroup
	for _, b := range w.mail.opened {
		for range 2 {
			sending.Go(func() {
				for range each {
					th.gateway.Send(b.URL(), `{}`)
				}
			})
		}
	}
	for len(w.Judge.Events) < 4*each {
		before := time.Now()
		require.NoError(t, w.mail.next(t.Context(), time.Minute))
		require.Less(t, time.Since(before), 30*time.Second, "%d have arrived", len(w.Judge.Events))
		w.collect()
	}
	sending.Wait()
}

// --- accounts of the profile ---

// One URL of each type is registered, and only once.
func TestPlaces(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	for range 2 {
		w := New(th.stage, Script{Rule: "pixcert.accounts", Accounts: th.fixed})
		require.NoError(t, Probe{w}.SettleIn(t.Context(), []string{"cash_in", "cash_out"}))
		w.Close()
	}
	w, sent := th.passes("Given an account\nAnd the account receives cash_out webhooks\nWhen the account sends a webhook list request")
	require.Len(t, sent, 1)
	rows, _ := sent[0].Answer.(map[string]any)["webhooks"].([]any)
	assert.Len(t, rows, 2)
	assert.Contains(t, string(sent[0].ResponseBody), "/pixcert/"+th.fixed[0].Key()+"/cash_out")
	assert.Equal(t, []record.Receiver{{EventType: "cash_out", URL: w.the().place("cash_out").URL()}}, w.Judge.Accounts[0].Receivers)
	assert.NotContains(t, th.fixed[0].Key(), th.fixed[0].ClientID)
	_, r := th.play(th.script("Given an account\nAnd the account receives cash_out webhooks at 2 URLs"))
	assert.Equal(t, verdict.SuiteError, r.Verdict)

	paths := []string{}
	for i := range 2 * len(Places) {
		paths = append(paths, fmt.Sprint("/", i))
	}
	second := &FixedAccount{Index: 1}
	assert.Equal(t, "/8", second.PathOf("cash_in", paths))
	assert.Equal(t, "/15", second.PathOf(TemporaryPlace, paths))
	assert.Equal(t, "/8", second.PathOf("cash_in", append(paths, "/16")), "a path that is added moves no other")
}

// URLs of somebody else must not decide what becomes of a request.
func TestURLsOfSomebodyElse(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(2))
	for n := range 3 {
		th.gateway.Register(0, fmt.Sprint("https://127.0.0.1:9/", n), "cash_out")
	}
	_, r := th.play(th.script("Given an account\nAnd the account receives cash_out webhooks"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Contains(t, r.Finding.Got, "3 webhook URLs for cash_out, none of them")
	_, r = th.play(th.script("Given an account\nWhen the account sends a webhook registration"))
	assert.Contains(t, r.Finding.Got, "so a refusal would prove nothing")
	_, r = th.play(th.script("Given an account\nAnd the account has sent a cash-out\nWhen the account sends a resend request\nThen the request is accepted"))
	assert.Contains(t, r.Finding.Got, "3 other webhook URLs for cash_out")
	w, _ := th.passes("Given an account\nAnd the account has sent a cash-out\nWhen the account sends a resend request with url a new URL\nThen the request is accepted")
	assert.True(t, strings.HasSuffix(w.Judge.Temporary[0], "/resend"))
	_, r = th.play(th.script("Given an account\nWhen the account sends a webhook registration with url \"x\""))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	s := th.script("Given an account\nWhen the account sends a webhook registration with url \"x\"\nThen the request is rejected with 400")
	s.Accounts = th.fixed[1:]
	w, r = th.play(s)
	require.Equal(t, verdict.Pass, r.Verdict, "%+v", r.Finding)
	assert.NotNil(t, w.Judge.RegisteredBefore())
}
