package certificate

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

//go:embed register.html.tmpl
var siteSource string

var siteTemplate = template.Must(template.New("register").Funcs(template.FuncMap{
	"day": func(t time.Time) string { return t.UTC().Format(time.DateOnly) }, "edition": ShortEdition, "class": classOf,
	"visible": exchange.Visible, "badge": badgeURL, "join": func(all []string) string { return exchange.Visible(strings.Join(all, ", ")) },
}).Parse(siteSource))

// page is the register in one language.
type page struct {
	*Register
	Language, Other, OtherFile string
	T                          texts
	Points                     []shownPoint
}

// shownPoint is an open point with what the page says about it. What has no translation is English.
type shownPoint struct {
	Point
	Language string
}

// Outcome is the outcome of an entry in words.
func (p page) Outcome(o verdict.Outcome) string { return p.T.outcomes[o] }

// Depth is a depth in words.
func (p page) Depth(d verdict.Depth) string { return p.T.depths[d] }

// WriteSite writes the register as a web site: index.html, index.pt.html, and a badge for each target.
func (r *Register) WriteSite(dir string) error {
	translated, err := catalogue.Translated(features.Portuguese())
	if err != nil {
		return err
	}
	files := map[string]func(io.Writer) error{
		"index.html": func(w io.Writer) error {
			return siteTemplate.Execute(w, page{r, "en", "Português", "index.pt.html", english, shownPoints(r.Points, catalogue.Translation{}, translation.English)})
		},
		"index.pt.html": func(w io.Writer) error {
			return siteTemplate.Execute(w, page{r, "pt-BR", "English", "index.html", portuguese, shownPoints(r.Points, translated, translation.Portuguese)})
		},
	}
	for _, e := range r.Entries {
		files[filepath.Join("badges", e.Badge)] = func(w io.Writer) error { return badge(w, e) }
	}
	for name, write := range files {
		if err := report.Create(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	return nil
}

func shownPoints(points []Point, translated catalogue.Translation, in translation.Language) (all []shownPoint) {
	for _, p := range points {
		shown := shownPoint{p, "en"}
		if said, known := translated.OpenPoints[p.Name]; known {
			shown.Language, shown.Question, shown.Permitted = "pt-BR", said.Question, said.Permitted
		}
		shown.Readings = slices.Clone(p.Readings)
		for i := range shown.Readings {
			shown.Readings[i].Value = in.Recorded(shown.Readings[i].Value)
		}
		all = append(all, shown)
	}
	return all
}

func classOf(o verdict.Outcome) string {
	switch o {
	case verdict.Conforms:
		return "good"
	case verdict.DoesNotConform, verdict.OwnRulesFail:
		return "bad"
	}
	return "partly"
}

// colors have a contrast of at least 4.5:1 to white.
var colors = map[string]string{"good": "#1a7f37", "bad": "#b42318", "partly": "#8a5300"}

// badge writes an SVG image: PIX API: conforms · standard · 2026-11.
func badge(w io.Writer, e Entry) error {
	const subject = "PIX API"
	value := fmt.Sprintf("%s · %s · %s", e.Outcome, e.Depth, e.Started.UTC().Format("2006-01"))
	left, right := widthOf(subject), widthOf(value)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[2]s: %[3]s"><title>%[2]s: %[3]s</title>`+
		`<rect width="%[1]d" height="20" rx="3" fill="#444"/><path d="M%[4]d 0h%[5]dq3 0 3 3v14q0 3-3 3h-%[5]dz" fill="%[6]s"/>`+
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="6" y="14" textLength="%[7]d">%[2]s</text><text x="%[8]d" y="14" textLength="%[9]d">%[3]s</text></g></svg>`+"\n",
		left+right, escaped(subject), escaped(value), left, right-3, colors[classOf(e.Outcome)], left-12, left+6, right-12)
	return err
}

// badgeURL is the badge as the pages include it: they load nothing.
func badgeURL(e Entry) (template.URL, error) {
	var svg bytes.Buffer
	err := badge(&svg, e)
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg.Bytes())), err
}

func widthOf(text string) int { return 12 + utf8.RuneCountInString(text)*13/2 }

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(exchange.Visible(text))) // a builder does not fail
	return out.String()
}
