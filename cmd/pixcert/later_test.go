package main

import (
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// laterRefunds delays the debit of a gateway's refunds: until the balance or the list has been read a
// few times, the balance still includes the money and the list shows the refunds as pending.
type laterRefunds struct {
	next  http.Handler
	looks int
	alone bool   // all requests are those of one account
	fault string // what each refused refund takes, in reais; empty for nothing

	mu      sync.Mutex
	pending map[string][]*laterRefund // by account
	lost    map[string]*big.Rat       // to the fault, by account
}

type laterRefund struct {
	rtrID  string
	amount *big.Rat
	looks  int // left
}

func (l *laterRefunds) wrap(next http.Handler) http.Handler {
	l.next, l.pending, l.lost = next, map[string][]*laterRefund{}, map[string]*big.Rat{}
	return l
}

func (l *laterRefunds) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	account := r.Header.Get("Authorization")
	if l.alone {
		account = ""
	}
	answer := httptest.NewRecorder()
	l.next.ServeHTTP(answer, r)
	body := answer.Body.String()
	l.mu.Lock()
	switch {
	case strings.Contains(r.URL.Path, "/devolucao/"):
		l.refund(account, answer.Code, body)
	case r.URL.Path == "/accounts/balances":
		body = l.balance(account, body)
	case r.URL.Query().Get("endToEndId") != "":
		body = l.list(account, r.URL.Query().Get("endToEndId"), body)
	}
	l.mu.Unlock()
	header := answer.Header().Clone()
	header.Del("Content-Length")
	for name, values := range header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = io.WriteString(w, body)
}

func (l *laterRefunds) refund(account string, status int, body string) {
	var made struct{ RtrID, Valor string }
	_ = json.Unmarshal([]byte(body), &made) // the reference's own answer
	if amount, ok := new(big.Rat).SetString(made.Valor); ok && status < 300 {
		l.pending[account] = append(l.pending[account], &laterRefund{made.RtrID, amount, l.looks})
	}
	if taken, ok := new(big.Rat).SetString(l.fault); ok && status >= 400 {
		l.lost[account] = taken
	}
}

func (l *laterRefunds) balance(account, body string) string {
	var b struct {
		Data []map[string]any `json:"data"`
	}
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&b) != nil || len(b.Data) == 0 {
		return body
	}
	amounts := b.Data[0]["balanceAmount"].(map[string]any)
	available, _ := new(big.Rat).SetString(amounts["available"].(json.Number).String())
	for _, p := range l.pending[account] {
		if p.looks > 0 {
			p.looks--
			available.Add(available, p.amount)
		}
	}
	if lost := l.lost[account]; lost != nil {
		available.Sub(available, lost)
	}
	amounts["available"] = json.Number(available.FloatString(2))
	changed, _ := json.Marshal(b)
	return string(changed)
}

func (l *laterRefunds) list(account, rtrID, body string) string {
	for _, p := range l.pending[account] {
		if p.rtrID == rtrID && p.looks > 0 {
			p.looks--
			return strings.ReplaceAll(body, `"Confirmado"`, `"Pendente"`)
		}
	}
	return body
}

// The delayed debit of an earlier refund is not mistaken for a debit of a rejected one. A rejected
// refund that does debit money is found.
func TestRefundsMayTakeTheirMoneyLater(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	for name, c := range map[string]struct {
		fault string
		want  verdict.Outcome
	}{
		"at the second look":                {"", verdict.Conforms},
		"and a refusal takes some too":      {"0.50", verdict.DoesNotConform},
		"and a refusal as much as they did": {"8.00", verdict.DoesNotConform},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			later := &laterRefunds{looks: 1, fault: c.fault}
			profile, stop, err := bundled(t.Context(), reference.Config{Wrap: later.wrap})
			require.NoError(t, err)
			defer stop()
			if c.fault != "" {
				profile.Deadlines.Balance = time.Second // a wrong balance is polled for all of it
			}
			result, err := run.Certify(t.Context(), run.Options{Target: profile, Rules: []string{"refund.sum", "refund.left-open"}, Seed: 1})
			require.NoError(t, err)
			require.Equal(t, c.want, result.Outcome(), "%v: %+v", result.Summary(), findings(result))
		})
	}
}

// On a fixed account, a scenario waits for the refunds of earlier scenarios.
func TestScenariosWaitForEarlierRefunds(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	later := &laterRefunds{looks: 4, alone: true}
	profile := openSandbox(t, reference.Config{Wrap: later.wrap}, 1, "refunds", "settlement", "fees")
	profile.Deadlines.Balance = time.Second
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: "@refund", Seed: 1})
	require.NoError(t, err)
	for _, s := range result.Scenarios {
		require.True(t, s.Verdict == verdict.Pass || s.Verdict == verdict.Warning || len(s.Missing) > 0, "%s: %v: %+v", s.ID(), s.Verdict, s.Finding)
	}
}

// The run judges what the plan promises, also if the profile states what controls would set: the run
// does not try to reset settings that it cannot change.
func TestTheRunJudgesWhatThePlanPromises(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	profile := openSandbox(t, reference.Config{}, 1, "all")
	most, day := "15000.00", "100000.00" // those of the reference
	perTransaction, daily := &most, &day
	profile.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"}
	profile.Limits = target.Limits{PerTransaction: &perTransaction, Daily: &daily}
	options := run.Options{Target: profile, Seed: 1}
	forecast, err := run.Foresee(t.Context(), options, false)
	require.NoError(t, err)
	result, err := run.Certify(t.Context(), options)
	require.NoError(t, err)
	judged := map[string]int{}
	for _, s := range result.Scenarios {
		require.NotContains(t, []verdict.Verdict{verdict.Fail, verdict.SuiteError}, s.Verdict, "%s: %+v", s.ID(), s.Finding)
		if s.Verdict == verdict.Pass || s.Verdict == verdict.Warning {
			judged[s.Rule]++
		}
	}
	for _, feature := range forecast.Features {
		for _, rule := range feature.Rules {
			if !strings.HasPrefix(rule.Name, "contract.") { // all other scenarios test these
				require.Equal(t, rule.Testable, judged[rule.Name], rule.Name)
			}
		}
	}
	require.Equal(t, 2, judged["cash-out.own-limits"])
}

// If an account has limits that the profile does not state, reaching them is not a failure.
func TestUnstatedLimitsAreNoFault(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{WrapControls: func(next http.Handler) http.Handler {
		return givingEach(next, map[string]string{"limits": `{"perTransaction": "50.00", "daily": "70.00", "night": "50.00"}`})
	}})
	require.NoError(t, err)
	defer stop()
	profile.Control.Without = []target.Control{target.LimitsControl}
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: "@cash-out or @qr-cash-out", Seed: 1})
	require.NoError(t, err)
	came := map[string]verdict.Verdict{}
	for _, s := range result.Scenarios {
		came[s.ID()] = s.Verdict
		require.NotContains(t, []verdict.Verdict{verdict.Fail, verdict.SuiteError}, s.Verdict, "%s: %+v", s.ID(), s.Finding)
	}
	for _, id := range []string{
		"cash-out.business-codes/PIX_INSUFFICIENT_BALANCE",
		"cash-out.covers-fee/Concurrent cash-outs do not overdraw the account",
		"qr-cash-out.code/A published code is accepted: an amount without cents",
	} {
		require.Equal(t, verdict.CouldNotTest, came[id], id)
	}
}

// findings returns the findings of a run.
func findings(result *verdict.Run) []string {
	var all []string
	for _, s := range result.Scenarios {
		if s.Finding != nil {
			all = append(all, s.ID()+": "+s.Finding.Got)
		}
	}
	return all
}
