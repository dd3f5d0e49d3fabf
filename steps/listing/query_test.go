package listing

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Whether the ends of an interval belong to it, and where the day of a date begins, is unspecified.
func TestBoundsOfIntervals(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 3, 1, 12, 0, 0, 5e8, time.UTC)
	for _, row := range []struct {
		filter, value string
		want          Fit
	}{
		{"startDate", "2026-03-01T11:59:59Z", Inside},
		{"startDate", "2026-03-01T12:00:00Z", Uncertain},
		{"startDate", "2026-03-01T12:00:01Z", Uncertain},
		{"startDate", "2026-03-01T12:00:02Z", Outside},
		{"endDate", "2026-03-01T12:00:02Z", Inside},
		{"endDate", "2026-03-01T12:00:00Z", Uncertain},
		{"endDate", "2026-03-01T11:59:59Z", Outside},
		{"startDate", "2026-02-28", Inside},
		{"startDate", "2026-03-01", Uncertain},
		{"startDate", "2026-03-03", Outside},
		{"endDate", "2026-03-03", Inside},
		{"endDate", "2026-03-01", Uncertain},
		{"endDate", "2026-02-27", Outside},
	} {
		assert.Equal(t, row.want, boundOf(row.filter, row.value).fits(created), "%s %s", row.filter, row.value)
	}
}

// One key has several spellings: whether a list by one of them shows payments to another is unspecified.
func TestSpellingsOfAKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sent, asked string
		want        Fit
	}{
		{"7d9f0335-8dcc-4054-9bf9-0dbd61d36906", "7d9f0335-8dcc-4054-9bf9-0dbd61d36906", Inside},
		{"7d9f0335-8dcc-4054-9bf9-0dbd61d36906", "7D9F03358DCC40549BF90DBD61D36906", Uncertain},
		{"11987654321", "+5511987654321", Uncertain},
		{"Fulano@example.com", "fulano@example.com", Uncertain},
		{"fu-lano@example.com", "fulano@example.com", Outside},
		{"11987654321", "11987654322", Outside},
	} {
		k := &Item{Own: true, Values: map[string][]string{"pixKey": {c.sent}}}
		assert.Equal(t, c.want, Query{}.With("pixKey", c.asked).Fit(k), "%s and %s", c.sent, c.asked)
	}
}
