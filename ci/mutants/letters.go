package mutants

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// What gateways do to texts on their way.

// mojibake reads UTF-8 as Latin-1.
func mojibake(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// withoutEmoji has a question mark for each character that takes four bytes.
func withoutEmoji(s string) string {
	return strings.Map(func(r rune) rune {
		if utf8.RuneLen(r) > 3 {
			return '?'
		}
		return r
	}, s)
}

// unaccented takes the marks of Portuguese letters away.
var unaccented = strings.NewReplacer("á", "a", "â", "a", "ã", "a", "à", "a", "é", "e", "ê", "e", "í", "i",
	"ó", "o", "ô", "o", "õ", "o", "ú", "u", "ç", "c", "Á", "A", "É", "E", "Í", "I", "Ó", "O", "Ú", "U", "Ç", "C").Replace

// unpadded takes leading zeros away, trimmedZeros those at the end.
func unpadded(s string) string     { return strings.TrimLeft(s, "0") }
func trimmedZeros(s string) string { return strings.TrimRight(s, "0") }

// shorter takes the last character away.
func shorter(s string) string { return s[:len(s)-1] }

// digitsOnly takes punctuation away.
func digitsOnly(s string) string { return regexp.MustCompile(`\D`).ReplaceAllString(s, "") }

// thousands writes an amount with a separator: 1,234.50.
func thousands(s string) string {
	return regexp.MustCompile(`^(\d+)(\d{3}\.)`).ReplaceAllString(s, "$1,$2")
}

// tenths writes 1.05 as 1.5.
func tenths(s string) string { return regexp.MustCompile(`\.0([1-9])$`).ReplaceAllString(s, ".$1") }

// beforeQuery cuts a URL at its query.
func beforeQuery(s string) string {
	before, _, _ := strings.Cut(s, "?")
	return before
}

// aDayEarly gives times of the evening in São Paulo its date, but the hour in UTC.
func aDayEarly(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.UTC().Hour() >= 3 {
		return s
	}
	return t.UTC().AddDate(0, 0, -1).Format("2006-01-02T15:04:05.000Z")
}
