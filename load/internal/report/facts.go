package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
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

// precision is how precisely the slowest percentiles of the most frequent operation are known.
func precision(r result.Result) string {
	for _, name := range busiest(r)[:min(1, len(r.Operations))] {
		h := r.Operations[name].Intended
		if h.Resolves(0.99) {
			return fmt.Sprintf("95%% confidence for %s: p99 %s, p99.9 %s", name, bounds(r.BoundsOf(h, 0.99)), bounds(r.BoundsOf(h, 0.999)))
		}
	}
	return ""
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

// early counts the webhooks that arrived before the response to their payment.
func early(r result.Result) string {
	if n := r.Delivery.Acceptance.Zeros(); n > 0 {
		return plural(n, "webhook", "webhooks") + " arrived before the response to the payment, counted as 0 from acceptance"
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

// unheard says what became of the payments without a conclusive response, if there are any.
func unheard(c ledger.Counts) string {
	if c.PaymentsUnheard == 0 {
		return ""
	}
	unknown := min(c.PaymentsUnknown+c.PaymentsUntold, c.PaymentsUnheard)
	taken := max(0, c.PaymentsUnheard-c.PaymentsAbsent-unknown)
	return fmt.Sprintf("%s: %s accepted after all, %s never accepted (absent), %s unknown",
		plural(c.PaymentsUnheard, "payment unheard", "payments unheard"), count(taken), count(c.PaymentsAbsent), count(unknown))
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

// fact is a labelled value.
type fact struct{ Label, Value string }

// runName is the run's name, if it has one, and its id.
func runName(r result.Result) string {
	if r.Name == "" {
		return r.Run
	}
	return visible(r.Name) + " (" + r.Run + ")"
}

// about says which run this is.
func about(r result.Result) []fact {
	instances := "1 instance"
	if r.Instances > 1 {
		instances = fmt.Sprintf("instance %d of %d", r.Instance, r.Instances)
		if len(r.Parts) > 0 {
			instances = fmt.Sprintf("%d of %d instances", len(r.Parts), r.Instances)
		}
		if r.Segment != "" {
			instances += ", segment " + r.Segment
		}
	}
	took := r.Ended.Sub(r.Started).Round(time.Second).String()
	if r.Warmup > 0 {
		took += fmt.Sprintf(", including %s warm-up", time.Duration(r.Warmup*float64(time.Second)))
	}
	script := r.Script
	if r.Profile != "" {
		script = strings.TrimPrefix(script+", profile "+r.Profile, ", ")
	}
	facts := []fact{
		{"run", runName(r) + ", " + instances},
		{"started", r.Started.UTC().Format("2006-01-02 15:04:05 UTC") + ", took " + took},
		{"target", visible(r.Target)},
		{"script", visible(script)},
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}

// environment is the versions and the machine of the generator.
func environment(e result.Environment) string {
	var parts []string
	for _, p := range []struct {
		label, value string
	}{{"pixcert ", e.Pixcert}, {"k6 ", e.K6}, {"", e.Go}, {"", e.OS}} {
		if p.value != "" {
			parts = append(parts, p.label+p.value)
		}
	}
	if e.CPUs > 0 {
		parts = append(parts, plural(int64(e.CPUs), "CPU", "CPUs"))
	}
	if len(parts) == 0 {
		return "unknown environment"
	}
	return strings.Join(parts, ", ")
}

// measuredWhich says which requests were measured, unless all of them were.
func measuredWhich(r result.Result) string {
	s := ""
	if r.Warmup > 0 {
		s += " after the warm-up"
	}
	if r.Ledger.Counts.RepeatsSent > 0 {
		s += " (a payment and its repeat count as one)"
	}
	return s
}

// payments says how many were sent, and how the gateway responded.
func payments(r result.Result) string {
	c := r.Ledger.Counts
	sent := plural(c.PaymentsSent, "payment", "payments")
	if r.Warmup > 0 {
		sent += ", including the warm-up"
	}
	if c.RepeatsSent > 0 {
		sent += ", and " + plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats")
	}
	unsent := min(r.Ledger.Unsent, c.PaymentsRefused)
	s := fmt.Sprintf("%s: %s accepted, %s refused (4xx), %s unheard", sent, count(c.PaymentsAccepted), count(c.PaymentsRefused-unsent), count(c.PaymentsUnheard))
	if unsent > 0 {
		s += fmt.Sprintf(", %s never sent (no connection)", count(unsent))
	}
	return s
}

// thrown says how many iterations threw an error in the script; empty if none did.
func thrown(r result.Result) string {
	if r.Threw() == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s threw an error: see k6's log", count(r.Threw()), plural(r.Iterations, "iteration", "iterations"))
}

// dropped says how many iterations could not be started. A capacity search exceeds the
// capacity on purpose.
func dropped(r result.Result) string {
	s := count(r.Dropped) + " dropped"
	if r.Capacity != nil && r.Dropped > 0 {
		s += ", as expected: a capacity search goes beyond the capacity"
	}
	return s
}

// strays counts requests that may explain lost webhooks: the gateway may have sent them to
// the wrong URL.
func strays(r result.Result) string {
	if r.Strays == 0 {
		return ""
	}
	return plural(r.Strays, "request to the webhook listener was not a webhook", "requests to the webhook listener were not webhooks") +
		": wrong path or method, or a truncated body"
}

// grouped groups items by a key, both in their order.
func grouped[T any](items []T, key func(T) string) (keys []string, groups [][]T) {
	for _, item := range items {
		of := key(item)
		at := slices.Index(keys, of)
		if at < 0 {
			at, keys, groups = len(keys), append(keys, of), append(groups, nil)
		}
		groups[at] = append(groups[at], item)
	}
	return keys, groups
}

// pace is how fast requests were sent.
type pace struct {
	Mean, Peak float64 // requests a second, from the first to the last
}

func paceOf(r result.Result) pace {
	var p pace
	var sent, first, last int64
	length := max(r.Timeline.Seconds, 1)
	for _, i := range r.Timeline.Intervals {
		n := i.Total().Started
		if n == 0 {
			continue
		}
		if sent == 0 {
			first = i.At
		}
		last = i.At + length
		sent += n
		p.Peak = max(p.Peak, float64(n)/float64(length))
	}
	if seconds := float64(last - first); seconds > 0 {
		p.Mean = float64(sent) / seconds
	}
	// Intervals are whole clock seconds: of a short run they cut off a part.
	if exact := r.Total().Rate(); exact > 0 {
		p.Mean = exact
	}
	p.Peak = max(p.Peak, p.Mean)
	return p
}

// sourceOf is a preset's source with its date.
func sourceOf(p preset.Source) string {
	if p.Date == "" {
		return p.Source
	}
	return p.Source + " (" + p.Date + ")"
}

// late says how much of the latencies the generator itself may have caused, if that is
// noticeable, and how many iterations it dropped.
func late(r result.Result) string {
	if r.Capacity != nil {
		return ""
	}
	var parts []string
	if shares := r.Shares(); len(shares) > 0 && float64(shares[0].Measured-shares[0].Least) > noticed*float64(shares[0].Measured) {
		parts = append(parts, sentence(shares[0].String()))
	}
	if r.Dropped > 0 && r.Validity.Valid {
		parts = append(parts, fmt.Sprintf("%s of %s iterations were dropped: too few to move a p99.", count(r.Dropped), count(r.Iterations+r.Dropped)))
	}
	return strings.Join(parts, " ")
}

// noticed is the share of a p99 from which the generator's delays are reported.
const noticed = 0.01

// sentence is a note of the terminal as the page writes it.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(s[size:], ".") + "."
}
