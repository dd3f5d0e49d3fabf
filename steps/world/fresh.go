package world

import (
	"crypto/rand"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/judge"
)

const emailDomain = "@payee.example"

func freshEmail(s *Stage) string { return s.Fresh("payee") + emailDomain }

func freshOrder(w *World) string { return w.Fresh(w.data.mark) }

// freshText returns n random letters and digits: unique, unless n is small.
func freshText(n int) string {
	t := "Tt"
	for len(t) < n {
		t += strings.ReplaceAll(uuid.NewString(), "-", "")
	}
	return t[:n]
}

// freshEndToEndID is an end-to-end id that no bank has issued.
func freshEndToEndID(w *World) string {
	return "E60701190" + w.the().now().UTC().Format("200601021504") + freshText(11)
}

// freshCode is a BR Code that has not been used before.
func freshCode(w *World, dynamic bool) brcode.Code {
	c := brcode.Code{Dynamic: dynamic, Location: freshEmail(w.Stage), Payee: payee.name}
	if dynamic {
		c.Location = "pix.example.com/" + freshText(32)
	}
	return c
}

// freshCPF and freshCNPJ are documents with the right check digits that nobody else uses. They begin
// with that digit.
func freshCPF(digit string) string  { return withCheckDigits(digit+digits(8), cpfWeights) }
func freshCNPJ(digit string) string { return withCheckDigits(digit+digits(11), cnpjWeights) }

var (
	cpfWeights  = []int{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}
	cnpjWeights = []int{6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}
)

// digits returns n random digits, of which the first is not zero.
func digits(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	for i := range b {
		b[i] = '0' + b[i]%10
	}
	b[0] = '1' + (b[0]-'0')%9
	return string(b)
}

// withCheckDigits appends two check digits. Each is the weighted sum of all digits before it, modulo
// 11 and subtracted from 11; the last weights apply.
func withCheckDigits(base string, weights []int) string {
	for range 2 {
		sum := 0
		for i, weight := range weights[len(weights)-len(base):] {
			sum += int(base[i]-'0') * weight
		}
		check := 11 - sum%11
		if check > 9 {
			check = 0
		}
		base += string(rune('0' + check))
	}
	return base
}

// endToEndID returns the end-to-end id of the last payment that the account has received. If there
// is none, it returns an id that no payment has.
func endToEndID(w *World) string {
	if id := judge.EndToEndID(w.Judge.View); id != "" {
		return id
	}
	return freshEndToEndID(w)
}

// payeesKey returns the key that the account has paid last.
func payeesKey(w *World) string {
	for _, t := range slices.Backward(w.Judge.Attempts) {
		if key := t.SentText("details.key"); key != "" {
			return key
		}
	}
	return freshEmail(w.Stage)
}

// lastExternalID returns the externalId of the last order that has one. If there is none, it returns
// an id that no order has.
func lastExternalID(w *World) string {
	all := w.Judge.Attempts
	if t := w.Judge.Meant(); t != nil {
		all = append(slices.Clone(all), t)
	}
	for _, t := range slices.Backward(all) {
		if id, ok := t.ExternalID(); ok {
			return id
		}
	}
	return freshOrder(w)
}
