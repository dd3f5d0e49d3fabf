package pix

import (
	"crypto/rand"
	"time"
)

// endToEndLength is the length of every end-to-end identifier ("Limits": e2eid).
const endToEndLength = 32

// EndToEndID makes the end-to-end identifier of a payment that starts at the
// institution with that ISPB: E, the ISPB, the minute in UTC as yyyyMMddHHmm and 11
// alphanumeric characters, 32 in all.
func EndToEndID(ispb string, at time.Time) string { return endToEnd('E', ispb, at) }

// ReturnID makes the identifier of a refund by the institution with that ISPB: as that
// of a payment, but it begins with D.
func ReturnID(ispb string, at time.Time) string { return endToEnd('D', ispb, at) }

func endToEnd(initial byte, ispb string, at time.Time) string {
	id := make([]byte, 0, endToEndLength)
	id = append(id, initial)
	id = append(id, ispb...)
	id = at.UTC().AppendFormat(id, "200601021504")
	return string(append(id, rand.Text()[:11]...))
}

// IsEndToEndID says whether s has the form of an end-to-end identifier: exactly 32
// letters and digits.
func IsEndToEndID(s string) bool { return len(s) == endToEndLength && all(s, isAlphanumeric) }

// timeFormat is ISO 8601 in UTC, to the millisecond.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Timestamp writes a time as the API and its webhooks do: ISO 8601, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format(timeFormat) }
