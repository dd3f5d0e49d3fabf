package pix_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestBoundsOfAPeriodAreDatesOrTimesWithTheirZone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // as String gives it; empty: refused
		"2026-03-01":                    "2026-03-01",
		"2026-03-01T12:00:00Z":          "2026-03-01T12:00:00.000Z",
		"2026-03-01T12:00:00.123456Z":   "2026-03-01T12:00:00.123Z",
		"2026-03-01T12:00:00-03:00":     "2026-03-01T15:00:00.000Z",
		"2026-03-01T12:00:00.5-0300":    "2026-03-01T15:00:00.500Z",
		"2026-03-01T12:00Z":             "2026-03-01T12:00:00.000Z",
		"2026-03-01T12:00:00":           "",
		"2026-03-01 12:00:00Z":          "",
		"2026-02-29":                    "",
		"2026-3-1":                      "",
		"01/03/2026":                    "",
		"1772323200":                    "",
		"foo":                           "",
		"":                              "",
		"2026-03-01T12:00:00Z; DROP":    "",
		"2026-03-01T12:00:00 00:00":     "", // a plus that was not percent-encoded
		"2026-03-01T25:00:00Z":          "",
		"2026-03-01T12:00:00[GMT]":      "",
		"99999999999999-03-01":          "",
		"2026-03-01T12:00:00.000+03:00": "2026-03-01T09:00:00.000Z",
	} {
		bound, err := pix.ParseBound(text)
		if want == "" {
			assert.ErrorIs(t, err, pix.ErrBound, "%q", text)
			assert.False(t, bound.Given(), "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, bound.String(), "%q", text)
	}
}

func TestPeriod(t *testing.T) {
	t.Parallel()
	const now = "2026-03-31T12:00:00Z"
	for _, test := range []struct {
		name, start, end string
		span             int
		from, before     string // both empty: refused
	}{
		{"nothing given, by key", "", "", pix.KeySpan, "2026-03-01T12:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"nothing given, of the account", "", "", pix.MaxSpan, "2026-02-28T12:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"only an end", "", "2026-01-31T00:00:00Z", pix.KeySpan, "2026-01-01T00:00:00Z", "2026-01-31T00:00:00.001Z"},
		{"only an end, a day", "", "2026-01-31", pix.KeySpan, "2026-01-01T03:00:00Z", "2026-02-01T03:00:00Z"},
		{"only an end, a day, of the account", "", "2026-02-01", pix.MaxSpan, "2026-01-01T03:00:00Z", "2026-02-02T03:00:00Z"},
		{"only a start", "2026-03-30T00:00:00Z", "", pix.KeySpan, "2026-03-30T00:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"only a start, 31 days ago", "2026-02-28T12:00:00Z", "", pix.KeySpan, "2026-02-28T12:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"only a start, more than 31 days ago", "2026-02-28T11:59:59.999Z", "", pix.KeySpan, "", ""},
		{"only a start, 31 dates ago", "2026-02-28", "", pix.KeySpan, "2026-02-28T03:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"only a start, 32 dates ago", "2026-02-27", "", pix.KeySpan, "", ""},
		{"only a start, to come", "2026-04-01", "", pix.KeySpan, "2026-04-01T03:00:00Z", "2026-03-31T12:00:00.001Z"},
		{"31 days", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", pix.KeySpan, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00.001Z"},
		{"a millisecond more", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00.001Z", pix.KeySpan, "", ""},
		{"31 dates", "2026-01-01", "2026-02-01", pix.KeySpan, "2026-01-01T03:00:00Z", "2026-02-02T03:00:00Z"},
		{"32 dates", "2026-01-01", "2026-02-02", pix.KeySpan, "", ""},
		{"31 dates to a time", "2026-01-01", "2026-02-01T23:00:00Z", pix.KeySpan, "2026-01-01T03:00:00Z", "2026-02-01T23:00:00.001Z"},
		{"31 dates from a time", "2026-01-01T20:00:00Z", "2026-02-01", pix.KeySpan, "2026-01-01T20:00:00Z", "2026-02-02T03:00:00Z"},
		{"a time that is the day before in São Paulo", "2026-01-01T02:59:59Z", "2026-02-01", pix.KeySpan, "", ""},
		{"one instant", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", pix.KeySpan, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z"},
		{"one day", "2026-01-01", "2026-01-01", pix.KeySpan, "2026-01-01T03:00:00Z", "2026-01-02T03:00:00Z"},
		{"start after end", "2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z", pix.KeySpan, "", ""},
		{"day after day", "2026-01-02", "2026-01-01", pix.KeySpan, "", ""},
		{"the first instant there is", "0001-01-01T00:00:00Z", "", pix.KeySpan, "", ""},
		{"end of a month", "2026-01-31", "2026-03-03", pix.KeySpan, "2026-01-31T03:00:00Z", "2026-03-04T03:00:00Z"},
		{"across the end of a summer time", "2019-02-01", "2019-03-04", pix.KeySpan, "2019-02-01T02:00:00Z", "2019-03-05T03:00:00Z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			period, err := pix.NewPeriod(bound(t, test.start), bound(t, test.end), test.span, instant(t, now))
			if test.from == "" {
				var refusal *pix.Refusal
				require.ErrorAs(t, err, &refusal, "%v", period)
				assert.Equal(t, pix.CodeValidation, refusal.Code)
				return
			}
			require.NoError(t, err)
			assert.WithinDuration(t, instant(t, test.from), period.From, 0)
			assert.WithinDuration(t, instant(t, test.before), period.Before, 0)
		})
	}
}

func TestOpenPeriodHasNoLongestSpan(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		start, end string
		in, out    []string
	}{
		{"", "", []string{"2000-01-01T00:00:00Z", "2199-12-31T00:00:00Z"}, nil},
		{"2026-03-01", "", []string{"2026-03-01T03:00:00Z", "2199-12-31T00:00:00Z"}, []string{"2026-03-01T02:59:59Z"}},
		{"", "2026-03-01", []string{"2000-01-01T00:00:00Z", "2026-03-02T02:59:59Z"}, []string{"2026-03-02T03:00:00Z"}},
		{"2020-01-01", "2026-01-01", []string{"2023-01-01T00:00:00Z"}, []string{"2019-12-31T00:00:00Z", "2026-01-03T00:00:00Z"}},
	} {
		period, err := pix.OpenPeriod(bound(t, test.start), bound(t, test.end))
		require.NoError(t, err)
		for _, at := range test.in {
			assert.True(t, holds(period, instant(t, at)), "%s in %s", at, period)
		}
		for _, at := range test.out {
			assert.False(t, holds(period, instant(t, at)), "%s in %s", at, period)
		}
	}
	_, err := pix.OpenPeriod(bound(t, "2026-01-02"), bound(t, "2026-01-01"))
	require.Error(t, err)
}

// A payment shows a time cut to milliseconds; asked for with that time as start and
// end, it is in the list.
func TestPeriodHoldsTheTimeThatWasShown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "microseconds")).UTC()
		shown, err := pix.ParseBound(pix.Timestamp(at))
		require.NoError(t, err)
		period, err := pix.NewPeriod(shown, shown, pix.KeySpan, at)
		require.NoError(t, err)
		if !holds(period, at) {
			t.Fatalf("expected %s to hold %s", period, at)
		}
	})
}

func holds(p pix.Period, at time.Time) bool { return !at.Before(p.From) && at.Before(p.Before) }

// bound reads a bound; an empty text is one that is not given.
func bound(t testing.TB, text string) pix.Bound {
	t.Helper()
	if text == "" {
		return pix.Bound{}
	}
	b, err := pix.ParseBound(text)
	require.NoError(t, err)
	return b
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}
