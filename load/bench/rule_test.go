package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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

// forgetful is a gateway whose check for duplicates is too slow for its load: while it has more than so many payments of
// the load in three seconds, it accepts one in 300 duplicates.
func forgetful(busy int) onPay {
	const oneIn = 300
	var load []time.Time
	duplicates := 0
	return func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte) {
		answer := httptest.NewRecorder()
		p.forward(answer, r, body)
		p.mu.Lock()
		for len(load) > 0 && time.Since(load[0]) > 3*time.Second {
			load = load[1:]
		}
		if strings.HasPrefix(externalID(body), "px") {
			load = append(load, time.Now())
		}
		again := len(load) > busy && strings.Contains(answer.Body.String(), "PIX_DUPLICATE_EXTERNAL_ID")
		if again {
			duplicates++
			again = duplicates%oneIn == 0
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

// TestARuleThatFailsUnderLoadIsFound: the suite runs a rule a thousand times next to the load, as the README says, and tells
// how often it fails. The load, which sends no duplicates, does not see the fault.
func TestARuleThatFailsUnderLoadIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute, most of it for what pixcert runs again because it fails")
	}
	alone(t)
	const rate = 100
	reference := reftest.Start(t)
	gateway := startProxy(t, reference.URL, forgetful(rate), nil)
	rules := t.TempDir()
	rule, err := exec.Command("../examples/duplicates.sh").Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(rules, "duplicates.feature"), rule, 0o600))
	certify := func() (failed, of, status int) {
		c := reference.Pixcert("certify", "--url", gateway.api.URL, "--control-url", reference.ControlURL, "--features", rules, "--tags", "@own", "--report", t.TempDir())
		printed, _ := c.CombinedOutput()
		t.Logf("%s", printed)
		counts := regexp.MustCompile(`(\d+) scenarios in .*?:(?:.* (\d+) fail)?`).FindSubmatch(printed)
		require.NotNil(t, counts, "%s", printed)
		of, _ = strconv.Atoi(string(counts[1]))
		failed, _ = strconv.Atoi(string(counts[2])) // none
		return failed, of, c.ProcessState.ExitCode()
	}
	failed, of, status := certify()
	require.Zero(t, failed+status, "without load it conforms")

	load := start(t, plan{
		Gateway:  options{"url": gateway.api.URL, "controls": options{"url": reference.ControlURL}, "accounts": 4, "drain": "3s"},
		Scenario: arrivals(rate, 10*time.Minute), Mark: 3 * rate,
	})
	load.marked(t)
	failed, loaded, status := certify()
	require.True(t, load.running())
	require.NoError(t, load.cmd.Process.Signal(syscall.SIGINT))
	r, _ := load.result(t, 2*time.Minute)
	assert.Equal(t, 1, status)
	assert.Equal(t, 1000, of)
	assert.Equal(t, of, loaded)
	assert.Contains(t, []int{1, 2, 3}, failed, "3, unless the load stalled meanwhile")
	assert.NotEqual(t, result.Wrong, r.Outcome)
	found.add(t, "A rule that fails only under load", fmt.Sprintf("at %d/s", rate), fmt.Sprintf("it fails in %d of %d", failed, of), aim{})
}
