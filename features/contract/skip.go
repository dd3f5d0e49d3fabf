package contract

import (
	"encoding/json"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/features"
)

// Readable reports whether Decode can read a body of at most so many values, except that a key may come twice. It
// allocates nothing.
func Readable(body []byte, mostValues int) bool {
	d := decoder{body: body, depth: defaultDepth, room: mostValues}
	if !utf8.Valid(body) || !d.skip(0) {
		return false
	}
	d.next()
	return d.at == len(body)
}

// skip reads a value without keeping it. If it returns false, the position of d is undefined.
func (d *decoder) skip(depth int) bool {
	d.room--
	c := d.next()
	switch {
	case d.room < 0 || (c == '{' || c == '[') && depth == d.depth:
		return false
	case c == '"':
		_, _, isText := d.raw()
		return isText
	case c == '{':
		d.at++
		for first := true; !d.take('}'); first = false {
			if !first && !d.take(',') || d.next() != '"' {
				return false
			}
			if _, _, isText := d.raw(); !isText || !d.take(':') || !d.skip(depth+1) {
				return false
			}
		}
		return true
	case c == '[':
		d.at++
		for first := true; !d.take(']'); first = false {
			if !first && !d.take(',') || !d.skip(depth+1) {
				return false
			}
		}
		return true
	}
	if c == '-' || isDigit(c) {
		literal := d.literal()
		return len(literal) == 1 && c != '-' || len(literal) <= maxNumberLength && json.Valid(literal) && hasBoundedExponent(string(literal))
	}
	_, isWord := d.word()
	return isWord
}

// raw reads a string and returns what stands between its quotes, and whether that has escapes.
func (d *decoder) raw() (inner []byte, escaped, isText bool) {
	start := d.at + 1
	for d.at++; d.at < len(d.body); d.at++ {
		switch c := d.body[d.at]; {
		case c == '"':
			d.at++
			return d.body[start : d.at-1], escaped, true
		case c < ' ':
			return nil, false, false
		case c == '\\':
			escaped = true
			if d.at++; !d.escape() {
				return nil, false, false
			}
		}
	}
	return nil, false, false
}

// escape reads what follows a backslash, up to its last byte.
func (d *decoder) escape() bool {
	if d.at == len(d.body) {
		return false
	}
	if c := d.body[d.at]; c != 'u' {
		return isEscape[c]
	}
	const digits = 4
	if d.at+digits >= len(d.body) {
		return false
	}
	for _, c := range d.body[d.at+1 : d.at+1+digits] {
		if !isHex[c] {
			return false
		}
	}
	d.at += digits
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

var (
	isOfNumber, isSpace = bytesOf("+-.0123456789Ee"), bytesOf(" \t\r\n")
	isEscape, isHex     = bytesOf(`"\/bfnrt`), bytesOf("0123456789abcdefABCDEF")
)

func bytesOf(all string) (is [256]bool) {
	for i := range len(all) {
		is[all[i]] = true
	}
	return is
}

// skipUnknown reads the next member of an object without keeping it, if its name is in no schema. If not, nothing was
// read.
func (d *decoder) skipUnknown(depth int) bool {
	start := d.at
	name, escaped, isText := d.raw()
	if isText && escaped {
		var isValid bool
		d.buffer, isValid = appendUnescaped(d.buffer[:0], name)
		name, isText = d.buffer, isValid
	}
	d.room = len(d.body)
	_, isKnown := knownNames()[string(name)]
	if !isText || isKnown || !d.take(':') || !d.skip(depth) {
		d.at = start
		return false
	}
	return true
}

// knownNames are all names that the contract mentions, in schemas and in examples.
var knownNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		for i, inner := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				names[inner.Value] = inner.Value
			}
			walk(inner)
		}
	}
	var root yaml.Node
	if text, err := features.FS.ReadFile("openapi.yaml"); err == nil && yaml.Unmarshal(text, &root) == nil {
		walk(&root)
	}
	return names
})
