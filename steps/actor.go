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
	name         string        // "the account", "the other account"
	fixed        *fixedAccount // nil for a new account
	id           int64         // as the controls know it
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

// unknownKey: an account of the profile need not tell a key of its own.
var unknownKey = &unable{reason: "the account's own key is not known: give the account a pixKey in the profile"}

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

// open: "an account", "another account", "a new account".
func (s *scenario) open(ctx context.Context, which string) error {
	_, err := s.newActor(ctx, which)
	return err
}

// openFunded: "an account with R$ 10.00 available", "another account with exactly ...".
func (s *scenario) openFunded(ctx context.Context, which, exactly, available string) error {
	a, err := s.newActor(ctx, which)
	if err != nil {
		return err
	}
	if a.fixed != nil {
		return s.fund(ctx, a, available, exactly != "")
	}
	return s.setBalance(ctx, a, available)
}

// newActor makes a new, empty account, or takes one of the profile's where that cannot
// be done.
func (s *scenario) newActor(ctx context.Context, which string) (*actor, error) {
	take := s.createdActor
	if s.run.isFixed() {
		take = s.fixedActor
	}
	a, err := take(ctx, which)
	if err != nil {
		return a, err
	}
	return a, s.liftLimits(ctx, a)
}

// createdActor makes an account by the control for it.
func (s *scenario) createdActor(ctx context.Context, which string) (*actor, error) {
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
	if strings.HasPrefix(which, "another ") {
		a.name = "the other account"
		s.other = a
	} else {
		s.account = a
	}
	return a, nil
}

// openMailbox opens a URL of the sink that nobody else uses.
func (s *scenario) openMailbox() *sink.Mailbox {
	path := fmt.Sprintf("/%s/%d", s.run.id, s.run.counter.Add(1))
	if len(s.paths) > 0 {
		path, s.paths = s.paths[0], s.paths[1:]
	}
	m := s.run.sink.Open(path)
	s.opened = append(s.opened, m)
	return m
}

// registrationURL is the URL of a valid registration: a fresh one, or that which an
// account of the profile keeps.
func (s *scenario) registrationURL(a *actor) string {
	if a.fixed != nil {
		return s.mailboxOf(a.fixed, "cash_out").URL()
	}
	return s.openMailbox().URL()
}

// temporaryMailbox is the mailbox of a URL that is used once.
func (s *scenario) temporaryMailbox() *sink.Mailbox {
	if s.account.fixed != nil {
		return s.mailboxOf(s.account.fixed, temporaryPlace)
	}
	return s.openMailbox()
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
