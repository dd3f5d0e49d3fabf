package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// busiest are the names of the operations, most frequent first.
func busiest(r result.Result) []string {
	names := slices.Sorted(maps.Keys(r.Operations))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(r.Operations[b].Count, r.Operations[a].Count)
	})
	return names
}

// shownQuantiles are the columns of every table of latencies.
var shownQuantiles = []float64{0.5, 0.9, 0.99, 0.999, 1}

var latencyColumns = figures("p50", "p90", "p99", "p99.9", "max")

// latencyCells are the quantiles of a histogram. A quantile with too few values is left
// out, because it would only repeat the maximum.
func latencyCells(h *measure.Histogram) []string {
	cells := make([]string, len(shownQuantiles))
	for i, q := range shownQuantiles {
		cells[i] = quantile(h, q)
	}
	return cells
}

func quantile(h *measure.Histogram, q float64) string {
	d, ok := h.Quantile(q)
	if !ok || q < 1 && q > 0.5 && !h.Resolves(q) {
		return none
	}
	return duration(d)
}

// operationTable has two rows for each operation: from the intended start, and from the send.
func operationTable(r result.Result) table {
	t := table{
		Columns: slices.Concat([]column{text("operation")}, figures("ok", "failed"), latencyColumns),
	}
	for _, name := range busiest(r) {
		op := r.Operations[name]
		m := plain
		if op.Failed > 0 {
			m = warn
		}
		t.add(m, append([]string{name, count(op.Count - op.Failed), count(op.Failed)}, latencyCells(op.Intended)...)...)
		t.add(plain, append([]string{"  from the send", "", ""}, latencyCells(op.Send)...)...)
	}
	return t
}

// scenarioTable compares the scenarios, if there are several.
func scenarioTable(r result.Result) table {
	t := table{
		Columns: slices.Concat([]column{text("scenario")}, figures("ok", "failed", "p50", "p99", "payments", "confirmed", "lost", "webhook p99")),
	}
	names, of := r.Scenarios()
	if len(names) < 2 {
		return t
	}
	for _, name := range names {
		s := of[name]
		all := new(measure.Histogram)
		for _, op := range s.Operations {
			all.Merge(op.Intended)
		}
		total, c := s.Total(), s.Ledger.Counts
		t.add(markIf(total.Failed+c.WebhooksLost > 0, warn), name, count(total.Count-total.Failed), count(total.Failed), quantile(all, 0.5), quantile(all, 0.99),
			count(c.PaymentsSent), count(c.PaymentsConfirmed), count(c.WebhooksLost), quantile(s.Delivery.Acceptance, 0.99))
	}
	return t
}

// failures says which responses the failed requests of an operation got; empty: none failed.
func failures(name string, op measure.Operation) string {
	if op.Failed == 0 {
		return ""
	}
	var answers []string
	left := op.Failed
	add := func(answer string, n int64) {
		answers = append(answers, answer+" ×"+count(n))
		left -= n
	}
	for _, status := range slices.Sorted(maps.Keys(op.Statuses)) {
		if status >= 100 && (status < 200 || status > 299) {
			add(fmt.Sprint(status), op.Statuses[status])
		}
	}
	for _, without := range []struct {
		status int
		words  string
	}{{measure.NoAnswer, "no response"}, {measure.NeverSent, "never sent (no connection)"}} {
		if n := op.Statuses[without.status]; n > 0 {
			add(without.words, n)
		}
	}
	if left > 0 {
		add("unexpected 2xx", left)
	}
	return fmt.Sprintf("%s failed %s: %s", name, count(op.Failed), strings.Join(answers, ", "))
}

// few explains the dashes of a table of latencies, if there are any.
func few(tables ...table) string {
	for _, t := range tables {
		for _, row := range t.Rows {
			if slices.Contains(row.Cells, none) {
				return none + " means too few values: p90 needs 10, p99 100, p99.9 1,000"
			}
		}
	}
	return ""
}

// deliveryTable is how long webhooks took.
func deliveryTable(r result.Result) table {
	return times("delivery", "from acceptance", r.Delivery.Acceptance, "from the intended start", r.Delivery.Intended)
}

// generatorTable is how late the generator itself was.
func generatorTable(r result.Result) table {
	return times("lateness", "schedule lag", r.ScheduleLag, "timer hiccup", r.Hiccup)
}

// times is a table of two distributions.
func times(of, one string, first *measure.Histogram, other string, second *measure.Histogram) table {
	t := table{Columns: slices.Concat([]column{text(of)}, figures("count"), latencyColumns)}
	t.add(plain, append([]string{one, count(first.Count())}, latencyCells(first)...)...)
	t.add(plain, append([]string{other, count(second.Count())}, latencyCells(second)...)...)
	return t
}

// accountTable is the money of each account whose balance is off.
func accountTable(r result.Result) table {
	t := table{Columns: slices.Concat([]column{text("account")}, figures("opening", "expected", "actual", "drift"))}
	for _, a := range r.Accounts {
		if a.Drift != 0 {
			t.add(bad, fmt.Sprint(a.Account), reais(a.Opening), between(a.Expected), reais(a.Actual), reais(a.Drift))
		}
	}
	return t
}

// between is a range of amounts in words.
func between(r result.Range) string {
	if r.From == r.To {
		return reais(r.From)
	}
	return reais(r.From) + " to " + reais(r.To)
}
