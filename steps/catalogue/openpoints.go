package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"go.yaml.in/yaml/v3"
)

// OpenPoint is a question that the specification leaves open.
type OpenPoint struct {
	Name      string
	Question  string
	Permitted string    // what a target may do without failing
	Readings  []Reading // a target must follow one of them throughout; none if they cannot be listed, or if it may choose each time
}

// Reading is one permitted answer to the question of an open point.
type Reading struct{ Name, Means string }

// Tag marks the scenarios and rules that recommend something about the open point.
func (p OpenPoint) Tag() string { return OpenTag + strings.ReplaceAll(p.Name, " ", "-") }

// OpenTag is the prefix of the tags that name an open point.
const OpenTag = "@open:"

const openPointsFile = "open-points.yaml"

// leastReadings: a question with one permitted answer is not open.
const leastReadings = 2

// OpenPoints reads open-points.yaml at the root of fsys: a list of points, each with a unique name, a
// question, and either a description of what is permitted or the permitted readings. Errors name the
// file and line.
func OpenPoints(fsys fs.FS) ([]OpenPoint, error) {
	content, err := fs.ReadFile(fsys, openPointsFile)
	if err != nil {
		return nil, fmt.Errorf("reading the open points: %w", err)
	}
	var points []OpenPoint
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&points); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: expected a list of name, question, and permitted or readings: %w", openPointsFile, err)
	}
	var document yaml.Node // parsed again for the line numbers
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", openPointsFile, err)
	}
	if len(document.Content) > 0 && len(document.Content[0].Content) != len(points) {
		return nil, fmt.Errorf("%s: empty entry in the list", openPointsFile)
	}
	lines := map[string]int{}
	for i, p := range points {
		line := document.Content[0].Content[i].Line
		if p.Name == "" || p.Question == "" || (p.Permitted == "") == (len(p.Readings) == 0) {
			return nil, fmt.Errorf("%s:%d: an open point requires name, question and either permitted or readings", openPointsFile, line)
		}
		if len(p.Readings) > 0 {
			if points[i].Permitted = permitted(p.Readings); points[i].Permitted == "" {
				return nil, fmt.Errorf("%s:%d: %q requires at least %d readings, each with a unique name and a meaning", openPointsFile, line, p.Name, leastReadings)
			}
		}
		if first, used := lines[p.Name]; used {
			return nil, fmt.Errorf("%s:%d: duplicate open point %q, also at line %d", openPointsFile, line, p.Name, first)
		}
		lines[p.Name] = line
	}
	return points, nil
}

// permitted describes the readings in words; empty if they are invalid.
func permitted(readings []Reading) string {
	names, words := map[string]bool{}, []string{}
	for _, r := range readings {
		if r.Name == "" || r.Means == "" || names[r.Name] {
			return ""
		}
		names[r.Name] = true
		words = append(words, r.Name+" ("+r.Means+")")
	}
	if len(words) < leastReadings {
		return ""
	}
	return "one of these in all scenarios: " + strings.Join(words, ", or ")
}
