package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/profile/setup"
)

// question is one value of a setup.
type question struct {
	flag     string
	prompt   string
	standard string // the default; empty for none
	optional bool
	set      func(*setup.Setup, string) error
	answer   *string // from the flag; nil to prompt
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
	in := c.Language
	return []question{
		{"--url", in.Say("Base URL of the gateway"), "", false, setURL, fromFlag(c.URL)},
		{"--controls", in.Say("Base URL of the test controls (empty for none)"), "", true, setControls, fromFlag(c.Controls)},
		{"--accounts", in.Say("Number of accounts (2 test more than 1; 0 if test controls create them)"), "1", false, setAccounts, accounts},
		{"--sink", in.Say("Local address that receives webhooks"), "127.0.0.1:9443", false, setSink, fromFlag(c.Sink)},
		{"--public-sink-url", in.Say("Public https URL of that address (empty if the same)"), "", true, setSinkURL, fromFlag(c.SinkURL)},
		{"--directory", in.Say("Directory to write to"), ".", false, setDirectory, fromFlag(c.Directory)},
	}
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
