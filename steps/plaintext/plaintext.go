// Package plaintext reads text files as editors save them, and finds characters that look like a space but are
// none.
package plaintext

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Read returns the text of a file without a UTF-8 byte order mark. UTF-16 is an error, which says what to do.
func Read(content []byte) ([]byte, error) {
	if bytes.HasPrefix(content, []byte{0xff, 0xfe}) || bytes.HasPrefix(content, []byte{0xfe, 0xff}) {
		return nil, errors.New("the file is in UTF-16; save it in UTF-8")
	}
	return bytes.TrimPrefix(content, []byte("\ufeff")), nil
}

// noBreak are the characters that look like a space, or like nothing, and come from copied text.
var noBreak = map[rune]string{
	'\u00a0': "a no-break space (U+00A0)",
	'\u202f': "a narrow no-break space (U+202F)",
	'\ufeff': "a byte order mark (U+FEFF)",
}

// Odd is a no-break character in a text.
type Odd struct {
	Line, Column int // from 1; the column in characters
	What         string
}

// String says where the character is, and what to do.
func (o Odd) String() string {
	return fmt.Sprintf("column %d: %s, which only looks like a space or like nothing; delete it, or type a space", o.Column, o.What)
}

// Find returns the first no-break character of a text.
func Find(text string) (odd Odd, found bool) {
	i := strings.IndexFunc(text, func(r rune) bool { return noBreak[r] != "" })
	if i < 0 {
		return Odd{}, false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	line := text[strings.LastIndexByte(text[:i], '\n')+1 : i]
	return Odd{Line: 1 + strings.Count(text[:i], "\n"), Column: 1 + utf8.RuneCountInString(line), What: noBreak[r]}, true
}
