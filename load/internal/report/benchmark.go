package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// Benchmarks writes a result in the Go benchmark format, which benchstat reads: a line for each
// operation, one for webhooks, and one for the whole run. Latencies are in nanoseconds, because
// benchstat scales those; they are of successful requests, from the intended start, and of webhooks
// from acceptance. A percentile of too few values is left out. benchstat compares only results
// with the same script, profile and k6 version, because those are the configuration of the lines.
//
// The format: https://go.dev/design/14313-benchmark-format
func Benchmarks(w io.Writer, r result.Result) error {
	b := &benchmarks{bufio.NewWriter(w)}
	for _, c := range []fact{{"script", r.Script}, {"profile", r.Profile}, {"k6", r.Environment.K6}} {
		fmt.Fprintf(b, "%s: %s\n", c.Label, visible(c.Value))
	}
	fmt.Fprintln(b)
	for _, name := range slices.Sorted(maps.Keys(r.Operations)) {
		op := r.Operations[name]
		if op.Count > 0 {
			b.line(name, op.Count, op.Intended, value{float64(op.Failed) / float64(op.Count), "failed-ratio"}, value{op.Rate(), "requests/s"})
		}
	}
	c := r.Ledger.Counts
	if c.WebhooksReceived > 0 {
		b.line("webhook", c.WebhooksReceived, r.Delivery.Acceptance)
	}
	b.line("run", max(r.Iterations, 1), nil, value{r.CPU, "cpu-ratio"}, value{float64(c.WebhooksLost), "lost-webhooks"}, value{float64(c.MoneyDrift), "drift-centavos"})
	fmt.Fprintln(b)
	return b.Flush()
}

type benchmarks struct{ *bufio.Writer }

// value with its unit.
type value struct {
	of   float64
	unit string
}

// line writes a benchmark with the percentiles of its latencies, and other values.
func (b *benchmarks) line(name string, n int64, latencies *measure.Histogram, values ...value) {
	fmt.Fprintf(b, "Benchmark%s %d", camel(name), n)
	for _, of := range measure.Quantiles {
		if d, ok := latencies.Quantile(of.Q); ok && latencies.Resolves(of.Q) {
			fmt.Fprintf(b, " %d %s-ns", d.Nanoseconds(), of.Name)
		}
	}
	for _, v := range values {
		fmt.Fprintf(b, " %g %s", v.of, v.unit)
	}
	fmt.Fprintln(b)
}

// camel is the name of a benchmark: CashOut for cash-out.
func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
