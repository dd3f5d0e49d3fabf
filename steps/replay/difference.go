package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
)

// Pair is the same exchange with both gateways.
type Pair struct {
	Request     string       `json:"request"`
	Sent        string       `json:"sent,omitempty"` // the beginning of the request's body to the target
	Differences []Difference `json:"differences"`
}

// Difference is a value in which two responses, or two webhooks, differ. Most are expected to
// differ, as ids and times do; the marked one is what the finding is about.
type Difference struct {
	Field     string `json:"field"` // "HTTP status", "event", "body", or a path: "details.name", "items[0].id"
	Target    string `json:"target"`
	Reference string `json:"reference"`
	Marked    bool   `json:"marked,omitempty"`
}

const httpStatus = "HTTP status"

// compare lists the differences of two exchanges. If one of them is nil, that is the difference.
func compare(own, other *exchange.Exchange) []Difference {
	all := []Difference{}
	if x, y := answer(own), answer(other); x != y {
		name := httpStatus
		if own == nil || own.Party == exchange.Webhook {
			name = "event"
		}
		all = append(all, Difference{Field: name, Target: x, Reference: y})
	}
	if own == nil || other == nil {
		return all
	}
	a, b := fields(own), fields(other)
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if x, y := a[path], b[path]; x.Present != y.Present || !jsonvalue.Equal(x.Value, y.Value) {
			all = append(all, Difference{Field: exchange.Line(path), Target: words(x), Reference: words(y)})
		}
	}
	return all
}

func answer(e *exchange.Exchange) string {
	switch {
	case e == nil:
		return none
	case e.Status == 0 && e.Party != exchange.Webhook:
		return "no response: " + exchange.Line(e.Err)
	default:
		return outcome(*e)
	}
}

// fields are the values of a response or a webhook by their paths: objects and arrays only if they
// are empty. A body that is not JSON is a single value.
func fields(e *exchange.Exchange) map[string]jsonvalue.Found {
	all := map[string]jsonvalue.Found{}
	body := e.ResponseBody
	if e.Party == exchange.Webhook {
		body = e.Body
	}
	v, err := jsonvalue.Decode(body)
	switch {
	case err == nil:
		flatten("", v, all)
	case len(body) > 0:
		flatten("", notJSON(body), all)
	}
	return all
}

// notJSON is a body that is not JSON, such as the page of a proxy.
type notJSON string

func words(f jsonvalue.Found) string {
	if s, ok := f.Value.(notJSON); ok {
		return "not JSON: " + excerpt(string(s), 50)
	}
	return excerpt(f.String(), 60)
}

func flatten(path string, v any, into map[string]jsonvalue.Found) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			flatten(strings.TrimPrefix(path+"."+name, "."), member, into)
		}
		if len(v) > 0 {
			return
		}
	case []any:
		for i, item := range v {
			flatten(fmt.Sprintf("%s[%d]", path, i), item, into)
		}
		if len(v) > 0 {
			return
		}
	}
	if path == "" {
		path = "body"
	}
	into[path] = jsonvalue.Found{Value: v, Present: true}
}

// subject is the index of the difference that a finding is about; -1 for none. The field that it
// names may be one of an item or of an event's data, or an object. A finding without a field is
// about the outcome.
func subject(all []Difference, field string) int {
	if field == "" {
		return slices.IndexFunc(all, func(d Difference) bool { return d.Field == httpStatus || d.Field == "event" || d.Field == "code" })
	}
	if i := slices.IndexFunc(all, func(d Difference) bool { return d.Field == field }); i >= 0 {
		return i
	}
	names := func(path string) string { return "." + strings.ReplaceAll(path, "[", ".[") + "." }
	return slices.IndexFunc(all, func(d Difference) bool { return strings.Contains(names(d.Field), names(field)) })
}

// excerpt is the beginning of a text, on one line.
func excerpt(s string, most int) string {
	runes := []rune(exchange.Line(s[:min(len(s), 4*most)]))
	if len(runes) > most || len(s) > 4*most {
		return string(runes[:min(len(runes), most)]) + "…"
	}
	return string(runes)
}
