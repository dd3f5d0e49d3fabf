// Package preset provides named thresholds for a run, with the sources of their limits.
package preset

import (
	"fmt"
	"slices"
	"strings"
)

// Source of a preset's limits.
type Source struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose"` // what the limits are for
	Source  string `json:"source"`
	Date    string `json:"date,omitempty"` // of the source, YYYY-MM-DD or YYYY; empty if chosen by pixcert
}

// Thresholds returns the thresholds of the named presets, by metric as in options.thresholds,
// and the presets in the given order. If two presets limit one metric, both limits apply. With any
// preset, an invalid run fails, because its figures prove nothing. An unknown name is an error that
// lists the known names.
func Thresholds(names ...string) (map[string][]string, []Source, error) {
	thresholds := make(map[string][]string)
	var sources []Source
	for _, name := range names {
		i := slices.IndexFunc(presets, func(p preset) bool { return p.Name == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("expected one of the presets %s, got %q", strings.Join(Names(), ", "), name)
		}
		if slices.Contains(sources, presets[i].Source) {
			continue
		}
		sources = append(sources, presets[i].Source)
		for _, limit := range append(none("pix_invalid"), presets[i].limits...) {
			if !slices.Contains(thresholds[limit.metric], limit.expression) {
				thresholds[limit.metric] = append(thresholds[limit.metric], limit.expression)
			}
		}
	}
	return thresholds, sources, nil
}

// Names are those of all presets.
func Names() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.Name
	}
	return names
}
