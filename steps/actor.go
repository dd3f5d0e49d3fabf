package steps

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/sink"
)

// actor is an account of the target as the suite acts for it.
type actor struct {
	name         string // "the account", "the other account"
	id           int64  // as the controls know it
	clientID     string
	clientSecret string
	pixKey       string // a key at which it receives
	certificate  *certs.Certificate
	ahead        time.Duration // of its clock, as the scenario has moved it

	token      string // the one in use; empty when a new one must be had
	firstToken string // "its first token"
	sent       *attempt
	receivers  []*receiver
}

// receiver is a URL that the account registered for a type of event.
type receiver struct {
	eventType string
	mailbox   *sink.Mailbox
}

// actorNamed finds the account that a sentence speaks of.
func (s *scenario) actorNamed(name string) (*actor, error) {
	a := s.account
	if name == "the other account" {
		a = s.other
	}
	if a == nil {
		return nil, fmt.Errorf("the scenario has not given %s", name)
	}
	return a, nil
}

// open: "an account", "another account".
func (s *scenario) open(ctx context.Context, which string) error {
	_, err := s.newActor(ctx, which)
	return err
}

// openFunded: "an account with R$ 10.00 available".
func (s *scenario) openFunded(ctx context.Context, which, available string) error {
	a, err := s.newActor(ctx, which)
	if err != nil {
		return err
	}
	return s.controls().SetBalance(ctx, a.id, available)
}

// newActor makes a new, empty account.
func (s *scenario) newActor(ctx context.Context, which string) (*actor, error) {
	certificate, err := s.run.authority.Issue(certs.Client{Name: which})
	if err != nil {
		return nil, err
	}
	account, err := s.controls().CreateAccount(ctx, certificate.PEM())
	if err != nil {
		return nil, err
	}
	s.run.secrets.Add(account.ClientSecret)
	a := &actor{
		name:         "the account",
		id:           account.AccountID,
		clientID:     account.ClientID,
		clientSecret: account.ClientSecret,
		pixKey:       account.PixKey,
		certificate:  certificate,
	}
	if which == "another account" {
		a.name = "the other account"
		s.other = a
	} else {
		s.account = a
	}
	return a, nil
}

// openMailbox opens a URL of the sink that nobody else uses.
func (s *scenario) openMailbox() *sink.Mailbox {
	m := s.run.sink.Open(fmt.Sprintf("/%s/%d", s.run.id, s.run.counter.Add(1)))
	s.opened = append(s.opened, m)
	return m
}

// mailboxAt finds the mailbox behind a URL that the scenario registered.
func (s *scenario) mailboxAt(url string) (*sink.Mailbox, bool) {
	url, _, _ = strings.Cut(url, "?")
	for _, m := range s.opened {
		if m.URL() == url {
			return m, true
		}
	}
	return nil, false
}
