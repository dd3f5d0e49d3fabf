package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// request is a request before it is sent: a valid one, until a sentence changes it.
type request struct {
	op     operation
	actor  *actor
	header http.Header
	body   object
	raw    []byte // instead of body, when a sentence gives the bytes
	under  string // the bearer token as a sentence puts it; empty for the actor's own
}

// attempt is a request with what came of it.
type attempt struct {
	request
	exchange exchange.Exchange
	index    int // of the exchange in the scenario's evidence
	answer   any // the decoded body; nil when it is no JSON
}

func (t *attempt) status() int    { return t.exchange.Status }
func (t *attempt) accepted() bool { return t.status() == t.op.accepted }

// aside sends a valid request that no sentence speaks of: "it" stays what it was.
func (s *scenario) aside(ctx context.Context, a *actor, noun string) (*attempt, error) {
	sent, attempts := a.sent, s.attempts
	defer func() { a.sent, s.attempts = sent, attempts }()
	r, err := s.valid(a.name, noun)
	if err != nil {
		return nil, err
	}
	return s.send(ctx, r)
}

// undecided: a connection that broke under the request shows nothing of the target.
func (t *attempt) undecided() error {
	if target.Undecided(t.exchange) {
		return &unable{reason: t.exchange.Err, undecided: true}
	}
	return nil
}

// code is the machine code of a refusal; empty when there is none.
func (t *attempt) code() string {
	code, _ := lookup(t.answer, "code")
	s, _ := code.(string)
	return s
}

// messages are the entries of message, or the one that it is.
func (t *attempt) messages() []string {
	message, _ := lookup(t.answer, "message")
	switch m := message.(type) {
	case string:
		return []string{m}
	case []any:
		var all []string
		for _, entry := range m {
			all = append(all, fmt.Sprint(entry))
		}
		return all
	}
	return nil
}

// summary tells what came in a few words: `400 HTTP_ERROR, value must be ...`.
func (t *attempt) summary() string {
	if t.status() == 0 {
		return "no answer: " + t.exchange.Err
	}
	words := fmt.Sprint(t.status())
	if code := t.code(); code != "" {
		words += " " + code
	}
	if messages := t.messages(); len(messages) > 0 {
		words += ", " + strings.Join(messages, "; ")
	}
	if t.answer == nil && len(t.exchange.ResponseBody) > 0 {
		words += ", with a body that is no JSON"
	}
	if t.exchange.Truncated {
		words += ", with a body longer than any answer of the API"
	}
	if t.exchange.Err != "" {
		words += " (" + t.exchange.Err + ")"
	}
	return words
}

// valid makes the valid request that sentences then change.
func (s *scenario) valid(who, noun string) (*request, error) {
	a, err := s.actorNamed(who)
	if err != nil {
		return nil, err
	}
	r := &request{op: operationNamed(noun), actor: a, header: http.Header{}}
	if r.op.valid != nil {
		r.body = r.op.valid(s, a)
	}
	if r.op.id == "token" {
		r.header.Set("X-SSL-Client-Cert", certs.Header(a.certificate.PEM()))
	}
	if r.op.method != http.MethodGet {
		r.header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// change sets one field, or one "header NAME", to a value as features spell it.
func (s *scenario) change(r *request, field, value string) error {
	if name, ok := strings.CutPrefix(field, "header "); ok {
		if value == "absent" {
			r.header.Del(name)
		} else {
			r.header.Set(name, value)
		}
		return nil
	}
	v, err := s.value(value)
	if err != nil {
		return err
	}
	r.body, err = r.body.with(field, v)
	return err
}

// send carries a request out and keeps what came of it.
func (s *scenario) send(ctx context.Context, r *request) (*attempt, error) {
	prepared, err := s.prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	t := s.keep(r, s.run.client.Send(ctx, prepared))
	return t, t.undecided()
}

// prepare turns a request into bytes, with the token it goes under.
func (s *scenario) prepare(ctx context.Context, r *request) (target.Request, error) {
	header := r.header.Clone()
	if r.op.bearer {
		authorization, err := s.authorization(ctx, r.actor, r.under)
		if err != nil {
			return target.Request{}, err
		}
		if authorization != "" {
			header.Set("Authorization", authorization)
		}
	}
	body := r.raw
	if body == nil && r.body != nil {
		body = r.body.bytes()
	}
	return target.Request{
		Party: exchange.API, Operation: r.op.noun, Rule: s.plan.scenario.Rule.Name,
		Method: r.op.method, Path: s.path(r.op), Header: header, Body: body,
	}, nil
}

func (s *scenario) path(op operation) string {
	if op.id == "token" {
		return s.run.profile.TokenPath
	}
	return op.path
}

// keep records an exchange as an attempt, holds it against the wire contract, and
// learns what the account now has.
func (s *scenario) keep(r *request, e exchange.Exchange) *attempt {
	t := &attempt{request: *r, exchange: e, index: s.record(e)}
	if answer, err := decode(e.ResponseBody); err == nil {
		t.answer = answer
	}
	s.attempts = append(s.attempts, t)
	r.actor.sent = t
	if token, ok := lookup(t.answer, "access_token"); ok && r.op.id == "token" {
		s.run.secrets.Add(fmt.Sprint(token))
	}
	if t.accepted() && r.op.id == "registerWebhook" && r.body != nil {
		s.registered(r)
	}
	s.run.contract.check(s, t)
	return t
}

func decode(body []byte) (any, error) { return contract.Decode(body, contract.Limits{}) }

// --- sentences ---

const (
	sends   = "sends"
	hasSent = "has sent" // a precondition: the request must be accepted
)

func (s *scenario) sendsOne(ctx context.Context, who, verb, noun string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	return s.sendsRequest(ctx, r, verb)
}

func (s *scenario) sendsAmount(ctx context.Context, who, verb, amount string) error {
	return s.sendsWith(ctx, who, verb, "cash-out", "value", amount)
}

func (s *scenario) sendsWith(ctx context.Context, who, verb, noun, field, value string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	if err := s.change(r, field, value); err != nil {
		return err
	}
	return s.sendsRequest(ctx, r, verb)
}

func (s *scenario) sendsTable(ctx context.Context, who, verb, noun string, changes *godog.Table) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	for _, change := range pairs(changes) {
		if err := s.change(r, change[0], change[1]); err != nil {
			return err
		}
	}
	return s.sendsRequest(ctx, r, verb)
}

func (s *scenario) sendsRaw(ctx context.Context, who, verb, noun, body string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	r.raw, r.body = []byte(body), nil
	return s.sendsRequest(ctx, r, verb)
}

func (s *scenario) sendsUnder(ctx context.Context, who, verb, noun, token string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	r.under = token
	return s.sendsRequest(ctx, r, verb)
}

func (s *scenario) sendsAgain(ctx context.Context, who, field, value string) error {
	var changes [][2]string
	if field != "" {
		changes = append(changes, [2]string{field, value})
	}
	return s.again(ctx, who, changes)
}

func (s *scenario) sendsAgainTable(ctx context.Context, who string, changes *godog.Table) error {
	return s.again(ctx, who, pairs(changes))
}

func (s *scenario) again(ctx context.Context, who string, changes [][2]string) error {
	a, err := s.actorNamed(who)
	if err != nil {
		return err
	}
	if a.sent == nil {
		return errors.New("nothing was sent that could be sent again")
	}
	r := a.sent.request
	for _, change := range changes {
		if err := s.change(&r, change[0], change[1]); err != nil {
			return err
		}
	}
	return s.sendsRequest(ctx, &r, sends)
}

// pairs are the rows of a table of fields and values.
func pairs(table *godog.Table) [][2]string {
	var all [][2]string
	for _, row := range table.Rows {
		all = append(all, [2]string{row.Cells[0].Value, row.Cells[1].Value})
	}
	return all
}

func (s *scenario) sendsRequest(ctx context.Context, r *request, verb string) error {
	t, err := s.send(ctx, r)
	if err != nil {
		return err
	}
	if verb == hasSent && !t.accepted() {
		return s.fail(t, fmt.Sprintf("%s to be accepted with %d", r.op.noun, r.op.accepted), t.summary(), "")
	}
	return nil
}

func (s *scenario) sendsSameAtOnce(ctx context.Context, who, amount, count string) error {
	r, err := s.valid(who, "cash-out")
	if err != nil {
		return err
	}
	if err := s.change(r, "value", amount); err != nil {
		return err
	}
	return s.atOnce(ctx, count, func() (*request, error) { return r, nil })
}

func (s *scenario) sendsCashOutsAtOnce(ctx context.Context, who, count, amount string) error {
	return s.atOnce(ctx, count, func() (*request, error) {
		r, err := s.valid(who, "cash-out")
		if err != nil {
			return nil, err
		}
		return r, s.change(r, "value", amount)
	})
}

func (s *scenario) sendsRegistrationsAtOnce(ctx context.Context, who, count string) error {
	return s.atOnce(ctx, count, func() (*request, error) { return s.valid(who, "webhook registration") })
}

// atOnce sends as many requests beside each other as count says.
func (s *scenario) atOnce(ctx context.Context, count string, next func() (*request, error)) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	requests, prepared := make([]*request, n), make([]target.Request, n)
	for i := range n {
		if requests[i], err = next(); err != nil {
			return err
		}
		if prepared[i], err = s.prepare(ctx, requests[i]); err != nil {
			return err
		}
	}
	answers := make([]exchange.Exchange, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { answers[i] = s.run.client.Send(ctx, prepared[i]) })
	}
	wait.Wait()
	s.batch = nil
	for i := range n {
		t := s.keep(requests[i], answers[i])
		if err := t.undecided(); err != nil {
			return err
		}
		s.batch = append(s.batch, t)
	}
	return nil
}
