package data

import (
	"fmt"
	"strings"
	"time"
)

// timeLayouts are how ISO 8601 writes a time of the day: with an offset, of which the colon
// and the minutes may be missing, or without any. Seconds may have a fraction in all of them.
var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05"}

// ParseTime reads a time in ISO 8601 as gateways write it, a blank instead of the T among
// them. It is UTC where no offset is given.
func ParseTime(s string) (time.Time, error) {
	text := s
	if len(text) > 10 && text[10] == ' ' {
		text = strings.Replace(text, " ", "T", 1)
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("expected a time in ISO 8601, such as 2026-01-02T15:04:05Z, got %.40q", s)
}
