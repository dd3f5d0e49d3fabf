package data

import (
	"fmt"
	"strings"
	"time"
)

// timeLayouts are ISO 8601 times: with an offset, possibly without its colon or minutes, or
// without an offset. Seconds may have a fraction in all of them.
var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05"}

// ParseTime parses an ISO 8601 time as gateways write it, also with a space instead of the T.
// Without an offset it is UTC.
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
