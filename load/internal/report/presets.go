package report

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/preset"
)

// Sources are presets by their source: "correct, valid: chosen by pixcert".
func Sources(presets []preset.Source) (lines []string) {
	sources, groups := grouped(presets, sourceOf)
	for i, source := range sources {
		var names []string
		for _, p := range groups[i] {
			names = append(names, p.Name)
		}
		lines = append(lines, strings.Join(names, ", ")+": "+source)
	}
	return lines
}

// Presets writes the limits and sources of the named presets, or of all presets if none is
// named.
func Presets(w io.Writer, colour bool, names ...string) error {
	s := &screen{Writer: bufio.NewWriter(w), colour: colour}
	if len(names) == 0 {
		names = preset.Names()
	}
	for _, name := range names {
		thresholds, sources, err := preset.Thresholds(name)
		if err != nil {
			return err
		}
		s.WriteString(s.paint(strong, name) + "\n")
		s.para(soft, "  ", sources[0].Purpose+"; "+sourceOf(sources[0]))
		for _, metric := range slices.Sorted(maps.Keys(thresholds)) {
			for _, limit := range thresholds[metric] {
				s.para(plain, "    ", metric+": "+limit)
			}
		}
		s.WriteString("\n")
	}
	return s.Flush()
}
