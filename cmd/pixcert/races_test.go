package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
)

// racy is a gateway that checks first and acts later: of payments that arrive together, it checks each as if
// it were alone. One at a time, it makes no mistake.
type racy struct {
	http.Handler
	fault string        // of races; a status turns away all but the first, which is none
	burst int           // how many complete a burst; 0 for any number
	wait  time.Duration // for them

	mu     sync.Mutex
	bursts map[string]*burst // that arrive, by token
	lost   map[string]money.Centavos
}

// burst is what arrived before the first of it was answered.
type burst struct {
	requests int
	complete chan struct{}
}

func (g *racy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token := r.Header.Get("Authorization")
	if r.Method == http.MethodGet && r.URL.Path == "/accounts/balances" {
		g.balance(w, r, token)
		return
	}
	if token == "" || !strings.Contains("/api/pix/cash-out /api/pix/cash-out-qrcode /dict/pix", r.URL.Path) && !strings.Contains(r.URL.Path, "/devolucao/") {
		g.Handler.ServeHTTP(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	together, first := g.join(token)
	if status, err := strconv.Atoi(g.fault); err == nil && !first {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"statusCode":`+g.fault+`,"message":"busy","error":"`+http.StatusText(status)+`"}`)
		return
	}
	select { // between the check and the act
	case <-together.complete:
	case <-time.After(g.wait):
	}
	response := g.send(r, body)
	g.mu.Lock()
	alone := together.requests == 1
	if g.bursts[token] == together {
		delete(g.bursts, token)
	}
	g.mu.Unlock()
	if !alone {
		response = g.race(r, token, body, response)
	}
	for name, values := range response.Header() {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(response.Code)
	_, _ = w.Write(response.Body.Bytes())
}

// join adds a request to the burst that arrives, and says whether it is its first.
func (g *racy) join(token string) (*burst, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.bursts[token]
	if b == nil {
		b = &burst{complete: make(chan struct{})}
		g.bursts[token] = b
	}
	b.requests++
	if b.requests == g.burst {
		close(b.complete)
	}
	return b, b.requests == 1
}

func (g *racy) send(r *http.Request, body []byte) *httptest.ResponseRecorder {
	again := r.Clone(r.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	w := httptest.NewRecorder()
	g.Handler.ServeHTTP(w, again)
	return w
}

var (
	amounts     = regexp.MustCompile(`("(?:value|amount|valor)":"?)[0-9.]+`)
	externalIDs = regexp.MustCompile(`"externalId":"([^"]*)"`)
)

// race is the response to a request that did not see those that arrived with it.
func (g *racy) race(r *http.Request, token string, body []byte, response *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	was := response.Body.String()
	switch {
	case g.fault == "money" && response.Code >= 400 && !strings.Contains(was, "DUPLICATE"), g.fault == "refunds" && response.Code >= 400:
		return g.send(r, amounts.ReplaceAll(body, []byte("${1}0.01")))
	case g.fault == "externalId" && strings.Contains(was, "PIX_DUPLICATE_EXTERNAL_ID"):
		id := externalIDs.FindSubmatch(body)[1]
		accepted := g.send(r, externalIDs.ReplaceAll(body, []byte(`"externalId":"`+string(id)+`-again"`)))
		accepted.Body = bytes.NewBuffer(bytes.ReplaceAll(accepted.Body.Bytes(), []byte("-again"), nil))
		return accepted
	case g.fault == "limit" && strings.Contains(was, "PIX_DAILY_LIMIT_EXCEEDED"):
		other := httptest.NewRecorder()
		other.Header().Set("Content-Type", "application/json")
		other.WriteHeader(http.StatusCreated)
		_, _ = other.WriteString(`{"transactionId":"7d9f0335-8dcc-4054-9bf9-0dbd61d36906",` + externalIDs.FindString(string(body)) + `,"status":"PENDING","generateTime":"` + time.Now().UTC().Format(time.RFC3339) + `"}`)
		return other
	case g.fault == "update" && response.Code < 300:
		var sent struct{ Value json.Number }
		_ = json.Unmarshal(body, &sent)
		amount, _ := money.Parse(sent.Value.String())
		g.mu.Lock()
		g.lost[token] += amount
		g.mu.Unlock()
	}
	return response
}

// balance adds what payments took whose update was lost.
func (g *racy) balance(w http.ResponseWriter, r *http.Request, token string) {
	response := g.send(r, nil)
	g.mu.Lock()
	lost := g.lost[token]
	g.mu.Unlock()
	text := regexp.MustCompile(`("available":)([0-9.]+)`).ReplaceAllStringFunc(response.Body.String(), func(s string) string {
		available, _ := money.Parse(strings.TrimPrefix(s, `"available":`))
		return `"available":` + (available + lost).Decimal()
	})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(response.Code)
	_, _ = io.WriteString(w, text)
}

// race starts a racy gateway.
func race(t *testing.T, g *racy) target.Profile {
	t.Helper()
	g.bursts, g.lost = map[string]*burst{}, map[string]money.Centavos{}
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: func(next http.Handler) http.Handler {
		g.Handler = next
		return g
	}})
	require.NoError(t, err)
	t.Cleanup(stop)
	return profile
}

// urls are the arguments that name a gateway.
func urls(p target.Profile) []string {
	return []string{"--url", p.BaseURL, "--control-url", p.Control.URL}
}

// bursts are scenarios by the fault that each shows.
const bursts = `Feature: Bursts

  Background:
    Given a new account with exactly R$ 100.00 available
    And no fees
    And no limits
    And settlement waits for the bank
    And the key directory has a new e-mail key

  @burst.money
  Rule: Payments of every kind do not spend money twice

    Scenario: All
      When these happen at once:
        | the account sends a cash-out of R$ 60.00    |
        | the account sends a QR cash-out of R$ 60.00 |
        | the account sends a transfer of R$ 60.00    |
      Then the outcome is possible one at a time

  @burst.externalid
  Rule: An externalId is used once

    Scenario: Two amounts
      When these happen at once:
        | the account sends a cash-out of R$ 5.00 | id a |
        | the account sends a cash-out of R$ 6.00 | id a |
        | the account sends a cash-out of R$ 7.00 |      |
      Then the outcome is possible one at a time

  @burst.update
  Rule: Every accepted payment takes its amount

    Scenario: As one is rejected
      When the account sends a cash-out of R$ 1.00
      And these happen at once:
        | the account sends a cash-out of R$ 5.00                  |
        | the account sends a cash-out of R$ 6.00                  |
        | the bank rejects the first payment with ORDER_REJECTED   |
      Then the outcome is possible one at a time

  @burst.limit
  Rule: The daily limit holds

    Scenario: Four times half of it
      When a daily limit of R$ 10.00
      And these happen at once:
        | the account sends a cash-out of R$ 5.00 |
        | the account sends a cash-out of R$ 5.00 |
        | the account sends a cash-out of R$ 5.00 |
        | the account sends a cash-out of R$ 5.00 |
      Then the outcome is possible one at a time

  @burst.refunds
  Rule: Refunds do not exceed the payment

    Scenario: Three parts, as one is rejected
      Given refunds wait for the bank
      And the account has received R$ 10.00 through a cob
      And the account has sent a refund of R$ 3.00
      When these happen at once:
        | the account sends a refund of R$ 6.00 |
        | the account sends a refund of R$ 6.00 |
        | the account sends a refund of R$ 6.00 |
        | the bank rejects the first refund     |
      Then the outcome is possible one at a time
`

func TestRacesAreFound(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	rules := ownDir(t, bursts)
	status, stdout, stderr := invoke(t, "certify", "--reference", "--features", rules, "--tags", "@own", "--report", t.TempDir())
	require.Zero(t, status, "%s%s", stdout, stderr)
	for fault, burst := range map[string]int{"money": 3, "externalId": 3, "update": 2, "limit": 4, "refunds": 3} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			certify := []string{"certify", "--features", rules, "--rule", "burst." + strings.ToLower(fault), "--keep-all", "--report", dir}
			status, stdout, stderr := invoke(t, append(certify, urls(race(t, &racy{fault: fault, burst: burst, wait: time.Second}))...)...)
			require.Equal(t, 1, status, "%s%s", stdout, stderr)
			require.Regexp(t, `expected  (responses that the requests could have got one after the other|a balance that the accepted requests explain)`, stdout)
			status, stdout, stderr = invoke(t, "judge", dir)
			require.Equal(t, 1, status, stderr)
			require.Contains(t, stdout, "0 verdicts differ")
		})
	}
}

// A gateway may turn away what arrives together with something else.
func TestRacesMayBeAvoided(t *testing.T) {
	t.Parallel()
	rules := ownDir(t, bursts)
	for _, status := range []string{"409", "429", "503"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			certify := []string{"certify", "--features", rules, "--tags", "@burst", "--report", t.TempDir()}
			exit, stdout, stderr := invoke(t, append(certify, urls(race(t, &racy{fault: status, wait: 150 * time.Millisecond}))...)...)
			require.Zero(t, exit, "%s%s", stdout, stderr)
		})
	}
}

// Walks find a race, as such a scenario. The first ones reach what no walk has reached yet, so
// that it takes one to three hundred until a burst comes at the right moment.
func TestExploreFindsARace(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	profile := race(t, &racy{fault: "money", wait: 150 * time.Millisecond})
	found, err := explore.Explore(t.Context(), explore.Options{Run: run.Options{Target: profile}, Seed: 2, Walks: 384, FirstFinding: true})
	require.NoError(t, err)
	require.Len(t, found.New, 1, "%d walks", found.Walks)
	require.Contains(t, found.New[0].Text, "When these happen at once:\n")
}
