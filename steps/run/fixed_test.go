package run

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// If no accounts can be created, scenarios take turns on those of the profile.
func TestAccountsOfTheProfile(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	profile := g.Fixed(2, 500_00)
	profile.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"}
	evidence, shown := &Evidence{}, &watcher{}
	result, err := Certify(t.Context(), Options{Target: profile, Rules: rules, Evidence: evidence, Progress: shown})
	require.NoError(t, err)
	assert.Empty(t, shown.notes)
	pass, untested := 0, 0
	for _, s := range result.Scenarios {
		switch s.Verdict {
		case verdict.Pass:
			pass++
		case verdict.CouldNotTest:
			untested++
		}
	}
	assert.Greater(t, pass, 10)
	assert.Positive(t, untested, "a new account is needed for some")
	assert.Equal(t, verdicts(result), verdicts(judgedAgain(t, evidence, &exchange.Redactor{})))
	calls := g.Calls()
	assert.Equal(t, `PUT /accounts/1/settlement {"mode":"automatic"}`, calls[0], "an earlier run may have been cut off")
	assert.Regexp(t, `PUT /accounts/2/(fees|limits) `, calls[len(calls)-1], "its own fees and limits again")
	assert.Contains(t, strings.Join(calls, "\n"), `"requestsPerMinute":60`)
}

// Two runs do not use the accounts of a profile at the same time.
func TestASecondRunWaits(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	profile := g.Fixed(1, 500_00)
	waits := make(chan struct{})
	first := &watcher{}
	var second sync.WaitGroup
	var end time.Time
	var began time.Time
	later := &watcher{onWaiting: func() { close(waits) }}
	later.onStart = sync.OnceFunc(func() { began = time.Now() })
	first.onStart = sync.OnceFunc(func() {
		second.Go(func() {
			_, err := Certify(t.Context(), Options{Target: profile, Scenarios: []string{"balance.overdraft/The overdraft field"}, Progress: later})
			assert.NoError(t, err)
		})
		<-waits
	})
	_, err := Certify(t.Context(), Options{Target: profile, Scenarios: []string{"balance.overdraft/The overdraft field"}, Progress: first})
	end = time.Now()
	require.NoError(t, err)
	second.Wait()
	assert.Contains(t, later.notes[0], "another run that uses the account "+profile.Accounts[0].ClientID)
	assert.WithinRange(t, began, end.Add(-time.Second), time.Now(), "after the first")

	ctx, cancel := context.WithCancel(t.Context())
	first.onStart = sync.OnceFunc(func() {
		_, err := Certify(ctx, Options{Target: profile, Progress: &watcher{onWaiting: cancel}})
		assert.ErrorContains(t, err, "locking the account")
	})
	_, err = Certify(t.Context(), Options{Target: profile, Scenarios: []string{"balance.overdraft/The overdraft field"}, Progress: first})
	require.NoError(t, err)
}

// Each scenario has a path of its own, also if the profile lists the paths.
func TestPathsOfTheProfile(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	profile := g.Profile()
	for i := range 8 {
		profile.Sink.Paths = append(profile.Sink.Paths, "/path-"+string(rune('a'+i)))
	}
	evidence := &Evidence{}
	result, err := Certify(t.Context(), Options{Target: profile, Rules: []string{"resend.unknown", "cash-out.debit"}, Evidence: evidence})
	require.NoError(t, err)
	used := 0
	for _, r := range evidence.Records {
		for _, e := range r.Entries {
			if e.Exchange != nil && e.Exchange.Operation == "webhook registration" {
				assert.Contains(t, string(e.Exchange.Body), "/path-")
				used++
			}
		}
	}
	assert.Positive(t, used)
	assert.Equal(t, verdict.Conforms, result.Outcome())
}

// A registration that only prepares a scenario, or comes before all scenarios, fails the rule of
// registrations. Nothing else would: on an account of the profile, the next scenario registers again.
func TestRegistrationsThatPrepareFailTheirRule(t *testing.T) {
	t.Parallel()
	for name, profileOf := range map[string]func(*fake.Gateway) target.Profile{
		"new accounts": (*fake.Gateway).Profile,
		"accounts of the profile": func(g *fake.Gateway) target.Profile {
			profile := g.Fixed(1, 500_00)
			profile.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"}
			profile.Sink.URL = "https://127.0.0.1:1" // an address that never changes, and that nothing reaches
			profile.Deadlines.Webhook = 100 * time.Millisecond
			return profile
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := fake.New(t)
			var once sync.Once
			g.Spoil(func(w http.ResponseWriter, r *http.Request) (spoilt bool) {
				if r.Method != http.MethodPost || r.URL.Path != "/api/webhooks" || strings.Contains(r.UserAgent(), "rule=webhook.registered") {
					return false
				}
				once.Do(func() {
					spoilt = true
					http.Error(w, `{"statusCode":500}`, http.StatusInternalServerError)
				})
				return spoilt
			})
			result, err := Certify(t.Context(), Options{Target: profileOf(g), Scenarios: []string{"webhook.registered/The response", "delivery.own-type/A URL for cash_in"}})
			require.NoError(t, err)
			assert.Equal(t, verdict.DoesNotConform, result.Outcome())
			assert.Equal(t, verdict.Fail, verdicts(result)["webhook.registered/a valid webhook registration to be accepted with 200: 500"], "%v", verdicts(result))
		})
	}
}

// What an account has is compared with what the run needs, before the scenarios run.
func TestTooLittleMoneyIsNoted(t *testing.T) {
	t.Parallel()
	g := fake.New(t)
	shown := &watcher{}
	result, err := Certify(t.Context(), Options{Target: g.Fixed(1, 5, target.Funds), Rules: rules, Progress: shown})
	require.NoError(t, err)
	require.NotEmpty(t, shown.notes)
	assert.Regexp(t, `^accounts\[0\] in the profile has R\$ 0\.05 available, but this run needs about R\$ \S+: .* top the account up, or add the test control funds$`, shown.notes[0])
	assert.Contains(t, result.Notes, shown.notes[0])
	assert.Regexp(t, `^A run spends about R\$ `, shown.plan.Money(translation.English))
}
