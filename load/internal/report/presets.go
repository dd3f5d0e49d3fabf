package report

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"github.com/pixcert/pixcert/load/internal/preset"
)

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
