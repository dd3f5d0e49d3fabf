package pix

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func fixed(value Centavos) Split        { return Split{Type: SplitFixed, Value: value} }
func percent(hundredths Centavos) Split { return Split{Type: SplitPercentage, Value: hundredths} }

func TestSplitsFit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		amount Centavos
		splits []Split
		fit    bool
	}{
		"none":                             {10_00, nil, true},
		"the whole amount":                 {10_00, []Split{fixed(4_00), fixed(6_00)}, true},
		"a centavo more":                   {10_00, []Split{fixed(4_00), fixed(6_01)}, false},
		"100 %":                            {10_00, []Split{percent(60_00), percent(40_00)}, true},
		"100.01 %":                         {10_00, []Split{percent(60_00), percent(40_01)}, false},
		"half and half":                    {10_00, []Split{percent(50_00), fixed(5_00)}, true},
		"half and a centavo more":          {10_00, []Split{percent(50_00), fixed(5_01)}, false},
		"over by less than a centavo":      {99, []Split{percent(50_00), fixed(50)}, false}, // 49.5 + 50
		"one who takes more than anything": {MaxAmount, []Split{percent(MaxAmount)}, false},
		"the most there can be":            {MaxAmount, []Split{percent(100_00)}, true},
		"ten of the most there can be":     {MaxAmount, []Split{fixed(MaxAmount), fixed(MaxAmount), fixed(MaxAmount)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.fit, SplitsFit(test.amount, test.splits))
		})
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	assert.Equal(t, Centavos(10_00), percent(10_00).Share(100_00), "10 means ten percent")
	assert.Equal(t, Centavos(1_50), fixed(1_50).Share(100_00))
	assert.Equal(t, Centavos(33), percent(33_33).Share(1_00), "rounded down")
	assert.Equal(t, Centavos(0), percent(1).Share(99_99))
	assert.Equal(t, Centavos(1), percent(1).Share(100_00))
	assert.Equal(t, MaxAmount, percent(100_00).Share(MaxAmount))
}

func anySplits(t *rapid.T, amount Centavos) []Split {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Split {
		if rapid.Bool().Draw(t, "fixed") {
			return fixed(Centavos(rapid.Int64Range(1, int64(amount)).Draw(t, "value")))
		}
		return percent(Centavos(rapid.Int64Range(1, wholeAmount).Draw(t, "percentage")))
	}), 0, 10).Draw(t, "splits")
}

func anyAmount(t *rapid.T) Centavos {
	return Centavos(rapid.OneOf(rapid.Int64Range(1, 1000), rapid.Int64Range(1, int64(MaxAmount))).Draw(t, "amount"))
}

func TestSplitsFitIsJudgedExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		splits := anySplits(t, amount)
		sum := new(big.Rat)
		for _, s := range splits {
			part := big.NewRat(int64(s.Value), 1)
			if s.Type == SplitPercentage {
				part.Mul(part, big.NewRat(int64(amount), wholeAmount))
			}
			sum.Add(sum, part)
		}
		assert.Equal(t, sum.Cmp(big.NewRat(int64(amount), 1)) <= 0, SplitsFit(amount, splits))
	})
}

func TestSharesAreExactDownToTheCentavoAndNeverMoreThanTheAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		splits := anySplits(t, amount)
		left := amount
		for _, s := range splits {
			share := s.Share(amount)
			left -= share
			if s.Type == SplitPercentage {
				exact := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(s.Value)))
				assert.Equal(t, exact.Div(exact, big.NewInt(wholeAmount)).Int64(), int64(share))
			}
		}
		if SplitsFit(amount, splits) {
			assert.GreaterOrEqual(t, left, Centavos(0))
		}
	})
}

func TestNextSplitRunIsMidnightInSaoPaulo(t *testing.T) {
	t.Parallel()
	for paid, want := range map[string]string{
		"2026-03-01T02:59:59Z": "2026-03-01T03:00:00Z",
		"2026-03-01T03:00:00Z": "2026-03-02T03:00:00Z",
		"2026-12-31T12:00:00Z": "2027-01-01T03:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339, paid)
		assert.NoError(t, err)
		assert.Equal(t, want, NextSplitRun(at).Format(time.RFC3339))
	}
}

func TestSplitKeyTypesAreCheckedAgainstTheKey(t *testing.T) {
	t.Parallel()
	keys := map[SplitKeyType][]string{
		"EMAIL":  {"ana@example.com"},
		"PHONE":  {"11987654321", "1133334444", "+5511987654321"},
		"CPF":    {"12345678909"},
		"CNPJ":   {"11222333000181"},
		"RANDOM": {"123e4567-e12b-12d1-a456-426655440000", "123e4567e12b12d1a456426655440000"},
	}
	for keyType := range splitKeyTypes {
		for owner, examples := range keys {
			for _, key := range examples {
				// eleven digits are both a phone number and a CPF
				want := owner == keyType || allDigits(key) && len(key) == cpfDigits && (keyType == "CPF" || keyType == "PHONE")
				assert.Equal(t, want, keyType.Matches(key), "%s %s", keyType, key)
			}
		}
		assert.NotEmpty(t, keyType.Format())
	}
	assert.False(t, SplitKeyType("DOCUMENT").Matches("12345678909"))
}
