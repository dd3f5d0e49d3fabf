package main

import (
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/explain"
	"github.com/pixcert/pixcert/steps/run"
)

type explainCmd struct {
	featuresFlag
	languageFlag

	Subject []string `arg:"" name:"subject" help:"Explain this rule, statement, error code, endpoint or step."`
	Report  string   `default:"report" type:"path" placeholder:"DIR" help:"Read the last result from this report."`
}

func (*explainCmd) Help() string {
	return `Examples:
  pixcert explain cash-out.covers-fee
  pixcert explain OUT-063
  pixcert explain PIX_INSUFFICIENT_BALANCE
  pixcert explain POST /api/pix/cash-out
  pixcert explain "the account sends the request again"`
}

func (c *explainCmd) Run(to *console) error {
	e := explain.Explainer{Out: to.out, Faults: faultsOf, In: c.Language}
	past, err := readPast(c.Report)
	if err == nil {
		e.Past = past.Run
	}
	own, err := c.ownOr(to, past)
	if err != nil {
		return err
	}
	all, err := run.Suite(own)
	if err != nil {
		return err
	}
	e.Catalogue = all.In(featuresIn(c.Language))
	return e.Explain(strings.TrimPrefix(strings.TrimSpace(strings.Join(c.Subject, " ")), "@"))
}

// ownOr reads the user's own features, by default those of the last report. These may be gone, or be
// edited right now, which hides no rule of pixcert.
func (c *explainCmd) ownOr(to *console, past pastReport) (catalogue.Own, error) {
	if c.Features != nil || past.Run == nil {
		return c.own()
	}
	c.takeFrom(past)
	own, err := c.own()
	if err != nil {
		fmt.Fprintf(to.err, "pixcert: note: without the own rules of the report in %s: %v\n", c.Report, err)
		return catalogue.Own{}, nil
	}
	return own, nil
}

// faultsOf names the mutants of a rule, with the lines that declare them.
func faultsOf(rule string) (lines []string) {
	for _, m := range mutants.All() {
		if m.Rule == rule {
			lines = append(lines, m.Position()+"  "+m.Name)
		}
	}
	return lines
}
