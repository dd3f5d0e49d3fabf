package money

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for decimal, want := range map[string]Centavos{
		"0.07": 7, "0.29": 29, "1.15": 1_15, "8.41": 8_41, "136.42": 136_42, "142.20": 142_20,
		"90071992547409.93": 9007199254740993, "10": 10_00, "1e1": 10_00, "010": 10_00, "1000e-5": 1, "-1.5": -1_50, "0": 0,
		"92233720368547758.07": 1<<63 - 1,
	} {
		got, err := Parse(decimal)
		require.NoError(t, err, decimal)
		assert.Equal(t, want, got, decimal)
	}
	for _, decimal := range []string{
		"", "x", "0.001", "1e50", "1e999999999", "92233720368547758.08", "10,00", " 10", "R$ 10.00",
		"20/2", "0xA", "0b1", "0o7", "1p2", "1_000", "Inf", "NaN", ".", "-", "1.0.0",
	} {
		_, err := Parse(decimal)
		assert.Error(t, err, decimal)
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	c, ok := Of(json.Number("10.0"))
	assert.True(t, ok)
	assert.Equal(t, Centavos(10_00), c)
	for _, v := range []any{nil, "10.00", 10.0, json.Number(""), json.Number("0.001"), []any{}, map[string]any{}} {
		_, ok := Of(v)
		assert.False(t, ok, "%v", v)
	}
}

func TestOrZero(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Centavos(50), OrZero("0.50"))
	assert.Zero(t, OrZero(""))
	assert.Zero(t, OrZero("half"))
}

func TestString(t *testing.T) {
	t.Parallel()
	for c, want := range map[Centavos]string{7: "0.07", -1_50: "-1.50", 0: "0.00", 1234_56: "1234.56"} {
		assert.Equal(t, want, c.Decimal())
		assert.Equal(t, "R$ "+want, c.String())
	}
}
