package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// write writes the sections of a report, in order.
func (s *screen) write(r result.Result) {
	for _, section := range []func(result.Result){s.rate, s.latency, s.webhooks, s.money, s.generator, s.checks, s.thresholds} {
		section(r)
	}
}

func (s *screen) rate(r result.Result) {
	s.heading("Rate", "")
	p, total := paceOf(r), r.Total()
	s.say(plain, fmt.Sprintf("%s measured%s, %s failed; sent %s/s on average, %s/s at most",
		plural(total.Count, "request", "requests"), measuredWhich(r), count(total.Failed), number(round(p.Mean)), number(round(p.Peak))))
	s.say(plain, payments(r))
	s.say(warn, unheard(r.Ledger.Counts))
	s.say(bad, outages(r))
	s.say(warn, silences(r))
	s.say(warn, tokenWaits(r))
	s.say(bad, rejected(r))
	s.say(markIf(r.Dropped > 0, warn), plural(r.Iterations, "iteration", "iterations")+", "+dropped(r))
	s.say(warn, thrown(r))
}

func (s *screen) latency(r result.Result) {
	s.heading("Latency", "successful requests, from the intended start; next line from the send")
	t := operationTable(r)
	if len(t.Rows) == 0 {
		s.say(plain, "nothing was measured")
		return
	}
	s.table(t)
	s.say(soft, few(t))
	s.say(soft, precision(r))
	for _, name := range busiest(r) {
		s.say(warn, failures(name, r.Operations[name]))
	}
	s.table(scenarioTable(r))
}

func (s *screen) webhooks(r result.Result) {
	s.heading("Webhooks", "")
	c := r.Ledger.Counts
	s.say(warn, strays(r))
	switch {
	case c.WebhooksReceived == 0 && c.WebhooksLost == 0:
		s.say(plain, "none received")
		return
	case len(troublesAbout(r, true)) == 0:
		s.say(good, fmt.Sprintf("all %s matched; none lost, duplicate, late or malformed", count(c.WebhooksMatched)))
	default:
		s.say(plain, fmt.Sprintf("%s received, %s matched", count(c.WebhooksReceived), count(c.WebhooksMatched)))
	}
	s.table(findingTable(r, troublesAbout(r, true)))
	s.table(deliveryTable(r))
	s.say(soft, early(r))
}

func (s *screen) money(r result.Result) {
	s.heading("Money", "")
	c := r.Ledger.Counts
	for _, c := range r.Ledger.Causes {
		s.say(bad, c.Text)
	}
	accounts := int64(len(r.Accounts))
	switch off := drifted(r); {
	case accounts == 0:
		s.say(plain, "no balance was compared with the ledger")
	case off == 0:
		s.say(good, fmt.Sprintf("%s the ledger to the centavo", plural(accounts, "account matches", "accounts match")))
	default:
		s.say(bad, fmt.Sprintf("wrong balance: %d of %s", off, plural(accounts, "account", "accounts")))
	}
	s.table(accountTable(r))
	s.say(plain, fmt.Sprintf("%s confirmed, %s failed (reported as ERROR)", plural(c.PaymentsConfirmed, "payment", "payments"), count(c.PaymentsFailed)))
	if c.RepeatsSent > 0 {
		s.say(plain, fmt.Sprintf("%s, %s accepted as another payment", plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats"), count(c.DoubleDebits)))
	}
	s.table(findingTable(r, troublesAbout(r, false)))
}

func (s *screen) generator(r result.Result) {
	s.heading("Generator", "")
	if !r.Validity.Doubtful() {
		s.say(good, fmt.Sprintf("on schedule, using %s of its CPU", percent(r.CPU)))
	} else {
		s.say(warn, fmt.Sprintf("exceeded its limits, using %s of its CPU", percent(r.CPU)))
	}
	s.say(soft, late(r))
	s.table(generatorTable(r))
	if len(r.Parts) == 0 {
		s.say(plain, environment(r.Environment))
	}
	for _, p := range r.Parts {
		s.say(plain, fmt.Sprintf("instance %d: %s, CPU %s", p.Instance, environment(p.Environment), percent(p.CPU)))
	}
}

func (s *screen) checks(r result.Result) {
	if len(r.Checks) == 0 {
		return
	}
	s.heading("Checks", "")
	for _, c := range r.Checks {
		if c.Fails > 0 {
			s.say(bad, fmt.Sprintf("%s: failed %s of %s", c.Name, count(c.Fails), count(c.Passes+c.Fails)))
		} else {
			s.say(plain, fmt.Sprintf("%s: passed %s", c.Name, count(c.Passes)))
		}
	}
}

// held lists thresholds that passed, those on a count of 0 together.
func held(passing []result.Threshold) string {
	zero := func(t result.Threshold) bool { return t.Value == nil || *t.Value == 0 }
	expressions, groups := grouped(passing, func(t result.Threshold) string {
		if zero(t) {
			return t.Expression
		}
		return t.Expression + " (" + thresholdValue(t) + ")"
	})
	for i, group := range groups {
		var names []string
		for _, t := range group {
			names = append(names, t.Metric)
		}
		expressions[i] = strings.Join(slices.Compact(names), ", ") + ": " + expressions[i]
	}
	return strings.Join(expressions, "; ")
}

// metrics are those of k6 and the script; the other sections have pixcert's.
func (s *screen) metrics(all []result.Observed) {
	all = slices.DeleteFunc(slices.Clone(all), func(m result.Observed) bool { return strings.HasPrefix(m.Name, "pix_") })
	if len(all) > 0 {
		s.heading("Other metrics", "")
	}
	for _, m := range all {
		s.para(plain, "  ", m.Name+": "+valuesOf(m))
	}
}

// valuesOf are the values of a metric in the order of k6's summary.
func valuesOf(m result.Observed) string {
	order := []string{"count", "rate", "passes", "fails", "value", "matches", "total", "avg", "min", "med", "max"}
	at := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order) // percentiles
	}
	names := slices.SortedFunc(maps.Keys(m.Values), func(a, b string) int { return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(a, b)) })
	var words []string
	for _, name := range names {
		v, shown := m.Values[name], ""
		switch {
		case name == "rate" && m.Type == "rate":
			shown = percent(v)
		case name == "rate":
			shown = size(v, m.Contains) + "/s"
		case name == "passes", name == "fails", name == "count" && m.Type == "trend":
			shown = number(v)
		case m.Contains == "time":
			shown = milliseconds(v)
		default:
			shown = size(v, m.Contains)
		}
		words = append(words, name+" "+shown)
	}
	return strings.Join(words, ", ")
}

// size is a number, in bytes if the metric contains data.
func size(v float64, contains string) string {
	if contains != "data" {
		return number(v)
	}
	units := []string{" B", " kB", " MB", " GB", " TB"}
	for len(units) > 1 && v >= 999.5 {
		v, units = v/1000, units[1:]
	}
	return significant(v) + units[0]
}

func (s *screen) thresholds(r result.Result) {
	if len(r.Thresholds) == 0 {
		return
	}
	s.heading("Thresholds", "")
	passing := thresholdsOf(r, passed)
	switch n := int64(len(passing)); {
	case n == int64(len(r.Thresholds)):
		s.say(good, thresholdSummary(r))
	case n > 0:
		s.say(plain, plural(n, "threshold passed", "thresholds passed"))
	}
	s.say(soft, held(passing))
	for _, t := range thresholdsOf(r, failed) {
		s.say(bad, fmt.Sprintf("failed: %s: %s (%s)", t.Metric, t.Expression, thresholdValue(t)))
	}
	for _, t := range thresholdsOf(r, noData) {
		s.say(warn, fmt.Sprintf("no data: %s: %s", t.Metric, t.Expression))
	}
	for _, t := range slices.DeleteFunc(passing, func(t result.Threshold) bool { return t.TooFew == nil }) {
		s.say(warn, fmt.Sprintf("too few: %s: %s (%s)", t.Metric, t.Expression, thresholdValue(t)))
	}
	for _, source := range Sources(r.Presets) {
		s.say(plain, source)
	}
}
