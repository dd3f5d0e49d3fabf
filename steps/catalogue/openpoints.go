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
	Readings  []Reading // a target fits one of them in all that it does; none if they cannot be listed, or if it may choose each time
}

// Reading is one permitted answer to the question of an open point.
type Reading struct{ Name, Means string }

// Tag marks the scenarios and rules that recommend something about the open point.
func (p OpenPoint) Tag() string { return OpenTag + strings.ReplaceAll(p.Name, " ", "-") }

// OpenTag begins the tags that name an open point.
const OpenTag = "@open:"

const openPointsFile = "open-points.yaml"

// leastReadings: a question with one permitted answer is not open.
const leastReadings = 2

// OpenPoints reads open-points.yaml at the root of fsys: a list of points, each with a name of
// its own, a question, and either what is permitted in words or the permitted readings. Errors
// name the file and line.
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
		if p.Name == "" || p.Question == "" || (p.Permitted == "") == (len(p.Readings) == 0) {
			return nil, fmt.Errorf("%s:%d: an open point needs a name, a question and either what is permitted or its readings", openPointsFile, line)
		}
		if len(p.Readings) > 0 {
			if points[i].Permitted = permitted(p.Readings); points[i].Permitted == "" {
				return nil, fmt.Errorf("%s:%d: %q needs at least %d readings, each with a name of its own and what it means", openPointsFile, line, p.Name, leastReadings)
			}
		}
		if first, used := lines[p.Name]; used {
			return nil, fmt.Errorf("%s:%d: the open point %q is at line %d already", openPointsFile, line, p.Name, first)
		}
		lines[p.Name] = line
	}
	return points, nil
}

// permitted spells readings out; empty if they are not fit for it.
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
