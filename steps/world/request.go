package world

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// request is a request before it is sent: a valid one, until a step changes it.
//
// Many methods: each is one thing to do with it before or after it is sent.
type request struct {
	op         *api.Operation
	actor      *actor
	role       record.Role
	parameters map[string]string // of the path
	query      url.Values
	header     http.Header
	body       object
	raw        []byte // instead of body, if a step gives the bytes
	under      language.Authorization
	variant    string            // of the step that sends it; empty if it is the only one
	chosen     []dimensions.Pick // in each dimension, if the step combines choices

	certificate *tls.Certificate // shown in the TLS handshake; nil for the actor's own
	doubtful    bool             // an edge may refuse that certificate by itself
}

const certificateHeader = "X-SSL-Client-Cert"

func (r *request) changed(ctx context.Context, changes ...language.Change) (*request, error) {
	c := *r
	c.parameters, c.query, c.header = maps.Clone(r.parameters), url.Values(http.Header(r.query).Clone()), r.header.Clone()
	for _, change := range changes {
		if err := c.change(ctx, change); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

func (r *request) change(ctx context.Context, c language.Change) error {
	switch c.Where {
	case language.ClientCertificate:
		r.presentNone()
		return nil
	case language.Body:
		v, err := r.value(ctx, c)
		if err != nil {
			return err
		}
		if r.body == nil { // it has none unless a step gives it one
			r.body = object{}
			r.header.Set("Content-Type", "application/json")
		}
		r.body, err = r.body.with(c.Name, v)
		return err
	}
	if c.Value.Kind == language.Absent {
		if c.Where == language.Query {
			r.query.Del(c.Name)
		} else {
			r.header.Del(c.Name)
		}
		return nil
	}
	v, err := textOf(ctx, r.actor.w, c.Value)
	switch c.Where {
	case language.Path:
		r.parameters[c.Name] = v
	case language.Query:
		r.query.Set(c.Name, v)
	default:
		r.header.Set(c.Name, v)
	}
	return err
}

// value is what a change makes of a field of the body.
func (r *request) value(ctx context.Context, c language.Change) (any, error) {
	if derive := ofOwn[c.Value.Kind]; derive != nil {
		return derive(encoded(r.body.at(c.Name))), nil
	}
	return value(ctx, r.actor.w, c.Value)
}

// sendSpoken sends a request that a step speaks of.
func (r *request) sendSpoken(ctx context.Context, accepted bool) error {
	r.role = record.Spoken
	t, err := r.send(ctx)
	if err == nil {
		err = r.passesEdge(ctx, t)
	}
	if err == nil && accepted && !t.Accepted() {
		err = errRefused
	}
	return err
}

// send sends the request and records what came of it.
func (r *request) send(ctx context.Context) (*record.Attempt, error) {
	w := r.actor.w
	if r.op.Looks {
		if err := w.catchUp(ctx); err != nil {
			return nil, err
		}
	}
	prepared, err := r.prepare(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.onOwnURLs(ctx); err != nil {
		return nil, err
	}
	throttled := false
	for {
		turn, err := r.awaitTurn(ctx, 1)
		if err != nil {
			return nil, tooLong(throttled, err)
		}
		e := r.exchange(ctx, prepared)
		crowded := r.crowded(turn, e)
		if !r.isThrottled(e) {
			t := r.record(e, record.Entry{Role: r.role})
			return t, cmp.Or(r.notTested(t), crowded)
		}
		r.record(e, record.Entry{Role: record.Throttled})
		if isLifted, err := r.liftRequests(ctx); isLifted && !throttled || err != nil {
			if err != nil {
				return nil, err
			}
			throttled = true
			continue
		}
		throttled = true
		w.sayThrottled(r.op)
		pause, _ := target.RetryAfter(e.ResponseHeader, longPause)
		if err := sleep(ctx, cmp.Or(pause, longPause)); err != nil {
			return nil, tooLong(throttled, err)
		}
	}
}

// longPause is how long to wait after a 429 for what the specification limits by the minute, unless the response says.
const longPause = 10 * time.Second

func tooLong(throttled bool, err error) error {
	if throttled {
		return record.Cannot("the target kept returning 429 until the scenario timed out")
	}
	return err
}

// record records an exchange of the request, and learns what the account now has.
func (r *request) record(e exchange.Exchange, entry record.Entry) *record.Attempt {
	w := r.actor.w
	entry.Account, entry.Variant, entry.Chosen = r.actor.which, r.variant, r.chosen
	index := w.keep(e, entry)
	t := w.Judge.Attempt(index)
	if r.doubtful {
		showsNone := r.certificate != nil && len(r.certificate.Certificate) == 0
		w.note(record.Fact{Kind: record.Doubtful, Index: index, Yes: showsNone})
	}
	if r.role == record.Spoken {
		r.actor.sent, w.sent[index] = r, r
	}
	r.actor.learn(t)
	return t
}

// notTested says why a response shows nothing of the target: there is none, or the
// account has reached a limit in a scenario about something else. Which limits an account has
// is not said. The first time, a suite that can lift them lifts them for the rest of the run,
// and repeats the scenario: a limit that is reported then is one that the account does not have.
func (r *request) notTested(t *record.Attempt) error {
	w := r.actor.w
	if o := w.unanswered(*t.Exchange, t.Index); o != nil && !t.MayBeOfEdge(w.Terms) {
		return o
	}
	canLift := w.Usable[target.LimitsControl]
	isLimit := t.Is(api.Payment) && !t.IsThrottled() && t.Status >= 400 && strings.Contains(strings.ToUpper(string(t.Code())), "LIMIT")
	if !isLimit || w.isAboutLimits() || w.unlimited {
		return nil
	}
	w.Limited.Store(canLift)
	return &record.Obstacle{
		Kind: record.Unable, Exchange: -1, Spoils: canLift,
		Reason: fmt.Sprintf("the account has reached a limit (%s): raise it, or add the test control limits", t.Code()),
	}
}

// prepare turns the request into bytes, with the token that it carries.
func (r *request) prepare(ctx context.Context) (target.Request, error) {
	header := r.header.Clone()
	if r.op.Bearer || r.under != language.OwnToken {
		authorization, err := r.authorization(ctx)
		if err != nil {
			return target.Request{}, err
		}
		if authorization != "" {
			header.Set("Authorization", authorization)
		}
	}
	path := r.path()
	if r.under == language.TokenInQuery {
		token, err := r.actor.token(ctx)
		if err != nil {
			return target.Request{}, err
		}
		path = withQuery(path, "access_token", token)
	}
	body := r.raw
	if body == nil && r.body != nil {
		body = encoded(r.body)
	}
	return target.Request{
		Party: exchange.API, Operation: r.op.Noun, Rule: r.actor.w.Rule,
		Method: r.op.Method, Path: path, Header: header, Body: body, Certificate: r.shown(),
		Limited: r.isResend() || r.op.ID == "listMeds", Page: r.op.IsList(),
	}, nil
}

// readable: a plus and an at sign may be in a path as they are, but some readers take a plus
// for a space there.
var readable = strings.NewReplacer("+", "%2B", "@", "%40")

// path is where the request goes, with its query.
func (r *request) path() string {
	path := r.op.Path
	if r.op.ID == api.Token {
		path = r.actor.w.Terms.TokenPath
	}
	for name, value := range r.parameters {
		path = strings.ReplaceAll(path, "{"+name+"}", readable.Replace(url.PathEscape(value)))
	}
	if len(r.query) > 0 {
		path += "?" + strings.ReplaceAll(r.query.Encode(), "+", "%20") // not every reader takes a plus for a space
	}
	return path
}

// withQuery is a path with one more parameter.
func withQuery(path, name, value string) string {
	sign := "?"
	if strings.Contains(path, sign) {
		sign = "&"
	}
	return path + sign + name + "=" + url.QueryEscape(value)
}

// present shows a certificate with a token request, in the target's way. In the handshake an
// account shows it with every request and not only with the token request: most edges ask for
// it once a connection, whatever the path, and a token may be bound to it (RFC 8705).
func (r *request) present(c *certs.Certificate) {
	if r.actor.w.Terms.Handshake {
		shown := c.TLS()
		r.certificate = &shown
		return
	}
	r.header.Set(certificateHeader, certs.Header(c.PEM()))
}

func (r *request) presentNone() {
	r.header.Del(certificateHeader)
	if r.actor.w.Terms.Handshake {
		r.certificate, r.doubtful = &tls.Certificate{}, true
	}
}

// shown is what the request shows in its handshake; nil leaves it to the profile.
func (r *request) shown() *tls.Certificate {
	switch {
	case !r.actor.w.Terms.Handshake:
		return nil
	case r.certificate != nil:
		return r.certificate
	}
	own := r.actor.certificate.TLS()
	return &own
}

// passesEdge: a request that did not get as far as the gateway shows nothing of it. The
// specification binds the gateway only: an edge may refuse a certificate in its own words.
func (r *request) passesEdge(ctx context.Context, t *record.Attempt) error {
	terms := r.actor.w.Terms
	switch {
	case t.ShowsNone && t.Code() == api.CertMalformedPEM:
		return notOffered("an edge that sets the header even without a certificate: " + t.Summary())
	case !t.MayBeOfEdge(terms):
		return nil
	case t.Doubtful:
		return notOffered("an edge that rejects this certificate itself: " + t.Summary())
	}
	valid := r.actor.valid("token request")
	valid.certificate = r.certificate
	again, err := valid.send(ctx)
	if err != nil || again.MayBeOfEdge(terms) {
		return record.Cannot("the edge rejects a valid certificate (" + t.Summary() + "): " +
			"make it accept every certificate, such as with nginx's ssl_verify_client optional_no_ca, or use accounts whose certificates it accepts")
	}
	return nil
}
