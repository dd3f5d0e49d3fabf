package exchange

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Mask stands where a secret was.
const Mask = "***"

// Redactor takes the secrets of a run out of whatever is shown, wherever a
// target may have echoed them: whole, or some bytes of them, as a body that
// was cut shows; as they are, escaped for JSON, a URL or HTML, in base64, and broken
// over lines. The zero value knows none and is ready, and a nil one may be asked but
// not added to. It is safe for concurrent use.
type Redactor struct {
	mu      sync.RWMutex
	spelled map[string]bool      // spellings of secrets
	byStart map[string][]string  // the same by their first bytes
	pieces  map[[piece]byte]bool // whatever is piece bytes long in a spelling
	whole   []string             // secrets whose pieces are not known yet: most runs need none
	headers map[string]bool      // in lower case: whose values are secret, however short

	replace func(secret string) string // nil for Mask
}

// Lengths of secrets, in bytes.
const (
	// From which one is replaced wherever it occurs. A shorter one would be found in
	// ordinary words; it is still hidden in the places where secrets stand.
	shortestSecret = 8

	// A part so long is as good as hidden nowhere else by chance.
	piece = 16

	// Up to which the parts of one are known; a target that gives out longer tokens
	// must not fill the memory.
	longestPieced = 512

	// Beyond which one fits no header, and is hidden in its places alone.
	longestSecret = 16 << 10
)

// Add makes secrets known: client secrets, access tokens, tokens of controls.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byStart == nil {
		r.spelled, r.byStart, r.pieces = map[string]bool{}, map[string][]string{}, map[[piece]byte]bool{}
	}
	for _, s := range secrets {
		if len(s) < shortestSecret || len(s) > longestSecret || r.spelled[s] {
			continue
		}
		known := spellings(s)
		if len(s) < piece { // of a longer one the pieces are known
			known = append(known, inBase64(s)...)
		}
		for _, spelling := range known {
			start := spelling[:shortestSecret]
			if !r.spelled[spelling] {
				r.spelled[spelling] = true
				r.byStart[start] = append(r.byStart[start], spelling)
			}
		}
		r.whole = append(r.whole, s)
	}
}

// cutWhole makes the pieces of all secrets known.
func (r *Redactor) cutWhole() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.whole {
		if vital := vitalPart(s); len(vital) <= longestPieced {
			r.addPieces(vital)
		} else {
			r.addPieces(vital[:longestPieced])
			r.addPieces(vital[len(vital)-longestPieced:])
		}
	}
	r.whole = nil
}

// AddHeaders makes headers known whose values are secret, whatever they are.
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

// AddKeys makes the private keys of a PEM file known, and of one that is malformed its
// lines.
func (r *Redactor) AddKeys(file []byte) {
	const step = longestPieced - piece // the parts overlap
	block, rest := pem.Decode(file)
	if block == nil {
		for line := range strings.Lines(string(file)) {
			r.Add(strings.TrimSpace(line))
		}
	}
	for ; block != nil; block, rest = pem.Decode(rest) {
		if !strings.HasSuffix(block.Type, "PRIVATE KEY") {
			continue
		}
		text := base64.StdEncoding.EncodeToString(block.Bytes)
		for from := 0; from < len(text); from += step {
			r.Add(text[from:min(from+longestPieced, len(text))])
		}
	}
}

func (r *Redactor) addPieces(s string) {
	if len(s) < piece {
		return
	}
	for _, spelling := range append(spellings(s), inBase64(s)...) {
		for i := 0; i+piece <= len(spelling); i++ {
			r.pieces[[piece]byte([]byte(spelling[i:i+piece]))] = true
		}
	}
}

// vitalPart is what must not be known of a secret: of a JSON Web Token its signature,
// since many tokens share the rest.
func vitalPart(s string) string {
	if strings.HasPrefix(s, "eyJ") && strings.Count(s, ".") == 2 {
		return s[strings.LastIndexByte(s, '.')+1:]
	}
	return s
}

// spellings are the ways in which s appears in bodies, headers and URLs.
func spellings(s string) []string {
	quoted, err := json.Marshal(s)
	if err != nil {
		quoted = []byte(`""`)
	}
	inJSON, inURL := string(quoted[1:len(quoted)-1]), url.QueryEscape(s)
	all := []string{
		s, inJSON, strings.ReplaceAll(inJSON, "/", `\/`), html.EscapeString(s),
		inURL, url.PathEscape(s), lowerEscapes.ReplaceAllStringFunc(inURL, strings.ToLower),
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(spelling string) bool { return len(spelling) < shortestSecret })
}

var lowerEscapes = regexp.MustCompile(`%[0-9A-F]{2}`)

// inBase64 is what of s can be seen in base64 of something in which it stands, whichever
// of three bytes it begins at.
func inBase64(s string) []string {
	var all []string
	for before := range 3 {
		whole := append(make([]byte, before), s...)
		from, to := (before*8+5)/6, len(whole)*8/6 // the characters that s alone decides
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, encoding.EncodeToString(whole)[from:to])
		}
	}
	return all
}

// Text is s with Mask in the place of each known secret and of what stands in
// the places where secrets stand in a text: members of a body, of a form, the
// user of a URL.
func (r *Redactor) Text(s string) string {
	s = r.withoutKnown(s)
	return r.masked(s, secretsInText(s))
}

// Error is err with the Text of its message.
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

func (r *Redactor) withoutKnown(s string) string {
	if r == nil || len(s) < shortestSecret {
		return s
	}
	r.mu.RLock()
	if len(s) >= piece && len(r.whole) > 0 {
		r.mu.RUnlock()
		r.cutWhole()
		r.mu.RLock()
	}
	defer r.mu.RUnlock()
	if strings.Contains(s, "\n") || strings.Contains(s, `\n`) {
		joined, places := withoutBreaks(s)
		found := r.known(joined)
		for i, f := range found {
			found[i].from, found[i].to = places[f.from], places[f.to-1]+1
		}
		s = r.masked(s, found)
	}
	return r.masked(s, r.known(s))
}

// known finds the known secrets in s, and pieces of them.
func (r *Redactor) known(s string) []secret {
	var found []secret
	for i := 0; i+shortestSecret <= len(s); {
		n := max(r.secretAt(s[i:]), r.piecesAt(s[i:]))
		if n > 0 {
			found = append(found, secret{from: i, to: i + n})
		}
		i += max(n, 1)
	}
	return found
}

// withoutBreaks is s without the ends of lines and what they are indented by, in JSON
// too, with the place in s of each of its bytes.
func withoutBreaks(s string) (joined string, places []int) {
	breaks := lineBreak.FindAllStringIndex(s, -1)
	out, places := make([]byte, 0, len(s)), make([]int, 0, len(s))
	for i := 0; i < len(s); i++ {
		if len(breaks) > 0 && i == breaks[0][0] {
			i = breaks[0][1] - 1
			breaks = breaks[1:]
			continue
		}
		out, places = append(out, s[i]), append(places, i)
	}
	return string(out), places
}

var lineBreak = regexp.MustCompile(`(?:\r|\n|\\r|\\n)+[ \t]*`)

// piecesAt is the length of the pieces of secrets with which s begins, 0 for none.
func (r *Redactor) piecesAt(s string) int {
	n := 0
	for i := 0; i+piece <= len(s) && r.pieces[[piece]byte([]byte(s[i:i+piece]))]; i++ {
		n = i + piece
	}
	return n
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
		if r.hides(name) {
			return r.masked(value, []secret{{from: 0, to: len(value)}})
		}
		if isCertificate(name) {
			return shortened(r.withoutKnown(value))
		}
		value = r.withoutKnown(value)
		return r.masked(value, secretInHeader(e.Party, name, value))
	}
	e.Operation, e.Method, e.URL = r.Text(e.Operation), r.Text(e.Method), r.Text(e.URL)
	e.Header = mapHeader(e.Header, r.withoutKnown, hidden)
	e.Body = mapBytes(e.Body, r.Text)
	e.Program = slices.Clone(e.Program)
	for i, word := range e.Program {
		e.Program[i] = r.Text(word)
	}
	e.ResponseHeader = mapHeader(e.ResponseHeader, r.withoutKnown, hidden)
	e.ResponseBody = mapBytes(e.ResponseBody, r.Text)
	e.Err = r.Text(e.Err)
	return e
}

// Redacted is e redacted where no secret is known: see Redactor.Exchange.
func (e Exchange) Redacted() Exchange {
	var none *Redactor
	return none.Exchange(e)
}

// masked is s with Mask, or a stand-in, in the place of each secret.
func (r *Redactor) masked(s string, secrets []secret) string {
	if len(secrets) == 0 {
		return s
	}
	var out strings.Builder
	kept := 0
	for _, secret := range secrets {
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
