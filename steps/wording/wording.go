// Package wording puts numbers into sentences and reports.
package wording

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Count is a number with its noun: "1 rule", "2 rules".
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Choose(n, noun, noun+"s")) }

// Every is all of several things: "both rules", "all 4 rules".
func Every(n int, noun string) string {
	if n == 2 {
		return "both " + noun + "s"
	}
	return fmt.Sprintf("all %d %ss", n, noun)
}

// Choose is the word that goes with a number: of one, or of several or none.
func Choose(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Duration is a duration with useful precision: 340 µs, 12 ms, 1.2 s, 2 min 5 s.
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
}

// List shortens a list, "a, b, c", to about that many bytes: it keeps whole items, and counts the others.
func List(text string, most int) string { return ListOf(text, most, "%s and %d more") }

// ListOf is List with the format in which it counts the others.
func ListOf(text string, most int, format string) string {
	items := strings.Split(text, ", ")
	for i, length := 0, 0; i < len(items); i++ {
		if length += len(items[i]); length > most && i > 0 {
			return fmt.Sprintf(format, strings.Join(items[:i], ", "), len(items)-i)
		}
	}
	return text
}

// Milliseconds is a duration as JSON holds it.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// JSON writes a value for machines, and for people who look at what machines read.
func JSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w) // which replaces what is not UTF-8
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
