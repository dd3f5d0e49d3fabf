package catalogue

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// meant names those of known that someone who wrote name may have meant, as the
// end of a sentence.
func meant(name string, known map[string]bool) string {
	const atMost = 3
	type guess struct {
		name  string
		edits int
	}
	var guesses []guess
	for _, k := range slices.Sorted(maps.Keys(known)) {
		if edits := distance(name, k); edits <= max(2, len(name)/3) || isPart(name, k) {
			guesses = append(guesses, guess{k, edits})
		}
	}
	if len(guesses) == 0 {
		return "; the areas are " + strings.Join(areas(known), ", ")
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(a.edits, b.edits) })
	var names []string
	for _, g := range guesses[:min(atMost, len(guesses))] {
		names = append(names, g.name)
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// areas are the first words of names, each once, in alphabetical order.
func areas(names map[string]bool) []string {
	found := map[string]bool{}
	for name := range names {
		area, _, _ := strings.Cut(name, ".")
		found[area] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// isPart says whether name is one of the words of k, as "night-limit" is of
// "cash-out.night-limit".
func isPart(name, k string) bool {
	name = strings.TrimPrefix(name, "@")
	return len(name) > 2 && strings.Contains(k, name)
}

// distance is the least number of characters to insert, delete or replace that
// makes a of b (Levenshtein).
func distance(a, b string) int {
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
