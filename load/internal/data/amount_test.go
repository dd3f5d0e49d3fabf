package data

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAmountsAreReadExactly(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]int64{
		"0": 0, "-0": 0, "0.00": 0, "0e99": 0, "0.01": 1, "10": 1000, "10.5": 1050, "10.50": 1050, "10.500000": 1050,
		"1e2": 10000, "1E+2": 10000, "1.05e1": 1050, "105e-2": 105, "1050e-3": 105, "0.00001e3": 1, "-1.5": -150,
		"90071992547409.93": 9007199254740993, "9999999999999999.99": 999999999999999999, "1e15": 100000000000000000,
		"0.1": 10, "1.10": 110, "4.35": 435, "1.005e2": 10050,
	} {
		got, err := ParseAmount(literal)
		require.NoError(t, err, literal)
		assert.Equal(t, want, got, literal)
	}
	for literal, why := range map[string]string{
		"": "not a number", "-": "not a number", ".5": "not a number", "5.": "not a number", "+1": "not a number",
		"1,5": "not a number", "1.2.3": "not a number", "abc": "not a number", "1e": "exponent", "1e1.5": "exponent",
		"1e100": "exponent", "1e1000000000000": "exponent", "0.001": "a fraction of a centavo", "1e-3": "a fraction of a centavo",
		"1e-99": "a fraction of a centavo", "10.505": "a fraction of a centavo", "1e17": "too large", "1e99": "too large",
		"10000000000000000000": "too large", " 1": "not a number", "NaN": "not a number", "0x10": "not a number",
	} {
		_, err := ParseAmount(literal)
		assert.ErrorContains(t, err, why, literal)
	}
	_, err := ParseAmount(strings.Repeat("9", 1_000_000))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 200)
}

func TestAmountsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	const most = 999_999_999_999_999_999
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Int64Range(-most, most).Draw(t, "centavos")
		exponent := rapid.IntRange(-4, 4).Draw(t, "exponent")
		text := FormatAmount(want)
		for _, literal := range []string{text, text + "00", text + "e0", shifted(want, exponent)} {
			got, err := ParseAmount(literal)
			if err != nil || got != want {
				t.Fatalf("%q was read as %d, %v: expected %d", literal, got, err, want)
			}
		}
	})
	assert.Equal(t, "-92233720368547758.08", FormatAmount(math.MinInt64))
	assert.Equal(t, "-0.05", FormatAmount(-5))
}

// shifted is the amount with an exponent: the whole centavos times 10 to the power of -2.
func shifted(centavos int64, zeros int) string {
	if zeros >= 0 {
		return fmt.Sprintf("%d%se%d", centavos, strings.Repeat("0", zeros), -2-zeros)
	}
	return fmt.Sprintf("%de-2", centavos)
}

func TestCountsHaveThousandsSeparators(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0", 999: "999", 1200: "1,200", -1_234_567: "-1,234,567", 31_000_000: "31,000,000"} {
		assert.Equal(t, want, FormatCount(n))
	}
}
