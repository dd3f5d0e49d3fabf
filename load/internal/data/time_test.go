package data

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseTime(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)
	for _, text := range []string{
		"2026-03-01T23:30:00Z", "2026-03-01T23:30:00", "2026-03-01 23:30:00", "2026-03-01 23:30:00Z", "2026-03-01T23:30:00.000Z",
		"2026-03-01T23:30:00.000", "2026-03-01T20:30:00-03:00", "2026-03-01T20:30:00.0-0300", "2026-03-01T20:30:00-03",
		"2026-03-01T23:30:00+0000", "2026-03-01 23:30:00+00:00",
	} {
		got, err := ParseTime(text)
		require.NoError(t, err, text)
		assert.True(t, want.Equal(got), "%s: %s", text, got)
	}
	for _, text := range []string{"", "2026-03-01", "01/03/2026 23:30:00", "2026-02-30T23:30:00Z", "2026-03-01  23:30:00", "1772407800", "2026-03-01T23:30:00Z "} {
		_, err := ParseTime(text)
		assert.ErrorContains(t, err, "ISO 8601", text)
	}
}
