package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/wording"
)

type stepsCmd struct {
	Words []string `arg:"" optional:"" name:"word" help:"List only sentences that contain every word."`
	JSON  bool     `name:"json" help:"Print JSON."`
}

func (*stepsCmd) Help() string {
	return `Lists the sentences that feature files are made of, each with an example from pixcert's features. Write your own rules with them, and run these with certify --features.

Below an example is its general form: [optional], (one|of|these), and VALUES in capitals.

Examples:
  pixcert steps
  pixcert steps refund
  pixcert steps balance falls --json`
}

func (c *stepsCmd) Run(to *console) error {
	all, err := run.Suite(catalogue.Own{})
	if err != nil {
		return err
	}
	found, err := language.Guide(all, c.Words...)
	if err != nil {
		return err
	}
	if c.JSON {
		return wording.JSON(to.data, struct {
			Sentences    []language.Entry       `json:"sentences"`
			Placeholders []language.Placeholder `json:"placeholders"`
		}{append([]language.Entry{}, found...), language.Placeholders()})
	}
	if len(found) == 0 {
		return fmt.Errorf("no sentence contains %q; use fewer words, or run pixcert steps to list all", strings.Join(c.Words, " "))
	}
	c.show(to.out, found)
	return nil
}

// stepKinds are the headings of the list, in the order of a scenario.
var stepKinds = []struct {
	of      catalogue.StepType
	keyword string
}{
	{catalogue.Context, "Given"}, {catalogue.Action, "When"}, {catalogue.Outcome, "Then"},
}

func (c *stepsCmd) show(w io.Writer, found []language.Entry) {
	for _, kind := range stepKinds {
		heading := kind.keyword + "\n"
		for _, entry := range found {
			if entry.Type != kind.of {
				continue
			}
			fmt.Fprint(w, heading)
			heading = ""
			showEntry(w, entry)
		}
		if heading == "" {
			fmt.Fprintln(w)
		}
	}
	if len(c.Words) > 0 {
		fmt.Fprintf(w, "%s. What the words in capitals stand for: pixcert steps\n", wording.Count(len(found), "sentence"))
		return
	}
	for _, p := range language.Placeholders() {
		fmt.Fprint(w, indented(2, p.Name+": "+p.Means))
		for _, value := range p.Values {
			fmt.Fprint(w, indented(6, value))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s. Search them with pixcert steps WORD; rules that use one: pixcert explain \"SENTENCE\"\n", wording.Count(len(found), "sentence"))
}

func showEntry(w io.Writer, entry language.Entry) {
	fmt.Fprint(w, indented(2, entry.Example))
	for _, row := range entry.Table {
		fmt.Fprint(w, indented(4, "| "+strings.Join(row, " | ")+" |"))
	}
	if entry.Form != entry.Example {
		fmt.Fprint(w, indented(6, entry.Form))
	}
}

// indented wraps a text to 100 columns.
func indented(columns int, text string) string {
	const most = 100
	margin := strings.Repeat(" ", columns)
	lines := ansi.Wrap(text, most-columns-2, "|")
	return margin + strings.ReplaceAll(lines, "\n", "\n"+margin+"  ") + "\n"
}
