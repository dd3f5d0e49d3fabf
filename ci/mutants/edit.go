package mutants

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
)

// edit changes a message. Those that change fields leave a body alone that is no JSON.
type edit func(*message)

// edited is a copy of the call with the edits made.
func (c *call) edited(edits ...edit) *call {
	copied := *c
	copied.message = c.message.edited(edits)
	return &copied
}

// edited is a copy of the answer with the edits made.
func (a *answer) edited(edits ...edit) *answer {
	copied := *a
	copied.message = a.message.edited(edits)
	return &copied
}

func (m message) edited(edits []edit) message {
	m.header = m.header.Clone()
	if m.header == nil {
		m.header = http.Header{}
	}
	for _, e := range edits {
		e(&m)
	}
	return m
}

// at changes the field at a path. The alteration is given absent{} where there is none,
// and returns it to take the field away.
func at(path string, alteration func(any) any) edit {
	return func(m *message) {
		if v, ok := decode(m.body); ok {
			m.body = encode(alter(v, segments(path), alteration))
		}
	}
}

// on alters values of one type, and leaves others alone.
func on[T any](alteration func(T) any) func(any) any {
	return func(v any) any {
		if of, ok := v.(T); ok {
			return alteration(of)
		}
		return v
	}
}

// set makes the field at a path what a JSON literal says.
func set(path, literal string) edit {
	v := value(literal)
	return at(path, func(any) any { return v })
}

// drop takes a field away.
func drop(path string) edit { return at(path, func(any) any { return absent{} }) }

// fresh makes a field a text that was never there before.
func fresh(path string) edit { return at(path, func(any) any { return uuid.NewString() }) }

// freshKey gives a transfer a key of idempotency that was never there before.
func freshKey(m *message) { header(idempotency, uuid.NewString())(m) }

// rename gives a member of the object at path another name.
func rename(path, from, to string) edit {
	return at(path, on(func(o map[string]any) any {
		renamed := map[string]any{}
		for k, v := range o {
			if k == from {
				k = to
			}
			renamed[k] = v
		}
		return renamed
	}))
}

// quoted makes numbers texts.
func quoted(paths ...string) edit {
	return each(paths, on(func(n json.Number) any { return n.String() }))
}

// unquoted makes texts numbers.
func unquoted(paths ...string) edit {
	return each(paths, on(func(s string) any {
		if numeral.MatchString(s) {
			return json.Number(s)
		}
		return s
	}))
}

// cut shortens a text to so many characters.
func cut(path string, length int) edit {
	return at(path, func(v any) any {
		s, _ := v.(string)
		r := []rune(s)
		return string(r[:min(length, len(r))])
	})
}

// retold changes the texts at a path, or within what stands there.
func retold(path string, change func(string) string) edit {
	return at(path, func(v any) any { return eachText(v, change) })
}

func replaced(path, old, with string) edit {
	return retold(path, func(s string) string { return strings.ReplaceAll(s, old, with) })
}

func prefixed(path, prefix string) edit {
	return retold(path, func(s string) string { return prefix + s })
}

func suffixed(path, suffix string) edit {
	return retold(path, func(s string) string { return s + suffix })
}

// eachText changes every text within v, however deep.
func eachText(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = eachText(item, change)
		}
		return items
	case map[string]any:
		members := make(map[string]any, len(v))
		for k, member := range v {
			members[k] = eachText(member, change)
		}
		return members
	}
	return v
}

// stamped writes every timestamp of the message in another layout, in another zone.
func stamped(layout string, zone *time.Location) edit {
	return retold("", func(s string) string {
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
			return t.In(zone).Format(layout)
		}
		return s
	})
}

// later moves what a control says of time: a moment, or a duration.
func later(by time.Duration) edit {
	return together(
		at("now", on(func(s string) any {
			if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
				return t.Add(by).Format(time.RFC3339Nano)
			}
			return s
		})),
		at("advance", on(func(s string) any {
			if d, err := time.ParseDuration(s); err == nil {
				return (d + by).String()
			}
			return s
		})),
	)
}

// each makes an alteration at several paths.
func each(paths []string, alteration func(any) any) edit {
	edits := make([]edit, len(paths))
	for i, p := range paths {
		edits[i] = at(p, alteration)
	}
	return together(edits...)
}

// status gives an answer another status, also where its body repeats it.
func status(n int) edit {
	return func(m *message) {
		m.status = n
		at("", on(func(o map[string]any) any {
			if _, has := o["statusCode"]; !has {
				return o
			}
			o["statusCode"] = json.Number(strconv.Itoa(n))
			if _, has := o["error"]; has {
				o["error"] = http.StatusText(n)
			}
			return o
		}))(m)
	}
}

// code gives a refusal another code.
func code(c api.Code) edit {
	return func(m *message) {
		set("code", quote(c))(m)
		at("errorCode", func(v any) any {
			if v == (absent{}) {
				return v
			}
			return string(c)
		})(m)
	}
}

// quote spells a code as JSON.
func quote(c api.Code) string { return string(encode(c)) }

// header sets a header under its name as it is written.
func header(name, value string) edit {
	return func(m *message) {
		m.header.Del(name)
		m.header[name] = []string{value}
	}
}

// withoutHeaders takes the headers away that a pattern matches.
func withoutHeaders(pattern string) edit {
	form := regexp.MustCompile(pattern)
	return func(m *message) {
		for name := range m.header {
			if form.MatchString(name) {
				delete(m.header, name)
			}
		}
	}
}

// together makes one edit of several.
func together(edits ...edit) edit {
	return func(m *message) {
		for _, e := range edits {
			e(m)
		}
	}
}

func body(b string) edit { return func(m *message) { m.body = []byte(b) } }

// rewritten makes another body of the one there is.
func rewritten(rewrite func([]byte) []byte) edit {
	return func(m *message) { m.body = rewrite(slices.Clone(m.body)) }
}

// onlyItem puts the only item of a list in the list's place.
func onlyItem(v any) any {
	if items, ok := v.([]any); ok && len(items) == 1 {
		return items[0]
	}
	return v
}

// doubled puts the item at a path ("data[0]") into its array once more, at the end.
func doubled(path string) edit {
	array := path[:strings.LastIndex(path, "[")]
	return func(m *message) {
		if item, ok := lookup(m.body, path); ok {
			at(array, func(v any) any {
				items, _ := v.([]any)
				return append(items, item)
			})(m)
		}
	}
}

// keeping keeps so many items of a list.
func keeping(path string, most int) edit {
	return at(path, on(func(items []any) any { return items[:min(most, len(items))] }))
}

// eachItem changes the items of a list, one after the other.
func eachItem(path string, change func(i int, item map[string]any)) edit {
	return at(path, on(func(items []any) any {
		for i, item := range items {
			if o, ok := item.(map[string]any); ok {
				change(i, o)
			}
		}
		return items
	}))
}

// alike gives every item of a list what the first has in a field.
func alike(path, field string) edit {
	var first any
	return eachItem(path, func(i int, item map[string]any) {
		if i == 0 {
			first = item[field]
		}
		item[field] = first
	})
}

// counted adds to a whole number.
func counted(path string, by int) edit {
	return at(path, on(func(n json.Number) any {
		if i, err := strconv.Atoi(n.String()); err == nil {
			return json.Number(strconv.Itoa(i + by))
		}
		return n
	}))
}

// counting makes a number the count of a list.
func counting(list, path string) edit {
	return func(m *message) {
		v, _ := lookup(m.body, list)
		items, _ := v.([]any)
		set(path, strconv.Itoa(len(items)))(m)
	}
}

// onto sends a call to another path.
func onto(path string) edit { return func(m *message) { m.path = path } }

// method makes the call another one.
func method(name string) edit { return func(m *message) { m.method = name } }

// simplified leaves out of a refusal what the simple envelope has not.
var simplified = together(drop("code"), drop("userMessage"), drop("errorId"))

// Layouts of timestamps: one names no zone, the other calls any time UTC.
const (
	zoneless    = "2006-01-02T15:04:05"
	mislabelled = zoneless + "Z"
)

// saoPaulo is the zone of São Paulo as it has been since 2019, without daylight saving.
var saoPaulo = time.FixedZone("-03", -3*60*60)
