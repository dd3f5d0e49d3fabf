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
	"strconv"
	"strings"

	"github.com/muesli/cancelreader"

	"github.com/pixcert/pixcert/steps/profile/setup"
)

// initCmd: pixcert init.
type initCmd struct {
	URL       string `name:"url" placeholder:"URL" help:"Base URL of the gateway."`
	Accounts  *int   `placeholder:"N" help:"For how many accounts; 1 by default. 0 where test controls make them."`
	Sink      string `placeholder:"HOST:PORT" help:"Where webhooks are received; 127.0.0.1:9443 by default."`
	SinkURL   string `name:"public-sink-url" placeholder:"URL" help:"https URL by which the gateway reaches the sink, where it is not its address."`
	Controls  string `placeholder:"URL" help:"Base URL of the gateway's test controls."`
	Directory string `placeholder:"DIR" help:"Where to write; the current directory by default."`
	Yes       bool   `short:"y" help:"Take the default of what is not given, instead of asking."`
	Force     bool   `help:"Write over a profile that is there. Certificates and keys stay."`
}

func (c *initCmd) Run(ctx context.Context, to *console) error {
	answers, err := c.answers(ctx, to)
	if err != nil {
		return err
	}
	s, err := settled(answers)
	if err != nil {
		return err
	}
	s.Force = c.Force
	written, err := s.Write()
	for _, file := range written {
		fmt.Fprintf(to.out, "wrote %s\n", file)
	}
	if err != nil {
		return err
	}
	c.next(to.out, s)
	return nil
}

// question is one thing that a setup needs to know.
type question struct {
	flag     string
	text     string
	standard string // the answer where none is given; empty for none
	optional bool
	set      func(*setup.Setup, string) error
	given    *string // by flag; nil to ask
}

// answers are the questions, each with the answer that was given: by a flag, on the
// terminal, or by default.
func (c *initCmd) answers(ctx context.Context, to *console) ([]question, error) {
	all := c.questions()
	var terminal *dialogue
	if to.asks && !c.Yes {
		var err error
		if terminal, err = openDialogue(ctx, to.in, to.out); err != nil {
			return nil, err
		}
		defer terminal.close()
	}
	for i := range all {
		q := &all[i]
		switch {
		case q.given != nil:
		case terminal != nil:
			answer, err := terminal.ask(ctx, *q)
			if err != nil {
				return nil, err
			}
			q.given = &answer
		default:
			q.given = &q.standard
		}
	}
	return all, nil
}

func (c *initCmd) questions() []question {
	given := func(flag string) *string {
		if flag == "" {
			return nil
		}
		return &flag
	}
	var accounts *string
	if c.Accounts != nil {
		accounts = given(strconv.Itoa(*c.Accounts))
	}
	return []question{
		{"--url", "Base URL of the gateway", "", false, setURL, given(c.URL)},
		{"--controls", "Base URL of its test controls, if it has any", "", true, setControls, given(c.Controls)},
		{"--accounts", "How many accounts (two show more than one; 0 where test controls make them)", "1", false, setAccounts, accounts},
		{"--sink", "Address of this machine on which webhooks are received", "127.0.0.1:9443", false, setSink, given(c.Sink)},
		{"--public-sink-url", "URL by which the gateway reaches it, if it is not that address", "", true, setSinkURL, given(c.SinkURL)},
		{"--directory", "Directory to write into", ".", false, setDirectory, given(c.Directory)},
	}
}

// settled is what the answers come to; the error tells every answer that cannot be used.
func settled(answers []question) (setup.Setup, error) {
	var s setup.Setup
	var wrong []string
	for _, q := range answers {
		if err := q.answer(&s, *q.given); err != nil {
			wrong = append(wrong, q.flag+": "+err.Error())
		}
	}
	if wrong == nil {
		return s, nil
	}
	return s, errors.New(strings.Join(wrong, "\n"))
}

// answer puts an answer into s, or says why it cannot be used.
func (q question) answer(s *setup.Setup, answer string) error {
	if answer == "" && q.optional {
		return nil
	}
	if answer == "" {
		return errors.New("expected an answer, found none; give it with " + q.flag)
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
		return fmt.Errorf("expected a number from 0 to %d, found %q", most, answer)
	}
	return nil
}

func setSink(s *setup.Setup, answer string) error {
	s.Sink = answer
	_, port, err := net.SplitHostPort(answer)
	if number, invalid := strconv.ParseUint(port, 10, 16); err != nil || invalid != nil || number == 0 {
		return fmt.Errorf("expected host:port with a port that stays, such as 127.0.0.1:9443, found %q", answer)
	}
	return nil
}

func checkURL(answer string, schemes ...string) error {
	u, err := url.Parse(answer)
	if err == nil && u.Hostname() != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" && !strings.ContainsAny(answer, " \t") {
		for _, scheme := range schemes {
			if u.Scheme == scheme {
				return nil
			}
		}
	}
	return fmt.Errorf("expected a URL that begins with %s://, without a user or a query, found one that cannot be used", strings.Join(schemes, ":// or "))
}

// next says what to do now.
func (c *initCmd) next(out io.Writer, s setup.Setup) {
	fmt.Fprintf(out, "\nGive %s to the gateway's operator. Then:\n\n", filepath.Join(s.Directory, setup.RegisterFile))
	for i := range s.Accounts {
		fmt.Fprintf(out, "export PIXCERT_CLIENT_ID_%d=... PIXCERT_CLIENT_SECRET_%d=...", i+1, i+1)
		if s.Controls != "" {
			fmt.Fprintf(out, " PIXCERT_ACCOUNT_ID_%d=...", i+1)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "pixcert certify %s\n", filepath.Join(s.Directory, setup.ProfileFile))
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
		return nil, fmt.Errorf("reading from the terminal: %w; give the answers as flags", err)
	}
	return &dialogue{in: reader, lines: bufio.NewScanner(reader), out: out, stop: context.AfterFunc(ctx, func() { reader.Cancel() })}, nil
}

func (d *dialogue) close() {
	d.stop()
	_ = d.in.Close() // nothing is read any more
}

// ask asks until an answer can be used, and says of each that cannot why.
func (d *dialogue) ask(ctx context.Context, q question) (string, error) {
	for {
		fmt.Fprint(d.out, q.text)
		if q.standard != "" {
			fmt.Fprintf(d.out, " [%s]", q.standard)
		}
		fmt.Fprint(d.out, ": ")
		if !d.lines.Scan() {
			fmt.Fprintln(d.out)
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", fmt.Errorf("the input ended before this question was answered: %s; answer it, or give %s", q.text, q.flag)
		}
		answer := strings.TrimSpace(d.lines.Text())
		if answer == "" {
			answer = q.standard
		}
		var tried setup.Setup
		err := q.answer(&tried, answer)
		if err == nil {
			return answer, nil
		}
		fmt.Fprintf(d.out, "  %v\n", err)
	}
}
