package pix

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Centavos is an amount of money in hundredths of a real. Its JSON is a number
// with two decimals, 10.00.
type Centavos int64

const (
	// MinAmount is the least that can be paid ("Limits": minimum amount 0.01).
	MinAmount Centavos = 1
	// MaxAmount is the most that an amount or a balance can be: R$ 99999999999999.99,
	// far from where a sum of two would overflow.
	MaxAmount Centavos = 9_999_999_999_999_999
)

// Payable says whether so much can be paid.
func (c Centavos) Payable() bool { return c >= MinAmount && c <= MaxAmount }

// PayableBounds says what Payable requires: "must be at least 0.01 and at most ...".
var PayableBounds = fmt.Sprintf("must be at least %s and at most %s", MinAmount, MaxAmount)

// checkPayable refuses an amount that is not Payable.
func checkPayable(code, field string, amount Centavos) error {
	if amount.Payable() {
		return nil
	}
	return Refuse(code, fmt.Sprintf("%s %s, got %s", field, PayableBounds, amount))
}

// What ParseAmount may find wrong with a literal.
var (
	ErrAmountMalformed = errors.New("expected a decimal number such as 10.00")
	ErrAmountDecimals  = errors.New("expected at most two decimals")
	ErrAmountRange     = fmt.Errorf("expected an amount within ±%s", MaxAmount)
)

const (
	maxLiteral  = 64  // characters; a longer number is no amount that anybody means
	maxExponent = 999 // beyond it only zero is in range
)

var maxDigits = len(strconv.FormatInt(int64(MaxAmount), 10))

// ParseAmount reads an amount in reais from the literal of a JSON number or from a
// decimal string of the same grammar: 10, 10.5, 1.230 (that is 1.23), 1e1 (that is
// 10.00). The result may be zero or negative: what an amount must be at least is
// the business of who takes it. Errors wrap ErrAmountMalformed, ErrAmountDecimals
// (a third decimal that is not zero) or ErrAmountRange.
func ParseAmount(literal string) (Centavos, error) {
	if len(literal) > maxLiteral {
		return 0, fmt.Errorf("%w, got a number of %d characters", ErrAmountRange, len(literal))
	}
	number, ok := splitNumber(literal)
	if !ok {
		return 0, fmt.Errorf("%w, got %q", ErrAmountMalformed, literal)
	}
	amount, err := number.centavos()
	if err != nil {
		return 0, fmt.Errorf("%w, got %s", err, literal)
	}
	return amount, nil
}

// decimal is digits × 10^exponent; digits have no zeros at either end.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func (d decimal) centavos() (Centavos, error) {
	if d.digits == "" {
		return 0, nil
	}
	zeros := d.exponent + 2 // what is left to append once counted in centavos
	if zeros < 0 {
		return 0, ErrAmountDecimals
	}
	if len(d.digits)+zeros > maxDigits {
		return 0, ErrAmountRange
	}
	n, err := strconv.ParseInt(d.digits+strings.Repeat("0", zeros), 10, 64)
	if err != nil {
		return 0, ErrAmountMalformed
	}
	if d.negative {
		n = -n
	}
	return Centavos(n), nil
}

// splitNumber follows the grammar of a JSON number (RFC 8259, section 6).
func splitNumber(s string) (decimal, bool) {
	rest, negative := strings.CutPrefix(s, "-")
	mantissa, exponent, ok := cutExponent(rest)
	if !ok {
		return decimal{}, false
	}
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	if !allDigits(whole) || hasPoint && !allDigits(fraction) || len(whole) > 1 && whole[0] == '0' {
		return decimal{}, false
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	return decimal{
		negative: negative,
		digits:   significant,
		exponent: exponent - len(fraction) + len(digits) - len(significant),
	}, true
}

// cutExponent takes the exponent off a number. One beyond maxExponent is cut to it:
// the number is out of range or zero all the same.
func cutExponent(s string) (mantissa string, exponent int, ok bool) {
	at := strings.IndexAny(s, "eE")
	if at < 0 {
		return s, 0, true
	}
	mantissa, s = s[:at], s[at+1:]
	sign := 1
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = -1, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if !allDigits(s) {
		return "", 0, false
	}
	exponent, err := strconv.Atoi(s)
	if err != nil || exponent > maxExponent {
		exponent = maxExponent
	}
	return mantissa, sign * exponent, true
}

// allDigits says whether s is one or more ASCII digits.
func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// String gives the amount in reais with two decimals, "10.00", without a currency.
func (c Centavos) String() string { return string(c.appendTo(nil)) }

// MarshalJSON writes the amount as a number with two decimals.
func (c Centavos) MarshalJSON() ([]byte, error) { return c.appendTo(nil), nil }

func (c Centavos) appendTo(b []byte) []byte {
	n := uint64(c)
	if c < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/100, 10)
	return append(b, '.', byte('0'+n%100/10), byte('0'+n%10))
}
