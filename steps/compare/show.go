package compare

import (
	"cmp"
	_ "embed"
	"fmt"
	htmltemplate "html/template"
	"io"
	"strings"
	"text/template"
	"time"

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

// functionsIn are those of both templates in a language. They escape what a target sent, so that a terminal cannot act on
// it.
func functionsIn(in translation.Language) map[string]any {
	recorded := func(english string) string { return exchange.Visible(in.Recorded(english)) }
	return map[string]any{
		"before": func(i Item) string {
			if i.Before == "" {
				return in.Say("not in the base")
			}
			return i.Before.In(in)
		},
		"causes":   shownCauses,
		"count":    in.SayCount,
		"headline": func(c Cause) string { return exchange.Line(c.headlineIn(in)) },
		"htmlLanguage": func() string {
			return cmp.Or(map[translation.Language]string{translation.Portuguese: "pt-BR"}[in], "en")
		},
		"items":    shownItems,
		"join":     func(words []string) string { return strings.Join(words, "; ") },
		"label":    func(english string) string { return fmt.Sprintf("%-8s", in.SayMarked(english)) },
		"language": func() translation.Language { return in },
		"line":     exchange.Line,
		"mark":     Item.mark,
		"minute":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"name":     Item.name,
		"named":    in.SayMarked,
		"outcome":  func(s Side) string { return s.outcomeIn(in) },
		"reasons":  byReason,
		"recorded": recorded,
		"say":      in.SayMarked,
		"sayf":     func(format string, args ...any) string { return fmt.Sprintf(in.SayMarked(format), args...) },
		"sayn":     in.SayN,
		"section":  func(about string, list any) any { return section{about, list} },
		"short":    func(english string) string { return exchange.Excerpt(in.Recorded(english), 300) },
		"visible":  exchange.Visible,
		"wide":     func(what string) string { return fmt.Sprintf("%-20s", in.SayMarked(what)) },
	}
}

var (
	textTemplate = template.Must(template.New("text").Funcs(functionsIn(translation.English)).Parse(textSource))
	pageTemplate = htmltemplate.Must(htmltemplate.New("page").Funcs(functionsIn(translation.English)).Parse(pageSource))
)

// WriteText writes a comparison for a terminal, and concludes whether anything got worse. Long lists are cut.
func (c Comparison) WriteText(w io.Writer, in translation.Language) error {
	text := template.Must(textTemplate.Clone()).Funcs(functionsIn(in))
	if err := text.ExecuteTemplate(w, "comparison", c); err != nil {
		return err
	}
	if c.History != nil {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := c.History.WriteText(w, in); err != nil {
			return err
		}
	}
	return text.ExecuteTemplate(w, "conclusion", c)
}

// WriteHTML writes a comparison as one self-contained page.
func (c Comparison) WriteHTML(w io.Writer, in translation.Language) error {
	return htmltemplate.Must(pageTemplate.Clone()).Funcs(functionsIn(in)).Execute(w, c)
}

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

// outcomeIn is the outcome of a run by itself. "No new failures" is about its baseline there, not
// about the base of the comparison.
func (s Side) outcomeIn(in translation.Language) string {
	if s.Outcome == verdict.NoNewFailures {
		return in.Sayf("only the known failures of %s", exchange.Line(s.Baseline))
	}
	return s.Outcome.In(in)
}

// name is how a reader knows it. The id of a breach repeats what was expected and observed.
func (i Item) name() string { return exchange.Line(cmp.Or(i.inPassing, i.Scenario)) }

// mark is that of the verdict. Not seeing a failure again is no pass.
func (i Item) mark() string {
	if i.unseen {
		return "~"
	}
	return i.Now.Mark()
}
