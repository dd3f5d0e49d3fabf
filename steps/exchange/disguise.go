package exchange

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Disguise returns a Redactor of the same secrets that replaces each with a stand-in instead of
// Mask. A stand-in has the shape of its secret (length, letters, digits; the header of a JSON Web
// Token) and is the same everywhere, however the secret is escaped, so that a judge reaches the same
// verdict: whether it is a token, or differs from another. The secret cannot be recovered from it,
// because each disguise has a random key that is never stored. The shortest secrets are still masked,
// because their stand-ins could collide. Public values look like secrets, but are none: they are kept.
func (r *Redactor) Disguise(public ...string) *Redactor {
	d := &disguise{key: []byte(rand.Text()), public: public, standIns: map[string]string{}, taken: map[string]bool{}}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return &Redactor{index: r.index.clone(), headers: maps.Clone(r.headers), replace: d.standIn}
}

// disguise makes stand-ins. It identifies a secret by its letters and digits: they differ from
// secret to secret, and no escaping changes them.
type disguise struct {
	key    []byte
	public []string

	mu       sync.Mutex
	standIns map[string]string // by the letters and digits of a secret: others for them
	taken    map[string]bool   // the letters and digits of the stand-ins
}

func (d *disguise) standIn(s string) string {
	if slices.Contains(d.public, s) {
		return s
	}
	header, rest := "", s
	if isWebToken(s) {
		header, rest, _ = strings.Cut(s, ".")
		header += "."
	}
	var plain []byte
	between(rest, func(c byte) byte { plain = append(plain, c); return c })
	if len(plain) < shortestSecret {
		return Mask
	}
	fill, next := d.fill(string(plain)), 0
	return header + between(rest, func(byte) byte { next++; return fill[next-1] })
}

// between maps the letters and digits of a text, also escaped ones, which it unescapes. Other
// escapes are kept, because the surrounding text may be unreadable without them.
func between(s string, f func(byte) byte) string {
	text, out := []byte(s), make([]byte, 0, len(s))
	for i := 0; i < len(text); {
		of, n := unit(text[i:])
		if c := of[0]; len(of) == 1 && (isLetter(c) || isDigit(c)) {
			out = append(out, f(c))
		} else {
			out = append(out, text[i:i+n]...)
		}
		i += n
	}
	return string(out)
}

// fill returns the stand-in for the letters and digits of a secret.
func (d *disguise) fill(plain string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.taken[plain] {
		return plain // it is a stand-in already
	}
	made, known := d.standIns[plain]
	for try := 0; !known && (made == "" || made == plain || d.taken[made]); try++ {
		stream := newStream(d.key, try, plain)
		made = strings.Map(stream.like, plain)
	}
	d.standIns[plain], d.taken[made] = made, true
	return made
}

// stream is a sequence of pseudorandom bytes, derived from a key and a text.
type stream struct {
	key   []byte
	block []byte
	used  int
}

func newStream(key []byte, try int, text string) *stream {
	s := &stream{key: key}
	s.next(append(binary.BigEndian.AppendUint32(nil, uint32(try)), text...))
	return s
}

func (s *stream) next(from []byte) {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(from)
	s.block, s.used = mac.Sum(nil), 0
}

// like returns a random character of the same kind as c.
func (s *stream) like(c rune) rune {
	switch {
	case '0' <= c && c <= '9':
		return '0' + s.below(10)
	case unicode.IsUpper(c):
		return 'A' + s.below(26)
	default:
		return 'a' + s.below(26)
	}
}

func (s *stream) below(n rune) rune {
	if s.used == len(s.block) {
		s.next(s.block)
	}
	s.used++
	return rune(s.block[s.used-1]) % n
}
