package pix

import (
	"crypto/rand"
	"time"
)

// EndToEndID makes the end-to-end identifier of a payment that starts at the
// institution with that ISPB: E, the ISPB, the minute in UTC as yyyyMMddHHmm and 11
// alphanumeric characters, 32 in all.
func EndToEndID(ispb string, at time.Time) string {
	id := make([]byte, 0, 32)
	id = append(id, 'E')
	id = append(id, ispb...)
	id = at.UTC().AppendFormat(id, "200601021504")
	return string(append(id, rand.Text()[:11]...))
}

// timeFormat is ISO 8601 in UTC, to the millisecond.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Timestamp writes a time as the API and its webhooks do: ISO 8601, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format(timeFormat) }
