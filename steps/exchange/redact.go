package exchange

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Mask stands where a secret was.
const Mask = "***"

// Redactor takes the secrets of a run out of whatever is shown, wherever a
// target may have echoed them. The zero value knows none and is ready, and a nil
// one may be asked but not added to. It is safe for concurrent use.
type Redactor struct {
	mu      sync.RWMutex
	byStart map[string][]string // spellings of secrets by their first bytes
}

// shortestSecret is the length in bytes from which a secret is replaced
// wherever it occurs. A shorter one would be found in ordinary words; it is
// still hidden in the places where secrets stand.
const shortestSecret = 8

// Add makes secrets known: client secrets, access tokens, tokens of controls.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byStart == nil {
		r.byStart = map[string][]string{}
	}
	for _, s := range secrets {
		for _, spelling := range spellings(s) {
			if len(spelling) < shortestSecret {
				continue
			}
			start := spelling[:shortestSecret]
			if !slices.Contains(r.byStart[start], spelling) {
				r.byStart[start] = append(r.byStart[start], spelling)
			}
		}
	}
}

// spellings are the ways in which s appears in bodies, headers and URLs.
func spellings(s string) []string {
	quoted, err := json.Marshal(s)
	if err != nil {
		quoted = []byte(`""`)
	}
	return []string{s, string(quoted[1 : len(quoted)-1]), url.QueryEscape(s), url.PathEscape(s)}
}

// Text is s with Mask in the place of each known secret and of what stands in
// the places where secrets stand in a text: members of a body, of a form, the
// user of a URL.
func (r *Redactor) Text(s string) string {
	s = r.withoutKnown(s)
	return masked(s, secretsInText(s))
}

func (r *Redactor) withoutKnown(s string) string {
	if r == nil {
		return s
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out strings.Builder
	kept := 0
	for i := 0; i+shortestSecret <= len(s); {
		n := r.secretAt(s[i:])
		if n == 0 {
			i++
			continue
		}
		out.WriteString(s[kept:i])
		out.WriteString(Mask)
		i += n
		kept = i
	}
	if kept == 0 {
		return s
	}
	return out.String() + s[kept:]
}

// secretAt is the length of the longest known secret with which s begins, 0
// for none.
func (r *Redactor) secretAt(s string) int {
	longest := 0
	for _, secret := range r.byStart[s[:shortestSecret]] {
		if len(secret) > longest && strings.HasPrefix(s, secret) {
			longest = len(secret)
		}
	}
	return longest
}

// Exchange is e with Mask in the place of each known secret and of what stands
// in the places where secrets stand: Authorization (its scheme is kept) and
// other headers that are named for a secret, members such as clientSecret and
// access_token in the raw bytes of a body, whether that is valid JSON or not,
// and their like in a URL or a form. A client certificate, which is public but
// long, is shortened. Redacting twice changes nothing more, and e keeps its own.
func (r *Redactor) Exchange(e Exchange) Exchange {
	hidden := func(name, value string) string {
		if isCertificate(name) {
			return shortened(r.withoutKnown(value))
		}
		value = r.withoutKnown(value)
		return masked(value, secretInHeader(e.Party, name, value))
	}
	e.URL = r.Text(e.URL)
	e.Header = mapHeader(e.Header, hidden)
	e.Body = mapBytes(e.Body, r.Text)
	e.ResponseHeader = mapHeader(e.ResponseHeader, hidden)
	e.ResponseBody = mapBytes(e.ResponseBody, r.Text)
	e.Err = r.Text(e.Err)
	return e
}

// Redacted is e redacted where no secret is known: see Redactor.Exchange.
func (e Exchange) Redacted() Exchange {
	var none *Redactor
	return none.Exchange(e)
}

// masked is s with Mask in the place of each secret.
func masked(s string, secrets []secret) string {
	if len(secrets) == 0 {
		return s
	}
	var out strings.Builder
	kept := 0
	for _, secret := range secrets {
		out.WriteString(s[kept:secret.from])
		out.WriteString(Mask)
		kept = secret.to
	}
	return out.String() + s[kept:]
}

func mapHeader(h http.Header, f func(name, value string) string) http.Header {
	if h == nil {
		return nil
	}
	mapped := make(http.Header, len(h))
	for name, values := range h {
		for _, value := range values {
			mapped[name] = append(mapped[name], f(name, value))
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
