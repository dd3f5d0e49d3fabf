package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

// shapesTag marks a rule whose scenarios are the shapes of an operation.
const shapesTag = "@shapes"

// Shape is a kind of valid request that a feature shows by a scenario: "a cash-out to a company's
// CNPJ". A rule about a field holds in every shape that has the field.
type Shape struct {
	Name     string
	Given    []Step   // what the scenario does before its request, besides opening accounts, which whoever sends the shape does
	Changes  []Change // to the plainest valid request
	Controls []target.Control
	Families []target.Family
}

// Shapes are the shapes of each operation, by its noun.
type Shapes map[string][]Shape

// ShapesOf reads the shapes that the features show: the scenarios of every rule tagged @shapes.
func ShapesOf(c *catalogue.Catalogue) (Shapes, error) {
	all := Shapes{}
	for rule := range c.Rules() {
		if !slices.Contains(rule.Tags, shapesTag) {
			continue
		}
		for _, scenario := range rule.Scenarios {
			noun, shape, err := shapeOf(scenario)
			if err != nil {
				return nil, err
			}
			all[noun] = append(all[noun], shape)
		}
	}
	return all, nil
}

// shapeOf reads a scenario up to the first request of its own.
func shapeOf(scenario *catalogue.Scenario) (noun string, shape Shape, err error) {
	steps, err := ReadAll(scenario)
	if err != nil {
		return "", shape, err
	}
	shape.Name = scenario.Name
	for _, step := range steps {
		if _, opens := step.Meaning.(Open); opens {
			continue
		}
		shape.Families = append(shape.Families, step.Effects.Families...)
		shape.Controls = append(shape.Controls, step.Effects.Controls...)
		switch m := step.Meaning.(type) {
		case Send:
			if m.Operation != nil && step.Type == catalogue.Action {
				shape.Changes = m.Changes
				return m.Operation.Noun, shape, nil
			}
		default:
			shape.Given = append(shape.Given, step)
		}
	}
	return "", shape, fmt.Errorf("%s:%d: the rule is tagged %s, but the scenario sends no request", scenario.Rule.Feature.File, scenario.Line, shapesTag)
}

// EachElement stands for every item of an array in the name of a field: "splits[each].name".
const EachElement = "[each]"

// Varies reports whether a step sends its request in several variants: in every shape, for each item
// of an array, with each of many values, for each pair of choices; or so many times.
func (s Send) Varies() bool {
	return s.EveryShape || s.EachAgain || s.Times > 0 || len(s.Dimensions) > 0 || slices.ContainsFunc(s.Changes, Change.varies)
}

func (c Change) varies() bool {
	return slices.Contains([]ValueKind{Invalid, Mistyped, Unusual}, c.Value.Kind) || c.Where == Body && strings.Contains(c.Name, EachElement)
}

// Fixed are the changes that are the same in all variants of a request.
func (s Send) Fixed() []Change {
	return slices.DeleteFunc(slices.Clone(s.Changes), Change.varies)
}
