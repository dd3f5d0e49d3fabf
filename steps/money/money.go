// Package money holds amounts of BRL in whole centavos. No float touches an amount.
package money

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/pixcert/pixcert/steps/jsonvalue"
)

// Centavos is an amount of BRL in whole centavos.
type Centavos int64

// Most is more than any balance.
const Most = Centavos(1) << 62

var hundred = big.NewRat(100, 1)

// Parse reads a decimal literal in reais ("10", "10.00", "1e1"). It fails when that is not
// a whole number of centavos.
func Parse(decimal string) (Centavos, error) {
	if c, ok := plain(decimal); ok {
		return c, nil
	}
	r, ok := new(big.Rat).SetString(decimal) // which also reads "20/2" and "0xA", and bounds exponents
	if !ok || strings.Trim(decimal, "0123456789.eE+-") != "" {
		return 0, fmt.Errorf("%q is not an amount", decimal)
	}
	r.Mul(r, hundred)
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, fmt.Errorf("%s is not a whole number of centavos", decimal)
	}
	return Centavos(r.Num().Int64()), nil
}

// plain reads what nearly all amounts are: up to fifteen digits, with at most two more behind a point.
// A run of the suite reads hundreds of thousands.
func plain(decimal string) (c Centavos, ok bool) {
	whole, cents, _ := strings.Cut(decimal, ".")
	if whole == "" || len(whole) > 15 || len(cents) > 2 || len(cents) == 0 && len(whole) != len(decimal) {
		return 0, false
	}
	for _, digits := range []string{whole, (cents + "00")[:2]} {
		for i := range len(digits) {
			if digits[i] < '0' || digits[i] > '9' {
				return 0, false
			}
			c = 10*c + Centavos(digits[i]-'0')
		}
	}
	return c, true
}

// Of reads the amount of a decoded JSON number; false for anything else.
func Of(v any) (Centavos, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	c, err := Parse(n.String())
	return c, err == nil
}

// At reads the JSON number at a path; false if there is none.
func At(v any, path string) (Centavos, bool) { return Of(jsonvalue.Find(v, path).Value) }

// OrZero reads an optional decimal; zero when it is missing or not an amount.
func OrZero(decimal string) Centavos {
	c, err := Parse(decimal)
	if err != nil {
		return 0
	}
	return c
}

// String is the amount as the features write it: "R$ 10.00".
func (c Centavos) String() string { return "R$ " + c.Decimal() }

// Decimal is the amount as requests and controls take it: "10.00".
func (c Centavos) Decimal() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s%d.%02d", sign, c/100, c%100)
}
