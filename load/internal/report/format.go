package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pixcert/pixcert/load/internal/data"
)

// none stands for a missing value: a quantile of no samples is not 0.
const none = "–"

// Milliseconds prints a duration with three significant digits in a suitable unit.
func Milliseconds(ms float64) string {
	switch {
	case ms == 0:
		return "0 ms"
	case ms < 0.9995:
		return significant(ms*1000) + " µs"
	case ms < 999.5:
		return significant(ms) + " ms"
	case ms < 600_000:
		return significant(ms/1000) + " s"
	}
	return time.Duration(ms * float64(time.Millisecond)).Round(time.Second).String()
}

// significant prints v, below 1000, with three digits and no trailing zeros.
func significant(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// count prints n with thousands separators.
func count(n int64) string { return data.FormatCount(n) }

// number prints a float that may be a count.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 || math.Abs(v) >= 1000 {
		return count(int64(math.Round(v)))
	}
	return significant(v)
}

// precise prints a figure that is compared with a limit, with digits that show 499.9996 as less than 500.
func precise(v float64) string {
	if v == math.Trunc(v) {
		return number(v)
	}
	for digits := 5; ; digits++ {
		s := strconv.FormatFloat(v, 'g', digits, 64)
		if shown, err := strconv.ParseFloat(s, 64); err != nil || shown != math.Trunc(shown) {
			return s
		}
	}
}

// preciseMilliseconds is Milliseconds for such a figure: if it is shown in seconds, the
// exact milliseconds follow, because limits are in milliseconds.
func preciseMilliseconds(ms float64) string {
	if ms < 1000 {
		return precise(ms) + " ms"
	}
	return Milliseconds(ms) + " (" + precise(ms) + " ms)"
}

// reais prints centavos as an amount.
func reais(centavos int64) string {
	sign := ""
	if centavos < 0 {
		sign, centavos = "-", -centavos
	}
	return fmt.Sprintf("%sR$ %s.%02d", sign, count(centavos/100), centavos%100)
}

// percent prints a share of 1.
func percent(share float64) string { return significant(share*100) + "%" }

// Plural prints a count with its noun.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// visible escapes every control character, such as an escape sequence or a change of text direction.
func visible(s string) string {
	var b strings.Builder
	for _, c := range s {
		if unicode.IsPrint(c) {
			b.WriteRune(c)
			continue
		}
		quoted := strconv.QuoteRune(c)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}
