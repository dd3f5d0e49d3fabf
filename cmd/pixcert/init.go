package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/steps/profile/setup"
	"github.com/pixcert/pixcert/steps/shell"
)

type initCmd struct {
	languageFlag

	URL       string `name:"url" placeholder:"URL" help:"Set the base URL of the gateway."`
	Controls  string `placeholder:"URL" help:"Set the base URL of the test controls."`
	Accounts  *int   `placeholder:"N" help:"Set the number of accounts (default: 1; 0 with test controls)."`
	Sink      string `placeholder:"HOST:PORT" help:"Receive webhooks at this address (default: 127.0.0.1:9443)."`
	SinkURL   string `name:"public-sink-url" placeholder:"URL" help:"Set the https URL at which the gateway sends webhooks."`
	Directory string `placeholder:"DIR" help:"Write to this directory (default: current directory)."`
	Yes       bool   `short:"y" help:"Use defaults instead of prompting."`
	Force     bool   `help:"Overwrite an existing profile; keep certificates and keys."`
}

func (*initCmd) Help() string {
	return `Prompts for missing values. Writes pixcert.yaml, certs/ and REGISTER.md, which lists what the gateway's operator has to register or allow.

Examples:
  pixcert init
  pixcert init --url https://sandbox.example --accounts 2 --yes
  pixcert init --url https://sandbox.example --language pt
  pixcert init --url https://sandbox.example --controls https://controls.example --accounts 0`
}

func (c *initCmd) Run(ctx context.Context, to *console) error {
	answers, err := c.answers(ctx, to)
	if err != nil {
		return err
	}
	s, err := setupOf(answers)
	if err != nil {
		return err
	}
	s.Force, s.Language = c.Force, c.Language
	written, err := s.Write()
	for _, file := range written {
		fmt.Fprintln(to.out, to.language.Sayf("wrote %s", file))
	}
	if err != nil {
		return err
	}
	if problem := s.Unreachable(); problem != "" {
		fmt.Fprintf(to.err, "pixcert: warning: %s\n", problem)
	}
	c.next(to, s)
	return nil
}

// answers returns the questions, each answered by its flag, on the terminal or by default.
func (c *initCmd) answers(ctx context.Context, to *console) ([]question, error) {
	all := c.questions()
	var terminal *dialogue
	if to.interactive && !c.Yes {
		var err error
		if terminal, err = openDialogue(ctx, to.in, to.out); err != nil {
			return nil, err
		}
		defer terminal.close()
	}
	for i := range all {
		q := &all[i]
		switch {
		case q.answer != nil:
		case terminal != nil:
			answer, err := terminal.ask(ctx, *q)
			if err != nil {
				return nil, err
			}
			q.answer = &answer
		default:
			q.answer = &q.standard
		}
	}
	return all, nil
}

// setupOf builds a setup from the answers. The error lists all invalid answers.
func setupOf(answers []question) (setup.Setup, error) {
	var s setup.Setup
	var wrong []string
	for _, q := range answers {
		if err := q.apply(&s, *q.answer); err != nil {
			wrong = append(wrong, q.flag+": "+err.Error())
		}
	}
	if wrong == nil {
		return s, nil
	}
	return s, errors.New(strings.Join(wrong, "\n"))
}

func (c *initCmd) next(to *console, s setup.Setup) {
	out := to.out
	fmt.Fprintf(out, "\n%s\n\n", to.language.Sayf("Send %s to the gateway's operator. Then run:", filepath.Join(s.Directory, setup.RegisterFile)))
	for i := range s.Accounts {
		fmt.Fprintf(out, "export PIXCERT_CLIENT_ID_%d=... PIXCERT_CLIENT_SECRET_%d=...", i+1, i+1)
		if s.Controls != "" {
			fmt.Fprintf(out, " PIXCERT_ACCOUNT_ID_%d=...", i+1)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, shell.Command("pixcert", "certify", filepath.Join(s.Directory, setup.ProfileFile)))
}
