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

// Both the terminal and the page show the tables below.

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
		Title: "Scenarios", Note: "latency of successful requests from the intended start, webhooks from acceptance",
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

// failures lists the responses of each operation with failed requests.
func failures(r result.Result) table {
	t := table{Title: "Failed requests", Columns: slices.Concat([]column{text("operation")}, figures("completed", "failed"), []column{text("responses")})}
	for _, name := range busiest(r) {
		op := r.Operations[name]
		if op.Failed == 0 {
			continue
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
			add("other", left)
		}
		t.add(warn, name, count(op.Count), count(op.Failed), strings.Join(answers, ", "))
	}
	return t
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

// checkTable lists the script's own checks.
func checkTable(checks []result.Check) table {
	t := table{Columns: slices.Concat([]column{text("check")}, figures("passed", "failed"))}
	for _, c := range checks {
		t.add(markIf(c.Fails > 0, bad), c.Name, count(c.Passes), count(c.Fails))
	}
	return t
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

// accountTable is the money of each account.
func accountTable(r result.Result) table {
	t := table{
		Title:   "Accounts",
		Note:    "Final balances, available plus blocked, compared with what was accepted, settled and charged. Drift is how far a balance is outside the expected range.",
		Columns: slices.Concat([]column{text("account")}, figures("opening", "expected", "actual", "drift")),
	}
	for _, a := range r.Accounts {
		t.add(markIf(a.Drift != 0, bad), fmt.Sprint(a.Account), reais(a.Opening), between(a.Expected), reais(a.Actual), reais(a.Drift))
	}
	return t
}

// paymentTable is what became of the payments.
func paymentTable(r result.Result) table {
	c, unsent := r.Ledger.Counts, min(r.Ledger.Unsent, r.Ledger.Counts.PaymentsRefused)
	t := table{Title: "Payments", Columns: append([]column{text("outcome")}, figures("payments")...)}
	for _, f := range []struct {
		label string
		n     int64
	}{
		{"all", c.PaymentsSent}, {"accepted", c.PaymentsAccepted},
		{"refused: the response was 4xx", c.PaymentsRefused - unsent},
		{"never sent: there was no connection", unsent},
		{"unheard: no conclusive response", c.PaymentsUnheard}, {"confirmed: the money moved", c.PaymentsConfirmed},
		{"failed: reported as ERROR", c.PaymentsFailed}, {"absent: unheard, and not in the gateway's list", c.PaymentsAbsent},
		{"unknown: the gateway did not report their outcome", c.PaymentsUnknown},
		{"untold: no webhook reported their outcome, and the API cannot be queried for it", c.PaymentsUntold},
		{"deliberate repeats", c.RepeatsSent},
	} {
		t.add(plain, f.label, count(f.n))
	}
	return t
}

// statuses in display order.
var statuses = []string{failed, noData, passed}

var statusMarks = map[string]mark{failed: bad, noData: warn}

// thresholdTable has the failed ones first.
func thresholdTable(r result.Result) table {
	t := table{Columns: []column{text("verdict"), text("threshold"), text("limit"), {Name: "value", Right: true}, text("evaluated")}}
	sorted := slices.Clone(r.Thresholds)
	slices.SortStableFunc(sorted, func(a, b result.Threshold) int {
		return cmp.Compare(slices.Index(statuses, statusOf(a)), slices.Index(statuses, statusOf(b)))
	})
	for _, th := range sorted {
		t.add(statusMarks[statusOf(th)], statusOf(th), th.Metric, th.Expression, thresholdValue(th), basis[th.Basis])
	}
	return t
}

var basis = map[result.Basis]string{
	result.ByK6:      "by k6",
	result.OnMerged:  "on the merged data",
	result.EveryPart: "in every instance",
}

// between is a range of amounts in words.
func between(r result.Range) string {
	if r.From == r.To {
		return reais(r.From)
	}
	return reais(r.From) + " to " + reais(r.To)
}
