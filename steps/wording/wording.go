// Package wording puts numbers into sentences.
package wording

import "fmt"

// Count is a number with its noun: "1 rule", "2 rules".
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Choose(n, noun, noun+"s")) }

// Choose is the word that goes with a number: of one, or of several or none.
func Choose(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}
