package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Terminal writes the summary for a terminal of 80 columns: the verdict and its reasons,
// rates, latency per operation, webhooks, money, and the generator's own health.
// With colour it uses ANSI escapes: pass true if w is a terminal and NO_COLOR is unset.
func Terminal(w io.Writer, r result.Result, colour bool) error {
	s := &screen{Writer: bufio.NewWriter(w), colour: colour}
	for _, part := range []func(*screen, result.Result){
		printVerdict, printRates, printOperations, printWebhooks, printMoney, printGenerator, printCapacity, printChecks, printThresholds,
	} {
		part(s, r)
	}
	return s.Flush()
}

func printVerdict(s *screen, r result.Result) {
	v := verdictOf(r)
	word := strings.ToUpper(v.Word)
	lines := fold(v.Why, columns-len(word)-2)
	fmt.Fprintf(s, "%s  %s\n", s.paint(v.Mark, word), lines[0])
	for _, l := range lines[1:] {
		fmt.Fprintln(s, strings.Repeat(" ", len(word)+2)+l)
	}
	for _, reason := range v.Reasons {
		s.para(v.Mark, "  - ", reason)
	}
	fmt.Fprintln(s)
	for _, f := range about(r) {
		s.para(plain, fmt.Sprintf("  %-9s", f.Label), f.Value)
	}
}

func printRates(s *screen, r result.Result) {
	c, p, total := r.Ledger.Counts, paceOf(r), r.Total()
	s.heading("Rate", "")
	over := ""
	if r.Capacity != nil {
		over = ", over all rates that the search tried"
	}
	s.para(plain, "  ", fmt.Sprintf("%s measured%s, %s failed; sent %s/s on average, %s/s at most%s",
		plural(total.Count, "request", "requests"), measuredWhich(r), count(total.Failed), number(round(p.Mean)), number(round(p.Peak)), over))
	s.para(plain, "  ", payments(r))
	if c.PaymentsUnheard > 0 {
		s.para(warn, "  ", unheard(c))
	}
	if words := outages(r); words != "" {
		s.para(bad, "  ", words)
	}
	s.para(markIf(r.Dropped > 0 && r.Capacity == nil, warn), "  ", plural(r.Iterations, "iteration", "iterations")+", "+dropped(r))
	if r.Threw() > 0 {
		s.para(warn, "  ", thrown(r))
	}
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

// thrown says how many iterations threw an error in the script.
func thrown(r result.Result) string {
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

func printOperations(s *screen, r result.Result) {
	t := operationTable(r)
	s.heading("Latency", t.Note)
	if len(t.Rows) == 0 {
		s.para(plain, "  ", "nothing was measured")
		return
	}
	s.table(t)
	for _, note := range []string{few(t), precision(r)} {
		if note != "" {
			s.para(soft, "  ", note)
		}
	}
	for _, row := range failures(r).Rows {
		s.para(warn, "  ", fmt.Sprintf("%s failed %s: %s", row.Cells[0], row.Cells[2], row.Cells[3]))
	}
	if t := scenarioTable(r); len(t.Rows) > 0 {
		s.table(t)
	}
}

func printWebhooks(s *screen, r result.Result) {
	c := r.Ledger.Counts
	s.heading("Webhooks", "")
	if text := strays(r); text != "" {
		s.para(warn, " ", text)
	}
	switch webhooks := troublesAbout(r, true); {
	case c.WebhooksReceived == 0 && c.WebhooksLost == 0:
		s.para(plain, "  ", "none received")
		return
	case len(webhooks) == 0:
		s.para(good, "  ", fmt.Sprintf("all %s matched; none lost, duplicate, late or malformed", count(c.WebhooksMatched)))
	default:
		s.para(plain, "  ", fmt.Sprintf("%s received, %s matched", count(c.WebhooksReceived), count(c.WebhooksMatched)))
		s.table(findingTable(webhooks))
	}
	s.table(deliveryTable(r))
	if note := early(r); note != "" {
		s.para(soft, "  ", note)
	}
}

func printMoney(s *screen, r result.Result) {
	c := r.Ledger.Counts
	s.heading("Money", "")
	for _, c := range r.Ledger.Causes {
		s.para(bad, "  ", c.Text)
	}
	switch off := drifted(r); {
	case len(r.Accounts) == 0:
		s.para(plain, "  ", "no balance was compared with the ledger")
	case off == 0:
		s.para(good, "  ", fmt.Sprintf("%s the ledger to the centavo", plural(int64(len(r.Accounts)), "account matches", "accounts match")))
	default:
		s.para(bad, "  ", fmt.Sprintf("wrong balance: %d of %s", off, plural(int64(len(r.Accounts)), "account", "accounts")))
		s.table(accountTable(r, false))
	}
	s.para(plain, "  ", fmt.Sprintf("%s confirmed, %s failed (money returned)", plural(c.PaymentsConfirmed, "payment", "payments"), count(c.PaymentsFailed)))
	if c.RepeatsSent > 0 {
		s.para(plain, "  ", fmt.Sprintf("%s, %s debited again", plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats"), count(c.DoubleDebits)))
	}
	if t := ruleTable(r); r.Asked("").Broken > 0 {
		s.table(t)
	} else if n := r.Asked("").Asked; n > 0 {
		s.para(good, "  ", plural(n, "question", "questions")+" about the API's rules: all hold")
	}
	if rules := unasked(r); rules != "" {
		s.para(plain, "  ", rules)
	}
	if fs := troublesAbout(r, false); len(fs) > 0 {
		s.table(findingTable(fs))
	}
}

func printGenerator(s *screen, r result.Result) {
	s.heading("Generator", "")
	if !r.Validity.Doubtful() {
		s.para(good, "  ", fmt.Sprintf("on schedule, using %s of its CPU", percent(r.CPU)))
	} else {
		s.para(warn, "  ", fmt.Sprintf("exceeded its limits, using %s of its CPU", percent(r.CPU)))
	}
	if note := late(r); note != "" {
		s.para(soft, "  ", note)
	}
	s.table(generatorTable(r))
	if len(r.Parts) == 0 {
		s.para(plain, "  ", environment(r.Environment))
		return
	}
	for _, p := range r.Parts {
		s.para(plain, fmt.Sprintf("  instance %d: ", p.Instance), environment(p.Environment)+fmt.Sprintf(", CPU %s", percent(p.CPU)))
	}
}

func printThresholds(s *screen, r result.Result) {
	if len(r.Thresholds) == 0 {
		return
	}
	s.heading("Thresholds", "")
	passing := int64(len(thresholdsOf(r, passed)))
	switch {
	case passing == int64(len(r.Thresholds)):
		s.para(good, "  ", thresholdSummary(r))
	case passing > 0:
		s.para(plain, "  ", plural(passing, "threshold passed", "thresholds passed"))
	}
	for _, t := range thresholdsOf(r, failed) {
		s.para(bad, "  failed   ", fmt.Sprintf("%s: %s (%s)", t.Metric, t.Expression, thresholdValue(t)))
	}
	for _, t := range thresholdsOf(r, noData) {
		s.para(warn, "  no data  ", t.Metric+": "+t.Expression)
	}
	for _, t := range thresholdsOf(r, passed) {
		if t.TooFew != nil {
			s.para(warn, "  too few  ", fmt.Sprintf("%s: %s (%s)", t.Metric, t.Expression, thresholdValue(t)))
		}
	}
	printPresets(s, r)
}

// printPresets lists the presets by source. The page also has the purpose of each.
func printPresets(s *screen, r result.Result) {
	var sources []string
	names := map[string][]string{}
	for _, p := range r.Presets {
		source := sourceOf(p)
		if names[source] == nil {
			sources = append(sources, source)
		}
		names[source] = append(names[source], p.Name)
	}
	for _, source := range sources {
		s.para(plain, "  ", strings.Join(names[source], ", ")+": "+source)
	}
}

func printChecks(s *screen, r result.Result) {
	if len(r.Checks) == 0 {
		return
	}
	s.heading("Checks", "")
	failed := failedChecks(r)
	if len(failed) == 0 {
		s.para(good, "  ", plural(int64(len(r.Checks)), "check never failed", "checks never failed"))
		return
	}
	for _, c := range failed {
		s.para(bad, "  ", fmt.Sprintf("%s: failed %s of %s", c.Name, count(c.Fails), count(c.Passes+c.Fails)))
	}
}
