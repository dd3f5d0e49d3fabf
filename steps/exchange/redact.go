package exchange

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/pem"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Mask replaces a secret.
const Mask = "***"

// Redactor removes the secrets of a run from everything that is shown, wherever a target may have
// echoed them. It finds a secret and any part of at least piece bytes: as it is, broken over lines,
// escaped for JSON, a URL or HTML, in hexadecimal or in base64, also nested. It masks the whole value
// that contains the secret: a quoted string, a header, or else a word. The zero value knows no
// secrets and is ready to use. So is nil, except that no secrets can be added to it. A Redactor is
// safe for concurrent use.
type Redactor struct {
	mu      sync.RWMutex
	added   map[string]bool
	index   index
	headers map[string]bool // in lower case: whose values are secret, however short

	replace func(secret string) string // nil for Mask, in the place of the whole value
}

// Lengths of secrets, in bytes.
const (
	// A shorter secret is not searched for, because it may occur in ordinary words. It is still
	// masked in the places where secrets are expected.
	shortestSecret = gram

	// A part of this length hardly ever occurs by chance.
	piece = 16
)

// Add adds secrets: client secrets, access tokens, tokens of controls.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.added == nil {
		r.added = map[string]bool{}
	}
	var parts []string
	for _, s := range secrets {
		if len(s) > LongestSecret { // a target may send a mebibyte, and another with each token
			parts = append(parts, strings.Clone(s[:endOfLong]), strings.Clone(s[len(s)-endOfLong:]))
			continue
		}
		parts = append(parts, s)
	}
	for _, s := range parts {
		if len(s) < shortestSecret || r.added[s] {
			continue
		}
		r.added[s] = true
		for _, form := range formsOf(s) {
			r.index.add(form)
		}
	}
}

// formsOf returns a secret as it is, with its spaces as in a form, and with whatever looks like an
// escape in it decoded, as the search for escaped secrets sees it.
func formsOf(s string) []string {
	part := searchablePart(s)
	var forms []string
	for _, form := range []string{part, strings.ReplaceAll(part, " ", "+")} {
		for plain, depth := []byte(form), 0; plain != nil && depth <= deepest; depth++ {
			if whole, _ := joined(plain); whole != nil {
				plain = whole
			}
			if len(plain) >= shortestSecret && !slices.Contains(forms, string(plain)) {
				forms = append(forms, string(plain))
			}
			plain, _ = unescaped(plain)
		}
	}
	return forms
}

// searchablePart is the part of a secret to search for: of a JSON Web Token the signature, because many
// tokens share the rest. A whole token is masked wherever it occurs.
func searchablePart(s string) string {
	if isWebToken(s) {
		return s[strings.LastIndexByte(s, '.')+1:]
	}
	return s
}

func isWebToken(s string) bool { return webToken.FindString(s) == s }

// AddHeaders adds the names of headers whose values are always secret.
func (r *Redactor) AddHeaders(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.headers == nil {
		r.headers = map[string]bool{}
	}
	for _, name := range names {
		r.headers[strings.ToLower(name)] = true
	}
}

func (r *Redactor) hides(header string) bool {
	if r == nil {
		return false
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.headers[strings.ToLower(header)]
}

// AddKeys adds the private keys of a PEM file, or its lines if it is malformed.
func (r *Redactor) AddKeys(file []byte) {
	block, rest := pem.Decode(file)
	if block == nil {
		for line := range strings.Lines(string(file)) {
			r.Add(strings.TrimSpace(line))
		}
	}
	for ; block != nil; block, rest = pem.Decode(rest) {
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			r.Add(base64.StdEncoding.EncodeToString(block.Bytes))
		}
	}
}

// Text replaces by Mask each value of s that contains a known secret or is in a place where secrets
// are expected: members of a body or a form, the user of a URL.
func (r *Redactor) Text(s string) string {
	return r.masked(s, slices.Concat(secretsInText(s), r.values(s)))
}

// Error returns err with the Text of its message.
func (r *Redactor) Error(err error) error {
	if shown := r.Text(err.Error()); shown != err.Error() {
		return &redacted{shown, err}
	}
	return err
}

type redacted struct {
	shown string
	error
}

func (e *redacted) Error() string { return e.shown }
func (e *redacted) Unwrap() error { return e.error }

// Exchange returns a copy of e with Mask in place of each known secret and of everything in a place
// where secrets are expected: Authorization (its scheme is kept) and other headers named after a
// secret; members such as clientSecret and access_token in the raw bytes of a body, valid JSON or
// not, in a URL or in a form. A client certificate, which is public but long, is shortened.
// Redacting twice changes nothing more.
func (r *Redactor) Exchange(e Exchange) Exchange {
	hidden := func(name, value string) string { return r.header(e.Party, name, value) }
	e.Operation, e.Method, e.URL = r.Text(e.Operation), r.Text(e.Method), r.Text(e.URL)
	e.Header = mapHeader(e.Header, r.known, hidden)
	e.Body = mapBytes(e.Body, r.Text)
	e.Program = slices.Clone(e.Program)
	for i, word := range e.Program {
		e.Program[i] = r.Text(word)
	}
	e.ResponseHeader = mapHeader(e.ResponseHeader, r.known, hidden)
	if e.Operation == tokenRequest && !isReadable(e.ResponseBody) {
		e.ResponseBody = mapBytes(e.ResponseBody, r.unreadable)
	}
	e.ResponseBody = mapBytes(e.ResponseBody, r.Text)
	e.Err = r.Text(e.Err)
	return e
}

// tokenRequest is the operation that issues tokens.
const tokenRequest = "token request"

// isReadable reports whether a body is text; ASCII in UTF-16 or UTF-32 is valid UTF-8 with zero bytes.
func isReadable(body []byte) bool { return utf8.Valid(body) && bytes.IndexByte(body, 0) < 0 }

// unreadable masks every word but the shortest ones: a response that nobody can read may contain a token that nobody knows.
func (r *Redactor) unreadable(s string) string {
	var found []secret
	for from := 0; from < len(s); from++ {
		letters, to := 0, from
		for ; to < len(s) && (inWord(s[to]) || s[to] == 0); to++ {
			if s[to] != 0 {
				letters++
			}
		}
		if letters >= shortestSecret {
			found = append(found, secret{from: from, to: to})
		}
		from = to
	}
	return r.masked(s, found)
}

// header returns the value of a header without its secrets.
func (r *Redactor) header(party Party, name, value string) string {
	whole := []secret{{from: 0, to: len(value)}}
	if r.hides(name) {
		return r.masked(value, whole)
	}
	found, known := secretInHeader(party, name, value), r.places(value)
	inside := len(found) > 0 && !slices.ContainsFunc(known, func(s secret) bool { return s.from < found[0].from || s.to > found[0].to })
	switch {
	case len(known) > 0 && !inside && r.replace == nil:
		found = whole
	case isCertificate(name):
		return shortened(r.masked(value, known))
	}
	return r.masked(value, slices.Concat(found, known))
}

// known masks only the known secrets of s.
func (r *Redactor) known(s string) string { return r.masked(s, r.values(s)) }

// values finds the values that contain known secrets. For stand-ins it finds only the secrets, so
// that the rest of the value can still be judged.
func (r *Redactor) values(s string) []secret {
	found := r.places(s)
	if len(found) == 0 || r.replace != nil {
		return found
	}
	return valuesAround(s, found)
}

// masked replaces each secret in s by Mask, or by a stand-in.
func (r *Redactor) masked(s string, secrets []secret) string {
	if len(secrets) == 0 {
		return s
	}
	var out strings.Builder
	kept := 0
	for _, secret := range united(secrets) {
		out.WriteString(s[kept:secret.from])
		if r != nil && r.replace != nil {
			out.WriteString(r.replace(s[secret.from:secret.to]))
		} else {
			out.WriteString(Mask)
		}
		kept = secret.to
	}
	return out.String() + s[kept:]
}

// united sorts secrets and merges those that overlap.
func united(secrets []secret) []secret {
	slices.SortFunc(secrets, func(a, b secret) int { return cmp.Compare(a.from, b.from) })
	all := secrets[:1]
	for _, s := range secrets[1:] {
		if last := &all[len(all)-1]; s.from < last.to {
			last.to = max(last.to, s.to)
		} else {
			all = append(all, s)
		}
	}
	return all
}

func mapHeader(h http.Header, name func(string) string, value func(name, value string) string) http.Header {
	if h == nil {
		return nil
	}
	mapped := make(http.Header, len(h))
	for of, values := range h {
		shown := name(of)
		for _, v := range values {
			mapped[shown] = append(mapped[shown], value(of, v))
		}
	}
	return mapped
}

func mapBytes(b []byte, f func(string) string) []byte {
	if b == nil {
		return nil
	}
	return []byte(f(string(b)))
}
