package steps

import (
	"crypto/rand"
	"strings"
)

// digits are that many random digits, of which the first is no zero.
func digits(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	for i := range b {
		b[i] = '0' + b[i]%10
	}
	b[0] = '1' + (b[0]-'0')%9
	return string(b)
}

// freshCPF and freshCNPJ are documents with right check digits that nobody else uses.
func freshCPF() string  { return withCheckDigits(digits(9), "11 10 9 8 7 6 5 4 3 2") }
func freshCNPJ() string { return withCheckDigits(digits(12), "6 5 4 3 2 9 8 7 6 5 4 3 2") }

// withCheckDigits appends two digits, each by the weights that end with the digit
// before it: the sum of the products modulo 11.
func withCheckDigits(base, weights string) string {
	all := strings.Fields(weights)
	for range 2 {
		of := all[len(all)-len(base):]
		sum := 0
		for i, d := range base {
			sum += int(d-'0') * atoi(of[i])
		}
		check := 11 - sum%11
		if check > 9 {
			check = 0
		}
		base += string(rune('0' + check))
	}
	return base
}

// isMasked: a document that does not show all of its digits.
func isMasked(v any) bool {
	s, ok := v.(string)
	if !ok || s == "" {
		return false
	}
	shown := 0
	for _, r := range s {
		if '0' <= r && r <= '9' {
			shown++
		}
	}
	return shown < len(payee.document)
}
