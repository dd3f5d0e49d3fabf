package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/load/internal/capacity"
	"github.com/pixcert/pixcert/load/internal/result"
)

// sectionsOf are the sections of a report, in order.
func sectionsOf(r result.Result) []section {
	return []section{
		rateSection(r), latencySection(r), webhookSection(r), moneySection(r), generatorSection(r),
		capacitySection(r), checkSection(r), thresholdSection(r), sourceSection(r),
	}
}

func rateSection(r result.Result) section {
	p, total := paceOf(r), r.Total()
	s := section{Title: "Rate"}
	over := ""
	if r.Capacity != nil {
		over = ", over all rates that the search tried"
	}
	s.say(both, plain, fmt.Sprintf("%s measured%s, %s failed; sent %s/s on average, %s/s at most%s",
		plural(total.Count, "request", "requests"), measuredWhich(r), count(total.Failed), number(round(p.Mean)), number(round(p.Peak)), over))
	s.say(both, plain, payments(r))
	s.say(both, warn, unheard(r.Ledger.Counts))
	s.say(both, bad, outages(r))
	s.say(both, warn, silences(r))
	s.say(both, warn, tokenWaits(r))
	s.say(both, bad, rejected(r))
	s.tables(page, exampleTable(r, tokensRejected, "Rejected access tokens"))
	s.say(both, markIf(r.Dropped > 0 && r.Capacity == nil, warn), plural(r.Iterations, "iteration", "iterations")+", "+dropped(r))
	if r.Threw() > 0 {
		s.say(both, warn, thrown(r))
	}
	s.plots([]*plot{ratePlot(r)}, nil)
	return s
}

func latencySection(r result.Result) section {
	t := operationTable(r)
	s := section{Title: "Latency", Note: "successful requests, from the intended start; next line from the send"}
	if len(t.Rows) == 0 {
		s.say(both, plain, "nothing was measured")
		return s
	}
	s.say(page, soft, "The intended start is when the schedule intended to send the request. Latency from the send excludes the wait for a free virtual user, so it makes a stalling target look fast. Failed requests have no latency.")
	s.tables(both, t)
	s.say(both, soft, few(t))
	s.say(both, soft, precision(r))
	failed := failures(r)
	for _, row := range failed.Rows {
		s.say(terminal, warn, fmt.Sprintf("%s failed %s: %s", row.Cells[0], row.Cells[2], row.Cells[3]))
	}
	s.plots([]*plot{latencyPlot(r), percentilePlot(r)}, operationPlots(r))
	s.tables(both, scenarioTable(r))
	s.tables(page, failed, exampleTable(r, "payments_slow", "Slowest payments"))
	return s
}

func webhookSection(r result.Result) section {
	c := r.Ledger.Counts
	s := section{Title: "Webhooks"}
	s.say(both, warn, strays(r))
	switch {
	case c.WebhooksReceived == 0 && c.WebhooksLost == 0:
		s.say(both, plain, "none received")
		return s
	case len(troublesAbout(r, true)) == 0:
		s.say(both, good, fmt.Sprintf("all %s matched; none lost, duplicate, late or malformed", count(c.WebhooksMatched)))
	default:
		s.say(both, plain, fmt.Sprintf("%s received, %s matched", count(c.WebhooksReceived), count(c.WebhooksMatched)))
	}
	s.brief(findingTable(foundAbout(r, true)))
	s.tables(both, deliveryTable(r))
	s.say(both, soft, early(r))
	s.tables(page, exampleTables(r, true)...)
	s.plots([]*plot{deliveryPlot(r), backlogPlot(r)}, nil)
	return s
}

func moneySection(r result.Result) section {
	c := r.Ledger.Counts
	s := section{Title: "Money"}
	for _, c := range r.Ledger.Causes {
		s.say(both, bad, c.Text)
	}
	accounts := int64(len(r.Accounts))
	switch off := drifted(r); {
	case accounts == 0:
		s.say(both, plain, "no balance was compared with the ledger")
	case off == 0:
		s.say(both, good, fmt.Sprintf("%s the ledger to the centavo", plural(accounts, "account matches", "accounts match")))
	default:
		s.say(both, bad, fmt.Sprintf("wrong balance: %d of %s", off, plural(accounts, "account", "accounts")))
	}
	s.brief(accountTable(r))
	s.say(both, plain, fmt.Sprintf("%s confirmed, %s failed (reported as ERROR)", plural(c.PaymentsConfirmed, "payment", "payments"), count(c.PaymentsFailed)))
	if c.RepeatsSent > 0 {
		s.say(both, plain, fmt.Sprintf("%s, %s accepted as another payment", plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats"), count(c.DoubleDebits)))
	}
	s.brief(findingTable(foundAbout(r, false)))
	s.tables(page, paymentTable(r))
	s.tables(page, exampleTables(r, false)...)
	s.tables(page, exampleTable(r, "payments_failed", "Failed payments"))
	return s
}

func generatorSection(r result.Result) section {
	s := section{Title: "Generator"}
	if !r.Validity.Doubtful() {
		s.say(both, good, fmt.Sprintf("on schedule, using %s of its CPU", percent(r.CPU)))
	} else {
		s.say(both, warn, fmt.Sprintf("exceeded its limits, using %s of its CPU", percent(r.CPU)))
	}
	s.say(both, soft, late(r))
	s.tables(both, generatorTable(r))
	env := table{Title: "Environment", Columns: []column{text("instance"), text("ran on"), {Name: "CPU", Right: true}, text("valid")}}
	if len(r.Parts) == 0 {
		env.add(plain, strconv.Itoa(r.Instance), environment(r.Environment), percent(r.CPU), yes(r.Validity.Valid))
		s.say(terminal, plain, environment(r.Environment))
	}
	for _, p := range r.Parts {
		env.add(markIf(!p.Validity.Valid, warn), strconv.Itoa(p.Instance), environment(p.Environment), percent(p.CPU), yes(p.Validity.Valid))
		s.say(terminal, plain, fmt.Sprintf("instance %d: %s, CPU %s", p.Instance, environment(p.Environment), percent(p.CPU)))
	}
	s.tables(page, env)
	return s
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func capacitySection(r result.Result) section {
	if r.Capacity == nil {
		return section{}
	}
	c := *r.Capacity
	points := slices.Clone(c.Points)
	slices.SortStableFunc(points, func(a, b capacity.Point) int { return cmp.Compare(a.Rate, b.Rate) })
	s := section{Title: "Capacity", Parts: []part{{on: terminal, write: c.Write}}}
	s.say(page, plain, c.String())
	s.tables(page, windowTable(c))
	if len(points) > 0 {
		s.plots([]*plot{curvePlot(c, points), achievedPlot(points)}, nil)
	}
	return s
}

func checkSection(r result.Result) section {
	s := section{Title: "Checks"}
	failed := failedChecks(r)
	if len(r.Checks) > 0 && len(failed) == 0 {
		s.say(both, good, plural(int64(len(r.Checks)), "check never failed", "checks never failed"))
	}
	for _, c := range failed {
		s.say(terminal, bad, fmt.Sprintf("%s: failed %s of %s", c.Name, count(c.Fails), count(c.Passes+c.Fails)))
	}
	s.tables(page, checkTable(r.Checks))
	return s
}

func thresholdSection(r result.Result) section {
	s := section{Title: "Thresholds"}
	if len(r.Thresholds) == 0 {
		s.say(page, plain, "no threshold was set")
		return s
	}
	passing := int64(len(thresholdsOf(r, passed)))
	switch {
	case passing == int64(len(r.Thresholds)):
		s.say(both, good, thresholdSummary(r))
	case passing > 0:
		s.say(both, plain, plural(passing, "threshold passed", "thresholds passed"))
	}
	for _, t := range thresholdsOf(r, failed) {
		s.say(terminal, bad, fmt.Sprintf("failed: %s: %s (%s)", t.Metric, t.Expression, thresholdValue(t)))
	}
	for _, t := range thresholdsOf(r, noData) {
		s.say(terminal, warn, fmt.Sprintf("no data: %s: %s", t.Metric, t.Expression))
	}
	for _, t := range thresholdsOf(r, passed) {
		if t.TooFew != nil {
			s.say(terminal, warn, fmt.Sprintf("too few: %s: %s (%s)", t.Metric, t.Expression, thresholdValue(t)))
		}
	}
	s.tables(page, thresholdTable(r))
	for _, source := range Sources(r.Presets) {
		s.say(terminal, plain, source)
	}
	return s
}

// sourceSection has the presets with the purpose of each.
func sourceSection(r result.Result) section {
	t := table{Columns: []column{text("preset"), text("purpose"), text("source"), text("date")}}
	for _, p := range r.Presets {
		t.add(plain, p.Name, p.Purpose, p.Source, p.Date)
	}
	s := section{Title: "Sources of the limits"}
	s.tables(page, t)
	return s
}
