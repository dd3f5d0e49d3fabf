package kubernetes

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// imported matches the imports of a script that are files.
var imported = regexp.MustCompile(`(?m)^\s*(?:import|(?:import|export)\b[^"';]*\bfrom)\s*["']((?:\.|/|file:)[^"']*)["']`)

// collect reads a script and the files in its folder that it imports, by name.
func collect(script string) (map[string]string, error) {
	folder, files := filepath.Dir(script), map[string]string{}
	for queue := []string{filepath.Base(script)}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if _, known := files[name]; known {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, fmt.Errorf("script %s: %w", script, err)
		}
		files[name] = string(content)
		for _, match := range imported.FindAllStringSubmatch(string(content), -1) {
			beside, ok := strings.CutPrefix(match[1], "./")
			if !ok || strings.Contains(beside, "/") {
				return nil, fmt.Errorf("script %s: expected imports from its own folder, because a ConfigMap has no folders, got %s in %s: bundle the script, or add it to the image",
					script, match[1], name)
			}
			queue = append(queue, beside)
		}
	}
	return files, nil
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
