package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/muesli/cancelreader"

	"github.com/pixcert/pixcert/steps/profile/setup"
	"github.com/pixcert/pixcert/steps/shell"
)

type initCmd struct {
	URL       string `name:"url" placeholder:"URL" help:"Set the base URL of the gateway."`
	Controls  string `placeholder:"URL" help:"Set the base URL of the test controls."`
	Accounts  *int   `placeholder:"N" help:"Set the number of accounts (default: 1; 0 with test controls)."`
	Sink      string `placeholder:"HOST:PORT" help:"Receive webhooks at this address (default: 127.0.0.1:9443)."`
	SinkURL   string `name:"public-sink-url" placeholder:"URL" help:"Set the https URL at which the gateway sends webhooks."`
	Language  string `enum:"en,pt" default:"en" help:"Write REGISTER.md in English or Portuguese (en, pt; default: en)."`
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
	s.Force, s.Language = c.Force, setup.Language(c.Language)
	written, err := s.Write()
	for _, file := range written {
		fmt.Fprintf(to.out, "wrote %s\n", file)
	}
	if err != nil {
		return err
	}
	if problem := s.Unreachable(); problem != "" {
		fmt.Fprintf(to.err, "pixcert: warning: %s\n", problem)
	}
	c.next(to.out, s)
	return nil
}

// question is one value of a setup.
type question struct {
	flag     string
	prompt   string
	standard string // the default; empty for none
	optional bool
	set      func(*setup.Setup, string) error
	answer   *string // from the flag; nil to prompt
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

func (c *initCmd) questions() []question {
	fromFlag := func(flag string) *string {
		if flag == "" {
			return nil
		}
		return &flag
	}
	var accounts *string
	if c.Accounts != nil {
		accounts = fromFlag(strconv.Itoa(*c.Accounts))
	}
	return []question{
		{"--url", "Base URL of the gateway", "", false, setURL, fromFlag(c.URL)},
		{"--controls", "Base URL of the test controls (empty for none)", "", true, setControls, fromFlag(c.Controls)},
		{"--accounts", "Number of accounts (2 test more than 1; 0 if test controls create them)", "1", false, setAccounts, accounts},
		{"--sink", "Local address that receives webhooks", "127.0.0.1:9443", false, setSink, fromFlag(c.Sink)},
		{"--public-sink-url", "Public https URL of that address (empty if the same)", "", true, setSinkURL, fromFlag(c.SinkURL)},
		{"--directory", "Directory to write to", ".", false, setDirectory, fromFlag(c.Directory)},
	}
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

// apply sets an answer in s, or reports why it is invalid.
func (q question) apply(s *setup.Setup, answer string) error {
	if answer == "" && q.optional {
		return nil
	}
	if answer == "" {
		return errors.New("expected a value, got none; pass " + q.flag)
	}
	return q.set(s, answer)
}

func setURL(s *setup.Setup, answer string) error {
	s.URL = strings.TrimRight(answer, "/")
	return checkURL(answer, "http", "https")
}

func setControls(s *setup.Setup, answer string) error {
	s.Controls = strings.TrimRight(answer, "/")
	return checkURL(answer, "http", "https")
}

func setSinkURL(s *setup.Setup, answer string) error {
	s.SinkURL = strings.TrimRight(answer, "/")
	return checkURL(answer, "https")
}

func setDirectory(s *setup.Setup, answer string) error {
	s.Directory = answer
	return nil
}

func setAccounts(s *setup.Setup, answer string) (err error) {
	const most = 100
	if s.Accounts, err = strconv.Atoi(answer); err != nil || s.Accounts < 0 || s.Accounts > most {
		return fmt.Errorf("expected a number from 0 to %d, got %q", most, answer)
	}
	return nil
}

func setSink(s *setup.Setup, answer string) error {
	s.Sink = answer
	_, port, err := net.SplitHostPort(answer)
	if number, invalid := strconv.ParseUint(port, 10, 16); err != nil || invalid != nil || number == 0 {
		return fmt.Errorf("expected host:port with a fixed port, such as 127.0.0.1:9443, got %q", answer)
	}
	return nil
}

func checkURL(answer string, schemes ...string) error {
	u, err := url.Parse(answer)
	if err == nil && u.Hostname() != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" && !strings.ContainsAny(answer, " \t") {
		if slices.Contains(schemes, u.Scheme) {
			return nil
		}
	}
	return fmt.Errorf("expected a URL with %s://, without user, query or fragment", strings.Join(schemes, ":// or "))
}

func (c *initCmd) next(out io.Writer, s setup.Setup) {
	fmt.Fprintf(out, "\nSend %s to the gateway's operator. Then run:\n\n", filepath.Join(s.Directory, setup.RegisterFile))
	for i := range s.Accounts {
		fmt.Fprintf(out, "export PIXCERT_CLIENT_ID_%d=... PIXCERT_CLIENT_SECRET_%d=...", i+1, i+1)
		if s.Controls != "" {
			fmt.Fprintf(out, " PIXCERT_ACCOUNT_ID_%d=...", i+1)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, shell.Command("pixcert", "certify", filepath.Join(s.Directory, setup.ProfileFile)))
}

// dialogue asks a person at a terminal.
type dialogue struct {
	in    cancelreader.CancelReader
	lines *bufio.Scanner
	out   io.Writer
	stop  func() bool
}

// openDialogue reads answers from in until ctx ends.
func openDialogue(ctx context.Context, in io.Reader, out io.Writer) (*dialogue, error) {
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("reading from the terminal: %w; pass the values as flags", err)
	}
	return &dialogue{in: reader, lines: bufio.NewScanner(reader), out: out, stop: context.AfterFunc(ctx, func() { reader.Cancel() })}, nil
}

func (d *dialogue) close() {
	d.stop()
	_ = d.in.Close() // reading is over
}

// ask prompts until the answer is valid.
func (d *dialogue) ask(ctx context.Context, q question) (string, error) {
	for {
		fmt.Fprint(d.out, q.prompt)
		if q.standard != "" {
			fmt.Fprintf(d.out, " [%s]", q.standard)
		}
		fmt.Fprint(d.out, ": ")
		if !d.lines.Scan() {
			fmt.Fprintln(d.out)
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", fmt.Errorf("input ended before the answer to %q; pass %s", q.prompt, q.flag)
		}
		answer := strings.TrimSpace(d.lines.Text())
		if answer == "" {
			answer = q.standard
		}
		var tried setup.Setup
		err := q.apply(&tried, answer)
		if err == nil {
			return answer, nil
		}
		fmt.Fprintf(d.out, "  %v\n", err)
	}
}
