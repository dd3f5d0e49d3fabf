package pix_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// FuzzParseBound shows that a bound that is read is written in a form that is read as the same.
func FuzzParseBound(f *testing.F) {
	for _, seed := range []string{
		"2026-03-01", "2026-03-01T12:00:00Z", "2026-03-01T12:00Z", "2026-03-01T12:00:00.123456789-03:00", "2026-03-01T12:00:00-0300",
		"0000-01-01", "9999-12-31T23:59:60Z", "2018-11-04", "2026-02-30",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bound, err := pix.ParseBound(text)
		if err != nil {
			require.ErrorIs(t, err, pix.ErrBound)
			require.False(t, bound.Given())
			return
		}
		require.True(t, bound.Given())
		again, err := pix.ParseBound(bound.String())
		require.NoError(t, err, "%q", bound.String())
		require.Equal(t, bound.String(), again.String())
	})
}

// FuzzParseScenario shows that a scenario either has an outcome or a delay of at most two minutes.
func FuzzParseScenario(f *testing.F) {
	for _, seed := range []string{"", "success", "error:insufficient-funds", "delayed:5s", "delayed:120s", "delayed:121s", "delayed:00s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		scenario, err := pix.ParseScenario(value)
		if err != nil || scenario == "" {
			return
		}
		_, outcome := scenario.Result()
		require.NotEqual(t, outcome, scenario.Delay() > 0)
		require.LessOrEqual(t, scenario.Delay(), 2*time.Minute)
	})
}

// FuzzDocument shows that a masked document never shows the document, and that check digits that are
// added are right.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{"52998224725", "11222333000181", "00000000000", "", "5299822472x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, document string) {
		masked := pix.MaskDocument(document)
		if document != strings.Repeat("*", len(document)) {
			require.NotContains(t, masked, document)
		}
		if pix.ValidDocument(document) {
			require.True(t, pix.IsDocument(document))
			require.Equal(t, document, pix.WithCheckDigits(document[:len(document)-2]))
		}
	})
}
