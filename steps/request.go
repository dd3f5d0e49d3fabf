package steps

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// request is a request before it is sent: a valid one, until a sentence changes it.
type request struct {
	op         operation
	actor      *actor
	parameters map[string]string // of the path
	query      url.Values
	header     http.Header
	body       object
	raw        []byte // instead of body, when a sentence gives the bytes
	under      string // the bearer token as a sentence puts it; empty for the actor's own

	certificate *tls.Certificate // shown in the TLS handshake; nil for the actor's own
	doubtful    bool             // its certificate is one that an edge may refuse by itself
}

// sent is a field of the request as JSON: one of its body, or "path NAME" and the like,
// of which the name alone will do.
func (r *request) sent(field string) (json.RawMessage, bool) {
	if v, ok := fieldOf(r.body, field); ok {
		return v, true
	}
	_, name, where := strings.Cut(field, " ")
	if !where {
		name = field
	}
	if v, ok := r.parameters[name]; ok {
		return text(v), true
	}
	if v := r.header.Get(name); v != "" {
		return text(v), true
	}
	return nil, false
}

// path is where the request goes, without its query.
func (r *request) path(s *scenario) string {
	if r.op.id == "token" {
		return s.run.profile.TokenPath
	}
	return parameterForm.ReplaceAllStringFunc(r.op.path, func(parameter string) string {
		return encodedPath.Replace(url.PathEscape(r.parameters[strings.Trim(parameter, "{}")]))
	})
}

// encodedPath: a plus and an at sign may stand in a path as they are, but some readers
// take a plus for a space there.
var encodedPath = strings.NewReplacer("+", "%2B", "@", "%40")

// attempt is a request with what came of it.
type attempt struct {
	request
	exchange exchange.Exchange
	index    int // of the exchange in the scenario's evidence
	answer   any // the decoded body; nil when it is no JSON

	endToEndID string // of the payment of a charge
	returned   bool   // the payee gave it back, or a part
}

func (t *attempt) status() int    { return t.exchange.Status }
func (t *attempt) accepted() bool { return t.op.isSuccess(t.status()) }

// externalID is the client's own id for an order, where the request has one.
func (r *request) externalID() (string, bool) {
	for _, field := range []string{"externalId", "transaction.externalId"} {
		if id, ok := fieldOf(r.body, field); ok {
			return textOf(id), true
		}
	}
	return "", false
}

// ordered is the amount of what the request has made; false if that cannot be read.
func (r *request) ordered() (centavos, bool) {
	raw, _ := r.sent(r.op.amount)
	amount, err := parseAmount(strings.Trim(string(raw), `"`))
	return amount, err == nil
}

// ids are the texts by which an event may name what the attempt made.
func (t *attempt) ids() []string {
	var ids []string
	for _, name := range t.op.identity {
		v, ok := lookup(t.answer, name)
		if !ok {
			raw, sent := t.sent(name)
			if !sent || json.Unmarshal(raw, &v) != nil {
				continue
			}
		}
		if id := fmt.Sprint(v); len(id) >= leastID {
			ids = append(ids, id)
		}
	}
	if t.endToEndID != "" {
		ids = append(ids, t.endToEndID)
	}
	return ids
}

// leastID is the length from which on a text identifies: a shorter one may stand
// anywhere in an event.
const leastID = 8

// aside sends a valid request that no sentence speaks of: "it" stays what it was.
func (s *scenario) aside(ctx context.Context, a *actor, noun string) (*attempt, error) {
	return s.lookAside(ctx, a, noun, nil)
}

// lookAside does so with a query.
func (s *scenario) lookAside(ctx context.Context, a *actor, noun string, query url.Values) (*attempt, error) {
	sent, attempts := a.sent, s.attempts
	defer func() { a.sent, s.attempts = sent, attempts }()
	r, err := s.valid(a.name, noun)
	if err != nil {
		return nil, err
	}
	r.query = query
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
	r := &request{op: operationNamed(noun), actor: a, parameters: map[string]string{}, query: url.Values{}, header: http.Header{}}
	if r.op.valid != nil {
		r.op.valid(s, r)
	}
	if r.body != nil {
		r.header.Set("Content-Type", "application/json")
	}
	s.sandboxed(r)
	return r, nil
}

// changed is a copy with the fields of changes set to values as features spell them.
func (s *scenario) changed(ctx context.Context, r *request, changes [][2]string) (*request, error) {
	c := *r
	c.parameters, c.query, c.header = maps.Clone(r.parameters), url.Values(http.Header(r.query).Clone()), r.header.Clone()
	for _, change := range changes {
		if err := s.change(ctx, &c, change[0], change[1]); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// change sets one field of the body, or one "header NAME", "path NAME" or "query NAME",
// or takes the client certificate away.
func (s *scenario) change(ctx context.Context, r *request, field, value string) error {
	where, name, outside := strings.Cut(field, " ")
	if field == "certificate" && value == "absent" {
		s.presentNone(r)
		return nil
	}
	if !outside {
		return s.changeBody(ctx, r, field, value)
	}
	v, err := s.words(ctx, value)
	if err != nil {
		return err
	}
	switch {
	case where == "path":
		r.parameters[name] = v
	case where == "query":
		r.query.Set(name, v)
	case value == "absent":
		r.header.Del(name)
	default:
		r.header.Set(name, v)
	}
	return nil
}

func (s *scenario) changeBody(ctx context.Context, r *request, field, value string) error {
	v, err := s.value(ctx, value)
	if err != nil {
		return err
	}
	if r.body == nil { // one that has none unless a sentence gives it one
		r.body = object{}
		r.header.Set("Content-Type", "application/json")
	}
	r.body, err = r.body.with(field, v)
	return err
}

// send carries a request out and keeps what came of it.
func (s *scenario) send(ctx context.Context, r *request) (*attempt, error) {
	if r.op.looks {
		s.catchUp(ctx)
	}
	prepared, err := s.prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := s.onOwnURLs(ctx, r); err != nil {
		return nil, err
	}
	t := s.keep(r, s.run.client.Send(ctx, prepared))
	if s.isThrottled(t) {
		return s.afterThrottle(ctx, t, prepared)
	}
	if err := s.withinLimits(t); err != nil {
		return t, err
	}
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
	path := r.path(s)
	if len(r.query) > 0 {
		path += "?" + r.query.Encode()
	}
	return target.Request{
		Party: exchange.API, Operation: r.op.noun, Rule: s.plan.scenario.Rule.Name,
		Method: r.op.method, Path: path, Header: header, Body: body, Certificate: s.shownBy(r),
	}, nil
}

// keep records an exchange as an attempt, holds it against the wire contract, and
// learns what the account now has.
func (s *scenario) keep(r *request, e exchange.Exchange) *attempt {
	e.Other = r.actor == s.other
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
	if !s.mayBeOfEdge(t) {
		s.run.contract.check(s, t)
	}
	return t
}

func decode(body []byte) (any, error) { return contract.Decode(body, contract.Limits{}) }

// --- sentences ---

const (
	sends   = "sends"
	hasSent = "has sent" // a precondition: the request must be accepted
)

func (s *scenario) sendsOne(ctx context.Context, who, verb, noun string) error {
	return s.sendsChanged(ctx, who, verb, noun, nil)
}

func (s *scenario) sendsAmount(ctx context.Context, who, verb, noun, amount string) error {
	return s.sendsChanged(ctx, who, verb, noun, ofAmount(noun, amount))
}

func (s *scenario) sendsWith(ctx context.Context, who, verb, noun, field, value string) error {
	return s.sendsChanged(ctx, who, verb, noun, [][2]string{{field, value}})
}

func (s *scenario) sendsTable(ctx context.Context, who, verb, noun string, changes *godog.Table) error {
	return s.sendsChanged(ctx, who, verb, noun, pairs(changes))
}

func (s *scenario) sendsChanged(ctx context.Context, who, verb, noun string, changes [][2]string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	if r, err = s.changed(ctx, r, changes); err != nil {
		return err
	}
	return s.sendsRequest(ctx, r, verb)
}

// ofAmount is the change that makes a valid request one of that amount. Where the field
// is a text in a valid request, it stays one.
func ofAmount(noun, amount string) [][2]string {
	op := operationNamed(noun)
	if textAmounts[op.id] {
		amount = `"` + amount + `"`
	}
	return [][2]string{{op.amount, amount}}
}

// textAmounts are the operations whose amounts are texts.
var textAmounts = map[string]bool{"cob": true, "refund": true}

func (s *scenario) sendsRaw(ctx context.Context, who, verb, noun, body string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	r.raw, r.body = []byte(body), nil
	r.header.Set("Content-Type", "application/json")
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
	r, err := s.changed(ctx, &a.sent.request, changes)
	if err != nil {
		return err
	}
	return s.sendsRequest(ctx, r, sends)
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
	if err == nil {
		err = s.stoppedAtEdge(ctx, t)
	}
	if err != nil {
		return err
	}
	if verb == hasSent && !t.accepted() {
		return s.fail(t, fmt.Sprintf("%s to be accepted with %s", r.op.noun, r.op.success()), t.summary(), "")
	}
	return nil
}
