package replay

import (
	"cmp"
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
	Field     string `json:"field"` // "HTTP status", "webhook", "body", or a path: "details.name", "items[0].id"
	Target    string `json:"target"`
	Reference string `json:"reference"`
	Marked    bool   `json:"marked,omitempty"`
}

const httpStatus = "HTTP status"

// compare lists the differences of two exchanges, with that of the finding's field even if it is an
// object or an array. If one of the exchanges is nil, that is the difference.
func compare(own, other *exchange.Exchange, field string) []Difference {
	all := []Difference{}
	if x, y := answer(own), answer(other); x != y {
		name := httpStatus
		if own == nil || own.Party == exchange.Webhook {
			name = "webhook"
		}
		all = append(all, Difference{Field: name, Target: x, Reference: y})
	}
	if own == nil || other == nil {
		return all
	}
	a, b := values(own, field), values(other, field)
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if x, y := a[path], b[path]; x.String() != y.String() && !(x.Present && y.Present && jsonvalue.Equal(x.Value, y.Value)) {
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

// values returns the values of a response or a webhook by path. It includes an object or an array
// only if it is empty or the subject of the finding, as it does a header. A body that is not JSON is a single value.
func values(e *exchange.Exchange, field string) map[string]jsonvalue.Found {
	all := map[string]jsonvalue.Found{}
	if header, is := strings.CutPrefix(field, "header "); is {
		values := e.Header.Values(header)
		all[field] = jsonvalue.Found{Value: strings.Join(values, ", "), Present: len(values) > 0}
	}
	body := e.ResponseBody
	if e.Party == exchange.Webhook {
		body = e.Body
	}
	v, err := jsonvalue.Decode(body)
	switch {
	case err == nil:
		flatten("", v, field, all)
	case len(body) > 0:
		flatten("", notJSON(body), field, all)
	}
	return all
}

// notJSON is a body that is not JSON, such as the page of a proxy.
type notJSON string

func words(f jsonvalue.Found) string {
	if s, ok := f.Value.(notJSON); ok {
		return "not JSON: " + exchange.Excerpt(string(s), 50)
	}
	return exchange.Excerpt(f.String(), 60)
}

func flatten(path string, v any, field string, into map[string]jsonvalue.Found) {
	parts := 0
	switch v := v.(type) {
	case map[string]any:
		parts = len(v)
		for name, member := range v {
			flatten(strings.TrimPrefix(path+"."+name, "."), member, field, into)
		}
	case []any:
		parts = len(v)
		for i, item := range v {
			flatten(fmt.Sprintf("%s[%d]", path, i), item, field, into)
		}
	}
	if parts == 0 || isField(path, field) {
		into[cmp.Or(path, "body")] = jsonvalue.Found{Value: v, Present: true}
	}
}

// isField reports whether a finding's field may be the value at a path. A finding names a field of a
// list item, or of an event in an envelope, without the path to that item or event.
func isField(path, field string) bool {
	return field != "" && strings.HasSuffix("."+path, "."+field)
}

// subject is the index of the difference that a finding is about; -1 for none. A finding without a
// field is about the outcome.
func subject(all []Difference, field string) int {
	if field == "" {
		return slices.IndexFunc(all, func(d Difference) bool { return d.Field == httpStatus || d.Field == "webhook" || d.Field == "code" })
	}
	if i := slices.IndexFunc(all, func(d Difference) bool { return d.Field == field }); i >= 0 {
		return i
	}
	return slices.IndexFunc(all, func(d Difference) bool { return isField(d.Field, field) })
}
