package world

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// An account of the profile gets money only if it needs some, and has afterwards what it had.
func TestFunding(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.passes("Given an account with R$ 100.00 available")
	assert.Empty(t, th.gateway.Calls(), "more is as good")
	th.passes("Given an account with R$ 600.00 available")
	assert.Equal(t, `PUT /accounts/1/balance {"available":"600.00"}; PUT /accounts/1/balance {"available":"500.00"}`, strings.Join(th.gateway.Calls(), "; "))
	th.passes("Given an account with exactly R$ 1.00 available\nAnd the account has R$ 2.00 available")
	assert.Equal(t, `PUT /accounts/1/balance {"available":"1.00"}; PUT /accounts/1/balance {"available":"2.00"}; PUT /accounts/1/balance {"available":"500.00"}`, strings.Join(th.gateway.Calls(), "; "), "what it had before the first")

	th.passes("Given an account with exactly R$ 9.00 available\nAnd the gateway returns sent payments for a list-by-key request")
	calls := th.gateway.Calls()
	require.Len(t, calls, 3)
	assert.Equal(t, calls[0], calls[1], "R$ 9.00 again, after a payment that showed what the list returns")

	s := th.script("Given an account with R$ 600.00 available")
	s.Sharing = true
	_, r := th.play(s)
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Equal(t, "others use the account", r.Finding.Got)
	th.stage.Target.Has = nil
	_, r = th.play(th.script("Given an account with R$ 600.00 available"))
	assert.Contains(t, r.Finding.Got, "the account has R$ 500.00 available, but this scenario requires R$ 600.00")
	assert.Empty(t, th.gateway.Calls())
}

// What a scenario changes is put back, in an order that makes sense, also once the run is
// interrupted; what could not be is tried again before the next scenario.
func TestPutBack(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	const changes = `Given an account
		And settlement waits for the bank
		And 30 minutes pass
		And a cash-out fee of R$ 1.00
		And a daily limit of R$ 9.00
		And refunds wait for the bank
		And the PIX provider is unreachable
		And the account also has a valid certificate`
	const back = `PUT .*settlement {"mode":"automatic"}; PUT .*refunds {"mode":"automatic"}; ` +
		`PUT .*faults {"auth":"none","pixProvider":"none","minimumExpiration":30}; PUT .*clock {"now":".*"}; ` +
		`PUT .*fees {"cashOut":"0.00","cashIn":"0.00"}; PUT .*limits {"perTransaction":null,"daily":null,"night":null,"requestsPerMinute":null}; DELETE .*certificates/.*$`
	th.passes(changes)
	assert.Regexp(t, back, strings.Join(th.gateway.Calls(), "; "))
	assert.Empty(t, th.fixed[0].touched)

	w := New(th.stage, th.script(changes))
	require.Equal(t, verdict.Pass, playOn(t.Context(), w).Verdict)
	th.gateway.Calls()
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	th.fixed[0].AccountID = 99 // which the controls do not know
	w.Leave(interrupted)
	assert.Len(t, th.fixed[0].touched, 7, "the first failed")
	th.fixed[0].AccountID = 1
	w.Leave(interrupted)
	w.Close()
	assert.Regexp(t, back, strings.Join(th.gateway.Calls(), "; "))
	for _, e := range w.Record.Entries[len(w.Record.Entries)-7:] {
		assert.Equal(t, len(w.Steps), e.Step, "it is no the last step")
	}

	th.fixed[0].Touch(Settings[:1])
	th.passes("Given an account")
	assert.Equal(t, []string{`PUT /accounts/1/settlement {"mode":"automatic"}`}, th.gateway.Calls())
	th.fixed[0].Touch(Settings[:1])
	th.fixed[0].AccountID = 99
	_, r := th.play(th.script("Given an account"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict, "its state is unknown")
}

// A certificate that is gone needs no revoking; other errors are errors.
func TestACertificateThatIsGone(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	w := New(th.stage, Script{Accounts: th.fixed})
	defer w.Close()
	require.NoError(t, withoutCertificate("00").put(t.Context(), w.controls(), 1))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, withoutCertificate("00").put(ended, w.controls(), 1))
}

const movesMoney = `
	When the account sends a cash-out of R$ 1.00
	Then the available balance falls by R$ 1.00`

// A scenario that judges money waits for the end of earlier payments.
func TestEarlierPaymentsAreWaitedFor(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	w := New(th.stage, th.script("Given an account\nAnd settlement waits for the bank\nAnd the account has sent a cash-out of R$ 5.00"))
	require.Equal(t, verdict.Pass, playOn(t.Context(), w).Verdict)
	w.Close() // and nothing is put back yet
	pending := *th.fixed[0]
	pending.outstanding = w.Judge.Attempts
	pending.touched = nil
	th.fixed[0] = &pending
	looked := 0
	th.gateway.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/transactions" {
			if looked++; looked == 2 {
				a := &actor{w: w, id: 1}
				go func() {
					_ = a.w.Target.Controls("", discard).SetSettlement(context.WithoutCancel(t.Context()), 1, "automatic")
				}()
			}
		}
		return false
	})
	th.passes("Given an account with R$ 5.00 available" + movesMoney)
	assert.GreaterOrEqual(t, looked, 2)
	assert.Len(t, pending.outstanding, 1, "its own")
	assert.False(t, pending.unsettled)
}

// A payment that does not end leaves the account unsettled: what its balance does is no fault.
func TestUnsettledAccounts(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.stage.Terms.Deadlines.Webhook, th.stage.Terms.Deadlines.Balance = 100*time.Millisecond, 100*time.Millisecond
	s := th.script("Given an account\nAnd settlement waits for the bank\nAnd the account has sent a cash-out of R$ 5.00")
	s.Touches = nil // settlement stays as it is
	_, r := th.play(s)
	require.Equal(t, verdict.Pass, r.Verdict)
	require.Len(t, th.fixed[0].outstanding, 1)
	w, r := th.play(th.script("Given an account\n" + strings.Replace(movesMoney, "falls by R$ 1.00", "is unchanged", 1)))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Contains(t, r.Finding.Got, "earlier payments of this account are still pending")
	assert.True(t, w.Judge.Accounts[0].Unsettled)
	assert.True(t, th.fixed[0].unsettled)
	w, _ = th.play(th.script("Given an account" + movesMoney)) // at once
	assert.True(t, w.Judge.Accounts[0].Unsettled)
}

// A connection that breaks while the end of earlier payments is awaited says nothing of them.
func TestABrokenConnectionMakesNoAccountUnsettled(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	_, sent := th.passes("Given an account\nAnd the account has sent a cash-out of R$ 5.00")
	th.fixed[0].outstanding = sent
	a := th.fixed[0]
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w := New(th.stage, th.script("Given an account"+movesMoney))
	r := w.Do(ended, 0)
	w.Close()
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.False(t, a.unsettled)
	assert.Len(t, a.outstanding, 1)
}

// Refunds and transfers are not found by an externalId.
func TestEndsOfWhatIsNotListed(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	w, _ := th.passes("Given an account with R$ 5.00 available\nAnd the account has sent a transfer\nAnd the account has sent a refund")
	transfer, refund := w.Judge.Attempts[0], w.Judge.Attempts[1]
	end, err := tenant{w.the()}.endOf(t.Context(), transfer)
	require.NoError(t, err)
	assert.Equal(t, reached, end)
	th.gateway.Block(0, 1_00)
	end, err = tenant{w.the()}.endOf(t.Context(), transfer)
	require.NoError(t, err)
	assert.Equal(t, pending, end, "something is blocked that was not before")
	end, err = tenant{w.the()}.endOf(t.Context(), refund)
	require.NoError(t, err)
	assert.Equal(t, notShown, end)

	th.fixed[0].outstanding = []*record.Attempt{refund}
	began := time.Now()
	th.passes("Given an account" + movesMoney)
	assert.GreaterOrEqual(t, time.Since(began), stableFor, "nothing shows but a balance that is stable")
}

// Once others have moved an account's money and no list shows the end of that, its balance has to be
// stable.
func TestOthersMoveMoney(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps  string
		status string // of a paid charge in the list
		waits  bool
	}{
		"a payment":            {"And the account has sent a cash-out of R$ 5.00", "Confirmado", false},
		"a held payment":       {"And settlement waits for the bank\nAnd the account has sent a cash-out of R$ 5.00", "Confirmado", false},
		"a confirmed payment":  {"And a cash-out that is CONFIRMED", "Confirmado", false},
		"a rejected payment":   {"And a cash-out that is ERROR", "Confirmado", true},
		"the clock":            {"And 2 minutes pass", "Confirmado", false},
		"a paid charge":        {"And the account has received R$ 10.00 through a cash-in", "Confirmado", false},
		"a paid charge, wrong": {"And the account has received R$ 10.00 through a cash-in", "Error", true},
		"a charge not listed":  {"And the account has received R$ 10.00 through a cob", "Confirmado", true},
		"concurrent payments":  {"And a cash-in that is PENDING\nWhen a payer pays the charge 2 times concurrently", "Confirmado", true},
		"a MED case":           {"And a MED case that is OPEN", "Confirmado", true},
		"held refunds":         {"And refunds wait for the bank", "Confirmado", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTestStage(t, on(1))
			th.gateway.Receive(c.status)
			th.play(th.script("Given an account with R$ 10.00 available\n" + c.steps))
			assert.Equal(t, c.waits, th.watchesBalance())
			assert.False(t, th.watchesBalance(), "once")
		})
	}
}

// watchesBalance carries out a scenario that judges money, and reports whether it has waited for a
// stable balance first. Otherwise it reads the balance at most three times.
func (th *testStage) watchesBalance() bool {
	th.t.Helper()
	w, _ := th.passes("Given an account" + movesMoney)
	reads := 0
	for _, e := range w.Judge.Exchanges {
		if e.Operation == "balance request" {
			reads++
		}
	}
	return reads > 3
}

// What cannot be found in a list, and whether a control has done it at all.
func TestMovesUntraceably(t *testing.T) {
	t.Parallel()
	type call struct {
		operation, method, body string
		status                  int
	}
	settled := call{"settlement", "POST", `{"transactionId":"tx-1","outcome":"CONFIRMED"}`, 200}
	for name, c := range map[string]struct {
		calls []call
		want  bool
	}{
		"settled":                {[]call{settled}, false},
		"two payments settled":   {[]call{settled, {"settlement", "POST", `{"id":1,"outcome":"CONFIRMED"}`, 200}, {"settlement", "POST", `{"id":2,"outcome":"CONFIRMED"}`, 200}}, false},
		"a rejected transfer":    {[]call{{"settlement", "POST", `{"id":1,"outcome":"ERROR"}`, 200}}, true},
		"a rejected cash-out":    {[]call{{"settlement", "POST", `{"transactionId":"tx-1","outcome":"ERROR"}`, 200}}, false},
		"settled twice":          {[]call{settled, {"settlement", "POST", `{"transactionId":"tx-1","outcome":"ERROR"}`, 200}}, true},
		"a refused second time":  {[]call{settled, {"settlement", "POST", `{"transactionId":"tx-1","outcome":"ERROR"}`, 409}}, false},
		"modes":                  {[]call{{"settlement", "PUT", `{"mode":"manual"}`, 200}, {"settlement", "PUT", `{"mode":"automatic"}`, 200}}, false},
		"the clock":              {[]call{{"clock", "PUT", `{"advance":"1h"}`, 200}, {"clock", "PUT", `{"advance":"1h"}`, 200}}, false},
		"the clock, or not":      {[]call{{"clock", "PUT", `{"advance":"1h"}`, 0}}, true},
		"a settlement, or not":   {[]call{{"settlement", "POST", `{"transactionId":"tx-1"}`, 500}}, true},
		"an unknown payment":     {[]call{{"payments", "POST", `{"pixCode":"1"}`, 201}}, true},
		"a payment, refused":     {[]call{{"payments", "POST", `{"pixCode":"1"}`, 409}}, false},
		"a return":               {[]call{{"returns", "POST", `{"amount":"1.00"}`, 200}}, true},
		"a charge that is ended": {[]call{{"charges", "POST", `{"by":"psp"}`, 200}, {"charges", "GET", "", 200}}, false},
		"a refund that is shown": {[]call{{"refunds", "GET", "", 200}}, false},
	} {
		th := newTestStage(t, on(1))
		w := New(th.stage, Script{Accounts: th.fixed})
		for _, made := range c.calls {
			w.keep(exchange.Exchange{Party: exchange.Control, Operation: made.operation, Method: made.method, Body: []byte(made.body), Status: made.status}, record.Entry{})
		}
		w.Close()
		assert.Equal(t, c.want, w.movesUntraceably(), name)
	}
}

// A payment that an account has received is awaited until the list shows that it is confirmed.
func TestReceivedPaymentsAreAwaited(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	const pays = "Given an account\nAnd the account has received R$ 10.00 through a cash-in"
	th.gateway.Receive("Pendente")
	th.passes(pays)
	looked := 0
	th.gateway.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Has("endToEndId") {
			if looked++; looked == 2 {
				th.gateway.Receive("Confirmado")
			}
		}
		return false
	})
	th.passes("Given an account" + movesMoney)
	assert.GreaterOrEqual(t, looked, 2)
	assert.False(t, th.fixed[0].unsettled)
	assert.False(t, th.fixed[0].movedByOthers)

	th.stage.Terms.Deadlines.Webhook = 100 * time.Millisecond
	_, sent := th.passes(pays)
	th.gateway.Receive("Pendente")
	w, _ := th.passes("Given an account" + movesMoney) // once the balance is stable
	assert.False(t, th.fixed[0].unsettled)
	assert.False(t, w.Judge.Accounts[0].Unsettled)

	th.gateway.Spoil(func(_ http.ResponseWriter, r *http.Request) bool {
		r.URL.RawQuery = "" // a list without filters
		return false
	})
	end, err := tenant{w.the()}.endOf(t.Context(), sent[len(sent)-1])
	require.NoError(t, err)
	assert.Equal(t, notShown, end, "it is another payment that is pending")
}

// What is listed as confirmed may still be blocked.
func TestBlockedMoneyOfEndedPayments(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	assert.False(t, th.watchesBalance())
	th.gateway.Block(0, 1_00)
	assert.True(t, th.watchesBalance())
	assert.False(t, th.watchesBalance(), "it is blocked for good")
}

// Once an account's balance may lag behind an earlier scenario, the next one waits before it reads it.
func TestALagOutlastsAScenario(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.stage.Lag = 100 * time.Millisecond
	earlier, _ := th.passes("Given an account\nAnd the account has sent a cash-out of R$ 5.00")
	w, _ := th.passes("Given an account with R$ 5.00 available")
	first := slices.IndexFunc(w.Judge.Exchanges, func(e *exchange.Exchange) bool { return e.Operation == "balance request" })
	require.GreaterOrEqual(t, first, 0)
	assert.GreaterOrEqual(t, w.Judge.Exchanges[first].Sent.Sub(earlier.acted), th.stage.MostLag())
}

// An order whose result nobody knows may still move money: its end is awaited, as far as it has an id.
func TestOrdersOfUnknownResultAreAwaited(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		order     string
		status    int
		unsettled int
		moved     bool
	}{
		"500":              {"a cash-out of R$ 5.00", 500, 1, false},
		"408":              {"a cash-out of R$ 5.00", 408, 1, false},
		"refused":          {"a cash-out of R$ 5.00", 400, 0, false},
		"a refund":         {"a refund", 500, 0, true}, // which the target has given no id
		"a refused refund": {"a refund", 404, 0, false},
	} {
		th := newTestStage(t, on(1))
		th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
			orders := r.URL.Path == "/api/pix/cash-out" || strings.Contains(r.URL.Path, "/devolucao/")
			if orders {
				fake.Refuse(w, c.status, "ERROR")
			}
			return orders
		})
		th.play(th.script("Given an account\nWhen the account sends " + c.order + "\nThen the request is accepted"))
		assert.Len(t, th.fixed[0].outstanding, c.unsettled, name)
		assert.Equal(t, c.moved, th.fixed[0].movedByOthers, name)
	}
}

// An account that does not come to rest is watched again by the next scenario.
func TestAnAccountIsMovedByOthersUntilItsBalanceIsStable(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.stage.Terms.Deadlines.Balance = 100 * time.Millisecond // less than rest takes
	th.fixed[0].movedByOthers = true
	const judges = "Given an account" + movesMoney
	th.play(th.script(judges)) // which may fail: a busy machine responds later than that
	assert.True(t, th.fixed[0].movedByOthers)
	th.stage.Terms.Deadlines.Balance = 10 * time.Second
	th.passes(judges)
	assert.False(t, th.fixed[0].movedByOthers)
}

// A limit that an account has reached shows its state, unless the scenario is about limits or
// nothing bounds it any more.
func TestLimitsThatAreReached(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/api/pix/cash-out" {
			fake.Refuse(w, 400, "PIX_DAILY_LIMIT_EXCEEDED")
			return true
		}
		return false
	})
	const sends = "When the account sends a cash-out\nThen the request is accepted"
	_, r := th.play(th.script("Given an account\n" + sends))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.True(t, r.Spoiled, "it is repeated without limits")
	_, r = th.play(th.script("Given an account\n" + sends))
	assert.Equal(t, verdict.Fail, r.Verdict)
	assert.Contains(t, th.gateway.Calls(), `PUT /accounts/1/limits {"perTransaction":null,"daily":null,"night":null}`)
	_, r = th.play(th.script("Given an account\nAnd a daily limit of R$ 9.00\n" + sends))
	assert.Equal(t, verdict.Fail, r.Verdict, "it is about that")
	th.stage.Usable = map[target.Control]bool{}
	th.stage.Limited.Store(false)
	_, r = th.play(th.script("Given an account\n" + sends))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.False(t, r.Spoiled, "nobody can lift them")

	limit := "20.00"
	stated := &limit
	th.stage.Target.Profile.Limits.Daily = &stated
	w, _ := th.play(th.script("Given an account\nAnd the account has a daily limit"))
	assert.Equal(t, money.Centavos(20_00), w.ownLimit)
}

// Wrong credentials are reported before a scenario runs.
func TestSettleInReportsWrongCredentials(t *testing.T) {
	t.Parallel()
	th := newTestStage(t, on(1))
	th.fixed[0].ClientSecret = "wrong"
	w := New(th.stage, Script{Accounts: th.fixed})
	defer w.Close()
	require.ErrorContains(t, Probe{w}.SettleIn(t.Context(), []string{"cash_out"}), "the target refuses the credentials: 401")
	assert.Empty(t, th.fixed[0].touched)
}
