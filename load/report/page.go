package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"

	"github.com/pixcert/pixcert/load/result"
)

// HTML writes the page of a result: one file with its style and its drawings inside,
// light or dark as the reader likes, and fit to be printed.
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

// tile is a figure to be seen at once.
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
	sent, failed := requests(r)
	c := r.Ledger.Counts
	tiles := []tile{
		headTile(r),
		{"Requests failed", count(failed), "of " + count(sent) + measuredWhich(r), markIf(failed > 0, warn)},
	}
	if names := busiest(r); len(names) > 0 {
		h := r.Operations[names[0]].Intended
		tiles = append(tiles, tile{"p99 " + names[0], quantile(h, 0.99), "from the intended start; p50 " + quantile(h, 0.5), plain})
	}
	if c.WebhooksReceived+c.WebhooksLost > 0 {
		n := len(troublesAbout(r, true))
		note := "nothing lost, doubled or late"
		if n > 0 {
			note = plural(int64(n), "kind of trouble", "kinds of trouble")
		}
		tiles = append(tiles,
			tile{"Webhooks matched", count(c.WebhooksMatched), note, markIf(n > 0, warn)},
			tile{"Webhooks lost", count(c.WebhooksLost), "of " + plural(c.PaymentsConfirmed+c.PaymentsFailed, "payment that ended", "payments that ended"), markOr(c.WebhooksLost > 0, bad, good)})
	}
	if len(r.Accounts) > 0 {
		tiles = append(tiles, tile{"Money drift", reais(c.MoneyDrift), "over " + plural(int64(len(r.Accounts)), "account", "accounts"), markOr(drifted(r) > 0 || c.MoneyDrift != 0, bad, good)})
	}
	return tiles
}

// headTile is the rate that was sent, or of a search for the capacity that which it found:
// its average over all windows says nothing.
func headTile(r result.Result) tile {
	if r.Capacity == nil {
		p := paceOf(r)
		return tile{"Requests a second", number(round(p.Mean)), "at most " + number(round(p.Peak)), plain}
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
		s.About = "In this run there was " + words + "."
	}
	return s
}

func latencySection(r result.Result) section {
	t := operationTable(r)
	if len(t.Rows) == 0 {
		return section{Title: "Latency", About: "No operation was measured."}
	}
	t.Note += ". " + few(t)
	s := section{
		Title:  "Latency",
		About:  "Measured from the intended start: the moment at which the schedule wanted the request sent. Latency from the send leaves out the wait for a free virtual user, and so flatters a target that stalls. What failed has no latency.",
		Tables: []table{t},
		Plots:  []*plot{latencyPlot(r), percentilePlot(r)},
		Small:  operationPlots(r),
	}
	if t := failures(r); len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	}
	return s
}

func checkSection(r result.Result) section {
	if len(r.Checks) == 0 {
		return section{}
	}
	return section{Title: "Checks", About: "The script's own.", Tables: []table{checkTable(r.Checks)}}
}

func webhookSection(r result.Result) section {
	c := r.Ledger.Counts
	s := section{Title: "Webhooks"}
	if c.WebhooksReceived == 0 && c.WebhooksLost == 0 {
		s.About = "No webhook was received." + strays(r)
		return s
	}
	s.About = fmt.Sprintf("%s received, %s matched with a payment of this run.", plural(c.WebhooksReceived, "webhook was", "webhooks were"), count(c.WebhooksMatched))
	s.About += strays(r)
	delivery := deliveryTable(r)
	delivery.Note = early(r)
	s.Tables = append([]table{delivery, findingTable(r, true)}, exampleTables(r, true)...)
	s.Plots = []*plot{deliveryPlot(r), backlogPlot(r)}
	return s
}

// strays are told because of webhooks that are lost: the gateway may have sent them elsewhere.
func strays(r result.Result) string {
	if r.Strays == 0 {
		return ""
	}
	return " " + plural(r.Strays, "request to their listener was no webhook", "requests to their listener were no webhooks") +
		": of another path or method, or cut short."
}

func moneySection(r result.Result) section {
	c := r.Ledger.Counts
	payments := table{Title: "Payments", Columns: append([]column{text("what became of them")}, figures("payments")...)}
	for _, f := range []struct {
		label string
		n     int64
	}{
		{"made", c.PaymentsSent}, {"accepted", c.PaymentsAccepted},
		{"refused: answered 4xx", c.PaymentsRefused - min(r.Ledger.Unsent, c.PaymentsRefused)},
		{"never sent: there was no connection", min(r.Ledger.Unsent, c.PaymentsRefused)},
		{"unheard: no answer that tells", c.PaymentsUnheard}, {"confirmed: the money moved", c.PaymentsConfirmed},
		{"failed: the money is back", c.PaymentsFailed}, {"absent: unheard, and the gateway does not list them", c.PaymentsAbsent},
		{"unknown: the gateway did not tell their end", c.PaymentsUnknown},
		{"untold: nobody listens for their end, or the API has no way to ask", c.PaymentsUntold},
		{"repeats, sent on purpose", c.RepeatsSent},
	} {
		payments.add(plain, f.label, count(f.n))
	}
	s := section{Title: "Money", Tables: append([]table{payments, findingTable(r, false)}, exampleTables(r, false)...)}
	accounts := accountTable(r, true)
	accounts.Title = "Accounts"
	accounts.Note = "Balances at the end, available and blocked together, held against what was accepted, settled and charged. Drift is how far a balance lies outside of what it can be."
	if len(accounts.Rows) == 0 {
		s.About = "No balance was held against the books."
		return s
	}
	s.Tables = append(s.Tables, accounts)
	return s
}

// findingTable shows every finding, so that a reader sees what was looked for.
func findingTable(r result.Result, webhooks bool) table {
	t := table{Title: "Findings", Columns: []column{text("finding"), {Name: "count", Right: true}, text("meaning")}}
	for _, f := range foundIn(r) {
		if f.webhooks() == webhooks {
			t.add(markIf(f.Count != 0, f.Mark), f.Label, f.Value(), f.Meaning)
		}
	}
	return t
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
	s := section{Title: "The generator", Tables: []table{generatorTable(r)}}
	s.About = fmt.Sprintf("It used %s of its CPU. Iterations: %s, %s.", percent(r.CPU), count(r.Iterations), dropped(r))
	if r.Threw() > 0 {
		s.About += " " + thrown(r) + "."
	}
	if !r.Validity.Doubtful() {
		s.About += " It kept its own limits."
	} else {
		s.About += " It did not keep its own limits, so the latencies may be its own."
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
	t := table{Columns: []column{text("preset"), text("made for"), text("source"), text("date")}}
	for _, p := range r.Presets {
		t.add(plain, p.Name, p.Purpose, p.Source, p.Date)
	}
	if len(t.Rows) == 0 {
		return section{}
	}
	return section{Title: "Where the limits come from", Tables: []table{t}}
}
