package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/exchange"
)

// readableBody is a body formatted for people.
type readableBody struct {
	Text  string
	Note  string // what Text leaves out
	Spans []span // Text with marks; nil if nothing is marked
}

// readable formats the beginning of a body, of which leftOut more bytes were not kept: JSON is
// indented, non-text is escaped.
func readable(body []byte, leftOut, limit int) readableBody {
	kept := exchange.Beginning(body, limit)
	var notes []string
	if whole := len(body) + leftOut; len(kept) < whole {
		notes = append(notes, fmt.Sprintf("the first %s of %s", size(len(kept)), size(whole)))
	}
	if !utf8.Valid(kept) {
		notes = append(notes, `not UTF-8: other bytes shown as \xff`)
	}
	text := string(kept)
	if indented := indent(kept, 2*limit); indented != "" {
		text = indented
	}
	return readableBody{Text: exchange.Visible(text), Note: strings.Join(notes, "; ")}
}

// indent returns body indented if it is JSON and the result is within limit; deep nesting grows
// quadratically.
func indent(body []byte, limit int) string {
	var out bytes.Buffer
	depth := 0
	for _, b := range body {
		if b == '{' || b == '[' {
			depth++
		}
	}
	if depth > limit/32 || json.Indent(&out, body, "", "  ") != nil || out.Len() > limit {
		return ""
	}
	return out.String()
}

func size(bytes int) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.0f KiB", float64(bytes)/(1<<10))
	default:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
}
