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
	known := map[string]preset.Source{}
	all := names
	for _, p := range preset.List() {
		known[p.Name] = p
		if len(names) == 0 {
			all = append(all, p.Name)
		}
	}
	for _, name := range all {
		thresholds, _, err := preset.Thresholds(name)
		if err != nil {
			return err
		}
		s.WriteString(s.paint(strong, name) + "\n")
		s.para(soft, "  ", known[name].Purpose+"; "+sourceOf(known[name]))
		for _, metric := range slices.Sorted(maps.Keys(thresholds)) {
			for _, limit := range thresholds[metric] {
				s.para(plain, "    ", metric+": "+limit)
			}
		}
		s.WriteString("\n")
	}
	return s.Flush()
}
