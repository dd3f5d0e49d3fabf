package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/preset"
)

// Sources are presets by their source: "correct, valid: chosen by pixcert".
func Sources(presets []preset.Source) (lines []string) {
	names := map[string]string{}
	for _, p := range presets {
		of := sourceOf(p)
		names[of] = strings.TrimPrefix(names[of]+", "+p.Name, ", ")
	}
	for of, name := range names {
		lines = append(lines, name+": "+of)
	}
	slices.Sort(lines)
	return lines
}

// sourceOf is a preset's source with its date.
func sourceOf(p preset.Source) string {
	return p.Source + either(p.Date == "", "", " ("+p.Date+")")
}

// Presets writes the limits and sources of the named presets, or of all presets if none is named.
func Presets(w io.Writer, color bool, names ...string) error {
	s := &screen{Writer: bufio.NewWriter(w), color: color}
	if len(names) == 0 {
		names = preset.Names()
	}
	for _, name := range names {
		thresholds, sources, err := preset.Thresholds(name)
		if err != nil {
			return err
		}
		fmt.Fprintln(s, s.paint(strong, name))
		s.para(soft, "  ", sources[0].Purpose+"; "+sourceOf(sources[0]))
		for _, metric := range slices.Sorted(maps.Keys(thresholds)) {
			for _, limit := range thresholds[metric] {
				s.para(plain, "    ", metric+": "+limit)
			}
		}
		fmt.Fprintln(s)
	}
	return s.Flush()
}
