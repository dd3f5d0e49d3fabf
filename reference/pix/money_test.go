package pix_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]pix.Centavos{
		"0": 0, "-0": 0, "0.000": 0, "0e999999999999": 0,
		"0.01": 1, "0.07": 7, "0.29": 29, "1.15": 115, "8.41": 841, "136.42": 136_42, "142.20": 142_20,
		"10": 10_00, "10.5": 10_50, "1.230": 1_23, "1e1": 10_00, "1E+1": 10_00, "100e-2": 1_00, "0.1e1": 1_00, "1230e-3": 1_23,
		"-1": -1_00, "-0.01": -1,
		"90071992547409.93": 90071992547409_93, "99999999999999.99": pix.MaxAmount, "-99999999999999.99": -pix.MaxAmount,
	} {
		got, err := pix.ParseAmount(literal)
		require.NoError(t, err, literal)
		assert.Equal(t, want, got, literal)
	}
}

func TestParseAmountRefuses(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]error{
		"": pix.ErrAmountMalformed, "-": pix.ErrAmountMalformed, ".5": pix.ErrAmountMalformed, "5.": pix.ErrAmountMalformed,
		"01": pix.ErrAmountMalformed, "+1": pix.ErrAmountMalformed, "1e": pix.ErrAmountMalformed, "1e+": pix.ErrAmountMalformed,
		"1,50": pix.ErrAmountMalformed, " 1": pix.ErrAmountMalformed, "1\x00": pix.ErrAmountMalformed, "٣": pix.ErrAmountMalformed,
		"NaN": pix.ErrAmountMalformed, "Infinity": pix.ErrAmountMalformed, "0x10": pix.ErrAmountMalformed, "1e1.5": pix.ErrAmountMalformed,
		"0.001": pix.ErrAmountDecimals, "0.009": pix.ErrAmountDecimals, "1.234": pix.ErrAmountDecimals, "1e-3": pix.ErrAmountDecimals,
		"1e-1000000": pix.ErrAmountDecimals, "-0.001": pix.ErrAmountDecimals,
		"100000000000000": pix.ErrAmountRange, "1e1000000": pix.ErrAmountRange, "1e99999999999999999999": pix.ErrAmountRange,
		"9223372036854775807": pix.ErrAmountRange, strings.Repeat("9", 10_000): pix.ErrAmountRange,
	} {
		_, err := pix.ParseAmount(literal)
		assert.ErrorIs(t, err, want, "%.40q", literal)
	}
}

func TestAmountIsWrittenWithTwoDecimals(t *testing.T) {
	t.Parallel()
	for amount, want := range map[pix.Centavos]string{0: "0.00", 1: "0.01", 10: "0.10", 100: "1.00", 1050: "10.50", -7: "-0.07", -12345: "-123.45"} {
		assert.Equal(t, want, amount.String())
		written, err := json.Marshal(map[string]pix.Centavos{"amount": amount})
		require.NoError(t, err)
		assert.Equal(t, `{"amount":`+want+`}`, string(written))
	}
}

func TestAmountSurvivesWriting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := pix.Centavos(rapid.Int64Range(int64(-pix.MaxAmount), int64(pix.MaxAmount)).Draw(t, "amount"))
		read, err := pix.ParseAmount(amount.String())
		require.NoError(t, err)
		require.Equal(t, amount, read)
	})
}

// FuzzParseAmount compares what is read with exact rational arithmetic.
func FuzzParseAmount(f *testing.F) {
	for _, seed := range []string{"0.01", "1.230", "1e1", "1e1000000", "-0.001", "01", "9007199254740993e-2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		amount, err := pix.ParseAmount(literal)
		if errors.Is(err, pix.ErrAmountMalformed) {
			require.False(t, json.Valid([]byte(literal)) && strings.Trim(literal, "-0123456789.eE+") == "", "%q is a JSON number", literal)
		}
		if err != nil {
			return
		}
		require.True(t, json.Valid([]byte(literal)), "%q is no JSON number", literal)
		require.LessOrEqual(t, amount, pix.MaxAmount)
		require.GreaterOrEqual(t, amount, -pix.MaxAmount)
		if amount == 0 {
			return // its exponent may be too large to expand
		}
		exact, ok := new(big.Rat).SetString(literal)
		require.True(t, ok)
		require.Zero(t, exact.Cmp(big.NewRat(int64(amount), 100)), "%q was read as %s", literal, amount)
	})
}
