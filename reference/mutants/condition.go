package mutants

import (
	"crypto/x509"
	"encoding/pem"
	"net/url"
	"regexp"
	"slices"
	"time"
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
func refusedAs(codes ...string) condition {
	return func(c *call, a *answer) bool {
		return refused(c, a) && slices.Contains(codes, textAt(a.body, "code"))
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
		if a == nil {
			return false
		}
		v, ok := lookup(a.body, path)
		return ok && form.Match(encode(v))
	}
}

// sent holds for a call in whose body the field at the path is one of the JSON
// literals, as they are written. Without literals it is enough that the field is there.
func sent(path string, literals ...string) condition {
	return func(c *call, _ *answer) bool {
		v, ok := lookup(c.body, path)
		return ok && (len(literals) == 0 || slices.Contains(literals, string(encode(v))))
	}
}

// unsent holds for a call in whose body there is no such field.
func unsent(path string) condition { return not(sent(path)) }

// lacking holds for a call in whose body the field is not there or null.
func lacking(path string) condition { return either(unsent(path), sent(path, `null`)) }

// matching holds for a call in whose body the field at the path is a text of that form.
func matching(path, pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool {
		v, _ := lookup(c.body, path)
		s, ok := v.(string)
		return ok && form.MatchString(s)
	}
}

// longer holds for a text of more than so many characters.
func longer(path string, than int) condition {
	return func(c *call, _ *answer) bool { return len([]rune(textAt(c.body, path))) > than }
}

// pairs holds for an object of more than so many members.
func pairs(path string, moreThan int) condition {
	return func(c *call, _ *answer) bool {
		v, _ := lookup(c.body, path)
		o, _ := v.(map[string]any)
		return len(o) > moreThan
	}
}

// onPath holds for a call to a path that a pattern matches.
func onPath(pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.MatchString(c.path) }
}

// items holds for an array of more than so many items.
func items(path string, moreThan int) condition {
	return func(c *call, _ *answer) bool {
		v, _ := lookup(c.body, path)
		a, _ := v.([]any)
		return len(a) > moreThan
	}
}

// written holds for a call whose body, as it is written, matches a pattern.
func written(pattern string) condition {
	form := regexp.MustCompile(pattern)
	return func(c *call, _ *answer) bool { return form.Match(c.body) }
}

// notJSON holds for a body that is none.
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

// presented holds for a token request whose certificate parses and is such.
func presented(such func(*x509.Certificate) bool) condition {
	return func(c *call, _ *answer) bool {
		text, err := url.QueryUnescape(c.header.Get("X-SSL-Client-Cert"))
		if err != nil {
			return false
		}
		block, _ := pem.Decode([]byte(text))
		if block == nil {
			return false
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		return err == nil && such(certificate)
	}
}

// concurrent holds for a call beside which another of the same client ran.
func concurrent(c *call, _ *answer) bool { return c.joined(200 * time.Millisecond) }

// relation is what a call has to do with an earlier one, whose answer is nil while it
// runs.
type relation func(now *call, then *entry) bool

// after holds once the endpoint was called so often in these relations.
func after(times int, at *endpoint, relations ...relation) condition {
	return func(c *call, _ *answer) bool { return len(c.before(at, relations...)) >= times }
}

// byTheSame, byAnother: who called then.
func byTheSame(now *call, then *entry) bool { return then.call.client == now.client }

func byAnother(now *call, then *entry) bool {
	return then.call.client != "" && then.call.client != now.client
}

// taken: the gateway accepted it then.
func taken(_ *call, then *entry) bool { return then.answer.succeeded() }

// answered: a condition that held then.
func answered(held condition) relation {
	return func(_ *call, then *entry) bool { return held(then.call, then.answer) }
}

// same and other: whether the field at the path is as it was then.
func same(path string) relation {
	return func(now *call, then *entry) bool {
		x, okX := lookup(now.body, path)
		y, okY := lookup(then.call.body, path)
		return okX && okY && string(encode(x)) == string(encode(y))
	}
}

func other(path string) relation {
	return func(now *call, then *entry) bool { return !same(path)(now, then) }
}

// samePath: whether the path is as it was then.
func samePath(now *call, then *entry) bool { return now.path == then.call.path }

// sameHeader and otherHeader: whether the header is as it was then.
func sameHeader(name string) relation {
	return func(now *call, then *entry) bool { return now.header.Get(name) == then.call.header.Get(name) }
}

func otherHeader(name string) relation {
	return func(now *call, then *entry) bool { return !sameHeader(name)(now, then) }
}
