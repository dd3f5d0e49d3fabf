// Package spelling finds what somebody may have meant by a name that is not known.
package spelling

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest gives those of known that someone who wrote name may have meant, the likeliest
// first and at most that many: names that differ by few characters, or contain it.
func Nearest(name string, known []string, atMost int) []string {
	type guess struct {
		name  string
		edits int
	}
	var guesses []guess
	most := max(2, len(name)/3)
	for _, k := range slices.Sorted(slices.Values(known)) {
		if !isPart(name, k) && (len(k) > len(name)+most || len(name) > len(k)+most) {
			continue // cheaper than to compare them
		}
		if edits := distance(strings.ToLower(name), strings.ToLower(k)); edits <= most || isPart(name, k) {
			guesses = append(guesses, guess{k, edits})
		}
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(a.edits, b.edits) })
	var names []string
	for _, g := range guesses[:min(atMost, len(guesses))] {
		names = append(names, g.name)
	}
	return names
}

// isPart says whether name is one of the words of k, as "night-limit" is of
// "cash-out.night-limit". A tag begins with @ even where it names a part.
func isPart(name, k string) bool {
	name = strings.TrimPrefix(name, "@")
	return len(name) > 2 && strings.Contains(k, name)
}

// longest bounds what is compared: nobody means a name by a text of a page.
const longest = 100

// distance is the least number of characters to insert, delete or replace that
// makes a of b (Levenshtein).
func distance(a, b string) int {
	if len(a) > longest {
		return len(a)
	}
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			replaced := diagonal
			if r != s {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
