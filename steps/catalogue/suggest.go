package catalogue

import (
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/spelling"
)

// meant names those of known that someone who wrote name may have meant, as the
// end of a sentence.
func meant(name string, known map[string]bool) string {
	names := spelling.Nearest(name, slices.Collect(maps.Keys(known)), 3)
	if len(names) == 0 {
		return "; the areas are " + strings.Join(areas(known), ", ")
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
