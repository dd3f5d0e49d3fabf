package mutants

import (
	"encoding/json"
	"math/big"
)

// times multiplies an amount by a fraction: times("value", 1, 100) takes it for
// centavos.
func times(path string, by, over int64) edit {
	return reckoned(path, func(r *big.Rat) *big.Rat { return r.Mul(r, big.NewRat(by, over)) })
}

// plus adds centavos to an amount, a number or a text.
func plus(path string, centavos int64) edit {
	return reckoned(path, func(r *big.Rat) *big.Rat { return r.Add(r, big.NewRat(centavos, 100)) })
}

// reckoned makes an amount another one, written with two decimals as what it was.
func reckoned(path string, reckon func(*big.Rat) *big.Rat) edit {
	return at(path, func(v any) any {
		written, ok := spelt(v)
		if !ok {
			return v
		}
		s := reckon(rational(written)).FloatString(2)
		if _, isText := v.(string); isText {
			return s
		}
		return json.Number(s)
	})
}

// rounded cuts an amount to a multiple of so many centavos.
func rounded(path string, step int64) edit {
	return inCentavos(path, func(c int64) int64 { return c - c%step })
}

// binary makes an amount what a gateway gets who reckons in binary fractions and cuts
// what is left of a centavo: 0.29 becomes 0.28. The float is the fault.
func binary(path string) edit {
	return inCentavos(path, func(c int64) int64 { return int64(float64(c) / 100 * 100) })
}

func inCentavos(path string, reckon func(int64) int64) edit {
	return reckoned(path, func(r *big.Rat) *big.Rat {
		c := r.Mul(r, big.NewRat(100, 1))
		if !c.IsInt() || !c.Num().IsInt64() {
			return c.Mul(c, big.NewRat(1, 100))
		}
		return big.NewRat(reckon(c.Num().Int64()), 100)
	})
}

// sum makes an amount the sum of others of the same message.
func sum(path string, of ...string) edit {
	return func(m *message) {
		total := new(big.Rat)
		for _, p := range of {
			v, _ := lookup(m.body, p)
			if s, ok := spelt(v); ok {
				total.Add(total, rational(s))
			}
		}
		at(path, func(any) any { return json.Number(total.FloatString(2)) })(m)
	}
}
