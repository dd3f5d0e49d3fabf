package world

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// actor is an account of the target as the scenario acts for it.
type actor struct {
	w            *World
	which        language.Account
	fixed        *FixedAccount // nil for a new account
	id           int64         // as the controls know it
	clientID     string
	clientSecret string
	pixKey       string // a key at which it receives; empty if unknown
	certificate  *certs.Certificate
	ahead        time.Duration // of its clock, as the scenario has moved it
	opened       language.Open

	settled    bool   // nothing earlier may still move its money
	issued     string // the token in use; empty if a new one must be had
	firstToken string // "its first token"
	sent       *request
}

// actor finds an account that the scenario has opened.
func (w *World) actor(which language.Account) (*actor, error) {
	if a := w.actors[which]; a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("the scenario has not opened %s", which)
}

func (w *World) the() *actor { return w.actors[language.TheAccount] }

// open makes a new account, or takes one of the profile's if that cannot be done, and gives it
// money.
func open(ctx context.Context, w *World, m language.Open) error {
	a, err := w.takeFixed(m.Account), error(nil)
	if a == nil {
		a, err = createAccount(ctx, w, m.Account)
	}
	if err != nil {
		return err
	}
	w.actors[m.Account], a.opened = a, m
	w.noteOf(m.Account, record.Fact{Kind: record.Opened, Text: a.pixKey, Yes: a.fixed != nil})
	w.note(record.Fact{Kind: record.Lagging, For: w.MostLag()})
	w.note(record.Fact{Kind: record.OwnURLs, Of: w.ownURLs()})
	if a.fixed != nil {
		a.receiveAll()
		if a.fixed.Shared {
			w.noteOf(m.Account, record.Fact{Kind: record.Shared})
		}
		if err := (tenant{a}).prepare(ctx); err != nil {
			return err
		}
	}
	if err := a.liftLimits(ctx); err != nil {
		return err
	}
	switch {
	case !m.Funded:
		return nil
	case a.fixed != nil:
		err = a.fund(ctx, m.Available, m.Exactly)
	default:
		err = a.setBalance(ctx, m.Available)
	}
	var refused *target.ControlError
	if m.IfItCan && errors.As(err, &refused) && refused.Status/100 == 4 {
		return notOffered("a gateway that rejects a balance this high: " + refused.Error())
	}
	return err
}

// createAccount makes an account by the control for it.
func createAccount(ctx context.Context, w *World, which language.Account) (*actor, error) {
	certificate, err := w.Authority.Issue(certs.Client{Name: which.String()})
	if err != nil {
		return nil, err
	}
	account, err := w.controls().CreateAccount(ctx, certificate.PEM())
	w.Secrets.Add(account.ClientSecret) // a response that cannot be used has one, too
	if err != nil {
		return nil, err
	}
	a := newActor(w, which, account, certificate)
	a.settled = true
	return a, nil
}

func newActor(w *World, which language.Account, account target.Account, certificate *certs.Certificate) *actor {
	return &actor{
		w: w, which: which, id: account.AccountID, clientID: account.ClientID, clientSecret: account.ClientSecret,
		pixKey: account.PixKey, certificate: certificate,
	}
}

// ask sends a valid request that no sentence speaks of.
func (a *actor) ask(ctx context.Context, noun string, query url.Values, role record.Role) (*record.Attempt, error) {
	r := a.valid(noun)
	r.query, r.role = query, role
	return r.send(ctx)
}

func (a *actor) list(ctx context.Context, l *judge.Look, role record.Role) (*record.Attempt, error) {
	r := a.valid(l.Op.Noun)
	r.query, r.role = l.Query, role
	if l.PixKey != "" {
		r.parameters["pixKey"] = l.PixKey
	}
	return r.send(ctx)
}

func (a *actor) balance(ctx context.Context, role record.Role) (record.Balance, error) {
	t, err := a.ask(ctx, "balance request", nil, role)
	if err != nil {
		return record.Balance{}, err
	}
	b, ok := t.Balance()
	switch {
	case ok:
		return b, nil
	case a.w.Judge.Before != nil:
		return b, &record.Obstacle{Kind: record.Fault, Expected: "the balance, which earlier requests returned", Reason: t.Summary(), Exchange: t.Index}
	}
	return b, judge.UnreadableBalance(t)
}

// token is the account's; a new one if there is none.
func (a *actor) token(ctx context.Context) (string, error) {
	if a.issued != "" {
		return a.issued, nil
	}
	t, err := a.ask(ctx, "token request", nil, record.Aside)
	if err != nil {
		return "", err
	}
	text, _ := jsonvalue.Find(t.Answer, "access_token").Value.(string)
	switch {
	case !t.Accepted() || text == "":
		return "", record.Cannot("the target issued no token: " + t.Summary())
	case len(text) > exchange.LongestSecret:
		return "", record.Cannot(fmt.Sprintf("the target issued a token of %d bytes, too long for a header", len(text)))
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", record.Cannot("the target issued a token with control characters, which no header can contain")
	}
	a.issued = text
	return text, nil
}

func (a *actor) now() time.Time { return time.Now().Add(a.ahead) }

// setBalance sets what is available, and remembers what an account of the profile had.
func (a *actor) setBalance(ctx context.Context, available money.Centavos) error {
	if a.fixed != nil && !a.fixed.touches(target.Funds) {
		b, err := a.balance(ctx, record.Aside)
		if err != nil {
			return err
		}
		a.fixed.touched = append(a.fixed.touched, funds(b.Available))
	}
	err := a.w.controls().SetBalance(ctx, a.id, available.Decimal())
	if err == nil {
		a.noteFunds(available)
	}
	return err
}

// noteOutstanding notes a payment or a refund that may end only after the scenario; new accounts end with it.
func (a *actor) noteOutstanding(made *record.Attempt) {
	if a.fixed != nil {
		a.fixed.outstanding = append(a.fixed.outstanding, made)
	}
}

// noteFunds notes what the account has available, by which its money is judged at the end.
func (a *actor) noteFunds(available money.Centavos) {
	if a.settled && a.w.actors[a.which] == a {
		a.w.noteOf(a.which, record.Fact{Kind: record.Funded, Text: available.Decimal()})
	}
}

// liftLimits lifts the limits that an account has without having been given any, as the run has
// found out; not in a scenario that is about limits.
func (a *actor) liftLimits(ctx context.Context) error {
	if !a.w.Limited.Load() || a.w.isAboutLimits() {
		return nil
	}
	a.w.unlimited = true
	return a.w.controls().SetLimits(ctx, a.id, target.NoLimits())
}

// isAboutLimits: the scenario sets the limits, or exceeds one that the profile states.
func (w *World) isAboutLimits() bool {
	return w.ownLimit > 0 || w.SetsLimits && w.Usable[target.LimitsControl]
}

// untilMoved does what moves money, and waits until the balance of the actor shows it, so that no
// later step takes it for something new. Whether it shows is for others to judge.
func (a *actor) untilMoved(ctx context.Context, do func() error) error {
	before, unread := a.balance(ctx, record.Aside)
	if err := do(); err != nil || unread != nil {
		return err
	}
	_, err := a.w.poll(ctx, a.w.Terms.Deadlines.Balance, func() (bool, error) {
		now, err := a.balance(ctx, record.Aside)
		return err != nil || now.Available != before.Available || now.Blocked != before.Blocked, nil
	})
	return err
}

// awaitListing waits until the list of transactions shows a payment.
func (a *actor) awaitListing(ctx context.Context, p *record.Attempt) error {
	listed, err := a.w.poll(ctx, a.w.Terms.Deadlines.Webhook, func() (bool, error) {
		t, err := a.ask(ctx, "transaction list request", judge.ListingQuery(p), record.Aside)
		return err == nil && lists(t, p), err
	})
	if err == nil && !listed {
		return &record.Obstacle{Kind: record.Fault, Expected: "the payment to be listed", Reason: "not within " + a.w.Terms.Deadlines.Webhook.String(), Exchange: p.Index}
	}
	return err
}

// learn takes from a response what the account now has: a token, which is secret, and a URL at
// which it will receive events.
func (a *actor) learn(t *record.Attempt) {
	switch t.Op.ID {
	case api.Token:
		token := jsonvalue.Text(t.Answer, "access_token")
		a.w.Secrets.Add(token)
		fits := token != "" && len(token) <= exchange.LongestSecret && !strings.ContainsFunc(token, unicode.IsControl)
		if t.Accepted() && fits && a.issued != "" { // a gateway may keep only the last token valid
			a.issued = token
		}
	case "registerWebhook":
		if mailbox := a.w.mail.at(t.SentText("url")); mailbox != nil && t.Accepted() {
			a.w.noteOf(a.which, record.Fact{Kind: record.Subscribed, Text: t.SentText("eventType"), Of: mailbox.URL()})
		}
	}
}
