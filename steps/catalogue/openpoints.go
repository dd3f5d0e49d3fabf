package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"go.yaml.in/yaml/v3"
)

// OpenPoint is a question that the specification leaves open.
type OpenPoint struct {
	Name      string
	Question  string
	Permitted string // what a target may do without failing
}

const openPointsFile = "open-points.yaml"

// OpenPoints reads open-points.yaml at the root of fsys: a list of name, question
// and permitted, all of them given, each name once. Errors name the file and line.
func OpenPoints(fsys fs.FS) ([]OpenPoint, error) {
	content, err := fs.ReadFile(fsys, openPointsFile)
	if err != nil {
		return nil, fmt.Errorf("reading the open points: %w", err)
	}
	var points []OpenPoint
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&points); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: expected a list of name, question and permitted: %w", openPointsFile, err)
	}
	var document yaml.Node // the same again, for its lines
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", openPointsFile, err)
	}
	if len(document.Content) > 0 && len(document.Content[0].Content) != len(points) {
		return nil, fmt.Errorf("%s: an entry of the list is empty", openPointsFile)
	}
	lines := map[string]int{}
	for i, p := range points {
		line := document.Content[0].Content[i].Line
		if p.Name == "" || p.Question == "" || p.Permitted == "" {
			return nil, fmt.Errorf("%s:%d: an open point needs a name, a question and what is permitted", openPointsFile, line)
		}
		if first, used := lines[p.Name]; used {
			return nil, fmt.Errorf("%s:%d: the open point %q is at line %d already", openPointsFile, line, p.Name, first)
		}
		lines[p.Name] = line
	}
	return points, nil
}
