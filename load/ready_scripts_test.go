package load

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

func TestTheReadyScriptsRun(t *testing.T) {
	t.Parallel()
	for script, c := range map[string]struct {
		operations []string // that it has to have sent
		env        []string
		also       func(t *testing.T, r result.Result, sent map[string]int64)
	}{
		"token": {operations: []string{"token"}},
		"cash-out": {operations: []string{"cash-out"}, env: []string{"PIX_REPEATS=0.2"}, also: func(t *testing.T, r result.Result, _ map[string]int64) {
			assert.Positive(t, r.Ledger.Counts.RepeatsSent)
		}},
		"webhook": {operations: []string{"cash-out", "register-webhook", "resend"}, also: func(t *testing.T, r result.Result, sent map[string]int64) {
			assert.Equal(t, sent["resend"], r.Ledger.Counts.WebhooksResent)
		}},
		"mixed-day": {operations: []string{"cash-out", "transfer", "cash-in", "balance", "transactions", "token"}, also: func(t *testing.T, r result.Result, sent map[string]int64) {
			paid := r.Ledger.Counts.PaymentsConfirmed - sent["cash-out"] - sent["transfer"]
			assert.Positive(t, paid)
			assert.LessOrEqual(t, paid, sent["cash-in"])
		}},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			env := append(append(target(t), "PIX_RATE=600", "PIX_DURATION=2s"), c.env...)
			k := start(t, workplace(t), env, "./k6", "run", "--quiet", "--out", "json=metrics.json", "load/scripts/"+script+".js").wait(t)
			results := requireSound(t, k)
			require.Len(t, results, 1, k.stderr)
			r := results[0]
			assert.Equal(t, script+".js", r.Script)
			sent := k.requests(t)
			for _, operation := range c.operations {
				assert.Positive(t, sent[operation], operation)
			}
			assert.Empty(t, r.Failures)
			if c.also != nil {
				c.also(t, r, sent)
			}
		})
	}
}

// requests are the numbers of requests by operation, from k6's JSON output.
func (k k6Run) requests(t *testing.T) map[string]int64 {
	t.Helper()
	sent := map[string]int64{}
	for _, p := range k.points(t) {
		if p.Metric == "pix_req_failed" {
			sent[p.Data.Tags["operation"]]++
		}
	}
	return sent
}

// Without a gateway, nothing is wrong with the script: it prints what to do, and k6 no stack trace.
func TestReadyScriptsNeedAGateway(t *testing.T) {
	t.Parallel()
	const nowhere = "http://127.0.0.1:1"
	for _, script := range []string{"cash-out", "mixed-day", "token", "webhook"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			k := start(t, workplace(t), []string{"PIX_URL=" + nowhere, "PIX_CONTROLS=" + nowhere}, "./k6", "run", "--quiet", "load/scripts/"+script+".js").wait(t)
			assert.Equal(t, 108, k.status, k.stderr)
			assert.Contains(t, k.stderr, "no gateway responds at "+nowhere+": check PIX_URL and PIX_CONTROLS")
			assert.Contains(t, k.stderr, "connection refused")
			assert.NotContains(t, k.stderr, "stacktrace")
		})
	}
}

func TestADayNeedsNoControls(t *testing.T) {
	t.Parallel()
	env, _, account := fixed(t)
	env = append(env[:1:1], "PIX_ACCOUNTS="+accountsFile(t, account), "PIX_SINK_LISTEN="+reftest.FreeAddress(t), "PIX_RATE=300", "PIX_DURATION=2s")
	k := start(t, workplace(t), env, "./k6", "run", "--quiet", "--out", "json=metrics.json", "load/scripts/mixed-day.js").wait(t)
	r := requireSound(t, k)[0]
	assert.NotContains(t, k.stderr, "GoError")
	assert.Zero(t, r.Threw())
	sent := k.requests(t)
	assert.NotContains(t, sent, "transfer")
	assert.Positive(t, sent["cash-in"])
	assert.Greater(t, sent["cash-out"], sent["cash-in"])
}

// An archive has everything that the script reads: it runs elsewhere, without the files.
func TestAnArchiveRunsAnywhere(t *testing.T) {
	t.Parallel()
	env, _, account := fixed(t)
	certificate := filepath.Join(t.TempDir(), "client.pem")
	require.NoError(t, os.WriteFile(certificate, []byte(account.Certificate), 0o600))
	account.Certificate = certificate
	file := accountsFile(t, account)
	args := []string{"archive", "-O", "archive.tar"}
	for _, v := range []string{env[0], "PIX_ACCOUNTS=" + file, "PIX_SINK_LISTEN=" + reftest.FreeAddress(t), "PIX_DURATION=1s"} {
		args = append(args, "-e", v)
	}
	made := start(t, workplace(t), nil, "./k6", append(args, "load/scripts/cash-out.js")...).wait(t)
	require.Zero(t, made.status, made.stderr)
	archive, err := os.ReadFile(filepath.Join(made.dir, "archive.tar"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Remove(certificate))
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "archive.tar"), archive, 0o600))
	k := start(t, elsewhere, nil, program(t), "run", "--quiet", "archive.tar").wait(t)
	assert.Positive(t, requireSound(t, k)[0].Ledger.Counts.PaymentsConfirmed)
}

// accountsFile is a file of one account.
func accountsFile(t *testing.T, account gateway.Credentials) string {
	t.Helper()
	text, err := json.Marshal([]gateway.Credentials{account})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "accounts.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

// inspected is a scenario as parsed by k6.
type inspected struct {
	Executor  string
	StartRate float64

	PreAllocatedVUs, MaxVUs int
	Stages                  []struct {
		Duration string
		Target   float64
	}
}

// inspect reads a script's scenarios, which must be valid for k6.
func inspect(t *testing.T, script string, env ...string) map[string]inspected {
	t.Helper()
	k := start(t, workplace(t), env, "./k6", "inspect", "--include-system-env-vars", "--execution-requirements", "load/scripts/"+script).wait(t)
	require.Zero(t, k.status, k.stderr)
	var options struct{ Scenarios map[string]inspected }
	require.NoError(t, json.Unmarshal([]byte(k.stdout), &options), k.stdout)
	return options.Scenarios
}

// peak is the highest rate of a scenario, in arrivals per second, and length the sum of its
// stages.
func (s inspected) peak(t *testing.T) (peak float64, length time.Duration) {
	t.Helper()
	peak = s.StartRate
	for _, stage := range s.Stages {
		d, err := time.ParseDuration(stage.Duration)
		require.NoError(t, err)
		peak, length = max(peak, stage.Target), length+d
	}
	return peak, length
}

func TestEveryProfileIsWhatItSays(t *testing.T) {
	t.Parallel()
	for profile, want := range map[string]struct {
		peak   float64 // as a multiple of PIX_RATE
		length time.Duration
	}{
		"smoke":   {0.1, 15 * time.Second},
		"average": {1, 390 * time.Second},
		"stress":  {2, 450 * time.Second},
		"spike":   {10, 140 * time.Second},
		"soak":    {1, 4*time.Hour + 90*time.Second},
		"day":     {2, 24 * time.Minute},
	} {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			whole := inspect(t, "cash-out.js", "PIX_PROFILE="+profile, "PIX_RATE=30")["cash-out"]
			assert.Equal(t, "pix-arrival-rate", whole.Executor)
			peak, length := whole.peak(t)
			assert.InDelta(t, 30*want.peak, peak, 0.001)
			assert.Equal(t, want.length, length)
			few := inspect(t, "cash-out.js", "PIX_PROFILE="+profile, "PIX_VUS=7")["cash-out"]
			assert.Equal(t, 7, few.MaxVUs)
			assert.Equal(t, 7, few.PreAllocatedVUs)

			total := 0.0
			for name, part := range inspect(t, "mixed-day.js", "PIX_PROFILE="+profile, "PIX_RATE=30", "PIX_DURATION=2m") {
				peak, length := part.peak(t)
				total += peak
				assert.InDelta(t, 120, length.Seconds(), 0.02, name)
			}
			assert.InDelta(t, 30*want.peak, total, 0.01)
		})
	}
}

// No profile asks for more virtual users than a machine has memory for.
func TestProfilesLimitTheirVirtualUsers(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"cash-out.js", "mixed-day.js"} {
		users := 0
		for _, s := range inspect(t, script, "PIX_PROFILE=spike", "PIX_RATE=5000") {
			users += s.MaxVUs
		}
		assert.LessOrEqual(t, users, 5010, script)
	}
}

func TestEveryScriptOffersAConstantRate(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"cash-out.js", "mixed-day.js", "token.js", "webhook.js"} {
		total := 0.0
		for name, s := range inspect(t, script, "RATE=120", "DURATION=7s", "PIX_PROFILE=soak", "PIX_RATE=3", "PIX_DURATION=9s") {
			require.Len(t, s.Stages, 1)
			assert.Equal(t, s.StartRate, s.Stages[0].Target, name)
			_, length := s.peak(t)
			assert.Equal(t, 7*time.Second, length, name)
			total += s.StartRate
		}
		assert.InDelta(t, 120, total, 0.01, script)
	}
}

func TestResendsKeepToTheLimitOfTheAPI(t *testing.T) {
	t.Parallel()
	_, _, account := fixed(t)
	accounts := "PIX_ACCOUNTS=" + accountsFile(t, account)
	for profile, rate := range map[string]string{"average": "500", "spike": "50", "smoke": "50"} {
		mine := inspect(t, "webhook.js", "PIX_PROFILE="+profile, "PIX_RATE="+rate, accounts, "PIX_SINK_LISTEN=127.0.0.1:1")
		few, _ := mine["resend"].peak(t)
		assert.LessOrEqual(t, few, 1.0, "60 a minute, over all accounts")
		made := inspect(t, "webhook.js", "PIX_PROFILE="+profile, "PIX_RATE="+rate)
		many, _ := made["resend"].peak(t)
		delivered, _ := made["delivery"].peak(t)
		assert.InDelta(t, delivered/18, many, 0.001, "without a limit, their share")
	}
}

func TestWrongVariablesAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, variables, want string }{
		{"cash-out", "PIX_PROFILE=busy", "PIX_PROFILE is busy: expected one of smoke, average, stress, spike, soak, day"},
		{"cash-out", "PIX_PROFILE=toString", "PIX_PROFILE is toString: expected one of smoke"},
		{"mixed-day", "PIX_RATE=many", "PIX_RATE is many: expected a number of at least 0.1"},
		{"webhook", "PIX_RATE=0", "PIX_RATE is 0: expected a number of at least 0.1"},
		{"token", "PIX_DURATION=90", "PIX_DURATION is 90: expected a whole number above 0 followed by s, m or h, such as 90s"},
		{"token", "PIX_DURATION=0s", "PIX_DURATION is 0s: expected a whole number above 0"},
		{"mixed-day", "PIX_VUS=0", "PIX_VUS is 0: expected a number of at least 1"},
		{"token", "PIX_VUS=few", "PIX_VUS is few: expected a number of at least 1"},
		{"cash-out", "RATE=most", "RATE is most: expected a number of at least 0.1"},
		{"cash-out", "RATE=5 DURATION=1m0s", "DURATION is 1m0s: expected a whole number above 0"},
		{"cash-out", "PIX_REPEATS=often", "PIX_REPEATS is often: expected a number"},
		{"token", "PIX_ACCOUNTS=nowhere.json", "nowhere.json: no such file"},
		{"token", "PIX_URL=gateway.example PIX_CONTROLS=http://127.0.0.1:1", "url: expected a URL such as http://127.0.0.1:8080"},
		{"token", "PIX_URL=http://127.0.0.1:1", "PIX_URL is set and PIX_CONTROLS is not: set PIX_ACCOUNTS to a file"},
		{"cash-out", "PIX_URL=http://127.0.0.1:1 PIX_ACCOUNTS=10", "PIX_URL is set and PIX_CONTROLS is not"},
		{"cash-out", "PIX_ACCOUNTS=accounts.json", "PIX_ACCOUNTS is a file: expected PIX_SINK_LISTEN with a port"},
		{"cash-out", "PIX_FEES=transfer=0,50", "PIX_FEES has transfer=0: expected NAME=AMOUNT pairs, such as transfer=0.50,cob=0.10"},
		{"cash-out", "PIX_FEES=cob=0.10,pix=0.50", "fees: pix: unknown option"},
	} {
		t.Run(fmt.Sprintf("%s of %s", c.variables, c.script), func(t *testing.T) {
			t.Parallel()
			k := start(t, workplace(t), strings.Fields(c.variables), "./k6", "run", "--quiet", "load/scripts/"+c.script+".js").wait(t)
			assert.Equal(t, 107, k.status, k.stderr)
			assert.Contains(t, k.stderr, c.want)
		})
	}
}
