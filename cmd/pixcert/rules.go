package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/explain"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/wording"
)

type rulesCmd struct {
	featuresFlag
	languageFlag

	Words []string `arg:"" optional:"" name:"word" help:"List only rules that contain every word."`
	JSON  bool     `name:"json" help:"Print JSON."`
}

func (*rulesCmd) Help() string {
	return `Searches the names, titles, statements and scenarios of rules.

Examples:
  pixcert rules
  pixcert rules night limit
  pixcert rules OUT-067 --json
  pixcert rules --features rules`
}

type ruleLine struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	File       string   `json:"file"` // with its line
	Scenarios  int      `json:"scenarios"`
	Statements []string `json:"statements"` // ids
}

func (c *rulesCmd) Run(to *console) error {
	own, err := c.own()
	if err != nil {
		return err
	}
	all, err := run.Suite(own)
	if err != nil {
		return err
	}
	shown := all.In(featuresIn(c.Language))
	if c.JSON {
		shown = all // for programs
	}
	found := []ruleLine{}
	for rule := range shown.Rules() {
		if c.matches(rule, all, shown) {
			found = append(found, ruleLine{rule.Name, rule.Title, explain.PlaceOf(rule), len(rule.Scenarios), rule.Statements})
		}
	}
	if c.JSON {
		return wording.JSON(to.data, found)
	}
	if len(found) == 0 {
		return fmt.Errorf("no rule contains %q; use fewer words, or run pixcert rules to list all", strings.Join(c.Words, " "))
	}
	c.show(to.out, found)
	return nil
}

func (c *rulesCmd) show(w io.Writer, found []ruleLine) {
	scenarios := 0
	for _, r := range found {
		fmt.Fprintf(w, "%-34s %s\n", r.Name, r.Title)
		scenarios += r.Scenarios
	}
	in := c.Language
	fmt.Fprintln(w, "\n"+in.Sayf("%s, %s. Details: pixcert explain %s", in.SayCount(len(found), "rule"), in.SayCount(scenarios, "scenario"), found[0].Name))
}

// matches reports whether each word is in what the catalogues say of a rule, in English or another language.
func (c *rulesCmd) matches(rule *catalogue.Rule, catalogues ...*catalogue.Catalogue) bool {
	texts := []string{rule.Name}
	for _, all := range catalogues {
		texts = append(texts, all.TitleOf(rule.Name))
		for _, id := range rule.Statements {
			statement, _ := all.Statement(id)
			texts = append(texts, id, statement.Text)
		}
	}
	for _, s := range rule.Scenarios {
		texts = append(texts, s.Name)
	}
	text := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range c.Words {
		if !strings.Contains(text, strings.ToLower(strings.TrimPrefix(word, "@"))) {
			return false
		}
	}
	return true
}
