package data

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Amount is centavos. A script writes it as a decimal string, because JavaScript numbers are not exact.
type Amount int64

// UnmarshalJSON reads what a script has written.
func (a *Amount) UnmarshalJSON(text []byte) error {
	var literal string
	if err := json.Unmarshal(text, &literal); err != nil {
		return fmt.Errorf(`expected an amount as a string, such as "10.00", got %s`, text)
	}
	centavos, err := ParseAmount(literal)
	*a = Amount(centavos)
	return err
}

const mostCentavos = 999_999_999_999_999_999 // below ten quadrillion reais, which fit into an int64 of centavos

// ParseAmount converts a decimal literal in JSON syntax (10, 10.5, 10.50, 1e2) to centavos,
// without a float. An amount that is not a whole number of centavos is an error.
func ParseAmount(literal string) (centavos int64, err error) {
	fail := func(why string) (int64, error) {
		return 0, fmt.Errorf("expected an amount in BRL with at most 2 decimals, got %.40q: %s", literal, why)
	}
	mantissa, exponent, err := splitExponent(literal)
	if err != nil {
		return fail("the exponent is not a number from -99 to 99")
	}
	negative := strings.HasPrefix(mantissa, "-")
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	if whole == "" || pointed && fraction == "" || !isDigits(whole) || !isDigits(fraction) {
		return fail("not a number")
	}
	digits, point := whole+fraction, len(whole)+exponent+2 // the position after the centavos
	digits = strings.Repeat("0", max(-point, 0)) + digits + strings.Repeat("0", max(point-len(digits), 0))
	point = max(point, 0)
	if strings.Trim(digits[point:], "0") != "" {
		return fail("a fraction of a centavo")
	}
	centavos, err = strconv.ParseInt("0"+digits[:point], 10, 64)
	if err != nil || centavos > mostCentavos {
		return fail("too large")
	}
	if negative {
		centavos = -centavos
	}
	return centavos, nil
}

// FormatAmount is centavos as a decimal with 2 places: 1234 is 12.34.
func FormatAmount(centavos int64) string {
	sign, whole, cents := "", centavos/100, centavos%100
	if centavos < 0 {
		sign, whole, cents = "-", -whole, -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, whole, cents)
}

// FormatCount is n with thousands separators.
func FormatCount(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

func splitExponent(literal string) (mantissa string, exponent int, err error) {
	i := strings.IndexAny(literal, "eE")
	if i < 0 {
		return literal, 0, nil
	}
	exponent, err = strconv.Atoi(literal[i+1:])
	if err == nil && (exponent < -99 || exponent > 99) {
		err = strconv.ErrRange
	}
	return literal[:i], exponent, err
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// timeLayouts are ISO 8601 times: with an offset, possibly without its colon or minutes, or
// without an offset. Seconds may have a fraction in all of them.
var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05"}

// ParseTime parses an ISO 8601 time, also with a space instead of the T. Without an offset it is UTC.
func ParseTime(s string) (time.Time, error) {
	text := s
	if len(text) > 10 && text[10] == ' ' {
		text = strings.Replace(text, " ", "T", 1)
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("expected a time in ISO 8601, such as 2026-01-02T15:04:05Z, got %.40q", s)
}
