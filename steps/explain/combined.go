package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/language"
)

// combined prints in what the requests of an operation differ, and which combinations the last report lacks.
func (e Explainer) combined(op *api.Operation) error {
	all, err := e.dimensionsOf(op)
	if err != nil || len(all) == 0 {
		return err
	}
	e.heading(e.In.Say("Dimensions: each choice is sent next to each choice of the others; a gateway must reject what is marked with !"))
	for _, d := range all {
		var choices []string
		for _, c := range d.Choices {
			if c.Wrong {
				c.Words = "!" + c.Words
			}
			choices = append(choices, c.Words)
		}
		fmt.Fprintf(e.Out, "  %-28s %s\n", d.Name, strings.Join(choices, " | "))
	}
	if e.Past == nil || e.Past.Coverage == nil {
		return nil
	}
	for _, o := range e.Past.Coverage.Operations {
		if o.Name != op.Noun {
			continue
		}
		e.heading(e.In.Sayf("Last run: %d of %d combinations were sent and judged", o.Sent, o.Of))
		for _, m := range o.Missing {
			fmt.Fprintln(e.Out, e.In.Sayf("  %s, of %s: %s\n    such as %s", e.In.SayCount(m.Count, "combination"), m.Scenario, e.In.Recorded(m.Why), strings.Join(m.First, "; ")))
		}
	}
	return nil
}

// dimensionsOf are the dimensions of all steps that combine choices of an operation, each with all its choices.
func (e Explainer) dimensionsOf(op *api.Operation) (all []dimensions.Dimension, err error) {
	shapes, err := language.ShapesOf(e.Catalogue)
	if err != nil {
		return nil, err
	}
	for rule := range e.Catalogue.Rules() {
		for _, scenario := range rule.Scenarios {
			steps, err := language.ReadAll(scenario)
			if err != nil {
				return nil, err
			}
			for _, step := range steps {
				m, is := step.Meaning.(language.Send)
				if !is || len(m.Dimensions) == 0 || m.Operation.ID != op.ID {
					continue
				}
				of, err := dimensions.Of(m, shapes[op.Noun])
				if err != nil {
					return nil, err
				}
				all = union(all, of)
			}
		}
	}
	return all, nil
}

// union has the choices of both, by dimension.
func union(all, more []dimensions.Dimension) []dimensions.Dimension {
	for _, d := range more {
		i := slices.IndexFunc(all, func(o dimensions.Dimension) bool { return o.Name == d.Name })
		if i < 0 {
			i, all = len(all), append(all, dimensions.Dimension{Name: d.Name})
		}
		for _, c := range d.Choices {
			if !slices.ContainsFunc(all[i].Choices, func(o dimensions.Choice) bool { return o.Words == c.Words && o.Wrong == c.Wrong }) {
				all[i].Choices = append(all[i].Choices, c)
			}
		}
	}
	return all
}
