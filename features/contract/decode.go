package contract

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits bounds what Decode takes. Zero fields mean the defaults.
type Limits struct {
	Depth   int // of arrays and objects in each other; 64 by default
	Values  int // in all arrays and objects that are kept; 0 for no limit
	Unknown int // after so many members of an object, those that the contract does not know are not kept; 0 for no limit
}

const defaultDepth = 64

// The bounds of a number literal. Arithmetic on 1e1000000 takes milliseconds and on
// 1e10000000 more than any process has, so a literal is judged before its value.
const (
	maxNumberLength = 64
	maxExponent     = 100
)

// Problem says what is wrong with a body that Decode refuses.
type Problem string

// What Decode refuses.
const (
	Empty        Problem = "empty"         // nothing but white space
	Encoding     Problem = "encoding"      // not UTF-8
	Syntax       Problem = "syntax"        // not JSON, or more than one JSON value
	DuplicateKey Problem = "duplicate key" // an object has a key twice
	TooDeep      Problem = "depth"         // nested deeper than Limits.Depth
	TooMany      Problem = "values"        // more than Limits.Values
	WildNumber   Problem = "number"        // a literal longer than 64 characters, or an exponent beyond 100
)

// DecodeError is the error of Decode.
type DecodeError struct {
	Problem Problem
	Offset  int64 // in bytes from the start of the body, near to where the problem is
	Detail  string
}

func (e *DecodeError) Error() string { return fmt.Sprintf("%s at byte %d", e.Detail, e.Offset) }

// Decode reads a body of one JSON value into map[string]any, []any, string,
// json.Number, bool or nil. It is stricter than encoding/json: keys count exactly and
// once, text is UTF-8, nesting and number literals are bounded. Its time is linear in
// the length of the body. Every error is a *DecodeError.
func Decode(body []byte, limits Limits) (any, error) {
	d := decoder{body: body, depth: cmp.Or(limits.Depth, defaultDepth), unknown: limits.Unknown, values: cmp.Or(limits.Values, math.MaxInt)}
	return d.decode()
}

// DecodeClear is Decode without the fields that JSON readers read in different ways: see isClear. It
// accepts a key that comes twice. unclear reports whether there are such fields or keys.
func DecodeClear(body []byte) (value any, unclear bool, err error) {
	d := decoder{body: body, depth: defaultDepth, values: math.MaxInt, clearOnly: true}
	value, err = d.decode()
	return value, d.unclear && err == nil, err
}

func (d *decoder) decode() (any, error) {
	if len(bytes.TrimSpace(d.body)) == 0 {
		return nil, &DecodeError{Problem: Empty, Detail: "expected a JSON value, but found nothing"}
	}
	if !utf8.Valid(d.body) {
		return nil, &DecodeError{Problem: Encoding, Offset: firstInvalid(d.body), Detail: "expected UTF-8, but found something else"}
	}
	if bytes.HasPrefix(d.body, []byte("\ufeff")) {
		return nil, d.fail(Syntax, "expected JSON, but found a byte order mark before it: send none (RFC 8259, section 8.1)")
	}
	value, err := d.value(0)
	if err != nil {
		return nil, err
	}
	if d.next(); d.at < len(d.body) {
		return nil, d.syntax()
	}
	return value, nil
}

// firstInvalid is where the first bytes stand that are not UTF-8.
func firstInvalid(body []byte) int64 {
	i := 0
	for i < len(body) {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	return int64(i)
}

// decoder reads a body in one pass: a run of the suite reads tens of thousands. The tokens of
// encoding/json, which tell a key that comes twice too, cost several times as much.
type decoder struct {
	body      []byte
	at        int // the end of what was read
	depth     int // the most arrays and objects in each other
	clearOnly bool
	unclear   bool // with clearOnly: something was left out, or a key came twice
	unknown   int  // Limits.Unknown
	values    int  // how many more values are kept

	room   int    // how many more values are skipped
	buffer []byte // for names
}

// next is the first byte that is no white space; 0 at the end.
func (d *decoder) next() byte {
	for ; d.at < len(d.body); d.at++ {
		if c := d.body[d.at]; !isSpace[c] {
			return c
		}
	}
	return 0
}

// take reads c if it is what comes next.
func (d *decoder) take(c byte) bool {
	if d.next() != c {
		return false
	}
	d.at++
	return true
}

func (d *decoder) value(depth int) (any, error) {
	if d.values--; d.values < 0 {
		return nil, d.fail(TooMany, "expected fewer values")
	}
	switch c := d.next(); {
	case c == '{' || c == '[':
		d.at++
		if depth == d.depth {
			return nil, d.fail(TooDeep, "expected at most %d arrays and objects in each other, but found more", d.depth)
		}
		if c == '[' {
			return d.array(depth + 1)
		}
		return d.object(depth + 1)
	case c == '"':
		return d.text()
	case c == '-' || isDigit(c):
		return d.number()
	}
	if value, isWord := d.word(); isWord {
		return value, nil
	}
	return nil, d.syntax()
}

func (d *decoder) word() (value any, isWord bool) {
	for _, word := range words {
		if bytes.HasPrefix(d.body[d.at:], []byte(word.spelled)) {
			d.at += len(word.spelled)
			return word.value, true
		}
	}
	return nil, false
}

var words = []struct {
	spelled string
	value   any
}{{"true", true}, {"false", false}, {"null", nil}}

func (d *decoder) array(depth int) (any, error) {
	values := []any{}
	for !d.take(']') {
		if len(values) > 0 && !d.take(',') {
			return nil, d.syntax()
		}
		value, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// isClear reports whether every reader reads the same value: none is sure for a key that comes twice
// with different values, nor for a string with a lone surrogate, which is half of a character.
func isClear(value, earlier any, twice bool) bool {
	text, _ := value.(string)
	return !strings.ContainsRune(text, utf8.RuneError) && (!twice || reflect.DeepEqual(value, earlier))
}

func (d *decoder) object(depth int) (any, error) {
	values := map[string]any{}
	var unclear []string
	for !d.take('}') {
		if len(values) > 0 && !d.take(',') || d.next() != '"' {
			return nil, d.syntax()
		}
		if d.unknown > 0 && len(values) >= d.unknown && d.skipUnknown(depth) {
			continue
		}
		key, err := d.key()
		if err != nil {
			return nil, err
		}
		earlier, twice := values[key]
		if twice && !d.clearOnly {
			return nil, d.fail(DuplicateKey, "expected each key of an object once, but found %.40q again", key)
		}
		if !d.take(':') {
			return nil, d.syntax()
		}
		if values[key], err = d.value(depth); err != nil {
			return nil, err
		}
		if d.clearOnly && !isClear(values[key], earlier, twice) {
			unclear = append(unclear, key)
		}
		d.unclear = d.unclear || twice
	}
	for _, key := range unclear {
		delete(values, key)
		d.unclear = true
	}
	return values, nil
}

// key reads the name of a member. Those of the contract, which each item of a list repeats, take no memory.
func (d *decoder) key() (string, error) {
	start := d.at
	if inner, escaped, isText := d.raw(); isText && !escaped {
		if name, known := knownNames()[string(inner)]; known {
			return name, nil
		}
		return string(inner), nil
	}
	d.at = start
	return d.text()
}

// text reads a string.
func (d *decoder) text() (string, error) {
	start, escaped := d.at+1, false
	for d.at++; d.at < len(d.body); d.at++ {
		switch c := d.body[d.at]; {
		case c == '\\':
			escaped = true
			d.at++
		case c < ' ':
			return "", d.syntax()
		case c == '"':
			d.at++
			if !escaped {
				return string(d.body[start : d.at-1]), nil
			}
			text, isValid := unescaped(d.body[start : d.at-1])
			if !isValid {
				return "", d.syntax()
			}
			return text, nil
		}
	}
	return "", d.syntax()
}

// escapes are the escapes of JSON except that of a code unit.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescaped returns what a string with escapes stands for, as encoding/json does: a lone surrogate becomes U+FFFD. To
// call encoding/json for each string costs several times as much, which counts if a target escapes everything.
func unescaped(s []byte) (text string, isValid bool) {
	out, isValid := appendUnescaped(make([]byte, 0, len(s)), s)
	return string(out), isValid
}

func appendUnescaped(out, s []byte) (text []byte, isValid bool) {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(out, s...), true
		}
		out, s = append(out, s[:i]...), s[i:]
		if r, isUnit := codeUnit(s); isUnit {
			s = s[unitLength:]
			if utf16.IsSurrogate(r) {
				second, _ := codeUnit(s)
				if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
					s = s[unitLength:]
				}
			}
			out = utf8.AppendRune(out, r)
			continue
		}
		c, isEscape := escapes[s[1]]
		if !isEscape {
			return nil, false
		}
		out, s = append(out, c), s[2:]
	}
}

const unitLength = len(`\u0000`)

// codeUnit reads the escape of a code unit of UTF-16 with which s begins.
func codeUnit(s []byte) (unit rune, isUnit bool) {
	if len(s) < unitLength || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var pair [2]byte
	if _, err := hex.Decode(pair[:], s[2:unitLength]); err != nil {
		return 0, false
	}
	return rune(pair[0])<<8 | rune(pair[1]), true
}

// literal reads the characters of a number, valid or not.
func (d *decoder) literal() []byte {
	start := d.at
	for d.at < len(d.body) && isOfNumber[d.body[d.at]] {
		d.at++
	}
	return d.body[start:d.at]
}

func (d *decoder) number() (any, error) {
	spelled := d.literal()
	literal := string(spelled)
	switch {
	case !json.Valid(spelled):
		return nil, d.syntax()
	case len(literal) > maxNumberLength:
		return nil, d.fail(WildNumber, "expected a number of at most %d characters, but found one of %d", maxNumberLength, len(literal))
	case !hasBoundedExponent(literal):
		return nil, d.fail(WildNumber, "expected an exponent between -%d and %d, but found %s", maxExponent, maxExponent, literal)
	}
	return json.Number(literal), nil
}

func hasBoundedExponent(literal string) bool {
	_, exponent, found := strings.Cut(strings.ToLower(literal), "e")
	n, err := strconv.Atoi(exponent)
	return !found || err == nil && -maxExponent <= n && n <= maxExponent
}

// SameNumber compares two numbers by value: 10, 10.00 and 1e1 are one. A literal that
// Decode refuses is the same as none but itself.
func SameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, isX := valueOf(a)
	y, isY := valueOf(b)
	return isX && isY && x.Cmp(y) == 0
}

func valueOf(n json.Number) (*big.Rat, bool) {
	if len(n) > maxNumberLength || !hasBoundedExponent(string(n)) {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// syntax says where the body stops being JSON, and why, by reading it with encoding/json.
func (d *decoder) syntax() error {
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(d.body, &whole); errors.As(err, &syntax) {
		return &DecodeError{Problem: Syntax, Offset: syntax.Offset, Detail: "expected JSON, but found: " + syntax.Error()}
	}
	return d.fail(Syntax, "expected JSON, but found something else")
}

func (d *decoder) fail(problem Problem, format string, args ...any) error {
	return &DecodeError{Problem: problem, Offset: int64(d.at), Detail: fmt.Sprintf(format, args...)}
}
