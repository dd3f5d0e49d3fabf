package compare

import (
	_ "embed"
	htmltemplate "html/template"
	"io"
	"strings"
	"text/template"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

var (
	//go:embed text.tmpl
	textSource string
	//go:embed page.html.tmpl
	pageSource string
)

// functions are for both templates. They escape what a target sent, so that a terminal cannot act on
// it.
var functions = map[string]any{
	"causes":  shownCauses,
	"count":   wording.Count,
	"items":   shownItems,
	"join":    func(words []string) string { return strings.Join(words, "; ") },
	"line":    exchange.Line,
	"mark":    verdict.Verdict.Mark,
	"reasons": byReason,
	"section": func(about string, list any) any { return section{about, list} },
	"outcome": outcomeOf,
	"short":   short,
	"visible": exchange.Visible,
}

var (
	textTemplate = template.Must(template.New("text").Funcs(functions).Parse(textSource))
	pageTemplate = htmltemplate.Must(htmltemplate.New("page").Funcs(functions).Parse(pageSource))
)

// WriteText writes a comparison for a terminal. Long lists are cut.
func (c Comparison) WriteText(w io.Writer) error {
	if err := textTemplate.ExecuteTemplate(w, "comparison", c); err != nil || c.History == nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return c.History.WriteText(w, translation.English)
}

// WriteHTML writes a comparison as one self-contained page.
func (c Comparison) WriteHTML(w io.Writer) error { return pageTemplate.Execute(w, c) }

// WriteJSON writes a comparison for machines.
func (c Comparison) WriteJSON(w io.Writer) error {
	return wording.JSON(w, c)
}

// Same reports whether no result changed.
func (c Change) Same() bool {
	return len(c.Failing)+len(c.Known)+len(c.Differently)+len(c.Untested)+len(c.Fixed)+len(c.Unseen)+len(c.Tested)+len(c.Warned) == 0
}

// section is a list with its heading.
type section struct {
	About string
	List  any
}

// shown bounds each list on a terminal.
const shown = 10

type itemList struct {
	About string
	Items []Cause // those that nothing but a reason is said of, by reason
	All   int
	More  int // scenarios that are not shown
}

func shownItems(about string, items []Item) *itemList {
	if len(items) == 0 {
		return nil
	}
	groups := byReason(items)
	list := &itemList{About: about, Items: groups[:min(len(groups), shown)], All: len(items), More: len(items)}
	for _, group := range list.Items {
		list.More -= 1 + len(group.Others)
	}
	return list
}

// byReason groups scenarios that were not judged for the same reason, such as a run that ended early.
func byReason(items []Item) (all []Cause) {
	of := map[string]int{}
	for _, item := range items {
		i, known := of[item.Got]
		if known && item.Expected == "" && item.Now == all[i].Now {
			all[i].Others = append(all[i].Others, item.Scenario)
			continue
		}
		if item.Expected == "" && item.Got != "" {
			of[item.Got] = len(all)
		}
		all = append(all, Cause{Item: item})
	}
	return all
}

type causeList struct {
	About         string
	Failures, All int // and causes
	Causes        []Cause
	More          int
}

func shownCauses(about string, causes []Cause) *causeList {
	if len(causes) == 0 {
		return nil
	}
	n := min(len(causes), shown)
	list := &causeList{About: about, All: len(causes), Causes: causes[:n], More: len(causes) - n}
	for _, c := range causes {
		list.Failures += 1 + len(c.Others)
	}
	return list
}

// outcomeOf is the outcome of a run on its own. "No new failures" is about its baseline there, not
// about the base of the comparison.
func outcomeOf(s Side) string {
	if s.Outcome == verdict.NoNewFailures {
		return "only the known failures of " + exchange.Line(s.Baseline)
	}
	return string(s.Outcome)
}

func short(text string) string { return exchange.Excerpt(text, 300) }
