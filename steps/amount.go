package steps

import (
	"encoding/json"
	"fmt"
	"math/big"
)

// centavos is an amount of BRL in whole centavos.
type centavos int64

var hundred = big.NewRat(100, 1)

// parseAmount reads a decimal literal of reais ("10", "10.00", "1e1"). It fails on
// what is no whole number of centavos. Exponents are expected to be bounded already.
func parseAmount(decimal string) (centavos, error) {
	r, ok := new(big.Rat).SetString(decimal)
	if !ok {
		return 0, fmt.Errorf("%q is no amount", decimal)
	}
	r.Mul(r, hundred)
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, fmt.Errorf("%s is no whole number of centavos", decimal)
	}
	return centavos(r.Num().Int64()), nil
}

// String is the amount as the features write it: "R$ 10.00".
func (c centavos) String() string { return "R$ " + c.decimal() }

// decimal is the amount as the controls take it: "10.00".
func (c centavos) decimal() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s%d.%02d", sign, c/100, c%100)
}

func ratio(n json.Number) (*big.Rat, bool) { return new(big.Rat).SetString(n.String()) }
