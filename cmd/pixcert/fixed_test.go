package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// openSandbox starts a reference with some accounts, and then hides controls from the suite: accounts
// and the named ones; "all" hides every control.
func openSandbox(t *testing.T, cfg reference.Config, accounts int, hidden ...string) target.Profile {
	t.Helper()
	profile, stop, err := bundled(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(stop)
	issuer, err := certs.NewAuthority()
	require.NoError(t, err)
	profile, err = fixedAccounts(t.Context(), profile, issuer, accounts)
	require.NoError(t, err)
	for _, account := range profile.Accounts {
		giveHistory(t, profile, account)
	}
	for _, name := range hidden {
		profile.Control.Without = append(profile.Control.Without, target.Control(name))
	}
	if slices.Contains(hidden, "all") {
		profile.Control = nil
	}
	profile.Sink.Listen, err = freeAddress()
	require.NoError(t, err)
	return profile
}

// giveHistory adds payments to an account, and a webhook of somebody else.
func giveHistory(t *testing.T, profile target.Profile, account target.Account) {
	t.Helper()
	var token struct {
		AccessToken string `json:"access_token"`
	}
	call(t, http.MethodPost, profile.BaseURL+"/api/auth/token", http.Header{"X-Ssl-Client-Cert": {certs.Header(account.Certificate)}},
		map[string]any{"clientId": account.ClientID, "clientSecret": account.ClientSecret}, &token)
	bearer := http.Header{"Authorization": {"Bearer " + token.AccessToken}}
	call(t, http.MethodPost, profile.BaseURL+"/api/webhooks", bearer, map[string]any{"url": "https://127.0.0.1:9/somebody", "eventType": "cash_in"}, nil)
	for i := range 25 {
		call(t, http.MethodPost, profile.BaseURL+"/api/pix/cash-out", bearer, map[string]any{
			"value": 1.5, "externalId": fmt.Sprintf("history-%d", i), "description": "Before all runs",
			"details": map[string]any{"key": "fulano@example.com", "keyType": "EMAIL", "name": "Fulano de Tal", "document": "52998224725"},
		}, nil)
		call(t, http.MethodPost, profile.BaseURL+"/api/pix/cash-in", bearer, map[string]any{
			"transaction": map[string]any{"value": 1.5, "externalId": fmt.Sprintf("earlier-%d", i), "description": "Before all runs", "expirationTime": 86400},
			"payer":       map[string]any{"fullName": "Fulano de Tal", "document": "52998224725"},
		}, nil)
	}
}

// call sends a request that must succeed.
func call(t *testing.T, method, url string, header http.Header, body, into any) {
	t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(encoded))
	require.NoError(t, err)
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var answer bytes.Buffer
	_, err = answer.ReadFrom(response.Body)
	require.NoError(t, err)
	require.Less(t, response.StatusCode, 300, "%s %s: %s", method, url, answer.String())
	if into != nil {
		require.NoError(t, json.Unmarshal(answer.Bytes(), into))
	}
}

// Nor do random walks find anything on fixed accounts with any history. PIXCERT_WALKS is the number of walks on each
// target; without it, there are few.
func TestExploringFixedAccountsFindsNothing(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	walks := number(t, "PIXCERT_WALKS", 6)
	for name, c := range map[string]struct {
		accounts int
		hidden   []string
	}{
		"one account":                      {1, nil},
		"two accounts, without the clock":  {2, []string{"clock", "limits"}},
		"two accounts, without settlement": {2, []string{"settlement", "fees"}},
		"two accounts, no controls":        {2, []string{"all"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := explore.Explore(t.Context(), explore.Options{
				Run: run.Options{Target: openSandbox(t, reference.Config{}, c.accounts, c.hidden...)}, Seed: 1, Walks: int(walks),
			})
			require.NoError(t, err)
			for _, f := range report.Findings {
				t.Logf("expected %s, got %s\n%s", f.Result.Finding.Expected, f.Result.Finding.Got, f.Walk.Scenario(f.Name()))
			}
			require.Zero(t, len(report.Findings))
			t.Logf("%d walks, %d calls, %v, could not be completed: %v", report.Walks, report.Calls, report.Transitions, report.Incomplete)
		})
	}
}

// On fixed accounts with any history, everything that can be tested passes, and every run has the same
// verdicts. PIXCERT_RUNS is the number of consecutive runs of everything; without it, only the targets
// with the fewest and the most controls are tested, and the second run is of the rules about what an
// account keeps.
func TestRunsOnFixedAccounts(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	runs, again := int(number(t, "PIXCERT_RUNS", 2)), "@webhook or @delivery or @cash-out or @lists or @refund.sum"
	all := os.Getenv("PIXCERT_RUNS") != ""
	if all {
		again = ""
	}
	for name, c := range map[string]struct {
		accounts int
		hidden   []string
	}{
		"one account":               {1, nil},
		"two accounts":              {2, nil},
		"one account, no controls":  {1, []string{"all"}},
		"two accounts, no controls": {2, []string{"all"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !all && (c.accounts == 1) != (c.hidden != nil) {
				t.Skip("PIXCERT_RUNS is not set")
			}
			profile := openSandbox(t, reference.Config{}, c.accounts, c.hidden...)
			var first map[string]verdict.Verdict
			for n := range runs {
				options := run.Options{Target: profile, Seed: int64(n + 1)}
				if n > 0 {
					options.Tags = again
				}
				result, err := run.Certify(t.Context(), options)
				require.NoError(t, err)
				came := map[string]verdict.Verdict{}
				for _, s := range result.Scenarios {
					came[s.ID()] = s.Verdict
					if s.Finding != nil && (s.Verdict == verdict.Fail || s.Verdict == verdict.SuiteError || first != nil && first[s.ID()] != s.Verdict || len(s.Missing) == 0) {
						t.Logf("run %d: %s: %v: %+v", n+1, s.ID(), s.Verdict, *s.Finding)
					}
				}
				t.Logf("run %d: %v in %v", n+1, result.Summary(), result.Took)
				require.Equal(t, verdict.Incomplete, result.Outcome())
				if first == nil {
					first = came
				}
				require.Greater(t, len(came), 300)
				for id, v := range came {
					require.Equal(t, first[id], v, "run %d: %s", n+1, id)
				}
				if options.Tags == "" {
					require.Len(t, came, len(first))
				}
			}
		})
	}
}

// The faults of a gateway also show on an account with a history.
func TestFixedAccountsShowFaults(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	wanted := strings.Fields("cash-out.debit cash-out.duplicate-external-id token.lifetime refund.sum webhook.url delivery.own-type med.case")
	for _, m := range mutants.All() {
		i := slices.Index(wanted, m.Rule)
		if i < 0 {
			continue
		}
		wanted = slices.Delete(wanted, i, i+1)
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			profile := openSandbox(t, reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks}, 1)
			profile.Deadlines.Balance, profile.Deadlines.Webhook = time.Second, 5*time.Second // what is wrong is awaited for all of it
			result, err := run.Certify(t.Context(), run.Options{Target: profile, Rules: []string{m.Rule}, Seed: 1, Once: true})
			require.NoError(t, err)
			require.Equal(t, verdict.DoesNotConform, result.Outcome())
		})
	}
	require.Empty(t, wanted, "rules without a mutant")
}

// What the profile states about a fixed account needs no control. A limit that a scenario is about is
// judged, too.
func TestFixedAccountsWithStatedFeesAndLimits(t *testing.T) {
	t.Parallel()
	profile := openSandbox(t, reference.Config{}, 1, "fees", "limits")
	perTransaction, daily := "1000.00", "400000.00"
	call(t, http.MethodPut, fmt.Sprintf("%s/accounts/%d/limits", profile.Control.URL, profile.Accounts[0].AccountID), nil,
		map[string]any{"perTransaction": perTransaction, "daily": daily}, nil)
	transaction, day := &perTransaction, &daily
	profile.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"}
	profile.Limits = target.Limits{PerTransaction: &transaction, Daily: &day}
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Rules: []string{"cash-out.debit", "cash-out.own-limits", "token.issued"}})
	require.NoError(t, err)
	passed := map[string]bool{}
	for _, s := range result.Scenarios {
		passed[s.ID()] = s.Verdict == verdict.Pass
		if s.Finding != nil {
			t.Logf("%s: %v: %+v", s.ID(), s.Verdict, *s.Finding)
		}
	}
	for _, id := range []string{
		"cash-out.debit/Once it is confirmed",
		"cash-out.own-limits/One centavo above the per-transaction limit",
		"cash-out.own-limits/One centavo above the daily limit",
	} {
		require.True(t, passed[id], id)
	}
}

// A second run on the same account waits for the first, and says so. If it is interrupted while it
// waits, it has not run.
func TestASecondRunOnAnAccountWaits(t *testing.T) {
	t.Parallel()
	profile := openSandbox(t, reference.Config{}, 1)
	first, second := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var running sync.WaitGroup
	running.Go(func() {
		_, err := run.Certify(t.Context(), run.Options{Target: profile, Rules: []string{"token.issued"}, Recorder: func(string, exchange.Exchange) {
			once.Do(func() { close(first) })
			<-second
		}})
		assert.NoError(t, err)
	})
	defer running.Wait()
	defer close(second)
	<-first

	interrupted, giveUp := context.WithCancel(t.Context())
	said := &waiting{then: giveUp}
	_, err := run.Certify(interrupted, run.Options{Target: profile, Rules: []string{"token.issued"}, Progress: progress.New(said, progress.Options{})})
	require.ErrorIs(t, err, context.Canceled)
	require.Contains(t, said.String(), "Waiting for another run that uses")
	require.Contains(t, said.String(), profile.Accounts[0].ClientID)
}

// Concurrent runs on new accounts are independent.
func TestRunsOnNewAccountsDoNotDisturbEachOther(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	var both sync.WaitGroup
	for range 2 {
		report := t.TempDir()
		both.Go(func() {
			certify := exec.CommandContext(t.Context(), os.Args[0], "certify", "--tags", "@cash-out or @refund or @transfer or @delivery or @lists", "--url", profile.BaseURL, "--control-url", profile.Control.URL, "--report", report)
			certify.Env = append(os.Environ(), asCommand+"=1")
			said, err := certify.CombinedOutput()
			assert.NoError(t, err, string(said))
		})
	}
	both.Wait()
}

// If the profile lists only a few paths, each is used by one scenario at a time, or kept by a fixed
// account.
func TestAFixedSetOfPathsIsEnough(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	rules := []string{"delivery.every-url", "delivery.own-type", "events.subscriptions", "resend.temporary-url", "bearer.required"}
	for name, c := range map[string]struct {
		paths    int
		accounts int
		want     verdict.Verdict
	}{
		"new accounts":    {8, 0, verdict.Pass},
		"too few":         {2, 0, verdict.CouldNotTest},
		"an account":      {8, 1, verdict.Pass},
		"too few for it":  {7, 1, verdict.CouldNotTest},
		"far too few":     {1, 1, verdict.CouldNotTest},
		"enough for two":  {16, 2, verdict.Pass},
		"too few for two": {15, 2, verdict.CouldNotTest},
	} {
		t.Run(name, func(t *testing.T) {
			profile, stop, err := bundled(t.Context(), reference.Config{})
			require.NoError(t, err)
			defer stop()
			if c.accounts > 0 {
				profile = openSandbox(t, reference.Config{}, c.accounts)
			}
			for i := range c.paths {
				profile.Sink.Paths = append(profile.Sink.Paths, fmt.Sprintf("/hooks/%d", i))
			}
			result, err := run.Certify(t.Context(), run.Options{Target: profile, Rules: rules})
			require.NoError(t, err)
			for _, s := range result.Scenarios {
				if s.Name == "cash_out" || s.Name == "refund_out, for a payment that the payee returns" {
					require.Equal(t, c.want, s.Verdict, "%s: %+v", s.ID(), s.Finding)
				}
				require.NotContains(t, []verdict.Verdict{verdict.Fail, verdict.SuiteError}, s.Verdict, "%s: %+v", s.ID(), s.Finding)
			}
		})
	}
}

// However a run is interrupted, it leaves the accounts as it found them.
func TestAnInterruptedRunLeavesTheAccountAsFound(t *testing.T) {
	t.Parallel()
	profile := openSandbox(t, reference.Config{}, 1)
	ctx, interrupt := context.WithCancel(t.Context())
	var manual, automatic atomic.Int64
	result, err := run.Certify(ctx, run.Options{Target: profile, Rules: []string{"cash-out.confirmed"}, Recorder: func(_ string, e exchange.Exchange) {
		switch {
		case e.Operation == "settlement" && strings.Contains(string(e.Body), "manual"):
			manual.Add(1)
			interrupt()
		case e.Operation == "settlement" && strings.Contains(string(e.Body), "automatic") && manual.Load() > 0 && e.Status/100 == 2:
			automatic.Add(1)
		}
	}})
	if err == nil { // a scenario had been judged before
		require.NotNil(t, result.Ended)
		err = errors.New(result.Ended.Reason)
	}
	require.ErrorContains(t, err, "interrupted")
	require.Positive(t, manual.Load())
	require.Positive(t, automatic.Load(), "settlement is automatic again")
}

// waiting is a terminal that calls then when it is told that the run waits.
type waiting struct {
	bytes.Buffer
	then func()
}

func (w *waiting) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "Waiting") {
		w.then()
	}
	return w.Buffer.Write(b)
}
