package exchange

import (
	"bytes"
	"html"
	"strconv"
	"strings"
)

// deepest is how many nested encodings of a secret are searched: three, plus the escapes of the
// surrounding text, plus parts of the secret itself that look like an escape.
const deepest = 5

// --- escapes ---

// unit reads the escape with which s begins, and returns what it stands for in UTF-8 and its
// length. If s begins with no escape, it returns the first byte.
func unit(s []byte) (of string, n int) {
	switch {
	case s[0] == '\\' && len(s) > 1:
		return backslash(s)
	case s[0] == '%' && len(s) > 2:
		if c, err := strconv.ParseUint(string(s[1:3]), 16, 8); err == nil {
			return string([]byte{byte(c)}), 3
		}
	case s[0] == '&' && len(s) > 3:
		return entity(s)
	}
	return string(s[:1]), 1
}

var controls = map[byte]string{'n': "\n", 'r': "\r", 't': "\t", 'b': "\b", 'f': "\f"}

// backslash reads an escape of JSON, or of Go and C.
func backslash(s []byte) (of string, n int) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if n = 2 + digits; digits > 0 && n <= len(s) {
		c, err := strconv.ParseUint(string(s[2:n]), 16, 32)
		switch {
		case err == nil && digits == 2:
			return string([]byte{byte(c)}), n
		case err == nil:
			return string(rune(c)), n
		}
	}
	if c, ok := controls[s[1]]; ok {
		return c, 2
	}
	return string(s[1:2]), 2
}

// entity reads one of HTML or XML.
func entity(s []byte) (of string, n int) {
	const longest = 10
	digits, base, start := &decimals, 10, 2
	switch {
	case s[1] == '#' && s[2]|0x20 == 'x':
		digits, base, start = &nibbles, 16, 3
	case s[1] != '#':
		if end := bytes.IndexByte(s[:min(len(s), longest)], ';'); end > 0 {
			if of = html.UnescapeString(string(s[:end+1])); len(of) <= end {
				return of, end + 1
			}
		}
		return "&", 1
	}
	for n = start; n < min(len(s), longest) && digits[s[n]] != 0xff; n++ {
	}
	c, err := strconv.ParseUint(string(s[start:n]), base, 32)
	if err != nil {
		return "&", 1
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return string(rune(c)), n
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// unescaped replaces the escapes of a text by what they stand for. It also returns, for each byte
// of the result, its position in the text. plain is nil if there are no escapes.
func unescaped(text []byte) (plain []byte, at []int32) { return rewritten(text, unit) }

// joined removes the line ends of a text, escaped or not, and the indentation of the lines, because
// an encoded secret or an escape may be broken over lines. It returns the same as unescaped.
func joined(text []byte) (plain []byte, at []int32) {
	return rewritten(text, func(s []byte) (of string, length int) {
		if length = lineEnd(s, "\r\n", "rn"); length == 0 {
			if length = 1; len(s) > 1 && s[0] == '\\' && s[1] == '\\' {
				length = 2 // the second one escapes nothing
			}
			return string(s[:length]), length
		}
		for n := length; n > 0; length += n {
			n = lineEnd(s[length:], "\r\n\t ", "rnt")
		}
		return "", length
	})
}

// lineEnd returns the length of the white space character, or of its escape, with which a text
// begins; 0 for none.
func lineEnd(text []byte, plain, escaped string) int {
	switch {
	case len(text) > 0 && strings.IndexByte(plain, text[0]) >= 0:
		return 1
	case len(text) > 1 && text[0] == '\\' && strings.IndexByte(escaped, text[1]) >= 0:
		return 2
	}
	return 0
}

// mayChange has the bytes with which an escape or a line end may begin.
var mayChange = [256]bool{'\\': true, '%': true, '&': true, '\n': true, '\r': true}

// rewritten calls change at each of those bytes of a text. change returns a replacement, and how
// many bytes it replaces.
func rewritten(text []byte, change func([]byte) (of string, n int)) (plain []byte, at []int32) {
	kept := 0
	copyUpTo := func(i int) {
		if plain == nil {
			plain, at = make([]byte, 0, len(text)), make([]int32, 0, len(text))
		}
		plain = append(plain, text[kept:i]...)
		for ; kept < i; kept++ {
			at = append(at, int32(kept))
		}
	}
	for i := 0; i < len(text); {
		n := 1
		if mayChange[text[i]] {
			var of string
			if of, n = change(text[i:]); of != string(text[i:i+n]) {
				copyUpTo(i)
				plain, kept = append(plain, of...), i+n
				for range len(of) {
					at = append(at, int32(i))
				}
			}
		}
		i += n
	}
	if plain != nil {
		copyUpTo(len(text))
	}
	return plain, at
}

// --- codes ---

// The values of the characters of base64, of both its alphabets, of hexadecimal digits and of
// decimal ones; 0xff for others.
var (
	sextets  = alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_", 62)
	nibbles  = alphabet("0123456789abcdef", "ABCDEF", 10)
	decimals = alphabet("0123456789", "", 0)
)

func alphabet(characters, others string, othersFrom byte) (values [256]byte) {
	for i := range values {
		values[i] = 0xff
	}
	for i := range len(characters) {
		values[characters[i]] = byte(i)
	}
	for i := range len(others) {
		values[others[i]] = othersFrom + byte(i)
	}
	return values
}

// runs calls f with the bounds of each sufficiently long run of characters of an alphabet, until f
// returns true.
func runs(text []byte, alphabet *[256]byte, shortest int, f func(from, to int) bool) bool {
	for from := 0; from < len(text); {
		if alphabet[text[from]] == 0xff {
			from++
			continue
		}
		to := from + 1
		for to < len(text) && alphabet[text[to]] != 0xff {
			to++
		}
		if to-from >= shortest && f(from, to) {
			return true
		}
		from = to
	}
	return false
}

func fromBase64(out, run []byte) []byte {
	var bits uint32
	have := 0
	for _, c := range run {
		bits = bits<<6 | uint32(sextets[c])
		if have += 6; have >= 8 {
			have -= 8
			out = append(out, byte(bits>>have))
		}
	}
	return out
}

func fromHex(out, run []byte) []byte {
	for i := 0; i+1 < len(run); i += 2 {
		out = append(out, nibbles[run[i]]<<4|nibbles[run[i+1]])
	}
	return out
}
