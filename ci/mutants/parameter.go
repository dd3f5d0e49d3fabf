package mutants

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// What a call says in its path and its query, in addition to its body.

// parameter is that of the path: c.parameter("txid").
func (c *call) parameter(name string) string {
	if i := c.endpoint.position(name); i >= 0 {
		return strings.Split(c.path, "/")[i]
	}
	return ""
}

// position is the segment of the path in which a parameter stands.
func (e *endpoint) position(name string) int {
	return slices.Index(strings.Split(e.path, "/"), "{"+name+"}")
}

// naming holds for a call whose path has a parameter of that form.
func naming(name, pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.MatchString(c.parameter(name)) }
}

// asked holds for a call whose query has a parameter of that form; one that is not there
// matches "^$".
func asked(name, pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.MatchString(c.asked(name)) }
}

// askedOutside holds for a call whose query has a parameter with none of the values that
// the specification lists.
func askedOutside(name string, listed ...string) condition {
	return func(c *call, _ *answer) bool {
		return c.asked(name) != "" && !slices.Contains(listed, c.asked(name))
	}
}

// laterPage holds for a call that asks for another page than the first.
var laterPage = asked("page", `^([2-9]|[1-9]\d+)$`)

func (c *call) asked(name string) string {
	values, _ := url.ParseQuery(c.query)
	return values.Get(name)
}

// spanning holds for a call that asks for a time of at least and at most so many days.
func spanning(least, most float64) condition {
	return func(c *call, _ *answer) bool {
		start, err := time.Parse(time.RFC3339Nano, c.asked("startDate"))
		end, wrong := time.Parse(time.RFC3339Nano, c.asked("endDate"))
		days := end.Sub(start).Hours() / 24
		return err == nil && wrong == nil && days >= least && days <= most
	}
}

// sameParameter: the path has the same parameter as then.
func sameParameter(name string) relation {
	return func(now *call, then *entry) bool { return now.parameter(name) == then.call.parameter(name) }
}

func otherParameter(name string) relation {
	return func(now *call, then *entry) bool { return !sameParameter(name)(now, then) }
}

// renamed changes a parameter of an endpoint's path.
func renamed(at *endpoint, name string, change func(string) string) edit {
	i := at.position(name)
	return func(m *message) {
		segments := strings.Split(m.path, "/")
		segments[i] = change(segments[i])
		m.path = strings.Join(segments, "/")
	}
}

// ask gives a parameter of the query a value.
func ask(name, value string) edit { return asking(func(q url.Values) { q.Set(name, value) }) }

// unasked takes parameters out of the query.
func unasked(names ...string) edit {
	return asking(func(q url.Values) {
		for _, name := range names {
			q.Del(name)
		}
	})
}

func asking(change func(url.Values)) edit {
	return func(m *message) {
		values, _ := url.ParseQuery(m.query)
		change(values)
		m.query = values.Encode()
	}
}
