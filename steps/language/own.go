package language

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/spelling"
)

// CheckOwn checks that the vocabulary has every sentence of the user's own features, that the open points
// and events that these name exist, and that every scenario begins with an account. All errors are joined, and
// each names file:line. For a sentence that does not exist, it suggests similar ones of pixcert's features.
func CheckOwn(c *catalogue.Catalogue, points []catalogue.OpenPoint) error {
	own := ownCheck{known: map[string]bool{}, reported: map[string]bool{}}
	for _, p := range points {
		own.points = append(own.points, p)
		own.tags = append(own.tags, p.Tag())
	}
	for s := range c.Scenarios() {
		if !s.Rule.Feature.Own {
			for _, step := range s.Steps {
				own.known[step.Text] = true
			}
			continue
		}
		for _, tag := range s.Tags {
			if strings.HasPrefix(tag, catalogue.OpenTag) && !slices.Contains(own.tags, tag) {
				own.add(s, s.Line, fmt.Errorf("there is no open point with the tag %s%s", tag, didYouMean(tag, own.tags, allPoints)))
			}
		}
		opened := false
		for _, step := range s.Steps {
			read, err := own.read(step)
			own.add(s, step.Line, err)
			switch m := read.Meaning.(type) {
			case Open:
				opened = opened || m.Account == TheAccount
			case nil, ShownInHandshake:
			default:
				if !opened {
					own.add(s, step.Line, fmt.Errorf("%q comes before the account exists; begin the scenario or its Background with: Given an account", step.Text))
					opened = true
				}
			}
		}
	}
	return errors.Join(own.problems...)
}

type ownCheck struct {
	points   []catalogue.OpenPoint
	tags     []string        // of the points
	known    map[string]bool // sentences of pixcert's features
	reported map[string]bool
	problems []error
}

// add reports a problem once: the steps of a background are those of many scenarios.
func (o *ownCheck) add(s *catalogue.Scenario, line int, err error) {
	if err == nil {
		return
	}
	err = fmt.Errorf("%s:%d: %w", s.Rule.Feature.File, line, err)
	if !o.reported[err.Error()] {
		o.reported[err.Error()] = true
		o.problems = append(o.problems, err)
	}
}

// read reads a step, and checks the names in it.
func (o *ownCheck) read(step catalogue.Step) (Step, error) {
	read, err := Read(step)
	switch {
	case err != nil && read.Sentence == nil:
		return read, fmt.Errorf("%w%s", err, didYouMean(step.Text, slices.Collect(maps.Keys(o.known)), allSentences))
	case err != nil:
		return read, err
	}
	switch m := read.Meaning.(type) {
	case Noted:
		err = o.checkPoint(m.Point)
	case WhetherNoted:
		err = o.checkPoint(m.Point)
	case Receive:
		err = checkNames("event type", m.EventTypes, api.EventTypes)
	case Arrives:
		err = checkNames("event", []string{m.Event}, events())
	case NothingArrives:
		err = checkNames("event", []string{cmp.Or(m.EventType, api.EventTypes[0])}, events())
	}
	return read, err
}

// events are the names of all events: an event of which the specification has no own name has that of
// its type.
func events() []string { return slices.Concat(slices.Sorted(maps.Keys(api.Payloads)), api.EventTypes) }

// checkNames refuses names that do not exist: such an event never arrives, whatever the gateway does.
func checkNames(what string, names, known []string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no %s %q%s", what, name, didYouMean(name, known, "it is one of "+strings.Join(known, ", ")))
		}
	}
	return nil
}

// checkPoint allows to record the points that a gateway may decide each time. Of the others, pixcert's
// own scenarios say what each reading does, and judge whether the gateway keeps to one.
func (o *ownCheck) checkPoint(name string) error {
	var names []string
	for _, p := range o.points {
		switch {
		case p.Name != name:
			names = append(names, p.Name)
		case len(p.Readings) > 0:
			return fmt.Errorf("the open point %q has a fixed list of readings, which pixcert's rules judge; remove this step", name)
		default:
			return nil
		}
	}
	return fmt.Errorf("there is no open point %q%s", name, didYouMean(name, names, allPoints))
}

// Where to look if nothing similar exists.
const (
	allSentences = "pixcert steps lists all sentences"
	allPoints    = "features/open-points.yaml lists all"
)

// didYouMean suggests the known name that is most similar to name, as the end of a sentence; otherwise,
// it says where to look.
func didYouMean(name string, known []string, otherwise string) string {
	near := spelling.Nearest(name, known, 1) // more would be the same sentence with other amounts
	if len(near) == 0 {
		return "; " + otherwise
	}
	return `; did you mean "` + near[0] + `"?`
}
