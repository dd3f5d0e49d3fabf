package pix

import (
	"fmt"
	"strings"
)

// Lengths of the Brazilian tax ids, in digits.
const (
	cpfDigits  = 11
	cnpjDigits = 14
)

// DocumentForm says what IsDocument accepts.
var DocumentForm = fmt.Sprintf("a CPF of %d or a CNPJ of %d digits", cpfDigits, cnpjDigits)

// IsDocument says whether s has the form of a CPF (11 digits) or a CNPJ (14 digits).
// Its check digits are not looked at: see ValidDocument.
func IsDocument(s string) bool {
	return (len(s) == cpfDigits || len(s) == cnpjDigits) && allDigits(s)
}

// ValidDocument says whether s is a CPF or a CNPJ whose check digits are right. A CPF
// of eleven equal digits has right check digits and is invalid all the same.
func ValidDocument(s string) bool {
	if !IsDocument(s) {
		return false
	}
	if len(s) == cpfDigits && allEqual(s) {
		return false
	}
	body := s[:len(s)-2]
	return WithCheckDigits(body) == s
}

// MaskDocument hides the ends of a CPF, ***.982.247-**, or a CNPJ, **.222.333/0001-**,
// and all of what is neither.
func MaskDocument(s string) string {
	switch {
	case !IsDocument(s):
		return strings.Repeat("*", len(s))
	case len(s) == cpfDigits:
		return "***." + s[3:6] + "." + s[6:9] + "-**"
	}
	return "**." + s[2:5] + "." + s[5:8] + "/" + s[8:12] + "-**"
}

// WithCheckDigits completes the first 9 digits of a CPF or the first 12 of a CNPJ.
func WithCheckDigits(body string) string {
	highest := 9 // weights of a CNPJ run 2..9 from the right, and again
	if len(body) == cpfDigits-2 {
		highest = 11 // those of a CPF do not wrap
	}
	for range 2 {
		body += string(checkDigit(body, highest))
	}
	return body
}

// checkDigit weighs the digits 2, 3, 4 ... from the right, starting over after the
// highest weight, and takes the sum modulo 11.
func checkDigit(digits string, highest int) byte {
	sum, weight := 0, 2
	for i := len(digits) - 1; i >= 0; i-- {
		sum += int(digits[i]-'0') * weight
		if weight++; weight > highest {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}

func allEqual(s string) bool {
	for i := range len(s) {
		if s[i] != s[0] {
			return false
		}
	}
	return true
}
