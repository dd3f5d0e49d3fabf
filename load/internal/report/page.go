package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"

	"github.com/pixcert/pixcert/load/internal/result"
)

// HTML writes the page of a result: one self-contained file with inline styles and SVG
// plots. It follows the reader's light or dark setting and can be printed.
func HTML(w io.Writer, r result.Result) error {
	p := document{
		Title:   "PIX load run " + runName(r),
		Verdict: verdictOf(r),
		Facts:   about(r),
		Tiles:   tilesOf(r),
	}
	p.Sections = shownOn(page, sectionsOf(r))
	return p.write(w)
}

// document is what the template "page" shows.
type document struct {
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

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle template.CSS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"style":    func() template.CSS { return pageStyle },
	"sentence": sentence,
	"px":       func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) },
}).Parse(pageTemplate))

func (p document) write(w io.Writer) error {
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
