package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
)

// about says which run this is.
func about(r result.Result) (facts [][2]string) {
	add := func(name, fact string) {
		if fact != "" {
			facts = append(facts, [2]string{name, fact})
		}
	}
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
	name := r.Run
	if r.Name != "" {
		name = r.Name + " (" + r.Run + ")"
	}
	script := r.Script
	if r.Profile != "" {
		script = strings.TrimPrefix(script+", profile "+r.Profile, ", ")
	}
	add("run", name+", "+instances)
	if !r.Started.IsZero() {
		add("started", r.Started.UTC().Format("2006-01-02 15:04:05 UTC")+", took "+r.Ended.Sub(r.Started).Round(time.Second).String())
	}
	add("target", r.Target)
	add("script", script)
	return facts
}

func (s *screen) requests(r result.Result) {
	s.heading("Requests", "successful ones, from the intended start")
	rows := operations(r)
	if len(rows) != 1 {
		rows = append(rows, [2]string{"all", requestTrend})
	}
	s.latencies(r, "operation", rows...)
	s.say(plain, payments(r.Ledger))
	s.say(warn, withoutResponse(r.Ledger.Counts))
	for _, f := range r.Failures {
		s.say(warn, failure(f))
	}
	for _, of := range r.Silences[:min(len(r.Silences), 5)] {
		s.say(warn, fmt.Sprintf("the gateway sent no response for %s, %s after the start (%s requests waited)", Milliseconds(1000*of.Length().Seconds()), of.From.Sub(r.Started).Round(time.Second), count(of.Requests)))
	}
	s.findings(troublesOf(r, "tokens_"))
	s.say(either(r.Dropped > 0, warn, plain), fmt.Sprintf("%s, %s dropped", Plural(r.Iterations, "iteration", "iterations"), count(r.Dropped)))
	s.say(warn, thrown(r))
}

func failure(f result.Failure) string {
	answer := fmt.Sprint(f.Status)
	switch {
	case f.Unsent:
		answer = "never sent (no connection)"
	case f.Status == 0:
		answer = "no response"
	}
	return fmt.Sprintf("%s failed %s: %s", f.Operation, Plural(f.Count, "time", "times"), answer)
}

const requestTrend = "pix_req_intended_duration" // the metric of the latencies of requests

// operations are the names of those with latencies, each with its metric, and all together.
func operations(r result.Result) (all [][2]string) {
	for _, metric := range slices.Sorted(maps.Keys(r.Metrics)) {
		operation, found := strings.CutPrefix(metric, requestTrend+"{operation:")
		if found && !strings.Contains(operation, ",") {
			all = append(all, [2]string{strings.TrimSuffix(operation, "}"), metric})
		}
	}
	return all
}

// latencies writes a table of trends by their names. A percentile of too few values is the maximum, and left out.
func (s *screen) latencies(r result.Result, title string, trends ...[2]string) {
	line := func(m mark, cells ...any) {
		fmt.Fprintln(s, s.paint(m, fmt.Sprintf("  %-21s%11s%9s%9s%9s%9s%9s", cells...)))
	}
	trends = slices.DeleteFunc(trends, func(t [2]string) bool { return r.Metrics[t[1]].Values == nil })
	if len(trends) > 0 {
		line(soft, title, "count", "med", "p90", "p99", "p99.9", "max")
	}
	for _, t := range trends {
		values := r.Metrics[t[1]].Values
		cells := []any{visible(t[0]), number(values["count"])}
		for _, p := range percentiles {
			cells = append(cells, either(values["count"] >= p.from, Milliseconds(values[p.name]), none))
		}
		line(plain, cells...)
	}
}

// payments says how many were sent, and how the gateway responded.
func payments(of ledger.Book) string {
	c := of.Counts
	sent := Plural(c.PaymentsSent, "payment", "payments")
	if c.RepeatsSent > 0 {
		sent += ", and " + Plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats")
	}
	unsent := min(of.Unsent, c.PaymentsRefused)
	s := fmt.Sprintf("%s: %s accepted, %s refused (4xx), %s without a response", sent, count(c.PaymentsAccepted), count(c.PaymentsRefused-unsent), count(c.PaymentsNoResponse))
	if unsent > 0 {
		s += fmt.Sprintf(", %s never sent (no connection)", count(unsent))
	}
	return s
}

// compared says how many payments were compared with the gateway's list, if not all were.
func compared(c ledger.Counts) string {
	if c.PaymentsCompared >= c.PaymentsConfirmed+c.PaymentsFailed {
		return ""
	}
	return fmt.Sprintf("the amounts of %s of %s were compared with the gateway's list", count(c.PaymentsCompared), Plural(c.PaymentsConfirmed+c.PaymentsFailed, "payment", "payments"))
}

// withoutResponse says what became of the payments without a conclusive response, if there are any.
func withoutResponse(c ledger.Counts) string {
	if c.PaymentsNoResponse == 0 {
		return ""
	}
	unknown := min(c.PaymentsUnknown+c.PaymentsUnreported, c.PaymentsNoResponse)
	taken := max(0, c.PaymentsNoResponse-c.PaymentsNotCreated-unknown)
	return fmt.Sprintf("%s: %s accepted after all, %s never accepted (not created), %s unknown",
		Plural(c.PaymentsNoResponse, "payment without a response", "payments without a response"), count(taken), count(c.PaymentsNotCreated), count(unknown))
}

func (s *screen) webhooks(r result.Result) {
	s.heading("Webhooks", "")
	c := r.Ledger.Counts
	if r.Strays > 0 {
		s.say(warn, Plural(r.Strays, "request to the webhook listener was not a webhook", "requests to the webhook listener were not webhooks")+
			": wrong path or method, or a truncated body")
	}
	switch {
	case c.WebhooksReceived == 0 && c.WebhooksLost == 0:
		s.say(plain, "none received")
		return
	case len(troublesOf(r, "webhooks_")) == 0:
		s.say(good, fmt.Sprintf("all %s matched; none lost, duplicate, late or malformed", count(c.WebhooksMatched)))
	default:
		s.say(plain, fmt.Sprintf("%s received, %s matched", count(c.WebhooksReceived), count(c.WebhooksMatched)))
	}
	s.findings(troublesOf(r, "webhooks_"))
	s.latencies(r, "after", [2]string{"the response", "pix_webhook_duration"}, [2]string{"the intended start", "pix_webhook_intended_duration"})
}

func (s *screen) money(r result.Result) {
	s.heading("Money", "")
	c := r.Ledger.Counts
	for _, c := range r.Ledger.Causes {
		s.say(bad, c.Text)
	}
	accounts := int64(len(r.Accounts()))
	switch off := drifted(r); {
	case accounts == 0:
		s.say(plain, "no balance was compared with the ledger")
	case off == 0 && slackOf(r) > 0:
		s.say(warn, fmt.Sprintf("%s the ledger within the %s that it leaves open", Plural(accounts, "account matches", "accounts match"), reais(slackOf(r))))
	case off == 0:
		s.say(good, fmt.Sprintf("%s the ledger to the centavo", Plural(accounts, "account matches", "accounts match")))
	default:
		s.say(bad, fmt.Sprintf("wrong balance: %d of %s", off, Plural(accounts, "account", "accounts")))
	}
	for _, a := range r.Accounts() {
		if a.Drift != 0 {
			s.say(bad, fmt.Sprintf("account %d: opening %s, expected %s, got %s, drift %s", a.Account, reais(a.Opening),
				reais(a.From)+either(a.From == a.To, "", " to "+reais(a.To)), reais(a.Actual), reais(a.Drift)))
		}
	}
	s.say(plain, fmt.Sprintf("%s confirmed, %s failed (reported as ERROR)", Plural(c.PaymentsConfirmed, "payment", "payments"), count(c.PaymentsFailed)))
	s.say(soft, compared(c))
	if c.RepeatsSent > 0 {
		s.say(plain, fmt.Sprintf("%s, %s accepted as another payment", Plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats"), count(c.DoubleDebits)))
	}
	s.findings(troublesOf(r, "money_", "double_", "payments_"))
}

func (s *screen) generator(r result.Result) {
	s.heading("Generator", "")
	late := r.Has(result.Hiccup, result.ScheduleLag, result.OwnDelay, result.CPU, result.Exhausted, result.Suspended) || max(r.Generator.ScheduleLag, r.Generator.Hiccup) > noticeable
	s.say(either(late, warn, good), either(late, "late", "on schedule")+", using "+percent(r.Generator.CPU)+" of its CPU; p99 of its own delays: iterations "+
		Milliseconds(r.Generator.ScheduleLag)+", timers "+Milliseconds(r.Generator.Hiccup))
	if len(r.Parts) == 0 {
		s.say(plain, environment(r.Environment))
	}
	for _, p := range r.Parts {
		s.say(plain, fmt.Sprintf("instance %d: %s, %s, CPU %s", p.Instance, p.Outcome, environment(p.Environment), percent(p.Generator.CPU)))
	}
}

const noticeable = 100 // the p99 of the generator's own delays, in milliseconds, from which it is not on schedule

// environment is the versions and the machine of the generator.
func environment(e result.Environment) string {
	var parts []string
	for _, p := range []struct{ label, value string }{{"pixcert ", e.Pixcert}, {"k6 ", e.K6}, {"", e.Go}, {"", e.OS}} {
		if p.value != "" {
			parts = append(parts, p.label+p.value)
		}
	}
	return strings.Join(append(parts, Plural(int64(e.CPUs), "CPU", "CPUs")), ", ")
}

func (s *screen) checks(r result.Result) {
	if len(r.Checks) == 0 {
		return
	}
	s.heading("Checks", "")
	for _, c := range r.Checks {
		passed := fmt.Sprintf("passed %s", count(c.Passes))
		s.say(either(c.Fails > 0, bad, plain), c.Name+": "+either(c.Fails == 0, passed, fmt.Sprintf("failed %s of %s", count(c.Fails), count(c.Passes+c.Fails))))
	}
}

func (s *screen) thresholds(r result.Result) {
	if len(r.Thresholds) == 0 {
		return
	}
	s.heading("Thresholds", "")
	var zero []string
	for _, t := range r.Thresholds {
		m, word := plain, "passed"
		switch none := result.Limit(t.Expression).IsZero(); {
		case !t.OK:
			m, word = bad, "failed"
		case none:
			zero = append(zero, t.Metric)
			continue
		case t.NoData:
			m, word = soft, "no data"
		}
		s.say(m, fmt.Sprintf("%s: %s: %s", word, t.Metric, t.Expression)+either(t.NoData, "", " ("+value(t)+")"))
	}
	if len(zero) > 0 {
		s.say(plain, "passed: none of "+strings.Join(zero, ", "))
	}
	for _, source := range Sources(r.Presets) {
		s.say(soft, source)
	}
}

// metrics are those of k6 and the script; the other sections have pixcert's.
func (s *screen) metrics(r result.Result) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(r.Metrics)), func(name string) bool { return strings.HasPrefix(name, "pix_") })
	if len(names) > 0 {
		s.heading("Other metrics", "")
	}
	for _, name := range names {
		s.para(plain, "  ", name+": "+values(r.Metrics[name]))
	}
}

// values of a metric in the order of k6's summary.
func values(m result.Metric) string {
	order := []string{"count", "rate", "passes", "fails", "value", "avg", "min", "med", "max", "p(90)", "p(95)", "p(99)"}
	if m.Type == "trend" {
		order = []string{"avg", "med", "max", "p(90)", "p(95)", "p(99)"}
	}
	var words []string
	for _, name := range order {
		v, known := m.Values[name]
		shown := number(v)
		switch {
		case !known:
			continue
		case m.Type == "rate" && name == "rate":
			shown = percent(v)
		case m.Data:
			shown = bytes(v) + either(name == "rate", "/s", "")
		case name == "rate":
			shown += "/s"
		case m.Time && name != "count":
			shown = Milliseconds(v)
		}
		words = append(words, name+" "+shown)
	}
	return strings.Join(words, ", ")
}

// bytes prints an amount of data.
func bytes(v float64) string {
	units := []string{" B", " kB", " MB", " GB", " TB"}
	for len(units) > 1 && v >= 999.5 {
		v, units = v/1000, units[1:]
	}
	return significant(v) + units[0]
}
