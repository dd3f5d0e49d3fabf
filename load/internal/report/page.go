package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// HTML writes the page of a result: one self-contained file with inline styles and SVG
// plots. It follows the reader's light or dark setting and can be printed.
func HTML(w io.Writer, r result.Result) error {
	p := page{
		Title:   "PIX load run " + runName(r),
		Verdict: verdictOf(r),
		Facts:   about(r),
		Tiles:   tilesOf(r),
	}
	for _, s := range []section{
		rateSection(r), latencySection(r), webhookSection(r), moneySection(r), capacitySection(r),
		checkSection(r), thresholdSection(r), generatorSection(r), sourceSection(r),
	} {
		if len(s.Tables)+len(s.Plots)+len(s.Small) > 0 || s.About != "" {
			p.Sections = append(p.Sections, s)
		}
	}
	return p.write(w)
}

// page is what the template "page" shows.
type page struct {
	Title    string
	Verdict  verdict
	Facts    []fact
	Tiles    []tile
	Sections []section
}

// tile is a key figure at the top of the page.
type tile struct {
	Label, Value, Note string
	Mark               mark
}

// section is tables, then plots, then small plots side by side.
type section struct {
	Title  string
	About  string
	Tables []table
	Plots  []*plot
	Small  []*plot
}

// add adds tables, except empty ones.
func (s *section) add(tables ...table) {
	s.Tables = append(s.Tables, slices.DeleteFunc(tables, func(t table) bool { return len(t.Rows) == 0 })...)
}

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle template.CSS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"style": func() template.CSS { return pageStyle },
	"px":    func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
}).Parse(pageTemplate))

func (p page) write(w io.Writer) error {
	if err := pages.ExecuteTemplate(w, "page", p); err != nil {
		return fmt.Errorf("write the report's page: %w", err)
	}
	return nil
}

func tilesOf(r result.Result) []tile {
	c, total := r.Ledger.Counts, r.Total()
	tiles := []tile{
		headTile(r),
		{"Requests failed", count(total.Failed), "of " + count(total.Count) + measuredWhich(r), markIf(total.Failed > 0, warn)},
	}
	if names := busiest(r); len(names) > 0 {
		h := r.Operations[names[0]].Intended
		tiles = append(tiles, tile{"p99 " + names[0], quantile(h, 0.99), "from the intended start; p50 " + quantile(h, 0.5), plain})
	}
	if c.WebhooksReceived+c.WebhooksLost > 0 {
		n := len(troublesAbout(r, true))
		note := "none lost, duplicate or late"
		if n > 0 {
			note = plural(int64(n), "kind of problem", "kinds of problems")
		}
		tiles = append(tiles,
			tile{"Webhooks matched", count(c.WebhooksMatched), note, markIf(n > 0, warn)},
			tile{"Webhooks lost", count(c.WebhooksLost), "of " + plural(c.PaymentsConfirmed+c.PaymentsFailed, "payment with an outcome", "payments with an outcome"), markOr(c.WebhooksLost > 0, bad, good)})
	}
	if len(r.Accounts) > 0 {
		tiles = append(tiles, tile{"Money drift", reais(c.MoneyDrift), "over " + plural(int64(len(r.Accounts)), "account", "accounts"), markOr(drifted(r) > 0 || c.MoneyDrift != 0, bad, good)})
	}
	return tiles
}

// headTile is the request rate, or the capacity if that was searched for: the average over
// the windows of a search is meaningless.
func headTile(r result.Result) tile {
	if r.Capacity == nil {
		p := paceOf(r)
		return tile{"Requests per second", number(round(p.Mean)), "at most " + number(round(p.Peak)), plain}
	}
	value, m := none, warn
	if r.Capacity.Rate > 0 {
		value, m = number(round(r.Capacity.Rate))+"/s", plain
	}
	return tile{"Capacity", value, r.Capacity.String(), m}
}

func markIf(is bool, m mark) mark { return markOr(is, m, plain) }

func markOr(is bool, yes, no mark) mark {
	if is {
		return yes
	}
	return no
}

func rateSection(r result.Result) section {
	s := section{Title: "Rate", Plots: []*plot{ratePlot(r)}}
	if words := outages(r); words != "" {
		s.About = "In this run, " + words + "."
	}
	return s
}

func latencySection(r result.Result) section {
	t := operationTable(r)
	if len(t.Rows) == 0 {
		return section{Title: "Latency", About: "No operation was measured."}
	}
	t.Note = strings.Join(slices.DeleteFunc([]string{t.Note, few(t), precision(r)}, func(s string) bool { return s == "" }), ". ")
	s := section{
		Title:  "Latency",
		About:  "Measured from the intended start: when the schedule intended to send the request. Latency from the send excludes the wait for a free virtual user, so it makes a stalling target look fast. Failed requests have no latency.",
		Tables: []table{t},
		Plots:  []*plot{latencyPlot(r), percentilePlot(r)},
		Small:  operationPlots(r),
	}
	s.add(scenarioTable(r), ruleTable(r), failures(r), exampleTable(r, "payments_slow", "Slowest payments"))
	return s
}

func checkSection(r result.Result) section {
	if len(r.Checks) == 0 {
		return section{}
	}
	return section{Title: "Checks", About: "Checks of the script.", Tables: []table{checkTable(r.Checks)}}
}

func webhookSection(r result.Result) section {
	c := r.Ledger.Counts
	s := section{Title: "Webhooks"}
	if c.WebhooksReceived == 0 && c.WebhooksLost == 0 {
		s.About = "No webhook was received." + strays(r)
		return s
	}
	s.About = fmt.Sprintf("%s received, %s matched with a payment of this run.", plural(c.WebhooksReceived, "webhook", "webhooks"), count(c.WebhooksMatched))
	s.About += strays(r)
	delivery := deliveryTable(r)
	delivery.Note = early(r)
	s.Tables = []table{delivery, findingTable(foundAbout(r, true))}
	s.add(exampleTables(r, true)...)
	s.Plots = []*plot{deliveryPlot(r), backlogPlot(r)}
	return s
}

// strays counts requests that may explain lost webhooks: the gateway may have sent them to
// the wrong URL.
func strays(r result.Result) string {
	if r.Strays == 0 {
		return ""
	}
	return " " + plural(r.Strays, "request to the webhook listener was not a webhook", "requests to the webhook listener were not webhooks") +
		": wrong path or method, or a truncated body."
}

func moneySection(r result.Result) section {
	c := r.Ledger.Counts
	payments := table{Title: "Payments", Columns: append([]column{text("outcome")}, figures("payments")...)}
	for _, f := range []struct {
		label string
		n     int64
	}{
		{"all", c.PaymentsSent}, {"accepted", c.PaymentsAccepted},
		{"refused: the response was 4xx", c.PaymentsRefused - min(r.Ledger.Unsent, c.PaymentsRefused)},
		{"never sent: there was no connection", min(r.Ledger.Unsent, c.PaymentsRefused)},
		{"unheard: no conclusive response", c.PaymentsUnheard}, {"confirmed: the money moved", c.PaymentsConfirmed},
		{"failed: the money was returned", c.PaymentsFailed}, {"absent: unheard, and not in the gateway's list", c.PaymentsAbsent},
		{"unknown: the gateway did not report their outcome", c.PaymentsUnknown},
		{"untold: no webhook reported their outcome, and the API cannot be queried for it", c.PaymentsUntold},
		{"deliberate repeats", c.RepeatsSent},
	} {
		payments.add(plain, f.label, count(f.n))
	}
	s := section{Title: "Money", Tables: []table{payments, findingTable(foundAbout(r, false))}}
	s.add(exampleTables(r, false)...)
	s.add(exampleTable(r, "payments_failed", "Failed payments"))
	for _, c := range r.Ledger.Causes {
		s.About += upper(c.Text) + ". "
	}
	accounts := accountTable(r, true)
	accounts.Title = "Accounts"
	accounts.Note = "Final balances, available plus blocked, compared with what was accepted, settled and charged. Drift is how far a balance is outside the expected range."
	if len(accounts.Rows) == 0 {
		s.About += "No balance was compared with the ledger."
		return s
	}
	s.Tables = append(s.Tables, accounts)
	return s
}

func thresholdSection(r result.Result) section {
	s := section{Title: "Thresholds"}
	if len(r.Thresholds) == 0 {
		s.About = "No threshold was set."
		return s
	}
	s.Tables = []table{thresholdTable(r)}
	return s
}

func generatorSection(r result.Result) section {
	s := section{Title: "Generator", Tables: []table{generatorTable(r)}}
	s.About = fmt.Sprintf("It used %s of its CPU. Iterations: %s, %s.", percent(r.CPU), count(r.Iterations), dropped(r))
	if r.Threw() > 0 {
		s.About += " " + thrown(r) + "."
	}
	if !r.Validity.Doubtful() {
		s.About += " It stayed within its limits."
	} else {
		s.About += " It exceeded its limits, so the latencies may be its own."
	}
	if note := late(r); note != "" {
		s.About += " " + note
	}
	env := table{Title: "Environment", Columns: []column{text("instance"), text("ran on"), {Name: "CPU", Right: true}, text("valid")}}
	if len(r.Parts) == 0 {
		env.add(plain, strconv.Itoa(r.Instance), environment(r.Environment), percent(r.CPU), yes(r.Validity.Valid))
	}
	for _, p := range r.Parts {
		env.add(markIf(!p.Validity.Valid, warn), strconv.Itoa(p.Instance), environment(p.Environment), percent(p.CPU), yes(p.Validity.Valid))
	}
	s.Tables = append(s.Tables, env)
	return s
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func sourceSection(r result.Result) section {
	t := table{Columns: []column{text("preset"), text("purpose"), text("source"), text("date")}}
	for _, p := range r.Presets {
		t.add(plain, p.Name, p.Purpose, p.Source, p.Date)
	}
	s := section{Title: "Sources of the limits"}
	s.add(t)
	return s
}
