package load

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// languages of the READMEs' fenced blocks, and how to test each. Console blocks are not run,
// because they need more than this module: make, a cluster, another gateway.
var languages = map[string]func(t *testing.T, text string){
	"js":      func(t *testing.T, text string) { runExample(t, "example.js", text) },
	"ts":      func(t *testing.T, text string) { runExample(t, "example.ts", text) },
	"sh":      runCommands,
	"json":    func(t *testing.T, text string) { require.True(t, json.Valid([]byte(text)), text) },
	"yaml":    func(t *testing.T, text string) { require.NoError(t, yaml.Unmarshal([]byte(text), new(any))) },
	"console": nil, "text": nil,
}

func TestTheExamplesOfTheReadmesRun(t *testing.T) {
	t.Parallel()
	for file, atLeast := range map[string]map[string]int{
		"README.md":            {"js": 2, "sh": 5, "text": 2},
		"kubernetes/README.md": {"json": 1, "yaml": 1},
		"grafana/README.md":    {"sh": 2},
	} {
		found := map[string]int{}
		for _, b := range blocks(t, file) {
			found[b.language]++
			do, known := languages[b.language]
			if !assert.True(t, known, "%s:%d: expected a block in one of the tested languages, got %q", file, b.line, b.language) || do == nil {
				continue
			}
			t.Run(fmt.Sprintf("%s:%d", file, b.line), func(t *testing.T) {
				t.Parallel()
				do(t, b.text)
			})
		}
		for language, n := range atLeast {
			assert.GreaterOrEqual(t, found[language], n, "blocks of %s in %s", language, file)
		}
	}
}

func TestEveryMetricAndOutcomeIsDocumented(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("METRICS.md")
	require.NoError(t, err)
	source, err := os.ReadFile("internal/module/metrics.go")
	require.NoError(t, err)
	registered := regexp.MustCompile(`"(pix_\w+)", metrics\.(\w+),`).FindAllSubmatch(source, -1)
	require.Len(t, registered, 13)
	for _, m := range registered {
		assert.Contains(t, string(content), fmt.Sprintf("| `%s` | %s |", m[1], m[2]))
	}
	payments, webhooks, found := strings.Cut(string(content), "| a webhook is |")
	require.True(t, found)
	for outcome := range (&ledger.Counts{}).Outcomes() {
		text := payments
		if outcome.Metric == "pix_webhooks" {
			text = webhooks
		}
		assert.Regexp(t, "(?m)^\\| [^|]*`"+outcome.Name+"`[^|]* \\|", text)
	}
}

func TestTheExamplesRun(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Glob("examples/*.js")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(examples), 6)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, example := range examples {
		assert.Contains(t, string(readme), "("+example+")", "the README lists each")
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			script, err := os.ReadFile(example)
			require.NoError(t, err)
			runExample(t, filepath.Base(example), string(script))
		})
	}
}

func TestAFailedThresholdIsAFailedTestCase(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("examples/junit.js")
	require.NoError(t, err)
	script = bytes.ReplaceAll(script, []byte("p(95)<20000"), []byte("p(95)<0"))
	k := runK6(t, string(script), target(t))
	require.Equal(t, 99, k.status, k.stderr)
	text, err := os.ReadFile(filepath.Join(k.dir, "junit.xml"))
	require.NoError(t, err)
	var suites struct {
		Cases []struct {
			Metric   string `xml:"classname,attr"`
			Limit    string `xml:"name,attr"`
			Failures []struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	require.NoError(t, xml.Unmarshal(text, &suites), "%s", text)
	limits := map[string]int{}
	for _, c := range suites.Cases {
		limits[c.Metric+": "+c.Limit] = len(c.Failures)
		assert.True(t, len(c.Failures) == 0 || strings.Contains(c.Failures[0].Message, `"p(95)":`), "%s", text)
	}
	assert.Equal(t, 1, limits["http_req_duration: p(95)<0"], "%s", text)
	assert.Contains(t, limits, "pix_money_drift: value==0")
	assert.Zero(t, limits["pix_money_drift: value==0"])
}

// block is a fenced block.
type block struct {
	line           int
	language, text string
}

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

func blocks(t *testing.T, file string) (all []block) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, at := range fence.FindAllSubmatchIndex(content, -1) {
		all = append(all, block{
			line:     1 + strings.Count(string(content[:at[0]]), "\n"),
			language: string(content[at[2]:at[3]]), text: string(content[at[4]:at[5]]),
		})
	}
	return all
}

// runExample runs a script; its checks have to pass.
func runExample(t *testing.T, name, script string) {
	dir := workplace(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o600))
	payees, err := os.ReadFile("examples/payees.csv")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "payees.csv"), payees, 0o600))
	// The result is for the test: examples write none.
	forward := ""
	if strings.Contains(script, "export default") {
		forward = `export { default } from "./` + name + `";`
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "wrapped.js"), []byte(`
		import { result } from "k6/x/pix";
		import * as example from "./`+name+`";
		export * from "./`+name+`";
		`+forward+`
		export function handleSummary(data) {
			return { ...(example.handleSummary ? example.handleSummary(data) : {}), "result.json": result(data) };
		}`), 0o600))
	k := start(t, dir, target(t), "./k6", "run", "--quiet", "--out", "json=metrics.json", "wrapped.js").wait(t)
	require.NotEmpty(t, requireSound(t, k))
	checks := 0
	for _, p := range k.points(t) {
		if p.Metric == "checks" {
			checks++
			assert.EqualValues(t, 1, p.Data.Value, "%s\n%s", p.Data.Tags["check"], k.stderr)
		}
	}
	assert.Equal(t, strings.Contains(script, "check("), checks > 0)
}

// runCommands runs commands in the project's root, with k6 built.
func runCommands(t *testing.T, text string) {
	var pushes atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.ContentLength > 0 {
			pushes.Add(1)
		}
	}))
	t.Cleanup(collector.Close)
	env := append(target(t), "PIX_DURATION=2s",
		"K6_PROMETHEUS_RW_SERVER_URL="+collector.URL, "K6_OTEL_EXPORTER_PROTOCOL=http/protobuf",
		"K6_OTEL_HTTP_EXPORTER_ENDPOINT="+collector.Listener.Addr().String(), "K6_OTEL_HTTP_EXPORTER_INSECURE=true")
	requireSound(t, start(t, workplace(t), env, "sh", "-e", "-c", text).wait(t))
	assert.Equal(t, strings.Contains(text, "--out"), pushes.Load() > 0, "metrics were pushed %d times", pushes.Load())
}
