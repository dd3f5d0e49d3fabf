package record

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// Attempt is a request of the API with its response.
type Attempt struct {
	*exchange.Exchange
	Op      *api.Operation
	Account language.Account
	Role    Role
	AtOnce  bool              // concurrently with others of its step
	Variant string            // of the step's request: its shape, its item, its value; empty if there is only one
	Chosen  []dimensions.Pick // in each dimension, if the step combines choices
	Step    int
	Index   int  // of the exchange among the scenario's
	Answer  any  // the decoded body; nil if it is not JSON
	Request any  // the decoded body of the request, as far as it is clear; nil if it is not JSON
	Unclear bool // a reader may refuse the body of the request as malformed

	path       string // below the base URL, escaped, without the query
	query      url.Values
	parameters map[string]string

	EndToEndID string // of what it created, once that is known
	Returned   bool   // the payee returned money of it
	Doubtful   bool   // an edge may refuse its certificate
	ShowsNone  bool   // it deliberately presents no certificate in the handshake
}

func newAttempt(e Entry, op *api.Operation, index int, terms *Terms) *Attempt {
	t := &Attempt{Exchange: e.Exchange, Op: op, Answer: e.Exchange.Value(), Account: e.Account, Role: e.Role, AtOnce: e.AtOnce, Variant: e.Variant, Chosen: e.Chosen, Step: e.Step, Index: index, query: url.Values{}}
	t.Request, t.Unclear = jsonvalue.DecodeClear(e.Exchange.Body)
	u, err := url.Parse(e.Exchange.URL)
	if err != nil {
		return t
	}
	t.path, t.query = strings.TrimPrefix(u.EscapedPath(), terms.BasePath), u.Query()
	t.parameters = parametersOf(t.Op.Path, t.path)
	return t
}

func parametersOf(template, path string) map[string]string {
	names, values := strings.Split(template, "/"), strings.Split(path, "/")
	if len(names) != len(values) {
		return nil
	}
	all := map[string]string{}
	for i, name := range names {
		if inner, ok := strings.CutPrefix(name, "{"); ok {
			value, err := url.PathUnescape(values[i])
			if err == nil {
				all[strings.TrimSuffix(inner, "}")] = value
			}
		}
	}
	return all
}

// Path is the path of the request below the base URL, without the query.
func (t *Attempt) Path() string { return t.path }

// Query is the query of the request.
func (t *Attempt) Query() url.Values { return t.query }

// Parameter is a parameter of the path.
func (t *Attempt) Parameter(name string) string { return t.parameters[name] }

// Accepted reports whether the response means success.
func (t *Attempt) Accepted() bool { return t.Op.IsSuccess(t.Status) }

// IsPlayed reports whether a scenario of the sandbox decides what becomes of it.
func (t *Attempt) IsPlayed() bool { return t.Header.Get("X-Sandbox-Scenario") != "" }

// isOfSeveral reports whether its step sent other requests like it.
func (t *Attempt) isOfSeveral() bool { return t.AtOnce || t.Variant != "" }

// Is reports whether the request is to create one of those things.
func (t *Attempt) Is(makes ...api.Made) bool { return slices.Contains(makes, t.Op.Makes) }

// NoResponse reports whether the request got no complete response, so that it says nothing about the target.
func (t *Attempt) NoResponse() bool { return target.NoResponse(*t.Exchange) }

// SentField returns a field of the request: of its body, a path parameter or a header. To tell them
// apart, a field may be given as "path NAME" or "header NAME".
func (t *Attempt) SentField(field string) (any, bool) {
	if v, ok := jsonvalue.Lookup(t.Request, field); ok {
		return v, true
	}
	_, name, where := strings.Cut(field, " ")
	if !where {
		name = field
	}
	if v, ok := t.parameters[name]; ok {
		return v, true
	}
	if v := t.Header.Get(name); v != "" {
		return v, true
	}
	return nil, false
}

// SentText is a field of the request as text; empty if it has none.
func (t *Attempt) SentText(field string) string {
	v, ok := t.SentField(field)
	if !ok || v == nil {
		return ""
	}
	return jsonvalue.Plain(v)
}

// ExternalID is the client's own id for an order, if the request has one.
func (t *Attempt) ExternalID() (string, bool) {
	for _, field := range []string{"externalId", "transaction.externalId"} {
		if id, ok := jsonvalue.Lookup(t.Request, field); ok {
			s, _ := id.(string)
			return s, true
		}
	}
	return "", false
}

// Amount is the amount that was requested; false if it cannot be read.
func (t *Attempt) Amount() (money.Centavos, bool) {
	if t.Op.Amount == "" {
		return 0, false
	}
	amount, err := money.Parse(t.SentText(t.Op.Amount))
	return amount, err == nil
}

// leastID is the minimum length of an id: a shorter text may occur in any event by chance.
const leastID = 8

// IDs returns the ids by which an event or a list may name what the request created.
func (t *Attempt) IDs() []string {
	var ids []string
	for _, name := range t.Op.Identity {
		v, ok := jsonvalue.Lookup(t.Answer, name)
		if !ok {
			v, ok = t.SentField(name)
		}
		if id := fmt.Sprint(v); ok && len(id) >= leastID {
			ids = append(ids, id)
		}
	}
	if t.EndToEndID != "" {
		ids = append(ids, t.EndToEndID)
	}
	return ids
}

// IsListedAs reports whether an item of a list of transactions is what the request created.
func (t *Attempt) IsListedAs(item any) bool {
	ids := t.IDs()
	for _, field := range []string{"transactionId", "externalId", "endToEndId"} {
		if v, ok := jsonvalue.Lookup(item, field); ok && slices.Contains(ids, fmt.Sprint(v)) {
			return true
		}
	}
	return false
}

// Code is the error code of the response; empty if there is none.
func (t *Attempt) Code() api.Code {
	code, _ := jsonvalue.Find(t.Answer, "code").Value.(string)
	return api.Code(code)
}

// Messages are the entries of message, which may also be a single string.
func (t *Attempt) Messages() []string {
	switch m := jsonvalue.Find(t.Answer, "message").Value.(type) {
	case string:
		return []string{m}
	case []any:
		var all []string
		for _, entry := range m {
			all = append(all, jsonvalue.Plain(entry))
		}
		return all
	}
	return nil
}

// Summary is the response in a few words: `400 HTTP_ERROR, value must be ...`.
func (t *Attempt) Summary() string {
	if t.Status == 0 {
		return "no response: " + t.Err
	}
	words := fmt.Sprint(t.Status)
	if code := t.Code(); code != "" {
		words += " " + string(code)
	}
	if to := t.ResponseHeader.Get("Location"); to != "" && t.Status/100 == 3 {
		words += " to " + exchange.Excerpt(to, 120)
	}
	if messages := t.Messages(); len(messages) > 0 {
		words += ", " + strings.Join(messages, "; ")
	}
	if t.Answer == nil && len(t.ResponseBody) > 0 && !t.Truncated {
		words += ", with a body that is not JSON"
	}
	if t.Truncated {
		words += ", with a body longer than pixcert reads"
	}
	if t.Err != "" {
		words += " (" + t.Err + ")"
	}
	return words
}

// PayCode is the code with which a payer pays the charge that the request created.
func (t *Attempt) PayCode() (string, bool) {
	for _, field := range []string{"pixCode", "loc.location", "location"} {
		if code := jsonvalue.Text(t.Answer, field); code != "" && t.Accepted() {
			return code, true
		}
	}
	return "", false
}

// MayBeOfEdge reports whether the response to a token request may come from an edge that rejected
// the certificate, which says nothing about the gateway. In that case the handshake failed, or the
// error has no code. An error in JSON is the gateway's if it has another field of the rich
// envelope, or if an edge has no reason to reject the certificate.
func (t *Attempt) MayBeOfEdge(terms *Terms) bool {
	if !terms.Handshake || t.Op.ID != api.Token || !target.RefusedLikeEdge(*t.Exchange) {
		return false
	}
	inEnvelope := slices.ContainsFunc([]string{"code", "errorId", "userMessage"}, func(field string) bool {
		return jsonvalue.Find(t.Answer, field).Present
	})
	return t.Code() == "" && (t.Answer == nil || t.Doubtful && !inEnvelope)
}

// Balance is the balance of an account at one moment.
type Balance struct {
	Available, Blocked money.Centavos
	Index              int // of the exchange that read it
}

// Balance returns the balance in the response; false if there is none.
func (t *Attempt) Balance() (Balance, bool) {
	available, okA := money.At(t.Answer, "data[0].balanceAmount.available")
	blocked, okB := money.At(t.Answer, "data[0].balanceAmount.blocked")
	return Balance{available, blocked, t.Index}, t.Accepted() && okA && okB
}

// Items are the elements of the page that a list request returned; false if data is not an
// array.
func (t *Attempt) Items() ([]any, bool) {
	items, ok := jsonvalue.Find(t.Answer, "data").Value.([]any)
	return items, ok
}

// IsThrottled reports whether the target rejected the request because of a rate limit.
func (t *Attempt) IsThrottled() bool { return t.Status == http.StatusTooManyRequests }
