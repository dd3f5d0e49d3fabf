package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Benchmarks writes a result in the Go benchmark format, which benchstat reads: a line for each operation, one for webhooks, and
// one for the whole run. Latencies are in nanoseconds, because benchstat scales those, from the intended start, and of
// webhooks from acceptance. A percentile of too few values is left out. benchstat compares only results with the same
// script, profile and k6 version, which are the configuration of the lines: https://go.dev/design/14313-benchmark-format
func Benchmarks(w io.Writer, r result.Result) error {
	b := bufio.NewWriter(w)
	for _, c := range [][2]string{{"script", r.Script}, {"profile", r.Profile}, {"k6", r.Environment.K6}} {
		fmt.Fprintf(b, "%s: %s\n", c[0], visible(c[1]))
	}
	fmt.Fprintln(b)
	seconds := max(r.Ended.Sub(r.Started).Seconds(), 1)
	for _, operation := range operations(r) {
		v := r.Metrics[operation[1]].Values
		fmt.Fprintf(b, "Benchmark%s %.0f%s %g requests/s\n", camel(operation[0]), v["count"], nanoseconds(v), v["count"]/seconds)
	}
	if v := r.Metrics["pix_webhook_duration"].Values; v != nil {
		fmt.Fprintf(b, "BenchmarkWebhook %.0f%s\n", v["count"], nanoseconds(v))
	}
	c := r.Ledger.Counts
	fmt.Fprintf(b, "BenchmarkRun %d %g cpu-ratio %g failed-ratio %d lost-webhooks %d drift-centavos\n\n", max(r.Iterations, 1),
		r.Generator.CPU, r.Metrics["pix_req_failed"].Values["rate"], c.WebhooksLost, c.MoneyDrift)
	return b.Flush()
}

// percentiles that are reported.
var percentiles = []struct {
	name, unit string
	from       float64 // values that it takes, so that it is not the maximum
}{{"med", "p50-ns", 1}, {"p(90)", "p90-ns", 10}, {"p(99)", "p99-ns", 100}, {"p(99.9)", "p999-ns", 1000}, {"max", "max-ns", 1}}

// nanoseconds are the percentiles of a trend that have enough values.
func nanoseconds(v map[string]float64) (s string) {
	for _, of := range percentiles {
		if v["count"] >= of.from {
			s += fmt.Sprintf(" %.0f %s", v[of.name]*1e6, of.unit)
		}
	}
	return s
}

// camel is the name of a benchmark: CashOut for cash-out.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
