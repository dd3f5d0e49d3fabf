package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// forgetful is a gateway whose check for duplicates is too slow for its load: of those that come after more than so many
// payments in three seconds, it accepts every other one.
func forgetful(busy int) onPay {
	var accepted []time.Time
	duplicates := 0
	return func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte) {
		answer := httptest.NewRecorder()
		p.forward(answer, r, body)
		p.mu.Lock()
		for len(accepted) > 0 && time.Since(accepted[0]) > 3*time.Second {
			accepted = accepted[1:]
		}
		if answer.Code == http.StatusCreated {
			accepted = append(accepted, time.Now())
		}
		again := len(accepted) > busy && strings.Contains(answer.Body.String(), "PIX_DUPLICATE_EXTERNAL_ID")
		if again {
			duplicates++
			again = duplicates%2 == 1
		}
		p.mu.Unlock()
		if again {
			id := strconv.Quote(externalID(body))
			answer = httptest.NewRecorder()
			p.forward(answer, r, altered(body, fmt.Sprintf(`"again%d"`, time.Now().UnixNano()), "externalId"))
			answer.Body.Write(altered(answer.Body.Next(answer.Body.Len()), id, "externalId"))
		}
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// TestARuleThatFailsUnderLoadIsFound: the suite runs next to the load, as the README says.
func TestARuleThatFailsUnderLoadIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes most of a minute, for pixcert runs again what fails")
	}
	alone(t)
	const rule, rate = "cash-out.duplicate-external-id", 150
	reference := reftest.Start(t)
	gateway := startProxy(t, reference.URL, forgetful(2*rate), nil)
	certify := func() (failed, of, status int) {
		report := t.TempDir()
		c := reference.Pixcert("certify", "--url", gateway.api.URL, "--control-url", reference.ControlURL, "--rule", rule, "--report", report)
		c.Dir = report
		printed, _ := c.CombinedOutput()
		t.Logf("%s", printed)
		counts := regexp.MustCompile(`(\d+) scenarios? in .*?:(?:.* (\d+) fail)?`).FindSubmatch(printed)
		require.NotNil(t, counts, "%s", printed)
		of, _ = strconv.Atoi(string(counts[1]))
		failed, _ = strconv.Atoi(string(counts[2])) // none
		return failed, of, c.ProcessState.ExitCode()
	}
	failed, of, status := certify()
	require.Zero(t, failed+status, "without load it conforms")

	load := start(t, plan{
		Gateway:  options{"url": gateway.api.URL, "controls": options{"url": reference.ControlURL}, "accounts": 4, "drain": "3s"},
		Scenario: arrivals(rate, 2*time.Minute), Mark: 3 * rate,
	})
	load.marked(t)
	failed, loaded, status := certify()
	require.True(t, load.running())
	require.NoError(t, load.cmd.Process.Signal(syscall.SIGINT))
	r, _ := load.result(t, 2*time.Minute)
	assert.Equal(t, 1, status)
	assert.Equal(t, of, loaded)
	assert.Positive(t, failed)
	assert.Less(t, failed, of, "it is not broken for all")
	assert.NotEqual(t, result.Wrong, r.Outcome, "the load has no duplicates: it does not see the fault")
	found.add(t, "A rule that fails only under load", fmt.Sprintf("at %d/s", rate), fmt.Sprintf("%s fails in %d of %d scenarios", rule, failed, of), aim{})
}
