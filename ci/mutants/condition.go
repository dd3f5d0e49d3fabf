package mutants

import (
	"regexp"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// condition says when a fault shows, from the call and from what the gateway answered;
// the answer is nil where it is asked before there is one.
type condition func(*call, *answer) bool

func always(*call, *answer) bool { return true }

func all(conditions ...condition) condition {
	return func(c *call, a *answer) bool {
		for _, holds := range conditions {
			if !holds(c, a) {
				return false
			}
		}
		return true
	}
}

func either(conditions ...condition) condition {
	return func(c *call, a *answer) bool {
		return slices.ContainsFunc(conditions, func(holds condition) bool { return holds(c, a) })
	}
}

func not(holds condition) condition {
	return func(c *call, a *answer) bool { return !holds(c, a) }
}

func (a *answer) succeeded() bool { return a != nil && a.err == nil && a.status < 300 }

// accepted, refused: what the gateway answered.
func accepted(_ *call, a *answer) bool { return a.succeeded() }

func refused(_ *call, a *answer) bool { return a != nil && a.status >= 400 }

// refusedAs holds for a refusal with one of the codes.
func refusedAs(codes ...api.Code) condition {
	return func(c *call, a *answer) bool {
		return refused(c, a) && slices.Contains(codes, api.Code(textAt(a.body, "code")))
	}
}

// was holds for an answer with that status.
func was(n int) condition {
	return func(_ *call, a *answer) bool { return a != nil && a.status == n }
}

// told holds for an answer whose field at the path, as JSON writes it, matches a pattern.
func told(path, pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(_ *call, a *answer) bool {
		return a != nil && slices.ContainsFunc(lookups(a.body, path), func(v any) bool { return form.Match(encode(v)) })
	}
}

// field holds for a call in whose body the value at the path is such. "splits[].value"
// stands for the value of any of the splits.
func field(path string, such func(any) bool) condition {
	return func(c *call, _ *answer) bool { return slices.ContainsFunc(lookups(c.body, path), such) }
}

// sent holds for a call in whose body the field at the path is one of the JSON literals,
// as they are written: names that the specification gives. Without literals it is enough
// that the field is there.
func sent(path string, literals ...string) condition {
	return field(path, func(v any) bool { return len(literals) == 0 || slices.Contains(literals, string(encode(v))) })
}

// unsent holds for a call in whose body there is no such field.
func unsent(path string) condition { return not(sent(path)) }

// lacking holds for a call in whose body the field is not there or null.
func lacking(path string) condition { return either(unsent(path), kind(path, "null")) }

// matching holds for a call in whose body the field at the path is a text of that form.
func matching(path, pattern string) condition {
	form := regexp.MustCompile(pattern)
	return words(path, form.MatchString)
}

// onPath holds for a call to a path that a pattern matches.
func onPath(pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.MatchString(c.path) }
}

// written holds for a call whose body, as it is written, matches a pattern.
func written(pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.Match(c.body) }
}

func notJSON(c *call, _ *answer) bool {
	_, ok := decode(c.body)
	return !ok
}

// under holds for a call with a header that matches a pattern; a header that is not
// there matches "^$".
func under(name, pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.MatchString(c.header.Get(name)) }
}

// concurrent holds for a call during which another of the same client ran.
func concurrent(c *call, _ *answer) bool { return c.joined(200 * time.Millisecond) }

// advancing holds for a control that moves the clock by at least and at most so many days.
func advancing(least, most float64) condition {
	const day = float64(24 * time.Hour)
	return passing(time.Duration(least*day), time.Duration(most*day))
}

// passing holds for a control that moves the clock by at least and at most so much: elsewhere nobody
// sees whether it moves by a minute more.
func passing(least, most time.Duration) condition {
	return words("advance", func(s string) bool {
		d, err := time.ParseDuration(s)
		return err == nil && d >= least && d <= most
	})
}
